//! Applies events to a game, one at a time. No other code changes a game, and this code decides nothing.

use std::sync::Arc;

use jiff::Timestamp;

use super::diary::Diary;
use super::event::{Event, Leave, Played, Record, SeatChange};
use super::rolling_back::{clear_phase, roll_back};
use super::{
    CalendarEntry, Conduct, Ending, Game, KeptState, MailForm, Past, Phase, Pictures, Role, Seat,
    SeatId, SettingChange, Settings, State, Timing, Year,
};
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo};
use dipjudge_rules::orders::VariantData;
use dipjudge_rules::position::Position;

/// A log whose first event does not create the game.
#[derive(Debug, thiserror::Error)]
#[error("the log of a game must begin with its creation")]
pub struct NoCreation;

/// Plays a log: the state that its records lead to. `game` is the state so far.
pub fn replay(game: Option<Game>, record: &Record) -> Result<Game, NoCreation> {
    let mut events = record.events.iter();
    let mut game = match game {
        Some(game) => game,
        None => create(events.next().ok_or(NoCreation)?, record.at)?,
    };
    for event in events {
        apply(&mut game, record.at, event);
    }
    Ok(game)
}

/// The game that the first event of a log creates.
pub fn create(event: &Event, at: Timestamp) -> Result<Game, NoCreation> {
    let Event::Created {
        name,
        variant,
        map,
        places,
        seed,
    } = event
    else {
        return Err(NoCreation);
    };
    let powers = Map::with_places(map, places)
        .unwrap_or_else(Map::standard)
        .shared_powers();
    Ok(Game {
        name: name.clone(),
        variant: variant.clone(),
        map: map.clone(),
        places: places.clone(),
        seed: seed.clone(),
        state: State::Forming,
        settings: Settings::default(),
        seats: Vec::new(),
        powers,
        labels: Vec::new(),
        standings: Default::default(),
        stand_by: Vec::new(),
        offers: Vec::new(),
        postal: Vec::new(),
        turn: Turn {
            year: 1901,
            season: Season::Spring,
        },
        phase: Phase::Movement,
        number: 0,
        position: Position::default(),
        last: None,
        years: Vec::new(),
        past: Vec::new(),
        earlier: Vec::new(),
        timing: Timing {
            created: Some(at),
            nudged: Some(at),
            ..Timing::default()
        },
        data: KeptState::default(),
    })
}

/// Replaces the position. A unit that changes hands loses its order, since its former owner gave it.
fn put_on_board(game: &mut Game, position: &Position) {
    for unit in &game.position.units {
        if position.units.contains(unit) {
            continue;
        }
        if let Some(standing) = game.standings.get_mut(&unit.power) {
            standing.orders.units.remove(&unit.id);
            standing.orders.named.remove(&unit.id);
            standing.orders.lent.remove(&unit.id);
        }
    }
    game.position = position.clone();
}

/// Deals these powers, which then have these leaders.
pub fn deal(game: &mut Game, powers: Arc<[PowerInfo]>, holders: &[(Power, SeatId)]) {
    game.powers = powers;
    game.labels.clear();
    game.stand_by.clear();
    game.standings = game
        .all_powers()
        .map(|power| (power, Default::default()))
        .collect();
    for (power, seat) in holders {
        let standing = game.standings.entry(*power).or_default();
        standing.holder = Some(*seat);
        standing.dealt = Some(*seat);
        standing.held.push((*seat, None));
    }
}

