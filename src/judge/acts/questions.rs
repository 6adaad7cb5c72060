//! Questions that anybody may ask: HELP, GET, LIST, SUMMARY, HISTORY, WHOGAME, VERSION (`judge-workflow.md` 2.2).
//! `info` makes the answers.

use super::files::SentFile;
use super::table::{Act, Command, Discloses, everywhere};
use super::{asked, files, help, info, map};
use crate::session::Session;
use crate::work::acting::Refusal;
use crate::work::or_logged::OrLogged;
use dipjudge_commands::date_meaning::Sense;
use dipjudge_commands::date_words::DateWords;
use dipjudge_game::project::Reader;
use dipjudge_game::{Game, Phase, State, masters_read_orders};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{self, Document};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::{Viewer, and_list};

/// For answers that tell the board alone.
const BOARD: [Discloses; 4] = [
    Discloses::All,
    Discloses::All,
    Discloses::View,
    Discloses::View,
];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["help"],
        examples: &["HELP SET"],
        act: Act::Line(show_help),
        help: "HELP [command] *
    How to begin; or, with a command's name, what it does.",
        tells: everywhere(Discloses::Documents),
        ..Command::QUESTION
    },
    Command {
        rules: &["get", "get-package", "get-dedication"],
        examples: &["GET SYNTAX", "GET PACKAGE", "GET DEDICATION"],
        act: Act::Line(get),
        help: "GET file *
    A file as a mail of its own; GET INDEX lists them, GET PACKAGE brings
    what a newcomer should read, GET DEDICATION your statistics.",
        tells: everywhere(Discloses::Documents),
        ..Command::QUESTION
    },
    Command {
        rules: &["list"],
        examples: &["LIST kaiser"],
        act: Act::Line(list),
        help: "LIST [game] *
    The public games; with a name, or after SIGNON, all about one game. LIST
    GAMES names the public games after SIGNON, too. For a
    master LIST FULL also shows the orders of all powers as they stand.",
        tells: [
            Discloses::All,
            Discloses::WithoutLeaders,
            Discloses::View,
            Discloses::Constant,
        ],
        ..Command::QUESTION
    },
    Command {
        rules: &["summary"],
        examples: &["SUMMARY kaiser"],
        act: Act::Line(summary),
        help: "SUMMARY [game] *
    Who played what, the parameters, centers year by year.",
        tells: [
            Discloses::All,
            Discloses::All,
            Discloses::OwnLine,
            Discloses::OwnLine,
        ],
        ..Command::QUESTION
    },
    Command {
        rules: &["status"],
        examples: &["STATUS kaiser"],
        act: Act::Line(|session, text, line| {
            if line.has("game") || session.sender.acting.is_none() {
                summary(session, text, line);
            } else {
                status(session);
            }
        }),
        help: "STATUS
    After SIGNON: your orders as they stand and the state of the game.",
        tells: BOARD,
        ..Command::QUESTION
    },
    Command {
        rules: &["map"],
        examples: &["MAP kaiser", "MAP S1901M"],
        act: Act::Line(map::map),
        help: "MAP [game] [phase] *
    A map of the board now, or of a past phase with its orders. You get only
    what you can see.  One comes with a mail.  SET MAP tells
    whether they come with reports of the board, too.",
        tells: BOARD,
        ..Command::QUESTION
    },
    Command {
        rules: &["map-from"],
        examples: &["MAP FROM France"],
        act: Act::Line(map::map_from),
        help: "MAP FROM power *
    The last map that a power has given you, as it was then: in games in
    which powers give one another their maps.",
        tells: BOARD,
        ..Command::QUESTION
    },
    Command {
        rules: &["history"],
        examples: &[
            "HISTORY kaiser FROM 1 May TO 3 May LINES 100",
            "HISTORY S1901M",
        ],
        act: Act::Line(history),
        help: "HISTORY [game] [FROM date] [TO date] [LINES n] *
    What observers were sent; the last seven days if no date is given.
    HISTORY game EXCLSTART phase [EXCLEND phase] [BROAD] brings results
    after a phase, and broadcasts only with BROAD; HISTORY game phase those of
    one phase.",
        tells: [
            Discloses::All,
            Discloses::WithoutLeaders,
            Discloses::OwnMails,
            Discloses::OwnMails,
        ],
        ..Command::QUESTION
    },
    Command {
        rules: &["who-game"],
        examples: &["WHOGAME kaiser"],
        act: Act::Line(|session, text, line| {
            let game = line.text_of("game");
            let full = line.has("full");
            let shown = info::who_game(&session.reader_context(), game, full);
            show_of(session, text, game, shown);
        }),
        help: "WHOGAME [game] *
    Who plays; names, countries and levels only (also WHO GAME).",
        tells: [
            Discloses::All,
            Discloses::WithoutLeaders,
            Discloses::WithoutLeaders,
            Discloses::OwnLine,
        ],
        ..Command::QUESTION
    },
    Command {
        rules: &["version"],
        examples: &["VERSION", "VERSION 3"],
        act: Act::Line(|session, _, line| {
            for sentence in info::version() {
                session.say(sentence);
            }
            if line.words().is_some() {
                session.say("It keeps no list of what older versions were like.");
            }
        }),
        help: "VERSION *
    The version of the program.",
        tells: everywhere(Discloses::Constant),
        ..Command::QUESTION
    },
];

