//! Wrong passwords. Each is counted for its sender and for the seat at which it was tried, and either has enough of them
//! within an hour: the sender is tried no more, the seat is closed to passwords, whoever sends them. Its player is never
//! shut out: what comes with the token of the seat counts, and so does his password where the host that `[trust]` names
//! vouches for his address.

use jiff::Timestamp;

use crate::rates::{CountKind, HOUR, Writer};
use crate::work::acting::{Refusal, invalid, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Game, Seat, SeatId};
use dipjudge_mails::outbound;
use dipjudge_rules::map::Power;

/// The keeper is told of so many games at most within an hour.
const MOST_TOLD: u64 = 10;
/// Of them all.
const ALL_GAMES: &str = "all games";

/// Where a password is tried: for a power, whoever leads it, or for a seat without one. Whether anybody leads the power
/// may be hidden, and shows in nothing that is counted here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PasswordTarget {
    /// The leader of this power.
    Power(Power),
    /// A seat of somebody who leads none.
    Seat(SeatId),
}

impl PasswordTarget {
    /// The places at which a seat's password is tried.
    pub(crate) fn all_of(game: &Game, seat: &Seat) -> Vec<PasswordTarget> {
        let powers: Vec<PasswordTarget> = game
            .led_by(seat.id)
            .into_iter()
            .map(PasswordTarget::Power)
            .collect();
        if powers.is_empty() {
            vec![PasswordTarget::Seat(seat.id)]
        } else {
            powers
        }
    }

    /// On whose account wrong passwords are there.
    fn account(self, game: &str) -> String {
        match self {
            PasswordTarget::Power(power) => format!("{game} power {}", power.0),
            PasswordTarget::Seat(seat) => format!("{game} seat {}", seat.0),
        }
    }

    /// Who sits there and may be told.
    fn owner(self, game: &Game) -> Option<Recipient> {
        let (seat, power) = match self {
            PasswordTarget::Power(power) => (game.holder(power)?, Some(power)),
            PasswordTarget::Seat(seat) => (game.seat(seat)?, None),
        };
        (!seat.left).then_some(Recipient::new(seat.id, power))
    }
}

/// Whether the sender of the mail in hand may still try passwords in the game in hand.
pub(crate) fn check_sender(work: &GameWork) -> Result<(), Refusal> {
    let most = work.judge.settings.limits.wrong_passwords_per_sender;
    if work.counted(CountKind::WrongPassword, &sender(work)) >= most {
        refuse(
            "Too many sign-ons with a wrong password; try again in an hour, or answer a mail of the judge to you, without a SIGNON line.",
        )
    } else {
        Ok(())
    }
}

/// What is said where passwords are not taken.
pub(crate) fn closed() -> Refusal {
    Refusal::from(
        "No password is taken for this at the moment, since somebody has been guessing.  Answer a mail of the judge to you, or sign on with your password in an hour.  Nothing in this mail was done.",
    )
}

/// Whether a place of the game in hand is closed to passwords.
fn is_closed(work: &GameWork, place: PasswordTarget) -> bool {
    work.counted(CountKind::Closed, &place.account(&work.game().name)) > 0
}

/// Whether a seat's password is tried at all: not where one of its places is closed, except for its own player.
pub(crate) fn may_try(work: &GameWork, seat: &Seat) -> bool {
    let places = PasswordTarget::all_of(work.game(), seat);
    !places.iter().any(|place| is_closed(work, *place)) || is_vouched(work, seat)
}

/// Whether the mail in hand comes from an address of this seat's player, by the word of the host that is trusted.
fn is_vouched(work: &GameWork, seat: &Seat) -> bool {
    match &work.writer {
        Some(Writer::Vouched(from)) => work.lives_at(seat.id, from),
        _ => false,
    }
}

/// Why nobody is let in at a power which nobody leads, where that is hidden: what is said and counted is as for a wrong
/// password at one that is led.
pub(crate) fn refused_at(work: &mut GameWork, power: Power) -> Refusal {
    let place = PasswordTarget::Power(power);
    let tried = !is_closed(work, place);
    match check_sender(work) {
        Ok(()) => wrong(work, &[place], tried),
        Err(why) => why,
    }
}

/// No password fitted at these places: that counts, and is answered in one way whatever was wrong. Where none was tried
/// since all of them are closed, it is said; but not in a game that hides its leaders or its board, where a stranger would
/// learn that others have been at that seat.
pub(crate) fn wrong(work: &mut GameWork, places: &[PasswordTarget], tried: bool) -> Refusal {
    let closed_all = || places.iter().all(|place| is_closed(work, *place));
    let may_be_told = !work.secrecy().leaders_or_board();
    if may_be_told && !tried && !places.is_empty() && closed_all() {
        return closed();
    }
    let sender = sender(work);
    work.count(CountKind::WrongPassword, sender, 1);
    let game = work.game().name.clone();
    let most = work.judge.settings.limits.wrong_passwords_per_seat;
    for place in places {
        let account = place.account(&game);
        if is_closed(work, *place) {
            continue;
        }
        work.count(CountKind::WrongPassword, &account, 1);
        if work.counted(CountKind::WrongPassword, &account) >= most {
            work.count(CountKind::Closed, account, 1);
            tell_owner(work, *place, most);
            tell_keeper(work, &game, most);
        }
    }
    invalid()
}

/// On whose account wrong words in the game in hand are.
fn sender(work: &GameWork) -> String {
    format!("{} {}", work.account(), work.game().name)
}

/// The player gets a mail that he can answer: it bears his token.
fn tell_owner(work: &mut GameWork, place: PasswordTarget, most: u64) {
    let Some(to) = place.owner(work.game()) else {
        return;
    };
    let game = work.game().name.clone();
    let (heading, reader) = (work.heading(to), work.reader(to));
    let until = work.now.checked_add(HOUR).unwrap_or(Timestamp::MAX);
    let lines = vec![
        format!(
            "Somebody guesses at your password in game '{game}': {most} wrong ones came within an hour.  Until {} no password is taken for your place, whoever sends it.",
            reader.moment(until)
        ),
        "You can play on: answer this mail, or any other that the judge has sent you for this game, and leave out the SIGNON line.  A password that nobody guesses is set with SET PASSWORD."
            .to_owned(),
    ];
    let notice = outbound::notice(&work.templates(), &heading, "Wrong Passwords", lines);
    if let Some(text) = notice.or_logged() {
        work.send(to, text, MailClass::Notice);
    }
}

/// The keeper learns in which game, once an hour.
fn tell_keeper(work: &mut GameWork, game: &str, most: u64) {
    let told = |account: &str| work.counted(CountKind::KeeperTold, account);
    if told(game) > 0 || told(ALL_GAMES) >= MOST_TOLD {
        return;
    }
    work.count(CountKind::KeeperTold, game, 1);
    work.count(CountKind::KeeperTold, ALL_GAMES, 1);
    let lines = vec![
        format!(
            "Somebody guesses at passwords in game '{game}': {most} wrong ones came for one place within an hour.  For an hour no password is taken for it; its player was told, and plays on by answering mails of the judge."
        ),
        "Further places of this game that are guessed at within the hour are closed in the same way, without another mail to you.  With authserv_id in [trust] the judge knows whose mail is really his."
            .to_owned(),
    ];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "Passwords are guessed at";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}
