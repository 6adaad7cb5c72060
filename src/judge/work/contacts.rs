//! Notices to contacts, in games that show leaders to their contacts (CivDip 11.6): they are told at once of a new
//! leader and of a changed address, whatever caused it.

use std::collections::BTreeMap;

use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{SeatId, VariantGame, project};
use dipjudge_mails::outbound;
use dipjudge_rules::map::Power;

/// The leader of a power, and the address for mail to him.
#[derive(PartialEq)]
pub(super) struct Leader {
    seat: SeatId,
    address: String,
}

/// The leader of each power, in a game that shows leaders to contacts; otherwise empty.
pub(super) fn leaders(work: &GameWork) -> BTreeMap<Power, Leader> {
    let (game, variant) = (work.game(), work.variant());
    if !game.begun() || game.over() || !VariantGame::new(game, variant).shows_addresses() {
        return BTreeMap::new();
    }
    let led = |power: Power| {
        let seat = project::leading_seat(game, power)?;
        let leader = Leader {
            seat: seat.id,
            address: seat.address.clone(),
        };
        Some((power, leader))
    };
    game.all_powers().filter_map(led).collect()
}

/// Tells the contacts of every power whose leader or address differs from `before`.
pub(super) fn tell_of_others_than(work: &mut GameWork, before: &BTreeMap<Power, Leader>) {
    let new = leaders(work)
        .into_iter()
        .filter(|(power, leader)| before.get(power) != Some(leader));
    for (power, _) in new {
        tell(work, power);
    }
}

fn tell(work: &mut GameWork, of: Power) {
    let shown = |work: &GameWork, to: Recipient| {
        work.variant_game()
            .read_by(&work.reader(to))
            .leader_shown(of)
    };
    let mut readers: Vec<Recipient> = work.everyone();
    readers.retain(|to| shown(work, *to).is_some());
    work.broadcast(&readers, MailClass::Notice, |work, to| {
        let name = work.labels(to).name(of).to_owned();
        let subject = format!("Leader of {name}");
        let line = format!("{name} is led by {} now.", shown(work, to)?);
        outbound::notice(&work.templates(), &work.heading(to), &subject, line).or_logged()
    });
}
