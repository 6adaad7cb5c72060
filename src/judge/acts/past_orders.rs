//! Questions after orders of past phases are answered from the results that the asker may read: the lines that have to do with the
//! places and powers that he names.

use super::archived::templates;
use super::asked::{check_reads_before_the_end, reader};
use crate::session::Session;
use crate::session::reading::ReadStory;
use crate::work::or_logged::OrLogged;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::past_question::asked_past;
use dipjudge_commands::slots::phases_named;
use dipjudge_game::project::AskedOrders;
use dipjudge_mails::outbound;
use dipjudge_view::OrdersTold;

/// The most phases that are told of at once.
const MOST_PHASES: usize = 6;

impl Session<'_, '_> {
    /// Answers a question after orders of the past, if a line is one and results tell of such orders.
    pub(crate) fn answer_past_orders(&mut self, line: &str) -> bool {
        let Some(asked) = self.orders_asked(line) else {
            return false;
        };
        let mut why = "Of your results these lines have to do with it:";
        let mut told = self.orders_told(&asked).unwrap_or_default();
        // "Did Germany support me into Belgium?"
        if told.is_empty() && !asked.of.is_empty() && !asked.places.is_empty() {
            let of = Vec::new();
            told = self
                .orders_told(&AskedOrders { of, ..asked })
                .unwrap_or_default();
            why = "Your results tell of no such order.  These lines have to do with the place:";
        }
        if told.is_empty() {
            return false;
        }
        let Some(texts) = self.edit().map(|edit| templates(&self.work, &edit.game)) else {
            return false;
        };
        self.reply.wanted = true;
        self.fault(line, why);
        for phase in told.iter().rev().take(MOST_PHASES).rev() {
            if let Some(shown) = outbound::orders_told_section(&texts, phase).or_logged() {
                self.show(shown);
            }
        }
        true
    }

    /// Which orders a line asks after; `None` if it names neither a place nor a power.
    fn orders_asked(&mut self, line: &str) -> Option<AskedOrders> {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return None;
        };
        let past = asked_past(grammar_of(edit.variant), line, names)?;
        let own = self.sender.acting.and_then(|acting| acting.power);
        let named = self.named_in(line);
        let roster = self.roster();
        let named = roster
            .iter()
            .filter(|(power, info)| Some(*power) != own && named.contains(&info.name));
        let named = named.map(|(power, _)| power);
        let phases = phases_named(&self.with_phases_named(line));
        let asked = if past.by_whom {
            let own = own.filter(|_| past.to_writer && past.places.is_empty());
            AskedOrders {
                to_do_with: named.chain(own).collect(),
                places: past.places,
                of: Vec::new(),
                phases,
            }
        } else {
            AskedOrders {
                of: named.collect(),
                places: past.places,
                to_do_with: Vec::new(),
                phases,
            }
        };
        let names_something =
            !asked.places.is_empty() || !asked.of.is_empty() || !asked.to_do_with.is_empty();
        names_something.then_some(asked)
    }

    /// The orders that the sender's results tell of.
    fn orders_told(&mut self, asked: &AskedOrders) -> Option<Vec<OrdersTold>> {
        let context = self.reader_context();
        let edit = self.edit().filter(|edit| edit.game.begun())?;
        let reader = reader(&context, &edit.game);
        check_reads_before_the_end(&edit.game, &reader).ok()?;
        self.read_story().ok()?;
        let (ReadStory { story, .. }, edit) = (self.reading.story.as_ref()?, self.edit()?);
        Some(
            story
                .seen_by(edit.variant, reader.viewer)
                .orders_told(asked),
        )
    }
}
