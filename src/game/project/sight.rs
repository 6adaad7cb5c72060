//! The information by which orders are checked: the board as the sender sees it (`visibility.md` 10.1, `consider`).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::GameView;

use crate::requirements::{Ask, Requirements};
use crate::{Access, Event, Game, Horizon, Orders, Phase, RememberedData, Submitted, VariantGame};
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province, ProvinceSet};
use dipjudge_rules::orders::{Overlay, VariantData};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};
use dipjudge_view::Viewer;

/// Decides whether something is in a viewer's sight.
pub(super) struct Visibility {
    limits: Option<Limits>,
    own: Option<Power>,
}

/// What is in sight where that is not all.
struct Limits {
    horizon: Horizon,
    /// Its provinces by their numbers, since each unit and each owner is looked up.
    provinces: ProvinceSet,
    map: &'static Map,
}

impl Limits {
    fn of(horizon: Horizon, map: &'static Map) -> Limits {
        let provinces = horizon.provinces.iter();
        Limits {
            provinces: provinces.filter_map(|at| map.number(*at)).collect(),
            horizon,
            map,
        }
    }

    fn watch(&self, province: Province) -> bool {
        let number = self.map.number(province);
        number.is_some_and(|number| self.provinces.has(number))
    }
}

impl Visibility {
    /// The unlimited sight.
    pub(super) fn whole() -> Visibility {
        Visibility {
            limits: None,
            own: None,
        }
    }

    /// Whether a unit is in sight.
    pub(super) fn sees(&self, unit: &Unit) -> bool {
        self.own == Some(unit.power)
            || self.limits.as_ref().is_none_or(|limits| {
                limits.watch(unit.at.province) || limits.horizon.glimpsed.contains(&unit.id)
            })
    }

    /// Whether a province is in sight, with its owner and whether it is empty.
    pub(super) fn watches(&self, province: Province) -> bool {
        self.limits
            .as_ref()
            .is_none_or(|limits| limits.watch(province))
    }

    /// The provinces in sight; `None` means the whole board.
    pub(super) fn provinces(&self) -> Option<&BTreeSet<Province>> {
        self.limits.as_ref().map(|limits| &limits.horizon.provinces)
    }

    /// A dislodged unit as this viewer knows it, without the retreats of other powers' units.
    fn of_dislodged(&self, dislodged: &Dislodged) -> Dislodged {
        if self.limits.is_none() || self.own == Some(dislodged.unit.power) {
            return dislodged.clone();
        }
        Dislodged {
            unit: dislodged.unit,
            attacker: None,
            options: Vec::new(),
        }
    }

    /// Whether anything at all may be hidden from this viewer.
    pub(super) fn is_bounded(&self) -> bool {
        self.limits.is_some()
    }
}

impl<'g> GameView<'g> {
    /// Units, dislodged units and owners that the viewer sees.
    pub(super) fn seen_position(self) -> Cow<'g, Position> {
        self.position_in(&self.visibility())
    }

    fn position_in(self, visibility: &Visibility) -> Cow<'g, Position> {
        let whole = &self.game.position;
        if !visibility.is_bounded() {
            return Cow::Borrowed(whole);
        }
        let units = whole.units.iter().filter(|unit| visibility.sees(unit));
        let dislodged = whole.dislodged.iter();
        let dislodged = dislodged.filter(|one| visibility.sees(&one.unit));
        let owners = whole.owners.iter().filter(|(province, owner)| {
            visibility.own == Some(**owner) || visibility.watches(**province)
        });
        Cow::Owned(Position {
            units: units.copied().collect(),
            dislodged: dislodged.map(|one| visibility.of_dislodged(one)).collect(),
            owners: owners
                .map(|(province, owner)| (*province, *owner))
                .collect(),
        })
    }

    /// What the viewer has in sight; `None` means the whole board.
    pub fn horizon(self) -> Option<Horizon> {
        if !self.variant_game().hides_board() {
            return None;
        }
        match self.viewer {
            Viewer::Master => None,
            Viewer::Power(power) => Some(self.variant.in_sight(self.game, power)),
            // Observers of such a game see its calendar and strangers its listing, but nothing of the board.
            Viewer::Observer | Viewer::Stranger => Some(Horizon::default()),
        }
    }

    /// The viewer's sight of the game as it is.
    pub(super) fn visibility(self) -> Visibility {
        let own = match self.viewer {
            Viewer::Power(power) => Some(power),
            _ => None,
        };
        let map = self.game.map();
        Visibility {
            limits: self.horizon().map(|horizon| Limits::of(horizon, map)),
            own,
        }
    }
}

