//! Who leads a power, as one reader may know it (`visibility.md` 3, V11 and V25).

use super::{GameView, ReaderView};
use crate::{Addresses, Game, Role, Seat, VariantGame};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// What stands for an address that is hidden.
pub const HIDDEN: &str = "someone@somewhere";

impl ReaderView<'_> {
    /// Whether this reader may not know who stands behind a seat. Masters are always named; everybody knows himself; contacts are
    /// shown where the game says so; and the end reveals all, unless the game says otherwise.
    pub fn hides_leader(self, seat: &Seat) -> bool {
        let own = match self.reader.viewer {
            Viewer::Master => true,
            Viewer::Power(power) => {
                self.reader.leads_now && self.game.led_by(seat.id).contains(&power)
            }
            Viewer::Observer | Viewer::Stranger => false,
        };
        let revealed = self.game.over() && self.game.settings.reveal;
        let open = own || revealed || seat.role == Role::Master;
        self.variant_game().hides_leaders() && !open && !self.view().is_contact(seat)
    }

    /// Who stands behind a seat, as this reader may know: the address, or `someone@somewhere` where leaders are hidden.
    pub(super) fn address(self, seat: &Seat) -> String {
        if self.hides_leader(seat) {
            HIDDEN.to_owned()
        } else {
            seat.address.clone()
        }
    }

    /// What a person is called to this reader: the address, or the name where he is told no addresses.
    pub fn called(self, seat: &Seat, name: &str) -> String {
        if self.reader.reads_addresses() || self.hides_leader(seat) {
            return self.address(seat);
        }
        name.to_owned()
    }

    /// Name and address of who leads a power (the name alone to who is told no addresses), or `no leader`, where the game shows them
    /// to this reader.
    pub fn leader_shown(self, power: Power) -> Option<String> {
        if !self.view().shows_leader_of(power) {
            return None;
        }
        let Some(seat) = leading_seat(self.game, power) else {
            return Some("no leader".to_owned());
        };
        let name = seat.name.as_deref().unwrap_or_default().trim();
        Some(match (name.is_empty(), self.reader.reads_addresses()) {
            (true, true) => seat.address.clone(),
            (true, false) => HIDDEN.to_owned(),
            (false, true) => format!("{name}, {}", seat.address),
            (false, false) => name.to_owned(),
        })
    }
}

impl GameView<'_> {
    /// Whether a seat leads a power whose leader is shown to a reader, since he is in contact with it: its name and address, and
    /// nothing else of its person.
    pub fn is_contact(self, seat: &Seat) -> bool {
        let mut led = self.game.led_by(seat.id).into_iter();
        led.any(|power| self.shows_leader_of(power))
    }

    /// Whether a reader may know who leads a power since he is in contact with it.
    fn shows_leader_of(self, power: Power) -> bool {
        let Viewer::Power(reader) = self.viewer else {
            return false;
        };
        let own = self.variant.own_labels().filter(|_| self.game.begun());
        let met = || own.is_some_and(|own| own.contacts(self.game, reader).contains(&power));
        self.variant_game().shows_addresses() && met()
    }
}

impl VariantGame<'_> {
    /// Whether the players of this game do not know each other: it is played GUNBOAT, or nobody is told who exists.
    pub fn hides_leaders(self) -> bool {
        self.game.settings.gunboat || self.variant.hides_existence(self.game)
    }

    /// Whether a game shows its contacts' leaders to each power (CivDip 11.6).
    pub fn shows_addresses(self) -> bool {
        self.game.settings.addresses == Addresses::Shown && self.variant.hides_existence(self.game)
    }
}

/// The seat of who leads a power, if anybody does who has not given it up.
pub fn leading_seat(game: &Game, power: Power) -> Option<&Seat> {
    let there = !game.standing(power).resigned;
    game.holder(power).filter(|seat| there && !seat.left)
}
