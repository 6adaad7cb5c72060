//! What a reader may know of a power's leader (`visibility.md` 3, V11 and V25).

use super::{GameView, ReaderView};
use crate::{Addresses, Game, Role, Seat, VariantGame};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// Replaces an address that is hidden.
pub const HIDDEN: &str = "someone@somewhere";

impl ReaderView<'_> {
    /// Whether this reader may not know the person at a seat. Masters are always named, and everybody knows himself. Contacts
    /// are shown where the game allows it. At the end all are shown, unless the game forbids it.
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

    /// The address of the person at a seat, or `someone@somewhere` where leaders are hidden from this reader.
    pub(super) fn address(self, seat: &Seat) -> String {
        if self.hides_leader(seat) {
            HIDDEN.to_owned()
        } else {
            seat.address.clone()
        }
    }

    /// What a person is called to this reader: the address, or the name if he reads no addresses.
    pub fn called(self, seat: &Seat, name: &str) -> String {
        if self.reader.reads_addresses() || self.hides_leader(seat) {
            return self.address(seat);
        }
        name.to_owned()
    }

    /// What a person is called in a sentence about him: his name, and behind it the address if this reader may know it.
    pub fn introduced(self, seat: &Seat, name: &str) -> String {
        let called = self.called(seat, name);
        let name = name.trim();
        if self.hides_leader(seat) || name.is_empty() || name == called {
            return called;
        }
        format!("{name} ({called})")
    }

    /// Name and address of a power's leader (only the name if this reader reads no addresses), or `no leader`, if the game shows
    /// leaders to this reader.
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
    /// Whether a seat leads a power that the reader is in contact with and whose leader is shown to him: only name and address,
    /// nothing else about the person.
    pub fn is_contact(self, seat: &Seat) -> bool {
        let mut led = self.game.led_by(seat.id).into_iter();
        led.any(|power| self.shows_leader_of(power))
    }

    /// Whether a reader may know who leads a power because he is in contact with it.
    fn shows_leader_of(self, power: Power) -> bool {
        let Viewer::Power(reader) = self.viewer else {
            return false;
        };
        self.variant_game().shows_addresses()
            && self
                .label_rules()
                .is_some_and(|rules| rules.contacts(self.game, reader).contains(&power))
    }
}

impl VariantGame<'_> {
    /// Whether the players of this game do not know each other: it is played GUNBOAT, or hides who exists.
    pub fn hides_leaders(self) -> bool {
        self.game.settings.gunboat || self.variant.hides_existence(self.game)
    }

    /// Whether a game shows its contacts' leaders to each power (CivDip 11.6).
    pub fn shows_addresses(self) -> bool {
        self.game.settings.addresses == Addresses::Shown && self.variant.hides_existence(self.game)
    }
}

/// The seat of a power's leader, unless it is vacant or its leader has resigned or left.
pub fn leading_seat(game: &Game, power: Power) -> Option<&Seat> {
    let there = !game.standing(power).resigned;
    game.holder(power).filter(|seat| there && !seat.left)
}
