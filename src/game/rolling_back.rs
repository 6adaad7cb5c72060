//! The state of a game before each processed turn, and how ROLLBACK and REPLAY return to it.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::deadline::Absence;
use super::people::{AheadLine, Orders, SeatId, Standing, Vote};
use super::sealed::Submitted;
use super::{Game, KeptState, Phase, State, Year};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Power;
use dipjudge_rules::position::Position;

/// The game just before a turn was processed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// The number that the turn got.
    pub number: u32,
    /// Its year and season.
    pub turn: Turn,
    /// Its phase.
    pub phase: Phase,
    /// The position before.
    pub position: Position,
    /// The orders of that time.
    pub orders: BTreeMap<Power, Orders>,
    /// The lasting submissions of that time.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub submissions: BTreeMap<Power, Submitted>,
    /// The variant's own state before.
    pub(crate) data: KeptState,
    /// The number of years of ownership.
    pub years: usize,
    /// The last of these years, which the turn may have changed.
    pub last_year: Option<Arc<Year>>,
    /// The rest of the standing of each power.
    pub standings: BTreeMap<Power, PastStanding>,
    /// The absences of each seat.
    pub absences: BTreeMap<SeatId, Vec<Absence>>,
}

/// What ROLLBACK restores of a power besides its orders and submissions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastStanding {
    /// Its leader.
    pub holder: Option<SeatId>,
    /// Its lines for later phases.
    pub ahead: Vec<AheadLine>,
    /// Its vote.
    pub vote: Option<Vote>,
    /// Its vote to end the game without a result.
    pub terminates: bool,
    /// Its conduct when the phase began, so that a power that is late in it again is counted again.
    pub conduct: Conduct,
}

/// How reliably a power has kept its deadlines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conduct {
    /// How often it was late.
    pub times_late: u32,
    /// For how many movement phases in a row it has ordered nothing.
    pub missed: u32,
    /// Its leader has given it up.
    pub abandoned: bool,
    /// It is in civil disorder.
    pub disorder: bool,
}

impl Conduct {
    /// The present conduct of a power.
    pub fn of(standing: &Standing) -> Conduct {
        Conduct {
            times_late: standing.times_late,
            missed: standing.missed,
            abandoned: standing.abandoned,
            disorder: standing.disorder,
        }
    }

    /// Whether nothing is recorded against the power.
    pub fn is_spotless(&self) -> bool {
        *self == Conduct::default()
    }
}

/// How much is reverted. People, addresses, passwords, tokens, press, labels and settings never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restores {
    /// Board, orders and submissions; REPLAY continues from them.
    #[default]
    Orders,
    /// Also lines for later phases, votes, absences, civil disorder and counts; for ROLLBACK.
    Everything,
}

impl Restores {
    /// Whether only orders are reverted.
    pub fn orders_alone(&self) -> bool {
        *self == Restores::Orders
    }
}

impl Past {
    /// A game just before the turn of this number is adjudicated. The orders and the position are taken out of it, since they end
    /// with the turn.
    pub(super) fn taken_from(game: &mut Game, number: u32) -> Past {
        let taken = game.standings.iter_mut();
        let orders = taken.map(|(power, standing)| (*power, mem::take(&mut standing.orders)));
        let orders = orders.collect();
        let standings = || game.standings.iter();
        let absent = game.seats.iter().filter(|seat| !seat.absences.is_empty());
        Past {
            number,
            turn: game.turn,
            phase: game.phase.clone(),
            position: mem::take(&mut game.position),
            orders,
            submissions: standings()
                .filter(|(_, standing)| !standing.submissions.is_empty())
                .map(|(power, standing)| (*power, standing.submissions.clone()))
                .collect(),
            data: game.data.unread(),
            years: game.years.len(),
            last_year: game.years.last().cloned(),
            standings: standings()
                .map(|(power, standing)| (*power, PastStanding::of(standing)))
                .collect(),
            absences: absent
                .map(|seat| (seat.id, seat.absences.clone()))
                .collect(),
        }
    }
}

impl PastStanding {
    fn of(standing: &Standing) -> PastStanding {
        PastStanding {
            holder: standing.holder,
            ahead: standing.ahead.clone(),
            vote: standing.vote.clone(),
            terminates: standing.terminates,
            conduct: standing.at_first,
        }
    }

    /// A new leader has not been silent, so civil disorder is restored only for the same leader.
    fn restore(self, standing: &mut Standing) {
        let Conduct {
            times_late,
            missed,
            abandoned,
            disorder,
        } = self.conduct;
        standing.ahead = self.ahead;
        (standing.vote, standing.terminates) = (self.vote, self.terminates);
        (standing.times_late, standing.missed) = (times_late, missed);
        if standing.holder == self.holder && !standing.resigned {
            (standing.abandoned, standing.disorder) = (abandoned, disorder);
        }
        standing.at_first = Conduct::of(standing);
    }
}

/// Reverts to before the turn of this number was processed; does nothing if there is none. All turns have to be in memory
/// (`Game::recalls_all`), since those before this one are needed then.
pub(super) fn roll_back(game: &mut Game, number: u32, restores: Restores) {
    let Some(index) = game.past.iter().position(|past| past.number == number) else {
        return;
    };
    let past = game.past[index].as_ref().clone();
    game.past.truncate(index);
    game.years.truncate(past.years);
    if let (Some(last), Some(then)) = (game.years.last_mut(), past.last_year) {
        *last = then;
    }
    (game.turn, game.phase, game.position, game.data) =
        (past.turn, past.phase, past.position, past.data);
    game.number = number - 1;
    game.last = None;
    game.state = State::Running;
    game.timing.ended = None;
    clear_phase(game);
    for standing in game.standings.values_mut() {
        standing.required = true;
        standing.submissions = Submitted::default();
    }
    // The former orders are restored, but each power must confirm its own before they count as complete.
    for (power, orders) in past.orders {
        game.standings.entry(power).or_default().orders = orders;
    }
    for (power, submissions) in past.submissions {
        game.standings.entry(power).or_default().submissions = submissions;
    }
    if restores == Restores::Everything {
        for (power, then) in past.standings {
            then.restore(game.standings.entry(power).or_default());
        }
        for seat in &mut game.seats {
            seat.absences = past.absences.get(&seat.id).cloned().unwrap_or_default();
        }
    }
}

/// Clears what applies to one phase only.
pub(super) fn clear_phase(game: &mut Game) {
    for standing in game.standings.values_mut() {
        standing.orders = Default::default();
        (standing.wait, standing.late, standing.flag) = (false, false, false);
        (standing.vote, standing.terminates) = (None, false);
    }
    let timing = &mut game.timing;
    timing.all_in = None;
    timing.reminded.clear();
    (
        timing.late_notice,
        timing.abandoned_notice,
        timing.standstill,
    ) = (None, None, None);
}
