//! Which powers of a forming game can be chosen, and who is told which were.

use crate::work::{GameWork, Recipient};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The name of a power before it has a leader.
pub(crate) fn name(work: &GameWork, power: Power) -> String {
    let labels = work.variant_game().seen_by(Viewer::Stranger).labels();
    labels.name(power).to_owned()
}

/// Whether a recipient is told who has chosen which power: masters always are, others if leaders are not hidden.
pub(crate) fn is_told(work: &GameWork, to: Recipient) -> bool {
    work.is_master(to) || !work.variant_game().hides_leaders()
}

/// The powers that can still be chosen.
pub(crate) fn open_names(work: &GameWork) -> Vec<String> {
    let open = work.variant_game().powers_not_chosen().into_iter();
    open.map(|power| name(work, power)).collect()
}
