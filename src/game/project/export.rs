//! A whole game as one reader may know it, for the saved-game format: each phase as it began, its orders and results.
//!
//! Where there is a horizon, foreign orders and the verdicts that depend on them are left out completely: what a reader may
//! conclude is in the positions (`visibility.md` 7, P9).

use std::collections::BTreeMap;

use super::{GameView, Labels};
use crate::apply::{NoCreation, apply, create};
use crate::planted::{Leak, planted};
use crate::{
    Access, Adjustment, BuildSites, Event, Game, Horizon, ORDERS, Phase, Played, Record, Variant,
    VariantGame,
};
use dipjudge_rules::adjudicator::{AdjustmentCounts, Mark};
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::{Action, NewUnit, Passage};
use dipjudge_rules::position::Unit;
use dipjudge_view::{ByPower, SavedBuilds, SavedGame, SavedPhase, Viewer};

/// An adjudicated phase of a game's log.
#[derive(Clone, Copy)]
pub(super) struct PlayedPhase<'g> {
    /// The game before it.
    pub(super) before: &'g Game,
    /// Its results.
    pub(super) played: &'g Played,
    /// The game after it.
    pub(super) after: &'g Game,
}

/// A game's log as a sequence of adjudicated phases, each with the game before and after it.
#[derive(Clone, Debug)]
pub struct Chronicle {
    phases: Vec<(Game, Played)>,
    /// Maps that powers were given, also those of phases that were rolled back: they were read.
    given: Vec<MapGiven>,
    now: Game,
}

/// A map that one power was given by another.
#[derive(Clone, Debug)]
pub(super) struct MapGiven {
    pub(super) of: Power,
    pub(super) to: Power,
    /// The game when it was given.
    pub(super) then: Game,
}

impl Chronicle {
    /// The story of a log, without phases that were rolled back.
    ///
    /// # Errors
    /// If the log does not begin with the creation of the game.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Result<Chronicle, NoCreation> {
        let mut story: Option<Chronicle> = None;
        for record in records {
            for event in &record.events {
                match &mut story {
                    None => {
                        story = Some(Chronicle {
                            phases: Vec::new(),
                            given: Vec::new(),
                            now: create(event, record.at)?,
                        });
                    }
                    Some(story) => story.happens(record, event),
                }
            }
        }
        story.ok_or(NoCreation)
    }

    fn happens(&mut self, record: &Record, event: &Event) {
        match event {
            Event::Played(played) => self.phases.push((self.now.clone(), (**played).clone())),
            Event::RolledBack { number, .. } => {
                self.phases.retain(|(_, played)| played.number < *number)
            }
            Event::Begun { .. } | Event::Unstarted => {
                self.phases.clear();
                self.given.clear();
            }
            Event::MapGiven { of, to } => self.given.push(MapGiven {
                of: *of,
                to: *to,
                then: self.now.clone(),
            }),
            _ => {}
        }
        apply(&mut self.now, record.at, event);
    }

    /// The adjudicated phases in order.
    pub(super) fn played(&self) -> impl Iterator<Item = PlayedPhase<'_>> {
        let behind = self.phases.iter().skip(1).map(|(game, _)| game);
        let behind = behind.chain([&self.now]);
        let phases = self.phases.iter().zip(behind);
        phases.map(|((before, played), after)| PlayedPhase {
            before,
            played,
            after,
        })
    }

    /// The last map that a power was given by another.
    pub(super) fn last_given(&self, to: Power, of: Power) -> Option<&MapGiven> {
        let mut given = self.given.iter().rev();
        given.find(|map| (map.to, map.of) == (to, of))
    }

    /// The game as it stands at the end of the log.
    pub fn now(&self) -> &Game {
        &self.now
    }

    /// The story, to the extent that one viewer may know it.
    pub fn seen_by<'g>(&'g self, variant: &'g dyn Variant, viewer: Viewer) -> ChronicleView<'g> {
        ChronicleView {
            chronicle: self,
            variant,
            viewer,
        }
    }
}

/// The extent to which one viewer may know a game's story.
#[derive(Clone, Copy)]
pub struct ChronicleView<'g> {
    pub(super) chronicle: &'g Chronicle,
    variant: &'g dyn Variant,
    viewer: Viewer,
}

