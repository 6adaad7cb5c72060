//! Delivery failures in words alone, as hosts write them that know no reports (RFC 3464).

use std::collections::BTreeSet;

use super::address::Address;
use super::failure_words::FailureWords;
use super::machine_address::is_machine;

/// So many lines below an introduction are searched for failing addresses.
const LISTED_LINES: usize = 15;

/// The most addresses that are taken from the words of one notice.
const MAX_NAMED: usize = 20;

/// A mail that may be a notice.
pub(super) struct Notice<'a> {
    /// Its subject.
    pub(super) subject: &'a str,
    /// Its text.
    pub(super) text: &'a str,
    /// Who sends it, as far as the header shows.
    pub(super) writer: Writer,
    /// The host of its sender, to which bare names of mailboxes belong.
    pub(super) host: &'a str,
}

/// Who sends a mail that may be a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// Nobody that a person could be: `mailer-daemon`, or no address at all.
    Program,
    /// Anybody.
    Person,
}

/// Whether a subject is one that programs give to notices.
pub(super) fn is_subject_of_notice(subject: &str) -> bool {
    let subject = subject.trim().to_lowercase();
    let words = FailureWords::all();
    begins(&subject, &words.subjects)
        || begins(&subject, &words.noted)
        || subject.ends_with("(delivery failed)")
}

impl Notice<'_> {
    /// Whether it says that a mail was not delivered. A person may write the subject or the sentence, so both have to agree;
    /// what a program sends needs one of them.
    pub(super) fn tells_failure(&self) -> bool {
        let words = FailureWords::all();
        let subject = self.subject.trim().to_lowercase();
        let text = self.text.to_lowercase();
        let says = holds(&text, &words.of_programs)
            || text.contains('@') && holds(&text, &words.sentences);
        match self.writer {
            Writer::Program => is_subject_of_notice(self.subject) || says,
            Writer::Person => {
                let named =
                    begins(&subject, &words.subjects) || subject.ends_with("(delivery failed)");
                named && says
            }
        }
    }

    /// Whether delivery is still tried.
    pub(super) fn is_retried(&self) -> bool {
        holds(&self.subject.to_lowercase(), &FailureWords::all().retried)
    }

    /// The addresses that it calls failing, above the mail that came back, except those of programs and `own`, those of the
    /// notice itself. Of the ways to find them the surest one that finds any counts.
    pub(super) fn failed_addresses(&self, own: &[&Address]) -> Vec<Address> {
        let words = FailureWords::all();
        let mut lines: Vec<NoticeLine<'_>> = Vec::new();
        for line in self.text.lines().map(NoticeLine::of) {
            if let Some(at) = words
                .copies
                .iter()
                .filter_map(|words| line.lower.find(words))
                .min()
            {
                // A page may have all its words on one line.
                lines.extend(line.text.get(..at).map(NoticeLine::of));
                break;
            }
            lines.push(line);
        }
        let usable = |address: &Address| {
            !is_machine(address) && !own.iter().any(|one| one.key() == address.key())
        };
        let mut found = self.listed(&lines, &usable);
        if found.is_empty() {
            found = named(&lines, &usable);
        }
        if found.is_empty() {
            let first = lines.iter().flat_map(|line| told(line.text)).find(&usable);
            found.extend(first);
        }
        // The same one may stand there as a name and as a link.
        let mut keys = BTreeSet::new();
        found.retain(|address| keys.insert(address.key()));
        found.truncate(MAX_NAMED);
        found
    }

    /// The addresses behind and below words like `the following addresses failed`: to the next empty line below the first.
    fn listed(&self, lines: &[NoticeLine<'_>], usable: &impl Fn(&Address) -> bool) -> Vec<Address> {
        let words = FailureWords::all();
        let (mut found, mut bare) = (Vec::new(), Vec::new());
        for (number, line) in lines.iter().enumerate() {
            let Some(rest) = behind_any(line, &words.lists) else {
                continue;
            };
            found.extend(told(rest).filter(usable));
            for below in lines.iter().skip(number + 1).take(LISTED_LINES) {
                let text = below.text.trim();
                if text.is_empty() {
                    if found.is_empty() {
                        continue;
                    }
                    break;
                }
                found.extend(told(text).filter(usable));
                bare.extend(self.bare_name(text).filter(usable));
            }
            if !found.is_empty() {
                return found;
            }
        }
        bare
    }

    /// A line that is the name of a mailbox at the host of the notice, and nothing else.
    fn bare_name(&self, line: &str) -> Option<Address> {
        let name = line.trim_matches(['<', '>', '"', '\'']);
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        let is_name = name.chars().all(plain) && name.chars().any(|c| c.is_ascii_alphanumeric());
        is_name
            .then(|| Address::parse(&format!("{name}@{}", self.host)).ok())
            .flatten()
    }
}

