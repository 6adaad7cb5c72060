//! What must hold of the regions of any map, and how good those of the shipped ones are without their drawings.

use std::collections::BTreeSet;

use super::super::super::Location;
use super::super::elements::{Area, Point, Region};
use super::*;

/// A shipped map under another name, so that it has no drawing.
fn undrawn(name: &str) -> &'static Map {
    Map::with_places(name, "name undrawn\n").unwrap()
}

/// The maps with a drawing, without it.
fn maps() -> impl Iterator<Item = (&'static str, &'static Map)> {
    let drawn = Map::names().filter(|name| Drawing::exists(name));
    drawn.map(|name| (name, undrawn(name)))
}

/// The pairs of provinces that have a border on the map.
fn bordering(map: &Map) -> BTreeSet<[Province; 2]> {
    let pairs = map.provinces().iter().flat_map(|here| {
        let near = map.neighbors(here.code).iter();
        near.map(|there| [here.code, *there])
    });
    pairs.filter(|[here, there]| here < there).collect()
}

/// The pairs of provinces that touch in a drawing.
fn touching(drawing: &Drawing) -> BTreeSet<[Province; 2]> {
    let pairs = drawing.borders.iter().filter_map(|border| {
        let province = |side: Option<Side>| drawing.regions[side?.region].province;
        let mut pair = [province(border.sides[0])?, province(border.sides[1])?];
        pair.sort();
        Some(pair)
    });
    pairs.collect()
}

/// The pairs of provinces that a line joins.
fn joined(drawing: &Drawing) -> BTreeSet<[Province; 2]> {
    let pairs = drawing.straits.iter().map(|strait| {
        let mut pair = strait.between;
        pair.sort();
        pair
    });
    pairs.collect()
}

fn assert_each_border_is_drawn_once(map: &Map, drawing: &Drawing, what: &str) {
    let (touching, joined) = (touching(drawing), joined(drawing));
    assert!(touching.is_disjoint(&joined), "{what}");
    let drawn: BTreeSet<_> = touching.union(&joined).copied().collect();
    assert_eq!(drawn, bordering(map), "{what}");
}

/// Whether a line passes through an area.
fn is_below(line: &[Point], area: Area) -> bool {
    line.windows(2).any(|ends| {
        (0..=100).any(|part| {
            let at = |from: i32, to: i32| from + (to - from) * part / 100;
            let point = Point {
                x: at(ends[0].x, ends[1].x),
                y: at(ends[0].y, ends[1].y),
            };
            let middle = area.middle;
            (point.x - middle.x).abs() * 2 < area.width
                && (point.y - middle.y).abs() * 2 < area.height
        })
    })
}

fn assert_no_line_is_below_a_third_place(drawing: &Drawing, what: &str) {
    for strait in &drawing.straits {
        let third = drawing
            .places
            .iter()
            .filter(|(code, _)| !strait.between.contains(code));
        for (code, place) in third {
            let areas = place.areas();
            let below = areas.iter().any(|area| is_below(&strait.line, *area));
            assert!(!below, "{what}: {:?} below {code}", strait.between);
        }
    }
}

fn assert_regions_fill_the_picture(drawing: &Drawing, what: &str) {
    let all: i64 = drawing.regions.iter().map(Region::doubled_area).sum();
    let whole = i64::from(drawing.width) * i64::from(drawing.height) * 2;
    assert_eq!(all, whole, "{what}");
}

/// Which side of a line a point lies on: 1, -1, or 0 upon it.
fn side([from, to]: [Point; 2], at: Point) -> i64 {
    let [right, down] = [to.x - from.x, to.y - from.y].map(i64::from);
    (right * i64::from(at.y - from.y) - down * i64::from(at.x - from.x)).signum()
}

/// Whether two pieces of lines have more in common than one end.
fn touch(one: [Point; 2], other: [Point; 2]) -> bool {
    if let Some(end) = one.into_iter().find(|end| other.contains(end)) {
        let beyond = |piece: [Point; 2]| if piece[0] == end { piece[1] } else { piece[0] };
        let [this, that] = [beyond(one), beyond(other)];
        let (x, y) = (
            (this.x - end.x) * (that.x - end.x),
            (this.y - end.y) * (that.y - end.y),
        );
        return side(one, that) == 0 && x + y > 0;
    }
    let part = |of: [Point; 2], ends: [Point; 2]| side(of, ends[0]) * side(of, ends[1]) <= 0;
    let span = |piece: [Point; 2], at: fn(&Point) -> i32| {
        let [from, to] = piece.map(|point| at(&point));
        from.min(to)..=from.max(to)
    };
    let meet = |at: fn(&Point) -> i32| {
        let [one, other] = [span(one, at), span(other, at)];
        one.start() <= other.end() && other.start() <= one.end()
    };
    part(one, other) && part(other, one) && meet(|point| point.x) && meet(|point| point.y)
}

