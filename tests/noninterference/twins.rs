//! Twins: a run copied, and only hidden things in it changed (`visibility.md` 11.3). The numbers are those of that list;
//! T14 is what T7 does where there are offers.

use std::collections::BTreeMap;

use dipjudge::folding::fold;
use dipjudge::game::Event;
use dipjudge::judge::RowKind;
use dipjudge::map::{Map, Power};
use dipjudge::variants;

use super::author::{Run, Written};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME, NAMES, Part};
use super::letters::{Letter, Line, Press, Sign};
use super::stage::{Kept, log};
use super::tongue::{Tongue, Words, bends_the_calendar};
use super::{complete, dealings, detours, fog, own, persons, silly, starts, turnover};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// T1: a far power does otherwise from some phase on.
    FarSide,
    /// T5: the orders of one power for one phase.
    Orders,
    /// T5: the orders in an answer to a letter, which others take for words.
    Answers,
    /// T6: whether what somebody's support or convoy points at is there, and does what is wanted.
    Phantom,
    /// T7: letters between others, and what they offer each other.
    Dealings,
    /// T8: when and in what form others' mails arrive.
    Arrival,
    /// T9: who of the others is late.
    Absence,
    /// T10: votes, WAIT, orders for later phases, a variant's own lines, preferences.
    Secrets,
    /// T10: lines of the variant's own alone.
    Own,
    /// T11: the seed.
    Chance,
    /// T12: who leads the other powers.
    People,
    /// T13: a power far away sits still.
    Quiet,
    /// T1: what a condition asks after, out of sight.
    Conditions,
    /// T9: who of the others will be away, and when.
    Away,
    /// T9: who resigns, and who takes over.
    Turnover,
    /// T12: from which address somebody writes, and where his mail goes.
    Addresses,
    /// T12: the zones of others.
    Zones,
    /// T12: who registers, and as what.
    Registration,
    /// T10: what a master does in the place of a power.
    Acting,
    /// T10: what a power submits that is sealed from a master, who then sends such lines in its place.
    Lent,
    /// T2: one player more.
    Number,
    /// T3: what others are called.
    Names,
    /// T12: a game that is in no list.
    Cellar,
    /// T8: anything else that somebody says, by a row of the judge's tables.
    Doings,
    /// T1: what one power has on the board, and where, when the game begins.
    Start,
    /// T1: a unit goes somewhere and comes back, or stays.
    Detour,
    /// T9: whether everything that is due has come.
    Complete,
    /// T10: what somebody sets for himself who, as another, sends no orders.
    Wishes,
    /// T12: in which order those who wait in another game came to it.
    SignOns,
}

impl Kind {
    pub const ALL: [Kind; 29] = [
        Kind::FarSide,
        Kind::Orders,
        Kind::Answers,
        Kind::Phantom,
        Kind::Dealings,
        Kind::Arrival,
        Kind::Absence,
        Kind::Secrets,
        Kind::Own,
        Kind::Chance,
        Kind::People,
        Kind::Quiet,
        Kind::Conditions,
        Kind::Away,
        Kind::Turnover,
        Kind::Addresses,
        Kind::Zones,
        Kind::Registration,
        Kind::Acting,
        Kind::Lent,
        Kind::Number,
        Kind::Names,
        Kind::Cellar,
        Kind::Doings,
        Kind::Start,
        Kind::Detour,
        Kind::Complete,
        Kind::Wishes,
        Kind::SignOns,
    ];
}

/// Two runs that differ in hidden things.
#[derive(Clone, Debug)]
pub struct Pair {
    pub kind: Kind,
    /// The run as it was written, unless the difference is between two changes of it.
    pub one: Run,
    pub other: Run,
    /// The cast of the other run.
    pub casting: Casting,
    /// Whose own mails differ: they are no readers of this pair.
    pub authors: Vec<usize>,
}

