//! The kind of a mail: written by a person or by one of several kinds of programs.

use super::InboundMail;
use super::abuse_report::AbuseReport;
use super::address::Address;
use super::calendar::CalendarAnswer;
use super::failure_text::{Notice, Writer, is_subject_of_notice};
use super::fields::Fields;
use super::html;
use super::limits::Limits;
use super::machine_address::is_machine;
use super::part_tree::{Media, Part};
use super::report::DsnReport;

/// Who or what wrote a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// A person, as far as the mail shows.
    Ordinary,
    /// A program of the sender: a vacation notice, a challenge. It is not read, never answered and never becomes press
    /// (RFC 3834).
    AutoSubmitted {
        /// The field that shows it, for the log.
        why: String,
    },
    /// A mail of the judge could not be delivered, or not yet (RFC 3464).
    Bounce(DsnReport),
    /// "Your mail was read" (RFC 8098).
    ReadReceipt,
    /// Somebody told his provider that a mail of the judge is unwanted (RFC 5965).
    AbuseReport(AbuseReport),
    /// A calendar has answered an entry: accepted, declined (RFC 6047). A person may have written its lines.
    CalendarAnswer(CalendarAnswer),
}

impl MailKind {
    /// Whether a program wrote it. Such a mail is never answered and not read, except what a person typed into a calendar.
    pub fn is_from_a_machine(&self) -> bool {
        *self != MailKind::Ordinary
    }
}

/// What envelope and address show about a sender.
#[derive(Clone, Copy)]
pub(super) struct SenderMarks {
    /// The return path is empty.
    pub(super) null_path: bool,
    /// The address belongs to a program, or is not an address.
    pub(super) machine: bool,
}

/// The kind as the header shows it; [`with_parts`] adds the report of a bounce.
pub(super) fn by_header(fields: &Fields<'_>, sender: SenderMarks) -> MailKind {
    let media = fields
        .first("content-type")
        .map(Media::read)
        .unwrap_or_default();
    let reports = |what: &str| {
        media.is("multipart", "report")
            && media
                .parameter("report-type")
                .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(what))
    };
    if reports("disposition-notification") {
        return MailKind::ReadReceipt;
    }
    if reports("feedback-report") {
        return MailKind::AbuseReport(AbuseReport::default());
    }
    // Reports are auto-submitted too (Exim marks them so), so this comes before the next check.
    let subject = fields.decoded("subject").unwrap_or_default();
    if reports("delivery-status")
        || fields.has("x-failed-recipients")
        || (sender.null_path && sender.machine)
        || (sender.machine && is_subject_of_notice(&subject))
    {
        return MailKind::Bounce(DsnReport::from_header(fields));
    }
    if media.is("multipart", "report") {
        let kind = media.parameter("report-type").unwrap_or_default();
        return automatic("report", kind);
    }
    for name in ["x-list-administrivia", "tls-report-domain"] {
        if let Some(value) = fields.plain(name)
            && !value.eq_ignore_ascii_case("no")
        {
            return automatic(name, &value);
        }
    }
    if is_dmarc_report(&subject) {
        return automatic("subject", "report of a domain");
    }
    if let Some(value) = fields.plain("auto-submitted")
        && !value
            .split(';')
            .next()
            .is_some_and(|word| word.trim().eq_ignore_ascii_case("no"))
    {
        return automatic("auto-submitted", &value);
    }
    for name in ["x-autoreply", "x-autorespond", "x-autoresponder"] {
        if let Some(value) = fields.plain(name)
            && !value.eq_ignore_ascii_case("no")
        {
            return automatic(name, &value);
        }
    }
    if let Some(value) = fields.plain("precedence")
        && ["auto_reply", "auto-reply"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
    {
        return automatic("precedence", &value);
    }
    if sender.null_path {
        return MailKind::Bounce(DsnReport::from_header(fields));
    }
    MailKind::Ordinary
}

/// The subject of an aggregate report (RFC 7489 7.2.1.1), which has these three words with colons.
fn is_dmarc_report(subject: &str) -> bool {
    let subject = subject.trim().to_ascii_lowercase();
    subject.starts_with("report domain:")
        && subject.contains("submitter:")
        && subject.contains("report-id:")
}

