//! Questions of what became of something are answered from the last report of the game that the asker may read.

use super::info;
use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::report_passages::{ReportPassage, passages_asked};
use dipjudge_mails::outbound::Document;

/// The most passages of a report that are shown.
const MOST_SHOWN: usize = 8;

/// What stands above them.
const OF_REPORT: &str = "Your last report says of it:";

impl Session<'_, '_> {
    /// Answers a question of what became of something, if a line is one and the last report tells of it.
    pub(crate) fn answer_by_report(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let report = || info::last_report(&self.reader_context());
        let found = passages_asked(grammar_of(edit.variant), names, line, report);
        if found.is_empty() {
            return false;
        }
        let shown = laid_out(&found);
        self.reply.wanted = true;
        self.fault(line, OF_REPORT);
        // The report was sent to this reader.
        self.show_passed(Document::verbatim(shown));
        true
    }
}

/// Passages below their headings.
fn laid_out(passages: &[ReportPassage]) -> String {
    let mut lines = Vec::new();
    let mut heading = "";
    for passage in passages.iter().take(MOST_SHOWN) {
        if passage.heading != heading {
            heading = &passage.heading;
            lines.push(heading.to_owned());
        }
        lines.push(format!("    {}", passage.text));
    }
    lines.join("\n")
}
