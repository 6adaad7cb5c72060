//! Units with all that they are, BORG and the TARDIS.

use super::{Table, is_on, nation, number};
use crate::rather_silly::line_parts::{location, part};
use crate::rather_silly::news::Loss;
use crate::rather_silly::state::{Borg, Tardis, Traits};
use crate::rather_silly::{
    BIRDS, DOCTOR, JESTER, MONSTERS, SEA, SPACE, is_conventional, is_island,
};
use dipjudge_game::overrule::{NamedUnit, described, named, vacant};
use dipjudge_game::{Phase, Refusal, Sentence, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, UnitKind};
use dipjudge_rules::position::{Unit, UnitId};

impl Table<'_> {
    pub(super) fn place(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        if line.has("the-borg") || line.has("the-tardis") {
            return self.put(line);
        }
        let kind = part(line, "kind").and_then(Line::kind);
        let kind = kind.ok_or("A kind of unit is missing.")?;
        let nation = part(line, "nation").and_then(nation);
        let owner = match kind {
            SEA | SPACE => MONSTERS,
            _ => nation.ok_or("Say whose: OVERRULE PLACE FRENCH A Bur.")?,
        };
        let at = vacant(self.board.map, &self.board.position, kind, location(line)?)?;
        self.may_be(owner, kind)?;
        let id = self.board.put(owner, kind, at);
        if let Some(traits) = part(line, "traits") {
            self.give(id, traits)?;
        }
        Ok(self.unit(id)?.words(" is put on the board."))
    }

    pub(super) fn set_elsewhere(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        if line.has("the-borg") || line.has("the-tardis") {
            return self.put(line);
        }
        let unit = self.meant(line)?;
        let before = self.unit(unit.id)?;
        self.lift(unit.id);
        let at = vacant(
            self.board.map,
            &self.board.position,
            unit.kind,
            location(line)?,
        )?;
        self.set_down(Unit { at, ..unit });
        let to = self.board.map.full_name(at);
        Ok(before.words(format!(
            " now stands in {to}; an order given for it is deleted."
        )))
    }

    pub(super) fn remove(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        if line.has("the-borg") {
            self.board.state.borg = Borg::Never;
            return self.told(
                &before,
                Sentence::of("BORG is gone, and does not come back."),
            );
        }
        if line.has("the-tardis") {
            if self.game.holder(DOCTOR).is_some() {
                return refuse(
                    "While the DOCTOR has a player there is a TARDIS: OVERRULE MOVE TARDIS TO HYPERSPACE.",
                );
            }
            self.board.state.tardis = Tardis::None;
            return self.told(&before, Sentence::of("The TARDIS is gone."));
        }
        let unit = self.meant(line)?;
        let said = self.unit(unit.id)?;
        self.board.take_off(unit.id, Loss::Removed);
        Ok(said.words(" is taken off the board."))
    }

    /// Puts BORG or the TARDIS somewhere.
    fn put(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let before = self.board.state.clone();
        if line.has("the-borg") {
            let at = location(line)?.province;
            self.board.state.borg = Borg::At(at);
            let said = format!("BORG is in {}.", self.name(at));
            return self.told(&before, Sentence::of(said));
        }
        let to = part(line, "tardis-to").ok_or("A space is missing.")?;
        let (tardis, said) = if to.has("hyperspace") {
            (Tardis::Hyperspace, "hyperspace".to_owned())
        } else {
            let at = location(to)?.province;
            if is_island(at) {
                return refuse("The TARDIS cannot be in Iceland or Corfu.");
            }
            (Tardis::At(at), self.name(at))
        };
        self.board.state.tardis = tardis;
        self.told(&before, Sentence::of(format!("The TARDIS is in {said}.")))
    }

    pub(super) fn alter(&mut self, line: &Line) -> Result<Sentence, Refusal> {
        let unit = self.meant(line)?;
        let before = self.unit(unit.id)?;
        let traits = part(line, "traits").ok_or("Say what is to be altered: soul=0.")?;
        let was = (self.board.position.clone(), self.board.state.clone());
        self.give(unit.id, traits)?;
        if was == (self.board.position.clone(), self.board.state.clone()) {
            return refuse("It is set that way already.");
        }
        Ok(before
            .words(" is now ")
            .then(self.unit(unit.id)?)
            .words("."))
    }

    /// The unit that a line names.
    fn meant(&self, line: &Line) -> Result<Unit, Refusal> {
        let words = part(line, "overrule-unit").ok_or("A unit is missing.")?;
        let unit = part(words, "unit").ok_or("A unit is missing.")?;
        let meant = NamedUnit {
            power: part(unit, "nation").and_then(nation),
            kind: part(unit, "kind").and_then(Line::kind),
            at: location(unit)?.province,
            number: words.number(),
        };
        named(self.board.map, &self.board.position, &meant)
    }

    /// `France: Army Burgundy [n=2 free]`
    fn unit(&self, id: UnitId) -> Result<Sentence, Refusal> {
        let unit = self.board.unit(id).ok_or("There is no such unit.")?;
        let mut words = traits_in_words(&self.board.traits(id));
        if self.board.must_retreat(id) {
            words.push("retreats".to_owned());
        }
        let said = described(self.board.map, unit);
        Ok(if words.is_empty() {
            said
        } else {
            said.words(format!(" [{}]", words.join(" ")))
        })
    }

    /// Gives a unit what a master says that it is.
    fn give(&mut self, id: UnitId, traits: &Line) -> Result<(), Refusal> {
        for given in traits.parts.iter().filter(|part| part.rule == "trait") {
            self.give_one(id, given)?;
        }
        self.check(id)
    }

    fn give_one(&mut self, id: UnitId, given: &Line) -> Result<(), Refusal> {
        let on = is_on(given);
        if let Some(owner) = part(given, "trait-owner") {
            let owner = nation(owner).ok_or("A power is missing.")?;
            return self.replace(id, |unit| Unit {
                power: owner,
                ..unit
            });
        }
        if let Some(kind) = part(given, "trait-kind").and_then(Line::kind) {
            return self.replace(id, |unit| Unit { kind, ..unit });
        }
        if part(given, "trait-barred").is_some() || given.has("trait-retreats") {
            return self.drive(id, given);
        }
        let amount = match given.number() {
            Some(_) => number(given)?,
            None => 0,
        };
        let soul = u8::try_from(amount).unwrap_or(u8::MAX);
        self.board.alter(id, |traits| {
            let is = |rule: &str| given.has(rule);
            if is("trait-n") {
                traits.n = amount;
            } else if is("trait-soul") {
                traits.soul = soul;
            } else if is("trait-gay") {
                traits.gay = on;
            } else if is("trait-siamese") {
                traits.siamese = on;
            } else if is("trait-free") {
                traits.free = on;
            } else if is("trait-sold") {
                traits.sold = on;
            }
        });
        Ok(())
    }

    /// Has a unit retreat, or stay after all.
    fn drive(&mut self, id: UnitId, given: &Line) -> Result<(), Refusal> {
        if self.game.phase != Phase::Retreats {
            return refuse("Whether a unit must retreat can be altered in a phase of retreats.");
        }
        let barred = part(given, "trait-barred").map(location).transpose()?;
        let unit = *self.board.unit(id).ok_or("There is no such unit.")?;
        let away = self.board.position.dislodged.iter();
        let attacker = away
            .filter(|one| one.unit.id == id)
            .find_map(|one| one.attacker);
        self.lift(id);
        let at = if is_on(given) {
            unit.at
        } else {
            // It stands again, so nobody else may.
            vacant(self.board.map, &self.board.position, unit.kind, unit.at)?
        };
        self.set_down(Unit { at, ..unit });
        if is_on(given) {
            let from = barred.map(|at| at.province).or(attacker);
            self.board.drive_out(id, from);
        }
        Ok(())
    }

    /// Makes another unit of one, where it is.
    fn replace(&mut self, id: UnitId, change: impl FnOnce(Unit) -> Unit) -> Result<(), Refusal> {
        let unit = *self.board.unit(id).ok_or("There is no such unit.")?;
        let changed = change(unit);
        self.may_be(changed.power, changed.kind)?;
        if let Some(one) = self
            .board
            .position
            .dislodged
            .iter_mut()
            .find(|one| one.unit.id == id)
        {
            one.unit = changed;
            return Ok(());
        }
        self.lift(id);
        let at = vacant(
            self.board.map,
            &self.board.position,
            changed.kind,
            changed.at,
        )?;
        self.set_down(Unit { at, ..changed });
        Ok(())
    }

    /// Whose units of a kind can be: monsters are nobody's, and all else is somebody's.
    fn may_be(&self, owner: Power, kind: UnitKind) -> Result<(), Refusal> {
        match (matches!(kind, SEA | SPACE), owner) {
            (true, MONSTERS) => Ok(()),
            (true, _) => refuse("Monsters are nobody's."),
            (false, MONSTERS) => {
                refuse("Nobody's units are SEA MONSTERS and SPACE MONSTERS alone.")
            }
            (false, JESTER) => refuse("The JESTER has no units."),
            (false, _) => Ok(()),
        }
    }

    /// Takes a unit from its place, to put it down again.
    fn lift(&mut self, id: UnitId) {
        self.board.position.units.retain(|unit| unit.id != id);
        let away = &mut self.board.position.dislodged;
        away.retain(|one| one.unit.id != id);
    }

    fn set_down(&mut self, unit: Unit) {
        self.board.position.units.push(unit);
        self.board.position.units.sort_by_key(|unit| unit.id);
    }

    /// What a unit is must fit its kind.
    fn check(&self, id: UnitId) -> Result<(), Refusal> {
        let unit = self.board.unit(id).ok_or("There is no such unit.")?;
        let traits = self.board.traits(id);
        let plain = Traits::default();
        if traits.n == 0 {
            return refuse("A unit counts for one at least: n=1.");
        }
        if traits.soul > 2 {
            return refuse("A soul is sold for two seasons at most: soul=2.");
        }
        let is_special = Traits {
            free: plain.free,
            ..traits
        } != plain;
        if !is_conventional(unit.kind) && is_special {
            return refuse(
                "Only armies and fleets can be merged, gay or SIAMESE, or sell their souls.",
            );
        }
        if traits.free && !is_conventional(unit.kind) && unit.kind != BIRDS {
            return refuse("Only armies, fleets and BIRDS can be free units.");
        }
        Ok(())
    }
}

/// As a master writes them: `n=2`, `free`.
fn traits_in_words(traits: &Traits) -> Vec<String> {
    let flags = [
        (traits.free, "free"),
        (traits.gay, "gay"),
        (traits.siamese, "siamese"),
        (traits.sold, "sold"),
    ];
    let mut words = Vec::new();
    words.extend((traits.n > 1).then(|| format!("n={}", traits.n)));
    words.extend((traits.soul > 0).then(|| format!("soul={}", traits.soul)));
    let set = flags.into_iter().filter(|(on, _)| *on);
    words.extend(set.map(|(_, word)| word.to_owned()));
    words
}
