//! The drawings of maps against the maps: borders province by province, coasts, straits, and that nothing covers anything
//! else. Every map that is drawn is tested, with the places that each variant adds to it.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::game::Variant;
use dipjudge::map::drawing::{Area, Border, Drawing, Place, Point, Region, Side, Surface};
use dipjudge::map::{Location, Map, Province, Terrain, Travel};
use dipjudge::variants;

/// The least length of a border, in units, so that it is seen to be one.
const VISIBLE: f64 = 12.0;

fn standard() -> Drawing {
    Drawing::of(Map::standard(), "")
}

/// All variants, those that are being built among them.
fn all_variants() -> impl Iterator<Item = &'static dyn Variant> {
    variants::ALL.iter().chain(variants::NOT_OFFERED).copied()
}

/// The maps that are drawn.
fn drawn() -> impl Iterator<Item = &'static str> {
    Map::names().filter(|name| Drawing::exists(name))
}

/// Each map that is drawn, as each variant plays on it, with its drawing.
fn boards() -> Vec<(String, &'static Map, Drawing)> {
    let boards = all_variants().flat_map(|variant| {
        let card = variant.card();
        drawn().filter_map(move |name| {
            // Not all that a variant lays over a map fits every map.
            let map = Map::with_places(name, card.places)?;
            let board = format!("{} on {name}", card.name);
            Some((board, map, Drawing::of(map, card.drawing)))
        })
    });
    boards.collect()
}

/// The maps that are drawn, with regions that are made of their borders alone: a map under another name has no drawing.
fn undrawn_boards() -> Vec<(String, &'static Map, Drawing)> {
    let boards = drawn().map(|name| {
        let map = Map::with_places(name, "name undrawn\n").unwrap();
        (format!("undrawn {name}"), map, Drawing::of(map, ""))
    });
    boards.collect()
}

/// The pairs of provinces across a border that is a mark over water or in a corner, from both sides.
fn across_water(drawing: &Drawing) -> BTreeSet<(Province, Province)> {
    let pairs = drawing.straits.iter().map(|strait| strait.between);
    pairs
        .flat_map(|[one, other]| [(one, other), (other, one)])
        .collect()
}

fn province(code: &str) -> Province {
    code.parse().unwrap()
}

fn length(line: &[Point]) -> f64 {
    line.windows(2)
        .map(|ends| f64::from(ends[0].x - ends[1].x).hypot(f64::from(ends[0].y - ends[1].y)))
        .sum()
}

/// The two places that a border lies between, if both are provinces.
fn between(drawing: &Drawing, border: &Border) -> Option<[Location; 2]> {
    let place = |side: Option<Side>| {
        let side = side?;
        let province = drawing.regions[side.region].province?;
        let coast = side.coast;
        Some(Location { province, coast })
    };
    let [one, other] = border.sides.map(place);
    let (one, other) = (one?, other?);
    (one.province != other.province).then_some([one, other])
}

/// How long the borders are that provinces have in a drawing, from both sides.
fn lengths(drawing: &Drawing) -> BTreeMap<(Province, Province), f64> {
    let mut lengths = BTreeMap::new();
    for border in &drawing.borders {
        if let Some([one, other]) = between(drawing, border) {
            for pair in [(one, other), (other, one)] {
                let pair = (pair.0.province, pair.1.province);
                *lengths.entry(pair).or_insert(0.0) += length(&border.line);
            }
        }
    }
    lengths
}

#[test]
fn provinces_share_a_border_in_the_drawing_just_where_some_unit_can_go() {
    for (name, map, drawing) in boards().into_iter().chain(undrawn_boards()) {
        let lengths = lengths(&drawing);
        let straits = across_water(&drawing);
        for here in map.provinces() {
            for there in map.provinces() {
                let pair = (here.code, there.code);
                let drawn = lengths.get(&pair).copied();
                let wanted = map.neighbors(here.code).contains(&there.code);
                let good = match drawn {
                    Some(length) => wanted && length >= VISIBLE,
                    None => wanted == straits.contains(&pair),
                };
                assert!(good, "{name}, {} {}: {drawn:?}", here.code, there.code);
            }
        }
    }
}

