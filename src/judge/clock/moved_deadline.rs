//! Deadlines that the judge itself moves: after a mail outage, and after a time for which a game stood still.

use jiff::SignedDuration;

use crate::work::{GameWork, MailClass};
use dipjudge_game::{Event, Times};

/// Sets the times of the phase in hand and tells everybody. `sentence` is given the names of the game and of the new deadline.
pub(super) fn announce(work: &mut GameWork, times: Times, sentence: impl Fn(&str, &str) -> String) {
    work.emit(Event::Timed { times });
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        let heading = work.heading(to);
        let deadline = work.reader(to).moment(times.deadline).to_string();
        let tail = format!("Deadline Adjustment to: {deadline}");
        let line = sentence(&heading.game, &deadline);
        work.notice(to, &tail, line)
    });
}

/// The length rounded up to minutes, like all times in mails.
pub(super) fn in_whole_minutes(length: SignedDuration) -> SignedDuration {
    let minutes = SignedDuration::from_mins(length.as_mins());
    if length > minutes {
        minutes + SignedDuration::from_mins(1)
    } else {
        minutes
    }
}
