//! Votes for a draw or a concession (`judge-workflow.md` 1.4), and for the end of a game that hides something. Only the
//! voter and the masters are told of a vote.

use crate::clock::ending::{self, ends_by_vote};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_commands::power_list::{Addressees, read_power, read_powers};
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Ending, Event, Game, Role, State, Vote};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The answer to a vote that has not decided anything.
const RECORDED: &str =
    "Vote recorded. It lasts until this phase is processed; vote again next phase.";

/// The answer to a withdrawal of a vote.
const WITHDRAWN: &str = "Your vote has been withdrawn.";

/// The answer to every vote in games that hide which powers exist, whatever its effect is.
const NOTED: &str = "Recorded.";

/// The answer to a vote: `words`, or the same constant for all where that is required.
fn told(work: &GameWork, words: &str) -> String {
    if work.secrecy().existence {
        NOTED.to_owned()
    } else {
        words.to_owned()
    }
}

/// Whether a draw includes all survivors: if the game's setting says so, and always where players do not know all
/// others.
fn is_of_all(work: &GameWork) -> bool {
    work.game().settings.dias || work.secrecy().existence
}

/// The power that votes; observers, masters and eliminated powers have no vote.
fn voter<'e>(work: &'e GameWork, acting: Acting) -> Result<(Power, &'e Game), Refusal> {
    let game = work.game();
    if game.state != State::Running {
        return refuse(format!(
            "Game '{}' is not running, so there is nothing to vote on.",
            game.name
        ));
    }
    entitled(work, acting, game)
}

/// Like [`voter`], whether the game is running or not.
fn entitled<'e>(
    work: &GameWork,
    acting: Acting,
    game: &'e Game,
) -> Result<(Power, &'e Game), Refusal> {
    if work.open.acts_as_power && ends_by_vote(work) {
        return refuse(
            "What ends this game is for its players to vote on, each for himself; nobody votes for another.",
        );
    }
    let power = acting.power.filter(|power| {
        let player = work.open.acts_as_power
            || game
                .seat(acting.seat)
                .is_some_and(|seat| seat.role == Role::Player);
        player && work.variant().in_play(game, *power)
    });
    match power {
        Some(power) => Ok((power, game)),
        None => refuse("You have no units and no centers, so you have no vote."),
    }
}

/// SET DRAW, with a list of powers in games that are not DIAS.
pub(crate) fn draw(work: &mut GameWork, acting: Acting, list: Option<&str>) -> ActOutcome {
    let (power, _) = voter(work, acting)?;
    let mut said = Vec::new();
    let vote = if is_of_all(work) {
        if list.is_some() {
            said.push("Draws here include all survivors, so I ignored the list. Your vote counts for a draw of all.".to_owned());
        }
        Vote::All
    } else {
        let Some(list) = list else {
            return refuse(format!(
                "In this game you name who shares the draw: SET DRAW {}.",
                example(work, acting, "EFT")
            ));
        };
        Vote::Among(powers_of(work, acting, list)?)
    };
    let before = standing_vote(work, power);
    work.emit(Event::Voted {
        power,
        vote: Some(vote),
    });
    said.push(close_the_vote(work, power, before));
    say(said)
}

/// Powers for a sentence that shows how to write a list: these letters, or as many codes of the game's powers.
fn example(work: &GameWork, acting: Acting, letters: &str) -> String {
    let labels = work.labels(acting.recipient());
    let between = labels.between_letters();
    if between.is_empty() {
        return letters.to_owned();
    }
    let viewer = work.reader(acting.recipient()).viewer;
    let hidden = work.variant_game().seen_by(viewer).hides_existence();
    // In games that hide which powers exist, it may be hidden who is eliminated.
    let known = work.variant_game().seen_by(viewer).known_powers();
    let named = |power: &Power| hidden || work.variant().in_play(work.game(), *power);
    let codes = known.into_iter().filter(named);
    let codes = codes.map(|power| labels.letter(power));
    codes.take(letters.len()).collect::<Vec<_>>().join(between)
}

