//! `act GAME`: lines as in a mail, executed as a master of the game.

use super::{KeeperRefusal, KeeperRuling, seat};
use crate::receiving::receive::finish_game;
use crate::session::Session;
use crate::work::{GameWork, Work};
use dipjudge_mails::inbound::{self, Envelope, InboundMail, Limits};

/// Executes the lines.
pub(super) fn execute(
    work: Work<'_>,
    name: &str,
    as_power: Option<&str>,
    lines: &str,
) -> Result<KeeperRuling, KeeperRefusal> {
    let judge = work.judge;
    let game = game_named(&work, name)?;
    let acting_line = as_power.map(|power| format!("BECOME {power}\n"));
    let mail = mail_of(
        &work,
        &format!("{}{lines}", acting_line.unwrap_or_default()),
    )?;
    let mut session = Session::new(work, &mail);
    session.take_up(judge.game(&game).ok_or_else(|| no_game(name))?);
    let Some(acting) = session.in_game().map(|mut work| seat::take(&mut work)) else {
        return Err(no_game(name));
    };
    session.enter(acting);
    session.read_signed_on();
    session.conclude();
    let Session { mut work, open, .. } = session;
    if let Some(mut open) = open {
        let mut of_game = GameWork::new(&mut work, &mut open);
        finish_game(&mut of_game);
        seat::leave(&mut of_game, acting);
        work.close(open);
    }
    let said = work.said_to_keeper();
    Ok(KeeperRuling {
        ruling: work.finish(),
        said,
    })
}

/// The name of a game as the judge writes it.
pub(super) fn game_named(work: &Work, name: &str) -> Result<String, KeeperRefusal> {
    let game = work.judge.game(name).ok_or_else(|| no_game(name))?;
    Ok(game.name.clone())
}

fn no_game(name: &str) -> KeeperRefusal {
    KeeperRefusal(format!(
        "there is no game '{name}'; `dipjudge games` lists those there are"
    ))
}

/// The lines as a mail of the keeper's, so that they are read as all lines are.
fn mail_of(work: &Work, lines: &str) -> Result<InboundMail, KeeperRefusal> {
    let settings = &work.judge.settings;
    let message = format!(
        "From: {}\r\nTo: {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{lines}",
        settings.keeper, settings.address
    );
    let limits = Limits {
        bytes: settings.bytes,
        ..Limits::default()
    };
    inbound::read_delivered(message.as_bytes(), &Envelope::default(), &limits)
        .map_err(|unusable| KeeperRefusal(format!("the lines cannot be read: {}", unusable.reason)))
}