/// Changes a game by one event.
pub fn apply(game: &mut Game, at: Timestamp, event: &Event) {
    match event {
        Event::Created { .. } => {}
        Event::Seated {
            seat,
            person,
            address,
            role,
            password,
        } => game.seats.push(Seat {
            id: *seat,
            person: *person,
            address: address.clone(),
            role: *role,
            password: password.clone(),
            preference: String::new(),
            chosen: None,
            absences: Vec::new(),
            wanted_address: None,
            zone: None,
            remind: 8,
            form: MailForm::default(),
            calendar: CalendarEntry::default(),
            all_press: false,
            without_broadcasts: false,
            last_broadcast: None,
            diary: Diary::default(),
            token: 0,
            thread: None,
            brings: VariantData::default(),
            name: None,
            watched: *role == Role::Observer && game.begun(),
            left: false,
        }),
        Event::SeatChanged { seat, change } => change_seat(game, *seat, change),
        Event::Set(change) => {
            game.settings.apply(change);
            // A number that the master sets replaces one that was raised because leaders were level.
            if matches!(change, SettingChange::Centers(_)) {
                let raised = |year: &&mut Arc<Year>| year.limit.is_some();
                let raised = game.years.iter_mut().filter(raised);
                raised.for_each(|year| Arc::make_mut(year).limit = None);
            }
        }
        Event::Variant {
            variant,
            map,
            places,
        } => {
            // A chosen power belongs to the former variant and map. New lines laid over the same map do not change the powers.
            if game.variant != *variant || game.map != *map {
                game.seats.iter_mut().for_each(|seat| seat.chosen = None);
            }
            game.variant = variant.clone();
            game.map = map.clone();
            game.places = places.clone();
            game.powers = game.map().shared_powers();
        }
        Event::Labelled(given) => game.labels.push(given.clone()),
        // The map is drawn from the log.
        Event::MapGiven { .. } => {}
        Event::Renamed { power, called } => {
            let powers = Arc::make_mut(&mut game.powers);
            if let Some(info) = power.index().and_then(|index| powers.get_mut(index)) {
                *info = called.clone();
            }
            game.labels.retain(|given| given.power != *power);
        }
        Event::Dealt { powers, holders } => deal(game, powers.as_slice().into(), holders),
        Event::StandsBy { seat } => game.stand_by.push(*seat),
        Event::Posted(press) => game.postal.push(press.clone()),
        Event::Begun {
            turn,
            phase,
            position,
            data,
        } => {
            game.state = State::Running;
            (game.turn, game.phase, game.position, game.data) =
                (*turn, phase.clone(), position.clone(), data.clone());
            game.years = vec![Arc::new(Year {
                // The start counts as the end of the year before. An opening Winter belongs to that year.
                year: turn.year - i32::from(turn.season != Season::Winter),
                owners: position.owners.clone(),
                unused: Default::default(),
                limit: None,
            })];
            game.timing.begun = Some(at);
            game.timing.processed = Some(at);
            for seat in &mut game.seats {
                seat.watched = seat.role == Role::Observer && !seat.left;
            }
        }
        Event::Ready => game.state = State::Ready,
        Event::Retitled { name } => game.name.clone_from(name),
        Event::Unstarted => {
            game.state = State::Ready;
            game.labels.clear();
            game.standings.clear();
            game.stand_by.clear();
            game.position = Position::default();
            game.past.clear();
            game.earlier.clear();
            game.years.clear();
            game.timing = Timing {
                created: game.timing.created,
                nudged: Some(at),
                ..Timing::default()
            };
        }
        Event::Timed { times } => {
            // A later deadline is announced by a new reminder and new late notices.
            if game
                .timing
                .times
                .is_none_or(|old| old.deadline != times.deadline)
            {
                game.timing.reminded.clear();
            }
            if at < times.deadline {
                game.timing.late_notice = None;
            }
            if at < times.grace {
                game.timing.standstill = None;
                game.timing.abandoned_notice = None;
            }
            game.timing.times = Some(*times);
            game.timing.set_in_pause = game.state == State::Paused;
        }
        Event::Ordered {
            power,
            unit,
            action,
            named,
        } => {
            let standing = game.standings.entry(*power).or_default();
            standing.orders.order(*unit, action, *named);
            standing.required = false;
        }
        Event::Adjusting { power, orders } => {
            let standing = game.standings.entry(*power).or_default();
            standing.orders.winter = orders.clone();
            standing.required = false;
        }
        Event::Submitted {
            power,
            name,
            data,
            lasting,
        } => {
            let standing = game.standings.entry(*power).or_default();
            let submissions = if *lasting {
                &mut standing.submissions
            } else {
                &mut standing.orders.submissions
            };
            submissions.put(name, data.clone());
            standing.required = false;
        }
        Event::Lent { power, unit, to } => {
            let orders = &mut game.standings.entry(*power).or_default().orders;
            orders.units.remove(unit);
            match to {
                Some(to) => orders.lent.insert(*unit, *to),
                None => orders.lent.remove(unit),
            };
        }
        Event::Cleared { power } => {
            game.standings.entry(*power).or_default().orders = Default::default()
        }
        Event::Ahead { power, lines } => {
            game.standings
                .entry(*power)
                .or_default()
                .ahead
                .extend(lines.iter().cloned());
        }
        Event::AheadDropped { power, phase } => {
            let ahead = &mut game.standings.entry(*power).or_default().ahead;
            ahead.retain(|line| phase.as_ref().is_some_and(|phase| line.phase != *phase));
        }
        Event::Waits { power, on } => game.standings.entry(*power).or_default().wait = *on,
        Event::Flagged { power, on } => {
            let standing = game.standings.entry(*power).or_default();
            standing.flag = *on;
            // An error-free mail confirms orders that a rollback brought back.
            standing.required = standing.required && *on;
        }
        Event::Voted { power, vote } => {
            game.standings.entry(*power).or_default().vote = vote.clone()
        }
        Event::VotedToEnd { power, on } => {
            game.standings.entry(*power).or_default().terminates = *on
        }
        Event::VotesCleared => game
            .standings
            .values_mut()
            .for_each(|standing| standing.vote = None),
        Event::Approved { power, on } => game.standings.entry(*power).or_default().approved = *on,
        Event::AllIn { since } => game.timing.all_in = *since,
        Event::Reminded { powers } => game.timing.reminded.extend(powers),
        Event::Late { powers } => {
            game.timing.late_notice = Some(at);
            for power in powers {
                let standing = game.standings.entry(*power).or_default();
                standing.late = true;
                standing.times_late += 1;
            }
        }
        Event::Abandoned { powers } => {
            game.timing.abandoned_notice = Some(at);
            for power in powers {
                game.standings.entry(*power).or_default().abandoned = true;
            }
        }
        Event::Missed { powers, free } => {
            for (power, standing) in &mut game.standings {
                standing.missed = if powers.contains(power) {
                    standing.missed + 1
                } else {
                    0
                };
                standing.abandoned |= free.contains(power);
            }
        }
        Event::Disorder { power, on } => {
            let standing = game.standings.entry(*power).or_default();
            standing.disorder = *on;
            standing.abandoned = *on && standing.abandoned;
        }
        Event::Offered(offer) => {
            game.offers.retain(|open| open.id != offer.id);
            game.offers.push(offer.clone());
        }
        Event::OfferClosed { id } => game.offers.retain(|open| open.id != *id),
        Event::Standstill => game.timing.standstill = Some(at),
        Event::Nudged => game.timing.nudged = Some(at),
        Event::Vacated { power, how } => {
            let standing = game.standings.entry(*power).or_default();
            standing.resigned = matches!(how, Leave::Resigned | Leave::Ejected);
            standing.wait = false;
        }
        Event::Taken { power, seat } => {
            let (turn, phase, _) = game.phase_shown();
            let phase = (turn, phase.clone());
            game.stand_by.retain(|waiting| waiting != seat);
            let standing = game.standings.entry(*power).or_default();
            if standing.holder != Some(*seat) {
                // A vote belongs to the player who cast it, not to the successor.
                (standing.vote, standing.terminates) = (None, false);
            }
            standing.holder = Some(*seat);
            if standing.held.last().is_none_or(|(last, _)| last != seat) {
                standing.held.push((*seat, Some(phase)));
            }
            (
                standing.abandoned,
                standing.disorder,
                standing.resigned,
                standing.late,
            ) = (false, false, false, false);
            standing.missed = 0;
            // The lapses of the former leader do not count against the new one after a rollback.
            standing.at_first = Conduct {
                times_late: standing.at_first.times_late,
                ..Conduct::default()
            };
        }
        Event::Played(played) => play(game, at, played),
        Event::Owned { position } => {
            game.position = position.clone();
            game.years.push(Arc::new(Year {
                year: game.turn.year,
                owners: position.owners.clone(),
                unused: Default::default(),
                limit: None,
            }));
        }
        Event::Raised { number } => {
            if let Some(year) = game.years.last_mut() {
                Arc::make_mut(year).limit = Some(*number);
            }
        }
        Event::Board { position } => put_on_board(game, position),
        Event::Data { data } => game.data = data.clone(),
        Event::Opened { turn, phase } => {
            (game.turn, game.phase) = (*turn, phase.clone());
            for standing in game.standings.values_mut() {
                standing.at_first = Conduct::of(standing);
            }
        }
        Event::Paused => {
            game.state = State::Paused;
            game.timing.set_in_pause = false;
            game.timing.nudged = Some(at);
        }
        Event::Halted => {
            game.state = State::Halted { since: at };
            game.timing.nudged = Some(at);
        }
        Event::Resumed => {
            game.state = State::Running;
            game.timing.ended = None;
        }
        Event::Reseeded { seed } => game.seed = seed.clone(),
        Event::Ended { ending } => end(game, at, ending),
        Event::RolledBack { number, restores } => roll_back(game, *number, *restores),
    }
}

