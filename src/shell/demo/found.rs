//! What came of a sample game, picked from the mails.

use std::collections::BTreeMap;

/// What came of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Mails that went out about it.
    pub mails: usize,
    /// How many each person read.
    pub read_by: BTreeMap<String, usize>,
    /// The first report.
    pub first_report: Option<String>,
    /// Every report, with its subject.
    pub reports: Vec<String>,
    /// The answer to SUMMARY.
    pub summary: Option<String>,
    /// How many maps came.
    pub maps: usize,
    /// The images.
    pub map_images: Vec<Vec<u8>>,
}

impl Found {
    /// Looks at one mail of the judge.
    pub(super) fn read(&mut self, reader: &str, subject: &str, body: &str, maps: Vec<Vec<u8>>) {
        self.mails += 1;
        *self.read_by.entry(reader.to_owned()).or_default() += 1;
        let body = body.trim_end().to_owned();
        if subject.ends_with(" Results") && !subject.starts_with("Re:") {
            let report = format!("Subject: {subject}\n\n{body}\n");
            // All read the same; the first copy is enough.
            if !self.reports.contains(&report) {
                self.first_report.get_or_insert_with(|| report.clone());
                self.reports.push(report);
                self.maps += maps.len();
                self.map_images.extend(maps);
            }
        }
        if let Some(from) = body.find("Summary of game '") {
            self.summary = body.get(from..).map(|summary| format!("{summary}\n"));
        }
    }
}
