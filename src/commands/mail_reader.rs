//! Splits a mail's lines into commands, texts and order lines.
//!
//! What an order is depends on the game that is signed on to. So a mail is read in two steps: here
//! lines are sorted, and of the game only is asked whether a line opens a text; order lines are then
//! read one by one with the names of their game, see [`super::orders::read_orders`].

use super::broken_lines;
use super::command_reader::{CommandLine, is, read_command, wanted};
use super::form::Form;
use super::settings::opens_comment;
use super::sign_on::{SignOn, signs_on};
use dipjudge_grammar::Line;
use std::borrow::Cow;
use std::collections::VecDeque;

/// One line of a mail that was cleaned of its MIME.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLine<'a> {
    /// Counted from 1, as the sender counts.
    pub number: usize,
    /// Cleaned for orders and commands.
    pub text: &'a str,
    /// As it was written, for press.
    pub original: &'a str,
    /// Whether it belongs to a quoted mail.
    pub quoted: bool,
}

impl<'a> BodyLine<'a> {
    /// A line of the sender's own, as he wrote it.
    pub fn own(number: usize, text: &'a str) -> BodyLine<'a> {
        BodyLine {
            number,
            text,
            original: text,
            quoted: false,
        }
    }
}

/// What a mail holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// In the order of the mail.
    pub items: Vec<Item>,
    /// Why reading ended.
    pub ended: Ended,
    /// The first line with anything in it, for a mail that has no sign-on.
    pub first_line: Option<String>,
}

/// Why the reading of a mail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    /// There was nothing more.
    #[default]
    EndOfMail,
    /// `SIGNOFF`.
    SignOff,
    /// A line that is exactly `--`.
    Signature,
    /// A second sign-on, which is not followed.
    SecondSignOn,
}

/// One thing that a mail asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Number of its (first) line.
    pub line: usize,
    /// That line, cleaned, without blanks around it.
    pub text: String,
    /// What the line is.
    pub kind: ItemKind,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemKind {
    /// A command, by its rule of `grammar/commands.grammar`.
    Command(Line),
    /// A command with the text behind it.
    Block(Block),
    /// `REGISTER` with its form.
    Form(Form),
    /// No command: an order, or whatever the game makes of it.
    Order,
    /// Begins as a command does but cannot be read as one. If it is no order of the game either, it
    /// is quoted as an invalid command.
    Invalid {
        /// What would have been accepted where it goes wrong.
        wanted: Vec<String>,
    },
    /// A line that opens a text in the game in hand, with that text.
    OwnText(Block),
    /// A second sign-on; nothing behind it is read.
    SecondSignOn(SignOn),
}

/// The texts of the game that a mail is about, beside press and the like.
pub trait OwnTexts {
    /// Whether a text follows this line.
    fn opens(&mut self, line: &str) -> bool;
    /// Whether the text ends before this line, which is read on its own again.
    fn ends(&mut self, line: &str) -> Option<TextEnd>;
    /// Whether a sentence may go on from this line to the next one: neither is an order or a part of a letter.
    fn may_go_on(&mut self, line: &str, next: &str) -> bool;
}

/// How a line ends the text before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEnd {
    /// It is what has to follow.
    Followed,
    /// It is no part of the text, though something else had to follow.
    Broken,
}

/// No game is known, or none that has texts of its own.
pub struct NoOwnTexts;

impl OwnTexts for NoOwnTexts {
    fn opens(&mut self, _line: &str) -> bool {
        false
    }

    fn ends(&mut self, _line: &str) -> Option<TextEnd> {
        None
    }

    fn may_go_on(&mut self, _line: &str, _next: &str) -> bool {
        false
    }
}

/// A text that a mail holds: press and the like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is for: the rule of the line that opened it.
    pub rule: String,
    /// What stands behind the command word; for a comment empty.
    pub options: String,
    /// The lines as they were written. Quoted mails are left out unless `QUOTE` is an option.
    pub lines: Vec<String>,
    /// Whether a line ended it, not the end of the mail or a signature.
    pub closed: bool,
    /// Whether that line is read on its own again, as the game has it.
    pub followed: bool,
    /// The line that ended it although another had to follow.
    pub broken_at: Option<String>,
    /// Whether a sign-on stands in it: then it must not be sent, since it shows a password.
    pub holds_sign_on: bool,
}

