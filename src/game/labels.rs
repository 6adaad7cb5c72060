//! What powers are called where not all readers use the same names (CivDip 2.5): what a variant defines, and the labels that
//! were given. Only `project::GameView::labels` decides which label a reader sees.

#[cfg(any(test, feature = "testing"))]
pub mod testing;

use serde::{Deserialize, Serialize};

use super::Game;
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::Viewer;

/// A label as it was given: this reader calls this power by it until the game ends. Only the projection for that reader gives one:
///
/// ```
/// use dipjudge_game::project::GameView;
///
/// fn given(view: GameView<'_>) -> Vec<dipjudge_game::GivenLabel> {
///     view.labels_to_give()
/// }
/// ```
///
/// ```compile_fail
/// use dipjudge_game::GivenLabel;
/// use dipjudge_rules::map::Power;
/// use dipjudge_view::Viewer;
///
/// fn given() -> GivenLabel {
///     GivenLabel {
///         reader: Viewer::Observer,
///         power: Power(0),
///         label: "Babel".to_owned(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenLabel {
    pub(crate) reader: Viewer,
    pub(crate) power: Power,
    pub(crate) label: String,
}

impl GivenLabel {
    /// The reader whose label it is.
    pub fn reader(&self) -> Viewer {
        self.reader
    }
}

/// The rules of a variant whose readers each have labels of their own for the powers. A label is given when a power first
/// appears in mail to a reader. If he already uses it for another power, the new one gets II, III and so on.
pub trait OwnLabels: Sync {
    /// The base name of a power, before numbers make labels distinct.
    fn wanted(&self, game: &Game, power: Power) -> String;

    /// The powers that the leader of a power may address, without the power itself. They are named to it whether or not it sees
    /// anything of them.
    fn contacts(&self, game: &Game, power: Power) -> Vec<Power>;

    /// The order in which powers that one mail names for the first time get labels. Default: by the first province in which the
    /// reader sees a unit or center of theirs.
    fn arrange(&self, _game: &Game, newcomers: &mut Vec<Newcomer>) {
        newcomers.sort_by_key(|one| (one.seen_at.is_none(), one.seen_at, one.power));
    }

    /// The rule for abbreviations of a label.
    fn beginnings(&self) -> Beginnings {
        Beginnings {
            shortest: 3,
            before_letters: 3,
        }
    }

    /// What a power is called when a sender is told that a word names none of his contacts: `You have no contact with a
    /// civilization called "Xerxes".`
    fn noun(&self) -> &'static str {
        "power"
    }
}

/// A sender whose words can mean only himself and his contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnContacts {
    /// The power that he leads.
    pub himself: Power,
    /// What the variant calls a power.
    pub noun: &'static str,
}

/// A power that the next mail names to a reader who has no label for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newcomer {
    /// The power.
    pub power: Power,
    /// The first province, by abbreviation, in which the reader sees a unit or center of the power.
    pub seen_at: Option<Province>,
}

/// The minimum length of an abbreviation of a power's name in what a sender writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginnings {
    /// A shorter one is never accepted.
    pub shortest: usize,
    /// This length is accepted even where each of the letters is also a power's letter.
    pub before_letters: usize,
}

impl Default for Beginnings {
    fn default() -> Beginnings {
        Beginnings {
            shortest: 2,
            before_letters: 4,
        }
    }
}
