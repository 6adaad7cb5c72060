//! The effects of a player's line, checked against what the player sees.

use super::{Event, Orders};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::UnitId;

/// One effect of a player's line.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A unit gets an order.
    Order(UnitId, Action),
    /// A unit loses its order.
    Withdraw(UnitId),
    /// A unit is lent to another power.
    Lend(UnitId, Power),
    /// The power's adjustments are now these.
    Adjust(Vec<Action>),
    /// A submission of the variant's own is stored or, without data, withdrawn: a bid, a standing choice.
    Submission(Submission),
}

impl Effect {
    /// The event that records this effect.
    pub fn event(self, power: Power) -> Event {
        match self {
            Effect::Order(unit, action) => Event::Ordered {
                power,
                unit,
                action,
                named: None,
            },
            Effect::Withdraw(unit) => Event::Lent {
                power,
                unit,
                to: None,
            },
            Effect::Lend(unit, to) => Event::Lent {
                power,
                unit,
                to: Some(to),
            },
            Effect::Adjust(orders) => Event::Adjusting { power, orders },
            Effect::Submission(Submission {
                name,
                data,
                lasting,
            }) => Event::Submitted {
                power,
                name,
                data,
                lasting,
            },
        }
    }
}

/// A submission of the variant's own, by a name that the variant chooses. Its kind decides who reads it, and when
/// (`SubmissionKind`).
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Its name; a later submission of that name replaces it.
    pub name: String,
    /// Its content; `None` withdraws it.
    pub data: Option<VariantData>,
    /// Whether it is kept until the variant withdraws it; otherwise it is dropped with the orders of the phase.
    pub lasting: bool,
}

/// A line that is accepted, with notes for its sender.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Considered {
    /// Its effects, in order.
    pub effects: Vec<Effect>,
    /// Sentences for the sender; none of them is an error.
    pub notes: Vec<String>,
}

impl Submission {
    /// Whose unit in a shared province a unit's support or convoy means; the sender's own if no power is named. It is stored
    /// beside the order, which names places only.
    pub fn meaning(unit: UnitId, power: Option<Power>) -> Submission {
        Submission {
            name: meaning(unit),
            data: power.map(|power| VariantData::from(serde_json::Value::from(power.0))),
            lasting: false,
        }
    }
}

impl Orders {
    /// Whose unit in a shared province this unit's support or convoy means, if that was stored (`Submission::meaning`).
    pub fn meant(&self, unit: UnitId) -> Option<Power> {
        // Most powers mean no shared provinces, so no name is made for nothing.
        if self.submissions.is_empty() {
            return None;
        }
        self.submissions.get(&meaning(unit))?.read().ok().map(Power)
    }
}

/// Whether a submission of this name stores a meaning.
pub(super) fn is_meaning(name: &str) -> bool {
    name.starts_with(MEANING)
}

/// The prefix of the names of such submissions.
pub(super) const MEANING: &str = "meant by ";

/// The name of the submission that stores a unit's meaning.
fn meaning(unit: UnitId) -> String {
    format!("{MEANING}{}", unit.0)
}
