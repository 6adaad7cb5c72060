//! What happened, what single seats are told and what units are, each as a fact for the words of a section.

use std::collections::BTreeMap;

use super::JESTER;
use super::board::Board;
use super::news::{FailedDistraction, LostUnit, News, PrivateNews, TardisTravel};
use super::order_text;
use super::orders::Source;
use super::rings::Round;
use super::state::fraction;
use super::state::{Drawn, Tardis};
use dipjudge_game::{Audience, Fact};
use dipjudge_rules::map::{Location, Power, Province};

/// A text that all readers of a section may have.
fn public(text: impl Into<String>) -> Fact {
    Fact::text(Audience::Everyone, text)
}

/// A name that the words ask for, as the types spell it in data.
fn name(of: impl serde::Serialize) -> Fact {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(name)) => public(name),
        _ => Fact::None,
    }
}

pub(super) fn of_lost(lost: &LostUnit) -> Fact {
    Fact::record([
        ("unit", lost.unit.into()),
        ("kind", public(lost.unit.kind.to_string())),
        ("how", name(lost.how)),
        ("soul", lost.soul.into()),
    ])
}

pub(super) fn of_draw(draw: &Drawn) -> Fact {
    Fact::record([
        ("label", public(&draw.label)),
        ("count", draw.options.len().into()),
        ("options", public(draw.options.join(" "))),
        ("result", public(&draw.result)),
    ])
}

pub(super) fn place(place: Province) -> Fact {
    Fact::Place(Location::from(place))
}

pub(super) fn places<'p>(all: impl IntoIterator<Item = &'p Province>) -> Fact {
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

pub(super) fn of_tardis(tardis: Tardis) -> Fact {
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
            order,
        } => vec![
            ("what", "changed".into()),
            ("unit", (*unit).into()),
            ("by", source(*by).into()),
            ("because", (*because).into()),
            ("told", public(order_text::text(board, order))),
        ],
        News::NoDistraction(female, why) => vec![
            ("what", "no-distraction".into()),
            ("unit", (*female).into()),
            (
                "other",
                match why {
                    FailedDistraction::Exposed => Fact::None,
                    FailedDistraction::Another(other) => (*other).into(),
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
        } => travelled(*from, *to, how, by_jester.then_some(JESTER)),
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
                Fact::list(accepted.iter().flatten().map(public)),
            ),
            ("accounts", of_accounts(accounts)),
        ],
        News::Asked(text) => vec![
            ("what", "asked".into()),
            ("text", text.as_ref().map(public).into()),
        ],
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

fn travelled(
    from: Tardis,
    to: Tardis,
    how: &TardisTravel,
    jester: Option<Power>,
) -> Vec<(&'static str, Fact)> {
    let (name, units, meant) = match how {
        TardisTravel::Held(units) => ("held", units.clone(), None),
        TardisTravel::Freed(units) => ("freed", units.clone(), None),
        TardisTravel::Left => ("left", Vec::new(), None),
        TardisTravel::Landed => ("landed", Vec::new(), None),
        TardisTravel::Astray(meant) => ("astray", Vec::new(), Some(*meant)),
        TardisTravel::Carried(unit) => ("carried", vec![*unit], None),
        TardisTravel::NotCarried(unit) => ("not-carried", vec![*unit], None),
        TardisTravel::NotFromSpace(meant) => ("not-from-space", Vec::new(), Some(*meant)),
    };
    vec![
        ("what", "tardis".into()),
        ("from", of_tardis(from)),
        ("to", of_tardis(to)),
        ("how", name.into()),
        ("units", Fact::list(units)),
        ("meant", meant.map_or(Fact::None, place)),
        ("jester", jester.into()),
    ]
}

pub(super) fn of_link(link: Option<(Province, Province)>) -> Fact {
    places(link.iter().flat_map(|(a, b)| [a, b]))
}

fn of_vote((seat, a, b): &(Power, Province, Province)) -> Fact {
    Fact::record([("power", (*seat).into()), ("places", places([a, b]))])
}

pub(super) fn of_accounts(accounts: &BTreeMap<Power, u32>) -> Fact {
    let some = accounts.iter().filter(|(_, parts)| **parts > 0);
    let account = |(seat, parts): (&Power, &u32)| {
        Fact::record([
            ("power", (*seat).into()),
            ("units", public(fraction(*parts))),
        ])
    };
    some.map(account).collect::<Vec<_>>().into()
}

/// What a unit is beyond its kind.
pub(super) fn of_traits(board: &Board<'_>, id: dipjudge_rules::position::UnitId) -> Fact {
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
pub(super) fn of_private(board: &Board<'_>, what: &PrivateNews) -> Fact {
    let fields: Vec<(&'static str, Fact)> = match what {
        PrivateNews::Placed(spaces) => vec![("what", "placed".into()), ("places", places(spaces))],
        PrivateNews::Replaced { unit, order } => vec![
            ("what", "replaced".into()),
            ("unit", (*unit).into()),
            ("told", public(order_text::text(board, order))),
        ],
        PrivateNews::Overruled => vec![("what", "overruled".into())],
        PrivateNews::NotForeseen(at) => vec![("what", "not-foreseen".into()), ("at", place(*at))],
        PrivateNews::NotExploded(at) => vec![("what", "not-exploded".into()), ("at", place(*at))],
        PrivateNews::NotSold(unit) => vec![("what", "not-sold".into()), ("unit", (*unit).into())],
        PrivateNews::Failed(sentence) => {
            vec![("what", "failed".into()), ("sentence", public(sentence))]
        }
    };
    Fact::Record(fields.into_iter().collect())
}
