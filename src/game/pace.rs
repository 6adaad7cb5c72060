//! How the clock treats a game (`visibility.md` 6): three sets of defaults, and the changes that its settings make. The clock
//! asks here and does not know variants or options.

use super::VariantGame;

/// The rules of the clock for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A phase is adjudicated as soon as everything has come; otherwise at its deadline, even if everything came earlier.
    pub early: bool,
    /// A late power is waited for until grace ends; otherwise the phase is adjudicated at the deadline without its orders, and
    /// no power is late.
    pub grace: bool,
    /// A movement, retreat or adjustment phase without any decision is held on its date; otherwise it is skipped.
    pub holds_empty_phases: bool,
    /// A deadline is moved out of players' and masters' absences. Masters' absences and mail outages move it in every game.
    pub moved_by_absence: bool,
    /// A new or returning leader gets additional time.
    pub moved_by_takeover: bool,
    /// Whom to remind of the deadline, and when.
    pub reminder: Reminder,
    /// The number of successive movement phases without any order after which a power is free for another leader; `None` means
    /// never.
    pub replaced_after: Option<u32>,
}

/// Whom to remind of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// Powers that lack something, as many hours before as each player wishes.
    AsWished,
    /// Powers that have sent nothing for the phase, this many hours before.
    IfSilent(u32),
}

impl Pace {
    /// Open games.
    pub const STANDARD: Pace = Pace {
        early: true,
        grace: true,
        holds_empty_phases: false,
        moved_by_absence: true,
        moved_by_takeover: true,
        reminder: Reminder::AsWished,
        replaced_after: None,
    };

    /// Games with a hidden board: early results would reveal when the last orders came.
    pub const BLIND: Pace = Pace {
        early: false,
        ..Pace::STANDARD
    };

    /// Games that hide who exists: a fixed calendar that no action of a player changes (`civdip.md` 12.4).
    pub const CALENDAR: Pace = Pace {
        early: false,
        grace: false,
        holds_empty_phases: true,
        moved_by_absence: false,
        moved_by_takeover: false,
        reminder: Reminder::IfSilent(24),
        replaced_after: Some(2),
    };
}

