//! A reply to press, sent to the relay address of that press. Words alone are passed on as press (`visibility.md` L33),
//! orders alone are orders, and where both stand in it nothing is done before the sender has said which he means (README,
//! Decided 37).

use std::collections::BTreeSet;

use crate::acts::press::{self, Address, Echo, Request, ShownRecipients, To};
use crate::acts::subjects::question;
use crate::people::quotation::{self, QuotedNames};
use crate::people::relay::{Relay, hides_who_left, is_there};
use crate::people::sign_on::ArrivedBy;
use crate::people::telling::telling;
use crate::session::Session;
use crate::session::own_orders::OwnOrders;
use crate::work::acting::{Acting, Refusal, refuse};
use dipjudge_commands::command_reader::{is_pleasantry, words_for_judge};
use dipjudge_commands::corrections::SentenceRequest;
use dipjudge_commands::mail_reader::{
    self, Ended, ItemKind, SignOnBy, holds_sign_on, is_question, read_mail,
};
use dipjudge_commands::press_options::{
    Addressees, PressColor, Recipients, press_lines, read_broadcast, read_press,
};
use dipjudge_commands::prose::sentences;
use dipjudge_commands::settings::{SetItem, read_settings};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, VariantGame};
use dipjudge_grammar::Line;
use dipjudge_mails::inbound::{BodyLine, LinePart};
use dipjudge_mails::outbound;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// Handles a mail to a relay address: passes its words on, or tells the sender why not.
pub(crate) fn handle(session: &mut Session, relay: &Relay) {
    let Some(game) = session.work.judge.game(&relay.game) else {
        return;
    };
    session.take_up(game);
    if is_there(game, relay.reader) && begins_for_the_judge(session) {
        session.read(ArrivedBy::Seat(relay.game.clone(), relay.reader.seat));
        return session.conclude();
    }
    // Not the subject of the letter answered, since an answer to this mail goes to the judge.
    session.reply.subject = "Your letter".to_owned();
    if is_there(game, relay.reader) {
        let peer = peer(game, relay);
        session.reply.subject = format!("Your letter to {peer}");
        let from = session.sender.address.clone();
        let from_home = session
            .in_game()
            .is_some_and(|work| work.lives_at(relay.reader.seat, &from));
        session.enter(Acting {
            seat: relay.reader.seat,
            power: Some(relay.reader.power),
            from_home,
            by_token: true,
        });
        match pass_on(session, relay) {
            Ok(Outcome::Letter) => {}
            Ok(Outcome::Orders(lines)) => return take_orders(session, &peer, &lines),
            Err(why) => session.say(why.text()),
        }
    } else {
        session.say("The address that you wrote to does not forward press any more.");
    }
    session.conclude_letter();
}

/// Handles a mail that contains nothing but orders as if it had arrived at the seat's reply address (README, Decided
/// 37).
fn take_orders(session: &mut Session, peer: &str, lines: &[BodyLine]) {
    // It answers orders, and the letter's subject would suggest otherwise.
    session.reply.subject.clear();
    session.say(format!(
        "Your answer to {peer} holds nothing but orders, so it was taken as orders and did not go to {peer}."
    ));
    for line in lines {
        session.reading.secrets.begin(line.number);
        session.order_line(&line.text);
    }
    session.conclude();
}

/// The sender's label for the other end.
fn peer(game: &Game, relay: &Relay) -> String {
    let reader = Viewer::Power(relay.reader.power);
    let labels = VariantGame::new(game, variants::of(&game.variant))
        .seen_by(reader)
        .labels();
    labels.name(relay.peer.power).to_owned()
}

/// What a mail to a relay address turned out to be.
enum Outcome {
    /// A letter; its writer has been told whether it was passed on.
    Letter,
    Orders(Vec<BodyLine>),
}

