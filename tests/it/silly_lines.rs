//! What lines of Rather Silly are read as (`tests/adjudication/rather-silly/lines.txt`): each as it is kept and printed back, or
//! why it is refused.

use dipjudge::calendar::{Season, Turn};
use dipjudge::commands::consider::{consider, note};
use dipjudge::commands::due::Due;
use dipjudge::commands::names::Names;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::project::SaidSoFar;
use dipjudge::game::{Effect, Event, GameEdit, Phase, SettingChange, project};
use dipjudge::position::{Dislodged, Position, Unit};
use dipjudge::view::Viewer;
use serde_json::{Value, json};

use super::rather_silly::{game, power};

const LINES: &str = include_str!("../adjudication/rather-silly/lines.txt");

/// The units of all rows, with what they are beyond their kinds.
const UNITS: [(&str, &str, &str, &str); 28] = [
    ("FRANCE", "A", "PAR", ""),
    ("FRANCE", "A", "MAR", ""),
    ("FRANCE", "F", "BRE", ""),
    ("FRANCE", "FA", "BUR", ""),
    ("FRANCE", "FA", "BUR", ""),
    ("FRANCE", "DOM", "GAS", ""),
    ("FRANCE", "A", "TUS", "free"),
    ("FRANCE", "A", "PIE", "soul"),
    ("ENGLAND", "A", "LON", ""),
    ("ENGLAND", "B", "LON", ""),
    ("ENGLAND", "B", "LON", ""),
    ("ENGLAND", "F", "ENG", ""),
    ("ENGLAND", "F", "NTH", ""),
    ("ENGLAND", "F", "EDI", "gay"),
    ("ENGLAND", "B", "BEL", ""),
    ("GERMANY", "A", "BEL", ""),
    ("GERMANY", "A", "BER", "siamese"),
    ("GERMANY", "A", "KIE", "siamese"),
    ("GERMANY", "A", "MUN", ""),
    ("MASTERMIND", "A", "ICE", ""),
    ("SOOTHSAYER", "A", "ROM", "merged"),
    ("ITALY", "F", "TYS", ""),
    ("RUSSIA", "FA", "SEV", ""),
    ("TURKEY", "FA", "SEV", ""),
    ("TURKEY", "F", "BLA", ""),
    ("MONSTERS", "SEA", "TUN", ""),
    ("GERMANY", "B", "KIE", ""),
    ("ENGLAND", "B", "EDI", ""),
];

fn position() -> Position {
    let mut position = Position::default();
    for (seat, kind, at, _) in UNITS {
        position.units.push(Unit {
            id: position.free_id(),
            power: power(seat),
            kind: kind.parse().unwrap(),
            at: at.parse().unwrap(),
        });
    }
    for (seat, centers) in [
        ("FRANCE", "PAR MAR BRE SPA POR"),
        ("GERMANY", "KIE MUN DEN"),
        ("DOCTOR", "GRE"),
    ] {
        for center in centers.split(' ') {
            position.owners.insert(center.parse().unwrap(), power(seat));
        }
    }
    position
}

/// `bonus`: the JESTER has his second re-order, and Germany has built its pair.
fn state(bonus: bool) -> Value {
    let mut state =
        json!({"borg": {"At": "BRE"}, "tardis": {"At": "PAR"}, "herds": {"2": ["GAS", "PIC"]}});
    if bonus {
        state["bonus"] = json!([7, 10]);
        state["paired"] = json!([3]);
    }
    for (id, (.., sort)) in UNITS.iter().enumerate() {
        state["traits"][id.to_string()] = match *sort {
            "free" => json!({"free": true}),
            "soul" => json!({"soul": 2}),
            "gay" => json!({"gay": true}),
            "siamese" => json!({"siamese": true}),
            "merged" => json!({"n": 2}),
            _ => json!({}),
        };
    }
    state
}

/// A game in this phase of 1903: `Spring movement`. In retreats the FEMALE ARMIES must leave Burgundy.
fn in_phase(words: &str, option: &str) -> GameEdit<'static> {
    let (season, phase) = words.split_once(' ').unwrap();
    let (season, year) = match season {
        "Winter" if phase == "herds" => (Season::Winter, 1900),
        "Winter" => (Season::Winter, 1903),
        "Fall" => (Season::Fall, 1903),
        _ => (Season::Spring, 1903),
    };
    let phase = match phase {
        "movement" => Phase::Movement,
        "retreats" => Phase::Retreats,
        "adjustments" => Phase::Adjustments,
        "herds" => Phase::Own("Llamas".to_owned()),
        _ => Phase::Own("Summer".to_owned()),
    };
    let mut position = position();
    let mut state = state(option == "bonus");
    if words == "Spring summer" || words == "Winter adjustments" {
        state["question"] = json!({"text": "Who?", "accepted": [{"Text": "he"}]});
    }
    if phase == Phase::Retreats {
        state["season"]["start"] = json!(position.units);
        let leaving: Vec<Unit> = position.units.drain(3..5).collect();
        position.dislodged = leaving
            .into_iter()
            .map(|unit| Dislodged {
                unit,
                attacker: None,
                options: vec!["RUH".parse().unwrap(), "MUN".parse().unwrap()],
            })
            .collect();
    }
    let mut edit = game(Turn { year, season }, phase, position, &state);
    if option == "neutral" {
        let flavour = [("flavour".to_owned(), "neutral".to_owned())];
        edit.emit(Event::Set(SettingChange::Own(flavour.into())));
    }
    edit
}

