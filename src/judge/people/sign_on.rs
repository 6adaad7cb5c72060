//! Who acts, and for which seat of which game: by the sign-on line with its password, or by the token of a reply
//! address (`judge-workflow.md` 2.1, 4.7, 7).

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::Judge;
use crate::boundary::PassedPassword;
use crate::links::{LinkEnd, LinkRequest};
use crate::people::guessing::{self, PasswordTarget};
use crate::people::passwords;
use crate::people::relay::{self, Relay};
use crate::people::reply_addresses;
use crate::people::stand_by;
use crate::people::take_over;
use crate::tokens;
use crate::work::GameWork;
use crate::work::acting::{Acting, Refusal};
use dipjudge_game::{AFTER_THE_END, Event, Game, Offer, Role, Seat, SeatId, Seed, VariantGame};
use dipjudge_mails::inbound::{Address, InboundMail, MailKind, Proof};
use dipjudge_rules::map::Power;

/// The role that a sign-on asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignOnRole {
    /// The leader of a power.
    Power(Power),
    Master,
    Observer,
    /// Any seat that matches the password and the address.
    Whoever,
}

/// Signs a person on by password. A vacant power is taken over, or returned to its former leader.
pub(crate) fn by_password(
    work: &mut GameWork,
    from: &str,
    wanted: SignOnRole,
    word: &str,
) -> Result<Acting, Refusal> {
    let game = work.game();
    let name = game.name.clone();
    guessing::check_sender(work)?;
    let vacant = match wanted {
        SignOnRole::Power(power) if game.begun() => game.standing(power).vacant().then_some(power),
        _ => None,
    };
    if let Some(power) = vacant {
        return take_over::take_over(work, from, power, word);
    }
    let person = work.registry.by_address(from).map(|person| person.id);
    let at_home = |seat: &Seat| Some(seat.person) == person || seat.address == from;
    // In games that hide leaders, a password alone does not select a seat: two players may have chosen the same
    // password (README, Decided 23).
    let word_names_seat = !VariantGame::new(game, work.variant()).hides_leaders();
    let fitting = |seat: &&Seat| {
        !seat.left
            && match wanted {
                SignOnRole::Power(power) => game.led_by(seat.id).contains(&power),
                SignOnRole::Master => seat.role == Role::Master,
                SignOnRole::Observer => seat.role == Role::Observer,
                SignOnRole::Whoever => word_names_seat || at_home(seat),
            }
    };
    let seats: Vec<Seat> = game.seats.iter().filter(fitting).cloned().collect();
    // The sender's own seats come first, so that other seats' passwords are rarely tried.
    let places: Vec<PasswordTarget> = match wanted {
        SignOnRole::Power(power) => vec![PasswordTarget::Power(power)],
        _ => {
            let all = seats
                .iter()
                .flat_map(|seat| PasswordTarget::all_of(game, seat));
            all.collect()
        }
    };
    let own_closed = seats
        .iter()
        .any(|seat| at_home(seat) && !guessing::may_try(work, seat));
    let (own, others): (Vec<Seat>, Vec<Seat>) = seats
        .into_iter()
        .filter(|seat| guessing::may_try(work, seat))
        .partition(at_home);
    let tried = !own.is_empty() || !others.is_empty();
    let fits = |seat: &Seat| work.judge.word_fits(&name, seat, word);
    let found = own.into_iter().find(|seat| fits(seat)).or_else(|| {
        let mut fitting = others.into_iter().filter(|seat| fits(seat));
        let first = fitting.next()?;
        // If several seats match, the sign-on is ambiguous.
        let one = wanted != SignOnRole::Whoever || fitting.next().is_none();
        one.then_some(first)
    });
    let Some(seat) = found else {
        let why = guessing::wrong(work, &places, tried);
        return Err(if own_closed { guessing::closed() } else { why });
    };
    let word = work.judge.fitting_word(&name, &seat, word).unwrap_or(word);
    let keyed = work.judge.keyed(word);
    work.ruling.passed.push(PassedPassword {
        game: name,
        seat: seat.id,
        keyed,
    });
    let power = match wanted {
        SignOnRole::Power(power) => Some(power),
        _ => work.game().led_by(seat.id).first().copied(),
    };
    let from_home = work.lives_at(seat.id, from);
    if from_home {
        work.prove(from);
    }
    Ok(Acting {
        seat: seat.id,
        power,
        from_home,
        by_token: false,
    })
}

