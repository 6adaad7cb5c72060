//! What the subject of a mail says that a mail program has made from one of the judge's.

use dipjudge_rules::calendar::PhaseName;

/// What a mail of a game is, by its subject in an answer: `Press from E to F`, `Results`.
pub(crate) fn kind_of_subject<'s>(subject: &'s str, game: &str) -> Option<&'s str> {
    let (before, after) = subject.split_once(" - ")?;
    let (_, name) = before.rsplit_once(':')?;
    if !name.trim().eq_ignore_ascii_case(game) {
        return None;
    }
    let after = after.trim();
    // Before the start there is no phase.
    let behind_phase = after.split_once(' ').filter(|(phase, _)| {
        phase
            .trim_end_matches(['P', 'X'])
            .parse::<PhaseName>()
            .is_ok()
    });
    Some(behind_phase.map_or(after, |(_, kind)| kind.trim()))
}
