//! The only way from a `Game` to what a reader may know. Everything that this module returns is owned data in the reader's own
//! words; what a reader may not see is left out here only.

mod actions;
mod bearing;
mod board;
mod board_of_orders;
mod board_orders;
mod board_words;
mod closing;
mod existence;
mod export;
mod labels;
mod leaders;
mod listing;
mod naming;
mod next_step;
mod orders;
mod own;
mod own_changes;
mod reader;
mod reports;
mod sections;
mod seen;
mod sentence;
mod sight;
mod sight_report;
mod summary;
mod told;
mod told_orders;
mod trial;
mod turning_point;
mod why;

pub use export::{Chronicle, ChronicleView};
pub use labels::{Labels, Roster};
pub use leaders::{HIDDEN, leading_seat};
pub use listing::{RegisteredPerson, ending_words};
pub use reader::{GameView, Reader, ReaderView};
pub use reports::{WORDS, time_left};
pub use sight::{SaidSoFar, Sight, SightsOfPhase};
pub use told::{LastPhase, ToldGame};
pub use told_orders::AskedOrders;
pub use trial::{NotTriable, Trial, TrialResult, TriedBy, UnitRefused};
pub use why::{AskedUnit, NoReckoning};

use naming::{Naming, kind_name};
use sight::Visibility;

use crate::VariantGame;
use dipjudge_view::Heading;

impl ReaderView<'_> {
    /// The `::` lines.
    pub fn heading(self, judge: &str) -> Heading {
        Heading {
            reader: self.reader.viewer,
            judge: judge.to_owned(),
            game: self.game.name.clone(),
            title: title_case(&self.game.name),
            variant: self.variant_game().variant_line(),
            phase: if self.game.begun() {
                self.game.token(self.variant)
            } else {
                String::new()
            },
            deadline: self
                .game
                .timing
                .times
                .map(|times| self.reader.moment(times.deadline)),
        }
    }
}

impl VariantGame<'_> {
    /// Variant and options: `Standard Gunboat`.
    pub fn variant_line(self) -> String {
        let mut words = vec![self.variant.card().title.to_owned()];
        if self.game.settings.gunboat {
            words.push("Gunboat".to_owned());
        }
        if self.game.settings.blind {
            words.push("Blind".to_owned());
        }
        words.join(" ")
    }
}

fn title_case(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The index of SUMMARY and LIST: the sum of squares of center counts, divided by the number of powers.
fn index(counts: &[usize]) -> u32 {
    let powers = counts.len().max(1);
    let squares: usize = counts.iter().map(|count| count.pow(2)).sum();
    u32::try_from(squares / powers).unwrap_or(u32::MAX)
}