#[test]
fn seas_lie_on_the_coasts_that_fleets_reach_from_them() {
    for (name, map, drawing) in boards().into_iter().chain(undrawn_boards()) {
        let mut drawn = BTreeSet::new();
        for border in &drawing.borders {
            for [here, there] in between(&drawing, border)
                .into_iter()
                .flat_map(|[a, b]| [[a, b], [b, a]])
            {
                if map.info(here.province).unwrap().terrain == Terrain::Sea {
                    drawn.insert((here.province, there));
                }
            }
        }
        let mut wanted = BTreeSet::new();
        for sea in map
            .provinces()
            .iter()
            .filter(|info| info.terrain == Terrain::Sea)
        {
            let reached = map.reach(Travel::Sea, sea.code.into());
            wanted.extend(reached.iter().map(|to| (sea.code, *to)));
        }
        // What a mark joins has no line.
        let straits = across_water(&drawing);
        wanted.retain(|(sea, to)| {
            drawn.contains(&(*sea, *to)) || !straits.contains(&(*sea, to.province))
        });
        assert_eq!(drawn, wanted, "{name}");
    }
}

/// Coasts between which fleets go on a river, of each map that is drawn.
const ALONG_RIVERS: [(&str, &str, &str); 5] = [
    ("ancient", "ALE", "MEM"),
    ("ancient", "MEM", "BAY"),
    ("ancient", "MEM", "THB"),
    ("ancient", "BAY", "THB"),
    ("modern", "ROS", "VOL"),
];

/// A fleet goes from coast to coast just where the border of two provinces on land ends at a sea that both have.
#[test]
fn fleets_go_along_the_coast_just_where_a_border_ends_at_the_sea() {
    for (name, map, drawing) in boards() {
        let on_land = |at: &Location| map.info(at.province).unwrap().terrain != Terrain::Sea;
        // Islands lie in water of their own.
        let is_water = |at: &Location| {
            let terrain = map.info(at.province).unwrap().terrain;
            matches!(terrain, Terrain::Sea | Terrain::Islands)
        };
        // Which places meet at each end of a border; water inside a province is its coast too.
        let mut meeting: BTreeMap<Point, BTreeSet<Location>> = BTreeMap::new();
        for border in &drawing.borders {
            for at in between(&drawing, border).into_iter().flatten() {
                for end in [border.line[0], *border.line.last().unwrap()] {
                    meeting.entry(end).or_default().insert(at);
                }
            }
        }
        let mut drawn = BTreeSet::new();
        for border in &drawing.borders {
            let Some([one, other]) = between(&drawing, border) else {
                continue;
            };
            if !on_land(&one) || !on_land(&other) {
                continue;
            }
            for end in [border.line[0], *border.line.last().unwrap()] {
                let here = &meeting[&end];
                if !here.iter().any(is_water) {
                    continue;
                }
                let of = |province: Province| {
                    let coasts = map.stations(Travel::Sea, province);
                    here.iter()
                        .copied()
                        .filter(move |at| at.province == province && coasts.contains(at))
                };
                for from in of(one.province) {
                    for to in of(other.province) {
                        drawn.extend([(from, to), (to, from)]);
                    }
                }
            }
        }
        let mut wanted = BTreeSet::new();
        for info in map.provinces() {
            for from in map
                .stations(Travel::Sea, info.code)
                .into_iter()
                .filter(on_land)
            {
                let along = map.reach(Travel::Sea, from).iter().filter(|to| on_land(to));
                wanted.extend(along.map(|to| (from, *to)));
            }
        }
        // What a mark joins, or a river, has no border that ends at a sea.
        let straits = across_water(&drawing);
        let by_river = |one: Province, other: Province| {
            ALONG_RIVERS.iter().any(|(map, a, b)| {
                let pair = [province(a), province(b)];
                name.ends_with(map) && (pair == [one, other] || pair == [other, one])
            })
        };
        wanted.retain(|(from, to)| {
            let pair = (from.province, to.province);
            drawn.contains(&(*from, *to)) || !straits.contains(&pair) && !by_river(pair.0, pair.1)
        });
        let differ: Vec<_> = drawn.symmetric_difference(&wanted).collect();
        assert!(differ.is_empty(), "{name}: {differ:?}");
    }
}

