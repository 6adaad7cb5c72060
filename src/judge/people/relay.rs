//! Relay addresses: where leaders are hidden, white press from one player to another bears a reply address of its own.
//! What its reader answers there goes to the writer as white press, by all rules of press, and nothing of the answer but
//! its words goes on (`visibility.md` 5, L33, L34). It is no place for orders and commands: none is carried out.

use std::sync::OnceLock;

use regex::Regex;
use sha2::{Digest, Sha256};

use crate::commands::mail_reader::{BodyLine, Ended, What, holds_sign_on, read_mail};
use crate::commands::press_options::{read_broadcast, read_press};
use crate::game::{Game, Role, Seed, horizon, project};
use crate::judge::acts::press::{self, Address, Press, To};
use crate::judge::desk::session::Session;
use crate::judge::people::reply_addresses::{self, end, whoever_leads};
use crate::judge::people::tokens::{self, End};
use crate::judge::work::acting::{Acting, Refused, refuse};
use crate::judge::work::{Recipient, Work};
use crate::mails::inbound::LinePart;
use crate::mails::outbound;
use crate::variants;

/// A relay address: who answers whom by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relay {
    game: String,
    reader: End,
    peer: End,
}

impl Relay {
    /// On whose account letters to this address are.
    pub(crate) fn account(&self) -> String {
        let [reader, peer] =
            [self.reader, self.peer].map(|end| format!("{} {}", end.seat.0, end.power.0));
        format!("{} relay {reader} {peer}", self.game)
    }

    /// The keys by which a letter to this address is known again: the same words to another address are another letter.
    pub(crate) fn keys(&self, keys: Vec<[u8; 32]>) -> Vec<[u8; 32]> {
        let ends = [self.reader, self.peer].map(|end| format!("{} {}", end.seat.0, end.power.0));
        keys.into_iter()
            .map(|key| {
                let mut hash = Sha256::new();
                hash.update(key);
                hash.update(format!("{} {}", self.game, ends.join(" ")));
                hash.finalize().into()
            })
            .collect()
    }
}

/// The relay address, if any, that a token is of in this game; one that has died as well, so that its holder can be told.
pub(crate) fn of_token(secret: &Seed, game: &Game, token: &str) -> Option<Relay> {
    reply_addresses::relays(game)
        .into_iter()
        .find(|(reader, peer)| {
            let own = tokens::of_relay(secret, &game.name, *reader, *peer);
            tokens::same(&own, token)
        })
        .map(|(reader, peer)| Relay {
            game: game.name.clone(),
            reader,
            peer,
        })
}

/// Whether it is hidden from the other players who has left his power and who came: then an address that ended with its
/// writer, or differed from his successor's, would tell (`visibility.md` 3, V12).
fn hides_who_left(game: &Game) -> bool {
    horizon::hides(game, variants::of(&game.variant))
}

/// Whether this end still leads its power.
fn is_there(game: &Game, end: End) -> bool {
    game.holder(end.power)
        .is_some_and(|seat| seat.id == end.seat && !seat.left)
        && !game.standing(end.power).resigned
}

/// The address at which `to` answers a message of `acting`, where it is a relay address: the message is white and no
/// broadcast, from one player to another from whom he is hidden, and tells the truth of both.
pub(crate) fn answers_at(
    work: &Work,
    acting: Acting,
    to: Recipient,
    press: &Press,
) -> Option<String> {
    let game = work.game().filter(|game| !game.over())?;
    let plain = press.grey == Some(false) && matches!(press.fake, None | Some(None));
    if !plain || press.to == To::All {
        return None;
    }
    let is_player = |seat: &&crate::game::Seat| seat.role == Role::Player;
    let writer = game.seat(acting.seat).filter(is_player)?;
    let reader = game.seat(to.seat).filter(is_player)?;
    if !project::hides_leader(game, &work.reader(to)?, writer) {
        return None;
    }
    let reader = end(game, reader.id, to.power?)?;
    let peer = match hides_who_left(game) {
        true => whoever_leads(acting.power?),
        false => end(game, writer.id, acting.power?)?,
    };
    let secret = work.registry.secret()?;
    let token = tokens::of_relay(secret, &game.name, reader, peer);
    Some(work.judge.settings.with_token(&token))
}

