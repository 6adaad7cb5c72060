//! Clauses by which fleets convoy: `North Sea convoys Yorkshire to Norway`.

use super::mentions::{Mention, words};
use super::order_clauses::{
    BoardInSight, ClauseReader, MOST_OF_PLACE, Movement, Pointed, SpokenOf, place,
};
use super::order_words::PlaceWords;
use dipjudge_grammar::Text;
use dipjudge_rules::map::{Province, UnitKind};

impl<B: BoardInSight> ClauseReader<'_, B> {
    /// `convoy the army in Yorkshire over to Norway with the North Sea fleet`, `North Sea convoys Yorkshire to Norway`.
    pub(super) fn convoy(&mut self, named: &[Mention]) {
        // "The fleet brings the army from Apulia to Tunis"
        if let [from, to] = named
            && let Some(fleet) = self.only_fleet_at_sea()
            && self.board.is_own(from.province())
            && [from, to]
                .iter()
                .all(|one| !self.board.is_sea(one.province()))
        {
            return self.carried(&place(fleet), from, to);
        }
        let [first, second, third] = named else {
            return self.convoys_it(named);
        };
        let is_sea = |mention: &Mention| self.board.is_sea(mention.place.province);
        let (carrier, from, to) = match [first, second, third].map(is_sea) {
            [true, false, false] => (first, second, third),
            [false, false, true] => (third, first, second),
            // "London is ferried across the North Sea into Denmark"
            [false, true, false] => (second, first, third),
            _ => return,
        };
        self.carried(&carrier.place, from, to);
    }

    /// Adds a convoy, and the move of an own army.
    fn carried(&mut self, carrier: &PlaceWords, from: &Mention, to: &Mention) {
        let way = format!("{} - {}", self.name(&from.place), self.name(&to.place));
        let carrier = self.name(carrier);
        self.orders.push(format!("{carrier} C {way}"));
        if self.board.is_own(from.place.province) {
            self.orders.push(way);
            self.pointed = Some(Pointed::Moved(Movement {
                from: from.place.province,
                to: to.place.province,
            }));
        }
    }

    /// Whether a fleet of the writer's stands at sea there.
    fn carries(&self, at: Province) -> bool {
        self.board.is_sea(at) && self.board.is_own(at)
    }

    /// Adds convoys of a move by the fleets in these seas.
    fn convoys_over(&mut self, seas: &[Mention], moved: &Movement) {
        let [from, to] = [moved.from, moved.to].map(|at| self.names.full_name(at));
        let convoys = seas
            .iter()
            .map(|sea| format!("{} C {from} - {to}", self.name(&sea.place)));
        let convoys: Vec<String> = convoys.collect();
        self.orders.extend(convoys);
    }

    fn only_fleet_at_sea(&self) -> Option<Province> {
        let mut fleets = self.board.all_of_kind(UnitKind::FLEET);
        fleets.retain(|at| self.carries(*at));
        match fleets.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// A convoy of the move before: `North Africa lands in Rome. The Western Med and the Tyrrhenian convoy it.`
    fn convoys_it(&mut self, named: &[Mention]) {
        let (Some(Pointed::Moved(moved)), [carrier]) = (self.pointed.clone(), named) else {
            return;
        };
        let last = carrier.place.province;
        let other = self
            .spoken
            .filter(|spoken| spoken.alone && spoken.at != last);
        let carriers = other.map(|spoken| spoken.at).into_iter().chain([last]);
        let carriers: Vec<Province> = carriers.filter(|at| self.carries(*at)).collect();
        for carrier in carriers {
            let [carrier, from, to] =
                [carrier, moved.from, moved.to].map(|at| self.names.full_name(at));
            let order = format!("{carrier} C {from} - {to}");
            self.orders.push(order);
        }
    }

    /// An army that a fleet takes on board in one clause and lands in the next: `The North Sea picks up the army from Yorkshire and
    /// drops it in Belgium`.
    pub(super) fn lifts(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let taken = self.lifted.take();
        if self.marker("clause-lift", text).is_some() {
            match named {
                [_, _, _] => self.convoy(named),
                [fleet, army] if self.board.is_sea(fleet.province()) => {
                    self.lifted = Some((fleet.place.clone(), army.place.clone()));
                }
                _ => return false,
            }
            return true;
        }
        let (Some((fleet, army)), [goal]) = (taken, named) else {
            return false;
        };
        let way = format!("{} - {}", self.name(&army), self.name(&goal.place));
        let convoy = format!("{} C {way}", self.name(&fleet));
        self.orders.push(convoy);
        self.orders.push(way);
        true
    }

    /// A move that names the fleets of the writer's over which it goes: `My army sails to Belgium over the North Sea`, `Yorkshire goes over
    /// the North Sea to Belgium`.
    pub(super) fn goes_by_sea(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let over = self.marker("clause-over", text).map(|over| over.start);
        let Some(over) = over.filter(|over| words(text).first() != Some(over)) else {
            return false;
        };
        let (before, behind) = named.split_at(named.partition_point(|one| one.start < over));
        let seas = behind.iter().take_while(|one| self.carries(one.province()));
        let (seas, rest) = behind.split_at(seas.count());
        if seas.is_empty() {
            return false;
        }
        let others: Vec<&Mention> = before.iter().chain(rest).collect();
        let from_to = match others.as_slice() {
            [from, to] if self.board.is_own(from.province()) => {
                Some((from.province(), to.province()))
            }
            [to] => self
                .board
                .only_that_reaches(UnitKind::ARMY, to.province())
                .map(|from| (from, to.province())),
            _ => None,
        };
        let on_land = |(from, to): &(Province, Province)| from != to && !self.board.is_sea(*from);
        let Some((from, to)) = from_to.filter(on_land) else {
            return false;
        };
        let moved = Movement { from, to };
        self.convoys_over(seas, &moved);
        let [start, end] = [from, to].map(|at| self.names.full_name(at));
        self.orders.push(format!("{start} - {end}"));
        self.pointed = Some(Pointed::Moved(moved));
        self.spoken = Some(SpokenOf::told(from));
        true
    }

    /// Seas behind a move over which it goes, with fleets of the writer's there: `London goes to Sweden, over the North Sea and the
    /// Skagerrak`.
    pub(super) fn goes_over(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let Some(Pointed::Moved(moved)) = self.pointed.clone() else {
            return false;
        };
        let begins = self
            .marker("clause-over", text)
            .is_some_and(|over| words(text).first() == Some(&over.start));
        let carries = |one: &Mention| self.carries(one.province());
        let goes_on = self.over && named.len() == 1 && words(text).len() <= MOST_OF_PLACE;
        if named.is_empty() || !(begins || goes_on) || !named.iter().all(carries) {
            return false;
        }
        self.convoys_over(named, &moved);
        self.over = true;
        true
    }
}