/// What comes of the lines of mails, each behind the other.
fn understood(edit: &mut GameEdit<'_>, seat: &str, mails: &str) -> Vec<String> {
    let seat = power(seat);
    let submitted = |edit: &GameEdit<'_>| {
        edit.variant_game()
            .seen_by(Viewer::Power(seat))
            .submitted_by(seat)
    };
    let before = submitted(edit);
    let roster = edit.variant_game().seen_by(Viewer::Power(seat)).roster();
    let names = Names::of(edit.game.map(), &roster);
    let due = Due::in_phase(&edit.game.phase);
    let mut said = SaidSoFar::default();
    let mut answers = Vec::new();
    let lines = mails.split(" &&& ").flat_map(|mail| {
        let lines = mail.split(" && ").enumerate();
        lines.map(|(number, line)| (number == 0, line))
    });
    for (begins_a_mail, line) in lines {
        if begins_a_mail {
            said = SaidSoFar::default();
        }
        for words in read_orders_by(grammar_of(edit.variant), line, due.clone(), &names) {
            let words = match words {
                Ok(words) => words,
                Err(error) => {
                    answers.push(format!("! {error}"));
                    continue;
                }
            };
            let mut sight = edit.variant_game().sight_of(seat);
            sight.said.clone_from(&said);
            match consider(&sight, edit.variant, &words) {
                Ok(considered) => {
                    note(&mut said, &sight, &words, &considered.effects);
                    answers.extend(considered.notes.iter().map(|note| format!("! {note}")));
                    for effect in considered.effects {
                        answers.extend(printed(edit, &effect));
                        edit.emit(effect.event(seat));
                    }
                }
                Err(sentences) => {
                    answers.extend(sentences.iter().map(|sentence| format!("! {sentence}")));
                }
            }
        }
    }
    let sight = edit.variant_game().sight_of(seat);
    let warnings = edit.variant.order_warnings(&sight);
    answers.extend(warnings.iter().map(|warning| format!("? {warning}")));
    let now = submitted(edit);
    answers.extend(now.into_iter().filter(|line| !before.contains(line)));
    answers
}

/// An order as saved games have it.
fn printed(edit: &GameEdit<'_>, effect: &Effect) -> Option<String> {
    let (id, order) = match effect {
        Effect::Order(id, action) => (id, Some(action)),
        Effect::Withdraw(id) => (id, None),
        _ => return None,
    };
    let position = &edit.game.position;
    let unit = position.unit(*id)?;
    let number = position.number_among_like(unit);
    let number = number.map_or_else(String::new, |number| format!(" #{number}"));
    Some(match order {
        Some(action) => format!("{}{number}", action.order_text(unit.kind, unit.at)),
        None => format!("{} {}{number} no order", unit.kind, unit.at),
    })
}

/// A row is a seat and its mails, parted by `&&&`, with what comes of it below, indented; `==` begins a phase, `neutral` in that flavour, or with a `bonus`.
#[test]
fn every_line_is_understood_or_refused_in_words() {
    let mut now = String::new();
    let mut phase = "";
    for line in LINES.lines() {
        if let Some(words) = line.strip_prefix("== ") {
            phase = words;
        }
        if line.starts_with("    ") {
            continue;
        }
        now.push_str(line);
        now.push('\n');
        let row =
            (!line.starts_with('#') && !line.starts_with("==")).then(|| line.split_once(": "));
        if let Some((seat, mail)) = row.flatten() {
            let (words, option) = phase.split_once(", ").unwrap_or((phase, ""));
            let mut edit = in_phase(words, option);
            for answer in understood(&mut edit, seat, mail) {
                now.push_str(&format!("    {answer}\n"));
            }
        }
    }
    if now != LINES {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines.txt");
        std::fs::write(&path, &now).unwrap();
        let other = now.lines().zip(LINES.lines()).find(|(now, was)| now != was);
        panic!("{other:?}: all of it is in {}", path.display());
    }
}

/// Like units of one owner in one space are told apart wherever units are printed.
#[test]
fn like_units_are_numbered_in_what_is_printed() {
    for (option, kind) in [("", "FEMALE ARMY"), ("neutral", "Decoy army")] {
        let mut edit = in_phase("Spring movement", option);
        if option == "neutral" {
            let variant = edit.variant;
            edit.emit(Event::Variant {
                variant: edit.game.variant.clone(),
                map: edit.game.map.clone(),
                places: variant.places(&edit.game.settings),
            });
        }
        let seat = edit.game.seats[2].clone();
        let reader = project::Reader::of(&edit.game, &seat, Some(power("FRANCE")));
        let section = edit
            .variant_game()
            .seen_by(reader.viewer)
            .orders_section()
            .unwrap();
        let units = section.powers[0].orders.iter().map(|line| &line.unit);
        let told: Vec<String> = units
            .filter(|unit| unit.province == "Burgundy")
            .map(|unit| format!("{} {}", unit.kind, unit.place))
            .collect();
        let wanted = [1, 2].map(|number| format!("{kind} Burgundy #{number}"));
        assert_eq!(told, wanted);
    }
}
