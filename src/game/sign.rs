//! What a variant marks in a picture of the board.

use super::Audience;
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::SignLook;

/// A mark in a province. A reader who does not have the province in sight does not get it, even if he belongs to the audience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSign {
    /// The province.
    pub at: Province,
    /// How it is drawn.
    pub look: SignLook,
    /// A word for it, if it is drawn with one; at most eight letters are legible.
    pub text: String,
    /// The power whose color it has; `None` means that of no power.
    pub power: Option<Power>,
    /// A word for its meaning, printed below the picture for all its readers; empty for a plate that already says it.
    pub meaning: &'static str,
    /// Its audience.
    pub audience: Audience,
}

impl BoardSign {
    /// A mark for those of an audience who see the province, in the color of no power.
    ///
    /// ```compile_fail
    /// # use dipjudge_game::BoardSign;
    /// # use dipjudge_rules::map::Province;
    /// # use dipjudge_view::SignLook;
    /// fn spy(at: Province) -> BoardSign {
    ///     BoardSign::new(at, SignLook::Ring, "spy")
    /// }
    /// ```
    pub fn new(
        audience: Audience,
        at: Province,
        look: SignLook,
        meaning: &'static str,
    ) -> BoardSign {
        BoardSign {
            at,
            look,
            text: String::new(),
            power: None,
            meaning,
            audience,
        }
    }

    /// A plate with a word.
    pub fn token(audience: Audience, at: Province, text: &str) -> BoardSign {
        BoardSign {
            text: text.to_owned(),
            ..BoardSign::new(audience, at, SignLook::Token, "")
        }
    }

    /// The same with a word for its meaning.
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