/// A pair of this kind, if the run has anything to change.
pub fn pair(kind: Kind, fixture: &Fixture, written: &Written, dice: &mut Dice) -> Option<Pair> {
    let (run, kept) = (&written.run, &written.kept);
    let mut one = run.clone();
    let mut other = run.clone();
    let mut casting = Casting::Usual;
    let mut authors = Vec::new();
    match kind {
        Kind::FarSide | Kind::Conditions => {
            // What is asked after must differ before it is asked; the question is put once it is known what does.
            let first = match kind {
                Kind::Conditions => ordering_early(run, dice)?,
                _ => ordering(run, kept, dice)?,
            };
            authors.push(first.from);
            for letter in later(&mut other, first) {
                otherwise(letter, dice);
            }
        }
        Kind::Quiet => {
            let first = ordering(run, kept, dice)?;
            authors.push(first.from);
            for letter in later(&mut other, first) {
                sit_still(letter);
            }
        }
        Kind::Orders => {
            let chosen = ordering(run, kept, dice)?;
            authors.push(chosen.from);
            otherwise(&mut other.letters[chosen.id], dice);
        }
        Kind::Answers => {
            let chosen = ordering_in_answer(run, dice)?;
            authors.push(chosen.from);
            otherwise(&mut other.letters[chosen.id], dice);
        }
        Kind::Phantom => {
            let chosen = pointed_at(run, dice)?;
            authors.push(chosen.from);
            otherwise(&mut other.letters[chosen.id], dice);
        }
        Kind::Dealings => authors.extend(dealt_otherwise(&mut other, fixture, dice)?),
        Kind::Arrival => {
            for _ in 0..1 + dice.below(4) {
                authors.push(arrives_otherwise(&mut other, fixture, dice)?);
            }
        }
        Kind::Absence => {
            let late = ordering(run, kept, dice)?;
            let (phase, from) = (late.phase, late.from);
            let others: Vec<&Letter> = run
                .letters
                .iter()
                .filter(|letter| {
                    letter.phase == phase && letter.from != from && gives_orders(letter)
                })
                .collect();
            let instead = dice.pick(&others)?.from;
            // Somebody else may be late in both runs.
            let third = dice.pick(&others)?.from;
            if third != instead && dice.chance(40) {
                silence(&mut one, third, phase);
                silence(&mut other, third, phase);
            }
            silence(&mut one, from, phase);
            silence(&mut other, instead, phase);
            authors = vec![from, instead];
        }
        Kind::Secrets => authors.extend(secrets(&mut other, fixture, dice)?),
        Kind::Own => authors.push(own_lines(&mut other, fixture, dice)?),
        Kind::Away => authors.extend(turnover::goes_away(&mut other, fixture, dice)?),
        Kind::Turnover => {
            authors.extend(turnover::other_leaders(&mut other, fixture, dice)?);
            turnover::writes_later((&mut one, &mut other), fixture, &authors, dice);
        }
        Kind::Addresses => authors.push(persons::other_address(&mut other, fixture, dice)?),
        Kind::Zones => {
            let author = persons::other_zone(&mut other, fixture, dice)?;
            persons::sets_a_date(&mut [&mut one, &mut other], fixture, author, dice);
            authors.push(author);
        }
        Kind::Registration => authors.push(persons::registers(&mut other, fixture, dice)?),
        Kind::Acting => authors.extend(turnover::acted_for(&mut other, fixture, dice)?),
        Kind::Lent => authors.push(lent_lines(&mut one, &mut other, fixture, dice)?),
        Kind::Chance => casting = Casting::OtherChance,
        Kind::Number => {
            casting = Casting::OneMore;
            authors.push(fixture.one_more());
        }
        Kind::Names => {
            casting = Casting::OtherNames;
            authors.extend((0..fixture.cast.people.len()).filter(|n| fixture.cast.changes(*n)));
        }
        Kind::Cellar => {
            casting = Casting::OtherCellar;
            authors.extend(fixture.of(Part::Elsewhere));
        }
        Kind::Doings => authors.extend(says_more(&mut other, fixture, dice)?),
        Kind::Start => {
            let way = dice.below(starts::WAYS) as u8;
            let mut pair = Pair {
                kind,
                one,
                other,
                casting,
                authors,
            };
            begin_otherwise(&mut pair, fixture, way, dice);
            return Some(pair);
        }
        Kind::Detour => {
            let detour = detours::seen_today(fixture, written, dice)?;
            authors.push(detour.make(&mut one, &mut other));
        }
        Kind::Complete => return complete::pair(fixture, run, kept, dice),
        Kind::Wishes => authors.push(wishes_otherwise(&mut one, &mut other, fixture, dice)?),
        Kind::SignOns => {
            casting = Casting::OtherSignOns;
            authors.extend(fixture.of(Part::Elsewhere));
        }
        Kind::People => {
            casting = Casting::OtherPeople;
            authors.extend((0..fixture.cast.people.len()).filter(|n| fixture.cast.changes(*n)));
        }
    }
    let personal = matches!(kind, Kind::Zones | Kind::Addresses | Kind::Away);
    if personal
        && dice.chance(40)
        && let Some(author) = authors.first().copied()
    {
        // What differed of him belongs to a leader of the past then, and another reads what is left of his power.
        let heir = turnover::hands_over(&mut [&mut one, &mut other], fixture, author, dice);
        let pairs = || one.letters.iter().zip(&other.letters);
        let differs = |heir: &usize| pairs().any(|(one, other)| one.from == *heir && one != other);
        authors.extend(heir.filter(differs));
    }
    if matches!(kind, Kind::Number | Kind::Names) {
        // Whom a master means by a name is another then.
        for run in [&mut one, &mut other] {
            means_nobody(run, fixture);
        }
    }
    let same = one.letters == other.letters && casting == Casting::Usual;
    (!same).then_some(Pair {
        kind,
        one,
        other,
        casting,
        authors,
    })
}

