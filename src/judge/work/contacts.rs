//! Where contacts are shown who leads one another (CivDip 11.6): they are told at once of a new leader and of a changed address,
//! however it came.

use std::collections::BTreeMap;

use crate::game::project;
use crate::judge::work::sending::OrLogged;
use crate::judge::work::{GameWork, MailClass, Recipient};
use crate::mails::outbound;
use crate::map::Power;

/// Who leads which power, in a game that shows it to contacts; else nobody.
pub(super) fn leaders(work: &GameWork) -> BTreeMap<Power, String> {
    let (game, variant) = (work.game(), work.variant());
    if !game.begun() || game.over() || !project::shows_addresses(game, variant) {
        return BTreeMap::new();
    }
    let led = |power: Power| Some((power, project::leader(game, power)?));
    game.all_powers().filter_map(led).collect()
}

/// Tells the contacts of every power that another leads now than `before`, or at another address.
pub(super) fn tell_of_others_than(work: &mut GameWork, before: &BTreeMap<Power, String>) {
    let now = leaders(work);
    let new = now
        .into_iter()
        .filter(|(power, leader)| before.get(power) != Some(leader));
    for (power, leader) in new {
        tell(work, power, &leader);
    }
}

fn tell(work: &mut GameWork, of: Power, leader: &str) {
    let (game, variant) = (work.game(), work.variant());
    let mut readers: Vec<Recipient> = work.everyone();
    readers.retain(|to| {
        let viewer = work.reader(*to).viewer;
        project::leader_shown(game, variant, viewer, of).is_some()
    });
    work.broadcast(&readers, MailClass::Notice, |work, to| {
        let name = work.labels(to).name(of).to_owned();
        let subject = format!("Leader of {name}");
        let line = format!("{name} is led by {leader} now.");
        outbound::notice(&work.templates(), &work.heading(to), &subject, line).or_logged()
    });
}
