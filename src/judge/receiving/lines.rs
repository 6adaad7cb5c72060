//! Determines what each line of a mail is, and dispatches it.

use crate::acts::commands::command;
use crate::acts::settings;
use crate::acts::table::Act;
use crate::orders::variant_lines::{long_line, opens_until, parted_long_line};
use crate::people::sign_on::ArrivedBy;
use crate::receiving::answer_to_press;
use crate::receiving::unsigned::{self, without_game};
use crate::session::Session;
use crate::session::consenting::ConsentAndMore;
use crate::session::joining_lines::named_running_game;
use crate::session::proposing::{are_letters_alone, subject_of_command};
use crate::session::reading::OrdersFor;
use crate::work::acting::Acting;
use crate::work::{GameWork, Work};
use dipjudge_commands::command_reader::{
    Consent, command_of, consent, words_for_judge, words_to_note,
};
use dipjudge_commands::form::Form;
use dipjudge_commands::games_named::games_named;
use dipjudge_commands::letters::Readers;
use dipjudge_commands::mail_reader::{
    Block, BodyLine, Ended, Item, ItemKind, MailReader, OwnTexts, SignOnBy, TextEnd, holds_sign_on,
    is_question, joins,
};
use dipjudge_commands::sign_on::{self, Seat};
use dipjudge_game::Game;
use dipjudge_mails::inbound::{self, LinePart};
use dipjudge_mails::outbound::Answer;

/// The rules of conditions around orders, which begin as sentences do.
const ORDERS_CONDITIONS: [&str; 4] = ["if", "else-if", "else", "end-if"];

/// The most words that are told of which one is expected.
const MOST_EXPECTED: usize = 4;

/// What a mail would be answered with.
pub(crate) struct TriedReading {
    pub answers: Vec<Answer>,
    pub proposed: Vec<String>,
    /// Whether the orders of the sender would be shown.
    pub shows_orders: bool,
}

/// Handles these lines of a mail, in order.
fn read(session: &mut Session, lines: &[inbound::BodyLine]) {
    let meant = meant_sign_on(session, lines);
    let lines: Vec<BodyLine> = lines
        .iter()
        .take_while(|line| line.part != LinePart::Signature)
        .map(|line| BodyLine {
            number: line.number,
            text: match &meant {
                Some((number, meant)) if *number == line.number => meant,
                _ => &line.text,
            },
            original: &line.original,
            quoted: line.part == LinePart::Quote,
        })
        .collect();
    let sign_on = if session.sender.acting.is_some() {
        SignOnBy::ReplyAddress
    } else {
        SignOnBy::Line
    };
    let mut own = lines.iter().filter(|line| !line.quoted);
    session.reading.signs_on = own.any(|line| joins(line.text));
    let mut reader = MailReader::new(&lines, sign_on);
    while let Some(item) = reader.next(session) {
        if session.reading.stopped {
            return tell_unread(session, &item, &mut reader);
        }
        one(session, &item);
    }
    session.end_letter();
    session.propose_for_units_left();
    session.take_certain_orders();
    session.note_replaced_orders();
    let nothing_done = session.orders.accepted == 0 && session.reading.commands.is_empty();
    if nothing_done && session.reply.proposed.is_empty() {
        session.propose_letter_to_named();
    }
    if nothing_done && session.reply.proposed.is_empty() {
        session.propose_letter_to_all();
    }
    let mut done = session.reading.commands.iter();
    if session.orders.accepted == 0 && done.all(|rule| signs_on(rule)) {
        session.propose_quoted_orders();
    }
    if reader.ended == Ended::SecondSignOn || session.is_trial {
        return;
    }
    if !session.reply.wanted {
        unsigned::answer(session, reader.first_line.as_deref());
    } else if session.sender.acting.is_none() && asks_beside_commands(session, &lines) {
        unsigned::answer_rest(session);
    }
}

/// Whether a mail asks something in a line that is no command.
fn asks_beside_commands(session: &Session, lines: &[BodyLine]) -> bool {
    let consents = session.consent().is_some();
    let mut own = lines.iter().filter(|line| !line.quoted);
    !consents
        && own.any(|line| line.text.trim_end().ends_with('?') && command_of(line.text).is_none())
}

/// Says that the rest of the mail of somebody who has resigned was not read, if it holds anything.
fn tell_unread(session: &mut Session, next: &Item, reader: &mut MailReader) {
    if !session.reading.resigned {
        return;
    }
    let mut rest = vec![next.text.clone()];
    while let Some(item) = reader.next(session) {
        rest.push(item.text);
    }
    if rest.iter().any(|text| !session.says_nothing(text)) {
        session.say("The lines below your RESIGN were not read, since you have left the game.");
    }
}

