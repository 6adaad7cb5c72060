//! What players read: the bids revealed, how everybody stands, forts, and what they have submitted themselves.

use std::collections::BTreeMap;

use super::bids::{self, Reckoned, count};
use super::state::{Revealed, State};
use super::{BID, Bridge, FORTS, OPENING, bids_are_fixed, forts, running};
use crate::calendar::Season;
use crate::game::project::{Labels, Sight};
use crate::game::{Access, Course, Game, Phase, SubmissionKind, in_play};
use crate::map::{Coast, Map, Power, Province};
use crate::orders::Illegal;
use crate::view::Viewer;

type Section = (String, Vec<String>);

/// Columns of a power's name.
const POWER: usize = 9;

/// Sections for the report of the phase last adjudicated.
pub(super) fn report(game: &Game, labels: &Labels) -> Vec<Section> {
    let state = State::of(game);
    let Some(played) = &game.last else {
        return Vec::new();
    };
    let mut sections = Vec::new();
    match played.phase {
        Phase::Movement => sections.extend(lost(game, labels, &state)),
        Phase::Adjustments => {
            sections.extend(built(game, labels, &state));
            if played.turn == OPENING {
                sections.push(fixed(game, labels));
            }
        }
        _ => {}
    }
    let revealed = state.revealed.as_ref();
    let just_now = |revealed: &&Revealed| {
        played.turn.season == Season::Fall && revealed.year == played.turn.year
    };
    if let Some(revealed) = revealed.filter(just_now) {
        if !revealed.lines.is_empty() {
            sections.push(reckoning(game, labels, revealed));
        }
        sections.extend(standing_forts(game, labels, &state));
    }
    sections
}

fn lost(game: &Game, labels: &Labels, state: &State) -> Option<Section> {
    let line = |lost: &super::state::Lost| {
        let kind = game
            .map()
            .kind(lost.kind)
            .map_or_else(|| lost.kind.to_string(), |info| info.name.clone());
        format!(
            "{}: the {} fort falls to the {} {kind}.",
            name(game.map(), lost.province),
            labels.adjective(lost.owner),
            labels.adjective(lost.by)
        )
    };
    let lines: Vec<String> = state.lost.iter().map(line).collect();
    (!lines.is_empty()).then(|| ("Forts lost:".to_owned(), lines))
}

fn built(game: &Game, labels: &Labels, state: &State) -> Option<Section> {
    let lines = by_owner(game, labels, state, |province| {
        state.built.contains(province)
    });
    (!lines.is_empty()).then(|| ("Centers fortified from now on:".to_owned(), lines))
}

fn standing_forts(game: &Game, labels: &Labels, state: &State) -> Option<Section> {
    let lines = by_owner(game, labels, state, |_| true);
    (!lines.is_empty()).then(|| ("Fortified centers:".to_owned(), lines))
}

/// `Germany:  Berlin, Munich.` for each power that has such forts.
fn by_owner(
    game: &Game,
    labels: &Labels,
    state: &State,
    wanted: impl Fn(&Province) -> bool,
) -> Vec<String> {
    let mut forts: BTreeMap<Power, Vec<String>> = BTreeMap::new();
    for (province, owner) in state.forts.iter().filter(|(province, _)| wanted(province)) {
        let own = forts.entry(*owner).or_default();
        own.push(name(game.map(), *province));
    }
    let line = |(power, mut names): (Power, Vec<String>)| {
        names.sort();
        let head = format!("{}:", labels.name(power));
        format!("{head:<width$}{}.", names.join(", "), width = POWER + 1)
    };
    forts.into_iter().map(line).collect()
}

fn fixed(game: &Game, labels: &Labels) -> Section {
    let bids: Vec<String> = in_play(game, &Bridge)
        .into_iter()
        .map(|power| format!("{} {}", labels.name(power), bids::fixed(game.map(), power)))
        .collect();
    (
        format!("Bids for {}, the same in every game:", OPENING.year + 1),
        vec![format!("{}.", bids.join(", "))],
    )
}

