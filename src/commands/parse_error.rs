//! Why a line cannot be read as orders, in sentences for its sender.

use super::power_list_error::PowerListError;
use dipjudge_grammar::Term;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::Province;
use dipjudge_view::or_list;
use std::fmt;
use std::ops::Range;

/// Words that cannot be read as an order, with the reason. `Display` gives one sentence for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The words as they were sent: one order, not the whole line.
    pub text: Box<str>,
    /// Where they stand in the line, in bytes.
    pub span: Range<usize>,
    /// Where in the line reading stopped, in bytes: the place of the caret.
    pub at: usize,
    /// Why they cannot be read.
    pub reason: ParseReason,
    /// The line that was probably meant, ready to be sent, if one is likely.
    pub suggestion: Option<Box<Suggestion>>,
}

/// The line that was probably meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// Orders in their short form.
    pub line: String,
}

/// The part of an order that a province stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The unit ordered, or the place of a build.
    Source,
    /// Where it goes.
    Destination,
    /// The unit supported or convoyed.
    Helped,
    /// Where the unit supported or convoyed goes.
    HelpedDestination,
}

/// A province with its full name, for a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The province.
    pub province: Province,
    /// Its full name.
    pub name: String,
}

/// Why words cannot be read as an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseReason {
    /// Neither a province nor a verb in it: not meant as an order, and no error.
    NotAnOrder,
    /// A province is expected, and the word names none.
    UnknownProvince {
        /// The part of the order that it stands for.
        role: Role,
        /// What stands there.
        word: String,
        /// Provinces with similar names.
        nearest: Vec<Candidate>,
    },
    /// A province is expected, and the word may name several.
    AmbiguousProvince {
        /// The part of the order that it stands for.
        role: Role,
        /// What stands there.
        word: String,
        /// What it may be; at least two.
        candidates: Vec<Candidate>,
    },
    /// The unit is followed by nothing, or by a word that is no verb.
    NoVerb {
        /// The unit: `the fleet in London`.
        unit: String,
        /// The word; empty if nothing is there.
        word: String,
    },
    /// The order is complete, but more follows it.
    TextAfter {
        /// The unit, if the order has one.
        unit: Option<String>,
        /// What follows.
        word: String,
    },
    /// An order for another kind of phase.
    OtherPhase {
        /// The kind of phase that takes such orders.
        meant: PhaseKind,
        /// What the phase in hand is called: `movement`.
        now: String,
    },
    /// A fleet's convoy order names a route.
    RouteInConvoy,
    /// A build does not say what to build.
    KindMissing,
    /// A proxy does not say to whom.
    PowerMissing {
        /// What stands in its place.
        word: String,
    },
    /// A power is expected, and the word is no contact of a sender who has contacts of his own.
    NoContact {
        /// Why the word is no contact.
        error: PowerListError,
        /// The rule of the variant's line that would match if the word were a contact.
        own: Option<String>,
    },
    /// Something else is expected here.
    Expected {
        /// What would have been accepted, as words or phrases; not empty.
        wanted: Vec<Wanted>,
        /// What stands there; empty if nothing does.
        word: String,
    },
    /// A line longer than any order.
    TooLong,
}

impl ParseError {
    /// Whether it counts as an error in the orders.
    pub fn is_error(&self) -> bool {
        self.reason != ParseReason::NotAnOrder
    }

    /// Whether it is known what was meant, and cannot be: an order of another phase, or about a power that is not met.
    pub fn is_understood(&self) -> bool {
        matches!(
            self.reason,
            ParseReason::OtherPhase { .. } | ParseReason::NoContact { .. } | ParseReason::TooLong
        )
    }
}

/// What a kind of phase is called: `movement`. Only its variant knows what one of its own is.
pub(super) fn word(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Movement => "movement",
        PhaseKind::Retreats => "retreat",
        PhaseKind::Adjustments => "adjustment",
        PhaseKind::Own(_) => "variant's own",
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        match &self.suggestion {
            Some(meant) => write!(f, "  If you meant that, send the line: {}", meant.line),
            None => Ok(()),
        }
    }
}

/// What would have been accepted somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A term of the grammar.
    Term(Term),
    /// Words or a phrase.
    Words(String),
}

impl AsRef<str> for Wanted {
    fn as_ref(&self) -> &str {
        match self {
            Wanted::Term(term) => term.said(),
            Wanted::Words(words) => words,
        }
    }
}

impl From<String> for Wanted {
    fn from(words: String) -> Wanted {
        Wanted::Words(words)
    }
}

impl From<&str> for Wanted {
    fn from(words: &str) -> Wanted {
        Wanted::Words(words.to_owned())
    }
}

