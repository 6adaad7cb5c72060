//! What masters do to their games (`judge-workflow.md` 2.4). `master` and `seats` implement the commands.

use super::table::{Act, Command, Discloses, Page, Proof, Who, everywhere};
use super::{master, seats, settings, substituting};
use crate::people::becoming_master::become_master;
use crate::session::Session;
use crate::work::acting::Refusal;
use crate::work::{GameWork, authority};
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::PhaseName;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["become", "become-master"],
        examples: &["BECOME England", "BECOME MASTER"],
        who: Who::SignedOn,
        proof: Proof::AskedByAct("the master himself for a power; a sign-on for BECOME MASTER"),
        act: Act::Line(assume),
        help: "BECOME power
    Act as that power for the rest of the mail. Its player is told. In games
    that hide submissions from you, you cannot change its address or password,
    and a line for what is hidden (a bid, a herd) changes nothing: the answer
    is always `Recorded.`",
        ..Command::MASTER
    },
    Command {
        rules: &["process"],
        examples: &["PROCESS S1901M"],
        act: Act::Game(|work, _, line| {
            let phase = phase(work, line)?.map(|phase| phase.to_string());
            master::process(work, phase.as_deref())
        }),
        help: "PROCESS [season year phase]
    Process now, with whatever orders are in; nobody is put into civil
    disorder. Name the phase to be safe: it is done only if that phase is on.",
        ..Command::MASTER
    },
    Command {
        rules: &["predict"],
        examples: &["PREDICT"],
        proof: Proof::SignOn,
        question: true,
        act: Act::Line(|session, text, _| {
            let shown = session.try_act(|work, acting| master::predict(work, acting));
            session.shown(text, shown);
        }),
        help: "PREDICT
    What would happen now.  To you alone.",
        tells: everywhere(Discloses::View),
        ..Command::MASTER
    },
    Command {
        rules: &["rollback"],
        examples: &["ROLLBACK S1901M"],
        act: Act::Game(|work, acting, line| {
            let turn = line.number();
            let phase = match turn {
                Some(_) => None,
                None => phase(work, line)?,
            };
            let phase = phase.map(|phase| phase.to_string());
            master::rollback(work, acting, turn, phase.as_deref())
        }),
        help: "ROLLBACK [turn|phase]
    Go back to before that turn (or the last one) was processed.  Orders
    (those for later phases too), votes, absences and civil disorder are
    those of then; settings, press and players stay.",
        ..Command::MASTER
    },
    Command {
        rules: &["pause"],
        examples: &["PAUSE"],
        act: Act::Game(|work, acting, _| master::pause(work, acting)),
        help: "PAUSE
    Stop the clock.  RESUME starts it again, with a deadline counted from then
    on unless SET DEADLINE has set one meanwhile; it also goes on with a game
    that is over, for 90 days, unless that hid something (GUNBOAT, BLIND,
    bids): all was opened then, and no RESUME or ROLLBACK hides it again.",
        ..Command::MASTER
    },
    Command {
        rules: &["resume"],
        examples: &["RESUME"],
        // Players too, if the setting RESUME is on.
        who: Who::SignedOn,
        act: Act::Game(|work, acting, _| master::resume(work, acting)),
        page: Page::None,
        ..Command::MASTER
    },
    Command {
        rules: &["terminate"],
        examples: &["TERMINATE"],
        // Players of an unmoderated game too; if the game hides something, it is a vote.
        who: Who::SignedOn,
        act: Act::Game(|work, acting, _| master::terminate(work, acting)),
        help: "TERMINATE
    End the game.  Where it hides something and is not moderated, that is a
    vote of its players, not yours (GET DRAWS).",
        ..Command::MASTER
    },
    Command {
        rules: &["no-terminate"],
        examples: &["NO TERMINATE"],
        who: Who::SignedOn,
        proof: Proof::SignOn,
        act: Act::Game(|work, acting, _| master::no_terminate(work, acting)),
        page: Page::None,
        ..Command::MASTER
    },
    Command {
        rules: &["eject"],
        examples: &["EJECT England"],
        act: Act::Game(|work, acting, line| {
            seats::eject(work, acting, line.words().unwrap_or_default())
        }),
        help: "EJECT power|address
    Take somebody out of the game.  He is told.  PLAY and the game's name
    takes the power over.",
        ..Command::MASTER
    },
    Command {
        rules: &["dummy"],
        examples: &["DUMMY Italy"],
        act: Act::Game(|work, acting, line| {
            seats::dummy(work, acting, line.words().unwrap_or_default())
        }),
        help: "DUMMY power
    Where SET NMR is on: take its player out of the game and put the power
    into civil disorder. It is free for others to take over.",
        ..Command::MASTER
    },
    Command {
        rules: &["revive"],
        examples: &["REVIVE Italy"],
        act: Act::Game(|work, acting, line| {
            seats::revive(work, acting, line.words().unwrap_or_default())
        }),
        help: "REVIVE power
    Give a power without a leader back to whoever led it last. He is told.",
        ..Command::MASTER
    },
    Command {
        rules: &["substitute", "no-substitute"],
        examples: &[
            "SUBSTITUTE FOR France bob@example.org FROM 1 May UNTIL 10 May",
            "NO SUBSTITUTE FOR France",
        ],
        act: Act::Game(|work, acting, line| match line.rule.as_str() {
            "no-substitute" => substituting::withdraw(work, acting, line),
            _ => substituting::offer(work, acting, line),
        }),
        help: "SUBSTITUTE FOR power address [FROM date] UNTIL date
    Ask somebody by mail to lead a power for that time. If he may and answers
    YES, he does, and afterwards it goes back by itself. NO SUBSTITUTE FOR
    power takes that back, or ends it at once.",
        ..Command::MASTER
    },
    Command {
        rules: &["reveal"],
        examples: &["REVEAL"],
        act: Act::Game(|work, acting, _| settings::reveal(work, acting)),
        help: "REVEAL
    Tell all who played what: after the end of a game with SET NO REVEAL, or
    as SET NOT VARIANT GUNBOAT while a game runs.",
        ..Command::MASTER
    },
    Command {
        rules: &["promote"],
        examples: &["PROMOTE anna@example.org"],
        act: Act::Game(|work, acting, line| {
            seats::promote(work, acting, line.text_of("address").unwrap_or_default())
        }),
        help: "PROMOTE address
    Make an observer a master too. Anybody else but a player is asked by mail
    first, and is one once he has answered YES.",
        ..Command::MASTER
    },
    Command {
        rules: &["force-begin"],
        examples: &["FORCE BEGIN"],
        act: Act::Game(|work, acting, _| master::force_begin(work, acting)),
        help: "FORCE BEGIN
    Start with abandoned powers for the players still missing; where any
    number may play, with those who are there.",
        ..Command::MASTER
    },
    Command {
        rules: &["activate"],
        examples: &["ACTIVATE"],
        // The same as SET AUTO START.
        who: Who::SignedOn,
        proof: Proof::SignOn,
        act: Act::Line(|session, text, _| settings::set(session, text, "AUTO START")),
        page: Page::None,
        ..Command::MASTER
    },
    Command {
        rules: &["unstart"],
        examples: &["UNSTART"],
        act: Act::Game(|work, acting, _| master::unstart(work, acting)),
        help: "UNSTART
    In the first turn: back to forming.  SET AUTO START begins it again.",
        ..Command::MASTER
    },
];

