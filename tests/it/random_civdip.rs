//! CivDip at random, on every map on which two civilizations can start apart: contact is mutual and lasts, nobody sees anybody whom
//! he has not met, starts are apart, homes are those that were ever owned, and logs replay.

use std::collections::BTreeSet;

use dipjudge::game::{Game, Variant, VariantGame};
use dipjudge::map::{Map, Power, Province};
use dipjudge::variants;
use dipjudge::view::Viewer;

use super::random_play::{Step, Table, play_on};
use super::strangers_variant;

fn contacts(game: &Game, variant: &dyn Variant, power: Power) -> BTreeSet<Power> {
    let own = variant.own_labels().unwrap();
    own.contacts(game, power).into_iter().collect()
}

fn check(step: &Step, variant: &dyn Variant) {
    let (before, after) = (step.before, step.after);
    let at = after.phase_name(variant);
    for power in after.all_powers() {
        let now = contacts(after, variant, power);
        assert!(
            contacts(before, variant, power).is_subset(&now),
            "{at}: a contact was lost"
        );
        for other in &now {
            assert!(contacts(after, variant, *other).contains(&power), "{at}");
        }
        let Some(seen) = VariantGame::new(after, variant)
            .seen_by(Viewer::Power(power))
            .horizon()
        else {
            assert!(after.over(), "{at}: {power:?} sees the whole board");
            continue;
        };
        let position = &after.position;
        let dislodged = position.dislodged.iter().map(|one| &one.unit);
        let units = position.units.iter().chain(dislodged);
        let owners = units
            .filter(|unit| seen.shows(unit))
            .map(|unit| unit.power)
            .chain(
                position
                    .owners
                    .iter()
                    .filter(|(center, _)| seen.provinces.contains(center))
                    .map(|(_, owner)| *owner),
            );
        for other in owners.filter(|other| *other != power) {
            assert!(now.contains(&other), "{at}: a stranger is in sight");
        }
        let homes = variant.homes(after, power).unwrap();
        assert!(homes.len() <= 4, "{at}: {homes:?}");
        let ever: BTreeSet<Province> = after
            .years
            .iter()
            .flat_map(|year| year.owners.iter())
            .filter(|(_, owner)| **owner == power)
            .map(|(center, _)| *center)
            .collect();
        assert!(homes.iter().all(|home| ever.contains(home)), "{at}");
    }
}

#[test]
fn civilizations_meet_and_see_by_the_rules_on_every_map() {
    strangers_variant::add();
    let variant = variants::named("civdip").unwrap();
    let (mut met, mut ended) = (0, 0);
    for map in Map::names() {
        let laid = Map::with_places(map, variant.card().places).unwrap();
        let range = variant.players(laid);
        if range.is_empty() {
            continue;
        }
        for seed in 0..6 {
            let most = *range.end();
            let table = Table {
                variant,
                players: Some(most - (seed as usize % most).min(most - range.start())),
                settings: Vec::new(),
                lines: &|_, _, numbers| {
                    let home = numbers.pick(laid.centers()).unwrap();
                    match numbers.once_in(3) {
                        true => vec![format!("HOME {home}")],
                        false => Vec::new(),
                    }
                },
                longest: 60,
            };
            let finished = play_on(map, &table, seed, &mut |step| check(step, variant));
            let game = &finished.game;
            let starts = &game.years[0].owners;
            assert_eq!(starts.len(), table.players.unwrap(), "{map}");
            for start in starts.keys() {
                let near = laid.neighbors(*start);
                assert!(
                    !near.iter().any(|other| starts.contains_key(other)),
                    "{map}"
                );
            }
            met += usize::from(
                game.all_powers()
                    .any(|power| !contacts(game, variant, power).is_empty()),
            );
            ended += usize::from(game.over());
        }
    }
    assert!(
        met > 10 && ended > 0,
        "{met} games with contacts, {ended} ended"
    );
}
