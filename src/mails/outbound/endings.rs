//! The end of a game: victory, draw, concession, termination (`judge-workflow.md` 6.9, 1.2 rows 18 and 25).

use serde_json::json;

use super::heading::codes_in_subject;
use super::{RenderError, Templates, Text};
use crate::view::{Heading, Label, and_list};

/// How a game ended. Each power with the letter or code that stands for it in subjects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One power, or several together, reached the goal.
    Victory(Vec<(Label, String)>),
    /// A draw between these.
    Draw(Vec<(Label, String)>),
    /// All others gave the game to this one.
    Concession(Label, String),
    /// The master ended it.
    Terminated,
}

/// *Victory: A*, *Draw Declared: EFT*, *Game Conceded to A*, *Game Terminated*. `more` are further paragraphs, such as
/// the seed of the game that is now told.
pub fn game_over(
    templates: &Templates,
    heading: &Heading,
    ending: &Ending,
    more: &[String],
) -> Result<Text, RenderError> {
    let (how, powers, tail) = match ending {
        Ending::Victory(powers) => (
            "won",
            names(powers),
            format!("Victory: {}", letters(powers)),
        ),
        Ending::Draw(powers) => (
            "drawn",
            names(powers),
            format!("Draw Declared: {}", letters(powers)),
        ),
        Ending::Concession(power, letter) => (
            "conceded",
            power.to_string(),
            format!("Game Conceded to {letter}"),
        ),
        Ending::Terminated => ("terminated", String::new(), "Game Terminated".to_owned()),
    };
    let fields = json!({ "game": heading.game, "how": how, "powers": powers, "more": more });
    Ok(Text::about(
        heading,
        &tail,
        templates.fill("game-over.md", fields)?,
    ))
}

fn names(powers: &[(Label, String)]) -> String {
    and_list(powers.iter().map(|(power, _)| power.as_str()))
}

fn letters(powers: &[(Label, String)]) -> String {
    let codes: Vec<&str> = powers.iter().map(|(_, letter)| letter.as_str()).collect();
    codes_in_subject(&codes)
}
