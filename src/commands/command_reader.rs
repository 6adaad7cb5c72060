//! Reads command lines by `grammar/commands.grammar`.

use super::command::{Command, HistoryWords, Listing, RollbackTo};
use super::date_words::DateWords;
use super::settings::{Calendar, read_settings};
use super::sign_on::SignOn;
use crate::calendar::PhaseName;
use crate::grammar::{Grammar, Node, Text, files};
use std::sync::OnceLock;

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 4] = ["opening", "command", "block-end", "form-end"];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::COMMANDS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// A line that is a command of its own, or begins or ends something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CommandLine {
    /// A command of one line.
    One(Command),
    /// `REGISTER`: a form follows.
    Form,
    /// Press or the like: a text follows.
    Block(BlockKind, String),
    /// `SIGNOFF`.
    SignOff,
}

/// What a text is for that the lines behind a command hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// `PRESS`.
    Press,
    /// `BROADCAST`.
    Broadcast,
    /// `POSTAL PRESS`.
    Postal,
    /// `OFFICIAL`.
    Official,
    /// `DIARY`.
    Diary,
    /// `SET COMMENT BEGIN`.
    Comment,
}

/// Reads a line by one of [`ROOTS`]: `opening` before the sign-on, `command` after it.
pub(super) fn read_command(rule: &str, line: &str) -> Option<CommandLine> {
    let text = Text::new(line);
    let tree = grammar().read(rule, &text, 0, &Calendar)?;
    let mut node = tree.root(&text);
    // Groups hold one rule and nothing else; the command is the first that is no group.
    while let "opening" | "command" | "information" | "condition" | "block" | "diary" | "master"
    | "keeper" = node.rule()
    {
        node = node.first()?;
    }
    command(node)
}

/// Whether the rule matches the line.
pub(super) fn is(rule: &str, line: &str) -> bool {
    let text = Text::new(line);
    grammar().read(rule, &text, 0, &Calendar).is_some()
}

/// If the line begins as a command does but is none: what would have been accepted where it goes
/// wrong.
pub(super) fn wanted(line: &str) -> Option<Vec<String>> {
    let text = Text::new(line);
    let failure = grammar().explain("command", &text, 0, &Calendar);
    if failure.at <= text.skip_blanks(0) || failure.tangled {
        return None;
    }
    let mut wanted: Vec<String> = failure
        .terms
        .iter()
        .map(|(term, _)| term.said().to_owned())
        .collect();
    let words = failure
        .words
        .iter()
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()));
    wanted.extend(words.map(|word| word.to_ascii_uppercase()));
    if failure.end {
        wanted.push("the end of the line".to_owned());
    }
    wanted.dedup();
    wanted.truncate(8);
    Some(wanted)
}

