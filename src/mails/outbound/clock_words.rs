//! The clocks of a game's phases as a sentence, for people.

use dipjudge_view::PhaseParameters;

/// Days of the week, as the letters of a clock begin.
const DAYS: [&str; 7] = [
    "Sundays",
    "Mondays",
    "Tuesdays",
    "Wednesdays",
    "Thursdays",
    "Fridays",
    "Saturdays",
];

/// `Mondays to Fridays at 23:30 UTC; 3 days for moves, 1 day for retreats and for builds.` `phases` are those of movement,
/// retreats and adjustments.
pub(super) fn in_words(phases: &[PhaseParameters], zone: &str) -> String {
    let [moves, retreats, adjusts] = phases else {
        return String::new();
    };
    let when = format!("{}{}", days(&moves.days), at(moves.clock, zone));
    let (move_time, retreat_time, adjust_time) =
        (time(&moves.next), time(&retreats.next), time(&adjusts.next));
    let minor = if retreat_time == adjust_time {
        format!("{retreat_time} for retreats and for builds")
    } else {
        format!("{retreat_time} for retreats, {adjust_time} for builds")
    };
    format!("Deadlines: {when}; {move_time} for moves, {minor}.")
}

/// ` at 23:30 UTC`; empty where any time will do.
fn at(clock: i32, zone: &str) -> String {
    if clock < 0 {
        return String::new();
    }
    format!(" at {:02}:{:02} {zone}", clock / 60, clock % 60)
}

/// The days on which deadlines fall: a small letter allows a day's afternoon, `-` none of it.
fn days(letters: &str) -> String {
    let allowed: Vec<usize> = letters
        .chars()
        .enumerate()
        .filter(|(_, letter)| *letter != '-')
        .map(|(day, _)| day)
        .collect();
    let name = |day: &usize| DAYS.get(*day).copied().unwrap_or_default();
    match allowed.as_slice() {
        [] => "no day".to_owned(),
        all if all.len() == DAYS.len() => "every day".to_owned(),
        [first, .., last] if last - first + 1 == allowed.len() && allowed.len() > 2 => {
            format!("{} to {}", name(first), name(last))
        }
        all => dipjudge_view::and_list(all.iter().map(name)),
    }
}

/// `71.00` hours as `3 days`, rounded up; less than a day in hours.
fn time(hours: &str) -> String {
    let hours: f64 = hours.trim().parse().unwrap_or_default();
    let (count, unit) = if hours >= 23.0 {
        ((hours / 24.0).ceil(), "day")
    } else {
        (hours.ceil(), "hour")
    };
    format!("{count:.0} {unit}{}", if count == 1.0 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_as_a_sentence() {
        let phase = |clock, next: &str, days: &str| PhaseParameters {
            kind: String::new(),
            clock,
            min: String::new(),
            next: next.to_owned(),
            grace: String::new(),
            delay: String::new(),
            days: days.to_owned(),
        };
        let phases = [
            phase(1410, "71.00", "-MTWTF-"),
            phase(-1, "23.00", "-mTWTF-"),
            phase(-1, "23.00", "-mTWTF-"),
        ];
        assert_eq!(
            in_words(&phases, "UTC"),
            "Deadlines: Mondays to Fridays at 23:30 UTC; 3 days for moves, 1 day for retreats and for builds."
        );
        let phases = [
            phase(-1, "12.00", "S-----S"),
            phase(-1, "0.50", "SMTWTFS"),
            phase(-1, "48.00", "SMTWTFS"),
        ];
        assert_eq!(
            in_words(&phases, "UTC"),
            "Deadlines: Sundays and Saturdays; 12 hours for moves, 1 hour for retreats, 2 days for builds."
        );
        assert_eq!(in_words(&[], "UTC"), "");
    }
}
