//! What happens at a table beside orders, votes and letters: masters' commands, settings, newcomers who take over, answers
//! to letters, conditions, and attempts at what is not allowed.

use dipjudge::game::in_play;
use dipjudge::map::Power;
use dipjudge::position::Unit;
use dipjudge::variants;
use jiff::SignedDuration;

use super::author::{Author, Draft};
use super::fixture::{GAME, Part, labels};
use super::fog;
use super::letters::{Line, Press, Sign};
use super::orders::{neighborhood, orders};
use super::tongue::{Words, bends_the_calendar};

/// What a master may set while a game runs.
const SETTINGS: &[&str] = &[
    "SET NMR",
    "SET NO NMR",
    "SET DIAS",
    "SET NO DIAS",
    "SET CENTERS 3",
    "SET CENTERS 4",
    "SET CENTERS 5",
    "SET CENTERS 6",
    "SET WHITE",
    "SET GREY",
    "SET GREY/WHITE",
    "SET WHITE/GREY",
    "SET NO PARTIAL",
    "SET PARTIAL",
    "SET PARTIAL MAY BE FAKED",
    "SET NO FAKE",
    "SET OBSERVER NO PRESS",
    "SET OBSERVER WHITE",
    "SET WATCH ALL PRESS",
    "SET NO LATE PRESS",
    "SET NO GRACE PRESS",
    "SET MUST ORDER",
    "SET NO MUST ORDER",
    "SET LATE LIST",
    "SET NO LATE LIST",
    "SET LATE COUNT",
    "SET QUIET",
    "SET NO QUIET",
    "SET EARLY",
    "SET NO EARLY",
    "SET STRICT WAIT",
    "SET STRICT GRACE",
    "SET STRICT COASTS",
    "SET PROXY",
    "SET CONCESSIONS",
    "SET NO CONCESSIONS",
    "SET UNRATED",
    "SET NO LIST",
    "SET LIST",
    "SET MOVE NEXT 48",
    "SET DEADLINE +2d",
    "SET DEADLINE 12 Dec 2026 21:00 UTC",
    "SET GRACE +4d",
    "SET MOVE GRACE 24",
    "SET COMMENT a word of the master",
    "SET ALL PRESS",
    "SET NORMAL PRESS",
    "SET MAX ABSENCE 20",
    "SET BLINDMASTER",
    "SET NO BLINDMASTER",
    "SET NO REVEAL",
];

/// What is no player's to send, or means nothing.
const ATTEMPTS: &[&str] = &[
    "SET CENTERS 3",
    "PROCESS",
    "ROLLBACK",
    "PREDICT",
    "PAUSE",
    "BECOME E",
    "BECOME MASTER",
    "EJECT Turkey",
    "SET ALL PRESS",
    "SET BLINDMASTER",
    "SET REVEAL",
    "SET ADDRESS somebody@else.example.net",
    "WHOIS England",
    "GET ../games/tokyo",
    "GET DEDICATION England",
    "WHO",
    "MAP",
    "TERMINATE",
    "PROMOTE nobody@else.example.net",
];

