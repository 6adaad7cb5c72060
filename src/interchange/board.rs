//! Reads a `state` object into a position.

use dipjudge_rules::map::{Location, Map, Power, PowerInfo, Province, Travel, UnitKind};
use dipjudge_rules::notation;
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};
use dipjudge_rules::sorted_map::SortedMap;

use dipjudge_game::{Card, DataError, Game, Nobody, unreadable};

use super::input::{Retreats, Section, State};
use dipjudge_rules::calendar::PhaseKind;

/// The powers of a map as data name them. Only exact keys are read, since a file needs no leniency towards a player's words.
pub(super) struct PowerKeys<'a> {
    powers: Vec<&'a str>,
    nobody: &'static str,
}

impl<'a> PowerKeys<'a> {
    /// The powers of a map, or powers that are still to be dealt.
    pub(super) fn of(powers: &'a [PowerInfo], card: &Card) -> PowerKeys<'a> {
        PowerKeys {
            powers: powers.iter().map(|info| info.key.as_str()).collect(),
            nobody: card.nobody.key,
        }
    }

    /// Those of a game.
    pub(super) fn in_game(game: &'a Game, card: &Card) -> PowerKeys<'a> {
        PowerKeys {
            powers: game.all_powers().map(|power| game.key(power)).collect(),
            nobody: card.nobody.key,
        }
    }

    pub(super) fn power(&self, key: &str) -> Result<Power, DataError> {
        if key == Nobody::KEY || key == self.nobody {
            return Ok(Power::NEUTRAL);
        }
        let mut known = (0..u8::MAX).map(Power).zip(&self.powers);
        // Files usually have keys in capitals, as this list does, and an exact comparison is faster.
        let exact = known.clone().find(|(_, known)| **known == key);
        exact
            .or_else(|| known.find(|(_, known)| known.eq_ignore_ascii_case(key)))
            .map(|(power, _)| power)
            .ok_or_else(|| format!("No power is called `{key}`.").into())
    }

    pub(super) fn key(&self, power: Power) -> &str {
        power
            .index()
            .and_then(|index| self.powers.get(index))
            .map_or(self.nobody, |key| key)
    }

    /// The power of each key of a section.
    pub(super) fn powers(&self, section: &Section<'_>) -> Result<Vec<Power>, DataError> {
        section
            .keys
            .iter()
            .map(|key| self.power(key.as_str()))
            .collect()
    }
}

/// The owner of each center, by number of the province.
#[derive(Clone, Copy)]
pub(super) struct Owners([Option<Power>; 256]);

impl Owners {
    pub(super) fn set(&mut self, number: usize, owner: Power) {
        if let Some(place) = self.0.get_mut(number) {
            *place = Some(owner);
        }
    }

    /// Those of a position.
    pub(super) fn on(map: &Map, owners: &SortedMap<Province, Power>) -> Self {
        let mut all = Self([None; 256]);
        for (center, owner) in owners {
            if let Some(number) = map.index(*center) {
                all.set(number, *owner);
            }
        }
        all
    }

    pub(super) fn of(&self, number: usize) -> Option<Power> {
        self.0.get(number).copied().flatten()
    }

    /// Centers and owners, by province.
    pub(super) fn iter(&self, map: &Map) -> impl Iterator<Item = (Province, Power)> {
        map.centers()
            .iter()
            .filter_map(|&center| Some((center, self.of(map.index(center)?)?)))
    }
}

/// Reads the position, with its owners apart, since only adjustments use them; the error is a sentence. `phase` is the name of
/// the phase; `of_phase` decides whether anything can be dislodged.
pub(super) fn position(
    map: &Map,
    keys: &PowerKeys<'_>,
    phase: &dyn std::fmt::Display,
    of_phase: Option<PhaseKind>,
    state: &State<'_>,
) -> Result<(Position, Owners), DataError> {
    let mut position = Position::default();
    let mut taken = [false; 256];
    if let Some(units) = &state.units {
        let powers = keys.powers(units)?;
        position.units.reserve(units.entries.len());
        for (id, (key, text)) in (0u32..).zip(&units.entries) {
            let power = powers.get(*key).copied().unwrap_or(Power::NEUTRAL);
            let (dislodged, text) = match text.as_str().strip_prefix('*') {
                None => (false, text.as_str()),
                Some(rest) => (true, rest),
            };
            let (kind, at) = unit(map, text)?;
            let unit = Unit {
                id: UnitId(id),
                power,
                kind,
                at,
            };
            if dislodged {
                if of_phase != Some(PhaseKind::Retreats) {
                    return unreadable(format!(
                        "`*{text}` is dislodged, but {phase} is no retreat phase."
                    ));
                }
                position.dislodged.push(Dislodged {
                    unit,
                    attacker: None,
                    options: Vec::new(),
                });
                continue;
            }
            let number = map
                .index(at.province)
                .and_then(|number| taken.get_mut(number));
            // A unit that does not fight can share its province with any other.
            if map.kind(kind).is_none_or(|info| info.fights)
                && number.is_some_and(|taken| std::mem::replace(taken, true))
                && !map.info(at.province).is_some_and(|info| info.shared)
            {
                return unreadable(format!("Two units stand in {}.", at.province));
            }
            position.units.push(unit);
        }
    }
    let owners = match &state.centers {
        Some(centers) => owners(map, keys, centers)?,
        None => Owners([None; 256]),
    };
    if of_phase == Some(PhaseKind::Adjustments) {
        position.owners = owners.iter(map).collect();
    }
    if let (Some(PhaseKind::Retreats), Some(retreats)) = (of_phase, &state.retreats) {
        retreat_options(map, keys, retreats, &mut position)?;
    }
    Ok((position, owners))
}

fn owners(map: &Map, keys: &PowerKeys<'_>, centers: &Section<'_>) -> Result<Owners, DataError> {
    let powers = keys.powers(centers)?;
    let mut owners = Owners([None; 256]);
    for (key, text) in &centers.entries {
        let province = notation::place(map, text.as_str())
            .ok()
            .map(|at| at.province)
            .or_else(|| map.find_province(text.as_str()));
        let number = province.and_then(|province| map.index(province));
        let Some(number) =
            number.filter(|&number| map.provinces().get(number).is_some_and(|info| info.center))
        else {
            return unreadable(format!("`{}` is no supply center.", text.as_str()));
        };
        let power = powers.get(*key).copied().unwrap_or(Power::NEUTRAL);
        if power == Power::NEUTRAL {
            continue;
        }
        if owners.of(number).is_some_and(|owner| owner != power) {
            return unreadable(format!(
                "The supply center `{}` has two owners.",
                text.as_str()
            ));
        }
        owners.set(number, power);
    }
    Ok(owners)
}

/// `F STP/SC`, checked to be a place where such a unit can stand.
fn unit(map: &Map, text: &str) -> Result<(UnitKind, Location), DataError> {
    let error = || format!("`{text}` is no unit.");
    let (kind, at) = match text.as_bytes() {
        [b'A', b' ', ..] => (UnitKind::ARMY, text.get(2..).unwrap_or("")),
        [b'F', b' ', ..] => (UnitKind::FLEET, text.get(2..).unwrap_or("")),
        _ => {
            let (letters, at) = text.trim().split_once(' ').ok_or_else(error)?;
            let kind = letters
                .parse()
                .ok()
                .and_then(|kind| map.kind(kind))
                .ok_or_else(error)?;
            (kind.kind, at)
        }
    };
    let travel = map.travel(kind);
    let at = location(map, travel, at).ok_or_else(error)?;
    if !map.can_stand(travel, at) {
        return unreadable(format!("`{text}` cannot stand there."));
    }
    Ok((kind, at))
}

/// A place by code or by any accepted spelling; a coast that is irrelevant for an army is dropped.
fn location(map: &Map, travel: Travel, text: &str) -> Option<Location> {
    let at = notation::place(map, text).ok().or_else(|| {
        let (name, coast) = text
            .split_once('/')
            .map_or((text, None), |(name, coast)| (name, Some(coast)));
        let coast = coast.map(str::parse).transpose().ok()?;
        Some(Location {
            province: map.find_province(name)?,
            coast,
        })
    })?;
    Some(if travel == Travel::Sea {
        at
    } else {
        at.province.into()
    })
}

fn retreat_options(
    map: &Map,
    keys: &PowerKeys<'_>,
    retreats: &Retreats<'_>,
    position: &mut Position,
) -> Result<(), DataError> {
    let mut next = u32::try_from(position.units.len() + position.dislodged.len())
        .map_err(|_| "There are too many units.".to_owned())?;
    for (key, units) in &retreats.0 {
        let power = keys.power(key.as_str())?;
        for (index, text) in units.keys.iter().enumerate() {
            let (kind, at) = unit(map, text.as_str())?;
            let mut options = Vec::new();
            for (_, to) in units.entries.iter().filter(|(key, _)| *key == index) {
                let to = location(map, map.travel(kind), to.as_str())
                    .ok_or_else(|| format!("`{}` is no place to retreat to.", to.as_str()))?;
                options.push(to);
            }
            options.sort_unstable();
            options.dedup();
            let known = position.dislodged.iter_mut().find(|known| {
                known.unit.power == power && known.unit.kind == kind && known.unit.at == at
            });
            match known {
                Some(known) => known.options = options,
                None => {
                    // A unit that is named only under `retreats` is dislodged as well.
                    let unit = Unit {
                        id: UnitId(next),
                        power,
                        kind,
                        at,
                    };
                    next = next.saturating_add(1);
                    position.dislodged.push(Dislodged {
                        unit,
                        attacker: None,
                        options,
                    });
                }
            }
        }
    }
    Ok(())
}
