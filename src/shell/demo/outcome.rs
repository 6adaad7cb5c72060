//! The outcome of a sample game, collected from its mails.

use std::collections::BTreeMap;

use dipjudge_mails::outbound::{split_at_headline, split_next_step};

/// The outcome of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct GameOutcome {
    /// The number of mails about it.
    pub mails: usize,
    /// The number of mails to each person.
    pub read_by: BTreeMap<String, usize>,
    /// The results of each phase, in order.
    pub results: Vec<PhaseResults>,
    /// The answer to SUMMARY.
    pub summary: Option<String>,
    /// How many maps came.
    pub maps: usize,
    /// The images.
    pub map_images: Vec<Vec<u8>>,
}

/// The results of a phase.
#[derive(Clone, Debug)]
pub(super) struct PhaseResults {
    /// The subject of its mails.
    pub subject: String,
    copies: Vec<ReportCopy>,
    /// Whether maps of it were kept.
    has_maps: bool,
}

/// The results as one person read them.
#[derive(Clone, Debug)]
struct ReportCopy {
    reader: String,
    body: String,
}

impl ReportCopy {
    /// What all read alike.
    fn all_read(&self) -> &str {
        split_at_headline(&self.body).1
    }
}

impl PhaseResults {
    /// The results as somebody read them.
    pub(super) fn of(&self, reader: &str) -> Option<&str> {
        let copy = self.copies.iter().find(|copy| copy.reader == reader)?;
        Some(&copy.body)
    }

    /// The texts of the results, each once; if there are several, each with its first reader. Of texts that differ only in what they
    /// say first, which is what changed for the reader, the shortest stands for all.
    fn texts(&self) -> Vec<String> {
        let mut texts: Vec<&ReportCopy> = Vec::new();
        for copy in &self.copies {
            match texts
                .iter_mut()
                .find(|text| text.all_read() == copy.all_read())
            {
                Some(text) if text.body.len() > copy.body.len() => *text = copy,
                Some(_) => {}
                None => texts.push(copy),
            }
        }
        if let [ReportCopy { body, .. }] = texts.as_slice() {
            return vec![format!("Subject: {}\n\n{body}\n", self.subject)];
        }
        texts
            .into_iter()
            .map(|ReportCopy { reader, body }| {
                format!("To: {reader}\nSubject: {}\n\n{body}\n", self.subject)
            })
            .collect()
    }
}

impl GameOutcome {
    /// Collects what one mail says.
    pub(super) fn read(&mut self, reader: &str, subject: &str, body: &str, maps: Vec<Vec<u8>>) {
        self.mails += 1;
        *self.read_by.entry(reader.to_owned()).or_default() += 1;
        // What each reader may do next is his own.
        let body = split_next_step(body).0.trim_end().to_owned();
        if subject.ends_with(" Results") && !subject.starts_with("Re:") {
            self.read_results(reader, subject, &body, maps);
        }
        if let Some(from) = body.find("Summary of game '") {
            self.summary = body.get(from..).map(|summary| format!("{summary}\n"));
        }
    }

    fn read_results(&mut self, reader: &str, subject: &str, body: &str, maps: Vec<Vec<u8>>) {
        let copy = ReportCopy {
            reader: reader.to_owned(),
            body: body.to_owned(),
        };
        let mut known = self.results.iter().rev();
        let place = known.position(|results| results.subject == subject);
        let place = match place {
            Some(behind) => self.results.len() - 1 - behind,
            None => {
                self.results.push(PhaseResults {
                    subject: subject.to_owned(),
                    copies: Vec::new(),
                    has_maps: false,
                });
                self.results.len() - 1
            }
        };
        let Some(results) = self.results.get_mut(place) else {
            return;
        };
        results.copies.push(copy);
        // The maps of the first reader who wants some are enough.
        if !results.has_maps && !maps.is_empty() {
            results.has_maps = true;
            self.maps += maps.len();
            self.map_images.extend(maps);
        }
    }

    /// The first report.
    pub(super) fn first_report(&self) -> Option<String> {
        self.results.first()?.texts().into_iter().next()
    }

    /// How the game ended, from the summary.
    pub(super) fn end(&self) -> Option<&str> {
        let summary = self.summary.as_deref()?;
        let end = summary
            .lines()
            .rev()
            .find(|line| line.starts_with("Game "))?;
        Some(end.trim())
    }

    /// All reports, as they are written to the file.
    pub(super) fn reports(&self) -> Vec<String> {
        self.results.iter().flat_map(PhaseResults::texts).collect()
    }
}
