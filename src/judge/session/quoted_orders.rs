//! Orders that somebody types into a quotation of one of the judge's mails. They are never taken; those that do not stand in the
//! mail itself are proposed.

use crate::proposals::Proposal;
use crate::sent_lines::SentMail;
use crate::session::Session;
use crate::session::own_orders::OwnOrders;
use crate::session::subject::kind_of_subject;
use dipjudge_commands::command_reader::marks_words;
use dipjudge_mails::inbound::LinePart;

/// What is known of the mail that a mail quotes.
enum QuotedMail<'a> {
    /// It is this one, with its id.
    Kept(&'a str, &'a SentMail),
    /// It is a letter or proposes lines, so its lines are nobody's orders.
    HoldsOthersLines,
    /// Nothing: its id is not given, or its lines are no longer kept.
    Unknown,
}

impl Session<'_, '_> {
    /// Proposes the orders of the sender's own that stand in a quotation and not in the mail that is quoted.
    pub(crate) fn propose_quoted_orders(&mut self) {
        let mail = self.mail;
        let quoted = mail
            .lines
            .iter()
            .filter(|line| line.part == LinePart::Quote);
        let marks = |sign: char| matches!(sign, '>' | '|') || sign.is_whitespace();
        let quoted: Vec<&str> = quoted
            .map(|line| line.text.trim_start_matches(marks).trim_end_matches(marks))
            .collect();
        if quoted.is_empty() || self.sender.acting.and_then(|acting| acting.power).is_none() {
            return;
        }
        let (new, is_known) = match self.quoted_mail() {
            QuotedMail::Kept(id, sent) => {
                let typed = typed_lines(&quoted, |line| sent.holds(id, line));
                (typed, true)
            }
            QuotedMail::HoldsOthersLines => return,
            QuotedMail::Unknown if quoted.iter().any(|line| marks_words(line)) => return,
            // The judge writes no complete orders in the short form but the lines that a variant offers, and ends those in the long
            // form with a full stop.
            QuotedMail::Unknown => {
                let typed = quoted.iter().filter(|line| !line.ends_with('.'));
                (typed.copied().collect(), false)
            }
        };
        let Some(own) = OwnOrders::of(self) else {
            return;
        };
        let orders = new
            .into_iter()
            .filter(|line| is_known || !own.begins_own_line(line))
            .filter(|line| self.reads_as_regular_order(line) && own.holds(line));
        let orders: Vec<String> = orders.map(str::to_owned).collect();
        if orders.is_empty() {
            return;
        }
        self.reply.wanted = true;
        self.say("Your orders stand in lines that your mail marks as a quotation of the judge's mail, so they were not taken.");
        self.propose_all(orders);
    }

    fn quoted_mail(&self) -> QuotedMail<'_> {
        let judge = self.work.judge;
        let Some((game, acting)) = self.game().zip(self.sender.acting) else {
            return QuotedMail::Unknown;
        };
        let kind = kind_of_subject(&self.mail.subject, &game.name);
        let is_press = kind.is_some_and(|kind| {
            ["press", "broadcast"]
                .iter()
                .any(|word| kind.to_lowercase().starts_with(word))
        });
        let Some(id) = self.mail.answered() else {
            return if is_press {
                QuotedMail::HoldsOthersLines
            } else {
                QuotedMail::Unknown
            };
        };
        let proposal: Option<&Proposal> = judge.proposals().of_mail(id);
        if is_press || proposal.is_some() {
            return QuotedMail::HoldsOthersLines;
        }
        let sent = judge.sent_lines().of_mail(id);
        let to_sender = |sent: &&SentMail| sent.game == game.name && sent.seat == acting.seat;
        match sent.filter(to_sender) {
            Some(sent) => QuotedMail::Kept(id, sent),
            None => QuotedMail::Unknown,
        }
    }
}

/// The lines that do not stand in the mail that is quoted. A mail program may have broken a line of it in two.
fn typed_lines<'l>(quoted: &[&'l str], holds: impl Fn(&str) -> bool) -> Vec<&'l str> {
    let joined = |first: usize| {
        let pair = quoted.get(first..first + 2)?;
        Some(pair.join(" "))
    };
    let in_pair = |first: Option<usize>| {
        let both = first.and_then(joined);
        both.is_some_and(|both| holds(&both))
    };
    let numbered = quoted.iter().enumerate();
    let typed = numbered
        .filter(|(at, line)| !holds(line) && !in_pair(Some(*at)) && !in_pair(at.checked_sub(1)));
    typed.map(|(_, line)| *line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_mail_are_known_also_where_they_are_broken() {
        let mail = [
            "Austria: Army Vienna -> Galicia.",
            "Austria: Fleet Trieste, no order.",
        ];
        let holds = |line: &str| mail.contains(&line);
        let quoted = [
            "Austria: Army Vienna ->",
            "Galicia.",
            "A Bud - Ser",
            "Austria: Fleet Trieste, no order.",
        ];
        assert_eq!(typed_lines(&quoted, holds), ["A Bud - Ser"]);
    }
}
