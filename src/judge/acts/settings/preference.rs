//! SET PREFERENCE: which powers a player prefers, best first (`judge-workflow.md` 1.3).

use crate::people::preferences::powers_dealt;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_game::deal::{Wish, wishes};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Event, LeaderNeed, Role, Seat, SeatChange, VariantGame};
use dipjudge_rules::map::{Power, PowerInfo};

pub(super) fn set(work: &mut GameWork, acting: Acting, list: &str) -> ActOutcome {
    let edit = &work.open.edit;
    let game = &edit.game;
    if game.begun() || game.over() {
        return refuse("The powers have already been dealt.");
    }
    let Some(seat) = game
        .seat(acting.seat)
        .filter(|seat| seat.role == Role::Player)
    else {
        return refuse("Only players have a preference list.");
    };
    let remains = if seat.preference.is_empty() {
        "empty".to_owned()
    } else {
        seat.preference.clone()
    };
    let list: String = list
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .collect::<String>()
        .to_uppercase();
    let powers = powers_dealt(game);
    if edit.variant.roster(game).is_some() {
        return refuse(
            "Every player brings a power along to this game, so there are no preference lists.",
        );
    }
    let is_closed = |power: usize| {
        let power = u8::try_from(power).map(Power);
        power.is_ok_and(|power| {
            VariantGame::new(game, edit.variant).need_of(power) == LeaderNeed::Closed
        })
    };
    if let Err(fault) = check(&list, &powers, &is_closed) {
        return refuse(format!("{}  Your list remains {remains}.", fault.text()));
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Preference(list.clone()),
    });
    work.tell_others(Some(acting.seat), "Preference Change", |work, to| {
        let may_read = work.is_master(to) || (to.power.is_none() && planted(Leak::Preferences));
        if !may_read {
            return None;
        }
        let game = work.game();
        let line = |seat: &Seat| {
            format!(
                "{}: {}",
                seat.address,
                if seat.preference.is_empty() {
                    "no list"
                } else {
                    &seat.preference
                }
            )
        };
        Some(game.seated(Role::Player).map(line).collect::<Vec<String>>())
    });
    say(vec![if list.is_empty() {
        "Your preference list is now empty.".to_owned()
    } else {
        format!("Your preference list is now {list}.")
    }])
}

/// Checks a preference list: `*`, or letters of powers (codes if they have no letters), each once. Powers in brackets
/// are preferred equally.
fn check(
    list: &str,
    powers: &[PowerInfo],
    is_closed: &dyn Fn(usize) -> bool,
) -> Result<(), Refusal> {
    if list == "*" {
        return Ok(());
    }
    let mut seen = Vec::new();
    let mut open = false;
    let invalid = |sign: char| refuse(format!("Invalid character '{sign}' in preference list."));
    for wish in wishes(list, powers) {
        match wish {
            Wish::Open if !open => open = true,
            Wish::Close if open => open = false,
            Wish::Open => return invalid('['),
            Wish::Close => return invalid(']'),
            Wish::Unknown(sign) => return invalid(sign),
            Wish::Power(power, word) if seen.contains(&power) => {
                return refuse(format!("Duplicate power '{word}' in preference list."));
            }
            Wish::Power(power, word) if is_closed(power) => {
                return refuse(format!("'{word}' is not played in this game."));
            }
            Wish::Power(power, _) => seen.push(power),
        }
    }
    if open {
        refuse("A bracket is not closed in the preference list.")
    } else {
        Ok(())
    }
}