/// The address of the judge at which a mail arrived, by its token. It decides for whom the mail acts, and what happens
/// to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArrivedBy {
    /// The plain address, or one with an unknown token.
    PlainAddress,
    /// The reply address of a seat, which signs on to that seat.
    Seat(String, SeatId),
    /// The address by which a seat's new address is proven: the game, the seat, the new address.
    Address(String, SeatId, String),
    /// The address by which an offer is answered: the game and the offer.
    Offer(String, Offer),
    /// A relay address, by which a player answers another who is hidden from him.
    Relay(Relay),
    /// An address of a seat that has ended: the game and the seat.
    Ended(String, SeatId),
    /// The address by which one of two addresses says that both are one person's.
    Linking(LinkRequest, LinkEnd),
    /// An address of a stopped game: its name.
    Stopped(String),
}

/// The address at which a mail arrived: the first known token among its recipients decides.
pub(crate) fn arrived_by(judge: &Judge, mail: &InboundMail, now: Timestamp) -> ArrivedBy {
    let Ok(own) = Address::parse(&judge.settings.address) else {
        return ArrivedBy::PlainAddress;
    };
    let Some(secret) = judge.registry().secret() else {
        return ArrivedBy::PlainAddress;
    };
    // Return paths have tokens of the judge's too, but nobody replies to them.
    let tokens = mail.tokens(&own).into_iter();
    for token in tokens.filter(|token| token.len() == tokens::LENGTH) {
        let game = judge.games.of_token(secret, &token);
        let found = game.and_then(|game| arrived_by_token(secret, game, &token, now));
        if let Some(arrived_by) = found {
            return arrived_by;
        }
        if let Some((request, end)) = judge.links.of_token(secret, &token, now) {
            return ArrivedBy::Linking(request, end);
        }
        let mut stopped = judge.stopped();
        let has_token = |game| arrived_by_token(secret, game, &token, now).is_some();
        if let Some(stopped) = stopped.find(|stopped| stopped.so_far().is_some_and(has_token)) {
            return ArrivedBy::Stopped(stopped.game.clone());
        }
    }
    match &mail.kind {
        MailKind::CalendarAnswer(answer) => answer.entry.as_deref(),
        _ => None,
    }
    .and_then(|entry| arrived_by_entry(judge, secret, mail, entry))
    .unwrap_or(ArrivedBy::PlainAddress)
}

/// A calendar program answers to the judge's plain address and names the calendar entry, whose id only its reader
/// knows. Calendars are shared more often than mails, so the answer is accepted only from the reader's own address.
fn arrived_by_entry(
    judge: &Judge,
    secret: &Seed,
    mail: &InboundMail,
    entry: &str,
) -> Option<ArrivedBy> {
    let host = judge.settings.authserv_id.as_deref();
    if matches!(mail.proven(host), Proof::Fail | Proof::None) {
        return None;
    }
    let from = mail.from.key();
    let person = judge.registry.by_address(&from).map(|person| person.id);
    let game = judge.games.of_token(secret, tokens::of_entry(entry))?;
    let is_his = |seat: &&Seat| {
        let id = seat.calendar.id.as_deref();
        id.is_some_and(|id| tokens::same(id, entry))
            && !seat.left
            && (seat.address == from || Some(seat.person) == person)
    };
    let seat = game.seats.iter().find(is_his)?;
    Some(ArrivedBy::Seat(game.name.clone(), seat.id))
}

