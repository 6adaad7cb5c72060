//! The maps that are shipped: what each must have, how its names are read, and that every variant can be played on it.

use std::collections::BTreeSet;

use crate::random_play::{Table, play_on};
use dipjudge::calendar::PhaseKind;
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::{OrderWords, Verb};
use dipjudge::commands::orders::read_orders;
use dipjudge::map::{Map, Power, Province, Terrain, Travel};
use dipjudge::variants;

/// A map as it was published: powers, home centers and units at the start by power, provinces by terrain (inland, sea,
/// coast, islands), centers, how many of them win, borders for armies and for fleets.
struct Published {
    name: &'static str,
    powers: &'static [(&'static str, usize, usize)],
    terrain: [usize; 4],
    centers: usize,
    more_than_half: u32,
    borders: [usize; 2],
}

const PUBLISHED: &[Published] = &[
    Published {
        name: "ancient",
        powers: &[
            ("Carthage", 3, 3),
            ("Egypt", 3, 3),
            ("Greece", 3, 3),
            ("Persia", 3, 3),
            ("Rome", 3, 3),
        ],
        terrain: [14, 20, 44, 1],
        centers: 34,
        more_than_half: 18,
        borders: [112, 155],
    },
    Published {
        name: "hundred",
        powers: &[("Burgundy", 4, 4), ("England", 5, 5), ("France", 4, 5)],
        terrain: [12, 10, 19, 0],
        centers: 17,
        more_than_half: 9,
        borders: [61, 68],
    },
    Published {
        name: "modern",
        powers: &[
            ("Britain", 4, 4),
            ("Egypt", 3, 3),
            ("France", 4, 4),
            ("Germany", 4, 4),
            ("Italy", 4, 4),
            ("Poland", 3, 3),
            ("Russia", 5, 5),
            ("Spain", 3, 3),
            ("Turkey", 4, 4),
            ("Ukraine", 4, 4),
        ],
        terrain: [30, 33, 78, 0],
        centers: 64,
        more_than_half: 33,
        borders: [233, 248],
    },
    Published {
        name: "pure",
        powers: &[
            ("Austria", 1, 1),
            ("England", 1, 1),
            ("France", 1, 1),
            ("Germany", 1, 1),
            ("Italy", 1, 1),
            ("Russia", 1, 1),
            ("Turkey", 1, 1),
        ],
        terrain: [7, 0, 0, 0],
        centers: 7,
        more_than_half: 4,
        borders: [21, 0],
    },
    Published {
        name: "sailho",
        powers: &[
            ("East", 2, 2),
            ("North", 2, 2),
            ("South", 2, 2),
            ("West", 2, 2),
        ],
        terrain: [10, 17, 33, 0],
        centers: 16,
        more_than_half: 9,
        borders: [71, 122],
    },
    Published {
        name: "standard",
        powers: &[
            ("Austria", 3, 3),
            ("England", 3, 3),
            ("France", 3, 3),
            ("Germany", 3, 3),
            ("Italy", 3, 3),
            ("Russia", 4, 4),
            ("Turkey", 3, 3),
        ],
        terrain: [14, 19, 42, 0],
        centers: 34,
        more_than_half: 18,
        borders: [111, 141],
    },
];

fn maps() -> impl Iterator<Item = &'static Map> {
    Map::names().map(|name| Map::named(name).unwrap())
}

fn powers(map: &Map) -> impl Iterator<Item = Power> + '_ {
    (0..).map(Power).take(map.powers().len())
}

#[test]
fn every_map_has_what_was_published() {
    let names: Vec<&str> = PUBLISHED.iter().map(|published| published.name).collect();
    assert!(Map::names().eq(names));
    for published in PUBLISHED {
        let map = Map::named(published.name).unwrap();
        let name = map.name();
        assert_eq!(name, published.name);
        let found: Vec<(&str, usize, usize)> = powers(map)
            .map(|power| {
                let units = map.start().iter().filter(|unit| unit.power == power);
                let info = &map.powers()[power.index().unwrap()];
                (info.name.as_str(), map.homes(power).len(), units.count())
            })
            .collect();
        assert_eq!(found, published.powers, "{name}");
        let terrain = [
            Terrain::Inland,
            Terrain::Sea,
            Terrain::Coast,
            Terrain::Islands,
        ];
        let found = terrain.map(|terrain| {
            let provinces = map.provinces().iter();
            provinces.filter(|info| info.terrain == terrain).count()
        });
        assert_eq!(found, published.terrain, "{name}");
        assert_eq!(map.centers().len(), published.centers, "{name}");
        let found = [Travel::Land, Travel::Sea].map(|travel| {
            let here = |info: &dipjudge::map::ProvinceInfo| {
                let stations = map.stations(travel, info.code);
                stations
                    .iter()
                    .map(|at| map.reach(travel, *at).len())
                    .sum::<usize>()
            };
            map.provinces().iter().map(here).sum::<usize>() / 2
        });
        assert_eq!(found, published.borders, "{name}");
    }
}

#[test]
fn every_map_hangs_together() {
    for map in maps() {
        let name = map.name();
        for info in map.provinces() {
            for travel in [Travel::Land, Travel::Sea, Travel::Both] {
                for here in map.stations(travel, info.code) {
                    let there = map.reach(travel, here);
                    assert!(!there.contains(&here), "{name}: {here}");
                    for there in there {
                        assert!(
                            map.reach(travel, *there).contains(&here),
                            "{name}: {here} {there}"
                        );
                    }
                }
            }
            let coasts = info.coasts.len();
            assert!(coasts != 1, "{name}: one coast is no choice: {}", info.code);
            let fleets = map.stations(Travel::Sea, info.code);
            let alone = |at: &dipjudge::map::Location| map.reach(Travel::Sea, *at).is_empty();
            assert!(
                !fleets.iter().any(alone),
                "{name}: no fleet leaves {}",
                info.code
            );
        }
        let first = map.provinces()[0].code;
        let distances = map.distances([first]);
        let cut_off = |info: &&dipjudge::map::ProvinceInfo| distances.to(info.code).is_none();
        assert!(map.provinces().iter().find(cut_off).is_none(), "{name}");
    }
}

