//! A transcript as a file: steps with their hour and cause, and the mails that are to follow each.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A transcript, read.
pub(crate) struct Script {
    /// The text before the first line with `==`: what it is about.
    about: String,
    /// The fixture that it begins with.
    pub begin: Option<String>,
    /// What happens.
    pub steps: Vec<Step>,
    /// The step being read is the first of another play: time starts again.
    in_a_new_play: bool,
}

/// Something that happens, and what is to follow.
pub(crate) struct Step {
    /// Its line, for reports.
    pub heading: String,
    /// When.
    pub at: Timestamp,
    /// What.
    pub cue: Cue,
    /// The mails that must follow, in this order.
    pub expected: Vec<Expected>,
    /// No other mail may follow.
    pub nobody_else: bool,
    /// The play begins anew with this step.
    pub once_more: bool,
    /// All mails to these so far must be those of the play before.
    pub as_before: Vec<AsBefore>,
    /// The lines of the step before the first expected mail, as written.
    opening: String,
}

/// What happens.
pub(crate) enum Cue {
    /// Somebody writes.
    Mail(Mail),
    /// The judge looks at the clock.
    Clock,
    /// It does so for the first time in a while.
    LateClock,
}

/// A mail to the judge.
#[derive(Default)]
pub(crate) struct Mail {
    pub from: String,
    pub subject: Option<String>,
    /// It answers a mail, at the address named there.
    pub answering: Option<Answering>,
    /// A file beside the transcript that holds the message as it came in.
    pub file: Option<String>,
    /// Further header fields, or other values for those that each mail has.
    pub fields: Vec<(String, String)>,
    pub body: String,
}

/// Which mail is answered.
pub(crate) struct Answering {
    /// Who got it: the sender himself, or another.
    pub who: String,
    /// What its subject holds; the newest such mail is meant.
    pub subject: String,
}

/// What one or several readers are to get.
pub(crate) struct Expected {
    pub to: Vec<String>,
    pub what: What,
}

/// Readers to whom nothing may be different from the play before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AsBefore {
    pub to: Vec<String>,
    pub swaps: Vec<Swap>,
}

/// Somebody's own words, and which others stood in their place before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Swap {
    pub new: String,
    pub old: String,
}

/// What is known of a mail that is to come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// All of it.
    Whole { subject: String, body: String },
    /// Something.
    InPart(Vec<Claim>),
    /// It is the last mail that somebody got before: this reader himself if nobody is named.
    Same {
        of: Option<String>,
        swaps: Vec<Swap>,
    },
}

/// One line about a mail.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Claim {
    /// This is its subject.
    Subject(String),
    /// This stands in its body.
    Contains(String),
    /// This stands nowhere in its subject or body.
    Lacks(String),
    /// This is a whole line of its body.
    Line(String),
    /// This is a line at its end, where it says what its reader may do next; a `*` at its end stands for the rest of the line.
    Next(String),
    /// This stands nowhere in the message: not in its header, not in its body, decoded or as it goes.
    Nowhere(String),
    /// This is a whole field of its header, or with `*` at its end the beginning of one.
    Field(String),
    /// These are its parts that are no multiparts: `text/plain text/html`.
    Parts(String),
    /// This stands for its picture where pictures are not shown.
    Picture(String),
    /// This is a whole line of its entry for a calendar, or with `*` at its end the beginning of one.
    Calendar(String),
}

/// A section of a step as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub to: String,
    pub what: What,
}

const MARK: &str = "== ";

impl Script {
    pub(crate) fn read(text: &str) -> Result<Script, String> {
        let mut script = Script {
            about: String::new(),
            begin: None,
            steps: Vec::new(),
            in_a_new_play: false,
        };
        let mut once_more = None;
        for section in sections(text) {
            let Some(heading) = section.heading else {
                script.about = section.body;
                continue;
            };
            if heading.trim() == "once more" {
                once_more = Some(format!("{MARK}{heading}\n{}", section.body));
                continue;
            }
            let steps = script.steps.len();
            if once_more.is_some() && !heading.starts_with("at ") {
                return Err(format!("\"{MARK}{heading}\" cannot begin a play"));
            }
            script.in_a_new_play = once_more.is_some();
            script
                .take(heading, &section.body)
                .map_err(|error| format!("\"{MARK}{heading}\": {error}"))?;
            if let (Some(words), Some(step)) = (once_more.take(), script.steps.get_mut(steps)) {
                step.once_more = true;
                step.opening.insert_str(0, &words);
            }
        }
        if once_more.is_some() {
            return Err("nothing happens once more".to_owned());
        }
        if script.steps.is_empty() && script.begin.is_none() {
            return Err("nothing happens: no line begins with ==".to_owned());
        }
        Ok(script)
    }

