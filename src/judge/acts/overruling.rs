//! OVERRULE: the master's last word on what stands where and who owns what.

use super::table::{Act, Command};
use crate::commands::names::Names;
use crate::commands::overrule_words::read_overrule;
use crate::game::overrule::overrule;
use crate::grammar::Line;
use crate::judge::desk::variant_lines;
use crate::judge::work::GameWork;
use crate::judge::work::acting::{Acting, Refused, Said, refuse, say};

pub(super) const COMMANDS: &[Command] = &[Command {
    rules: &["overrule"],
    examples: &["OVERRULE OWNER Bel FRANCE"],
    act: Act::Game(overruled),
    help: "OVERRULE PLACE FRENCH A Bur [BECAUSE reason]
OVERRULE MOVE A Bur TO Par [BECAUSE reason]
OVERRULE REMOVE FRENCH A Bur [BECAUSE reason]
OVERRULE OWNER Bel FRANCE [BECAUSE reason]
    Your last word on the board: a unit put on it, set elsewhere or taken off,
    a center's owner (or NOBODY).  All are told at once, in a BLIND game each
    by what he sees.  SET DEADLINE moves the deadline.",
    ..Command::MASTER
}];

fn overruled(work: &mut GameWork, acting: Acting, line: &Line) -> Said {
    let game = work.game();
    if !game.begun() || game.over() {
        return refuse("A position can be overruled from the start of a game until it is over.");
    }
    let names = Names::shared(game.map(), work.roster(acting.recipient()));
    let words = line.words().unwrap_or_default();
    let read = read_overrule(words, &names).map_err(|misread| {
        Refused(format!(
            "{misread}  OVERRULE takes PLACE, MOVE, REMOVE or OWNER: OVERRULE OWNER Bel FRANCE."
        ))
    })?;
    let because = read.because.as_deref();
    let happened = overrule(game, work.variant(), &read.what, because).map_err(Refused)?;
    say(variant_lines::happen(work, acting, happened))
}
