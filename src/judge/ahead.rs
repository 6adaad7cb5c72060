//! Orders given ahead (`judge-workflow.md` 3.7): when their phase comes they are read as if just mailed, and a mail
//! shows what then stands.

use super::errand::Errand;

/// Reads what powers had stored for the phase that has just begun.
pub(super) fn come_into_force(_errand: &mut Errand) {}