fn end(game: &mut Game, at: Timestamp, ending: &Ending) {
    game.state = State::Over(ending.clone());
    game.timing.ended = Some(at);
    game.timing.all_in = None;
}

fn change_seat(game: &mut Game, id: SeatId, change: &SeatChange) {
    let followed = match change {
        SeatChange::Follows(other) => game.seat(*other).cloned(),
        _ => None,
    };
    let Some(seat) = game.seats.iter_mut().find(|seat| seat.id == id) else {
        return;
    };
    match change {
        SeatChange::Role(role) => seat.role = *role,
        SeatChange::Address(address) => {
            seat.address = address.clone();
            seat.wanted_address = None;
            // The new address has no calendar entry yet.
            seat.calendar.says = None;
        }
        SeatChange::WantsAddress(address) => seat.wanted_address = address.clone(),
        SeatChange::Password(password) => seat.password = password.clone(),
        SeatChange::Preference(list) => seat.preference = list.clone(),
        SeatChange::Chosen(power) => seat.chosen = *power,
        SeatChange::Zone(zone) => seat.zone = zone.clone(),
        SeatChange::Remind(hours) => seat.remind = *hours,
        SeatChange::Html(on) => seat.form.html = *on,
        SeatChange::Pictures(true) => seat.form.pictures = Pictures::Whole,
        SeatChange::Pictures(false) => seat.form.pictures = Pictures::Off,
        SeatChange::NearPictures => seat.form.pictures = Pictures::Near,
        SeatChange::Calendar(on) => {
            seat.calendar.wanted = *on;
            // A player who asks for the entry again may have lost it.
            if *on {
                seat.calendar.says = None;
            }
        }
        SeatChange::CalendarSent { id, says } => {
            let entry = &mut seat.calendar;
            entry.id = Some(id.clone());
            entry.says = says.clone();
            entry.sent = entry.sent.saturating_add(1);
        }
        SeatChange::Follows(_) => {
            if let Some(before) = followed {
                seat.form = before.form;
                seat.remind = before.remind;
                seat.calendar = before.calendar;
            }
        }
        SeatChange::AllPress(on) => seat.all_press = *on,
        SeatChange::DiaryWritten(entry) => seat.diary.write(entry.clone()),
        SeatChange::DiaryDeleted(number) => {
            seat.diary.entries.remove(number);
        }
        SeatChange::DiaryPublished => seat.diary.published = seat.diary.written,
        SeatChange::Broadcasts(on) => seat.without_broadcasts = !on,
        SeatChange::HasBroadcast(turn) => seat.last_broadcast = Some(*turn),
        SeatChange::Absent(absence) => seat.absences.push(*absence),
        SeatChange::Present(at) => seat
            .absences
            .retain(|absence| *at < absence.from || *at > absence.to),
        SeatChange::Token(count) => seat.token = *count,
        SeatChange::Person(person) => seat.person = *person,
        SeatChange::Thread(id) => seat.thread = Some(id.clone()),
        SeatChange::Brings(data) => seat.brings = data.clone(),
        SeatChange::Left => {
            seat.left = true;
            game.stand_by.retain(|waiting| *waiting != id);
        }
        SeatChange::Back => seat.left = false,
        SeatChange::Name(name) => seat.name = Some(name.clone()),
    }
}

/// Applies an adjudicated phase: records the state before it, takes its results, and clears what applied to that phase only.
fn play(game: &mut Game, at: Timestamp, played: &Arc<Played>) {
    let past = Past::taken_from(game, played.number);
    game.past.push(Arc::new(past));
    if !played.adjusted.is_empty()
        && let Some(year) = game.years.last_mut()
    {
        let unused = &mut Arc::make_mut(year).unused;
        for adjusted in &played.adjusted {
            match adjusted.what {
                super::Adjustment::Waived => *unused.entry(adjusted.power).or_default() += 1,
                super::Adjustment::Unusable(n) | super::Adjustment::Saved(n) => {
                    *unused.entry(adjusted.power).or_default() += n
                }
                _ => {}
            }
        }
    }
    game.number = played.number;
    game.position = played.position.clone();
    game.last = Some(Arc::clone(played));
    game.postal.clear();
    game.timing.processed = Some(at);
    clear_phase(game);
    for standing in game.standings.values_mut() {
        standing.required = false;
    }
}
