//! Wrong passwords. Each is counted for its sender and for the seat at which it was tried. After too many within an
//! hour, no further password of that sender is tried, and the seat accepts no passwords from anybody. The seat's player
//! is never locked out: a mail to the seat's reply address counts, and so does the password in a mail that is proven to be
//! his, by a token or by what vouches for the sender's address.

use jiff::Timestamp;

use crate::rates::{CountKind, HOUR, Writer};
use crate::work::acting::{Refusal, invalid, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Game, Seat, SeatId};
use dipjudge_mails::outbound;
use dipjudge_rules::map::Power;

/// The largest number of games within an hour of which the keeper is told.
const MOST_TOLD: u64 = 10;
/// The account for that number.
const ALL_GAMES: &str = "all games";

/// Where a password is tried: at a power, whoever leads it, or at a seat without a power. It may be hidden whether a
/// power has a leader, and nothing that is counted here depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PasswordTarget {
    /// The leader of this power.
    Power(Power),
    /// A seat whose person leads no power.
    Seat(SeatId),
}

impl PasswordTarget {
    /// The targets for a seat's password.
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

    /// The account that wrong passwords count for.
    fn account(self, game: &str) -> String {
        match self {
            PasswordTarget::Power(power) => format!("{game} power {}", power.0),
            PasswordTarget::Seat(seat) => format!("{game} seat {}", seat.0),
        }
    }

    /// The person at this target, if he can be notified.
    fn owner(self, game: &Game) -> Option<Recipient> {
        let (seat, power) = match self {
            PasswordTarget::Power(power) => (game.holder(power)?, Some(power)),
            PasswordTarget::Seat(seat) => (game.seat(seat)?, None),
        };
        (!seat.left).then_some(Recipient::new(seat.id, power))
    }
}

/// Checks that the sender of this mail may still try passwords in the game in hand.
pub(crate) fn check_sender(work: &GameWork) -> Result<(), Refusal> {
    let most = work.judge.settings.limits.wrong_passwords_per_sender;
    if work.counted(CountKind::WrongPassword, &sender(work)) >= most {
        refuse(
            "Too many wrong passwords. Try again in an hour; or answer any mail I sent you for this game, without a \
             SIGNON line.",
        )
    } else {
        Ok(())
    }
}

/// The refusal when passwords are not accepted.
pub(crate) fn closed() -> Refusal {
    Refusal::from(
        "No password is taken for this at the moment, since somebody has been guessing.  Answer a mail of the judge \
         to you, or sign on with your password in an hour.  Nothing in this mail was done.",
    )
}

/// Whether a target in the game in hand is closed to passwords.
fn is_closed(work: &GameWork, place: PasswordTarget) -> bool {
    work.counted(CountKind::Closed, &place.account(&work.game().name)) > 0
}

/// Whether a password is tried at a seat: it is not if one of the seat's targets is closed, except for its own player.
pub(crate) fn may_try(work: &GameWork, seat: &Seat) -> bool {
    let places = PasswordTarget::all_of(work.game(), seat);
    !places.iter().any(|place| is_closed(work, *place)) || is_proven(work, seat)
}

/// Whether it is proven that this mail comes from the seat's player: the trusted host or a signature vouches for an address of
/// his, or the mail answers one that went to him alone.
fn is_proven(work: &GameWork, seat: &Seat) -> bool {
    match &work.writer {
        Some(Writer::Vouched(from) | Writer::Answered(from)) => work.lives_at(seat.id, from),
        Some(Writer::Token(whose)) => *whose == Writer::token_of(&work.game().name, seat.id),
        Some(Writer::Claimed(_)) | None => false,
    }
}

/// The refusal of a sign-on to a power without a leader, in games that hide which powers have one. The answer and the
/// counts are the same as for a wrong password at a power with a leader.
pub(crate) fn refused_at(work: &mut GameWork, power: Power) -> Refusal {
    let place = PasswordTarget::Power(power);
    let tried = !is_closed(work, place);
    match check_sender(work) {
        Ok(()) => wrong(work, &[place], tried),
        Err(why) => why,
    }
}

/// Counts a wrong password at these targets and returns the refusal, which is the same whatever was wrong. If none was
/// tried because all targets are closed, the refusal says so; but not in a game that hides its leaders or its board,
/// where a stranger would learn that others have tried that seat.
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
            tell_keeper_of_guesses(work, &game, most);
        }
    }
    invalid()
}

/// The account that the sender's wrong passwords in the game in hand count for.
fn sender(work: &GameWork) -> String {
    format!("{} {}", work.account(), work.game().name)
}

/// Sends the player a mail that he can answer, since it has the seat's reply address.
fn tell_owner(work: &mut GameWork, place: PasswordTarget, most: u64) {
    let Some(to) = place.owner(work.game()) else {
        return;
    };
    let game = work.game().name.clone();
    let (heading, reader) = (work.heading(to), work.reader(to));
    let until = work.now.checked_add(HOUR).unwrap_or(Timestamp::MAX);
    let lines = vec![
        format!(
            "Someone is guessing your password in '{game}': {most} wrong ones within an hour. Until {} I accept no \
             password for your power, from anyone.",
            reader.moment(until)
        ),
        "You can keep playing: answer this or any other mail of the game, without a SIGNON line. Choose a harder \
         password with SET PASSWORD word."
            .to_owned(),
    ];
    let notice = outbound::notice(&work.templates(), &heading, "Wrong Passwords", lines);
    if let Some(text) = notice.or_logged() {
        work.send(to, text, MailClass::Notice);
    }
}

/// Tells the keeper in which game, once an hour.
fn tell_keeper_of_guesses(work: &mut GameWork, game: &str, most: u64) {
    let told = |account: &str| work.counted(CountKind::KeeperTold, account);
    if told(game) > 0 || told(ALL_GAMES) >= MOST_TOLD {
        return;
    }
    work.count(CountKind::KeeperTold, game, 1);
    work.count(CountKind::KeeperTold, ALL_GAMES, 1);
    let lines = vec![
        format!(
            "Someone is guessing passwords in '{game}': {most} wrong ones for one power within an hour. That power \
             accepts no password for an hour. Its player knows, and can go on by answering the judge's mails."
        ),
        "Further places of this game that are guessed at within the hour are closed in the same way, without another \
         mail to you.  With authserv_id in [trust] the judge knows whose mail is really his."
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
