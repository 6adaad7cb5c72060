//! What a master may do to the course of a game (`judge-workflow.md` 2.4).

use crate::acts::votes;
use crate::clock::ending;
use crate::clock::processing;
use crate::clock::starting;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::authority::{may_rule, only_master, who_as};
use crate::work::{GameWork, Recipient};
use dipjudge_game::clock::PhaseStart;
use dipjudge_game::{
    Ending, Event, Finality, GameEdit, Restores, Role, SettingChange, State, Times, VariantGame,
    masters_read_orders, phases,
};
use dipjudge_mails::outbound::{self, Document};
use dipjudge_rules::calendar::PhaseName;
use dipjudge_view::Viewer;

/// PROCESS, with the phase if the line names one (in the form that files use). The results are sent after the reply.
pub(crate) fn process(work: &mut GameWork, phase: Option<&str>) -> ActOutcome {
    let game = work.game();
    if game.state != State::Running {
        return refuse(format!(
            "Game '{}' is not running, so there is nothing to process.",
            game.name
        ));
    }
    let now = game.phase_name(work.variant());
    if let Some(named) = phase.filter(|named| *named != now.to_string()) {
        return refuse(format!(
            "PROCESS {named} was ignored, since '{}' is in {}.",
            game.name,
            now.in_mail()
        ));
    }
    let said = format!("The orders of '{}' will be processed now.", game.name);
    work.open.process_after_reply = true;
    say(vec![said])
}

/// PREDICT: adjudicates the phase as if it ended now, for the master alone; changes nothing.
pub(crate) fn predict(work: &GameWork, acting: Acting) -> Result<Document, Refusal> {
    let edit = &work.open.edit;
    if edit.game.state != State::Running {
        return refuse("The game is not running, so there is nothing to predict.");
    }
    if !masters_read_orders(&edit.game) {
        return refuse("Orders are sealed from the Master in this game.");
    }
    let master = Viewer::Master;
    let mut future = GameEdit::foretelling(&edit.game, edit.variant, work.now, master);
    let left_out = edit.variant_game().seen_by(master).left_out();
    if phases::run(&mut future).is_err() {
        return refuse("The results would not pass the judge's check, so it cannot tell them.");
    }
    let reader = work.reader(Recipient::new(acting.seat, None));
    let Some(played) = &future.game.last else {
        return refuse("Nothing would happen.");
    };
    let report = VariantGame::new(&future.game, edit.variant)
        .read_by(&reader)
        .phase_report(&edit.game, played);
    let results = outbound::phase_section(&work.templates(), &edit.game.name, &report)
        .map_err(|error| Refusal::from(error.to_string()))?;
    let mut said = Document::from(
        "For your eyes only: what would happen if the phase were processed now.".to_owned(),
    );
    left_out.into_iter().for_each(|why| said.push(why));
    said.append(results);
    Ok(said)
}