    fn take(&mut self, heading: &str, body: &str) -> Result<(), String> {
        if let Some(name) = heading.strip_prefix("begin with ") {
            if self.begin.is_some() || !self.steps.is_empty() {
                return Err("a transcript begins once, before anything happens".to_owned());
            }
            self.begin = Some(name.trim().to_owned());
            return Ok(());
        }
        if let Some(rest) = heading.strip_prefix("at ") {
            let step = Step::read(heading, rest, body)?;
            let last = self.steps.last().filter(|_| !self.in_a_new_play);
            if last.is_some_and(|last| last.at > step.at) {
                return Err("time goes backwards".to_owned());
            }
            self.steps.push(step);
            return Ok(());
        }
        let step = self.steps.last_mut().ok_or("nothing has happened yet")?;
        if let Some(field) = heading.strip_prefix("with ") {
            let Cue::Mail(mail) = &mut step.cue else {
                return Err("the clock has no header".to_owned());
            };
            let (name, value) = field
                .split_once(':')
                .ok_or("a field is written Name: value")?;
            mail.fields
                .push((name.trim().to_owned(), value.trim().to_owned()));
            mail.body.push_str(body);
            write!(step.opening, "{MARK}{heading}\n{body}").map_err(|error| error.to_string())?;
            return Ok(());
        }
        if let Some(rest) = heading.strip_prefix("to ") {
            if step.nobody_else {
                return Err("after everybody has been named nobody else can follow".to_owned());
            }
            step.expected.push(Expected::read(rest, body)?);
            return Ok(());
        }
        if let Some(to) = heading
            .strip_prefix("all mails to ")
            .and_then(|rest| rest.trim_end().strip_suffix(" are as before"))
        {
            step.as_before.push(AsBefore {
                to: addresses(to),
                swaps: swaps(body)?,
            });
            return Ok(());
        }
        match heading.trim() {
            "nobody else is written to" => step.nobody_else = true,
            "nobody is written to" if step.expected.is_empty() => step.nobody_else = true,
            _ => return Err("not understood".to_owned()),
        }
        if body.trim().is_empty() {
            Ok(())
        } else {
            Err("there is text below it".to_owned())
        }
    }

    /// What stands before the first step.
    pub(crate) fn opening(&self) -> String {
        match &self.begin {
            Some(name) => format!("{}{MARK}begin with {name}\n\n", self.about),
            None => self.about.clone(),
        }
    }
}

struct Section<'t> {
    heading: Option<&'t str>,
    body: String,
}

/// The text cut at its lines with `==`. A body's own line that begins so has a backslash before it.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section {
        heading: None,
        body: String::new(),
    }];
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix(MARK) {
            sections.push(Section {
                heading: Some(heading),
                body: String::new(),
            });
        } else if let Some(section) = sections.last_mut() {
            section.body.push_str(
                line.strip_prefix('\\')
                    .filter(|rest| rest.starts_with(MARK))
                    .unwrap_or(line),
            );
            section.body.push('\n');
        }
    }
    sections
}

impl Step {
    fn read(heading: &str, rest: &str, body: &str) -> Result<Step, String> {
        let (time, cause) = rest
            .split_once(", ")
            .ok_or("after the time comes who writes, or \"the clock\"")?;
        let at = moment(time)?;
        let cue = match cause.strip_prefix("from ") {
            Some(who) => Cue::Mail(Mail::read(who, body)?),
            None if cause.trim() == "the clock" && body.trim().is_empty() => Cue::Clock,
            None if cause.trim() == "the clock, late" && body.trim().is_empty() => Cue::LateClock,
            None => return Err("who writes is told by \"from\"; or it is \"the clock\"".to_owned()),
        };
        let opening = format!("{MARK}{heading}\n{}", escaped(body));
        Ok(Step {
            heading: format!("{MARK}{heading}"),
            at,
            cue,
            expected: Vec::new(),
            nobody_else: false,
            once_more: false,
            as_before: Vec::new(),
            opening,
        })
    }

