//! Which powers of a game need a leader, and which may stay open: at the table, while the game runs, and for votes.

use std::ops::RangeInclusive;

use super::{Game, Role, VariantGame, in_play};
use dipjudge_rules::map::Power;

/// Whether a game needs a leader for a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaderNeed {
    /// The game begins with a leader of it, and waits for a replacement if there is none.
    Required,
    /// The game continues without a leader. A player who asks for it at the table gets it, and while nobody leads it anybody may
    /// take it over.
    Optional,
    /// Not played in this game.
    Closed,
}

impl<'g> VariantGame<'g> {
    /// The need for a power's leader.
    pub fn need_of(self, power: Power) -> LeaderNeed {
        self.variant.need(power, &self.game.settings)
    }

    /// Whether a power is optional and nobody leads it. Such a power owes nothing, is not waited for, and does not block votes.
    pub fn stands_open(self, power: Power) -> bool {
        self.need_of(power) == LeaderNeed::Optional
            && self.game.standing(power).vacant()
            && self.variant.in_play(self.game, power)
    }

    /// The powers that take part at the moment: all in play, except optional ones without a leader.
    pub fn powers_taking_part(self) -> Vec<Power> {
        let mut powers = in_play(self.game, self.variant);
        powers.retain(|power| !self.stands_open(*power));
        powers
    }

    /// The powers of this need.
    fn powers_by_need(self, need: LeaderNeed) -> impl Iterator<Item = Power> + 'g {
        self.game
            .all_powers()
            .filter(move |power| self.need_of(*power) == need)
    }

    /// Whether the game has optional powers.
    pub fn has_optional_powers(self) -> bool {
        self.powers_by_need(LeaderNeed::Optional).next().is_some()
    }

    /// The optional powers that nobody at a forming table has chosen.
    pub fn powers_not_chosen(self) -> Vec<Power> {
        self.powers_by_need(LeaderNeed::Optional)
            .filter(|power| {
                !self
                    .game
                    .seated(Role::Player)
                    .any(|seat| seat.chosen == Some(*power))
            })
            .collect()
    }

    /// The number of players that the game allows as it is set.
    pub fn players(self) -> RangeInclusive<usize> {
        let (least, most) = self.variant.players(self.game.map()).into_inner();
        let closed = self.powers_by_need(LeaderNeed::Closed).count();
        least..=most.saturating_sub(closed).max(least)
    }

    /// How many players of a forming table may still choose an optional power while enough remain for the required ones.
    pub fn spare_players(self) -> usize {
        let required = self.powers_by_need(LeaderNeed::Required).count();
        without_choice(self.game).saturating_sub(required)
    }

    /// How many players are missing at a table that begins as soon as its required powers have players. A player who has chosen
    /// an optional power does not count. `wanted` is the number that was set to begin the game.
    pub fn players_missing_for_powers(self, wanted: Option<usize>) -> usize {
        let required = self.powers_by_need(LeaderNeed::Required).count();
        let seated = self.game.seated(Role::Player).count();
        let for_number = wanted.unwrap_or(0).saturating_sub(seated);
        required
            .saturating_sub(without_choice(self.game))
            .max(for_number)
    }
}

