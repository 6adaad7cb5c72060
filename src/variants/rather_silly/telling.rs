//! What happened in the steps of a phase, and how things stand, as facts for the report and the tables. Their words lie in
//! `mailtemplates/rather-silly/`.

use std::collections::BTreeMap;

use super::board::Board;
use super::interchange::fraction;
use super::news::{Lost, News, NotInForce, Private, Step, Travel};
use super::orders::Source;
use super::printed;
use super::rings::Round;
use super::state::{Borg, Drawn, State, Tardis};
use super::{JESTER, MONSTERS};
use crate::game::{Access, Audience, Fact, Game, Section};
use crate::map::{Location, Power, Province};
use crate::planted::{Leak, planted};
use crate::view::{Words, words};

/// All words of this variant.
pub(super) static WORDS: &[&Words] = &[
    &HERDS,
    &MOVES,
    &MERGING,
    &SOULS_DOWN,
    &SOULS_SOLD,
    &BORG,
    &LLAMAS,
    &RETREATS,
    &ARRIVALS,
    &ADJUSTMENTS,
    &QUESTION,
    &LINK,
    &ASKED,
    &DRAWS,
    &PRIVATE,
    &STANDING,
    &OWN_HERDS,
];
static HERDS: Words = words!("rather-silly/herds.md");
static MOVES: Words = words!("rather-silly/moves.md");
static MERGING: Words = words!("rather-silly/merging.md");
static SOULS_DOWN: Words = words!("rather-silly/souls-down.md");
static SOULS_SOLD: Words = words!("rather-silly/souls-sold.md");
static BORG: Words = words!("rather-silly/borg.md");
static LLAMAS: Words = words!("rather-silly/llamas.md");
static RETREATS: Words = words!("rather-silly/retreats.md");
static ARRIVALS: Words = words!("rather-silly/arrivals.md");
static ADJUSTMENTS: Words = words!("rather-silly/adjustments.md");
static QUESTION: Words = words!("rather-silly/question.md");
static LINK: Words = words!("rather-silly/link.md");
/// The question of the season.
static ASKED: Words = words!("rather-silly/asked.md");
/// What was drawn in all steps of a phase.
static DRAWS: Words = words!("rather-silly/draws.md");
/// What one seat alone is told.
static PRIVATE: Words = words!("rather-silly/private.md");
/// How things stand beside the units.
static STANDING: Words = words!("rather-silly/standing.md");
/// A power's own herds.
static OWN_HERDS: Words = words!("rather-silly/own-herds.md");

/// The words of a step by its number.
fn words_of(step: u8) -> &'static Words {
    match step {
        0 => &HERDS,
        1 => &MOVES,
        2 => &MERGING,
        3 => &SOULS_DOWN,
        4 => &SOULS_SOLD,
        5 => &BORG,
        6 => &LLAMAS,
        7 => &RETREATS,
        8 => &ARRIVALS,
        9 => &ADJUSTMENTS,
        10 => &QUESTION,
        _ => &LINK,
    }
}

/// The steps of the phase that was adjudicated last, each with what its readers are told of it.
pub(super) fn report(game: &Game) -> Vec<Section> {
    let now = Board::of(game);
    let (state, board) = (&now.state, now.at_start());
    let steps = state.steps.iter().map(|step| section(&board, step));
    let mut sections: Vec<Section> = steps.collect();
    let draws = state.steps.iter().flat_map(|step| &step.drew);
    let draws: Vec<Fact> = draws.map(of_draw).collect();
    if !draws.is_empty() {
        sections.push(Section::new(&DRAWS).with("draws", draws));
    }
    sections.extend(asked(state));
    sections.extend(private(&board, &state.steps));
    sections.push(standing(&now));
    sections
}

fn section(board: &Board<'_>, step: &Step) -> Section {
    let news = step
        .news
        .iter()
        .filter(|news| !matches!(news, News::Asked(_)));
    let news = news.map(|news| of_news(board, news));
    Section::new(words_of(step.number))
        .with("news", news.collect::<Vec<_>>())
        .with("lost", step.lost.iter().map(of_lost).collect::<Vec<_>>())
}

/// The question of the season, with the report of its moves.
fn asked(state: &State) -> Option<Section> {
    let mut news = state.steps.iter().flat_map(|step| &step.news);
    let text = news.find_map(|news| match news {
        News::Asked(text) => Some(text),
        _ => None,
    })?;
    let accepted = state.question.as_ref().filter(|_| planted(Leak::Accepted));
    let accepted = accepted.map(|question| question.accepted.iter().map(ToString::to_string));
    let words: Vec<String> = text
        .iter()
        .cloned()
        .chain(accepted.into_iter().flatten())
        .collect();
    let text = (!words.is_empty()).then(|| words.join(" "));
    Some(Section::new(&ASKED).with("text", text))
}

