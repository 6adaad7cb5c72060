//! What must be true of every mail of a game, whoever's mail servers carried it.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::shell::demo::script::{Mail, Position, Script};
use jiff::Timestamp;

use super::oracle::Board;
use super::places;
use super::play::Happened;
use super::received::Received;
use super::{DOMAIN, JUDGE};
use crate::old_tools;

const POWERS: [(&str, &str); 7] = [
    ("Austria", "anna"),
    ("England", "ben"),
    ("France", "cleo"),
    ("Germany", "dirk"),
    ("Italy", "emma"),
    ("Russia", "finn"),
    ("Turkey", "gwen"),
];

/// All of it.
pub fn everything(script: &Script, record: &[Happened]) {
    let game = Game { script, record };
    game.every_mail_is_well_formed();
    game.every_message_has_its_answer();
    game.nothing_comes_twice();
    game.passwords_are_never_repeated();
    game.orders_stay_with_their_owner();
    game.press_reaches_whom_it_names();
    game.results_come_once_to_all();
    game.threads_hold();
    game.reports_tell_the_real_game();
    game.votes_stay_secret();
    game.italy_is_waited_for_and_replaced();
    game.faults_are_told();
    game.orders_ahead_come_into_force();
    game.the_game_is_won();
}

struct Game<'a> {
    script: &'a Script,
    record: &'a [Happened],
}

