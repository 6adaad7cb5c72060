//! The Life step as everybody reads it: with the neighbors and parents, so that it can be checked by hand (ruling 22).

use super::ends;
use super::generation::{self, Birth, Death, Generation};
use super::wishes::Wish;
use super::{Life, owners};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Audience, BoardSign, Fact, OwnCalendar, Section};
use dipjudge_rules::map::{Location, Power};
use dipjudge_rules::position::Unit;
use dipjudge_view::{SignLook, all_words};

all_words! {
    pub(super) static WORDS;
    /// What a step did.
    STEP = "life/step.md";
    /// What a births phase decided.
    DECIDED = "life/decided.md";
    /// Which births are open.
    OPEN_BIRTHS = "life/open-births.md";
    /// Who is out.
    ELIMINATED = "life/eliminated.md";
}

/// What is told with the report of the last adjudicated phase: the step behind it, or the births that it decided.
pub(super) fn sections(game: &ToldGame<'_>) -> Vec<Section> {
    let (Some(played), Some(generation)) = (game.played(), game.state(&Life)) else {
        return Vec::new();
    };
    if generation.after == played.number {
        return step(game, &generation);
    }
    let decided = by_owner(game, &generation.births, |birth| birth.unit.power);
    let decided: Vec<Fact> = decided
        .filter(|birth| birth.decided == Some(played.number))
        .map(born)
        .collect();
    if decided.is_empty() {
        return Vec::new();
    }
    let section = Section::new(Audience::Everyone, &DECIDED).with("date", date(&generation));
    vec![section.with("births", decided)]
}

/// Where units were born and died in the step that is told with the last adjudicated phase.
pub(super) fn signs(game: &ToldGame<'_>) -> Vec<BoardSign> {
    let number = game.played().map(|played| played.number);
    let told = game.state(&Life).filter(|last| Some(last.after) == number);
    let Some(Generation { births, deaths, .. }) = told else {
        return Vec::new();
    };
    let births = births.iter().map(|birth| birth.unit.at.province);
    let deaths = deaths.iter().map(|death| death.unit.at.province);
    let born = births.map(|at| BoardSign::new(Audience::Everyone, at, SignLook::Ring, "born"));
    born.chain(deaths.map(|at| BoardSign::new(Audience::Everyone, at, SignLook::Cross, "died")))
        .collect()
}

/// The births that are still open, if any.
pub(super) fn open_births(game: &ToldGame<'_>) -> Option<Section> {
    // Where no births phase opens, types are open in predictions alone.
    if ends::BIRTHS_PHASE.is(game, "never") {
        return None;
    }
    let open = generation::open(game.state(&Life));
    let powers: Vec<Fact> = game
        .known_powers()
        .into_iter()
        .filter_map(|power| {
            let own = open.iter().filter(|birth| birth.unit.power == power);
            let own: Vec<Location> = own.map(|birth| birth.unit.at).collect();
            (!own.is_empty())
                .then(|| Fact::record([("power", power.into()), ("places", Fact::list(own))]))
        })
        .collect();
    (!powers.is_empty())
        .then(|| Section::new(Audience::Everyone, &OPEN_BIRTHS).with("powers", powers))
}

fn date(generation: &Generation) -> Fact {
    Fact::text(Audience::Everyone, Life.date(generation.turn))
}

fn step(game: &ToldGame<'_>, generation: &Generation) -> Vec<Section> {
    let deaths = by_owner(game, &generation.deaths, |death| death.unit.power);
    let births = by_owner(game, &generation.births, |birth| birth.unit.power);
    let step = Section::new(Audience::Everyone, &STEP)
        .with("date", date(generation))
        .with("deaths", deaths.map(died).collect::<Vec<_>>())
        .with("births", births.map(born).collect::<Vec<_>>())
        .with("powers", standing(game, generation));
    let position = game.position();
    let gone: Vec<Power> = generation
        .alive
        .iter()
        .copied()
        .filter(|power| position.units_of(*power).next().is_none())
        .collect();
    let eliminated = (!gone.is_empty())
        .then(|| Section::new(Audience::Everyone, &ELIMINATED).with("powers", Fact::list(gone)));
    [Some(step), open_births(game), eliminated]
        .into_iter()
        .flatten()
        .collect()
}

/// What stands after the step: who lived on, and who was born.
fn standing(game: &ToldGame<'_>, generation: &Generation) -> Vec<Fact> {
    let born = |unit: &Unit| {
        let mut births = generation.births.iter();
        births.any(|birth| birth.unit.id == unit.id)
    };
    let told = |unit: &Unit| Fact::record([("unit", (*unit).into()), ("born", born(unit).into())]);
    let position = game.position();
    owners(game)
        .filter_map(|power| {
            let units: Vec<Fact> = position.units_of(power).map(told).collect();
            (!units.is_empty())
                .then(|| Fact::record([("power", power.into()), ("units", units.into())]))
        })
        .collect()
}

/// All in the order of their owners.
fn by_owner<'t, T>(
    game: &ToldGame<'_>,
    all: &'t [T],
    power: impl Fn(&T) -> Power,
) -> impl Iterator<Item = &'t T> {
    owners(game).flat_map(move |owner| {
        let own = all.iter().filter(|one| power(one) == owner);
        own.collect::<Vec<_>>()
    })
}

fn died(death: &Death) -> Fact {
    let neighbors = death.neighbors.iter().map(|near| Location::from(*near));
    Fact::record([
        ("unit", death.unit.into()),
        ("neighbors", Fact::list(neighbors)),
    ])
}

fn born(birth: &Birth) -> Fact {
    let coast = match birth.drawn {
        Wish { kind: None, coast } => coast.map(|coast| coast.to_string()),
        Wish { .. } => None,
    };
    Fact::record([
        ("unit", birth.unit.into()),
        ("open", birth.open().into()),
        ("drawn", (!birth.drawn.is_nothing()).into()),
        (
            "coast",
            coast
                .map(|coast| Fact::text(Audience::Everyone, coast))
                .into(),
        ),
        ("parents", Fact::list(birth.parents.iter().copied())),
    ])
}