/// In the other run some power begins otherwise, in this way. Orders that fit one start would be missing in the other, and make all
/// wait: its units hold where they began.
pub fn begin_otherwise(pair: &mut Pair, fixture: &Fixture, way: u8, dice: &mut Dice) {
    let any = dice.below(fixture.powers.len()) as u8;
    let power = match way {
        _ if starts::renumbers(way) => most_seen(fixture).0,
        starts::TAKEN => lost_out_of_sight(fixture, dice).map_or(any, |power| power.0),
        _ => any,
    };
    pair.casting = Casting::OtherStart(power, way);
    let begins = fixture.with_other_start(power, way);
    for power in starts::whose(Power(power), way, fixture.powers.len()) {
        let leaders = fixture.leaders(power.0);
        for (run, fixture) in [(&mut pair.one, fixture), (&mut pair.other, &begins)] {
            if !starts::renumbers(way) {
                stands_still(run, &leaders, &fixture.holds_of(power.0));
            }
        }
        pair.authors.extend(leaders);
    }
}

/// A power that does not see what it has lost since the game began.
fn lost_out_of_sight(fixture: &Fixture, dice: &mut Dice) -> Option<Power> {
    let game = fixture.game();
    let begun = game.years.first()?;
    let lost = |power: &Power| {
        let horizon = fog::horizon(&game, &game.position, *power, fixture);
        let mut centers = begun.owners.iter().filter(|(_, owner)| *owner == power);
        centers.any(|(center, _)| {
            let has = game.position.owners.get(center) == Some(power);
            !has && !horizon.contains(center)
        })
    };
    let powers: Vec<Power> = game.all_powers().filter(lost).collect();
    dice.pick(&powers).copied()
}

/// The power of which another sees most units when the game begins: more than one can stand in some order.
fn most_seen(fixture: &Fixture) -> Power {
    let game = fixture.game();
    let mut seen: BTreeMap<Power, usize> = BTreeMap::new();
    for reader in game.all_powers() {
        let horizon = fog::horizon(&game, &game.position, reader, fixture);
        for power in game.all_powers().filter(|power| *power != reader) {
            let units = game.position.units_of(power);
            let count = units.filter(|unit| horizon.contains(&unit.at.province));
            let most = seen.entry(power).or_default();
            *most = (*most).max(count.count());
        }
    }
    let most = seen.into_iter().max_by_key(|(_, count)| *count);
    most.map_or(Power(0), |(power, _)| power)
}

