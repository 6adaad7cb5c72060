//! Reads scripts of sample games, files named `*.game`.
//!
//! A script is a list of steps in the order of time: somebody writes a mail, the judge looks at the clock, or the game must
//! have a certain position. The format is explained at the top of `standard.game`.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use dipjudge_game::Seed;

/// Where and when a script is played: the values of its placeholders.
#[derive(Clone, Debug)]
pub struct ScriptContext {
    /// The judge's address.
    pub judge: String,
    /// The domain of all addresses.
    pub domain: String,
    /// The number of weeks by which all times are shifted; weekdays and hours stay.
    pub weeks: i64,
}

/// A script: who takes part, and what happens.
#[derive(Clone, Debug)]
pub struct Script {
    /// Everybody who writes.
    pub people: Vec<Person>,
    /// What happens, in order of time.
    pub steps: Vec<Step>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name before the `@` of the address.
    pub name: String,
    /// The whole name.
    pub full_name: String,
    /// The person's power, or another role.
    pub role: String,
    /// The address.
    pub address: String,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A heading.
    Part(String),
    /// Somebody writes to the judge.
    Mail(Mail),
    /// The judge does what is due.
    Clock(Timestamp),
    /// The game that was just created gets another seed.
    Seed(Seed),
    /// The position that the game must have.
    Position(Position),
}

/// The form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One part, UTF-8, as it is.
    Plain,
    /// `format=flowed`, as Thunderbird writes.
    Flowed,
    /// One part in quoted-printable.
    QuotedPrintable,
    /// One part in the old western character set of Windows.
    Windows1252,
    /// Only HTML.
    Html,
    /// Plain text and HTML side by side, in quoted-printable.
    Alternative,
    /// The same in base64.
    AlternativeBase64,
}

impl Shape {
    /// The shape with this name in scripts.
    pub fn named(name: &str) -> Option<Shape> {
        Some(match name {
            "plain" => Shape::Plain,
            "flowed" => Shape::Flowed,
            "quoted-printable" => Shape::QuotedPrintable,
            "windows-1252" => Shape::Windows1252,
            "html" => Shape::Html,
            "alternative" => Shape::Alternative,
            "alternative in base64" => Shape::AlternativeBase64,
            _ => return None,
        })
    }
}

/// A mail to the judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Its number in the script, from 1.
    pub number: usize,
    /// When it arrives.
    pub at: Timestamp,
    /// The writer's name, as in [`Person::name`].
    pub from: String,
    /// The form of the message.
    pub shape: Shape,
    /// Whether it is delivered twice.
    pub twice: bool,
    /// Whether it answers the last mail of the judge to the writer, and goes to its reply address.
    pub answering: bool,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

/// The position of the recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The phase that begins with it, as `S1901M`; `the end` after the last phase.
    pub phase: String,
    /// What each power has, by the power's name.
    pub powers: BTreeMap<String, Holdings>,
}

/// What a power has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// The units that are not dislodged, as `A BUD`, `F STP/SC`, sorted.
    pub units: Vec<String>,
    /// The units that must retreat, sorted.
    pub dislodged: Vec<String>,
    /// The centers, by three letters, sorted.
    pub centers: Vec<String>,
}

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the game: {fault}")]
pub struct ScriptError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: ScriptFault,
}

/// What is wrong with a line of a script, or with the lines below it.
#[derive(Debug, thiserror::Error)]
pub enum ScriptFault {
    /// A line outside any section.
    #[error("this line belongs to nothing")]
    NoSection,
    /// A heading with a time, but neither a mail nor the clock.
    #[error("neither a mail nor the clock")]
    NoStep,
    /// A seed that is not in hexadecimal digits.
    #[error("{0}")]
    Seed(String),
    /// A person without one of the three columns.
    #[error("name, whole name and role of a person, two blanks between them: {0}")]
    Person(String),
    /// A mail from somebody who is not among the people.
    #[error("nobody is called {0}")]
    UnknownWriter(String),
    /// A mail in an unknown form.
    #[error("no mail has the shape {0}")]
    UnknownShape(String),
    /// A mail without a subject.
    #[error("a mail begins with its subject")]
    NoSubject,
    /// A mail without an empty line below the subject.
    #[error("an empty line follows the subject")]
    NoEmptyLine,
    /// `}` before `{`.
    #[error("a placeholder that ends before it begins: {0}")]
    Placeholder(String),
    /// A placeholder with an unknown value.
    #[error("neither a person nor a time: {0}")]
    UnknownPlaceholder(String),
    /// A power without units and centers.
    #[error("a power's line has units and centers: {0}")]
    Power(String),
}

impl Script {
    /// Reads a script in a context.
    pub fn read(text: &str, context: &ScriptContext) -> Result<Script, ScriptError> {
        ScriptReader {
            context,
            people: Vec::new(),
            steps: Vec::new(),
        }
        .read(text)
    }