/// The bids of a year, each with what came of it.
fn reckoning(game: &Game, labels: &Labels, revealed: &Revealed) -> Section {
    let mut lines = vec![format!(
        "{:<POWER$} {:>4} {:>4} {:>5}  {:<7} {:>7} {:>8} {:>6}  {}",
        "Power", "Held", "Bid", "Owns", "Outcome", "Balance", "Allowed", "Units", "Due now"
    )];
    lines.extend(
        revealed
            .lines
            .iter()
            .map(|line| reckoned(game, labels, line)),
    );
    lines.extend([
        String::new(),
        "Short of the bid: one unit less for good.  Exact, with a bid above the centers held: one unit more for good.  Over: a fort for each center above the bid, to be named this Winter or never.  Level, as bid and as before: nothing changes.  The balance sums this up over the years; centers owned and balance are the units allowed.".to_owned(),
    ]);
    (format!("Bids for {}:", revealed.year), lines)
}

fn reckoned(game: &Game, labels: &Labels, line: &Reckoned) -> String {
    format!(
        "{:<POWER$} {:>4} {:>4} {:>5}  {:<7} {:>7} {:>8} {:>6}  {}",
        labels.name(line.power),
        line.held,
        line.bid
            .map_or_else(|| "none".to_owned(), |bid| bid.to_string()),
        line.centers,
        line.outcome.word(),
        signed(line.balance),
        line.allowed(),
        line.units,
        due(game, line)
    )
}

fn due(game: &Game, line: &Reckoned) -> String {
    if line.centers == 0 && line.units == 0 {
        return "eliminated".to_owned();
    }
    let mut due = Vec::new();
    match line.change() {
        0 => {}
        builds @ 1.. => due.push(format!("build {builds}")),
        removals => due.push(format!("remove {}", removals.unsigned_abs())),
    }
    if line.forts > 0 {
        due.push(format!("fortify {}", line.forts));
    }
    if due.is_empty() {
        due.push("only a bid".to_owned());
    }
    // A game that is over asks nobody.
    match game.over() {
        true => String::new(),
        false => due.join(", "),
    }
}

/// How everybody stands, and the reader's own bid.
pub(super) fn tables(game: &Game, labels: &Labels, access: &Access<'_>) -> Vec<Section> {
    if game.turn == OPENING && !game.over() {
        return vec![opening(game, labels), fixed(game, labels)];
    }
    let state = State::of(game);
    let mut sections = vec![balances(game, labels, &state)];
    sections.extend(standing_forts(game, labels, &state));
    if game.over() {
        return sections;
    }
    if bids_are_fixed(game.turn) {
        sections.push(fixed(game, labels));
    } else if let Some(Viewer::Power(power)) = access.reader()
        && Bridge.in_play(game, power)
    {
        sections.push(own_bid(game, &state, power, access));
    }
    sections
}

fn opening(game: &Game, labels: &Labels) -> Section {
    let units: Vec<String> = game
        .all_powers()
        .map(|power| {
            let own = game.map().start().iter();
            let own = own.filter(|(owner, ..)| *owner == power);
            let own: Vec<String> = own.map(|(_, kind, at)| format!("{kind} {at}")).collect();
            let head = format!("{}:", labels.name(power));
            format!("{head:<width$}{}.", own.join(", "), width = POWER + 1)
        })
        .collect();
    let mut lines = vec![
        "Each power builds one unit in each of its home centers, an army or a fleet, and names the coast where there are two: BUILD A EDI, BUILD F STP/NC.  Where nothing is ordered the traditional unit is built:".to_owned(),
        String::new(),
    ];
    lines.extend(units);
    ("The first units:".to_owned(), lines)
}

