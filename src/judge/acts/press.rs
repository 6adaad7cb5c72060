//! Press: who may write to whom, and how each reader sees it (`judge-workflow.md` 5).

use crate::acts::among_contacts::{self, existence_hidden};
use crate::boundary::Readership;
use crate::desk::order_lines;
use crate::people::{quotation, relay};
use crate::rates::Kind;
use crate::work::acting::{Acting, Refused, Said, refuse};
use crate::work::sending::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::project::{self, Labels};
use dipjudge_game::{Fakes, ObserverPress, Phase, Role, Seat, Settings, State, requirements};
use dipjudge_mails::outbound::{
    self, Addressee, Audience, Document, Head, PressMail, Sender, press_echo,
};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// Somebody press can be addressed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Address {
    /// The masters.
    Master,
    /// The leader of a power.
    Power(Power),
    /// All observers.
    Observers,
}

/// To whom, in truth or in pretence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// Everybody.
    All,
    /// These.
    Only(Vec<Address>),
    /// Everybody but these.
    AllBut(Vec<Address>),
}

/// A message as its options describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Press {
    /// To whom.
    pub to: To,
    /// White or grey; `None` for the game's default.
    pub grey: Option<bool>,
    /// What recipients read instead; `None` for the game's default, `Some(None)` for the truth.
    pub fake: Option<Option<To>>,
    /// No copy in the reply.
    pub quiet: bool,
    /// A subject, for a master's official announcements.
    pub subject: Option<String>,
    /// The words.
    pub text: String,
}

/// Sends a message; returns the echo for the sender's reply. On any fault nothing is sent.
pub(crate) fn send(work: &mut GameWork, acting: Acting, press: &Press) -> Said {
    let edit = &work.open.edit;
    let game = &edit.game;
    let seat = game.seat(acting.seat).cloned();
    let Some(seat) = seat else {
        return refuse("Sign on to a game to write press.");
    };
    let mut said = Document::default();
    let mut message = press.clone();
    let master = seat.role == Role::Master;
    let to_master_alone = message.to == To::Only(vec![Address::Master]);
    if to_master_alone || master {
        if message.grey == Some(true) || matches!(message.fake, Some(Some(_))) {
            said.push(
                "Press to or from the Master is always white and never fake; it was sent plain.",
            );
        }
        (message.grey, message.fake) = (Some(false), Some(None));
    } else {
        may_write(work, acting, &seat, &message)?;
        if among_contacts::writes_among_contacts(work, acting) {
            message.to = among_contacts::addressed(work, acting, &message.to)?;
        }
        colour(&game.settings, &seat, &mut message)?;
        fake(&game.settings, &mut message)?;
    }
    if message.text.trim().is_empty() {
        return refuse("There is no text between the PRESS line and ENDPRESS; nothing was sent.");
    }
    check_rate(work, &seat, &message.text)?;
    // What was collected so far goes out first, so that readers get things in the order in which they happened.
    work.send_notices();
    let readers: Vec<Recipient> = recipients(work, acting, &message.to);
    // Where the board is hidden, who is fallen and who leads nobody is so too: a letter to them is taken like any other.
    let to_himself = acting
        .power
        .is_some_and(|power| message.to == To::Only(vec![Address::Power(power)]));
    if readers.is_empty() && (to_himself || !work.hides()) {
        return refuse("Nobody would read this message; it was not sent.");
    }
    count(work, &seat, &message.text);
    let read_by = |work: &GameWork, to: Recipient| {
        let mail = as_read_by(work, acting, to, &message)?;
        outbound::press(&work.templates(), &work.heading(to), &mail).or_logged()
    };
    work.broadcast_answered_at(&readers, MailClass::Press, read_by, |work, to| {
        relay::answers_at(work, acting, to, &message)
    });
    let observer = Recipient::ANY_OBSERVER;
    work.give_labels(&[observer]);
    for to in &readers {
        if let Some(address) = relay::answers_at(work, acting, *to, &message) {
            let keys = quotation::keys(&address, &message.text);
            work.ruling.seen.extend(keys);
        }
    }
    // Partial press never appears in HISTORY (`judge-workflow.md` 5.4), nor do its fakes; and where it is hidden who exists no
    // broadcast goes to all.
    if message.to == To::All
        && !existence_hidden(work)
        && let Some(text) = read_by(work, observer)
    {
        let by_name = read_by(work, observer.by_name());
        // Where each power has a history of its own it is nobody's but the whole game's.
        let readers = match work.hides() {
            true => Readership::Whole,
            false => Readership::Everyone,
        };
        work.archive(readers, &text, by_name, true);
    }
    if among_contacts::writes_among_contacts(work, acting) {
        let names = among_contacts::accepted_for(work, acting, &message.to);
        said.push(outbound::press_accepted(&names));
    } else if !message.quiet {
        let labels = work.labels(acting.recipient());
        let echo = in_words(work, acting, observer, &message, &labels);
        let echo = echo.map(|mail| press_echo(&work.heading(observer), &mail));
        said.append(echo.unwrap_or_default());
    } else {
        said.push("Message sent.");
    }
    Ok(said)
}

