//! What is offered to somebody by mail: to become a master, to lead a power, or to lead it for a time.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::people::{PersonId, SeatId};
use super::{Game, State};
use dipjudge_rules::map::Power;

/// An offer that has been sent and is not closed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Random, so that an answer to one offer is never an answer to another.
    pub id: String,
    /// The address to which it was sent.
    pub address: String,
    /// What is offered.
    pub what: Offered,
}

/// What is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offered {
    /// To become a master of the game.
    Master,
    /// To lead a power for a time.
    Substitution(Substitution),
    /// To lead a power that has no leader.
    Power(Power),
}

/// That somebody leads a power in place of its player for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitution {
    /// The power.
    pub power: Power,
    /// When he begins.
    pub from: Timestamp,
    /// When the power goes back.
    pub until: Timestamp,
    /// How far it has come.
    pub state: SubstitutionState,
}

/// How far a substitution has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubstitutionState {
    /// He has not answered.
    Asked,
    /// He has agreed, and does not lead yet.
    Agreed(PersonId),
    /// He leads.
    Leads {
        /// His seat.
        seat: SeatId,
        /// The seat of the player for whom he leads.
        instead_of: SeatId,
    },
}

impl Substitution {
    /// When the clock has to look at it: at its beginning once he has agreed, else at its end.
    fn due(&self) -> Timestamp {
        match self.state {
            SubstitutionState::Agreed(_) => self.from,
            SubstitutionState::Asked | SubstitutionState::Leads { .. } => self.until,
        }
    }
}

impl Game {
    /// An open offer.
    pub fn offer(&self, id: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.id == id)
    }

    /// The substitution for a power that is asked for, agreed on or going on.
    pub fn substitution(&self, power: Power) -> Option<(&Offer, &Substitution)> {
        self.offers.iter().find_map(|offer| match &offer.what {
            Offered::Substitution(one) if one.power == power => Some((offer, one)),
            Offered::Substitution(_) | Offered::Master | Offered::Power(_) => None,
        })
    }

    /// The substitution that has to begin or end next, and when.
    pub(super) fn substitution_due(&self) -> Option<(Timestamp, String)> {
        if !matches!(self.state, State::Running | State::Paused) {
            return None;
        }
        let due = self.offers.iter().filter_map(|offer| match &offer.what {
            Offered::Substitution(one) => Some((one.due(), offer.id.clone())),
            Offered::Master | Offered::Power(_) => None,
        });
        due.min()
    }
}
