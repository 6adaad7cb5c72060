//! SET APPROVE, SET NOT APPROVE: whether the master accepts a power's orders.

use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::authority::only_master;
use dipjudge_commands::power_list::read_powers;
use dipjudge_game::Event;

/// Starts or stops accepting orders of these powers.
pub(super) fn set(work: &mut GameWork, acting: Acting, powers: &str, on: bool) -> ActOutcome {
    let game = work.game();
    let powers = read_powers(powers, work.roster(acting.recipient()))
        .map_err(|error| Refusal::from(error.to_string()))?;
    let powers = powers.powers;
    only_master(work, acting, "SET APPROVE")?;
    if !game.begun() {
        return refuse("Powers can be approved once the game has begun.");
    }
    for power in &powers {
        work.emit(Event::Approved { power: *power, on });
    }
    let (subject, word) = if on {
        ("Player moves approved", "now takes")
    } else {
        ("Player moves not approved", "no longer takes")
    };
    work.tell_others(Some(acting.seat), subject, |work, to| {
        let own = to.power.filter(|power| powers.contains(power))?;
        let game = work.game();
        Some(vec![format!(
            "The Master of '{}' {word} orders of {}.",
            game.name,
            work.labels(to).name(own)
        )])
    });
    say(vec!["Done.".to_owned()])
}
