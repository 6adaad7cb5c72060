//! Press in games that hide which powers exist (CivDip 11): a player writes only to his contacts, and reads of nobody
//! else.

use crate::acts::press::{Address, To};
use crate::work::GameWork;
use crate::work::acting::Acting;
use dipjudge_game::Role;
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The refusal of a block without ENDPRESS. Its end would be a guess, and a signature or quoted mail could be sent with
/// it (CivDip 11.5).
pub(crate) const NOT_ENDED: &str = "Press must end with ENDPRESS; nothing was sent.";
/// The refusal of a text with a mail address, in games that hide addresses: its reader could write to that address
/// without the judge (CivDip 11.5).
pub(crate) const ADDRESS_INSIDE: &str = "Press may not contain a mail address; nothing was sent.";
/// The refusal of a text with the writer's name, in games that hide leaders: it would tell who leads the writer's
/// power.
pub(crate) const NAME_INSIDE: &str = "Press may not contain your name; nothing was sent.";
/// The refusal of a text with the writer's password: its reader could sign on as the writer (CivDip 11.5).
pub(crate) const PASSWORD_INSIDE: &str =
    "Press may not contain a SIGNON line or your password; nothing was sent.";

/// The refusal of press before the start, when no power has met another.
pub(crate) const BEFORE_THE_START: &str =
    "Before the start only PRESS TO M reaches anybody; nothing was sent.";

/// Whether the game in hand hides which powers exist.
pub(crate) fn existence_hidden(work: &GameWork) -> bool {
    work.variant_game()
        .seen_by(Viewer::Observer)
        .hides_existence()
}

/// Whether this writer may write only to his contacts: he is a player, and the game hides which powers exist.
pub(crate) fn writes_among_contacts(work: &GameWork, acting: Acting) -> bool {
    let seat = work.game().seat(acting.seat);
    existence_hidden(work) && seat.is_some_and(|seat| seat.role == Role::Player)
}

/// The contacts of the writer's power, each with the label that the power has for it.
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

/// The recipients of a message, limited to the writer's contacts. The writer is not told which recipients are left out.
pub(super) fn addressed(work: &GameWork, acting: Acting, to: &To) -> To {
    match to {
        To::All | To::Only(_) => to.clone(),
        To::AllBut(list) => To::Only(contacts_but(work, acting, list)),
    }
}

/// Whether a message to all contacts, or to all but some, has no recipient left.
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

/// The recipients for whom a message was accepted, by the sender's labels. They include powers that are eliminated or
/// have no leader.
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
