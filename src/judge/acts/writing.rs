//! Press of all kinds: commands that are followed by a text.

use super::press::words;
use super::table::{Act, Command, Proof, Who};
use crate::session::Session;
use dipjudge_commands::mail_reader::Block;

impl Session<'_, '_> {
    /// Sends a letter of these words, as below the line by which PRESS or BROADCAST would begin it.
    pub(crate) fn send_letter(&mut self, opens: &str, words: Vec<String>) {
        let (rule, options) = opens.split_once(' ').unwrap_or((opens, ""));
        let block = Block {
            options: options.to_owned(),
            ..Block::of_lines(&rule.to_lowercase(), words)
        };
        words::send(self, opens, &block);
        self.reading.commands.insert(rule.to_lowercase());
    }
}

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
        rules: &["broadcast"],
        examples: &["BROADCAST"],
        act: Act::Text(words::send),
        help: "BROADCAST [WHITE|GREY]
    A letter to all, ended by ENDPRESS or ENDBROADCAST.",
        ..Command::BASE
    },
    Command {
        rules: &["official"],
        examples: &["OFFICIAL A new clock"],
        who: Who::SignedOn,
        proof: Proof::SignOn,
        act: Act::Text(words::send),
        help: "OFFICIAL [subject]
    Your announcement to all, with this subject; its text ends with END.",
        ..Command::MASTER
    },
    Command {
        rules: &["postal"],
        examples: &["POSTAL PRESS"],
        act: Act::Text(words::send),
        help: "POSTAL PRESS
    Where SET POSTAL PRESS allows it: a letter to all, ended by ENDPRESS, that
    comes with the next results. The master reads it at once.",
        ..Command::BASE
    },
];
