//! What people send: structured, so that a twin can change one thing in it, and written as a message at the end.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

/// The judge's address.
pub const JUDGE: &str = "judge@usxx.example.org";

/// One line or block of a mail.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Orders; also what looks like one.
    Order(String),
    /// A line of the variant's own.
    Own(String),
    /// A line or block for a later phase.
    Ahead(String),
    /// A vote.
    Vote(String),
    /// WAIT or NOWAIT.
    Wait(bool),
    /// A letter to others.
    Press(Press),
    /// The words of an answer to a letter: they go to whoever wrote it.
    Answer(Press),
    /// A question.
    Ask(String),
    /// A setting of the sender's own, a remark, nonsense.
    Other(String),
}

/// A letter within a mail.
#[derive(Clone, Debug, PartialEq)]
pub struct Press {
    /// What stands behind PRESS.
    pub options: String,
    /// The powers that it goes to, by their place in the roster; `None` for everybody.
    pub to: Option<Vec<u8>>,
    /// A word that stands in it and nowhere else.
    pub word: String,
    /// Its writer's name stands below it, as his mail shows it.
    pub signed: bool,
}

/// Stands for the name of whoever sends a letter: who that is may be what a twin changes.
const OWN_NAME: &str = "{own name}";

impl Press {
    fn words(&self) -> String {
        let signature = match self.signed {
            true => format!("\nYours, {OWN_NAME}"),
            false => String::new(),
        };
        format!("The word is {}.{signature}", self.word)
    }
}

impl Line {
    pub fn text(&self) -> String {
        match self {
            Line::Order(text)
            | Line::Own(text)
            | Line::Ahead(text)
            | Line::Vote(text)
            | Line::Ask(text)
            | Line::Other(text) => text.clone(),
            Line::Wait(on) => if *on { "SET WAIT" } else { "SET NOWAIT" }.to_owned(),
            Line::Press(press) => format!("PRESS {}\n{}\nENDPRESS", press.options, press.words()),
            Line::Answer(press) => press.words(),
        }
    }

    /// Whether it says what is to be done in the phase in hand.
    pub fn orders(&self) -> bool {
        matches!(self, Line::Order(_) | Line::Own(_))
    }

    /// The letter to others that it is, be it press or an answer.
    pub fn press(&self) -> Option<&Press> {
        match self {
            Line::Press(press) | Line::Answer(press) => Some(press),
            _ => None,
        }
    }
}

/// How a mail says who sends it.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// `SIGNON Ekaiser word`, or whatever stands here.
    Line(String),
    /// By the reply address of the last mail from the judge.
    Token,
    /// To the address that passes letters on to this power, as its last letter named it.
    Relay(String),
    /// Not at all.
    Nothing,
}

/// Everything about a mail that means nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    /// 0 plain, 1 quoted-printable, 2 base64.
    pub encoding: u8,
    /// The mail program.
    pub mailer: Option<String>,
    /// Hours east of Greenwich in the Date field.
    pub hours_east: i8,
    /// Somebody who gets a copy.
    pub cc: Option<String>,
    /// Quoted lines below the sender's own.
    pub quoted: u8,
    /// A signature.
    pub signature: bool,
    /// How often the same message comes.
    pub copies: u8,
    /// What makes the Message-ID the mail's own.
    pub id: u64,
}

impl Wrap {
    pub fn plain(id: u64) -> Wrap {
        Wrap {
            encoding: 0,
            mailer: None,
            hours_east: 0,
            cc: None,
            quoted: 0,
            signature: false,
            copies: 1,
            id,
        }
    }
}

/// A mail to the judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The same in both runs of a pair.
    pub id: usize,
    /// When it arrives.
    pub at: Timestamp,
    /// Who writes: the place in the cast.
    pub from: usize,
    /// From which other address than the usual one.
    pub elsewhere: Option<String>,
    /// As whom.
    pub sign: Sign,
    /// What.
    pub lines: Vec<Line>,
    /// Other orders that the sender could have given instead.
    pub instead: Vec<Vec<Line>>,
    /// How many phases had been adjudicated when it was written.
    pub phase: u32,
    /// In what.
    pub wrap: Wrap,
}

impl Letter {
    /// The body as its sender typed it.
    pub fn body(&self) -> String {
        let mut body = String::new();
        if let Sign::Line(line) = &self.sign {
            body.push_str(line);
            body.push('\n');
        }
        for line in &self.lines {
            body.push_str(&line.text());
            body.push('\n');
        }
        for _ in 0..self.wrap.quoted {
            body.push_str("> A line of an older mail\n");
        }
        if self.wrap.signature {
            body.push_str("-- \nSomebody\n");
        }
        body
    }

    /// The message as it arrives.
    pub fn message(&self, address: &str, to: &str) -> Vec<u8> {
        let zone = TimeZone::fixed(Offset::constant(self.wrap.hours_east));
        let date = self
            .at
            .to_zoned_datetime(zone)
            .strftime("%a, %d %b %Y %H:%M:%S %z");
        let local = address.split('@').next().unwrap_or_default();
        let name = format!("{}{}", local[..1].to_uppercase(), &local[1..]);
        let mut message = format!(
            "From: {name} <{address}>\r\nTo: {to}\r\nDate: {date}\r\nMessage-ID: <{:x}@mail.example.net>\r\n",
            self.wrap.id
        );
        if let Some(mailer) = &self.wrap.mailer {
            let _ = write!(message, "X-Mailer: {mailer}\r\n");
        }
        if let Some(cc) = &self.wrap.cc {
            let _ = write!(message, "Cc: {cc}\r\n");
        }
        let body = self.body().replace(OWN_NAME, &name).replace('\n', "\r\n");
        let (name, body) = match self.wrap.encoding {
            1 => ("quoted-printable", quoted_printable(&body)),
            2 => ("base64", base64(body.as_bytes())),
            _ => ("8bit", body),
        };
        let _ = write!(
            message,
            "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
             Content-Transfer-Encoding: {name}\r\n\r\n{body}"
        );
        message.into_bytes()
    }
}

fn quoted_printable(body: &str) -> String {
    body.replace('=', "=3D").replace("-", "=2D")
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for (index, chunk) in bytes.chunks(3).enumerate() {
        if index > 0 && index % 19 == 0 {
            text.push_str("\r\n");
        }
        let three = chunk
            .iter()
            .fold(0u32, |all, byte| all << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place <= chunk.len() {
                text.push(char::from(
                    ALPHABET[(three >> (18 - 6 * place) & 63) as usize],
                ));
            } else {
                text.push('=');
            }
        }
    }
    text.push_str("\r\n");
    text
}
