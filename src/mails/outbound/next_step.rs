//! The end of a mail: what its reader may do next, as lines that can be sent, and in HTML as links that open such an answer.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{AnswerLink, Block, Document};
use dipjudge_view::{NextStep, ReadyAnswer};

/// The heading of the part.
const HEADING: &str = "What you may do next:";
/// The longest link: some mail programs cut longer ones off.
const MAX_URL: usize = 2_000;
/// What stands in a URL as it is (RFC 3986, unreserved), and the `@` of an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'@');

/// Where an answer goes, and the subject that it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerAddress {
    /// The reply address of the mail.
    pub address: String,
    /// The subject of the mail.
    pub subject: String,
}

impl AnswerAddress {
    /// The link that opens this answer; `None` if it would be too long for mail programs.
    fn link(&self, ready: &ReadyAnswer) -> Option<AnswerLink> {
        let encoded = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
        let subject = self.subject.trim_start_matches("Re: ");
        let subject = format!("Re: {subject}");
        let url = format!(
            "mailto:{}?subject={}&body={}",
            encoded(&self.address),
            encoded(&subject),
            encoded(&ready.lines.join("\r\n"))
        );
        (url.len() < MAX_URL).then(|| AnswerLink {
            name: ready.name.clone(),
            url,
        })
    }
}

/// Splits the text of a mail into what it says and, below the heading, what its reader may do next; that is empty if the mail does
/// not say it.
pub fn split_next_step(text: &str) -> (&str, &str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let behind = at + line.len();
        if line.trim_end() == HEADING {
            return (
                text.get(..at).unwrap_or_default(),
                text.get(behind..).unwrap_or_default(),
            );
        }
        at = behind;
    }
    (text, "")
}

/// How much of what is possible a mail tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowMuch {
    /// What is needed, and what the variant offers.
    Needed,
    /// Other answers, too: more time, a vote, letters.
    All,
}

/// The part for the end of a mail. Links need an address for answers.
pub fn next_step(step: &NextStep, how_much: HowMuch, answers: Option<&AnswerAddress>) -> Document {
    let mut document = Document::default();
    document.push(Block::Heading(HEADING.to_owned()));
    document.push(Block::Paragraph(step.sentences.clone()));
    let link = |ready: &ReadyAnswer| answers.and_then(|answers| answers.link(ready));
    if let Some(ready) = &step.answer {
        document.append(lines(&ready.lines, link(ready).into_iter().collect()));
    }
    if !step.offers.is_empty() {
        document.push(Block::from("You may now:"));
        for offer in &step.offers {
            let ready = ReadyAnswer {
                name: offer.line.clone(),
                lines: vec![offer.line.clone()],
            };
            let sent = if offer.is_spent {
                " You have sent one."
            } else {
                ""
            };
            let mut part = lines(&ready.lines, link(&ready).into_iter().collect());
            part.push(Block::from(format!("{}{sent}", offer.does)));
            document.append(part.grouped());
        }
    }
    if how_much == HowMuch::All && !step.others.is_empty() {
        let clauses = step.others.iter().map(|other| other.clause.as_str());
        let clauses: Vec<&str> = clauses.filter(|clause| !clause.is_empty()).collect();
        let text = format!("You can also answer with this: {}.", clauses.join("; "));
        let links: Vec<AnswerLink> = step
            .others
            .iter()
            .filter_map(|other| link(&other.ready))
            .collect();
        document.push(Block::from(text));
        if !links.is_empty() {
            document.push(Block::AnswerLinks(links));
        }
    }
    document
}

/// The links for the answer that a mail itself asks for, in HTML alone: its text has the words.
pub fn asked_answer(ready: &ReadyAnswer, answers: Option<&AnswerAddress>) -> Option<AnswerLink> {
    answers.and_then(|answers| answers.link(ready))
}

/// Lines that can be sent, and below them in HTML the links that hold them.
fn lines(lines: &[String], links: Vec<AnswerLink>) -> Document {
    let indented: Vec<String> = lines.iter().map(|line| format!("     {line}")).collect();
    let mut html = vec![Block::Verbatim(lines.join("\n"))];
    if !links.is_empty() {
        html.push(Block::AnswerLinks(links));
    }
    Document::fixed_lines(indented.join("\n"), Document(html))
}
