//! The game that a question is about, and the reader as whom the asker reads it.

use crate::people::unlisted;
use crate::work::acting::{Refusal, refuse};
use crate::work::reader_context::ReaderContext;
use dipjudge_game::{Game, VariantGame, project};
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The game that a question is about: the sender's own by default; another one if it is public or the sender has a seat
/// in it.
pub(super) fn asked<'e>(
    context: &ReaderContext<'e, '_>,
    name: Option<&str>,
) -> Result<&'e Game, Refusal> {
    let (work, own, from) = (context.work, context.own(), &context.address);
    let Some(name) = name else {
        return own.ok_or_else(|| Refusal::from("Name the game, or sign on to it first."));
    };
    if let Some(game) = own.filter(|game| game.name.eq_ignore_ascii_case(name)) {
        return Ok(game);
    }
    work.judge
        .game(name)
        .filter(|game| game.settings.list || unlisted::sits(work, game, from))
        .ok_or_else(|| unlisted::no_game_to_look_at(work, from, name))
}

/// The reader as whom the sender reads a game: his role if he has signed on to it, else a stranger. A master who acts
/// as a power must not read what is sealed from masters, and the power's leader, who gets the same answers, must not
/// read what is for masters: both read as observers.
pub(super) fn reader(context: &ReaderContext, game: &Game) -> project::Reader {
    let own = context.open.filter(|open| open.edit.game.name == game.name);
    let Some((open, acting)) = own.zip(context.acting) else {
        return project::Reader::stranger(game);
    };
    let reader = match game.seat(acting.seat) {
        Some(seat) => project::Reader::of(game, seat, acting.power),
        None => project::Reader::observer(game),
    };
    let keeps = VariantGame::new(game, open.edit.variant).keeps_own_from_masters();
    let viewer = match acting.power {
        Some(_) if open.acts_as_power && keeps => Viewer::Observer,
        // If nobody leads the power, the acting seat is still the master's.
        Some(power) if open.acts_as_power => Viewer::Power(power),
        _ => reader.viewer,
    };
    project::Reader { viewer, ..reader }
}

/// In games that hide which powers exist, everybody who does not play in the game reads only its calendar until it is
/// over.
pub(super) fn check_reads_before_the_end(
    game: &Game,
    reader: &project::Reader,
) -> Result<(), Refusal> {
    let variant = variants::of(&game.variant);
    let outside = matches!(reader.viewer, Viewer::Observer | Viewer::Stranger);
    if outside
        && game.begun()
        && VariantGame::new(game, variant)
            .seen_by(reader.viewer)
            .hides_existence()
    {
        refuse("Not before the end of the game.")
    } else {
        Ok(())
    }
}