/// ROLLBACK to before a turn was processed; to before the last one if the line names none.
pub(crate) fn rollback(
    work: &mut GameWork,
    acting: Acting,
    number: Option<i64>,
    phase: Option<&str>,
) -> ActOutcome {
    not_after_the_end(work)?;
    let game = work.game();
    let left = game.token(work.variant());
    let card = work.variant().card();
    let past = match (number, phase) {
        (Some(number), _) => game
            .past_turns()
            .find(|past| i64::from(past.number) == number),
        (None, Some(phase)) => {
            let name: Option<PhaseName> = phase.parse().ok();
            let mut past = game.past_turns().rev();
            past.find(|past| name.is_some_and(|name| card.names(&past.phase, past.turn, name)))
        }
        (None, None) => game.past_turns().next_back(),
    };
    let Some(past) = past else {
        return refuse(match (number, phase) {
            (Some(number), _) => format!(
                "There is no turn {number} of '{}' to go back to.",
                game.name
            ),
            (None, Some(phase)) => format!(
                "The phase {phase} of '{}' has not been processed.",
                game.name
            ),
            (None, None) => format!("No turn of '{}' has been processed yet.", game.name),
        });
    };
    let (number, to) = (
        past.number,
        card.phase_name(&past.phase, past.turn).in_mail(),
    );
    work.recall_past()?;
    let name = work.game().name.clone();
    work.tell_others(Some(acting.seat), &format!("Rollback to {to}"), |work, recipient| {
        let who = who_as(work, recipient, acting)?;
        Some(vec![format!(
            "{who} has rolled '{name}' back from {left} to {to}, before turn {number:03} was processed. The orders of \
             that phase are restored. Players: please check yours, and answer YES to confirm them, or change them; until \
             then they do not count. Orders sent ahead, votes, absences and civil disorder are also as they \
             were then: send again what you have sent since. What is drawn by lot in that turn comes out as before."
        )])
    });
    work.emit(Event::RolledBack {
        number,
        restores: Restores::Everything,
    });
    work.show_board(|_, _| true);
    let edit = &work.open.edit;
    let (game, variant) = (&edit.game, edit.variant);
    let times = match game.timing.times {
        Some(times) if times.deadline > work.now => {
            // The deadline stays, but the grace period may belong to another phase, which had none or had its own.
            let bare = VariantGame::new(game, variant).requirements().without_grace;
            let fits = bare == (times.grace == times.deadline);
            let grace = VariantGame::new(game, variant).grace_after(times.deadline, work.now);
            (!fits).then_some(Times { grace, ..times })
        }
        // After a deadline in the past everybody would be late at once, so a new one is computed.
        _ => Some(VariantGame::new(game, variant).times_from(work.now, PhaseStart::Later)),
    };
    if let Some(times) = times {
        work.emit(Event::Timed { times });
    }
    say(vec![format!(
        "Game '{name}' is back in {to}, before turn {number:03} was processed."
    )])
}

pub(crate) fn pause(work: &mut GameWork, acting: Acting) -> ActOutcome {
    pause_and_tell(work, acting, |name| {
        format!("'{name}'. Orders and deadlines wait until the master resumes it.")
    })
}

/// The game was made again after the loss of the machine.
pub(crate) fn pause_restored(work: &mut GameWork, acting: Acting) -> ActOutcome {
    pause_and_tell(work, acting, |name| {
        format!(
            "'{name}'. The judge has lost its machine and has taken again the mails since its last copy. Results may differ from \
             those that you were sent: compare them. Orders and deadlines wait until the master or the keeper resumes the game."
        )
    })
}

fn pause_and_tell(
    work: &mut GameWork,
    acting: Acting,
    what: impl Fn(&str) -> String,
) -> ActOutcome {
    let game = work.game();
    let name = game.name.clone();
    match game.state {
        State::Paused => return refuse(format!("Game '{name}' is paused already.")),
        State::Running => {}
        _ => {
            return refuse(format!(
                "Game '{name}' is not running, so it cannot be paused."
            ));
        }
    }
    work.emit(Event::Paused);
    work.tell_others(Some(acting.seat), "Game Paused", |work, to| {
        Some(vec![format!(
            "{} has paused {}",
            who_as(work, to, acting)?,
            what(&name)
        )])
    });
    say(vec![format!("Game '{name}' is now paused.")])
}

/// RESUME: continues a paused, finished or terminated game.
pub(crate) fn resume(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let game = work.game();
    let name = game.name.clone();
    let any = game.settings.resume_any.unwrap_or(!game.settings.moderated);
    let player = game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Player);
    if !(any && player) {
        only_master(work, acting, "RESUME")?;
    }
    not_after_the_end(work)?;
    let game = work.game();
    if game.state == State::Running {
        return refuse(format!("Game '{name}' is running already."));
    }
    if matches!(game.state, State::Halted { .. }) {
        return refuse(format!(
            "Game '{name}' stands still until its results pass the judge's check.  Then it goes on by itself."
        ));
    }
    if !game.begun() {
        return refuse(format!(
            "Game '{name}' has not begun, so it cannot be resumed."
        ));
    }
    let told = game.over();
    work.emit(Event::Resumed);
    let mut from_now = String::new();
    if told {
        let seed = dipjudge_game::Seed::new(work.ids.seed());
        from_now = format!(
            "  Its draws follow from another seed from now on, whose SHA-256 is {}.",
            seed.sha256()
        );
        work.emit(Event::Reseeded { seed });
        phases::go_on(&mut work.open.edit);
    }
    // A deadline that was set during the pause stays.
    let timing = &work.game().timing;
    let stays = timing.set_in_pause && timing.times.is_some_and(|times| times.deadline > work.now);
    if !stays {
        let times = work.variant_game().times_from(work.now, PhaseStart::Later);
        work.emit(Event::Timed { times });
    }
    work.tell_others(Some(acting.seat), "Game Resumed", |work, to| {
        let deadline = work
            .game()
            .timing
            .times
            .map(|times| work.reader(to).moment(times.deadline))?;
        Some(vec![format!(
            "{} has resumed game '{name}'.  The deadline is {deadline}.{from_now}",
            who_as(work, to, acting)?
        )])
    });
    say(vec![format!("Game '{name}' has been resumed.{from_now}")])
}