    /// The person with a name.
    pub fn person(&self, name: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.name == name)
    }

    /// The times of the steps, in order.
    pub fn times(&self) -> impl Iterator<Item = Timestamp> {
        self.steps.iter().filter_map(|step| match step {
            Step::Mail(mail) => Some(mail.at),
            Step::Clock(at) => Some(*at),
            Step::Part(_) | Step::Seed(_) | Step::Position(_) => None,
        })
    }

    /// The mails, in order.
    pub fn mails(&self) -> impl Iterator<Item = &Mail> {
        self.steps.iter().filter_map(|step| match step {
            Step::Mail(mail) => Some(mail),
            _ => None,
        })
    }
}

struct ScriptReader<'a> {
    context: &'a ScriptContext,
    people: Vec<Person>,
    steps: Vec<Step>,
}

impl ScriptReader<'_> {
    fn read(mut self, text: &str) -> Result<Script, ScriptError> {
        let lines: Vec<&str> = text.lines().collect();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let Some(heading) = line.strip_prefix("== ") else {
                if !line.is_empty() && !line.starts_with('#') {
                    return Err(ScriptError {
                        line: at + 1,
                        fault: ScriptFault::NoSection,
                    });
                }
                at += 1;
                continue;
            };
            let end = lines[at + 1..]
                .iter()
                .position(|line| line.starts_with("== "))
                .map_or(lines.len(), |n| at + 1 + n);
            let body = &lines[at + 1..end];
            self.read_section(heading, body)
                .map_err(|fault| ScriptError {
                    line: at + 1,
                    fault,
                })?;
            at = end;
        }
        Ok(Script {
            people: self.people,
            steps: self.steps,
        })
    }

    fn read_section(&mut self, heading: &str, body: &[&str]) -> Result<(), ScriptFault> {
        if heading == "people" {
            return self.read_people(body);
        }
        if let Some(phase) = heading.strip_prefix("position ") {
            let position = Position {
                phase: phase.to_owned(),
                powers: read_powers(body)?,
            };
            self.steps.push(Step::Position(position));
            return Ok(());
        }
        if let Some(digits) = heading.strip_prefix("seed ") {
            let seed = Seed::try_from(digits.to_owned())
                .map_err(|error| ScriptFault::Seed(error.to_string()))?;
            self.steps.push(Step::Seed(seed));
            return Ok(());
        }
        let Some((time, what)) = heading
            .split_once(", ")
            .and_then(|(time, what)| Some((self.time(time)?, what)))
        else {
            self.steps.push(Step::Part(heading.to_owned()));
            return Ok(());
        };
        if what == "the clock" {
            self.steps.push(Step::Clock(time));
            return Ok(());
        }
        let (from, how) = what.split_once(" writes").ok_or(ScriptFault::NoStep)?;
        self.read_mail(time, from, how, body)
    }

    fn read_people(&mut self, body: &[&str]) -> Result<(), ScriptFault> {
        for line in body.iter().filter(|line| !line.is_empty()) {
            let mut columns = line
                .split("  ")
                .map(str::trim)
                .filter(|column| !column.is_empty());
            let (Some(name), Some(full_name), Some(role)) =
                (columns.next(), columns.next(), columns.next())
            else {
                return Err(ScriptFault::Person((*line).to_owned()));
            };
            self.people.push(Person {
                name: name.to_owned(),
                full_name: full_name.to_owned(),
                role: role.to_owned(),
                address: format!("{name}@{}", self.context.domain),
            });
        }
        Ok(())
    }

    fn read_mail(
        &mut self,
        at: Timestamp,
        from: &str,
        how: &str,
        body: &[&str],
    ) -> Result<(), ScriptFault> {
        if !self.people.iter().any(|person| person.name == from) {
            return Err(ScriptFault::UnknownWriter(from.to_owned()));
        }
        let mut mail = Mail {
            number: 1 + self
                .steps
                .iter()
                .filter(|step| matches!(step, Step::Mail(_)))
                .count(),
            at,
            from: from.to_owned(),
            shape: Shape::Plain,
            twice: false,
            answering: false,
            subject: String::new(),
            text: String::new(),
        };
        for word in how.split(", ").filter(|word| !word.is_empty()) {
            match word {
                "twice" => mail.twice = true,
                "answering" => mail.answering = true,
                shape => {
                    mail.shape = Shape::named(shape)
                        .ok_or_else(|| ScriptFault::UnknownShape(shape.to_owned()))?
                }
            }
        }
        let mut lines = body.iter();
        let subject = lines
            .next()
            .and_then(|line| line.strip_prefix("Subject: "))
            .ok_or(ScriptFault::NoSubject)?;
        mail.subject = subject.to_owned();
        if lines.next().is_some_and(|line| !line.is_empty()) {
            return Err(ScriptFault::NoEmptyLine);
        }
        let text: Vec<String> = lines
            .map(|line| self.fill_placeholders(line))
            .collect::<Result<_, ScriptFault>>()?;
        mail.text = format!("{}\n", text.join("\n").trim_end_matches('\n'));
        self.steps.push(Step::Mail(mail));
        Ok(())
    }

    /// A line with its placeholders replaced: `{NAME}` by an address, `{TIME}` by a date as players write it.
    fn fill_placeholders(&self, line: &str) -> Result<String, ScriptFault> {
        let (Some(open), Some(close)) = (line.find('{'), line.find('}')) else {
            return Ok(line.to_owned());
        };
        let (Some(before), Some(inside), Some(after)) = (
            line.get(..open),
            line.get(open + 1..close),
            line.get(close + 1..),
        ) else {
            return Err(ScriptFault::Placeholder(line.to_owned()));
        };
        let value = match self.people.iter().find(|person| person.name == inside) {
            Some(person) => person.address.clone(),
            None => self
                .time(inside)
                .map(|time| {
                    time.to_zoned_datetime(TimeZone::UTC)
                        .strftime("%d %b %Y %H:%M")
                        .to_string()
                })
                .ok_or_else(|| ScriptFault::UnknownPlaceholder(inside.to_owned()))?,
        };
        Ok(format!("{before}{value}{}", self.fill_placeholders(after)?))
    }

    /// `2026-11-30 09:00` in UTC, moved by the weeks of the context.
    fn time(&self, text: &str) -> Option<Timestamp> {
        let time = DateTime::strptime("%Y-%m-%d %H:%M", text).ok()?;
        let moved = time
            .checked_add(Span::new().try_weeks(self.context.weeks).ok()?)
            .ok()?;
        Some(moved.to_zoned_datetime(TimeZone::UTC).ok()?.timestamp())
    }
}