/// The number of the line that is probably a misspelt sign-on, and the sign-on, if there is no other way that the mail signs on.
fn meant_sign_on(session: &Session, lines: &[inbound::BodyLine]) -> Option<(usize, String)> {
    let own = || lines.iter().filter(|line| line.part == LinePart::Own);
    if session.sender.acting.is_some() || own().any(|line| holds_sign_on(&line.text)) {
        return None;
    }
    own().find_map(|line| {
        let words = sign_on::meant_sign_on(&line.text)?;
        // A game's name and another word may be anything.
        let names_seat = |(seat, _): &(Seat, Option<String>)| *seat != Seat::Undecided;
        let names_seat = words.readings().first().is_some_and(names_seat);
        let is_meant = names_seat && session.named_by(&words).is_some();
        is_meant.then(|| (line.number, words.line()))
    })
}

fn one(session: &mut Session, item: &Item) {
    session.reading.secrets.begin(item.line);
    session.reading.has_more |= !is_sign_on(&item.kind);
    match &item.kind {
        // Somebody who has a place may ask without proof; he is answered at his address of record.
        ItemKind::Command(line)
            if session.sender.acting.is_none()
                && is_question(line)
                && unsigned::has_places(session) => {}
        // "The Jester of dodo is free, I hear. What do I need to do?" is answered for the game that it names.
        ItemKind::Command(line)
            if session.sender.acting.is_none()
                && is_question(line)
                && item.text.trim_end().ends_with('?')
                && named_running_game(session).is_some() => {}
        // "If only our neighbours would approve", in a poem for all.
        ItemKind::Command(line)
            if ORDERS_CONDITIONS.contains(&line.rule.as_str())
                && session.continues_letter(&item.text) => {}
        // "If I send nothing for Berlin, what does it do?"
        ItemKind::Command(line)
            if ORDERS_CONDITIONS.contains(&line.rule.as_str())
                && session.takes_question_apart(&item.text) => {}
        ItemKind::Command(line) => {
            session.reading.commands.insert(subject_of_command(line));
            session.carry_out(&item.text, line, &line.rule);
        }
        ItemKind::Block(block) => {
            session.reading.shows_orders = true;
            text(session, &item.text, block);
        }
        ItemKind::Form(form) => form_of(session, form),
        ItemKind::OwnText(block) if block.holds_sign_on => {
            let why = "A SIGNON line stands in this text, which would show your password, so it was not taken.";
            session.fault(&item.text, why);
        }
        ItemKind::OwnText(block) if long_line_of(session, &item.text, block) => {}
        ItemKind::OwnText(block) if session.variant_line(&item.text, &block.text()) => {}
        ItemKind::OwnText(_) => {
            let why = "This line is not for the game as it now stands, so neither it nor its text was taken.";
            session.fault(&item.text, why);
        }
        ItemKind::Order if takes_words_for_game(session, item) => {}
        ItemKind::Order if takes_words_for_judge(session, item) => {}
        // "Tell" and "Send" begin like commands.
        ItemKind::Order | ItemKind::Invalid { .. } if session.begins_another_letter(&item.text) => {
        }
        ItemKind::Order | ItemKind::Invalid { .. } if session.continues_letter(&item.text) => {}
        ItemKind::Order | ItemKind::Invalid { .. } if session.says_nothing(&item.text) => {}
        ItemKind::Order if session.answer_wish_to_try(&item.text) => {}
        ItemKind::Order if session.takes_for_later(&item.text) => {}
        ItemKind::Order if session.takes_sentences_apart(&item.text) => {}
        ItemKind::Order if session.propose_for_sentence(&item.text) => {}
        ItemKind::Order if session.answer_question(&item.text) => {}
        ItemKind::Order => {
            session.order_line(&item.text);
            session.propose_behind_orders(&item.text);
        }
        ItemKind::Invalid { wanted } => {
            // "Ok, for the fall: Warsaw to Moscow"
            if session.takes_for_later(&item.text) {
                return;
            }
            // It may still be an order: a unit can be in a province whose name begins like a command.
            if session.reads_as_order(&item.text) {
                return session.order_line(&item.text);
            }
            if session.takes_sentences_apart(&item.text) || session.propose_for_sentence(&item.text)
            {
                return;
            }
            // "Ok, back to Constantinople"
            if let Some(text) = behind_consent(&item.text)
                && session.names_province(text)
            {
                let (text, kind) = (text.to_owned(), ItemKind::Order);
                return one(
                    session,
                    &Item {
                        text,
                        kind,
                        ..item.clone()
                    },
                );
            }
            // Or a line of the variant for people who lead no power.
            if session.variant_line(&item.text, "") {
                return;
            }
            if session.answer_question(&item.text) || session.answer_subject(&item.text) {
                return;
            }
            if session.is_talk(&item.text) {
                return session.leave_unread(&item.text);
            }
            // The end of a line is expected where words stand behind a command: what they are for, nobody can say.
            let known: Vec<&str> = wanted
                .iter()
                .map(String::as_str)
                .filter(|wanted| !wanted.contains("end of the line"))
                .collect();
            // So many words tell nobody what to write.
            let hint = if known.is_empty() || known.len() > MOST_EXPECTED {
                String::new()
            } else {
                format!("  Expected here: {}.", known.join(" or "))
            };
            session.fault(
                &item.text,
                format!("Line {}: I do not know this command.{hint}", item.line),
            );
            session.propose_command(&item.text);
        }
        ItemKind::SecondSignOn(words) => session.second_sign_on_line(&item.text, words),
    }
}

