//! Archived mails, as HISTORY and SHOW display them.

use jiff::tz::TimeZone;

use crate::boundary::Archived;
use crate::work::Work;
use crate::work::acting::Refusal;
use dipjudge_game::Game;
use dipjudge_mails::outbound::{self, Document, History, HistoryEntry, Templates};
use dipjudge_variants as variants;
use dipjudge_view::Moment;

/// The refusal when a template fails.
pub(super) fn failed(error: impl std::fmt::Display) -> Refusal {
    tracing::error!(%error, "a template failed");
    Refusal::from("This could not be written; the keeper has been told.")
}

/// The templates for mails about a game.
pub(super) fn templates(work: &Work, game: &Game) -> Templates {
    work.judge.templates_of(variants::of(&game.variant))
}

/// One archived mail, dated in its reader's time zone.
pub(super) fn entry(kept: Archived, zone: &TimeZone) -> HistoryEntry {
    HistoryEntry {
        at: Moment::new(kept.at, zone),
        subject: kept.subject,
        body: kept.body,
    }
}

/// Renders the archived mails.
pub(super) fn shown(work: &Work, history: &History, game: &Game) -> Result<Document, Refusal> {
    outbound::history(&templates(work, game), history).map_err(failed)
}
