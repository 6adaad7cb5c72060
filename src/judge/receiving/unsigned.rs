//! A mail in which no sign-on was found. A newcomer is told what this is, which games wait for players, and how to join one.
//! Somebody who plays is answered at his address of record, where an answer is proof enough: nothing is done before it.

use crate::acts::settings::why_not_offered;
use crate::rates::CountKind;
use crate::session::Session;
use crate::session::asked_in_words::later_deadline;
use crate::session::joining_lines::{
    joining_lines, named_game, named_running_game, observing_lines, openings, words_of,
};
use crate::work::MailClass;
use crate::work::acting::Acting;
use crate::work::or_logged::OrLogged;
use dipjudge_commands::corrections::{SentenceRequest, of_sentence};
use dipjudge_commands::due::Due;
use dipjudge_commands::games_named;
use dipjudge_commands::letters::Readers;
use dipjudge_commands::mail_reader::{self, Item, ItemKind, SignOnBy, holds_sign_on, read_mail};
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::parse_error::ParseError;
use dipjudge_commands::press_options::text_lines;
use dipjudge_commands::prose::sentences;
use dipjudge_commands::subjects::{Asker, Meant, Subject, asks, joined_questions};
use dipjudge_game::{Game, Role, Seat, SeatId, VariantGame};
use dipjudge_mails::inbound::LinePart;
use dipjudge_mails::outbound::{self, indented};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::{Moment, Viewer};

/// Words by which somebody asks for his own orders.
const OWN_ORDERS: [&str; 10] = [
    "my order",
    "my move",
    "i order",
    "i have order",
    "i've order",
    "from me",
    "have i ",
    "did i ",
    "i sent",
    "i have sent",
];

/// The most lines that are kept of a mail whose writer is not proven.
const MOST_HELD: usize = 20;
/// The most games that are listed to a newcomer.
const MOST_LISTED: usize = 8;

/// The most subjects of a mail that are answered.
const MOST_SUBJECTS: usize = 3;

/// Subjects to which the page for newcomers is no answer.
const WITHOUT_WELCOME: [&str; 2] = ["create", "unregister"];

/// The subject that the list of somebody's games answers.
const OF_OWN_GAMES: &str = "my-games";

/// Answers the mail. `first_line` is its first line with anything in it.
pub(super) fn answer(session: &mut Session, first_line: Option<&str>) {
    let seats = own_seats(session);
    // "I watch kaiser already and would like to watch reef, too."
    if let Some(lines) = observing_lines(session) {
        session.reply.wanted = true;
        session.say("You can watch this game without playing: you get its reports, and what is written to all.");
        return session.propose_all(lines);
    }
    let about = session.about.as_deref();
    if let Some((game, seat)) = seats
        .iter()
        .find(|(game, _)| Some(game.name.as_str()) == about)
    {
        return ask_for_proof(session, game, seat);
    }
    let wanted = named_game(session);
    tell_not_offered(session);
    let asked = subjects_of_mail(session, Asker::Stranger);
    // "The history of kaiser, for a report in our club" asks for no new game.
    let of_own_games = !seats.is_empty() && !subjects_of_mail(session, Asker::Player).is_empty();
    let stay_away = |(_, subject): &(String, &Subject)| {
        WITHOUT_WELCOME.contains(&subject.name) && !(subject.name == "create" && of_own_games)
    };
    let away = asked.iter().filter(|asked| stay_away(asked));
    let away: Vec<&(String, &Subject)> = away.collect();
    if !away.is_empty() && (away.len() == asked.len() || !seats.is_empty()) {
        session.reply.wanted = true;
        for (sentence, subject) in away {
            session.show_lines_and_help(sentence, subject);
        }
        if !seats.is_empty() {
            session.say("These are your games.  RESIGN, in an answer to a mail of a game, leaves it and ends its mails:");
            let rows: Vec<String> = seats
                .iter()
                .map(|(game, seat)| row_of(game, seat))
                .collect();
            session.print(rows.join("\n"));
        }
        return;
    }
    if wanted.is_none()
        && let Some(game) = named_running_game(session)
        && !seats.iter().any(|(own, _)| own.name == game.name)
    {
        return tell_how_to_come_back(session, game);
    }
    if wanted.is_some() || seats.is_empty() {
        for (sentence, subject) in asked.iter().filter(|_| wanted.is_none()) {
            let found = session.frequent_about(sentence);
            if !found.sure {
                session.show_lines_and_help(sentence, subject);
            }
        }
        answer_strangers_questions(session, &asked);
        welcome(session, wanted);
        // A misspelt question, such as LSIT.
        if let Some(line) = first_line
            && session.may_repeat_first()
            && session.reply.proposed.is_empty()
        {
            session.propose_command(line);
        }
        return;
    }
    let own = session.mail.own_lines().map(|line| line.text.as_str());
    let said: Vec<String> = std::iter::once(session.mail.subject.as_str())
        .chain(own)
        .flat_map(words_of)
        .collect();
    let named = seats.iter().filter(|(game, _)| said.contains(&game.name));
    let named: Vec<(&Game, &Seat)> = named.copied().collect();
    match (named.as_slice(), seats.as_slice()) {
        ([(game, seat)], _) | (_, [(game, seat)]) => ask_for_proof(session, game, seat),
        _ => tell_games(session, &seats),
    }
}

