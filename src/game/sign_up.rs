//! How a forming game begins: when, and which of those who signed on then play or stand by.

use jiff::{SignedDuration, Timestamp};

use super::{Role, SeatId, State, VariantGame};
use dipjudge_rules::map::PowerInfo;
use dipjudge_view::whole_minute;

/// When a forming game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// When all players are there.
    WhenFull,
    /// When sign-up closes (`SET SIGNUP`), if enough players are there. All settings are fixed from then on.
    AtADate,
}

/// The result of a sign-up: who plays, and who stands by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seating {
    /// The powers with their leaders.
    pub powers: Vec<(PowerInfo, SeatId)>,
    /// The others, in the order in which they take over powers that need a leader.
    pub stand_by: Vec<SeatId>,
}

/// How long sign-up lasts without a date that was set.
const USUAL: SignedDuration = SignedDuration::from_hours(24 * 14);

/// The extension if too few players have signed on.
const LONGER: SignedDuration = SignedDuration::from_hours(24 * 7);

impl VariantGame<'_> {
    /// Whether a game begins at a date.
    pub fn begins_at_a_date(self) -> bool {
        self.variant.begins(&self.game.settings) == Begins::AtADate
    }

    /// When sign-up closes; `None` if the game does not begin at a date or has begun.
    pub fn sign_up_closes(self) -> Option<Timestamp> {
        if self.game.state != State::Forming || !self.begins_at_a_date() {
            return None;
        }
        let usual = |created: Timestamp| later(whole_minute(created), USUAL);
        self.game
            .settings
            .sign_up
            .or(self.game.timing.created.map(usual))
    }

    /// The extended end of sign-up if too few players have signed on; `None` if there are enough.
    pub fn sign_up_prolonged(self) -> Option<Timestamp> {
        let closes = self.sign_up_closes()?;
        let candidates = self.game.seated(Role::Player).count();
        let needed = self
            .variant
            .candidates_needed(self.game.map(), &self.game.settings);
        (candidates < needed).then(|| later(closes, LONGER))
    }
}

fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::labels::testing::player_seated;
    use super::super::{
        Adjudication, Card, Course, Described, Enrolment, Game, Hidden, Seed, SettingChange,
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
        fn enrolment(&self) -> Option<&dyn Enrolment> {
            Some(self)
        }
    }

    impl Enrolment for Dated {
        fn begins(&self, _: &Settings) -> Begins {
            Begins::AtADate
        }
    }

    impl Submissions for Dated {}

    impl Adjudication for Dated {}

    impl Views for Dated {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn forming() -> Game {
        let made = Card::PLAIN.created("dated", Seed::new([7; 32]));
        apply::create(&made, at("2026-11-30T10:05:59Z")).unwrap()
    }

    fn seat(game: &mut Game, number: u32) {
        apply::apply(game, Timestamp::UNIX_EPOCH, &player_seated(number));
    }

    #[test]
    fn sign_up_closes_two_weeks_after_the_game_was_made_unless_a_date_is_set() {
        let mut game = forming();
        let usual = at("2026-12-14T10:05:00Z");
        assert_eq!(
            VariantGame::new(&game, &Dated).sign_up_closes(),
            Some(usual)
        );
        let date = at("2026-12-01T18:00:00Z");
        game.settings.apply(&SettingChange::SignUp(Some(date)));
        assert_eq!(VariantGame::new(&game, &Dated).sign_up_closes(), Some(date));
        assert_eq!(
            VariantGame::new(&game, &super::super::testing::Plain).sign_up_closes(),
            None
        );
        game.state = State::Ready;
        assert_eq!(VariantGame::new(&game, &Dated).sign_up_closes(), None);
    }

    #[test]
    fn with_too_few_it_closes_a_week_later() {
        let mut game = forming();
        (1..=6).for_each(|number| seat(&mut game, number));
        assert_eq!(
            VariantGame::new(&game, &Dated).sign_up_prolonged(),
            Some(at("2026-12-21T10:05:00Z"))
        );
        seat(&mut game, 7);
        assert_eq!(VariantGame::new(&game, &Dated).sign_up_prolonged(), None);
    }
}
