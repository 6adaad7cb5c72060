//! Questions and requests in which no command or order can be found: what they are about is answered, so that their sender
//! knows the line to write.

use super::help;
use crate::session::Session;
use crate::session::own_orders::OwnOrders;
use dipjudge_commands::corrections::{QuestionFrom, subject_of};
use dipjudge_commands::mail_reader::{BodyLine, ItemKind, SignOnBy, is_question, read_mail};
use dipjudge_commands::prose::parts_of;
use dipjudge_grammar::Line;

/// How a subject is answered.
enum Answered {
    /// By doing this question.
    By(&'static str),
    /// By the help on it.
    Help(&'static str),
}

/// The fewest words of a sentence: shorter lines are orders and commands with mistakes.
const FEWEST_WORDS: usize = 3;

/// Whether a sentence asks something.
fn asks(line: &str) -> bool {
    let leads = [
        "so", "ok", "okay", "and", "but", "hi", "hello", "sorry", "also", "please",
    ];
    let is_lead = |word: &&str| {
        let word = word.trim_end_matches([',', '.', '!']);
        leads.iter().any(|lead| word.eq_ignore_ascii_case(lead))
    };
    let mut words = line.split_whitespace().skip_while(is_lead);
    let first = words.next().unwrap_or_default();
    let questions = [
        "how", "what", "when", "where", "which", "who", "why", "can", "could", "may", "is", "do",
        "does", "am", "are", "did", "have", "should", "shall", "would", "will",
    ];
    line.trim_end().ends_with('?') || questions.iter().any(|ask| first.eq_ignore_ascii_case(ask))
}

fn answered(subject: &str) -> Option<Answered> {
    use Answered::{By, Help};
    Some(match subject {
        "about-deadline" | "about-due" => By("STATUS"),
        "about-results" => By("HISTORY"),
        "about-players" => By("WHOGAME"),
        "about-map" => By("MAP"),
        "about-list" | "about-centers" => By("LIST"),
        "about-create" => Help("CREATE"),
        "about-remind" => Help("reminder"),
        "about-rules" => Help("rules"),
        "about-time" => Help("deadline"),
        "about-absence" => Help("ABSENCE"),
        "about-resign" => Help("RESIGN"),
        "about-draw" => Help("SET DRAW"),
        "about-address" => Help("SET ADDRESS"),
        "about-password" => Help("password"),
        "about-pictures" => Help("SET MAP"),
        "about-preference" => Help("SET PREFERENCE"),
        "about-observe" => Help("OBSERVE"),
        "about-clear" => Help("CLEAR"),
        "about-wait" => Help("SET WAIT"),
        "about-support" => Help("support"),
        "about-convoy" => Help("convoy"),
        "about-retreat" => Help("retreat"),
        "about-build" => Help("build"),
        "about-hold" => Help("hold"),
        "about-move" => Help("orders"),
        "about-letter" | "about-broadcast" => Help("PRESS"),
        "about-eject" => Help("EJECT"),
        "about-rollback" => Help("ROLLBACK"),
        "about-process" => Help("PROCESS"),
        "about-pause" => Help("PAUSE"),
        "about-become" => Help("BECOME"),
        "about-promote" => Help("PROMOTE"),
        "about-timing" => Help("SET MOVE"),
        "about-overrule" => Help("OVERRULE"),
        "about-set-deadline" => Help("SET DEADLINE"),
        _ => return None,
    })
}

impl Session<'_, '_> {
    /// Answers a sentence by what it is about, if it holds no order of the sender's own, which would be one with a mistake.
    pub(crate) fn answer_subject(&mut self, line: &str) -> bool {
        let words = line.split_whitespace().count();
        if words < FEWEST_WORDS || self.sender.acting.is_none() {
            return false;
        }
        let asked = parts_of(line).into_iter().find_map(question);
        if let Some((text, question)) = asked {
            self.reply.wanted = true;
            self.carry_out(text, &question, &question.rule);
            return true;
        }
        if OwnOrders::of(self).is_some_and(|own| own.holds(line)) {
            return false;
        }
        let asked_by = if self.is_master() {
            QuestionFrom::Master
        } else {
            QuestionFrom::Other
        };
        // Players write lines of a variant that are no sentences: "GIVE MAP TO Carthage".
        if asked_by == QuestionFrom::Other && !asks(line) {
            return false;
        }
        let subject = subject_of(line, asked_by);
        let Some(answered) = subject.as_deref().and_then(answered) else {
            return false;
        };
        self.reply.wanted = true;
        if subject.as_deref() == Some("about-rules")
            && let Some(edit) = self.edit()
        {
            let page = edit.variant.card().name.to_uppercase();
            self.propose(&format!("GET RULES.{page}"));
        }
        match answered {
            Answered::By(command) => self.ask(line, command),
            Answered::Help(words) => {
                let Some(help) = help::about(words, self.edit().map(|edit| edit.variant)) else {
                    return false;
                };
                if self.reading.helped.insert(words) {
                    let why = if line.trim_end().ends_with('?') {
                        "The help on what this seems to be about:"
                    } else {
                        "I could not read this line, so nothing was done with it.  The help on what it seems to be about:"
                    };
                    self.fault(line, why);
                    self.print(help);
                } else {
                    self.fault(
                        line,
                        "I could not read this line, so nothing was done with it.",
                    );
                }
            }
        }
        true
    }

    /// Whether a sentence is a question that can be answered, if only by help.
    pub(crate) fn asks_about_something(&self, sentence: &str) -> bool {
        let subject = || subject_of(sentence, QuestionFrom::Other);
        sentence.ends_with('?') && (question(sentence).is_some() || subject().is_some())
    }

    /// Answers a sentence by a question that it means.
    fn ask(&mut self, line: &str, command: &'static str) {
        let Some(question) = command_of(command) else {
            return;
        };
        if self.reading.helped.insert(command) {
            self.fault(line, format!("I took this for the question {command}:"));
            self.carry_out(command, &question, &question.rule);
        }
    }
}

/// The command that a line is.
fn command_of(line: &str) -> Option<Line> {
    let words = [BodyLine::own(1, line)];
    let items = read_mail(&words, SignOnBy::ReplyAddress).items;
    match items.into_iter().next().map(|item| item.kind) {
        Some(ItemKind::Command(line)) => Some(line),
        _ => None,
    }
}

/// A part of a line that is a question in the words of people.
pub(crate) fn question(part: &str) -> Option<(&str, Line)> {
    let question = command_of(part).filter(is_question)?;
    Some((part, question))
}
