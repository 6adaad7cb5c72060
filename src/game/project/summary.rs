//! SUMMARY: players in time, and the history of the centers (`judge-workflow.md` 6.9).

use std::sync::Arc;

use jiff::Timestamp;

use super::super::{Ending, Game, Role, SeatId, State, Variant, Year};
use super::leaders::address;
use super::{Labels, Reader, Visibility, hides_leaders, index, labels, listing};
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::{Summary, SummaryPlayer, SummaryRow, Viewer, whole_minute};

/// The summary as one reader may have it. `name_of` tells the name of the person at a seat.
pub fn summary(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    name_of: &dyn Fn(SeatId) -> String,
) -> Summary {
    let centers = game.map().summary();
    let years: &[Arc<Year>] = match listing::has_centers(game) {
        true => &game.years,
        false => &[],
    };
    let centers = centers.as_slice();
    // Where the board is hidden, a power reads its own line and nobody else anything (`visibility.md` 7).
    let whole = !Visibility::of(game, variant, reader.viewer).is_bounded();
    let own = |power: &Power| whole || reader.viewer == Viewer::Power(*power);
    let labels = &labels(game, variant, reader.viewer);
    let names = |skip: usize| -> Vec<String> {
        centers
            .iter()
            .skip(skip)
            .step_by(2)
            .map(|(_, shown)| shown.clone())
            .collect()
    };
    // What was played last, also where a later turn has been taken back.
    let through = game.past.last().map_or_else(String::new, |past| {
        variant.card().phase_name(&past.phase, past.turn).in_mail()
    });
    // No finer clock than that of the mails is anybody's: seconds would tell when the last mail came in.
    let minute = |at: Timestamp| reader.moment(whole_minute(at));
    Summary {
        name: game.name.clone(),
        through,
        players: players(game, variant, labels, reader, name_of, &own),
        parameters: listing::parameters(game, variant, reader),
        started: game.timing.begun.map(minute),
        ended: ended(game).zip(game.timing.ended.map(minute)),
        center_names: (names(0), names(1)),
        ownership: years
            .iter()
            .filter(|_| whole)
            .map(|year| (year.year, letters(labels, year, centers)))
            .collect(),
        counts: game
            .all_powers()
            .filter(own)
            .map(|power| counts(game, variant, labels, name_of, power))
            .collect(),
        index: years
            .iter()
            .filter(|_| whole)
            .map(|year| {
                let counts: Vec<usize> =
                    game.all_powers().map(|power| owned(year, power)).collect();
                index(&counts)
            })
            .collect(),
        years: years
            .iter()
            .filter(|_| game.all_powers().any(|power| own(&power)))
            .map(|year| year.year)
            .collect(),
    }
}

fn ended(game: &Game) -> Option<String> {
    let word = match &game.state {
        State::Over(Ending::Won(_)) => "won",
        State::Over(Ending::Drawn(_)) => "drawn",
        State::Over(Ending::Conceded(_)) => "conceded",
        State::Over(Ending::Terminated) => "terminated",
        _ => return None,
    };
    Some(word.to_owned())
}

/// Whether names of players stand in the summary: where leaders are hidden only after the end, if the game reveals them.
fn shows_names(game: &Game, variant: &dyn Variant) -> bool {
    !hides_leaders(game, variant) || (game.over() && game.settings.reveal)
}

fn players(
    game: &Game,
    variant: &dyn Variant,
    labels: &Labels,
    reader: &Reader,
    name_of: &dyn Fn(SeatId) -> String,
    told: &dyn Fn(&Power) -> bool,
) -> Vec<SummaryPlayer> {
    let line = |role: &str, seat: SeatId, since: Option<String>, hidden: bool| {
        let name = if hidden { String::new() } else { name_of(seat) };
        // Who is not in the game reads the name alone.
        let stranger = reader.viewer == Viewer::Stranger && !hidden;
        let shown = game.seat(seat).filter(|_| !stranger);
        SummaryPlayer {
            role: role.to_owned(),
            name,
            address: shown.map_or_else(String::new, |seat| address(game, variant, reader, seat)),
            since,
        }
    };
    let mut players: Vec<SummaryPlayer> = game
        .seated(Role::Master)
        .map(|seat| line("Master", seat.id, None, false))
        .collect();
    for power in game.all_powers().filter(told) {
        for (n, (seat, since)) in game.standing(power).held.iter().enumerate() {
            // Its full name too, where tables have nothing but its code.
            let role = match n {
                0 => labels.introduced(power).to_string(),
                _ => String::new(),
            };
            let since = since.as_ref().filter(|_| n > 0);
            let since =
                since.map(|(turn, phase)| variant.card().phase_name(phase, *turn).in_mail());
            players.push(line(&role, *seat, since, !shows_names(game, variant)));
        }
    }
    players
}

fn letters(labels: &Labels, year: &Year, centers: &[(Province, String)]) -> Vec<String> {
    let letter = |(center, _): &(Province, String)| match year.owners.get(center) {
        Some(owner) => labels.letter(*owner),
        None => ".".to_owned(),
    };
    centers.iter().map(letter).collect()
}

fn counts(
    game: &Game,
    variant: &dyn Variant,
    labels: &Labels,
    name_of: &dyn Fn(SeatId) -> String,
    power: Power,
) -> SummaryRow {
    let unused = |year: &Year| year.unused.get(&power).copied().unwrap_or(0) as usize;
    let player = game
        .standing(power)
        .held
        .last()
        .filter(|_| shows_names(game, variant))
        .map(|(seat, _)| name_of(*seat));
    SummaryRow {
        power: labels.label(power),
        counts: game
            .years
            .iter()
            .map(|year| (owned(year, power), unused(year)))
            .collect(),
        player: player.unwrap_or_default(),
    }
}

/// How many centers a power owned at the end of a year.
fn owned(year: &Year, power: Power) -> usize {
    year.owners
        .values()
        .filter(|owner| **owner == power)
        .count()
}
