//! The lines that a civilization may send now, ready to be sent.

use super::dealings::PartyState;
use super::homes::Choosing;
use super::{CivDip, NAMES, homes};
use dipjudge_game::Phase;
use dipjudge_game::opening::WINTER as OPENING;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::Power;
use dipjudge_view::OfferedLine;

/// The name before the first units are built, the choice of a home, and answers to what was offered.
pub(super) fn lines(game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
    let mut lines = Vec::new();
    let state = game.state(&CivDip);
    if *game.phase() == Phase::Adjustments && game.turn() == OPENING && !NAMES.is(game, "dealt") {
        lines.push(OfferedLine {
            line: format!("NAME {}", state.name(power)),
            does: "Says what your civilization is called, in this Winter alone and as often as you like. Without it you keep the \
                   name that you have."
                .to_owned(),
            is_spent: false,
        });
    }
    let choosing = Choosing {
        turn: game.turn(),
        phase: game.phase(),
        holdings: &|| game.holdings(power),
    };
    let open = homes::to_choose(&state, power, choosing);
    if !open.is_empty() {
        let names: Vec<String> = open.iter().map(|center| center.titled()).collect();
        lines.push(OfferedLine {
            line: format!("HOME {}", names.join(", ")),
            does: "Says which centers become your homes, best first, in this Winter alone; a later line comes in place of it. \
                   Without it the first by abbreviation are taken."
                .to_owned(),
            is_spent: game.submissions(power).contains_key(homes::SUBMISSION),
        });
    }
    let dealings = state.dealings.known_to(power).into_iter();
    let offered = dealings.filter(|dealing| dealing.state == PartyState::Asked);
    lines.extend(offered.map(|dealing| OfferedLine {
        line: format!("ACCEPT {}", dealing.number),
        does: format!(
            "Agrees to what was offered to you; REJECT {} refuses it. Without either it lapses when this phase is processed.",
            dealing.number
        ),
        is_spent: false,
    }));
    lines
}
