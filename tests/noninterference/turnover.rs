//! Twins in which others are away, lose their powers, come to lead one, or are acted for by the master.

use jiff::SignedDuration;

use super::author::Run;
use super::dice::Dice;
use super::fixture::{Fixture, GAME, Part};
use super::letters::{Letter, Line, Press, Sign};
use super::twins::gives_orders;

/// Someone's letter that signs him on as what he is; rather a late one, so that much is the same before it.
pub fn signed<'r>(
    run: &'r mut Run,
    fixture: &Fixture,
    parts: &[Part],
    dice: &mut Dice,
) -> Option<&'r mut Letter> {
    let fits = |letter: &&mut Letter| {
        let own = match &letter.sign {
            Sign::Line(sign) => sign.contains(GAME),
            Sign::Token => true,
            Sign::Relay(_) | Sign::Nothing => false,
        };
        own && parts.contains(&fixture.cast.people[letter.from].part)
    };
    let mut found: Vec<&mut Letter> = run.letters.iter_mut().filter(fits).collect();
    if found.is_empty() {
        return None;
    }
    let first = if dice.chance(60) { found.len() / 2 } else { 0 };
    let index = first + dice.below(found.len() - first);
    Some(found.swap_remove(index))
}

/// Somebody will be away, or not, or longer than is allowed.
pub fn goes_away(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    let noted = |line: &Line| matches!(line, Line::Other(text) if text.contains("ABSENCE"));
    let known = run
        .letters
        .iter()
        .position(|one| one.lines.iter().any(noted));
    if let Some(index) = known.filter(|_| dice.chance(30)) {
        let letter = &mut run.letters[index];
        letter.lines.retain(|line| !noted(line));
        return Some(vec![letter.from]);
    }
    let letter = signed(run, fixture, &[Part::Player, Part::Master], dice)?;
    let begins = 1 + dice.below(12) as i64;
    // What is too long is refused, and the master is told of the wish.
    let refused = dice.chance(20);
    let lasts = if refused { 40 } else { dice.below(6) as i64 };
    let day = |days: i64| {
        let at = letter.at + SignedDuration::from_hours(24 * days);
        at.strftime("%d %b %Y")
    };
    let line = format!("SET ABSENCE {} TO {}", day(begins), day(begins + lasts));
    letter.lines.push(Line::Other(line));
    let mut authors = vec![letter.from];
    authors.extend(fixture.of(Part::Master).into_iter().filter(|_| refused));
    Some(authors)
}

/// From some letter of his on somebody has resigned, and what he sends later is sent by who waits elsewhere and leads his power from
/// then on. Who that is, if there was such a letter.
pub fn hands_over(
    runs: &mut [&mut Run],
    fixture: &Fixture,
    leader: usize,
    dice: &mut Dice,
) -> Option<usize> {
    if fixture.cast.people[leader].part != Part::Player {
        return None;
    }
    let power =
        (0..fixture.powers.len()).find(|power| fixture.leaders(*power as u8) == [leader])?;
    let labels = fixture.letters();
    let code = labels.get(power)?;
    let heir = dice.pick(&fixture.of(Part::Candidate)).copied()?;
    let word = &fixture.cast.people[heir].word;
    let sign = Sign::Line(format!("SIGNON {code}{GAME} {word}"));
    let run = runs.first()?;
    // In an answer to a letter RESIGN would be a word to whoever reads it.
    let talks = |letter: &Letter| matches!(letter.sign, Sign::Relay(_));
    let own: Vec<usize> = run
        .letters
        .iter()
        .filter(|letter| letter.from == leader && !talks(letter))
        .map(|letter| letter.id)
        .collect();
    let (early, late) = own.split_at_checked(own.len() / 2)?;
    let among = if dice.chance(50) { early } else { late };
    let last = dice.pick(among).copied()?;
    for run in runs {
        for letter in &mut run.letters {
            if letter.from == heir {
                // He has something else to do now.
                letter.sign = Sign::Nothing;
                letter.lines = vec![Line::Ask("VERSION".to_owned())];
            } else if letter.from == leader && letter.id == last {
                letter.lines.push(Line::Other("RESIGN".to_owned()));
            } else if letter.from == leader && letter.id > last {
                (letter.from, letter.sign, letter.elsewhere) = (heir, sign.clone(), None);
            }
        }
    }
    Some(heir)
}

