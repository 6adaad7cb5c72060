//! Questions of what became of something are answered from the last report of the game that tells of it and that the asker may read.

use super::info;
use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::report_passages::{ReportPassage, passages_asked};
use dipjudge_mails::outbound::Document;

/// The most passages of a report that are shown.
const MOST_SHOWN: usize = 8;

/// The most reports that are looked through: a phase can have several steps, and what is gone is told in one of them.
const MOST_REPORTS: usize = 4;

/// What stands above the passages.
const OF_REPORT: &str = "The last report that tells of it says:";

impl Session<'_, '_> {
    /// Answers a question of what became of something, if a line is one and a report tells of it.
    pub(crate) fn answer_by_report(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let reports = || info::last_reports(&self.reader_context(), MOST_REPORTS);
        let found = passages_asked(grammar_of(edit.variant), names, line, reports);
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
