//! SUMMARY: players in time, and the history of the centers (`judge-workflow.md` 6.9).

use std::sync::Arc;

use jiff::Timestamp;

use super::{Labels, ReaderView, index, listing};
use crate::{Ending, Game, Role, SeatId, State, VariantGame, Year};
use dipjudge_rules::map::{Power, SummaryCenter};
use dipjudge_view::{Summary, SummaryPlayer, SummaryRow, Viewer, whole_minute};

impl ReaderView<'_> {
    /// The summary as one reader may have it. `name_of` tells the name of the person at a seat.
    pub fn summary(self, name_of: &dyn Fn(SeatId) -> String) -> Summary {
        let centers = self.game.map().summary();
        let years: &[Arc<Year>] = if listing::has_centers(self.game) {
            &self.game.years
        } else {
            &[]
        };
        let centers = centers.as_slice();
        // Where the board is hidden, a power reads its own line and nobody else anything (`visibility.md` 7).
        let whole = !self.view().visibility().is_bounded();
        let own = |power: &Power| whole || self.reader.viewer == Viewer::Power(*power);
        let labels = &self.view().labels();
        let names = |skip: usize| -> Vec<String> {
            centers
                .iter()
                .skip(skip)
                .step_by(2)
                .map(|column| column.heading.clone())
                .collect()
        };
        // What was played last, also where a later turn has been taken back.
        let through = self.game.past.last().map_or_else(String::new, |past| {
            self.variant
                .card()
                .phase_name(&past.phase, past.turn)
                .in_mail()
        });
        // No finer clock than that of the mails is anybody's: seconds would tell when the last mail came in.
        let minute = |at: Timestamp| self.reader.moment(whole_minute(at));
        Summary {
            name: self.game.name.clone(),
            through,
            players: self.summary_players(labels, name_of, &own),
            parameters: self.view().parameters(),
            started: self.game.timing.begun.map(minute),
            ended: ended(self.game).zip(self.game.timing.ended.map(minute)),
            center_names: (names(0), names(1)),
            ownership: years
                .iter()
                .filter(|_| whole)
                .map(|year| (year.year, letters(labels, year, centers)))
                .collect(),
            counts: self
                .game
                .all_powers()
                .filter(own)
                .map(|power| self.variant_game().summary_row(labels, name_of, power))
                .collect(),
            index: years
                .iter()
                .filter(|_| whole)
                .map(|year| {
                    let counts: Vec<usize> = self
                        .game
                        .all_powers()
                        .map(|power| owned(year, power))
                        .collect();
                    index(&counts)
                })
                .collect(),
            years: years
                .iter()
                .filter(|_| self.game.all_powers().any(|power| own(&power)))
                .map(|year| year.year)
                .collect(),
        }
    }

    fn summary_players(
        self,
        labels: &Labels,
        name_of: &dyn Fn(SeatId) -> String,
        told: &dyn Fn(&Power) -> bool,
    ) -> Vec<SummaryPlayer> {
        let line = |role: &str, seat: SeatId, since: Option<String>, hidden: bool| {
            let name = if hidden { String::new() } else { name_of(seat) };
            // Who is not in the game reads the name alone.
            let stranger = self.reader.viewer == Viewer::Stranger && !hidden;
            let shown = self.game.seat(seat).filter(|_| !stranger);
            SummaryPlayer {
                role: role.to_owned(),
                name,
                address: shown.map_or_else(String::new, |seat| self.address(seat)),
                since,
            }
        };
        let mut players: Vec<SummaryPlayer> = self
            .game
            .seated(Role::Master)
            .map(|seat| line("Master", seat.id, None, false))
            .collect();
        for power in self.game.all_powers().filter(told) {
            for (n, (seat, since)) in self.game.standing(power).held.iter().enumerate() {
                // Its full name too, where tables have nothing but its code.
                let role = match n {
                    0 => labels.introduced(power).to_string(),
                    _ => String::new(),
                };
                let since = since.as_ref().filter(|_| n > 0);
                let since = since
                    .map(|(turn, phase)| self.variant.card().phase_name(phase, *turn).in_mail());
                players.push(line(
                    &role,
                    *seat,
                    since,
                    !self.variant_game().shows_player_names(),
                ));
            }
        }
        players
    }
}

impl VariantGame<'_> {
    /// Whether names of players stand in the summary: where leaders are hidden only after the end, if the game reveals them.
    fn shows_player_names(self) -> bool {
        !self.hides_leaders() || (self.game.over() && self.game.settings.reveal)
    }

    fn summary_row(
        self,
        labels: &Labels,
        name_of: &dyn Fn(SeatId) -> String,
        power: Power,
    ) -> SummaryRow {
        let unused = |year: &Year| year.unused.get(&power).copied().unwrap_or(0) as usize;
        let player = self
            .game
            .standing(power)
            .held
            .last()
            .filter(|_| self.shows_player_names())
            .map(|(seat, _)| name_of(*seat));
        SummaryRow {
            power: labels.label(power),
            counts: self
                .game
                .years
                .iter()
                .map(|year| (owned(year, power), unused(year)))
                .collect(),
            player: player.unwrap_or_default(),
        }
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

fn letters(labels: &Labels, year: &Year, centers: &[SummaryCenter]) -> Vec<String> {
    let letter = |column: &SummaryCenter| match year.owners.get(&column.center) {
        Some(owner) => labels.letter(*owner),
        None => ".".to_owned(),
    };
    centers.iter().map(letter).collect()
}

/// How many centers a power owned at the end of a year.
fn owned(year: &Year, power: Power) -> usize {
    year.owners
        .values()
        .filter(|owner| **owner == power)
        .count()
}
