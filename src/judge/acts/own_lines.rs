//! What the variant's own lines do, as the end of a power's mails offers them: the answer to HELP BIRTH, and to questions that name one.

use crate::session::Session;
use dipjudge_view::Viewer;

/// First words of lines that stand in sentences of all kinds.
const COMMON_WORDS: [&str; 10] = [
    "question", "answer", "accept", "pass", "vote", "name", "build", "move", "if", "give",
];

impl Session<'_, '_> {
    /// Answers a question by what the variant's own lines do that it names: `What is this about bids?`
    pub(crate) fn answer_by_own_lines(&mut self, line: &str) -> bool {
        let words = line.split(|sign: char| !sign.is_alphanumeric());
        let words = words.map(str::to_lowercase);
        let mut special = words.filter(|word| !COMMON_WORDS.contains(&word.as_str()));
        let Some(told) = special.find_map(|word| self.own_lines_about(&word)) else {
            return false;
        };
        self.reply.wanted = true;
        self.fault(line, "These lines of this game are about it:");
        self.print(told);
        true
    }

    /// The lines that the sender's power may send now and that begin with a word, or with what it is the plural of, each with what
    /// it does.
    pub(crate) fn own_lines_about(&self, word: &str) -> Option<String> {
        let power = self.sender.acting?.power?;
        let edit = self.edit()?;
        let view = edit.variant_game().seen_by(Viewer::Power(power));
        let single = word.strip_suffix('s').unwrap_or(word);
        let begins = |line: &str| {
            let first = line.split([' ', ':']).next().unwrap_or_default();
            [word, single]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(first))
        };
        let offered = view.offered_lines(power).into_iter();
        let about = offered.filter(|offered| begins(&offered.line));
        let shown: Vec<String> = about
            .map(|offered| format!("{}\n    {}", offered.line, offered.does))
            .collect();
        (!shown.is_empty()).then(|| shown.join("\n"))
    }
}
