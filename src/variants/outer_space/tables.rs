//! What reports and lists tell of spacecraft, colonies, colonization and elimination.

use super::OuterSpace;
use super::names;
use super::state::{Attempted, Colonized, aboard};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Audience, Fact, Section};
use dipjudge_rules::map::{Location, Map, Power, Province};
use dipjudge_view::all_words;

all_words! {
    pub(super) static WORDS;
    EMPIRES = "outer-space/empires.md";
    COLONIES = "outer-space/colonies.md";
    SO_FAR = "outer-space/so-far.md";
    COLONIZATION = "outer-space/colonization.md";
    ELIMINATED = "outer-space/eliminated.md";
}

/// The empires, what is aboard their spacecraft, and their colonies.
pub(super) fn standing(game: &ToldGame<'_>) -> Vec<Section> {
    let state = game.state(&OuterSpace);
    let position = game.position();
    let empire = |power: Power| {
        Fact::record([
            ("power", power.into()),
            ("eliminated", (!state.in_play.contains(&power)).into()),
            ("aboard", aboard(&position.units, power).into()),
        ])
    };
    let empires = Section::new(Audience::Everyone, &EMPIRES).with(
        "empires",
        Fact::list(game.known_powers().into_iter().map(empire)),
    );
    let own = |power: Power| {
        let colonies: Vec<Province> = state.colonies_of(power).collect();
        let facts = [
            ("power", power.into()),
            ("colonies", by_name(game.map(), &colonies)),
        ];
        (!colonies.is_empty()).then(|| Fact::record(facts))
    };
    let colonies: Vec<Fact> = game.known_powers().into_iter().filter_map(own).collect();
    let colonies = (!colonies.is_empty())
        .then(|| Section::new(Audience::Everyone, &COLONIES).with("empires", colonies));
    [Some(empires), colonies].into_iter().flatten().collect()
}

/// Provinces in the order of their names.
fn by_name(map: &Map, provinces: &[Province]) -> Fact {
    let mut places: Vec<Location> = provinces.iter().copied().map(Location::from).collect();
    places.sort_by_key(|place| map.full_name(*place));
    Fact::list(places)
}

/// The names chosen so far at a forming table.
pub(super) fn forming_tables(game: &ToldGame<'_>) -> Vec<Section> {
    let chosen = names::chosen(game);
    let empires = chosen.into_iter().map(|empire| {
        Fact::record([
            (
                "code",
                Fact::text(Audience::Everyone, empire.code.to_string()),
            ),
            ("name", Fact::text(Audience::Everyone, empire.name)),
        ])
    });
    let empires: Vec<Fact> = empires.collect();
    let section = (!empires.is_empty())
        .then(|| Section::new(Audience::Everyone, &SO_FAR).with("empires", empires));
    section.into_iter().collect()
}

/// What the end of a turn brought, if it followed the phase last adjudicated.
pub(super) fn news(game: &ToldGame<'_>) -> Vec<Section> {
    let state = game.state(&OuterSpace);
    if state.news.number != game.number() {
        return Vec::new();
    }
    let attempts: Vec<Fact> = state.news.attempts.iter().map(attempt).collect();
    let eliminated = state.news.eliminated.iter().map(|(power, freed)| {
        Fact::record([
            ("power", (*power).into()),
            ("freed", by_name(game.map(), freed)),
        ])
    });
    let eliminated: Vec<Fact> = eliminated.collect();
    let attempts = (!attempts.is_empty())
        .then(|| Section::new(Audience::Everyone, &COLONIZATION).with("attempts", attempts));
    let eliminated = (!eliminated.is_empty())
        .then(|| Section::new(Audience::Everyone, &ELIMINATED).with("empires", eliminated));
    [attempts, eliminated].into_iter().flatten().collect()
}

fn attempt(attempted: &Attempted) -> Fact {
    let power = attempted.power;
    let mut facts = vec![
        ("power", power.into()),
        ("province", Location::from(attempted.province).into()),
    ];
    facts.extend(match &attempted.result {
        Colonized::Done(before) => vec![
            ("result", "colonized".into()),
            ("before", (*before).into()),
            ("again", (*before == Some(power)).into()),
        ],
        Colonized::Occupied(by) => vec![("result", "occupied".into()), ("by", (*by).into())],
        Colonized::Contested(rivals) => vec![
            ("result", "contested".into()),
            ("rivals", Fact::list(rivals.iter().copied())),
        ],
        Colonized::Dislodged => vec![("result", "dislodged".into())],
    });
    Fact::Record(facts.into_iter().collect())
}