/// Says of each setting of an earlier judge that it is not offered, and what there is instead.
fn tell_not_offered(session: &mut Session) {
    let own = session.mail.own_lines();
    let found = own.filter_map(|line| {
        let words = [mail_reader::BodyLine::own(line.number, &line.text)];
        let items = read_mail(&words, SignOnBy::ReplyAddress).items;
        match items.into_iter().next()?.kind {
            ItemKind::Command(command) => Some((line.text.clone(), why_not_offered(&command)?)),
            _ => None,
        }
    });
    let found: Vec<_> = found.take(MOST_HELD).collect();
    for (line, why) in found {
        session.fault(&line, why);
    }
}

/// What the sentences of a mail are about, as far as it is clear, each subject with the sentence that names it first.
fn subjects_of_mail(session: &Session, asker: Asker) -> Vec<(String, &'static Subject)> {
    if session.reads_like_a_judges() {
        return Vec::new();
    }
    let mut found: Vec<(String, &'static Subject)> = Vec::new();
    let own = session.mail.own_lines().take(MOST_HELD);
    for sentence in own.flat_map(|line| sentences(&line.text)) {
        for part in with_clauses(sentence) {
            let subject = match session.subject_meant(part, asker) {
                Meant::Clear(subject) => Some(subject),
                // "Is it free, and who can see my address?"
                Meant::OneOf(subjects) if part != sentence => subjects.into_iter().next(),
                _ => None,
            };
            if let Some(subject) = subject
                && found.len() < MOST_SUBJECTS
                && found.iter().all(|(_, known)| known.name != subject.name)
            {
                found.push((part.to_owned(), subject));
            }
        }
    }
    found
}

/// A sentence, and each of the questions that are joined in it.
fn with_clauses(sentence: &str) -> Vec<&str> {
    let joined = joined_questions(sentence).into_iter();
    let parts = joined.flat_map(|part| part.split(": "));
    let clauses =
        parts.filter(|clause| *clause != sentence && clause.split_whitespace().nth(1).is_some());
    std::iter::once(sentence).chain(clauses).collect()
}

/// Answers somebody who names a game that has begun, and has no place in it under this address.
fn tell_how_to_come_back(session: &mut Session, game: &Game) {
    session.reply.wanted = true;
    let name = &game.name;
    session.say(format!(
        "Game '{name}' has begun, and nobody plays in it from this address, so nothing was done."
    ));
    match openings(session, game) {
        Some((open, lines)) => {
            session.say(format!(
                "Nobody plays {} in it now.  Whoever wants to play there sends these lines, with a password of his own:",
                open.join(", ")
            ));
            session.print(indented(&lines, "    "));
        }
        None => session.say(
            "A power whose player has left can be taken over, where LIST names it under Openings.",
        ),
    }
    session.say(format!(
        "LIST {name} tells more of the game, and who its master is.  If you play in it, write from the address that you play from.  If you have lost that address: begin with SIGNON, the letter of your power before the name of the game, and your password, such as SIGNON E{name} password; and in the next line SET ADDRESS and your new address.  If you have lost the password too, ask the master of the game."
    ));
    session.say("LIST names the games that wait for players.");
    session.propose(&format!("LIST {name}"));
}

/// Whether the sender has a place in a game that goes on.
pub(super) fn has_places(session: &Session) -> bool {
    !own_seats(session).is_empty()
}

/// The games in which the sender has a place, with the first of his places.
fn own_seats<'j>(session: &Session<'j, '_>) -> Vec<(&'j Game, &'j Seat)> {
    let work = &session.work;
    let Some(person) = work.registry.by_address(&session.sender.address) else {
        return Vec::new();
    };
    let going_on = work.judge.games().filter(|game| !game.over());
    going_on
        .filter_map(|game| {
            let mut seats = game.seats.iter().filter(|seat| !seat.left);
            Some((game, seats.find(|seat| seat.person == person.id)?))
        })
        .collect()
}

