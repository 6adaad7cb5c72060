//! Monsters: where they go, where they retreat to, where they come from [4].

use std::collections::BTreeSet;

use super::board::{Board, Draws, HalfYear};
use super::news::News;
use super::orders::{Sheet, Source, UnitOrder};
use super::rings::{self, Better, Round};
use super::state::{Borg, Tardis};
use super::{MONSTERS, SEA, SPACE};
use dipjudge_rules::map::{Location, Province, Terrain, UnitKind};
use dipjudge_rules::position::Unit;

/// How crowded a space is for a group of monsters: less is better. In the space itself only some or none counts.
fn crowd(board: &Board<'_>, group: &Unit, space: Province) -> Vec<usize> {
    let others = board.units().filter(|unit| unit.id != group.id);
    let others: Vec<Province> = others.map(|unit| unit.at.province).collect();
    let mut rings = board.ground().rings(space, &others);
    if let Some(here) = rings.first_mut() {
        *here = (*here).min(1);
    }
    rings
}

/// Where monsters go, and how that was found.
#[derive(Default)]
pub(super) struct MonsterChoice<T> {
    pub to: Option<T>,
    pub rounds: Vec<Round>,
}

/// The least crowded of these spaces, ring by ring; of equals one is drawn.
fn loneliest(
    group: &Unit,
    spaces: Vec<(Province, Vec<usize>)>,
    label: &str,
    draws: Draws<'_>,
) -> MonsterChoice<Province> {
    let compared = rings::compare(spaces, 0, Better::Fewer);
    let label = format!("{label}:{}", group.at.province);
    MonsterChoice {
        to: draws.space(&label, compared.best),
        rounds: compared.rounds,
    }
}

/// Step 1.6; what all are told of it.
pub(super) fn order(board: &Board<'_>, sheet: &mut Sheet, draws: Draws<'_>) -> Vec<News> {
    let groups: Vec<Unit> = monsters(board).copied().collect();
    let mut news = Vec::new();
    for group in groups {
        let MonsterChoice { to, rounds } = goal(board, &group, draws);
        let order = match to {
            Some(to) => UnitOrder::moving(station(board, &group, to)),
            None => UnitOrder::HOLD,
        };
        sheet.write(group.id, order, Source::Judge, None);
        news.push(News::Hunt { group, to, rounds });
    }
    news
}

fn monsters<'b>(board: &'b Board<'_>) -> impl Iterator<Item = &'b Unit> {
    let units = board.position.units.iter();
    units.filter(|unit| unit.power == MONSTERS)
}

fn goal(board: &Board<'_>, group: &Unit, draws: Draws<'_>) -> MonsterChoice<Province> {
    let ground = board.ground();
    let here = group.at.province;
    let reach = board.reach(group);
    let mut centers: Vec<Province> = reach.iter().map(|to| to.province).collect();
    centers.retain(|to| ground.is_center(*to));
    if ground.is_center(here) {
        let neighbors = |space| crowd(board, group, space).get(1).copied().unwrap_or(0);
        let now = neighbors(here);
        centers.retain(|to| neighbors(*to) < now);
    }
    centers.sort_unstable();
    centers.dedup();
    let crowds = centers.into_iter();
    let crowds = crowds.map(|to| (to, crowd(board, group, to)));
    loneliest(group, crowds.collect(), "monster", draws)
}

/// The first coast of a space that a group reaches.
fn station(board: &Board<'_>, group: &Unit, to: Province) -> Location {
    let reach = board.reach(group);
    let first = reach.into_iter().find(|place| place.province == to);
    first.unwrap_or(to.into())
}

/// Where a dislodged group goes (step 7): to a center if it can, else where it is loneliest.
pub(super) fn retreat(
    board: &Board<'_>,
    group: &Unit,
    options: &[Location],
    draws: Draws<'_>,
) -> MonsterChoice<Location> {
    let ground = board.ground();
    let spaces: BTreeSet<Province> = options.iter().map(|to| to.province).collect();
    let ranked = |space: Province| {
        let around = crowd(board, group, space).into_iter().skip(1);
        let here = usize::from(!ground.is_center(space));
        (space, std::iter::once(here).chain(around).collect())
    };
    let spaces = spaces.into_iter().map(ranked).collect();
    let MonsterChoice { to, rounds } = loneliest(group, spaces, "monster-retreat", draws);
    let to = options.iter().find(|place| Some(place.province) == to);
    MonsterChoice {
        to: to.copied(),
        rounds,
    }
}

/// Step 8: SEA MONSTERS in Spring, SPACE MONSTERS in Autumn.
pub(super) fn arrive(board: &mut Board<'_>, half: HalfYear, draws: Draws<'_>) {
    let ground = board.ground();
    let taken = |place: Province| {
        board.in_space(place).next().is_some()
            || board.state.borg == Borg::At(place)
            || board.state.tardis == Tardis::At(place)
    };
    let fits = |place: &Province| match ground.terrain(*place) {
        Terrain::Sea => half == HalfYear::Spring,
        Terrain::Inland => half == HalfYear::Autumn,
        Terrain::Coast | Terrain::Islands => true,
    };
    let spaces: Vec<Province> = ground
        .standard_spaces()
        .filter(fits)
        .filter(|place| !is_closed(board, *place) && !taken(*place))
        .collect();
    let (kind, label): (UnitKind, &str) = match half {
        HalfYear::Spring => (SEA, "sea-monsters"),
        HalfYear::Autumn => (SPACE, "space-monsters"),
    };
    let Some(place) = draws.space(label, spaces) else {
        return;
    };
    let mut stations = board.map.stations(board.map.travel(kind), place);
    stations.sort_unstable();
    let Some(at) = draws.one(&format!("{label}-coast"), &stations, Location::to_string) else {
        return;
    };
    let id = board.put(MONSTERS, kind, at);
    if let Some(arrived) = board.unit(id).copied() {
        board.tell(News::Arrived(arrived));
    }
}

/// Whether nothing can ever be there: a space without borders.
fn is_closed(board: &Board<'_>, place: Province) -> bool {
    board.ground().surface(place).is_empty()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::PLACES;
    use super::super::state::SillyState;
    use super::*;
    use dipjudge_game::{Dice, Seed};
    use dipjudge_rules::map::Map;
    use dipjudge_rules::position::Position;

    /// The vectors of 3.2, for the seed of 32 zero bytes: there are 61 spaces with water, 56 with land.
    #[test]
    fn monsters_come_where_the_published_draws_say() {
        for (season, half, at, count) in [
            ("S1901", HalfYear::Spring, "TYS", 61),
            ("F1901", HalfYear::Autumn, "LON", 56),
        ] {
            let mut board = Board {
                map: Map::with_places("standard", PLACES).unwrap(),
                position: Position::default(),
                state: SillyState::default(),
                herds: std::collections::BTreeMap::new(),
                step: super::super::news::Step::default(),
            };
            let (seed, made) = (Seed::new([0; 32]), RefCell::default());
            let dice = Dice::new(&seed);
            let draws = Draws {
                dice,
                season,
                made: &made,
            };
            arrive(&mut board, half, draws);
            assert_eq!(board.position.units[0].at.to_string(), at);
            assert_eq!(made.borrow()[0].options.len(), count);
        }
    }
}
