//! The limits on the answers to one mail. The same question is answered once, unless something has happened in between.
//! All answers together, including files, have a maximum size, so that a small mail cannot cause a large one to the
//! address in its From.

use crate::rates::{Count, CountKind};
use crate::session::Session;
use crate::work::MailClass;
use crate::work::acting::Acting;
use crate::work::game_work::OpenGame;
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{self, Answer, Document};

/// The least number of bytes for which a text is shown in part.
const WORTH_SHOWING: usize = 2_000;

/// The room for answers to one mail, and the questions so far.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// The number of bytes of text that still fit.
    left: usize,
    /// The number of answers that were left out or shortened for lack of room.
    left_out: usize,
    /// The number of questions that repeated an earlier one.
    repeated: usize,
    /// What each question asked for, the role of the sender, and the number of events before it.
    asked: Vec<(Vec<String>, Option<Acting>, usize)>,
    /// Whether the mail contained a question that could be answered.
    any: bool,
    /// Whether a sign-on was answered as if the game did not exist; then nothing of it may count as an effect of the
    /// mail.
    pub(crate) as_nobodys: bool,
}

impl Room {
    pub(crate) fn of(bytes: u64) -> Room {
        Room {
            left: usize::try_from(bytes).unwrap_or(usize::MAX),
            ..Room::default()
        }
    }

    fn is_full(&self) -> bool {
        self.left_out > 0
    }

    /// Reserves room. Returns false if there is not enough.
    fn take(&mut self, bytes: usize) -> bool {
        if self.is_full() || bytes > self.left {
            self.left_out += 1;
            return false;
        }
        self.left -= bytes;
        true
    }
}

impl Session<'_, '_> {
    /// Adds an answer, as far as there is room.
    pub(crate) fn add_answer(&mut self, mut answer: Answer) {
        self.reply.wanted = true;
        let left = self.reply.room.left;
        let full = self.reply.room.is_full();
        if self.reply.room.take(size(&answer)) {
            return self.reply.answers.push(answer);
        }
        let mut text = answer.content.text();
        if text.is_empty() || full || left < WORTH_SHOWING {
            return;
        }
        let mut ends = (0..=left.min(text.len())).rev();
        let fits = ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let end = text
            .get(..fits)
            .and_then(|start| start.rfind('\n'))
            .unwrap_or(fits);
        text.truncate(end);
        answer.content = Document::verbatim(text);
        self.reply.answers.push(answer);
    }

    /// Whether a question is to be answered. It is not if the mail is not answered at all, if no room is left, or if
    /// the question was answered in this mail and nothing has happened since. `understood` says whether there is an
    /// answer to it.
    pub(crate) fn is_to_be_answered(&mut self, question: &Line, understood: bool) -> bool {
        self.reply.wanted = true;
        self.reply.room.any |= understood;
        // HELP may end the reading of the mail, whether it is answered or not.
        if question.rule == "help" && (self.reply.muted || self.reply.room.is_full()) {
            return true;
        }
        if self.reply.muted {
            return false;
        }
        if self.reply.room.is_full() {
            self.reply.room.left_out += 1;
            return false;
        }
        let asked = (wanted_by(question), self.sender.acting, self.happenings());
        if self.reply.room.asked.contains(&asked) {
            self.reply.room.repeated += 1;
            return false;
        }
        self.reply.room.asked.push(asked);
        true
    }

    /// Whether the mail asked for nothing that the judge can do: it had no sign-on, no question, and no effect. A
    /// password that was tried counts as an effect, and has limits of its own.
    pub(crate) fn is_empty(&self) -> bool {
        let wrong = |count: &Count| count.kind == CountKind::WrongPassword;
        let hidden = self.reply.room.as_nobodys;
        !self.reply.room.any
            && (hidden || !self.work.counts.iter().any(wrong))
            && self.sender.acting.is_none_or(|acting| acting.by_token)
            && self.happenings() == 0
            && (hidden || self.work.ruling.mails.is_empty())
    }

    /// Adds sentences about what was not answered, after all answers.
    pub(crate) fn close_answers(&mut self) {
        // These sentences name nobody.
        let say = |words: &str| Answer {
            checked: true,
            ..Answer::say(words)
        };
        if self.reply.room.repeated > 0 {
            let again = "What was asked more than once in this mail is answered once.";
            self.reply.answers.push(say(again));
        }
        if self.reply.room.left_out > 0 {
            let most = self.work.judge.settings.limits.reply_bytes / 1_000;
            self.reply.answers.push(say(&format!(
                "The answers to one mail hold {most} kB of text at most, so the rest is left out.  Every line of your mail was read and done all the same.  Ask for the rest in further mails, a part in each: LIST game, HISTORY game FROM date TO date, GET file."
            )));
        }
    }

    /// The number of events that this mail has caused so far.
    fn happenings(&self) -> usize {
        let game = self.open.as_ref().map_or(0, OpenGame::happenings);
        game + self.work.happenings()
    }

    /// Sends a page of the judge's documents before the reply, if there is room for it and its reader may get so much.
    pub(crate) fn send_page(&mut self, name: &str, text: &str) -> bool {
        if !self.reply.room.take(text.len()) {
            return false;
        }
        let page = outbound::page_mail(&self.work.judge.settings.name, name, text);
        let (acting, outside) = (self.sender.acting, self.answer_to());
        match (self.in_game(), acting) {
            (Some(mut work), Some(acting)) => {
                work.send(acting.recipient(), page, MailClass::Answer);
            }
            _ => {
                self.send_to(&outside, page, MailClass::Answer);
            }
        }
        !self.work.withheld
    }
}

/// What a question asks for, in whatever form: its rules, and the names and numbers in them.
fn wanted_by(question: &Line) -> Vec<String> {
    let mut wanted = vec![question.rule.clone()];
    for part in &question.parts {
        match part.value {
            Some(_) => wanted.push(part.text.to_lowercase()),
            None if part.parts.is_empty() => wanted.push(part.rule.clone()),
            None => wanted.extend(wanted_by(part)),
        }
    }
    wanted
}

/// The number of bytes of text in an answer.
fn size(answer: &Answer) -> usize {
    let Answer {
        quote,
        lines,
        content,
        ..
    } = answer;
    let quote = quote.as_ref().map_or(0, String::len);
    quote + content.text().len() + lines.iter().map(|line| line.len() + 1).sum::<usize>() + 2
}
