//! The sample game of CivDip through real mail servers: nine civilizations, from starts that are drawn to a victory, played with
//! `dipjudge tick --at`. Each follows the game by its own reports, and nobody reads of somebody whom he has not met.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::checks::answers::every_mail_has_its_answer;
use crate::games::checks::positions;
use crate::games::play::{PlayEvent, came, play};
use crate::games::received::Received;
use crate::games::{places, sample, weeks_until};
use crate::servers_host::Servers;
use dipjudge::shell::demo::script::{Position, Script};

/// When the game begins as it is written.
const BEGINS: &str = "2026-11-30T09:00:00Z";

/// Who leads no civilization.
const OTHERS: [&str; 3] = ["gm", "olga", "ben"];

/// The phase behind which Babel, whose leader is silent, has another.
const REPLACED: &str = "F1901M";

/// The line by which everybody is shown how to choose a name; a civilization of this game is called so.
const EXAMPLE: &str = "NAME Hittite Empire";

/// The phase in which Phoenicia falls.
const FALLEN: &str = "F1902R";

/// The last phase.
const LAST: &str = "F1904R";

#[test]
fn nine_civilizations_play_from_drawn_starts_to_a_victory() {
    let script = sample("civdip", weeks_until(BEGINS));
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();
    play(&script, &script.steps, &mut servers, &mut record);

    let sent = every_mail_has_its_answer("dawn", &record);
    assert!(sent > 130, "{sent} mails were sent");
    each_gets_one_report_of_every_phase(&script, &record);
    own_units_are_told_to_their_owners(&script, &record);
    nobody_reads_of_strangers(&script, &record);
    they_dealt_with_one_another(&record);
    it_was_won(&script, &record);
    servers.keeper_has_heard_nothing();
}

/// The phases with results, in order: all whose positions the script has, but the end.
fn phases(record: &[PlayEvent]) -> Vec<String> {
    let positions = positions(record).map(|position| position.phase.clone());
    let mut phases: Vec<String> = positions.collect();
    assert_eq!(phases.pop().as_deref(), Some("the end"));
    phases
}

/// A phase as the subjects of mails have it.
fn in_subjects(phase: &str) -> String {
    match phase
        .strip_prefix('W')
        .and_then(|rest| rest.strip_suffix('A'))
    {
        Some(year) => format!("F{year}B"),
        None => phase.to_owned(),
    }
}

/// Who gets the results of a phase: whoever leads a civilization that has not fallen, the master and the observer; at the end
/// the fallen and those who stand by, too.
fn readers<'s>(script: &'s Script, phases: &[String], phase: &str) -> BTreeSet<&'s str> {
    let number = |phase: &str| phases.iter().position(|other| other == phase).unwrap();
    let now = number(phase);
    let reads = |name: &str| match name {
        "hugo" => now <= number(REPLACED),
        "anna" => now > number(REPLACED),
        "jana" => now <= number(FALLEN) || phase == LAST,
        "ben" => phase == LAST,
        _ => true,
    };
    let names = script.people.iter().map(|person| person.name.as_str());
    names.filter(|name| reads(name)).collect()
}

fn results(record: &[PlayEvent]) -> impl Iterator<Item = &Received> {
    came(record)
        .filter(|mail| mail.subject.ends_with(" Results") && !mail.subject.starts_with("Re: "))
}

fn each_gets_one_report_of_every_phase(script: &Script, record: &[PlayEvent]) {
    let phases = phases(record);
    assert_eq!(phases.len(), 20);
    let mut reports: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for mail in results(record) {
        let read = reports.entry(&mail.subject).or_default();
        let before = read.insert(mail.reader(), &mail.body);
        assert_eq!(before, None, "{} twice to {}", mail.subject, mail.reader());
    }
    for phase in &phases {
        let subject = format!("USXX:dawn - {} Results", in_subjects(phase));
        let read = reports.remove(subject.as_str());
        let read = read.unwrap_or_else(|| panic!("nobody got {subject}"));
        let got: BTreeSet<&str> = read.keys().copied().collect();
        assert_eq!(got, readers(script, &phases, phase), "{subject}");
        if phase == LAST {
            continue;
        }
        let civilizations = read.iter().filter(|(name, _)| !OTHERS.contains(name));
        let texts: BTreeSet<&str> = civilizations.clone().map(|(_, text)| *text).collect();
        assert_eq!(
            texts.len(),
            civilizations.count(),
            "{subject}: each its own"
        );
        assert!(
            read["olga"].contains("This game hides its board until it ends.")
                && !read["olga"].contains("Army"),
            "{}",
            read["olga"]
        );
    }
    assert!(reports.is_empty(), "{:?}", reports.keys());
}

