//! How a game of Life ends (`rules.md`, A.3 and rulings 16 to 21), and its settings.

use super::generation::{self, Generation};
use dipjudge_game::endings::{self, Tie};
use dipjudge_game::{Ending, Game, Setting, Tally, Winning, WinningNumber};
use dipjudge_rules::map::Power;

/// Whether owners are asked for open types: `auto`, or `never`.
pub(super) const BIRTHS_PHASE: Setting = Setting::one_of("births-phase", &["auto", "never"]);
/// What follows from a tie for most units: `continue`, or `shared`.
const VICTORY_TIE: Setting = Setting::one_of("victory-tie", &["continue", "shared"]);
/// Whether the only power left wins: `wins`, or `play-on`.
const LAST_SURVIVOR: Setting = Setting::one_of("last-survivor", &["wins", "play-on"]);
/// What follows when no power can grow any more: `draw`, or `play-on`.
const HOPELESS: Setting = Setting::one_of("hopeless", &["draw", "play-on"]);

/// All settings.
pub(super) const SETTINGS: &[Setting] = &[BIRTHS_PHASE, VICTORY_TIE, LAST_SURVIVOR, HOPELESS];

/// What wins (rules A.3): on the standard map 18, as fixed by the author.
pub(super) const WINNING: Winning = Winning {
    number: WinningNumber::OverHalf { more: 0 },
    tally: Tally::Units,
};

/// How a game whose last step is on the board ends, if it does.
pub(super) fn of_game(game: &Game) -> Option<Ending> {
    let alive = generation::last(game).map_or_else(Vec::new, |generation| generation.alive);
    ending(game, endings::counts(game, WINNING.tally), alive)
}

/// How a game ends by a step that is not on the board yet, if it does.
pub(super) fn of_step(game: &Game, generation: &Generation) -> Option<Ending> {
    let after = generation.apply(&game.position);
    let counts = game
        .all_powers()
        .map(|power| (power, after.units_of(power).count()));
    ending(game, counts.collect(), generation.alive.clone())
}

/// The conditions, in the order in which they are tried; `alive` had a unit when the step began.
fn ending(game: &Game, counts: Vec<(Power, usize)>, alive: Vec<Power>) -> Option<Ending> {
    let most = counts.iter().map(|(_, units)| *units).max().unwrap_or(0);
    let tie = if VICTORY_TIE.is(game, "shared") {
        Tie::Shared
    } else {
        Tie::PlayOn
    };
    if let Some(won) = endings::most(&counts, game.winning_number(WINNING), tie) {
        return Some(won);
    }
    let left: Vec<Power> = counts
        .iter()
        .filter(|(_, units)| *units > 0)
        .map(|(power, _)| *power)
        .collect();
    if left.is_empty() {
        return Some(Ending::Drawn(alive));
    }
    if let Some(won) = endings::last(&left)
        && LAST_SURVIVOR.is(game, "wins")
    {
        return Some(won);
    }
    // A birth for a power needs two of its units: nobody can ever have one again.
    if most < 2 && HOPELESS.is(game, "draw") {
        return Some(Ending::Drawn(left));
    }
    None
}
