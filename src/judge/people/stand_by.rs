//! The stand-by list. In games that have one, a person who signs on after the start joins the end of the list, whatever
//! the state of the game. When a power becomes vacant, the first on the list leads it at once; only he, the former
//! leader and masters are told.

use crate::boundary::{Archived, Readership};
use crate::people::admission::check_stand_by;
use crate::people::passwords;
use crate::people::seating::sit;
use crate::people::take_over::dismiss;
use crate::registry::{Person, RegistryEvent};
use crate::work::acting::{Entered, Refusal, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Event, Game, Role, SeatId, VariantGame, in_play, secrecy};
use dipjudge_mails::outbound::{self, HistoryEntry};
use dipjudge_rules::map::Power;
use dipjudge_view::{Moment, whole_minute};

/// Whether the game in hand has a stand-by list.
pub(crate) fn is_kept(work: &GameWork) -> bool {
    work.variant().has_stand_by(&work.game().settings)
}

/// Adds a person to the end of the list. The answer is the same in every state of the game.
pub(crate) fn enrol(
    work: &mut GameWork,
    person: &Person,
    from: &str,
    word: &str,
) -> Result<Entered, Refusal> {
    check_stand_by(work.game(), person)?;
    if !passwords::allowed(word) {
        return refuse("Choose a password without blanks and put it after the game's name.");
    }
    let acting = sit(work, person, from, word, Role::Player)?;
    work.emit(Event::StandsBy { seat: acting.seat });
    let name = work.game().name.clone();
    work.tell_others(
        Some(acting.seat),
        "New Player Signon: Stand-by",
        |work, to| {
            let who = work.introduced_to(to, acting.seat)?;
            work.is_master(to)
                .then(|| vec![format!("{who} stands by in game '{name}'.")])
        },
    );
    let said = format!(
        "You are on the stand-by list of '{name}'. When a player leaves, the first on the list takes over; I will \
         write if that is you. RESIGN takes you off."
    );
    Ok(Entered::new(acting, said))
}

/// Gives each vacant power to the first on the list who may lead it.
pub(crate) fn fill_vacancies(work: &mut GameWork) {
    let game = work.game();
    if !is_kept(work) || !game.begun() || game.over() {
        return;
    }
    for power in in_play(game, work.variant()) {
        let game = work.game();
        let vacant = game.standing(power).vacant();
        if vacant && let Some(seat) = first_for(game, power) {
            lead(work, power, seat);
        }
    }
}

/// The first on the list who may lead a power: a former leader of another power may not.
fn first_for(game: &Game, power: Power) -> Option<SeatId> {
    let may_lead = |seat: &SeatId| {
        let person = game.seat(*seat).map(|seat| seat.person);
        let own = person.and_then(|person| secrecy::own_powers(game, person));
        own.is_none_or(|own| own.contains(&power))
    };
    game.stand_by.iter().copied().find(may_lead)
}

/// Makes a person on the list the leader of a power.
fn lead(work: &mut GameWork, power: Power, seat: SeatId) {
    let game = work.game();
    let standing = game.standing(power);
    // A leader who resigned or was ejected has already been told.
    let leaving = &work.open.close_seats_after;
    let old = game
        .holder(power)
        .filter(|old| !old.left && !leaving.contains(&old.id))
        .map(|old| old.id);
    let (voted, terminates) = (standing.vote.is_some(), standing.terminates);
    let person = game.seat(seat).map(|seat| seat.person);
    if voted {
        work.emit(Event::Voted { power, vote: None });
    }
    if terminates {
        work.emit(Event::VotedToEnd { power, on: false });
    }
    work.emit(Event::Taken { power, seat });
    work.register(RegistryEvent::Joined {
        people: person.into_iter().collect(),
        at_start: false,
    });
    if let Some(old) = old {
        dismiss(work, old, power);
    }
    tell_masters(work, power, seat);
    tell_leader(work, power, seat);
}

fn tell_masters(work: &mut GameWork, power: Power, seat: SeatId) {
    let mut masters = work.everyone();
    masters.retain(|to| work.is_master(*to));
    work.broadcast(&masters, MailClass::Notice, |work, to| {
        let (heading, labels) = (work.heading(to), work.labels(to));
        let who = work.introduced_to(to, seat)?;
        let line = format!(
            "{who}, who stood by, leads {} in game '{}' now.",
            labels.name(power),
            heading.game
        );
        let tail = format!("New Player Signon: {}", labels.letter(power));
        work.notice(to, &tail, line)
    });
}

/// Sends the new leader all earlier mails to his power, since they belong to the power and not to a person.
fn tell_leader(work: &mut GameWork, power: Power, seat: SeatId) {
    let to = Recipient::new(seat, Some(power));
    work.give_labels(&[to]);
    let (game, variant) = (work.game(), work.variant());
    let reader = work.reader(to);
    let entry = |archived: Archived| HistoryEntry {
        at: Moment::new(archived.at, &reader.zone),
        subject: archived.subject,
        body: archived.body,
    };
    let mail = outbound::NewLeader {
        selected: VariantGame::new(game, variant)
            .seen_by(reader.viewer)
            .labels()
            .introduced(power),
        variant: variant.card().called().to_owned(),
        tables: VariantGame::new(game, variant).read_by(&reader).tables(),
        entries: sent_so_far(work, power).into_iter().map(entry).collect(),
    };
    let written = outbound::new_leader(&work.templates(), &work.heading(to), &mail);
    if let Some(text) = written.or_logged() {
        let text = work.with_board(to, text);
        work.send(to, text, MailClass::Opening);
    }
}

/// All archived mails to a power, including those that this mail has just sent.
fn sent_so_far(work: &GameWork, power: Power) -> Vec<Archived> {
    let game = work.game();
    let begin = whole_minute(game.timing.created.unwrap_or(work.now));
    let stored = work.library.archive(&game.name, begin, work.now);
    let all = stored
        .into_iter()
        .chain(work.ruling.archive.iter().cloned());
    all.filter(|one| one.game == game.name && one.readers == Readership::Power(power))
        .collect()
}
