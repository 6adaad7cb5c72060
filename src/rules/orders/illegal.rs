//! Why an order is not legal.

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, PowerInfo, Province, UnitKind};
use crate::position::NamedUnit;

/// Why an order can be read but not be given. [`Illegal::sentence`] says it to a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Illegal {
    /// Nothing stands there; the kind that was asked for, if one was.
    NothingThere(Option<UnitKind>, Province),
    /// The unit is another power's.
    NotYours(NamedUnit, Power),
    /// Another kind of unit was named.
    WrongKind(NamedUnit, UnitKind),
    /// Such an order has no meaning in this phase.
    WrongPhase(NamedUnit),
    /// Not adjacent, its own province, wrong terrain or coast, or no convoy possible.
    CannotReach(NamedUnit, Location),
    /// Two coasts are in reach and none is named.
    CoastNeeded(NamedUnit, Province),
    /// The province is closed to the power.
    Closed(NamedUnit, Province),
    /// A route leads through something that is no sea, has no fleet, or does not touch the step before.
    BrokenRoute(NamedUnit, Province),
    /// A fleet, or another unit that cannot be carried, was told to go by convoy.
    CannotBeConvoyed(NamedUnit),
    /// The unit supports itself.
    SupportsItself(NamedUnit),
    /// The supporter could not move to where its support is wanted.
    CannotReachToSupport(NamedUnit, Province),
    /// The supported unit could not make that move.
    SupportedCannotReach(NamedUnit, NamedUnit, Province),
    /// It is no fleet at sea.
    CannotConvoy(NamedUnit),
    /// The fleet cannot be part of a chain between these two.
    CannotConvoyBetween(NamedUnit, Province, Province),
    /// The unit was not dislodged.
    NotDislodged(NamedUnit),
    /// Occupied, the attacker's origin, a stand-off, or not adjacent.
    CannotRetreat(NamedUnit, Location),
    /// Builds are not due.
    NoBuilds(Power),
    /// Removals are not due.
    NoRemovals(Power),
    /// The build's province has a unit.
    Occupied(Province),
    /// The province is no supply center.
    NoCenter(Province),
    /// The center is not the power's.
    NotOwned(Province, Power),
    /// It is no home center of the power.
    NotHome(Province, Power),
    /// Such a unit cannot be there: an inland fleet, a coast that is missing or wrong.
    CannotStand(UnitKind, Location),
    /// Ordered twice in one phase.
    Already(Province),
    /// The power has no unit there to remove.
    NoUnitToRemove(Province, Power),
    /// Builds may not be waived here.
    CannotWaive(Power),
    /// A variant's reason, a whole sentence.
    Other(String),
}

impl Illegal {
    /// The reason as a whole plain sentence, names in full. `roster` names the game's powers.
    #[must_use]
    pub fn sentence(&self, map: &Map, roster: &[PowerInfo]) -> String {
        let name = |province: Province| map.full_name(province.into());
        let kind = |kind: UnitKind| {
            map.kind(kind)
                .map_or_else(|| kind.to_string(), |info| info.name.to_lowercase())
        };
        let party =
            |party: &NamedUnit| format!("The {} in {}", kind(party.kind), map.full_name(party.at));
        let power = |power: &Power| {
            let info = power.index().and_then(|index| roster.get(index));
            info.map_or("Nobody", |info| info.name.as_str()).to_owned()
        };
        match self {
            Self::NothingThere(None, at) => format!("No unit present in {}.", name(*at)),
            Self::NothingThere(Some(what), at) => {
                format!("No {} present in {}.", kind(*what), name(*at))
            }
            Self::NotYours(unit, Power::NEUTRAL) => format!("{} is not neutral.", party(unit)),
            Self::NotYours(unit, who) => {
                format!(
                    "{} doesn't own the {} in {}.",
                    power(who),
                    kind(unit.kind),
                    map.full_name(unit.at)
                )
            }
            Self::WrongKind(unit, said) => {
                let (is, said) = (kind(unit.kind), kind(*said));
                format!(
                    "The unit in {} is {} {is}, not {} {said}.",
                    map.full_name(unit.at),
                    article(&is),
                    article(&said)
                )
            }
            Self::WrongPhase(unit) => format!(
                "{} cannot be given such an order in this phase.",
                party(unit)
            ),
            Self::CannotReach(unit, to) => {
                format!("{} can't get to {}.", party(unit), map.full_name(*to))
            }
            Self::CoastNeeded(unit, to) => {
                format!(
                    "{} can get to more than one coast of {}: say which.",
                    party(unit),
                    name(*to)
                )
            }
            Self::Closed(unit, to) => format!("{} may not enter {}.", party(unit), name(*to)),
            Self::BrokenRoute(unit, sea) => {
                format!("{} can't convoy through {}.", party(unit), the(&name(*sea)))
            }
            Self::CannotBeConvoyed(unit) => format!("{} cannot be convoyed.", party(unit)),
            Self::SupportsItself(unit) => format!("{} can't support itself.", party(unit)),
            Self::CannotReachToSupport(unit, to) => {
                format!("{} can't get to {} to support.", party(unit), name(*to))
            }
            Self::SupportedCannotReach(_, supported, to) => {
                format!(
                    "{} can't get to {}, so no support for that is possible.",
                    party(supported),
                    name(*to)
                )
            }
            Self::CannotConvoy(unit) => format!("{} can't convoy anything.", party(unit)),
            Self::CannotConvoyBetween(unit, from, to) => {
                format!(
                    "{} can't convoy from {} to {}.",
                    party(unit),
                    name(*from),
                    name(*to)
                )
            }
            Self::NotDislodged(unit) => format!("{} was not dislodged.", party(unit)),
            Self::CannotRetreat(unit, to) => {
                format!("{} can't retreat to {}.", party(unit), map.full_name(*to))
            }
            Self::NoBuilds(who) => format!("{} is not permitted to build any units.", power(who)),
            Self::NoRemovals(who) => {
                format!("{} is not permitted to remove any units.", power(who))
            }
            Self::Occupied(at) => format!("{} already has a unit present.", name(*at)),
            Self::NoCenter(at) => format!("{} is not a supply center.", name(*at)),
            Self::NotOwned(at, who) => format!("{} does not control {}.", power(who), name(*at)),
            Self::NotHome(at, who) => {
                format!("{} is not a home province for {}.", name(*at), power(who))
            }
            Self::CannotStand(what, at) => {
                format!(
                    "Invalid coast specified for {} in {}.",
                    kind(*what),
                    map.full_name(*at)
                )
            }
            Self::Already(at) => format!("{} is already marked.", name(*at)),
            Self::NoUnitToRemove(at, who) => {
                format!(
                    "{} does not own a unit in {} to remove.",
                    power(who),
                    name(*at)
                )
            }
            Self::CannotWaive(who) => format!("{} may not waive builds.", power(who)),
            Self::Other(sentence) => sentence.clone(),
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

/// Seas and gulfs take an article in a sentence, towns and countries do not.
fn the(name: &str) -> String {
    let sea = ["Sea", "Ocean", "Channel", "Bight", "Mediterranean"];
    if name.starts_with("Gulf") || sea.iter().any(|word| name.ends_with(word)) {
        format!("the {name}")
    } else {
        name.to_owned()
    }
}
