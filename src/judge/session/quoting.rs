//! Quotes from a mail in its answers, without any word that is or may be a password.

use std::collections::BTreeMap;

use crate::Judge;
use crate::session::Session;
use dipjudge_commands::command_reader::{OrdersHeading, is_pleasantry, orders_heading};
use dipjudge_mails::inbound::{InboundMail, LinePart, redact, redact_quoted, secrets};
use dipjudge_mails::outbound::Answer;
use dipjudge_rules::folding::fold;

/// The end of the subject of a sign-on notice, before the player's number or letter.
const OWN_NOTICE: &str = " New Player Signon: ";
/// The greatest length of that number or letter.
const LONGEST_SEAT: usize = 4;

/// The words of a mail that no answer to it may repeat.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    /// The words after SIGNON, PASSWORD and the like, by the number of their line.
    marked: BTreeMap<usize, Vec<String>>,
    /// Those of the current line.
    line: Vec<String>,
    /// Passwords that were parsed as such.
    spoken: Vec<String>,
    /// The keyed hashes of the sender's remembered passwords.
    remembered: Vec<[u8; 32]>,
}

impl Secrets {
    /// The secrets of a mail.
    pub(crate) fn of(judge: &Judge, mail: &InboundMail) -> Secrets {
        let mut marked: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        // A password may be on the line after the word SIGNON or PASSWORD.
        let mut before = "";
        for line in mail.lines.iter().filter(|line| line.part == LinePart::Own) {
            let found = secrets_of_second(before, &line.text);
            if !found.is_empty() {
                marked.entry(line.number).or_default().extend(found);
            }
            if !line.text.trim().is_empty() {
                before = &line.text;
            }
        }
        Secrets {
            marked,
            remembered: judge.remembered_of(&mail.from.key()),
            ..Secrets::default()
        }
    }

    /// Moves on to another line.
    pub(crate) fn begin(&mut self, line: usize) {
        self.line = self.marked.get(&line).cloned().unwrap_or_default();
    }

    /// Whether the current line contains what may be a password.
    pub(crate) fn in_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// Allows the rest of the current line to be repeated: it is parsed separately from the password.
    pub(crate) fn only_spoken(&mut self) {
        self.line.clear();
    }

    /// Adds a word that is a password.
    pub(crate) fn add(&mut self, word: &str) {
        self.spoken.push(word.to_owned());
    }

    fn hold(&self, judge: &Judge, word: &str) -> bool {
        let mut spoken = self.line.iter().chain(&self.spoken);
        spoken.any(|secret| secret.eq_ignore_ascii_case(word))
            || (!self.remembered.is_empty() && self.remembered.contains(&judge.keyed(word)))
    }
}

/// The secrets in the second of two lines.
fn secrets_of_second(first: &str, second: &str) -> Vec<String> {
    let of_first = secrets(first, |_| false).len();
    let both = secrets(&format!("{first}\n{second}"), |_| false);
    both.into_iter().skip(of_first).collect()
}

/// The most letters of initials.
const MOST_INITIALS: usize = 3;

impl Session<'_, '_> {
    /// Whether a line is a greeting, thanks, or the sender's own name below his letter, which ask for nothing.
    pub(crate) fn says_nothing(&self, line: &str) -> bool {
        let says_nothing = |part: &str| {
            let (before, last) = part.trim().rsplit_once(' ').unwrap_or(("", part));
            // "Greetings Dirk", "Gwen x"
            let signed = is_pleasantry(before) && self.is_own_name(last)
                || self.is_own_name(before) && is_pleasantry(last);
            signed || is_pleasantry(part) || self.is_own_name(part) || self.is_own_power(part)
        };
        // "Thanks, Ben"
        let all_parts = || line.contains(',') && line.split(',').all(says_nothing);
        self.heads_orders(line) || says_nothing(line) || all_parts()
    }

