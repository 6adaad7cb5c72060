//! OVERRULE: a master sets which units are where and who owns what.

use super::table::{Act, Command};
use crate::orders::variant_lines;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::{GameWork, UntoldOverrulings};
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::overrule_words::{OverruleSubject, read_overrule, subjects};
use dipjudge_game::CommandEffects;
use dipjudge_game::overrule::{self, Overrulings};
use dipjudge_grammar::Line;

pub(super) const COMMANDS: &[Command] = &[Command {
    rules: &["overrule"],
    examples: &["OVERRULE OWNER Bel FRANCE"],
    act: Act::Game(overruled),
    help: "OVERRULE PLACE FRENCH A Bur [BECAUSE reason]
OVERRULE MOVE A Bur TO Par [BECAUSE reason]
OVERRULE REMOVE FRENCH A Bur [BECAUSE reason]
OVERRULE OWNER Bel FRANCE [BECAUSE reason]
    Your last word on the board: a unit put on it, set elsewhere or taken off,
    a center's owner (or NOBODY); of several like units FRENCH A Bur #2 is the
    second.  All are told at once, in a BLIND game each
    by what he sees.  SET DEADLINE moves the deadline.",
    ..Command::MASTER
}];

fn overruled(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let game = work.game();
    if !game.begun() || game.over() {
        return refuse("A position can be overruled from the start of a game until it is over.");
    }
    let names = Names::shared(game.map(), work.roster(acting.recipient()));
    let grammar = grammar_of(work.variant());
    let words = line.words().unwrap_or_default();
    let read = read_overrule(words, grammar, &names).map_err(|error| {
        let takes = subjects(grammar, &names);
        Refusal::from(format!(
            "{error}  OVERRULE takes {takes}: OVERRULE OWNER Bel FRANCE."
        ))
    })?;
    let overruled = match &read.subject {
        OverruleSubject::Board(what) => overrule::on_board(game, what)?,
        OverruleSubject::Own(line) => overrule::of_variant(&work.open.edit, line)
            .map_err(|refusal| Refusal::from(refusal.0.join("  ")))?,
    };
    let happened = CommandEffects {
        events: overruled.events.clone(),
        said: vec![overruled.done.clone()],
        told: Vec::new(),
    };
    let before = UntoldOverrulings {
        by: acting,
        what: Overrulings::of(game),
    };
    let untold = work.open.overruled.get_or_insert(before);
    untold.what.add(overruled, read.because);
    say(variant_lines::happen(work, acting, happened))
}

/// Notifies everybody of what the mail has overruled, in a single notice.
pub(crate) fn tell(work: &mut GameWork) {
    if let Some(UntoldOverrulings { by, what }) = work.open.overruled.take() {
        let follows = what.follow(work.variant_game());
        variant_lines::happen(work, by, follows);
    }
}