/// Whether a letter gives orders that its author may give otherwise.
pub fn gives_orders(letter: &Letter) -> bool {
    let answers = matches!(letter.sign, Sign::Relay(_));
    !answers && could_order_otherwise(letter)
}

fn could_order_otherwise(letter: &Letter) -> bool {
    !letter.instead.is_empty() && letter.lines.iter().any(Line::orders)
}

/// An answer to a letter in which orders stand; rather a late one, so that much is the same before it.
fn ordering_in_answer<'r>(run: &'r Run, dice: &mut Dice) -> Option<&'r Letter> {
    let answers = |letter: &&Letter| matches!(letter.sign, Sign::Relay(_));
    let all = run.letters.iter().filter(answers);
    let all: Vec<&Letter> = all.filter(|letter| could_order_otherwise(letter)).collect();
    match dice.chance(75) {
        true => all.last().copied(),
        false => dice.pick(&all).copied(),
    }
}

/// A letter with orders; rather of a later phase, so that much is the same before it. Of retreats and adjustments, which are few, as
/// often as of movements.
fn ordering<'r>(run: &'r Run, kept: &Kept, dice: &mut Dice) -> Option<&'r Letter> {
    let all: Vec<&Letter> = run.letters.iter().filter(|l| gives_orders(l)).collect();
    let last = all.iter().map(|letter| letter.phase).max()?;
    let late: Vec<&Letter> = all
        .iter()
        .copied()
        .filter(|letter| letter.phase + 2 > last)
        .collect();
    let mut phases: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for record in log(&kept.records, GAME) {
        for event in &record.events {
            if let Event::Played(played) = event {
                let kind = format!("{:?}", played.phase);
                phases.entry(kind).or_default().push(played.number);
            }
        }
    }
    let phases: Vec<Vec<u32>> = phases.into_values().collect();
    match (dice.below(100), dice.pick(&phases)) {
        (0..25, Some(numbers)) => {
            let of_kind = all.iter().filter(|letter| numbers.contains(&letter.phase));
            let of_kind: Vec<&Letter> = of_kind.copied().collect();
            dice.pick(&of_kind).or_else(|| dice.pick(&all)).copied()
        }
        (25..80, _) => dice.pick(&late).copied(),
        _ => dice.pick(&all).copied(),
    }
}

/// A letter with orders, after which there come others.
fn ordering_early<'r>(run: &'r Run, dice: &mut Dice) -> Option<&'r Letter> {
    let all = || run.letters.iter().filter(|letter| gives_orders(letter));
    let last = all().map(|letter| letter.phase).max()?;
    let early: Vec<&Letter> = all().filter(|letter| letter.phase < last).collect();
    dice.pick(&early).copied()
}

/// All orders of the same sender from a letter on.
fn later<'r>(run: &'r mut Run, first: &Letter) -> impl Iterator<Item = &'r mut Letter> + use<'r> {
    let (id, from) = (first.id, first.from);
    run.letters
        .iter_mut()
        .filter(move |letter| letter.id >= id && letter.from == from && gives_orders(letter))
}

fn otherwise(letter: &mut Letter, dice: &mut Dice) {
    if let Some(instead) = dice.pick(&letter.instead).cloned() {
        letter.lines.retain(|line| !line.orders());
        letter.lines.extend(instead);
    }
}

/// Whether orders stand in a letter, but an answer to one.
fn may_move(letter: &Letter) -> bool {
    !matches!(letter.sign, Sign::Relay(_)) && letter.lines.iter().any(Line::orders)
}

