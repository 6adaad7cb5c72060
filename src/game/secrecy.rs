//! Whether a game hides anything, and what. Every rule that is another in such a game asks here, and so counts alike
//! for all options and variants.

use super::submission::SubmissionKind;
use super::{Game, PersonId, VariantGame};
use dipjudge_rules::map::Power;

/// What a game hides by its rules, from its beginning until it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Secrecy {
    /// Who leads a power: GUNBOAT, or where it is hidden who exists.
    pub leaders: bool,
    /// Parts of the board: BLIND, or the variant's own rules.
    pub board: bool,
    /// Who exists. What else it hides then, its horizon and its options say.
    pub existence: bool,
    /// What powers have submitted, beyond the phase for which they did.
    pub submissions: bool,
}

impl Secrecy {
    /// Whether anything is hidden.
    pub fn any(self) -> bool {
        self.leaders_or_board() || self.existence || self.submissions
    }

    /// Whether there is more to know as the leader of another power, or as a master, than as anybody.
    pub fn leaders_or_board(self) -> bool {
        self.leaders || self.board
    }
}

impl VariantGame<'_> {
    /// What the game hides by its rules.
    pub fn secrecy(self) -> Secrecy {
        let existence = self.variant.hides_existence(self.game);
        Secrecy {
            leaders: self.game.settings.gunboat || existence,
            board: self.game.settings.blind || self.variant.hides_board(self.game),
            existence,
            submissions: SubmissionKind::all(self.variant).any(SubmissionKind::outlasts_its_phase),
        }
    }
}

/// The powers that somebody may still lead where nobody leads two: those that he led last, and whatever was dealt to him
/// with them. `None` for who has led none and may lead any.
pub fn own_powers(game: &Game, person: PersonId) -> Option<Vec<Power>> {
    let his = |seat| game.seat(seat).is_some_and(|seat| seat.person == person);
    let dealt = |power: &Power| game.standing(*power).dealt.is_some_and(his);
    let led: Vec<_> = game
        .standings
        .iter()
        .flat_map(|(power, standing)| standing.held.iter().map(|(seat, _)| (*seat, *power)))
        .filter(|(seat, _)| his(*seat))
        .collect();
    // Seats are numbered as they are taken, and whoever comes anew takes another one.
    let (last, _) = led.iter().max()?;
    let mut own: Vec<Power> = led
        .iter()
        .filter(|(seat, _)| seat == last)
        .map(|(_, power)| *power)
        .collect();
    if own.iter().any(dealt) {
        own.extend(game.all_powers().filter(dealt));
    }
    Some(own)
}