/// What stands behind a word of consent.
fn behind_consent(line: &str) -> Option<&str> {
    let (head, rest) = line.trim().split_once([' ', ','])?;
    consent(head)?;
    Some(rest.trim_start_matches([' ', ',']))
}

/// Handles a line that begins with the name of the game in hand: `In kaiser: London to the North Sea`; `false` if it does not.
fn takes_words_for_game(session: &mut Session, item: &Item) -> bool {
    let name = session.game().map(|game| game.name.clone());
    let text = item.text.to_ascii_lowercase();
    let Some(name) =
        name.filter(|name| session.reading.letter.is_none() && text.contains(name.as_str()))
    else {
        return false;
    };
    let mut known = Readers::default();
    known.add(&name, [name.as_str()], None);
    let named = games_named(&item.text, &known);
    let Some(text) = named
        .map(|named| named.words)
        .filter(|words| !words.is_empty())
    else {
        return false;
    };
    one(
        session,
        &Item {
            text,
            ..item.clone()
        },
    );
    true
}

/// Handles what an order line says to the judge and not to the other player of a letter; `false` if it says nothing so.
fn takes_words_for_judge(session: &mut Session, item: &Item) -> bool {
    let in_letter = session.reading.letter.is_some();
    let noted = in_letter.then(|| words_to_note(&item.text)).flatten();
    let noted = noted.filter(|words| session.holds_own_order(words));
    let Some(text) = words_for_judge(&item.text).or(noted) else {
        return false;
    };
    session.end_letter();
    if !text.is_empty() {
        let item = item.clone();
        one(session, &Item { text, ..item });
    }
    true
}

fn is_sign_on(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Command(line) => signs_on(&line.rule),
        ItemKind::SecondSignOn(_) => true,
        _ => false,
    }
}

fn signs_on(rule: &str) -> bool {
    matches!(rule, "sign-on" | "greeting" | "join" | "play")
}

/// Whether this is an order line that spans several lines of the mail; if so, it is handled as one line.
fn long_line_of(session: &mut Session, first: &str, block: &Block) -> bool {
    let acting = session.sender.acting;
    let long = |work: GameWork| long_line(&work, acting, first);
    let Some(long) = session.in_game().and_then(long) else {
        return false;
    };
    if !block.followed {
        let parted = session
            .in_game()
            .and_then(|work| parted_long_line(&work, acting, first, long));
        if let Some((text, followed_by)) = parted {
            session.order_line(text.trim());
            session.order_line(followed_by);
            return true;
        }
        let broken = block.broken_at.as_ref().map(|line| {
            let line = session.quotable(line);
            format!("Its text ended before the line `{line}`, which reads as a line of its own.")
        });
        session.orders.errors += 1;
        let said = broken.into_iter().chain([long.missing.to_owned()]);
        session.fault(first, said.collect::<Vec<String>>());
        return true;
    }
    let lines = block.lines.iter().map(|line| line.trim());
    let whole: Vec<&str> = std::iter::once(first).chain(lines).collect();
    session.order_line(whole.join(" ").trim());
    true
}

fn text(session: &mut Session, line: &str, block: &Block) {
    if let Some(Act::Text(act)) = command(&block.rule).map(|command| &command.act) {
        return act(session, line, block);
    }
    // The text of SET COMMENT BEGIN, which is a setting and not a command.
    session.act(line, |work, acting| {
        settings::information(work, acting, &block.text())
    });
}