/// Sends the words of a mail to the other end, unless they are orders and nothing else.
fn pass_on(session: &mut Session, relay: &Relay) -> Result<Outcome, Refusal> {
    let Some((game, acting)) = session.game().zip(session.sender.acting) else {
        return Ok(Outcome::Letter);
    };
    let peer = peer(game, relay);
    if game.over() {
        return refuse(format!(
            "'{}' is over, so this address no longer works; nothing was sent.",
            relay.game
        ));
    }
    if !hides_who_left(game) && !is_there(game, relay.peer) {
        return refuse(format!(
            "{peer} has a new player, so this address no longer works and nothing was sent. Write PRESS TO {peer} instead."
        ));
    }
    let letter = read(session, relay);
    if letter.shows_sign_on {
        return refuse(format!(
            "This address only forwards press to {peer}. Yours contains a SIGNON line, which would show your password, so \
             nothing was sent. For commands, answer this mail."
        ));
    }
    let text = session.without_tokens(&letter.text);
    let power = relay.reader.power;
    let secret_word = session.holds_remembered_password(&text);
    if secret_word {
        return refuse("Your letter holds your password, so it was not sent.");
    }
    if text.trim().is_empty() && letter.for_judge.is_none() {
        return refuse(format!(
            "This address only forwards press to {peer}, and your mail has no words of your own. Nothing was sent."
        ));
    }
    let back = |why: String, session: &mut Session| {
        if text.trim().is_empty() {
            session.say(format!("{why} Nothing was sent."));
            return Ok(Outcome::Letter);
        }
        session.say(format!(
            "{why} Your message was not sent. Here it is, to correct and send again:"
        ));
        let text = session.quotable(&text);
        session.show(outbound::player_words(&text));
        Ok(Outcome::Letter)
    };
    if letter.holds_press {
        let why = format!(
            "This address only forwards press to {peer}, and needs no PRESS or ENDPRESS lines. Take them out; or, to send \
             press by those lines, answer this mail."
        );
        return back(why, session);
    }
    let shown = session.mail.from.name();
    let telling = session
        .in_game()
        .and_then(|work| telling(&work, acting, shown, &text));
    if let Some(telling) = telling {
        let why = format!(
            "Players are secret in this game, and your message contains {telling}. Take it out, and \
             what your mail program quoted or added."
        );
        return back(why, session);
    }
    if let Some(words) = &letter.for_judge {
        let why = propose_for_judge(session, &text, words, &peer);
        return back(why, session);
    }
    if !letter.orders.is_empty() {
        return Ok(Outcome::Orders(letter.orders));
    }
    if let Some(others) = &letter.for_others {
        let others = others.clone();
        let to = press_to(session);
        let words = letter.text.trim_matches('\n').lines().map(str::to_owned);
        session.propose_all(press_lines(&format!("{to} {others}"), words));
        let why = format!(
            "This address only forwards press to {peer}, and your mail asks to write to {others}."
        );
        return back(why, session);
    }
    let held = not_for_others(session, &letter, &peer);
    if let Some(why) = held
        && !planted(Leak::Letters)
    {
        // "The deal is good. I go Mun - Ruh as always." is a letter, and YES sends it.
        if letter.is_for_the_judge && letter.cut_at.is_none() && !letter.is_mixed {
            session.propose_all(letter.lines.clone());
        } else {
            propose_apart(session, &letter, &peer);
        }
        return back(why, session);
    }
    if letter.is_for_the_judge {
        if letter.cut_at.is_none() {
            session.propose_all(letter.lines.clone());
        }
        let why = format!(
            "This address only forwards press to {peer}, and your mail looks like commands or orders. Nothing was sent. For \
             those, answer this mail."
        );
        return back(why, session);
    }
    let request = Request {
        to: To::Only(vec![Address::Power(relay.peer.power)]),
        color: Some(PressColor::White),
        shown: ShownRecipients::True,
        echo: Echo::Copy,
        official: None,
        text: text.clone(),
    };
    let acting = Acting {
        power: Some(power),
        ..acting
    };
    let sent = session
        .in_game()
        .map(|mut work| press::send(&mut work, acting, &request));
    match sent {
        Some(Ok(said)) => session.tell(said),
        Some(Err(why)) => return back(why.text(), session),
        None => {}
    }
    if let Some(line) = &letter.cut_at {
        let line = session.quotable(&session.without_tokens(line));
        session.say(format!(
            "The line `{line}` and what stands below it was taken for a quotation and did not go to {peer}."
        ));
    }
    if let Some(others) = others_greeted(session, &text, &peer) {
        session.say(format!(
            "Your letter greets {others}, too, and went to {peer} alone.  To send it to {others}, answer this mail with the line PRESS \
             TO {others}, your words, and the line ENDPRESS."
        ));
    }
    if letter.holds_orders {
        session.say(format!(
            "Lines of your letter read as orders or commands.  They went to {peer} with the rest of it and were not carried \
             out: this address passes letters on.  Answer this mail with orders that are meant for the judge."
        ));
    }
    Ok(Outcome::Letter)
}