/// Borders meet at their ends alone.
fn assert_borders_touch_at_ends_only(drawing: &Drawing, what: &str) {
    let borders = &drawing.borders;
    let ends: BTreeSet<Point> = borders
        .iter()
        .flat_map(|border| [border.line[0], border.line[border.line.len() - 1]])
        .collect();
    let pieces = borders.iter().enumerate().flat_map(|(number, border)| {
        let pieces = border.line.windows(2);
        pieces.map(move |piece| (number, [piece[0], piece[1]]))
    });
    let mut pieces: Vec<(usize, [Point; 2])> = pieces.collect();
    let left = |piece: [Point; 2]| piece[0].x.min(piece[1].x);
    let right = |piece: [Point; 2]| piece[0].x.max(piece[1].x);
    pieces.sort_by_key(|(_, piece)| left(*piece));
    for (number, &(border, one)) in pieces.iter().enumerate() {
        assert_ne!(one[0], one[1], "{what}: {one:?}");
        let after = pieces[number + 1..].iter();
        for &(beside, other) in after.take_while(|(_, other)| left(*other) <= right(one)) {
            let common = one.into_iter().find(|end| other.contains(end));
            let is_joint = common.is_none_or(|end| border == beside || ends.contains(&end));
            assert!(
                is_joint && !touch(one, other),
                "{what}: {one:?} and {other:?}"
            );
        }
    }
}

#[test]
fn each_border_of_a_map_is_drawn_once_and_no_other() {
    for (name, map) in maps() {
        let drawing = of(map).unwrap();
        assert_each_border_is_drawn_once(map, &drawing, name);
        assert_regions_fill_the_picture(&drawing, name);
        assert_borders_touch_at_ends_only(&drawing, name);
        assert_no_line_is_below_a_third_place(&drawing, name);
        assert_eq!(of(map), Some(drawing), "{name} is drawn twice alike");
    }
}

/// The numbers of the README beside the programs that draw: lines across others, and walls.
#[test]
fn few_borders_of_the_shipped_maps_are_lines() {
    let counts = maps().map(|(name, map)| {
        let drawing = of(map).unwrap();
        let walls = drawing
            .regions
            .iter()
            .filter(|region| region.province.is_none());
        (
            name,
            touching(&drawing).len(),
            drawing.straits.len(),
            walls.count(),
        )
    });
    let known = [
        ("ancient", 219, 3, 0),
        ("hundred", 108, 1, 1),
        ("modern", 402, 0, 2),
        ("sailho", 160, 0, 0),
        ("standard", 206, 0, 2),
    ];
    assert_eq!(counts.collect::<Vec<_>>(), known);
}

#[test]
fn names_are_in_full() {
    for (name, map) in maps() {
        let drawing = of(map).unwrap();
        for info in map.provinces() {
            let place = &drawing.places[&info.code];
            assert_eq!(place.name.lines.join(" "), info.name, "{name}");
        }
    }
}

/// Which of two provinces lies farther in a direction that the map's words tell.
#[test]
fn north_is_up_where_words_of_the_map_tell() {
    let unit =
        |map: &str, code: &str| of(undrawn(map)).unwrap().places[&code.parse().unwrap()].unit;
    for (map, north, south) in [
        ("standard", "NWY", "TUN"),
        ("standard", "EDI", "LON"),
        ("hundred", "SCO", "PRO"),
        ("modern", "SWE", "LIB"),
        ("sailho", "AEO", "HAD"),
    ] {
        assert!(unit(map, north).y < unit(map, south).y, "{north} {south}");
    }
    for (map, west, east) in [
        ("standard", "LON", "MOS"),
        ("standard", "WES", "EAS"),
        ("hundred", "ATL", "LUX"),
        ("modern", "MAD", "ANK"),
        ("sailho", "VES", "AMA"),
    ] {
        assert!(unit(map, west).x < unit(map, east).x, "{west} {east}");
    }
}

#[test]
fn each_part_of_a_border_with_a_sea_lies_on_a_coast_that_fleets_reach() {
    let map = undrawn("standard");
    let drawing = of(map).unwrap();
    let mut drawn = BTreeSet::new();
    for border in &drawing.borders {
        let [Some(one), Some(other)] = border.sides else {
            continue;
        };
        for (side, sea) in [(one, other), (other, one)] {
            if let Some(coast) = side.coast {
                let code = |side: Side| drawing.regions[side.region].province.unwrap();
                let at = Location::on(code(side), coast);
                assert!(
                    map.reach(Travel::Sea, at).contains(&code(sea).into()),
                    "{at}"
                );
                drawn.insert(format!("{at} {}", code(sea)));
            }
        }
    }
    let drawn: Vec<String> = drawn.into_iter().collect();
    let known = "BUL/EC BLA, BUL/SC AEG, SPA/NC MAO, SPA/SC LYO, SPA/SC MAO, SPA/SC WES, STP/NC BAR, STP/SC BOT";
    assert_eq!(drawn.join(", "), known);
}

