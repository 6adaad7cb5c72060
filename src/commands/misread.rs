//! Why a line cannot be read as orders.

use super::power_list::PowerListError;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::Province;
use std::fmt;
use std::ops::Range;

/// Words that are no order, with the reason. Shown, it is one plain sentence for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// The words as they were sent: one order, not the whole line.
    pub text: String,
    /// Where they stand in the line, in bytes.
    pub span: Range<usize>,
    /// Where in the line reading stopped, in bytes: the place of the caret.
    pub at: usize,
    /// The reason.
    pub why: Why,
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
    /// Where that one goes.
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

/// Reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Neither a province nor a verb in it: not meant as an order, and no error.
    NotAnOrder,
    /// A province is wanted, and this is none.
    UnknownProvince {
        /// What for.
        role: Role,
        /// What stands there.
        word: String,
        /// Those with similar names.
        nearest: Vec<Candidate>,
    },
    /// A province is wanted, and this may be several.
    AmbiguousProvince {
        /// What for.
        role: Role,
        /// What stands there.
        word: String,
        /// What it may be; at least two.
        candidates: Vec<Candidate>,
    },
    /// Behind the unit stands nothing, or a word that is no order.
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
        /// That kind.
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
    /// A power is wanted, and this is no contact of a sender who has contacts of his own.
    NoContact {
        /// Why not.
        error: PowerListError,
        /// The rule of the variant's own line that it would be otherwise.
        own: Option<String>,
    },
    /// Something else is wanted here.
    Expected {
        /// What would have been accepted, as words or phrases; not empty.
        wanted: Vec<String>,
        /// What stands there; empty if nothing does.
        word: String,
    },
    /// A line longer than any order.
    TooLong,
}

impl Misread {
    /// Whether it counts as an error in the orders.
    pub fn is_error(&self) -> bool {
        self.why != Why::NotAnOrder
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

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::NotAnOrder => write!(f, "This line was not understood and has no effect."),
            Why::UnknownProvince {
                role,
                word,
                nearest,
            } => {
                write!(f, "{} -> {}", role.unrecognized(), Shown(word))?;
                match nearest.is_empty() {
                    true => Ok(()),
                    false => write!(f, " (did you mean {}?)", Either(nearest)),
                }
            }
            Why::AmbiguousProvince {
                role,
                word,
                candidates,
            } => {
                write!(f, "{} -> {}: ", role.unrecognized(), Shown(word))?;
                write!(f, "`{}` can be {}.", Shown(word), Either(candidates))
            }
            Why::NoVerb { unit, word } if word.is_empty() => {
                write!(
                    f,
                    "Invalid order for {unit}: nothing says what it is to do."
                )
            }
            Why::NoVerb { unit, word } => {
                write!(
                    f,
                    "Invalid order for {unit}: `{}` is no order.",
                    Shown(word)
                )
            }
            Why::TextAfter { unit, word } => {
                let unit = unit.as_deref().unwrap_or("this line");
                write!(
                    f,
                    "Invalid order syntax for {unit}: the order is complete before `{}`.",
                    Shown(word)
                )
            }
            Why::OtherPhase { meant, now } => {
                let meant = word(*meant);
                write!(
                    f,
                    "Invalid order: it belongs to the {meant} phase, but the {now} phase is due."
                )
            }
            Why::RouteInConvoy => {
                write!(
                    f,
                    "The convoy order should specify source and final destination."
                )
            }
            Why::KindMissing => write!(f, "Unit type must be specified for build."),
            Why::PowerMissing { word } if word.is_empty() => {
                write!(f, "A valid power must be specified for a proxy order.")
            }
            Why::PowerMissing { word } => {
                write!(
                    f,
                    "A valid power must be specified for a proxy order, not `{}`.",
                    Shown(word)
                )
            }
            Why::NoContact { error, .. } => write!(f, "{error}"),
            Why::Expected { wanted, word } if word.is_empty() => {
                write!(f, "The line ends too early: {} is missing.", Or(wanted))
            }
            Why::Expected { wanted, word } => {
                write!(f, "Expected {} where `{}` stands.", Or(wanted), Shown(word))
            }
            Why::TooLong => write!(f, "This line is too long to be an order."),
        }
    }
}

impl Role {
    /// The old judge's words, which players know.
    fn unrecognized(self) -> &'static str {
        match self {
            Self::Source => "Unrecognized source province",
            Self::Destination => "Movement to unrecognized province",
            Self::Helped => "Unrecognized source province for support/convoy",
            Self::HelpedDestination => "Support/convoy movement to unrecognized province",
        }
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
struct Either<'a>(&'a [Candidate]);

impl fmt::Display for Either<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Candidate { province, name }) in self.0.iter().enumerate() {
            f.write_str(joint(index, self.0.len()))?;
            write!(f, "{name} ({province})")?;
        }
        Ok(())
    }
}

/// `PLACE, MOVE or REMOVE`
pub(super) struct Or<'a>(pub(super) &'a [String]);

impl fmt::Display for Or<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, wanted) in self.0.iter().enumerate() {
            write!(f, "{}{wanted}", joint(index, self.0.len()))?;
        }
        Ok(())
    }
}

/// What stands before one of several.
fn joint(index: usize, count: usize) -> &'static str {
    match index {
        0 => "",
        _ if index + 1 == count => " or ",
        _ => ", ",
    }
}