/// The players at a forming table who have chosen no power.
fn without_choice(game: &Game) -> usize {
    let players = game.seated(Role::Player);
    players.filter(|seat| seat.chosen.is_none()).count()
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::super::clock::Duty;
    use super::super::labels::testing::player_seated;
    use super::super::{
        Access, Adjudication, Assignment, Card, Course, Described, Ending, Event, GameEdit, Hidden,
        OptionalPowers, Requirements, SeatChange, SeatId, SettingChange, Settings, Submissions,
        Views, Vote, phases,
    };
    use super::*;
    use crate::testing::{created, hold};

    const GERMANY: Power = Power(3);
    const RUSSIA: Power = Power(5);
    const TURKEY: Power = Power(6);
    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// The standard game, with Russia and Turkey optional.
    #[derive(Default)]
    struct Roles {
        /// Turkey is not played.
        turkey_closed: bool,
        /// Only powers with at most three centers must agree to a draw.
        small_agree: bool,
        until_deadline: Vec<Power>,
        passed: Vec<Power>,
    }

    impl Described for Roles {
        fn card(&self) -> &'static Card {
            &Card::PLAIN
        }
    }

    impl Course for Roles {
        fn players(&self, _: &dipjudge_rules::map::Map) -> RangeInclusive<usize> {
            5..=7
        }

        fn optional_powers(&self) -> Option<&dyn OptionalPowers> {
            Some(self)
        }
    }

    impl OptionalPowers for Roles {
        fn need(&self, power: Power, _: &Settings) -> LeaderNeed {
            match power {
                TURKEY if self.turkey_closed => LeaderNeed::Closed,
                RUSSIA | TURKEY => LeaderNeed::Optional,
                _ => LeaderNeed::Required,
            }
        }

        fn draw_needs(&self, game: &Game, power: Power) -> bool {
            !self.small_agree || game.center_count(power) <= 3
        }
    }

    impl Submissions for Roles {}

    impl Adjudication for Roles {
        fn amend_requirements(&self, _: &Game, requirements: &mut Requirements, _: &Access<'_>) {
            requirements.until_deadline.extend(&self.until_deadline);
            requirements.passed.extend(&self.passed);
        }
    }

    impl Views for Roles {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    /// A table with this many players; the first of them have chosen these powers.
    fn table<'v>(variant: &'v Roles, players: u32, chosen: &[Power]) -> GameEdit<'v> {
        let mut edit = GameEdit::of(&created("roles"), variant, NOW);
        for number in 1..=players {
            edit.emit(player_seated(number));
        }
        for (seat, power) in (1..).map(SeatId).zip(chosen) {
            let change = SeatChange::Chosen(Some(*power));
            edit.emit(Event::SeatChanged { seat, change });
        }
        edit
    }

    fn dealt(edit: &GameEdit) -> Vec<(Power, SeatId)> {
        edit.variant_game().deal(edit.game.map().powers())
    }

    /// A game that has begun, in which nobody leads Turkey.
    fn without_turkey(variant: &Roles) -> GameEdit<'_> {
        let mut edit = table(variant, 6, &[RUSSIA]);
        let powers = edit.game.map().powers().to_vec();
        let holders = dealt(&edit);
        edit.emit(Event::Dealt { powers, holders });
        phases::begin(&mut edit);
        edit
    }

    #[test]
    fn a_table_waits_for_those_who_lead_what_it_needs() {
        let missing = |players, chosen: &[Power], wanted| {
            let variant = Roles::default();
            let edit = table(&variant, players, chosen);
            VariantGame::new(&edit.game, &variant).players_missing_for_powers(wanted)
        };
        assert_eq!(missing(4, &[], None), 1);
        assert_eq!(missing(5, &[], None), 0);
        assert_eq!(missing(5, &[RUSSIA], None), 1, "he does not count for them");
        assert_eq!(missing(5, &[RUSSIA], Some(7)), 2);
        let closed = Roles {
            turkey_closed: true,
            ..Roles::default()
        };
        let edit = table(&closed, 1, &[RUSSIA]);
        assert_eq!(VariantGame::new(&edit.game, &closed).players(), 5..=6);
        assert!(
            VariantGame::new(&edit.game, &closed)
                .powers_not_chosen()
                .is_empty()
        );
    }

    #[test]
    fn what_the_game_needs_is_dealt_first_and_what_is_closed_never() {
        let variant = Roles {
            turkey_closed: true,
            ..Roles::default()
        };
        for assignment in [Assignment::List, Assignment::Random, Assignment::Both] {
            for players in 1..=6 {
                let mut edit = table(&variant, players, &[]);
                edit.emit(Event::Set(SettingChange::Assignment(assignment)));
                for number in 1..=players {
                    let seat = SeatId(number);
                    let list = if number % 2 == 0 { "*" } else { "RT" };
                    let change = SeatChange::Preference(list.to_owned());
                    edit.emit(Event::SeatChanged { seat, change });
                }
                let powers: Vec<u8> = dealt(&edit).iter().map(|(power, _)| power.0).collect();
                assert_eq!(powers.len(), players as usize);
                let needed = powers.iter().filter(|power| **power < RUSSIA.0).count();
                assert_eq!(needed, players.min(5) as usize, "{powers:?}");
                assert!(!powers.contains(&TURKEY.0), "{powers:?}");
            }
        }
    }

    #[test]
    fn who_has_chosen_a_power_has_it_and_a_wish_decides_who_else_leads_one_that_is_left() {
        let variant = Roles::default();
        let mut edit = table(&variant, 7, &[RUSSIA]);
        let change = SeatChange::Preference("T".to_owned());
        let seat = SeatId(4);
        edit.emit(Event::SeatChanged { seat, change });
        let dealt = dealt(&edit);
        assert_eq!(dealt.len(), 7);
        assert!(dealt.contains(&(RUSSIA, SeatId(1))));
        assert!(dealt.contains(&(TURKEY, seat)), "{dealt:?}");
    }

    #[test]
    fn a_choice_goes_with_the_variant_and_not_with_what_is_laid_over_the_map() {
        let variant = Roles::default();
        let mut edit = table(&variant, 2, &[RUSSIA]);
        let mut set = |variant: &str, places: &str| {
            edit.emit(Event::Variant {
                variant: variant.to_owned(),
                map: "standard".to_owned(),
                places: places.to_owned(),
            });
            edit.game.seat(SeatId(1)).unwrap().chosen
        };
        assert_eq!(set(Card::PLAIN.name, "called A  Army"), Some(RUSSIA));
        assert_eq!(set("another", ""), None);
    }

    #[test]
    fn nothing_waits_for_a_power_that_stands_open() {
        let variant = Roles::default();
        let mut edit = without_turkey(&variant);
        assert!(VariantGame::new(&edit.game, &variant).stands_open(TURKEY));
        hold(&mut edit, |power| power != TURKEY);
        assert!(
            VariantGame::new(&edit.game, &variant)
                .powers_missing()
                .is_empty()
        );
        assert!(edit.game.timing.all_in.is_some());
        let taking_part = VariantGame::new(&edit.game, &variant).powers_taking_part();
        for power in &taking_part {
            assert_eq!(
                VariantGame::new(&edit.game, &variant).ending_by_votes(),
                None
            );
            let (power, vote) = (*power, Some(Vote::All));
            edit.emit(Event::Voted { power, vote });
        }
        let drawn = VariantGame::new(&edit.game, &variant).ending_by_votes();
        assert_eq!(drawn, Some(Ending::Drawn(taking_part)));
        let seat = SeatId(9);
        let power = TURKEY;
        edit.emit(Event::Taken { power, seat });
        assert_eq!(
            VariantGame::new(&edit.game, &variant).ending_by_votes(),
            None
        );
        assert_eq!(
            VariantGame::new(&edit.game, &variant).powers_missing(),
            [TURKEY]
        );
    }

    #[test]
    fn a_draw_needs_those_whom_the_variant_says_and_all_share_it() {
        let variant = Roles {
            small_agree: true,
            ..Roles::default()
        };
        let mut edit = without_turkey(&variant);
        for power in (0..5).map(Power) {
            assert_eq!(
                VariantGame::new(&edit.game, &variant).ending_by_votes(),
                None
            );
            let vote = Some(Vote::All);
            edit.emit(Event::Voted { power, vote });
        }
        let all: Vec<Power> = (0..6).map(Power).collect();
        assert_eq!(
            VariantGame::new(&edit.game, &variant).ending_by_votes(),
            Some(Ending::Drawn(all))
        );
    }

    #[test]
    fn the_game_does_not_stand_still_for_who_leads_a_power_that_it_does_without() {
        let variant = Roles::default();
        let end = |but: &[Power]| {
            let mut edit = without_turkey(&variant);
            hold(&mut edit, |power| !but.contains(&power));
            let times = edit.game.timing.times.unwrap();
            edit.now = times.deadline;
            edit.emit(Event::Late {
                powers: but.to_vec(),
            });
            let powers = vec![RUSSIA, GERMANY];
            edit.emit(Event::Reminded { powers });
            edit.game.timing.late_notice = Some(times.grace - SignedDuration::from_hours(1));
            VariantGame::new(&edit.game, &variant).duty(times.grace)
        };
        let disorder = vec![RUSSIA];
        assert_eq!(end(&[RUSSIA]), Some(Duty::Process { disorder }));
        let powers = vec![GERMANY];
        let first = true;
        assert_eq!(
            end(&[RUSSIA, GERMANY]),
            Some(Duty::Replace { powers, first })
        );
    }

    #[test]
    fn what_nobody_owes_is_waited_for_until_the_deadline_unless_its_sender_passes() {
        let process = || {
            Some(Duty::Process {
                disorder: Vec::new(),
            })
        };
        let waits = Roles {
            until_deadline: vec![RUSSIA, TURKEY],
            ..Roles::default()
        };
        let mut edit = without_turkey(&waits);
        hold(&mut edit, |_| true);
        assert_eq!(edit.game.timing.all_in, None);
        let deadline = edit.game.timing.times.unwrap().deadline;
        edit.emit(Event::Reminded {
            powers: vec![RUSSIA],
        });
        assert_eq!(
            VariantGame::new(&edit.game, &waits).next_duty_at(),
            Some(deadline)
        );
        assert_eq!(
            VariantGame::new(&edit.game, &waits).duty(deadline),
            process()
        );
        let passes = Roles {
            until_deadline: vec![RUSSIA],
            passed: vec![RUSSIA],
            ..Roles::default()
        };
        let mut edit = without_turkey(&passes);
        hold(&mut edit, |power| power != RUSSIA);
        let next = VariantGame::new(&edit.game, &passes)
            .next_duty_at()
            .unwrap();
        assert!(next < deadline);
        assert_eq!(VariantGame::new(&edit.game, &passes).duty(next), process());
    }
}
