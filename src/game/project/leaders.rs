//! Who leads a power, as one reader may know it (`visibility.md` 3, V11 and V25).

use super::Reader;
use crate::{Addresses, Game, Role, Seat, Variant};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// What stands for an address that is hidden.
pub const HIDDEN: &str = "someone@somewhere";

/// Whether the players of this game do not know each other: it is played GUNBOAT, or nobody is told who exists.
pub fn hides_leaders(game: &Game, variant: &dyn Variant) -> bool {
    game.settings.gunboat || variant.hides_existence(game)
}

/// Whether this reader may not know who stands behind a seat. Masters are always named; everybody knows himself; contacts are
/// shown where the game says so; and the end reveals all, unless the game says otherwise.
pub fn hides_leader(game: &Game, variant: &dyn Variant, reader: &Reader, seat: &Seat) -> bool {
    let own = match reader.viewer {
        Viewer::Master => true,
        Viewer::Power(power) => reader.leads_now && game.led_by(seat.id).contains(&power),
        Viewer::Observer | Viewer::Stranger => false,
    };
    let revealed = game.over() && game.settings.reveal;
    let open = own || revealed || seat.role == Role::Master;
    hides_leaders(game, variant) && !open && !is_contact(game, variant, reader.viewer, seat)
}

/// Who stands behind a seat, as this reader may know: the address, or `someone@somewhere` where leaders are hidden.
pub(super) fn address(game: &Game, variant: &dyn Variant, reader: &Reader, seat: &Seat) -> String {
    match hides_leader(game, variant, reader, seat) {
        true => HIDDEN.to_owned(),
        false => seat.address.clone(),
    }
}

/// What a person is called to this reader: the address, or the name where he is told no addresses.
pub fn called(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    seat: &Seat,
    name: &str,
) -> String {
    if reader.reads_addresses() || hides_leader(game, variant, reader, seat) {
        return address(game, variant, reader, seat);
    }
    name.to_owned()
}

/// Whether a seat leads a power whose leader is shown to a reader, since he is in contact with it: its name and address, and
/// nothing else of its person.
pub fn is_contact(game: &Game, variant: &dyn Variant, viewer: Viewer, seat: &Seat) -> bool {
    let mut led = game.led_by(seat.id).into_iter();
    led.any(|power| shows_leader_of(game, variant, viewer, power))
}

/// Whether a game shows its contacts' leaders to each power (CivDip 11.6).
pub fn shows_addresses(game: &Game, variant: &dyn Variant) -> bool {
    game.settings.addresses == Addresses::Shown && variant.hides_existence(game)
}

/// Whether a reader may know who leads a power since he is in contact with it.
fn shows_leader_of(game: &Game, variant: &dyn Variant, viewer: Viewer, power: Power) -> bool {
    let Viewer::Power(reader) = viewer else {
        return false;
    };
    let own = variant.own_labels().filter(|_| game.begun());
    let met = || own.is_some_and(|own| own.contacts(game, reader).contains(&power));
    shows_addresses(game, variant) && met()
}

/// Name and address of who leads a power (the name alone to who is told no addresses), or `no leader`, where the game shows them
/// to this reader.
pub fn leader_shown(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    power: Power,
) -> Option<String> {
    if !shows_leader_of(game, variant, reader.viewer, power) {
        return None;
    }
    let Some(seat) = leading_seat(game, power) else {
        return Some("no leader".to_owned());
    };
    let name = seat.name.as_deref().unwrap_or_default().trim();
    Some(match (name.is_empty(), reader.reads_addresses()) {
        (true, true) => seat.address.clone(),
        (true, false) => HIDDEN.to_owned(),
        (false, true) => format!("{name}, {}", seat.address),
        (false, false) => name.to_owned(),
    })
}

/// The seat of who leads a power, if anybody does who has not given it up.
pub fn leading_seat(game: &Game, power: Power) -> Option<&Seat> {
    let there = !game.standing(power).resigned;
    game.holder(power).filter(|seat| there && !seat.left)
}
