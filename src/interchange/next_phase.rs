//! What comes after a phase of the standard calendar.

use super::board::Owners;
use super::phase::following;
use crate::calendar::{PhaseKind, PhaseName};
use crate::map::{Map, Power, Province};
use crate::position::Position;

/// The next phase that has something to decide, and its position.
pub(super) struct Next {
    /// Nothing once the game is over.
    pub(super) name: Option<PhaseName>,
    pub(super) position: Position,
    pub(super) owners: Owners,
    pub(super) builds: Vec<(Power, i32)>,
}

/// Goes on to the next phase that has something to decide; centers change hands after Fall.
pub(super) fn follow(
    map: &Map,
    phase: PhaseName,
    position: Position,
    mut owners: Owners,
) -> (Next, Option<Power>) {
    let mut name = phase;
    let next = |name, position, owners, builds| Next {
        name,
        position,
        owners,
        builds,
    };
    // Two years without anything to decide: nobody is left to decide it.
    for _ in 0..12 {
        name = following(name);
        match name.kind {
            PhaseKind::Retreats if !position.dislodged.is_empty() => {
                return (next(Some(name), position, owners, Vec::new()), None);
            }
            PhaseKind::Movement if !position.units.is_empty() => {
                return (next(Some(name), position, owners, Vec::new()), None);
            }
            PhaseKind::Retreats | PhaseKind::Movement | PhaseKind::Own(_) => {}
            PhaseKind::Adjustments => {
                take_centers(map, &position, &mut owners);
                if let Some(winner) = winner(map, &owners) {
                    return (next(None, position, owners, Vec::new()), Some(winner));
                }
                let builds = builds(map, &position, &owners);
                if !builds.is_empty() {
                    return (next(Some(name), position, owners, builds), None);
                }
            }
        }
    }
    (next(None, position, owners, Vec::new()), None)
}

fn take_centers(map: &Map, position: &Position, owners: &mut Owners) {
    for unit in position
        .units
        .iter()
        .filter(|unit| unit.power != Power::NEUTRAL)
    {
        let number = map.index(unit.at.province);
        if let Some(number) =
            number.filter(|&number| map.provinces().get(number).is_some_and(|info| info.center))
        {
            owners.set(number, unit.power);
        }
    }
}

/// Who owns more than half of the centers.
fn winner(map: &Map, owners: &Owners) -> Option<Power> {
    let mut count = [0usize; 256];
    for (_, owner) in owners.iter(map) {
        let owned = &mut count[usize::from(owner.0)];
        *owned += 1;
        if *owned > map.centers().len() / 2 {
            return Some(owner);
        }
    }
    None
}

/// Builds that can be used, or removals as a negative count, of each power that has any.
fn builds(map: &Map, position: &Position, owners: &Owners) -> Vec<(Power, i32)> {
    let mut change = vec![0i32; map.powers().len()];
    let mut tally = |power: Power, by: i32| {
        if let Some(change) = power.index().and_then(|index| change.get_mut(index)) {
            *change += by;
        }
    };
    owners.iter(map).for_each(|(_, owner)| tally(owner, 1));
    position.units.iter().for_each(|unit| tally(unit.power, -1));
    let powers = (0u8..).map(Power);
    let usable = powers.zip(change).map(|(power, change)| {
        if change <= 0 {
            return (power, change);
        }
        let free = |home: &&Province| {
            map.index(**home).and_then(|number| owners.of(number)) == Some(power)
                && position.standing(**home).is_none()
        };
        let sites = map.homes(power).iter().filter(free).count();
        (power, change.min(i32::try_from(sites).unwrap_or(i32::MAX)))
    });
    usable.filter(|(_, change)| *change != 0).collect()
}
