//! A game as one power sees it, in which orders are tried. It is built from the power's view and from nothing else: units out of its
//! sight are not there, other powers have no orders, what is sealed from it is not in it, and its dice are not the game's. So
//! whatever comes of it tells its reader nothing that he did not know or suppose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::board::Pencil;
use super::{GameView, Naming, Reader, Sight, Visibility, title_case};
use crate::apply::apply;
use crate::phases::{self, AdjudicatedBy};
use crate::planted::{Leak, planted};
use crate::{
    Access, DrawSheet, Effect, Event, Game, GameEdit, Outcome, PersonId, Phase, Played, Role,
    SeatId, Seed, Standing, State, Timing, Variant, VariantGame, Year, masters_read_orders,
};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Location, Map, Power, Province, UnitKind};
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::{Position, Unit, UnitId};
use dipjudge_view::{Board, Destroyed, FilledSection, OrderLine, PhaseReport, Viewer};

/// Whose view a trial is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriedBy {
    /// The leader of the power.
    Leader,
    /// A master who acts as the power: what is sealed from masters is not in it.
    Master,
}

/// Why a phase cannot be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTriable {
    /// The phase is one of the variant's own, in which no unit is ordered.
    OwnPhase,
    /// What others may build or remove does not follow from what the power sees.
    OutOfSight,
    /// The state of the variant cannot be made from what the power knows of it.
    State,
}

/// Why a unit cannot be supposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitRefused {
    /// The province is in sight, and no such unit is there.
    InSight,
    /// Its kind is not named.
    NoKind,
    /// Such a unit cannot stand there.
    CannotStand,
    /// The coast of a fleet is not named.
    NoCoast,
}

/// A game built from the view of one power, with the orders that are tried so far.
#[derive(Clone)]
pub struct Trial<'v> {
    game: Game,
    variant: &'v dyn Variant,
    power: Power,
    /// What the power has in sight; `None` means the whole board.
    horizon: Option<BTreeSet<Province>>,
}

/// What comes of a trial.
pub struct TrialResult<'v> {
    before: Game,
    after: Game,
    played: Played,
    by: AdjudicatedBy,
    used_dice: bool,
    variant: &'v dyn Variant,
    power: Power,
    horizon: Option<BTreeSet<Province>>,
}

