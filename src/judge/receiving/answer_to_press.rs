//! An answer to press that bears no reply address of its own (a broadcast, grey or faked press, press of a master): it comes
//! to the seat's own address. Orders and commands alone are done as ever. Words go to nobody by themselves; where there are
//! any, nothing of the mail is done, and the reply shows the letter and the orders apart (README, Decided 37).

use crate::receiving::letter;
use crate::session::Session;
use crate::session::subject::kind_of_subject;
use dipjudge_commands::press_options::{press_lines, read_press};

/// Holds a mail that answers press and has words in it, and proposes what it may mean. Returns whether it was held.
pub(super) fn hold(session: &mut Session) -> bool {
    let Some(press) = PressSubject::of(session) else {
        return false;
    };
    if letter::begins_for_the_judge(session) {
        return false;
    }
    let Some(written) = letter::read_answer(session) else {
        return false;
    };
    session.reply.wanted = true;
    session.say(
        "Your mail answers press whose answers go to nobody, and it holds words beside orders and commands.  Nothing of it was sent or ordered.",
    );
    let author = press.author.filter(|author| {
        let options = format!("TO {author}");
        read_press(&options, session.roster()).is_ok()
    });
    match &author {
        Some(_) => session.say("To send the words, use PRESS and ENDPRESS.  To order, send the orders alone."),
        None => session.say(
            "To write to somebody, send a line PRESS TO and the letter of his power, your text, and the line ENDPRESS.  To order, send the orders alone.",
        ),
    }
    let words = written.words.trim_matches('\n').lines().map(str::to_owned);
    let press = author.into_iter().flat_map(|author| {
        let options = format!("{} {author}", letter::press_to(session));
        press_lines(&options, words.clone())
    });
    let lines: Vec<String> = press.chain(written.orders).collect();
    if !lines.is_empty() {
        session.propose_all(lines);
    }
    true
}

/// The subject of press, as a mail program repeats it in an answer: `Re: USXX:kaiser - S1901M Press from E to F`.
struct PressSubject {
    /// Who wrote it, if the press says so.
    author: Option<String>,
}

impl PressSubject {
    fn of(session: &Session) -> Option<PressSubject> {
        let game = session.game()?;
        let kind = kind_of_subject(&session.mail.subject, &game.name)?;
        let rest = kind
            .strip_prefix("Press")
            .or_else(|| kind.strip_prefix("Broadcast"))?;
        let author = rest.trim_start().strip_prefix("from ");
        let author = author.map(|rest| rest.split(" to ").next().unwrap_or_default().trim());
        Some(PressSubject {
            author: author
                .filter(|author| !author.is_empty())
                .map(str::to_owned),
        })
    }
}
