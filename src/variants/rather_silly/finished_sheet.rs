//! What all units are told when the passes of step 1 are through.

use super::distraction::Distractions;
use super::news::News;
use super::orders::{Sheet, TardisOrder};

/// The finished sheet of a season.
pub(super) struct FinishedSheet {
    pub sheet: Sheet,
    pub tardis: TardisOrder,
    /// Whether the JESTER has said where the TARDIS goes.
    pub tardis_by_jester: bool,
    /// Whether the DOCTOR has said it too, in vain.
    pub doctor_is_overruled: bool,
    pub distractions: Distractions,
    /// How the monsters' ways were found.
    pub hunts: Vec<News>,
}
