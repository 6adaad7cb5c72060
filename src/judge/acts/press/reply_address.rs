//! The address to which a reader of a message replies.

use super::To;
use super::cleared::Cleared;
use crate::people::relay::hides_who_left;
use crate::people::reply_addresses::{end, has_relays, whoever_leads};
use crate::tokens;
use crate::work::{GameWork, Recipient};
use dipjudge_commands::press_options::{PressColor, press_lines, read_press};
use dipjudge_game::Role;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_mails::outbound::Sender;
use dipjudge_view::{NextStep, ReadyAnswer};

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

    /// How `to` answers the message, told from what it says of its writer. Observers are told nothing, since they may not answer
    /// everywhere.
    pub(super) fn answering(
        &self,
        work: &GameWork,
        to: Recipient,
        sender: &Sender,
    ) -> Option<NextStep> {
        let role = work.game().seat(to.seat)?.role;
        if work.game().over() || role == Role::Observer {
            return None;
        }
        let (name, letter) = match sender {
            Sender::Unknown => {
                return Some(NextStep {
                    sentences: vec![
                        "Nobody is told who wrote this.  An answer to this mail goes to the judge."
                            .to_owned(),
                    ],
                    ..NextStep::default()
                });
            }
            // A master knows who has written grey press, and an answer would tell others that he does.
            Sender::Unmasked { .. } => return None,
            Sender::Power { power, letter }
            | Sender::Bracketed { power, letter, .. }
            | Sender::Person { power, letter, .. } => (power, letter),
        };
        if self.reply_address(work, to).is_some() {
            return Some(NextStep {
                sentences: vec![format!(
                    "Answer this mail with your words: they go to {name} and nobody else."
                )],
                ..NextStep::default()
            });
        }
        let roster = work.variant_game().seen_by(work.reader(to).viewer).roster();
        let color = if work.game().settings.grey {
            "WHITE "
        } else {
            ""
        };
        let words = [letter, name];
        let mut options = words.iter().map(|word| format!("{color}TO {word}"));
        let options = options.find(|options| read_press(options, &roster).is_ok())?;
        let lines = press_lines(&options, [String::new()]);
        Some(NextStep {
            sentences: vec![format!(
                "To answer {name}, send these lines with your words between them."
            )],
            answer: Some(ReadyAnswer {
                name: format!("Write to {name}"),
                lines,
            }),
            ..NextStep::default()
        })
    }
}
