//! Words that stand nowhere by accident: no mail may hold one whose reader may not know it.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::game::{Addresses, Event, Game, Record, SettingChange, apply};
use dipjudge::map::Power;
use dipjudge::planted::{Leak, reached};
use jiff::Timestamp;

use super::acquaintance::Acquaintances;
use super::author::Run;
use super::fixture::{Fixture, GAME, Part};
use super::letters::JUDGE;
use super::published;
use super::stage::{Kept, Sent, Stage, log, name, settings};

/// A hidden word, and who may read it.
struct Canary<'w> {
    word: &'w str,
    what: &'static str,
    readers: Vec<usize>,
    /// From then on it may be told.
    until: Option<Timestamp>,
}

/// A word that its reader may not know, told, with the planted leaks that were open on its way.
#[derive(Debug)]
pub struct Sung {
    pub told: String,
    pub past: BTreeSet<Leak>,
}

fn sung(sent: &Sent, told: String) -> Sung {
    Sung {
        told,
        past: sent.past.clone(),
    }
}

/// Looks through every mail for words that its reader may not know.
///
/// # Errors
/// The first such word, with the mail.
pub fn none_sings(fixture: &Fixture, run: &Run, kept: &Kept) -> Result<(), Sung> {
    let canaries = canaries(fixture, run, kept);
    let mut keys = Keys::default();
    for sent in &kept.sent {
        // Somebody who is none of the cast, since an address was written down wrongly, may know nothing at all.
        let reader = fixture
            .cast
            .people
            .iter()
            .position(|one| one.reads(&sent.to))
            .unwrap_or(usize::MAX);
        if sent.to == settings().keeper {
            // The judge's last net writes to the keeper, and nothing may ever fall into it.
            let text = String::from_utf8_lossy(&sent.bytes);
            return Err(sung(sent, format!("a mail to the keeper:\n{text}")));
        }
        // Soft line breaks of quoted-printable would part words.
        let text = String::from_utf8_lossy(&sent.bytes).replace("=\r\n", "");
        let text = without_pictures(&text);
        keys.belong(sent, &text).map_err(|told| sung(sent, told))?;
        for canary in &canaries {
            let hidden = canary.until.is_none_or(|until| sent.at < until);
            if hidden && !canary.readers.contains(&reader) && text.contains(canary.word) {
                let told = format!(
                    "reader {reader} ({:?}) reads {}, the word {}:\n{text}",
                    fixture.cast.people.get(reader).map(|one| one.part),
                    canary.what,
                    canary.word
                );
                return Err(sung(sent, told));
            }
        }
    }
    Ok(())
}

/// Looks through the site, as it would be written when a run has ended, for words that nobody may know who is in no game.
///
/// # Errors
/// The first such word, with the site.
pub fn none_is_published(fixture: &Fixture, run: &Run, stage: &Stage) -> Result<(), Sung> {
    let kept = &stage.kept;
    let found = |told: String| Sung {
        told,
        past: reached(),
    };
    let text = published::text(stage);
    for canary in canaries(fixture, run, kept) {
        let hidden = canary.until.is_none_or(|until| kept.now < until);
        if hidden && text.contains(canary.word) {
            let Canary { what, word, .. } = canary;
            return Err(found(format!(
                "{what} is on the site, the word {word}:\n{text}"
            )));
        }
    }
    published::holds_nothing_of_hidden_games(fixture, stage).map_err(found)
}

/// How long a whole line of base64 is.
const WHOLE_LINE: usize = 76;

/// A message without lines of base64, in which no word can be read.
fn without_pictures(text: &str) -> String {
    let base64 = |line: &str| {
        let signs = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
        line.len() == WHOLE_LINE && line.bytes().all(signs)
    };
    let read: Vec<&str> = text.lines().filter(|line| !base64(line)).collect();
    read.join("\n")
}

/// Addresses of the judge's that act for somebody, and ids of its mails: each is one reader's alone, whoever that is.
#[derive(Default)]
struct Keys(BTreeMap<String, String>);

impl Keys {
    fn belong(&mut self, sent: &Sent, text: &str) -> Result<(), String> {
        let reader = name(&sent.to);
        let (local, host) = JUDGE.split_once('@').unwrap_or_default();
        let ends = format!("@{host}");
        let said = format!("{}\n{text}", sent.envelope);
        let places = said.split_ascii_whitespace();
        for place in places.filter(|place| place.contains('@')) {
            // An entry of a calendar says `mailto:` before an address.
            for word in place.split(['<', '>', ',', '"', '(', ')', ':']) {
                let Some(key) = word.strip_suffix(&ends).filter(|key| *key != local) else {
                    continue;
                };
                let owner = self.0.entry(key.to_owned());
                let owner = owner.or_insert_with(|| reader.to_owned());
                if owner != reader {
                    return Err(format!(
                        "what belongs to another reader, {key}{ends}, is sent to {}:\n{text}",
                        sent.to
                    ));
                }
            }
        }
        Ok(())
    }
}

