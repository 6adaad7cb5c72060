//! Bids: how they are made, kept and evaluated (rules page, sections 3 and 4).

use std::collections::BTreeMap;

use super::state::{Bid, BridgeState, Outcome, Reckoned, Revealed, count};
use super::{Bridge, BridgeView, LAST_UNIT, MISSING_BID, OPENING};
use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{
    Access, Considered, Effect, Game, Phase, Refusal, Submission, in_play, refuse,
};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Map, Power};

/// The name of the submission that a bid is put down on.
pub(super) const SUBMISSION: &str = "bid";

/// What becomes of the last unit of a power that owes more removals than it has other units.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastUnit {
    /// It stays while the power holds a center.
    Kept,
    Removed,
}

/// What a bid comes to: its outcome, the balance after it, and the forts due.
pub(super) fn outcome(
    bid: Bid,
    centers: usize,
    balance: i32,
    last_unit: LastUnit,
) -> (Outcome, i32, usize) {
    let (outcome, change, forts) = match bid.bid {
        None => (Outcome::Short, -1, 0),
        Some(bid) if centers < bid => (Outcome::Short, -1, 0),
        Some(bid) if centers > bid => (Outcome::Over, 0, centers - bid),
        Some(said) if said > bid.held => (Outcome::Exact, 1, 0),
        Some(_) => (Outcome::Level, 0, 0),
    };
    // Nobody owes more removals than it can make (rulings 11, 12).
    let kept = i32::from(last_unit == LastUnit::Kept && centers > 0);
    let least = kept - count(centers);
    (outcome, (balance + change).max(least), forts)
}

/// Reveals the running bids when Winter opens, and writes their results into the state.
pub(super) fn reckon(game: &Game, state: &mut BridgeState, bids: BTreeMap<Power, Bid>) {
    let last_unit = if LAST_UNIT.is(game, "kept") {
        LastUnit::Kept
    } else {
        LastUnit::Removed
    };
    state.bids.clear();
    state.due.clear();
    let mut lines = Vec::new();
    for (power, bid) in bids {
        let centers = game.center_count(power);
        let (outcome, balance, forts) = outcome(bid, centers, state.balance(power), last_unit);
        state.set_balance(power, balance);
        if forts > 0 {
            state.due.insert(power, forts);
        }
        lines.push(Reckoned {
            power,
            held: bid.held,
            bid: bid.bid,
            centers,
            units: game.unit_count(power),
            outcome,
            balance,
            forts,
        });
    }
    state.revealed = Some(Revealed {
        year: game.turn.year,
        lines,
    });
}

/// Seals the bids for the next year when Winter closes.
pub(super) fn take(game: &Game, state: &mut BridgeState, access: &Access<'_>) {
    let penalty = MISSING_BID.is(game, "penalty");
    let opening = game.turn == OPENING;
    for power in in_play(game, &Bridge) {
        let held = game.center_count(power);
        let bid = match written(game, power, access) {
            _ if opening => Some(fixed(game.map(), power)),
            Some(bid) => Some(bid),
            None if penalty => None,
            // A bid of the centers held now.
            None => Some(held),
        };
        state.bids.insert(power, Bid { held, bid }.into());
    }
}

/// The last valid bid that a power sent in the Winter that has just closed.
fn written(game: &Game, power: Power, access: &Access<'_>) -> Option<usize> {
    let submissions = game.played_submissions(power, access);
    submissions.get(SUBMISSION)?.stored()
}

/// The bid for the first year: the author's where he gave one for the map, else the power's home centers and an equal share
/// of the neutral ones.
pub(super) fn fixed(map: &Map, power: Power) -> usize {
    let homes = map.homes(power).len();
    let powers = map.powers();
    let info = power.index().and_then(|index| powers.get(index));
    if let Some(given) = info.and_then(|info| given(map.name(), &info.name)) {
        return given.max(homes);
    }
    let neutral = map.provinces().iter();
    let neutral = neutral.filter(|info| info.center && info.home.is_none());
    homes + neutral.count().checked_div(powers.len()).unwrap_or(0)
}