/// What the lines of one mail have ordered so far, for use by the lines after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidSoFar {
    /// Units that were ordered.
    pub units: BTreeSet<UnitId>,
    /// The names of submissions of the variant's own that were stored.
    pub slots: BTreeSet<String>,
}

/// The board as one power sees it, with its own orders. Orders are checked by this alone, so replies cannot reveal what is
/// hidden.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The power whose sight it is.
    pub power: Power,
    /// Who gives its lines: its leader, or a master who acts as it. What is sealed from him is not in the sight.
    lines_of: Viewer,
    /// All powers, by their numbers, in this power's words.
    pub powers: Arc<[PowerInfo]>,
    /// The map.
    pub map: &'static Map,
    /// The turn in hand.
    pub turn: Turn,
    /// The phase in hand.
    pub phase: Phase,
    /// Units, dislodged units and owners in sight.
    pub position: Arc<Position>,
    /// The provinces in sight; `None` means the whole board. If it is limited, an order is refused only for reasons that follow
    /// from the map and the power's own units; nothing is noted or added from out of sight.
    pub horizon: Option<BTreeSet<Province>>,
    /// What is laid over the map this turn.
    pub overlay: Arc<Overlay>,
    /// What the power has ordered so far.
    pub orders: Orders,
    /// Submissions of the variant's own that outlast the phase.
    pub submissions: Submitted,
    /// What the variant shows to this power's lines (`Variant::visible_state`).
    pub own: RememberedData,
    /// What earlier lines of the same mail have ordered.
    pub said: SaidSoFar,
    /// Units lent to this power.
    pub borrowed: Vec<UnitId>,
    /// What the phase requires from this power; `None` if nothing.
    pub ask: Option<Ask>,
    /// Where the power may build, in a phase of adjustments.
    pub sites: Vec<Province>,
    /// Whether the phase in hand is the opening Winter, in which every home center gets a unit.
    pub opening: bool,
    /// Whether units may be lent in this game.
    pub proxy: bool,
    /// Whether a coast must be named where two are within reach.
    pub strict_coasts: bool,
    /// Whether it may remove units in Winter that it could keep.
    pub removes_at_will: bool,
}

impl Sight {
    /// The power's own submission of this name for the phase in hand.
    pub fn submitted(&self, slot: &str) -> Option<&VariantData> {
        self.orders.submissions.get(slot)
    }

    /// The power's own lasting submission of this name.
    pub fn kept(&self, slot: &str) -> Option<&VariantData> {
        self.submissions.get(slot)
    }

    /// Updates the sight after orders and submissions of its power, if nothing else of the game has changed.
    pub fn update_orders(&mut self, game: VariantGame<'_>) {
        let standing = game.game.standing(self.power);
        let submitted = standing.submissions != self.submissions
            || standing.orders.submissions != self.orders.submissions;
        self.orders.clone_from(&standing.orders);
        self.borrowed = borrowed(game.game, &self.position, self.power);
        let access = game.seen_by(self.lines_of).access();
        if submitted {
            self.submissions.clone_from(&standing.submissions);
            self.own = game.variant.visible_state(game.game, self.power, &access);
        }
        self.leave_out_sealed(&access);
    }

    /// Updates the sight after these events, if they give no more than orders of its power. Otherwise nothing is changed.
    #[must_use]
    pub fn note_orders(&mut self, later: &[Event]) -> bool {
        let gives_orders = |event: &Event| match event {
            Event::Ordered { power, .. } | Event::Adjusting { power, .. } => *power == self.power,
            _ => false,
        };
        if !later.iter().all(gives_orders) {
            return false;
        }
        for event in later {
            match event {
                Event::Ordered {
                    unit,
                    action,
                    named,
                    ..
                } => self.orders.order(*unit, action, *named),
                Event::Adjusting { orders, .. } => self.orders.winter.clone_from(orders),
                _ => {}
            }
        }
        true
    }

    /// Removes the power's submissions that are not open.
    fn leave_out_sealed(&mut self, access: &Access<'_>) {
        self.submissions.keep_open(access, self.power);
        self.orders.submissions.keep_open(access, self.power);
    }