    /// The step with what really followed it.
    pub(crate) fn as_it_went(&self, parts: &[Part]) -> String {
        let mut text = self.opening.clone();
        let mut index = 0;
        while let Some(part) = parts.get(index) {
            let same = parts[index..]
                .iter()
                .take_while(|other| other.what == part.what)
                .count();
            let to: Vec<&str> = parts[index..index + same]
                .iter()
                .map(|part| part.to.as_str())
                .collect();
            text.push_str(&part.what.written(&to.join(", ")));
            index += same;
        }
        match (self.nobody_else, parts.is_empty()) {
            (true, true) => text.push_str("== nobody is written to\n\n"),
            (true, false) => text.push_str("== nobody else is written to\n\n"),
            _ => {}
        }
        for one in &self.as_before {
            let to = one.to.join(", ");
            text.push_str(&format!(
                "{MARK}all mails to {to} are as before\n{}\n",
                written(&one.swaps)
            ));
        }
        text
    }
}

impl Mail {
    fn read(who: &str, body: &str) -> Result<Mail, String> {
        let (who, subject) = match who.split_once(", subject: ") {
            Some((who, subject)) => (who, Some(subject.trim().to_owned())),
            None => (who, None),
        };
        let mut parts = who.split(", ");
        let from = parts.next().unwrap_or_default().trim().to_owned();
        let mut mail = Mail {
            from,
            subject,
            body: body.to_owned(),
            ..Mail::default()
        };
        for part in parts {
            match part.trim().strip_prefix("the message ") {
                Some(file) => mail.file = Some(file.to_owned()),
                None if part.trim() == "answering" => mail.answer(None, ""),
                None if part.trim().starts_with("answering ") => {
                    let which = part.trim().trim_start_matches("answering ");
                    let (who, subject) = match which.split_once(": ") {
                        Some((who, subject)) => (who, subject),
                        None if which.contains('@') => (which, ""),
                        None => ("", which),
                    };
                    mail.answer(Some(who).filter(|who| !who.is_empty()), subject);
                }
                None => return Err(format!("\"{part}\" is not understood")),
            }
        }
        Ok(mail)
    }
}

impl Mail {
    fn answer(&mut self, who: Option<&str>, subject: &str) {
        self.answering = Some(Answering {
            who: who.unwrap_or(&self.from).to_owned(),
            subject: subject.to_owned(),
        });
    }
}

impl Expected {
    fn read(rest: &str, body: &str) -> Result<Expected, String> {
        if let Some((to, whose)) = rest.split_once(", the same as ") {
            let of = match whose.trim().strip_suffix(" got") {
                Some(who) => Some(who.to_owned()),
                None if whose.trim() == "before" => None,
                None => {
                    return Err("a mail is the same \"as before\" or \"as ADDRESS got\"".to_owned());
                }
            };
            let what = What::Same {
                of,
                swaps: swaps(body)?,
            };
            return Ok(Expected {
                to: addresses(to),
                what,
            });
        }
        if let Some((to, subject)) = rest.split_once(", subject: ") {
            let what = What::Whole {
                subject: subject.trim().to_owned(),
                body: bare(body).to_owned(),
            };
            return Ok(Expected {
                to: addresses(to),
                what,
            });
        }
        let to = rest
            .trim_end()
            .strip_suffix(", in part")
            .ok_or("a mail is told by its subject, or \"in part\"")?;
        let claims: Vec<Claim> = body
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(Claim::read)
            .collect::<Result<_, _>>()?;
        if claims.is_empty() {
            return Err("nothing is said about this mail".to_owned());
        }
        Ok(Expected {
            to: addresses(to),
            what: What::InPart(claims),
        })
    }
}

fn addresses(list: &str) -> Vec<String> {
    list.split(',').map(|one| one.trim().to_owned()).collect()
}