fn canaries<'w>(fixture: &'w Fixture, run: &'w Run, kept: &Kept) -> Vec<Canary<'w>> {
    let people = &fixture.cast.people;
    let masters: Vec<usize> = (0..people.len())
        .filter(|n| people[*n].part == Part::Master)
        .collect();
    // Who played may be told once the game is over, or a master shows it.
    let records = log(&kept.records, GAME);
    let ends = |record: &&Record| {
        let end = |event: &Event| {
            let lifted = SettingChange::WasGunboat(true);
            matches!(event, Event::Ended { .. }) || *event == Event::Set(lifted)
        };
        record.events.iter().any(end)
    };
    let end = records.iter().find(ends).map(|record| record.at);
    let shown = shown(fixture, &records);
    let mut canaries = Vec::new();
    for (n, person) in people.iter().enumerate() {
        canaries.push(Canary {
            word: &person.word,
            what: "a password",
            readers: Vec::new(),
            until: None,
        });
        // In a gunboat game leaders are hidden; the second player also waits in an open one.
        let also_open = people
            .iter()
            .take(n)
            .filter(|p| p.part == Part::Player)
            .count()
            == 1;
        if fixture.options.gunboat && person.part == Part::Player && !also_open {
            let mut readers = masters.clone();
            readers.push(n);
            let shown = shown.iter().filter(|(one, _)| *one == n);
            readers.extend(shown.flat_map(|(_, power)| led_ever(fixture, kept, *power)));
            for (word, what) in [
                (
                    person.address.split('@').next().unwrap_or_default(),
                    "a hidden address",
                ),
                (person.name.as_str(), "a hidden name"),
            ] {
                canaries.push(Canary {
                    word,
                    what,
                    readers: readers.clone(),
                    until: end,
                });
            }
        }
    }
    let holds = |wanted: fn(&Event) -> bool| {
        let found = records
            .iter()
            .find(|record| record.events.iter().any(wanted));
        found.map(|record| record.at)
    };
    // Letters of a game that keeps them are published at its end.
    let kept_letters = holds(|event| *event == Event::Set(SettingChange::RevealPress(true)));
    let revealed = kept_letters.and_then(|_| holds(|event| matches!(event, Event::Ended { .. })));
    for letter in &run.letters {
        for line in &letter.lines {
            let Some(press) = line.press() else { continue };
            let Some(to) = &press.to else { continue };
            let mut readers = masters.clone();
            readers.push(letter.from);
            readers.extend(to.iter().flat_map(|power| led_ever(fixture, kept, *power)));
            canaries.push(Canary {
                word: &press.word,
                what: "a letter between others",
                readers,
                until: revealed,
            });
        }
    }
    canaries
}

/// Those of whom a power may read who they are, since they lead another that it has met and the game shows it: each with the power,
/// whoever leads that later.
fn shown(fixture: &Fixture, records: &[Record]) -> BTreeSet<(usize, u8)> {
    let people = &fixture.cast.people;
    let mut game: Option<Game> = None;
    let mut shown = BTreeSet::new();
    let records = records.iter().filter(|_| fixture.is_of_civilizations());
    // Whoever is replaced when a phase is over led his power while it lasted.
    let events = records.flat_map(|record| record.events.iter().map(move |event| (record, event)));
    for (record, event) in events {
        let Some(game) = &mut game else {
            game = apply::create(event, record.at).ok();
            continue;
        };
        apply::apply(game, record.at, event);
        let meet = matches!(event, Event::Data { .. } | Event::Taken { .. });
        let moves = matches!(event, Event::SeatChanged { .. });
        if game.settings.addresses != Addresses::Shown || !(meet || moves) {
            continue;
        }
        let leader = |power: Power| {
            let seat = game.holder(power)?;
            people.iter().position(|one| one.reads(&seat.address))
        };
        let acquaintances = Acquaintances::of(game);
        for power in game.all_powers() {
            let met = acquaintances.met_by(power).into_iter();
            shown.extend(met.filter_map(leader).map(|other| (other, power.0)));
        }
    }
    shown
}

/// Everybody who ever led a power in the run.
fn led_ever(fixture: &Fixture, kept: &Kept, power: u8) -> Vec<usize> {
    let records = log(&kept.records, GAME);
    let mut seats = Vec::new();
    let mut addresses = Vec::new();
    for event in records.iter().flat_map(|record| &record.events) {
        match event {
            Event::Seated { seat, address, .. } => {
                addresses.push((*seat, address.clone()));
            }
            Event::Dealt { holders, .. } => {
                seats.extend(
                    holders
                        .iter()
                        .filter(|(held, _)| held.0 == power)
                        .map(|(_, seat)| *seat),
                );
            }
            Event::Taken { power: held, seat } if held.0 == power => {
                seats.push(*seat);
            }
            _ => {}
        }
    }
    addresses
        .iter()
        .filter(|(seat, _)| seats.contains(seat))
        .filter_map(|(_, address)| {
            let people = &fixture.cast.people;
            people.iter().position(|one| one.reads(address))
        })
        .collect()
}