/// The units under `Your units:`, as scripts write them.
fn own_units(body: &str) -> Option<Vec<String>> {
    let (_, rest) = body.split_once("Your units:")?;
    let (units, _) = rest.split_once("\nYour centers:")?;
    let words = units.split_whitespace().collect::<Vec<_>>().join(" ");
    let unit = |words: &str| {
        let (kind, place) = words.split_once(' ').unwrap();
        match place.strip_suffix(" (dislodged)") {
            Some(place) => format!("*{}", places::unit(kind, place)),
            None => places::unit(kind, place),
        }
    };
    let units = words.trim_end_matches('.').split(", ");
    let mut units: Vec<String> = units.filter(|words| *words != "none").map(unit).collect();
    units.sort();
    Some(units)
}

/// What a civilization has by the script.
fn expected(position: &Position, name: &str) -> Vec<String> {
    let holdings = &position.powers[name];
    let dislodged = holdings.dislodged.iter().map(|unit| format!("*{unit}"));
    let mut units: Vec<String> = holdings.units.iter().cloned().chain(dislodged).collect();
    units.sort();
    units
}

fn own_units_are_told_to_their_owners(script: &Script, record: &[PlayEvent]) {
    let mut compared = 0;
    let mut told: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for happened in record {
        match happened {
            PlayEvent::Received(mail) if mail.subject.ends_with(" Results") => {
                told.extend(own_units(&mail.body).map(|units| (mail.reader(), units)));
            }
            PlayEvent::Expected(position) if position.phase != "the end" => {
                for (name, units) in std::mem::take(&mut told) {
                    let role = match name {
                        "hugo" => "Babel",
                        name => &script.person(name).unwrap().role,
                    };
                    assert_eq!(
                        units,
                        expected(position, role),
                        "{name}, {}",
                        position.phase
                    );
                    compared += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(compared, 162, "reports with units of one's own");
}

/// Whom a mail makes its reader know: by contact, or as the leader of a civilization that has met others.
fn introduced(body: &str) -> impl Iterator<Item = &str> {
    let contacts = body.lines().filter_map(|line| {
        let line = line.strip_prefix("New contact: ").unwrap_or(line);
        let (name, _) = line.split_once(".  You may now write PRESS TO ")?;
        Some(name)
    });
    let inherited = body.split_once("Your contacts:\n\n");
    let inherited = inherited.and_then(|(_, rest)| rest.split_once("\n\n"));
    let inherited = inherited.into_iter().flat_map(|(list, _)| list.lines());
    contacts.chain(inherited.map(|line| line.trim_end_matches('.')))
}

fn nobody_reads_of_strangers(script: &Script, record: &[PlayEvent]) {
    let civilizations: Vec<&str> = record
        .iter()
        .find_map(|happened| match happened {
            PlayEvent::Expected(position) => Some(position.powers.keys().map(String::as_str)),
            _ => None,
        })
        .unwrap()
        .collect();
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrote: BTreeMap<&str, &str> = BTreeMap::new();
    let mut strangers_on_maps = 0;
    for happened in record {
        let mail = match happened {
            PlayEvent::Sent(mail) => {
                wrote.insert(&mail.from, &mail.text);
                continue;
            }
            // With the end all is opened.
            PlayEvent::Received(mail) if mail.subject.contains("Victory") => break,
            PlayEvent::Received(mail) if mail.reader() != "gm" => mail,
            _ => continue,
        };
        let reader = mail.reader();
        let known = known.entry(reader).or_default();
        // Mails of the same moment come in any order.
        let at_once = record.iter().filter_map(|happened| match happened {
            PlayEvent::Received(other) if other.reader() == reader && other.date == mail.date => {
                Some(other)
            }
            _ => None,
        });
        known.extend(at_once.flat_map(|other| introduced(&other.body)));
        let own = match reader {
            "hugo" => "Babel",
            reader => &script.person(reader).unwrap().role,
        };
        // Who stands on a map that was given, and has not been met, is named as such. A word that the reader wrote himself comes
        // back to him.
        let on_maps = mail.body.matches("(not met)").count();
        strangers_on_maps += on_maps;
        let answered = mail.subject.starts_with("Re: ");
        let own_words = wrote
            .get(reader)
            .copied()
            .filter(|_| answered)
            .unwrap_or("");
        for name in &civilizations {
            let met = *name == own || known.contains(name);
            let not_met = format!("{name} (not met)");
            // The example of a name is the same in everybody's mail.
            let told = mail.body.replace(&not_met, "").replace(EXAMPLE, "");
            assert!(
                met || !told.contains(name) || own_words.contains(name),
                "{reader} reads of {name} in {}: {}",
                mail.subject,
                mail.body
            );
        }
        for person in script.people.iter().filter(|one| one.name != "gm") {
            assert!(
                person.name == reader || !mail.body.contains(&person.address),
                "{reader} reads the address of {} in {}",
                person.name,
                mail.subject
            );
        }
    }
    assert!(strangers_on_maps > 0, "a map showed somebody not met");
    let alone = known["jana"].len();
    assert!(alone < 4, "jana has met {alone}");
}

fn they_dealt_with_one_another(record: &[PlayEvent]) {
    let told = |name: &str, subject: &str, line: &str| {
        let found = came(record).any(|mail| {
            let mut lines = mail.body.lines();
            mail.reader() == name
                && mail.subject.contains(subject)
                && lines.any(|found| found == line)
        });
        assert!(found, "{name} is told in {subject}: {line}");
    };
    told(
        "emma",
        "joining",
        "\"Rome\" is a word of this map or of the judge; choose another name.",
    );
    told(
        "dirk",
        "Press from Urartu to Etruria",
        "You shall see all that we see.",
    );
    told(
        "dirk",
        "Map of Urartu",
        "This is the map of Urartu, as it is now.",
    );
    told("gwen", "Transaction 1", "1: rejected.");
    told(
        "jana",
        "no",
        "You have no contact with a civilization called \"Hittite Empire\".",
    );
    told(
        "finn",
        "Map of Khazaria",
        "This is the map of Khazaria, as it is now.",
    );
    told(
        "gwen",
        "Map of Hittite Empire",
        "This is the map of Hittite Empire, as it is now.",
    );
    told(
        "jana",
        "New Contact: Hittite Empire",
        "New contact: Hittite Empire.  You may now write PRESS TO Hittite Empire.",
    );
    told("anna", "You Lead Babel", "Gandhara.");
    told("anna", "your map", "You have no transaction 1 open.");
    told("emma", "Map", "This is the map of Babel, as it is now.");
    told(
        "emma",
        "Map",
        "This is the map of Hittite Empire, as it is now.",
    );
    told(
        "finn",
        "F1904M Transaction",
        "Army Burgundy is yours, without order.",
    );
    told(
        "dirk",
        "F1904M Transaction",
        "Army Tuscany is no longer yours, and your order for it is deleted.",
    );
    told(
        "jana",
        "F1902R Results",
        "You have no units and no centers left, so you are out of the game. You get",
    );
}

fn it_was_won(script: &Script, record: &[PlayEvent]) {
    let subject = "USXX:dawn - F1904R Victory: Hittite Empire";
    let told: BTreeMap<&str, &str> = came(record)
        .filter(|mail| mail.subject == subject)
        .map(|mail| (mail.reader(), mail.body.as_str()))
        .collect();
    let phases = phases(record);
    assert_eq!(
        told.keys().copied().collect::<BTreeSet<_>>(),
        readers(script, &phases, LAST)
    );
    for (name, body) in told {
        assert!(
            body.contains("The game was won by Hittite Empire.") && body.contains(&"3a".repeat(32)),
            "{name}: {body}"
        );
    }
}