impl Block {
    /// A block of these lines that a line ended.
    pub fn of_lines(rule: &str, lines: Vec<String>) -> Block {
        Block {
            rule: rule.to_owned(),
            options: String::new(),
            lines,
            closed: true,
            followed: false,
            broken_at: None,
            holds_sign_on: false,
        }
    }

    /// The text, lines ended by `\n`, without empty lines around it.
    pub fn text(&self) -> String {
        let full = |line: &String| !line.trim().is_empty();
        let first = self.lines.iter().position(full).unwrap_or(self.lines.len());
        let last = self
            .lines
            .iter()
            .rposition(full)
            .map_or(first, |last| last + 1);
        self.lines
            .get(first..last)
            .unwrap_or_default()
            .iter()
            .flat_map(|line| [line.as_str(), "\n"])
            .collect()
    }
}

/// The rule of the line that opens orders to be tried.
const TRY: &str = "try";

/// The rules of the lines that open texts which END alone ends as well.
const ENDED_BY_END: [&str; 3] = ["official", "comment", "diary-record"];

/// What swallows lines at the moment.
enum Open {
    Block(Item),
    Form(Item),
    OwnText(Item),
}

/// How a mail signs on to its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignOnBy {
    /// By a line in it.
    Line,
    /// It came to a seat's reply address. One sign-on line in it is a command like any other.
    ReplyAddress,
}

/// What ends a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClosedBy {
    Line,
    EndOfMail,
}

/// Sorts a mail's lines as [`MailReader`] does, without knowing any game.
pub fn read_mail(lines: &[BodyLine<'_>], sign_on: SignOnBy) -> Reading {
    let mut reader = MailReader::new(lines, sign_on);
    let mut items = Vec::new();
    while let Some(item) = reader.next(&mut NoOwnTexts) {
        items.push(item);
    }
    Reading {
        items,
        ended: reader.ended,
        first_line: reader.first_line,
    }
}

/// Sorts a mail's lines, one thing after the other, since what a line is may depend on the game that an earlier one signed
/// on to.
///
/// Before a sign-on only the commands are known that need none, and other lines are ignored.
/// After it a line that is no command is an order line. Press and the like swallow all lines up to
/// their end. `SIGNOFF` and `--` end everything.
pub struct MailReader<'l> {
    /// Why reading ended, once it has.
    pub ended: Ended,
    /// The first line with anything in it, for a mail that has no sign-on.
    pub first_line: Option<String>,
    lines: std::slice::Iter<'l, BodyLine<'l>>,
    /// Read, but not yet handed out.
    ready: VecDeque<Item>,
    /// A sign-on line was read.
    signed_on: bool,
    /// Commands and orders are known before any sign-on line.
    knows_all: bool,
    open: Option<Open>,
}