/// Borders that armies cross though no line between land and land shows it: each is marked, and no other.
#[test]
fn what_lies_across_water_is_marked_as_a_strait() {
    for name in drawn() {
        let map = Map::named(name).unwrap();
        let drawing = Drawing::of(map, "");
        let named = STRAITS.iter().filter(|(map, ..)| *map == name);
        let named: BTreeSet<[Province; 2]> = named
            .map(|(_, one, other)| {
                let mut pair = [province(one), province(other)];
                pair.sort();
                pair
            })
            .collect();
        let marked = drawing.straits.iter().map(|strait| {
            let mut pair = strait.between;
            pair.sort();
            pair
        });
        let marked: BTreeSet<[Province; 2]> = marked.collect();
        assert_eq!(marked, named, "{name}");
        let wet = across_water_by_land(map, &drawing);
        let missing: Vec<_> = wet.difference(&marked).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

/// The marks over water, of each map that is drawn. Those between two seas, or a sea and a coast, meet in a corner.
const STRAITS: [(&str, &str, &str); 9] = [
    ("standard", "DEN", "SWE"),
    ("ancient", "SIC", "NEA"),
    ("ancient", "COR", "SAD"),
    ("ancient", "ALE", "SIN"),
    ("ancient", "AUS", "LIB"),
    ("ancient", "MAU", "SAG"),
    ("hundred", "CAL", "LON"),
    ("modern", "DEN", "SWE"),
    ("modern", "ARA", "RED"),
];

/// Where armies go though no line between land and land shows it.
fn across_water_by_land(map: &Map, drawing: &Drawing) -> BTreeSet<[Province; 2]> {
    let mut dry = BTreeSet::new();
    for border in &drawing.borders {
        let grounds = border
            .sides
            .map(|side| side.map(|side| drawing.regions[side.region].surface));
        if let Some([one, other]) = between(drawing, border)
            && grounds == [Some(Surface::Land); 2]
        {
            dry.extend([
                (one.province, other.province),
                (other.province, one.province),
            ]);
        }
    }
    let mut wet = BTreeSet::new();
    for info in map.provinces() {
        for to in map.reach(Travel::Land, info.code.into()) {
            if info.code < to.province && !dry.contains(&(info.code, to.province)) {
                wet.insert([info.code, to.province]);
            }
        }
    }
    wet
}

#[test]
fn regions_fill_the_picture_and_lie_nowhere_on_one_another() {
    for name in drawn() {
        regions_fill(name, &Drawing::of(Map::named(name).unwrap(), ""));
    }
    for (name, _, drawing) in undrawn_boards() {
        regions_fill(&name, &drawing);
    }
}

fn regions_fill(name: &str, drawing: &Drawing) {
    let lines: Vec<(usize, Point, Point)> = drawing
        .borders
        .iter()
        .enumerate()
        .flat_map(|(number, border)| {
            border
                .line
                .windows(2)
                .map(move |ends| (number, ends[0].min(ends[1]), ends[0].max(ends[1])))
        })
        .collect();
    let ends: BTreeSet<Point> = drawing
        .borders
        .iter()
        .flat_map(|border| [border.line[0], *border.line.last().unwrap()])
        .collect();
    let side = |a: Point, b: Point, c: Point| {
        (i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x))
            .signum()
    };
    let mut sorted = lines.clone();
    sorted.sort_unstable_by_key(|line| line.1.x);
    for (number, &(border, a, b)) in sorted.iter().enumerate() {
        for &(other, c, d) in sorted[number + 1..]
            .iter()
            .take_while(|line| line.1.x <= b.x)
        {
            let crossed = side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
            let common = [a, b].into_iter().find(|end| *end == c || *end == d);
            let joined = match common {
                // Two that go on from one another, or end where several borders do.
                Some(end) => border == other || ends.contains(&end),
                None => !crossed || c.y.max(d.y) < a.y.min(b.y) || a.y.max(b.y) < c.y.min(d.y),
            };
            assert!(joined, "{name}: {a} {b} and {c} {d}");
        }
    }
    let all: i64 = drawing.regions.iter().map(Region::doubled_area).sum();
    assert_eq!(
        all,
        i64::from(drawing.width) * i64::from(drawing.height) * 2,
        "{name}"
    );
}

/// Regions that look alike are drawn as one path, in which what lies on another would be a hole.
#[test]
fn in_no_picture_of_a_map_do_regions_lie_on_one_another() {
    for name in Map::names() {
        let drawing = Drawing::of(Map::named(name).unwrap(), "");
        let (across, down) = (0..drawing.width, 0..drawing.height);
        for (x, y) in across
            .step_by(37)
            .flat_map(|x| down.clone().step_by(41).map(move |y| (x, y)))
        {
            let regions = drawing.regions.iter();
            let there = regions.filter(|region| region.contains(Point { x, y }));
            let there: Vec<&str> = there.map(|region| region.name.as_str()).collect();
            assert!(there.len() < 2, "{name} {x},{y}: {there:?}");
        }
    }
}

/// The corners of an area.
fn corners(area: Area) -> [Point; 4] {
    let (right, down) = (area.width / 2, area.height / 2);
    [
        (-right, -down),
        (right, -down),
        (-right, down),
        (right, down),
    ]
    .map(|(x, y)| area.middle.offset(x, y))
}

/// Points all over an area, three units apart.
fn sample(area: Area) -> Vec<Point> {
    let (right, down) = (area.width / 2, area.height / 2);
    let columns = (-right..=right).step_by(3);
    columns
        .flat_map(|x| {
            (-down..=down)
                .step_by(3)
                .map(move |y| area.middle.offset(x, y))
        })
        .collect()
}

fn no_areas_overlap(drawing: &Drawing, what: &str) {
    let areas: Vec<(Province, Area)> = drawing
        .places
        .iter()
        .flat_map(|(province, place)| place.areas().into_iter().map(|area| (*province, area)))
        .collect();
    for (number, (here, one)) in areas.iter().enumerate() {
        for (there, other) in &areas[number + 1..] {
            assert!(
                !one.overlaps(*other),
                "{what}: {here} {one:?} and {there} {other:?}"
            );
        }
        for corner in corners(*one) {
            let inside =
                (0..=drawing.width).contains(&corner.x) && (0..=drawing.height).contains(&corner.y);
            assert!(inside, "{what}: {here} {one:?}");
        }
    }
}

#[test]
fn units_and_names_stand_in_their_provinces_and_never_on_one_another() {
    for name in drawn() {
        let map = Map::named(name).unwrap();
        places_fit(name, map, &Drawing::of(map, ""));
    }
    for (name, map, drawing) in undrawn_boards() {
        places_fit(&name, map, &drawing);
    }
}

/// Provinces that are too small: a dislodged unit, or a part of what stands in them, is drawn beside them.
const SMALL: [(&str, &str); 6] = [
    ("ancient", "CRE"),
    ("ancient", "COR"),
    ("ancient", "CYP"),
    ("modern", "GIB"),
    ("modern", "MON"),
    ("modern", "ROM"),
];

fn places_fit(name: &str, map: &Map, drawing: &Drawing) {
    let mut outside = Vec::new();
    no_areas_overlap(drawing, name);
    for info in map.provinces() {
        let place = &drawing.places[&info.code];
        let parts: Vec<&Region> = drawing
            .regions
            .iter()
            .filter(|region| region.province == Some(info.code))
            .collect();
        let within = |at: Point| parts.iter().any(|region| region.contains(at));
        let is_small = SMALL.contains(&(name, info.code.to_string().as_str()));
        let dislodged = (!is_small).then_some(place.dislodged);
        let points = [place.unit, place.name.at];
        let points = points
            .iter()
            .chain(&dislodged)
            .chain(&place.center)
            .chain(place.coasts.values());
        for point in points {
            assert!(within(*point), "{name}: {} {point}", info.code);
        }
        // Both may stand over the border a little.
        for area in [Place::unit_area(place.unit), place.name.area()] {
            let points = sample(area);
            let inside = points.iter().filter(|point| within(**point)).count();
            if inside * 5 < points.len() * 4 {
                outside.push(info.code);
            }
        }
        assert_eq!(place.center.is_some(), info.center, "{}", info.code);
        assert!(place.coasts.keys().eq(info.coasts.iter()), "{}", info.code);
        let written = place.name.lines.join(" ");
        let known = [
            info.code.titled(),
            info.name.clone(),
            info.name.replace('-', "- "),
        ];
        assert!(known.contains(&written), "{name}: {written}");
    }
    outside.retain(|code| !SMALL.contains(&(name, code.to_string().as_str())));
    assert!(outside.is_empty(), "{name}: {outside:?}");
}

#[test]
fn a_map_whose_borders_are_no_regions_has_a_diagram() {
    let drawings = Map::names().map(|name| {
        let map = Map::named(name).unwrap();
        (name, map, Drawing::of(map, ""))
    });
    for (name, map, drawing) in drawings.filter(|(.., drawing)| drawing.borders.is_empty()) {
        assert_eq!(drawing, Drawing::of(map, ""), "{name}");
        no_areas_overlap(&drawing, name);
        assert!(
            drawing
                .places
                .keys()
                .eq(map.provinces().iter().map(|info| &info.code)),
            "{name}"
        );
        let borders: usize = map
            .provinces()
            .iter()
            .map(|info| map.neighbors(info.code).len())
            .sum();
        assert_eq!(drawing.links.len() * 2, borders, "{name}");
        for region in &drawing.regions {
            let place = &drawing.places[&region.province.unwrap()];
            assert!(
                region.contains(place.unit) && region.contains(place.name.at),
                "{name} {}",
                region.name
            );
        }
    }
}

#[test]
fn what_a_drawing_lacks_has_a_panel_below_it() {
    let map = Map::with_places("standard", "ORB  Orbit  inland  shared\n").unwrap();
    let drawing = Drawing::of(map, "");
    let orbit = &drawing.places[&province("ORB")];
    assert!(orbit.unit.y > standard().height && drawing.height > orbit.unit.y);
    no_areas_overlap(&drawing, "orbit");
    assert_eq!(drawing.borders, standard().borders);
}

#[test]
fn every_variant_has_a_picture_of_every_map_that_it_is_played_on() {
    for variant in all_variants() {
        for name in Map::names() {
            // Not all that a variant lays over a map fits every map.
            let card = variant.card();
            let Some(map) = Map::with_places(name, card.places) else {
                continue;
            };
            let drawing = Drawing::of(map, card.drawing);
            let provinces = map.provinces().iter().map(|info| &info.code);
            assert!(
                drawing.places.keys().eq(provinces),
                "{} on {name}",
                card.name
            );
            no_areas_overlap(&drawing, card.name);
            assert!(
                drawing.borders.is_empty() != drawing.links.is_empty(),
                "{} on {name}",
                card.name
            );
        }
    }
}

#[test]
fn the_islands_of_rather_silly_are_drawn_where_its_seas_meet() {
    let (_, map, drawing) = boards()
        .into_iter()
        .find(|(name, ..)| name == "rather-silly on standard")
        .unwrap();
    for (code, region) in [("ICE", "iceland"), ("COR", "crete")] {
        assert!(map.number(province(code)).is_some());
        let drawn = drawing
            .regions
            .iter()
            .find(|drawn| drawn.name == region)
            .unwrap();
        assert_eq!(drawn.province, Some(province(code)));
        assert!(
            drawn.contains(drawing.places[&province(code)].unit),
            "{code}"
        );
    }
}
