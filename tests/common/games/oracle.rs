//! Follows the board by nothing but the reports, as the mappers of the old judges' world do, and compares it with the record of the real game.

use std::collections::BTreeMap;

use dipjudge::shell::demo::script::{Holdings, Position};

use super::places;
use crate::old_tools::{Parsed, Winter};

/// The board as reports tell it.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// Units by power, as `A BUD`.
    units: BTreeMap<String, Vec<String>>,
    dislodged: BTreeMap<String, Vec<String>>,
    centers: BTreeMap<String, Vec<String>>,
}

impl Board {
    /// The units of a power, as `A BUD`.
    pub fn units_of(&self, power: &str) -> Vec<String> {
        self.units.get(power).cloned().unwrap_or_default()
    }

    /// The centers of a power, as `BUD`; none before the first autumn.
    pub fn centers_of(&self, power: &str) -> Vec<String> {
        self.centers.get(power).cloned().unwrap_or_default()
    }

    /// Reads one mail that an observer got; others than starts and results say nothing of the board.
    pub fn read(&mut self, mail: &Parsed) {
        if mail.selected.is_some() || mail.position_of.is_some() && self.units.is_empty() {
            for (power, kind, place) in &mail.position {
                self.units
                    .entry(power.clone())
                    .or_default()
                    .push(places::unit(kind, place));
            }
        }
        match mail
            .report
            .as_ref()
            .filter(|(_, what, ..)| what == "results")
            .map(|(phase, ..)| phase.as_str())
        {
            Some("Movement") => self.move_units(mail),
            Some("Retreat") => self.retreat(mail),
            Some("Adjustment") => self.adjust(mail),
            _ => {}
        }
        if !mail.ownership.is_empty() {
            self.centers.clear();
            for (power, centers) in mail
                .ownership
                .iter()
                .filter(|(power, _)| power != "Unowned")
            {
                self.centers.insert(
                    power.clone(),
                    centers
                        .iter()
                        .map(|name| places::abbreviation(name))
                        .collect(),
                );
            }
            for (power, centers, units, builds) in &mail.counts {
                let owned = self.centers.get(power).map_or(0, Vec::len);
                assert_eq!(
                    usize::try_from(*centers).unwrap(),
                    owned,
                    "{power}'s centers are counted as they are listed"
                );
                let standing = self.units.get(power).map_or(0, Vec::len);
                assert_eq!(
                    usize::try_from(*units).unwrap(),
                    standing,
                    "{power}'s units are counted as they stand"
                );
                assert!(
                    builds.abs() <= (centers - units).abs(),
                    "{power} builds or removes at most the difference"
                );
            }
        }
    }

    fn move_units(&mut self, mail: &Parsed) {
        let mut after: BTreeMap<String, Vec<String>> = BTreeMap::new();
        self.dislodged.clear();
        let mut ordered: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for order in &mail.orders {
            let before = places::unit(&order.kind, &order.place);
            ordered
                .entry(&order.power)
                .or_default()
                .push(before.clone());
            let marked = |mark: &str| order.marks.iter().any(|found| found == mark);
            let moved = order.verb == "MOVE" && order.marks.is_empty();
            let now = if moved {
                places::unit(&order.kind, order.rest.last().unwrap())
            } else {
                before
            };
            let list = if marked("dislodged") {
                &mut self.dislodged
            } else {
                &mut after
            };
            list.entry(order.power.clone()).or_default().push(now);
        }
        for (power, units) in &self.units {
            let mut before = units.clone();
            before.sort();
            let mut listed = ordered.remove(power.as_str()).unwrap_or_default();
            listed.sort();
            assert_eq!(
                listed, before,
                "the report lists every unit of {power} where it stood"
            );
        }
        assert!(ordered.is_empty(), "units out of nowhere: {ordered:?}");
        // Every dislodged unit is told of again: it may retreat, or it is gone.
        let mut told = 0;
        for (adjective, kind, place, options) in &mail.dislodged {
            assert!(!options.is_empty());
            let unit = places::unit(kind, place);
            assert!(
                self.dislodged
                    .get(places::power(adjective))
                    .is_some_and(|units| units.contains(&unit)),
                "{unit} was dislodged"
            );
            told += 1;
        }
        for (adjective, kind, place) in &mail.destroyed {
            let unit = places::unit(kind, place);
            let units = self
                .dislodged
                .get_mut(places::power(adjective))
                .unwrap_or_else(|| panic!("{unit} was dislodged"));
            assert!(units.contains(&unit), "{unit} was dislodged");
            units.retain(|other| *other != unit);
        }
        assert_eq!(
            told,
            self.dislodged.values().map(Vec::len).sum::<usize>(),
            "every dislodged unit is told of"
        );
        self.units = after;
    }

    fn retreat(&mut self, mail: &Parsed) {
        for retreat in &mail.retreats {
            let unit = places::unit(&retreat.kind, &retreat.place);
            let waiting = self
                .dislodged
                .get_mut(&retreat.power)
                .unwrap_or_else(|| panic!("{} retreats nothing", retreat.power));
            assert!(waiting.contains(&unit), "{unit} was dislodged");
            waiting.retain(|other| *other != unit);
            if let Some(to) = retreat.to.as_ref().filter(|_| retreat.marks.is_empty()) {
                self.units
                    .entry(retreat.power.clone())
                    .or_default()
                    .push(places::unit(&retreat.kind, to));
            }
        }
        assert!(
            self.dislodged.values().all(Vec::is_empty),
            "no unit is left between two places: {:?}",
            self.dislodged
        );
    }

    fn adjust(&mut self, mail: &Parsed) {
        let kind = |kind: &str| if kind == "army" { "Army" } else { "Fleet" };
        for line in &mail.winter {
            match line {
                Winter::Builds(power, what, place) => self
                    .units
                    .entry(power.clone())
                    .or_default()
                    .push(places::unit(kind(what), place)),
                Winter::Removes(power, what, place, _) => {
                    let unit = places::unit(kind(what), place);
                    let units = self.units.entry(power.clone()).or_default();
                    assert!(units.contains(&unit), "{power} has {unit} to remove");
                    units.retain(|other| *other != unit);
                }
                Winter::Waived(_) | Winter::Counted(..) => {}
            }
        }
    }

    /// Fails unless the board is that of the record.
    pub fn compare(&self, position: &Position) {
        for (power, expected) in &position.powers {
            let sorted = |lists: &BTreeMap<String, Vec<String>>| {
                let mut list = lists.get(power).cloned().unwrap_or_default();
                list.sort();
                list
            };
            let mut found = Holdings {
                units: sorted(&self.units),
                dislodged: sorted(&self.dislodged),
                centers: sorted(&self.centers),
            };
            if self.centers.is_empty() {
                // Before the first autumn no report lists them.
                found.centers.clone_from(&expected.centers);
            }
            assert_eq!(
                &found, expected,
                "{power} at the beginning of {}",
                position.phase
            );
        }
    }
}
