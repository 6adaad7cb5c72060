//! What each power sees of a phase: the worked cases of `sight/cases.txt`, played in BLIND games of the standard variant, in
//! games that show the units that a bounce betrays (glimpses) beside the fog, and in CivDip, whose powers meet in them.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::calendar::{Season, Turn};
use dipjudge::game::project::Reader;
use dipjudge::game::{
    Adjudication, BuildSites, Card, Course, Described, Event, Game, GameEdit, Hidden, Horizon,
    Phase, Played, Seed, State, Submissions, Variant, Views, apply, horizon, phases,
};
use dipjudge::map::{Coast, Location, Map, Power, PowerInfo, Province, UnitKind};
use dipjudge::orders::{Action, NewUnit, Passage, VariantData};
use dipjudge::position::{Position, Unit, UnitId};
use dipjudge::variants;
use serde_json::{Value, json};

use super::strangers_variant;
use dipjudge::view::{
    InNames, OwnLine, Results, SeenAction, SeenUnit, SightReport, Sighting, UnitOrder, Viewer,
    WinterAction,
};

const NAMES: [&str; 4] = ["Aksum", "Babel", "Carthage", "Dilmun"];

// The cases -------------------------------------------------------------------

/// One case: its lines, in order, by their first word.
struct Case {
    title: String,
    lines: Vec<(String, String)>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("../sight/cases.txt").lines() {
        if line.starts_with('#') {
            cases.push(Case {
                title: line.to_owned(),
                lines: Vec::new(),
            });
        } else if let (Some(case), Some((head, rest))) = (cases.last_mut(), line.split_once(' ')) {
            case.lines.push((head.to_owned(), rest.trim().to_owned()));
        }
    }
    cases
}

fn power(name: &str) -> Power {
    Power(NAMES.iter().position(|known| *known == name).unwrap() as u8)
}

fn map() -> &'static Map {
    Map::standard()
}

fn province(code: &str) -> Province {
    map()
        .find_province(code)
        .unwrap_or_else(|| panic!("no province {code}"))
}

fn location(text: &str) -> Location {
    let (code, coast) = text.split_once('/').unwrap_or((text, ""));
    let coast = match coast {
        "" => None,
        "NC" => Some(Coast::North),
        "SC" => Some(Coast::South),
        other => panic!("no coast {other}"),
    };
    Location {
        province: province(code),
        coast,
    }
}

fn kind(letter: &str) -> UnitKind {
    match letter {
        "A" => UnitKind::ARMY,
        "F" => UnitKind::FLEET,
        other => panic!("no kind {other}"),
    }
}

/// `S1903M | Aksum A VIE, A BOH / VIE | … | met: Aksum-Babel`
fn set_up(text: &str, variant: &dyn Variant) -> Game {
    let card = variant.card();
    let made = card.created("fog", Seed::new([0; 32]));
    let mut game = apply::create(&made, jiff::Timestamp::UNIX_EPOCH).unwrap();
    let (text, met) = text.split_once(" | met: ").unwrap();
    let mut parts = text.split(" | ");
    let token = parts.next().unwrap();
    let season = match &token[..1] {
        "S" => Season::Spring,
        "F" => Season::Fall,
        _ => Season::Winter,
    };
    game.phase = match &token[5..] {
        "M" => Phase::Movement,
        _ => Phase::Adjustments,
    };
    game.turn = Turn {
        year: token[1..5].parse().unwrap(),
        season,
    };
    game.state = State::Running;
    game.timing.begun = Some(jiff::Timestamp::UNIX_EPOCH);
    // The centers of the cases are nobody's homes.
    game.settings.build_sites = BuildSites::Any;
    let powers = NAMES
        .map(|name| PowerInfo {
            name: name.into(),
            adjective: name.into(),
            key: name.to_uppercase(),
            letter: name.chars().next(),
        })
        .into();
    let dealt = Event::Dealt {
        powers,
        holders: Vec::new(),
    };
    apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &dealt);
    let mut position = Position::default();
    for part in parts {
        let (name, rest) = part.split_once(' ').unwrap();
        let (units, centers) = rest.split_once(" / ").unwrap();
        for unit in units.split(", ") {
            let (letter, at) = unit.split_once(' ').unwrap();
            position.units.push(Unit {
                id: position.free_id(),
                power: power(name),
                kind: kind(letter),
                at: location(at),
            });
        }
        let centers = centers.split_whitespace();
        position
            .owners
            .extend(centers.map(|code| (province(code), power(name))));
    }
    game.set_data(civilizations(&game, &position, met));
    game.position = position;
    game
}

