//! Draws and concessions (`judge-workflow.md` 1.4).

use std::collections::BTreeSet;

use super::{Ending, Game, VariantGame, Vote};
use dipjudge_rules::map::Power;

impl VariantGame<'_> {
    /// The ending that the votes have brought about, if any. An abandoned power blocks it, unless the game can continue without
    /// a leader of it; a master may vote for it.
    pub fn ending_by_votes(self) -> Option<Ending> {
        let playing = self.powers_taking_part();
        if playing.is_empty() {
            return None;
        }
        if self.variant.hides_existence(self.game) {
            return agreed_by_leaders(self.game, playing);
        }
        if let Some(ending) = conceded(self.game, &playing) {
            return Some(ending);
        }
        let voters: Vec<Power> = playing
            .iter()
            .copied()
            .filter(|power| self.variant.draw_needs(self.game, *power))
            .collect();
        if voters.is_empty() {
            return None;
        }
        if self.game.settings.dias {
            drawn_by_all(self.game, &voters, playing)
        } else {
            drawn_by_lists(self.game, &voters, &playing)
        }
    }

    /// Whether all powers in play that have a leader want the game to end without a result.
    pub fn terminated_by_votes(self) -> bool {
        let playing = self.powers_taking_part().into_iter();
        let mut led = playing
            .map(|power| self.game.standing(power))
            .filter(|standing| !standing.vacant())
            .peekable();
        led.peek().is_some() && led.all(|standing| standing.terminates)
    }
}

/// Where it is hidden who exists, all powers in play that have a leader must agree, since they cannot know of a power without
/// one; the beneficiary of a concession must agree as well.
fn agreed_by_leaders(game: &Game, playing: Vec<Power>) -> Option<Ending> {
    let leaders = playing.iter().map(|power| game.standing(*power));
    let mut votes = leaders
        .filter(|standing| !standing.vacant())
        .map(|standing| standing.vote.clone());
    let first = votes.next()??;
    if !votes.all(|vote| vote.as_ref() == Some(&first)) {
        return None;
    }
    match first {
        Vote::All => Some(Ending::Drawn(playing)),
        Vote::Concede(winner) => playing
            .contains(&winner)
            .then_some(Ending::Conceded(winner)),
        // Nobody knows all powers that he would have to list.
        Vote::Among(_) => None,
    }
}

/// All powers that must agree do; all that play share the draw.
fn drawn_by_all(game: &Game, voters: &[Power], playing: Vec<Power>) -> Option<Ending> {
    voters
        .iter()
        .all(|power| game.standing(*power).vote == Some(Vote::All))
        .then_some(Ending::Drawn(playing))
}

/// Everybody except the beneficiary has voted for it.
fn conceded(game: &Game, playing: &[Power]) -> Option<Ending> {
    let winner = playing
        .iter()
        .find_map(|power| match &game.standing(*power).vote {
            Some(Vote::Concede(winner)) => Some(*winner),
            _ => None,
        })?;
    let agreed = |power: &Power| {
        *power == winner || game.standing(*power).vote == Some(Vote::Concede(winner))
    };
    (playing.contains(&winner) && playing.iter().all(agreed)).then_some(Ending::Conceded(winner))
}

