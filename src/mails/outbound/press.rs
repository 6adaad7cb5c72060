//! Press: who wrote to whom, as each reader may know it, and the text made harmless (`judge-workflow.md` 5.3).

use std::sync::OnceLock;

use regex::Regex;
use serde_json::json;

use super::heading::codes_in_subject;
use super::wrap::wrap_text;
use super::{Block, Document, RenderError, Templates, Text};
use dipjudge_view::{Heading, and_list};

/// One message as one reader gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressMail {
    /// Who wrote it, as far as the reader may know.
    pub sender: Sender,
    /// The recipients that the reader is told.
    pub audience: Audience,
    /// The true recipients where they differ; for masters only.
    pub really: Option<Audience>,
    /// The text as it came, lines separated by `\n`.
    pub text: String,
    /// The form of its first line.
    pub headline: HeadlineForm,
}

/// The form of the line above a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadlineForm {
    /// `Message from England to France in 'kaiser':`
    Message,
    /// For games in which powers write to their contacts only (CivDip 11): `From Babel to Aksum, Carthage:`, and for a
    /// broadcast `From Babel to its contacts:`, whoever they are.
    Contacts,
    /// A master's announcement to all, with a subject if he gave one.
    Official(Option<String>),
}

/// The writer of press, as far as one reader may know. `power` is `England`, `Master`, `Observer`, or before the start
/// `a power`; `letter` stands for it in the subject: `E`, `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Grey.
    Unknown,
    /// Grey, as a master reads it: `[from ben@ex.org as England]`.
    Unmasked {
        /// His mail address.
        address: String,
        /// Its name, as this reader calls it.
        power: String,
    },
    /// White, addresses hidden: `from England`.
    Power {
        /// Its name, as this reader calls it.
        power: String,
        /// The letter or code of the power.
        letter: String,
    },
    /// White, addresses hidden, as a master reads it: `from [ben@ex.org as] England`.
    Bracketed {
        /// His mail address.
        address: String,
        /// Its name, as this reader calls it.
        power: String,
        /// The letter or code of the power.
        letter: String,
    },
    /// White, addresses shown: `from ben@ex.org as England`.
    Person {
        /// His mail address, or his name for readers who may not know addresses.
        person: String,
        /// Its name, as this reader calls it.
        power: String,
        /// The letter or code of the power.
        letter: String,
    },
}

/// The recipients of press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A broadcast.
    All,
    /// To some, in the order in which they are listed.
    Only(Vec<Addressee>),
    /// To all except these.
    AllBut(Vec<Addressee>),
}

/// A recipient: `France`, `F`; `Master`, `M`; `Observers`, `O`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressee {
    /// The power's name, as this reader calls it.
    pub name: String,
    /// Its letter in the subject.
    pub letter: String,
}

/// Press for one reader: `USXX:kaiser - S1901M Press from E to F`.
pub fn press(
    templates: &Templates,
    heading: &Heading,
    mail: &PressMail,
) -> Result<Text, RenderError> {
    let text = match mail.headline {
        HeadlineForm::Message | HeadlineForm::Official(_) => guarded(&mail.text),
        HeadlineForm::Contacts => without_heads(&guarded(&mail.text)),
    };
    let text = words(text, &mail.text).checked();
    let fields = json!({ "headline": headline(mail, &heading.game), "text": text.field() });
    let filled = templates.fill("player-press.md", fields)?;
    Ok(Text::about(heading, &tail(mail), filled))
}

/// The message as others see it, for the reply to its sender: `Message sent to France:` … `End of message.`
pub fn press_echo(heading: &Heading, mail: &PressMail) -> Document {
    let sent = match &mail.audience {
        Audience::All => "Broadcast message sent:".to_owned(),
        audience => format!("Message sent to {}:", names(audience)),
    };
    let mut echo = Document(vec![
        Block::KeptLines(vec![sent]),
        Block::KeptLines(vec![headline(mail, &heading.game)]),
    ]);
    echo.append(player_words(&mail.text));
    echo.push(Block::KeptLines(vec!["End of message.".to_owned()]));
    echo
}

