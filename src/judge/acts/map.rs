//! MAP: a picture of a game's board, as much of it as the sender may see, now or behind a phase of its past.

use crate::calendar::PhaseName;
use crate::game::project::{self, Chronicle};
use crate::game::{Game, Variant};
use crate::grammar::Line;
use crate::judge::acts::info;
use crate::judge::desk::session::Session;
use crate::judge::work::acting::Refused;
use crate::judge::work::asker::Asker;
use crate::mails::outbound::Picture;
use crate::planted::{Leak, planted};
use crate::variants;
use crate::view::{Board, Viewer};

/// MAP: the picture comes with the reply. Where the sender sees a part of the board, the words of his reports stand there too.
pub(super) fn map(session: &mut Session, text: &str, line: &Line) {
    // One is drawn for each mail, however often its lines ask.
    if let Some(picture) = &session.reply.picture {
        let why = format!(
            "One map comes with a mail, and that is {}: ask for this one in another mail.",
            picture.shows
        );
        return session.outcome(text, Err(Refused(why)));
    }
    let asker = session.asker();
    let (game, phase) = (line.text_of("map-game"), line.find("map-phase"));
    let position = match (game, phase) {
        (None, None) => info::position(&asker),
        _ => None,
    };
    match drawn(&asker, game, phase.and_then(Line::words)) {
        Ok(picture) => {
            session.say(format!("{}: see the picture.", picture.shows));
            session.reply.picture = Some(picture);
            if let Some(position) = position {
                session.show(position);
            }
        }
        Err(refused) => session.outcome(text, Err(refused)),
    }
}

fn drawn(asker: &Asker, name: Option<&str>, phase: Option<&str>) -> Result<Picture, Refused> {
    let game = info::asked(asker, name)?;
    let (name, variant) = (&game.name, variants::of(&game.variant));
    if !game.begun() {
        return Err(Refused(format!(
            "Game '{name}' has not begun, so there is no board yet."
        )));
    }
    let reader = info::reader(asker, game);
    info::check_reads_before_the_end(game, &reader)?;
    let board = project::board(game, variant, reader.viewer).ok_or_else(|| {
        Refused(format!(
            "'{name}' is played blind: only those who play in it see a part of its board."
        ))
    })?;
    let board = match phase {
        None if planted(Leak::Map) => project::whole_board(game, variant),
        None => board,
        Some(words) => board_of_phase(asker, game, variant, reader.viewer, words)?,
    };
    let drawn = asker.work.judge.pictures.of(&board);
    drawn.ok_or_else(|| Refused("The map could not be drawn.".to_owned()))
}

/// The board behind a phase, or as it stands where that phase is in hand.
fn board_of_phase(
    asker: &Asker,
    game: &Game,
    variant: &dyn Variant,
    viewer: Viewer,
    words: &str,
) -> Result<Board, Refused> {
    let unknown = || {
        Refused(format!(
            "'{}' has had no phase {words} of which you saw the board; MAP without a phase shows it as it stands.",
            game.name
        ))
    };
    let phase = variant.card().phase_named(words).map_err(|_| unknown())?;
    let board = match phase == game.phase_name(variant) && !game.over() {
        true => project::board(game, variant, viewer),
        // The log is long: it is read for phases that were played alone.
        false if was_played(game, variant, phase) => {
            let log = asker.work.library.log(&game.name);
            let chronicle = Chronicle::of(&log).ok();
            chronicle.and_then(|story| project::board_of_phase(&story, variant, viewer, phase))
        }
        false => None,
    };
    board.ok_or_else(unknown)
}

fn was_played(game: &Game, variant: &dyn Variant, phase: PhaseName) -> bool {
    let card = variant.card();
    let mut past = game.past.iter();
    past.any(|past| card.is_called(&past.phase) && card.phase_name(&past.phase, past.turn) == phase)
}