impl ParseReason {
    /// Whether the line names a power that its sender does not know.
    pub fn is_about_a_power(&self) -> bool {
        match self {
            ParseReason::NoContact { .. } | ParseReason::PowerMissing { .. } => true,
            ParseReason::Expected { wanted, .. } => wanted.contains(&Wanted::Term(Term::Power)),
            _ => false,
        }
    }
}

impl fmt::Display for ParseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseReason::NotAnOrder => write!(
                f,
                "I could not read this line, so nothing was done with it. Orders look like A Par - Bur or F Bre H; \
                 HELP SYNTAX lists the commands."
            ),
            ParseReason::UnknownProvince {
                role,
                word,
                nearest,
            } => {
                write!(f, "{}", Unknown(*role, word))?;
                if nearest.is_empty() {
                    return Ok(());
                }
                write!(f, " Did you mean {}?", either(nearest))
            }
            ParseReason::AmbiguousProvince {
                word, candidates, ..
            } => {
                write!(
                    f,
                    "`{}` can be {}. Write more of it.",
                    Shown(word),
                    either(candidates)
                )
            }
            ParseReason::NoVerb { unit, word } if word.is_empty() => {
                write!(
                    f,
                    "{}: what should it do? For example H (hold), - Bur (move), S A Mar (support).",
                    Beginning(unit)
                )
            }
            ParseReason::NoVerb { unit, word } => {
                write!(
                    f,
                    "{}: `{}` is not an order. Use H, -, S or C.",
                    Beginning(unit),
                    Shown(word)
                )
            }
            ParseReason::TextAfter { unit, word } => {
                let unit = unit.as_deref().unwrap_or("this line");
                write!(
                    f,
                    "{}: I do not understand `{}` at the end of the order, so I took none of it. Put remarks after # .",
                    Beginning(unit),
                    Shown(word)
                )
            }
            ParseReason::OtherPhase { meant, now } => {
                let meant = word(*meant);
                write!(
                    f,
                    "That is an order for the {meant} phase, and this is the {now} phase. To send it ahead, put a line \
                     with PHASE and its name before it."
                )
            }
            ParseReason::RouteInConvoy => {
                write!(
                    f,
                    "A convoy order names only the start and the end: F Nth C A Yor - Nwy."
                )
            }
            ParseReason::KindMissing => write!(f, "Army or fleet? Build A Par, or Build F Bre."),
            ParseReason::PowerMissing { word } if word.is_empty() => {
                write!(f, "Who should order it? A Par PROXY TO E.")
            }
            ParseReason::PowerMissing { word } => {
                write!(
                    f,
                    "`{}` is not a power. Who should order the unit? A Par PROXY TO E.",
                    Shown(word)
                )
            }
            ParseReason::NoContact { error, .. } => write!(f, "{error}"),
            ParseReason::Expected { wanted, word } if word.is_empty() => {
                write!(f, "Something is missing at the end: {}.", or_list(wanted))
            }
            ParseReason::Expected { wanted, word } => {
                write!(
                    f,
                    "I expected {} instead of `{}`.",
                    or_list(wanted),
                    Shown(word)
                )
            }
            ParseReason::TooLong => write!(f, "This line is too long to be an order."),
        }
    }
}

impl Role {
    /// What the province stands for, as the end of a sentence.
    fn purpose(self) -> &'static str {
        match self {
            Self::Source => "",
            Self::Destination => " to move to",
            Self::Helped => " to support or convoy from",
            Self::HelpedDestination => " to support or convoy to",
        }
    }
}

/// "I know no province `Foo` to move to."
struct Unknown<'a>(Role, &'a str);

impl fmt::Display for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unknown(role, word) = self;
        write!(f, "I know no province `{}`{}.", Shown(word), role.purpose())
    }
}

/// A unit at the beginning of a sentence: `The fleet in London`.
struct Beginning<'a>(&'a str);

impl fmt::Display for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = self.0.chars();
        if let Some(first) = letters.next() {
            write!(f, "{}{}", first.to_uppercase(), letters.as_str())?;
        }
        Ok(())
    }
}

/// What a player wrote, cut to a length that leaves a sentence readable.
struct Shown<'a>(&'a str);

const LONGEST_SHOWN: usize = 40;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = self.0.chars().filter(|letter| !letter.is_control());
        for letter in letters.by_ref().take(LONGEST_SHOWN) {
            write!(f, "{letter}")?;
        }
        f.write_str(if letters.next().is_some() { "…" } else { "" })
    }
}

/// "Liverpool (LVP) or Livonia (LVN)".
fn either(candidates: &[Candidate]) -> String {
    let named = candidates.iter();
    or_list(named.map(|Candidate { province, name }| format!("{name} ({province})")))
}