/// What single seats are told, to each a section of its own.
fn private(board: &Board<'_>, steps: &[Step]) -> Vec<Section> {
    let mut all: BTreeMap<Power, Vec<Fact>> = BTreeMap::new();
    let mut everybodys = Vec::new();
    for (seat, what) in steps.iter().flat_map(|step| &step.private) {
        match is_leaked(what) {
            true => everybodys.push(of_private(board, what)),
            false => all.entry(*seat).or_default().push(of_private(board, what)),
        }
    }
    let section = |told: Vec<Fact>| Section::new(&PRIVATE).with("private", told);
    let leaked = (!everybodys.is_empty()).then(|| section(everybodys));
    let own = all
        .into_iter()
        .map(|(seat, told)| section(told).to(Audience::Power(seat)));
    own.chain(leaked).collect()
}

/// Whether a planted leak tells everybody what one seat alone is told.
fn is_leaked(what: &Private) -> bool {
    match what {
        Private::Placed(_) => planted(Leak::Herds),
        Private::Replaced { .. } => planted(Leak::Replaced),
        Private::NotForeseen(_) => planted(Leak::Prediction),
        Private::NotExploded(_) => planted(Leak::Unfired),
        _ => false,
    }
}

/// A name that the words ask for, as the types spell it in data.
fn name(of: impl serde::Serialize) -> Fact {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(name)) => Fact::Text(name),
        _ => Fact::None,
    }
}

fn of_lost(lost: &Lost) -> Fact {
    Fact::record([
        ("unit", lost.unit.into()),
        ("kind", lost.unit.kind.to_string().into()),
        ("how", name(lost.how)),
        ("soul", lost.soul.into()),
    ])
}

fn of_draw(draw: &Drawn) -> Fact {
    Fact::record([
        ("label", draw.label.as_str().into()),
        ("count", draw.options.len().into()),
        ("options", draw.options.join(" ").into()),
        ("result", draw.result.as_str().into()),
    ])
}

fn place(place: Province) -> Fact {
    Fact::Place(Location::from(place))
}

fn places<'p>(all: impl IntoIterator<Item = &'p Province>) -> Fact {
    Fact::list(all.into_iter().map(|at| Location::from(*at)))
}

fn of_rounds(rounds: &[Round]) -> Fact {
    let count = |(at, count): &(Province, usize)| {
        Fact::record([("place", place(*at)), ("count", (*count).into())])
    };
    let round = |round: &Round| {
        Fact::record([
            ("ring", round.ring.into()),
            (
                "counts",
                round.counts.iter().map(count).collect::<Vec<_>>().into(),
            ),
        ])
    };
    rounds.iter().map(round).collect::<Vec<_>>().into()
}

fn of_tardis(tardis: Tardis) -> Fact {
    match tardis {
        Tardis::At(at) => place(at),
        _ => Fact::None,
    }
}

