//! Why an order is not legal.

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, PowerInfo, Province, UnitKind};
use crate::position::NamedUnit;

/// Why an order is not legal. [`Illegal::sentence`] explains it to a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Illegal {
    /// There is no unit in the province, or none of the kind that was named.
    NothingThere(Option<UnitKind>, Province),
    /// The unit does not belong to this power.
    NotYours(NamedUnit, Power),
    /// The order names another kind than that of the unit.
    WrongKind(NamedUnit, UnitKind),
    /// The phase has no such orders.
    WrongPhase(NamedUnit),
    /// The unit cannot get there: the place is not adjacent, its own province, of the wrong terrain or coast, and no convoy is
    /// possible.
    CannotReach(NamedUnit, Location),
    /// The fleet can reach several coasts of the province, and the order names none (DATC 6.B.1).
    CoastNeeded(NamedUnit, Province),
    /// The power's units may not enter the province ([`ProvinceInfo::only`](crate::map::ProvinceInfo::only)).
    Closed(NamedUnit, Province),
    /// The route of a convoy contains this province, which is not a sea, has no fleet, or is not adjacent to the one before it.
    BrokenRoute(NamedUnit, Province),
    /// The unit was ordered to go by convoy but is a fleet.
    CannotBeConvoyed(NamedUnit),
    /// The unit supports itself.
    SupportsItself(NamedUnit),
    /// The unit itself could not move to the province in which it is to support another one.
    CannotReachToSupport(NamedUnit, Province),
    /// The first unit is to support a move of the second that is impossible.
    SupportedCannotReach(NamedUnit, NamedUnit, Province),
    /// The unit is not a fleet at sea.
    CannotConvoy(NamedUnit),
    /// The fleet cannot be part of a convoy from the first province to the second.
    CannotConvoyBetween(NamedUnit, Province, Province),
    /// The unit was not dislodged.
    NotDislodged(NamedUnit),
    /// The unit cannot retreat there: the place is not adjacent, occupied, the province from which the attacker came, or one
    /// in which there was a stand-off.
    CannotRetreat(NamedUnit, Location),
    /// The power has no build left.
    NoBuilds(Power),
    /// The power need not remove another unit.
    NoRemovals(Power),
    /// There is a unit in the province of the build.
    Occupied(Province),
    /// The province is not a supply center.
    NoCenter(Province),
    /// The power does not own the center.
    NotOwned(Province, Power),
    /// The center is not a home center of the power.
    NotHome(Province, Power),
    /// The unit cannot be there: a fleet inland, or a coast that is missing or does not exist.
    CannotStand(UnitKind, Location),
    /// The province was named by an earlier order of the phase.
    Already(Province),
    /// The power has no unit in the province to remove.
    NoUnitToRemove(Province, Power),
    /// The variant does not let the power waive builds.
    CannotWaive(Power),
    /// A reason of a variant, as a whole sentence.
    Other(String),
}

impl Illegal {
    /// The reason as a whole sentence in English, with names in full: `The army in Paris can't get to Warsaw.` `roster` are the
    /// powers of the game, by index; in a game of the map's own powers they are [`Map::powers`].
    #[must_use]
    pub fn sentence(&self, map: &Map, roster: &[PowerInfo]) -> String {
        let names = FullNames { map, roster };
        match self {
            Self::NothingThere(None, at) => format!("There is no unit in {}.", names.province(*at)),
            Self::NothingThere(Some(what), at) => {
                format!(
                    "There is no {} in {}.",
                    names.kind(*what),
                    names.province(*at)
                )
            }
            Self::NotYours(unit, Power::NEUTRAL) => format!("{} is not neutral.", names.unit(unit)),
            Self::NotYours(unit, who) => {
                format!(
                    "The {} in {} does not belong to {}.",
                    names.kind(unit.kind),
                    map.full_name(unit.at),
                    names.power(who)
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
                "{} cannot be given that order in this phase.",
                names.unit(unit)
            ),
            Self::CannotReach(unit, to) => {
                format!(
                    "{} cannot reach {}.",
                    names.unit(unit),
                    the(&map.full_name(*to))
                )
            }
            Self::CoastNeeded(unit, to) => {
                format!(
                    "{} can reach two coasts of {}: name one, such as Spa/nc.",
                    names.unit(unit),
                    names.province(*to)
                )
            }
            Self::Closed(unit, to) => {
                format!("{} cannot enter {}.", names.unit(unit), names.province(*to))
            }
            Self::BrokenRoute(unit, sea) => {
                format!(
                    "{} cannot be convoyed through {}: a convoy route names seas only. Two steps over land take two turns.",
                    names.unit(unit),
                    the(&names.province(*sea))
                )
            }
            Self::CannotBeConvoyed(unit) => format!("{} cannot be convoyed.", names.unit(unit)),
            Self::SupportsItself(unit) => format!("{} cannot support itself.", names.unit(unit)),
            Self::CannotReachToSupport(unit, to) => {
                format!(
                    "{} cannot support into {}: it could not move there itself.",
                    names.unit(unit),
                    the(&names.province(*to))
                )
            }
            Self::SupportedCannotReach(_, supported, to) => {
                format!(
                    "{} cannot reach {}, so there is no move to support.",
                    names.unit(supported),
                    the(&names.province(*to))
                )
            }
            Self::CannotConvoy(unit) => format!("{} cannot convoy anything.", names.unit(unit)),
            Self::CannotConvoyBetween(unit, from, to) => {
                format!(
                    "{} cannot convoy from {from} to {to}: no chain of fleets leads over it from the one to the other.",
                    names.unit(unit),
                    from = names.province(*from),
                    to = names.province(*to)
                )
            }
            Self::NotDislodged(unit) => format!("{} was not dislodged.", names.unit(unit)),
            Self::CannotRetreat(unit, to) => {
                format!(
                    "{} cannot retreat to {}.",
                    names.unit(unit),
                    map.full_name(*to)
                )
            }
            Self::NoBuilds(who) => {
                format!("{} has no builds this Winter.", names.power(who))
            }
            Self::NoRemovals(who) => {
                format!("{} has nothing to remove this Winter.", names.power(who))
            }
            Self::Occupied(at) => format!(
                "{} is occupied, so nothing can be built there.",
                names.province(*at)
            ),
            Self::NoCenter(at) => format!("{} is not a supply center.", names.province(*at)),
            Self::NotOwned(at, who) => {
                format!("{} does not own {}.", names.power(who), names.province(*at))
            }
            Self::NotHome(at, who) => {
                format!(
                    "{} is not a home center of {}, so you cannot build there.",
                    names.province(*at),
                    names.power(who)
                )
            }
            Self::CannotStand(what, at) => {
                let kind = names.kind(*what);
                format!(
                    "There cannot be {} {kind} in {}: check the coast.",
                    article(&kind),
                    map.full_name(*at)
                )
            }
            Self::Already(at) => format!(
                "You have already ordered something for {}.",
                names.province(*at)
            ),
            Self::NoUnitToRemove(at, who) => {
                format!(
                    "{} has no unit in {} to remove.",
                    names.power(who),
                    names.province(*at)
                )
            }
            Self::CannotWaive(who) => format!("{} cannot waive builds.", names.power(who)),
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

/// The article before a noun: `a fleet`, `an army`.
pub fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

/// The name with an article if it is that of a sea or gulf.
fn the(name: &str) -> String {
    let sea = ["Sea", "Ocean", "Channel", "Bight", "Mediterranean"];
    if name.starts_with("Gulf") || sea.iter().any(|word| name.ends_with(word)) {
        format!("the {name}")
    } else {
        name.to_owned()
    }
}