/// Tells the person whose reply address has ended what came there, at his address of record: whoever wrote it has an earlier mail
/// to him and nothing more. What the mail asks for is proposed to him.
pub(super) fn answer_ended(session: &mut Session, game: &str, seat: SeatId) {
    let judge = session.work.judge;
    let Some((game, seat)) = judge
        .game(game)
        .and_then(|game| Some((game, game.seat(seat)?)))
    else {
        return;
    };
    let name = &game.name;
    if seat.left {
        let sentence = format!(
            "A mail came to an address that you had in game '{name}', which ended when you left the game or another took your place, so nothing of it was done.  LIST {name} tells who leads which power now, and LIST GAMES which games wait for players."
        );
        return tell_who_left(session, &seat.address, sentence);
    }
    session.take_up(game);
    session.reply.wanted = true;
    let acting = as_claimed(game, seat);
    session.sender.claimed = Some(acting);
    if game.over() {
        return session.say(format!(
            "A mail came to your address in game '{name}', which ended 90 days after the game, so nothing of it was done."
        ));
    }
    session.say(format!(
        "A mail came to an address of yours in game '{name}' that has ended, as those of earlier mails do with a new password, address or token, so nothing of it was done."
    ));
    let lines = lines_for(session, game, acting, seat.role);
    if !lines.is_empty() {
        session.propose_all(lines);
    }
}

/// Whether a mail asks what its sender has ordered.
fn asks_for_own_orders(session: &Session) -> bool {
    let asks = |line: &str| {
        let line = line.to_lowercase();
        OWN_ORDERS.iter().any(|words| line.contains(words))
    };
    session.mail.own_lines().any(|line| asks(&line.text))
}

/// Tells somebody who has left a game something about his place of before, once a day and unless answers pause.
fn tell_who_left(session: &mut Session, address: &str, sentence: String) {
    session.reply.wanted = false;
    let account = session.work.account();
    let told = session.work.counted(CountKind::EndedTold, &account) > 0;
    if session.reply.muted || told {
        return;
    }
    session.work.count(CountKind::EndedTold, account, 1);
    let judge = session.work.judge;
    let name = &judge.settings.name;
    let text = outbound::stranger_notice(&judge.templates, name, "Your address", sentence);
    if let Some(text) = text.or_logged() {
        session
            .work
            // No answer: the mail that came may be somebody else's.
            .send_without_game(address, text, MailClass::Notice);
    }
}

/// How somebody is answered who seems to sit there, without any proof.
fn as_claimed(game: &Game, seat: &Seat) -> Acting {
    Acting {
        seat: seat.id,
        power: game.led_by(seat.id).first().copied(),
        from_home: true,
        by_token: false,
    }
}

