//! SUBSTITUTE: a master asks somebody to lead a power for a time in place of its player. The answer is the same whoever was asked.

use crate::people::{offering, stand_by};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_commands::date_meaning::{Sense, resolve};
use dipjudge_commands::date_words::DateWords;
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_game::{Offered, Substitution, SubstitutionState};
use dipjudge_grammar::Line;
use dipjudge_mails::inbound::Address;
use dipjudge_rules::map::Power;
use jiff::Timestamp;
use jiff::civil::Time;

/// SUBSTITUTE FOR power address [FROM date] UNTIL date.
pub(super) fn offer(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let power = power(work, acting, line)?;
    let address = address(work, line)?;
    let from = date(work, acting, line, "substitute-from", Time::midnight())?;
    let last = Time::constant(23, 59, 0, 0);
    let Some(until) = date(work, acting, line, "substitute-until", last)? else {
        return refuse(
            "Say until when: SUBSTITUTE FOR France bob@example.org FROM 1 May UNTIL 10 May.",
        );
    };
    let from = from.unwrap_or(work.now).max(work.now);
    if until <= from {
        return refuse("A substitution ends after it begins, and ahead of now.");
    }
    let name = work.labels(acting.recipient()).name(power).to_owned();
    let game = work.game();
    if !work.variant().in_play(game, power) {
        return refuse(format!("{name} has been eliminated."));
    }
    if game.standing(power).vacant() {
        return refuse(format!(
            "{name} has no player, so nobody can stand in for him. Whoever signs on leads it."
        ));
    }
    if let Some((_, now)) = game.substitution(power)
        && matches!(now.state, SubstitutionState::Leads { .. })
    {
        return refuse(format!(
            "Somebody stands in for the player of {name} already. NO SUBSTITUTE FOR {name} ends that."
        ));
    }
    let what = Offered::Substitution(Substitution {
        power,
        from,
        until,
        state: SubstitutionState::Asked,
    });
    offering::offer(work, &address, what);
    let reader = work.reader(acting.recipient());
    say(vec![format!(
        "I have written to {address}. If that person may and answers YES, {name} is theirs from {} until {}, and you learn it when it begins.",
        reader.moment(from),
        reader.moment(until)
    )])
}

/// NO SUBSTITUTE FOR power.
pub(super) fn withdraw(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let power = power(work, acting, line)?;
    let name = work.labels(acting.recipient()).name(power).to_owned();
    offering::withdraw(work, power);
    say(vec![format!(
        "Nobody stands in for the player of {name} any more."
    )])
}

fn power(work: &GameWork, acting: Acting, line: &Line) -> Result<Power, Refusal> {
    let game = work.game();
    if !game.begun() || game.over() {
        return refuse(format!("Game '{}' is not running.", game.name));
    }
    if stand_by::is_kept(work) {
        return refuse("In this game its stand-by list decides who leads a power.");
    }
    let whom = line.text_of("substitute-power").unwrap_or_default().trim();
    read_power(whom, work.roster(acting.recipient())).map_err(|error| {
        Refusal::from(match error {
            PowerListError::Ambiguous { .. } => error.to_string(),
            _ => format!("'{whom}' is not a power of this game."),
        })
    })
}

fn address(work: &GameWork, line: &Line) -> Result<String, Refusal> {
    let text = line.text_of("address").unwrap_or_default().trim();
    let Ok(address) = Address::parse(text) else {
        return refuse(format!("'{text}' is not an address."));
    };
    if work.judge.settings.is_own(&address) {
        return refuse("That is the address of this judge itself.");
    }
    Ok(address.key())
}

fn date(
    work: &GameWork,
    acting: Acting,
    line: &Line,
    rule: &str,
    time: Time,
) -> Result<Option<Timestamp>, Refusal> {
    let Some(words) = line.text_of(rule).and_then(DateWords::parse) else {
        return Ok(None);
    };
    let game = work.game();
    let zone = game.zone_of(game.seat(acting.seat));
    resolve(&words, work.now, &zone, time, Sense::FromToday)
        .map(Some)
        .map_err(|error| Refusal::from(error.to_string()))
}
