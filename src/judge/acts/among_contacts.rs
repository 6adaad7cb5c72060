//! Press where it is hidden who exists (CivDip 11): a player writes to his contacts, and reads of nobody else.

use crate::acts::press::{Address, To};
use crate::work::GameWork;
use crate::work::acting::Acting;
use dipjudge_game::Role;
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// Of a block whose end would be guessed: a signature or a quoted mail could slip out (CivDip 11.5).
pub(crate) const NOT_ENDED: &str = "Press must end with ENDPRESS; nothing was sent.";
/// Of a text by which its reader could be written to past the judge, where addresses are hidden (CivDip 11.5).
pub(crate) const ADDRESS_INSIDE: &str = "Press may not contain a mail address; nothing was sent.";
/// Of a text that would tell its reader who leads its writer's power, where that is hidden.
pub(crate) const NAME_INSIDE: &str = "Press may not contain your name; nothing was sent.";
/// Of a text that would let its reader sign on as its writer (CivDip 11.5).
pub(crate) const PASSWORD_INSIDE: &str =
    "Press may not contain a SIGNON line or your password; nothing was sent.";

/// Nobody has met anybody yet.
pub(crate) const BEFORE_THE_START: &str =
    "Before the start only PRESS TO M reaches anybody; nothing was sent.";

/// Whether it is hidden in the game in hand who exists.
pub(crate) fn existence_hidden(work: &GameWork) -> bool {
    work.variant_game()
        .seen_by(Viewer::Observer)
        .hides_existence()
}

/// Whether somebody's letters are for his contacts alone: a player's, where it is hidden who exists.
pub(crate) fn writes_among_contacts(work: &GameWork, acting: Acting) -> bool {
    let seat = work.game().seat(acting.seat);
    existence_hidden(work) && seat.is_some_and(|seat| seat.role == Role::Player)
}

/// A power's contacts, as whom it calls them.
fn contacts(work: &GameWork, acting: Acting) -> Vec<(Power, String)> {
    let roster = work.roster(acting.recipient());
    let others = roster
        .iter()
        .filter(|(power, _)| Some(*power) != acting.power);
    let mut others: Vec<(Power, String)> = others
        .map(|(power, info)| (power, info.name.clone()))
        .collect();
    others.sort_by(|one, other| one.1.cmp(&other.1));
    others
}

/// To whom a message goes. Whom it leaves out is told to nobody.
pub(super) fn addressed(work: &GameWork, acting: Acting, to: &To) -> To {
    match to {
        To::All | To::Only(_) => to.clone(),
        To::AllBut(list) => To::Only(contacts_but(work, acting, list)),
    }
}

/// Whether a message to all contacts, or to all but some, goes to none of them.
pub(super) fn leaves_nobody(work: &GameWork, acting: Acting, to: &To) -> bool {
    match to {
        To::Only(_) => false,
        To::All => contacts_but(work, acting, &[]).is_empty(),
        To::AllBut(list) => contacts_but(work, acting, list).is_empty(),
    }
}

fn contacts_but(work: &GameWork, acting: Acting, left_out: &[Address]) -> Vec<Address> {
    contacts(work, acting)
        .into_iter()
        .map(|(power, _)| Address::Power(power))
        .filter(|address| !left_out.contains(address))
        .collect()
}

/// Those for whom a message was taken, as its sender calls them; be one fallen, or led by nobody.
pub(super) fn accepted_for(work: &GameWork, acting: Acting, to: &To) -> Vec<String> {
    let named = |address: Address| match to {
        To::Only(list) => list.contains(&address),
        To::All => address != Address::Master,
        To::AllBut(list) => !list.contains(&address),
    };
    let contacts = contacts(work, acting).into_iter();
    let contacts = contacts.filter(|(power, _)| named(Address::Power(*power)));
    let master = named(Address::Master).then(|| "Master".to_owned());
    contacts.map(|(_, name)| name).chain(master).collect()
}
