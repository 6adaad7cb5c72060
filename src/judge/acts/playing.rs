//! What players do with their orders apart from giving them: SET, PHASE, CLEAR, conditions, WAIT (`judge-workflow.md`
//! 2.5, 3.7, 3.8).

use super::settings;
use super::table::{Act, Command, Discloses, Page, everywhere};
use crate::clock::ahead;
use crate::orders::acceptance;
use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, refuse, say};
use dipjudge_game::Event;
use dipjudge_grammar::Line;
use dipjudge_variants as variants;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["set"],
        examples: &["SET WAIT"],
        act: Act::Line(|session, text, line| {
            settings::set(session, text, line.words().unwrap_or_default());
        }),
        // Every setting has an entry of its own.
        page: Page::None,
        ..Command::BASE
    },
    Command {
        rules: &["phase", "end-phase"],
        examples: &["PHASE F1902M", "ENDPHASE"],
        act: Act::Line(phase),
        help: "PHASE season year part
    The orders that follow are for a later phase: PHASE F1902M, or PHASE
    Winter 1902.  ENDPHASE ends them; so does another PHASE line.",
        ..Command::BASE
    },
    Command {
        rules: &["clear", "clear-orders"],
        examples: &["CLEAR", "CLEAR ORDERS"],
        act: Act::Game(clear),
        help: "CLEAR
    Forget all orders for later phases.  The present ones stay; CLEAR ORDERS
    takes those back.",
        ..Command::BASE
    },
    Command {
        rules: &["if", "else-if", "else", "end-if"],
        examples: &["IF FRENCH ARMY BUR", "ELSE IF A BUR", "ELSE", "ENDIF"],
        act: Act::Line(|session, text, line| session.condition_line(text, line)),
        help: "IF [NOT] [power] [army|fleet] province [AND|OR ...]
    The orders below, up to ENDIF, count only if that unit is there when the
    phase begins. ELSE starts the other case. Units you cannot see do not
    count.",
        tells: everywhere(Discloses::View),
        ..Command::BASE
    },
    Command {
        rules: &["draw-yes", "draw-no"],
        examples: &["DRAW YES", "DRAW NO"],
        act: Act::Line(|session, text, line| {
            let setting = match line.rule.as_str() {
                "draw-yes" => "DRAW",
                _ => "NO DRAW",
            };
            settings::set(session, text, setting);
        }),
        // Short for SET DRAW and SET NO DRAW.
        page: Page::None,
        ..Command::BASE
    },
    Command {
        rules: &["wait", "no-wait"],
        examples: &["WAIT", "NOWAIT"],
        act: Act::Line(wait),
        // Short for SET WAIT and SET NOWAIT.
        page: Page::None,
        ..Command::BASE
    },
];

fn phase(session: &mut Session, text: &str, line: &Line) {
    let Some(game) = session.game() else { return };
    if line.rule == "end-phase" {
        session.reading.orders_for = OrdersFor::Now;
        return;
    }
    let variant = variants::of(&game.variant);
    let now = game.phase_name(variant);
    let words = line.words().unwrap_or_default();
    let kept = match variant.card().phase_named(words) {
        _ if !game.begun() => refuse(format!(
            "Game '{}' has not begun, so no orders are kept for its phases.",
            game.name
        )),
        Err(_) => {
            let [short, long] = variant.card().phase_examples;
            refuse(format!(
                "Invalid phase '{}' specified: write it as {short} or as {long}.",
                words.trim()
            ))
        }
        Ok(phase) => ahead::may_store(game, phase, now).map(|()| phase),
    };
    match kept {
        Ok(phase) if phase == now => session.reading.orders_for = OrdersFor::Now,
        Ok(phase) => session.reading.orders_for = OrdersFor::Later(phase),
        Err(why) => {
            // The following lines are dropped: neither stored nor taken for the current phase.
            session.reading.orders_for = OrdersFor::Nothing;
            session.orders.errors += 1;
            let mut sentences = why.into_sentences();
            sentences.push("The orders behind this line were not kept.".to_owned());
            session.fault(text, sentences);
        }
    }
}

fn clear(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let Some(power) = acting.power else {
        return refuse("Only players have orders.");
    };
    if line.rule == "clear" {
        ahead::clear(work, power);
        return say(vec![
            "All orders you sent ahead are deleted. (For this phase's orders: CLEAR ORDERS.)"
                .to_owned(),
        ]);
    }
    if let Some(why) = acceptance::closed(work.game(), work.variant(), power) {
        return refuse(why);
    }
    work.emit(Event::Cleared { power });
    let standing = work.game().standing(power);
    if standing.flag || standing.required {
        work.emit(Event::Flagged { power, on: false });
    }
    say(vec!["Your orders of this phase are cleared.".to_owned()])
}

/// WAIT alone is a setting for a player, and PAUSE for a master.
fn wait(session: &mut Session, text: &str, line: &Line) {
    if line.rule == "wait" && session.is_master() {
        return session.carry_out(text, line, "pause");
    }
    let setting = match line.rule.as_str() {
        "wait" => "WAIT",
        _ => "NOWAIT",
    };
    settings::set(session, text, setting);
}
