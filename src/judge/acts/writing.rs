//! Commands that are followed by a text: press, and others of earlier judges.

use super::press::words;
use super::table::{Act, Command, Discloses, Page, Who, everywhere};
use crate::session::Session;
use dipjudge_commands::mail_reader::Block;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["press"],
        examples: &["PRESS TO E, F"],
        act: Act::Text(words::send),
        help: "PRESS options
    A letter to some players, ended by ENDPRESS; GET PRESS tells more.",
        ..Command::BASE
    },
    Command {
        rules: &["broadcast", "official"],
        examples: &["BROADCAST", "OFFICIAL"],
        act: Act::Text(words::send),
        help: "BROADCAST [WHITE|GREY]
    A letter to all, ended by ENDPRESS or ENDBROADCAST.",
        ..Command::BASE
    },
    Command {
        rules: &["postal", "diary-record"],
        examples: &["POSTAL PRESS", "DIARY"],
        who: Who::Anyone,
        act: Act::Text(not_offered),
        page: Page::None,
        tells: everywhere(Discloses::Constant),
        ..Command::BASE
    },
];

fn not_offered(session: &mut Session, text: &str, _: &Block) {
    let why = "This judge offers no postal press and no diaries; PRESS TO M reaches the Master.";
    session.fault(text, why);
}
