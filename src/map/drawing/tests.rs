//! The drawing of the standard board against its map, and diagrams of all maps.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Location, Map, Province, Terrain, Travel};
use super::*;

/// The least length of a border, in units, so that it is seen to be one.
const VISIBLE: f64 = 12.0;

fn standard() -> Drawing {
    Drawing::read(Map::standard(), DRAWN[0].1, "").unwrap()
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
    let (map, drawing) = (Map::standard(), standard());
    let lengths = lengths(&drawing);
    for here in map.provinces() {
        for there in map.provinces() {
            let drawn = lengths.get(&(here.code, there.code)).copied();
            let wanted = map.neighbors(here.code).contains(&there.code);
            let good = match drawn {
                Some(length) => wanted && length >= VISIBLE,
                None => !wanted,
            };
            assert!(good, "{} {}: {drawn:?}", here.code, there.code);
        }
    }
}

#[test]
fn seas_lie_on_the_coasts_that_fleets_reach_from_them() {
    let (map, drawing) = (Map::standard(), standard());
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
    assert_eq!(drawn, wanted);
}

/// A fleet goes from coast to coast just where the border of two provinces on land ends at a sea that both have.
#[test]
fn fleets_go_along_the_coast_just_where_a_border_ends_at_the_sea() {
    let (map, drawing) = (Map::standard(), standard());
    let on_land = |at: &Location| map.info(at.province).unwrap().terrain != Terrain::Sea;
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
            if here.iter().all(on_land) {
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
    assert_eq!(drawn, wanted);
}

/// Borders that armies cross though no line between land and land shows it: each is marked, and no other.
#[test]
fn what_lies_across_water_is_marked_as_a_strait() {
    let (map, drawing) = (Map::standard(), standard());
    let mut dry = BTreeSet::new();
    for border in &drawing.borders {
        let grounds = border
            .sides
            .map(|side| side.map(|side| drawing.regions[side.region].ground));
        if let Some([one, other]) = between(&drawing, border)
            && grounds == [Some(Ground::Land); 2]
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
    let marked: BTreeSet<[Province; 2]> = drawing
        .straits
        .iter()
        .map(|strait| strait.between)
        .collect();
    assert_eq!(wet, marked);
    assert_eq!(marked, BTreeSet::from([[province("DEN"), province("SWE")]]));
}

#[test]
fn regions_fill_the_picture_and_lie_nowhere_on_one_another() {
    let drawing = standard();
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
            assert!(joined, "{a} {b} and {c} {d}");
        }
    }
    let all: i64 = drawing.regions.iter().map(Region::doubled_area).sum();
    assert_eq!(
        all,
        i64::from(drawing.width) * i64::from(drawing.height) * 2
    );
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
    let (map, drawing) = (Map::standard(), standard());
    no_areas_overlap(&drawing, "standard");
    for info in map.provinces() {
        let place = &drawing.places[&info.code];
        let parts: Vec<&Region> = drawing
            .regions
            .iter()
            .filter(|region| region.province == Some(info.code))
            .collect();
        let within = |at: Point| parts.iter().any(|region| region.contains(at));
        let points = [place.unit, place.dislodged, place.name.at];
        let points = points
            .iter()
            .chain(&place.center)
            .chain(place.coasts.values());
        for point in points {
            assert!(within(*point), "{} {point}", info.code);
        }
        // A unit and a name may touch the border's line, but hardly more.
        for area in [Place::unit_area(place.unit), place.name.area()] {
            let there = corners(area)
                .into_iter()
                .filter(|corner| within(*corner))
                .count();
            assert!(there >= 3, "{} {area:?}", info.code);
        }
        assert_eq!(place.center.is_some(), info.center, "{}", info.code);
        assert!(place.coasts.keys().eq(info.coasts.iter()), "{}", info.code);
        let written = place.name.lines.join(" ");
        let known = [
            info.code.titled(),
            info.name.clone(),
            info.name.replace('-', "- "),
        ];
        assert!(known.contains(&written), "{written}");
    }
}

#[test]
fn a_map_that_nobody_has_drawn_has_a_diagram() {
    for name in Map::names().filter(|name| *name != "standard") {
        let map = Map::named(name).unwrap();
        let drawing = Drawing::of(map, "");
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
fn faults_of_a_drawing_are_told_by_line() {
    let fault = |text: &str, overlay: &str| {
        Drawing::read(Map::standard(), text, overlay)
            .unwrap_err()
            .to_string()
    };
    let ring = "size 99 99\nborder SWI edge  0,0 99,0 99,99 0,99 0,0\n";
    assert_eq!(
        fault(ring, ""),
        "line 2: `SWI` is no province of the map, and no line `land SWI` or `water SWI` is above"
    );
    for (text, told) in [
        (
            "arc BOH edge  0,0",
            "line 2: unknown word `arc`; a line begins with size, land, water, strait, waterway, place, border or a point",
        ),
        (
            "size 9",
            "line 2: expected two numbers, as `size 2000 1800`",
        ),
        (
            "land Alps",
            "line 2: expected a name in small letters, and the province that it is a part of, if any",
        ),
        ("land alps ALP", "line 2: the map has no province `ALP`"),
        (
            "border BOH edge  0,0 100,0",
            "line 2: 100,0 is outside the picture; `size` tells how large that is",
        ),
        (
            "border BOH edge  0,0 9;0",
            "line 2: expected a point as `1012,1448`",
        ),
        (
            "border BOH  0,0 9,0",
            "line 2: expected two sides and points, as `border ADR ALB  1174,1480 1177,1480`",
        ),
        (
            "border BOH/NC edge  0,0 9,0",
            "line 2: no fleet can be at BOH/NC; a province with several coasts is told with one of them",
        ),
        ("5,5 6,6", "line 2: expected `border` before its points"),
        (
            "border BOH edge  0,0 9,0 9,9",
            "line 2: the borders of BOH leave it open at 9,9: no other of its borders begins or ends there",
        ),
        (
            "border BOH edge  0,0 9,0 9,9 0,0",
            "line 2: BOH has borders and no line `place BOH`",
        ),
        (
            "place BOH  unit 5,5",
            "line 2: expected the fields unit, dislodged and name, as `unit 1012,1448`",
        ),
        (
            "place BOH  unit/nc 5,5",
            "line 2: no fleet can be at BOH/NC; a province with several coasts is told with one of them",
        ),
        (
            "place BOH  name 5,5 huge Boh",
            "line 2: expected small, medium or large behind the name's point",
        ),
    ] {
        assert_eq!(fault(&format!("size 99 99\n{text}"), ""), told);
    }
    assert_eq!(
        fault("size 99 99", "\nland x ICE"),
        "overlay, line 2: the map has no province `ICE`"
    );
}
