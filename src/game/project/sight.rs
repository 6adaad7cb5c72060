//! What an order is considered by: the board as its sender sees it (`visibility.md` 10.1, `consider`).

use std::collections::{BTreeMap, BTreeSet};

use super::GameView;

use crate::requirements::Ask;
use crate::{Game, Horizon, Orders, Phase, Submitted, VariantGame};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::orders::{Overlay, VariantData};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};
use dipjudge_view::Viewer;

/// Decides whether something is in a viewer's sight.
pub(super) struct Visibility {
    horizon: Option<Horizon>,
    own: Option<Power>,
}

impl Visibility {
    /// The sight from which nothing is hidden.
    pub(super) fn whole() -> Visibility {
        Visibility {
            horizon: None,
            own: None,
        }
    }

    /// Whether a unit is in sight.
    pub(super) fn sees(&self, unit: &Unit) -> bool {
        self.own == Some(unit.power)
            || self
                .horizon
                .as_ref()
                .is_none_or(|horizon| horizon.shows(unit))
    }

    /// Whether a province is in sight: who owns it, and whether it is empty.
    pub(super) fn watches(&self, province: Province) -> bool {
        self.horizon
            .as_ref()
            .is_none_or(|horizon| horizon.provinces.contains(&province))
    }

    /// The provinces in sight; none is the whole board.
    pub(super) fn provinces(&self) -> Option<&BTreeSet<Province>> {
        self.horizon.as_ref().map(|horizon| &horizon.provinces)
    }

    /// A dislodged unit as this viewer knows it: where another's can go is not for the viewer to know.
    fn of_dislodged(&self, dislodged: &Dislodged) -> Dislodged {
        if self.horizon.is_none() || self.own == Some(dislodged.unit.power) {
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
        self.horizon.is_some()
    }
}

impl GameView<'_> {
    /// What the viewer has in sight; `None` is the whole board.
    pub fn horizon(self) -> Option<Horizon> {
        if !self.variant_game().hides_board() {
            return None;
        }
        match self.viewer {
            Viewer::Master => None,
            Viewer::Power(power) => Some(self.variant.in_sight(self.game, power)),
            // Observers of such a game see its calendar, strangers its listing: nothing of the board.
            Viewer::Observer | Viewer::Stranger => Some(Horizon::default()),
        }
    }

    /// What the viewer sees of the game as it is.
    pub(super) fn visibility(self) -> Visibility {
        let own = match self.viewer {
            Viewer::Power(power) => Some(power),
            _ => None,
        };
        Visibility {
            horizon: self.horizon(),
            own,
        }
    }
}

/// What the lines of one mail have said so far, as the lines behind them should know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidSoFar {
    /// Units that were ordered.
    pub units: BTreeSet<UnitId>,
    /// What was put down of the variant's own, by its names.
    pub slots: BTreeSet<String>,
}

/// The board as one power sees it, with its own orders. Orders are considered by this alone, so that an answer
/// cannot betray what is hidden.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The power whose sight it is.
    pub power: Power,
    /// All powers, by their numbers, in the words by which this one calls them.
    pub powers: Vec<PowerInfo>,
    /// The map.
    pub map: &'static Map,
    /// The turn in hand.
    pub turn: Turn,
    /// The phase in hand.
    pub phase: Phase,
    /// Units, dislodged units and owners in sight.
    pub position: Position,
    /// The provinces in sight; `None` is the whole board. Where it is some, an order is refused for what the map and the
    /// own units say alone; what stands out of sight is neither commented nor filled in.
    pub horizon: Option<BTreeSet<Province>>,
    /// What is laid over the map this turn.
    pub overlay: Overlay,
    /// What the power has ordered so far.
    pub orders: Orders,
    /// Submissions of the variant's own that outlast the phase.
    pub submissions: Submitted,
    /// What the variant lets this power's lines know (`Variant::visible_state`).
    pub own: VariantData,
    /// What earlier lines of the same mail have said.
    pub said: SaidSoFar,
    /// Units lent to this power.
    pub borrowed: Vec<UnitId>,
    /// What the phase wants from this power; `None` if nothing.
    pub ask: Option<Ask>,
    /// Where the power may build.
    pub sites: Vec<Province>,
    /// The phase in hand is the opening Winter, in which every home center gets a unit.
    pub opening: bool,
    /// Whether units may be lent in this game.
    pub proxy: bool,
    /// Whether a coast must be named where two are within reach.
    pub strict_coasts: bool,
}