fn form_of(session: &mut Session, form: &Form) {
    if let Some(Act::Form(act)) = command("register").map(|command| &command.act) {
        act(session, form);
    }
}

impl OwnTexts for Session<'_, '_> {
    fn opens(&mut self, line: &str) -> bool {
        let acting = self.sender.acting;
        let until = |work: GameWork| opens_until(&work, acting, line);
        self.reading.own_text_until = self.in_game().and_then(until);
        self.reading.own_text_until.is_some()
    }

    fn ends(&mut self, line: &str) -> Option<TextEnd> {
        let until = self.reading.own_text_until?;
        let acting = self.sender.acting;
        until.ended_by(&self.in_game()?, acting, line)
    }

    fn may_go_on(&mut self, line: &str, next: &str) -> bool {
        let orders_now =
            self.reading.orders_for == OrdersFor::Now && self.reading.branches.is_empty();
        orders_now
            && self.reading.letter.is_none()
            && !self.reads_as_orders_alone(line)
            && !self.reads_as_orders_alone(next)
    }
}

impl Session<'_, '_> {
    /// Handles every line of the mail, which arrived at the given address.
    pub(crate) fn read(&mut self, arrived_by: ArrivedBy) {
        if let ArrivedBy::Ended(game, seat) = &arrived_by
            && !self.mail.own_lines().any(|line| holds_sign_on(&line.text))
        {
            return unsigned::answer_ended(self, game, *seat);
        }
        // A mail to an address that is being proven is answered by that alone.
        let proves_address = matches!(arrived_by, ArrivedBy::Address(..) | ArrivedBy::Offer(..));
        self.sign_on_by_token(arrived_by);
        let mail = self.mail;
        match self.consent() {
            Some(consent) if !proves_address && self.may_be_consent() => self.read_consent(consent),
            _ if !proves_address && answer_to_press::hold(self) => {}
            _ => match self.chosen_game() {
                Some(lines) => read(self, &lines),
                None => read(self, &mail.lines),
            },
        }
    }

    /// Handles every line as of somebody who has been let in already.
    pub(crate) fn read_signed_on(&mut self) {
        let mail = self.mail;
        read(self, &mail.lines);
    }

    /// The answers to the mail in hand and what is proposed for it, if it were read as from somebody who acts so in a game and changed
    /// nothing by itself: `None` if it would.
    pub(crate) fn answers_as(&mut self, game: &Game, acting: Acting) -> Option<TriedReading> {
        let work = Work::new(
            self.work.judge,
            self.work.now,
            &mut *self.work.ids,
            self.work.library,
        );
        let mut mail = self.mail.clone();
        for line in mail
            .lines
            .iter_mut()
            .filter(|line| line.part == LinePart::Own)
        {
            line.text = without_game(&line.text, &game.name);
        }
        let mut trial = Session::new(work, &mail);
        trial.take_up(game);
        trial.is_trial = true;
        trial.sender.acting = Some(acting);
        trial.read_signed_on();
        let changes_nothing = trial.work.has_done_nothing() && trial.game() == Some(game);
        trial.tell_unread();
        let shows_orders = trial.reading.shows_orders;
        changes_nothing.then_some(TriedReading {
            shows_orders,
            answers: trial.reply.answers,
            proposed: trial.reply.proposed,
        })
    }

    /// Executes what the sender has consented to in answer to a proposal, after the sign-on lines.
    fn read_consent(&mut self, ConsentAndMore { consent, more }: ConsentAndMore) {
        let own = self.mail.own_lines();
        let sign_on: Vec<_> = own.filter(|line| holds_sign_on(&line.text)).collect();
        if !sign_on.is_empty() {
            let sign_on: Vec<inbound::BodyLine> = sign_on.into_iter().cloned().collect();
            read(self, &sign_on);
            if self.sender.acting.is_none() {
                return;
            }
        }
        self.reading.shows_orders = true;
        let taken = self.answer_proposal(consent).unwrap_or_default();
        let texts: Vec<String> = taken.iter().map(|line| line.text.clone()).collect();
        let sends_letters = are_letters_alone(&texts) && more.is_empty();
        if !more.is_empty() {
            self.count_orders_as_given();
        }
        let asks_more = !more.is_empty();
        let lines: Vec<inbound::BodyLine> = taken.into_iter().chain(more).collect();
        if !lines.is_empty() {
            read(self, &lines);
        }
        if sends_letters {
            self.reading.shows_orders = false;
        }
        if asks_more && self.sender.acting.is_none() && matches!(consent, Consent::No) {
            unsigned::answer_rest(self);
        }
    }
}
