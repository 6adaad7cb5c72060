//! Pictures of boards: those of known positions against the ones that were looked at (`tests/pictures/README.md`), what two
//! readers of one fogged position get, and the command `map`.
//!
//! After a change that is meant: `DIPJUDGE_PICTURES=1 cargo test --test it pictures` writes the pictures anew; look at each that
//! is another file then. `DIPJUDGE_LOOK=FOLDER` writes them there as mails have them. A picture that differs is written beside the known one, with the points that differ in red, under the
//! build folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dipjudge::drawing;
use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, Game, Record, Variant, VariantGame};
use dipjudge::interchange;
use dipjudge::map::drawing::{Drawing, Point};
use dipjudge::map::{Map, Power, Province};
use dipjudge::position::Unit;
use dipjudge::variants;
use dipjudge::view::{Board, UnitState, Viewer};

/// How wide the known pictures are: enough to see what is drawn, and small files.
const WIDTH: u32 = 600;
/// What a picture of a mail may take up, in bytes.
const LARGEST: usize = 150_000;

/// Positions that are also drawn on their maps under another name, so that the maps have no drawing.
const UNDRAWN: [&str; 2] = ["ancient-orders", "standard-busy"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

/// The boards of all known pictures, by their names.
fn boards() -> Vec<(String, Board)> {
    let lines = fs::read_to_string(folder().join("positions.jsonl")).unwrap();
    let positions = lines.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = value["id"].as_str().unwrap().to_owned();
        let board = interchange::board(line, value["as"].as_str());
        let board = board.unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, board)
    });
    let positions: Vec<(String, Board)> = positions.collect();
    let undrawn = positions
        .iter()
        .filter(|(name, _)| UNDRAWN.contains(&name.as_str()));
    let undrawn = undrawn.map(|(name, board)| {
        let mut board = board.clone();
        board.map = Map::with_places(board.map.name(), "name undrawn\n").unwrap();
        (format!("undrawn-{name}"), board)
    });
    let undrawn: Vec<(String, Board)> = undrawn.collect();
    let games = fs::read_to_string(folder().join("games.txt")).unwrap();
    let games = games.lines().filter(|line| !line.starts_with('#'));
    let games = games.map(|line| {
        let (game, phase, reader, is_near) = match line.split(' ').collect::<Vec<_>>()[..] {
            [game, phase, reader] => (game, phase, reader, false),
            [game, phase, reader, "near"] => (game, phase, reader, true),
            _ => panic!("a game, a phase, a reader, and perhaps near, not `{line}`"),
        };
        let name = line.replace(' ', "-").to_lowercase();
        let name = name.replace(&phase.to_lowercase(), phase);
        (name, recorded(game, phase, reader, is_near))
    });
    positions.into_iter().chain(undrawn).chain(games).collect()
}

/// The log of a recorded game.
fn whole_log(game: &str) -> Vec<Record> {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recorded/{game}.log"));
    let log = fs::read_to_string(log).unwrap();
    let records = log.lines().map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

/// The same up to the adjudication of a phase, and the game's variant.
fn recorded_log(game: &str, phase: &str) -> (Vec<Record>, &'static dyn Variant) {
    let mut records = whole_log(game);
    let variant = variants::of(&Chronicle::of(&records).unwrap().now().variant);
    let phase = phase.parse().unwrap();
    let is_it = |event: &Event| match event {
        Event::Played(played) => variant.card().phase_name(&played.phase, played.turn) == phase,
        _ => false,
    };
    let at = records
        .iter()
        .position(|record| record.events.iter().any(is_it));
    records.truncate(at.unwrap() + 1);
    (records, variant)
}

/// The board of a recorded game behind a phase, as a reader saw it when that was adjudicated.
fn recorded(game: &str, phase: &str, reader: &str, is_near: bool) -> Board {
    let (records, variant) = recorded_log(game, phase);
    let chronicle = Chronicle::of(&records).unwrap();
    let viewer = match reader {
        "master" => Viewer::Master,
        "observer" => Viewer::Observer,
        key => Viewer::Power(
            chronicle
                .now()
                .power_of_key(&key.replace('_', " "))
                .unwrap(),
        ),
    };
    let board = chronicle
        .seen_by(variant, viewer)
        .board_of_phase(phase.parse().unwrap())
        .unwrap();
    if is_near {
        let game = VariantGame::new(chronicle.now(), variant);
        return game.seen_by(viewer).near(board);
    }
    board
}

/// Points of a picture, as red, green and blue.
fn points(file: &[u8]) -> (u32, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let points = bytes[..info.buffer_size()].as_chunks::<3>().0.to_vec();
    (info.width, points)
}

/// Which points differ more than another machine's arithmetic could make them.
fn differing(one: &[[u8; 3]], other: &[[u8; 3]]) -> Vec<bool> {
    let differ = |(one, other): (&[u8; 3], &[u8; 3])| {
        let parts = one.iter().zip(other);
        parts
            .map(|(one, other)| one.abs_diff(*other))
            .max()
            .unwrap()
            > 24
    };
    one.iter().zip(other).map(differ).collect()
}

/// Writes the new picture, and the known one paled with what differs in red.
fn write_difference(name: &str, new: &[u8], known: &[u8]) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join(format!("{name}.png")), new).unwrap();
    let (width, now) = points(new);
    let (_, before) = points(known);
    let marked = differing(&now, &before).into_iter().zip(&before);
    let marked: Vec<u8> = marked
        .flat_map(|(differs, point)| match differs {
            true => [220, 0, 0],
            false => point.map(|part| 170 + part / 3),
        })
        .collect();
    let file = target.join(format!("{name}-difference.png"));
    let height = marked.len() as u32 / 3 / width;
    let mut encoder = png::Encoder::new(fs::File::create(&file).unwrap(), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&marked).unwrap();
    file
}

