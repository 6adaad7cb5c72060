//! Twins in which a unit goes somewhere and comes back, or stays. Rather where somebody sees today what he did not see then: what is
//! shown of the past may not follow from what is in sight now.

use dipjudge::map::Province;

use super::author::{Run, Written};
use super::conditions::then;
use super::dice::Dice;
use super::fixture::{Fixture, GAME};
use super::fog;
use super::letters::{Letter, Line};
use super::stage::log;
use super::twins::gives_orders;

/// Detours that are looked at until somebody sees the place of one today.
const TRIES: usize = 12;

/// A unit, its two letters, and where it may go between them.
pub struct Detour {
    first: usize,
    second: usize,
    kind: String,
    at: String,
    to: String,
}

impl Detour {
    /// In one run it stays, in the other it goes. Before and afterwards all is the same. Whose unit it is.
    pub fn make(&self, one: &mut Run, other: &mut Run) -> usize {
        let author = one.letters[self.first].from;
        let code = |text: &str| text.get(..3).map(str::to_uppercase);
        let about = |line: &Line, place: &str| matches!(line, Line::Order(text) if text.split([' ', '-']).nth(1).and_then(code) == code(place));
        let (at, to, kind) = (&self.at, &self.to, &self.kind);
        for (run, away) in [(one, false), (other, true)] {
            for (id, from, goes_to) in [(self.first, at, to), (self.second, to, at)] {
                let lines = &mut run.letters[id].lines;
                lines.retain(|line| !about(line, at) && !about(line, to));
                lines.push(Line::Order(match away {
                    true => format!("{kind} {from}-{goes_to}"),
                    false => format!("{kind} {at} H"),
                }));
            }
        }
        author
    }
}

/// A detour; rather one to a place that another sees at the end and did not see then.
pub fn seen_today(fixture: &Fixture, written: &Written, dice: &mut Dice) -> Option<Detour> {
    let letters = &written.run.letters;
    let records = log(&written.kept.records, GAME);
    let today = then(&records, written.run.until)?;
    let mut any = None;
    for _ in 0..TRIES {
        let detour = detour(fixture, letters, dice)?;
        let to: Option<Province> = detour.to.parse().ok();
        let before = then(&records, letters[detour.first].at);
        if let (Some(to), Some(before)) = (to, before) {
            let author = &fixture.cast.people[letters[detour.first].from].address;
            let mut others = today.all_powers().filter(|power| {
                let holder = before.holder(*power);
                holder.is_some_and(|seat| seat.address != *author)
            });
            let learns = others.any(|power| {
                let sees = |game| fog::horizon(game, &game.position, power, fixture).contains(&to);
                sees(&today) && !sees(&before)
            });
            if learns {
                return Some(detour);
            }
        }
        any = any.or(Some(detour));
    }
    any
}

fn detour(fixture: &Fixture, letters: &[Letter], dice: &mut Dice) -> Option<Detour> {
    let unit = |line: &Line| match line {
        Line::Order(text) => {
            let words: Vec<&str> = text.split([' ', '-']).take(2).collect();
            match words.as_slice() {
                [kind @ ("A" | "F"), at] => Some(((*kind).to_owned(), (*at).to_owned())),
                _ => None,
            }
        }
        _ => None,
    };
    let mut found = Vec::new();
    for letter in letters.iter().filter(|letter| gives_orders(letter)) {
        for (kind, at) in letter.lines.iter().filter_map(unit) {
            let next = letters[letter.id + 1..].iter().find(|next| {
                let same = next.from == letter.from && next.phase > letter.phase;
                same && next.lines.iter().any(|line| matches!(line, Line::Order(_)))
            });
            if let Some(next) = next {
                found.push((letter.id, next.id, kind, at));
            }
        }
    }
    let (first, second, kind, at) = dice.pick(&found)?.clone();
    let map = fixture.map();
    let code = at.get(..3).map(str::to_uppercase);
    let province = map
        .provinces()
        .iter()
        .find(|info| Some(info.code.to_string()) == code)?;
    let to = dice.pick(map.neighbors(province.code))?.to_string();
    Some(Detour {
        first,
        second,
        kind,
        at,
        to,
    })
}
