//! Twins in which others write from elsewhere, live in another zone, or register.

use super::author::Run;
use super::dice::Dice;
use super::fixture::{Fixture, Part};
use super::letters::{Letter, Line, Sign};
use super::turnover::signed;
use super::twins::gives_orders;

/// Zones in which people live.
pub const ZONES: [&str; 3] = ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"];

/// Somebody writes from another mailbox, or has his mail sent there.
pub fn other_address(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let player = |letter: &Letter| fixture.cast.people[letter.from].part == Part::Player;
    let elsewhere = |letter: &Letter| Some(fixture.cast.people[letter.from].elsewhere.clone());
    if dice.chance(50) {
        // An answer to a mail of the judge acts, wherever it comes from.
        let found: Vec<usize> = (0..run.letters.len())
            .filter(|n| player(&run.letters[*n]) && run.letters[*n].sign == Sign::Token)
            .collect();
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

/// Somebody reads his dates in another zone, or sets something else that concerns nobody but himself.
pub fn other_zone(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let parts = [Part::Player, Part::Master, Part::Observer];
    let letter = signed(run, fixture, &parts, dice)?;
    letter.lines.push(Line::Other(own_setting(dice)));
    Some(letter.from)
}

/// How somebody wishes to be told of what happens.
pub fn own_setting(dice: &mut Dice) -> String {
    let forms = [
        "HTML OFF",
        "HTML ON",
        "PICTURES OFF",
        "PICTURES ON",
        "CALENDAR OFF",
        "CALENDAR ON",
    ];
    let setting = match dice.below(8) {
        0..3 => format!("ZONE {}", dice.pick(&ZONES).copied().unwrap_or("UTC")),
        3..6 => format!("REMIND {}", dice.below(48)),
        _ => dice.pick(&forms).copied().unwrap_or("HTML ON").to_owned(),
    };
    format!("SET {setting}")
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
