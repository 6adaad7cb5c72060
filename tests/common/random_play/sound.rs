//! What must hold of every game of every variant.

use std::collections::BTreeSet;

use dipjudge::game::{Event, Game, Phase, State, Variant, VariantGame, apply};
use dipjudge::map::Power;

use super::Finished;

/// The board: every unit in a place where it can be, alone among those that fight, and everything of powers that exist.
pub fn board(game: &Game) {
    let map = game.map();
    let exists =
        |power: Power| power == Power::NEUTRAL || game.all_powers().any(|one| one == power);
    let mut ids = BTreeSet::new();
    let mut taken = BTreeSet::new();
    let dislodged = game.position.dislodged.iter().map(|d| &d.unit);
    for unit in game.position.units.iter().chain(dislodged) {
        assert!(ids.insert(unit.id), "two units have a number: {unit:?}");
        assert!(exists(unit.power), "nobody's unit: {unit:?}");
        assert!(
            map.can_stand(map.travel(unit.kind), unit.at),
            "where it cannot be: {unit:?}"
        );
    }
    for unit in &game.position.units {
        let shared = map.info(unit.at.province).is_some_and(|info| info.shared);
        let idle = map.kind(unit.kind).is_some_and(|info| !info.fights);
        assert!(
            idle || taken.insert(unit.at.province) || shared,
            "two units in a province: {unit:?}"
        );
    }
    for (center, owner) in &game.position.owners {
        assert!(exists(*owner), "{center} belongs to a power that plays");
    }
}

/// One phase that was played.
pub fn phase(before: &Game, after: &Game, variant: &dyn Variant, events: &[Event]) {
    board(after);
    assert_eq!(after.number, before.number + 1);
    let played = after.last.as_ref().expect("what was played is remembered");
    assert_eq!((played.turn, &played.phase), (before.turn, &before.phase));
    for dislodged in &after.position.dislodged {
        assert_eq!(after.phase, Phase::Retreats, "{dislodged:?} may retreat");
    }
    let mut again = before.clone();
    let at = after.timing.processed.unwrap();
    events
        .iter()
        .for_each(|event| apply::apply(&mut again, at, event));
    assert!(again == *after, "the events alone lead to the same game");
    match after.state {
        State::Running => {
            let requirements = VariantGame::new(after, variant).requirements();
            assert!(
                !requirements.due.is_empty()
                    || requirements.held_anyway
                    || VariantGame::new(after, variant).pace().holds_empty_phases,
                "nobody is asked"
            );
            assert!(
                after
                    .standings
                    .values()
                    .all(|standing| standing.orders.units.is_empty()
                        && standing.orders.winter.is_empty()),
                "no order outlives its phase"
            );
        }
        State::Over(_) => {}
        _ => panic!("a game that is played is {:?}", after.state),
    }
}

/// A sentence for a player.
pub fn sentence(text: &str) {
    assert!(
        text.ends_with(['.', '?', '!', ':', ')']) && !text.contains('\n'),
        "no plain sentence: {text:?}"
    );
}

/// The log, written and read as the store does, leads to the same state byte for byte. Writing takes long, so only every
/// eighth game goes through it; the others are folded from their events.
pub fn replay(finished: &Finished, seed: u64) {
    let written = seed.is_multiple_of(8);
    let mut game = None;
    for record in &finished.log {
        let read;
        let record = if written {
            let line = serde_json::to_string(record).unwrap();
            read = serde_json::from_str(&line).unwrap();
            &read
        } else {
            record
        };
        game = Some(apply::replay(game, record).unwrap());
    }
    let game = game.unwrap();
    assert!(game == finished.game, "the log leads to the same game");
    if written {
        assert_eq!(
            serde_json::to_string(&game).unwrap(),
            serde_json::to_string(&finished.game).unwrap(),
        );
    }
}