impl<'g> ChronicleView<'g> {
    /// What the viewer may know of the game at one moment of the story.
    pub(super) fn of(self, game: &'g Game) -> GameView<'g> {
        VariantGame::new(game, self.variant).seen_by(self.viewer)
    }

    /// An adjudicated phase by its name.
    pub(super) fn phase(self, name: PhaseName) -> Option<PlayedPhase<'g>> {
        let card = self.variant.card();
        self.chronicle
            .played()
            .find(|phase| card.names(&phase.played.phase, phase.played.turn, name))
    }

    /// The name of an adjudicated phase, as a mail writes it.
    pub(super) fn name_of(self, phase: PlayedPhase<'_>) -> String {
        let card = self.variant.card();
        let name = card.phase_name(&phase.played.phase, phase.played.turn);
        name.in_mail()
    }

    /// The whole game, to the extent that the viewer may know it.
    pub fn export(self) -> SavedGame {
        let now = self.chronicle.now();
        let labels = &self.of(now).labels();
        let mut phases: Vec<SavedPhase> = self
            .chronicle
            .phases
            .iter()
            .map(|(before, played)| {
                Page::of(self.of(before), labels, now.over()).adjudicated(played)
            })
            .collect();
        if now.begun() {
            phases.push(Page::of(self.of(now), labels, now.over()).in_hand());
        }
        SavedGame {
            id: now.name.clone(),
            map: now.map.clone(),
            variant: now.variant.clone(),
            rules: rules(now),
            seed: now.over().then(|| now.seed.to_hex()),
            phases,
        }
    }
}

/// The name of the package's rules for a game that it knows.
fn rules(game: &Game) -> Vec<String> {
    let any = game.settings.build_sites == BuildSites::Any;
    [(any, "BUILD_ANY"), (!game.settings.has_press(), "NO_PRESS")]
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, word)| (*word).to_owned())
        .collect()
}

/// One phase, and the extent of its reader's sight.
struct Page<'g> {
    view: GameView<'g>,
    /// What the reader calls the powers now.
    labels: &'g Labels<'g>,
    horizon: Option<Horizon>,
    /// Whether the game is over now, so that nothing of it is hidden any more.
    ended: bool,
}

impl<'g> Page<'g> {
    fn of(view: GameView<'g>, labels: &'g Labels<'g>, ended: bool) -> Page<'g> {
        Page {
            view,
            labels,
            horizon: if ended { None } else { view.horizon() },
            ended,
        }
    }

    fn is_own(&self, power: Power) -> bool {
        self.view.viewer == Viewer::Power(power)
    }

    fn sees(&self, province: Province) -> bool {
        self.horizon
            .as_ref()
            .is_none_or(|horizon| horizon.provinces.contains(&province))
    }

    /// Whether the reader owned a center at the end of some year, for the planted leak.
    fn once_owned(&self, center: Province) -> bool {
        let mut years = self.view.game.years.iter();
        planted(Leak::LostCenter)
            && years.any(|year| {
                let owner = year.owners.get(&center);
                owner.is_some_and(|owner| self.is_own(*owner))
            })
    }

    fn sees_unit(&self, unit: &Unit) -> bool {
        let shown = |horizon: &Horizon| horizon.shows(unit);
        self.is_own(unit.power) || self.horizon.as_ref().is_none_or(shown)
    }

    /// Whether this reader may know a power's own affairs: counts, builds, retreats, results.
    fn sees_affairs_of(&self, power: Power) -> bool {
        self.horizon.is_none() || self.is_own(power)
    }

    fn key(&self, power: Power) -> String {
        self.labels.key(power).to_owned()
    }

    fn own_access(&self) -> Access<'g> {
        if self.ended {
            self.view.variant_game().access_after_the_end()
        } else {
            self.view.access()
        }
    }

    /// An entry for every power that the reader knows of, so that a list is empty rather than missing.
    fn each_power<T: Default>(&self) -> BTreeMap<String, T> {
        self.labels
            .known()
            .map(|power| (self.key(power), T::default()))
            .collect()
    }