/// One piece of news: `what` it is, and what belongs to it.
pub(super) fn of_news(board: &Board<'_>, news: &News) -> Fact {
    let fields: Vec<(&'static str, Fact)> = match news {
        News::Changed {
            unit,
            by,
            because,
            told,
        } => vec![
            ("what", "changed".into()),
            ("unit", (*unit).into()),
            ("by", source(*by).into()),
            ("because", (*because).into()),
            ("told", printed::text(board, told).into()),
        ],
        News::NoDistraction(female, why) => vec![
            ("what", "no-distraction".into()),
            ("unit", (*female).into()),
            (
                "other",
                match why {
                    NotInForce::Exposed => Fact::None,
                    NotInForce::Another(other) => (*other).into(),
                },
            ),
        ],
        News::Hunt { group, to, rounds } => vec![
            ("what", "hunt".into()),
            ("unit", (*group).into()),
            ("to", to.map(Location::from).map_or(Fact::None, Fact::Place)),
            ("rounds", of_rounds(rounds)),
        ],
        News::Flew { flock, to } => vec![
            ("what", "flew".into()),
            ("unit", (*flock).into()),
            ("to", place(*to)),
        ],
        News::Carried {
            army,
            flock,
            at,
            why,
        } => vec![
            ("what", "carried".into()),
            ("unit", (*army).into()),
            ("flock", (*flock).into()),
            ("at", place(*at)),
            ("why", why.map_or(Fact::None, name)),
        ],
        News::NoLift(unit) => vec![("what", "no-lift".into()), ("unit", (*unit).into())],
        News::Shooed(zone) => vec![("what", "shooed".into()), ("places", places(zone))],
        News::NoConvoy(unit) => vec![("what", "no-convoy".into()), ("unit", (*unit).into())],
        News::MustLeave { female, victim } => vec![
            ("what", "must-leave".into()),
            ("unit", (*female).into()),
            ("victim", (*victim).into()),
        ],
        News::Driven(flock) => vec![("what", "driven".into()), ("unit", (*flock).into())],
        News::Travelled {
            from,
            to,
            how,
            by_jester,
        } => travelled(*from, *to, how, *by_jester),
        News::Exorcised(unit) => vec![("what", "exorcised".into()), ("unit", (*unit).into())],
        News::Merged {
            merged,
            units,
            strength,
        } => vec![
            ("what", "merged".into()),
            ("unit", (*merged).into()),
            ("units", Fact::list(units.iter().copied())),
            ("strength", (*strength).into()),
        ],
        News::RanDown(unit, left) => vec![
            ("what", "ran-down".into()),
            ("unit", (*unit).into()),
            ("left", u32::from(*left).into()),
        ],
        News::Sold(unit) => vec![("what", "sold".into()), ("unit", (*unit).into())],
        News::Borg { from, to, rounds } => vec![
            ("what", "borg".into()),
            (
                "from",
                from.map(Location::from).map_or(Fact::None, Fact::Place),
            ),
            ("to", place(*to)),
            ("stays", (*from == Some(*to)).into()),
            ("rounds", of_rounds(rounds)),
        ],
        News::Exploded { owner, at } => vec![
            ("what", "exploded".into()),
            ("owner", (*owner).into()),
            ("at", place(*at)),
        ],
        News::Fled { group, to, rounds } => vec![
            ("what", "fled".into()),
            ("unit", (*group).into()),
            ("to", place(*to)),
            ("rounds", of_rounds(rounds)),
        ],
        News::Arrived(unit) => vec![("what", "arrived".into()), ("unit", (*unit).into())],
        News::Owned {
            center,
            before,
            now,
        } => vec![
            ("what", "owned".into()),
            ("at", place(*center)),
            ("before", (*before).into()),
            ("now", (*now).into()),
        ],
        News::Built(unit) => vec![
            ("what", "built".into()),
            ("unit", (*unit).into()),
            ("traits", of_traits(board, unit.id)),
        ],
        News::BuiltFree(unit) => vec![
            ("what", "built-free".into()),
            ("unit", (*unit).into()),
            ("traits", of_traits(board, unit.id)),
        ],
        News::Answered {
            right,
            accepted,
            accounts,
        } => vec![
            ("what", "answered".into()),
            ("right", Fact::list(right.iter().copied())),
            ("asked", accepted.is_some().into()),
            (
                "accepted",
                Fact::list(accepted.iter().flatten().map(String::as_str)),
            ),
            ("accounts", of_accounts(accounts)),
        ],
        News::Asked(text) => vec![("what", "asked".into()), ("text", text.as_deref().into())],
        News::Linked { link, votes } => vec![
            ("what", "linked".into()),
            ("ends", of_link(*link)),
            (
                "votes",
                votes.iter().map(of_vote).collect::<Vec<_>>().into(),
            ),
        ],
        News::Points(points) => vec![("what", "points".into()), ("points", (*points).into())],
    };
    Fact::Record(fields.into_iter().collect())
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Owner => "owner",
        Source::Jester => "jester",
        Source::Bigotry => "bigotry",
        Source::Distracted => "distracted",
        Source::Siamese => "siamese",
        Source::Judge => "judge",
    }
}

fn travelled(from: Tardis, to: Tardis, how: &Travel, by_jester: bool) -> Vec<(&'static str, Fact)> {
    let (name, units, meant) = match how {
        Travel::Held(units) => ("held", units.clone(), None),
        Travel::Freed(units) => ("freed", units.clone(), None),
        Travel::Left => ("left", Vec::new(), None),
        Travel::Landed => ("landed", Vec::new(), None),
        Travel::Astray(meant) => ("astray", Vec::new(), Some(*meant)),
        Travel::Carried(unit) => ("carried", vec![*unit], None),
        Travel::NotCarried(unit) => ("not-carried", vec![*unit], None),
        Travel::NotFromSpace(meant) => ("not-from-space", Vec::new(), Some(*meant)),
    };
    vec![
        ("what", "tardis".into()),
        ("from", of_tardis(from)),
        ("to", of_tardis(to)),
        ("how", name.into()),
        ("units", Fact::list(units)),
        ("meant", meant.map_or(Fact::None, place)),
        ("jester", by_jester.then_some(JESTER).into()),
    ]
}