/// A line and the same in lower case.
struct NoticeLine<'a> {
    text: &'a str,
    lower: String,
}

impl<'a> NoticeLine<'a> {
    fn of(text: &'a str) -> NoticeLine<'a> {
        NoticeLine {
            text,
            lower: text.to_lowercase(),
        }
    }
}

/// The addresses right behind words like `failed recipient:`, or at the beginning of the next line.
fn named(lines: &[NoticeLine<'_>], usable: &impl Fn(&Address) -> bool) -> Vec<Address> {
    let words = FailureWords::all();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(rest) = behind_any(line, &words.names) else {
            continue;
        };
        let rest = match rest.trim_matches(|c: char| c.is_whitespace() || c == ':') {
            "" => lines.get(number + 1).map_or("", |next| next.text),
            rest => rest,
        };
        // A kind of address may stand before it: `rfc822; ben@example.org`.
        let next = words_of(rest).take(2).find_map(address);
        found.extend(next.filter(usable));
        if found.len() >= MAX_NAMED {
            break;
        }
    }
    found
}

/// The addresses of a text except that of whoever sent what came back.
fn told(text: &str) -> impl Iterator<Item = Address> {
    let mut before = "";
    words_of(text).filter_map(move |word| {
        let of_sender = matches!(before.to_ascii_lowercase().as_str(), "from" | "sender");
        before = word;
        address(word).filter(|_| !of_sender)
    })
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "<>()[]\"',;:=|*".contains(c))
        .filter(|word| !word.is_empty())
}

fn address(word: &str) -> Option<Address> {
    let word = word.trim_matches(['.', '\'', '!', '?']);
    word.contains('@').then(|| Address::parse(word).ok())?
}

/// What stands behind the first of these words that a line has.
fn behind_any<'l>(line: &NoticeLine<'l>, words: &[&str]) -> Option<&'l str> {
    words.iter().find_map(|words| {
        let at = line.lower.find(words)?;
        // Lower case may have another length, where the line has letters of other scripts.
        let behind = at + words.len();
        let same = line.lower.len() == line.text.len();
        Some(if same { line.text.get(behind..)? } else { "" })
    })
}

fn begins(text: &str, words: &[&str]) -> bool {
    words.iter().any(|words| text.starts_with(words))
}

fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let judge = Address::parse("judge@example.org").unwrap();
        let notice = Notice {
            subject: "",
            text,
            writer: Writer::Program,
            host: "example.net",
        };
        let found = notice.failed_addresses(&[&judge]);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_failing_address_is_found_in_words() {
        for text in [
            "Hi. This is the qmail-send program at mx.example.net.\n<ben@example.net>:\nno such user",
            "Your mail from judge@example.org to mailto:ben@example.net could not be delivered",
            "550 5.1.1 RCPT TO:<ben@example.net> user unknown, ask postmaster@example.net",
            "It was sent from eve@example.org and could not be delivered to ben@example.net",
            // Names of mailboxes without a host, and addresses within those of X.400.
            "The following recipients do not take mail from eve@example.org:\nben",
            "did not reach the following recipient(s):\nc=US;a= ;p=Host;dda:SMTP=ben@example.net; on Monday",
            "Наш Сервер: Получатель: ben@example.net",
        ] {
            assert_eq!(found(text), ["ben@example.net"], "{text}");
        }
        let several = "The following addresses failed:\n\nben@example.net\neve@example.net\n\nAsk anna@example.net";
        assert_eq!(found(several), ["ben@example.net", "eve@example.net"]);
    }

    #[test]
    fn a_person_who_writes_of_a_failure_is_no_host() {
        let tells = |subject, text, writer| {
            let notice = Notice {
                subject,
                text,
                writer,
                host: "example.net",
            };
            notice.tells_failure()
        };
        let unknown = "ben@example.net: user unknown";
        assert!(tells("Undeliverable: USXX", unknown, Writer::Person));
        let automatic = "This message was created automatically by mail delivery software.";
        let returned = "Mail delivery failed: returning message to sender";
        assert!(tells(returned, automatic, Writer::Person));
        for (subject, text) in [
            ("Re: Undeliverable: USXX", unknown),
            ("Undeliverable: USXX", "A Par - Bur"),
            (
                "Undeliverable: USXX",
                "My mail to you was undelivered.\nA Par - Bur",
            ),
            ("Warning: USXX", unknown),
            ("USXX orders", "no such user ben@example.net"),
        ] {
            assert!(!tells(subject, text, Writer::Person), "{subject}: {text}");
        }
        assert!(tells("USXX orders", unknown, Writer::Program));
        assert!(!tells("USXX orders", "A Par - Bur", Writer::Program));
    }
}
