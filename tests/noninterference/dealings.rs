//! What civilizations deal in: gifts, introductions and exchanges of those who have met, and what comes of them; some of it with
//! names that are nobody's to them. And twins in which others deal otherwise.

use std::collections::BTreeMap;

use dipjudge::calendar::Season;
use dipjudge::game::{Game, Phase, VariantGame};
use dipjudge::map::Power;
use dipjudge::position::Unit;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};

use super::acquaintance::Acquaintances;
use super::author::{Author, Draft, Run};
use super::civilizations::Stored;
use super::dice::Dice;
use super::fixture::NAMES;
use super::letters::{Letter, Line};

/// How lines begin by which something is offered or answered.
const DEALINGS: [&str; 5] = ["GIVE", "EXCHANGE", "ACCEPT", "REJECT", "CANCEL"];
/// How often somebody asks in vain.
const TIMES: usize = 3;
/// Lines that say the contrary.
const CONTRARY: [(&str, &str); 2] = [("ACCEPT", "REJECT"), ("REJECT", "ACCEPT")];

impl Author<'_> {
    /// In the time that is left of a phase those who have met deal with one another, one after the other: offers lapse with
    /// the phase.
    pub(super) fn deal(&mut self, until: Timestamp) {
        if self.dice.chance(25) {
            self.asks_in_vain(until);
        }
        for _ in 0..2 + self.dice.below(5) {
            let Some((person, power)) = self.dealer() else {
                return;
            };
            let mut lines = vec![self.dealing(power)];
            if self.dice.chance(15) {
                lines.push(self.dealing(power));
            }
            if self.dice.chance(25) {
                let question = if self.dice.chance(50) {
                    "OFFERS"
                } else {
                    "CONTACTS"
                };
                lines.push(Line::Own(question.to_owned()));
            }
            let sign = self.sign(person);
            let draft = Draft {
                from: person,
                sign,
                lines,
                instead: Vec::new(),
            };
            let now = self.stage.kept.now;
            self.send(
                vec![draft],
                now,
                until.min(now + SignedDuration::from_hours(4)),
            );
        }
    }

    /// Somebody offers the same again and again, and it is refused each time; then others offer something to who refuses.
    fn asks_in_vain(&mut self, until: Timestamp) {
        let people = 0..self.fixture.cast.people.len();
        let led = people.filter_map(|person| Some((person, self.power_of(person)?)));
        let led: Vec<(usize, Power)> = led.collect();
        let known = Acquaintances::of(self.game());
        let met = |power: Power| -> Vec<(usize, Power)> {
            let met = known.met_by(power);
            let met = |(_, other): &&(usize, Power)| *other != power && met.contains(other);
            led.iter().filter(met).copied().collect()
        };
        // Rather somebody whom several know.
        let refuses = led.iter().max_by_key(|(_, power)| met(*power).len());
        let Some((refuses, power)) = refuses.copied() else {
            return;
        };
        let others = met(power);
        let Some((asks, asking)) = self.dice.pick(&others).copied() else {
            return;
        };
        for _ in 0..TIMES {
            self.offers_a_map(asks, asking, power, until);
            self.sends(refuses, Line::Own("REJECT".to_owned()), until);
        }
        for (other, offers) in others {
            self.offers_a_map(other, offers, power, until);
        }
    }

    fn offers_a_map(&mut self, person: usize, from: Power, to: Power, until: Timestamp) {
        let game = self.stage.game(super::fixture::GAME);
        let roster = VariantGame::new(game, self.variant)
            .seen_by(Viewer::Power(from))
            .roster();
        let name = roster.iter().find(|(power, _)| *power == to);
        if let Some(name) = name.map(|(_, info)| info.name.clone()) {
            self.sends(person, Line::Own(format!("GIVE MAP TO {name}")), until);
        }
    }

    /// A letter with one line, soon.
    fn sends(&mut self, person: usize, line: Line, until: Timestamp) {
        let draft = Draft {
            from: person,
            sign: self.sign(person),
            lines: vec![line],
            instead: Vec::new(),
        };
        let now = self.stage.kept.now;
        let soon = until.min(now + SignedDuration::from_mins(30));
        self.send(vec![draft], now, soon);
    }

    /// Who deals next: mostly one who has something to answer.
    fn dealer(&mut self) -> Option<(usize, Power)> {
        let people = 0..self.fixture.cast.people.len();
        let led = people.filter_map(|person| Some((person, self.power_of(person)?)));
        let led: Vec<(usize, Power)> = led.collect();
        let game = self.game();
        let (stored, known) = (Stored::of(game), Acquaintances::of(game));
        let asked = |(_, power): &&(usize, Power)| !stored.open_to(*power).0.is_empty();
        let asked: Vec<_> = led.iter().filter(asked).copied().collect();
        let met = |(_, power): &&(usize, Power)| !known.met_by(*power).is_empty();
        let met: Vec<_> = led.iter().filter(met).copied().collect();
        let from = match self.dice.below(100) {
            0..=69 if !asked.is_empty() => asked,
            0..=94 if !met.is_empty() => met,
            _ if met.is_empty() && self.dice.chance(70) => return None,
            _ => led,
        };
        self.dice.pick(&from).copied()
    }

    pub(super) fn dealing(&mut self, power: Power) -> Line {
        let (asked, own) = Stored::of(self.game()).open_to(power);
        Line::Own(match self.dice.below(100) {
            0..=79 if !asked.is_empty() => {
                let verb = if self.dice.chance(75) {
                    "ACCEPT"
                } else {
                    "REJECT"
                };
                self.answer(verb, &asked)
            }
            0..=49 if !own.is_empty() => self.answer("CANCEL", &own),
            _ => self.offer(power),
        })
    }

    fn answer(&mut self, verb: &str, numbers: &[u32]) -> String {
        match self.dice.below(10) {
            0 => format!("{verb} {}", 1 + self.dice.below(9)),
            1 | 2 => verb.to_owned(),
            _ => {
                let number = self.dice.pick(numbers).copied().unwrap_or_default();
                format!("{verb} {number}")
            }
        }
    }

    fn offer(&mut self, power: Power) -> String {
        let to = self.partner(power);
        match self.dice.below(4) {
            0 => format!("GIVE MAP TO {to}"),
            1 => format!("GIVE CONTACT {} TO {to}", self.partner(power)),
            2 => match self.gift(power) {
                Some(unit) => format!("GIVE {unit} TO {to}"),
                None => format!("GIVE MAP TO {to}"),
            },
            _ => {
                let mut others = (0..3).map(|_| self.partner(power));
                match others.find(|other| *other != to) {
                    Some(other) if self.dice.chance(80) => {
                        format!("EXCHANGE MAPS WITH {to}, {other}")
                    }
                    _ => format!("EXCHANGE MAPS WITH {to}"),
                }
            }
        }
    }

    /// A unit of its own, rather one that may be given.
    fn gift(&mut self, power: Power) -> Option<String> {
        let game = self.stage.game(super::fixture::GAME);
        let own: Vec<&Unit> = game.position.units_of(power).collect();
        let centers = game.map().centers();
        let free = own
            .iter()
            .filter(|unit| !centers.contains(&unit.at.province));
        let free: Vec<&Unit> = free.copied().collect();
        let from = if free.is_empty() || self.dice.chance(10) {
            own
        } else {
            free
        };
        let unit = self.dice.pick(&from)?;
        Some(format!("{} {}", unit.kind, unit.at.province))
    }

    /// A name of one whom it has met, whole or its beginning; or another word.
    fn partner(&mut self, power: Power) -> String {
        match self.dice.below(100) {
            0..=7 => self
                .dice
                .pick(&self.fixture.powers)
                .cloned()
                .unwrap_or_default(),
            8..=11 => self.dice.word(),
            12..=15 => self
                .dice
                .pick(&NAMES)
                .copied()
                .unwrap_or_default()
                .to_owned(),
            roll => {
                let other = self.other(power);
                let name = other.map_or_else(|| "Xerxes".to_owned(), |(_, name)| name);
                let begins = roll < 28 && name.is_ascii() && name.len() > 3;
                if begins { name[..3].to_owned() } else { name }
            }
        }
    }

    /// Moves to places from which others can be met, or fought.
    pub(super) fn meeting_moves(&mut self, power: Power) -> Vec<Line> {
        let game = self.stage.game(super::fixture::GAME);
        if game.phase != Phase::Movement {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for unit in game.position.units_of(power) {
            let near: Vec<String> = toward_others(game, unit);
            if self.dice.chance(45)
                && let Some(to) = self.dice.pick(&near)
            {
                moves.push(Line::Order(format!("{} {}-{to}", unit.kind, unit.at)));
            }
        }
        moves
    }

    /// In the opening Winter somebody calls himself otherwise, perhaps as another is called.
    pub(super) fn another_name(&mut self) -> Option<Line> {
        let game = self.game();
        let opening = game.number == 0 && game.turn.season == Season::Winter;
        if !opening || self.dice.chance(60) {
            return None;
        }
        let name = self.dice.pick(&NAMES).copied().unwrap_or_default();
        Some(Line::Own(format!("NAME {name}")))
    }
}

