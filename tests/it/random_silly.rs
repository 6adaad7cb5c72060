//! Games of Rather Silly played at random, with lines of every kind, legal and illegal: what holds of every one of them.

use std::collections::BTreeSet;

use crate::random_play::numbers::Numbers;
use crate::random_play::{Step, Table, play, some_are_refused};
use crate::rather_silly::variant;
use dipjudge::game::{Game, Phase};
use dipjudge::map::{Map, Power};
use dipjudge::position::Unit;
use serde_json::Value;

const JESTER: Power = Power(7);
const MASTERMIND: Power = Power(8);
const DOCTOR: Power = Power(9);
const SOOTHSAYER: Power = Power(10);
const ADJECTIVES: [&str; 11] = [
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

/// Writes lines about a game.
struct Writer<'a> {
    game: &'a Game,
    power: Power,
    numbers: &'a mut Numbers,
}

impl Writer<'_> {
    fn space(&mut self) -> String {
        let all = self.game.map().provinces();
        let info = self.numbers.pick(all).unwrap();
        info.code.to_string()
    }

    fn near(&mut self, unit: &Unit) -> String {
        let near = self.game.map().neighbors(unit.at.province);
        let near = self.numbers.pick(near).map(ToString::to_string);
        near.unwrap_or_else(|| "PAR".to_owned())
    }

    fn any_unit(&mut self) -> Option<Unit> {
        self.numbers.pick(&self.game.position.units).copied()
    }

    fn named(unit: &Unit) -> String {
        let whose = ADJECTIVES.get(usize::from(unit.power.0)).unwrap_or(&"");
        format!("{whose} {}({})", unit.kind, unit.at.province)
    }

    /// An order of a movement beside those of every game.
    fn order(&mut self, unit: &Unit) -> String {
        let name = format!("{}({})", unit.kind, unit.at.province);
        let (one, other) = (self.near(unit), self.space());
        let whom = self
            .any_unit()
            .map(|unit| Self::named(&unit))
            .unwrap_or_default();
        match self.numbers.below(12) {
            0 => format!("{name} SHOO"),
            1 => format!("{name} H SHOO"),
            2 => format!("{name} EXPOSE"),
            3 => format!("{name} HOLD TARDIS"),
            4 | 5 => format!("{name} DISTRACT {whom}"),
            6 => format!("{name}-{one} CARRYING TARDIS"),
            7 => format!("A/B({})-{one}", unit.at.province),
            8 => format!("{name}-{one}-{other}"),
            9 => format!("{name} PICK UP {whom}, A/B({})-{one}", unit.at.province),
            _ => format!("{name}-{one}"),
        }
    }

    fn fact(&mut self) -> String {
        let (one, other) = (self.space(), self.space());
        let unit = self.any_unit().map(|unit| Self::named(&unit));
        let unit = unit.unwrap_or_else(|| "A(Par)".to_owned());
        match self.numbers.below(14) {
            0 => format!("BORG IN {one}"),
            1 => format!("TARDIS IN {one}"),
            2 => "TARDIS IN HYPERSPACE".to_owned(),
            3 => format!("SEA MONSTERS IN {one}"),
            4 => format!("EMPTY {one}"),
            5 => format!("LINK {one}-{other}"),
            6 => format!("OWNS FRANCE {one}"),
            7 => format!("CENTRES ITALY >= {}", self.numbers.below(6)),
            8 => format!("{unit} SOLD"),
            9 => format!("{unit} DISLODGED"),
            10 => format!("{unit}-{one} FAILED"),
            11 => format!("STANDOFF {one}"),
            12 => format!("ENEMY UNIT IN {one}"),
            _ => format!("EXPLODED {one}"),
        }
    }

    fn condition(&mut self) -> String {
        let (one, other) = (self.fact(), self.fact());
        match self.numbers.below(8) {
            0 => format!("IF {one} AND NOT {other} THEN "),
            1 => format!("IF ({one} OR {other}) THEN "),
            2 => format!("IF {one} THEN "),
            _ => String::new(),
        }
    }

    fn movement(&mut self) -> Vec<String> {
        let own: Vec<Unit> = self.game.position.units_of(self.power).copied().collect();
        let mut lines = Vec::new();
        for unit in &own {
            if self.numbers.once_in(3) {
                lines.push(self.order(unit));
            }
            if self.numbers.once_in(6) {
                let condition = self.condition();
                lines.push(format!(
                    "{condition}{}({}) SELL SOUL",
                    unit.kind, unit.at.province
                ));
            }
        }
        let (one, other) = (self.space(), self.space());
        let condition = self.condition();
        match self.power {
            JESTER => lines.extend(self.any_unit().map(|unit| {
                let order = self.order(&unit);
                let whose = ADJECTIVES.get(usize::from(unit.power.0)).unwrap_or(&"");
                format!("REORDER {whose} {order}")
            })),
            MASTERMIND => {
                lines.push("QUESTION: Who made it?".to_owned());
                lines.push("ACCEPT: Calhamer".to_owned());
            }
            DOCTOR => lines.push(match self.numbers.below(3) {
                0 => "TARDIS-HYPERSPACE".to_owned(),
                _ => format!("TARDIS-{one}"),
            }),
            SOOTHSAYER => lines.push(format!("PREDICT {one}, {other} AS FLEET")),
            _ => lines.push(format!("{condition}LLAMAS({one}) EXPLODE")),
        }
        let herds: Value = self.game.data.read().unwrap();
        let herds = herds["herds"][self.power.0.to_string()].clone();
        for herd in herds.as_array().into_iter().flatten() {
            if self.numbers.once_in(5) {
                let condition = self.condition();
                lines.push(format!(
                    "{condition}LLAMAS({}) EXPLODE",
                    herd.as_str().unwrap()
                ));
            }
        }
        lines
    }

    fn adjustments(&mut self) -> Vec<String> {
        let (one, other) = (self.space(), self.space());
        let condition = self.condition();
        let mut lines = vec![
            format!("{condition}VOTE LINK {one}-{other}"),
            "ANSWER: Calhamer".to_owned(),
        ];
        let map = Map::standard();
        let homes = map.homes(self.power);
        for home in homes {
            let kind = ["A", "F", "B", "FA", "DOM", "F"][self.numbers.below(6)];
            let condition = self.condition();
            lines.push(format!("{condition}BUILD {kind} {home}"));
        }
        if let [one, other, ..] = homes
            && self.numbers.once_in(3)
        {
            lines.push(format!("BUILD SIA A {one} + F {other}"));
        }
        let own: Vec<Unit> = self.game.position.units_of(self.power).copied().collect();
        if let Some(unit) = self.numbers.pick(&own) {
            lines.push(format!("REMOVE {}({})", unit.kind, unit.at.province));
            lines.push(format!("BUILD FREE A {}", unit.at.province));
        }
        lines
    }

    fn retreats(&mut self) -> Vec<String> {
        let (game, power) = (self.game, self.power);
        let away = game.position.dislodged.iter();
        let own = away.filter(|one| one.unit.power == power);
        let mut lines = Vec::new();
        for one in own {
            let name = format!("{}({})", one.unit.kind, one.unit.at.province);
            let condition = self.condition();
            lines.push(match self.numbers.pick(&one.options) {
                Some(to) => format!("{condition}{name} R {to}"),
                None => format!("{name} DISBAND"),
            });
        }
        lines
    }
}