/// What a mail to a relay address comes to: its words go on, or its sender is told why not.
pub(crate) fn handle(session: &mut Session, relay: &Relay, answer: bool) {
    let Some(game) = session.work.judge.game(&relay.game) else {
        return;
    };
    session.work.open(game);
    // Not that of the letter answered: whoever answers this mail writes to the judge.
    session.reply.subject_given = "Your letter".to_owned();
    if is_there(game, relay.reader) {
        let peer = game.power_name(relay.peer.power);
        session.reply.subject_given = format!("Your letter to {peer}");
        let from_home = session.work.lives_at(relay.reader.seat, &session.from);
        session.enter(Acting {
            seat: relay.reader.seat,
            power: Some(relay.reader.power),
            from_home,
            by_token: true,
        });
        if let Err(Refused(why)) = pass_on(session, relay) {
            session.say(why);
        }
    } else {
        session.say("The address that you wrote to passes no letters on any more.");
    }
    session.conclude_letter(answer);
}

/// Sends the words of a mail to the other end.
fn pass_on(session: &mut Session, relay: &Relay) -> Result<(), Refused> {
    let Some((game, acting)) = session.work.game().zip(session.acting) else {
        return Ok(());
    };
    let peer = game.power_name(relay.peer.power).to_owned();
    if game.over() {
        return refuse(format!(
            "Game '{}' is over, so this address passes no letters on any more; nothing was sent.",
            relay.game
        ));
    }
    if !hides_who_left(game) && !is_there(game, relay.peer) {
        return refuse(format!(
            "Whoever wrote to you as {peer} no longer leads it, so this address passes no letters on any more; nothing was \
             sent.  PRESS TO {peer} reaches whoever leads it now."
        ));
    }
    let letter = read(session);
    if letter.shows_sign_on {
        return refuse(format!(
            "This address passes letters on to {peer}.  Yours holds a SIGNON line, which would show your password, so it \
             was not sent.  Commands go to the judge in a mail of their own: answer this one."
        ));
    }
    let text = session.without_tokens(&letter.text);
    let power = relay.reader.power;
    let secret_word = session.holds_remembered_password(&text);
    if secret_word {
        return refuse("Your letter holds your password, so it was not sent.");
    }
    if text.trim().is_empty() {
        return refuse(format!(
            "This address passes letters on to {peer}, but there are no words of your own in your mail, so nothing was sent."
        ));
    }
    let back = |why: String, session: &mut Session| {
        session.say(format!("{why}  It was not sent; here is its text:"));
        let text = session.quotable(&text);
        session.show(outbound::guarded(&text));
        Ok(())
    };
    if letter.holds_press {
        let why = format!(
            "This address passes letters on to {peer}, whole and without PRESS and ENDPRESS lines, and yours holds such a \
             line.  To send press by those, answer this mail."
        );
        return back(why, session);
    }
    if let Some(address) = telling_address(&session.work, &text) {
        let why = format!(
            "In this game nobody is to know who leads what, and your letter holds the address {address}.  Leave it out, and \
             what your mail program quoted."
        );
        return back(why, session);
    }
    if letter.is_for_the_judge {
        let why = format!(
            "This address passes letters on to {peer}; it takes no orders and no commands, and your mail reads as such.  \
             Answer this mail with them, or send them to the judge with your SIGNON line."
        );
        return back(why, session);
    }
    let press = Press {
        to: To::Only(vec![Address::Power(relay.peer.power)]),
        grey: Some(false),
        fake: Some(None),
        quiet: false,
        subject: None,
        text: text.clone(),
    };
    let acting = Acting {
        power: Some(power),
        ..acting
    };
    match press::send(&mut session.work, acting, &press) {
        Ok(said) => said.into_iter().for_each(|text| session.show(text)),
        Err(Refused(why)) => return back(why, session),
    }
    if letter.holds_orders {
        session.say(format!(
            "Lines of your letter read as orders or commands.  They went to {peer} with the rest of it and were not carried \
             out: this address passes letters on.  Answer this mail with orders that are meant for the judge."
        ));
    }
    Ok(())
}

/// The words of a mail, and what stands in them that a letter should not hold.
#[derive(Default)]
struct Letter {
    /// The sender's own lines, without quotations and signature.
    text: String,
    /// A sign-on line is among them.
    shows_sign_on: bool,
    /// A line that begins or ends press is among them.
    holds_press: bool,
    /// Lines that read as orders or commands are among them.
    holds_orders: bool,
    /// It begins with orders, or consists of orders and commands.
    is_for_the_judge: bool,
}

