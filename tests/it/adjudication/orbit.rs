//! Shared provinces: room, circles through them, moves out of them (`tests/adjudication/orbit.txt`).

use std::collections::BTreeSet;

use super::scene::{Scene, action, province};
use dipjudge::adjudicator::Mark;
use dipjudge::map::{Location, Map, Travel};
use dipjudge::orders::Order;
use dipjudge::position::UnitId;

const CASES: &str = include_str!("../../adjudication/orbit.txt");

/// Armies on land reach the orbit, armies in orbit every land province; each power's ship holds three.
fn lay_orbit_over(scene: &mut Scene<'_>) {
    let lands: Vec<Location> = scene
        .map
        .provinces()
        .iter()
        .filter(|info| !info.shared)
        .flat_map(|info| scene.map.stations(Travel::Land, info.code))
        .collect();
    let orbit = province("ORB");
    for unit in &scene.position.units {
        let places = if unit.at.province == orbit {
            lands.clone()
        } else {
            vec![orbit.into()]
        };
        scene.sheet.overlay.reach.insert(unit.id, places);
    }
    for name in scene.powers.clone() {
        let power = scene.power(&name);
        scene.sheet.room.insert((orbit, power), 3);
    }
}

/// `A ORB-BER` in the words of the scene's orders.
fn spaced(text: &str) -> String {
    text.replace('-', " - ")
        .split_whitespace()
        .filter(|word| *word != "A")
        .collect::<Vec<_>>()
        .join(" ")
}

/// Writes the orders on the sheet; armies aboard are ordered one after the other. What was told to whom.
fn write_orders(scene: &mut Scene<'_>, text: &str) -> Vec<(UnitId, String)> {
    let mut told: Vec<(UnitId, String)> = Vec::new();
    for side in text.split(';') {
        let (name, orders) = side.split_once(':').unwrap();
        let power = scene.power(name.trim());
        for order in orders.split(',') {
            let words = spaced(order);
            let (at, rest) = words.split_once(' ').unwrap();
            let free = |unit: &&dipjudge::position::Unit| {
                unit.power == power
                    && unit.at.province == province(at)
                    && told.iter().all(|(id, _)| *id != unit.id)
            };
            let unit = scene.position.units.iter().find(free).unwrap().id;
            // `S JED ORB - BER`: another power's army is meant.
            let named = scene
                .powers
                .iter()
                .find(|name| rest.contains(&format!("S {name} ")))
                .cloned();
            let rest = match &named {
                None => rest.to_owned(),
                Some(name) => rest.replace(&format!("{name} "), ""),
            };
            if let Some(name) = named {
                scene.sheet.beneficiaries.insert(unit, scene.power(&name));
            }
            scene.sheet.orders.push(Order {
                unit,
                action: action(&rest),
            });
            told.push((unit, format!("{} {}", name.trim(), words)));
        }
    }
    told
}

#[test]
fn every_case_comes_out_as_the_rules_page_says() {
    let map = Map::parse(
        "name space\nuse standard\nORB  Orbit  inland  shared\n",
        Map::named,
    )
    .unwrap();
    let mut count = 0;
    for case in CASES.split("\n== ").skip(1) {
        count += 1;
        let (title, rest) = case.split_once('\n').unwrap();
        let line = |key: &str| {
            rest.lines()
                .find_map(|line| line.strip_prefix(&format!("{key}: ")))
        };
        let mut scene = Scene::new(&map, line("position").unwrap());
        lay_orbit_over(&mut scene);
        let told = write_orders(&mut scene, line("orders").unwrap());
        let resolution = scene.resolve();
        let outcome = |unit: UnitId| resolution.outcome(unit).unwrap();
        // A case with one power may leave its name away.
        let listed = |key: &str| -> Vec<String> {
            let name = |text: &str| -> String {
                let text = text.trim();
                let named = scene
                    .powers
                    .iter()
                    .any(|name| text.starts_with(&format!("{name} ")));
                let text = spaced(text);
                if named {
                    text
                } else {
                    let owner = told
                        .iter()
                        .find(|(_, told)| {
                            told.split_once(' ').is_some_and(|(_, told)| told == text)
                        })
                        .map(|(_, told)| told.clone());
                    owner.unwrap_or(text)
                }
            };
            let mut all: Vec<String> = line(key)
                .into_iter()
                .flat_map(|list| list.split(", "))
                .map(name)
                .collect();
            all.sort();
            all
        };
        let moves = |moved: bool| -> Vec<String> {
            let mut all: Vec<String> = told
                .iter()
                .filter(|(unit, text)| {
                    text.contains(" - ")
                        && !text.contains(" S ")
                        && outcome(*unit).moved.is_some() == moved
                })
                .map(|(_, text)| text.clone())
                .collect();
            all.sort();
            all
        };
        // Cases list supports among neither, and some list not every success.
        let successes = moves(true);
        assert!(
            listed("ok").iter().all(|listed| successes.contains(listed)),
            "{title}: {successes:?}"
        );
        assert_eq!(moves(false), listed("fail"), "{title}");
        let dislodged: BTreeSet<UnitId> = resolution
            .dislodged
            .iter()
            .map(|dislodged| dislodged.unit.id)
            .collect();
        let expected: BTreeSet<UnitId> = line("out")
            .map(|out| scene.unit(spaced(out).split_whitespace().nth(1).unwrap()))
            .into_iter()
            .collect();
        assert_eq!(dislodged, expected, "{title}");
        for dislodged in &resolution.dislodged {
            let to_orbit = line("out").is_some_and(|out| out.ends_with("ORB"));
            assert_eq!(
                dislodged
                    .options
                    .iter()
                    .any(|to| to.province == province("ORB")),
                to_orbit,
                "{title}"
            );
        }
        // A support that helps nobody is void; nothing else is.
        let void = resolution
            .outcomes
            .iter()
            .filter(|outcome| outcome.marks.has(Mark::Void))
            .count();
        assert_eq!(void, usize::from(title.contains("helps nobody")), "{title}");
    }
    assert_eq!(count, 26);
}

#[test]
fn there_is_no_support_in_or_into_a_crowded_place() {
    let map = Map::parse(
        "name space\nuse standard\nORB  Orbit  inland  shared\n",
        Map::named,
    )
    .unwrap();
    let mut scene = Scene::new(&map, "JED: A MUN, A BER, A ORB, A KIE");
    lay_orbit_over(&mut scene);
    let scene = scene.orders(&[
        "MUN S ORB",
        "BER S MUN - ORB",
        "ORB S KIE - HOL",
        "KIE - HOL",
    ]);
    for at in ["MUN", "BER", "ORB"] {
        assert_eq!(scene.marks(at), "void", "{at}");
    }
    assert_eq!(scene.marks("KIE"), "");
}