/// Whom the first line of a letter greets beside the one who gets it: `Claire, Harry,`.
fn others_greeted(session: &Session, text: &str, peer: &str) -> Option<String> {
    let first = text.trim_start().lines().next()?.trim();
    let is_greeting =
        first.ends_with([',', ':', '!']) && first.split_whitespace().count() <= MOST_OF_GREETING;
    let named = if is_greeting {
        session.named_in(first)
    } else {
        Vec::new()
    };
    let others: BTreeSet<&str> = named
        .iter()
        .map(String::as_str)
        .filter(|name| *name != peer)
        .collect();
    let others: Vec<&str> = others.into_iter().collect();
    (!others.is_empty()).then(|| others.join(", "))
}

/// Proposes the words of a letter as press and what they ask of the judge as lines of their own. Says why nothing was sent.
fn propose_for_judge(session: &mut Session, text: &str, words: &[String], peer: &str) -> String {
    let mut lines = Vec::new();
    if !text.trim().is_empty() {
        let options = format!("{} {peer}", press_to(session));
        let words = text.trim_matches('\n').lines().map(str::to_owned);
        lines.extend(press_lines(&options, words));
    }
    let mut not_read = None;
    for line in words.iter().filter(|line| !line.is_empty()) {
        let meant = session.lines_meant(line);
        if meant.is_empty() && !session.says_nothing(line) {
            not_read.get_or_insert_with(|| session.quotable(line));
        }
        lines.extend(meant);
    }
    session.propose_all(lines);
    let not_read = not_read.map(|line| {
        format!("  What the judge is asked in `{line}` could not be read: send it as a command.")
    });
    let not_read = not_read.unwrap_or_default();
    format!(
        "This address only forwards press to {peer}, and a part of your mail is for the judge.{not_read}"
    )
}

/// Proposes the words of a letter as press and its orders as orders. A line that speaks of the sender's orders among other words,
/// `I go Vie-Gal, and you stay`, is a part of the letter.
fn propose_apart(session: &mut Session, letter: &Letter, peer: &str) {
    let Some((words, orders)) = &letter.apart else {
        return;
    };
    if letter.setting.is_some() || (orders.is_empty() && !letter.is_mixed) {
        return;
    }
    let words = words.join("\n");
    let options = format!("{} {peer}", press_to(session));
    let words = words.trim_matches('\n').lines().map(str::to_owned);
    let orders = orders.iter().map(|line| line.text.trim().to_owned());
    let lines = press_lines(&options, words).into_iter().chain(orders);
    session.propose_all(lines.collect());
}

/// How the proposed PRESS line addresses a letter. Without the color the game's default applies, which may be grey; a
/// letter is white.
pub(super) fn press_to(session: &Session) -> &'static str {
    let grey = session.game().is_some_and(|game| game.settings.grey);
    if grey { "WHITE TO" } else { "TO" }
}

/// Why a letter is not passed on, if a line in it is for the judge alone: an order of the sender's own, or a setting
/// together with other words.
fn not_for_others(session: &Session, letter: &Letter, peer: &str) -> Option<String> {
    let (line, ways) = match (&letter.own_order, &letter.setting) {
        (Some(line), _) => (
            line,
            "reads as an order of yours; nothing was ordered.  To order, answer this mail with the orders alone.",
        ),
        (None, Some(line)) if !letter.is_for_the_judge => (
            line,
            "reads as a command of yours; nothing was done.  To give it, answer this mail with the commands alone.",
        ),
        _ => return None,
    };
    let line = session.quotable(line);
    let to = press_to(session);
    Some(format!(
        "Your letter to {peer} holds the line `{line}`, which {ways}  To send the letter, answer this mail with the line PRESS \
         {to} {peer}, your text, and the line ENDPRESS."
    ))
}

