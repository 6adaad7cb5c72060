//! SUMMARY: players over time, and the history of the centers (`judge-workflow.md` 6.9).

use std::sync::Arc;

use jiff::Timestamp;

use super::{Labels, ReaderView, index, listing};
use crate::planted::{Leak, planted};
use crate::{Ending, Game, Role, SeatId, State, VariantGame, Year};
use dipjudge_rules::map::{Power, SummaryCenter};
use dipjudge_view::{Summary, SummaryPlayer, SummaryRow, Viewer, whole_minute};

impl ReaderView<'_> {
    /// The summary for one reader. `name_of` returns the name of the person at a seat.
    pub fn summary(self, name_of: &dyn Fn(SeatId) -> String) -> Summary {
        let centers = self.game.map().summary();
        let years: &[Arc<Year>] = if listing::has_centers(self.game) {
            &self.game.years
        } else {
            &[]
        };
        let centers = centers.as_slice();
        // Where the board is hidden, a power reads its own line and other readers read none (`visibility.md` 7).
        let whole = !self.view().visibility().is_bounded();
        let own = |power: &Power| whole || self.reader.viewer == Viewer::Power(*power);
        let whole_years = if whole { years } else { &[] };
        let own_years = if self.game.all_powers().any(|power| own(&power)) {
            years
        } else {
            &[]
        };
        let labels = &self.view().labels();
        // The last adjudicated phase that was not rolled back.
        let through = self.game.past.last().map_or_else(String::new, |past| {
            self.variant
                .card()
                .phase_name(&past.phase, past.turn)
                .in_mail()
        });
        // Times are given to the minute as in mails: seconds would reveal when the last mail came in.
        let minute = |at: Timestamp| self.reader.moment(whole_minute(at));
        Summary {
            name: self.game.name.clone(),
            through,
            players: self.summary_players(labels, name_of, &own),
            parameters: self.view().parameters(),
            started: self.game.timing.begun.map(minute),
            ended: ended(self.game).zip(self.game.timing.ended.map(minute)),
            center_names: (headings(centers, 0), headings(centers, 1)),
            ownership: whole_years
                .iter()
                .map(|year| (year.year, letters(labels, year, centers)))
                .collect(),
            counts: self
                .game
                .all_powers()
                .filter(own)
                .map(|power| self.variant_game().summary_row(labels, name_of, power))
                .collect(),
            index: whole_years
                .iter()
                .map(|year| {
                    let counts: Vec<usize> = self
                        .game
                        .all_powers()
                        .map(|power| owned(year, power))
                        .collect();
                    index(&counts)
                })
                .collect(),
            years: own_years.iter().map(|year| year.year).collect(),
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
            // A stranger reads only the name.
            let stranger = self.reader.viewer == Viewer::Stranger && !hidden;
            let address = match self.game.seat(seat) {
                Some(seat) if !stranger => self.address(seat),
                _ => String::new(),
            };
            SummaryPlayer {
                role: role.to_owned(),
                name,
                address,
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
                // With the full name, since tables show only the code.
                let role = match n {
                    0 => labels.introduced(power).to_string(),
                    _ => String::new(),
                };
                let since = if n == 0 { None } else { since.as_ref() };
                let since = since
                    .map(|(turn, phase)| self.variant.card().phase_name(phase, *turn).in_mail());
                let left = planted(Leak::FormerLeaders)
                    && self.game.seat(*seat).is_some_and(|seat| seat.left);
                players.push(line(
                    &role,
                    *seat,
                    since,
                    !self.variant_game().shows_player_names() && !left,
                ));
            }
        }
        players
    }
}

impl VariantGame<'_> {
    /// Whether the summary names players: where leaders are hidden, only after the end, if the game reveals them.
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
        let player = match self.game.standing(power).held.last() {
            Some((seat, _)) if self.shows_player_names() => name_of(*seat),
            _ => String::new(),
        };
        SummaryRow {
            power: labels.label(power),
            counts: self
                .game
                .years
                .iter()
                .map(|year| (owned(year, power), unused(year)))
                .collect(),
            player,
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

/// The headings of every second column from `first` on.
fn headings(centers: &[SummaryCenter], first: usize) -> Vec<String> {
    let columns = centers.iter().skip(first).step_by(2);
    columns.map(|column| column.heading.clone()).collect()
}

/// The number of centers that a power owned at the end of a year.
fn owned(year: &Year, power: Power) -> usize {
    year.owners
        .values()
        .filter(|owner| **owner == power)
        .count()
}
