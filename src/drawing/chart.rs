//! The chart of a game: how many centers each power had, phase by phase, as an element of a page.

use std::collections::BTreeMap;

use super::FONT;
use super::colors::{INK, PAGE, SEA_BORDER};
use super::paint::style_of;
use super::xml::{Anchor, Face, Style, add, number, text};
use dipjudge_view::markup::escaped;
use dipjudge_view::{Board, Owner};

/// How many centers each power has on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CenterCounts {
    /// When, as it stands below the chart: `1904`.
    when: String,
    powers: BTreeMap<usize, PowerCount>,
}

/// A power's name and its number of centers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PowerCount {
    name: String,
    centers: usize,
}

impl CenterCounts {
    /// The counts of a board; `None` if a part of it is out of sight, so that they would be wrong.
    #[must_use]
    pub fn of(board: &Board, when: &str) -> Option<CenterCounts> {
        if board.in_sight.is_some() {
            return None;
        }
        let mut powers = BTreeMap::new();
        for (power, shown) in board.powers.iter().enumerate() {
            let owner = Owner(Some(power));
            let owners = board.owners.values();
            let centers = owners.filter(|whose| **whose == owner).count();
            let name = shown.label.as_str().to_owned();
            powers.insert(power, PowerCount { name, centers });
        }
        Some(CenterCounts {
            when: when.to_owned(),
            powers,
        })
    }

    /// Whether these are the counts of the same time.
    #[must_use]
    pub fn is_of(&self, when: &str) -> bool {
        self.when == when
    }
}

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 460.0;
/// The room around the lines; names stand at the right.
const LEFT: f64 = 60.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
/// The size of letters, and the least distance of names.
const LETTERS: f64 = 20.0;

/// The chart. `None` for fewer than two times: there is no line between them.
#[must_use]
pub fn centers_chart(counts: &[CenterCounts]) -> Option<String> {
    let last = counts.last()?;
    if counts.len() < 2 {
        return None;
    }
    let all = counts.iter().flat_map(|one| one.powers.values());
    let most = all.map(|power| power.centers).max().unwrap_or(0).max(1);
    let x = |place: usize| {
        LEFT + (WIDTH - LEFT - RIGHT) * place as f64 / (counts.len() - 1).max(1) as f64
    };
    let y = |centers: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - centers / most as f64);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{PAGE}\"/>\n",
        escaped(&aria(counts))
    );
    let style = |anchor| Style {
        size: LETTERS,
        color: INK,
        face: Face::Plain,
        anchor,
    };
    for centers in (0..=most).step_by(most.div_ceil(6)) {
        let height = y(centers as f64);
        add!(
            &mut svg,
            "<path d=\"M{LEFT} {h}H{}\" stroke=\"{SEA_BORDER}\" stroke-width=\"1\"/>\n",
            WIDTH - RIGHT,
            h = number(height)
        );
        text(
            &mut svg,
            LEFT - 14.0,
            height + 7.0,
            style(Anchor::Middle),
            &centers.to_string(),
        );
    }
    for (place, one) in counts.iter().enumerate().step_by(counts.len().div_ceil(14)) {
        text(
            &mut svg,
            x(place),
            HEIGHT - 16.0,
            style(Anchor::Middle),
            &one.when,
        );
    }
    for power in last.powers.keys() {
        let known = counts.iter().enumerate().filter_map(|(place, one)| {
            let count = one.powers.get(power)?;
            Some(format!(
                "{} {}",
                number(x(place)),
                number(y(count.centers as f64))
            ))
        });
        let points: Vec<String> = known.collect();
        add!(
            &mut svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\"/>\n",
            points.join("L"),
            style_of(Owner(Some(*power))).line
        );
    }
    // The names from the top, none upon another.
    let mut names: Vec<&PowerCount> = last.powers.values().collect();
    names.sort_by_key(|power| std::cmp::Reverse(power.centers));
    names.retain(|power| power.centers > 0);
    let mut above = f64::MIN;
    for power in names {
        let at = (y(power.centers as f64) + 7.0).max(above + LETTERS);
        above = at;
        let words = format!("{}: {}", power.name, power.centers);
        text(
            &mut svg,
            WIDTH - RIGHT + 14.0,
            at,
            style(Anchor::Start),
            &words,
        );
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// The chart in words.
fn aria(counts: &[CenterCounts]) -> String {
    let shares = counts
        .last()
        .into_iter()
        .flat_map(|last| last.powers.values());
    let shares: Vec<String> = shares
        .filter(|power| power.centers > 0)
        .map(|power| format!("{} {}", power.name, power.centers))
        .collect();
    format!("Centers of each power; at the end {}", shares.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::board_at_start;

    #[test]
    fn a_chart_names_the_powers_that_own_centers_at_the_end() {
        let mut board = board_at_start("standard");
        let first = CenterCounts::of(&board, "1901").unwrap();
        assert_eq!(centers_chart(std::slice::from_ref(&first)), None);
        let russian = Owner(Some(5));
        board.owners.retain(|_, owner| *owner != russian);
        let second = CenterCounts::of(&board, "1902").unwrap();
        let chart = centers_chart(&[first, second]).unwrap();
        assert!(chart.contains(">Austria: 3<") && !chart.contains(">Russia: "));
        assert!(chart.contains(">1901<") && chart.contains(">1902<"));
        assert_eq!(chart.matches("fill=\"none\"").count(), 7);
        board.in_sight = Some([].into());
        assert_eq!(CenterCounts::of(&board, "1903"), None);
    }
}