/// What one line is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Prose,
    Order,
    Command,
    Press,
}

fn read(session: &mut Session) -> Letter {
    let mail = session.mail;
    let mut letter = Letter {
        shows_sign_on: false,
        ..Letter::default()
    };
    let mut lines = Vec::new();
    let mut kinds = Vec::new();
    for line in mail.lines.iter().filter(|line| line.part == LinePart::Own) {
        letter.shows_sign_on |= holds_sign_on(&line.text);
        if !line.is_blank() {
            match kind(session, &line.text) {
                Some(kind) => kinds.push(kind),
                // SIGNOFF ends a letter as it ends everything.
                None => break,
            }
        }
        lines.push(line.original.trim_end());
    }
    letter.text = lines.join("\n").trim_matches('\n').to_owned();
    letter.holds_press = kinds.contains(&Taken::Press);
    letter.holds_orders = kinds.iter().any(|kind| *kind != Taken::Prose);
    letter.is_for_the_judge = kinds.first() == Some(&Taken::Order)
        || (!kinds.is_empty() && kinds.iter().all(|kind| *kind != Taken::Prose));
    letter
}

/// What a line is taken for; `None` if it is SIGNOFF.
fn kind(session: &mut Session, text: &str) -> Option<Taken> {
    let line = BodyLine {
        number: 1,
        text,
        original: text,
        quoted: false,
    };
    let reading = read_mail(&[line], true);
    if reading.ended == Ended::SignOff {
        return None;
    }
    let Some(item) = reading.items.into_iter().next() else {
        // The one line that is read as nothing is the end of a block.
        return Some(Taken::Press);
    };
    Some(match item.what {
        What::Command(_) | What::Form(_) | What::SecondSignOn(_) => Taken::Command,
        What::Block(block) if opens_press(session, &block.rule, &block.options) => Taken::Press,
        What::Block(_) => Taken::Prose,
        What::Order | What::Invalid { .. } if session.reads_as_order(text) => Taken::Order,
        What::Order | What::Invalid { .. } => Taken::Prose,
    })
}

/// Whether a line begins press, and is not merely a sentence that begins with that word.
fn opens_press(session: &Session, rule: &str, options: &str) -> bool {
    let Some(game) = session.work.game() else {
        return false;
    };
    match rule {
        "press" => read_press(options, &game.powers).is_ok(),
        "broadcast" => read_broadcast(options, &game.powers).is_ok(),
        _ => false,
    }
}

/// Where leaders are hidden, a mail address in a text, which might tell who or where somebody is (`visibility.md` L33). Any
/// will do, whoever's it is: otherwise one could try out who plays. The judge's own and the masters' tell nothing.
pub(crate) fn telling_address(work: &Work, text: &str) -> Option<String> {
    let game = work.game().filter(|game| project::hides_leaders(game))?;
    if game.over() && game.settings.reveal {
        return None;
    }
    let masters = game.seated(Role::Master).map(|seat| seat.address.as_str());
    let harmless: Vec<&str> = masters
        .chain([work.judge.settings.address.as_str()])
        .collect();
    address_in(text, &harmless)
}

/// The first mail address in a text that is none of these.
fn address_in(text: &str, harmless: &[&str]) -> Option<String> {
    static ADDRESS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = ADDRESS.get_or_init(|| {
        Regex::new(r"[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)+").ok()
    });
    let known = |address: &&str| harmless.iter().any(|one| one.eq_ignore_ascii_case(address));
    pattern
        .as_ref()?
        .find_iter(text)
        .map(|found| found.as_str())
        .find(|address| !known(address))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_prose_but_the_judges_is_none() {
        let judge = ["judge@usxx.example.org"];
        for (text, found) in [
            ("write to ben@ex.org.", Some("ben@ex.org")),
            (
                "On Monday <o'brien@mail.ex.org> wrote:",
                Some("o'brien@mail.ex.org"),
            ),
            ("Message-ID: <1.2.3@host.ex.org>", Some("1.2.3@host.ex.org")),
            ("answer to Judge@usxx.example.org", None),
            (
                "judge@usxx.example.org or müller@köln.example",
                Some("müller@köln.example"),
            ),
            ("meet me @ Munich", None),
            ("SIGNON Ekaiser", None),
        ] {
            assert_eq!(address_in(text, &judge).as_deref(), found, "{text}");
        }
    }
}