/// On whose account a message is: its writer's in this game, and of observers, whom anybody can add to, all of theirs
/// together. What others write in a game is no account of a player's: that he is refused would tell him of it.
fn accounts(work: &GameWork, seat: &Seat) -> Vec<(Kind, String, u64)> {
    let game = &work.game().name;
    let limits = &work.judge.settings.limits;
    let person = format!("{game} person {}", seat.person.0);
    let mut accounts = vec![
        (Kind::Press, person.clone(), limits.press_per_hour),
        (Kind::PressBytes, person, limits.press_bytes_per_hour),
    ];
    if seat.role == Role::Observer {
        let all = format!("{game} observers");
        accounts.push((Kind::Press, all, limits.observer_press_per_hour));
    }
    accounts
}

/// How much of what is counted a message is.
fn amount(kind: Kind, text: &str) -> u64 {
    match kind {
        Kind::PressBytes => text.len() as u64,
        _ => 1,
    }
}

/// Whether the writer has not written too much lately.
fn check_rate(work: &GameWork, seat: &Seat, text: &str) -> Result<(), Refused> {
    let reached = accounts(work, seat)
        .into_iter()
        .any(|(kind, account, most)| {
            work.counted(kind, &account)
                .saturating_add(amount(kind, text))
                > most
        });
    match reached {
        true => refuse(
            "So much press has been written within an hour that no more is sent on now; try again in an hour.",
        ),
        false => Ok(()),
    }
}

fn count(work: &mut GameWork, seat: &Seat, text: &str) {
    for (kind, account, _) in accounts(work, seat) {
        work.count(kind, account, amount(kind, text));
    }
}

/// Nobody leads a power yet.
pub(crate) const BEFORE_THE_START: &str =
    "Before the start only BROADCAST, PRESS TO M and PRESS TO O reach anybody; nothing was sent.";

/// Restrictions on who may write when (`judge-workflow.md` 5.2).
fn may_write(work: &GameWork, acting: Acting, seat: &Seat, press: &Press) -> Result<(), Refused> {
    let edit = &work.open.edit;
    let game = &edit.game;
    let settings = &game.settings;
    let partial = press.to != To::All;
    if existence_hidden(work) && seat.role == Role::Player {
        // A letter of somebody who leads nothing would tell that he is there.
        let Some(power) = acting.power else {
            return refuse(match game.begun() {
                true => "Before you lead a power only PRESS TO M reaches anybody.",
                false => "Before the start only PRESS TO M reaches anybody; nothing was sent.",
            });
        };
        if let Some(why) = order_lines::fallen(game, edit.variant, power) {
            return refuse(why);
        }
    }
    if !settings.has_press() {
        return refuse("This game has no press; only PRESS TO M reaches anybody.");
    }
    if partial && !settings.partial {
        return refuse("This game has no partial press; use BROADCAST, or PRESS TO M.");
    }
    let to_observers = matches!(&press.to, To::Only(list) if list.contains(&Address::Observers));
    if to_observers && existence_hidden(work) {
        return refuse("Observers read no press of players in this game.");
    }
    match game.state {
        State::Paused => return refuse("The game is paused; only PRESS TO M is taken."),
        State::Forming | State::Ready if existence_hidden(work) => {
            return refuse(among_contacts::BEFORE_THE_START);
        }
        State::Forming | State::Ready if partial => {
            return refuse(BEFORE_THE_START);
        }
        _ => {}
    }
    if seat.role == Role::Observer {
        return match settings.observer_press {
            ObserverPress::None => refuse("Observers may not write press in this game."),
            ObserverPress::White if press.grey == Some(true) => {
                refuse("Observers may write white press only in this game.")
            }
            _ => Ok(()),
        };
    }
    let (Some(power), State::Running) = (acting.power, &game.state) else {
        return Ok(());
    };
    if game.standing(power).late && !settings.late_press {
        return refuse("You are late: in this game you may write press once your orders are in.");
    }
    let minor = dipjudge_game::opening::timed_as(game, edit.variant) != Phase::Movement;
    if !settings.minor_press && minor {
        return refuse("This game has press in movement phases only.");
    }
    // That somebody is late may be hidden; what the calendar says is not.
    let past = game.timing.times.map(|times| work.now > times.deadline);
    if !settings.grace_press && work.hides() && past == Some(true) {
        return refuse("This game has no press after the deadline.");
    }
    if !settings.grace_press && !work.hides() && game.timing.late_notice.is_some() {
        return refuse("This game has no press while anybody is late.");
    }
    let complete = match work.open.acts_as_power {
        // A master who acts as a power learns by it no more than by any other way.
        true => requirements::complete_openly(game, edit.variant, power),
        false => requirements::complete(game, edit.variant, power),
    };
    if settings.must_order && !complete {
        return refuse("In this game you may write press once your orders are complete.");
    }
    let reachable = |address: &Address| match address {
        Address::Power(other) => edit.variant.may_press(game, power, *other),
        _ => true,
    };
    match &press.to {
        To::Only(list) if !list.iter().all(reachable) => {
            refuse("You cannot write to somebody in this list.")
        }
        _ => Ok(()),
    }
}

