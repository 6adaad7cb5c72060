//! What players may ask: LIST, SUMMARY, HISTORY, WHOGAME, VERSION (`judge-workflow.md` 2.2). Every answer is made for
//! the class of its reader: a member of the game, an observer or a stranger.

use jiff::{SignedDuration, Timestamp};

use crate::KnownAddresses;
use crate::acts::archived::{self, failed, templates};
use crate::acts::asked::{asked, check_reads_before_the_end, reader};
use crate::boundary::{Archived, Readership};
use crate::people::registering::registered;
use crate::people::unlisted;
use crate::work::Work;
use crate::work::acting::{ActOutcome, Refusal, say};
use crate::work::reader_context::ReaderContext;
use dipjudge_commands::date_meaning::{Sense, resolve};
use dipjudge_commands::date_words::DateWords;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, Role, Seat, SeatId, VariantGame, project};
use dipjudge_mails::outbound::{
    self, Document, History, HistoryEnd, HistoryEntry, Person as WhogamePerson,
};
use dipjudge_rules::calendar::PhaseName;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::{ListedPerson, Listing, Moment, Viewer, whole_minute};

/// The default number of lines of a HISTORY.
const HISTORY_LINES: usize = 1000;

/// The brief list of public games.
pub(crate) fn brief(work: &Work) -> ActOutcome {
    let listed = work
        .judge
        .games()
        .filter(|game| game.settings.list && !game.over());
    let games: Vec<_> = listed
        .map(|game| {
            let name_of = |seat| name_of(work, game, seat);
            VariantGame::new(game, variants::of(&game.variant)).brief(&name_of)
        })
        .collect();
    if games.is_empty() {
        return Ok(
            "There is no public game on this judge at the moment.  GET HOW2GM tells how to begin one."
                .to_owned()
                .into(),
        );
    }
    outbound::list_brief(&work.judge.templates, &games).map_err(failed)
}

/// LIST game.
pub(crate) fn full(context: &ReaderContext, name: Option<&str>) -> ActOutcome {
    let (game, listing) = listed(context, name)?;
    outbound::list_full(&templates(context.work, game), &listing).map_err(failed)
}

/// DEDGAME: the dedication of all in a game, as its list shows them to this reader.
pub(crate) fn dedication_of_all(context: &ReaderContext, name: Option<&str>) -> ActOutcome {
    let (game, listing) = listed(context, name)?;
    let known = |person: &ListedPerson| {
        let dedication = person.dedication?;
        Some(format!(
            "{:<12} {dedication:>6}  {}",
            person.role, person.called
        ))
    };
    let lines: Vec<String> = listing.people.iter().filter_map(known).collect();
    if lines.is_empty() {
        return Err(Refusal::from(format!(
            "Who is in '{}' is not told, so neither is their dedication; GET DEDICATION tells yours.",
            game.name
        )));
    }
    Ok(Document::verbatim(lines.join("\n")))
}

/// A game that a reader asks for, and what LIST tells him of it.
fn listed<'c>(
    context: &'c ReaderContext,
    name: Option<&str>,
) -> Result<(&'c Game, Listing), Refusal> {
    let work = context.work;
    let by_name = name.and_then(|name| work.judge.game(name));
    let game = match by_name.filter(|game| unlisted::answers(work, game, &context.address)) {
        // A sender who has signed on to the game reads its current working copy.
        Some(game) if context.own().is_none_or(|own| own.name != game.name) => game,
        _ => asked(context, name)?,
    };
    let reader = reader(context, game);
    let master = reader.viewer == Viewer::Master;
    let hidden = VariantGame::new(game, variants::of(&game.variant)).hides_leaders();
    let dedication = |seat: &Seat, person: &crate::Person| {
        // Dedication identifies people, so it is not shown where leaders are hidden (`judge-workflow.md` 4.9).
        let shown = !seat.left && (!hidden || master || planted(Leak::LeaderPoints));
        // A master of the game knows who was late in it.
        let withheld = if master {
            person.withheld.get(&game.name).copied().unwrap_or_default()
        } else {
            0
        };
        shown.then_some(person.dedication + withheld)
    };
    let known = |seat: &Seat| {
        let person = work.registry.person(seat.person);
        project::RegisteredPerson {
            name: name_of(work, game, seat.id),
            dedication: person.and_then(|person| dedication(seat, person)),
        }
    };
    let listing = VariantGame::new(game, variants::of(&game.variant))
        .read_by(&reader)
        .listing(&known);
    Ok((game, listing))
}

