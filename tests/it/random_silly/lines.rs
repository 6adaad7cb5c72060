//! Lines of Rather Silly, of every kind of its section 5, legal and illegal, such that much happens.

use dipjudge::game::{Game, Phase};
use dipjudge::map::{Power, Province};
use dipjudge::position::Unit;
use serde_json::Value;

use super::facts::Asking;
use crate::random_play::numbers::Numbers;

pub(super) const JESTER: Power = Power(7);
pub(super) const MASTERMIND: Power = Power(8);
pub(super) const DOCTOR: Power = Power(9);
pub(super) const SOOTHSAYER: Power = Power(10);
pub(super) const ADJECTIVES: [&str; 11] = [
    "AUSTRIAN",
    "ENGLISH",
    "FRENCH",
    "GERMAN",
    "ITALIAN",
    "RUSSIAN",
    "TURKISH",
    "JESTER'S",
    "MASTERMIND'S",
    "DOCTOR'S",
    "SOOTHSAYER'S",
];

/// Writes the lines of a power.
pub(super) struct Writer<'a> {
    pub game: &'a Game,
    pub state: Value,
    pub power: Power,
    pub numbers: &'a mut Numbers,
}

/// All that a power says in a phase beside the orders of every game.
pub(super) fn lines(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<String> {
    let state = game.data().read().unwrap();
    let mut writer = Writer {
        game,
        state,
        power,
        numbers,
    };
    let mut lines = match &game.phase {
        Phase::Movement => {
            let mut lines = writer.movement();
            // Some send a whole season in one mail.
            if writer.numbers.once_in(12) {
                lines.extend(writer.early_retreats());
                lines.extend(writer.adjustments());
            }
            lines
        }
        Phase::Retreats => writer.retreats(),
        Phase::Own(name) if name == "Llamas" => writer.herds(),
        _ => writer.adjustments(),
    };
    // What is said may be taken back, or be all.
    if writer.numbers.once_in(6) {
        let taken_back = writer
            .numbers
            .pick(&lines)
            .map(|line| format!("CANCEL {line}"));
        lines.extend(taken_back);
    }
    if writer.numbers.once_in(10) {
        lines.push("PASS".to_owned());
    }
    lines
}

impl Writer<'_> {
    pub(super) fn space(&mut self) -> String {
        let all = self.game.map().provinces();
        self.numbers.pick(all).unwrap().code.to_string()
    }

    /// A space of this unit or next to it.
    pub(super) fn near(&mut self, unit: &Unit) -> String {
        let near = self.game.map().neighbors(unit.at.province);
        let near = self.numbers.pick(near).copied();
        near.unwrap_or(unit.at.province).to_string()
    }

    pub(super) fn any_unit(&mut self) -> Option<Unit> {
        self.numbers.pick(&self.game.position.units).copied()
    }

    pub(super) fn named(unit: &Unit) -> String {
        let whose = ADJECTIVES.get(usize::from(unit.power.0)).unwrap_or(&"");
        format!("{whose} {}({})", unit.kind, unit.at.province)
    }

    pub(super) fn own(&self) -> Vec<Unit> {
        self.game.position.units_of(self.power).copied().collect()
    }

    pub(super) fn of_kind(&self, kind: &str) -> Vec<Unit> {
        let mut own = self.own();
        own.retain(|unit| unit.kind.as_str() == kind);
        own
    }

    pub(super) fn tardis(&self) -> Option<Province> {
        self.state["tardis"]["At"].as_str()?.parse().ok()
    }

    pub(super) fn condition(&mut self, step: u8) -> String {
        Asking { writer: self }.condition(step)
    }

    // Winter 1900 and movement ---------------------------------------------------------------

    fn herds(&mut self) -> Vec<String> {
        // Next to where units begin, so that something is there when they explode.
        let mut spaces = Vec::new();
        for _ in 0..3 {
            let unit = self.any_unit().unwrap();
            spaces.push(self.near(&unit));
        }
        spaces.push(self.space());
        vec![format!("PLACE LLAMAS {}", spaces.join(", "))]
    }

    fn movement(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for unit in self.own() {
            if let Some(line) = self.order(&unit) {
                lines.push(line);
            }
            if self.numbers.once_in(8) {
                let condition = self.condition(4);
                let words = ["SELL SOUL", "SELLS ITS SOUL"][self.numbers.below(2)];
                let (kind, at) = (unit.kind, unit.at.province);
                lines.push(format!("{condition}{kind}({at}) {words}"));
            }
        }
        lines.extend(self.lift());
        lines.extend(self.detonations());
        match self.power {
            JESTER => {
                for _ in 0..=self.numbers.below(2) {
                    lines.extend(self.reorder());
                }
            }
            MASTERMIND => lines.extend(self.question()),
            DOCTOR => lines.push(self.journey("")),
            SOOTHSAYER => lines.push(self.prediction()),
            _ => {}
        }
        lines
    }

    /// An order beside those of every game, for some units.
    fn order(&mut self, unit: &Unit) -> Option<String> {
        let name = format!("{}({})", unit.kind, unit.at.province);
        let near = self.near(unit);
        if self.tardis() == Some(unit.at.province) {
            match self.numbers.below(3) {
                0 => return Some(format!("{name} HOLD TARDIS")),
                1 => return Some(format!("{name}-{near} CARRYING TARDIS")),
                _ => {}
            }
        }
        let some = match unit.kind.as_str() {
            "FA" | "DOM" => 1,
            "B" => 2,
            _ => 12,
        };
        if !self.numbers.once_in(some) {
            return None;
        }
        let units: Vec<Unit> = self.game.position.units.clone();
        let around = self.game.map().neighbors(unit.at.province);
        let close = units
            .iter()
            .filter(|other| around.contains(&other.at.province));
        let fights = |other: &&Unit| ["A", "F"].contains(&other.kind.as_str());
        let wild = self.numbers.once_in(8);
        let close: Vec<&Unit> = close.filter(|other| wild || fights(other)).collect();
        let whom = self.numbers.pick(&close).map(|other| Self::named(other));
        let whom = whom.unwrap_or_else(|| "A(Par)".to_owned());
        let beyond = self.space();
        let all = match unit.kind.as_str() {
            "FA" => vec![
                format!("{name} DISTRACT {whom}"),
                format!("{name} distracts {whom}"),
                format!("{name}-{near}"),
                format!("{name} EXPOSE"),
            ],
            "DOM" => vec![
                format!("{name} EXPOSE"),
                format!("{name} EXPOSE"),
                format!("{name} challenges"),
                format!("{name} SHOO"),
                format!("{name}-{near}"),
                format!("{name} S {whom}"),
            ],
            "B" => {
                let way = self.flight(unit.at.province, 3);
                vec![
                    format!("{name}{way}"),
                    format!("{name}{way}"),
                    format!("{name}-{beyond}"),
                    format!("{name} SHOO"),
                ]
            }
            _ => vec![
                format!("{name} SHOO"),
                format!("{name} H SHOO"),
                format!("{name}-{near}-{beyond}"),
                format!("{name} DISTRACT {whom}"),
                format!("{name}-{beyond}"),
                format!("SIA {name}-{near}"),
            ],
        };
        self.numbers.pick(&all).cloned()
    }

    /// A way through the air from a space.
    fn flight(&mut self, from: Province, longest: usize) -> String {
        let map = self.game.map();
        let (mut at, mut way) = (from, String::new());
        for _ in 0..=self.numbers.below(longest) {
            let near = map.neighbors(at).iter().copied();
            let near: Vec<Province> = near
                .filter(|at| !["ICE", "COR"].contains(&at.as_str()))
                .collect();
            at = *self.numbers.pick(&near).unwrap();
            way.push_str(&format!("-{at}"));
        }
        way
    }

    /// BIRDS and an army in one space fly together.
    fn lift(&mut self) -> Vec<String> {
        let units = self.game.position.units.clone();
        let mut lines = Vec::new();
        for flock in units.iter().filter(|unit| unit.kind.as_str() == "B") {
            let at = flock.at.province;
            let riders = units.iter().filter(|unit| {
                unit.at == flock.at && ["A", "FA", "DOM"].contains(&unit.kind.as_str())
            });
            let riders: Vec<&Unit> = riders.collect();
            let Some(rider) = self.numbers.pick(&riders) else {
                continue;
            };
            if ![flock.power, rider.power].contains(&self.power) || self.numbers.once_in(4) {
                continue;
            }
            let way = match self.numbers.below(3) {
                // Owners who do not talk to each other may say the same.
                0 => format!("-{}", self.game.map().neighbors(at)[0]),
                _ => self.flight(at, 2),
            };
            let whose = ADJECTIVES[usize::from(flock.power.0)];
            let rider_named = Self::named(rider);
            let kind = rider.kind;
            lines.push(match self.numbers.below(3) {
                0 if flock.power == self.power => {
                    format!("B({at}) PICK UP {rider_named}, A/B({at}){way}")
                }
                1 => format!("{kind}/{whose} B({at}){way}"),
                _ => format!("{kind}/B({at}){way}"),
            });
        }
        lines
    }

    fn detonations(&mut self) -> Vec<String> {
        let herds = self.state["herds"][self.power.0.to_string()].clone();
        let mut lines = Vec::new();
        for herd in herds.as_array().into_iter().flatten() {
            let at: Province = herd.as_str().unwrap().parse().unwrap();
            let stand = self.game.position.standing(at).is_some();
            if self.numbers.once_in(if stand { 3 } else { 30 }) {
                let condition = self.condition(6);
                let word = ["EXPLODE", "BOOM"][self.numbers.below(2)];
                lines.push(format!("{condition}LLAMAS({at}) {word}"));
            }
        }
        if self.numbers.once_in(20) {
            lines.push(format!("LLAMAS {} EXPLODE", self.space()));
        }
        lines
    }
}