/// The words of a mail, and what it contains that a letter should not.
#[derive(Default)]
struct Letter {
    /// The sender's own lines, without quotations and signature.
    text: String,
    /// The first line of a quotation that the mail program has not marked.
    cut_at: Option<String>,
    /// Whether it contains a sign-on line.
    shows_sign_on: bool,
    /// Whether it contains a line that begins or ends press.
    holds_press: bool,
    /// Whether it contains lines that can be parsed as orders or commands.
    holds_orders: bool,
    /// Whether it contains only orders and commands.
    is_for_the_judge: bool,
    /// The first line that can be parsed as an order of the sender's own, which is never passed on from an answer.
    own_order: Option<String>,
    /// The first line that is a setting, a vote or the like, which is not passed on either.
    setting: Option<String>,
    /// Whether a line contains an order of the sender's own and other words.
    is_mixed: bool,
    /// Its lines, if all of them are orders of the sender's own.
    orders: Vec<BodyLine>,
    /// To whom it is to go, if it asks for another reader than the one to whom the address passes letters on.
    for_others: Option<String>,
    /// Its lines that are not empty, as they were read.
    lines: Vec<String>,
    /// If there are such orders and other lines: the other lines, and the orders.
    apart: Option<(Vec<String>, Vec<BodyLine>)>,
    /// The words that it addresses to the judge; the text ends above them.
    for_judge: Option<Vec<String>>,
}

/// The largest number of characters of a line that an answer quotes within a sentence.
const LONGEST_QUOTED: usize = 60;

/// The most words of a line that greets.
const MOST_OF_GREETING: usize = 6;

/// The kind of one line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Prose,
    Order,
    Setting,
    Command,
    Press,
}

fn read(session: &mut Session, relay: &Relay) -> Letter {
    let mail = session.mail;
    let mut letter = Letter::default();
    let mut lines = Vec::new();
    let mut kinds = Vec::new();
    let mut words = Vec::new();
    let own_orders = OwnOrders::of(session);
    let written: Vec<&BodyLine> = mail
        .lines
        .iter()
        .filter(|line| line.part == LinePart::Own)
        .collect();
    let own = own_lines(session, relay, &written);
    let mut back_to_peer = false;
    letter.cut_at = written.get(own).map(|line| quoted(line));
    for line in written.into_iter().take(own) {
        letter.shows_sign_on |= holds_sign_on(&line.text);
        if let Some(for_judge) = &mut letter.for_judge
            && !back_to_peer
        {
            let Some(words) = words_for_peer(session, relay, &line.text) else {
                for_judge.push(line.text.trim().to_owned());
                continue;
            };
            back_to_peer = true;
            lines.push(line.original.trim_end());
            letter.lines.push(words);
            continue;
        }
        if let Some(words) = words_for_judge(&line.text) {
            letter.for_judge = Some(vec![words]);
            continue;
        }
        let mut is_order = false;
        if !line.is_blank() {
            // SIGNOFF ends a letter, as it ends every mail.
            let Some(kind) = kind(session, &line.text) else {
                break;
            };
            if own_orders.as_ref().is_some_and(|own| own.holds(&line.text)) {
                letter.own_order.get_or_insert_with(|| quoted(line));
                is_order = kind == LineKind::Order && session.reads_as_orders_alone(&line.text);
                if is_order {
                    letter.orders.push(line.clone());
                } else {
                    letter.is_mixed = true;
                }
            } else if kind == LineKind::Setting {
                letter.setting.get_or_insert_with(|| quoted(line));
            }
            kinds.push(kind);
            letter.lines.push(line.text.trim().to_owned());
        }
        let line = line.original.trim_end();
        lines.push(line);
        if !is_order {
            words.push(line.to_owned());
        }
    }
    letter.text = lines.join("\n").trim_matches('\n').to_owned();
    // The lines before an unmarked quotation may be orders that the other end has proposed.
    if letter.cut_at.is_some() {
        letter.orders.clear();
    } else if letter.orders.len() < kinds.len() {
        let orders = std::mem::take(&mut letter.orders);
        let goes_on = lines.iter().zip(lines.iter().skip(1)).any(|(line, next)| {
            let is_order =
                |line: &str| orders.iter().any(|order| order.original.trim_end() == line);
            is_order(line) && !is_order(next) && goes_on(next)
        });
        // "F London - North Sea / is what I am going to do anyway"
        letter.apart = Some(if goes_on {
            let whole = lines.iter().map(|line| (*line).to_owned()).collect();
            letter.is_mixed = true;
            (whole, Vec::new())
        } else {
            (words, orders)
        });
    }
    letter.for_others = letter
        .lines
        .iter()
        .find_map(|line| asks_for_others(session, line, relay));
    let asks_judge = |line: &String| is_question_line(line) || is_pleasantry(line);
    let questions = letter.lines.iter().filter(|line| is_question_line(line));
    if questions.count() > 0 && letter.lines.iter().all(asks_judge) {
        kinds = vec![LineKind::Command];
    }
    letter.holds_press = kinds.contains(&LineKind::Press);
    letter.holds_orders = kinds.iter().any(|kind| *kind != LineKind::Prose);
    letter.is_for_the_judge =
        !kinds.is_empty() && kinds.iter().all(|kind| *kind != LineKind::Prose);
    letter
}

