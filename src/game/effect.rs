//! What a line of a player comes to, once it is held against what the player sees.

use super::{Event, Orders};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::UnitId;

/// One thing that a player's line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A unit is told something.
    Order(UnitId, Action),
    /// A unit is told nothing any more.
    Withdraw(UnitId),
    /// A unit is lent to another power.
    Lend(UnitId, Power),
    /// The power's adjustments are now these.
    Adjust(Vec<Action>),
    /// Something of the variant's own is put down or, without data, withdrawn: a bid, a standing choice.
    Submission(Submission),
}

impl Effect {
    /// The event by which it becomes part of the game.
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

/// A submission of the variant's own, by a name that the variant chooses. Who reads it, and when, its kind says
/// (`SubmissionKind`).
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Under which name; a later submission of that name replaces it.
    pub name: String,
    /// What it says; none takes it back.
    pub data: Option<VariantData>,
    /// Kept until the variant takes it back; otherwise it goes with the orders of the phase.
    pub lasting: bool,
}

/// A line that can be taken, with what its sender should know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Considered {
    /// What it comes to, in order.
    pub effects: Vec<Effect>,
    /// Sentences for the sender; none of them is an error.
    pub notes: Vec<String>,
}

impl Submission {
    /// Whose unit in a shared province a unit's support or convoy means; the sender's own if nobody's is named. It goes
    /// with the order, which tells places only.
    pub fn meaning(unit: UnitId, power: Option<Power>) -> Submission {
        Submission {
            name: meaning(unit),
            data: power.map(|power| VariantData::from(serde_json::Value::from(power.0))),
            lasting: false,
        }
    }
}

impl Orders {
    /// Whose unit in a shared province this unit's support or convoy means, where that was said (`Submission::meaning`).
    pub fn meant(&self, unit: UnitId) -> Option<Power> {
        self.submissions.get(&meaning(unit))?.read().ok().map(Power)
    }
}

/// Whether a submission of this name says so.
pub(super) fn is_meaning(name: &str) -> bool {
    name.starts_with(MEANING)
}

/// How names of such submissions begin.
pub(super) const MEANING: &str = "meant by ";

/// The name of the submission that says so.
fn meaning(unit: UnitId) -> String {
    format!("{MEANING}{}", unit.0)
}
