//! *Game Starting* (`judge-workflow.md` 6.7).

use serde_json::{Value, json};

use super::fixed_tables::{self, aligned, name_value_table};
use super::listing::HistoryEntry;
use super::sections::section_fields;
use super::sight::position_section;
use super::tables::opening;
use super::{Document, RenderError, Templates, Text};
use dipjudge_view::{FilledSection, GameStart, Heading, Label, OpeningBuilds, StartPlayer};

/// Width of a role and its colon in the list of players.
const ROLE: usize = 26;

/// *Game Starting*, in the version of one reader.
pub fn game_start(
    templates: &Templates,
    heading: &Heading,
    start: &GameStart,
) -> Result<Text, RenderError> {
    let told = section_fields(templates, &start.tables)?;
    let fields = json!({
        "selected": start.selected.as_ref().map(|power| power.as_str()),
        "game": heading.game,
        "variant": start.variant,
        "rules": start.rules,
        "map": start.map,
        "players": players(&start.players).field(),
        "turn": start.turn,
        "disclosed": start.disclosed,
        "sight": start.sight.as_ref().map(|now| position_section(templates, now)).transpose()?.map(|told| told.field()),
        "units": fixed_tables::units(opening(&start.units), &start.units).field(),
        "builds": start.builds.as_ref().map(builds),
        "tables": told.fields,
        "deadline": start.deadline.as_ref().map(ToString::to_string),
        "seed_sha256": start.seed_sha256,
    });
    Ok(Text::about(
        heading,
        "Game Starting",
        templates
            .fill("player-game-start.md", fields)?
            .or_fault(told.fault),
    ))
}

fn builds(builds: &OpeningBuilds) -> Value {
    json!({
        "count": builds.count,
        "example": builds.example,
        "otherwise": builds.otherwise.join(", "),
    })
}

/// Who plays which power.
fn players(players: &[StartPlayer]) -> Document {
    let row = |player: &StartPlayer| vec![format!("{}:", player.role), player.called.clone()];
    let rows = players.iter().map(row).collect();
    aligned("     ", &[ROLE], name_value_table(rows))
}

/// What a new leader of a power is told, besides the heading.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLeader {
    /// The power, as introduced to the leader.
    pub selected: Label,
    /// The variant of the game.
    pub variant: String,
    /// Sections of the variant.
    pub tables: Vec<FilledSection>,
    /// The mails that the power got before, in the order of time.
    pub entries: Vec<HistoryEntry>,
}

/// *You Lead Elam*: the power that somebody leads from now on, and all mails that it got before.
pub fn new_leader(
    templates: &Templates,
    heading: &Heading,
    mail: &NewLeader,
) -> Result<Text, RenderError> {
    let told = section_fields(templates, &mail.tables)?;
    // The mails were checked when they were sent; what the power was called then is no secret from its new leader.
    let fields = json!({
        "selected": mail.selected.as_str(),
        "game": heading.game,
        "variant": mail.variant,
        "tables": told.fields,
        "entries": mail.entries.iter().map(HistoryEntry::checked_fields).collect::<Vec<_>>(),
    });
    let filled = templates.fill("player-new-leader.md", fields)?;
    Ok(Text::about(
        heading,
        &format!("You Lead {}", mail.selected),
        filled.or_fault(told.fault),
    ))
}