/// The powers of a list. If the board is hidden, an eliminated power is accepted too, but never becomes part of the
/// draw.
fn powers_of(work: &GameWork, acting: Acting, list: &str) -> Result<Vec<Power>, Refusal> {
    let (game, hidden) = (work.game(), work.hides());
    let labels = work.labels(acting.recipient());
    let roster = work.roster(acting.recipient());
    let invalid = |word: &str| refuse(format!("{word}: invalid power.  The list was not set."));
    match read_powers(list, &roster) {
        Ok(Addressees { masters: true, .. }) => invalid("M"),
        Ok(Addressees {
            observers: true, ..
        }) => invalid("O"),
        Ok(Addressees { powers, .. }) => {
            match powers.iter().find(|power| {
                (!hidden || planted(Leak::Fallen)) && !work.variant().in_play(game, **power)
            }) {
                Some(fallen) => invalid(&labels.letter(*fallen)),
                None => Ok(powers.into_iter().collect()),
            }
        }
        // In a word of letters: the first that belongs to no power.
        Err(PowerListError::Unknown { word, .. }) if labels.between_letters().is_empty() => {
            let known = |letter: &char| read_power(&letter.to_string(), &roster).is_ok();
            let wrong = word.chars().find(|letter| !known(letter));
            invalid(&wrong.map_or(word.clone(), String::from))
        }
        Err(PowerListError::Unknown { word, .. }) => invalid(&word),
        Err(error) => refuse(format!("{error}  The list was not set.")),
    }
}

/// SET CONCEDE p.
pub(crate) fn concede(work: &mut GameWork, acting: Acting, to: Option<&str>) -> ActOutcome {
    let (power, game) = voter(work, acting)?;
    if !is_of_all(work) {
        return refuse(format!(
            "This game is not DIAS: a concession is a draw list of one power, such as SET DRAW {}.",
            example(work, acting, "E")
        ));
    }
    if !game.settings.concessions {
        return refuse("This game has no concessions.");
    }
    let to = match to.map(|words| read_power(words, work.roster(acting.recipient()))) {
        Some(Ok(to)) => to,
        Some(Err(error)) if error.is_of_contacts() => return refuse(error.to_string()),
        _ => {
            return refuse(format!(
                "Name one power to concede to, such as SET CONCEDE {}.",
                example(work, acting, "R")
            ));
        }
    };
    let most = game.powers_with_centers(1);
    // If the board is hidden, not everybody may know which power is the largest.
    if most != [to] && !work.hides() {
        return refuse(format!(
            "You can only concede to the one largest power, and {} is not.",
            work.labels(acting.recipient()).name(to)
        ));
    }
    let before = standing_vote(work, power);
    work.emit(Event::Voted {
        power,
        vote: Some(Vote::Concede(to)),
    });
    say(vec![close_the_vote(work, power, before)])
}

/// SET NO DRAW, SET NO CONCEDE.
pub(crate) fn withdraw(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let (power, _) = voter(work, acting)?;
    work.emit(Event::Voted { power, vote: None });
    say(vec![told(work, WITHDRAWN)])
}

/// The vote of a power as its receipts show it: `CONCEDE Russia`.
fn standing_vote(work: &GameWork, power: Power) -> Option<String> {
    work.game().standing(power).vote.as_ref()?;
    let view = work.variant_game().seen_by(Viewer::Power(power));
    let own = view.orders_section()?.powers.into_iter().next()?;
    own.votes.into_iter().next()
}

/// A vote on which all agree takes effect at once, in any phase, without waiting for orders. `before` is what the power voted
/// until now.
fn close_the_vote(work: &mut GameWork, power: Power, before: Option<String>) -> String {
    if let Some(ending) = work.variant_game().ending_by_votes() {
        return end(work, ending);
    }
    let replaced = before.filter(|before| standing_vote(work, power).as_ref() != Some(before));
    match replaced {
        Some(before) => told(
            work,
            &format!("{RECORDED} It takes the place of your vote {before}."),
        ),
        None => told(work, RECORDED),
    }
}

/// NO TERMINATE in games in which TERMINATE is a vote.
pub(crate) fn no_terminate(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let (power, _) = entitled(work, acting, work.game())?;
    work.emit(Event::VotedToEnd { power, on: false });
    say(vec![told(work, WITHDRAWN)])
}

/// TERMINATE in games in which it is a vote.
pub(crate) fn terminate(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let (power, _) = entitled(work, acting, work.game())?;
    work.emit(Event::VotedToEnd { power, on: true });
    say(vec![if work.variant_game().terminated_by_votes() {
        end(work, Ending::Terminated)
    } else {
        told(work, RECORDED)
    }])
}

fn end(work: &mut GameWork, ending: Ending) -> String {
    ending::end_by_vote(work, ending);
    told(
        work,
        "Your vote was the last that was missing: the game is over.",
    )
}