/// The name of the person at a seat.
fn name_of(work: &Work, game: &Game, seat: SeatId) -> String {
    let person = game
        .seat(seat)
        .and_then(|seat| work.registry.person(seat.person));
    person.map_or_else(String::new, |person| person.name.clone())
}

pub(crate) fn summary(context: &ReaderContext, name: Option<&str>) -> ActOutcome {
    let (work, game) = (context.work, asked(context, name)?);
    check_reads_before_the_end(game, &reader(context, game))?;
    if game.number == 0 {
        return Err(Refusal::from(format!(
            "No turn of '{}' has been processed yet, so there is nothing to sum up.",
            game.name
        )));
    }
    let reader = reader(context, game);
    let name_of = |seat| name_of(work, game, seat);
    let summary = VariantGame::new(game, variants::of(&game.variant))
        .read_by(&reader)
        .summary(&name_of);
    outbound::summary(&templates(work, game), &summary).map_err(failed)
}

/// The filter of a HISTORY request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HistoryRequest {
    /// The game; the sender's own by default.
    pub game: Option<String>,
    /// The earliest date; a week ago by default.
    pub from: Option<Timestamp>,
    /// The latest date; now by default.
    pub to: Option<Timestamp>,
    pub lines: Option<usize>,
    /// Only results of later phases than this one.
    pub after: Option<PhaseName>,
    /// Only results of earlier phases than this one.
    pub until: Option<PhaseName>,
    /// Results of this phase only.
    pub of: Option<PhaseName>,
    /// Whether broadcasts are included when results are selected by phase.
    pub broadcasts: bool,
}

impl HistoryRequest {
    /// Everything of the game in hand since a moment.
    pub(crate) fn since(from: Timestamp) -> HistoryRequest {
        HistoryRequest {
            from: Some(from),
            ..HistoryRequest::default()
        }
    }

    /// Whether an archived mail matches the request.
    fn wants(&self, entry: &Archived) -> bool {
        if self.after.is_none() && self.until.is_none() && self.of.is_none() {
            return true;
        }
        if entry.broadcast {
            return self.broadcasts;
        }
        let phase = entry
            .subject
            .split_once(" - ")
            .and_then(|(_, rest)| rest.split_whitespace().next());
        let Some(phase) = phase.and_then(|token| token.parse::<PhaseName>().ok()) else {
            return false;
        };
        self.of.is_none_or(|of| phase == of)
            && self.after.is_none_or(|after| phase > after)
            && self.until.is_none_or(|until| phase < until)
    }
}

/// A date in the past, in the reader's time zone; midnight if no time of day is given.
pub(crate) fn moment_behind(
    context: &ReaderContext,
    date: &DateWords,
    sense: Sense,
) -> Result<Timestamp, Refusal> {
    let zone = context.own().map_or(jiff::tz::TimeZone::UTC, |game| {
        game.zone_of(context.acting.and_then(|acting| game.seat(acting.seat)))
    });
    resolve(
        date,
        context.work.now,
        &zone,
        jiff::civil::Time::midnight(),
        sense,
    )
    .map_err(|error| Refusal::from(error.to_string()))
}

/// Whether a game's board is hidden from some of its readers now.
fn hidden(game: &Game) -> bool {
    game.begun() && VariantGame::new(game, variants::of(&game.variant)).hides_board()
}

/// Whether a reader may read an archived mail. Mails to a power are for its leader while the game runs; once it is
/// over, everybody reads the whole archive.
fn may_read(readers: Readership, viewer: Viewer, hidden: bool, over: bool) -> bool {
    match readers {
        Readership::AtTheEnd => over,
        Readership::Everyone => true,
        Readership::Power(power) => hidden && viewer == Viewer::Power(power),
        Readership::Whole => !hidden || viewer == Viewer::Master,
    }
}

/// The archived mails with names in place of addresses, for readers who may not read addresses.
fn told_by_name(work: &Work, game: &Game, kept: Vec<Archived>) -> Vec<Archived> {
    // The log is read only for mails that were archived before names were kept with them.
    let known = if kept.iter().any(|entry| entry.by_name.is_not_kept()) {
        KnownAddresses::of(&work.registry, &work.library.log(&game.name))
    } else {
        KnownAddresses::default()
    };
    let named = kept.into_iter().map(|entry| entry.told_by_name(&known));
    named.collect()
}