/// The lines `Power: units; centers` of a position.
fn read_powers(body: &[&str]) -> Result<BTreeMap<String, Holdings>, ScriptFault> {
    let mut powers = BTreeMap::new();
    for line in body.iter().filter(|line| !line.is_empty()) {
        let parts = line
            .split_once(": ")
            .and_then(|(power, rest)| Some((power, rest.split_once("; ")?)));
        let Some((power, (units, centers))) = parts else {
            return Err(ScriptFault::Power((*line).to_owned()));
        };
        let mut holdings = Holdings {
            centers: split_list(centers),
            ..Holdings::default()
        };
        for unit in split_list(units) {
            match unit.strip_prefix('*') {
                Some(unit) => holdings.dislodged.push(unit.to_owned()),
                None => holdings.units.push(unit),
            }
        }
        holdings.units.sort();
        holdings.dislodged.sort();
        powers.insert(power.to_owned(), holdings);
    }
    Ok(powers)
}

fn split_list(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text
        .split(", ")
        .map(str::trim)
        .filter(|name| *name != "none")
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(weeks: i64) -> ScriptContext {
        ScriptContext {
            judge: "judge@ex.org".to_owned(),
            domain: "ex.org".to_owned(),
            weeks,
        }
    }

    #[test]
    fn a_small_script_is_read() {
        let text = "# told\n\n== people\nanna  Anna L.  Austria\n\n== Spring\n\n== 2026-11-30 09:00, anna writes, html, twice\nSubject: hello\n\n\
                    Email: {anna}\nSET DEADLINE {2026-12-11 23:30}\n\n== 2026-11-30 10:00, the clock\n\n== position F1901M\nAustria: *A RUH, A BUD; none\n";
        let script = Script::read(text, &context(1)).unwrap();
        assert_eq!(script.people.len(), 1);
        let [
            Step::Part(part),
            Step::Mail(mail),
            Step::Clock(clock),
            Step::Position(position),
        ] = script.steps.as_slice()
        else {
            panic!("four steps: {:?}", script.steps);
        };
        assert_eq!(part, "Spring");
        assert_eq!(
            (mail.shape, mail.twice, mail.answering),
            (Shape::Html, true, false)
        );
        assert_eq!(
            mail.text,
            "Email: anna@ex.org\nSET DEADLINE 18 Dec 2026 23:30\n"
        );
        assert_eq!(clock.to_string(), "2026-12-07T10:00:00Z");
        let austria = &position.powers["Austria"];
        assert_eq!(
            (
                austria.units.as_slice(),
                austria.dislodged.as_slice(),
                austria.centers.len()
            ),
            (&["A BUD".to_owned()][..], &["A RUH".to_owned()][..], 0)
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, line) in [
            ("chatter\n", 1),
            ("== people\nanna\n", 1),
            ("\n== 2026-11-30 09:00, anna writes\nSubject: x\n\n", 2),
            ("== 2026-11-30 09:00, the calendar\n", 1),
            ("== position S1901M\nAustria\n", 1),
            ("== seed 07\n", 1),
        ] {
            let error = Script::read(text, &context(0)).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
        }
    }

    #[test]
    fn the_sample_is_whole() {
        for sample in super::super::SAMPLES {
            let script = Script::read(sample.text, &context(0)).unwrap();
            let mut last = None;
            for step in &script.steps {
                let at = match step {
                    Step::Mail(mail) => mail.at,
                    Step::Clock(at) => *at,
                    _ => continue,
                };
                assert!(
                    Some(at) >= last,
                    "{}: {at} comes after {last:?}",
                    sample.variant
                );
                last = Some(at);
            }
            assert!(script.mails().count() > 10);
            assert!(
                matches!(script.steps.iter().rev().find(|step| matches!(step, Step::Position(_))), Some(Step::Position(p)) if p.phase == "the end")
            );
        }
    }
}
