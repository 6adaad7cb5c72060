//! The answer as a line of JSON, written by hand, since its shape is fixed and its texts need no escaping.

use std::collections::BTreeMap;

use dipjudge_game::DataError;
use dipjudge_rules::adjudicator::Marks;
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::{Location, Map, Power, Province};
use dipjudge_rules::position::{Position, Unit};

use super::board::{Owners, PowerKeys};
use super::next_phase::Next;

/// The names of things.
pub(super) struct Legend<'a> {
    pub(super) map: &'a Map,
    pub(super) keys: PowerKeys<'a>,
}

/// `{"id":…, "error":"…"}`
pub(super) fn error(out: &mut Vec<u8>, id: Option<&str>, why: &DataError) {
    begin(out, id);
    key(out, "error");
    text(out, &why.to_string());
    out.extend_from_slice(b"}\n");
}

/// An order that was not carried out, with a sentence that explains why.
pub(super) struct OrderError {
    pub(super) power: Power,
    pub(super) order: String,
    pub(super) sentence: String,
}

/// The answer on one position.
pub(super) struct StandardAnswer<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) legend: Legend<'a>,
    pub(super) phase: PhaseName,
    pub(super) results: Vec<(Unit, Marks)>,
    pub(super) errors: Vec<OrderError>,
    pub(super) next: Option<Next>,
    pub(super) winner: Option<Power>,
}

/// The whole answer; for one power only what it may know, under `sees`.
pub(super) fn answer(out: &mut Vec<u8>, answer: &StandardAnswer<'_>, sees: Option<Power>) {
    let legend = &answer.legend;
    head(out, answer.id, answer.phase, sees);
    results(out, answer.results.iter(), unit_text);
    out.push(b',');
    // Other powers' errors are not shown; everything else in a standard game is public.
    errors(out, legend, &answer.errors, sees);
    if let Some(after) = &answer.next {
        out.push(b',');
        next(out, legend, after);
    }
    out.extend_from_slice(b",\"winner\":");
    match answer.winner {
        None => out.extend_from_slice(b"null"),
        Some(winner) => text(out, legend.keys.key(winner)),
    }
    tail(out, sees);
}

fn begin(out: &mut Vec<u8>, id: Option<&str>) {
    out.push(b'{');
    if let Some(id) = id {
        key(out, "id");
        text(out, id);
        out.push(b',');
    }
}

/// The start of every answer: `{"id":…,"name":"S1901M",`.
pub(super) fn head(
    out: &mut Vec<u8>,
    id: Option<&str>,
    phase: impl std::fmt::Display,
    sees: Option<Power>,
) {
    begin(out, id);
    key(out, "name");
    quoted(out, |out| append(out, phase));
    out.push(b',');
    if sees.is_some() {
        key(out, "sees");
        out.push(b'{');
    }
}

/// Closes what `head` has opened, and ends the line.
pub(super) fn tail(out: &mut Vec<u8>, sees: Option<Power>) {
    if sees.is_some() {
        out.push(b'}');
    }
    out.extend_from_slice(b"}\n");
}

/// The marks of units that `write` names.
pub(super) fn results<'r, U: 'r>(
    out: &mut Vec<u8>,
    units: impl Iterator<Item = &'r (U, Marks)>,
    write: impl Fn(&mut Vec<u8>, &U),
) {
    key(out, "results");
    out.push(b'{');
    list(out, units, |out, (unit, marks)| {
        quoted(out, |out| write(out, unit));
        out.extend_from_slice(b":[");
        if !marks.is_empty() {
            list(out, marks.iter(), |out, mark| text(out, mark.code()));
        }
        out.push(b']');
    });
    out.push(b'}');
}

/// Orders that were not carried out; for one power only its own.
pub(super) fn errors(
    out: &mut Vec<u8>,
    legend: &Legend<'_>,
    all: &[OrderError],
    sees: Option<Power>,
) {
    key(out, "errors");
    out.push(b'[');
    let seen = all
        .iter()
        .filter(|error| sees.is_none_or(|power| power == error.power));
    list(out, seen, |out, error| {
        out.push(b'{');
        key(out, "power");
        text(out, legend.keys.key(error.power));
        out.push(b',');
        key(out, "order");
        text(out, &error.order);
        out.push(b',');
        key(out, "error");
        text(out, &error.sentence);
        out.push(b'}');
    });
    out.push(b']');
}

fn next(out: &mut Vec<u8>, legend: &Legend<'_>, next: &Next) {
    key(out, "next");
    out.push(b'{');
    key(out, "name");
    match next.name {
        None => out.extend_from_slice(b"null"),
        Some(name) => quoted(out, |out| append(out, name)),
    }
    out.push(b',');
    key(out, "state");
    out.push(b'{');
    board(out, legend, &next.position, &next.owners);
    if next
        .name
        .is_some_and(|name| name.kind == dipjudge_rules::calendar::PhaseKind::Adjustments)
    {
        out.push(b',');
        builds(out, legend, &next.builds);
    }
    out.extend_from_slice(b"}}");
}

/// Units, centers and retreats.
pub(super) fn board(out: &mut Vec<u8>, legend: &Legend<'_>, position: &Position, owners: &Owners) {
    units(out, legend, position);
    out.push(b',');
    centers(out, legend, owners);
    out.push(b',');
    retreats(out, legend, position);
}