    /// Whether a line is a heading of orders for the phase in hand: `Here are my orders for the fall`.
    fn heads_orders(&self, line: &str) -> bool {
        let Some(OrdersHeading { season }) = orders_heading(line) else {
            return false;
        };
        let game = self.game().filter(|game| game.begun());
        let now = game.map(|game| game.turn.season.to_string().to_lowercase());
        season.is_none_or(|season| now.is_some_and(|now| now == season))
    }

    /// Whether a line is the name or letter of the sender's power and nothing else, as below a letter.
    fn is_own_power(&self, line: &str) -> bool {
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            return false;
        };
        let line = line.trim_matches(|sign: char| !sign.is_alphanumeric());
        // "the Doctor"
        let line = line.strip_prefix("the ").unwrap_or(line);
        let roster = self.roster();
        let own = roster.info(power);
        let is_letter = |letter: char| line.chars().eq([letter]);
        own.is_some_and(|own| {
            own.name.eq_ignore_ascii_case(line) || own.letter.is_some_and(is_letter)
        })
    }

    /// Whether a line is nothing but names of the sender's, as he is registered or as his mail program shows him.
    pub(crate) fn is_own_name(&self, line: &str) -> bool {
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|sign: char| !sign.is_alphanumeric());
            words.filter(|word| !word.is_empty()).map(fold).collect()
        };
        let from = &self.mail.from;
        let registered = self.work.registry.by_address(&from.key());
        let names = registered.map(|person| person.name.as_str());
        let names = names.into_iter().chain(from.name()).chain([from.local()]);
        let names: Vec<String> = names.flat_map(words).collect();
        let is_initial = |letter: char| {
            let letter = fold(&letter.to_string());
            names.iter().any(|name| name.starts_with(&letter))
        };
        // "B." or "FO" below a mail, "G. Meister"
        let line = line.trim();
        let bare = line.trim_end_matches('.');
        let are_initials = bare.chars().count() <= MOST_INITIALS
            && !bare.is_empty()
            && bare
                .chars()
                .all(|letter| letter.is_uppercase() && is_initial(letter));
        let line = words(line);
        let several = line.len() > 1;
        let is_name = |word: &String| {
            let mut letters = word.chars();
            let only = letters
                .next()
                .filter(|_| several && letters.next().is_none());
            names.contains(word) || only.is_some_and(is_initial)
        };
        are_initials || !line.is_empty() && line.iter().all(is_name)
    }

    /// Words of the sender as an answer may repeat them.
    pub(crate) fn quotable(&self, text: &str) -> String {
        redact(text, |word| {
            self.reading.secrets.hold(self.work.judge, word)
        })
    }

    /// Whether the first line may be repeated. If the subject contains SIGNON or the like, that line may be the
    /// password.
    pub(crate) fn may_repeat_first(&self) -> bool {
        let behind = format!("{} word word", self.mail.subject);
        secrets(&behind, |_| false).is_empty()
    }

    /// The mail's subject as that of its answer may repeat it. The number or letter in the subject of a sign-on notice
    /// is not a password.
    pub(crate) fn quotable_subject(&self) -> String {
        let subject = self.mail.subject.as_str();
        let ours = format!("{}:", self.work.judge.settings.name);
        let notice = subject.rsplit_once(OWN_NOTICE).filter(|(before, who)| {
            before.contains(&ours)
                && who.len() <= LONGEST_SEAT
                && !who.contains(char::is_whitespace)
        });
        match notice {
            Some((before, who)) => format!(
                "{}{OWN_NOTICE}{}",
                self.quotable(before),
                self.quotable(who)
            ),
            None => self.quotable(subject),
        }
    }

    /// An answer about a line without the passwords in what it quotes.
    pub(crate) fn without_passwords(&self, answer: Answer) -> Answer {
        let judge = self.work.judge;
        Answer {
            quote: answer.quote.map(|quote| self.quotable(&quote)),
            lines: answer
                .lines
                .iter()
                .map(|line| redact_quoted(line, |word| self.reading.secrets.hold(judge, word)))
                .collect(),
            ..answer
        }
    }
}