/// Where a unit can go that touches another's unit or center.
fn toward_others(game: &Game, unit: &Unit) -> Vec<String> {
    let (map, position) = (game.map(), &game.position);
    let reach = map.reach(map.travel(unit.kind), unit.at).iter();
    let touches = reach.filter(|to| {
        let near = map.neighbors(to.province);
        let units = position
            .units
            .iter()
            .map(|one| (one.at.province, one.power));
        let owners = position.owners.iter().map(|(at, owner)| (*at, *owner));
        let mut others = units
            .chain(owners)
            .filter(|(_, power)| *power != unit.power);
        others.any(|(at, _)| at == to.province || near.contains(&at))
    });
    touches.map(ToString::to_string).collect()
}

fn deals(line: &Line) -> bool {
    let Line::Own(text) = line else { return false };
    DEALINGS.iter().any(|begin| text.starts_with(begin))
}

/// Somebody deals otherwise, or not at all.
pub fn otherwise(run: &mut Run, dice: &mut Dice) -> Option<Vec<usize>> {
    // Of each sort of deal as often as of each other.
    let mut sorts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for letter in &run.letters {
        for line in letter.lines.iter().filter(|line| deals(line)) {
            let text = line.text();
            let sort: Vec<&str> = text.split(' ').take(2).collect();
            let answers = sort.iter().any(|word| word.parse::<u32>().is_ok());
            let sort = if answers {
                sort[0].to_owned()
            } else {
                sort.join(" ")
            };
            sorts.entry(sort).or_default().push(letter.id);
        }
    }
    let sorts: Vec<Vec<usize>> = sorts.into_values().collect();
    let found = dice.pick(&sorts)?;
    let letter: &mut Letter = run.letters.get_mut(*dice.pick(found)?)?;
    if dice.chance(50) {
        letter.lines.retain(|line| !deals(line));
        return Some(vec![letter.from]);
    }
    for line in &mut letter.lines {
        let Line::Own(text) = line else { continue };
        let contrary = CONTRARY.iter().find(|(verb, _)| text.starts_with(verb));
        *text = match contrary {
            Some((verb, other)) => text.replacen(verb, other, 1),
            None if text.starts_with("GIVE MAP") => text
                .replacen("GIVE MAP", "EXCHANGE MAPS", 1)
                .replacen(" TO ", " WITH ", 1),
            None if text.starts_with("EXCHANGE") => {
                text.replacen("EXCHANGE MAPS WITH", "GIVE MAP TO", 1)
            }
            None if deals(&Line::Own(text.clone())) => "OFFERS".to_owned(),
            None => continue,
        };
    }
    Some(vec![letter.from])
}
