//! Keys of a line beyond those of the standard game: settings, forced draws, the variant's own state.

use dipjudge_game::{DataError, unreadable};
use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::input::Input;

/// The further keys of a line.
pub(super) struct Further<'i> {
    /// Settings by name.
    pub(super) settings: Cow<'i, Map<String, Value>>,
    /// Forced draws by stream.
    pub(super) draws: BTreeMap<String, u64>,
    /// The variant's own keys of `state`.
    pub(super) own: Cow<'i, Map<String, Value>>,
}

impl<'i> Further<'i> {
    /// Those of a line; the error is a sentence.
    pub(super) fn of(line: &'i Input<'_>) -> Result<Further<'i>, DataError> {
        let settings = object("settings", line.settings.as_ref())?;
        let draws = object("draws", line.draws.as_ref())?
            .iter()
            .map(|(stream, number)| match number.as_u64() {
                Some(number) => Ok((stream.clone(), number)),
                None => unreadable(format!(
                    "The draw `{stream}` has to be a whole number from 0 on, not {number}."
                )),
            })
            .collect::<Result<_, _>>()?;
        let state = line.state.as_ref();
        Ok(Further {
            settings,
            draws,
            own: state.map_or_else(Cow::default, |state| Cow::Borrowed(&state.own)),
        })
    }
}

fn object<'i>(
    key: &str,
    value: Option<&'i Value>,
) -> Result<Cow<'i, Map<String, Value>>, DataError> {
    match value {
        None => Ok(Cow::default()),
        Some(Value::Object(object)) => Ok(Cow::Borrowed(object)),
        Some(_) => unreadable(format!("`{key}` has to be an object.")),
    }
}
