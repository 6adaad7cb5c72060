//! The end of every mail about the game in hand: what its reader may do next, in press how to answer it. It is added when a mail is sent, so what
//! is archived for HISTORY does not tell what could be done then.

use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::Role;
use dipjudge_mails::outbound::{self, AnswerAddress, Block, Document, HowMuch, Text};
use dipjudge_rules::map::Power;
use dipjudge_view::NextStep;

impl GameWork<'_, '_> {
    /// Adds what the reader of a mail may do next; answers go to `reply_to`.
    pub(super) fn add_next_step(
        &self,
        to: Recipient,
        text: &mut Text,
        class: MailClass,
        reply_to: Option<&str>,
    ) {
        let answers = reply_to.map(|address| AnswerAddress {
            address: address.to_owned(),
            subject: text.subject.clone(),
        });
        if class == MailClass::Press {
            if let Some(step) = text.answering.take() {
                let step = outbound::next_step(&step, HowMuch::Needed, answers.as_ref());
                text.document.append(step);
            }
            return;
        }
        if let Some(asked) = &text.asks {
            let link = outbound::asked_answer(asked, answers.as_ref());
            if let Some(link) = link {
                text.document
                    .append(Document::from(vec![Block::AnswerLinks(vec![link])]));
            }
            return;
        }
        let how_much = match class {
            MailClass::Answer | MailClass::Notice => HowMuch::Needed,
            MailClass::Results | MailClass::Opening | MailClass::Reminder | MailClass::Press => {
                HowMuch::All
            }
        };
        let step = self.next_step_of_seat(to);
        text.document
            .append(outbound::next_step(&step, how_much, answers.as_ref()));
    }

    /// What the reader may do next. Whoever plays several powers and is not answered for one of them is told it of each.
    fn next_step_of_seat(&self, to: Recipient) -> NextStep {
        let game = self.game();
        let step = |power: Option<Power>| {
            let reader = self.reader(Recipient { power, ..to });
            self.variant_game().read_by(&reader).next_step(self.date)
        };
        let held: Vec<Power> = game
            .all_powers()
            .filter(|power| game.holder(*power).is_some_and(|seat| seat.id == to.seat))
            .collect();
        let plays = game
            .seat(to.seat)
            .is_some_and(|seat| seat.role == Role::Player);
        // Whoever has just been replaced has nothing to do any more.
        if plays && to.power.is_some_and(|power| !held.contains(&power)) {
            return step(None);
        }
        if !plays {
            return step(to.power);
        }
        // Whoever has just filled the table was answered before he had a power.
        if let [] | [_] = held.as_slice() {
            return step(to.power.or(held.first().copied()));
        }
        let sentences = held.iter().flat_map(|power| {
            let reader = self.reader(Recipient {
                power: Some(*power),
                ..to
            });
            let view = self.variant_game().seen_by(reader.viewer);
            let name = view.labels().name(*power).to_owned();
            let told = step(Some(*power)).sentences.into_iter().next();
            told.map(|sentence| format!("{name}: {sentence}"))
        });
        NextStep {
            sentences: sentences.collect(),
            ..NextStep::default()
        }
    }
}