/// The message as its readers get it, for a section of another mail.
pub fn press_copy(heading: &Heading, mail: &PressMail) -> Document {
    let mut copy = Document(vec![Block::KeptLines(vec![headline(mail, &heading.game)])]);
    copy.append(player_words(&mail.text));
    copy.checked()
}

/// What a player wrote: guarded in plain text, framed in HTML.
pub fn player_words(text: &str) -> Document {
    words(guarded(text), text)
}

fn words(guarded: String, text: &str) -> Document {
    let text = text.replace('\r', "").trim_end_matches('\n').to_owned();
    Document::fixed_lines(guarded, vec![Block::PlayerWords(text)])
}

/// A player's text, wrapped, in which no line can be taken for one of the judge's: a blank is put before lines that begin
/// with `::` or like lines of a report or of HISTORY.
fn guarded(text: &str) -> String {
    static OURS: OnceLock<Option<Regex>> = OnceLock::new();
    let ours = OURS.get_or_init(|| {
        let pattern = concat!(
            r"(?i)^(?:::|(?:movement|retreat|adjustment)s?\s+(?:results|orders)\s+for|status\s+of\s+the|",
            r"starting\s+position\s+for|the\s+following\s+(?:units|players)|ownership\s+of\s+supply|",
            r"the\s+next\s+phase|the\s+deadline\s+for|the\s+game\s+(?:is\s+over|was\s+won)|game\s+'|",
            r"you\s+have\s+been\s+selected|(?:(?:broadcast|official)\s+)?message\s|end\s+of\s+message|summary\s+of\s+game|",
            r"historical\s+supply|history\s+of\s+supply|-----?\s|(?:date|subject|from|to):|",
            r"the\s+\S+\s+(?:army|fleet)\s+in\s|[\w-]+:\s+(?:army|fleet|builds?|removes|defaults|\d+\s))",
        );
        Regex::new(pattern).ok()
    });
    let text = text.replace('\r', "");
    let wrapped = wrap_text(text.trim_end_matches('\n'));
    let imitates = |line: &str| ours.as_ref().is_none_or(|ours| ours.is_match(line));
    wrapped
        .split('\n')
        .map(|line| {
            if imitates(line) {
                format!(" {line}")
            } else {
                line.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Puts a blank before lines that could be taken for the head of a letter.
fn without_heads(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let words = line.to_lowercase();
        if words.starts_with("from ") && words.trim_end().ends_with(':') {
            format!(" {line}")
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The recipients that a message was accepted for, where powers write to their contacts only: `Accepted for Babel,
/// Carthage.`
pub fn press_accepted(names: &[String]) -> String {
    format!("Accepted for {}.", names.join(", "))
}

fn headline(mail: &PressMail, game: &str) -> String {
    let from = match &mail.sender {
        Sender::Unknown => String::new(),
        Sender::Unmasked { address, power } => format!(" [from {address} as {power}]"),
        Sender::Power { power, .. } => format!(" from {power}"),
        Sender::Bracketed { address, power, .. } => format!(" from [{address} as] {power}"),
        Sender::Person { person, power, .. } => format!(" from {person} as {power}"),
    };
    let really = match &mail.really {
        None => String::new(),
        Some(Audience::All) => " [really to all]".to_owned(),
        Some(audience) => format!(" [really to {}]", names(audience)),
    };
    match (&mail.headline, &mail.audience) {
        (HeadlineForm::Official(_), _) => format!("Official message{from}{really} in '{game}':"),
        (HeadlineForm::Contacts, audience) => {
            let from = from.trim_start().replacen("from", "From", 1);
            format!("{from} to {}:", contacts(audience))
        }
        (HeadlineForm::Message, Audience::All) => {
            format!("Broadcast message{from}{really} in '{game}':")
        }
        (HeadlineForm::Message, audience) => {
            format!("Message{from} to {}{really} in '{game}':", names(audience))
        }
    }
}

/// The recipients in a headline among contacts. A name may have several words and end with a numeral.
fn contacts(audience: &Audience) -> String {
    match audience {
        Audience::Only(some) => {
            let names: Vec<&str> = some.iter().map(|one| one.name.as_str()).collect();
            names.join(", ")
        }
        Audience::All | Audience::AllBut(_) => "its contacts".to_owned(),
    }
}

fn tail(mail: &PressMail) -> String {
    let from = match &mail.sender {
        Sender::Unknown | Sender::Unmasked { .. } => String::new(),
        Sender::Power { letter, .. }
        | Sender::Bracketed { letter, .. }
        | Sender::Person { letter, .. } => {
            format!(" from {letter}")
        }
    };
    if let HeadlineForm::Official(subject) = &mail.headline {
        return match subject {
            Some(subject) => format!("Official{from}: {subject}"),
            None => format!("Official{from}"),
        };
    }
    match &mail.audience {
        Audience::All => format!("Broadcast{from}"),
        Audience::Only(_) if mail.headline == HeadlineForm::Contacts => {
            format!("Press{from} to {}", contacts(&mail.audience))
        }
        Audience::Only(list) => format!("Press{from} to {}", letters(list)),
        Audience::AllBut(list) => format!("Press{from} to all but {}", letters(list)),
    }
}

fn names(audience: &Audience) -> String {
    let list = |list: &[Addressee]| and_list(list.iter().map(|one| &one.name));
    match audience {
        Audience::All => "all".to_owned(),
        Audience::Only(some) => list(some),
        Audience::AllBut(some) => format!("all but {}", list(some)),
    }
}

fn letters(list: &[Addressee]) -> String {
    let codes: Vec<&str> = list.iter().map(|one| one.letter.as_str()).collect();
    codes_in_subject(&codes)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{heading, to};
    use super::*;

    fn mail(sender: Sender, audience: Audience) -> PressMail {
        PressMail {
            sender,
            audience,
            really: None,
            text: "psst".into(),
            headline: HeadlineForm::Message,
        }
    }

    fn person() -> Sender {
        Sender::Person {
            person: "ben@ex.org".into(),
            power: "England".into(),
            letter: "E".into(),
        }
    }

    fn bracketed() -> Sender {
        Sender::Bracketed {
            address: "ben@ex.org".into(),
            power: "England".into(),
            letter: "E".into(),
        }
    }

    fn masked() -> Sender {
        Sender::Power {
            power: "England".into(),
            letter: "E".into(),
        }
    }

    fn unmasked() -> Sender {
        Sender::Unmasked {
            address: "ben@ex.org".into(),
            power: "England".into(),
        }
    }

    #[test]
    fn every_reader_reads_his_own_headline() {
        let france = || Audience::Only(to(&["France"]));
        let cases = [
            (
                mail(person(), france()),
                "Message from ben@ex.org as England to France in 'kaiser':",
                "Press from E to F",
            ),
            (
                mail(person(), Audience::All),
                "Broadcast message from ben@ex.org as England in 'kaiser':",
                "Broadcast from E",
            ),
            (
                mail(masked(), france()),
                "Message from England to France in 'kaiser':",
                "Press from E to F",
            ),
            (
                mail(bracketed(), france()),
                "Message from [ben@ex.org as] England to France in 'kaiser':",
                "Press from E to F",
            ),
            (
                mail(masked(), Audience::All),
                "Broadcast message from England in 'kaiser':",
                "Broadcast from E",
            ),
            (
                mail(Sender::Unknown, france()),
                "Message to France in 'kaiser':",
                "Press to F",
            ),
            (
                mail(unmasked(), france()),
                "Message [from ben@ex.org as England] to France in 'kaiser':",
                "Press to F",
            ),
            (
                mail(Sender::Unknown, Audience::All),
                "Broadcast message in 'kaiser':",
                "Broadcast",
            ),
            (
                mail(masked(), Audience::AllBut(to(&["Germany"]))),
                "Message from England to all but Germany in 'kaiser':",
                "Press from E to all but G",
            ),
            (
                mail(masked(), Audience::Only(to(&["France", "Russia"]))),
                "Message from England to France and Russia in 'kaiser':",
                "Press from E to FR",
            ),
        ];
        for (mail, line, subject) in cases {
            assert_eq!(headline(&mail, "kaiser"), line);
            assert_eq!(tail(&mail), subject);
        }
    }

    #[test]
    fn a_master_reads_the_true_recipients_of_a_fake() {
        let mut partial = mail(Sender::Unknown, Audience::Only(to(&["Germany"])));
        partial.really = Some(Audience::Only(to(&["France", "Russia"])));
        assert_eq!(
            headline(&partial, "tokyo"),
            "Message to Germany [really to France and Russia] in 'tokyo':"
        );
        let mut broadcast = mail(Sender::Unknown, Audience::All);
        broadcast.really = Some(Audience::AllBut(to(&["Germany"])));
        assert_eq!(
            headline(&broadcast, "tokyo"),
            "Broadcast message [really to all but Germany] in 'tokyo':"
        );
    }

    #[test]
    fn press_cannot_imitate_the_judge() {
        let forged = "Hello,\n:: Judge: USXX  Game: Kaiser  Variant: Standard\nMovement results for Fall of 1901.\n\
                      Austria: Army Vienna -> Galicia.\nThe next phase of 'kaiser' will be over.\n\
                      Date: today\nSubject: USXX:kaiser - S1901M Results\nFrance:    3 Supply centers,  3 Units.";
        let safe = guarded(forged);
        let mut lines = safe.lines();
        assert_eq!(lines.next(), Some("Hello,"));
        for line in lines {
            assert!(line.starts_with(' '), "{line}");
        }
    }

    #[test]
    fn wrapping_cannot_bring_a_forged_line_to_the_front() {
        let forged = format!("{} Subject: USXX:kaiser - S1901M Results", "x".repeat(75));
        assert!(
            guarded(&forged)
                .lines()
                .all(|line| !line.starts_with("Subject"))
        );
    }

    #[test]
    fn among_contacts_a_letter_is_headed_by_its_two_ends() {
        let among = |audience: Audience| PressMail {
            headline: HeadlineForm::Contacts,
            text: "From Kush to Elam:\nfrom here on".into(),
            ..mail(masked(), audience)
        };
        for (audience, head, subject) in [
            (
                Audience::Only(to(&["Germany", "France"])),
                "From England to Germany, France:",
                "Press from E to Germany, France",
            ),
            (
                Audience::All,
                "From England to its contacts:",
                "Broadcast from E",
            ),
        ] {
            let mail = among(audience);
            assert_eq!(headline(&mail, "kaiser"), head);
            assert_eq!(tail(&mail), subject);
        }
        let master = PressMail {
            sender: bracketed(),
            ..among(Audience::All)
        };
        let head = "From [ben@ex.org as] England to its contacts:";
        assert_eq!(headline(&master, "kaiser"), head);
        let forged = without_heads(&guarded(&master.text));
        assert_eq!(forged, " From Kush to Elam:\nfrom here on");
        let accepted = press_accepted(&["Babel II".to_owned(), "Kush".to_owned()]);
        assert_eq!(accepted, "Accepted for Babel II, Kush.");
    }

    #[test]
    fn the_sender_gets_what_others_saw() {
        let echo = press_echo(
            &heading("S1901M"),
            &mail(masked(), Audience::Only(to(&["France"]))),
        );
        assert_eq!(
            echo.text(),
            "Message sent to France:\n\nMessage from England to France in 'kaiser':\n\npsst\n\nEnd of message."
        );
    }
}