/// Whether nothing of a game's archive is for a reader.
fn is_closed_to(game: &Game, reader: &project::Reader) -> bool {
    hidden(game) && matches!(reader.viewer, Viewer::Observer | Viewer::Stranger)
}

/// The archived mails that a reader may read, as he reads them.
fn readable(
    work: &Work,
    game: &Game,
    reader: &project::Reader,
    mut kept: Vec<Archived>,
) -> Vec<Archived> {
    let (hidden, over) = (hidden(game), game.over());
    kept.retain(|entry| may_read(entry.readers, reader.viewer, hidden, over));
    if reader.reads_addresses() {
        kept
    } else {
        told_by_name(work, game, kept)
    }
}

/// The last results of the game in hand that a reader may read, as they were sent, the newest first; none if he may read none.
pub(crate) fn last_reports(context: &ReaderContext, most: usize) -> Vec<String> {
    let (work, Ok(game)) = (context.work, asked(context, None)) else {
        return Vec::new();
    };
    let reader = reader(context, game);
    let Some(created) = game.timing.created else {
        return Vec::new();
    };
    if check_reads_before_the_end(game, &reader).is_err() || is_closed_to(game, &reader) {
        return Vec::new();
    }
    let mut found = work.library.archive(&game.name, created, work.now);
    found.retain(Archived::is_results);
    let readable = readable(work, game, &reader, found).into_iter();
    readable.rev().take(most).map(|one| one.body).collect()
}

/// HISTORY: everything that an observer would have received, or the reader's own mails if the board is hidden.
pub(crate) fn history(context: &ReaderContext, wanted: &HistoryRequest) -> ActOutcome {
    let (work, game) = (context.work, asked(context, wanted.game.as_deref())?);
    let reader = reader(context, game);
    check_reads_before_the_end(game, &reader)?;
    let zone = reader.zone.clone();
    // Results that are selected by phase are included regardless of their age.
    let now = whole_minute(work.now);
    let week = now - SignedDuration::from_hours(7 * 24);
    let by_phase = wanted.after.or(wanted.until).or(wanted.of);
    let by_phase = by_phase.and(game.timing.created);
    let begin = wanted.from.or(by_phase).unwrap_or(week);
    let end = wanted.to.unwrap_or(now);
    if is_closed_to(game, &reader) {
        return Err(Refusal::from(format!(
            "'{}' is played blind: its history can be read by all once it is over.",
            game.name
        )));
    }
    let mut found = work.library.archive(&game.name, begin, end);
    if planted(Leak::HistoryLimit) {
        let mut read = 0;
        let limit = wanted.lines.unwrap_or(HISTORY_LINES);
        found.retain(|entry| {
            read += entry.body.lines().count();
            read <= limit
        });
    }
    found.retain(|entry| wanted.wants(entry));
    found = readable(work, game, &reader, found);
    let limit = wanted.lines.unwrap_or(HISTORY_LINES);
    let mut used = 0;
    let fits = |entry: &Archived| {
        used += entry.body.lines().count() + 3;
        used <= limit
    };
    let total = found.len();
    let found = found.into_iter().take_while(fits);
    let mut shown: Vec<HistoryEntry> = found.map(|entry| archived::entry(entry, &zone)).collect();
    if planted(Leak::History) {
        let votes = game.standings.values().filter(|one| one.vote.is_some());
        let votes = votes.count().to_string();
        shown
            .iter_mut()
            .for_each(|entry| entry.subject.push_str(&votes));
    }
    let history = History {
        game: game.name.clone(),
        from: Moment::new(begin, &zone),
        through: Moment::new(end, &zone),
        end: match (shown.len() < total, end < now) {
            (true, _) => HistoryEnd::LineLimit,
            (false, true) => HistoryEnd::TimeRange,
            (false, false) => HistoryEnd::Information,
        },
        entries: shown,
    };
    archived::shown(work, &history, game)
}

