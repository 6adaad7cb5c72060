//! The address to which a reader of a message replies.

use super::To;
use super::cleared::Cleared;
use crate::people::relay::hides_who_left;
use crate::people::reply_addresses::{end, has_relays, whoever_leads};
use crate::tokens;
use crate::work::{GameWork, Recipient};
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::Role;
use dipjudge_game::planted::{Leak, planted};

impl Cleared {
    /// The relay address to which `to` replies. Only white, partial messages without a fake have one, from one player
    /// to another.
    pub(super) fn reply_address(&self, work: &GameWork, to: Recipient) -> Option<String> {
        let game = work.game();
        let plain = self.color == PressColor::White && self.fake.is_none();
        if game.over() || !has_relays(game) || !plain || self.to == To::All {
            return None;
        }
        let reader = game.seat(to.seat)?;
        if self.writer.role != Role::Player || reader.role != Role::Player {
            return None;
        }
        let reader = end(game, reader.id, to.power?)?;
        let peer = if hides_who_left(game) && !planted(Leak::RelayToken) {
            whoever_leads(self.acting.power?)
        } else {
            end(game, self.writer.id, self.acting.power?)?
        };
        let secret = work.registry.secret()?;
        let token = tokens::of_relay(secret, &game.name, reader, peer);
        Some(work.judge.settings.with_token(&token))
    }
}
