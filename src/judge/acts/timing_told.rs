//! When the phase is adjudicated, and how long phases are, in sentences.

use crate::session::Session;
use dipjudge_game::State;
use dipjudge_mails::outbound;
use dipjudge_view::{Moment, Viewer};
use jiff::Timestamp;

impl Session<'_, '_> {
    /// When the phase of the game in hand is adjudicated: `As soon as all orders are in, at the latest at the deadline, ...`
    pub(super) fn when_it_runs(&self) -> Option<String> {
        let edit = self.edit()?;
        let game = &edit.game;
        if game.over() {
            return Some(format!("Game '{}' is over.", game.name));
        }
        if !game.begun() {
            return Some(format!(
                "Game '{}' has not begun.  It begins when all its places are taken.",
                game.name
            ));
        }
        if game.state == State::Paused {
            return Some(format!(
                "Game '{}' is paused: nothing is adjudicated before a master resumes it.",
                game.name
            ));
        }
        if game.settings.manual_process {
            return Some("A master processes each phase by hand.".to_owned());
        }
        let times = game.timing.times?;
        let zone = self.own_zone()?;
        let shown = |at: Timestamp| Moment::new(at, &zone).to_string();
        let pace = edit.variant_game().pace();
        let deadline = shown(times.deadline);
        let runs = if pace.early {
            let not_before = (times.start > self.work.now)
                .then(|| format!(" but not before {}, and", shown(times.start)));
            format!(
                "This phase is adjudicated as soon as all orders are in,{} at the latest at the deadline, {deadline}.  Whoever sends SET WAIT holds it until the deadline.",
                not_before.unwrap_or_default()
            )
        } else {
            format!(
                "This phase is adjudicated at its deadline, {deadline}, even if all orders come earlier."
            )
        };
        let grace = (pace.grace && times.grace > times.deadline).then(|| {
            format!(
                "  If orders are missing then, it waits for them until {}.",
                shown(times.grace)
            )
        });
        Some(runs + &grace.unwrap_or_default())
    }

    /// The days and hours of deadlines, and how long phases are.
    pub(super) fn rhythm(&self) -> Option<String> {
        let edit = self.edit()?;
        let public = edit.variant_game().seen_by(Viewer::Observer);
        Some(outbound::rhythm(&public.parameters()))
    }
}
