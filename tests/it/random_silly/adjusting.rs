//! Retreats, builds and removals, answers and votes, in their phases and sent before them.

use dipjudge::game::Phase;
use dipjudge::map::{Location, Map, Province, UnitKind};
use dipjudge::position::Unit;

use super::lines::{DOCTOR, JESTER, MASTERMIND, SOOTHSAYER, Writer};

impl Writer<'_> {
    pub(super) fn early_retreats(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for unit in self.own() {
            if self.numbers.once_in(3) {
                let to = self.near(&unit);
                let condition = self.condition(7);
                let (kind, at) = (unit.kind, unit.at.province);
                lines.push(format!("{condition}{kind}({at}) R {to}"));
            }
        }
        lines
    }

    pub(super) fn retreats(&mut self) -> Vec<String> {
        let away = self.game.position.dislodged.clone();
        let mut lines = Vec::new();
        let power = self.power;
        for one in away.iter().filter(|one| one.unit.power == power) {
            let name = format!("{}({})", one.unit.kind, one.unit.at.province);
            let condition = self.condition(7);
            // Many go where another may go too, so that some meet.
            let others = away.iter().filter(|other| other.unit.id != one.unit.id);
            let others: Vec<Location> = others.flat_map(|other| other.options.clone()).collect();
            let open = one.options.iter().copied();
            let shared: Vec<Location> = open.filter(|to| others.contains(to)).collect();
            let to = match shared.first() {
                Some(to) if !self.numbers.once_in(4) => Some(*to),
                _ => self.numbers.pick(&one.options).copied(),
            };
            lines.push(match to {
                Some(to) if !self.numbers.once_in(8) => format!("{condition}{name} R {to}"),
                _ => format!("{condition}{name} DISBAND"),
            });
            if self.numbers.once_in(4) {
                let to = to.unwrap_or(one.unit.at);
                lines.push(format!("{name} R {to}"));
            }
        }
        lines
    }

    pub(super) fn adjustments(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.numbers.once_in(3) {
            lines.extend(self.votes());
        }
        if !self.numbers.once_in(4) {
            let (_, answers) = self.asked();
            let answer = self.numbers.pick(answers).unwrap();
            lines.push(format!("ANSWER: {answer}"));
        }
        let sites = self.sites();
        if !sites.is_empty() && !self.numbers.once_in(3) {
            let condition = self.condition(10);
            let (kind, at) = self.building(&sites, &["A", "F", "B", "F", "A", "F", "B", "FA"]);
            lines.push(format!("{condition}BUILD FREE {kind} {at}"));
        }
        if self.game.phase != Phase::Own("Summer".to_owned()) {
            lines.extend(self.winter(&sites));
        }
        lines
    }

    pub(super) fn winter(&mut self, sites: &[Province]) -> Vec<String> {
        let mut lines = Vec::new();
        let unit = self.numbers.pick(&self.own()).copied();
        if let Some(unit) = unit.filter(|_| self.numbers.once_in(4)) {
            let condition = self.condition(9);
            let (kind, at) = (unit.kind, unit.at.province);
            lines.push(format!("{condition}REMOVE {kind}({at})"));
        }
        let traits = self.state["traits"].clone();
        let twin = |unit: &Unit| traits[unit.id.0.to_string()]["siamese"] == true;
        let twins = self.own().into_iter().find(twin);
        if let Some(unit) = twins.filter(|_| self.numbers.once_in(2)) {
            lines.push(format!("REMOVE {}({})", unit.kind, unit.at.province));
        }
        if sites.len() > 1 && self.numbers.once_in(3) {
            let (one, here) = self.building(sites, &["A", "F"]);
            let (other, there) = self.building(sites, &["A", "F"]);
            lines.push(format!("BUILD SIA {one} {here} + {other} {there}"));
        }
        for _ in 0..if sites.is_empty() {
            0
        } else {
            self.numbers.below(5)
        } {
            let condition = self.condition(9);
            let (kind, at) = self.building(sites, &["A", "F", "F", "B", "FA", "DOM", "FA", "DOM"]);
            lines.push(format!("{condition}BUILD {kind} {at}"));
        }
        if self.numbers.once_in(15) {
            lines.push("WAIVE".to_owned());
        }
        for idle in self.of_kind("FA") {
            if self.numbers.once_in(20) {
                lines.push(format!("REMOVE FA({})", idle.at));
            }
        }
        lines
    }

    /// Where this seat might build, and now and then somewhere else.
    pub(super) fn sites(&mut self) -> Vec<Province> {
        let owned = self.game.position.centers_of(self.power);
        let mut sites: Vec<Province> = match self.power {
            JESTER => Vec::new(),
            MASTERMIND => vec!["ICE".parse().unwrap(), "COR".parse().unwrap()],
            DOCTOR | SOOTHSAYER => owned.collect(),
            power => Map::standard().homes(power).to_vec(),
        };
        if self.numbers.once_in(12) {
            sites.push(self.space().parse().unwrap());
        }
        sites
    }

    pub(super) fn building(
        &mut self,
        sites: &[Province],
        kinds: &[&'static str],
    ) -> (&'static str, String) {
        let kind = *self.numbers.pick(kinds).unwrap();
        let site = *self.numbers.pick(sites).unwrap();
        let map = self.game.map();
        let mut at: Location = site.into();
        if kind == "F" && !self.numbers.once_in(15) {
            let coasts = map.stations(map.travel(UnitKind::FLEET), site);
            at = self.numbers.pick(&coasts).copied().unwrap_or(at);
        }
        (kind, at.to_string())
    }

    pub(super) fn votes(&mut self) -> Vec<String> {
        let popular = [
            ("Mun", "Tun"),
            ("NTH", "Mos"),
            ("Lon", "Tun"),
            ("Ber", "Kie"),
            ("MAO", "Stp"),
            ("Ice", "Par"),
        ];
        let mut lines = Vec::new();
        for _ in 0..=self.numbers.below(2) {
            let condition = self.condition(11);
            let (one, other) = match self.numbers.once_in(4) {
                true => (self.space(), self.space()),
                false => {
                    let (one, other) = *self.numbers.pick(&popular).unwrap();
                    (one.to_owned(), other.to_owned())
                }
            };
            lines.push(match self.numbers.once_in(10) {
                true => format!("{condition}VOTE NONE"),
                false => format!("{condition}VOTE LINK {one}-{other}"),
            });
        }
        lines
    }
}