/// Whoever leads a power never moves its units.
fn stands_still(run: &mut Run, leaders: &[usize], holds: &[String]) {
    let moves = |line: &Line| match line {
        Line::Order(text) => text.starts_with("A ") || text.starts_with("F "),
        _ => false,
    };
    let own = run.letters.iter_mut();
    let own = own.filter(|letter| leaders.contains(&letter.from) && may_move(letter));
    for letter in own {
        if letter.lines.iter().any(moves) {
            letter.lines.retain(|line| !matches!(line, Line::Order(_)));
            let holds = holds.iter().cloned().map(Line::Order);
            letter.lines.extend(holds);
        }
    }
}

/// Two send no orders for a phase and are reminded; one of them has set something else for himself.
fn wishes_otherwise(
    one: &mut Run,
    other: &mut Run,
    fixture: &Fixture,
    dice: &mut Dice,
) -> Option<usize> {
    let players = fixture.of(Part::Player);
    let gives = |letter: &&Letter| players.contains(&letter.from) && gives_orders(letter);
    let giving: Vec<&Letter> = one.letters.iter().filter(gives).collect();
    let chosen = *dice.pick(&giving)?;
    let (id, phase, wishes) = (chosen.id, chosen.phase, chosen.from);
    let others = giving
        .iter()
        .filter(|letter| letter.phase == phase && letter.from != wishes);
    let others: Vec<usize> = others.map(|letter| letter.from).collect();
    let silent = *dice.pick(&others)?;
    for run in [&mut *one, &mut *other] {
        silence(run, silent, phase);
        silence(run, wishes, phase);
    }
    let tongue = Tongue::of(variants::of(fixture.variant));
    let words = Words::of(fixture, &fixture.game(), wishes);
    let line = match dice.chance(60) {
        true => format!("SET REMIND {}", 9 + dice.below(40)),
        false => tongue.own_setting(&words, dice)?,
    };
    other.letters[id].lines.push(Line::Other(line));
    Some(wishes)
}

/// Every order becomes a hold; builds and retreats are given up.
fn sit_still(letter: &mut Letter) {
    for line in &mut letter.lines {
        let Line::Order(text) = line else { continue };
        let words: Vec<&str> = text.split([' ', '-']).take(2).collect();
        *text = match words.as_slice() {
            ["BUILD", _] => "WAIVE".to_owned(),
            [kind, at] => format!("{kind} {at} H"),
            _ => continue,
        };
    }
}

/// The letter of somebody else that moves, or leaves, the unit that an order names as supported or convoyed.
fn pointed_at<'r>(run: &'r Run, dice: &mut Dice) -> Option<&'r Letter> {
    let mut found = Vec::new();
    for letter in run.letters.iter().filter(|letter| gives_orders(letter)) {
        for line in &letter.lines {
            let Line::Order(text) = line else { continue };
            let Some((_, named)) = text.split_once(" S ").or_else(|| text.split_once(" C ")) else {
                continue;
            };
            let Some(place) = named.split([' ', '-']).nth(1) else {
                continue;
            };
            found.extend(run.letters.iter().filter(|other| {
                let near = other.phase == letter.phase || other.phase + 1 == letter.phase;
                let names = |line: &Line| matches!(line, Line::Order(text) if text.contains(place));
                near && other.from != letter.from
                    && gives_orders(other)
                    && other.lines.iter().any(names)
            }));
        }
    }
    dice.pick(&found).copied()
}

/// Nobody hears of it: letters between two others are written otherwise, come, or do not come.
fn dealt_otherwise(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    if fixture.is_of_civilizations() && dice.chance(60) {
        return dealings::otherwise(run, dice);
    }
    if fixture.hides_existence() && dice.chance(60) {
        return fewer_addressees(run, fixture, dice);
    }
    let private = |line: &Line| line.press().is_some_and(|press| press.to.is_some());
    let found = run.letters_with(private);
    let id = *dice.pick(&found)?;
    let letter = &mut run.letters[id];
    let drop = dice.chance(40);
    let mut readers = vec![letter.from];
    for line in &letter.lines {
        if let Some(Press { to: Some(to), .. }) = line.press() {
            readers.extend(to.iter().flat_map(|power| fixture.leaders(*power)));
        }
    }
    if drop {
        letter.lines.retain(|line| !private(line));
    } else {
        for line in &mut letter.lines {
            if let Line::Press(press) | Line::Answer(press) = line
                && press.to.is_some()
            {
                press.word = format!("{}{}", dice.word(), dice.word());
            }
        }
    }
    Some(readers)
}