impl VariantGame<'_> {
    /// The clock's rules for the game: the variant's own, or those of the game's options, changed by its settings.
    pub fn pace(self) -> Pace {
        let settings = &self.game.settings;
        let usual = if settings.blind {
            Pace::BLIND
        } else {
            Pace::STANDARD
        };
        let row = self.variant.pace(settings).unwrap_or(usual);
        Pace {
            early: settings.early.unwrap_or(row.early),
            ..row
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::super::clock::{Duty, PhaseStart};
    use super::super::labels::testing::player_seated;
    use super::super::settings::{DayRule, Days, PhaseClock};
    use super::super::{
        Absence, Adjudication, Card, Course, Described, Event, Game, GameEdit, Hidden, OwnCalendar,
        Seat, SeatChange, SeatId, SettingChange, Settings, State, Submissions, Views, phases,
    };
    use super::*;
    use crate::testing::{created, hold};
    use dipjudge_rules::map::Power;

    /// The standard game, on a calendar if the flag is set.
    struct Calendar(bool);

    impl Described for Calendar {
        fn card(&self) -> &'static Card {
            &Card::PLAIN
        }
    }

    impl Course for Calendar {
        fn calendar(&self) -> Option<&dyn OwnCalendar> {
            Some(self)
        }
    }

    impl OwnCalendar for Calendar {
        fn pace(&self, _: &Settings) -> Option<Pace> {
            self.0.then_some(Pace::CALENDAR)
        }
    }

    impl Submissions for Calendar {}

    impl Adjudication for Calendar {}

    impl Views for Calendar {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// A game that has just begun, each power led by a seat of its own.
    fn begun(variant: &Calendar, blind: bool) -> GameEdit<'_> {
        let mut edit = GameEdit::of(&created("kalends"), variant, NOW);
        edit.emit(Event::Set(SettingChange::Blind(blind)));
        for number in 1..=7 {
            edit.emit(player_seated(number));
        }
        let powers = edit.game.map().powers().to_vec();
        let holders = (0u8..7).map(|n| (Power(n), SeatId(u32::from(n) + 1)));
        let holders = holders.collect();
        edit.emit(Event::Dealt { powers, holders });
        phases::begin(&mut edit);
        edit
    }

    /// The time of adjudication if no further mail comes, relative to the deadline of the phase in hand.
    fn processed(edit: &GameEdit) -> Option<SignedDuration> {
        let next = edit.variant_game().next_duty_at()?;
        let deadline = edit.game.timing.times?.deadline;
        match edit.variant_game().duty(next)? {
            Duty::Process { .. } => Some(next.duration_since(deadline)),
            _ => None,
        }
    }

    #[test]
    fn complete_orders_are_processed_early_in_open_games_alone() {
        for (calendar, blind, early) in [
            (false, false, true),
            (false, true, false),
            (true, false, false),
        ] {
            let variant = Calendar(calendar);
            let mut edit = begun(&variant, blind);
            hold(&mut edit, |_| true);
            let before = processed(&edit).unwrap();
            assert_eq!(before.is_negative(), early, "{calendar} {blind}: {before}");
            assert!(!before.is_positive(), "{calendar} {blind}: {before}");
        }
    }

    #[test]
    fn nobody_is_late_on_a_calendar_and_no_absence_moves_it() {
        let variant = Calendar(true);
        let mut edit = begun(&variant, false);
        let times = edit.game.timing.times.unwrap();
        assert_eq!(times.grace, times.deadline);
        hold(&mut edit, |_| true);
        assert_eq!(processed(&edit), Some(SignedDuration::ZERO));
        let away = Absence {
            from: NOW,
            to: NOW + SignedDuration::from_hours(24 * 365),
        };
        let open = Calendar(false);
        let mut other = begun(&open, false);
        for edit in [&mut edit, &mut other] {
            edit.emit(Event::SeatChanged {
                seat: SeatId(1),
                change: SeatChange::Absent(away),
            });
        }
        let deadline = |edit: &GameEdit| {
            edit.variant_game()
                .times_from(NOW, PhaseStart::Later)
                .deadline
        };
        assert!(deadline(&edit) < away.to);
        assert!(deadline(&other) > away.to);
    }

    /// A game that has just begun, with clocks of its own.
    fn begun_with(variant: &Calendar, clock: &PhaseClock) -> GameEdit<'static> {
        // The variants of these tests differ in one flag only.
        let variant: &'static Calendar = if variant.0 {
            &Calendar(true)
        } else {
            &Calendar(false)
        };
        let mut edit = begun(variant, true);
        let clocks = [
            SettingChange::Moves(clock.clone()),
            SettingChange::Retreats(clock.clone()),
            SettingChange::Adjusts(clock.clone()),
        ];
        for clock in clocks {
            edit.emit(Event::Set(clock));
        }
        edit
    }

    /// Adjudicates the phase in hand this long after it fell due. Returns the time of it.
    fn play_late(edit: &mut GameEdit, late: SignedDuration) -> Timestamp {
        hold(edit, |_| true);
        let due = edit.variant_game().next_duty_at().unwrap();
        edit.fell_due = due;
        edit.now = due + late;
        phases::run(edit).expect("the results hold");
        due
    }

    #[test]
    fn deadlines_are_those_of_the_schedule_whenever_the_judge_runs() {
        let mut state: u32 = 24;
        let mut draw = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % most
        };
        for round in 0..40 {
            let variant = Calendar(round % 2 == 0);
            let clock = PhaseClock {
                clock: (draw(2) == 0).then(|| draw(1440) as u16),
                next: [60, 12 * 60, 23 * 60, 71 * 60, 200 * 60][draw(5) as usize],
                min: 0,
                days: Days::try_from(if draw(2) == 0 { "SMTWTFS" } else { "-MTwTF-" }.to_owned())
                    .unwrap(),
                ..Settings::default().moves
            };
            let mut punctual = begun_with(&variant, &clock);
            let mut late = begun_with(&variant, &clock);
            for phase in 0..8 {
                let minutes = draw(clock.next / 2);
                play_late(&mut punctual, SignedDuration::ZERO);
                let by = SignedDuration::from_secs(i64::from(minutes * 60 + draw(60)));
                play_late(&mut late, by);
                let times = |edit: &GameEdit| edit.game.timing.times.unwrap();
                assert_eq!(
                    times(&late),
                    times(&punctual),
                    "round {round}, phase {phase}: {minutes} minutes late, {clock:?}"
                );
            }
            // After a long interruption enough time is left, and the time of day is kept.
            let by = SignedDuration::from_mins(i64::from(clock.next / 2 + draw(60 * 24 * 20)));
            let due = play_late(&mut late, by);
            let deadline = late.game.timing.times.unwrap().deadline;
            let length = SignedDuration::from_mins(i64::from(clock.next));
            assert!(
                deadline.duration_since(late.now) >= length / 2,
                "round {round}"
            );
            let step = if clock.next < 12 * 60 {
                length
            } else {
                SignedDuration::from_hours(24)
            };
            if clock.clock.is_none() && clock.days.rule(0) == DayRule::Allowed {
                let moved = deadline.duration_since(due + length);
                assert_eq!(moved.as_secs() % step.as_secs(), 0, "round {round}");
            }
        }
    }

    #[test]
    fn a_deadline_that_is_set_by_hand_brings_its_grace_with_it() {
        let variant = Calendar(false);
        let edit = begun(&variant, false);
        let times = edit.game.timing.times.unwrap();
        let grace = times.grace.duration_since(times.deadline);
        assert!(grace > SignedDuration::ZERO);
        let after = |deadline| edit.variant_game().grace_after(deadline, NOW);
        let later = times.deadline + SignedDuration::from_hours(24 * 7);
        assert_eq!(after(later), later + grace);
        // Grace that was promised is not taken back.
        let earlier = times.deadline - SignedDuration::from_hours(1);
        assert_eq!(after(earlier), times.grace);
        let variant = Calendar(true);
        let edit = begun(&variant, false);
        assert_eq!(edit.variant_game().grace_after(later, NOW), later);
    }

    #[test]
    fn only_who_sent_nothing_is_reminded_on_a_calendar() {
        let variant = Calendar(true);
        let mut edit = begun(&variant, false);
        hold(&mut edit, |power| power.0 < 5);
        let day_before = edit.game.timing.times.unwrap().deadline - SignedDuration::from_hours(24);
        assert_eq!(
            VariantGame::new(&edit.game, &variant).duty(day_before),
            Some(Duty::Remind(vec![Power(5), Power(6)]))
        );
        assert_eq!(
            VariantGame::new(&edit.game, &variant).duty(day_before - SignedDuration::from_secs(1)),
            None
        );
    }

    #[test]
    fn a_calendar_holds_its_phases_and_frees_powers_that_send_nothing_twice() {
        let variant = Calendar(true);
        let mut edit = begun(&variant, false);
        let mut held = Vec::new();
        let free = |edit: &GameEdit| -> Vec<u8> {
            let powers = edit.game.all_powers();
            let free = powers.filter(|power| edit.game.standing(*power).vacant());
            free.map(|power| power.0).collect()
        };
        for _ in 0..5 {
            held.push(edit.game.phase_name(edit.variant).to_string());
            assert!(held.len() > 3 || free(&edit).is_empty());
            let from = if held.len() == 1 { 1 } else { 2 };
            hold(&mut edit, |power| power.0 >= from);
            phases::run(&mut edit).expect("the results hold");
        }
        assert_eq!(held, ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A"]);
        assert_eq!(free(&edit), [0], "the second missed one only once");
        let seat: &Seat = edit.game.holder(Power(0)).unwrap();
        assert_eq!(
            seat.id,
            SeatId(1),
            "until somebody comes, who left it so keeps it"
        );
    }

    /// What the clock triggers while nobody sends an order, each with the hours since the deadline, without reminders.
    fn without_orders(edit: &mut GameEdit, most: usize) -> Vec<(i64, Duty)> {
        let deadline = edit.game.timing.times.unwrap().deadline;
        let mut duties = Vec::new();
        while duties.len() < most {
            let at = edit.variant_game().next_duty_at().unwrap();
            let duty = edit.variant_game().duty(at).unwrap();
            let timing = &mut edit.game.timing;
            match &duty {
                Duty::Remind(powers) => {
                    timing.reminded.extend(powers);
                    continue;
                }
                Duty::Late { .. } => timing.late_notice = Some(at),
                Duty::Replace { .. } => timing.standstill = Some(at),
                _ => {}
            }
            let over = matches!(duty, Duty::Process { .. });
            duties.push((at.duration_since(deadline).as_hours(), duty));
            if over {
                break;
            }
        }
        duties
    }

    #[test]
    fn late_notices_are_whole_days_before_the_end_of_grace_and_then_new_leaders_are_sought() {
        let mut edit = begun(&Calendar(false), false);
        let deadline = edit.game.timing.times.unwrap().deadline;
        let grace = deadline + SignedDuration::from_hours(4 * 24 - 1);
        edit.game.timing.times.as_mut().unwrap().grace = grace;
        let all: Vec<Power> = (0..7).map(Power).collect();
        let late = |first, only_late: bool| Duty::Late {
            powers: all.clone(),
            only: only_late.then(|| all.clone()),
            first,
            abandoned: false,
        };
        let replace = |first| Duty::Replace {
            powers: all.clone(),
            first,
        };
        assert_eq!(
            without_orders(&mut edit, 6),
            [
                (0, late(true, false)),
                // Less than a day after the deadline everybody is notified.
                (23, late(false, false)),
                (47, late(false, true)),
                (71, late(false, true)),
                (95, replace(true)),
                (143, replace(false)),
            ]
        );
    }

    #[test]
    fn where_games_go_on_without_orders_the_last_notice_gives_powers_up() {
        let mut edit = begun(&Calendar(false), false);
        edit.emit(Event::Set(SettingChange::Nmr(true)));
        let deadline = edit.game.timing.times.unwrap().deadline;
        let grace = deadline + SignedDuration::from_hours(3 * 24);
        edit.game.timing.times.as_mut().unwrap().grace = grace;
        let duties = without_orders(&mut edit, 9);
        let told: Vec<(i64, bool)> = duties
            .iter()
            .filter_map(|(hours, duty)| match duty {
                Duty::Late { abandoned, .. } => Some((*hours, *abandoned)),
                _ => None,
            })
            .collect();
        assert_eq!(told, [(0, false), (24, false), (48, true)]);
        let all: Vec<Power> = (0..7).map(Power).collect();
        assert_eq!(duties.last(), Some(&(72, Duty::Process { disorder: all })));
    }

    #[test]
    fn a_paused_game_is_called_to_mind_after_three_days_and_a_forming_one_after_seven() {
        let mut edit = begun(&Calendar(false), false);
        edit.game.timing.nudged = Some(NOW);
        for (state, days) in [(State::Paused, 3), (State::Forming, 7)] {
            edit.game.state = state;
            let at = NOW + SignedDuration::from_hours(24 * days);
            assert_eq!(edit.variant_game().next_duty_at(), Some(at));
        }
    }

    #[test]
    fn complete_orders_are_processed_after_the_delay() {
        let mut edit = begun(&Calendar(false), false);
        hold(&mut edit, |_| true);
        let delay = SignedDuration::from_mins(i64::from(edit.game.settings.moves.delay));
        assert!(delay.is_positive());
        edit.game.timing.times.as_mut().unwrap().start = NOW;
        let all_in = edit.game.timing.all_in.unwrap();
        assert_eq!(edit.variant_game().next_duty_at(), Some(all_in + delay));
    }
}
