//! How reliably people play: whether their orders were in time, and the dedication that they lose or gain.

use crate::registry::{DedicationReason, RegistryEvent};
use crate::work::GameWork;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_rules::map::Power;

/// Records, once a phase, whether orders were in time for everybody whose orders were due.
pub(crate) fn count_turns(work: &mut GameWork, late: &[Power]) {
    let edit = &work.open.edit;
    if !edit.game.settings.rated {
        return;
    }
    let requirements = edit.variant_game().requirements();
    let person = |power: &Power| {
        edit.game
            .holder(*power)
            .map(|seat| (seat.person, !late.contains(power)))
    };
    let people: Vec<_> = requirements.due.keys().filter_map(person).collect();
    if people.is_empty() {
        return;
    }
    let in_time: Vec<Power> = requirements
        .due
        .keys()
        .copied()
        .filter(|power| !late.contains(power))
        .collect();
    work.register(RegistryEvent::Due { people });
    points(work, &in_time, 3, DedicationReason::InTime);
}

/// Changes the dedication of the leaders of these powers, in rated games. A game that hides its leaders or its board
/// withholds the change until it is over, since it would show in other games who was late.
pub(crate) fn points(work: &mut GameWork, powers: &[Power], points: i64, why: DedicationReason) {
    let game = work.game();
    if !game.settings.rated || game.settings.irregular {
        return;
    }
    let people: Vec<_> = powers
        .iter()
        .filter_map(|power| game.holder(*power))
        .map(|seat| seat.person)
        .collect();
    let hides = work.secrecy().leaders_or_board();
    let withheld_by = (hides && !planted(Leak::Dedication)).then(|| game.name.clone());
    for person in people {
        work.register(RegistryEvent::Dedication {
            person,
            points,
            why,
            withheld_by: withheld_by.clone(),
        });
    }
}
