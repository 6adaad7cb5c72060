//! Whether a mail may be answered (RFC 3834): two programs that answer each other never stop.

use thiserror::Error;

use super::address::Address;
use super::fields::Fields;
use super::kind::MailKind;
use super::machine_address::is_machine;
use super::word_table::table_lines;

/// The subjects of vacation notices: one line for each, with an example.
const ABSENCES: &str = include_str!("absences.txt");

/// Whether a subject in lower case begins as that of a vacation notice; some programs put it in brackets.
fn tells_absence(subject: &str) -> bool {
    let subject = subject.trim_start_matches(['[', '(']);
    table_lines(ABSENCES).any(|line| subject.starts_with(line.words))
}

/// Why a mail is not answered. Its orders may count nevertheless if the sender is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoAnswer {
    /// A bounce, a receipt, an automatic answer.
    #[error("written by a program")]
    Machine,
    /// `Return-Path: <>`.
    #[error("no return path")]
    NullPath,
    /// `Precedence: bulk`, `list` or `junk`.
    #[error("bulk mail")]
    Bulk,
    /// `List-Id` or another field of mailing lists.
    #[error("sent through a mailing list")]
    List,
    /// `X-Auto-Response-Suppress`.
    #[error("the sender wants no automatic answer")]
    Suppressed,
    /// A mail of ours that came back: `X-Loop`, or our own address as sender.
    #[error("a mail of our own")]
    Own,
    /// `mailer-daemon`, `noreply`, `owner-…`.
    #[error("nobody reads the sender's mailbox")]
    Nobody,
    /// The subject of a vacation notice. A command in the mail overrides this reason.
    #[error("looks like a vacation notice")]
    Absence,
}

/// What the header says about whether to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) null_path: bool,
    pub(super) envelope_from: Option<Address>,
    bulk: bool,
    list: bool,
    suppressed: bool,
    absence: bool,
    loops: Vec<String>,
}

impl Marks {
    /// Reads the marks of a header. `envelope_from` is what SMTP said, `Some("")` for the null path; without it the
    /// topmost `Return-Path` counts.
    pub(super) fn read(fields: &Fields<'_>, envelope_from: Option<&str>, subject: &str) -> Self {
        let path = envelope_from
            .map(str::to_owned)
            .or_else(|| fields.plain("return-path"));
        let path = path
            .as_deref()
            .map(|path| path.trim().trim_matches(['<', '>']).trim());
        let precedence = fields
            .plain("precedence")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let subject = subject.to_lowercase();
        Marks {
            null_path: path == Some(""),
            envelope_from: path.and_then(|path| Address::parse(path).ok()),
            bulk: matches!(precedence.as_str(), "bulk" | "list" | "junk"),
            list: ["list-id", "list-unsubscribe", "list-post"]
                .iter()
                .any(|name| fields.has(name)),
            suppressed: fields
                .plain("x-auto-response-suppress")
                .is_some_and(|value| !value.eq_ignore_ascii_case("none")),
            absence: tells_absence(&subject),
            loops: fields
                .all("x-loop")
                .take(10)
                .map(|value| super::fields::unfold(value).to_lowercase())
                .collect(),
        }
    }

