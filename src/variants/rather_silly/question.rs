//! The MASTERMIND's questions: when an answer is right (5.2), and what it brings (step 10) [14].

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::board::Board;
use super::news::News;
use super::rules::Rules;
use super::state::{Accepted, WHOLE};
use super::submissions::SubmissionsByPower;
use super::{JESTER, MASTERMIND, SOOTHSAYER};
use dipjudge_rules::map::Power;

/// Letters and digits alone, in small ones, parted by single blanks, without an article before them.
fn normalized(text: &str) -> String {
    let letters: String = text.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let letters = letters.to_lowercase().replace('&', " and ");
    let kept = letters.chars().filter(|c| !matches!(c, '\'' | '’' | '.'));
    let blanks: String = kept
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let mut words: Vec<&str> = blanks.split_whitespace().collect();
    if words.len() > 1 && matches!(words.first(), Some(&("the" | "a" | "an"))) {
        words.remove(0);
    }
    words.join(" ")
}

/// How many slips of the pen are forgiven.
fn slack(wanted: &str, rules: &Rules) -> usize {
    if rules.exact_answers || wanted.chars().any(|c| c.is_ascii_digit()) {
        0
    } else {
        wanted.chars().count() / 6
    }
}

fn is_near(wanted: &str, given: &str, rules: &Rules) -> bool {
    strsim::osa_distance(wanted, given) <= slack(wanted, rules)
}

/// The numbers in an answer; commas part thousands.
fn numbers(answer: &str) -> Vec<f64> {
    let mut numbers = Vec::new();
    let mut digits = String::new();
    for c in answer.chars().chain([' ']) {
        match c {
            '0'..='9' => digits.push(c),
            '.' if !digits.is_empty() && !digits.contains('.') => digits.push(c),
            ',' if !digits.is_empty() => {}
            '-' if digits.is_empty() => digits.push(c),
            _ => {
                numbers.extend(digits.trim_end_matches('.').parse::<f64>().ok());
                digits.clear();
            }
        }
    }
    numbers
}

impl Accepted {
    /// All of these words.
    pub(super) fn words(words: &str) -> Accepted {
        Accepted::Words(words.split_whitespace().map(str::to_owned).collect())
    }

    /// `8848 +- 1%`, `8848 +/- 10`; nothing if that is not what is written.
    pub(super) fn number(written: &str) -> Option<Accepted> {
        let mut signs = ["+-", "+/-", "±"].into_iter();
        let parted = signs.find_map(|sign| written.split_once(sign));
        let (number, tolerance) = parted.unwrap_or((written, "0"));
        let read = |text: &str| text.trim().replace(',', "").parse::<f64>().ok();
        let number = read(number)?;
        let by = match tolerance.trim().strip_suffix('%') {
            Some(percent) => number.abs() * read(percent)? / 100.0,
            None => read(tolerance)?,
        };
        Some(Accepted::Number(number - by, number + by))
    }

    /// What is accepted, as data have it: behind `CONTAINS:` words, behind `NUMBER:` a number, else a text.
    pub(super) fn written(text: &str) -> Option<Accepted> {
        if let Some(words) = text.strip_prefix("CONTAINS:") {
            Some(Accepted::words(words))
        } else if let Some(number) = text.strip_prefix("NUMBER:") {
            Accepted::number(number)
        } else {
            Some(Accepted::Text(text.to_owned()))
        }
    }

    /// Whether an answer is right by this.
    fn takes(&self, answer: &str, rules: &Rules) -> bool {
        match self {
            Accepted::Text(text) => is_near(&normalized(text), &normalized(answer), rules),
            Accepted::Words(words) => {
                let given = normalized(answer);
                let given: Vec<&str> = given.split(' ').collect();
                let said = |word: &String| {
                    let word = normalized(word);
                    given.iter().any(|other| is_near(&word, other, rules))
                };
                words.iter().all(said)
            }
            Accepted::Number(low, high) => match numbers(answer).as_slice() {
                [number] => (*low..=*high).contains(number),
                _ => false,
            },
        }
    }
}

/// Whether an answer is right.
pub(super) fn is_right(accepted: &[Accepted], answer: &str, rules: &Rules) -> bool {
    accepted.iter().any(|one| one.takes(answer, rules))
}

/// The seats that answer and share: those that are filled and not out, the MASTERMIND excepted.
fn takers(board: &Board<'_>, seats: &BTreeSet<Power>) -> BTreeSet<Power> {
    let in_play = |seat: &&Power| **seat != MASTERMIND && !board.state.out.contains(seat);
    seats.iter().filter(in_play).copied().collect()
}

