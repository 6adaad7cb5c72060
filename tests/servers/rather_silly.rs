//! The sample game of Rather Silly through real mail servers: seven powers, four roles, a master and an observer, from Winter 1900 to the
//! JESTER's victory, played with `dipjudge tick --at`. All read the same reports, but for what is said to one alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::checks::answers::every_mail_has_its_answer;
use crate::games::checks::positions;
use crate::games::play::{PlayEvent, came, play};
use crate::games::received::{Received, what_all_read};
use crate::games::{sample, weeks_until};
use crate::servers_host::Servers;

/// When the game begins as it is written.
const BEGINS: &str = "2026-11-30T09:00:00Z";

/// What is told to one alone in a report.
const PRIVATE: &str = "For you alone:";

#[test]
fn eleven_play_from_their_herds_to_the_jesters_victory() {
    let script = sample("rather-silly", weeks_until(BEGINS));
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();
    play(&script, &script.steps, &mut servers, &mut record);

    let sent = every_mail_has_its_answer("silly", &record);
    assert!(sent > 80, "{sent} mails were sent");
    let people: BTreeSet<&str> = script.people.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(people.len(), 13);
    all_read_each_report_once(&people, &record);
    what_is_private_is_read_by_one(&record);
    each_step_is_told(&record);
    herds_stay_where_nobody_knows(&record);
    servers.keeper_has_heard_nothing();
}

fn results(record: &[PlayEvent]) -> impl Iterator<Item = &Received> {
    came(record)
        .filter(|mail| mail.subject.ends_with(" Results") && !mail.subject.starts_with("Re: "))
}

/// The text of a report without what its reader alone is told.
fn common(body: &str) -> String {
    let body = what_all_read(body);
    let Some((before, rest)) = body.split_once(PRIVATE) else {
        return body.to_owned();
    };
    let (_, after) = rest.split_once("Beside the units:").unwrap();
    format!("{before}Beside the units:{after}")
}

fn all_read_each_report_once(people: &BTreeSet<&str>, record: &[PlayEvent]) {
    let mut reports: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
    for mail in results(record) {
        let read = reports.entry(&mail.subject).or_default();
        let before = read.insert(mail.reader(), common(&mail.body));
        assert_eq!(before, None, "{} twice to {}", mail.subject, mail.reader());
    }
    assert_eq!(reports.len(), positions(record).count());
    assert_eq!(reports.len(), 10);
    for (subject, read) in reports {
        let readers: BTreeSet<&str> = read.keys().copied().collect();
        assert_eq!(readers, *people, "{subject}");
        let texts: BTreeSet<&str> = read.values().map(String::as_str).collect();
        assert_eq!(texts.len(), 1, "{subject}: {texts:#?}");
    }
}

fn what_is_private_is_read_by_one(record: &[PlayEvent]) {
    let readers_of = |words: &str| -> BTreeSet<&str> {
        let told = results(record).filter(|mail| mail.body.contains(words));
        told.map(Received::reader).collect()
    };
    for (words, reader) in [
        (
            "Your herds of LLAMAS are in Burgundy, Gascony and Picardy.",
            "cleo",
        ),
        ("Your LLAMAS in Burgundy have not exploded", "cleo"),
        ("You ordered Turkish Army Smyrna -> Armenia", "gwen"),
        ("What you foresaw in Rumania has not come true.", "karl"),
        ("You ordered Doctor's Army Munich -> Tyrolia", "jana"),
    ] {
        assert_eq!(readers_of(words), BTreeSet::from([reader]), "{words}");
    }
}

fn each_step_is_told(record: &[PlayEvent]) {
    let all: Vec<String> = results(record)
        .filter(|mail| mail.reader() == "olga")
        .map(|mail| mail.body.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for words in [
        "Turkish Army Smyrna -> Constantinople: by order of the JESTER.",
        "Austrian Army Vienna, Russian Army Warsaw become Soothsayer's Army of strength 2.",
        "BORG appears in North Sea",
        "English Fleet North Sea is eaten.",
        "SEA MONSTERS arrive in St Petersburg (south coast).",
        "Right: England, France, Jester.",
        "Hyperspace links Moscow and Paris until the end of the next season.",
        "Munich: Doctor's, before Germany's.",
        "German Army Berlin is built as one of a SIAMESE pair",
        "Doctor's Army Munich -> Berlin: DISTRACTED by the German FEMALE ARMY of Berlin.",
        "BIRDS are shooed from English Channel",
        "The MASTERMIND asked no question, so everyone else counts as right.",
    ] {
        let told = all.iter().any(|body| body.contains(words));
        assert!(told, "nobody reads: {words}");
    }
}

/// Where a herd is stands in nobody's mail but its owner's, until the game is over.
fn herds_stay_where_nobody_knows(record: &[PlayEvent]) {
    for mail in came(record) {
        if mail.subject.contains("Victory") {
            break;
        }
        let tells = mail.body.contains("herds of LLAMAS are in Gulf of Bothnia");
        assert!(!tells || mail.reader() == "finn", "{}", mail.body);
    }
}