/// The largest set of powers in play that is approved by each power that must agree. A list approves its subsets: with the voter
/// in the list, only those that contain the voter; without, also those with the voter added. So the intersection of all lists is
/// the largest set that all may approve, and every voter who listed himself must be in it.
fn drawn_by_lists(game: &Game, voters: &[Power], playing: &[Power]) -> Option<Ending> {
    let mut set: BTreeSet<Power> = playing.iter().copied().collect();
    let mut insisting = BTreeSet::new();
    for voter in voters {
        let Some(Vote::Among(list)) = game.standings.get(voter)?.vote.as_ref() else {
            return None;
        };
        insisting.extend(list.iter().copied().find(|listed| listed == voter));
        set.retain(|power| power == voter || list.contains(power));
    }
    let set: Vec<Power> = if insisting.is_subset(&set) {
        set.into_iter().collect()
    } else {
        return None;
    };
    match set.as_slice() {
        [] => None,
        [winner] => Some(Ending::Conceded(*winner)),
        _ => Some(Ending::Drawn(set)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::labels::testing::Strangers;
    use super::super::testing::{Plain, created};
    use super::super::{
        Adjudication, Card, Course, Described, Event, GameEdit, Hidden, SeatId, Seed, Submissions,
        Views, in_play,
    };
    use super::*;
    use dipjudge_rules::map::{PowerInfo, UnitKind};
    use dipjudge_rules::position::{Unit, UnitId};

    /// A game in which draws are among those named, of so many powers with a unit each.
    fn game(powers: u8) -> Game {
        let mut game = created("many");
        game.settings.dias = false;
        let provinces = game.map().provinces();
        game.powers = (0..powers)
            .map(|n| PowerInfo::by_code(&format!("P{n}"), &format!("Power {n}")))
            .collect();
        game.position.units = (0..powers)
            .map(|n| Unit {
                id: UnitId(u32::from(n)),
                power: Power(n),
                kind: UnitKind::ARMY,
                at: provinces[usize::from(n)].code.into(),
            })
            .collect();
        game
    }

    fn votes(game: &mut Game, voter: u8, list: &[u8]) {
        let list = list.iter().copied().map(Power).collect();
        game.standings.entry(Power(voter)).or_default().vote = Some(Vote::Among(list));
    }

    /// The largest set that all approve, found by trying every set.
    fn by_trying_all(game: &Game) -> Option<Vec<Power>> {
        let playing = in_play(game, &Plain);
        let approves = |voter: Power, set: &[Power]| {
            let Some(Vote::Among(list)) = &game.standing(voter).vote else {
                return false;
            };
            let known = |power: &Power| *power == voter || list.contains(power);
            set.iter().all(known) && (!list.contains(&voter) || set.contains(&voter))
        };
        let mut sets: Vec<Vec<Power>> = (1u32..1 << playing.len())
            .map(|bits| {
                let chosen = playing.iter().enumerate();
                let chosen = chosen.filter(|(n, _)| bits >> n & 1 == 1);
                chosen.map(|(_, power)| *power).collect()
            })
            .collect();
        sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
        let approved = |set: &Vec<Power>| playing.iter().all(|voter| approves(*voter, set));
        sets.into_iter().find(approved)
    }

    #[test]
    fn the_last_two_of_thirty_four_may_draw() {
        let mut many = game(34);
        for voter in 0..34 {
            votes(&mut many, voter, &[32, 33]);
            let all = voter == 33;
            let drawn = all.then(|| Ending::Drawn(vec![Power(32), Power(33)]));
            assert_eq!(
                VariantGame::new(&many, &Plain).ending_by_votes(),
                drawn,
                "after {voter}"
            );
        }
        votes(&mut many, 33, &[32]);
        assert_eq!(
            VariantGame::new(&many, &Plain).ending_by_votes(),
            Some(Ending::Drawn(vec![Power(32), Power(33)])),
            "who is not in his own list approves of himself"
        );
        votes(&mut many, 7, &[7, 32, 33]);
        assert_eq!(
            VariantGame::new(&many, &Plain).ending_by_votes(),
            None,
            "the seventh draws only if he is in it"
        );
        (0..34).for_each(|voter| votes(&mut many, voter, &[33]));
        assert_eq!(
            VariantGame::new(&many, &Plain).ending_by_votes(),
            Some(Ending::Conceded(Power(33)))
        );
    }

    #[test]
    fn the_common_part_of_all_lists_is_the_largest_set_that_all_approve() {
        let seed = Seed::new([3; 32]);
        let dice = super::super::Dice::new(&seed);
        let mut passing = 0;
        for round in 0..2000u64 {
            let mut few = game(5);
            for voter in 0..5 {
                let draw = |stream, m| dice.draw(stream, round * 5 + u64::from(voter), m);
                // Mostly long lists, since others rarely have a set in common.
                let bits = draw("some", 32) | draw("others", 32);
                let list: Vec<u8> = (0..5).filter(|power| bits >> power & 1 == 1).collect();
                if draw("silent", 50) > 0 {
                    votes(&mut few, voter, &list);
                }
            }
            let found = match VariantGame::new(&few, &Plain).ending_by_votes() {
                Some(Ending::Drawn(powers)) => Some(powers),
                Some(Ending::Conceded(power)) => Some(vec![power]),
                _ => None,
            };
            assert_eq!(found, by_trying_all(&few), "{:?}", few.standings);
            passing += usize::from(found.is_some());
        }
        assert!((20..1980).contains(&passing), "{passing} of 2000 pass");
    }

    /// The first powers have leaders, and each votes as given.
    fn led(votes: &[Option<Vote>]) -> Game {
        let mut game = game(4);
        game.settings.dias = true;
        for (power, vote) in (0..).map(Power).zip(votes) {
            let standing = game.standings.entry(power).or_default();
            standing.holder = Some(SeatId(u32::from(power.0) + 1));
            standing.vote.clone_from(vote);
        }
        game
    }

    #[test]
    fn where_it_is_hidden_who_exists_those_who_have_a_leader_decide() {
        let all = || Some(Vote::All);
        let drawn = |powers: &[u8]| {
            let powers = powers.iter().copied().map(Power);
            Some(Ending::Drawn(powers.collect()))
        };
        let three = led(&[all(), all(), all()]);
        assert_eq!(
            VariantGame::new(&three, &Strangers).ending_by_votes(),
            drawn(&[0, 1, 2, 3])
        );
        assert_eq!(
            VariantGame::new(&three, &Plain).ending_by_votes(),
            None,
            "elsewhere a vacancy blocks it"
        );
        assert_eq!(
            VariantGame::new(&led(&[all(), all(), None]), &Strangers).ending_by_votes(),
            None
        );
        // A list names only powers that its writer knows, so it cannot bring a draw about.
        let list = || Some(Vote::Among(vec![Power(0), Power(1), Power(2)]));
        assert_eq!(
            VariantGame::new(&led(&[list(), list(), list()]), &Strangers).ending_by_votes(),
            None
        );
    }

    #[test]
    fn a_vote_goes_with_who_gave_it() {
        let to = |winner: u8| Some(Vote::Concede(Power(winner)));
        let votes = led(&[to(1), to(1), to(1), to(1)]);
        let mut edit = GameEdit::of(&votes, &Plain, jiff::Timestamp::UNIX_EPOCH);
        let power = Power(0);
        edit.emit(Event::Taken {
            power,
            seat: SeatId(1),
        });
        let conceded = Some(Ending::Conceded(Power(1)));
        assert_eq!(
            VariantGame::new(&edit.game, &Plain).ending_by_votes(),
            conceded,
            "nobody else leads it"
        );
        edit.emit(Event::Taken {
            power,
            seat: SeatId(9),
        });
        assert_eq!(VariantGame::new(&edit.game, &Plain).ending_by_votes(), None);
    }

    #[test]
    fn where_it_is_hidden_who_exists_the_one_conceded_to_agrees_too() {
        let to = |winner: u8| Some(Vote::Concede(Power(winner)));
        let agreed = led(&[to(1), to(1), to(1)]);
        assert_eq!(
            VariantGame::new(&agreed, &Strangers).ending_by_votes(),
            Some(Ending::Conceded(Power(1)))
        );
        assert_eq!(
            VariantGame::new(&led(&[to(1), None, to(1)]), &Strangers).ending_by_votes(),
            None
        );
        let mut fallen = agreed;
        fallen.position.units.retain(|unit| unit.power != Power(1));
        assert_eq!(
            VariantGame::new(&fallen, &Strangers).ending_by_votes(),
            None
        );
        let leaderless = led(&[to(3), to(3), to(3)]);
        assert_eq!(
            VariantGame::new(&leaderless, &Strangers).ending_by_votes(),
            Some(Ending::Conceded(Power(3)))
        );
    }

    /// A variant whose first power is a role without units that is always in play.
    struct WithRole;

    impl Described for WithRole {
        fn card(&self) -> &'static Card {
            &Card::PLAIN
        }
    }

    impl Course for WithRole {
        fn in_play(&self, game: &Game, power: Power) -> bool {
            power == Power(0) || Plain.in_play(game, power)
        }
    }

    impl Submissions for WithRole {}

    impl Adjudication for WithRole {}

    impl Views for WithRole {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    #[test]
    fn a_role_without_units_has_its_vote_and_who_is_out_has_none() {
        let mut game = game(4);
        game.settings.dias = true;
        game.position.units.retain(|unit| unit.power > Power(1));
        for voter in [2, 3] {
            game.standings.entry(Power(voter)).or_default().vote = Some(Vote::All);
        }
        assert_eq!(in_play(&game, &Plain), [Power(2), Power(3)]);
        assert_eq!(in_play(&game, &WithRole), [Power(0), Power(2), Power(3)]);
        let drawn = |powers: &[u8]| {
            let powers = powers.iter().copied().map(Power);
            Some(Ending::Drawn(powers.collect()))
        };
        assert_eq!(
            VariantGame::new(&game, &Plain).ending_by_votes(),
            drawn(&[2, 3])
        );
        assert_eq!(VariantGame::new(&game, &WithRole).ending_by_votes(), None);
        game.standings.entry(Power(0)).or_default().vote = Some(Vote::All);
        assert_eq!(
            VariantGame::new(&game, &WithRole).ending_by_votes(),
            drawn(&[0, 2, 3])
        );
    }

    #[test]
    fn terminate_ends_a_game_when_all_wish_it_that_have_a_leader() {
        let mut game = led(&[None, None]);
        let ends = |game: &Game| VariantGame::new(game, &Plain).terminated_by_votes();
        let wishes = |game: &mut Game, power: Power| {
            game.standings.entry(power).or_default().terminates = true;
        };
        assert!(!ends(&game));
        wishes(&mut game, Power(0));
        assert!(!ends(&game), "the second leader has not answered");
        wishes(&mut game, Power(1));
        assert!(ends(&game), "nobody leads the others");
        let mut without_leaders = led(&[]);
        wishes(&mut without_leaders, Power(0));
        assert!(!ends(&without_leaders));
    }
}