impl Author<'_> {
    /// The master meddles: settings, phases processed early or taken back, leaders ejected or acted for.
    pub(super) fn drafts_of_master(&mut self, person: usize) -> Vec<Draft> {
        let mut drafts = Vec::new();
        if self.dice.chance(35) {
            drafts.push(self.question(person));
        }
        let mut lines = Vec::new();
        // Some settings take all lines below them for a text: these stand at the end.
        let mut last = Vec::new();
        if self.dice.chance(45) {
            for _ in 0..1 + self.dice.below(3) {
                let any_row = self.dice.chance(35);
                let line = if any_row {
                    let words = Words::of(self.fixture, self.stage.game(GAME), person);
                    self.tongue.setting(&words, self.dice).unwrap_or_default()
                } else {
                    let known = self.dice.pick(SETTINGS).copied();
                    known.unwrap_or_default().to_owned()
                };
                if !bends_the_calendar(&line, self.fixture) && !self.names_somebody(&line) {
                    let among = if any_row { &mut last } else { &mut lines };
                    among.push(Line::Other(line));
                }
            }
        }
        if self.dice.chance(12) {
            let line = match self.dice.below(6) {
                0 => "PROCESS".to_owned(),
                1 if self.game().number > 0 => "ROLLBACK".to_owned(),
                2 => "PREDICT".to_owned(),
                3 => "PAUSE\nLIST\nRESUME".to_owned(),
                _ => match self.some_power() {
                    Some((_, name)) => format!("EJECT {name}"),
                    None => "LIST".to_owned(),
                },
            };
            lines.push(Line::Other(line));
        }
        if self.dice.chance(15) {
            let word = self.dice.word();
            // While names change, one may mean another when the letter arrives.
            let named = self.game().number > 0 || !self.fixture.is_of_civilizations();
            let press = match self.some_power() {
                Some((power, name)) if named && self.dice.chance(50) => Press {
                    options: format!("TO {name}"),
                    to: Some(vec![power.0]),
                    word,
                    signed: false,
                },
                _ => Press {
                    options: "TO ALL".to_owned(),
                    to: None,
                    word,
                    signed: false,
                },
            };
            lines.push(Line::Press(press));
        }
        if self.dice.chance(10)
            && let Some((power, name)) = self.some_power()
        {
            let game = self.stage.game(GAME);
            let orders = orders(game, self.variant, power, true, self.dice);
            let before = if self.dice.chance(40) { "MAP\n" } else { "" };
            let after = if self.dice.chance(40) { "\nMAP" } else { "" };
            let orders = orders.join("\n");
            lines.push(Line::Other(format!(
                "{before}BECOME {name}\n{orders}{after}"
            )));
        }
        lines.extend(last);
        if !lines.is_empty() {
            drafts.push(self.draft(person, lines));
        }
        drafts
    }

    /// Somebody who waits elsewhere tries to lead a power: mostly one that has lost its leader.
    pub(super) fn newcomer(&mut self, person: usize) -> Option<Draft> {
        if self.power_of(person).is_some() {
            return None;
        }
        let vacant: Vec<Power> = {
            let game = self.game();
            let free = |power: &Power| game.standing(*power).vacant();
            in_play(game, variants::of(&game.variant))
                .into_iter()
                .filter(free)
                .collect()
        };
        let wanted = match self.dice.pick(&vacant).copied() {
            Some(power) if self.dice.chance(50) => power,
            _ if self.dice.chance(3) => self.some_power()?.0,
            _ => return None,
        };
        let code = labels(self.game()).letter(wanted);
        let word = &self.fixture.cast.people[person].word;
        let sign = match self.dice.below(4) {
            0 => format!("SIGNON ?{GAME} {word}"),
            1 => format!("SIGNON {}@{GAME} {word}", labels(self.game()).name(wanted)),
            _ => format!("SIGNON {code}{GAME} {word}"),
        };
        let question = self.ask(person);
        Some(Draft {
            from: person,
            sign: Sign::Line(sign),
            lines: vec![Line::Ask(question)],
            instead: Vec::new(),
        })
    }

    /// Words for whoever wrote a letter last, to the address that stands in it.
    pub(super) fn answer_to_a_letter(&mut self, person: usize) -> Option<Draft> {
        let address = &self.fixture.cast.people[person].address;
        let writers = self.stage.writers_to(address);
        let game = self.game();
        let known: Vec<(String, Power)> = writers
            .into_iter()
            .filter_map(|writer| {
                let mut powers = game.all_powers();
                let power = powers.find(|power| labels(game).letter(*power) == writer)?;
                Some((writer, power))
            })
            .collect();
        let (writer, power) = self.dice.pick(&known)?.clone();
        let press = Press {
            options: String::new(),
            to: Some(vec![power.0]),
            word: self.dice.word() + &self.dice.word(),
            signed: self.is_signed(),
        };
        let mut lines = vec![Line::Answer(press)];
        let mut instead = Vec::new();
        if self.dice.chance(60) {
            // He believes that he answers the judge: such a letter goes nowhere.
            lines.extend(self.dressed_orders(person));
            instead = vec![self.dressed_orders(person), self.dressed_orders(person)];
            instead.retain(|orders| !orders.is_empty());
        }
        Some(Draft {
            from: person,
            sign: Sign::Relay(writer),
            lines,
            instead,
        })
    }

    /// Orders that could be given as they are, with other words beside them.
    fn dressed_orders(&mut self, person: usize) -> Vec<Line> {
        let Some(power) = self.power_of(person) else {
            return Vec::new();
        };
        let game = self.stage.game(GAME);
        let written = orders(game, self.variant, power, false, self.dice);
        let dress = self.dice.below(6);
        let dressed = written.into_iter().map(|order| {
            Line::Order(match dress {
                0 => format!("1. {order}"),
                1 => format!("please {order}"),
                2 => format!("* {order}"),
                3 => format!("{order}, thanks"),
                4 => format!("My orders: {order}"),
                _ => order,
            })
        });
        dressed.collect()
    }

    /// A setting of the sender's own, or something that he may not.
    pub(super) fn own_doing(&mut self, power: Power) -> Line {
        let day = |author: &mut Self| {
            let days = 1 + author.dice.below(9) as i64;
            let at = author.stage.kept.now + SignedDuration::from_hours(24 * days);
            at.strftime("%d %b %Y").to_string()
        };
        Line::Other(match self.dice.below(9) {
            0 => "SET ZONE America/New_York".to_owned(),
            1 => format!("SET REMIND {}", self.dice.below(40)),
            2 => {
                let from = day(self);
                format!("SET ABSENCE {from}")
            }
            3 => {
                let from = day(self);
                format!("SET NO ABSENCE {from}")
            }
            4 => "CLEAR ORDERS".to_owned(),
            5 => "CLEAR".to_owned(),
            6 => self.condition(power),
            _ => self
                .dice
                .pick(ATTEMPTS)
                .copied()
                .unwrap_or_default()
                .to_owned(),
        })
    }

    /// Orders that hang on what stands somewhere, seen or not; mostly on a unit that its author does not see.
    fn condition(&mut self, power: Power) -> String {
        let asked = match self.unseen(power) {
            Some(unit) if self.dice.chance(60) => unit,
            _ => self.anything(power),
        };
        let game = self.stage.game(GAME);
        let one = orders(game, self.variant, power, false, self.dice).join("\n");
        let two = orders(game, self.variant, power, false, self.dice).join("\n");
        let not = if self.dice.chance(30) { "NOT " } else { "" };
        format!("IF {not}{asked}\n{one}\nELSE\n{two}\nENDIF")
    }

    /// Another's unit that stands out of a power's sight.
    fn unseen(&mut self, power: Power) -> Option<String> {
        let game = self.stage.game(GAME);
        let watched = fog::horizon(game, &game.position, power, self.fixture);
        let units = game.position.units.iter();
        let unseen = |unit: &&Unit| unit.power != power && !watched.contains(&unit.at.province);
        let unseen: Vec<&Unit> = units.filter(unseen).collect();
        let unit = self.dice.pick(&unseen)?;
        let labels = labels(game);
        let whose = labels.name(unit.power);
        Some(format!("{whose} {} {}", unit.kind, unit.at.province))
    }

    /// Some unit somewhere, that may stand there or not.
    fn anything(&mut self, power: Power) -> String {
        let (_, other) = self
            .some_power()
            .unwrap_or((Power::NEUTRAL, "France".to_owned()));
        let game = self.stage.game(GAME);
        let places = match self.dice.chance(60) {
            true => neighborhood(game, power),
            false => Vec::new(),
        };
        let any = self.dice.pick(game.map().provinces());
        let any = any.map_or_else(String::new, |info| info.code.to_string());
        let place = self.dice.pick(&places).cloned().unwrap_or(any);
        let kind = if self.dice.chance(50) { 'A' } else { 'F' };
        format!("{other} {kind} {place}")
    }

    /// A sign-on that fits nobody: another's power, a wrong word, a place at a table that is full.
    pub(super) fn false_sign(&mut self, person: usize) -> Sign {
        let word = self.fixture.cast.people[person].word.clone();
        let code = self
            .some_power()
            .map_or_else(String::new, |(power, _)| labels(self.game()).letter(power));
        Sign::Line(match self.dice.below(5) {
            0 => format!("SIGNON {code}{GAME} wrong"),
            1 => format!("SIGNON M{GAME} {word}"),
            2 => format!("SIGNON O{GAME} {word}"),
            3 => format!("SIGNON ?{GAME} {word}"),
            _ => format!("SIGNON {code}{GAME} {word}"),
        })
    }

    /// An observer writes.
    pub(super) fn watchers_press(&mut self) -> Line {
        let word = self.dice.word() + &self.dice.word();
        let (options, to) = match self.some_power() {
            Some((power, name)) if self.dice.chance(40) => {
                (format!("TO {name}"), Some(vec![power.0]))
            }
            _ => ("TO ALL".to_owned(), None),
        };
        Line::Press(Press {
            options,
            to,
            word,
            signed: false,
        })
    }

    fn some_power(&mut self) -> Option<(Power, String)> {
        self.other(Power::NEUTRAL)
    }

    fn draft(&mut self, person: usize, lines: Vec<Line>) -> Draft {
        let sign = self.sign(person);
        Draft {
            from: person,
            sign,
            lines,
            instead: Vec::new(),
        }
    }

    /// Those who may come to lead a power that has lost its leader.
    pub(super) fn newcomers(&mut self) -> Vec<Draft> {
        let waiting = self.people(Part::Candidate);
        waiting
            .into_iter()
            .filter_map(|person| self.newcomer(person))
            .collect()
    }
}