/// WHOGAME: name, country and level only; no people where leaders are hidden. If the board is hidden, only the power
/// itself knows its present leader: all others read who led it at the start, as the mail at the start said. In games
/// that hide which powers exist, a power reads only of itself and its contacts.
pub(crate) fn who_game(context: &ReaderContext, name: Option<&str>, observers: bool) -> ActOutcome {
    let (work, game) = (context.work, asked(context, name)?);
    let reader = reader(context, game);
    let variant = variants::of(&game.variant);
    let alone = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .hides_existence();
    let line = |role: &str, seat: Option<&Seat>| {
        let shown = seat.filter(|seat| {
            !VariantGame::new(game, variant)
                .read_by(&reader)
                .hides_leader(seat)
        });
        let person = shown.and_then(|seat| work.registry.person(seat.person));
        let name = person.map_or("", |person| person.name.as_str());
        WhogamePerson {
            role: role.to_owned(),
            called: shown.map(|seat| {
                VariantGame::new(game, variant)
                    .read_by(&reader)
                    .called(seat, name)
            }),
            user: person.map(|person| person.id.0),
            name: person.map(|person| person.name.clone()),
            country: person.and_then(|person| person.country.clone()),
            level: person.map(|person| person.level.to_string()),
        }
    };
    let mut people: Vec<WhogamePerson> = game
        .seated(Role::Master)
        .map(|seat| line("Master", Some(seat)))
        .collect();
    if game.begun() {
        people.extend(powers_of(game, &reader, &line));
    } else if !alone
        && !VariantGame::new(game, variant)
            .seen_by(reader.viewer)
            .hides_who_joined()
    {
        people.extend(
            game.seated(Role::Player)
                .map(|seat| line("Player", Some(seat))),
        );
    }
    // In games that hide which powers exist, the number of observers is shown to nobody.
    if observers && !alone {
        people.extend(
            game.seated(Role::Observer)
                .map(|seat| line("Observer", Some(seat))),
        );
    }
    outbound::whogame(&templates(work, game), &game.name, &people).map_err(failed)
}

/// The powers of a game with their leaders, as WHOGAME shows them to a reader.
fn powers_of(
    game: &Game,
    reader: &project::Reader,
    line: &dyn Fn(&str, Option<&Seat>) -> WhogamePerson,
) -> Vec<WhogamePerson> {
    let variant = variants::of(&game.variant);
    let closed = hidden(game) && reader.viewer != Viewer::Master;
    let alone = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .hides_existence();
    let labels = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .labels();
    let told = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .told_in_lists();
    let mut powers = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .known_powers();
    if alone {
        powers.retain(|power| told.contains(power) || planted(Leak::Existence));
        powers.sort_by_key(|power| labels.name(*power));
    }
    let of = |power: Power| {
        let name = labels.introduced(power).to_string();
        if !closed || reader.viewer == Viewer::Power(power) {
            return line(&name, game.holder(power));
        }
        if let Some(leader) = VariantGame::new(game, variant)
            .read_by(reader)
            .leader_shown(power)
        {
            return WhogamePerson {
                called: Some(leader),
                ..line(&name, None)
            };
        }
        let began = game
            .standings
            .get(&power)
            .and_then(|one| game.seat(one.dealt?));
        if VariantGame::new(game, variant).hides_leaders() {
            line(&name, None)
        } else {
            line(&format!("{name}, as the game began,"), began)
        }
    };
    powers.into_iter().map(of).collect()
}

pub(crate) fn dedication(context: &ReaderContext) -> ActOutcome {
    let person = registered(context.work, &context.address)?;
    let percent = |part: u32, whole: u32| match whole {
        0 => "none yet".to_owned(),
        whole => format!("{}.{:02}", part / whole, part % whole * 100 / whole),
    };
    let games = person.started + person.taken_over;
    say(vec![
        format!(
            "User {}: {}, dedication {}.",
            person.id.0,
            person.name,
            person.own_dedication()
        ),
        format!(
            "Turns on time: {} of {}.  Games started: {}, taken over: {}, resigned: {}.",
            person.on_time, person.turns, person.started, person.taken_over, person.resigned
        ),
        format!(
            "On-time ratio: {}.  Civil disorder ratio: {}.",
            percent(person.on_time, person.turns),
            percent(person.disorder, games)
        ),
    ])
}

/// VERSION: the program's version. The numbers of users and games are not shown (`visibility.md` 7).
pub(crate) fn version() -> Vec<String> {
    vec![format!(
        "This is dipjudge, version {}.",
        env!("CARGO_PKG_VERSION")
    )]
}