fn of_link(link: Option<(Province, Province)>) -> Fact {
    places(link.iter().flat_map(|(a, b)| [a, b]))
}

fn of_vote((seat, a, b): &(Power, Province, Province)) -> Fact {
    Fact::record([("power", (*seat).into()), ("places", places([a, b]))])
}

fn of_accounts(accounts: &BTreeMap<Power, u32>) -> Fact {
    let some = accounts.iter().filter(|(_, parts)| **parts > 0);
    let account = |(seat, parts): (&Power, &u32)| {
        Fact::record([
            ("power", (*seat).into()),
            ("units", fraction(*parts).into()),
        ])
    };
    some.map(account).collect::<Vec<_>>().into()
}

/// What a unit is beyond its kind.
fn of_traits(board: &Board<'_>, id: crate::position::UnitId) -> Fact {
    let traits = board.traits(id);
    Fact::record([
        ("n", traits.n.into()),
        ("gay", traits.gay.into()),
        ("siamese", traits.siamese.into()),
        ("free", traits.free.into()),
        ("soul", u32::from(traits.soul).into()),
    ])
}

/// Something that one seat alone is told.
pub(super) fn of_private(board: &Board<'_>, what: &Private) -> Fact {
    let fields: Vec<(&'static str, Fact)> = match what {
        Private::Placed(spaces) => vec![("what", "placed".into()), ("places", places(spaces))],
        Private::Replaced { unit, told } => vec![
            ("what", "replaced".into()),
            ("unit", (*unit).into()),
            ("told", printed::text(board, told).into()),
        ],
        Private::Overruled => vec![("what", "overruled".into())],
        Private::NotForeseen(at) => vec![("what", "not-foreseen".into()), ("at", place(*at))],
        Private::NotExploded(at) => vec![("what", "not-exploded".into()), ("at", place(*at))],
        Private::NotSold(unit) => vec![("what", "not-sold".into()), ("unit", (*unit).into())],
        Private::Failed(sentence) => vec![
            ("what", "failed".into()),
            ("sentence", sentence.as_str().into()),
        ],
    };
    Fact::Record(fields.into_iter().collect())
}

/// How things stand, for LIST and the opening mail: what all may know, and to each power its own herds.
pub(super) fn tables(game: &Game, access: &Access<'_>) -> Vec<Section> {
    let board = Board::of(game);
    let mut tables = vec![standing(&board)];
    for (power, herds) in board.state.herds(access) {
        let own = Section::new(&OWN_HERDS)
            .with("power", power)
            .with("places", places(&herds));
        // Whoever reads the herds of others is no player.
        tables.push(match access.reader() {
            Some(crate::view::Viewer::Power(_)) => own.to(Audience::Power(power)),
            _ => own,
        });
    }
    tables
}

/// What all may know beside the units themselves (section 6).
fn standing(board: &Board<'_>) -> Section {
    let state = &board.state;
    let special = board
        .units()
        .filter(|unit| state.traits.contains_key(&unit.id));
    let special = special.map(|unit| {
        Fact::record([
            ("unit", (*unit).into()),
            ("traits", of_traits(board, unit.id)),
        ])
    });
    let borg = match state.borg {
        Borg::At(at) => place(at),
        _ => Fact::None,
    };
    let monsters = board.units().filter(|unit| unit.power == MONSTERS);
    let lost = state.lost_souls.iter().filter(|(_, lost)| **lost > 0);
    let lost = lost
        .map(|(seat, lost)| Fact::record([("power", (*seat).into()), ("souls", (*lost).into())]));
    Section::new(&STANDING)
        .with("special", special.collect::<Vec<_>>())
        .with("borg", borg)
        .with("due", state.borg == Borg::Due)
        .with("monsters", Fact::list(monsters.copied()))
        .with("travels", state.tardis != Tardis::None)
        .with("tardis", of_tardis(state.tardis))
        .with("link", of_link(state.link))
        .with("accounts", of_accounts(&state.accounts))
        .with("lost", lost.collect::<Vec<_>>())
        .with("points", state.points)
        .with("bonus", Fact::list(state.bonus.iter().copied()))
        .with("out", Fact::list(state.out.iter().copied()))
        .with(
            "question",
            state
                .question
                .as_ref()
                .map(|question| question.text.as_str()),
        )
}
