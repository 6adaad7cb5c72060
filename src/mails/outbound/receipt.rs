//! The reply that every accepted mail gets (`judge-workflow.md` 0, 6.2).

use serde::Serialize;
use serde_json::json;

use super::answer::{Answer, with_long_last};
use super::heading::{bare_block, block, reply_subject};
use super::phase::{ahead, is_for_master, standing};
use super::{Document, Picture, RenderError, Templates, Text, headed, indented};
use dipjudge_view::{Heading, Moment, OrdersSection, ReadyAnswer, TimeLeft, Warning};

/// What a reply says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The game signed on to; `None` if nobody signed on.
    pub heading: Option<Heading>,
    /// The judge's code, for the block of a mail without a game.
    pub judge: String,
    /// Sentences at the beginning: a foreign address, absences, what was cut from the mail. Wrapped.
    pub notes: Vec<String>,
    /// The answers to the lines of the mail, in their order.
    pub answers: Vec<Answer>,
    /// Lines that the sender has probably meant, for the end: YES takes them as sent.
    pub proposed: Vec<String>,
    /// The units that have no order even then, by name.
    pub units_left: Vec<String>,
    /// Whether those are the sender's own lines, whose answer is held back until he says YES.
    pub held_back: bool,
    /// The sender's current orders; for a master those of all powers, with statuses.
    pub orders: Option<OrdersSection>,
    /// How many order errors were found.
    pub errors: usize,
    /// What this mail did to the error flag.
    pub flag: FlagChange,
    /// The warning at the foot.
    pub warning: Warning,
    /// The time until deadline and end of grace, for the last line.
    pub left: TimeLeft,
    /// The subject of the mail answered.
    pub subject_given: String,
    /// Whether the subject says `[Error Flag]`.
    pub error_flag_in_subject: bool,
    /// The map that the sender asked for.
    pub picture: Option<Picture>,
}

impl Reply {
    /// An empty reply of the judge `judge` to a mail with this subject.
    pub fn new(judge: impl Into<String>, subject_given: impl Into<String>) -> Reply {
        Reply {
            heading: None,
            judge: judge.into(),
            notes: Vec::new(),
            answers: Vec::new(),
            proposed: Vec::new(),
            units_left: Vec::new(),
            held_back: false,
            orders: None,
            errors: 0,
            flag: FlagChange::None,
            warning: Warning::None,
            left: TimeLeft {
                deadline: None,
                grace: None,
            },
            subject_given: subject_given.into(),
            error_flag_in_subject: false,
            picture: None,
        }
    }
}

/// What a mail did to the error flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagChange {
    /// Nothing that is told: the flag is not set, or nothing is due.
    None,
    /// Order errors have set it.
    Set,
    /// The mail has cleared it.
    Cleared,
    /// It was set before, and the mail has left it.
    Stays,
}

