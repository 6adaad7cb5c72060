//! SET APPROVE, SET NOT APPROVE: whose orders the master takes.

use crate::commands::power_list::read_powers;
use crate::game::Event;
use crate::judge::authority::{game_of, only_master};
use crate::judge::errand::Errand;
use crate::judge::sign_on::{Acting, Refused, Said, refuse};

/// Takes orders of these powers, or takes them no longer.
pub(super) fn set(errand: &mut Errand, acting: Acting, powers: &str, on: bool) -> Said {
    let game = game_of(errand)?;
    let powers = read_powers(powers, &game.powers).map_err(|error| Refused(error.to_string()))?;
    let powers = powers.powers;
    only_master(errand, acting, "SET APPROVE")?;
    if !game.begun() {
        return refuse("Powers can be approved once the game has begun.");
    }
    for power in &powers {
        errand.emit(Event::Approved { power: *power, on });
    }
    let (subject, word) = match on {
        true => ("Player moves approved", "now takes"),
        false => ("Player moves not approved", "no longer takes"),
    };
    errand.tell_others(Some(acting.seat), subject, |errand, to| {
        let own = to.power.filter(|power| powers.contains(power))?;
        let game = errand.game()?;
        Some(vec![format!(
            "The Master of '{}' {word} orders of {}.",
            game.name,
            game.power_name(own)
        )])
    });
    Ok(vec!["Done.".to_owned()])
}
