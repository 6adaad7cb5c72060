//! What is compared and what must hold: of step 1, which is not computed again, and of every board.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use dipjudge::game::Game;
use serde_json::Value;

use super::board::Board;
use super::{MASTERMIND, Turn, retreats, solid, ways, winter};

/// All that is kept beside the units.
pub(super) fn same(computed: &Board, is: &Board, when: &str) {
    fn equal<T: PartialEq + Debug>(what: &str, when: &str, computed: &T, is: &T) {
        assert!(
            computed == is,
            "{when}, {what}: {is:?} in the program, and {computed:?} by the rules"
        );
    }
    let (a, b) = (computed, is);
    let sorted = |board: &Board| {
        let mut until = board.lost_until.clone();
        until.sort_unstable();
        until
    };
    // Only of units that stood when the season began anybody asks later what became of them.
    let old = |ids: &BTreeSet<u32>| {
        let old = ids.iter().filter(|id| computed.start.contains_key(id));
        old.copied().collect::<BTreeSet<u32>>()
    };
    equal("units", when, &a.written(), &b.written());
    equal("owners", when, &a.owners, &b.owners);
    equal("BORG", when, &a.borg, &b.borg);
    equal("TARDIS", when, &a.tardis, &b.tardis);
    equal("LINK", when, &a.link, &b.link);
    equal("herds", when, &a.herds, &b.herds);
    equal("lost souls", when, &a.lost, &b.lost);
    equal("lost for a time", when, &sorted(a), &sorted(b));
    equal("accounts", when, &a.accounts, &b.accounts);
    equal("fleets built", when, &a.fleets, &b.fleets);
    equal("pairs built", when, &a.paired, &b.paired);
    equal("points", when, &a.points, &b.points);
    equal(
        "the DOCTOR's centers",
        when,
        &a.doctors_centers,
        &b.doctors_centers,
    );
    equal("bonus", when, &a.bonus, &b.bonus);
    equal("question", when, &a.question, &b.question);
    equal("out", when, &a.out, &b.out);
    equal("winners", when, &a.winners, &b.winners);
    equal("merged", when, &a.merged, &b.merged);
    equal("eaten", when, &old(&a.eaten), &old(&b.eaten));
    equal("exploded", when, &a.exploded, &b.exploded);
    equal("right", when, &a.right, &b.right);
    equal("destroyed", when, &old(&a.destroyed), &old(&b.destroyed));
}

/// Where units may retreat to.
pub(super) fn options(board: &Board, after: &Game) {
    for one in &after.position.dislodged {
        let unit = board.unit(one.unit.id.0).unwrap();
        let told: BTreeSet<String> = one.options.iter().map(ToString::to_string).collect();
        let computed = retreats::choices(board, unit);
        assert_eq!(told, computed, "retreats of {unit:?}");
    }
}

/// What must hold of a step's changes, whatever they are.
pub(super) fn step(before: &Board, step: &Value, turn: &Turn) {
    let stand = step["change"]["stand"].as_array().into_iter().flatten();
    let new = stand.map(|unit| unit["id"].as_u64().unwrap() as u32);
    for id in new.filter(|id| before.unit(*id).is_none()) {
        assert!(
            !before.start.contains_key(&id),
            "{}: unit {id} is another's number",
            turn.season
        );
    }
    if step["number"] == 1 {
        movement(before, step, turn);
    }
}

/// Step 1: nothing is created, and nothing changes of a unit but that its soul is freed.
fn movement(before: &Board, step: &Value, turn: &Turn) {
    let mut after = before.clone();
    after.follow(step);
    for unit in &after.units {
        let Some(old) = before.unit(unit.id) else {
            panic!("{}: {unit:?} is new in step 1", turn.season);
        };
        let freed = unit.soul == 0 || unit.soul == old.soul;
        let same = (unit.owner, &unit.kind, unit.n) == (old.owner, &old.kind, old.n);
        let flags = |unit: &super::Unit| (unit.gay, unit.siamese, unit.free, unit.sold);
        assert!(
            freed && same && flags(unit) == flags(old),
            "{old:?} became {unit:?}"
        );
    }
    spaces(&after);
}

/// What must hold of the units on a board.
fn spaces(board: &Board) {
    let mut taken = BTreeMap::new();
    for unit in &board.units {
        let space = unit.space();
        assert!(winter::can_be(board.map, unit), "{unit:?} cannot be there");
        assert!(
            !ways::island(space) || unit.owner == MASTERMIND,
            "{unit:?} is on a closed island"
        );
        if solid(unit) && !unit.away {
            let other = taken.insert(space.to_owned(), unit);
            assert!(other.is_none(), "{unit:?} and {other:?} share a space");
        }
        assert!(unit.soul <= 2 && unit.n >= 1, "{unit:?}");
        assert!(!unit.gay || unit.kind == "F", "{unit:?}");
    }
    let mut twins: BTreeMap<u8, Vec<_>> = BTreeMap::new();
    for unit in board.units.iter().filter(|unit| unit.siamese) {
        twins.entry(unit.owner).or_default().push(unit);
    }
    for pair in twins.values() {
        assert_eq!(pair.len(), 2, "{pair:?}");
        let near = ways::near(board, pair[0].space()).contains(pair[1].space());
        assert!(near || pair[0].away || pair[1].away, "{pair:?} stand apart");
    }
}

/// What must hold behind every phase.
pub(super) fn holds(board: &Board) {
    spaces(board);
    for (seat, herds) in &board.herds {
        assert!(herds.len() <= 3 && *seat < 7, "{seat}: {herds:?}");
    }
    if let Some((one, other)) = &board.link {
        assert!(one < other, "{one}-{other}");
    }
}