/// The reply to a mail: `Re: [Error Flag] USXX:kaiser - S1901M orders`.
pub fn reply(templates: &Templates, reply: &Reply) -> Result<Text, RenderError> {
    let for_master = reply.orders.as_ref().is_some_and(is_for_master);
    let flag = match reply.flag {
        FlagChange::Set => "set",
        FlagChange::Cleared => "cleared",
        FlagChange::Stays => "stays",
        // Errors of a power that has nothing due, or of a master.
        FlagChange::None if reply.errors > 0 => "not set",
        FlagChange::None => "",
    };
    let answers = with_long_last(with_waiting_joined(&reply.answers));
    let answers = answers.iter().map(Answer::document);
    let answers = answers.filter(|answer| !answer.text().is_empty());
    let answers = answers.map(|answer| answer.field());
    let mut fields = json!({
        "notes": reply.notes.iter().map(|note| Document::from(note.clone()).field()).collect::<Vec<_>>(),
        "answers": answers.collect::<Vec<_>>(),
        "title": reply.orders.as_ref().map(|orders| json!({
            "kind": orders.title.kind,
            "turn": orders.title.turn,
            "number": orders.title.number,
        })),
        "orders": reply.orders.as_ref().map(standing).unwrap_or_default().field(),
        "proposed": proposed(&reply.proposed).field(),
        "errors": reply.errors,
        "flag": flag,
        "pending": reply.orders.as_ref().map(ahead).unwrap_or_default().field(),
        "deadline_in": reply.left.deadline.map(|span| span.to_string()),
        "grace_in": reply.left.grace.map(|span| span.to_string()),
    });
    let name = if for_master {
        fields["stopped"] = json!(stopped(&reply.warning));
        "master-receipt.md"
    } else {
        fields["warning"] = json!(WarningFields::of(&reply.warning));
        fields["held_back"] = json!(reply.held_back);
        fields["units_left"] = json!(reply.units_left.join(", "));
        "player-receipt.md"
    };
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
        document: headed(head, filled.document),
        fault: filled.fault,
        picture: reply.picture.clone(),
        answering: None,
        asks: (!reply.proposed.is_empty()).then(|| ReadyAnswer {
            name: "Yes, take this as sent".to_owned(),
            lines: vec!["YES".to_owned()],
        }),
    })
}

/// The answers, where lines one behind the other that are not done yet are quoted together.
fn with_waiting_joined(answers: &[Answer]) -> Vec<Answer> {
    let mut joined: Vec<Answer> = Vec::new();
    for answer in answers {
        let above = joined.last_mut().filter(|last| last.is_waiting());
        let above = above.and_then(|last| last.quote.as_mut());
        match (above, &answer.quote) {
            (Some(above), Some(quote)) if answer.is_waiting() => {
                above.push('\n');
                above.push_str(quote);
            }
            _ => joined.push(answer.clone()),
        }
    }
    joined
}

/// The lines as they can be sent.
fn proposed(lines: &[String]) -> Document {
    if lines.is_empty() {
        return Document::default();
    }
    Document::verbatim(indented(lines, "  "))
}

fn stopped(warning: &Warning) -> Option<&str> {
    match warning {
        Warning::Stopped { state } => Some(state),
        _ => None,
    }
}

/// A warning as its template knows it.
#[derive(Default, Serialize)]
struct WarningFields<'a> {
    kind: &'a str,
    deadline: Option<String>,
    grace: Option<String>,
    nmr: bool,
    state: &'a str,
}

impl<'a> WarningFields<'a> {
    fn of(warning: &'a Warning) -> Option<Self> {
        let at = |moment: &Option<Moment>| moment.as_ref().map(ToString::to_string);
        let fields = match warning {
            Warning::None => return None,
            Warning::Incomplete {
                deadline,
                grace,
                nmr,
            }
            | Warning::Unconfirmed {
                deadline,
                grace,
                nmr,
            }
            | Warning::ErrorFlag {
                deadline,
                grace,
                nmr,
            } => WarningFields {
                kind: match warning {
                    Warning::Unconfirmed { .. } => "unconfirmed",
                    Warning::ErrorFlag { .. } => "error flag",
                    _ => "incomplete",
                },
                deadline: at(deadline),
                grace: at(grace),
                nmr: *nmr,
                ..WarningFields::default()
            },
            Warning::Open { deadline } => WarningFields {
                kind: "open",
                deadline: at(deadline),
                ..WarningFields::default()
            },
            Warning::Wait { deadline } => WarningFields {
                kind: "wait",
                deadline: at(deadline),
                ..WarningFields::default()
            },
            Warning::Late { grace, nmr } => WarningFields {
                kind: "late",
                grace: at(grace),
                nmr: *nmr,
                ..WarningFields::default()
            },
            Warning::Stopped { state } => WarningFields {
                kind: "stopped",
                state,
                ..WarningFields::default()
            },
        };
        Some(fields)
    }
}
