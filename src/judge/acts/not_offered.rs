//! Commands of earlier judges that this judge does not offer. They are parsed so that their sender reads what to do
//! instead.

use super::table::{Act, Command, Discloses, Page, Who, everywhere};
use crate::session::Session;
use dipjudge_game::Game;
use dipjudge_grammar::Line;

/// The fields that all rows of this table share.
const GONE: Command = Command {
    page: Page::None,
    tells: everywhere(Discloses::Constant),
    ..Command::BASE
};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &[
            "setup",
            "rename",
            "purge",
            "form",
            "adjust",
            "record",
            "fix-id",
            "no-control",
        ],
        examples: &[
            "SETUP",
            "RENAME kaiser",
            "PURGE",
            "FORM",
            "ADJUST anna 5 late",
            "RECORD a b c d",
            "FIXID 1 2",
            "NO CONTROL",
        ],
        who: Who::Anyone,
        act: Act::Line(of_keepers),
        ..GONE
    },
    Command {
        rules: &["rollforward"],
        examples: &["ROLLFORWARD"],
        who: Who::Anyone,
        act: Act::Line(|session, text, _| {
            session.fault(
                text,
                "What ROLLBACK took back is not done again by itself: the orders of then stand, so PROCESS plays the phase again with the same draws. REPLAY changes what was played and goes on from there.",
            );
            if session.is_master() && session.game().is_some_and(Game::begun) {
                session.propose("PROCESS");
            }
        }),
        ..GONE
    },
];

/// What is done by mail no longer, and what there is instead.
fn of_keepers(session: &mut Session, text: &str, line: &Line) {
    let why = match line.rule.as_str() {
        "setup" => {
            "SETUP is not offered: the master changes units and centers by OVERRULE, in lines that all read. HELP OVERRULE tells how."
        }
        "rename" => {
            "RENAME is no longer done by mail: the keeper of this judge renames games (dipjudge rename). SET COMMENT gives a game another title."
        }
        "purge" => {
            "PURGE is no longer done by mail: TERMINATE ends a game. The keeper of this judge removes it (dipjudge purge)."
        }
        "form" => {
            "FORM is not offered: UNSTART takes a game back to forming in its first turn, and CREATE makes another."
        }
        "no-control" => {
            "NOCONTROL is no longer done by mail: the keeper of this judge can pause all games (dipjudge pause-all) or keep an address out (dipjudge block). PAUSE stops the clock of a game."
        }
        _ => {
            "This is no longer done by mail, since it took a password that any mail could show: the keeper of this judge does it on the command line (dipjudge users). GET DEDICATION shows what is noted of you."
        }
    };
    session.fault(text, why);
}
