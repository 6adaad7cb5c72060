//! Phases that a sentence names by how long ago they were: `last spring`, `the year before`.

use crate::session::Session;
use dipjudge_rules::calendar::{PhaseKind, PhaseName, Season, Turn};

/// So many years before the present one of a game may be asked for.
const LONGEST_GAME: i32 = 100;

/// Words for a past turn, with its season; none is the whole year.
const PAST: [(&str, Option<Season>); 6] = [
    ("last year", None),
    ("the year before", None),
    ("previous year", None),
    ("last spring", Some(Season::Spring)),
    ("last fall", Some(Season::Fall)),
    ("last autumn", Some(Season::Fall)),
];

impl Session<'_, '_> {
    /// A sentence in which the phases of moves stand that it names by how long ago they were: `what happened last spring` becomes
    /// `what happened S1902M`.
    pub(crate) fn with_phases_named(&self, sentence: &str) -> String {
        let Some(now) = self
            .game()
            .filter(|game| game.begun())
            .map(|game| game.turn)
        else {
            return sentence.to_owned();
        };
        let mut named = sentence.to_owned();
        for (words, season) in PAST {
            let Some(at) = named.to_ascii_lowercase().find(words) else {
                continue;
            };
            let phases = moves_of(past_turns(now, season));
            named.replace_range(at..at + words.len(), &phases);
        }
        with_years(&named, now)
    }
}

/// A sentence in which the phases of moves stand in place of a year that it names alone: `the results of 1901`.
fn with_years(sentence: &str, now: Turn) -> String {
    let seasons = ["spring", "fall", "autumn", "summer", "winter"];
    let mut before = "";
    let mut words: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let year = bare.parse::<i32>().ok();
        let year = year.filter(|year| (now.year - LONGEST_GAME..=now.year).contains(year));
        let of_season = seasons
            .iter()
            .any(|season| before.eq_ignore_ascii_case(season));
        match year.filter(|_| bare.len() == 4 && !of_season) {
            Some(year) => {
                let turns = [Season::Spring, Season::Fall].map(|season| Turn { season, year });
                let past = turns.into_iter().filter(|turn| *turn < now);
                words.push(word.replace(bare, &moves_of(past)));
            }
            None => words.push(word.to_owned()),
        }
        before = bare;
    }
    words.join(" ")
}

/// The phases of moves of these turns, as a sentence names them: `S1901M and F1901M`.
fn moves_of(turns: impl IntoIterator<Item = Turn>) -> String {
    let phases = turns
        .into_iter()
        .map(|turn| PhaseName::new(turn, PhaseKind::Movement).in_mail());
    phases.collect::<Vec<String>>().join(" and ")
}

/// The turns of the year before, or the last one of a season before the present turn.
fn past_turns(now: Turn, season: Option<Season>) -> Vec<Turn> {
    let in_year = |year, season| Turn { season, year };
    match season {
        None => [Season::Spring, Season::Fall]
            .map(|season| in_year(now.year - 1, season))
            .to_vec(),
        Some(season) if season < now.season => vec![in_year(now.year, season)],
        Some(season) => vec![in_year(now.year - 1, season)],
    }
}

#[cfg(test)]
mod tests {
    use super::{past_turns, with_years};
    use dipjudge_rules::calendar::{Season, Turn};

    #[test]
    fn the_last_spring_is_of_this_year_in_fall() {
        let now = Turn {
            season: Season::Fall,
            year: 1903,
        };
        let spring = past_turns(now, Some(Season::Spring));
        assert_eq!(
            spring,
            [Turn {
                season: Season::Spring,
                year: 1903
            }]
        );
        let fall = past_turns(now, Some(Season::Fall));
        assert_eq!(
            fall,
            [Turn {
                season: Season::Fall,
                year: 1902
            }]
        );
        assert_eq!(past_turns(now, None).len(), 2);
        assert_eq!(
            with_years("the results of 1902, and of fall 1901", now),
            "the results of S1902M and F1902M, and of fall 1901"
        );
    }
}
