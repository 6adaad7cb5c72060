//! MAP: a picture of a game's board, limited to what the sender may see, now or after an earlier phase.

use crate::acts::archived::templates;
use crate::acts::asked::{asked, check_reads_before_the_end, reader};
use crate::session::Session;
use crate::session::reading::ReadStory;
use crate::work::acting::{Refusal, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::reader_context::ReaderContext;
use dipjudge_commands::power_list::read_power;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{Chronicle, Roster};
use dipjudge_game::{Cause, Game, Record, Variant, VariantGame, flows};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{self, Document, Picture};
use dipjudge_variants as variants;
use dipjudge_view::{Board, Viewer};

/// MAP: the picture is attached to the reply. If the sender sees only a part of the board, the reply also describes it
/// in words.
pub(super) fn map(session: &mut Session, text: &str, line: &Line) {
    // At most one picture is drawn for each mail, however many lines ask for one.
    let shown = session
        .reply
        .picture
        .as_ref()
        .map(|picture| format!(", and that is {}", picture.alt));
    // The power's leader reads the reply too, so a picture that a master asked for before BECOME goes to the master
    // alone.
    let of_master = session.reply.before_become.as_ref();
    let of_master = of_master.and_then(|before| before.picture.as_ref());
    let shown = shown.or(of_master.map(|_| String::new()));
    if let Some(shown) = shown {
        let why = format!("One map comes with a mail{shown}: ask for this one in another mail.");
        return session.outcome(text, Err(Refusal::from(why)));
    }
    let context = session.reader_context();
    let (game, phase) = (line.text_of("map-game"), line.find("map-phase"));
    let own = context.own().map(|own| own.name.as_str());
    let of_own = game.is_none_or(|name| own.is_some_and(|own| own.eq_ignore_ascii_case(name)));
    let position = if of_own && phase.is_none() {
        position(&context)
    } else {
        None
    };
    match drawn(&context, game, phase.and_then(Line::words)) {
        Ok(picture) => {
            session.say(format!("{}: see the picture.", picture.alt));
            session.reply.picture = Some(picture);
            if let Some(position) = position {
                session.show(position);
            }
        }
        Err(refused) => session.outcome(text, Err(refused)),
    }
}

/// MAP FROM: the last map that a power was given by another. Whoever has given none, is not met or does not exist, gets one answer.
pub(super) fn map_from(session: &mut Session, text: &str, line: &Line) {
    let of_master = session.reply.before_become.as_ref();
    let of_master = of_master.is_some_and(|before| before.picture.is_some());
    if session.reply.picture.is_some() || of_master {
        let why = "One map comes with a mail: ask for this one in another mail.";
        return session.outcome(text, Err(Refusal::from(why)));
    }
    let words = line.text_of("map-giver").unwrap_or_default();
    let drawn = given(&session.reader_context(), session.roster(), words);
    match drawn {
        Some(picture) => {
            session.say(format!("{}: see the picture.", picture.alt));
            session.reply.picture = Some(picture);
        }
        None => {
            let why = format!("You have been given no map by \"{words}\".");
            session.outcome(text, Err(Refusal::from(why)));
        }
    }
}

fn given(context: &ReaderContext, roster: Roster, words: &str) -> Option<Picture> {
    let open = context.open?;
    let game = &open.edit.game;
    let reader = reader(context, game);
    let Viewer::Power(_) = reader.viewer else {
        return None;
    };
    let of = read_power(words, roster).ok()?;
    let story = story(context, game).ok()?;
    let seen = story.seen_by(open.edit.variant, reader.viewer);
    let board = flows::given(|| seen.board_given_by(of))?;
    context.work.judge.pictures.of(&board)
}

/// What a power owns and sees, in games in which it does not see the whole board: STATUS.
pub(super) fn position(context: &ReaderContext) -> Option<Document> {
    let edit = &context.open?.edit;
    let now = edit
        .variant_game()
        .position_in_sight(context.acting?.power?)?;
    outbound::position_section(&templates(context.work, &edit.game), &now).or_logged()
}

fn drawn(
    context: &ReaderContext,
    name: Option<&str>,
    phase: Option<&str>,
) -> Result<Picture, Refusal> {
    let game = asked(context, name)?;
    let (name, variant) = (&game.name, variants::of(&game.variant));
    if !game.begun() {
        return Err(Refusal::from(format!(
            "Game '{name}' has not begun, so there is no board yet."
        )));
    }
    let reader = reader(context, game);
    check_reads_before_the_end(game, &reader)?;
    let board = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .board()
        .ok_or_else(|| {
            Refusal::from(format!(
                "'{name}' is played blind: only those who play in it see a part of its board."
            ))
        })?;
    let board = match phase {
        None if planted(Leak::Map) => VariantGame::new(game, variant).whole_board(),
        None => board,
        Some(words) => past_board(context, game, variant, reader.viewer, words)?,
    };
    let drawn = context.work.judge.pictures.of(&board);
    drawn.ok_or_else(|| Refusal::from("The map could not be drawn."))
}

/// The board after a phase, or the current board if that phase is the current one.
fn past_board(
    context: &ReaderContext,
    game: &Game,
    variant: &dyn Variant,
    viewer: Viewer,
    words: &str,
) -> Result<Board, Refusal> {
    let unknown = || {
        Refusal::from(format!(
            "'{}' has had no phase {words} of which you saw the board; MAP without a phase shows it as it stands.",
            game.name
        ))
    };
    let card = variant.card();
    let phase = card.phase_named(words).map_err(|_| unknown())?;
    let mut past = game.past_turns();
    // The log is long, so it is read only for phases that have been played.
    let board = if past.any(|past| card.names(&past.phase, past.turn, phase)) {
        story(context, game)?
            .seen_by(variant, viewer)
            .board_of_phase(phase)
    } else if phase == game.phase_name(variant) {
        VariantGame::new(game, variant).seen_by(viewer).board()
    } else {
        None
    };
    board.ok_or_else(unknown)
}

impl Session<'_, '_> {
    /// Reads the history of the game in hand, unless it was read and nothing has happened since.
    pub(super) fn read_story(&mut self) -> Result<(), Refusal> {
        let Some(edit) = self.edit() else {
            return refuse("Sign on to a game first.");
        };
        let events = edit.events.len();
        let known = self.reading.story.as_ref();
        if known.is_none_or(|read| read.events != events) {
            let story = story(&self.reader_context(), &edit.game)?;
            self.reading.story = Some(ReadStory { events, story });
        }
        Ok(())
    }
}

/// The game's history, replayed from its log, with what this mail has done so far.
pub(super) fn story(context: &ReaderContext, game: &Game) -> Result<Chronicle, Refusal> {
    let mut log = context.work.library.log(&game.name);
    let open = context.open.filter(|open| open.edit.game.name == game.name);
    log.extend(open.map(|open| Record {
        v: 1,
        at: context.work.now,
        cause: Cause::Mail(None),
        events: open.edit.events.clone(),
    }));
    Chronicle::of(&log).map_err(|error| {
        tracing::error!(%error, game = game.name, "the log of a game cannot be read as a story");
        Refusal::from("The record of this game could not be read.")
    })
}
