//! *Game Starting* (`judge-workflow.md` 6.7).

use serde_json::json;

use super::sections::section_texts;
use super::sight::position_section;
use super::tables::opening;
use super::wrap::pad;
use super::{RenderError, Templates, Text};
use crate::view::{GameStart, Heading};

/// Columns of a role and its colon in the list of players.
const ROLE: usize = 26;

/// *Game Starting*, in the version of one reader.
pub fn game_start(
    templates: &Templates,
    heading: &Heading,
    start: &GameStart,
) -> Result<Text, RenderError> {
    let players = start.players.iter().map(|player| {
        let line = format!(
            "     {}{}",
            pad(&format!("{}:", player.role), ROLE),
            player.address
        );
        line.trim_end().to_owned()
    });
    let told = section_texts(templates, &start.tables)?;
    let fields = json!({
        "selected": start.selected.as_ref().map(|power| power.as_str()),
        "game": heading.game,
        "variant": start.variant,
        "rules": start.rules,
        "map": start.map,
        "players": players.collect::<Vec<_>>().join("\n"),
        "turn": start.turn,
        "disclosed": start.disclosed,
        "sight": start.sight.as_ref().map(|now| position_section(templates, now)).transpose()?,
        "units": opening(&start.units),
        "tables": told.texts,
        "deadline": start.deadline.as_ref().map(ToString::to_string),
    });
    Ok(Text::about(
        heading,
        "Game Starting",
        templates
            .fill("player-game-start.txt", fields)?
            .or_fault(told.fault),
    ))
}
