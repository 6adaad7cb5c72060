//! What each phase wants from whom (3.1): orders for units as in every game, and what else a seat may send. The latter makes
//! nobody late: a seat that has sent nothing is waited for until the deadline, unless it passes.

use std::collections::BTreeMap;

use super::adjustment_counts::{self, CountedLines};
use super::board::Board;
use super::names::Flavor;
use super::pass;
use super::rules::Rules;
use super::slots;
use super::state::{SillyState, WHOLE};
use super::submissions::AdjustmentLine;
use super::{DOCTOR, DOM, FEMALE, JESTER, MASTERMIND, MONSTERS, SOOTHSAYER, phases, sites};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Access, Ask, AskedOf, Game, Pending, Phase, Requirements, Settings};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;

/// What a seat has submitted for the season, by subject.
pub(super) type SentBySubject<'g> = BTreeMap<&'g str, &'g VariantData>;

/// What a phase asks of whom.
pub(super) fn amend_requirements(
    game: &Game,
    requirements: &mut Requirements,
    access: &Access<'_>,
) {
    let seats = phases::all_in_play(game);
    let passed = seats.iter().copied();
    let passed = passed.filter(|seat| pass::has_passed(game, *seat, access));
    requirements.passed.extend(passed);
    let sent = |seat: Power| game.lasting_submissions(seat, access);
    match &game.phase {
        Phase::Own(name) if *name == phases::HERDS.name => {
            let powers = seats.into_iter().filter(|power| *power < JESTER);
            for power in powers {
                ask(
                    requirements,
                    power,
                    "PLACE LLAMAS, with up to three spaces",
                    sent(power).contains_key(slots::HERDS),
                );
            }
            requirements.without_grace = true;
        }
        Phase::Own(name) if *name == phases::SUMMER.name => {
            let board = Board::of(game);
            for seat in seats {
                let all = has_closed_season(&board.state, seat, &sent(seat));
                ask(requirements, seat, "ANSWER, VOTE LINK and BUILD FREE", all);
            }
            requirements.without_grace = true;
        }
        Phase::Adjustments => {
            let board = Board::of(game);
            for seat in seats {
                let sent = sent(seat);
                let pending = pending_of(&game.settings, &board, seat, &sent);
                let adjusted = pending.builds == 0 && pending.removals == 0;
                let all = adjusted && has_closed_season(&board.state, seat, &sent);
                ask(
                    requirements,
                    seat,
                    "BUILD and REMOVE, ANSWER, VOTE LINK and BUILD FREE",
                    all,
                );
            }
            requirements.without_grace = true;
        }
        Phase::Retreats => retreats(game, requirements, access),
        Phase::Movement => {
            for role in seats.into_iter().filter(|seat| *seat >= JESTER) {
                of_role(requirements, role, &sent(role));
            }
        }
        _ => {}
    }
}

/// Builds and removals that a seat has not ordered yet in Winter, as far as this opens what it has sent.
pub(super) fn pending(game: &ToldGame<'_>, seat: Power) -> Option<Pending> {
    let asked = *game.phase() == Phase::Adjustments && game.in_play().contains(&seat);
    if !asked || pass::is_passed(&game.submissions(seat)) {
        return None;
    }
    let sent = game.lasting_submissions(seat);
    let board = Board::as_told(game);
    Some(pending_of(game.settings(), &board, seat, &sent))
}

fn pending_of(
    settings: &Settings,
    board: &Board<'_>,
    seat: Power,
    sent: &SentBySubject<'_>,
) -> Pending {
    let due = adjustment_counts::due(board, &Rules::of(settings), seat);
    let lines = slots::adjustments(sent.iter().map(|(name, data)| (*name, *data)));
    let given = adjustment_counts::given(board, &lines, CountedLines::Possible);
    Pending {
        builds: due.builds.saturating_sub(given.builds),
        removals: due.removals.saturating_sub(given.removals),
        unusable: due.unusable,
        also: idle_pending(settings, board, seat, &lines),
    }
}

/// FEMALE and DIRTY OLD MAN armies that a seat may still order: nobody waits for them.
fn idle_pending(
    settings: &Settings,
    board: &Board<'_>,
    seat: Power,
    lines: &BTreeMap<String, Vec<AdjustmentLine>>,
) -> Vec<String> {
    if !sites::has_any(board, seat) {
        return Vec::new();
    }
    let names = Flavor::of(settings).names();
    let mut pending = Vec::new();
    for kind in [FEMALE, DOM] {
        let open = adjustment_counts::idle_open(board, seat, kind, lines.values().flatten());
        if open > 0 {
            let kind = names.code(kind);
            pending.push(format!("{open} {kind} can be built at no cost"));
        }
    }
    pending
}

/// Asks a seat for lines that make nobody late.
fn ask(requirements: &mut Requirements, seat: Power, words: &str, has_sent: bool) {
    requirements
        .due
        .insert(seat, Ask::Own(AskedOf::new(seat, words)));
    if !has_sent {
        requirements.wanting.push(seat);
    }
}

