//! Press that waits for the next results.

use serde::{Deserialize, Serialize};

use super::people::SeatId;
use dipjudge_rules::map::Power;

/// Press that comes with the next results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostalPress {
    /// Who wrote it.
    pub seat: SeatId,
    /// The power as whose leader he wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// What he wrote.
    pub text: String,
}