/// A master names no power.
fn means_nobody(run: &mut Run, fixture: &Fixture) {
    let masters = fixture.of(Part::Master);
    for letter in &mut run.letters {
        if masters.contains(&letter.from) {
            let names = || NAMES.iter().copied();
            let names = || names().chain(fixture.powers.iter().map(String::as_str));
            let named = |line: &Line| {
                let line = fold(&line.text());
                names().any(|name| line.contains(&fold(name)))
            };
            letter.lines.retain(|line| !named(line));
        }
    }
}

/// A letter to two goes to the first of them alone, who may not have met the other.
fn fewer_addressees(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    let to_two = |line: &Line| {
        let to = line.press().and_then(|press| press.to.as_ref());
        to.is_some_and(|to| to.len() == 2 && to[0] != to[1])
    };
    let found = run.letters_with(to_two);
    let letter = &mut run.letters[*dice.pick(&found)?];
    let mut authors = vec![letter.from];
    for line in &mut letter.lines {
        if let Line::Press(press) = line
            && let Some([one, other]) = press.to.as_deref()
            && let Some((first, _)) = press.options.split_once(", ")
        {
            authors.extend(fixture.leaders(*other));
            (press.options, press.to) = (first.to_owned(), Some(vec![*one]));
        }
    }
    Some(authors)
}

/// The same mail a little later, in another form, twice, or behind the next one.
fn arrives_otherwise(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let index = dice.below(run.letters.len());
    let person = dice
        .pick(&fixture.cast.people)
        .map(|one| one.address.clone());
    let letter = run.letters.get_mut(index)?;
    let signed = letter.lines.iter().all(|line| line.press().is_none());
    match dice.below(7) {
        0 => letter.wrap.encoding = 1 + dice.below(2) as u8,
        1 => letter.wrap.mailer = Some(dice.word()),
        2 => letter.wrap.hours_east = dice.below(12) as i8 - 6,
        3 => letter.wrap.cc = person,
        4 => letter.wrap.quoted = 1 + dice.below(4) as u8,
        5 if signed => letter.wrap.copies = 2,
        _ => letter.wrap.signature = true,
    }
    letter.wrap.id ^= 1 << 41;
    if dice.chance(60) {
        // Every letter has a minute of its own, so no other is passed.
        let second = 1 + dice.below(50) as i64;
        letter.at += jiff::SignedDuration::from_secs(second);
    }
    Some(letter.from)
}

/// Whatever somebody sends for the phase does not come.
fn silence(run: &mut Run, from: usize, phase: u32) {
    for letter in &mut run.letters {
        if letter.from == from && letter.phase == phase && gives_orders(letter) {
            letter.lines.retain(|line| !line.orders());
        }
    }
}

/// Somebody says something more, of any row of the judge's tables. Letters to others are left to their own kind.
fn says_more(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    let masters = fixture.of(Part::Master);
    let fits = |letter: &Letter| {
        let answers = matches!(letter.sign, Sign::Relay(_));
        !answers && letter.lines.iter().all(|line| line.press().is_none())
    };
    let may = dice.chance(15);
    let found: Vec<usize> = (0..run.letters.len())
        .filter(|n| fits(&run.letters[*n]))
        .filter(|n| may || !masters.contains(&run.letters[*n].from))
        .collect();
    // Rather a late one, so that much is the same before it.
    let late = &found[found.len() / 2..];
    let among = if dice.chance(60) { late } else { &found };
    let id = *dice.pick(among)?;
    let letter = &mut run.letters[id];
    let tongue = Tongue::of(variants::of(fixture.variant));
    let words = Words::of(fixture, &fixture.game(), letter.from);
    for _ in 0..1 + dice.below(2) {
        let row = dice.pick(tongue.rows())?;
        let line = tongue.line(row, &words, dice);
        let acts_on_others = row.kind == RowKind::OfVariant && fixture.hides_existence();
        let bends = bends_the_calendar(&line, fixture);
        if !line.contains("ENDPRESS") && !acts_on_others && !bends {
            letter.lines.push(Line::Other(line));
        }
    }
    let mut authors = masters;
    authors.push(letter.from);
    Some(authors)
}