fn show_help(session: &mut Session, _: &str, line: &Line) {
    let topic = line
        .text_of("topic")
        .filter(|topic| !topic.trim().is_empty());
    let played = session.edit().map(|edit| edit.variant);
    if let Some(topic) = topic {
        session.tell_own_lines(topic);
    }
    match topic.and_then(|topic| help::about(topic, played)) {
        Some(text) => session.print(text),
        None => {
            if let Some(topic) = topic {
                let near = help::nearest(topic);
                session.say(match near.as_slice() {
                    [] => format!("There is no help on {topic}. This is what this judge is:"),
                    near => format!(
                        "There is no help on {topic}. The nearest is HELP {}.",
                        near.join(", HELP ")
                    ),
                });
                if let [nearest, ..] = near.as_slice()
                    && let Some(text) = help::about(nearest, played)
                {
                    session.print(text);
                    return;
                }
            }
            if let Some(text) = help::page("info") {
                session.print(text);
            }
            // Before a sign-on, HELP ends the reading of the mail, as in earlier judges.
            session.reading.stopped = session.sender.acting.is_none();
        }
    }
}

fn get(session: &mut Session, text: &str, line: &Line) {
    match line.rule.as_str() {
        "get-package" => session.send_package(),
        "get-dedication" => {
            let said = info::dedication(&session.reader_context());
            session.outcome(text, said);
        }
        _ => match files::file(
            &session.work.judge.templates,
            line.text_of("file").unwrap_or_default(),
        ) {
            Ok(SentFile { name, text }) => {
                if session.send_page(&name, &text) {
                    session.say(format!("File {name} sent."));
                }
            }
            Err(refused) => session.outcome(text, Err(refused)),
        },
    }
}

/// What is said with LIST to whoever asks whose orders are missing.
const MISSING_IS_SECRET: &str = "Before the deadline nobody is told who has sent orders, only whether all are in.  After it LIST names who is late, where the game allows it.";
const MISSING_TO_MASTER: &str =
    "A power whose units have no order in the list below has sent none.";

/// Which powers have sent all that the phase asks of them, where the sender is a master who may read that.
fn missing_to_master(session: &Session) -> Option<String> {
    let edit = session.edit().filter(|_| session.is_master());
    let edit = edit.filter(|edit| masters_read_orders(&edit.game))?;
    let game = edit.variant_game();
    let requirements = game.requirements();
    let labels = game.seen_by(Viewer::Master).labels();
    let owing = edit.game.all_powers();
    let owing = owing.filter(|power| requirements.owes(*power));
    let (complete, missing): (Vec<Power>, Vec<Power>) =
        owing.partition(|power| game.is_complete_openly(*power));
    let names = |powers: Vec<Power>| {
        let names = powers.into_iter().map(|power| labels.name(power));
        and_list(names.collect::<Vec<&str>>())
    };
    Some(match (complete.is_empty(), missing.is_empty()) {
        (_, true) => "All orders are in.".to_owned(),
        (true, false) => "No power has sent all of its orders yet.".to_owned(),
        (false, false) => format!(
            "Complete are the orders of {}.  Those of {} are not.",
            names(complete),
            names(missing)
        ),
    })
}

fn list(session: &mut Session, text: &str, line: &Line) {
    let game = line.text_of("game");
    let begun = session.game().is_some_and(Game::begun);
    if line.has("asked-late") && begun {
        session.reply.all_orders |= session.is_master();
        match missing_to_master(session) {
            Some(told) => return session.say(told),
            None if session.is_master() => session.say(MISSING_TO_MASTER),
            None => session.say(MISSING_IS_SECRET),
        }
        let retreats = session
            .edit()
            .is_some_and(|edit| edit.game.phase == Phase::Retreats);
        if let Some(dislodged) = session.dislodged_told().filter(|_| retreats) {
            session.say(dislodged);
        }
    }
    session.reply.all_orders |= line.has("full");
    let wants_all = line.has("asked-list");
    let shown = match game {
        _ if wants_all => info::brief(&session.work),
        None if session.sender.acting.is_none() => info::brief(&session.work),
        _ => info::full(&session.reader_context(), game),
    };
    show_of(session, text, game, shown);
}

fn summary(session: &mut Session, text: &str, line: &Line) {
    let game = line.text_of("game");
    let shown = info::summary(&session.reader_context(), game);
    show_of(session, text, game, shown);
}

