//! How the clock treats a game (`visibility.md` 6): three rows of defaults, and what its settings make of them. The clock asks
//! here, and knows neither variants nor options.

use super::{Game, Variant};

/// The answers of one game to the clock's questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A phase is adjudicated once all that it wants has come; otherwise at its deadline, even if all came before.
    pub early: bool,
    /// Whoever is late at the deadline is waited for until grace ends; otherwise what has not come is decided without, and
    /// nobody is late.
    pub grace: bool,
    /// A movement, retreat or adjustment phase in which nobody has anything to do is held on its date; otherwise it is
    /// skipped.
    pub holds_empty_phases: bool,
    /// No deadline falls into a player's or a master's absence. Masters and mail outages move it in every game.
    pub moved_by_absence: bool,
    /// Whoever takes over or comes back gets time.
    pub moved_by_takeover: bool,
    /// Who is reminded of the deadline, and when.
    pub reminder: Reminder,
    /// After how many movement phases in a row without any order a power is free for another leader; never if none.
    pub replaced_after: Option<u32>,
}

/// Who is reminded of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// Who lacks something, so many hours before as each wishes.
    AsWished,
    /// Who has sent nothing at all for the phase, so many hours before.
    IfSilent(i32),
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

    /// Games that hide their board: early results would tell when the last orders came.
    pub const BLIND: Pace = Pace {
        early: false,
        ..Pace::STANDARD
    };

    /// Games that hide who exists: a fixed calendar, which nobody's doing moves (`civdip.md` 12.4).
    pub const CALENDAR: Pace = Pace {
        early: false,
        grace: false,
        holds_empty_phases: true,
        moved_by_absence: false,
        moved_by_takeover: false,
        reminder: Reminder::IfSilent(24),
        replaced_after: Some(2),
    };

    /// That of a game: the variant's own row, or that of its options, with what its settings change.
    pub fn of(game: &Game, variant: &dyn Variant) -> Pace {
        if let Some(own) = variant.pace(&game.settings) {
            return own;
        }
        let row = match game.settings.blind {
            true => Pace::BLIND,
            false => Pace::STANDARD,
        };
        Pace {
            early: game.settings.early.unwrap_or(row.early),
            ..row
        }
    }
}
