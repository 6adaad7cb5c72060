//! A mail of the judge that somebody has pasted below or above his own words without marks of a quotation. It is known by its
//! lines, and becomes a quotation: what differs in it is proposed like other orders that stand in one.

use crate::Judge;
use crate::people::quotation::QuotedNames;
use crate::people::sign_on::ArrivedBy;
use dipjudge_mails::inbound::{BodyLine, InboundMail, LinePart};

/// How the first line of a mail about a game begins.
const HEAD: &str = "::";
/// The most lines above that head that belong to it: `From:`, `Sent:` and the like.
const MOST_ABOVE: usize = 8;

/// The mail with the pasted lines marked as a quotation; `None` if there are none.
pub(super) fn marked(
    judge: &Judge,
    mail: &InboundMail,
    arrived_by: &ArrivedBy,
) -> Option<InboundMail> {
    let ArrivedBy::Seat(game, seat) = arrived_by else {
        return None;
    };
    let id = mail.answered()?;
    let sent = judge.sent_lines().of_mail(id)?;
    if sent.game != *game || sent.seat != *seat {
        return None;
    }
    let is_own = |line: &BodyLine| line.part == LinePart::Own && !line.is_blank();
    let holds = |line: &BodyLine| is_own(line) && sent.holds(id, &line.text);
    let lines = &mail.lines;
    let head = lines
        .iter()
        .position(|line| line.text.trim_start().starts_with(HEAD) && holds(line))?;
    let last = lines.iter().rposition(holds)?;
    let above: Vec<&str> = lines
        .iter()
        .take(head)
        .map(|line| line.text.as_str())
        .collect();
    let named = QuotedNames {
        address: &judge.settings.address,
        judge: &judge.settings.name,
        game,
    };
    let first = named.own_lines(&above, |_| false);
    let first = first.max(head.saturating_sub(MOST_ABOVE));
    let mut marked = mail.clone();
    for line in marked.lines.iter_mut().take(last + 1).skip(first) {
        if line.part == LinePart::Own {
            line.part = LinePart::Quote;
        }
    }
    Some(marked)
}