fn colour(settings: &Settings, seat: &Seat, press: &mut Press) -> Result<(), Refused> {
    let default = if settings.white && settings.grey {
        settings.grey_first
    } else {
        settings.grey
    };
    let grey = press.grey.unwrap_or(default && seat.role == Role::Player);
    if grey && !settings.grey {
        return refuse("There is no grey press in this game; leave GREY out.");
    }
    if !grey && !settings.white {
        return refuse("There is no white press in this game; leave WHITE out.");
    }
    press.grey = Some(grey);
    Ok(())
}

fn fake(settings: &Settings, press: &mut Press) -> Result<(), Refused> {
    let wanted = match press.fake.take() {
        Some(wanted) => wanted,
        // Every partial message reads as a broadcast where the master has set it so.
        None => {
            (settings.fakes == Fakes::BroadcastByDefault && press.to != To::All).then_some(To::All)
        }
    };
    match (&wanted, settings.fakes) {
        (None, _) => {}
        (Some(_), Fakes::No) => {
            return refuse("Press may not be faked in this game; leave FAKE out.");
        }
        (Some(To::All), Fakes::PartialOnly) => {
            return refuse(
                "A fake broadcast is not allowed in this game; name a list: FAKE TO list.",
            );
        }
        (Some(_), _) => {}
    }
    press.fake = Some(wanted);
    Ok(())
}

/// Who gets it: those it is addressed to, masters who are (or who see all press), never the sender.
fn recipients(work: &GameWork, acting: Acting, to: &To) -> Vec<Recipient> {
    let game = work.game();
    let addressed = |recipient: &Recipient| {
        let own = match (
            game.seat(recipient.seat).map(|seat| seat.role),
            recipient.power,
        ) {
            (Some(Role::Master), _) => Address::Master,
            (_, Some(power)) => Address::Power(power),
            // Before the deal players are reached by broadcasts alone.
            (Some(Role::Player), None) => return *to == To::All || matches!(to, To::AllBut(_)),
            _ => Address::Observers,
        };
        match to {
            To::All => true,
            To::Only(list) => list.contains(&own),
            To::AllBut(list) => !list.contains(&own),
        }
    };
    let all_press = |recipient: &Recipient| {
        game.seat(recipient.seat)
            .is_some_and(|seat| match seat.role {
                Role::Master => seat.all_press,
                Role::Observer => seat.all_press && game.settings.watch_all_press,
                Role::Player => false,
            })
    };
    let everyone = work.everyone().into_iter();
    let hidden = existence_hidden(work);
    let reached = |recipient: &Recipient| match (acting.power, recipient.power) {
        (Some(from), Some(to)) => work.variant().may_press(game, from, to),
        (Some(_), None) => !hidden || work.is_master(*recipient),
        (None, _) => true,
    };
    let master = game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Master);
    // Masters get a copy of their own press.
    everyone
        .filter(|to| {
            (to.seat != acting.seat || master)
                && ((addressed(to) && reached(to)) || all_press(to) || to.seat == acting.seat)
        })
        .collect()
}