    /// How the phase began.
    fn state(&self, name: String) -> SavedPhase {
        let game = self.view.game;
        let (mut units, mut centers) = (self.each_power::<Vec<String>>(), self.each_power());
        let mut retreats = self.each_power::<ByPower>();
        let standing = game.position.units.iter().map(|unit| (unit, ""));
        let dislodged = game.position.dislodged.iter().map(|d| (&d.unit, "*"));
        for (unit, star) in standing.chain(dislodged) {
            if self.sees_unit(unit) && self.view.variant.is_saved_as_unit(unit) {
                let list = units.entry(self.key(unit.power)).or_default();
                list.push(format!("{star}{}", named(unit)));
            }
        }
        for dislodged in &game.position.dislodged {
            let power = dislodged.unit.power;
            let seen = self.sees_unit(&dislodged.unit);
            if self.sees_affairs_of(power) || seen && planted(Leak::RetreatOptions) {
                let options = dislodged.options.iter().map(ToString::to_string).collect();
                retreats
                    .entry(self.key(power))
                    .or_default()
                    .insert(named(&dislodged.unit), options);
            }
        }
        for (center, owner) in &game.position.owners {
            if self.is_own(*owner) || self.sees(*center) || self.once_owned(*center) {
                let list: &mut Vec<String> = centers.entry(self.key(*owner)).or_default();
                list.push(center.to_string());
            }
        }
        for list in centers.values_mut() {
            list.sort();
        }
        if !planted(Leak::SavedOrder) {
            units.values_mut().for_each(|list| list.sort());
        }
        SavedPhase {
            name,
            units,
            centers,
            homes: self.homes(),
            retreats,
            builds: self.builds(),
            own: self
                .view
                .variant
                .write_state(&VariantGame::new(game, self.view.variant).told_by(self.own_access()))
                .into_iter()
                .collect(),
            ..SavedPhase::default()
        }
    }

    fn homes(&self) -> ByPower {
        let map = self.view.game.map();
        let homes = |power: Power| {
            let own = self.view.game.key(power);
            let fixed = (0u8..)
                .zip(map.powers())
                .find(|(_, info)| info.key == own)?;
            let mut homes: Vec<String> = map
                .homes(Power(fixed.0))
                .iter()
                .map(ToString::to_string)
                .collect();
            homes.sort();
            Some(homes)
        };
        self.labels
            .known()
            .map(|power| (self.key(power), homes(power).unwrap_or_default()))
            .collect()
    }

    fn builds(&self) -> BTreeMap<String, SavedBuilds> {
        let mut all = self.each_power::<SavedBuilds>();
        if self.view.game.phase != Phase::Adjustments || self.view.game.over() {
            return all;
        }
        let allowances = self.view.variant_game().allowances();
        for power in self.view.game.all_powers() {
            if !self.sees_affairs_of(power) {
                continue;
            }
            let AdjustmentCounts {
                builds, removals, ..
            } = allowances.counts(power);
            let entry = all.entry(self.key(power)).or_default();
            entry.count = builds as i64 - removals as i64;
            if builds > 0 {
                entry.homes = allowances
                    .sites(power)
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                entry.homes.sort();
            }
        }
        all
    }

    /// A phase that is over, with the public part of its orders and results.
    fn adjudicated(&self, played: &Played) -> SavedPhase {
        let mut phase = self.state(
            self.view
                .variant
                .card()
                .phase_name(&played.phase, played.turn)
                .to_string(),
        );
        phase.orders = self.each_power();
        for outcome in &played.outcomes {
            let unit = &outcome.unit;
            if !self.sees_affairs_of(unit.power) {
                continue;
            }
            if let Some(action) = &outcome.action {
                let list = phase.orders.entry(self.key(unit.power)).or_default();
                list.push(self.order(unit, action));
            }
            let mut marks: Vec<Mark> = outcome.marks.clone();
            if played.position.unit(unit.id).is_none() && !marks.contains(&Mark::Disband) {
                marks.push(Mark::Disband);
            }
            phase.results.insert(named(unit), self.marks(&marks));
        }
        for adjusted in &played.adjusted {
            let waived = adjusted.what == Adjustment::Waived && planted(Leak::SavedWaive);
            if self.sees_affairs_of(adjusted.power) || waived {
                let orders = phase.orders.entry(self.key(adjusted.power)).or_default();
                adjust(orders, &mut phase.results, &adjusted.what);
            }
        }
        phase
    }

