//! What a variant marks in a picture of the board.

use super::Audience;
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::SignLook;

/// A mark in a province. Whoever does not have the province in sight does not get it, whatever the audience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSign {
    /// Where.
    pub at: Province,
    /// How it is drawn.
    pub look: SignLook,
    /// A word for it, where it is drawn with one; at most eight letters are read well.
    pub text: String,
    /// In whose color; none is nobody's.
    pub power: Option<Power>,
    /// What it means, in a word for all who may have it that stands below the picture; empty for a plate that says it itself.
    pub meaning: &'static str,
    /// Who may have it.
    pub audience: Audience,
}

impl BoardSign {
    /// A mark for all who see the province, in nobody's color.
    pub fn new(at: Province, look: SignLook, meaning: &'static str) -> BoardSign {
        BoardSign {
            at,
            look,
            text: String::new(),
            power: None,
            meaning,
            audience: Audience::Everyone,
        }
    }

    /// A plate with a word.
    pub fn token(at: Province, text: &str) -> BoardSign {
        BoardSign {
            text: text.to_owned(),
            ..BoardSign::new(at, SignLook::Token, "")
        }
    }

    /// The same with a word for what it means.
    pub fn meaning(self, meaning: &'static str) -> BoardSign {
        BoardSign { meaning, ..self }
    }

    /// The same in the color of a power.
    pub fn of(self, power: Power) -> BoardSign {
        BoardSign {
            power: Some(power),
            ..self
        }
    }
}
