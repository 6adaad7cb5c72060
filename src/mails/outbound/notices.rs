//! Mails that the clock or other people's actions cause: reminders, late notices, notices (`judge-workflow.md` 6.6).

use serde_json::json;

use super::heading::bare_block;
use super::phase::standing;
use super::wrap::count;
use super::{Document, RenderError, Templates, Text, headed};
use crate::inbound::clean_header_text;
use dipjudge_view::{Heading, LateNotice, Reminder, WaitingNotice};

/// *Reminder*: the reader's own orders before a deadline.
pub fn reminder(
    templates: &Templates,
    heading: &Heading,
    reminder: &Reminder,
) -> Result<Text, RenderError> {
    let fields = json!({
        "kind": reminder.orders.title.kind,
        "turn": reminder.orders.title.turn,
        "number": reminder.orders.title.number,
        "orders": standing(&reminder.orders).field(),
        "flag": reminder.flag,
        "unconfirmed": reminder.unconfirmed,
        "hours": reminder.hours,
    });
    Ok(Text::about(
        heading,
        "Reminder",
        templates.fill("player-reminder.md", fields)?,
    ))
}

/// Whose copy of a late notice it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateCopy {
    /// That of a power which is late: its subject begins `[You are late!] `.
    LatePower,
    /// That of anybody else.
    Other,
}

/// *Late Notice: FT*. `letters` are those of the late powers as the subject shows them, `?` where they are not told.
pub fn late_notice(
    templates: &Templates,
    heading: &Heading,
    late: &LateNotice,
    letters: &str,
    copy: LateCopy,
) -> Result<Text, RenderError> {
    let fields = json!({
        "game": heading.game,
        "powers": late.powers.iter().map(|(power, times)| json!({
            "name": power.as_str(),
            "late": times,
        })).collect::<Vec<_>>(),
        "unnamed": late.unnamed,
        "several": late.powers.len() + late.unnamed > 1,
        "grace": late.grace.as_ref().map(ToString::to_string),
        "nmr": late.nmr,
        "abandoned": late.abandoned,
    });
    let filled = templates.fill("player-late-notice.md", fields)?;
    let mut text = Text::about(heading, &format!("Late Notice: {letters}"), filled);
    if copy == LateCopy::LatePower {
        text.subject.insert_str(0, "[You are late!] ");
    }
    Ok(text)
}

/// *Waiting for Replacements: T*: the game is stopped. `letters` as in [`late_notice`].
pub fn waiting_for_replacements(
    templates: &Templates,
    heading: &Heading,
    waiting: &WaitingNotice,
    letters: &str,
) -> Result<Text, RenderError> {
    let fields = json!({
        "game": heading.game,
        "powers": waiting.powers.iter().map(|power| power.as_str()).collect::<Vec<_>>(),
    });
    let filled = templates.fill("player-waiting.md", fields)?;
    Ok(Text::about(
        heading,
        &format!("Waiting for Replacements: {letters}"),
        filled,
    ))
}

/// *Waiting for 3 More Players*: sent once a week to everybody in a forming game.
pub fn forming_waiting(
    templates: &Templates,
    heading: &Heading,
    missing: usize,
) -> Result<Text, RenderError> {
    let fields = json!({ "game": heading.game, "players": missing });
    let filled = templates.fill("forming-waiting.md", fields)?;
    let tail = format!("Waiting for {}", count(missing, "More Player"));
    Ok(Text::about(heading, &tail, filled))
}

/// A notice of what somebody did: the end of the subject (`New Player Signon: T`) and the parts of the body, each on a new line.
pub fn notice(
    templates: &Templates,
    heading: &Heading,
    tail: &str,
    what: impl Into<Document>,
) -> Result<Text, RenderError> {
    let filled = templates.fill(
        "player-notice.md",
        json!({ "lines": [what.into().grouped().field()] }),
    )?;
    Ok(Text::about(heading, tail, filled))
}

/// A mail that concerns no game: to somebody who is not registered, about a mail that is too large, about a pause in
/// answering. `subject` is the whole subject.
pub fn stranger_notice(
    templates: &Templates,
    judge: &str,
    subject: &str,
    lines: impl Into<Document>,
) -> Result<Text, RenderError> {
    let text = outside_games(templates, "stranger-notice.md", judge, lines.into())?;
    Ok(Text {
        subject: clean_header_text(subject),
        document: headed(bare_block(judge), text.document),
        ..text
    })
}

/// A mail to the keeper: what failed and what he can do. The subject becomes `USXX: …`.
pub fn keeper_notice(
    templates: &Templates,
    judge: &str,
    subject: &str,
    lines: impl Into<Document>,
) -> Result<Text, RenderError> {
    Ok(Text {
        subject: format!("{judge}: {}", clean_header_text(subject)),
        ..outside_games(templates, "keeper-notice.md", judge, lines.into())?
    })
}

/// A mail that tells of no game, without its subject.
fn outside_games(
    templates: &Templates,
    template: &'static str,
    judge: &str,
    lines: Document,
) -> Result<Text, RenderError> {
    let fields = json!({ "judge": judge, "lines": [lines.grouped().field()] });
    let filled = templates.fill(template, fields)?;
    Ok(Text {
        reader: None,
        subject: String::new(),
        document: filled.document,
        fault: filled.fault,
        picture: None,
        asks: None,
        answering: None,
    })
}