impl Sight {
    /// What the power itself has put down under a name for the phase in hand.
    pub fn submitted(&self, slot: &str) -> Option<&VariantData> {
        self.orders.submissions.get(slot)
    }

    /// What the power itself has put down under a name until it takes it back.
    pub fn kept(&self, slot: &str) -> Option<&VariantData> {
        self.submissions.get(slot)
    }

    /// Brings the sight up to date after orders and submissions of its power, while all else of the game is as it was.
    pub fn update_orders(&mut self, game: VariantGame<'_>) {
        let standing = game.game.standing(self.power);
        let submitted = standing.submissions != self.submissions
            || standing.orders.submissions != self.orders.submissions;
        self.orders.clone_from(&standing.orders);
        self.borrowed = borrowed(game.game, &self.position, self.power);
        self.ask = game.ask(self.power);
        if submitted {
            let access = game.seen_by(Viewer::Power(self.power)).access();
            self.submissions.clone_from(&standing.submissions);
            self.own = game.variant.visible_state(game.game, self.power, &access);
        }
    }

    /// The same for the sight of [`VariantGame::lent_sight_of`].
    pub fn update_lent_orders(&mut self, game: VariantGame<'_>) {
        self.update_orders(game);
        self.leave_out_sealed(game);
    }

    /// Leaves out what the power has submitted and masters may not read.
    fn leave_out_sealed(&mut self, game: VariantGame<'_>) {
        let access = game.seen_by(Viewer::Master).access();
        self.submissions.keep_open(&access, self.power);
    }

    /// The names under which the power itself has put something down until it takes it back.
    pub fn lasting(&self) -> impl Iterator<Item = &str> {
        self.submissions.slots()
    }
}

impl VariantGame<'_> {
    /// What a power sees.
    pub fn sight_of(self, power: Power) -> Sight {
        let view = self.seen_by(Viewer::Power(power));
        let visibility = view.visibility();
        let access = view.access();
        let position = Position {
            units: self
                .game
                .position
                .units
                .iter()
                .filter(|unit| visibility.sees(unit))
                .cloned()
                .collect(),
            dislodged: self
                .game
                .position
                .dislodged
                .iter()
                .filter(|dislodged| visibility.sees(&dislodged.unit))
                .map(|dislodged| visibility.of_dislodged(dislodged))
                .collect(),
            owners: seen_owners(self.game, &visibility, power),
        };
        Sight {
            power,
            powers: view.labels().words().to_vec(),
            map: self.game.map(),
            turn: self.game.turn,
            horizon: visibility.horizon.map(|horizon| horizon.provinces),
            phase: self.game.phase.clone(),
            borrowed: borrowed(self.game, &position, power),
            position,
            overlay: self.variant.overlay(self.game),
            orders: self.game.standing(power).orders.clone(),
            submissions: self.game.standing(power).submissions.clone(),
            own: self.variant.visible_state(self.game, power, &access),
            said: SaidSoFar::default(),
            ask: self.ask(power),
            sites: self.allowances().sites(power),
            opening: self.is_opening_winter(),
            proxy: self.game.settings.proxy,
            strict_coasts: self.game.settings.strict_coasts,
        }
    }

    /// What a power sees, for a master who acts as it: what it has submitted until it takes it back is there as far as a master may
    /// read it, so that no answer to his lines tells of the rest.
    pub fn lent_sight_of(self, power: Power) -> Sight {
        let mut sight = self.sight_of(power);
        sight.leave_out_sealed(self);
        sight
    }

    fn ask(self, power: Power) -> Option<Ask> {
        self.requirements().due.remove(&power)
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

fn seen_owners(game: &Game, visibility: &Visibility, power: Power) -> BTreeMap<Province, Power> {
    let seen =
        |province: &Province, owner: &Power| *owner == power || visibility.watches(*province);
    game.position
        .owners
        .iter()
        .filter(|(province, owner)| seen(province, owner))
        .map(|(p, o)| (*p, *o))
        .collect()
}