/// Whether a seat has sent all that a season ends with: an answer where a question was asked, a vote, and what it may build
/// for free.
fn has_closed_season(state: &SillyState, seat: Power, sent: &SentBySubject<'_>) -> bool {
    let answers = state.question.is_some() && seat != MASTERMIND;
    let account = state.accounts.get(&seat).copied().unwrap_or(0);
    sent.contains_key(slots::VOTE)
        && (!answers || sent.contains_key(slots::ANSWER))
        && (account < WHOLE || sent.contains_key(slots::FREE_BUILDS))
}

/// Who has a dislodged unit with a choice, and plays; what was said of it with the moves counts.
fn retreats(game: &Game, requirements: &mut Requirements, access: &Access<'_>) {
    let choices = || {
        let away = game.position.dislodged.iter();
        away.filter(|one| one.unit.power != MONSTERS && !one.options.is_empty())
    };
    let filled = phases::seats(game);
    requirements.due.retain(|seat, _| {
        let plays = *seat < JESTER || filled.contains(seat);
        plays && choices().any(|one| one.unit.power == *seat)
    });
    for one in &game.position.dislodged {
        let said = game.lasting_submissions(one.unit.power, access);
        if one.options.is_empty() || said.contains_key(slots::retreat(one.unit.id).as_str()) {
            requirements.idle.insert(one.unit.id);
        }
    }
}

/// What a role may send in a movement beside orders for its units.
fn of_role(requirements: &mut Requirements, role: Power, sent: &SentBySubject<'_>) {
    let (words, has_sent) = match role {
        JESTER => ("REORDER", sent.contains_key(slots::JESTS)),
        MASTERMIND => ("QUESTION and ACCEPT", slots::has_question(sent)),
        DOCTOR => ("TARDIS", sent.contains_key(slots::TARDIS)),
        SOOTHSAYER => ("PREDICT", sent.contains_key(slots::PREDICTIONS)),
        _ => return,
    };
    if !has_sent {
        requirements.until_deadline.insert(role);
    }
    let ask = Ask::May(AskedOf::new(role, words));
    requirements.due.entry(role).or_insert(ask);
}

#[cfg(test)]
mod tests {
    use super::super::conditions::Conditional;
    use super::super::orders::TardisOrder;
    use super::super::state::{Accepted, Question};
    use super::super::submissions::{Jest, RetreatChoice};
    use super::super::{CARD, RatherSilly};
    use super::*;
    use dipjudge_game::labels::testing::player_seated;
    use dipjudge_game::testing::hold;
    use dipjudge_game::{Event, GameEdit, SeatId, Seed, apply, clock, phases};
    use dipjudge_rules::map::UnitKind;
    use dipjudge_rules::position::{Dislodged, Unit};

    const FRANCE: Power = Power(2);
    const NOW: jiff::Timestamp = jiff::Timestamp::UNIX_EPOCH;

