//! Deals the powers (`judge-workflow.md` 1.3): by preference lists, by lot, or both. All chance comes from the game's dice, so
//! anybody can check a deal once the seed is known.

use super::{Assignment, Dice, LeaderNeed, Role, SeatId, VariantGame};
use dipjudge_rules::map::{Power, PowerInfo};

/// More than all wishes of a table together can weigh, so powers that must have a leader are dealt before optional ones.
const REQUIRED: i64 = 1 << 40;

impl VariantGame<'_> {
    /// Assigns leaders to powers. A player who has chosen a power gets it. Of the others, the powers that the game needs a
    /// leader for are dealt first, then the optional ones to the remaining players. Powers without a player stay vacant.
    pub fn deal(self, powers: &[PowerInfo]) -> Vec<(Power, SeatId)> {
        let dice = self.game.dice();
        let need = |power: usize| self.need_of(Power(power as u8));
        let mut dealt: Vec<(Power, SeatId)> = self
            .game
            .seated(Role::Player)
            .filter_map(|seat| Some((seat.chosen?, seat.id)))
            .collect();
        let mut seats: Vec<(SeatId, String)> = self
            .game
            .seated(Role::Player)
            .filter(|seat| seat.chosen.is_none())
            .map(|seat| (seat.id, seat.preference.clone()))
            .collect();
        // Ties between equal assignments are broken by this order.
        dice.shuffle("deal/order", &mut seats);
        let chosen: Vec<Power> = dealt.iter().map(|(power, _)| *power).collect();
        let mut free: Vec<usize> = (0..powers.len())
            .filter(|power| {
                need(*power) != LeaderNeed::Closed && !chosen.contains(&Power(*power as u8))
            })
            .collect();
        let by_lot = |preference: &str| match self.game.settings.assignment {
            Assignment::Random => true,
            Assignment::Both => preference.trim() == "*",
            Assignment::List => false,
        };
        let (lot, listed): (Vec<_>, Vec<_>) = seats
            .into_iter()
            .partition(|(_, preference)| by_lot(preference));
        for (seat, _) in lot {
            let required = |power: &usize| need(*power) == LeaderNeed::Required;
            draw_one(&dice, seat, &required, &mut free, &mut dealt);
        }
        let weights: Vec<Vec<i64>> = listed
            .iter()
            .map(|(_, list)| weights(list, powers))
            .collect();
        let table: Vec<Vec<i64>> = weights
            .iter()
            .map(|row| {
                free.iter()
                    .map(|power| {
                        let wish = row.get(*power).copied().unwrap_or(0);
                        match need(*power) {
                            LeaderNeed::Required => wish + REQUIRED,
                            _ => wish,
                        }
                    })
                    .collect()
            })
            .collect();
        for ((seat, _), column) in listed.iter().zip(best_assignment(&table)) {
            if let Some(power) = column.and_then(|column| free.get(column)) {
                dealt.push((Power(*power as u8), *seat));
            }
        }
        dealt.sort();
        dealt
    }
}

/// Deals one of the free required powers, or one of the others once these are dealt.
fn draw_one(
    dice: &Dice,
    seat: SeatId,
    required: &dyn Fn(&usize) -> bool,
    free: &mut Vec<usize>,
    dealt: &mut Vec<(Power, SeatId)>,
) {
    let first = free.iter().copied().filter(|power| required(power));
    let first: Vec<usize> = first.collect();
    let among = if first.is_empty() {
        free.clone()
    } else {
        first
    };
    if among.is_empty() {
        return;
    }
    let drawn = dice.draw("deal/lot", dealt.len() as u64, among.len() as u64) as usize;
    if let Some(power) = among.get(drawn) {
        free.retain(|other| other != power);
        dealt.push((Power(*power as u8), seat));
    }
}

/// One item of a preference list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish<'l> {
    /// `[`: the items up to the next bracket are liked alike.
    Open,
    /// `]`
    Close,
    /// A power, as the list names it: by its letter, or by its code if it has no letter.
    Power(usize, &'l str),
    /// Text that is not a valid item.
    Unknown(char),
}

/// Reads a preference list, whose items need no separators.
pub fn wishes<'l>(list: &'l str, powers: &[PowerInfo]) -> Vec<Wish<'l>> {
    let signs: Vec<String> = powers
        .iter()
        .map(|power| power.letter.map_or_else(|| power.key.clone(), String::from))
        .collect();
    let mut found = Vec::new();
    let mut rest = list;
    while let Some(first) = rest.chars().next() {
        let begun = |sign: &str| {
            let word = rest.get(..sign.len())?;
            word.eq_ignore_ascii_case(sign).then_some(word)
        };
        let named = (0..)
            .zip(&signs)
            .filter_map(|(n, sign)| Some((n, begun(sign)?)));
        let longest = named.max_by_key(|(_, word)| word.len());
        let (wish, length) = match (first, longest) {
            ('[', _) => (Wish::Open, 1),
            (']', _) => (Wish::Close, 1),
            (_, Some((power, word))) => (Wish::Power(power, word), word.len()),
            (other, None) => (Wish::Unknown(other), other.len_utf8()),
        };
        found.push(wish);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    found
}