/// What the author gave for a power of a map.
fn given(map: &str, power: &str) -> Option<usize> {
    let lines = include_str!("first_bids.txt").lines();
    let of_map = lines.filter_map(|line| line.strip_prefix(map)?.strip_prefix("  "));
    let mut bids = of_map.flat_map(|line| line.split(", "));
    bids.find_map(|bid| bid.strip_prefix(power)?.trim().parse().ok())
}

/// `BID 7`
pub(super) fn read(
    line: &Line,
    sight: &Sight,
    visible_state: &BridgeView,
) -> Result<Considered, Refusal> {
    if sight.phase != Phase::Adjustments {
        return refuse("Bids are taken in Winter only; the running bid cannot be changed.");
    }
    if sight.turn == OPENING {
        let year = OPENING.year + 1;
        return refuse(format!(
            "Nobody bids for {year}: the bids are fixed, and yours is {}.",
            fixed(sight.map, sight.power)
        ));
    }
    if sight.ask.is_none() {
        return refuse("No bid is due from you.");
    }
    let held = sight.position.centers_of(sight.power).count();
    let most = sight.map.centers().len();
    let bid = line
        .number()
        .and_then(|number| usize::try_from(number).ok());
    let bid = match bid {
        Some(bid) if bid > most => None,
        bid => bid,
    };
    let Some(bid) = bid else {
        return refuse(format!(
            "A bid is a number from the {held} centers you hold to {most}."
        ));
    };
    if bid < held {
        return refuse(format!(
            "You hold {held} centers and cannot bid less. Your earlier bid, if any, stands."
        ));
    }
    let mut notes = Vec::new();
    if bid > 2 * held {
        if visible_state.capped {
            return refuse(format!(
                "In this game a bid may not be more than twice the {held} centers you hold; a bid that you sent \
                 before stands."
            ));
        }
        notes.push(format!(
            "Warning: {bid} is more than twice your {held} centers; is that meant?"
        ));
    }
    Ok(Considered {
        effects: vec![Effect::Submission(Submission {
            name: SUBMISSION.to_owned(),
            data: Some(data_of(&bid)),
            lasting: false,
        })],
        notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_needs_the_bid_the_centers_held_and_the_centers_owned() {
        let of = |held, bid, centers, balance| {
            let (outcome, balance, forts) =
                outcome(Bid { held, bid }, centers, balance, LastUnit::Removed);
            (outcome.word(), balance, forts)
        };
        assert_eq!(of(3, Some(5), 5, 0), ("exact", 1, 0));
        assert_eq!(of(5, Some(5), 5, 1), ("level", 1, 0));
        assert_eq!(of(5, Some(5), 7, 0), ("over", 0, 2));
        assert_eq!(of(8, Some(9), 5, 0), ("short", -1, 0));
        assert_eq!(of(5, None, 6, 0), ("short", -1, 0));
        assert_eq!(
            of(2, Some(2), 1, -1),
            ("short", -1, 0),
            "a debt has a floor"
        );
    }

    #[test]
    fn the_last_unit_can_be_kept() {
        let bid = Bid {
            held: 2,
            bid: Some(2),
        };
        assert_eq!(outcome(bid, 1, 0, LastUnit::Removed).1, -1);
        assert_eq!(outcome(bid, 1, 0, LastUnit::Kept).1, 0);
        assert_eq!(outcome(bid, 0, 0, LastUnit::Kept).1, 0);
    }

    #[test]
    fn the_first_bids_are_fixed() {
        let map = Map::standard();
        let all: Vec<usize> = (0..7).map(|n| fixed(map, Power(n))).collect();
        assert_eq!(all, [5, 4, 5, 5, 4, 5, 5]);
        // Three homes and a fifth of 19 neutral centers; four or five and a third of four.
        assert_eq!(fixed(Map::named("ancient").unwrap(), Power(0)), 6);
        let hundred = Map::named("hundred").unwrap();
        let all: Vec<usize> = (0..3).map(|n| fixed(hundred, Power(n))).collect();
        assert_eq!(all, [5, 6, 5]);
        assert_eq!(fixed(Map::named("pure").unwrap(), Power(0)), 1);
    }
}
