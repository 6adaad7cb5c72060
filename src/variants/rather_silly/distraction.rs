//! FEMALE and DIRTY OLD MAN armies: who is distracted (1.3) [9] [10].

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Draws};
use super::news::FailedDistraction;
use super::orders::{Sheet, Source, UnitOrder};
use super::rules::Rules;
use super::{DOM, FEMALE, is_conventional};
use dipjudge_rules::map::{Location, Province};
use dipjudge_rules::position::{Unit, UnitId};

/// What comes of the orders to distract.
#[derive(Default)]
pub(super) struct Distractions {
    /// Those in force: by whom, of whom.
    pub in_force: BTreeMap<UnitId, UnitId>,
    /// The others: whose, and why not.
    pub vain: Vec<(Unit, FailedDistraction)>,
}

/// Whether a FEMALE ARMY can distract a unit: it is conventional, not gay, and where she is or one step away (R58).
pub(super) fn can_distract(board: &Board<'_>, female: &Unit, unit: &Unit) -> bool {
    is_conventional(unit.kind)
        && !board.traits(unit.id).gay
        && (unit.at.province == female.at.province || board.reaches(unit, female.at.province))
}

/// Writes the orders of the distracted.
pub(super) fn distract(
    board: &Board<'_>,
    rules: &Rules,
    sheet: &mut Sheet,
    draws: Draws<'_>,
) -> Distractions {
    let exposed = exposed(board, rules, sheet);
    let mut wanted: BTreeMap<UnitId, Vec<&Unit>> = BTreeMap::new();
    let mut all = Distractions::default();
    for unit in board
        .position
        .units
        .iter()
        .filter(|unit| unit.kind == FEMALE)
    {
        let UnitOrder::Distract(whom) = sheet.order(unit.id) else {
            continue;
        };
        if exposed.contains(&unit.at.province) {
            all.vain.push((*unit, FailedDistraction::Exposed))
        } else {
            wanted.entry(*whom).or_default().push(unit)
        }
    }
    for (whom, females) in wanted {
        let Some(unit) = board.unit(whom).copied() else {
            continue;
        };
        let Some(female) = chosen(&unit, &females, draws) else {
            continue;
        };
        let order = attack(board, &unit, sheet.order(whom), female.at.province);
        sheet.write(whom, order, Source::Distracted, Some(female.id));
        all.in_force.insert(female.id, whom);
        let others = females.iter().filter(|other| other.id != female.id);
        let others = others.map(|other| (**other, FailedDistraction::Another(*female)));
        all.vain.extend(others);
    }
    all
}

/// The spaces next to DIRTY OLD MEN who expose themselves: FEMALE ARMIES there distract nobody.
fn exposed(board: &Board<'_>, rules: &Rules, sheet: &Sheet) -> BTreeSet<Province> {
    let ground = board.ground();
    let men = board.position.units.iter().filter(|unit| unit.kind == DOM);
    let exposing = men.filter(|man| *sheet.order(man.id) == UnitOrder::Expose);
    let mut exposed = BTreeSet::new();
    for man in exposing {
        exposed.extend(ground.near(man.at.province));
        if rules.expose_own_space {
            exposed.insert(man.at.province);
        }
    }
    exposed
}

/// Of several who distract one unit the one in its space, else one drawn (R60); in one space the first by owner and number.
fn chosen<'b>(unit: &Unit, females: &[&'b Unit], draws: Draws<'_>) -> Option<&'b Unit> {
    let here = unit.at.province;
    let spaces = || females.iter().map(|female| female.at.province);
    let at = if spaces().any(|space| space == here) {
        here
    } else {
        draws.space(&format!("distract:{here}"), spaces())?
    };
    let there = females.iter().filter(|female| female.at.province == at);
    there
        .min_by_key(|female| (female.power, female.id))
        .copied()
}

/// What a unit does that has to attack a space: it stays if it is there.
pub(super) fn attack(
    board: &Board<'_>,
    unit: &Unit,
    before: &UnitOrder,
    space: Province,
) -> UnitOrder {
    if unit.at.province == space {
        return UnitOrder::HOLD;
    }
    UnitOrder::moving(arrival(board, unit, before, space))
}

/// Where a unit arrives in a space: on the coast that it was ordered to, else on the first that it reaches.
pub(super) fn arrival(
    board: &Board<'_>,
    unit: &Unit,
    before: &UnitOrder,
    space: Province,
) -> Location {
    let reach = board.reach(unit);
    let goal = before.goal();
    let ordered = reach.iter().find(|place| goal == Some(**place));
    let ordered = ordered.filter(|place| place.province == space);
    let first = reach.iter().find(|place| place.province == space);
    ordered.or(first).copied().unwrap_or(space.into())
}
