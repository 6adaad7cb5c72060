//! SHOW AS and SHOW ALL: for masters, the last mails to a power, and the archive of the whole game.

use jiff::Timestamp;

use super::archived;
use super::table::{Act, Command, Discloses, Proof};
use crate::boundary::{Archived, Readership};
use crate::session::Session;
use crate::work::acting::{Refusal, refuse};
use crate::work::reader_context::ReaderContext;
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_game::{Game, VariantGame};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{Document, History, HistoryEnd};
use dipjudge_variants as variants;
use dipjudge_view::{Moment, whole_minute};

/// For answers from what was mailed: all of it where nothing is hidden.
const MAILS: [Discloses; 4] = [
    Discloses::All,
    Discloses::OwnMails,
    Discloses::OwnMails,
    Discloses::OwnMails,
];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["show-as"],
        examples: &["SHOW AS England"],
        proof: Proof::SignOn,
        question: true,
        act: Act::Line(|session, text, line| {
            let shown = show_as(session, line);
            show(session, text, shown);
        }),
        help: "SHOW AS power
    What this power was sent with the last results and since then, as HISTORY
    would bring it.  Not where something that players submit is sealed from
    the master and each power has mails of its own.",
        tells: MAILS,
        ..Command::MASTER
    },
    Command {
        rules: &["show-all"],
        examples: &["SHOW ALL"],
        proof: Proof::SignOn,
        question: true,
        act: Act::Line(|session, text, _| {
            let shown = show_all(session);
            show(session, text, shown);
        }),
        help: "SHOW ALL
    The last results and what followed, of the whole board.",
        tells: MAILS,
        ..Command::MASTER
    },
];

/// The shown mails passed the leak check when they were sent.
fn show(session: &mut Session, text: &str, shown: Result<Document, Refusal>) {
    match shown {
        Ok(shown) => session.show_passed(shown),
        refused => session.shown(text, refused),
    }
}

/// The game in hand, if there is anything to show of it.
fn game<'e>(context: &ReaderContext<'e, '_>) -> Result<&'e Game, Refusal> {
    match context.own() {
        Some(game) if game.begun() => Ok(game),
        _ => refuse("The game has not begun, so nothing was sent."),
    }
}

fn show_as(session: &Session, line: &Line) -> Result<Document, Refusal> {
    let context = session.reader_context();
    let game = game(&context)?;
    let whom = line.text_of("powers").unwrap_or_default();
    let power = read_power(whom, session.roster()).map_err(|error| {
        Refusal::from(match error {
            PowerListError::Ambiguous { .. } => error.to_string(),
            _ => format!("'{}' is not a power of this game.", whom.trim()),
        })
    })?;
    may_be_shown(game)?;
    since_the_last_report(&context, game, &|readers| match readers {
        Readership::Power(other) => *other == power,
        // In other games one copy of what everybody receives is kept.
        Readership::Everyone => !has_mails_by_power(game),
        Readership::Whole | Readership::AtTheEnd => false,
    })
}

fn show_all(session: &Session) -> Result<Document, Refusal> {
    let context = session.reader_context();
    let game = game(&context)?;
    since_the_last_report(&context, game, &|readers| match readers {
        Readership::Whole => true,
        Readership::Everyone => !has_mails_by_power(game),
        Readership::Power(_) | Readership::AtTheEnd => false,
    })
}

/// Whether each power of a game receives mails of its own, or did while the game ran.
fn has_mails_by_power(game: &Game) -> bool {
    VariantGame::new(game, variants::of(&game.variant))
        .secrecy()
        .board
}

/// Refuses to show mails that may contain something sealed from masters, such as a power's own submissions.
fn may_be_shown(game: &Game) -> Result<(), Refusal> {
    let variant = variants::of(&game.variant);
    let sealed = VariantGame::new(game, variant).keeps_from_masters() && !game.over();
    if sealed && has_mails_by_power(game) {
        refuse(format!(
            "In '{}' something that players submit is sealed from the Master, and so is what they were sent.",
            game.name
        ))
    } else {
        Ok(())
    }
}

/// The archived mails of a game for these readers, from the last report on.
fn since_the_last_report(
    context: &ReaderContext,
    game: &Game,
    readers: &dyn Fn(&Readership) -> bool,
) -> Result<Document, Refusal> {
    let begin = game.timing.created.unwrap_or(Timestamp::UNIX_EPOCH);
    let mut all = context
        .work
        .library
        .archive(&game.name, begin, context.work.now);
    all.retain(|entry| readers(&entry.readers));
    let report = |entry: &Archived| {
        let opening = entry.subject.ends_with(" Game Starting");
        !entry.broadcast && (opening || entry.subject.ends_with(" Results"))
    };
    let last = all.iter().rposition(report).unwrap_or_default();
    let since = all.split_off(last);
    let Some(first) = since.first() else {
        return refuse("Nothing of this game is kept yet.");
    };
    let seat = context.acting.and_then(|acting| game.seat(acting.seat));
    let zone = game.zone_of(seat);
    let moment = |at: Timestamp| Moment::new(at, &zone);
    let history = History {
        game: game.name.clone(),
        from: moment(first.at),
        through: moment(whole_minute(context.work.now)),
        end: HistoryEnd::Information,
        entries: since
            .into_iter()
            .map(|one| archived::entry(one, &zone))
            .collect(),
    };
    archived::shown(context.work, &history, game)
}
