//! How many builds and removals are due in Winter, and how many have been ordered.

use std::collections::BTreeMap;

use super::board::Board;
use super::rules::Rules;
use super::submissions::{AdjustmentLine, AdjustmentOrder, Build};
use super::{MASTERMIND, is_solid, sites, winter};
use dipjudge_rules::map::{Power, Province, UnitKind};

/// Numbers of builds and removals of units that need a center.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Adjustments {
    pub builds: usize,
    pub removals: usize,
    /// Builds for which there is no site.
    pub unusable: usize,
}

/// Which lines are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedLines {
    /// Those that have no condition.
    InAnyCase,
    /// All; several for one site are one.
    Possible,
}

/// The builds and removals that are due to a seat now.
pub(super) fn due(board: &Board<'_>, rules: &Rules, seat: Power) -> Adjustments {
    let due = winter::due(board, seat);
    let count = |number: i32| usize::try_from(number).unwrap_or(0);
    let builds = if seat == MASTERMIND && rules.mastermind_free_only {
        0
    } else {
        count(due)
    };
    let (builds, unusable) = if sites::has_any(board, seat) {
        (builds, 0)
    } else {
        (0, builds)
    };
    Adjustments {
        builds,
        removals: count(due.saturating_neg()),
        unusable,
    }
}

/// What lines order, by the names under which they are put down.
pub(super) fn given(
    board: &Board<'_>,
    lines: &BTreeMap<String, Vec<AdjustmentLine>>,
    counted: CountedLines,
) -> Adjustments {
    let mut given = Adjustments::default();
    let counts =
        |line: &&AdjustmentLine| counted == CountedLines::Possible || line.condition.is_none();
    let all = || lines.values().flatten().filter(counts);
    let pairs =
        || all().filter(|line| matches!(line.then, AdjustmentOrder::Build(Build::Pair(..))));
    for subject in lines.values() {
        let of_subject = || subject.iter().filter(counts);
        let Some(first) = of_subject().next() else {
            continue;
        };
        match first.then {
            AdjustmentOrder::Build(Build::Unit(kind, _)) if !sites::needs_center(kind) => {}
            // A site of a pair that may be built is counted with the pair.
            AdjustmentOrder::Build(Build::Unit(kind, _)) if is_solid(kind) => {
                let alone = !pairs().any(|pair| collide(&pair.then, &first.then));
                given.builds += usize::from(alone);
            }
            AdjustmentOrder::Build(Build::Unit(..)) | AdjustmentOrder::Waive => {
                given.builds += of_subject().count();
            }
            AdjustmentOrder::Build(Build::Pair(..)) => given.builds += 1,
            AdjustmentOrder::Remove(id) => {
                let unit = board.unit(id);
                let needs_center = unit.is_some_and(|unit| sites::needs_center(unit.kind));
                given.removals += usize::from(needs_center);
            }
        }
    }
    given
}

/// How many more armies of this kind, FEMALE or DIRTY OLD MAN, a seat may have, when these lines are carried out.
pub(super) fn idle_open<'l>(
    board: &Board<'_>,
    seat: Power,
    kind: UnitKind,
    lines: impl IntoIterator<Item = &'l AdjustmentLine>,
) -> usize {
    let mut open = winter::idle_open(board, seat, kind);
    let mut ordered = 0;
    for line in lines {
        match line.then {
            AdjustmentOrder::Build(Build::Unit(of, _)) if of == kind => ordered += 1,
            AdjustmentOrder::Remove(id) if board.unit(id).is_some_and(|unit| unit.kind == kind) => {
                open += 1;
            }
            _ => {}
        }
    }
    open.saturating_sub(ordered)
}

/// The sites that a build fills.
fn filled(what: &AdjustmentOrder) -> Vec<Province> {
    match what {
        AdjustmentOrder::Build(Build::Unit(kind, at)) if is_solid(*kind) => vec![at.province],
        AdjustmentOrder::Build(Build::Pair((_, one), (_, other))) => {
            vec![one.province, other.province]
        }
        _ => Vec::new(),
    }
}

/// Whether two lines are for the same: one site, one unit, the one pair of a game.
pub(super) fn collide(one: &AdjustmentOrder, other: &AdjustmentOrder) -> bool {
    let pairs = |what: &AdjustmentOrder| matches!(what, AdjustmentOrder::Build(Build::Pair(..)));
    let (here, there) = (filled(one), filled(other));
    one == other || (pairs(one) && pairs(other)) || here.iter().any(|at| there.contains(at))
}