impl<'l> MailReader<'l> {
    /// A reader of these lines.
    pub fn new(lines: &'l [BodyLine<'l>], sign_on: SignOnBy) -> MailReader<'l> {
        MailReader {
            ended: Ended::EndOfMail,
            first_line: None,
            lines: lines.iter(),
            ready: VecDeque::new(),
            signed_on: false,
            knows_all: sign_on == SignOnBy::ReplyAddress,
            open: None,
        }
    }

    /// The next thing that the mail asks for; `None` at its end. What was handed out must have been done before.
    pub fn next(&mut self, own: &mut impl OwnTexts) -> Option<Item> {
        while self.ready.is_empty() {
            if self.ended == Ended::EndOfMail
                && let Some(line) = self.lines.next()
            {
                let whole = self.unbroken(line, own);
                self.take(
                    &BodyLine {
                        text: &whole,
                        ..*line
                    },
                    own,
                );
            } else {
                self.close(ClosedBy::EndOfMail);
                return self.ready.pop_front();
            }
        }
        self.ready.pop_front()
    }

    /// The text of a line, with that of the lines behind it in which its sentence goes on.
    fn unbroken(&mut self, line: &BodyLine<'l>, own: &mut impl OwnTexts) -> Cow<'l, str> {
        let mut whole = Cow::Borrowed(line.text);
        if self.open.is_some() || line.quoted {
            return whole;
        }
        let rule = self.rule();
        while let Some(next) = self.lines.as_slice().first()
            && !next.quoted
            && broken_lines::goes_on(rule, &whole, next.text)
            && own.may_go_on(&whole, next.text)
        {
            whole = format!("{} {}", whole.trim_end(), next.text.trim()).into();
            self.lines.next();
        }
        whole
    }

    /// The rule of the commands that are known at this place.
    fn rule(&self) -> &'static str {
        if self.signed_on || self.knows_all {
            "command"
        } else {
            "opening"
        }
    }

    fn take(&mut self, line: &BodyLine<'_>, own: &mut impl OwnTexts) {
        let text = line.text.trim();
        if !line.quoted && matches!(text, "--" | "\u{2013}" | "\u{2014}") {
            // Some programs make one long dash of two.
            self.ended = Ended::Signature;
            return;
        }
        match self.open.take() {
            Some(open) => self.swallow(open, line, text, own),
            None if line.quoted || text.is_empty() => {}
            None => self.begin(line, text, own),
        }
    }

    /// A line while something is open.
    fn swallow(
        &mut self,
        mut open: Open,
        line: &BodyLine<'_>,
        text: &str,
        own: &mut impl OwnTexts,
    ) {
        // It may be an order or a command like any other line.
        if let Open::OwnText(Item {
            kind: ItemKind::OwnText(block),
            ..
        }) = &mut open
            && !line.quoted
            && let Some(end) = own.ends(text)
        {
            block.followed = end == TextEnd::Followed;
            block.broken_at = (end == TextEnd::Broken).then(|| text.to_owned());
            self.open = Some(open);
            self.close(ClosedBy::Line);
            return self.begin(line, text, own);
        }
        let signing_off = !line.quoted
            && is("opening", text)
            && read_command("opening", text) == Some(CommandLine::SignOff);
        let ends = !line.quoted
            && match &open {
                Open::Block(Item {
                    kind: ItemKind::Block(block),
                    ..
                }) if block.rule == TRY => is("try-end", text),
                Open::Block(Item {
                    kind: ItemKind::Block(block),
                    ..
                }) if ENDED_BY_END.contains(&block.rule.as_str()) => {
                    is("block-end", text) || is("form-end", text)
                }
                Open::Block(_) => is("block-end", text),
                Open::Form(_) | Open::OwnText(_) => is("form-end", text) || signing_off,
            };
        if ends {
            self.open = Some(open);
            self.close(ClosedBy::Line);
            if signing_off {
                self.ended = Ended::SignOff;
            }
            return;
        }
        match &mut open {
            Open::Block(Item {
                kind: ItemKind::Block(block),
                ..
            })
            | Open::OwnText(Item {
                kind: ItemKind::OwnText(block),
                ..
            }) => {
                block.holds_sign_on |= holds_sign_on(text);
                let quotes = block
                    .options
                    .split_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("quote"));
                if !line.quoted || quotes {
                    // Orders are read as they are elsewhere, all else is passed on as it was written.
                    let kept = if block.rule == TRY {
                        line.text
                    } else {
                        line.original
                    };
                    block.lines.push(kept.to_owned());
                }
            }
            Open::Form(Item {
                kind: ItemKind::Form(form),
                ..
            }) if !line.quoted => {
                // A form whose END was forgotten ends where the sender signs on.
                if matches!(read_command("opening", text), Some(CommandLine::One(line)) if signs_on(&line))
                {
                    self.open = Some(open);
                    self.close(ClosedBy::EndOfMail);
                    self.begin(line, text, own);
                    return;
                }
                form.take(line.number, line.text);
            }
            _ => {}
        }
        self.open = Some(open);
    }

    /// A line while nothing is open.
    fn begin(&mut self, line: &BodyLine<'_>, text: &str, own: &mut impl OwnTexts) {
        self.first_line.get_or_insert_with(|| text.to_owned());
        let signed_on = self.signed_on || self.knows_all;
        let command = read_command(self.rule(), text);
        let item = |kind: ItemKind| Item {
            line: line.number,
            text: text.to_owned(),
            kind,
        };
        let block = |rule: String, options: String| Block {
            rule,
            options,
            lines: Vec::new(),
            closed: false,
            followed: false,
            broken_at: None,
            holds_sign_on: false,
        };
        let order = !matches!(command, Some(CommandLine::SignOff | CommandLine::Form));
        if signed_on && order && own.opens(text) {
            let text = ItemKind::OwnText(block(String::new(), String::new()));
            self.open = Some(Open::OwnText(item(text)));
            return;
        }
        match command {
            Some(CommandLine::SignOff) => self.ended = Ended::SignOff,
            Some(CommandLine::Form) => {
                self.open = Some(Open::Form(item(ItemKind::Form(Form::default()))))
            }
            Some(CommandLine::Block(line)) => {
                let options = line.words().unwrap_or_default().to_owned();
                self.open = Some(Open::Block(item(ItemKind::Block(block(
                    line.rule, options,
                )))));
            }
            Some(CommandLine::One(command)) => self.command(item, command, block),
            // A lone ENDPRESS ends nothing.
            None if signed_on && is("block-end", text) => {}
            None if signed_on => {
                let kind =
                    wanted(text).map_or(ItemKind::Order, |wanted| ItemKind::Invalid { wanted });
                self.ready.push_back(item(kind));
            }
            None => {}
        }
    }

    fn command(
        &mut self,
        item: impl Fn(ItemKind) -> Item,
        command: Line,
        block: impl Fn(String, String) -> Block,
    ) {
        if signs_on(&command) && self.signed_on {
            let words = SignOn::of(&command);
            self.ready.push_back(item(ItemKind::SecondSignOn(words)));
            self.ended = Ended::SecondSignOn;
            return;
        }
        self.signed_on |= signs_on(&command);
        let comment = command.rule == "set" && opens_comment(command.words().unwrap_or_default());
        self.ready.push_back(item(ItemKind::Command(command)));
        if comment {
            let block = block("comment".to_owned(), String::new());
            self.open = Some(Open::Block(item(ItemKind::Block(block))));
        }
    }

    /// Ends what is open.
    fn close(&mut self, closed_by: ClosedBy) {
        let Some(Open::Block(mut item) | Open::Form(mut item) | Open::OwnText(mut item)) =
            self.open.take()
        else {
            return;
        };
        let closed = closed_by == ClosedBy::Line;
        match &mut item.kind {
            ItemKind::Block(block) | ItemKind::OwnText(block) => block.closed = closed,
            ItemKind::Form(form) => form.closed = closed,
            _ => {}
        }
        self.ready.push_back(item);
    }
}

/// Whether a command is a question in the words of people, which in a letter is meant for its reader.
pub fn is_question(command: &Line) -> bool {
    let asked = |part: &Line| part.rule.starts_with("asked-");
    command.parts.iter().any(asked)
}

/// Whether a line lets its sender into a game, by a password or without one.
pub fn joins(text: &str) -> bool {
    matches!(
        read_command("opening", text),
        Some(CommandLine::One(line)) if signs_on(&line) || line.rule == "spectate"
    )
}

/// Whether a line of a text is a sign-on with a password, perhaps quoted.
pub fn holds_sign_on(text: &str) -> bool {
    let bare = text.trim_start_matches(|letter: char| {
        letter == '>' || letter == '|' || letter.is_whitespace()
    });
    match read_command("opening", bare) {
        Some(CommandLine::One(line)) if signs_on(&line) || line.rule == "resign-elsewhere" => {
            SignOn::of(&line).password.is_some()
        }
        _ => false,
    }
}
