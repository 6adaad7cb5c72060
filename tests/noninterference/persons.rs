//! Twins in which others write from elsewhere, live in another zone, or register.

use jiff::SignedDuration;

use super::author::Run;
use super::dice::Dice;
use super::fixture::{Fixture, GAME, Part};
use super::letters::{Letter, Line, Sign};
use super::turnover::signed;
use super::twins::gives_orders;

/// Somebody writes from another mailbox, or has his mail sent there.
pub fn other_address(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let player = |letter: &Letter| fixture.cast.people[letter.from].part == Part::Player;
    let elsewhere = |letter: &Letter| Some(fixture.cast.people[letter.from].elsewhere.clone());
    if dice.chance(50) {
        // An answer to a mail of the judge acts, wherever it comes from.
        let found: Vec<usize> = (0..run.letters.len())
            .filter(|n| player(&run.letters[*n]) && run.letters[*n].sign == Sign::Token)
            .collect();
        // Rather one that holds a letter to others, who may not learn it from theirs.
        let writes = |n: &usize| {
            run.letters[*n]
                .lines
                .iter()
                .any(|line| line.press().is_some())
        };
        let rather: Vec<usize> = found.iter().copied().filter(writes).collect();
        let found = if rather.is_empty() || dice.chance(40) {
            found
        } else {
            rather
        };
        let letter = run.letters.get_mut(*dice.pick(&found)?)?;
        letter.elsewhere = elsewhere(letter);
        return Some(letter.from);
    }
    // The next letter proves the new address; what else it says does not matter, so it must say little. An answer to press is no
    // press any more when a command stands in it.
    let answers = |line: &Line| matches!(line, Line::Answer(_));
    let found: Vec<(usize, usize)> = (0..run.letters.len())
        .filter(|n| player(&run.letters[*n]) && !run.letters[*n].lines.iter().any(answers))
        .filter_map(|n| {
            let from = run.letters[n].from;
            let mut later = n + 1..run.letters.len();
            let next = later.find(|later| run.letters[*later].from == from)?;
            let requirements = |line: &Line| matches!(line, Line::Ask(_));
            run.letters[next]
                .lines
                .iter()
                .all(requirements)
                .then_some((n, next))
        })
        .collect();
    let (first, next) = *dice.pick(&found)?;
    let address = elsewhere(&run.letters[first])?;
    let line = format!("SET ADDRESS {address}");
    run.letters[first].lines.push(Line::Other(line));
    run.letters[next].sign = Sign::Token;
    run.letters[next].elsewhere = Some(address);
    Some(run.letters[next].from)
}

/// Somebody reads his dates in another zone.
pub fn other_zone(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let parts: &[Part] = match dice.chance(35) {
        true => &[Part::Master],
        false => &[Part::Player, Part::Master, Part::Observer],
    };
    let letter = signed(run, fixture, parts, dice)?;
    let zones = ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"];
    let zone = dice.pick(&zones)?;
    letter.lines.push(Line::Other(format!("SET ZONE {zone}")));
    Some(letter.from)
}

/// A master whose zone differs sets a deadline later on, which is told to all.
pub fn sets_a_date(runs: &mut [&mut Run], fixture: &Fixture, author: usize, dice: &mut Dice) {
    if fixture.cast.people[author].part != Part::Master {
        return;
    }
    let differs = |run: &Run| {
        let zone = |line: &Line| matches!(line, Line::Other(text) if text.contains("SET ZONE"));
        run.letters_with(zone)
            .into_iter()
            .rfind(|id| run.letters[*id].from == author)
    };
    let Some(since) = runs.iter().filter_map(|run| differs(run)).max() else {
        return;
    };
    let days = 2 + dice.below(4) as i64;
    for run in runs {
        let mut own = run.letters.iter_mut();
        let later = own.find(|letter| {
            let here = matches!(&letter.sign, Sign::Line(sign) if sign.contains(GAME));
            letter.from == author && letter.id > since && here
        });
        if let Some(letter) = later {
            let at = letter.at + SignedDuration::from_hours(24 * days);
            // In a zone that is not named it would be another hour, which all may know.
            let line = format!("SET DEADLINE {}", at.strftime("%d %b %Y %H:%M UTC"));
            letter.lines.insert(0, Line::Other(line));
        }
    }
}

/// Somebody registers, or sends another form.
pub fn registers(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let hidden = fixture.options.gunboat;
    let able = |letter: &Letter| match fixture.cast.people[letter.from].part {
        Part::Stranger => true,
        Part::Player => hidden && !gives_orders(letter),
        _ => false,
    };
    let requirements = |line: &Line| matches!(line, Line::Ask(_));
    let found: Vec<usize> = (0..run.letters.len())
        .filter(|n| able(&run.letters[*n]) && run.letters[*n].lines.iter().all(requirements))
        .collect();
    let letter = run.letters.get_mut(*dice.pick(&found)?)?;
    letter.sign = Sign::Line("REGISTER".to_owned());
    let form = format!(
        "Name: {}\nLevel: {}\nCountry: Japan\nZone: Asia/Tokyo\nEND",
        dice.word(),
        dice.pick(&["Novice", "Expert"])?
    );
    letter.lines.insert(0, Line::Other(form));
    Some(letter.from)
}