    /// Marks to the extent that this reader may know them. A verdict that depends on a hidden partner would reveal it, so where
    /// there is a horizon, a mark that depends on others' orders is left out unless the unit itself suffered it.
    fn marks(&self, marks: &[Mark]) -> Vec<String> {
        let told = |mark: &&Mark| {
            self.horizon.is_none() || matches!(mark, Mark::Bounce | Mark::Dislodged | Mark::Disband)
        };
        marks
            .iter()
            .filter(told)
            .map(|mark| mark.code().to_owned())
            .collect()
    }

    /// The phase in hand: only standing orders that the reader may read, without results.
    fn in_hand(&self) -> SavedPhase {
        let game = self.view.game;
        let name = if self.ended {
            "COMPLETED".to_owned()
        } else {
            game.phase_name(self.view.variant).to_string()
        };
        let mut phase = self.state(name);
        phase.orders = self.each_power();
        if self.ended {
            return phase;
        }
        for (power, standing) in &game.standings {
            if !self.reads_orders_of(*power) {
                continue;
            }
            let orders = phase.orders.entry(self.key(*power)).or_default();
            for (id, action) in &standing.orders.units {
                if let Some(unit) = game.position.unit(*id) {
                    orders.push(self.order(unit, action));
                }
            }
            let winter = standing.orders.winter.iter();
            orders.extend(winter.filter_map(|action| self.winter_order(action)));
        }
        phase
    }

    fn reads_orders_of(&self, power: Power) -> bool {
        let access = self.view.access();
        planted(Leak::Export) || access.opens(&ORDERS, power)
    }

    fn winter_order(&self, action: &Action) -> Option<String> {
        match action {
            Action::Build(NewUnit { kind, at }) => Some(format!("{kind} {at} B")),
            Action::Remove { at } => {
                let unit = self.view.game.position.standing(*at)?;
                Some(format!("{} D", named(unit)))
            }
            Action::Waive => Some("WAIVE".to_owned()),
            _ => None,
        }
    }

    /// An order in the package's notation. The kind of another unit is added only if the reader sees it.
    fn order(&self, unit: &Unit, action: &Action) -> String {
        let other = |province: Province| {
            let standing = self.view.game.position.standing(province);
            standing
                .filter(|unit| self.sees_unit(unit) || planted(Leak::PartnerKind))
                .map_or_else(|| province.to_string(), named)
        };
        let own = named(unit);
        match action {
            Action::SupportHold { at } => format!("{own} S {}", other(*at)),
            Action::SupportMove { from, to } => format!("{own} S {} - {to}", other(*from)),
            Action::Convoy { from, to } => format!("{own} C {} - {to}", other(*from)),
            Action::Move {
                to,
                by: Passage::Route(seas),
            } => {
                let route: String = seas.iter().map(|sea| format!("{sea} - ")).collect();
                format!("{own} - {route}{to}")
            }
            action => action.order_text(unit.kind, unit.at),
        }
    }
}

/// `F STP/SC`
fn named(unit: &Unit) -> String {
    format!("{} {}", unit.kind, unit.at)
}

fn adjust(orders: &mut Vec<String>, results: &mut ByPower, what: &Adjustment) {
    match what {
        Adjustment::Built(unit) => {
            orders.push(format!("{} B", named(unit)));
            results.insert(named(unit), Vec::new());
        }
        Adjustment::Removed(unit) => {
            orders.push(format!("{} D", named(unit)));
            results.insert(named(unit), vec![Mark::Disband.code().to_owned()]);
        }
        // A power without orders.
        Adjustment::Defaulted(unit) => {
            results.insert(named(unit), vec![Mark::Disband.code().to_owned()]);
        }
        Adjustment::Waived => orders.push("WAIVE".to_owned()),
        Adjustment::Unusable(_) | Adjustment::Saved(_) => {}
    }
}