/// Shows an answer about a game. What is public in another game is no secret of the game in hand, whoever plays in
/// both.
fn show_of(
    session: &mut Session,
    text: &str,
    game: Option<&str>,
    shown: Result<Document, Refusal>,
) {
    let own = session.game().map(|game| game.name.clone());
    let other = game.is_some_and(|name| own.is_some_and(|own| !own.eq_ignore_ascii_case(name)));
    match shown {
        Ok(shown) if other => session.show_passed(shown),
        shown => session.shown(text, shown),
    }
}

fn history(session: &mut Session, text: &str, line: &Line) {
    let asked = history_asked(session, line);
    let shown = asked.and_then(|asked| info::history(&session.reader_context(), &asked));
    match shown {
        // Archived mails passed the leak check when they were sent, and they contain players' own words.
        Ok(shown) => session.show_passed(shown),
        refused => session.shown(text, refused),
    }
}

/// The request in a HISTORY line.
fn history_asked(session: &Session, line: &Line) -> Result<info::HistoryRequest, Refusal> {
    let words = |rule: &str| line.find(rule).and_then(Line::words);
    let time = |rule: &str| {
        let date = words(rule).and_then(DateWords::parse);
        let moment = |date| info::moment_behind(&session.reader_context(), &date, Sense::Behind);
        date.map(moment).transpose()
    };
    let name = line.text_of("history-game");
    let card = asked::asked(&session.reader_context(), name)
        .ok()
        .map(|game| variants::of(&game.variant).card());
    let phase = |rule: &str| {
        let words = words(rule)?;
        match card {
            Some(card) => card.phase_named(words).ok(),
            None => words.parse().ok(),
        }
    };
    let lines = line.find("history-lines").and_then(Line::number);
    Ok(info::HistoryRequest {
        game: name.map(str::to_owned),
        from: time("history-from")?,
        to: time("history-to")?,
        lines: lines.and_then(|lines| usize::try_from(lines).ok()),
        after: phase("history-after"),
        until: phase("history-until"),
        of: phase("history-of"),
        broadcasts: line.has("history-broad"),
    })
}

/// Whether a question can be answered. HELP with words that no help text is about comes from a mail, of a person or a
/// program, that is about something else.
pub(crate) fn is_understood(question: &Line) -> bool {
    match question.text_of("topic") {
        Some(words) if question.rule == "help" => help::about(words, None).is_some(),
        _ => true,
    }
}

/// STATUS: shows the variant's tables; every reply shows the orders anyway.
fn status(session: &mut Session) {
    session.reading.shows_orders = true;
    if let Some(position) = map::position(&session.reader_context()) {
        session.show(position);
    }
    let has_power = session
        .sender
        .acting
        .is_some_and(|acting| acting.power.is_some());
    let said = if session.has_nothing_due() {
        "Nothing is due from you in this phase."
    } else if has_power || session.is_master() {
        "Here are your orders for this phase. (For the whole game's history, send SUMMARY.)"
    } else if session.stands_by() {
        "You are on the stand-by list of this game: when a player leaves, the first on it takes over.  LIST shows the deadline."
    } else {
        "You have no units to order.  LIST shows the deadline and the position, MAP a picture of it."
    };
    session.say(said);
    show_tables(session);
}

/// Shows the variant's tables, as far as the sender may know them.
pub(super) fn show_tables(session: &mut Session) {
    let Some(acting) = session.sender.acting else {
        return;
    };
    let Some(edit) = session.edit().filter(|edit| edit.game.begun()) else {
        return;
    };
    let reader = match (session.sender.master, edit.game.seat(acting.seat)) {
        (Some(_), _) => Reader::any_master(&edit.game),
        (None, Some(seat)) => Reader::of(&edit.game, seat, acting.power),
        (None, None) => Reader::observer(&edit.game),
    };
    let templates = session.work.judge.templates_of(edit.variant);
    let tables = edit.variant_game().read_by(&reader).tables();
    if !tables.is_empty() {
        let text = outbound::sections(&templates, &tables).or_logged();
        session.tell(text.unwrap_or_default());
    }
}

impl Session<'_, '_> {
    /// Whether the phase in hand asks nothing of the sender's power.
    pub(crate) fn has_nothing_due(&self) -> bool {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let asks = |power| {
            let edit = self
                .edit()
                .filter(|edit| edit.game.state == State::Running)?;
            Some(edit.variant_game().requirements().due.contains_key(&power))
        };
        power.and_then(asks) == Some(false)
    }

    /// Whether the sender is on the stand-by list of the game in hand.
    fn stands_by(&self) -> bool {
        let seat = self.sender.acting.map(|acting| acting.seat);
        let list = self.game().map(|game| &game.stand_by);
        seat.zip(list)
            .is_some_and(|(seat, list)| list.contains(&seat))
    }

    /// GET PACKAGE: sends each of the files for newcomers as a mail of its own.
    pub(crate) fn send_package(&mut self) {
        let all = help::package().all(|(name, text)| self.send_page(name, &text));
        if all {
            self.say("The newcomer's files are sent.");
        }
    }
}