impl Game<'_> {
    fn came(&self) -> impl Iterator<Item = &Received> {
        self.record.iter().filter_map(|happened| match happened {
            Happened::Came(came) => Some(came),
            _ => None,
        })
    }

    fn sent(&self) -> impl Iterator<Item = &Mail> {
        self.record.iter().filter_map(|happened| match happened {
            Happened::Sent(sent) => Some(sent),
            _ => None,
        })
    }

    /// Those about the game whose subject ends with something.
    fn titled(&self, tail: &str) -> Vec<&Received> {
        self.came()
            .filter(|mail| mail.subject.ends_with(tail))
            .collect()
    }

    fn readers(mails: &[&Received]) -> Vec<String> {
        let mut readers: Vec<String> = mails.iter().map(|mail| mail.reader().to_owned()).collect();
        readers.sort();
        readers
    }

    /// Who has a part in the game at a point of the record: masters, those who play, observers.
    fn everybody(after_replacement: bool) -> Vec<String> {
        let italy = if after_replacement { "hugo" } else { "emma" };
        let mut names = vec![
            "anna", "ben", "cleo", "dirk", italy, "finn", "gwen", "gm", "olga",
        ];
        names.sort_unstable();
        names.into_iter().map(str::to_owned).collect()
    }

    fn every_mail_is_well_formed(&self) {
        let known: BTreeSet<&str> = self
            .script
            .people
            .iter()
            .map(|person| person.address.as_str())
            .collect();
        let mut ids = BTreeSet::new();
        let mut addresses: BTreeMap<&str, &str> = BTreeMap::new();
        for mail in self.came() {
            let name = || format!("\"{}\" to {:?}", mail.subject, mail.to);
            assert_eq!(mail.to.len(), 1, "one recipient: {}", name());
            assert!(
                known.contains(mail.to[0].as_str()),
                "nobody else is written to: {}",
                name()
            );
            assert_eq!(mail.from, JUDGE, "{}", name());
            assert!(
                mail.field("Cc").is_none() && mail.field("Bcc").is_none(),
                "{}",
                name()
            );
            assert!(
                ids.insert(mail.message_id.clone()),
                "a Message-ID of its own: {}",
                name()
            );
            assert_eq!(mail.field("Precedence"), Some("bulk"), "{}", name());
            assert_eq!(
                mail.field("X-Auto-Response-Suppress"),
                Some("All"),
                "{}",
                name()
            );
            assert_eq!(mail.field("X-Loop"), Some(JUDGE), "{}", name());
            let submitted = mail.field("Auto-Submitted").unwrap_or_default();
            assert!(
                ["auto-replied", "auto-generated"].contains(&submitted),
                "{}",
                name()
            );
            assert!(
                mail.field("Date").is_some() && mail.field("MIME-Version") == Some("1.0"),
                "{}",
                name()
            );
            // Whoever has a part in the game is answered at an address that is his alone.
            if let Some(reply_to) = &mail.reply_to {
                assert!(
                    reply_to.starts_with("judge+") && reply_to.ends_with(&format!("@{DOMAIN}")),
                    "{}: {reply_to}",
                    name()
                );
                let owner = addresses.entry(reply_to).or_insert(mail.reader());
                assert_eq!(
                    *owner,
                    mail.reader(),
                    "an address for answers is nobody else's: {}",
                    name()
                );
            }
            if mail.subject.contains("USXX:kaiser") {
                let read = old_tools::read(&mail.subject, &mail.body);
                let header = read
                    .header
                    .unwrap_or_else(|| panic!("the header block: {}\n{}", name(), mail.body));
                assert_eq!(
                    (header.0.as_str(), header.1.as_str()),
                    ("USXX", "Kaiser"),
                    "{}",
                    name()
                );
                assert!(mail.field("List-Id").is_some(), "{}", name());
            }
            for line in mail.body.lines() {
                let may_be_long = line.contains(" clock ")
                    || line.starts_with("Time to ")
                    || line.contains("is waiting for someone to take over")
                    || line.contains(" -> ")
                    || line.contains("SUPPORT")
                    || line.contains("CONVOY")
                    || line.starts_with("> ");
                assert!(
                    may_be_long || line.chars().count() <= 78,
                    "{}: a line is too long: {line}",
                    name()
                );
            }
            // The judge's words are plain: nothing that looks like a template that was not filled.
            for sign in ["{{", "}}", "{%", "undefined", "None,"] {
                assert!(
                    !mail.body.contains(sign) && !mail.subject.contains(sign),
                    "{}: {sign}",
                    name()
                );
            }
        }
    }

    /// One mail in, one reply out; the second delivery of one message is silent.
    fn every_message_has_its_answer(&self) {
        let mut answers: BTreeMap<&str, Vec<&Received>> = BTreeMap::new();
        for mail in self
            .came()
            .filter(|mail| mail.field("Auto-Submitted") == Some("auto-replied"))
        {
            let id = mail
                .in_reply_to
                .as_deref()
                .unwrap_or_else(|| panic!("an answer names what it answers: {}", mail.subject));
            answers.entry(id).or_default().push(mail);
        }
        for sent in self.sent() {
            let id = format!("<kaiser-{}@{DOMAIN}>", sent.number);
            let mut readers: Vec<&str> = answers
                .remove(id.as_str())
                .unwrap_or_default()
                .iter()
                .map(|mail| mail.reader())
                .collect();
            readers.sort_unstable();
            let as_another = sent.text.contains("BECOME G");
            let expected = if as_another {
                vec!["dirk", "gm"]
            } else {
                vec![sent.from.as_str()]
            };
            // The player for whom the master acts never wrote that message: his copy does not name it.
            let own = readers.contains(&sent.from.as_str())
                && readers.iter().all(|reader| expected.contains(reader));
            assert!(
                own && readers.len() <= expected.len(),
                "the answer to {} by {}: {readers:?}",
                sent.number,
                sent.from
            );
        }
        assert!(
            answers.is_empty(),
            "answers to nothing: {:?}",
            answers.keys()
        );
    }

    fn nothing_comes_twice(&self) {
        let mut seen = BTreeSet::new();
        for mail in self.came() {
            // Answers may read alike when somebody says the same thing again.
            if mail
                .in_reply_to
                .as_deref()
                .is_some_and(|id| id.starts_with("<kaiser-"))
            {
                continue;
            }
            let what = (mail.reader(), mail.date, &mail.subject, &mail.body);
            assert!(
                seen.insert(what),
                "twice to {}: {}\n{}",
                mail.reader(),
                mail.subject,
                mail.body
            );
        }
    }

    fn passwords_are_never_repeated(&self) {
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
    fn orders_stay_with_their_owner(&self) {
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

    fn power_of(&self, name: &str) -> Option<&'static str> {
        let name = if name == "hugo" { "emma" } else { name };
        POWERS
            .iter()
            .find(|(_, player)| *player == name)
            .map(|(power, _)| *power)
    }

    fn press_reaches_whom_it_names(&self) {
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

    /// The phases processed, in order: those before a position.
    fn processed(&self) -> Vec<(&str, usize)> {
        let mut phases = vec!["S1901M"];
        let mut found = Vec::new();
        for (at, happened) in self.record.iter().enumerate() {
            if let Happened::Should(position) = happened {
                found.push((*phases.last().unwrap(), at));
                phases.push(&position.phase);
            }
        }
        found
    }

    fn results_come_once_to_all(&self) {
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
            let texts: BTreeSet<&str> = found.iter().map(|mail| mail.body.as_str()).collect();
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
                    |happened| matches!(happened, Happened::Came(mail) if mail.subject == title),
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

    /// What answers a mail names it; what belongs together names what came before.
    fn threads_hold(&self) {
        let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for happened in self.record {
            match happened {
                Happened::Sent(sent) => {
                    known
                        .entry(&sent.from)
                        .or_default()
                        .insert(format!("<kaiser-{}@{DOMAIN}>", sent.number));
                }
                Happened::Came(came) => {
                    let ids = came
                        .field("References")
                        .unwrap_or_default()
                        .split_whitespace()
                        .map(str::to_owned);
                    let ids: Vec<String> = ids.chain(came.in_reply_to.clone()).collect();
                    let own = known.entry(came.reader()).or_default();
                    for id in ids {
                        assert!(
                            own.contains(&id),
                            "{} names a mail that {} never saw: {id}",
                            came.subject,
                            came.reader()
                        );
                    }
                    own.insert(came.message_id.clone());
                }
                _ => {}
            }
        }
    }

    /// Every report, read as old tools read it, leads from position to position of the real game.
    fn reports_tell_the_real_game(&self) {
        let mut board = Board::default();
        let mut compared = 0;
        for happened in self.record {
            match happened {
                Happened::Came(mail)
                    if mail.reader() == "olga" && !mail.subject.starts_with("Re:") =>
                {
                    board.read(&old_tools::read(&mail.subject, &mail.body));
                }
                Happened::Should(position) => {
                    board.compare(position);
                    compared += 1;
                }
                _ => {}
            }
        }
        assert_eq!(compared, 25);
    }

    fn votes_stay_secret(&self) {
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

    fn italy_is_waited_for_and_replaced(&self) {
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

    fn faults_are_told(&self) {
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

    fn orders_ahead_come_into_force(&self) {
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

    fn the_game_is_won(&self) {
        let victory = self.titled("Victory: R");
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

/// A phase as mails write it: winter is the fall's last part.
pub fn printed(phase: &str) -> String {
    match phase
        .strip_prefix('W')
        .and_then(|rest| rest.strip_suffix('A'))
    {
        Some(year) => format!("F{year}B"),
        None => phase.to_owned(),
    }
}

/// Whether a mail holds the results of a phase.
pub fn is_results(mail: &Received, phase: &str) -> bool {
    mail.subject == format!("USXX:kaiser - {} Results", printed(phase))
}

/// The positions of a script.
pub fn positions(record: &[Happened]) -> impl Iterator<Item = &Position> {
    record.iter().filter_map(|happened| match happened {
        Happened::Should(position) => Some(position),
        _ => None,
    })
}

/// When the judge last looked.
pub fn last_look(record: &[Happened]) -> Option<Timestamp> {
    record.iter().rev().find_map(|happened| match happened {
        Happened::Looked(at) => Some(*at),
        _ => None,
    })
}

/// The province of a unit, for tests that look for one.
pub fn province(unit: &str) -> &str {
    places::province(unit)
}
