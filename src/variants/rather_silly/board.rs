//! The position and what is kept beside it, for the steps of a season.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::ground::{Ground, Islands};
use super::news::{Loss, LostUnit, News, PrivateNews, Step};
use super::state::{Drawn, Herds, SillyState, Traits};
use super::{MONSTERS, is_conventional, is_solid};
use dipjudge_game::Dice;
use dipjudge_rules::map::{Location, Map, Power, Province};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};

/// The dice of one season (3.2), and the draws made so far.
#[derive(Clone, Copy)]
pub(super) struct Draws<'d> {
    pub dice: Dice<'d>,
    /// `S1903`, `F1903`.
    pub season: &'d str,
    pub made: &'d RefCell<Vec<Drawn>>,
}

impl Draws<'_> {
    /// Draws one of the options, which are in the order of their names. A single option needs no draw.
    pub(super) fn one<T: Copy>(
        &self,
        label: &str,
        options: &[T],
        name: impl Fn(&T) -> String,
    ) -> Option<T> {
        if let [] | [_] = options {
            return options.first().copied();
        }
        let stream = format!("{}/{label}", self.season);
        let drawn = self.dice.draw(&stream, 0, options.len() as u64);
        let drawn = options.get(drawn as usize).copied()?;
        self.made.borrow_mut().push(Drawn {
            label: label.to_owned(),
            options: options.iter().map(&name).collect(),
            result: name(&drawn),
        });
        Some(drawn)
    }

    /// Draws one of the spaces; a space that is listed twice counts once.
    pub(super) fn space(
        &self,
        label: &str,
        spaces: impl IntoIterator<Item = Province>,
    ) -> Option<Province> {
        let spaces: BTreeSet<Province> = spaces.into_iter().collect();
        let spaces: Vec<Province> = spaces.into_iter().collect();
        self.one(label, &spaces, Province::to_string)
    }
}

/// The half of a year that a season of the variant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HalfYear {
    Spring,
    Autumn,
}

/// What is asked of the two units of a SIAMESE pair after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TwinRule {
    /// They may stand apart until the next step that moves units.
    MayBeApart,
    MustTouch,
}

/// The position and what is kept beside it.
#[derive(Clone)]
pub(super) struct Board<'m> {
    pub map: &'m Map,
    pub position: Position,
    pub state: SillyState,
    /// The herds that the reader of this board may know.
    pub herds: BTreeMap<Power, Herds>,
    /// What has happened in the step that is being played.
    pub step: Step,
}

impl<'m> Board<'m> {
    /// Tells all of something that happens.
    pub(super) fn tell(&mut self, news: News) {
        self.step.news.push(news);
    }

    /// Tells one seat of something that happens.
    pub(super) fn tell_alone(&mut self, seat: Power, what: PrivateNews) {
        self.step.private.push((seat, what));
    }

