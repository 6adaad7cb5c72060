//! The end of a game: victory, draw, concession, termination (`judge-workflow.md` 6.9, 1.2 rows 18 and 25).

use serde_json::json;

use super::fixed_tables::{self, aligned, name_value_table};
use super::heading::codes_in_subject;
use super::tables::position;
use super::{Document, RenderError, Templates, Text};
use dipjudge_view::{EndDisclosure, FinalBoard, Heading, Label, and_list};

/// A power in a mail and in its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPower {
    /// Its name.
    pub label: Label,
    /// Its letter or code, as subjects have it.
    pub letter: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One power, or several together, reached the goal.
    Victory(Vec<NamedPower>),
    /// A draw between these.
    Draw(Vec<NamedPower>),
    /// All others conceded the game to this power.
    Concession(NamedPower),
    /// The master ended it.
    Terminated,
}

/// *Victory: A*, *Draw Declared: EFT*, *Game Conceded to A*, *Game Terminated*.
pub fn game_over(
    templates: &Templates,
    heading: &Heading,
    ending: &Ending,
    closing: &EndDisclosure,
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
        Ending::Concession(power) => (
            "conceded",
            power.label.to_string(),
            format!("Game Conceded to {}", power.letter),
        ),
        Ending::Terminated => ("terminated", String::new(), "Game Terminated".to_owned()),
    };
    let board = closing.board.as_ref();
    let units =
        |board: &FinalBoard| fixed_tables::units(position(&board.units), &board.units).field();
    let fields = json!({
        "game": heading.game,
        "how": how,
        "powers": powers,
        "reached": board.and_then(|board| board.reached.as_deref()),
        "units": board.map(units),
        "owners": board.map(|board| fixed_tables::ownership(&board.centers).field()),
        "leaders": (!closing.leaders.is_empty()).then(|| leaders(&closing.leaders).field()),
        "counts": closing.summary.as_ref().filter(|summary| !summary.years.is_empty())
            .map(|summary| fixed_tables::count_history(summary).field()),
        "seed": closing.seed,
    });
    Ok(Text::about(
        heading,
        &tail,
        templates.fill("game-over.md", fields)?,
    ))
}

/// `Babel:  Anna Example`, a line for each power.
fn leaders(leaders: &[(Label, String)]) -> Document {
    let width = leaders
        .iter()
        .map(|(power, _)| power.as_str().chars().count());
    let width = width.max().unwrap_or_default() + 3;
    let rows = leaders
        .iter()
        .map(|(power, who)| vec![format!("{power}:"), who.clone()]);
    aligned("", &[width], name_value_table(rows.collect()))
}

fn names(powers: &[NamedPower]) -> String {
    and_list(powers.iter().map(|power| power.label.as_str()))
}

fn letters(powers: &[NamedPower]) -> String {
    let codes: Vec<&str> = powers.iter().map(|power| power.letter.as_str()).collect();
    codes_in_subject(&codes)
}