/// The Baleares have no border for armies.
#[test]
fn water_shows_where_only_fleets_cross_from_land_to_land() {
    let drawing = of(undrawn("ancient")).unwrap();
    let within: BTreeSet<&str> = drawing
        .waterways
        .iter()
        .map(|way| way.within.as_str())
        .collect();
    assert_eq!(within, ["BAL"].into());
}

/// A map of provinces with these numbers; every third one is a sea.
fn map_of(edges: &BTreeSet<[usize; 2]>) -> Map {
    let count = edges.iter().flatten().max().map_or(0, |last| last + 1);
    let code = |number: usize| {
        let letter = |part: usize| char::from(b'A' + (part % 26) as u8);
        format!("X{}{}", letter(number / 26), letter(number))
    };
    let is_sea = |number: &usize| number % 3 == 2;
    let mut text = "name random\npower Some  Some  S\n".to_owned();
    for here in 0..count {
        let terrain = if is_sea(&here) { "sea" } else { "coast" };
        text += &format!("{0}  Province {0}  {terrain}\n", code(here));
        let edges = edges.iter().filter(|edge| edge.contains(&here));
        let near = edges.map(|[one, other]| if *one == here { *other } else { *one });
        let (wet, dry): (Vec<usize>, Vec<usize>) =
            near.partition(|there| is_sea(there) || is_sea(&here));
        for (word, near) in [("fleet", wet), ("army", dry)] {
            if !near.is_empty() {
                let near: Vec<String> = near.into_iter().map(code).collect();
                text += &format!("  {word} {}\n", near.join(" "));
            }
        }
    }
    Map::parse(&text, |_| None).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn edge(one: usize, other: usize) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// A grid with some of its borders, with or without diagonals.
fn grid(chance: &mut Chance, size: usize) -> BTreeSet<[usize; 2]> {
    let mut edges = BTreeSet::new();
    let (share, slant) = (chance.within_one(), chance.within_one());
    for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
        let here = x * size + y;
        for (right, down, most) in [(1, 0, 1.0), (0, 1, 1.0), (1, 1, slant)] {
            let there = (x + right) * size + y + down;
            let is_border = chance.within_one() < most && chance.within_one() < share + 1.0;
            if x + right < size && y + down < size && is_border {
                edges.insert(edge(here, there));
            }
        }
    }
    edges
}

#[test]
fn each_border_of_a_random_map_is_drawn_once_and_no_other() {
    let mut chance = Chance(7);
    let mut drawn = 0;
    for number in 0..60 {
        let mut edges = grid(&mut chance, 2 + number % 6);
        // Some borders that cross others.
        let count = 4 + edges.len();
        for _ in 0..number % 4 {
            let mut any = || ((chance.within_one() + 1.0) * count as f64 / 4.0) as usize;
            let (one, other) = (any(), any());
            if one != other {
                edges.insert(edge(one, other));
            }
        }
        let map = map_of(&edges);
        if let Some(drawing) = of(&map) {
            assert_each_border_is_drawn_once(&map, &drawing, &format!("{number}: {edges:?}"));
            assert_regions_fill_the_picture(&drawing, &format!("{number}: {edges:?}"));
            assert_borders_touch_at_ends_only(&drawing, &format!("{number}: {edges:?}"));
            drawn += 1;
        }
    }
    assert!(drawn > 30, "{drawn}");
}

#[test]
fn small_maps_and_trees_and_maps_in_parts_have_regions() {
    for edges in [
        vec![[0, 1], [1, 2]],
        vec![[0, 1], [0, 2], [0, 3], [0, 4]],
        vec![[0, 1], [1, 2], [0, 2]],
        vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
        vec![[0, 1], [2, 3], [4, 5]],
        vec![[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [6, 7]],
    ] {
        let map = map_of(&edges.iter().copied().collect());
        let drawing = of(&map).unwrap();
        assert_each_border_is_drawn_once(&map, &drawing, &format!("{edges:?}"));
        assert_regions_fill_the_picture(&drawing, &format!("{edges:?}"));
        assert_borders_touch_at_ends_only(&drawing, &format!("{edges:?}"));
    }
}

#[test]
fn where_all_are_neighbors_of_all_there_are_no_regions() {
    assert_eq!(of(Map::named("pure").unwrap()), None);
}
