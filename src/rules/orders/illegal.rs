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
        let names = FullNames { map, roster };
        match self {
            Self::NothingThere(None, at) => format!("No unit present in {}.", names.province(*at)),
            Self::NothingThere(Some(what), at) => {
                format!(
                    "No {} present in {}.",
                    names.kind(*what),
                    names.province(*at)
                )
            }
            Self::NotYours(unit, Power::NEUTRAL) => format!("{} is not neutral.", names.unit(unit)),
            Self::NotYours(unit, who) => {
                format!(
                    "{} doesn't own the {} in {}.",
                    names.power(who),
                    names.kind(unit.kind),
                    map.full_name(unit.at)
                )
            }
            Self::WrongKind(unit, said) => {
                let (is, said) = (names.kind(unit.kind), names.kind(*said));
                format!(
                    "The unit in {} is {} {is}, not {} {said}.",
                    map.full_name(unit.at),
                    article(&is),
                    article(&said)
                )
            }
            Self::WrongPhase(unit) => format!(
                "{} cannot be given such an order in this phase.",
                names.unit(unit)
            ),
            Self::CannotReach(unit, to) => {
                format!("{} can't get to {}.", names.unit(unit), map.full_name(*to))
            }
            Self::CoastNeeded(unit, to) => {
                format!(
                    "{} can get to more than one coast of {}: say which.",
                    names.unit(unit),
                    names.province(*to)
                )
            }
            Self::Closed(unit, to) => format!(
                "{} may not enter {}.",
                names.unit(unit),
                names.province(*to)
            ),
            Self::BrokenRoute(unit, sea) => {
                format!(
                    "{} can't convoy through {}.",
                    names.unit(unit),
                    the(&names.province(*sea))
                )
            }
            Self::CannotBeConvoyed(unit) => format!("{} cannot be convoyed.", names.unit(unit)),
            Self::SupportsItself(unit) => format!("{} can't support itself.", names.unit(unit)),
            Self::CannotReachToSupport(unit, to) => {
                format!(
                    "{} can't get to {} to support.",
                    names.unit(unit),
                    names.province(*to)
                )
            }
            Self::SupportedCannotReach(_, supported, to) => {
                format!(
                    "{} can't get to {}, so no support for that is possible.",
                    names.unit(supported),
                    names.province(*to)
                )
            }
            Self::CannotConvoy(unit) => format!("{} can't convoy anything.", names.unit(unit)),
            Self::CannotConvoyBetween(unit, from, to) => {
                format!(
                    "{} can't convoy from {} to {}.",
                    names.unit(unit),
                    names.province(*from),
                    names.province(*to)
                )
            }
            Self::NotDislodged(unit) => format!("{} was not dislodged.", names.unit(unit)),
            Self::CannotRetreat(unit, to) => {
                format!(
                    "{} can't retreat to {}.",
                    names.unit(unit),
                    map.full_name(*to)
                )
            }
            Self::NoBuilds(who) => {
                format!("{} is not permitted to build any units.", names.power(who))
            }
            Self::NoRemovals(who) => {
                format!("{} is not permitted to remove any units.", names.power(who))
            }
            Self::Occupied(at) => format!("{} already has a unit present.", names.province(*at)),
            Self::NoCenter(at) => format!("{} is not a supply center.", names.province(*at)),
            Self::NotOwned(at, who) => format!(
                "{} does not control {}.",
                names.power(who),
                names.province(*at)
            ),
            Self::NotHome(at, who) => {
                format!(
                    "{} is not a home province for {}.",
                    names.province(*at),
                    names.power(who)
                )
            }
            Self::CannotStand(what, at) => {
                format!(
                    "Invalid coast specified for {} in {}.",
                    names.kind(*what),
                    map.full_name(*at)
                )
            }
            Self::Already(at) => format!("{} is already marked.", names.province(*at)),
            Self::NoUnitToRemove(at, who) => {
                format!(
                    "{} does not own a unit in {} to remove.",
                    names.power(who),
                    names.province(*at)
                )
            }
            Self::CannotWaive(who) => format!("{} may not waive builds.", names.power(who)),
            Self::Other(sentence) => sentence.clone(),
        }
    }
}

/// Names in full, as sentences have them.
struct FullNames<'m> {
    map: &'m Map,
    roster: &'m [PowerInfo],
}

impl FullNames<'_> {
    fn province(&self, province: Province) -> String {
        self.map.full_name(province.into())
    }

    fn kind(&self, kind: UnitKind) -> String {
        match self.map.kind(kind) {
            Some(info) => info.name.to_lowercase(),
            None => kind.to_string(),
        }
    }

    /// `The army in Paris`, at the beginning of a sentence.
    fn unit(&self, unit: &NamedUnit) -> String {
        format!(
            "The {} in {}",
            self.kind(unit.kind),
            self.map.full_name(unit.at)
        )
    }

    fn power(&self, power: &Power) -> &str {
        let info = power.index().and_then(|index| self.roster.get(index));
        info.map_or("Nobody", |info| info.name.as_str())
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
