//! Sentences of `tests/grammar/sentences.txt`, as people write them, do what the file says, read with a board.

use dipjudge::calendar::{Season, Turn};
use dipjudge::commands::consider::{consider, note};
use dipjudge::commands::due::Due;
use dipjudge::commands::mail_reader::{BodyLine, ItemKind, SignOnBy, read_mail};
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::Verb;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::commands::press_options::read_press;
use dipjudge::game::{Effect, Event, GameEdit, Phase, Seed, VariantGame, apply};
use dipjudge::map::{Location, Map, Power, Province};
use dipjudge::position::{Dislodged, Position, Unit, UnitId};
use dipjudge::variants;

const SENTENCES: &str = include_str!("../grammar/sentences.txt");

/// Whose mail is read, in which phase.
struct Writer {
    power: Power,
    edit: GameEdit<'static>,
}

fn power(name: &str) -> Power {
    let names = Map::standard().powers();
    let at = names.iter().position(|info| info.name == name);
    Power(at.unwrap_or_else(|| panic!("no power {name}")) as u8)
}

fn province(code: &str) -> Province {
    let map = Map::standard();
    map.find_province(code)
        .unwrap_or_else(|| panic!("no province {code}"))
}

impl Writer {
    /// `[movement England]` with `England A Lvp, F Lon; France A Par`.
    fn of(section: &str, board: &str) -> Writer {
        let (phase, name) = section.split_once(' ').unwrap();
        let phase = match phase {
            "movement" => Phase::Movement,
            "retreats" => Phase::Retreats,
            _ => Phase::Adjustments,
        };
        let variant = variants::named("standard").unwrap();
        let card = variant.card();
        let created = card.created("scene", Seed::new([0; 32]));
        let now = "2026-11-30T10:30:00Z".parse().unwrap();
        let game = apply::create(&created, now).unwrap();
        let mut edit = GameEdit::of(&game, variant, now);
        edit.emit(Event::Dealt {
            powers: Map::standard().powers().to_vec(),
            holders: Vec::new(),
        });
        edit.emit(Event::Begun {
            turn: Turn {
                year: 1901,
                season: if phase == Phase::Adjustments {
                    Season::Winter
                } else {
                    Season::Fall
                },
            },
            phase,
            position: position(board),
            data: Default::default(),
        });
        Writer {
            power: power(name),
            edit,
        }
    }

    /// What becomes of a line of the mail.
    fn result(&self, line: &str) -> String {
        let body = BodyLine::own(1, line);
        let mut items = read_mail(&[body], SignOnBy::ReplyAddress).items;
        match items.pop().map(|item| item.kind) {
            None => "nothing".to_owned(),
            Some(ItemKind::Command(command)) => format!("command: {}", command.rule),
            Some(ItemKind::Block(block)) => {
                match read_press(&block.options, Map::standard().powers()) {
                    Ok(_) => block.rule,
                    Err(error) => format!("refused: {error}"),
                }
            }
            Some(ItemKind::Order | ItemKind::Invalid { .. }) => self.orders(line),
            Some(other) => panic!("{line}: {other:?}"),
        }
    }

    /// Where the units stand that these orders are for.
    fn units(&self, effects: &[Effect]) -> String {
        let units = &self.edit.game.position.units;
        let at = effects.iter().filter_map(|effect| match effect {
            Effect::Order(id, _) => units.iter().find(|unit| unit.id == *id),
            _ => None,
        });
        at.map(|unit| format!(" {}", unit.at.province)).collect()
    }

    fn orders(&self, line: &str) -> String {
        let edit = &self.edit;
        let game = VariantGame::new(&edit.game, edit.variant);
        let mut sight = game.sight_of(self.power);
        let names = Names::of(edit.game.map(), edit.game.map().powers());
        let due = Due::in_phase(&edit.game.phase);
        let mut read = Vec::new();
        for order in read_orders_by(grammar_of(edit.variant), line, due, &names) {
            read.push(match order {
                Ok(words) => match consider(&sight, edit.variant, &words) {
                    Ok(considered) => {
                        let mut said = sight.said.clone();
                        note(&mut said, &sight, &words, &considered.effects);
                        sight.said = said;
                        let mut shown = words.to_string();
                        if words.verb == Verb::HoldAll {
                            shown.push_str(&self.units(&considered.effects));
                        }
                        shown
                    }
                    Err(sentences) => format!("refused: {}", sentences.join(" ")),
                },
                Err(error) if error.is_error() => format!("refused: {error}"),
                Err(_) => "not understood".to_owned(),
            });
        }
        if read.is_empty() {
            return "nothing".to_owned();
        }
        read.join("; ")
    }
}

/// `England A Lvp, F Lon; France A Par, dislodged A Bur from Mun; owns Par, Mar`: what is owned is the first power's.
fn position(board: &str) -> Position {
    let mut position = Position::default();
    let mut first = None;
    for part in board.split("; ") {
        let (name, list) = part.split_once(' ').unwrap();
        if name == "owns" {
            let owner = first.unwrap();
            for code in list.split(", ") {
                position.owners.insert(province(code), owner);
            }
            continue;
        }
        let power = power(name);
        first.get_or_insert(power);
        for words in list.split(", ") {
            let id =
                UnitId(u32::try_from(position.units.len() + position.dislodged.len()).unwrap());
            let (words, attacker) = match words.strip_prefix("dislodged ") {
                Some(rest) => {
                    let (unit, from) = rest.split_once(" from ").unwrap();
                    (unit, Some(province(from)))
                }
                None => (words, None),
            };
            let (kind, place) = words.split_once(' ').unwrap();
            let (code, coast) = match place.split_once('/') {
                Some((code, coast)) => (code, Some(coast.to_uppercase().parse().unwrap())),
                None => (place, None),
            };
            let at = Location {
                province: province(code),
                coast,
            };
            let unit = Unit {
                id,
                power,
                kind: kind.parse().unwrap(),
                at,
            };
            match attacker {
                Some(from) => position.dislodged.push(Dislodged {
                    unit,
                    attacker: Some(from),
                    options: vec![province("Gre").into(), province("Ser").into()],
                }),
                None => position.units.push(unit),
            }
        }
    }
    position
}

#[test]
fn sentences_do_what_the_file_says() {
    let mut section = "";
    let mut writer = None;
    let (mut rows, mut faults) = (0, Vec::new());
    for (number, line) in (1..).zip(SENTENCES.lines()) {
        if let Some(named) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            section = named;
            writer = None;
            continue;
        }
        if let Some(board) = line.strip_prefix("board ") {
            writer = Some(Writer::of(section, board));
            continue;
        }
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        let writer = writer.as_ref().expect("a board above the sentences");
        let (sentence, expected) = line
            .rsplit_once(" | ")
            .unwrap_or_else(|| panic!("line {number} has no result"));
        let result = writer.result(sentence);
        let holds = match expected.strip_prefix("refused: ") {
            Some(first) => result
                .strip_prefix("refused: ")
                .is_some_and(|said| !first.is_empty() && said.starts_with(first)),
            None => result == expected,
        };
        if !holds {
            faults.push(format!(
                "line {number}: {sentence} | {result}\n  expected: {expected}"
            ));
        }
        rows += 1;
    }
    assert!(rows >= 150, "only {rows} sentences");
    assert!(
        faults.is_empty(),
        "{} of {rows} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