/// Somebody resigns or does not, comes to take a power over or does not, or another comes in his place.
pub fn other_leaders(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    let candidates: Vec<usize> = fixture.of(Part::Candidate);
    let comes = |letter: &Letter| {
        let here = matches!(&letter.sign, Sign::Line(sign) if sign.contains(GAME));
        here && candidates.contains(&letter.from)
    };
    let first = run.letters.iter().position(comes);
    if let (Some(first), [one, other]) = (first, candidates.as_slice())
        && fixture.options.gunboat
        && dice.chance(40)
    {
        let words = |n: usize| fixture.cast.people[n].word.clone();
        for letter in &mut run.letters[first..] {
            let instead = match letter.from {
                from if from == *one => *other,
                from if from == *other => *one,
                _ => continue,
            };
            if let Sign::Line(sign) = &mut letter.sign {
                *sign = sign.replace(&words(letter.from), &words(instead));
            }
            letter.from = instead;
        }
        return Some(candidates);
    }
    if dice.chance(35)
        && let Some(leader) = dice.pick(&fixture.of(Part::Player)).copied()
        && let Some(heir) = hands_over(&mut [&mut *run], fixture, leader, dice)
    {
        return Some(vec![leader, heir]);
    }
    let resigns = |line: &Line| matches!(line, Line::Other(text) if text == "RESIGN");
    // A letter to others would not go out either, and they would miss it.
    let comes = |letter: &Letter| {
        let requirements = |line: &Line| matches!(line, Line::Ask(_));
        comes(letter) && letter.lines.iter().all(requirements)
    };
    let found: Vec<usize> = (0..run.letters.len())
        .filter(|n| run.letters[*n].lines.iter().any(resigns) || comes(&run.letters[*n]))
        .collect();
    if let Some(index) = dice.pick(&found).copied().filter(|_| dice.chance(70)) {
        let letter = &mut run.letters[index];
        if comes(letter) {
            letter.sign = Sign::Nothing;
        }
        letter.lines.retain(|line| !resigns(line));
        return Some(vec![letter.from]);
    }
    let letter = signed(run, fixture, &[Part::Player], dice)?;
    letter.lines.push(Line::Other("RESIGN".to_owned()));
    Some(vec![letter.from])
}

/// After a change of leaders the same letter goes to somebody else, whoever it is that writes it.
pub fn writes_later(
    (one, other): (&mut Run, &mut Run),
    fixture: &Fixture,
    leaders: &[usize],
    dice: &mut Dice,
) {
    if fixture.hides_existence() {
        // Who is meant by a name is another to each.
        return;
    }
    let moved = |place: &usize| {
        let (one, other) = (&one.letters[*place], &other.letters[*place]);
        let signed = matches!(&one.sign, Sign::Line(sign) if sign.contains(GAME));
        let silent = one.lines.iter().all(|line| line.press().is_none());
        let both = leaders.contains(&one.from) && leaders.contains(&other.from);
        one.from != other.from && both && signed && silent
    };
    let moved: Vec<usize> = (0..one.letters.len()).filter(moved).collect();
    let reads = |power: &usize| {
        let who = fixture.leaders(*power as u8);
        !who.is_empty() && !who.iter().any(|one| leaders.contains(one))
    };
    let readers: Vec<usize> = (0..fixture.powers.len()).filter(reads).collect();
    let (Some(place), Some(reader)) = (dice.pick(&moved), dice.pick(&readers)) else {
        return;
    };
    let press = Line::Press(Press {
        options: format!("TO {}", fixture.powers[*reader]),
        to: Some(vec![*reader as u8]),
        word: dice.word() + &dice.word(),
        signed: false,
    });
    for run in [one, other] {
        run.letters[*place].lines.push(press.clone());
    }
}

/// A master does something in the place of a power, or does not.
pub fn acted_for(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    let power = dice.below(fixture.powers.len()) as u8;
    let mut authors = fixture.leaders(power);
    let leader = authors.first().copied();
    authors.extend(fixture.of(Part::Candidate));
    let earlier = run.clone();
    let letter = signed(run, fixture, &[Part::Master], dice)?;
    authors.push(letter.from);
    let become_one = |line: &Line| matches!(line, Line::Other(text) if text.contains("BECOME"));
    if letter.lines.iter().any(become_one) {
        letter.lines.retain(|line| !become_one(line));
        // Which power that was stands in words: nobody who plays is a reader of this pair.
        return Some([authors, fixture.of(Part::Player)].concat());
    }
    let phase = letter.phase;
    let mut theirs = earlier
        .letters
        .iter()
        .filter(|one| one.phase == phase && Some(one.from) == leader && gives_orders(one));
    letter.lines.push(Line::Other(format!(
        "BECOME {}",
        fixture.powers[usize::from(power)]
    )));
    match dice.below(5) {
        0 => letter.lines.push(Line::Wait(dice.chance(60))),
        1 => letter.lines.push(Line::Vote("SET DRAW".to_owned())),
        2 => letter.lines.push(Line::Other("CLEAR ORDERS".to_owned())),
        3 => letter.lines.push(Line::Other("SET REMIND 30".to_owned())),
        _ => {
            let instead = theirs.next().and_then(|one| dice.pick(&one.instead));
            letter.lines.extend(instead.into_iter().flatten().cloned());
        }
    }
    Some(authors)
}
