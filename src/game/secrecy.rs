//! Whether a game hides anything, and what. Every rule that differs in such games asks here, so that it is the same for all
//! options and variants.

use jiff::{SignedDuration, Timestamp};

use super::submission::SubmissionKind;
use super::{Game, PersonId, VariantGame};
use dipjudge_rules::map::Power;

/// What a game hides by its rules until it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Secrecy {
    /// Who leads a power: GUNBOAT, or where it is hidden who exists.
    pub leaders: bool,
    /// Parts of the board: BLIND, or the variant's own rules.
    pub board: bool,
    /// Which powers exist. Its horizon and its options decide what else it hides.
    pub existence: bool,
    /// What powers have submitted, even after the phase for which they did.
    pub submissions: bool,
}

impl Secrecy {
    /// Whether anything is hidden.
    pub fn any(self) -> bool {
        self.leaders_or_board() || self.existence || self.submissions
    }

    /// Whether the leader of another power, or a master, knows more than the public.
    pub fn leaders_or_board(self) -> bool {
        self.leaders || self.board
    }
}

/// How long a game that hid nothing may be resumed after its end, and its addresses count.
pub const AFTER_THE_END: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Why a game that is over stays over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finality {
    /// Its end has opened what it hid, which cannot be hidden again.
    Opened,
    /// It has been over for [`AFTER_THE_END`].
    LongOver,
}

impl VariantGame<'_> {
    /// Whether nobody can resume the game or roll it back, and why; `None` also if it is not over.
    pub fn finality(self, now: Timestamp) -> Option<Finality> {
        let ended = self.game.timing.ended.filter(|_| self.game.over())?;
        if self.game.begun() && self.secrecy().any() {
            return Some(Finality::Opened);
        }
        (now.duration_since(ended) > AFTER_THE_END).then_some(Finality::LongOver)
    }

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

/// The powers that a person may still lead, where nobody leads two: those that he led last, and those that were dealt to him
/// with them. `None` for a person who has led none and may lead any.
pub fn own_powers(game: &Game, person: PersonId) -> Option<Vec<Power>> {
    let his = |seat| game.seat(seat).is_some_and(|seat| seat.person == person);
    let dealt = |power: &Power| game.standing(*power).dealt.is_some_and(his);
    let led: Vec<_> = game
        .standings
        .iter()
        .flat_map(|(power, standing)| standing.held.iter().map(|(seat, _)| (*seat, *power)))
        .filter(|(seat, _)| his(*seat))
        .collect();
    // Seats are numbered in order of sign-on, and a person who joins again gets another one.
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