/// What CivDip keeps of such a game: who has met, and all centers as homes.
fn civilizations(game: &Game, position: &Position, met: &str) -> VariantData {
    let met = met.split(", ").filter_map(|pair| pair.split_once('-'));
    let met: Vec<Value> = met
        .map(|(one, other)| {
            json!({
                "between": [power(one), power(other)],
                "since": [game.turn, game.phase],
                "introduced": false,
                "renewed": false,
            })
        })
        .collect();
    let homes = (0u8..4).map(|number| position.centers_of(Power(number)).collect());
    let homes: Vec<Vec<Province>> = homes.collect();
    VariantData::from(json!({
        "names": NAMES,
        "met": met,
        "glimpses": { "of": 0, "seen": [] },
        "homes": homes,
        "open_homes": {},
        "dealings": { "open": [], "numbers": {}, "refusals": [], "lapsed": [] },
    }))
}

/// `A VIE-BUD VIA`, `F NTH C A NWY-BEL`, `A GAL S A BUD`, `A VIE H`: the province of the unit, its order, the kind named.
fn order(text: &str, retreats: bool) -> (Province, Action, Option<UnitKind>) {
    let (text, by) = match text.strip_suffix(" VIA") {
        Some(text) => (text, Passage::Convoy),
        None => (text, Passage::Auto),
    };
    let words: Vec<&str> = text.split(' ').collect();
    let ends = |word: &str| {
        let (from, to) = word.split_once('-').unwrap();
        (location(from).province, location(to))
    };
    match words.as_slice() {
        [_, at, "H"] => (province(at), Action::Hold, None),
        [_, at, "S", other, what] if what.contains('-') => {
            let (from, to) = ends(what);
            (
                province(at),
                Action::SupportMove { from, to },
                Some(kind(other)),
            )
        }
        [_, at, "S", other, what] => {
            let at_ = province(what);
            (
                province(at),
                Action::SupportHold { at: at_ },
                Some(kind(other)),
            )
        }
        [_, at, "C", other, what] => {
            let (from, to) = ends(what);
            let to = to.province;
            (province(at), Action::Convoy { from, to }, Some(kind(other)))
        }
        [_, what] => {
            let (from, to) = ends(what);
            match retreats {
                true => (from, Action::Retreat { to }, None),
                false => (from, Action::Move { to, by }, None),
            }
        }
        _ => panic!("no order {text}"),
    }
}

fn give(edit: &mut GameEdit, text: &str, retreats: bool) {
    for part in text.split(" | ") {
        let (name, orders) = part.split_once(' ').unwrap();
        for text in orders.split("; ") {
            let (at, action, named) = order(text, retreats);
            let position = &edit.game.position;
            let dislodged = || position.dislodged_from(at).map(|one| one.unit.id);
            let unit = match retreats {
                true => dislodged(),
                false => position.standing(at).map(|unit| unit.id),
            };
            edit.emit(Event::Ordered {
                power: power(name),
                unit: unit.unwrap_or_else(|| panic!("no unit for {text}")),
                action,
                named,
            });
        }
    }
}

/// `Aksum Build A WAR | Babel Build F SEV; Remove A RUM`
fn give_winter(edit: &mut GameEdit, text: &str) {
    for part in text.split(" | ") {
        let (name, orders) = part.split_once(' ').unwrap();
        let orders = orders.split("; ").map(|text| {
            let words: Vec<&str> = text.split(' ').collect();
            match words.as_slice() {
                ["Build", letter, at] => Action::Build(NewUnit {
                    kind: kind(letter),
                    at: location(at),
                }),
                ["Remove", _, at] => Action::Remove { at: province(at) },
                _ => panic!("no winter order {text}"),
            }
        });
        edit.emit(Event::Adjusting {
            power: power(name),
            orders: orders.collect(),
        });
    }
}