/// Lines such as `but: Galicia instead of Silesia`.
fn swaps(body: &str) -> Result<Vec<Swap>, String> {
    let swap = |line: &str| {
        let (new, old) = line.strip_prefix("but: ")?.split_once(" instead of ")?;
        Some(Swap {
            new: new.to_owned(),
            old: old.trim_end().to_owned(),
        })
    };
    body.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| swap(line).ok_or(format!("\"{line}\" is not written but: NEW instead of OLD")))
        .collect()
}

fn written(swaps: &[Swap]) -> String {
    swaps
        .iter()
        .map(|swap| format!("but: {} instead of {}\n", swap.new, swap.old))
        .collect()
}

impl Claim {
    fn read(line: &str) -> Result<Claim, String> {
        let (kind, text) = line
            .split_once(": ")
            .ok_or(format!("\"{line}\" says nothing about a mail"))?;
        let text = text.to_owned();
        match kind {
            "subject" => Ok(Claim::Subject(text)),
            "contains" => Ok(Claim::Contains(text)),
            "lacks" => Ok(Claim::Lacks(text)),
            "line" => Ok(Claim::Line(text)),
            "next" => Ok(Claim::Next(text)),
            "nowhere" => Ok(Claim::Nowhere(text)),
            "field" => Ok(Claim::Field(text)),
            "parts" => Ok(Claim::Parts(text)),
            "picture" => Ok(Claim::Picture(text)),
            "calendar" => Ok(Claim::Calendar(text)),
            _ => Err(format!(
                "\"{kind}\" is none of subject, contains, lacks, line, next, nowhere, field, parts, picture, calendar"
            )),
        }
    }

    fn written(&self) -> String {
        match self {
            Claim::Subject(text) => format!("subject: {text}\n"),
            Claim::Contains(text) => format!("contains: {text}\n"),
            Claim::Lacks(text) => format!("lacks: {text}\n"),
            Claim::Line(text) => format!("line: {text}\n"),
            Claim::Next(text) => format!("next: {text}\n"),
            Claim::Nowhere(text) => format!("nowhere: {text}\n"),
            Claim::Field(text) => format!("field: {text}\n"),
            Claim::Parts(text) => format!("parts: {text}\n"),
            Claim::Picture(text) => format!("picture: {text}\n"),
            Claim::Calendar(text) => format!("calendar: {text}\n"),
        }
    }
}

impl What {
    fn written(&self, to: &str) -> String {
        match self {
            What::Whole { subject, body } => {
                format!("{MARK}to {to}, subject: {subject}\n{}\n\n", escaped(body))
            }
            What::InPart(claims) => {
                let claims: String = claims.iter().map(Claim::written).collect();
                format!("{MARK}to {to}, in part\n{claims}\n")
            }
            What::Same { of, swaps } => {
                let whose = match of {
                    Some(who) => format!("{who} got"),
                    None => "before".to_owned(),
                };
                format!("{MARK}to {to}, the same as {whose}\n{}\n", written(swaps))
            }
        }
    }
}

/// A body without the empty lines at its ends, which a reader would not see.
pub(crate) fn bare(body: &str) -> &str {
    body.trim_matches('\n')
}

fn escaped(body: &str) -> String {
    let mut text = String::new();
    for line in body.split_inclusive('\n') {
        if line.starts_with(MARK) {
            text.push('\\');
        }
        text.push_str(line);
    }
    text
}

/// `2026-12-07 23:30 UTC`, with seconds if they matter.
fn moment(text: &str) -> Result<Timestamp, String> {
    let text = text
        .trim()
        .strip_suffix(" UTC")
        .ok_or("a time ends with UTC")?;
    let (_, hour) = text
        .split_once(' ')
        .ok_or("a time is written 2026-12-07 23:30 UTC")?;
    let full = if hour.split(':').count() == 2 {
        format!("{text}:00")
    } else {
        text.to_owned()
    };
    let time: DateTime = full
        .parse()
        .map_err(|error| format!("\"{text}\": {error}"))?;
    time.to_zoned_datetime(TimeZone::UTC)
        .map(|zoned| zoned.timestamp())
        .map_err(|error| error.to_string())
}
