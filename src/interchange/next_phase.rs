//! The phase that follows a phase of the standard calendar.

use super::board::Owners;
use dipjudge_game::{Ending, Phase, Winning, endings, phases};
use dipjudge_rules::adjudicator::{self, AdjustmentCounts, Sites};
use dipjudge_rules::calendar::{PhaseName, Turn};
use dipjudge_rules::map::{Map, Power, Province};
use dipjudge_rules::position::Position;

/// The next phase that asks somebody, and its position.
pub(super) struct Next {
    /// `None` once the game is over.
    pub(super) name: Option<PhaseName>,
    pub(super) position: Position,
    pub(super) owners: Owners,
    pub(super) builds: Vec<(Power, i32)>,
}

/// Advances to the next phase that asks somebody, by the same rules as the engine; centers change hands after Fall.
pub(super) fn follow(
    map: &Map,
    winning: Winning,
    phase: PhaseName,
    position: Position,
    mut owners: Owners,
) -> (Next, Option<Power>) {
    let next = |name, position, owners, builds| Next {
        name,
        position,
        owners,
        builds,
    };
    let played = |turn: Turn| (turn, Phase::standard(turn).iter());
    let (mut turn, mut steps) = played(phase.turn);
    steps.find(|step| step.phase_kind() == Some(phase.kind));
    // If nothing can be decided for two years, no power is left to decide anything.
    for _ in 0..12 {
        let step = loop {
            match steps.next() {
                Some(step) => break step,
                None => (turn, steps) = played(turn.next()),
            }
        };
        let name = step.phase_kind().map(|kind| PhaseName { turn, kind });
        match step {
            Phase::Retreats if !position.dislodged.is_empty() => {
                return (next(name, position, owners, Vec::new()), None);
            }
            Phase::Movement if !position.units.is_empty() => {
                return (next(name, position, owners, Vec::new()), None);
            }
            Phase::Retreats | Phase::Movement | Phase::Own(_) => {}
            Phase::Ownership => {
                for (center, owner) in phases::taken(map, &position) {
                    if let Some(number) = map.index(center) {
                        owners.set(number, owner);
                    }
                }
                if let Some(winner) = winner(map, winning, &owners) {
                    return (next(None, position, owners, Vec::new()), Some(winner));
                }
            }
            Phase::Adjustments => {
                let builds = builds(map, &position, &owners);
                if !builds.is_empty() {
                    return (next(name, position, owners, builds), None);
                }
            }
        }
    }
    (next(None, position, owners, Vec::new()), None)
}

/// The powers with the centers that each owns.
fn owned(map: &Map, owners: &Owners) -> Vec<(Power, Vec<Province>)> {
    let mut all: Vec<(Power, Vec<Province>)> = (0u8..)
        .map(Power)
        .zip(map.powers())
        .map(|(power, _)| (power, Vec::new()))
        .collect();
    for (center, owner) in owners.iter(map) {
        if let Some((_, own)) = owner.index().and_then(|index| all.get_mut(index)) {
            own.push(center);
        }
    }
    all
}

fn winner(map: &Map, winning: Winning, owners: &Owners) -> Option<Power> {
    let owned = owned(map, owners);
    let counts: Vec<(Power, usize)> = owned
        .iter()
        .map(|(power, own)| (*power, own.len()))
        .collect();
    match endings::most(&counts, winning.number_on(map), endings::Tie::PlayOn)? {
        Ending::Won(winners) => winners.first().copied(),
        _ => None,
    }
}

/// Builds that can be used, or removals as a negative count, of each power that has any.
fn builds(map: &Map, position: &Position, owners: &Owners) -> Vec<(Power, i32)> {
    let due = |(power, own): (Power, Vec<Province>)| {
        let change = adjudicator::change(own.len(), position.units_of(power).count());
        let open = adjudicator::open_sites(map, position, power, &own, Sites::Homes).count();
        let counts = AdjustmentCounts::new(change, open);
        (power, adjudicator::change(counts.builds, counts.removals))
    };
    let all = owned(map, owners).into_iter().map(due);
    all.filter(|(_, due)| *due != 0).collect()
}
