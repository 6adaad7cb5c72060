//! The state of a game of Bridge beside the board. All of it is public except the running bids.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Bridge;
use crate::data_of;
use dipjudge_game::{Access, Event, Game, KeptState, Sealed, StateKey, SubmissionKind};
use dipjudge_rules::map::{Power, Province, UnitKind};
use dipjudge_rules::orders::VariantData;

/// The state of a game of Bridge (rules page, section 1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BridgeState {
    /// Fortified centers and their owners.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) forts: BTreeMap<Province, Power>,
    /// How many units a power may have beyond its centers, or fewer than its centers; 0 where it is missing.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) balance: BTreeMap<Power, i32>,
    /// The running bids: secret until the next Winter opens.
    #[serde(skip_serializing)]
    pub(super) bids: BTreeMap<Power, SealedBid>,
    /// Forts due, within a Winter.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) due: BTreeMap<Power, usize>,
    /// What came of the bids that were revealed, within a Winter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revealed: Option<Revealed>,
    /// Forts that fell in the last movement phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) lost: Vec<LostFort>,
    /// Centers fortified in the last Winter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) built: Vec<Province>,
}

/// A bid as a reader who may see it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bid {
    /// Centers held when it was made: public.
    pub(super) held: usize,
    /// Centers that its power says it will hold; `None` for a bid that never came, where that is a failure.
    pub(super) bid: Option<usize>,
}

/// A running bid. Every position that is remembered holds one for each power, so they are kept short: `[held, bid]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "StoredBid")]
pub(super) struct SealedBid {
    /// Centers held when it was made: public.
    pub(super) held: usize,
    /// Centers that its power says it will hold.
    bid: Sealed<Option<usize>>,
}

/// How a bid is stored.
type StoredBid = (usize, Sealed<Option<usize>>);

impl From<StoredBid> for SealedBid {
    fn from((held, bid): StoredBid) -> SealedBid {
        SealedBid { held, bid }
    }
}

impl From<Bid> for SealedBid {
    fn from(bid: Bid) -> SealedBid {
        SealedBid {
            held: bid.held,
            bid: Sealed::new(bid.bid),
        }
    }
}

/// The state with the running bids, as a game keeps it.
#[derive(Serialize)]
struct KeptBridge<'s> {
    #[serde(flatten)]
    state: &'s BridgeState,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bids: BTreeMap<Power, (usize, &'s Option<usize>)>,
}

/// The result of a bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// Fewer centers than bid (or no bid where that is a failure): one unit less for good.
    Short,
    /// As many as bid, and as before.
    Level,
    /// As many as bid, which is more than before: one unit more for good.
    Exact,
    /// More than bid: a fort for each center above it.
    Over,
}

impl Outcome {
    /// As reports name it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Outcome::Short => "short",
            Outcome::Level => "level",
            Outcome::Exact => "exact",
            Outcome::Over => "over",
        }
    }
}

/// One power's line when the bids are revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reckoned {
    pub(super) power: Power,
    /// Centers held when bidding.
    pub(super) held: usize,
    /// The bid; `None` if none came and that is a failure.
    pub(super) bid: Option<usize>,
    /// Centers owned after Fall.
    pub(super) centers: usize,
    pub(super) units: usize,
    pub(super) outcome: Outcome,
    pub(super) balance: i32,
    /// Forts due now.
    pub(super) forts: usize,
}

impl Reckoned {
    /// Units that the power may have now.
    pub(super) fn allowed(&self) -> i32 {
        count(self.centers) + self.balance
    }

    /// Builds if positive, removals if negative.
    pub(super) fn change(&self) -> i32 {
        self.allowed() - count(self.units)
    }
}

/// A number of units or centers, for sums that may be negative.
pub(super) fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The bids of a year with what came of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Revealed {
    /// The year whose Winter opened.
    pub(super) year: i32,
    /// One line for each power that had a bid.
    pub(super) lines: Vec<Reckoned>,
}

/// A fort that fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LostFort {
    pub(super) province: Province,
    pub(super) owner: Power,
    pub(super) by: Power,
    pub(super) kind: UnitKind,
}

impl BridgeState {
    /// The state of a game.
    pub(super) fn of(game: &Game) -> BridgeState {
        game.state::<Bridge>()
    }

    /// The same, for what only looks at it.
    pub(super) fn known(game: &Game) -> Cow<'_, BridgeState> {
        game.known_state::<Bridge>()
    }

    /// The state as events keep it.
    pub(super) fn kept(&self) -> KeptState {
        KeptState::of(self.clone(), BridgeState::written)
    }

    fn written(&self, key: &StateKey) -> VariantData {
        let bids = self.bids.iter();
        let bids: BTreeMap<Power, (usize, &Option<usize>)> = bids
            .map(|(power, bid)| (*power, (bid.held, key.written(&bid.bid))))
            .collect();
        data_of(&KeptBridge { state: self, bids })
    }

    /// The event that makes this the state of a game, unless it is already.
    pub(super) fn change(&self, game: &Game) -> Option<Event> {
        (*self != BridgeState::of(game)).then(|| Event::Data { data: self.kept() })
    }

    /// The running bids that are open.
    pub(super) fn opened_bids(
        &self,
        kind: &SubmissionKind,
        access: &Access<'_>,
    ) -> BTreeMap<Power, Bid> {
        let opened = |(power, sealed): (&Power, &SealedBid)| {
            let bid = *sealed.bid.open(kind, *power, access)?;
            let held = sealed.held;
            Some((*power, Bid { held, bid }))
        };
        self.bids.iter().filter_map(opened).collect()
    }

    /// Units that a power may have beyond its centers.
    pub(super) fn balance(&self, power: Power) -> i32 {
        self.balance.get(&power).copied().unwrap_or(0)
    }

    /// Sets a balance.
    pub(super) fn set_balance(&mut self, power: Power, balance: i32) {
        match balance {
            0 => self.balance.remove(&power),
            balance => self.balance.insert(power, balance),
        };
    }

    /// Forts due to a power this Winter.
    pub(super) fn due(&self, power: Power) -> usize {
        self.due.get(&power).copied().unwrap_or(0)
    }
}