#[test]
fn known_positions_look_as_they_did_when_they_were_looked_at() {
    let anew = std::env::var_os("DIPJUDGE_PICTURES").is_some();
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for (name, board) in boards() {
        assert!(names.insert(name.clone()), "{name} is there twice");
        let svg = drawing::svg(&board);
        if let Some(look) = std::env::var_os("DIPJUDGE_LOOK") {
            fs::write(
                Path::new(&look).join(format!("{name}.png")),
                drawing::png(&svg).unwrap().png,
            )
            .unwrap();
            continue;
        }
        let new = drawing::png_of_width(&svg, WIDTH).unwrap().png;
        let file = folder().join(format!("{name}.png"));
        if anew {
            fs::write(&file, new).unwrap();
            continue;
        }
        let known = fs::read(&file).unwrap_or_else(|_| panic!("{name} has no known picture"));
        let (now, before) = (points(&new), points(&known));
        if (now.0, now.1.len()) != (before.0, before.1.len()) {
            faults.push(format!("{name} has another size"));
            continue;
        }
        let count = differing(&now.1, &before.1)
            .iter()
            .filter(|one| **one)
            .count();
        if count * 2000 > now.1.len() {
            let shown = write_difference(&name, &new, &known);
            faults.push(format!("{name}: {count} points, see {}", shown.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(names.len() >= 30, "{} pictures", names.len());
    let shipped = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let shipped = shipped.filter(|path| path.extension().is_some_and(|ending| ending == "png"));
    for path in shipped {
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(names.contains(name), "{name}.png is a picture of nothing");
    }
}

#[test]
fn every_variant_and_every_map_is_among_the_known_positions() {
    let boards = boards();
    let maps: BTreeSet<&str> = boards.iter().map(|(_, board)| board.map.name()).collect();
    for map in dipjudge::map::Map::names() {
        assert!(maps.contains(map), "{map}");
    }
    let games = fs::read_to_string(folder().join("games.txt")).unwrap();
    for variant in variants::ALL {
        let card = variant.card();
        let recorded = games.lines().map(|line| line.split(' ').next().unwrap());
        let plays = |game: &str| {
            let log =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recorded/{game}.log"));
            let log = fs::read_to_string(log).unwrap();
            log.contains(&format!("\"variant\":\"{}\"", card.name))
        };
        assert!(recorded.into_iter().any(plays), "{}", card.name);
    }
}

#[test]
fn pictures_are_small_enough_for_mail_and_the_same_each_time() {
    for (name, board) in boards() {
        let picture = drawing::png(&drawing::svg(&board)).unwrap();
        assert!(picture.png.len() < LARGEST, "{name}: {}", picture.png.len());
        let least = if board.near.is_some() { 400 } else { 1200 };
        assert!(picture.width >= least, "{name}: {}", picture.width);
    }
    let (_, board) = boards().swap_remove(0);
    let once = drawing::png(&drawing::svg(&board));
    assert_eq!(once, drawing::png(&drawing::svg(&board)));
}

/// A BLIND position as two of its powers see it.
fn blind(power: &str) -> Board {
    let position = r#"{"settings": {"blind": true}, "state": {
        "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN", "F DEN"], "ITALY": ["A PIE"]},
        "centers": {"FRANCE": ["PAR", "SPA"], "GERMANY": ["MUN", "KIE", "DEN"], "ITALY": ["VEN"]}}}"#;
    let mut value: serde_json::Value = serde_json::from_str(position).unwrap();
    value["name"] = "S1902M".into();
    interchange::board(&value.to_string(), Some(power)).unwrap()
}

