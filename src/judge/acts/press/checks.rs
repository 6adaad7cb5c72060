//! The checks that a message must pass, in the order in which they run. The writer reads the refusal of the first check
//! that fails (`judge-workflow.md` 5.2).

use super::{Address, Request, ShownRecipients, To, rate};
use crate::acts::among_contacts::{self, existence_hidden};
use crate::orders::acceptance;
use crate::session::letters_in_words::{BEFORE_THE_START, NO_PRESS};
use crate::work::GameWork;
use crate::work::acting::{Acting, Refusal, refuse};
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::{Fakes, ObserverPress, Phase, Role, Seat, State, VariantGame};
use dipjudge_rules::map::Power;

/// A message that has not been checked yet, and its writer.
pub(super) struct Draft<'d> {
    pub acting: Acting,
    pub writer: &'d Seat,
    pub request: &'d Request,
}

type Check = fn(&Draft, &GameWork) -> Result<(), Refusal>;

/// The checks for messages that are neither from a master nor to the masters alone.
pub(super) const OF_PLAYERS_PRESS: [Check; 19] = [
    leads_a_power_where_existence_is_hidden,
    has_not_fallen_where_existence_is_hidden,
    game_has_press,
    game_has_partial_press,
    observers_may_read,
    game_is_not_paused,
    reaches_somebody_before_the_start,
    observers_may_write,
    writer_is_not_late,
    phase_has_press,
    grace_has_press,
    orders_are_complete,
    recipients_can_be_reached,
    recipients_are_neighbors,
    is_the_first_broadcast,
    has_contacts,
    game_has_grey_press,
    game_has_white_press,
    may_be_faked,
];

/// The checks for every message, run after those above.
pub(super) const OF_ALL_PRESS: [Check; 2] = [has_text, is_within_limits];

impl Draft<'_> {
    /// Runs the given checks and returns the refusal of the first one that fails.
    pub(super) fn pass(&self, work: &GameWork, checks: &[Check]) -> Result<(), Refusal> {
        checks.iter().try_for_each(|check| check(self, work))
    }

    fn is_partial(&self) -> bool {
        self.request.to != To::All
    }

    /// The power that the writer leads in a running game.
    fn power_in_play(&self, work: &GameWork) -> Option<Power> {
        let plays = self.writer.role != Role::Observer && work.game().state == State::Running;
        if plays { self.acting.power } else { None }
    }
}

// A message from somebody who leads no power would show that the writer exists.
fn leads_a_power_where_existence_is_hidden(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let hidden = existence_hidden(work) && draft.writer.role == Role::Player;
    if !hidden || draft.acting.power.is_some() {
        return Ok(());
    }
    if work.game().begun() {
        refuse("Before you lead a power only PRESS TO M reaches anybody.")
    } else {
        refuse("Before the start only PRESS TO M reaches anybody; nothing was sent.")
    }
}

fn has_not_fallen_where_existence_is_hidden(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if !existence_hidden(work) || draft.writer.role != Role::Player {
        return Ok(());
    }
    let power = draft.acting.power;
    match power.and_then(|power| acceptance::fallen(work.game(), work.variant(), power)) {
        Some(why) => refuse(why),
        None => Ok(()),
    }
}

fn game_has_press(_: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if work.game().settings.has_press() {
        return Ok(());
    }
    refuse(NO_PRESS)
}

fn game_has_partial_press(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if !draft.is_partial() || work.game().settings.partial {
        return Ok(());
    }
    refuse(
        "In this game you write to everybody (BROADCAST) or to the master (PRESS TO M), to nobody else.",
    )
}

fn observers_may_read(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let To::Only(list) = &draft.request.to else {
        return Ok(());
    };
    if list.contains(&Address::Observers) && existence_hidden(work) {
        return refuse("Observers read no press of players in this game.");
    }
    Ok(())
}

fn game_is_not_paused(_: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if work.game().state == State::Paused {
        return refuse("The game is paused; only PRESS TO M is taken.");
    }
    Ok(())
}

fn reaches_somebody_before_the_start(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if !matches!(work.game().state, State::Forming | State::Ready) {
        return Ok(());
    }
    if existence_hidden(work) {
        return refuse(among_contacts::BEFORE_THE_START);
    }
    if draft.is_partial() {
        return refuse(BEFORE_THE_START);
    }
    Ok(())
}

fn observers_may_write(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if draft.writer.role != Role::Observer {
        return Ok(());
    }
    match work.game().settings.observer_press {
        ObserverPress::None => refuse("Observers may not write press in this game."),
        ObserverPress::White if draft.request.color == Some(PressColor::Grey) => {
            refuse("Observers may write white press only in this game.")
        }
        _ => Ok(()),
    }
}

fn writer_is_not_late(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let game = work.game();
    let late = draft
        .power_in_play(work)
        .is_some_and(|power| game.standing(power).late);
    if late && !game.settings.late_press {
        return refuse("You are late. Send your orders first; then you can write again.");
    }
    Ok(())
}