/// Whether a line goes on with the sentence before it.
fn goes_on(line: &str) -> bool {
    line.trim().chars().next().is_some_and(char::is_lowercase)
}

/// The line, if it turns from the judge to the reader of the letter again: `Cleo: agreed`.
fn words_for_peer(session: &Session, relay: &Relay, line: &str) -> Option<String> {
    let (name, _) = line.split_once([':', ','])?;
    let name = name
        .trim()
        .trim_start_matches("For ")
        .trim_start_matches("To ");
    let game = session.game()?;
    let holder = game.holder(relay.peer.power);
    let called = !VariantGame::new(game, variants::of(&game.variant)).hides_leaders()
        && holder.is_some_and(|seat| session.is_called(seat, name));
    let is_power = peer(game, relay).eq_ignore_ascii_case(name);
    (called || is_power).then(|| line.trim().to_owned())
}

/// The readers for whom a line asks, if the one at the other end is none of them: `Tell Germany: ...`, `forward this to Germany`.
fn asks_for_others(session: &Session, line: &str, relay: &Relay) -> Option<String> {
    let Some(SentenceRequest::Letter { to, .. }) = session.request_of(line) else {
        return None;
    };
    let names = to.join(", ");
    let readers = read_press(&format!("TO {names}"), session.roster()).ok()?;
    let Some(Recipients::Only(Addressees { powers, .. })) = readers.to else {
        return None;
    };
    // A letter to himself is a quotation of what he got.
    let ends = [relay.peer.power, relay.reader.power];
    let others = !powers.is_empty() && !powers.iter().any(|power| ends.contains(power));
    others.then_some(names)
}

/// Whether each sentence of a line is a question that the judge answers.
fn is_question_line(line: &str) -> bool {
    let sentences = sentences(line);
    let mut asked = sentences.iter().map(|sentence| question(sentence));
    !sentences.is_empty() && asked.all(|question| question.is_some())
}

/// A line, shortened for a quote within a sentence.
fn quoted(line: &BodyLine) -> String {
    let short: String = line.text.trim().chars().take(LONGEST_QUOTED).collect();
    short.trim_end().to_owned()
}

/// The number of lines that the sender wrote: a quotation begins after them.
fn own_lines(session: &Session, relay: &Relay, lines: &[&BodyLine]) -> usize {
    let work = &session.work;
    let since = work.now - quotation::KNOWN;
    let token = work.registry.secret().map(|secret| relay.token(secret));
    let address = work.judge.settings.with_token(&token.unwrap_or_default());
    let stands_in_letter = |line: &str| {
        quotation::key(&address, line).is_some_and(|key| work.library.sent_line(&key, since))
    };
    let named = QuotedNames {
        address: &work.judge.settings.address,
        judge: &work.judge.settings.name,
        game: &relay.game,
    };
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    named.own_lines(&texts, stands_in_letter)
}