/// What a board tells of one province.
fn told_of(board: &Board, province: Province) -> String {
    let units = board
        .units
        .iter()
        .filter(|unit| unit.at.province == province);
    let signs = board.signs.iter().filter(|sign| sign.at == province);
    format!(
        "{} {:?} {:?} {:?}",
        board.is_in_sight(province),
        board.owners.get(&province),
        units.collect::<Vec<_>>(),
        signs.collect::<Vec<_>>(),
    )
}

/// Points belong to a province that lie in its regions or close by, or where its things stand.
fn belongs(drawing: &Drawing, province: Province, point: Point) -> bool {
    const CLOSE: [(i32, i32); 9] = [
        (0, 0),
        (5, 0),
        (-5, 0),
        (0, 5),
        (0, -5),
        (4, 4),
        (-4, 4),
        (4, -4),
        (-4, -4),
    ];
    let regions = drawing
        .regions
        .iter()
        .filter(|region| region.province == Some(province));
    let mut regions = regions.clone();
    let in_region = regions.any(|region| {
        CLOSE
            .iter()
            .any(|(right, down)| region.contains(point.offset(*right, *down)))
    });
    in_region
        || drawing.places[&province].areas().iter().any(|area| {
            (area.middle.x - point.x).abs() * 2 <= area.width + 20
                && (area.middle.y - point.y).abs() * 2 <= area.height + 20
        })
}

#[test]
fn pictures_of_one_fogged_position_differ_where_the_views_of_it_differ_and_nowhere_else() {
    let [one, other] = ["FRANCE", "GERMANY"].map(blind);
    let drawing = Drawing::of(one.map, one.drawing);
    let differing_provinces: Vec<Province> = drawing
        .places
        .keys()
        .copied()
        .filter(|province| told_of(&one, *province) != told_of(&other, *province))
        .collect();
    assert!(differing_provinces.len() > 10, "{differing_provinces:?}");
    let png = |board: &Board| {
        drawing::png_of_width(&drawing::svg(board), 1000)
            .unwrap()
            .png
    };
    let (width, first) = points(&png(&one));
    let (_, second) = points(&png(&other));
    let mut met: BTreeSet<Province> = BTreeSet::new();
    // The map lies below the title; its units are two to a point.
    let title = 64;
    for (place, differs) in differing(&first, &second).into_iter().enumerate() {
        let (x, y) = (
            place as i32 % width as i32 * 2,
            place as i32 / width as i32 * 2 - title,
        );
        if !differs || place % 23 > 0 || !(0..drawing.height).contains(&y) {
            continue;
        }
        let point = Point { x, y };
        let mut provinces = differing_provinces.iter();
        let province = provinces.find(|province| belongs(&drawing, **province, point));
        met.insert(*province.unwrap_or_else(|| panic!("{point} differs")));
    }
    let unmet = differing_provinces
        .iter()
        .filter(|province| !met.contains(province));
    assert_eq!(unmet.collect::<Vec<_>>(), Vec::<&Province>::new());
}

