//! What the variant's own lines do, as the end of a power's mails offers them: the answer to HELP BIRTH, and to sentences that name one.

use super::subjects::UNREAD;
use crate::session::Session;
use dipjudge_commands::subjects::asks;
use dipjudge_view::{OfferedLine, Viewer};

/// First words of lines that stand in sentences of all kinds.
const COMMON_WORDS: [&str; 10] = [
    "question", "answer", "accept", "pass", "vote", "name", "build", "move", "if", "give",
];

/// The line by which a game of some variants does not wait for more from a power.
const PASS: &str = "PASS";

impl Session<'_, '_> {
    /// Answers a sentence by what the variant's own lines do that it names: `What is this about bids?`
    pub(crate) fn answer_by_own_lines(&mut self, line: &str) -> bool {
        let words = line.split(|sign: char| !sign.is_alphanumeric());
        let words = words.map(str::to_lowercase);
        let mut special = words.filter(|word| !COMMON_WORDS.contains(&word.as_str()));
        let Some(word) = special.find(|word| !self.own_lines_about(word).is_empty()) else {
            return false;
        };
        self.reply.wanted = true;
        let are_about = "These lines of this game are about it:";
        if asks(line) {
            self.fault(line, are_about);
        } else {
            self.fault(line, format!("{UNREAD}  {are_about}"));
        }
        self.tell_own_lines(&word);
        true
    }

    /// Proposes the variant's own line by which the game does not wait for the sender, where it has one: `Go on without me.`
    pub(crate) fn proposes_pass(&mut self, line: &str) -> bool {
        let offered = self.own_lines_about(PASS).into_iter();
        let Some(pass) = offered.into_iter().find(|offered| offered.line == PASS) else {
            return false;
        };
        self.ask_before(line);
        self.propose(&pass.line);
        self.say(pass.does);
        true
    }

    /// Shows the lines of the variant's own that begin with a word, with what each does.
    pub(crate) fn tell_own_lines(&mut self, word: &str) {
        for OfferedLine { line, does, .. } in self.own_lines_about(word) {
            self.print(format!("    {line}"));
            self.say(does);
        }
    }

    /// The lines that the sender's power may send now and that begin with a word, or with what it is the plural of.
    fn own_lines_about(&self, word: &str) -> Vec<OfferedLine> {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(edit)) = (power, self.edit()) else {
            return Vec::new();
        };
        let view = edit.variant_game().seen_by(Viewer::Power(power));
        let single = word.strip_suffix('s').unwrap_or(word);
        let begins = |line: &str| {
            let first = line.split([' ', ':']).next().unwrap_or_default();
            [word, single]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(first))
        };
        let offered = view.offered_lines(power).into_iter();
        offered.filter(|offered| begins(&offered.line)).collect()
    }
}
