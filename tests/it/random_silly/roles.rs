//! What the four roles say with the moves: re-orders, questions, journeys and predictions.

use std::collections::BTreeMap;

use dipjudge::map::{Power, Province};
use dipjudge::orders::Action;
use dipjudge::position::Unit;

use super::lines::{ADJECTIVES, Writer};

/// What is asked, with what is accepted, and answers that are right, almost right, or wrong.
const QUESTIONS: [(&[&str], &[&str]); 4] = [
    (
        &["ACCEPT: Allan Calhamer", "ACCEPT: Calhamer"],
        &[
            "calhammer",
            "the Allan Cálhamer",
            "Alan Calhmaer",
            "Callahan",
            "Calamari",
        ],
    ),
    (
        &["ACCEPT NUMBER: 8848 +- 1%"],
        &[
            "about 8,800 m",
            "8848",
            "8000",
            "8700 or 8850",
            "8936.5",
            "high",
        ],
    ),
    (
        &["ACCEPT CONTAINS: hillary tenzing"],
        &[
            "Tensing and Hilary",
            "Hillary & Tenzing",
            "Hillary",
            "tenzig",
            "Mallory",
        ],
    ),
    (
        &["ACCEPT NUMBER: 1901", "ACCEPT: R.O.B.O.T. 2"],
        &["1901", "in 1900", "robot 2", "robot 3", "A robot 2"],
    ),
];

impl Writer<'_> {
    pub(super) fn reorder(&mut self) -> Option<String> {
        if self.numbers.once_in(5) {
            return Some(self.journey("REORDER "));
        }
        let unit = self.any_unit()?;
        let whose = ADJECTIVES.get(usize::from(unit.power.0)).unwrap_or(&"");
        let name = format!("{}({})", unit.kind, unit.at.province);
        let plain = match self.numbers.below(4) {
            0 => format!("{name} H"),
            1 => format!("{name} SHOO"),
            _ => format!("{name}-{}", self.near(&unit)),
        };
        Some(format!("REORDER {whose} {plain}"))
    }

    pub(super) fn question(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.numbers.once_in(6) {
            return lines;
        }
        // Which question it is, players know by the season's year.
        let (accepted, _) = self.asked();
        lines.push("QUESTION: Who, what or how much?".to_owned());
        if !self.numbers.once_in(15) {
            lines.extend(accepted.iter().map(|line| (*line).to_owned()));
        }
        lines
    }

    pub(super) fn asked(&self) -> (&'static [&'static str], &'static [&'static str]) {
        QUESTIONS[self.game.turn.year as usize % QUESTIONS.len()]
    }

    pub(super) fn journey(&mut self, word: &str) -> String {
        let at = self.tardis();
        let there: Vec<Unit> = self.game.position.units.clone();
        let there: Vec<&Unit> = there
            .iter()
            .filter(|unit| Some(unit.at.province) == at)
            .collect();
        let carrier = self.numbers.pick(&there).map(|unit| Self::named(unit));
        let monsters = self.game.position.units.iter();
        let monsters = monsters.filter(|unit| unit.power == Power::NEUTRAL);
        let monsters: Vec<Province> = monsters.map(|unit| unit.at.province).collect();
        let centers = self.game.map().centers();
        let center = *self.numbers.pick(centers).unwrap();
        let monster = self.numbers.pick(&monsters).copied().unwrap_or(center);
        let traits = self.state["traits"].as_object().into_iter().flatten();
        let sold = traits.filter(|(_, traits)| traits["soul"].as_u64().unwrap_or(0) > 0);
        let sold: Vec<u32> = sold.map(|(id, _)| id.parse().unwrap()).collect();
        let units = self.game.position.units.iter();
        let sold = units.filter(|unit| sold.contains(&unit.id.0));
        let sold: Vec<Province> = sold.map(|unit| unit.at.province).collect();
        let sold = self.numbers.pick(&sold).copied().unwrap_or(center);
        let to = match (self.numbers.below(11), carrier) {
            (0..=2, Some(unit)) => format!(" WITH {unit}"),
            (0, None) => " STAY".to_owned(),
            (1, None) => "-HYPERSPACE".to_owned(),
            (2 | 3, _) => format!("-{}", self.space()),
            (4 | 5, _) => format!("-{monster}"),
            (6..=8, _) => format!("-{sold}"),
            _ => format!("-{center}"),
        };
        format!("{word}TARDIS{to}")
    }

    /// Where two are going already, if he knows of such a place.
    pub(super) fn prediction(&mut self) -> String {
        let mut coming: BTreeMap<Province, u32> = BTreeMap::new();
        for standing in self.game.standings.values() {
            for action in standing.orders.units.values() {
                if let Action::Move { to, .. } = action {
                    *coming.entry(to.province).or_default() += 1;
                }
            }
        }
        let likely: Vec<Province> = coming
            .into_iter()
            .filter(|(at, count)| *count > 1 && self.game.position.standing(*at).is_none())
            .map(|(at, _)| at)
            .collect();
        let mut all = Vec::new();
        for _ in 0..=self.numbers.below(3) {
            let at = match self.numbers.pick(&likely) {
                Some(at) if !self.numbers.once_in(8) => at.to_string(),
                _ => self.space(),
            };
            let kind = ["", "", " AS FLEET", " AS ARMY"][self.numbers.below(4)];
            all.push(format!("{at}{kind}"));
        }
        format!("PREDICT {}", all.join(", "))
    }
}