/// Asks for proof at the address of record of the only place that the sender can mean, and proposes there what the mail asks for.
fn ask_for_proof(session: &mut Session, game: &Game, seat: &Seat) {
    let acting = as_claimed(game, seat);
    session.take_up(game);
    session.sender.claimed = Some(acting);
    let read = session
        .answers_as(game, acting)
        .filter(|read| !(read.answers.is_empty() && read.proposed.is_empty()));
    // Who asks reads his answer at once: it goes to his address of record alone.
    let mut own = session.mail.own_lines();
    let asks_alone = own.any(|line| asks(&line.text));
    if let Some(read) = read
        .as_ref()
        .filter(|read| asks_alone && read.proposed.is_empty())
    {
        session.reply.wanted = true;
        // How his orders stand is shown to who answers the judge's mail.
        if read.shows_orders && asks_for_own_orders(session) {
            session.reply.held_back.push("STATUS".to_owned());
        }
        return session.reply.answers.extend(read.answers.clone());
    }
    let role = match seat.role {
        Role::Player => "play in",
        Role::Master => "are the master of",
        Role::Observer => "watch",
    };
    session.say(format!(
        "Anybody could send a mail from this address, so nothing was done yet.  You {role} game '{}'.",
        game.name
    ));
    session.say(format!(
        "Answer this mail, and the judge knows you.  Or begin a mail with the line SIGNON {} and your password; GET PASSWORD helps if you have lost it.",
        game.name
    ));
    // What the answer to an answer would propose is proposed now.
    if let Some(read) = read {
        session.reply.answers.extend(read.answers);
        return session.propose_all(read.proposed);
    }
    if propose_letters(session, acting) {
        return;
    }
    let mut lines = lines_for(session, game, acting, seat.role);
    session.sender.acting = Some(acting);
    lines = lines
        .into_iter()
        .flat_map(|line| as_meant(session, line))
        .collect();
    session.sender.acting = None;
    if lines.is_empty() {
        let asker = match seat.role {
            Role::Master => Asker::Master,
            Role::Player if game.begun() => Asker::Player,
            Role::Observer if game.begun() => Asker::Observer,
            Role::Player | Role::Observer => Asker::Newcomer,
        };
        session.sender.acting = Some(acting);
        for (sentence, subject) in subjects_of_mail(session, asker) {
            lines.extend(session.lines_meant_by(&sentence, subject));
        }
        session.sender.acting = None;
        if lines.is_empty() {
            answer_questions_of_all(session);
        }
    }
    if lines.is_empty() {
        // What nothing is known of is read once it is known whose it is.
        let own = session
            .mail
            .own_lines()
            .map(|line| line.text.trim().to_owned());
        let own: Vec<String> = own.filter(|line| !line.is_empty()).collect();
        let has_words = own.iter().any(|line| !session.says_nothing(line));
        if has_words && own.len() <= MOST_HELD {
            lines = own;
        }
    }
    if !lines.is_empty() {
        session.propose_all(lines);
    }
}

/// A line, or the orders that it means, if each of its orders is understood.
fn as_meant(session: &mut Session, line: String) -> Vec<String> {
    let read = session.read_orders(&line);
    if read.iter().all(Result::is_ok) {
        return vec![line];
    }
    let meant = session.orders_meant(&line);
    if meant.len() < read.len() {
        return vec![line];
    }
    meant
}

/// A line without the words that name the game: `For kaiser: please say to Austria ...`, `Send this to Gwen in reef: ...`
pub(super) fn without_game(line: &str, game: &str) -> String {
    let mut known = Readers::default();
    known.add(game, [game], None);
    match games_named::games_named(line, &known) {
        Some(named) => named.words,
        None => games_named::without_game(line, &known),
    }
}

/// Proposes the letters that the mail holds in words, and the orders beside them, as if its writer were known. Returns whether there
/// are any.
fn propose_letters(session: &mut Session, acting: Acting) -> bool {
    let name = session.game().map_or("", |game| game.name.as_str());
    let own = session
        .mail
        .own_lines()
        .map(|line| without_game(&line.text, name));
    let own: Vec<String> = own.filter(|line| !line.is_empty()).collect();
    if own.len() > MOST_HELD {
        return false;
    }
    session.sender.acting = Some(acting);
    let is_letter = |session: &Session, line: &str| {
        matches!(
            session.request_of(line),
            Some(SentenceRequest::Letter { .. } | SentenceRequest::LetterToOthers { .. })
        )
    };
    // "Italy asked for quiet. Please answer him: gladly." A letter goes on to the end of its line.
    let from_letter = |line: String| {
        let parts = sentences(&line);
        let begins = parts.iter().skip(1).find(|part| is_letter(session, part));
        let at = begins.and_then(|part| line.find(*part));
        match at.and_then(|at| line.split_at_checked(at)) {
            Some((before, letter)) if !is_letter(session, &line) => {
                vec![before.to_owned(), letter.to_owned()]
            }
            _ => vec![line],
        }
    };
    let own: Vec<String> = own.into_iter().flat_map(from_letter).collect();
    let is_letter = |line: &String| is_letter(session, line);
    if !own.iter().any(is_letter) {
        session.sender.acting = None;
        return false;
    }
    for line in own.iter().map(String::as_str) {
        if session.continues_letter(line)
            || session.says_nothing(line)
            || session.propose_for_sentence(line)
        {
            continue;
        }
        let orders = session.orders_meant(line);
        orders.iter().for_each(|order| session.propose(order));
    }
    session.end_letter();
    session.sender.acting = None;
    !session.reply.proposed.is_empty()
}