/// The message as one reader gets it (`judge-workflow.md` 5.3).
fn as_read_by(work: &GameWork, acting: Acting, to: Recipient, press: &Press) -> Option<PressMail> {
    in_words(work, acting, to, press, &work.labels(to))
}

/// The same, in which powers are called as `labels` say.
fn in_words(
    work: &GameWork,
    acting: Acting,
    to: Recipient,
    press: &Press,
    labels: &Labels,
) -> Option<PressMail> {
    let game = work.game();
    let reader = work.reader(to);
    let for_master = reader.viewer == Viewer::Master;
    let seat = game.seat(acting.seat)?;
    let (power, letter) = name_of_sender(labels, acting, seat.role);
    let person = work.person_for(to, acting.seat)?;
    let shown = person != project::HIDDEN;
    let among_contacts = among_contacts::writes_among_contacts(work, acting);
    let masked = project::hides_leaders(game, work.variant());
    let sender = match (
        press.grey == Some(true),
        for_master,
        masked && seat.role != Role::Master,
    ) {
        (true, true, _) => Sender::Unmasked {
            address: seat.address.clone(),
            power,
        },
        (true, false, _) => Sender::Unknown,
        (false, true, true) => Sender::Bracketed {
            address: seat.address.clone(),
            power,
            letter,
        },
        (false, false, true) if !shown || acting.power.is_some() => Sender::Power { power, letter },
        (false, _, _) => Sender::Person {
            person,
            power,
            letter,
        },
    };
    // Who reads in his own words, be it the echo, knows whom he has named.
    let named = project::told_in_lists(game, work.variant(), reader.viewer);
    let told = |power: &Power| to.is_any_observer() || named.contains(power);
    // Numbers of powers are nobody's to know where it is hidden who exists.
    let by_name = existence_hidden(work);
    let truth = audience(labels, &press.to, by_name, &told);
    let pretence = press
        .fake
        .clone()
        .flatten()
        .map(|fake| audience(labels, &fake, by_name, &told));
    Some(PressMail {
        sender,
        really: if for_master && pretence.is_some() {
            Some(truth.clone())
        } else {
            None
        },
        audience: pretence.unwrap_or(truth),
        text: press.text.clone(),
        head: match among_contacts {
            true => Head::Contacts,
            false => Head::Message,
        },
    })
}

fn name_of_sender(labels: &Labels, acting: Acting, role: Role) -> (String, String) {
    match (role, acting.power) {
        (Role::Master, _) => ("Master".to_owned(), "M".to_owned()),
        (Role::Observer, _) => ("Observer".to_owned(), "O".to_owned()),
        (Role::Player, Some(power)) => (labels.name(power).to_owned(), labels.letter(power)),
        (Role::Player, None) => ("a power".to_owned(), "?".to_owned()),
    }
}

/// Those to whom a message goes, of powers only such as are `told` to its reader; in the order of their names or their numbers.
fn audience(labels: &Labels, to: &To, by_name: bool, told: &dyn Fn(&Power) -> bool) -> Audience {
    let named = |list: &[Address]| {
        let mut list = list.to_vec();
        list.retain(|address| !matches!(address, Address::Power(power) if !told(power)));
        // Powers by name, then masters and observers, whatever the order in the command.
        let name = |power: &Power| by_name.then(|| labels.name(*power));
        list.sort_by_key(|address| match address {
            Address::Power(power) => (0, name(power), power.0),
            Address::Master => (1, None, 0),
            Address::Observers => (2, None, 0),
        });
        list.dedup();
        list.iter()
            .map(|address| match address {
                Address::Master => Addressee {
                    name: "Master".to_owned(),
                    letter: "M".to_owned(),
                },
                Address::Observers => Addressee {
                    name: "Observers".to_owned(),
                    letter: "O".to_owned(),
                },
                Address::Power(power) => Addressee {
                    name: labels.name(*power).to_owned(),
                    letter: labels.letter(*power),
                },
            })
            .collect()
    };
    match to {
        To::All => Audience::All,
        To::Only(list) => Audience::Only(named(list)),
        To::AllBut(list) => Audience::AllBut(named(list)),
    }
}
