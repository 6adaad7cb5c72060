//! The reply that every accepted mail gets (`judge-workflow.md` 0, 6.2).

use serde_json::{Value, json};

use super::heading::{bare_block, block, reply_subject};
use super::phase::{ahead, is_for_master, standing};
use super::wrap::{WIDTH, count, wrap_line};
use super::{RenderError, Templates, Text};
use crate::view::{Heading, Moment, OrdersSection, TimeLeft, Warning};

/// What a reply says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The game signed on to; `None` if nobody signed on.
    pub heading: Option<Heading>,
    /// The judge's code, for the block of a mail without a game.
    pub judge: String,
    /// Sentences before all else: a foreign address, absences, what was cut from the mail. Wrapped.
    pub notes: Vec<String>,
    /// The answers to the lines of the mail, in their order.
    pub answers: Vec<Answer>,
    /// The sender's orders as they now stand; a master's has all powers, with statuses.
    pub orders: Option<OrdersSection>,
    /// How many order errors were found.
    pub errors: usize,
    /// Whether this mail set the error flag.
    pub flag_set: bool,
    /// Whether this mail cleared it.
    pub flag_cleared: bool,
    /// The warning at the foot.
    pub warning: Warning,
    /// What is left until deadline and grace end, for the last line.
    pub left: TimeLeft,
    /// The subject of the mail answered.
    pub subject_given: String,
    /// Whether the subject says `[Error Flag]`.
    pub error_flag_in_subject: bool,
}

impl Reply {
    /// A reply of the judge `judge` to a mail with this subject, with nothing in it yet.
    pub fn new(judge: impl Into<String>, subject_given: impl Into<String>) -> Reply {
        Reply {
            heading: None,
            judge: judge.into(),
            notes: Vec::new(),
            answers: Vec::new(),
            orders: None,
            errors: 0,
            flag_set: false,
            flag_cleared: false,
            warning: Warning::None,
            left: TimeLeft {
                deadline: None,
                grace: None,
            },
            subject_given: subject_given.into(),
            error_flag_in_subject: false,
        }
    }
}

/// The answer to one line of the mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The line answered, printed as it is given: `E: F Lon-Nor`. Quoted where there is an error.
    pub quote: Option<String>,
    /// Sentences, each on lines of its own, wrapped.
    pub lines: Vec<String>,
    /// Text that is printed as it is: a list, a summary, a table.
    pub text: Option<String>,
    /// It was looked at when it was said, and its reader might know what stands in it.
    pub passed: bool,
}

impl Answer {
    /// One sentence without a quoted line.
    pub fn say(sentence: impl Into<String>) -> Answer {
        Answer {
            lines: vec![sentence.into()],
            ..Answer::default()
        }
    }

    /// A quoted line and what is to be said of it.
    pub fn about(quote: impl Into<String>, lines: Vec<String>) -> Answer {
        Answer {
            quote: Some(quote.into()),
            lines,
            ..Answer::default()
        }
    }

    /// Finished text, such as a LIST.
    pub fn show(text: impl Into<String>) -> Answer {
        Answer {
            text: Some(text.into()),
            ..Answer::default()
        }
    }

    /// As it stands in a mail, without a line end behind it.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self
            .quote
            .iter()
            .map(|quote| quote.trim_end().to_owned())
            .collect();
        // A sentence's own indentation (the caret under a quoted line) holds for all its lines.
        lines.extend(self.lines.iter().flat_map(|line| {
            let indent = line
                .chars()
                .take_while(|c| *c == ' ')
                .count()
                .min(WIDTH / 2);
            wrap_line(line, WIDTH, indent)
        }));
        let mut text = lines.join("\n");
        if let Some(more) = &self.text {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(more.trim_end_matches('\n'));
        }
        text
    }
}

/// The reply to a mail: `Re: [Error Flag] USXX:kaiser - S1901M orders`.
pub fn reply(templates: &Templates, reply: &Reply) -> Result<Text, RenderError> {
    let for_master = reply.orders.as_ref().is_some_and(is_for_master);
    let flag = match (reply.flag_set, reply.flag_cleared, reply.errors) {
        (true, ..) => "set",
        (false, true, _) => "cleared",
        (false, false, 0) => "",
        // Errors of a power that has nothing due, or of a master.
        (false, false, _) => "not set",
    };
    let mut fields = json!({
        "notes": reply.notes.iter().map(|note| wrap_line(note, WIDTH, 0).join("\n")).collect::<Vec<_>>(),
        "answers": reply.answers.iter().map(Answer::text).filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        "title": reply.orders.as_ref().map(|orders| json!({
            "kind": orders.title.kind,
            "turn": orders.title.turn,
            "number": orders.title.number,
        })),
        "orders": reply.orders.as_ref().map(standing).unwrap_or_default(),
        "errors": if reply.errors == 0 { None } else { Some(count(reply.errors, "error")) },
        "flag": flag,
        "pending": reply.orders.as_ref().map(ahead).unwrap_or_default(),
        "deadline_in": reply.left.deadline.map(|span| span.to_string()),
        "grace_in": reply.left.grace.map(|span| span.to_string()),
    });
    let (name, extra) = if for_master {
        (
            "master-receipt.txt",
            json!({ "stopped": stopped(&reply.warning) }),
        )
    } else {
        (
            "player-receipt.txt",
            json!({ "warning": warning(&reply.warning) }),
        )
    };
    if let (Value::Object(all), Value::Object(extra)) = (&mut fields, extra) {
        all.extend(extra);
    }
    let filled = templates.fill(name, fields)?;
    let head = match &reply.heading {
        Some(heading) => block(heading),
        None => bare_block(&reply.judge),
    };
    Ok(Text {
        reader: reply.heading.as_ref().map(|heading| heading.reader),
        subject: reply_subject(
            reply.heading.as_ref(),
            &reply.subject_given,
            reply.error_flag_in_subject,
        ),
        body: format!("{head}{}\n", filled.text),
        fault: filled.fault,
        passed: reply
            .answers
            .iter()
            .filter(|answer| answer.passed)
            .map(Answer::text)
            .collect(),
    })
}

fn stopped(warning: &Warning) -> Option<&str> {
    match warning {
        Warning::Stopped { state } => Some(state),
        _ => None,
    }
}

fn warning(warning: &Warning) -> Value {
    let told =
        |kind: &str, deadline: &Option<Moment>, grace: &Option<Moment>, nmr: bool, state: &str| {
            json!({
                "kind": kind,
                "deadline": deadline.as_ref().map(ToString::to_string),
                "grace": grace.as_ref().map(ToString::to_string),
                "nmr": nmr,
                "state": state,
            })
        };
    match warning {
        Warning::None => Value::Null,
        Warning::Incomplete {
            deadline,
            grace,
            nmr,
        } => told("incomplete", deadline, grace, *nmr, ""),
        Warning::ErrorFlag {
            deadline,
            grace,
            nmr,
        } => told("error flag", deadline, grace, *nmr, ""),
        Warning::Open { deadline } => told("open", deadline, &None, false, ""),
        Warning::Wait { deadline } => told("wait", deadline, &None, false, ""),
        Warning::Late { grace, nmr } => told("late", &None, grace, *nmr, ""),
        Warning::Stopped { state } => told("stopped", &None, &None, false, state),
    }
}