    /// The names of the power's own lasting submissions.
    pub fn lasting(&self) -> impl Iterator<Item = &str> {
        self.submissions.slots()
    }
}

impl VariantGame<'_> {
    /// The sight of a power, for its leader.
    pub fn sight_of(self, power: Power) -> Sight {
        self.sight_for(power, Viewer::Power(power))
    }

    /// The sight of a power, for a master who acts as it: it holds what the power's submissions are only as far as a master may
    /// read them, and so does what the variant shows, so replies to his lines reveal nothing of the rest.
    pub fn lent_sight_of(self, power: Power) -> Sight {
        self.sight_for(power, Viewer::Master)
    }

    fn sight_for(self, power: Power, lines_of: Viewer) -> Sight {
        SightsOfPhase::of(self).sight_for(self, power, lines_of)
    }
}

/// What the sights of all powers have in common in one phase, made once for them. None of it depends on what powers have sent.
pub struct SightsOfPhase {
    requirements: Requirements,
    allowances: Option<Allowances>,
    overlay: Arc<Overlay>,
    /// The position, where all of it is in sight.
    position: Option<Arc<Position>>,
    /// What powers are called where nobody has a label for any.
    unlabelled: Option<Arc<[PowerInfo]>>,
}

impl SightsOfPhase {
    /// Of the phase in hand.
    pub fn of(game: VariantGame<'_>) -> SightsOfPhase {
        SightsOfPhase {
            requirements: game.requirements(),
            allowances: (game.game.phase == Phase::Adjustments).then(|| game.allowances()),
            overlay: game.variant.overlay(game.game).into(),
            position: None,
            unlabelled: None,
        }
    }

    /// The sight of a power, for its leader. `game` is the one that these are of, whatever was sent since.
    pub fn sight_of(&mut self, game: VariantGame<'_>, power: Power) -> Sight {
        self.sight_for(game, power, Viewer::Power(power))
    }

    fn sight_for(&mut self, of: VariantGame<'_>, power: Power, lines_of: Viewer) -> Sight {
        let VariantGame { game, variant } = of;
        let view = of.seen_by(Viewer::Power(power));
        let access = of.seen_by(lines_of).access();
        let visibility = view.visibility();
        let position = self.position_in(view, &visibility);
        let mut sight = Sight {
            power,
            lines_of,
            powers: self.powers_for(view),
            map: game.map(),
            turn: game.turn,
            horizon: visibility.limits.map(|limits| limits.horizon.provinces),
            phase: game.phase.clone(),
            borrowed: borrowed(game, &position, power),
            position,
            overlay: Arc::clone(&self.overlay),
            orders: game.standing(power).orders.clone(),
            submissions: game.standing(power).submissions.clone(),
            own: variant.visible_state(game, power, &access),
            said: SaidSoFar::default(),
            ask: self.requirements.due.get(&power).cloned(),
            sites: self
                .allowances
                .as_ref()
                .map_or_else(Vec::new, |allowances| allowances.sites(power)),
            opening: of.is_opening_winter(),
            proxy: game.settings.proxy,
            strict_coasts: game.settings.strict_coasts,
            removes_at_will: game.settings.any_disband,
        };
        sight.leave_out_sealed(&access);
        sight
    }

    fn position_in(&mut self, view: GameView<'_>, visibility: &Visibility) -> Arc<Position> {
        match view.position_in(visibility) {
            Cow::Owned(seen) => seen.into(),
            Cow::Borrowed(whole) => {
                let kept = self.position.get_or_insert_with(|| whole.clone().into());
                Arc::clone(kept)
            }
        }
    }

    fn powers_for(&mut self, view: GameView<'_>) -> Arc<[PowerInfo]> {
        if view.variant.own_labels().is_none() {
            return Arc::clone(&view.game.powers);
        }
        let words = || view.labels().into_words().into();
        if view.game.labels.is_empty() {
            return Arc::clone(self.unlabelled.get_or_insert_with(words));
        }
        words()
    }
}

/// Units in sight that are lent to a power.
fn borrowed(game: &Game, position: &Position, power: Power) -> Vec<UnitId> {
    let lent = game
        .standings
        .values()
        .flat_map(|standing| &standing.orders.lent);
    lent.filter(|(unit, to)| **to == power && position.unit(**unit).is_some())
        .map(|(unit, _)| *unit)
        .collect()
}