/// TERMINATE: ends the game, or votes to end it where no single player may reveal what is hidden.
pub(crate) fn terminate(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let game = work.game();
    let name = game.name.clone();
    if ending::ends_by_vote(work) {
        return votes::terminate(work, acting);
    }
    if !may_rule(game, acting) {
        only_master(work, acting, "TERMINATE")?;
    }
    if game.over() {
        return refuse(format!("Game '{name}' is over already."));
    }
    work.emit(Event::Ended {
        ending: Ending::Terminated,
    });
    work.send_notices();
    processing::tell_ending(work, &Ending::Terminated);
    say(vec![format!("Game '{name}' has been terminated.")])
}

/// NO TERMINATE: withdraws a vote to end the game.
pub(crate) fn no_terminate(work: &mut GameWork, acting: Acting) -> ActOutcome {
    if ending::ends_by_vote(work) {
        return votes::no_terminate(work, acting);
    }
    refuse(format!(
        "Game '{}' is not ended by a vote, so there is none to take back.",
        work.game().name
    ))
}

/// Refuses to resume or roll back a game that stays over.
fn not_after_the_end(work: &GameWork) -> Result<(), Refusal> {
    let name = &work.game().name;
    match work.variant_game().finality(work.now) {
        None => Ok(()),
        Some(Finality::Opened) => refuse(format!(
            "'{name}' is over and its secrets are out, so it cannot be resumed or rolled back."
        )),
        Some(Finality::LongOver) => refuse(format!(
            "'{name}' has been over for 90 days, so it cannot be resumed or rolled back."
        )),
    }
}

/// FORCE BEGIN: starts the game; powers without players stay vacant.
pub(crate) fn force_begin(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let game = work.game();
    if game.begun() || game.over() {
        return refuse(format!("Game '{}' has begun already.", game.name));
    }
    let players = VariantGame::new(game, work.variant()).players();
    let least = *players.start();
    // If the powers do not depend on the number of players, they may stay vacant.
    let same = VariantGame::new(game, work.variant()).has_optional_powers();
    if !same && players.start() < players.end() && game.seated(Role::Player).count() < least {
        return refuse(format!(
            "Game '{}' needs at least {least} players to begin.",
            game.name
        ));
    }
    let name = game.name.clone();
    work.tell_others(Some(acting.seat), "Forced Begin", |work, to| {
        Some(vec![format!(
            "{} has begun game '{name}' with the players that are there.",
            who_as(work, to, acting)?
        )])
    });
    work.send_notices();
    starting::begin(work);
    say(vec![format!("Game '{name}' has begun.")])
}

/// UNSTART: returns to forming; possible in the first turn only.
pub(crate) fn unstart(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let game = work.game();
    if !game.begun() || game.number > 0 || game.over() {
        return refuse(format!(
            "UNSTART is possible only in the first turn of '{}'.",
            game.name
        ));
    }
    let name = game.name.clone();
    work.emit(Event::Set(SettingChange::ManualStart(true)));
    work.emit(Event::Unstarted);
    work.tell_others(Some(acting.seat), "Unstart", |work, to| {
        Some(vec![format!(
            "{} has taken back the start of game '{name}'.",
            who_as(work, to, acting)?
        )])
    });
    say(vec![format!(
        "Game '{name}' is forming again.  Send SET AUTO START to begin it."
    )])
}
