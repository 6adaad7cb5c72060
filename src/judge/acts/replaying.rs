//! REPLAY: adjudicates past phases again (`game::replay`).

use super::table::{Act, Command};
use crate::clock::{ahead, halting, processing};
use crate::orders::variant_lines;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_game::replay::{Came, LeftOut, Replay};
use dipjudge_game::{
    Audience, CommandEffects, Notification, Phase, Sentence, in_play, order_of_play,
};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Location;
use dipjudge_view::and_list;

pub(super) const COMMANDS: &[Command] = &[Command {
    rules: &["replay"],
    examples: &["REPLAY FROM S1901M"],
    act: Act::Game(replay),
    help: "REPLAY FROM phase [BECAUSE reason]
    Process that phase and all later ones again, with the orders sent at the
    time and today's settings. Your later corrections, and things players did
    between phases, are not repeated. Everybody is told.",
    ..Command::MASTER
}];

fn replay(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let number = first(work, line.text_of("replay-phase").unwrap_or_default())?;
    let reason = line.text_of("replay-reason");
    let reason = reason.map(|reason| Sentence::of(format!("Because: {}", reason.trim())));
    work.recall_past()?;
    let name = work.game().name.clone();
    let mut replay = Replay::from(&mut work.open.edit, number);
    let from = work.game().token(work.variant());
    let begins = format!(
        "The Master replays game '{name}' from {from}, with what was submitted then and the settings of now.  What \
         was overruled or ruled later is not repeated."
    );
    let subject = format!("Replay from {from}");
    let told = Notification {
        lines: [Sentence::of(begins)].into_iter().chain(reason).collect(),
        ..Notification::new(Audience::Everyone, Sentence::of(&subject))
    };
    tell(work, acting, vec![told]);
    // This notice precedes the results of the phases.
    work.send_notices();
    let mut played: Vec<String> = Vec::new();
    let hidden = work.hides();
    loop {
        if replay.meets_a_new_phase(&work.open.edit) {
            ahead::come_into_force(work);
        }
        let before = work.game().clone();
        match replay.play_on(&mut work.open.edit) {
            Ok(true) => {}
            Ok(false) => break,
            Err(contradiction) => {
                halting::halt(work, &contradiction);
                return say(vec![format!(
                    "The replay has stopped in {}: its results do not pass the judge's check.",
                    before.token(work.variant())
                )]);
            }
        }
        played.push(before.token(work.variant()));
        // If the board is hidden, each power reads at the end what it sees.
        if !hidden || work.game().over() {
            processing::tell_results(work, &before);
        }
    }
    let came = replay.finish(&mut work.open.edit);
    ahead::come_into_force(work);
    let words = outcome(work, &came, &and_list(&played));
    tell_outcome(work, acting, &subject, &came, &words);
    say(words)
}

/// The number of the phase that the words name, if that phase was played.
fn first(work: &GameWork, words: &str) -> Result<u32, Refusal> {
    let (game, variant) = (work.game(), work.variant());
    if !game.begun() {
        return refuse(format!(
            "Game '{}' has not begun, so there is nothing to replay.",
            game.name
        ));
    }
    if game.over() {
        return refuse(format!(
            "Game '{}' is over, so nothing is replayed in it any more.",
            game.name
        ));
    }
    if words.is_empty() {
        let [example, _] = variant.card().phase_examples;
        return refuse(format!("Say from which phase on: REPLAY FROM {example}."));
    }
    let (turn, phase) = order_of_play::named(variant, words)?;
    let mut past = game.past_turns();
    if let Some(past) = past.find(|past| past.turn == turn && past.phase == phase) {
        return Ok(past.number);
    }
    let name = called(work, turn, &phase);
    let now = order_of_play::place(variant, game.turn, &game.phase);
    let then = order_of_play::place(variant, turn, &phase);
    refuse(match then.cmp(&now) {
        std::cmp::Ordering::Less => {
            format!(
                "{name} was not played in '{}', so it cannot be replayed.",
                game.name
            )
        }
        std::cmp::Ordering::Equal => {
            format!("{name} is the phase in hand and has not been processed yet.")
        }
        std::cmp::Ordering::Greater => format!("{name} is still to come in '{}'.", game.name),
    })
}

fn called(work: &GameWork, turn: Turn, phase: &Phase) -> String {
    work.variant().card().phase_name(phase, turn).in_mail()
}

/// The result of the replay, in sentences that everybody may read.
fn outcome(work: &GameWork, came: &Came, played: &str) -> Vec<String> {
    let game = work.game();
    let names = |phases: &[(Turn, Phase)]| {
        let names = phases
            .iter()
            .map(|(turn, phase)| called(work, *turn, phase));
        and_list(names)
    };
    let mut said = vec![format!("These phases were played again: {played}.")];
    if !came.new.is_empty() {
        said.push(format!(
            "Not played before, and so with no orders but what was sent ahead: {}.",
            names(&came.new)
        ));
    }
    if !came.skipped.is_empty() {
        said.push(format!("Not needed this time: {}.", names(&came.skipped)));
    }
    let token = game.token(work.variant());
    said.push(match (game.over(), came.in_same_phase) {
        (true, _) => "The game has ended there, so the replay has stopped.".to_owned(),
        (false, true) => format!(
            "Game '{}' is in {token} again; the orders given for it stand as far as they can, and votes are void.",
            game.name
        ),
        (false, false) => format!(
            "Game '{}' is in {token}, for which orders are due.",
            game.name
        ),
    });
    said
}

/// Tells everybody the result, and each power which of its orders were left out; if the board is hidden, also what it
/// sees.
fn tell_outcome(work: &mut GameWork, acting: Acting, subject: &str, came: &Came, words: &[String]) {
    let lines: Vec<Sentence> = words.iter().map(Sentence::of).collect();
    let told = |to: Audience, lines: Vec<Sentence>| Notification {
        lines,
        ..Notification::new(to, Sentence::of(subject))
    };
    let mut all: Vec<Notification> = if work.hides() && !work.game().over() {
        let powers = in_play(work.game(), work.variant());
        let seen = |power| Notification {
            sight_of: Some(power),
            shows_board: true,
            ..told(Audience::Power(power), lines.clone())
        };
        powers.into_iter().map(seen).collect()
    } else {
        vec![told(Audience::Everyone, lines)]
    };
    for one in &came.left_out {
        let sentence = Sentence::of(left_out(work, one));
        all.push(told(Audience::Power(one.power), vec![sentence]));
    }
    tell(work, acting, all);
}

/// `Your order for Army Paris in S1901M could not stand, so it was left out.`
fn left_out(work: &GameWork, one: &LeftOut) -> String {
    let phase = called(work, one.turn, &one.phase);
    let map = work.game().map();
    let what = match &one.unit {
        Some(unit) => {
            let kind = map
                .kind(unit.kind)
                .map_or("unit", |kind| kind.name.as_str());
            let place = map.full_name(Location::from(unit.at.province));
            format!("order for {kind} {place}")
        }
        None => "build or removal".to_owned(),
    };
    format!("Your {what} in {phase} could not stand, so it was left out.")
}

fn tell(work: &mut GameWork, acting: Acting, told: Vec<Notification>) {
    let happened = CommandEffects {
        told,
        ..CommandEffects::default()
    };
    variant_lines::happen(work, acting, happened);
}