fn command(node: Node<'_>) -> Option<CommandLine> {
    let part = |rule: &str| node.find(rule).map(|part| part.text().to_owned());
    let all = |rule: &str| -> Vec<String> {
        node.all()
            .filter(|part| part.rule() == rule)
            .map(|part| part.text().to_owned())
            .collect()
    };
    let rest = || node.words().map(str::to_owned);
    let phase = || {
        node.words()
            .and_then(|words| words.parse::<PhaseName>().ok())
    };
    let has = |rule: &str| node.find(rule).is_some();
    let sign_on = || {
        let words = SignOn {
            seat: part("seat").unwrap_or_default(),
            password: part("password"),
            behind: part("behind").unwrap_or_default(),
        };
        words.with_whole_name()
    };
    let block =
        |kind: BlockKind| CommandLine::Block(kind, node.words().unwrap_or_default().to_owned());
    Some(CommandLine::One(match node.rule() {
        "register" => return Some(CommandLine::Form),
        "sign-off" => return Some(CommandLine::SignOff),
        "press" => return Some(block(BlockKind::Press)),
        "broadcast" => return Some(block(BlockKind::Broadcast)),
        "postal" => return Some(block(BlockKind::Postal)),
        "official" => return Some(block(BlockKind::Official)),
        "diary-record" => return Some(block(BlockKind::Diary)),

        "sign-on" | "greeting" | "join" => Command::SignOn(sign_on()),
        "observe" | "observe-again" => Command::Observe(sign_on()),
        "create" => Command::Create(sign_on()),
        "resign-elsewhere" => Command::ResignFrom(sign_on()),
        "also" => Command::AlsoAt(part("address")?),
        "resign" => Command::Resign(part("someone")),

        "help" => Command::Help(part("topic")),
        "get" => Command::Get(part("file")?),
        "get-package" => Command::GetPackage,
        "get-dedication" => Command::GetDedication,
        "info-player" => Command::InfoPlayer(part("address")?),
        "list" if has("full") => Command::List(Listing::Full),
        "list" => Command::List(part("game").map_or(Listing::Brief, Listing::Game)),
        "summary" => Command::Summary(part("game")),
        "status" => Command::Status(part("game")),
        "history" => Command::History(history(node)),
        "who-game" => Command::WhoGame {
            game: part("game"),
            full: has("full"),
        },
        "who" => Command::Who(all("someone")),
        "version" => Command::Version,
        "map" => Command::Map {
            game: part("map-game"),
            phase: node
                .parts()
                .filter(|part| part.rule().is_empty())
                .find_map(|part| part.text().parse().ok()),
            format: node
                .find("picture")
                .map(|picture| picture.folded().to_owned()),
        },
        "dedication-of" => Command::DedicationOf(part("game")?),

        "set" => Command::Set(read_settings(node.words().unwrap_or_default())),
        "phase" => Command::Phase {
            text: rest().unwrap_or_default(),
            phase: phase(),
        },
        "clear" => Command::Clear,
        "clear-orders" => Command::ClearOrders,
        "if" => Command::If(rest()?),
        "else-if" => Command::ElseIf(rest()?),
        "else" => Command::Else,
        "end-if" => Command::EndIf,
        "diary-list" => Command::DiaryList,
        "diary-read" => Command::DiaryRead(node.number()?),
        "diary-delete" => {
            Command::DiaryDelete(node.parts().filter_map(|part| part.number()).collect())
        }

        "become-master" => Command::BecomeMaster,
        "become" => Command::Become(part("powers")?),
        "process" => Command::Process {
            phase: phase(),
            forced: has("forced"),
        },
        "predict" => Command::Predict,
        "rollback" => Command::Rollback {
            to: match node.number() {
                Some(turn) => Some(RollbackTo::Turn(turn)),
                None => phase().map(RollbackTo::Phase),
            },
            full: has("rollback-full"),
            restore: has("rollback-restore"),
        },
        "rollforward" => Command::Rollforward,
        "pause" => Command::Pause,
        "resume" => Command::Resume,
        "terminate" => Command::Terminate,
        "no-terminate" => Command::NoTerminate,
        "eject" => Command::Eject(rest()),
        "promote" => Command::Promote(part("address")),
        "force-begin" => Command::ForceBegin,
        "unstart" => Command::Unstart,
        "dummy" => Command::Dummy(rest()?),
        "revive" => Command::Revive(rest()?),
        "activate" => Command::Activate,
        "wait" => Command::Wait,
        "no-wait" => Command::NoWait,
        "reveal" => Command::Reveal,
        "overrule" => Command::Overrule(rest()?),
        "setup" | "rename" | "purge" | "form" | "adjust" | "record" | "fix-id" | "no-control" => {
            let word = node.text().split_whitespace().next().unwrap_or_default();
            Command::NotOffered(word.to_ascii_uppercase())
        }
        _ => return None,
    }))
}

fn history(node: Node<'_>) -> HistoryWords {
    let mut history = HistoryWords::default();
    for part in node.all() {
        let date = || part.words().and_then(DateWords::parse);
        let phase = || part.words().and_then(|words| words.parse().ok());
        match part.rule() {
            "history-game" => history.game = Some(part.text().to_owned()),
            "history-from" => history.from = date(),
            "history-to" => history.to = date(),
            "history-lines" => history.lines = part.number(),
            "history-after" => history.after = phase(),
            "history-until" => history.until = phase(),
            "history-broad" => history.broadcasts = true,
            _ => {}
        }
    }
    history
}