impl<'g> VariantGame<'g> {
    /// The phase in hand as a power sees it, with its orders as they stand.
    ///
    /// # Errors
    /// Why this phase cannot be tried. It depends on what the power knows alone.
    pub fn trial_for(self, power: Power, by: TriedBy, seed: Seed) -> Result<Trial<'g>, NotTriable> {
        match self.game.phase.phase_kind() {
            Some(PhaseKind::Movement | PhaseKind::Retreats) => {}
            Some(PhaseKind::Adjustments) if !self.hides_board() => {}
            Some(PhaseKind::Adjustments) => return Err(NotTriable::OutOfSight),
            _ => return Err(NotTriable::OwnPhase),
        }
        let access = self.trial_access(power, by);
        let sight = match by {
            TriedBy::Leader => self.sight_of(power),
            TriedBy::Master => self.lent_sight_of(power),
        };
        let keys = self.variant.write_state(&self.told_by(access));
        let mut game = self.seen_game(&sight, seed);
        apply(&mut game, Timestamp::UNIX_EPOCH, &nobody_seated());
        game.data =
            self.variant
                .first_state(&game.powers, &game.position, &game.settings, game.dice());
        let events = self
            .variant
            .read_state(&keys, &game)
            .map_err(|_| NotTriable::State)?;
        for event in &events {
            apply(&mut game, Timestamp::UNIX_EPOCH, event);
        }
        self.add_own_orders(&mut game, &sight, by);
        let trial = Trial {
            game,
            variant: self.variant,
            power,
            horizon: sight.horizon,
        };
        // A state that does not read back as it was told would be another one.
        let again = VariantGame::new(&trial.game, self.variant);
        let written = self
            .variant
            .write_state(&again.told_by(again.trial_access(power, by)));
        if written == keys {
            Ok(trial)
        } else {
            Err(NotTriable::State)
        }
    }

    fn trial_access(self, power: Power, by: TriedBy) -> Access<'g> {
        let access = self.seen_by(Viewer::Power(power)).access();
        match by {
            TriedBy::Leader => access,
            TriedBy::Master => access.lent(),
        }
    }

    /// The game with what a power sees of the board, and no orders.
    fn seen_game(self, sight: &Sight, seed: Seed) -> Game {
        let game = self.game;
        let bounded = sight.horizon.is_some();
        let mut position = Position::clone(&sight.position);
        if planted(Leak::Trial) {
            position.units.clone_from(&game.position.units);
        }
        if bounded {
            // The order of the list follows from what is not seen, too.
            position.units.sort_by_key(|unit| unit.at.to_string());
            position
                .dislodged
                .sort_by_key(|dislodged| dislodged.unit.at.to_string());
            let open = open_retreats(sight.map, &position);
            for dislodged in &mut position.dislodged {
                if dislodged.unit.power != sight.power {
                    dislodged.options = open(&dislodged.unit);
                }
            }
        }
        let years = if bounded {
            vec![Arc::new(Year {
                year: game.turn.year - 1,
                owners: position.owners.clone(),
                unused: BTreeMap::new(),
                limit: None,
            })]
        } else {
            game.years.clone()
        };
        let reader = Viewer::Power(sight.power);
        let labels = game.labels.iter().filter(|given| given.reader == reader);
        let standing = |power: Power| {
            let led = power == sight.power || bounded || !game.standing(power).vacant();
            Standing {
                holder: led.then_some(SEAT),
                ..Standing::default()
            }
        };
        Game {
            name: game.name.clone(),
            variant: game.variant.clone(),
            map: game.map.clone(),
            places: game.places.clone(),
            seed,
            state: State::Running,
            settings: game.settings.clone(),
            seats: Vec::new(),
            powers: Arc::clone(&sight.powers),
            labels: labels.cloned().collect(),
            standings: game
                .all_powers()
                .map(|power| (power, standing(power)))
                .collect(),
            stand_by: Vec::new(),
            offers: Vec::new(),
            postal: Vec::new(),
            turn: game.turn,
            phase: game.phase.clone(),
            number: game.number,
            position,
            last: game.last.clone().filter(|_| !bounded),
            years,
            past: Vec::new(),
            earlier: Vec::new(),
            timing: Timing {
                times: game.timing.times,
                created: game.timing.created,
                begun: game.timing.begun,
                processed: game.timing.processed,
                ..Timing::default()
            },
            data: Default::default(),
        }
    }

    /// The power's orders as they stand, and which units are lent to it.
    fn add_own_orders(self, game: &mut Game, sight: &Sight, by: TriedBy) {
        let mut own = sight.orders.clone();
        if by == TriedBy::Master {
            let access = self.seen_by(Viewer::Master).access();
            own.submissions.keep_open(&access, sight.power);
            if !masters_read_orders(self.game) {
                own = Default::default();
            }
        }
        let standing = game.standings.entry(sight.power).or_default();
        standing.orders = own;
        standing.submissions = sight.submissions.clone();
        for unit in &sight.borrowed {
            if let Some(owner) = sight.position.unit(*unit).map(|unit| unit.power) {
                let owner = game.standings.entry(owner).or_default();
                owner.orders.lent.insert(*unit, sight.power);
            }
        }
    }
}

/// The seat from which all powers of a trial are led.
const SEAT: SeatId = SeatId(0);

/// Puts a player whom nobody knows into that seat: who really leads a power is not in a trial.
fn nobody_seated() -> Event {
    Event::Seated {
        seat: SEAT,
        person: PersonId(0),
        address: String::new(),
        role: Role::Player,
        password: String::new(),
    }
}

/// Where a dislodged unit could go as far as the position tells.
fn open_retreats<'m>(
    map: &'m Map,
    position: &Position,
) -> impl Fn(&Unit) -> Vec<Location> + use<'m> {
    let taken: BTreeSet<Province> = position.units.iter().map(|unit| unit.at.province).collect();
    move |unit: &Unit| {
        let reach = map.reach(map.travel(unit.kind), unit.at).iter();
        let free = reach.filter(|place| !taken.contains(&place.province));
        free.copied().collect()
    }
}