    pub(super) fn ground(&self) -> Ground<'m> {
        Ground {
            map: self.map,
            link: self.state.link,
        }
    }

    /// All units, those that must retreat included.
    pub(super) fn units(&self) -> impl Iterator<Item = &Unit> {
        let away = self.position.dislodged.iter().map(|one| &one.unit);
        self.position.units.iter().chain(away)
    }

    /// The units in a space, those that must retreat from it included.
    pub(super) fn in_space(&self, place: Province) -> impl Iterator<Item = &Unit> {
        self.units().filter(move |unit| unit.at.province == place)
    }

    /// The solid unit that stands in a space.
    pub(super) fn solid(&self, place: Province) -> Option<&Unit> {
        let mut units = self.position.units.iter();
        units.find(|unit| unit.at.province == place && is_solid(unit.kind))
    }

    pub(super) fn is_occupied(&self, place: Province) -> bool {
        self.solid(place).is_some()
    }

    pub(super) fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.position.unit(id)
    }

    /// Whether a unit must retreat.
    pub(super) fn must_retreat(&self, id: UnitId) -> bool {
        self.position.dislodged.iter().any(|one| one.unit.id == id)
    }

    pub(super) fn traits(&self, id: UnitId) -> Traits {
        self.state.traits.get(&id).copied().unwrap_or_default()
    }

    /// Changes what a unit is beyond its kind.
    pub(super) fn alter(&mut self, id: UnitId, change: impl FnOnce(&mut Traits)) {
        let mut traits = self.traits(id);
        change(&mut traits);
        if traits == Traits::default() {
            self.state.traits.remove(&id)
        } else {
            self.state.traits.insert(id, traits)
        };
    }

    /// What a unit counts for in combat (2.2): monsters two, a merged unit its units, twice that with a soul that is sold.
    pub(super) fn strength(&self, unit: &Unit) -> u32 {
        let traits = self.traits(unit.id);
        match unit.power {
            MONSTERS => 2,
            _ if !is_conventional(unit.kind) => 0,
            _ if traits.soul > 0 => traits.n * 2,
            _ => traits.n,
        }
    }

    /// Where a unit can go in one step of its own.
    pub(super) fn reach(&self, unit: &Unit) -> Vec<Location> {
        self.ground()
            .reach(unit.kind, unit.at, Islands::for_units_of(unit.power))
    }

    pub(super) fn reaches(&self, unit: &Unit, place: Province) -> bool {
        self.reach(unit).iter().any(|to| to.province == place)
    }

    /// The other of a SIAMESE pair.
    pub(super) fn twin(&self, unit: &Unit) -> Option<&Unit> {
        let is_twin = |id: UnitId| self.traits(id).siamese;
        self.units().find(|other| {
            is_twin(unit.id)
                && is_twin(other.id)
                && other.power == unit.power
                && other.id != unit.id
        })
    }

    /// Adds a unit, with a number that no unit has had in this season.
    pub(super) fn put(
        &mut self,
        power: Power,
        kind: dipjudge_rules::map::UnitKind,
        at: Location,
    ) -> UnitId {
        let started = self
            .state
            .season
            .start
            .iter()
            .map(|unit| unit.id.0 + 1)
            .max();
        let UnitId(free) = self.position.free_id();
        let id = UnitId(free.max(started.unwrap_or(0)));
        self.position.units.push(Unit {
            id,
            power,
            kind,
            at,
        });
        id
    }

    /// Takes a unit off the board.
    pub(super) fn take_off(&mut self, id: UnitId, how: Loss) {
        let Some(unit) = self.unit(id).copied() else {
            return;
        };
        self.position.units.retain(|unit| unit.id != id);
        self.position.dislodged.retain(|one| one.unit.id != id);
        let had = self.state.traits.remove(&id).unwrap_or_default();
        let soul = how.destroys() && had.soul > 0;
        self.step.lost.push(LostUnit { unit, how, soul });
        if how.destroys() {
            self.state.season.destroyed.insert(id);
            if soul {
                *self.state.lost_souls.entry(unit.power).or_default() += 1;
                self.state.lost_until.push((unit.power, had.soul));
            }
        }
    }

    /// Makes a unit retreat that nobody has dislodged.
    pub(super) fn drive_out(&mut self, id: UnitId, not_to: Option<Province>) {
        let Some(index) = self.position.units.iter().position(|unit| unit.id == id) else {
            return;
        };
        let unit = self.position.units.remove(index);
        self.position.dislodged.push(Dislodged {
            unit,
            attacker: not_to,
            options: Vec::new(),
        });
        self.position.dislodged.sort_by_key(|one| one.unit.id);
    }

    /// Moves a unit that need not retreat.
    pub(super) fn set_down(&mut self, id: UnitId, at: Location) {
        if let Some(unit) = self.position.units.iter_mut().find(|unit| unit.id == id) {
            unit.at = at;
        }
    }

    /// Where the players' units are, of every kind, those that must retreat included.
    pub(super) fn players_units(&self) -> Vec<Province> {
        let units = self.units().filter(|unit| unit.power != MONSTERS);
        units.map(|unit| unit.at.province).collect()
    }

    /// Destroys the unit of a SIAMESE pair that is left alone, and where twins must touch, those that do not while neither must
    /// retreat (3.6).
    pub(super) fn check_pairs(&mut self, twins: TwinRule) {
        let ground = self.ground();
        let lost: Vec<UnitId> = self
            .units()
            .filter(|unit| self.traits(unit.id).siamese)
            .filter(|unit| match self.twin(unit) {
                None => true,
                Some(twin) => {
                    let settled = !self.must_retreat(unit.id) && !self.must_retreat(twin.id);
                    twins == TwinRule::MustTouch
                        && settled
                        && !ground.touch(unit.at.province, twin.at.province)
                }
            })
            .map(|unit| unit.id)
            .collect();
        for id in lost {
            self.take_off(id, Loss::Parted);
        }
    }
}