fn secrets(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<Vec<usize>> {
    // A variant's own lines are such, too, wherever they stand.
    let own_lines = dice.chance(50);
    let secret = |line: &Line| match own_lines {
        true => matches!(line, Line::Own(_)),
        false => matches!(line, Line::Vote(_) | Line::Wait(_) | Line::Ahead(_)),
    };
    let found: Vec<usize> = run
        .letters
        .iter()
        .filter(|letter| {
            let mixed = own_lines || letter.instead.is_empty();
            (mixed && letter.lines.iter().any(secret)) || is_preference(letter)
        })
        .map(|letter| letter.id)
        .collect();
    let id = *dice.pick(&found)?;
    let letter = &mut run.letters[id];
    if is_preference(letter) {
        otherwise(letter, dice);
        return Some(vec![letter.from]);
    }
    if dice.chance(50) {
        letter.lines.retain(|line| !secret(line));
    } else {
        for line in &mut letter.lines {
            match line {
                Line::Vote(vote) if vote == "SET DRAW" => *vote = "SET NO DRAW".to_owned(),
                Line::Vote(vote) => *vote = "SET DRAW".to_owned(),
                Line::Wait(on) => *on = !*on,
                Line::Ahead(lines) => *lines = "PHASE S1905M\nA PAR H\nENDPHASE".to_owned(),
                Line::Own(text) if own_lines && fixture.variant == silly::NAME => {
                    *text = silly::elsewhere(text, fixture.map(), dice);
                }
                Line::Own(text) if own_lines => *text = other_words(text, fixture.map(), dice),
                _ => {}
            }
        }
    }
    Some(vec![letter.from])
}

/// Somebody sends other lines of the variant's own, or none, with a letter: any letter, or one with a line that begins with one word
/// as often as one with a line that begins with another. All of its lines are changed, since the last for a subject counts.
fn own_lines(run: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for letter in &run.letters {
        let own = letter.lines.iter().filter_map(own_word);
        for word in own {
            found.entry(word).or_default().push(letter.id);
        }
    }
    let by_word: Vec<&Vec<usize>> = found.values().collect();
    let any: Vec<usize> = found.values().flatten().copied().collect();
    let among = match dice.chance(50) {
        true => dice.pick(&by_word)?,
        false => &any,
    };
    let letter = &mut run.letters[*dice.pick(among)?];
    if dice.chance(50) {
        letter.lines.retain(|line| !matches!(line, Line::Own(_)));
        return Some(letter.from);
    }
    submits_otherwise(letter, fixture, dice);
    Some(letter.from)
}

fn submits_otherwise(letter: &mut Letter, fixture: &Fixture, dice: &mut Dice) {
    says_otherwise(&mut letter.lines, fixture, dice);
}

/// The same lines of the variant's own, about other spaces and other numbers.
pub fn says_otherwise(lines: &mut [Line], fixture: &Fixture, dice: &mut Dice) {
    for line in lines {
        if let Line::Own(text) = line {
            *text = match fixture.variant == silly::NAME {
                true => other_words(
                    &silly::elsewhere(text, fixture.map(), dice),
                    fixture.map(),
                    dice,
                ),
                false => other_words(text, fixture.map(), dice),
            };
        }
    }
}

/// A power submits otherwise what is sealed from masters, and a master, in its place, asks after it by lines of his own, which
/// are the same in both runs.
fn lent_lines(one: &mut Run, other: &mut Run, fixture: &Fixture, dice: &mut Dice) -> Option<usize> {
    let led_by = |from: usize| {
        let mut powers = 0..fixture.powers.len();
        powers.find(|power| fixture.leaders(*power as u8).contains(&from))
    };
    let is_master = |letter: &Letter| {
        let signed = match &letter.sign {
            Sign::Line(sign) => sign.contains(GAME),
            Sign::Token => true,
            Sign::Relay(_) | Sign::Nothing => false,
        };
        signed && fixture.cast.people[letter.from].part == Part::Master
    };
    let sealed = |letter: &Letter| -> Vec<String> {
        let own = letter.lines.iter().filter_map(|line| match line {
            Line::Own(text) if own::seals_line(fixture.variant, text) => Some(text.clone()),
            _ => None,
        });
        own.collect()
    };
    let mut found = Vec::new();
    for (index, letter) in one.letters.iter().enumerate() {
        let lines = sealed(letter);
        let later = (index + 1..one.letters.len()).filter(|next| is_master(&one.letters[*next]));
        let later: Vec<usize> = later.take(3).collect();
        let asks = dice.pick(&later).copied();
        if let (false, Some(power), Some(asks)) = (lines.is_empty(), led_by(letter.from), asks) {
            found.push((index, power, asks, lines));
        }
    }
    let (index, power, asks, lines) = dice.pick(&found)?.clone();
    let mut written = vec![format!("BECOME {}", fixture.powers[power])];
    for line in lines {
        // Where herds were placed, whether there is one is asked.
        let spaces = line.split(|c: char| !c.is_ascii_uppercase());
        let spaces = spaces.filter(|word| line.starts_with("PLACE") && word.len() == 3);
        written.extend(spaces.map(|space| format!("LLAMAS({space}) EXPLODE")));
        written.push(format!("CANCEL {line}"));
        written.push(line);
    }
    let written = Line::Other(written.join("\n"));
    for run in [one, &mut *other] {
        run.letters[asks].lines.push(written.clone());
    }
    submits_otherwise(&mut other.letters[index], fixture, dice);
    Some(other.letters[index].from)
}

/// The word with which a line of the variant's own begins.
pub fn own_word(line: &Line) -> Option<String> {
    match line {
        Line::Own(text) => {
            let word = text.split(|c: char| !c.is_alphabetic()).next();
            word.map(str::to_uppercase)
        }
        _ => None,
    }
}

/// The same line with other numbers and other provinces in it.
fn other_words(text: &str, map: &Map, dice: &mut Dice) -> String {
    let code = |word: &str| {
        map.provinces()
            .iter()
            .any(|info| info.code.to_string() == word)
    };
    let words = text.split(' ').map(|word| match word.parse::<u32>() {
        Ok(_) => dice.below(12).to_string(),
        Err(_) if code(word) => {
            let other = dice.pick(map.provinces());
            other.map_or_else(String::new, |info| info.code.to_string())
        }
        Err(_) => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_preference(letter: &Letter) -> bool {
    let is = |line: &Line| matches!(line, Line::Order(text) if text.starts_with("SET PREFERENCE"));
    letter.lines.iter().any(is) && !letter.instead.is_empty()
}

/// Whether a kind has anything to hide at a table.
pub fn applies(kind: Kind, fixture: &Fixture) -> bool {
    match kind {
        // Leaders are public where they are not hidden.
        Kind::People => fixture.options.gunboat,
        // Elsewhere no letter is answered by answering it.
        Kind::Answers => fixture.options.gunboat && !fixture.hides_existence(),
        Kind::FarSide | Kind::Phantom | Kind::Quiet | Kind::Conditions | Kind::Detour => {
            fixture.options.blind
        }
        Kind::Complete => complete::applies(fixture),
        Kind::Start => fixture.options.blind && fixture.has_start(),
        Kind::Number => fixture.can_have_one_more(),
        Kind::Names => fixture.has_chosen_names(),
        // Who leads what is public elsewhere, and so is that it changes.
        Kind::Turnover => fixture.options.gunboat || fixture.options.blind,
        _ => fixture
            .cast
            .people
            .iter()
            .any(|one| one.part == Part::Player),
    }
}
