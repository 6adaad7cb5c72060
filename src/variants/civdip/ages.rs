//! The calendar of the civilizations (rules page, section 3): a movement phase is 250 years.

use dipjudge_rules::calendar::{Season, Turn};

/// The year of the first Spring.
const FIRST: i32 = 1901;

/// What a movement phase is called: `3750BC`, `AD 251`. There is no year 0.
fn age(turn: Turn) -> String {
    let phase = 2 * (turn.year - FIRST) + i32::from(turn.season == Season::Fall);
    match 4000 - 250 * phase {
        year if year > 0 => format!("{year}BC"),
        year => format!("AD {}", 1 - year),
    }
}

/// What players call a turn: `4000BC (Spring)`, `Winter before 3500BC`.
pub(super) fn date(turn: Turn) -> String {
    match turn.season {
        Season::Winter => {
            let spring = Turn {
                year: turn.year + 1,
                season: Season::Spring,
            };
            format!("Winter before {}", age(spring))
        }
        season => format!("{} ({season})", age(turn)),
    }
}

/// The turn of a movement phase by what it is called: `3750BC`, `3750 bc`, `AD 251`, `251 AD`.
pub(super) fn turn(words: &str) -> Option<Turn> {
    let words = words.trim().to_ascii_lowercase();
    let digits: String = words.chars().filter(char::is_ascii_digit).collect();
    let letters: String = words.chars().filter(char::is_ascii_alphabetic).collect();
    let year: i32 = digits.parse().ok()?;
    let since = match letters.as_str() {
        // There is no year 0.
        "bc" | "bce" if year > 0 => 4000 - year,
        "ad" | "ce" => year.checked_add(3999)?,
        _ => return None,
    };
    let phase = since / 250;
    (since >= 0 && since % 250 == 0).then(|| Turn {
        year: FIRST + phase / 2,
        season: match phase % 2 {
            0 => Season::Spring,
            _ => Season::Fall,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case #12.
    #[test]
    fn phases_bear_their_ages() {
        for (year, season, label) in [
            (1901, Season::Spring, "4000BC (Spring)"),
            (1901, Season::Fall, "3750BC (Fall)"),
            (1900, Season::Winter, "Winter before 4000BC"),
            (1901, Season::Winter, "Winter before 3500BC"),
            (1902, Season::Fall, "3250BC (Fall)"),
            (1902, Season::Winter, "Winter before 3000BC"),
            (1908, Season::Spring, "500BC (Spring)"),
            (1908, Season::Fall, "250BC (Fall)"),
            (1908, Season::Winter, "Winter before AD 1"),
            (1909, Season::Spring, "AD 1 (Spring)"),
            (1909, Season::Fall, "AD 251 (Fall)"),
            (1910, Season::Spring, "AD 501 (Spring)"),
            (1912, Season::Spring, "AD 1501 (Spring)"),
            (1917, Season::Spring, "AD 4001 (Spring)"),
        ] {
            let at = Turn { year, season };
            assert_eq!(date(at), label);
            if season != Season::Winter {
                assert_eq!(turn(&age(at)), Some(at), "{label}");
            }
        }
        for words in ["3800BC", "AD 2", "4000", "BC", "4250BC", "0BC", "0 AD"] {
            assert_eq!(turn(words), None, "{words}");
        }
        assert_eq!(turn("3250 bc"), turn("3250BC"));
    }
}