// What was told, in the words of the cases --------------------------------------

/// `North Sea` as `NTH`, `Spain (north coast)` as `SPA/NC`.
fn code(full: &str) -> String {
    let (name, coast) = match full.split_once(" (") {
        Some((name, "north coast)")) => (name, "/NC"),
        Some((name, "south coast)")) => (name, "/SC"),
        _ => (full, ""),
    };
    format!("{}{coast}", province(name))
}

fn placed(unit: &SeenUnit) -> String {
    format!("{} {}", &unit.kind[..1], code(&unit.place))
}

fn helped(kind: Option<&String>, place: &str, to: Option<&str>) -> String {
    let kind = kind.map_or_else(String::new, |kind| format!("{} ", &kind[..1]));
    let to = to.map(|to| format!("-{}", code(to))).unwrap_or_default();
    format!("{kind}{}{to}", code(place))
}

/// An order behind its unit, in the short form of the cases.
fn said(action: &Action<InNames>) -> String {
    match action {
        Action::Hold => " H".to_owned(),
        Action::Move { to, .. } | Action::Retreat { to } => format!("-{}", code(to)),
        Action::SupportHold { at } => format!(" S {}", helped(at.kind.as_ref(), &at.place, None)),
        Action::SupportMove { from, to } => {
            format!(" S {}", helped(from.kind.as_ref(), &from.place, Some(to)))
        }
        Action::Convoy { from, to } => {
            format!(" C {}", helped(from.kind.as_ref(), &from.place, Some(to)))
        }
        Action::Disband => " disbanded".to_owned(),
        other => format!("{other:?}"),
    }
}

fn own(line: &OwnLine) -> String {
    let (order, collided) = match line {
        OwnLine::Order(order) => (order, false),
        OwnLine::Collided(order) => (order, true),
        OwnLine::Winter(winter) => {
            return match &winter.action {
                WinterAction::Build { kind, place } => {
                    format!("build {} {}", &kind[..1], code(place))
                }
                WinterAction::Remove { kind, place, .. } => {
                    format!("remove {} {}", &kind[..1], code(place))
                }
                WinterAction::Waive => "waived".to_owned(),
                other => format!("{other:?}"),
            };
        }
    };
    let unit = placed(&order.unit);
    let told = match &order.ordered {
        UnitOrder::Nothing => ", no order".to_owned(),
        UnitOrder::NoRetreat => " disbanded".to_owned(),
        UnitOrder::Action(Action::Retreat { to }) if collided => {
            return format!("{unit} disbanded (both chose {})", code(to));
        }
        UnitOrder::Action(action) => said(action),
    };
    let marks: Vec<&str> = order.marks.iter().map(|mark| mark.as_str()).collect();
    let marks = match marks.as_slice() {
        [] => String::new(),
        marks => format!(" ({})", marks.join(", ")),
    };
    format!("{unit}{told}{marks}")
}

fn seen(line: &Sighting) -> String {
    let unit = placed(&line.unit);
    let told = match &line.did {
        SeenAction::Action(action) => format!("{unit}{}", said(action)),
        SeenAction::StandOff { to } => format!("{unit}-{} (bounce)", code(to)),
        SeenAction::Stay => format!("{unit} stays"),
        SeenAction::Leave => format!("{unit} leaves"),
        SeenAction::PassOutOfSight => format!("{unit} out of sight"),
        SeenAction::Arrive => format!("{unit} arrives"),
        SeenAction::ComeIntoSight => format!("{unit} comes into sight"),
        SeenAction::Build => format!("builds {unit}"),
        SeenAction::Remove => format!("removes {unit}"),
    };
    let mark = if line.dislodged { " (dislodged)" } else { "" };
    format!("{} {told}{mark}", line.unit.power)
}