fn balances(game: &Game, labels: &Labels, state: &State) -> Section {
    let winter = game.phase == Phase::Adjustments;
    let forts = if winter { "Forts due" } else { "" };
    let mut lines = vec![
        format!(
            "{:<POWER$} {:>4} {:>5} {:>8} {:>8} {:>6}  {forts}",
            "Power", "Held", "Owns", "Balance", "Allowed", "Units"
        )
        .trim_end()
        .to_owned(),
    ];
    for power in in_play(game, &Bridge) {
        let owns = game.center_count(power);
        let held = state.bids.get(&power).map_or(owns, |bid| bid.held);
        let balance = state.balance(power);
        let due = match state.due(power) {
            0 => String::new(),
            due => due.to_string(),
        };
        let line = format!(
            "{:<POWER$} {held:>4} {owns:>5} {:>8} {:>8} {:>6}  {due:>5}",
            labels.name(power),
            signed(balance),
            count(owns) + balance,
            game.unit_count(power)
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.extend([
        String::new(),
        "Held: centers when the running bid was made, or now if that is to come.  Allowed: units that centers owned and balance make together.".to_owned(),
    ]);
    ("Centers, balances and units allowed:".to_owned(), lines)
}

fn own_bid(game: &Game, state: &State, power: Power, access: &Access<'_>) -> Section {
    let winter = game.phase == Phase::Adjustments;
    let year = game.turn.year + i32::from(winter);
    let said = |bid: usize| match bid {
        1 => "1 center".to_owned(),
        bid => format!("{bid} centers"),
    };
    let line = if winter {
        match submission::<usize>(game, power, bids::SUBMISSION, access) {
            Some(bid) => format!("{}; until this Winter closes you may change it.", said(bid)),
            None => "None has come yet.".to_owned(),
        }
    } else {
        let bids = state.opened_bids(running(game.turn), access);
        match bids.get(&power).and_then(|bid| bid.bid) {
            Some(bid) => format!("{}.", said(bid)),
            None => "None came.".to_owned(),
        }
    };
    (format!("Your bid for the Fall of {year}:"), vec![line])
}

/// A power's own bid and forts as it sent them, or what is still wanted.
pub(super) fn submitted(
    game: &Game,
    power: Power,
    access: &Access<'_>,
) -> Vec<(&'static SubmissionKind, String)> {
    let asked = game.phase == Phase::Adjustments && game.turn != OPENING;
    if !asked || !Bridge.in_play(game, power) {
        return Vec::new();
    }
    let (held, most) = (game.center_count(power), game.map().centers().len());
    let bid = match submission::<usize>(game, power, bids::SUBMISSION, access) {
        Some(bid) => format!("BID {bid}"),
        None => format!("(no bid yet: BID {held} to BID {most})"),
    };
    let mut lines = vec![(&BID, bid)];
    let due = State::of(game).due(power);
    let forts = if due == 1 { "fort is" } else { "forts are" };
    let forts = match submission::<Vec<Province>>(game, power, forts::SUBMISSION, access) {
        _ if due == 0 => return lines,
        None => format!("(no centers named yet: {due} {forts} due)"),
        Some(named) if named.is_empty() => "FORTIFY NONE".to_owned(),
        Some(named) => {
            let named: Vec<&str> = named.iter().map(Province::as_str).collect();
            format!("FORTIFY {}", named.join(", "))
        }
    };
    lines.push((&FORTS, forts));
    lines
}

fn submission<T: serde::de::DeserializeOwned>(
    game: &Game,
    power: Power,
    name: &str,
    access: &Access<'_>,
) -> Option<T> {
    game.submissions(power, access).get(name)?.stored()
}

/// A build for which the coast is missing or wrong.
pub(super) fn objection(illegal: &Illegal, sight: &Sight) -> Option<String> {
    let Illegal::CannotStand(_, at) = illegal else {
        return None;
    };
    let name = name(sight.map, at.province);
    let stands = match sight.turn == OPENING {
        true => "  As long as no valid order comes, the traditional unit is built there.",
        false => "",
    };
    let coasts = [Coast::North, Coast::South, Coast::East, Coast::West];
    let info = sight.map.info(at.province)?;
    let own: Vec<String> = coasts
        .into_iter()
        .filter(|coast| info.coasts.contains(coast))
        .map(|coast| format!("{}/{}", at.province, coast.as_str()))
        .collect();
    Some(if own.is_empty() {
        format!("{name} has no coast, so no fleet can be built there.{stands}")
    } else {
        format!("Name the coast: {}.{stands}", own.join(" or "))
    })
}

fn signed(number: i32) -> String {
    match number {
        0 => "0".to_owned(),
        number => format!("{number:+}"),
    }
}

fn name(map: &Map, province: Province) -> String {
    map.full_name(province.into())
}
