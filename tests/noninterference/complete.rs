//! Twins in which everything that is due has come before the deadline, or something is missing, where nobody may know it yet.

use std::collections::BTreeSet;

use dipjudge::game::Event;
use jiff::Timestamp;

use super::author::Run;
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME};
use super::letters::Line;
use super::own;
use super::stage::{Kept, log};
use super::twins::{Kind, Pair};

/// Whether it is secret at a table, in some phases at least, that everything has come.
pub fn applies(fixture: &Fixture) -> bool {
    fixture.options.blind || own::is_unseen(fixture.variant)
}

/// Two runs of which one lacks the lines by which a phase became complete.
pub fn pair(fixture: &Fixture, run: &Run, kept: &Kept, dice: &mut Dice) -> Option<Pair> {
    let records = log(&kept.records, GAME);
    let completed = records.iter().filter(|record| {
        let since = |event: &Event| matches!(event, Event::AllIn { since: Some(_) });
        record.events.iter().any(since)
    });
    let hours: BTreeSet<Timestamp> = completed.map(|record| record.at).collect();
    let gives = |id: &usize| {
        let letter = &run.letters[*id];
        hours.contains(&letter.at) && letter.lines.iter().any(|line| line.orders())
    };
    let all: Vec<usize> = (0..run.letters.len()).filter(gives).collect();
    // Some variants hide in some of their phases alone what is missing.
    let sealed = |id: &usize| {
        let lines = &run.letters[*id].lines;
        lines
            .iter()
            .any(|line| own::seals_own_line(fixture.variant, line))
    };
    let rather: Vec<usize> = all.iter().copied().filter(sealed).collect();
    // A master reads all else: for him it is there in both.
    let lacks = |line: &Line| match rather.is_empty() {
        true => line.orders(),
        false => own::seals_own_line(fixture.variant, line),
    };
    let last = dice.pick(if rather.is_empty() { &all } else { &rather })?;
    let last = &run.letters[*last];
    let mut other = run.clone();
    for letter in &mut other.letters {
        if letter.from == last.from && letter.phase == last.phase && letter.id <= last.id {
            letter.lines.retain(|line| !lacks(line));
        }
    }
    Some(Pair {
        kind: Kind::Complete,
        one: run.clone(),
        other,
        casting: Casting::Usual,
        authors: vec![last.from],
    })
}
