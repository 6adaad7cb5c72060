//! Orders of adjustment phases.

use super::units::{no_unit_left, own_unit};
use super::{Fault, said};
use crate::order_words::{OrderWords, Verb, Waive};
use crate::shared_province::{self, is_shared};
use dipjudge_game::project::Sight;
use dipjudge_game::{Ask, Effect};
use dipjudge_rules::map::{Location, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, NewUnit};

/// What a line orders, with what was ordered before.
pub(super) fn read(
    sight: &Sight,
    words: &OrderWords,
    notes: &mut Vec<String>,
) -> Result<Effect, Fault> {
    let (builds, removals) = match sight.ask {
        Some(Ask::Adjust {
            builds, removals, ..
        }) => (builds, removals),
        _ => (0, 0),
    };
    let mut winter = sight.orders.winter.clone();
    match &words.verb {
        Verb::Build => build(sight, words, builds, &mut winter)?,
        Verb::Remove | Verb::Disband => remove(sight, words, removals, &mut winter, notes)?,
        Verb::Adjust if removals > 0 => remove(sight, words, removals, &mut winter, notes)?,
        Verb::Adjust => build(sight, words, builds, &mut winter)?,
        Verb::Waive(count) => {
            if builds == 0 {
                return Err(Illegal::NoBuilds(sight.power).into());
            }
            let given = winter.len();
            let more = match count {
                Waive::One => 1,
                Waive::Number(n) => usize::try_from(*n).unwrap_or(usize::MAX).min(builds),
                Waive::All => builds.saturating_sub(given),
            };
            if more > 0 && sight.opening {
                return said(
                    "In the opening Winter every home center gets a unit; you cannot waive one.",
                );
            }
            winter.extend((0..more).map(|_| Action::Waive));
        }
        Verb::Maintain => return said("Units need no order to stay in this game."),
        _ => {
            return said(
                "In Winter you build (Build A Par), remove (Remove A Par) or waive (Waive).",
            );
        }
    }
    // The earliest are pushed out by those that came last (`judge-workflow.md` 3.8).
    let most = builds.max(removals);
    let at_will =
        |action: &Action| sight.removes_at_will && matches!(action, Action::Remove { .. });
    let counted = winter.iter().filter(|action| !at_will(action)).count();
    let mut surplus = counted.saturating_sub(most);
    winter.retain(|action| {
        let pushed_out = surplus > 0 && !at_will(action);
        surplus -= usize::from(pushed_out);
        if pushed_out {
            notes.extend(replaced(sight, action, builds, removals));
        }
        !pushed_out
    });
    Ok(Effect::Adjust(winter))
}

/// What is said of an order that a later one has pushed out.
fn replaced(sight: &Sight, action: &Action, builds: usize, removals: usize) -> Option<String> {
    let (at, have) = match action {
        Action::Build(NewUnit { at, .. }) => (at.province, counted(builds, "build")),
        Action::Remove { at } => (*at, counted(removals, "removal")),
        _ => return None,
    };
    let name = &sight.map.info(at)?.name;
    Some(format!(
        "This replaces what you ordered for {name}: you have {have}."
    ))
}

fn counted(number: usize, of: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {of}{end}")
}

fn build(
    sight: &Sight,
    words: &OrderWords,
    builds: usize,
    winter: &mut Vec<Action>,
) -> Result<(), Fault> {
    let Some(named) = &words.unit else {
        return said("Say what to build and where: Build A Par.");
    };
    if builds == 0 {
        return Err(Illegal::NoBuilds(sight.power).into());
    }
    let Some(kind) = named.kind else {
        return said("Army or fleet? Build A Par, or Build F Bre.");
    };
    let province = named.place.province;
    let Some(info) = sight.map.info(province).filter(|info| info.center) else {
        return Err(Illegal::NoCenter(province).into());
    };
    let owned = sight.position.owners.get(&province) == Some(&sight.power);
    // Whether a foreign center is occupied is not for everybody to know.
    if !owned && sight.horizon.is_some() {
        return Err(Illegal::NotOwned(province, sight.power).into());
    }
    if sight.position.standing(province).is_some() {
        return Err(Illegal::Occupied(province).into());
    }
    if !owned {
        return Err(Illegal::NotOwned(province, sight.power).into());
    }
    if !sight.sites.contains(&province) {
        return Err(Illegal::NotHome(province, sight.power).into());
    }
    // A coast where the province has but one, or for an army, is dropped.
    let coast = if kind == UnitKind::ARMY || info.coasts.is_empty() {
        None
    } else {
        named.place.coast
    };
    let at = Location { province, coast };
    if !sight.map.can_stand(sight.map.travel(kind), at) {
        return Err(Illegal::CannotStand(kind, at).into());
    }
    // The last order for a place counts.
    winter.retain(
        |action| !matches!(action, Action::Build(NewUnit { at: other, .. }) if other.province == province),
    );
    winter.push(Action::Build(NewUnit { kind, at }));
    Ok(())
}

fn remove(
    sight: &Sight,
    words: &OrderWords,
    removals: usize,
    winter: &mut Vec<Action>,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let Some(named) = &words.unit else {
        return said("Say which unit to remove: Remove A Par.");
    };
    if removals == 0 && !sight.removes_at_will {
        return Err(Illegal::NoRemovals(sight.power).into());
    }
    let province = named.place.province;
    if is_shared(sight.map, province) {
        return shared_province::remove(sight, named, winter)
            .map_err(|reason| no_unit_left(sight, named, reason));
    }
    let unit = own_unit(sight, named, sight.position.standing(province), notes)?;
    let action = Action::Remove {
        at: unit.at.province,
    };
    winter.retain(|other| *other != action);
    winter.push(action);
    Ok(())
}