#[test]
fn every_power_of_a_map_has_a_letter_of_its_own_and_starts_in_its_homes() {
    for map in maps() {
        let name = map.name();
        let letters: Vec<char> = map.powers().iter().filter_map(|info| info.letter).collect();
        let different: BTreeSet<char> = letters.iter().copied().collect();
        assert_eq!(different.len(), map.powers().len(), "{name}");
        // A master and an observer sign on with these.
        assert!(!letters.contains(&'M') && !letters.contains(&'O'), "{name}");
        let keys: BTreeSet<&str> = map.powers().iter().map(|info| info.key.as_str()).collect();
        assert_eq!(keys.len(), map.powers().len(), "{name}");
        for power in powers(map) {
            let stands = |home: &&Province| {
                let mut start = map.start().iter();
                start.any(|unit| unit.power == power && unit.at.province == **home)
            };
            assert_eq!(
                map.homes(power).iter().find(|home| !stands(home)),
                None,
                "{name}"
            );
        }
    }
}

/// The only order of a line.
fn order(names: &Names, line: &str) -> Result<OrderWords, String> {
    let read = read_orders(line, PhaseKind::Movement, names);
    match <[_; 1]>::try_from(read) {
        Ok([Ok(order)]) => Ok(order),
        Ok([Err(misread)]) => Err(misread.to_string()),
        Err(read) => Err(format!("{} orders", read.len())),
    }
}

#[test]
fn every_spelling_of_a_province_is_read_wherever_it_stands() {
    let mut misread = Vec::new();
    for map in maps() {
        let names = Names::of(map, map.powers());
        for (spelling, province) in map.spellings() {
            let other = map.neighbors(province)[0];
            let mut expect =
                |line: &str, found: &dyn Fn(&OrderWords) -> Option<Province>| match order(
                    &names, line,
                ) {
                    Ok(order) if found(&order) == Some(province) => {}
                    Ok(order) => misread.push(format!("{}: {line}: {order}", map.name())),
                    Err(why) => misread.push(format!("{}: {line}: {why}", map.name())),
                };
            let unit = |order: &OrderWords| order.unit.as_ref().map(|unit| unit.place.province);
            expect(&format!("A {spelling} H"), &unit);
            expect(&format!("F {spelling} - {other}"), &unit);
            expect(&format!("{spelling} - {other}"), &unit);
            expect(&format!("A {spelling}-{other}"), &unit);
            expect(
                &format!("A {other}-{spelling}"),
                &|order| match &order.verb {
                    Verb::Move { route, .. } => route.last().map(|place| place.province),
                    _ => None,
                },
            );
            expect(
                &format!("A {other} S F {spelling}"),
                &|order| match &order.verb {
                    Verb::SupportHold { unit } => Some(unit.place.province),
                    _ => None,
                },
            );
            expect(
                &format!("A {other} S {spelling} - {other}"),
                &|order| match &order.verb {
                    Verb::SupportMove { unit, .. } => Some(unit.place.province),
                    _ => None,
                },
            );
        }
    }
    assert!(
        misread.is_empty(),
        "{}\n{}",
        misread.len(),
        misread.join("\n")
    );
}

#[test]
fn every_variant_is_played_at_random_on_every_map() {
    for variant in variants::ALL {
        for map in Map::names() {
            // One needs the provinces of the standard map.
            let Some(laid) = Map::with_places(map, variant.card().places) else {
                assert_eq!(variant.card().name, "rather-silly");
                assert_ne!(map, Map::DEFAULT);
                continue;
            };
            let range = variant.players(laid);
            if range.is_empty() && variant.card().name == "rather-silly" {
                assert_ne!(map, Map::DEFAULT);
                continue;
            }
            // What becomes of it then is told in `tests/transcripts/civdip/a-map-without-room.txt`.
            if range.is_empty() {
                assert_eq!((variant.card().name, map), ("civdip", "pure"));
                continue;
            }
            let table = Table {
                variant: *variant,
                players: Some((*range.end()).min(range.start() + 3)),
                settings: Vec::new(),
                lines: &|_, _, _| Vec::new(),
                longest: 14,
            };
            let name = variant.card().name;
            let mut taken = 0;
            // Every eighth log is written and read again.
            for seed in [0, 1, 8] {
                let finished = play_on(map, &table, seed, &mut |_| {});
                assert_eq!(finished.game.map, map);
                assert!(finished.game.number > 0, "{name} on {map}");
                taken += finished.taken;
            }
            assert!(taken > 10, "{name} on {map}: {taken} lines were taken");
        }
    }
}

#[test]
fn half_of_a_maps_centers_and_one_win() {
    let number = |variant: &str, map: &str| {
        let card = variants::of(variant).card();
        Map::with_places(map, card.places).map(|laid| card.winning.number_on(laid))
    };
    for Published {
        name: map,
        more_than_half,
        ..
    } in PUBLISHED
    {
        for variant in variants::ALL {
            let name = variant.card().name;
            let more = u32::from(name == "bridge");
            // One needs the provinces of the standard map.
            let played = number(name, map).is_some() || name != "rather-silly";
            if played {
                let wanted = Some(more_than_half + more);
                assert_eq!(number(name, map), wanted, "{name} on {map}");
            }
        }
    }
}