/// Every section of a report, by the word of the cases.
fn told(report: &SightReport) -> BTreeMap<String, Vec<String>> {
    let owner = |owner: &Option<dipjudge::view::Label>| {
        owner
            .as_ref()
            .map_or("unowned".to_owned(), ToString::to_string)
    };
    let mut sections = BTreeMap::from([
        ("own".to_owned(), report.own.iter().map(own).collect()),
        ("saw".to_owned(), report.saw.iter().map(seen).collect()),
    ]);
    let units = report.now.foreign.iter().map(|seen| {
        let star = if seen.dislodged { "*" } else { "" };
        format!("{} {star}{}", seen.unit.power, placed(&seen.unit))
    });
    sections.insert("sight".to_owned(), units.collect());
    let owners = report.now.foreign_centers.iter();
    let owners = owners.filter(|(_, owner)| owner.is_some());
    sections.insert(
        "owners".to_owned(),
        owners
            .map(|(center, of)| format!("{} {}", code(center), owner(of)))
            .collect(),
    );
    let changes = report.count.iter().flat_map(|count| &count.changes);
    sections.insert(
        "taken".to_owned(),
        changes
            .map(|change| {
                let (from, to) = (owner(&change.from), owner(&change.to));
                format!("{}: {from} -> {to}", code(&change.center))
            })
            .collect(),
    );
    let met = report
        .sections
        .iter()
        .find_map(|told| told.fields.get("met"));
    let met = met.and_then(Value::as_array).into_iter().flatten();
    let met = met.map(|one| one["name"].as_str().unwrap().to_owned());
    sections.insert("met".to_owned(), met.collect());
    for one in report.retreats.iter().flatten() {
        let places = one.options.iter().map(|place| code(place)).collect();
        sections.insert(format!("open to {}", placed(&one.unit)), places);
    }
    sections
}

// Playing ---------------------------------------------------------------------

/// The standard game with the sight of the cases: the fog, and the units that a bounce betrays until the next moves.
struct Glimpses;

impl Described for Glimpses {
    fn card(&self) -> &'static Card {
        &Card::PLAIN
    }
}

impl Course for Glimpses {}

impl Submissions for Glimpses {}

impl Adjudication for Glimpses {}

impl Views for Glimpses {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[Hidden::Board]
    }

    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        let glimpsed = game.last.iter().flat_map(|played| betrayed(power, played));
        Horizon {
            glimpsed: glimpsed.collect(),
            ..horizon::fog(game, self, power)
        }
    }
}

fn betrayed(power: Power, played: &Played) -> BTreeSet<UnitId> {
    let bounced = |to: &Province| {
        let to = *to;
        played.outcomes.iter().filter(move |told| {
            matches!(&told.action, Some(Action::Move { to: at, .. }) if at.province == to)
                && told.marks.contains(&dipjudge::adjudicator::Mark::Bounce)
                && map().neighbors(told.unit.at.province).contains(&to)
        })
    };
    let mut units = BTreeSet::new();
    for place in map().provinces().iter().map(|info| &info.code) {
        if played.phase == Phase::Movement && bounced(place).any(|told| told.unit.power == power) {
            let others = bounced(place).filter(|told| told.unit.power != power);
            units.extend(others.map(|told| told.unit.id));
        }
    }
    units
}

fn report(before: &Game, edit: &mut GameEdit, reader: Power) -> SightReport {
    let played = edit.game.last.clone().unwrap();
    let viewer = Viewer::Power(reader);
    for given in edit.variant_game().seen_by(viewer).labels_to_give() {
        edit.emit(Event::Labelled(given));
    }
    let reader = Reader {
        viewer,
        zone: jiff::tz::TimeZone::UTC,
        leads_now: true,
        by_name: false,
    };
    match edit
        .variant_game()
        .read_by(&reader)
        .results(before, &played)
    {
        Some(Results::Sight(report)) => *report,
        other => panic!("not what one power sees: {other:?}"),
    }
}