/// The value of each power to a player, in units that keep the means of groups integral: places count n, n-1, ...; a bracketed
/// group shares the mean of its places; powers not named form one last group.
fn weights(list: &str, powers: &[PowerInfo]) -> Vec<i64> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: Option<Vec<usize>> = None;
    for wish in wishes(list, powers) {
        match (wish, open.as_mut()) {
            (Wish::Open, _) => open = Some(Vec::new()),
            (Wish::Close, _) => groups.extend(open.take()),
            (Wish::Power(power, _), Some(group)) => group.push(power),
            (Wish::Power(power, _), None) => groups.push(vec![power]),
            (Wish::Unknown(_), _) => {}
        }
    }
    groups.extend(open.take());
    let named: Vec<usize> = groups.iter().flatten().copied().collect();
    groups.push(
        (0..powers.len())
            .filter(|power| !named.contains(power))
            .collect(),
    );
    let mut weights = vec![0; powers.len()];
    let mut place = powers.len() as i64;
    // 27,720 is divisible by every group size up to twelve; in a larger group, each mean loses less than one unit to rounding.
    const SCALE: i64 = 27_720;
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let size = group.len() as i64;
        let mean = (0..size).map(|k| (place - k) * SCALE).sum::<i64>() / size;
        for power in group {
            if let Some(weight) = weights.get_mut(*power) {
                *weight = mean;
            }
        }
        place -= size;
    }
    weights
}

/// The assignment of rows to different columns with the greatest sum; which of several equal ones is returned depends only on
/// the order of the rows. Uses the Hungarian method, since a game may have 34 powers.
fn best_assignment(table: &[Vec<i64>]) -> Vec<Option<usize>> {
    let rows = table.len();
    let columns = table.first().map_or(0, Vec::len);
    let size = rows.max(columns);
    if size == 0 {
        return vec![None; rows];
    }
    // Costs, padded to a square with zeros.
    let cost = |row: usize, column: usize| -> i64 {
        table
            .get(row)
            .and_then(|cells| cells.get(column))
            .map_or(0, |weight| -weight)
    };
    let (mut u, mut v) = (vec![0i64; size + 1], vec![0i64; size + 1]);
    let (mut taken, mut way) = (vec![0usize; size + 1], vec![0usize; size + 1]);
    for row in 1..=size {
        taken[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; size + 1];
        let mut used = vec![false; size + 1];
        loop {
            used[column] = true;
            let (current, mut delta, mut next) = (taken[column], i64::MAX, 0);
            for j in 1..=size {
                if used[j] {
                    continue;
                }
                let reduced = cost(current - 1, j - 1) - u[current] - v[j];
                if reduced < least[j] {
                    (least[j], way[j]) = (reduced, column);
                }
                if least[j] < delta {
                    (delta, next) = (least[j], j);
                }
            }
            for j in 0..=size {
                if used[j] {
                    u[taken[j]] += delta;
                    v[j] -= delta;
                } else {
                    least[j] = least[j].saturating_sub(delta);
                }
            }
            column = next;
            if taken[column] == 0 {
                break;
            }
        }
        while column != 0 {
            let before = way[column];
            taken[column] = taken[before];
            column = before;
        }
    }
    let mut assigned = vec![None; rows];
    // Column 0 is used by the method only; columns beyond the table only pad the square.
    for (column, row) in taken.iter().skip(1).take(columns).enumerate() {
        if let Some(slot) = assigned.get_mut(row.wrapping_sub(1)) {
            *slot = Some(column);
        }
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(letters: &str) -> Vec<PowerInfo> {
        letters
            .chars()
            .map(|c| PowerInfo {
                name: c.to_string(),
                adjective: c.to_string(),
                key: c.to_string(),
                letter: Some(c),
            })
            .collect()
    }

    #[test]
    fn lists_weigh_places_and_groups() {
        let seven = powers("AEFGIRT");
        let scaled: Vec<i64> = weights("E[FGR][TAI]", &seven)
            .iter()
            .map(|w| w * 2 / 27_720)
            .collect();
        // E: 7; F, G, R: mean of 6 5 4 = 5; T, A, I: mean of 3 2 1 = 2.
        assert_eq!(scaled, [4, 14, 10, 10, 4, 10, 4]);
        let empty: Vec<i64> = weights("", &seven).iter().map(|w| w / 27_720).collect();
        assert_eq!(empty, [4; 7]);
    }

    #[test]
    fn the_greatest_sum_wins() {
        let table = vec![vec![7, 6, 1], vec![7, 1, 1], vec![5, 5, 4]];
        assert_eq!(best_assignment(&table), [Some(1), Some(0), Some(2)]);
    }
}
