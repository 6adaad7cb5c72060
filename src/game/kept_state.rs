//! What a variant keeps beside the board. A log and a game hold it in a form that can be read only as the one type that the
//! variant declares (`KeepsState`), so no part of it can be taken out past its `Sealed` fields.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::rolling_back::Past;
use super::{Access, Described, Game, RememberedData, Sealed};
use dipjudge_rules::orders::VariantData;

/// A variant with a state of its own.
pub trait KeepsState: Described {
    /// Its state. Nothing else reads what a game keeps.
    type State: DeserializeOwned + Default + Clone + Send + Sync + 'static;

    /// The part of the state that a reader may know; all of it where nobody reads. The hooks that tell something get only this
    /// part (`ToldGame::state`), so whatever is not public has to be left out here. There is no default: each variant decides.
    fn opened(&self, state: Self::State, access: &Access<'_>) -> Self::State;
}

/// A variant's state as a game keeps it. Nobody but [`Game::state`] and its like reads it, and only as the type that the variant
/// declares:
///
/// ```compile_fail
/// use dipjudge_game::Game;
///
/// #[derive(Default, serde::Deserialize)]
/// struct Peek {
///     herds: std::collections::BTreeMap<String, Vec<String>>,
/// }
///
/// fn peek(game: &Game) -> Peek {
///     game.state::<Peek>()
/// }
/// ```
///
/// ```compile_fail
/// # #[derive(Default, serde::Deserialize)]
/// # struct Peek {
/// #     herds: std::collections::BTreeMap<String, Vec<String>>,
/// # }
/// fn peek(game: &dipjudge_game::Game) -> Peek {
///     game.data.stored()
/// }
/// ```
///
/// What is sealed in the state is not written by anybody else either:
///
/// ```compile_fail
/// #[derive(serde::Serialize)]
/// struct State {
///     bid: dipjudge_game::Sealed<u32>,
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptState(RememberedData);

impl KeptState {
    /// A state as a game keeps it, written by the variant's own function. Only that function gets the key with which the content
    /// of `Sealed` values is written, and only the log gets the result.
    pub fn of<S: Send + Sync + 'static>(
        state: S,
        write: fn(&S, &StateKey) -> VariantData,
    ) -> KeptState {
        KeptState(RememberedData::of(state, move |state| {
            write(state, &StateKey(()))
        }))
    }

    /// Checks whether this version can read it.
    pub(super) fn data(&self) -> &VariantData {
        self.0.data()
    }

    /// The same state for a game that is kept and seldom read.
    pub(super) fn unread(&self) -> KeptState {
        KeptState(self.0.unread())
    }

    fn state<V: KeepsState>(&self) -> V::State {
        self.0.stored()
    }
}

/// A state in which nothing is sealed.
impl From<VariantData> for KeptState {
    fn from(data: VariantData) -> KeptState {
        KeptState(data.into())
    }
}

/// The same for a state that is written when somebody asks for its data.
impl From<RememberedData> for KeptState {
    fn from(data: RememberedData) -> KeptState {
        KeptState(data)
    }
}

/// The right to write the content of `Sealed` values. Only `KeptState::of` makes one.
pub struct StateKey(());

impl StateKey {
    /// The content, to be written into the state.
    pub fn written<'s, T>(&self, sealed: &'s Sealed<T>) -> &'s T {
        sealed.content()
    }
}

impl Game {
    /// The variant's own state, for its rules.
    pub fn state<V: KeepsState>(&self) -> V::State {
        self.data.state::<V>()
    }

    /// The same without a copy, for what only looks at it.
    pub fn known_state<V: KeepsState>(&self) -> Cow<'_, V::State> {
        self.data.0.known()
    }

    /// The same game with another state, to look ahead.
    pub fn with_state(self, data: KeptState) -> Game {
        Game { data, ..self }
    }
}

impl Past {
    /// The variant's own state at that time.
    pub fn state<V: KeepsState>(&self) -> V::State {
        self.data.state::<V>()
    }
}

#[cfg(any(test, feature = "testing"))]
impl KeptState {
    /// The data, for tests.
    pub fn as_data(&self) -> &VariantData {
        self.0.data()
    }

    /// Reads it as any type, for tests.
    ///
    /// # Errors
    /// If it is not of this type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        self.0.data().read()
    }
}

#[cfg(any(test, feature = "testing"))]
impl Game {
    /// The variant's own state as data, for tests.
    pub fn data(&self) -> &VariantData {
        self.data.data()
    }

    /// Replaces the variant's own state, for tests.
    pub fn set_data(&mut self, data: VariantData) {
        self.data = data.into();
    }
}