/// The lines of the mail that mean something to the judge, for the place of this person: commands, press and orders.
fn lines_for(session: &Session, game: &Game, acting: Acting, role: Role) -> Vec<String> {
    let own = session.mail.lines.iter();
    let lines: Vec<mail_reader::BodyLine> = own
        .filter(|line| line.part == LinePart::Own)
        .map(|line| mail_reader::BodyLine {
            number: line.number,
            text: &line.text,
            original: &line.original,
            quoted: false,
        })
        .collect();
    let items = read_mail(&lines, SignOnBy::ReplyAddress).items;
    let is_order = |line: &str| acting.power.is_some_and(|_| is_order(game, acting, line));
    let lines_of = |item: Item| match item.kind {
        ItemKind::Command(_) if !holds_sign_on(&item.text) => vec![item.text],
        ItemKind::Block(block) if !block.holds_sign_on => {
            let ends = match block.rule.as_str() {
                "try" => "END TRY",
                _ => "ENDPRESS",
            };
            text_lines(item.text, block.text().lines().map(str::to_owned), ends)
        }
        ItemKind::Order | ItemKind::Invalid { .. } if is_order(&item.text) => vec![item.text],
        ItemKind::Order | ItemKind::Invalid { .. } => match (of_sentence(&item.text), role) {
            (Some(SentenceRequest::Lines(lines)), _)
            | (Some(SentenceRequest::OfMaster(lines)), Role::Master) => lines,
            (Some(SentenceRequest::Longer(days)), Role::Master) => {
                later_deadline(game, acting.seat, days)
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    items.into_iter().flat_map(lines_of).collect()
}

/// Whether a line reads as an order of the game, with or without a mistake.
fn is_order(game: &Game, acting: Acting, line: &str) -> bool {
    let variant = variants::of(&game.variant);
    let viewer = acting.power.map_or(Viewer::Stranger, Viewer::Power);
    let roster = VariantGame::new(game, variant).seen_by(viewer).roster();
    let names = Names::shared(game.map(), &roster);
    let due = Due::in_phase(&game.phase);
    let read = read_orders_by(grammar_of(variant), line, due, &names);
    read.iter()
        .any(|order| order.as_ref().map_or_else(ParseError::is_error, |_| true))
}

/// Tells somebody who has places in several games which these are, with their deadlines, and how to say which he means.
fn tell_games(session: &mut Session, seats: &[(&Game, &Seat)]) {
    let rows: Vec<String> = seats
        .iter()
        .map(|(game, seat)| row_of(game, seat))
        .collect();
    let example = seats.first().map_or("game", |(game, _)| game.name.as_str());
    let mut asked = Vec::new();
    if seats.iter().any(|(_, seat)| seat.role == Role::Master) {
        asked = subjects_of_mail(session, Asker::Master);
    }
    if asked.is_empty() {
        asked = subjects_of_mail(session, Asker::Player);
    }
    if asked
        .iter()
        .any(|(_, subject)| subject.name == OF_OWN_GAMES)
    {
        session.say("These are your games:");
        session.print(rows.join("\n"));
        return session.say("Answer a mail of a game to send its orders.");
    }
    session.say("Nothing in your mail says which of your games it is for, so nothing was done.  These are your games:");
    session.print(rows.join("\n"));
    session.say(format!(
        "Answer a mail of the game that you mean, and the judge knows you.  Or begin with a line such as SIGNON {example} and your password; GET PASSWORD helps if you have lost it.",
    ));
    for (sentence, subject) in &asked {
        session.advise(sentence, subject);
    }
    if asked.is_empty() {
        answer_questions_of_all(session);
    }
}

/// Answers what somebody without a sign-on asks beside his commands or his NO: `No, not yet. Is there a finished game that I can read?`
pub(super) fn answer_rest(session: &mut Session) {
    let before = session.reply.answers.len();
    let mut asked = subjects_of_mail(session, Asker::Stranger);
    asked.retain(|(sentence, _)| asks(sentence));
    for (sentence, subject) in &asked {
        session.show_lines_and_help(sentence, subject);
    }
    answer_strangers_questions(session, &asked);
    if session.reply.answers.len() == before {
        let keeper = &session.work.judge.settings.keeper;
        session.say(format!("I found no answer to the rest of your mail.  GET QUESTIONS and HELP tell more, and {keeper} is a person who reads mail himself."));
    }
}

/// Answers the questions of a stranger by the page of frequent ones, but for those that a subject answers.
fn answer_strangers_questions(session: &mut Session, answered: &[(String, &Subject)]) {
    let own = session.mail.own_lines().take(MOST_HELD);
    let asked = own.flat_map(|line| sentences(&line.text));
    let asked = asked.filter(|sentence| sentence.ends_with('?'));
    let asked = asked.flat_map(joined_questions);
    let asked: Vec<String> = asked
        .map(|part| format!("{}?", part.trim_end_matches('?')))
        .collect();
    for sentence in asked.iter().take(MOST_SUBJECTS) {
        let found = session.frequent_about(sentence);
        let is_answered = answered
            .iter()
            .any(|(answered, _)| answered.trim_end_matches('?') == sentence.trim_end_matches('?'));
        if found.likely || !is_answered {
            session.add_frequent(found);
        }
    }
}

/// Answers the questions of a mail that are the same in every game.
fn answer_questions_of_all(session: &mut Session) {
    let own = session.mail.own_lines().take(MOST_HELD);
    let asked: Vec<String> = own.map(|line| line.text.clone()).collect();
    for line in asked {
        let found = session.frequent_about(&line);
        session.add_frequent(found);
    }
}

/// A game of somebody's, his place in it, and its deadline: `kaiser  England  F1903M, Wed Dec 23 2026 23:30:00 +0000`.
fn row_of(game: &Game, seat: &Seat) -> String {
    let variant = variants::of(&game.variant);
    let led = game.led_by(seat.id).first().copied();
    let place = match (seat.role, led) {
        (Role::Player, Some(power)) => {
            let view = VariantGame::new(game, variant).seen_by(Viewer::Power(power));
            view.labels().name(power).to_owned()
        }
        (Role::Player, None) => "Player".to_owned(),
        (Role::Master, _) => "Master".to_owned(),
        (Role::Observer, _) => "Observer".to_owned(),
    };
    let times = game.timing.times.filter(|_| game.begun());
    let due = match times {
        Some(times) => {
            let deadline = Moment::new(times.deadline, &game.zone_of(Some(seat)));
            format!("{}, {deadline}", game.phase_name(variant).in_mail())
        }
        None if game.begun() => "no deadline now".to_owned(),
        None => "has not begun".to_owned(),
    };
    let sent = led.map_or("", |power| what_is_in(game, power));
    format!("  {:<12} {place:<12} {due}{sent}", game.name)
}

/// Whether the orders of a power are in, behind its deadline.
fn what_is_in(game: &Game, power: Power) -> &'static str {
    let game = VariantGame::new(game, variants::of(&game.variant));
    match (game.requirements().owes(power), game.is_complete(power)) {
        (false, _) => ", nothing is due from you",
        (true, true) => ", your orders are in",
        (true, false) => ", your orders are missing",
    }
}

/// What a newcomer reads, with one mail proposed that joins a game.
fn welcome(session: &mut Session, named: Option<&Game>) {
    let waiting: Vec<&Game> = session.work.judge.games.forming().collect();
    let listed = waiting.iter().take(MOST_LISTED).map(|game| {
        let name_of = |_| String::new();
        VariantGame::new(game, variants::of(&game.variant)).brief(&name_of)
    });
    let listed: Vec<_> = listed.collect();
    let open_to_all = waiting.first().copied();
    let meant = named.or(open_to_all);
    let lines = meant.map(|game| joining_lines(session, game));
    let templates = &session.work.judge.templates;
    let page = outbound::newcomer(
        templates,
        &outbound::Newcomer {
            judge: &session.work.judge.settings.name,
            games: &listed,
            meant: meant.map(|game| game.name.as_str()),
            others: named.is_none() && waiting.len() > 1,
            more: waiting.len() > MOST_LISTED,
        },
    );
    if let Some(page) = page.or_logged() {
        session.reply.page = Some(session.reply.answers.len());
        session.show(page);
    }
    if let Some(lines) = lines {
        session.propose_all(lines);
    }
}