/// Builds, or removals as negative counts.
pub(super) fn builds(out: &mut Vec<u8>, legend: &Legend<'_>, builds: &[(Power, i32)]) {
    key(out, "builds");
    out.push(b'{');
    list(out, builds.iter(), |out, (power, change)| {
        text(out, legend.keys.key(*power));
        out.push(b':');
        append(out, change);
    });
    out.push(b'}');
}

/// Each power's units, sorted as their texts are; a star sorts before letters.
fn units(out: &mut Vec<u8>, legend: &Legend<'_>, position: &Position) {
    key(out, "units");
    out.push(b'{');
    let mut all: Vec<(u64, bool, &Unit)> =
        Vec::with_capacity(position.units.len() + position.dislodged.len());
    all.extend(
        position
            .units
            .iter()
            .map(|unit| (rank(legend, true, unit), true, unit)),
    );
    let dislodged = position.dislodged.iter().map(|dislodged| &dislodged.unit);
    all.extend(dislodged.map(|unit| (rank(legend, false, unit), false, unit)));
    all.sort_unstable_by_key(|(rank, ..)| *rank);
    groups(
        out,
        legend,
        &all,
        |(.., unit)| unit.power,
        |out, (_, stands, unit)| {
            quoted(out, |out| {
                if !stands {
                    out.push(b'*');
                }
                unit_text(out, unit);
            });
        },
    );
    out.push(b'}');
}

/// A number by which units sort: power, star, the first letters of the kind, place.
fn rank(legend: &Legend<'_>, stands: bool, unit: &Unit) -> u64 {
    let mut rank = u64::from(unit.power.0) << 1 | u64::from(stands);
    for letter in unit.kind.letters().into_iter().take(3) {
        rank = rank << 8 | u64::from(letter);
    }
    let coast = unit.at.coast.map_or(0, |coast| coast as u64 + 1);
    rank << 16 | u64::from(legend.map.number(unit.at.province).unwrap_or(0)) << 8 | coast
}

fn centers(out: &mut Vec<u8>, legend: &Legend<'_>, owners: &Owners) {
    key(out, "centers");
    out.push(b'{');
    let mut all: Vec<(Power, Province)> = Vec::with_capacity(legend.map.centers().len());
    all.extend(
        owners
            .iter(legend.map)
            .map(|(center, owner)| (owner, center)),
    );
    // Provinces are sorted already, and the sort is stable within a power.
    all.sort_by_key(|(owner, _)| owner.0);
    groups(
        out,
        legend,
        &all,
        |(power, _)| *power,
        |out, (_, center)| quoted(out, |out| location(out, (*center).into())),
    );
    out.push(b'}');
}

fn retreats(out: &mut Vec<u8>, legend: &Legend<'_>, position: &Position) {
    key(out, "retreats");
    out.push(b'{');
    let mut by_power: BTreeMap<Power, Vec<_>> = BTreeMap::new();
    for dislodged in &position.dislodged {
        by_power
            .entry(dislodged.unit.power)
            .or_default()
            .push(dislodged);
    }
    list(out, by_power.iter(), |out, (power, units)| {
        text(out, legend.keys.key(**power));
        out.extend_from_slice(b":{");
        list(out, units.iter(), |out, dislodged| {
            quoted(out, |out| unit_text(out, &dislodged.unit));
            out.extend_from_slice(b":[");
            list(out, dislodged.options.iter(), |out, to| {
                quoted(out, |out| location(out, **to))
            });
            out.push(b']');
        });
        out.push(b'}');
    });
    out.push(b'}');
}

/// `"POWER":[…],…` from a list that is sorted by power.
fn groups<T>(
    out: &mut Vec<u8>,
    legend: &Legend<'_>,
    all: &[T],
    power_of: impl Fn(&T) -> Power,
    write: impl Fn(&mut Vec<u8>, &T),
) {
    let groups = all.chunk_by(|a, b| power_of(a) == power_of(b));
    list(out, groups, |out, group| {
        if let Some(first) = group.first() {
            text(out, legend.keys.key(power_of(first)));
        }
        out.extend_from_slice(b":[");
        list(out, group.iter(), |out, item| write(out, item));
        out.push(b']');
    });
}

pub(super) fn list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    write: impl Fn(&mut Vec<u8>, &T),
) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, &item);
    }
}

pub(super) fn unit_text(out: &mut Vec<u8>, unit: &Unit) {
    let letters = unit.kind.letters();
    for letter in letters.into_iter().take_while(|&letter| letter != 0) {
        out.push(letter);
    }
    out.push(b' ');
    location(out, unit.at);
}

fn location(out: &mut Vec<u8>, at: Location) {
    out.extend_from_slice(&at.province.letters());
    if let Some(coast) = at.coast {
        out.push(b'/');
        out.extend_from_slice(coast.as_str().as_bytes());
    }
}

/// A key that needs no escaping.
pub(super) fn key(out: &mut Vec<u8>, key: &str) {
    out.push(b'"');
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

pub(super) fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

/// Writes to memory, which cannot fail.
pub(super) fn append(out: &mut Vec<u8>, value: impl std::fmt::Display) {
    let _ = std::io::Write::write_fmt(out, format_args!("{value}"));
}

/// A JSON string.
pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(special) = rest
        .iter()
        .position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')
    {
        let (plain, tail) = rest.split_at(special);
        out.extend_from_slice(plain);
        if let [byte, tail @ ..] = tail {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
                byte => append(out, format_args!("\\u{byte:04x}")),
            }
            rest = tail;
        }
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}