impl<'v> Trial<'v> {
    /// The phase that is tried.
    pub fn phase(&self) -> &Phase {
        &self.game.phase
    }

    /// The power from whose view it is built.
    pub fn power(&self) -> Power {
        self.power
    }

    /// What orders of a power are checked by: the board as the trial has it, in the words of the power that tries.
    pub fn sight_of(&self, power: Power) -> Sight {
        let mut sight = VariantGame::new(&self.game, self.variant).sight_of(power);
        sight.powers = Arc::clone(&self.game.powers);
        sight.position = self.game.position.clone().into();
        sight.horizon.clone_from(&self.horizon);
        sight
    }

    /// Whether parts of the board are out of sight.
    pub fn is_bounded(&self) -> bool {
        self.horizon.is_some()
    }

    /// Whether a province is in sight.
    pub fn sees(&self, province: Province) -> bool {
        let horizon = self.horizon.as_ref();
        horizon.is_none_or(|horizon| horizon.contains(&province))
    }

    /// Whether a unit of the power stands in a province, or must retreat from it.
    pub fn has_unit(&self, power: Power, province: Province) -> bool {
        let position = &self.game.position;
        let dislodged = position.dislodged.iter().map(|one| &one.unit);
        let mut units = position.units.iter().chain(dislodged);
        units.any(|unit| unit.power == power && unit.at.province == province)
    }

    /// Puts a unit on the board that is out of sight.
    ///
    /// # Errors
    /// Why it cannot be there.
    pub fn suppose_unit(
        &mut self,
        power: Power,
        kind: Option<UnitKind>,
        at: Location,
    ) -> Result<(), UnitRefused> {
        let taken = self.game.position.standing(at.province).is_some();
        if self.sees(at.province) || taken || power == self.power {
            return Err(UnitRefused::InSight);
        }
        let kind = kind.ok_or(UnitRefused::NoKind)?;
        let map = self.game.map();
        let places = map.stations(map.travel(kind), at.province);
        let named = places.iter().find(|place| place.coast == at.coast);
        let at = match (named, places.as_slice()) {
            (Some(named), _) => *named,
            (None, [only]) => *only,
            (None, []) => return Err(UnitRefused::CannotStand),
            (None, _) => return Err(UnitRefused::NoCoast),
        };
        let id = self.game.position.free_id();
        self.game.position.units.push(Unit {
            id,
            power,
            kind,
            at,
        });
        Ok(())
    }

    /// Gives orders for a power.
    pub fn give(&mut self, power: Power, effects: Vec<Effect>) {
        for effect in effects {
            let event = effect.event(power);
            apply(&mut self.game, Timestamp::UNIX_EPOCH, &event);
        }
    }

    /// Gives a unit an order in place of the one that it has, whoever gave that.
    pub(super) fn replace_order(&mut self, unit: &Unit, action: Action) {
        let orders = &mut self.game.standings.entry(unit.power).or_default().orders;
        orders.lent.remove(&unit.id);
        orders.units.insert(unit.id, action);
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Adds a unit that a report told of, if it is not there.
    pub(super) fn see_unit(&mut self, unit: &Unit) {
        if self.game.position.unit(unit.id).is_none() {
            self.game.position.units.push(*unit);
        }
    }

    /// Adds what another power was read to have submitted.
    pub(super) fn add_submissions(
        &mut self,
        power: Power,
        submissions: BTreeMap<&str, &VariantData>,
    ) {
        let standing = self.game.standings.entry(power).or_default();
        for (slot, data) in submissions {
            standing.orders.submissions.put(slot, Some(data.clone()));
        }
    }

    pub(super) fn variant(&self) -> &'v dyn Variant {
        self.variant
    }

