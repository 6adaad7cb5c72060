//! The course of this game: its results and positions, who was late, what was refused, how it ended.

use std::collections::BTreeSet;

use super::{Game, printed};
use crate::games::oracle::Board;
use crate::games::play::PlayEvent;
use crate::games::received::{Received, what_all_read};
use crate::old_tools;

impl Game<'_> {
    /// The phases processed, in order: those before a position.
    pub(super) fn processed(&self) -> Vec<(&str, usize)> {
        let mut phases = vec!["S1901M"];
        let mut found = Vec::new();
        for (at, happened) in self.record.iter().enumerate() {
            if let PlayEvent::Expected(position) = happened {
                found.push((*phases.last().unwrap(), at));
                phases.push(&position.phase);
            }
        }
        found
    }

    pub(super) fn results_come_once_to_all(&self) {
        let mut replaced = false;
        let processed = self.processed();
        assert_eq!(processed.len(), 25);
        for (phase, at) in processed {
            replaced |= phase == "F1902M";
            let title = format!("USXX:kaiser - {} Results", printed(phase));
            let found: Vec<&Received> = self.came().filter(|mail| mail.subject == title).collect();
            let mut readers = Game::readers(&found);
            // The last phase bears the mark of a game that is over in some judges' subjects; never in ours of the phase itself.
            readers.dedup();
            assert_eq!(found.len(), readers.len(), "{title} comes once to each");
            assert_eq!(readers, Game::everybody(replaced), "{title}");
            // All read the same report.
            // What each may do next is his own.
            let texts: BTreeSet<&str> =
                found.iter().map(|mail| what_all_read(&mail.body)).collect();
            assert_eq!(
                texts.len(),
                1,
                "{title} reads alike for all:\n{}",
                texts.into_iter().collect::<Vec<_>>().join("\n=====\n")
            );
            // And not before everybody's orders were in, nor after the position should stand.
            let came = self
                .record
                .iter()
                .position(
                    |happened| matches!(happened, PlayEvent::Received(mail) if mail.subject == title),
                )
                .unwrap();
            assert!(came < at, "{title} came in time");
        }
        let all: Vec<&Received> = self
            .came()
            .filter(|mail| mail.subject.ends_with(" Results") && !mail.subject.starts_with("Re:"))
            .collect();
        assert_eq!(all.len(), 25 * 9, "no results but those");
    }

    /// Every report, read as old tools read it, leads from position to position of the real game.
    pub(super) fn reports_tell_the_real_game(&self) {
        let mut board = Board::default();
        let mut compared = 0;
        for happened in self.record {
            match happened {
                PlayEvent::Received(mail)
                    if mail.reader() == "olga" && !mail.subject.starts_with("Re:") =>
                {
                    board.read(&old_tools::read(&mail.subject, &mail.body));
                }
                PlayEvent::Expected(position) => {
                    board.compare(position);
                    compared += 1;
                }
                _ => {}
            }
        }
        assert_eq!(compared, 25);
    }

    pub(super) fn italy_is_waited_for_and_replaced(&self) {
        assert_eq!(Game::readers(&self.titled("F1902M Reminder")), ["emma"]);
        assert_eq!(Game::readers(&self.titled("F1903M Reminder")), ["anna"]);
        let reminders = self.titled("Reminder");
        assert_eq!(
            reminders.len(),
            2,
            "{:?}",
            reminders
                .iter()
                .map(|mail| &mail.subject)
                .collect::<Vec<_>>()
        );
        let first_notice: Vec<&Received> = {
            let all: Vec<&Received> = self
                .came()
                .filter(|mail| mail.subject.ends_with("F1902M Late Notice: I"))
                .collect();
            let first = all.iter().map(|mail| mail.date).min().unwrap();
            all.into_iter().filter(|mail| mail.date == first).collect()
        };
        assert_eq!(
            Game::readers(&first_notice),
            Game::everybody(false),
            "who is told first"
        );
        for mail in self
            .came()
            .filter(|mail| mail.subject.contains("Late Notice"))
        {
            let late = if mail.subject.ends_with("F1902M Late Notice: I") {
                "emma"
            } else {
                "anna"
            };
            assert_eq!(
                mail.subject.starts_with("[You are late!] "),
                mail.reader() == late,
                "\"{}\" to {}",
                mail.subject,
                mail.reader()
            );
        }
        let to_emma = self
            .came()
            .filter(|mail| mail.reader() == "emma" && mail.subject.contains("Late Notice"))
            .count();
        assert_eq!(to_emma, 7, "at the deadline, and on each day of grace");
        assert_eq!(
            Game::readers(&self.titled("F1903M Late Notice: A")),
            Game::everybody(true)
        );
        assert_eq!(
            Game::readers(&self.titled("F1902M Waiting for Replacements: I")),
            Game::everybody(false)
        );
        let takeover: Vec<&Received> = self
            .came()
            .filter(|mail| mail.subject.contains("New Player Signon: I"))
            .collect();
        let told = Game::readers(&takeover);
        for name in Game::everybody(true).iter().filter(|name| *name != "hugo") {
            assert!(
                told.contains(name),
                "{name} is told of the takeover: {told:?}"
            );
        }
        let after = self
            .came()
            .filter(|mail| mail.reader() == "emma")
            .collect::<Vec<_>>();
        let news = after
            .iter()
            .position(|mail| mail.subject == "Diplomacy notice: kaiser")
            .expect("the predecessor is told");
        assert!(
            after[news..]
                .iter()
                .all(|mail| !mail.subject.ends_with("Results")),
            "and gets no reports any more"
        );
        let refused = after
            .iter()
            .find(|mail| mail.subject.contains("I am back!"))
            .expect("an answer all the same");
        assert!(
            !refused.body.contains("Army"),
            "the predecessor learns nothing:\n{}",
            refused.body
        );
    }

    pub(super) fn faults_are_told(&self) {
        let answer = |subject: &str| {
            let found = self
                .came()
                .find(|mail| mail.subject.starts_with("Re: ") && mail.subject.contains(subject));
            found.unwrap_or_else(|| panic!("an answer to \"{subject}\""))
        };
        let misspelt = answer("first thoughts");
        assert!(
            misspelt.subject.starts_with("Re: [Error Flag] "),
            "{}",
            misspelt.subject
        );
        assert!(
            misspelt.body.contains("A Pic-Foo")
                && misspelt.body.contains("Foo")
                && misspelt.body.contains("1 error encountered."),
            "{}",
            misspelt.body
        );
        assert!(
            misspelt.body.contains("Spain (north coast)"),
            "of two coasts the first, with a warning:\n{}",
            misspelt.body
        );
        let far = answer("kaiser, spring");
        assert!(
            far.subject.starts_with("Re: [Error Flag] "),
            "{}",
            far.subject
        );
        assert!(far.body.contains("Venice"), "{}", far.body);
        assert!(
            self.came()
                .filter(|mail| mail.subject.contains("[Error Flag]"))
                .count()
                == 2,
            "no other order was refused: {:?}",
            {
                self.came()
                    .filter(|mail| mail.subject.contains("[Error Flag]"))
                    .map(|mail| format!("{}: {}", mail.subject, mail.body))
                    .collect::<Vec<_>>()
            }
        );
    }

    pub(super) fn orders_ahead_come_into_force(&self) {
        let pending = self.titled("Pending Orders");
        assert_eq!(Game::readers(&pending), ["finn"]);
        for place in ["Moscow", "St Petersburg", "Warsaw"] {
            assert!(
                pending[0]
                    .body
                    .contains(&format!("Builds an army in {place}.")),
                "{}",
                pending[0].body
            );
        }
    }

    pub(super) fn the_game_is_won(&self) {
        let victory = self.titled("USXX:kaiser - F1907M Victory: R");
        assert_eq!(Game::readers(&victory), Game::everybody(true));
        assert!(
            victory
                .iter()
                .all(|mail| mail.body.contains("The game was won by Russia."))
        );
        let last = self
            .came()
            .find(|mail| mail.reader() == "olga" && mail.subject == "USXX:kaiser - F1907M Results")
            .unwrap();
        let read = old_tools::read(&last.subject, &last.body);
        assert!(read.over && read.next.is_none());
        let russia = read
            .counts
            .iter()
            .find(|(power, ..)| power == "Russia")
            .unwrap();
        assert_eq!(russia.1, 18);
        assert!(
            last.body
                .lines()
                .any(|line| line.starts_with("Russia:") && line.ends_with("(* VICTORY!! *)")),
            "{}",
            last.body
        );
        for name in ["olga", "anna"] {
            let summary = self.came().find(|mail| {
                mail.reader() == name && mail.body.contains("Historical Supply Center Summary")
            });
            let summary = summary.unwrap_or_else(|| panic!("a summary for {name}"));
            assert!(
                summary.body.contains("Emma Rossi") && summary.body.contains("Hugo Brandt"),
                "both players of Italy:\n{}",
                summary.body
            );
        }
    }
}
