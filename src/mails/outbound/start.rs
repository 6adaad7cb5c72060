//! *Game Starting* (`judge-workflow.md` 6.7).

use serde_json::json;

use super::listing::HistoryEntry;
use super::sections::section_texts;
use super::sight::position_section;
use super::tables::opening;
use super::wrap::pad;
use super::{RenderError, Templates, Text};
use crate::view::{GameStart, Heading, Label, ToldSection};

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

/// What a new leader of a power reads, beside its heading.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLeader {
    /// The power, as it is introduced.
    pub selected: Label,
    /// What the game is of.
    pub variant: String,
    /// How things of the variant's own stand.
    pub tables: Vec<ToldSection>,
    /// What the power was sent before, in time.
    pub entries: Vec<HistoryEntry>,
}

/// *You Lead Elam*: what somebody leads from now on, and all that this power was sent before.
pub fn new_leader(
    templates: &Templates,
    heading: &Heading,
    mail: &NewLeader,
) -> Result<Text, RenderError> {
    let told = section_texts(templates, &mail.tables)?;
    let fields = json!({
        "selected": mail.selected.as_str(),
        "game": heading.game,
        "variant": mail.variant,
        "tables": told.texts,
        "entries": mail.entries.iter().map(HistoryEntry::fields).collect::<Vec<_>>(),
    });
    let filled = templates.fill("player-new-leader.txt", fields)?;
    Ok(Text::about(
        heading,
        &format!("You Lead {}", mail.selected),
        filled.or_fault(told.fault),
    ))
}
