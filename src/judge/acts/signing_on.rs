//! Commands by which a person enters or leaves: SIGNON and related ones, REGISTER, RESIGN (`judge-workflow.md` 2.1).

use super::seats;
use super::table::{Act, Command, Discloses, Page, Proof, Who, everywhere};
use crate::people::linking;
use crate::people::registering;
use crate::session::Session;
use crate::work::GameWork;
use crate::work::acting::{Acting, refuse};
use dipjudge_commands::form::Form;
use dipjudge_commands::sign_on::SignOn;
use dipjudge_game::Leave;
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::Followed;

/// All are notified of who enters or leaves, as far as they may know who plays.
const ENTERING: [Discloses; 4] = [
    Discloses::All,
    Discloses::WithoutLeaders,
    Discloses::View,
    Discloses::Constant,
];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["sign-on", "greeting", "join"],
        examples: &[
            "SIGNON Fkaiser password",
            "HELLO Fkaiser password",
            "JOIN ?kaiser password bridge",
        ],
        who: Who::Anyone,
        act: Act::Line(sign_on),
        help: "SIGNON Xgame password *
    Play. X is your power's letter; M is the master, O an observer.
    SIGNON POWER@game password and SIGNON game password are read too; the last
    from an address of yours, or where the password is one player's alone.
    If the power has no player, you take it over.
    You can put orders on the same line, after the password.
SIGNON ?game password [variant] [options] *
    Join a game that is forming.  If the game has a variant or options they
    must be named; if they are not, the answer holds the line to send.
    Where a variant can begin without some of its powers (LIST calls them
    open), SIGNON POWER@game password joins as that power.
    If the game has started and keeps a stand-by list, it puts you on it.
SIGNON ? password *
    Join the first public game that wants players.",
        tells: ENTERING,
        ..Command::BASE
    },
    Command {
        rules: &["play"],
        examples: &["PLAY kaiser gunboat"],
        who: Who::Anyone,
        act: Act::Line(|session, text, line| session.play(text, &SignOn::of(line))),
        help: "PLAY game [variant] [options] *
    Join a game that is forming, or take over a power that is free, without a
    password: you play by answering the judge's mails.  Of several free powers
    you get the first; SIGNON with a letter chooses.  SET PASSWORD word sets
    one.",
        tells: ENTERING,
        ..Command::BASE
    },
    Command {
        rules: &["spectate"],
        examples: &["SPECTATE kaiser"],
        who: Who::Anyone,
        act: Act::Line(|session, text, line| session.spectate(text, &SignOn::of(line))),
        help: "SPECTATE game *
    Watch a game without a password: you answer the judge's mails.",
        ..Command::BASE
    },
    Command {
        rules: &["observe", "observe-again"],
        examples: &["OBSERVE kaiser password", "OBSERVE kaiser"],
        who: Who::Anyone,
        act: Act::Line(|session, text, line| session.observe(text, &SignOn::of(line))),
        help: "OBSERVE game password *
    Watch a game (also WATCH).",
        ..Command::BASE
    },
    Command {
        rules: &["create"],
        examples: &["CREATE ?kaiser password bridge"],
        who: Who::Anyone,
        act: Act::Line(|session, text, line| session.create(text, &SignOn::of(line))),
        help: "CREATE ?game password [variant] [options] *
    Begin a new game.  BECOME MASTER in the same mail makes you its master;
    GET HOW2GM leads through it.",
        ..Command::BASE
    },
    Command {
        rules: &["register"],
        examples: &["REGISTER"],
        who: Who::Anyone,
        act: Act::Form(register),
        help: "REGISTER *
    Make yourself known to the judge; GET FORM shows what is asked.",
        ..Command::BASE
    },
    Command {
        rules: &["also"],
        examples: &["I AM ALSO anna@example.org"],
        who: Who::Anyone,
        proof: Proof::BothAnswer,
        act: Act::Line(also),
        help: "I AM ALSO address *
    A further address of yours.  Two mails must be answered: one that goes to
    the address from which you write, and then one to the further address.",
        tells: everywhere(Discloses::Constant),
        ..Command::BASE
    },
    Command {
        rules: &["sign-off"],
        examples: &["SIGNOFF"],
        who: Who::Anyone,
        act: Act::End,
        help: "SIGNOFF *
    Stop reading.  A line of two hyphens does the same.",
        ..Command::BASE
    },
    Command {
        rules: &["resign"],
        examples: &["RESIGN"],
        // A master reads what to write instead.
        proof: Proof::AskedByAct("the player himself; masters leave by EJECT"),
        act: Act::Line(resign),
        help: "RESIGN
    Leave the game (also WITHDRAW).  Your power is free for another.",
        tells: ENTERING,
        ..Command::BASE
    },
    Command {
        rules: &["resign-elsewhere"],
        examples: &["RESIGN Fkaiser password"],
        // The command itself signs on.
        who: Who::Anyone,
        proof: Proof::AskedByAct("the player himself"),
        act: Act::Line(resign),
        page: Page::None,
        tells: ENTERING,
        ..Command::BASE
    },
];

fn sign_on(session: &mut Session, text: &str, line: &Line) {
    let words = session.meant_words(SignOn::of(line), &line.rule);
    session.sign_on(text, &words);
    session.orders_behind(text, &words);
}

fn resign(session: &mut Session, text: &str, line: &Line) {
    if line.rule == "resign-elsewhere" {
        session.sign_on(text, &SignOn::of(line));
        if session.reading.stopped {
            return;
        }
    }
    if session.is_master() {
        return session.act(text, |work, acting| match line.text_of("someone") {
            Some(whom) => seats::eject(work, acting, whom),
            None => refuse("A Master leaves by EJECT and his address, once another master is there: PROMOTE makes one."),
        });
    }
    let leave = |work: &mut GameWork, acting: Acting| {
        seats::leave(work, acting, acting.seat, Leave::Resigned)
    };
    let said = session.proven().and_then(|()| session.try_act(leave));
    session.reading.stopped = said.is_ok();
    session.reading.resigned = said.is_ok();
    session.outcome(text, said);
}

/// I AM ALSO: asks both addresses whether they are one person's.
fn also(session: &mut Session, text: &str, line: &Line) {
    // Who gets no answers at the moment causes no mails either.
    if session.reply.muted {
        return;
    }
    let from = session.sender.address.clone();
    let named = line.text_of("address").unwrap_or_default();
    let said = linking::ask(&mut session.work, &from, named);
    session.outcome(text, said);
}

fn register(session: &mut Session, form: &Form) {
    if session
        .sender
        .acting
        .is_some_and(|acting| !acting.from_home)
    {
        let why = "Register the address that you write from by a mail of its own, which answers no other.";
        return session.fault("REGISTER", why);
    }
    let followed = if session.reading.signs_on {
        Followed::BySignOn
    } else {
        Followed::ByNoSignOn
    };
    let said = registering::register(&mut session.work, &session.mail.from, form, followed);
    let done = said.is_ok();
    session.outcome("REGISTER", said);
    if done && form.wants_package() {
        session.send_package();
    }
}