fn lines(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<String> {
    let mut writer = Writer {
        game,
        power,
        numbers,
    };
    match &game.phase {
        Phase::Movement => writer.movement(),
        Phase::Retreats => writer.retreats(),
        Phase::Own(name) if name == "Llamas" => {
            let spaces: Vec<String> = (0..4).map(|_| writer.space()).collect();
            vec![format!("PLACE LLAMAS {}", spaces.join(", "))]
        }
        _ => writer.adjustments(),
    }
}

/// What holds after every phase, beside what holds of every game.
fn holds(step: &Step) {
    let game = step.after;
    let state: Value = game.data.read().unwrap();
    let units: Vec<&Unit> = game.position.units.iter().collect();
    let away = game.position.dislodged.iter().map(|one| &one.unit);
    let numbers: BTreeSet<String> = units
        .iter()
        .copied()
        .chain(away)
        .map(|unit| unit.id.0.to_string())
        .collect();
    for (number, traits) in state["traits"].as_object().unwrap() {
        assert!(numbers.contains(number), "no unit {number}: {traits}");
    }
    let twins = |power: Power| {
        let own = game.position.units_of(power);
        let twins = own.filter(|unit| state["traits"][unit.id.0.to_string()]["siamese"] == true);
        twins.count()
    };
    for power in game.all_powers() {
        assert!(
            matches!(twins(power), 0 | 2),
            "{} twins of {power:?}",
            twins(power)
        );
    }
    if let Some(borg) = state["borg"]["At"].as_str()
        && step.before.phase == Phase::Movement
    {
        let in_his_space = units
            .iter()
            .filter(|unit| unit.at.province.as_str() == borg);
        let eaten = in_his_space.filter(|unit| unit.power != Power::NEUTRAL);
        assert_eq!(eaten.count(), 0, "BORG in {borg} leaves nothing");
    }
}

#[test]
fn games_come_to_their_end() {
    let table = Table {
        variant: variant(),
        players: Some(11),
        settings: Vec::new(),
        lines: &lines,
        longest: 50,
    };
    let (mut refused, mut taken) = (0, 0);
    for seed in 0..16 {
        let finished = play(&table, seed, &mut holds);
        finished.tell();
        refused += finished.refused.len();
        taken += finished.taken;
    }
    some_are_refused(refused, taken);
}