    /// Adjudicates the phase, and nothing after it.
    pub fn play(&self) -> Option<TrialResult<'v>> {
        let sheet = DrawSheet::default();
        let mut edit = GameEdit::of(&self.game, self.variant, Timestamp::UNIX_EPOCH);
        edit.draws = Some(&sheet);
        let by = phases::play(&mut edit).ok()?;
        let played = edit.events.iter().find_map(played_by)?;
        Some(TrialResult {
            before: self.game.clone(),
            after: edit.game,
            played,
            by,
            used_dice: !sheet.made().is_empty(),
            variant: self.variant,
            power: self.power,
            horizon: self.horizon.clone(),
        })
    }

    /// The results of the orders alone, for a search among many.
    pub(super) fn resolve(&self) -> Option<Played> {
        let mut edit = GameEdit::of(&self.game, self.variant, Timestamp::UNIX_EPOCH);
        phases::play(&mut edit).ok()?;
        edit.events.iter().find_map(played_by)
    }
}

fn played_by(event: &Event) -> Option<Played> {
    match event {
        Event::Played(played) => Some((**played).clone()),
        _ => None,
    }
}

impl TrialResult<'_> {
    pub(super) fn played(&self) -> &Played {
        &self.played
    }

    pub(super) fn before(&self) -> &Game {
        &self.before
    }

    fn view<'t>(&'t self, game: &'t Game) -> GameView<'t> {
        VariantGame::new(game, self.variant).seen_by(Viewer::Power(self.power))
    }

    /// The results, complete: everything in them was seen or supposed.
    pub fn report(&self) -> PhaseReport {
        let labels = &self.view(&self.before).labels();
        let (before, after) = (
            Naming::new(&self.before, labels),
            Naming::new(&self.after, labels),
        );
        let lines = |phase: Phase| {
            let mut lines = if self.played.phase == phase {
                before.lines_by_power(&self.played, &Visibility::whole())
            } else {
                Vec::new()
            };
            if self.horizon.is_some() {
                // The numbers of the powers are not their reader's to know.
                lines.sort_by(|one, other| {
                    let label =
                        |lines: &[OrderLine]| lines.first().map(|line| line.unit.power.clone());
                    label(one).cmp(&label(other))
                });
            }
            lines
        };
        let sections = match self.by {
            AdjudicatedBy::Engine => Vec::new(),
            AdjudicatedBy::Variant => self.sections(),
        };
        PhaseReport {
            title: VariantGame::new(&self.after, self.variant).phase_title(
                self.played.number,
                self.played.turn,
                &self.played.phase,
            ),
            movement: lines(Phase::Movement),
            retreats: lines(Phase::Retreats),
            winter: after.winter_by_power(&self.played),
            dislodged: self
                .played
                .position
                .dislodged
                .iter()
                .map(|dislodged| after.retreating(dislodged))
                .collect(),
            destroyed: self
                .played
                .destroyed
                .iter()
                .map(|unit| Destroyed {
                    unit: after.seen_unit(unit),
                })
                .collect(),
            centers: None,
            sections,
            reasons: before.reasons(&self.played, &Visibility::whole()),
            next: None,
        }
    }

    /// What a variant tells of a phase that it adjudicates itself.
    fn sections(&self) -> Vec<FilledSection> {
        let reader = Reader {
            viewer: Viewer::Power(self.power),
            zone: self.after.zone(),
            leads_now: false,
            by_name: true,
        };
        let told = self.view(&self.after).told();
        VariantGame::new(&self.after, self.variant)
            .read_by(&reader)
            .sections_told(self.variant.report(&told))
    }

    /// The board after the phase, with the orders that were tried. Provinces out of sight are drawn so.
    pub fn board(&self) -> Option<Board> {
        let view = self.view(&self.after);
        let pencil = Pencil::of(view, Visibility::whole())?;
        let mut board = pencil.results(&self.before, &self.played);
        let turn = self
            .variant
            .card()
            .turn_told(&self.played.phase, self.played.turn);
        board.title = format!(
            "{}: tried for {}",
            title_case(&self.after.name),
            self.variant.date(turn)
        );
        board.in_sight.clone_from(&self.horizon);
        Some(board)
    }

    /// Whether anything was drawn by lot, with dice that are not the game's.
    pub fn used_dice(&self) -> bool {
        self.used_dice
    }

    /// The result of one unit's order.
    pub(super) fn outcome_of(&self, unit: UnitId) -> Option<&Outcome> {
        let mut outcomes = self.played.outcomes.iter();
        outcomes.find(|outcome| outcome.unit.id == unit)
    }
}
