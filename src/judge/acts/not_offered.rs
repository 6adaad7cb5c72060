//! Commands of earlier judges that this judge does not offer. They are parsed so that their sender reads what to do
//! instead.

use super::table::{Act, Command, Discloses, Page, Who, everywhere};
use crate::session::Session;
use crate::work::acting::refuse;
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
        act: Act::Game(|_, _, _| {
            refuse(
                "What ROLLBACK took back is not done again by itself: the orders of then stand, so PROCESS plays the phase again with the same draws. REPLAY changes what was played and goes on from there.",
            )
        }),
        ..GONE
    },
];

fn of_keepers(session: &mut Session, text: &str, line: &Line) {
    let word = line.text.split_whitespace().next().unwrap_or_default();
    let word = word.to_uppercase();
    session.fault(
        text,
        format!("{word} is no longer done by mail; see the keeper's command line."),
    );
}
