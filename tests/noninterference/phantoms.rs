//! Twins for supports: a supported unit does what its supporter wants of it, or does not, in a way that he may not see.

use dipjudge::game::Phase;
use dipjudge::map::Province;
use dipjudge::position::Unit;

use super::author::Run;
use super::conditions::then;
use super::dice::Dice;
use super::fixture::Casting;
use super::letters::{Letter, Line};
use super::stage::Kept;
use super::twins::{Kind, Pair, gives_orders};

/// What a support wants.
struct Wish {
    /// Whose unit, by the letter that orders it, and which line of that.
    letter: usize,
    line: usize,
    /// What it is ordered instead.
    instead: String,
}

/// The run, and one in which somebody's supported unit does otherwise.
pub fn pair(run: &Run, kept: &Kept, dice: &mut Dice) -> Option<Pair> {
    let mut letters: Vec<&Letter> = run.letters.iter().filter(|one| gives_orders(one)).collect();
    while !letters.is_empty() {
        let letter = letters.swap_remove(dice.below(letters.len()));
        let Some(wish) = wish(run, kept, letter, dice) else {
            continue;
        };
        let mut other = run.clone();
        let theirs = other.letters.get_mut(wish.letter)?;
        *theirs.lines.get_mut(wish.line)? = Line::Order(wish.instead);
        return Some(Pair {
            kind: Kind::Phantom,
            one: run.clone(),
            casting: Casting::Usual,
            authors: vec![theirs.from],
            other,
        });
    }
    None
}

fn wish(run: &Run, kept: &Kept, letter: &Letter, dice: &mut Dice) -> Option<Wish> {
    let supports: Vec<&str> = letter
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Order(text) => Some(text.split_once(" S ")?.1),
            _ => None,
        })
        .collect();
    let named = *dice.pick(&supports)?;
    let (who, to) = match named.split_once('-') {
        Some((who, to)) => (who, Some(to)),
        None => (named, None),
    };
    let game = then(kept, letter.at)?;
    if game.phase != Phase::Movement {
        return None;
    }
    let place = who.split([' ', '/']).nth(1)?;
    let is = |unit: &&Unit| unit.at.province.as_str().eq_ignore_ascii_case(place);
    let unit = game.position.units.iter().find(is)?;
    let own = format!("{} {}", unit.kind, unit.at);
    // The last letter with an order for it counts.
    let orders = |line: &Line| matches!(line, Line::Order(text) if text.starts_with(&own));
    let theirs = run.letters.iter().rfind(|one| {
        let now = one.phase == letter.phase && one.from != letter.from && gives_orders(one);
        now && one.lines.iter().any(orders)
    })?;
    let line = theirs.lines.iter().rposition(orders)?;
    let instead = match to {
        Some(to) => format!("{own}-{to}"),
        // A move against somebody who stands there fails, mostly, and may do so out of sight.
        None => {
            let map = game.map();
            let stands = |place: &Province| game.position.standing(*place).is_some();
            let reach = map.reach(map.travel(unit.kind), unit.at).iter();
            let taken: Vec<String> = reach
                .filter(|at| stands(&at.province))
                .map(ToString::to_string)
                .collect();
            format!("{own}-{}", dice.pick(&taken)?)
        }
    };
    let hold = format!("{own} H");
    let given = theirs.lines.get(line);
    let same = given == Some(&Line::Order(instead.clone()));
    Some(Wish {
        letter: theirs.id,
        line,
        instead: if same { hold } else { instead },
    })
}