/// Who has answered rightly: all if there was no question; the master's rulings go before.
fn right(
    board: &Board<'_>,
    rules: &Rules,
    seats: &BTreeSet<Power>,
    everybody: &SubmissionsByPower,
    ruled: &[(Power, bool)],
) -> BTreeSet<Power> {
    let mut takers = takers(board, seats);
    let Some(question) = &board.state.question else {
        return takers;
    };
    takers.retain(|seat| {
        let by_master = ruled.iter().rev().find(|(power, _)| power == seat);
        let answer = everybody.get(seat).and_then(|all| all.answer.as_ref());
        match by_master {
            Some((_, right)) => *right,
            None => answer.is_some_and(|answer| is_right(&question.accepted, answer, rules)),
        }
    });
    takers
}

/// Step 10, but for the units that are built then.
pub(super) fn close(
    board: &mut Board<'_>,
    rules: &Rules,
    seats: &BTreeSet<Power>,
    everybody: &SubmissionsByPower,
    ruled: &[(Power, bool)],
) {
    if board.state.question.is_none() && !seats.contains(&MASTERMIND) {
        // Where nobody could have asked, nothing is shared either (section 1).
        board.state.bonus.clear();
        board.state.season.right.clear();
        return;
    }
    let right = right(board, rules, seats, everybody, ruled);
    let takes_prize = |seat: &Power| *seat == JESTER || *seat == SOOTHSAYER;
    board.state.bonus = right
        .iter()
        .filter(|seat| takes_prize(seat))
        .copied()
        .collect();
    let mut sharers: Vec<Power> = right.iter().copied().collect();
    if !rules.share_diluted {
        sharers.retain(|seat| !takes_prize(seat));
    }
    let share = WHOLE.checked_div(sharers.len() as u32);
    for seat in sharers.iter().filter(|seat| !takes_prize(seat)) {
        *board.state.accounts.entry(*seat).or_default() += share.unwrap_or(0);
    }
    let asked = board.state.question.is_some();
    if right.is_empty() && asked && seats.contains(&MASTERMIND) {
        *board.state.accounts.entry(MASTERMIND).or_default() += WHOLE;
    }
    let accepted = board.state.question.as_ref().map(|question| {
        let accepted = question.accepted.iter().map(ToString::to_string);
        accepted.collect()
    });
    board.tell(News::Answered {
        right: right.iter().copied().collect(),
        accepted,
        accounts: board.state.accounts.clone(),
    });
    board.state.season.right = right;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_without_the_writers_habits() {
        assert_eq!(normalized("The  Épée & l'Orée, Inc."), "epee and loree inc");
        assert_eq!(normalized("A"), "a");
        let rules = Rules::default();
        let text = [Accepted::Text("Calhamer".to_owned())];
        for (answer, taken) in [
            ("calhammer", true),
            ("Calhamre", true),
            ("Gygax", false),
            ("Callahan", false),
        ] {
            assert_eq!(is_right(&text, answer, &rules), taken, "{answer}");
        }
        let exact = Rules {
            exact_answers: true,
            ..Rules::default()
        };
        assert!(!is_right(&text, "calhammer", &exact));
        let year = [Accepted::Text("in 1914 perhaps".to_owned())];
        assert!(!is_right(&year, "in 1915 perhaps", &rules));
    }

    #[test]
    fn exactly_one_number_counts() {
        assert_eq!(numbers("about 8,800 m"), [8800.0]);
        assert_eq!(numbers("8700 or 8850"), [8700.0, 8850.0]);
        assert_eq!(numbers("3.5."), [3.5]);
        let height = [Accepted::Number(8759.52, 8936.48)];
        let rules = Rules::default();
        assert!(is_right(&height, "8849", &rules));
        assert!(!is_right(&height, "8700 or 8850", &rules));
    }

    /// NMR is the MASTERMIND's, so it needs one (section 1, R78).
    #[test]
    fn nothing_is_shared_where_nobody_is_the_mastermind() {
        for (asker, whole) in [(None, 0), (Some(MASTERMIND), WHOLE)] {
            let mut board = Board {
                map: dipjudge_rules::map::Map::with_places("standard", super::super::PLACES)
                    .unwrap(),
                position: dipjudge_rules::position::Position::default(),
                state: super::super::state::SillyState::default(),
                herds: std::collections::BTreeMap::new(),
                step: super::super::news::Step::default(),
            };
            let seats: BTreeSet<Power> = [Power(2), JESTER].into_iter().chain(asker).collect();
            close(
                &mut board,
                &Rules::default(),
                &seats,
                &SubmissionsByPower::new(),
                &[],
            );
            assert_eq!(board.state.accounts.values().sum::<u32>(), whole);
            assert_eq!(board.state.bonus.contains(&JESTER), asker.is_some());
        }
    }
}