/// The phase that a line names, in the terms of the game's players; `None` if it names none.
///
/// # Errors
/// If the words name no phase of such a game. The last turn is never used instead.
fn phase(work: &GameWork, line: &Line) -> Result<Option<PhaseName>, Refusal> {
    let card = work.variant().card();
    let Some(words) = line
        .words()
        .map(str::trim)
        .filter(|words| !words.is_empty())
    else {
        return Ok(None);
    };
    card.phase_named(words).map(Some).map_err(|_| {
        let [example, _] = card.phase_examples;
        Refusal::from(format!(
            "'{words}' is not the name of a phase, such as {example}."
        ))
    })
}

fn assume(session: &mut Session, text: &str, line: &Line) {
    session.end_acting_as_power();
    if line.rule == "become-master" {
        return session.act(text, |work, acting| become_master(work, acting.seat));
    }
    if let Err(refused) = session.proven() {
        return session.outcome(text, Err(refused));
    }
    let may = session.try_act(|work, acting| authority::only_master(work, acting, "BECOME"));
    if let Err(refused) = may {
        session.outcome(text, Err(refused));
        session.say("The lines behind it were not read.");
        session.reading.stopped = true;
        return;
    }
    let whom = line.text_of("powers").unwrap_or_default();
    match read_power(whom, session.roster()) {
        Ok(power) => session.become_power(power),
        Err(error) => {
            let why = match error {
                PowerListError::Ambiguous { .. } => error.to_string(),
                _ => format!("'{}' is not a power of this game.", whom.trim()),
            };
            session.fault(text, why);
            session.reading.stopped = true;
        }
    }
}