/// The kind by header and parts: what reports contain, and failures in words alone.
pub(super) fn with_parts(mail: &InboundMail, root: &Part<'_>, limits: &Limits) -> MailKind {
    let leaves = root.leaves();
    let holds = |subtype: &str| {
        let of_kind = |leaf: &&&Part<'_>| leaf.media.is("message", subtype) && !leaf.attached;
        leaves.iter().find(of_kind)
    };
    if let Some(report) = holds("feedback-report") {
        let bytes = report.bytes();
        let about = Fields::split(&bytes).0.plain("feedback-type");
        // A failure report of DMARC (RFC 6591) accuses nobody.
        return match about {
            Some(about) if about.trim().eq_ignore_ascii_case("auth-failure") => {
                automatic("feedback-type", &about)
            }
            _ => MailKind::AbuseReport(AbuseReport::read(&bytes, root)),
        };
    }
    let text = words(&leaves);
    let by_program = is_machine(&mail.from);
    let notice = Notice {
        subject: &mail.subject,
        text: &text,
        writer: if by_program && mail.kind != MailKind::ReadReceipt {
            Writer::Program
        } else {
            Writer::Person
        },
        host: mail.from.domain(),
    };
    // A person may forward such a report as a file.
    let has_report = leaves
        .iter()
        .any(|leaf| leaf.media.is_delivery_status() && (by_program || !leaf.attached));
    let report = match &mail.kind {
        MailKind::Bounce(report) => report.clone(),
        MailKind::Ordinary if holds("disposition-notification").is_some() => {
            return MailKind::ReadReceipt;
        }
        MailKind::Ordinary | MailKind::AutoSubmitted { .. } | MailKind::ReadReceipt
            if has_report || notice.tells_failure() =>
        {
            DsnReport::default()
        }
        other => return other.clone(),
    };
    let mut report = report.with_parts(root);
    if !report.names_address() {
        let own: Vec<&Address> = mail
            .to
            .iter()
            .chain(&mail.delivered_to)
            .chain([&mail.from])
            .collect();
        report.add_named_in_words(notice.failed_addresses(&own), notice.is_retried());
        if !report.names_address() {
            report.add_from_returned(root, &own, limits);
        }
    }
    MailKind::Bounce(report)
}

/// What a mail says in plain text, or else in HTML.
fn words(leaves: &[&Part<'_>]) -> String {
    let shown = |leaf: &&&Part<'_>| !leaf.attached;
    let plain: Vec<String> = leaves
        .iter()
        .filter(shown)
        .filter(|leaf| leaf.media.is_plain_text())
        .map(|leaf| leaf.text())
        .collect();
    if plain.iter().any(|text| !text.trim().is_empty()) {
        return plain.join("\n");
    }
    let html = leaves
        .iter()
        .filter(shown)
        .find(|leaf| leaf.media.is("text", "html"));
    let lines = html.map(|leaf| html::lines(&leaf.text()));
    let lines: Vec<String> = lines
        .unwrap_or_default()
        .into_iter()
        .map(|line| line.text)
        .collect();
    lines.join("\n")
}

fn automatic(name: &str, value: &str) -> MailKind {
    let value: String = value.chars().filter(|c| !c.is_control()).take(60).collect();
    MailKind::AutoSubmitted {
        why: format!("{name}: {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(header: &str, null_path: bool, machine: bool) -> MailKind {
        let text = format!("{header}\r\n\r\n");
        let sender = SenderMarks { null_path, machine };
        by_header(&Fields::split(text.as_bytes()).0, sender)
    }

    #[test]
    fn machines_are_known_by_their_fields() {
        assert_eq!(kind("Subject: orders", false, false), MailKind::Ordinary);
        assert_eq!(kind("Auto-Submitted: no", false, false), MailKind::Ordinary);
        assert_eq!(kind("Precedence: bulk", false, false), MailKind::Ordinary);
        for header in [
            "Auto-Submitted: auto-replied (vacation)",
            "Auto-Submitted:",
            "X-Autoreply: yes",
            "Precedence: auto_reply",
        ] {
            assert!(
                matches!(kind(header, true, false), MailKind::AutoSubmitted { .. }),
                "{header}"
            );
        }
        assert_eq!(
            kind(
                "Content-Type: multipart/report; report-type=disposition-notification",
                false,
                false
            ),
            MailKind::ReadReceipt
        );
        for header in [
            "Content-Type: multipart/report; report-type=\"Delivery-Status\"\r\nAuto-Submitted: auto-replied",
            "X-Failed-Recipients: a@b.org",
        ] {
            assert!(
                matches!(kind(header, false, false), MailKind::Bounce(_)),
                "{header}"
            );
        }
        for header in [
            "Content-Type: multipart/report; report-type=tlsrpt",
            "Content-Type: multipart/report; report-type=other",
            "X-List-Administrivia: yes",
            "Subject: Report Domain: example.org Submitter: example.net Report-ID: 1",
        ] {
            assert!(
                matches!(kind(header, false, false), MailKind::AutoSubmitted { .. }),
                "{header}"
            );
        }
        assert_eq!(
            kind(
                "Content-Type: multipart/report; report-type=feedback-report",
                false,
                false
            ),
            MailKind::AbuseReport(AbuseReport::default())
        );
        for header in [
            "Subject: Report domain of the king",
            "X-List-Administrivia: no",
            "Content-Type: multipart/mixed; report-type=feedback-report",
        ] {
            assert_eq!(kind(header, false, false), MailKind::Ordinary, "{header}");
        }
        assert!(matches!(
            kind("Subject: failure notice", true, true),
            MailKind::Bounce(_)
        ));
        assert!(matches!(
            kind("Subject: x", true, false),
            MailKind::Bounce(_)
        ));
    }
}