    /// A game that has begun, with leaders of the seven and of these roles.
    fn begun(roles: &[Power]) -> GameEdit<'static> {
        let made = CARD.created("silly", Seed::new([7; 32]));
        let game = apply::create(&made, NOW).unwrap();
        let mut edit = GameEdit::of(&game, &RatherSilly, NOW);
        let seats = (0..JESTER.0).map(Power).chain(roles.iter().copied());
        let seats: Vec<Power> = seats.collect();
        let seat_of = |power: &Power| SeatId(u32::from(power.0) + 1);
        for power in &seats {
            edit.emit(player_seated(seat_of(power).0));
        }
        let holders = seats.iter().map(|power| (*power, seat_of(power)));
        let holders = holders.collect();
        let powers = edit.game.map().powers().to_vec();
        edit.emit(Event::Dealt { powers, holders });
        phases::begin(&mut edit);
        edit
    }

    fn put<T: serde::Serialize>(edit: &mut GameEdit, power: Power, name: &str, what: &T) {
        edit.emit(Event::Submitted {
            power,
            name: name.to_owned(),
            data: VariantData::of(what).ok(),
            lasting: name != pass::PASS,
        });
        phases::settle(edit);
    }

    fn wanted(edit: &GameEdit) -> Requirements {
        edit.variant_game().requirements()
    }

    #[test]
    fn the_opening_winter_runs_when_all_seven_have_placed_or_passed() {
        let mut edit = begun(&[JESTER]);
        assert_eq!(wanted(&edit).wanting.len(), 7);
        let nowhere: [&str; 0] = [];
        put(&mut edit, Power(0), slots::HERDS, &nowhere);
        for power in (1..JESTER.0).map(Power) {
            assert_eq!(edit.game.timing.all_in, None);
            put(&mut edit, power, pass::PASS, &true);
        }
        assert!(edit.game.timing.all_in.is_some());
    }

    #[test]
    fn a_movement_waits_for_what_its_roles_may_send_and_no_role_is_late_for_it() {
        let roles = [JESTER, MASTERMIND, DOCTOR, SOOTHSAYER];
        let mut edit = begun(&roles);
        phases::run(&mut edit).expect("the results hold");
        assert_eq!(edit.game.phase, Phase::Movement);
        hold(&mut edit, |_| true);
        let until = |edit: &GameEdit| Vec::from_iter(wanted(edit).until_deadline);
        assert_eq!(until(&edit), roles);
        assert!(edit.variant_game().powers_missing().is_empty());
        put(&mut edit, JESTER, slots::JESTS, &Vec::<Jest>::new());
        let mut question = Question::default();
        put(&mut edit, MASTERMIND, slots::QUESTION, &question);
        assert_eq!(until(&edit), [MASTERMIND, DOCTOR, SOOTHSAYER]);
        question.accepted.push(Accepted::Text("Calhamer".into()));
        put(&mut edit, MASTERMIND, slots::QUESTION, &question);
        put(&mut edit, DOCTOR, slots::TARDIS, &TardisOrder::Stay);
        assert_eq!(until(&edit), [SOOTHSAYER]);
        let deadline = edit.game.timing.times.unwrap().deadline;
        assert_eq!(edit.game.timing.all_in, None);
        assert!(matches!(
            edit.variant_game().duty(deadline),
            Some(clock::Duty::Remind(_))
        ));
        put(&mut edit, SOOTHSAYER, pass::PASS, &true);
        assert!(edit.game.timing.all_in.is_some());
    }

    #[test]
    fn an_error_flag_of_who_owes_nothing_holds_nobody_up() {
        let mut edit = begun(&[JESTER]);
        phases::run(&mut edit).expect("the results hold");
        hold(&mut edit, |_| true);
        let flagged = |power| Event::Flagged { power, on: true };
        let missing = |edit: &GameEdit| edit.variant_game().powers_missing();
        edit.emit(flagged(JESTER));
        assert!(missing(&edit).is_empty());
        edit.emit(flagged(FRANCE));
        assert_eq!(missing(&edit), [FRANCE]);
        put(&mut edit, FRANCE, pass::PASS, &true);
        assert!(missing(&edit).is_empty(), "nothing more comes from France");
    }

    #[test]
    fn a_season_closes_early_when_everybody_has_answered_and_voted() {
        let mut edit = begun(&[MASTERMIND]);
        phases::run(&mut edit).expect("the results hold");
        let question = Question {
            text: "Who?".into(),
            accepted: vec![Accepted::Text("Calhamer".into())],
        };
        put(&mut edit, MASTERMIND, slots::QUESTION, &question);
        hold(&mut edit, |_| true);
        phases::run(&mut edit).expect("the results hold");
        assert_eq!(
            edit.game.phase,
            Phase::Own(super::super::phases::SUMMER.name.to_owned())
        );
        let vote: Vec<
            Conditional<Option<(dipjudge_rules::map::Province, dipjudge_rules::map::Province)>>,
        > = Vec::new();
        let seats: Vec<Power> = (0..JESTER.0).map(Power).chain([MASTERMIND]).collect();
        for seat in &seats {
            put(&mut edit, *seat, slots::VOTE, &vote);
        }
        let wanting = wanted(&edit).wanting;
        assert_eq!(wanting, seats[..7], "the MASTERMIND does not answer");
        for seat in wanting {
            put(&mut edit, seat, slots::ANSWER, &"Calhamer");
        }
        assert!(edit.game.timing.all_in.is_some());
    }

    #[test]
    fn a_retreat_that_was_sent_with_the_moves_is_waited_for_no_more() {
        let mut edit = begun(&[]);
        phases::run(&mut edit).expect("the results hold");
        let mut position = edit.game.position.clone();
        let unit = |number: u32, power: Power| Unit {
            id: dipjudge_rules::position::UnitId(number),
            power,
            kind: UnitKind::ARMY,
            at: "BUR".parse().unwrap(),
        };
        for (number, power) in [(900, FRANCE), (901, SOOTHSAYER)] {
            position.dislodged.push(Dislodged {
                unit: unit(number, power),
                attacker: None,
                options: vec!["GAS".parse().unwrap()],
            });
        }
        edit.emit(Event::Board { position });
        edit.emit(Event::Opened {
            turn: edit.game.turn,
            phase: Phase::Retreats,
        });
        let missing = |edit: &GameEdit| edit.variant_game().powers_missing();
        assert_eq!(missing(&edit), [FRANCE], "nobody leads the SOOTHSAYER");
        let away = unit(900, FRANCE).id;
        let flight = vec![Conditional {
            condition: None,
            then: RetreatChoice::Disband,
        }];
        put(&mut edit, FRANCE, &slots::retreat(away), &flight);
        assert!(missing(&edit).is_empty());
    }
}