fn arrived_by_token(secret: &Seed, game: &Game, token: &str, now: Timestamp) -> Option<ArrivedBy> {
    let name = || game.name.clone();
    let ended = game.timing.ended;
    let is_past = ended.is_some_and(|ended| now.duration_since(ended) > AFTER_THE_END);
    for seat in game.seats.iter().filter(|seat| !seat.left) {
        if tokens::fits(secret, &game.name, seat, token) {
            return Some(if is_past {
                ArrivedBy::Ended(name(), seat.id)
            } else {
                ArrivedBy::Seat(name(), seat.id)
            });
        }
        if let Some(address) = &seat.wanted_address
            && tokens::same(
                &tokens::of_address(secret, &game.name, seat.id, address),
                token,
            )
        {
            return Some(ArrivedBy::Address(name(), seat.id, address.clone()));
        }
    }
    let answers = |offer: &&Offer| {
        let own = tokens::of_offer(secret, &game.name, offer);
        tokens::same(&own, token)
    };
    if let Some(offer) = game.offers.iter().find(answers) {
        return Some(ArrivedBy::Offer(name(), offer.clone()));
    }
    if let Some(relay) = relay::of_token(secret, game, token) {
        return Some(ArrivedBy::Relay(relay));
    }
    let mut ended = reply_addresses::ended(secret, game);
    let (_, seat) = ended.find(|(known, _)| tokens::same(known, token))?;
    Some(ArrivedBy::Ended(name(), seat))
}

/// Ends the civil disorder of a power when its leader signs on. A power that became vacant because its leader was
/// silent returns to him too, if nobody from a stand-by list has taken it.
pub(crate) fn come_back(work: &mut GameWork, seat: SeatId, power: Power) {
    let standing = work.game().standing(power);
    if standing.disorder {
        work.emit(Event::Disorder { power, on: false });
    } else if standing.abandoned && stand_by::is_kept(work) {
        work.emit(Event::Taken { power, seat });
    }
}

/// Whether a password is that of a seat in the game in hand; a wrong one is counted.
pub(crate) fn is_word_of(work: &mut GameWork, seat: &Seat, word: &str) -> bool {
    let game = work.game();
    let places = PasswordTarget::all_of(game, seat);
    let tried = guessing::check_sender(work).is_ok() && guessing::may_try(work, seat);
    if !tried {
        return false;
    }
    let fits = work.judge.word_fits(&game.name, seat, word);
    let from = work.answered.from.clone();
    if !fits {
        guessing::wrong(work, &places, true);
    } else if work.lives_at(seat.id, &from) {
        work.prove(&from);
    }
    fits
}

impl Judge {
    /// The fast keyed hash of a password. It recognizes the last accepted password without the slow hash (README, 13).
    pub(crate) fn keyed(&self, word: &str) -> [u8; 32] {
        let key = self
            .registry
            .secret()
            .map(|secret| secret.to_hex())
            .unwrap_or_default();
        let mut hash = Sha256::new();
        hash.update(key.as_bytes());
        hash.update(word.to_lowercase().as_bytes());
        hash.finalize().into()
    }

    /// Whether a password is that of a seat.
    pub(crate) fn word_fits(&self, game: &str, seat: &Seat, word: &str) -> bool {
        self.fitting_word(game, seat, word).is_some()
    }

    /// The password of a seat, if a word is it: as it stands, or without quotation marks or signs at its end.
    pub(crate) fn fitting_word<'w>(
        &self,
        game: &str,
        seat: &Seat,
        word: &'w str,
    ) -> Option<&'w str> {
        let fits =
            |word: &&str| self.remembers(game, seat, word) || passwords::fits(word, &seat.password);
        passwords::spellings(word).into_iter().find(fits)
    }

    /// Whether a password is the last accepted one of a seat, and is still valid.
    pub(crate) fn remembers(&self, game: &str, seat: &Seat, word: &str) -> bool {
        // A changed password changes the hash that the remembered one belongs to.
        self.passed
            .get(&(game.to_owned(), seat.id))
            .is_some_and(|(hash, keyed)| *hash == seat.password && *keyed == self.keyed(word))
    }
}