fn phase_has_press(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if draft.power_in_play(work).is_none() || work.game().settings.minor_press {
        return Ok(());
    }
    if work.variant_game().timed_as() != Phase::Movement {
        return refuse("This game has press in movement phases only.");
    }
    Ok(())
}

fn grace_has_press(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let game = work.game();
    if draft.power_in_play(work).is_none() || game.settings.grace_press {
        return Ok(());
    }
    // In games that hide who is late, only the calendar may decide.
    if work.hides() {
        if game
            .timing
            .times
            .is_some_and(|times| work.now > times.deadline)
        {
            return refuse("This game has no press after the deadline.");
        }
    } else if game.timing.late_notice.is_some() {
        return refuse("This game has no press while anybody is late.");
    }
    Ok(())
}

fn orders_are_complete(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let Some(power) = draft.power_in_play(work) else {
        return Ok(());
    };
    let (game, variant) = (work.game(), work.variant());
    let complete = if work.open.acts_as_power {
        // A master who acts as a power must not learn by this what is sealed from him.
        VariantGame::new(game, variant).is_complete_openly(power)
    } else {
        VariantGame::new(game, variant).is_complete(power)
    };
    if game.settings.must_order && !complete {
        return refuse("Send complete orders first; in this game press comes after them.");
    }
    Ok(())
}

fn recipients_can_be_reached(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let (Some(from), To::Only(list)) = (draft.power_in_play(work), &draft.request.to) else {
        return Ok(());
    };
    for address in list {
        if let Address::Power(to) = address
            && !work.variant().may_press(work.game(), from, *to)
        {
            return refuse(
                "You cannot write to one of these. Leave out whoever you have not met, or who is out of the game.",
            );
        }
    }
    Ok(())
}

fn recipients_are_neighbors(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let Some(from) = draft.power_in_play(work).filter(|_| has_touch_press(work)) else {
        return Ok(());
    };
    let game = work.game();
    let far = |power: &Power| *power != from && !game.are_neighbors(from, *power);
    let reached: Vec<Power> = match &draft.request.to {
        To::All => return Ok(()),
        To::Only(list) => powers_in(list),
        To::AllBut(list) => {
            let left_out = powers_in(list);
            let others = dipjudge_game::in_play(game, work.variant());
            others
                .into_iter()
                .filter(|power| !left_out.contains(power))
                .collect()
        }
    };
    match reached.iter().find(|power| far(power)) {
        Some(power) => refuse(format!(
            "In this game letters go to neighbors only, and no unit or center of {} is next to one of yours.",
            work.labels(draft.acting.recipient()).name(*power)
        )),
        None => Ok(()),
    }
}

fn powers_in(list: &[Address]) -> Vec<Power> {
    let power = |address: &Address| match address {
        Address::Power(power) => Some(*power),
        Address::Master | Address::Observers => None,
    };
    list.iter().filter_map(power).collect()
}

fn is_the_first_broadcast(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let playing = draft.power_in_play(work).is_some();
    let before = draft.writer.last_broadcast == Some(work.game().number);
    if playing && has_touch_press(work) && !draft.is_partial() && before {
        return refuse(
            "In this game you write to all once a turn, and you have done so in this one.",
        );
    }
    Ok(())
}

/// Whether press goes to neighbors only. Where the board is hidden, a refusal would show where units stand.
pub(super) fn has_touch_press(work: &GameWork) -> bool {
    work.game().settings.touch_press && !work.hides()
}

fn has_contacts(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let (acting, to) = (draft.acting, &draft.request.to);
    if among_contacts::writes_among_contacts(work, acting)
        && among_contacts::leaves_nobody(work, acting, to)
    {
        return refuse("You have no contacts to write to; nothing was sent.");
    }
    Ok(())
}

fn game_has_grey_press(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let settings = &work.game().settings;
    if draft.color(settings) == PressColor::Grey && !settings.grey {
        return refuse("There is no grey press in this game; leave GREY out.");
    }
    Ok(())
}

fn game_has_white_press(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let settings = &work.game().settings;
    if draft.color(settings) == PressColor::White && !settings.white {
        return refuse("There is no white press in this game; leave WHITE out.");
    }
    Ok(())
}

fn may_be_faked(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    let ShownRecipients::Fake(to) = &draft.request.shown else {
        return Ok(());
    };
    match work.game().settings.fakes {
        Fakes::No => refuse("Press may not be faked in this game; leave FAKE out."),
        Fakes::PartialOnly if *to == To::All => {
            refuse("A fake broadcast is not allowed in this game; name a list: FAKE TO list.")
        }
        _ => Ok(()),
    }
}

fn has_text(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if !work.game().settings.blank_press && draft.request.text.trim().is_empty() {
        return refuse("Your message has no text, so nothing was sent.");
    }
    Ok(())
}

fn is_within_limits(draft: &Draft, work: &GameWork) -> Result<(), Refusal> {
    if rate::is_reached(work, draft.writer, &draft.request.text) {
        return refuse(
            "That is all the press I can forward within an hour. This message was not sent; try again in an hour.",
        );
    }
    Ok(())
}
