//! When the phase is adjudicated, and how long phases are, in sentences.

use crate::session::Session;
use dipjudge_game::{Game, State};
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
            return Some(waits_for_players(game));
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
        let seat = self.sender.acting.and_then(|acting| game.seat(acting.seat));
        let zone = game.zone_of(seat);
        let shown = |at: Timestamp| Moment::new(at, &zone).to_string();
        let pace = edit.variant_game().pace();
        let deadline = shown(times.deadline);
        let runs = match (pace.early, times.start > self.work.now) {
            (true, false) => format!(
                "This phase is adjudicated as soon as all orders are in, at the latest at the deadline, {deadline}.  Whoever sends SET WAIT holds it until the deadline."
            ),
            (true, true) => format!(
                "This phase is adjudicated as soon as all orders are in, but not before {}, and at the latest at the deadline, {deadline}.  Whoever sends SET WAIT holds it until the deadline.",
                shown(times.start)
            ),
            (false, _) => format!(
                "This phase is adjudicated at its deadline, {deadline}, even if all orders come earlier."
            ),
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
        let seen = edit.variant_game().seen_by(Viewer::Observer);
        let parameters = seen.parameters();
        Some(outbound::rhythm(&parameters))
    }
}

fn waits_for_players(game: &Game) -> String {
    format!(
        "Game '{}' has not begun.  It begins when all its places are taken.",
        game.name
    )
}