/// `own: … | saw: …` by section.
fn wanted(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut sections = BTreeMap::new();
    for part in text.split(" | ") {
        let (head, items) = part.split_once(": ").unwrap();
        let between = if ["own", "saw", "taken"].contains(&head) {
            "; "
        } else {
            ", "
        };
        let items: Vec<String> = items
            .split(between)
            .filter(|item| !["nothing", "none"].contains(item))
            .map(|item| item.replace(" VIA", ""))
            .collect();
        sections.insert(head.to_owned(), items);
    }
    if sections.contains_key("sight") {
        sections.entry("owners".to_owned()).or_default();
        sections.entry("met".to_owned()).or_default();
    }
    sections
}

fn run(case: &Case, variant: &'static dyn Variant, blind: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let line = |head: &str| {
        let found = case.lines.iter().find(|(word, _)| word == head);
        found.map(|(_, rest)| rest.as_str())
    };
    let mut game = set_up(line("pos").unwrap(), variant);
    let meets = variant.own_labels().is_some();
    game.settings.blind = blind;
    let mut edit = GameEdit::of(&game, variant, jiff::Timestamp::UNIX_EPOCH);
    let mut before = edit.game.clone();
    // A retreat phase that asks nobody is part of the report before it: then its lines follow those of the moves.
    let at_once = line("retreats") == Some("none to make") && !meets;
    let overridden = |reader: &str| {
        let mut lines = case.lines.iter();
        blind && lines.any(|(word, rest)| word == "blind" && rest.starts_with(reader))
    };
    let mut moves: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    let mut retreating = false;
    for (head, rest) in &case.lines {
        let (reader, rest) = match head.as_str() {
            "pos" | "note" => continue,
            "orders" => {
                give(&mut edit, rest, false);
                before = edit.game.clone();
                phases::run(&mut edit).expect("the results hold");
                continue;
            }
            "winter" => {
                give_winter(&mut edit, rest);
                before = edit.game.clone();
                phases::run(&mut edit).expect("the results hold");
                continue;
            }
            "retreats" => {
                retreating = true;
                if !at_once {
                    if rest != "none to make" {
                        give(&mut edit, rest, true);
                    }
                    before = edit.game.clone();
                    phases::run(&mut edit).expect("the results hold");
                }
                continue;
            }
            "blind" if !blind => continue,
            "blind" => rest.split_once(' ').unwrap(),
            name if overridden(name) => continue,
            name => (name, rest.as_str()),
        };
        let mut wanted = wanted(rest.trim());
        wanted.retain(|section, _| meets || section != "met");
        if at_once && !retreating {
            moves.insert(reader.to_owned(), wanted);
            continue;
        }
        if at_once {
            let earlier = &moves[reader];
            let saw = [&earlier["saw"][..], &wanted["saw"][..]].concat();
            wanted.insert("own".to_owned(), earlier["own"].clone());
            wanted.insert("saw".to_owned(), saw);
        }
        let told = told(&report(&before, &mut edit, power(reader)));
        for (section, items) in wanted {
            let mut found = told.get(&section).cloned().unwrap_or_default();
            let mut items = items;
            // The cases give orders in the order of their position, reports by name.
            found.retain(|line| line != "waived");
            if section != "saw" {
                found.sort();
                items.sort();
            }
            if found != items {
                faults.push(format!(
                    "{}\n  {reader} {section}:\n    wanted {items:?}\n    told   {found:?}",
                    case.title
                ));
            }
        }
    }
    faults
}

#[test]
fn blind_games_tell_what_the_worked_cases_say() {
    let cases = cases();
    assert_eq!(cases.len(), 35);
    let faults: Vec<String> = cases
        .iter()
        .flat_map(|case| run(case, variants::of("standard"), true))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_variant_may_show_units_beyond_the_horizon() {
    let faults: Vec<String> = cases()
        .iter()
        .flat_map(|case| run(case, &Glimpses, false))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn civilizations_are_told_what_the_worked_cases_say_and_meet_as_they_say() {
    strangers_variant::add();
    let civdip = variants::named("civdip").unwrap();
    let faults: Vec<String> = cases()
        .iter()
        .flat_map(|case| run(case, civdip, false))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
