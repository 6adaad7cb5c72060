//! What each variant adds to the oracle, from its rules file. A variant that is not named here keeps nothing of its own
//! secret but its submissions, which are their power's and the master's: what it writes on the board is public.

use dipjudge::orders::VariantData;
use serde_json::{Value, json};

use super::oracle::Standing;

/// How the oracle reads one variant's own state.
struct Own {
    variant: &'static str,
    /// What a reader may know of it.
    data: fn(Value, &Standing) -> Value,
    /// Slips that are sealed from the master as well.
    sealed: &'static [&'static str],
}

/// The variants that hide something of their own state.
const TABLE: &[Own] = &[Own {
    variant: "bridge",
    data: bids,
    sealed: &["bid", "forts"],
}];

/// What a reader may know of a variant's own state.
pub fn data(variant: &str, data: &VariantData, standing: &Standing) -> String {
    let data = json!(data);
    let known = match TABLE.iter().find(|own| own.variant == variant) {
        Some(own) => (own.data)(data, standing),
        None => data,
    };
    format!("own state {known}")
}

/// Whether a submission is sealed from everybody but its power.
pub fn seals(variant: &str, submission: &str) -> bool {
    TABLE
        .iter()
        .any(|own| own.variant == variant && own.sealed.contains(&submission))
}

/// Whether a variant has submissions that are sealed from everybody but their power.
pub fn seals_some(variant: &str) -> bool {
    TABLE
        .iter()
        .any(|own| own.variant == variant && !own.sealed.is_empty())
}

/// Bridge (`rules/bridge.md` 8): a running bid is its power's alone until the next Winter opens, the centers held when it
/// was made are public. Those of 1901 are the same in every game.
fn bids(mut data: Value, standing: &Standing) -> Value {
    let own: Vec<String> = standing
        .powers
        .iter()
        .map(|power| power.0.to_string())
        .collect();
    let bids = data.get_mut("bids").and_then(Value::as_object_mut);
    for (power, bid) in bids.into_iter().flatten() {
        if !own.contains(power) {
            *bid = bid.get(0).cloned().unwrap_or_default();
        }
    }
    data
}