#[test]
fn what_happens_out_of_sight_changes_nothing_in_a_picture() {
    let seen_by_france = |elsewhere: &str, orders: &str| {
        let line = format!(
            r#"{{"settings": {{"blind": true}}, "name": "S1902M", "state": {{
            "units": {{"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN"], "RUSSIA": [{elsewhere}]}},
            "centers": {{"FRANCE": ["PAR", "SPA"], "GERMANY": ["MUN"]}}}},
            "orders": {{"FRANCE": ["A BUR - MUN", "F MAO S A BUR - GAS"], "RUSSIA": [{orders}]}}}}"#
        );
        drawing::svg(&interchange::board(&line, Some("FRANCE")).unwrap())
    };
    let one = seen_by_france(r#""F SEV", "A MOS""#, r#""F SEV - BLA", "A MOS - UKR""#);
    let other = seen_by_france(r#""A WAR""#, r#""A WAR - GAL""#);
    assert_eq!(one.text(), other.text());
    assert_eq!(drawing::png(&one), drawing::png(&other));
    let text = one.text();
    let ids = text.split("id=\"").skip(1);
    let drawing = Drawing::of(dipjudge::map::Map::standard(), "");
    for id in ids.map(|rest| rest.split('"').next().unwrap()) {
        let is_it = |region: &dipjudge::map::drawing::Region| region.name == id;
        assert!(id == "fog" || drawing.regions.iter().any(is_it), "{id}");
    }
}

/// CivDip 5.4: a unit that a bounce has shown stands in the fog, and the legend says so.
#[test]
fn a_glimpsed_unit_is_explained_where_there_is_one() {
    let seen_by_aksum = |orders: &str| {
        let line = format!(
            r#"{{"variant": "civdip", "name": "S1901M", "state": {{
            "units": {{"CIV1": ["A VIE"], "CIV2": ["A SER"]}},
            "centers": {{"CIV1": ["VIE"], "CIV2": ["SER"]}}}},
            "orders": {{"CIV1": ["A VIE - BUD"], "CIV2": [{orders}]}}}}"#
        );
        drawing::svg(&interchange::board(&line, Some("CIV1")).unwrap())
    };
    assert!(
        seen_by_aksum(r#""A SER - BUD""#)
            .text()
            .contains("glimpsed")
    );
    assert!(
        !seen_by_aksum(r#""A SER - RUM""#)
            .text()
            .contains("glimpsed")
    );
}

/// Numbers are given again: that somebody else's new unit bears the number of one's own that was disbanded must not show.
#[test]
fn a_unit_that_is_gone_is_drawn_whoever_bears_its_number_now() {
    let (records, variant) = recorded_log("kaiser", "F1906R");
    let (last, earlier) = records.split_last().unwrap();
    let before = Chronicle::of(earlier).unwrap().now().clone();
    let mut after = Chronicle::of(&records).unwrap().now().clone();
    let mut played = last.events.iter().filter_map(|event| match event {
        Event::Played(played) => Some(played),
        _ => None,
    });
    let played = played.next().unwrap();
    let lost = before.position.dislodged.iter().map(|one| one.unit);
    let lost = lost.filter(|unit| after.position.unit(unit.id).is_none());
    let lost: Vec<Unit> = lost.collect();
    assert!(!lost.is_empty());
    let gone = |after: &Game| {
        let board = VariantGame::new(after, variant).whole_results(&before, played);
        let units = board.units.into_iter();
        let gone = units.filter(|unit| unit.state == UnitState::GoneWhenDislodged);
        gone.map(|unit| unit.at).collect::<Vec<_>>()
    };
    let seen = gone(&after);
    assert_eq!(seen, lost.iter().map(|unit| unit.at).collect::<Vec<_>>());
    after.position.units.extend(lost.iter().map(|unit| {
        Unit {
            power: before
                .all_powers()
                .find(|power| *power != unit.power)
                .unwrap(),
            ..*unit
        }
    }));
    assert_eq!(gone(&after), seen);
}

/// Whoever looks at a past phase when the game is over knows all powers, also those whom he had not met then.
#[test]
fn once_a_game_is_over_its_past_is_open_to_all() {
    let chronicle = Chronicle::of(&whole_log("dawn")).unwrap();
    let now = chronicle.now();
    assert!(now.over());
    let variant = variants::of(&now.variant);
    for viewer in [Viewer::Stranger, Viewer::Observer, Viewer::Power(Power(0))] {
        let phase = "F1901M".parse().unwrap();
        let board = chronicle
            .seen_by(variant, viewer)
            .board_of_phase(phase)
            .unwrap();
        assert!(board.in_sight.is_none() && board.units.len() > 8);
        for unit in &board.units {
            assert!(board.power(unit.whose).is_some(), "{viewer:?}: {unit:?}");
        }
    }
}

/// Runs the program with a text on standard input; its status, output and complaint.
fn run(arguments: &[&str], input: &str) -> (i32, Vec<u8>, String) {
    let done = assert_cmd::Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .arg("map")
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    let complaint = String::from_utf8(done.stderr).unwrap();
    (done.status.code().unwrap(), done.stdout, complaint)
}

#[test]
fn the_program_draws_a_state_object() {
    const STATE: &str = r#"{"units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}}"#;
    let (status, svg, complaint) = run(&[], STATE);
    assert_eq!((status, complaint.as_str()), (0, ""));
    assert!(
        String::from_utf8(svg.clone())
            .unwrap()
            .starts_with("<svg xmlns=")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(run(&["-o", &file("board.svg")], STATE).0, 0);
    assert_eq!(fs::read(file("board.svg")).unwrap(), svg);
    assert_eq!(run(&["-o", &file("board.PNG")], STATE).0, 0);
    let (width, _) = points(&fs::read(file("board.PNG")).unwrap());
    assert_eq!(width, 1200);
}

#[test]
fn the_program_says_in_a_sentence_what_it_cannot_draw() {
    for (arguments, input, status, complaint) in [
        (
            &["-o", "board.gif"][..],
            "{}",
            1,
            "dipjudge: board.gif tells no kind of picture; name a file that ends in .svg or .png\n",
        ),
        (
            &[],
            r#"{"units": {"FRANCE": ["A PARIS TEXAS"]}}"#,
            1,
            "dipjudge: `A PARIS TEXAS` is no unit\n",
        ),
        (
            &["--as", "MARS"],
            r#"{"units": {"FRANCE": ["A PAR"]}}"#,
            1,
            "dipjudge: No power is called `MARS`\n",
        ),
    ] {
        let (code, out, told) = run(arguments, input);
        assert_eq!((code, told.as_str()), (status, complaint), "{arguments:?}");
        assert!(out.is_empty());
    }
    assert_eq!(run(&["--phase", "S1901M"], "").0, 2, "a phase of no game");
}

#[test]
fn the_program_draws_a_game_of_its_judge() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], input: &str| {
        let done = assert_cmd::Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .current_dir(folder.path())
            .args(arguments)
            .write_stdin(input)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.success(), text(done.stdout), text(done.stderr))
    };
    assert!(run(&["init", "."], "").0);
    let players = ["gm", "anna", "ben", "cleo", "dirk", "emma", "finn", "gwen"];
    let register =
        players.map(|name| (name, format!("REGISTER\nName: {name}\nLevel: Novice\nEND")));
    let sign_on = players[1..]
        .iter()
        .map(|name| (*name, "SIGNON ?tokyo rosebud".to_owned()));
    let create = (
        "gm",
        "CREATE ?tokyo rosebud\nBECOME MASTER\nSET AUTO START".to_owned(),
    );
    let mails = register.into_iter().chain([create]).chain(sign_on);
    for (number, (from, text)) in mails.enumerate() {
        let message = format!(
            "From: {from}@example.org\nTo: judge@example.org\nSubject: mail\n\
             Message-ID: <{number}@example.org>\nDate: Mon, 02 Mar 2026 12:00:00 +0000\n\n{text}\n"
        );
        let at = format!("2026-03-02T12:{number:02}:00Z");
        let (done, _, told) = run(&["deliver", "--at", &at], &message);
        assert!(done, "{told}");
    }
    let map = |arguments: &[&str]| run(&[&["map", "--game", "tokyo"], arguments].concat(), "");
    let (done, svg, told) = map(&[]);
    assert!(done, "{told}");
    assert!(
        svg.contains(">Tokyo: the board in Spring of 1901<"),
        "{svg}"
    );
    assert_eq!(
        map(&["--phase", "S1901M", "--as", "France"]),
        (true, svg, String::new())
    );
    assert!(map(&["-o", "tokyo.png"]).0);
    let (width, _) = points(&fs::read(folder.path().join("tokyo.png")).unwrap());
    assert_eq!(width, 1200);
    for (arguments, complaint) in [
        (
            &["--phase", "F1901M"][..],
            "dipjudge: 'tokyo' has had no phase F1901M of which anything can be seen; name one as S1901M\n",
        ),
        (
            &["--as", "Mars"],
            "dipjudge: 'tokyo' has no power 'Mars'; its powers are Austria, England, France, Germany, Italy, Russia and Turkey\n",
        ),
    ] {
        assert_eq!(map(arguments), (false, String::new(), complaint.to_owned()));
    }
}