/// Whether the sender's first line shows that a mail to the address of a letter is for the judge: it signs on, or begins press.
pub(super) fn begins_for_the_judge(session: &mut Session) -> bool {
    let mail = session.mail;
    let Some(first) = mail.own_lines().next() else {
        return false;
    };
    holds_sign_on(&first.text) || kind(session, &first.text) == Some(LineKind::Press)
}

/// An answer to press with words in it.
pub(super) struct Answer {
    /// The words, with line breaks.
    pub words: String,
    /// The orders of the sender's own.
    pub orders: Vec<String>,
}

/// Reads an answer to press that came to a seat's own address; `None` if it holds no words beside orders, commands and greetings.
pub(super) fn read_answer(session: &mut Session) -> Option<Answer> {
    let mail = session.mail;
    let own_orders = OwnOrders::of(session);
    let mut answer = Answer {
        words: String::new(),
        orders: Vec::new(),
    };
    let mut has_words = false;
    let mut has_orders_in_words = false;
    for line in mail.lines.iter().filter(|line| line.part == LinePart::Own) {
        if !line.is_blank() {
            let kind = kind(session, &line.text)?;
            let is_own = own_orders.as_ref().is_some_and(|own| own.holds(&line.text));
            if is_own && kind == LineKind::Order {
                answer.orders.push(line.text.trim().to_owned());
                continue;
            }
            match kind {
                LineKind::Prose => has_orders_in_words |= is_own,
                LineKind::Order => {}
                // What is to be done with the words is then for the sender to say.
                LineKind::Press => return None,
                LineKind::Setting | LineKind::Command => {
                    answer.orders.push(line.text.trim().to_owned());
                    continue;
                }
            }
            let says_nothing = is_pleasantry(&line.text) || session.is_own_name(&line.text);
            has_words |= kind == LineKind::Prose && !is_own && !says_nothing;
        }
        answer.words.push_str(line.original.trim_end());
        answer.words.push('\n');
    }
    (has_words && !has_orders_in_words).then_some(answer)
}

/// Whether a command is a setting, a vote or the like, which is for the judge alone. A sentence may begin with SET too,
/// so all its words must be settings.
fn is_setting(line: &Line) -> bool {
    match line.rule.as_str() {
        "set" => {
            let items = read_settings(line.words().unwrap_or_default());
            let known = |item: &SetItem| matches!(item, SetItem::Known(_));
            !items.is_empty() && items.iter().all(known)
        }
        "clear-orders" | "draw-yes" | "draw-no" => true,
        _ => false,
    }
}

/// The kind of a line; `None` if it is SIGNOFF.
fn kind(session: &mut Session, text: &str) -> Option<LineKind> {
    let line = mail_reader::BodyLine::own(1, text);
    let reading = read_mail(&[line], SignOnBy::ReplyAddress);
    if reading.ended == Ended::SignOff {
        return None;
    }
    let Some(item) = reading.items.into_iter().next() else {
        // The only line with this result is the end of a block.
        return Some(LineKind::Press);
    };
    Some(match item.kind {
        ItemKind::Command(line) if is_setting(&line) => LineKind::Setting,
        ItemKind::Command(line) if is_question(&line) => LineKind::Prose,
        ItemKind::Command(_) | ItemKind::Form(_) | ItemKind::SecondSignOn(_) => LineKind::Command,
        ItemKind::Block(block) if opens_press(session, &block.rule, &block.options) => {
            LineKind::Press
        }
        ItemKind::Block(_) | ItemKind::OwnText(_) => LineKind::Prose,
        ItemKind::Order | ItemKind::Invalid { .. } if session.reads_as_regular_order(text) => {
            LineKind::Order
        }
        ItemKind::Order | ItemKind::Invalid { .. } => LineKind::Prose,
    })
}

/// Whether a line begins press, rather than being a sentence that begins with that word.
fn opens_press(session: &Session, rule: &str, options: &str) -> bool {
    if session.game().is_none() {
        return false;
    }
    match rule {
        "press" => read_press(options, session.roster()).is_ok(),
        "broadcast" => read_broadcast(options, session.roster()).is_ok(),
        _ => false,
    }
}
