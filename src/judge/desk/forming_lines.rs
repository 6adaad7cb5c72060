//! Lines of a variant from players at a table that is still forming: a name for one's empire.

use crate::calendar::PhaseKind;
use crate::commands::names::Names;
use crate::commands::order_words::Verb;
use crate::commands::orders::{grammar_of, read_orders_by};
use crate::game::{Event, Role, SeatChange};
use crate::judge::work::GameWork;
use crate::judge::work::acting::Acting;

/// What came of such a line: sentences, or why not.
pub(crate) type Said = Result<Vec<String>, Vec<String>>;

/// Takes a line of the variant from a player of a forming game; nothing if it is not such a line.
pub(crate) fn take(work: &mut GameWork, acting: Acting, line: &str) -> Option<Vec<Said>> {
    let edit = &work.open.edit;
    let game = &edit.game;
    let player = game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Player);
    if game.begun() || game.over() || !player || edit.variant.grammar().is_empty() {
        return None;
    }
    let names = Names::shared(game.map(), &work.roster(acting.recipient()));
    // A table that is forming is in no phase, so nothing but lines of the variant can be read.
    let read = read_orders_by(grammar_of(edit.variant), line, PhaseKind::Own, &names);
    let own: Vec<_> = read
        .into_iter()
        .filter_map(|words| match words {
            Ok(words) => match words.verb {
                Verb::Own(line) => Some(line),
                _ => None,
            },
            Err(_) => None,
        })
        .collect();
    let mut answers = Vec::new();
    for line in own {
        let edit = &work.open.edit;
        match edit.variant.read_joining(&line, &edit.game, acting.seat) {
            Ok(joining) => {
                work.emit(Event::SeatChanged {
                    seat: acting.seat,
                    change: SeatChange::Brings(joining.brings),
                });
                answers.push(Ok(joining.said));
            }
            Err(sentences) => answers.push(Err(sentences)),
        }
    }
    (!answers.is_empty()).then_some(answers)
}
