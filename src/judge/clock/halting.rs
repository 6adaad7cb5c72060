//! Games whose results do not hold: the adjudicator contradicts the rules, so nothing is sent and the game stands still (README,
//! Decided 45). It is tried again every hour, since the keeper may have a better version of the program by then.

use crate::clock::moved_deadline;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass};
use dipjudge_game::phases::PhaseResults;
use dipjudge_game::{Event, Game, GameEdit, State, Times};
use dipjudge_mails::outbound;
use dipjudge_rules::adjudicator::Contradiction;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;

/// The results that the phase in hand has with these powers in civil disorder; nothing of it has happened yet.
pub(crate) fn results(work: &GameWork, disorder: &[Power]) -> Result<PhaseResults, Contradiction> {
    let mut trial = GameEdit::of(work.game(), work.variant(), work.now);
    trial.fell_due = work.open.edit.fell_due;
    for power in disorder {
        trial.emit(Event::Disorder {
            power: *power,
            on: true,
        });
    }
    PhaseResults::of(trial)
}

/// Why a game stands still, for the keeper; `None` if it does not.
pub(crate) fn reason(game: &Game) -> Option<String> {
    let State::Halted { since } = game.state else {
        return None;
    };
    let variant = variants::of(&game.variant);
    let why = match PhaseResults::of(GameEdit::of(game, variant, since)) {
        Err(contradiction) => format!("the results of its phase contradict the rules ({contradiction})"),
        Ok(_) => "the results of its phase contradicted the rules, and hold now; it goes on within the hour".to_owned(),
    };
    Some(format!("the game '{}' stands still: {why}", game.name))
}

/// Stops the game in hand. Its readers learn that it stands still, and its keeper why.
pub(crate) fn halt(work: &mut GameWork, contradiction: &Contradiction) {
    let game = work.game();
    let (name, phase) = (game.name.clone(), game.token(work.variant()));
    work.emit(Event::Halted);
    work.ruling
        .notes
        .push(format!("{name} stands still in {phase}: {contradiction}"));
    tell_keeper_of_contradiction(work, &name, &phase, contradiction);
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        let game = &work.game().name;
        let tail = format!("Game stands still: {game}");
        let line = format!(
            "The judge checks all results before it sends them, and those of this phase of '{}' did not pass.  So nothing was sent, and the game stands still until the judge's keeper has seen to it.  Nothing is lost: all orders stand, no orders are needed now, and the deadline waits as long.",
            game
        );
        work.notice(to, &tail, line)
    });
}

fn tell_keeper_of_contradiction(
    work: &mut GameWork,
    name: &str,
    phase: &str,
    contradiction: &Contradiction,
) {
    let lines = vec![
        format!(
            "Game '{name}' stands still in {phase}: its results contradict the rules ({contradiction}), so they were not sent. Its people were told that it stands still, and nothing else."
        ),
        "This is a fault of the program: please report it with the game's log (`dipjudge export`). The judge tries the phase again every hour. As soon as its results hold, with another version of the program or other orders, the game goes on by itself, and its deadline is later by the time in between.".to_owned(),
    ];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "A game stands still";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// Lets the game in hand go on if its results hold by now. Its clock goes on where it stopped.
pub(crate) fn check_again(work: &mut GameWork) {
    let State::Halted { since } = work.game().state else {
        return;
    };
    if results(work, &[]).is_err() {
        work.emit(Event::Nudged);
        return;
    }
    let length = moved_deadline::in_whole_minutes(work.now.duration_since(since));
    work.emit(Event::Resumed);
    let Some(times) = work.game().timing.times else {
        return;
    };
    let moved = Times {
        start: times.start + length,
        deadline: times.deadline + length,
        grace: times.grace + length,
        ..times
    };
    moved_deadline::announce(work, moved, |game, deadline| {
        format!(
            "Game '{game}' goes on: its results pass the judge's check now.  The deadline has been moved to {deadline}, by the time for which the game stood still."
        )
    });
}
