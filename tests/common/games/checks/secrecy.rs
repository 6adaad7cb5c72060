//! Who may know what: passwords, orders, press, votes.

use std::collections::BTreeSet;

use super::{Game, POWERS};
use crate::games::DOMAIN;
use crate::games::received::Received;
use crate::old_tools;

impl Game<'_> {
    pub(super) fn passwords_are_never_repeated(&self) {
        for word in [
            "apw", "epw", "fpw", "gpw", "ipw", "rpw", "tpw", "hpw", "opw", "mpw",
        ] {
            for mail in self.came() {
                let told = mail
                    .body
                    .split(|c: char| !c.is_alphanumeric())
                    .chain(mail.subject.split(' '))
                    .any(|found| found == word);
                assert!(
                    !told,
                    "a password in \"{}\" to {}",
                    mail.subject,
                    mail.reader()
                );
            }
        }
    }

    /// Until a phase is processed, what a power ordered in it stands only in mails to that power and to the master.
    pub(super) fn orders_stay_with_their_owner(&self) {
        for mail in self.came().filter(|mail| mail.reader() != "gm") {
            let read = old_tools::read(&mail.subject, &mail.body);
            let results = mail.subject.ends_with("Results")
                || mail.subject.contains("SUMMARY")
                || read.position_of.is_some();
            let powers: BTreeSet<&str> = read
                .orders
                .iter()
                .map(|order| order.power.as_str())
                .collect();
            if !results {
                let own = self.power_of(mail.reader());
                let foreign: Vec<&&str> =
                    powers.iter().filter(|power| Some(**power) != own).collect();
                assert!(
                    foreign.is_empty(),
                    "orders of {foreign:?} in \"{}\" to {}",
                    mail.subject,
                    mail.reader()
                );
            }
        }
    }

    pub(super) fn power_of(&self, name: &str) -> Option<&'static str> {
        let name = if name == "hugo" { "emma" } else { name };
        POWERS
            .iter()
            .find(|(_, player)| *player == name)
            .map(|(power, _)| *power)
    }

    pub(super) fn press_reaches_whom_it_names(&self) {
        let expect = |words: &str, readers: &[&str]| {
            let found: Vec<&Received> = self
                .came()
                .filter(|mail| mail.body.contains(words) && !mail.subject.starts_with("Re:"))
                .collect();
            let mut expected: Vec<String> = readers.iter().map(|name| (*name).to_owned()).collect();
            expected.sort();
            assert_eq!(Game::readers(&found), expected, "who reads \"{words}\"");
            found
        };
        let first = expect("The Black Sea stays empty", &["gwen"]);
        assert!(
            first[0].subject.ends_with("Press from R to T"),
            "{}",
            first[0].subject
        );
        assert!(
            first[0].body.contains(&format!(
                "Message from finn@{DOMAIN} as Russia to Turkey in 'kaiser':"
            )),
            "{}",
            first[0].body
        );
        expect("Empty it is. Mind Austria", &["finn"]);
        expect("I need an evening to think", &["finn", "emma"]);
        expect("Does anybody hear from Italy", &["ben", "anna"]);
        expect("A new broom in Rome", &["gwen"]);
        expect("May I ring you with my orders", &["gm"]);
        // To all but Russia: masters and observers too, and once although the message came twice.
        expect(
            "Hold the line!",
            &["anna", "ben", "dirk", "hugo", "gwen", "gm", "olga"],
        );
        let broadcast = expect(
            "It only exports armies",
            &["anna", "ben", "cleo", "dirk", "finn", "gwen", "gm", "olga"],
        );
        assert!(
            broadcast
                .iter()
                .all(|mail| mail.subject.ends_with("Broadcast from I"))
        );
        expect(
            "Never again will I build in Marseilles",
            &["anna", "ben", "dirk", "hugo", "finn", "gwen", "gm", "olga"],
        );
    }

    pub(super) fn votes_stay_secret(&self) {
        for mail in self.came().filter(|mail| mail.body.contains("DRAW YES")) {
            let voters = ["finn", "cleo", "ben", "gwen", "gm"];
            assert!(
                voters.contains(&mail.reader()) && mail.subject.starts_with("Re:"),
                "a vote in \"{}\" to {}",
                mail.subject,
                mail.reader()
            );
            if mail.reader() != "gm" {
                let own = self.power_of(mail.reader()).unwrap();
                let told = mail.body.lines().filter(|line| line.contains("DRAW YES"));
                assert!(
                    told.into_iter().all(|line| line.starts_with(own)),
                    "another's vote to {}",
                    mail.reader()
                );
            }
        }
        assert!(
            self.came()
                .any(|mail| mail.reader() == "cleo" && mail.body.contains("France: DRAW YES")),
            "the voter sees the vote"
        );
        assert!(
            self.came()
                .all(|mail| !mail.subject.contains("Draw Declared")),
            "one vote was missing"
        );
    }
}
