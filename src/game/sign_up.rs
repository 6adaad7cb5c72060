//! How a table comes about: when a forming game begins, and who of those who signed on then plays or stands by.

use jiff::{SignedDuration, Timestamp};

use super::{Game, Role, SeatId, State, Variant};
use dipjudge_rules::map::PowerInfo;
use dipjudge_view::whole_minute;

/// What a forming game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// Until all are there.
    WhenFull,
    /// Until sign-up closes (`SET SIGNUP`), with those who are there by then, if they are enough. All settings are fixed from
    /// then on.
    AtADate,
}

/// Who of those who signed on plays, and who stands by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seating {
    /// The powers with their leaders.
    pub powers: Vec<(PowerInfo, SeatId)>,
    /// The others, in the order in which they follow where a power needs a leader.
    pub stand_by: Vec<SeatId>,
}

/// How long a game that nobody has set a date for takes players.
const USUAL: SignedDuration = SignedDuration::from_hours(24 * 14);

/// How much longer where too few came.
const LONGER: SignedDuration = SignedDuration::from_hours(24 * 7);

/// Whether a game begins at a date.
pub fn begins_at_a_date(game: &Game, variant: &dyn Variant) -> bool {
    variant.begins(&game.settings) == Begins::AtADate
}

/// When sign-up closes; `None` where that is no matter of a date, or of the past.
pub fn closes(game: &Game, variant: &dyn Variant) -> Option<Timestamp> {
    if game.state != State::Forming || !begins_at_a_date(game, variant) {
        return None;
    }
    let usual = |created: Timestamp| later(whole_minute(created), USUAL);
    game.settings.sign_up.or(game.timing.created.map(usual))
}

/// When it closes instead, since too few came; `None` if they are enough.
pub fn prolonged(game: &Game, variant: &dyn Variant) -> Option<Timestamp> {
    let candidates = game.seated(Role::Player).count();
    let enough = candidates >= variant.candidates_needed(game.map(), &game.settings);
    let closes = closes(game, variant).filter(|_| !enough)?;
    Some(later(closes, LONGER))
}

fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Adjudication, Card, Course, Described, Event, Interchange, PersonId, Seed, SettingChange,
        Settings, Submissions, Views, apply,
    };
    use super::*;

    /// The standard game, which begins at a date.
    struct Dated;

    impl Described for Dated {
        fn card(&self) -> &'static Card {
            &Card::PLAIN
        }
    }

    impl Course for Dated {
        fn begins(&self, _: &Settings) -> Begins {
            Begins::AtADate
        }
    }

    impl Submissions for Dated {}

    impl Adjudication for Dated {}

    impl Views for Dated {
        fn hides_board(&self, _: &Game) -> bool {
            false
        }
    }

    impl Interchange for Dated {}

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn forming() -> Game {
        let made = Event::Created {
            name: "dated".into(),
            variant: "standard".into(),
            map: "standard".into(),
            places: String::new(),
            seed: Seed::new([7; 32]),
        };
        apply::create(&made, at("2026-11-30T10:05:59Z")).unwrap()
    }

    fn seat(game: &mut Game, number: u32) {
        let seated = Event::Seated {
            seat: SeatId(number),
            person: PersonId(number),
            address: format!("p{number}@example.org"),
            role: Role::Player,
            password: String::new(),
        };
        apply::apply(game, Timestamp::UNIX_EPOCH, &seated);
    }

    #[test]
    fn sign_up_closes_two_weeks_after_the_game_was_made_unless_a_date_is_set() {
        let mut game = forming();
        let usual = at("2026-12-14T10:05:00Z");
        assert_eq!(closes(&game, &Dated), Some(usual));
        let date = at("2026-12-01T18:00:00Z");
        game.settings.apply(&SettingChange::SignUp(Some(date)));
        assert_eq!(closes(&game, &Dated), Some(date));
        assert_eq!(closes(&game, &super::super::testing::Plain), None);
        game.state = State::Ready;
        assert_eq!(closes(&game, &Dated), None);
    }

    #[test]
    fn with_too_few_it_closes_a_week_later() {
        let mut game = forming();
        (1..=6).for_each(|number| seat(&mut game, number));
        assert_eq!(prolonged(&game, &Dated), Some(at("2026-12-21T10:05:00Z")));
        seat(&mut game, 7);
        assert_eq!(prolonged(&game, &Dated), None);
    }
}