    pub(super) fn may_answer(
        &self,
        from: &Address,
        kind: &MailKind,
        judge: &Address,
    ) -> Result<(), NoAnswer> {
        let senders = || {
            [Some(from), self.envelope_from.as_ref()]
                .into_iter()
                .flatten()
        };
        let ours = senders().any(|sender| sender.detail_of(judge).is_some());
        let silences = [
            (
                ours || self.loops.iter().any(|mark| mark.contains(&judge.key())),
                NoAnswer::Own,
            ),
            (kind.is_from_a_machine(), NoAnswer::Machine),
            (self.null_path, NoAnswer::NullPath),
            (self.list, NoAnswer::List),
            (self.bulk, NoAnswer::Bulk),
            (senders().any(is_machine), NoAnswer::Nobody),
            (self.suppressed, NoAnswer::Suppressed),
            (self.absence, NoAnswer::Absence),
        ];
        match silences.into_iter().find(|(holds, _)| *holds) {
            Some((_, silence)) => Err(silence),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::{SenderMarks, by_header};
    use super::*;

    fn asked(from: &str, header: &str) -> Result<(), NoAnswer> {
        let text = format!("{header}\r\n\r\n");
        let fields = Fields::split(text.as_bytes()).0;
        let subject = fields.decoded("subject").unwrap_or_default();
        let marks = Marks::read(&fields, None, &subject);
        let sender = SenderMarks {
            null_path: marks.null_path,
            machine: false,
        };
        let kind = by_header(&fields, sender);
        marks.may_answer(
            &Address::parse(from).unwrap(),
            &kind,
            &Address::parse("judge@example.org").unwrap(),
        )
    }

    #[test]
    fn vacation_notices_are_known_in_many_languages() {
        for line in table_lines(ABSENCES) {
            let example = line.example.to_lowercase();
            assert!(tells_absence(&example), "{example}");
            assert!(example.contains(line.words), "{example}");
        }
        assert!(!tells_absence("absent allies"));
    }

    #[test]
    fn every_row_of_the_table_silences() {
        let ben = "ben@example.net";
        for (from, header, expected) in [
            (ben, "Subject: orders", Ok(())),
            (ben, "Return-Path: <ben@example.net>", Ok(())),
            (ben, "Auto-Submitted: no", Ok(())),
            (ben, "Precedence: first-class", Ok(())),
            (ben, "X-Auto-Response-Suppress: None", Ok(())),
            (ben, "X-Loop: other@example.net", Ok(())),
            ("benjamin-requester@example.net", "Subject: x", Ok(())),
            (ben, "Return-Path: <>", Err(NoAnswer::Machine)),
            (
                ben,
                "Return-Path: < >\r\nAuto-Submitted: no",
                Err(NoAnswer::Machine),
            ),
            (
                ben,
                "Auto-Submitted: auto-generated",
                Err(NoAnswer::Machine),
            ),
            (ben, "Precedence: Bulk", Err(NoAnswer::Bulk)),
            (ben, "Precedence: junk", Err(NoAnswer::Bulk)),
            (ben, "Precedence: list", Err(NoAnswer::Bulk)),
            (ben, "List-Id: <x.example.org>", Err(NoAnswer::List)),
            (
                ben,
                "List-Unsubscribe: <mailto:x@example.org>",
                Err(NoAnswer::List),
            ),
            (
                ben,
                "List-Post: <mailto:x@example.org>",
                Err(NoAnswer::List),
            ),
            (
                ben,
                "X-Auto-Response-Suppress: All",
                Err(NoAnswer::Suppressed),
            ),
            (ben, "X-Loop: Judge@example.org", Err(NoAnswer::Own)),
            (
                ben,
                "Return-Path: <judge+abc@example.org>",
                Err(NoAnswer::Own),
            ),
            ("judge@example.org", "Subject: x", Err(NoAnswer::Own)),
            ("JUDGE+token@Example.org", "Subject: x", Err(NoAnswer::Own)),
            (
                "MAILER-DAEMON@example.net",
                "Subject: x",
                Err(NoAnswer::Nobody),
            ),
            (
                "postmaster@example.net",
                "Subject: x",
                Err(NoAnswer::Nobody),
            ),
            ("noreply@example.net", "Subject: x", Err(NoAnswer::Nobody)),
            ("no-reply@example.net", "Subject: x", Err(NoAnswer::Nobody)),
            (
                "games-request@example.net",
                "Subject: x",
                Err(NoAnswer::Nobody),
            ),
            (
                "owner-games@example.net",
                "Subject: x",
                Err(NoAnswer::Nobody),
            ),
            (
                "bounces+12@example.net",
                "Subject: x",
                Err(NoAnswer::Nobody),
            ),
            (
                ben,
                "Return-Path: <owner-games@example.net>",
                Err(NoAnswer::Nobody),
            ),
            (
                ben,
                "Subject: [Automatyczna odpowiedź] orders",
                Err(NoAnswer::Absence),
            ),
            (
                ben,
                "Subject: Out of Office: back on Monday",
                Err(NoAnswer::Absence),
            ),
            (
                ben,
                "Subject: =?utf-8?Q?Automatische_Antwort=3A_Z=C3=BCge?=",
                Err(NoAnswer::Absence),
            ),
        ] {
            assert_eq!(asked(from, header), expected, "{from} {header}");
        }
    }

    #[test]
    fn the_envelope_overrules_the_field() {
        let fields = Fields::split(b"Return-Path: <ben@example.net>\r\n\r\n").0;
        assert!(Marks::read(&fields, Some("<>"), "").null_path);
        assert!(Marks::read(&fields, Some(""), "").null_path);
        assert!(!Marks::read(&fields, None, "").null_path);
        assert_eq!(
            Marks::read(&fields, Some("eve@example.net"), "")
                .envelope_from
                .unwrap()
                .to_string(),
            "eve@example.net"
        );
    }
}
