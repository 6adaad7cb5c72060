//! What a log adds up to, apart from a judge: so the logs of a store can be read beside each other. It begins with the first
//! record of the log, or with a snapshot of a later state.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::people::reply_addresses::KnownTokens;
use crate::registry::{self, Registry, RegistryRecord};
use crate::{Judge, JudgeError, stopped};
use dipjudge_game::{Game, Record, apply, stored};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;

/// The form of snapshots. It is raised when the same records lead to another state than before, or when a state is written
/// otherwise; then older snapshots are ignored. `tests/it/snapshots.rs` fails where that was forgotten.
pub const SNAPSHOT_FORM: u32 = 2;

/// The state to which a log leads.
#[derive(Debug)]
pub struct LogState {
    log: String,
    state: State,
    /// The number of records that led to it.
    played: usize,
    /// Why the record after them cannot be read.
    unreadable: Option<JudgeError>,
    /// The keys of the game's tokens that the snapshot had.
    tokens: Option<KnownTokens>,
}

#[derive(Debug)]
enum State {
    Register(Box<Registry>),
    /// `None` before the first record.
    Game(Option<Box<Game>>),
}

/// A state as it is stored.
#[derive(Serialize, Deserialize)]
struct Written<T> {
    form: u32,
    state: T,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<KnownTokens>,
}

/// A snapshot of the state to which a log leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of records that led to it.
    pub records: usize,
    /// The state, for [`LogState::of_snapshot`].
    pub json: Vec<u8>,
}

impl LogState {
    /// The state before the first record.
    pub fn before(log: &str) -> LogState {
        let state = match log {
            registry::LOG => State::Register(Box::default()),
            _ => State::Game(None),
        };
        LogState::of(log, state, 0)
    }

    /// The state of a snapshot; `None` if this version cannot use it.
    pub fn of_snapshot(log: &str, snapshot: &Snapshot) -> Option<LogState> {
        let Snapshot { records, json } = snapshot;
        if log == registry::LOG {
            let register = State::Register(Box::new(read(json)?.state));
            return Some(LogState::of(log, register, *records));
        }
        let Written { state, tokens, .. } = read(json)?;
        let game = Some(state).filter(is_known)?;
        Some(LogState {
            tokens,
            ..LogState::of(log, State::Game(Some(Box::new(game))), *records)
        })
    }

    fn of(log: &str, state: State, played: usize) -> LogState {
        LogState {
            log: log.to_owned(),
            state,
            played,
            unreadable: None,
            tokens: None,
        }
    }

    /// Applies the records that follow, up to one that cannot be read.
    ///
    /// # Errors
    /// The first error of `records`.
    pub fn play_all<E>(
        &mut self,
        records: impl IntoIterator<Item = Result<Vec<u8>, E>>,
    ) -> Result<(), E> {
        for record in records {
            let played = self.play(&record?);
            if let Err(error) = played {
                self.unreadable = Some(error);
                break;
            }
        }
        Ok(())
    }

    /// Whether a record needs what snapshots leave out, so that the log has to be read from its first record.
    pub fn lacks_past(&self) -> bool {
        matches!(self.unreadable, Some(JudgeError::PastNeeded { .. }))
    }

    /// Leaves of past turns in memory what a snapshot has of them.
    pub fn forget_past(&mut self) {
        if let State::Game(Some(game)) = &mut self.state {
            **game = game.with_last_past_alone();
        }
    }

    fn play(&mut self, json: &[u8]) -> Result<(), JudgeError> {
        match &mut self.state {
            State::Register(register) => {
                let record: RegistryRecord = read_record(&self.log, json)?;
                record.events.iter().for_each(|event| register.apply(event));
            }
            State::Game(game) => {
                let record = game_record(&self.log, game.as_deref(), json)?;
                let after = after(&self.log, game.take().map(|game| *game), &record)?;
                *game = Some(Box::new(after));
            }
        }
        self.played += 1;
        Ok(())
    }
}

impl Judge {
    /// Takes over the state to which a log leads. If a record of a game cannot be read, that game is stopped; the other games
    /// go on.
    ///
    /// # Errors
    /// If a record of the register cannot be read.
    pub fn take_over(&mut self, read: LogState) -> Result<(), JudgeError> {
        let LogState {
            log,
            state,
            played,
            unreadable,
            tokens,
        } = read;
        self.played.insert(log.clone(), played);
        match (state, unreadable) {
            (State::Register(_), Some(error)) => return Err(error),
            (State::Register(register), None) => {
                self.registry = *register;
                if let Some(secret) = self.registry.secret() {
                    self.games.enter_tokens_anew(secret);
                }
            }
            (State::Game(game), unreadable) => {
                if let Some(game) = game {
                    self.games.put(&log, game);
                }
                match unreadable {
                    Some(error) => _ = self.stop(&log, &error),
                    None => {
                        let secret = self.registry.secret();
                        self.games.enter_with(&log, secret, tokens);
                    }
                }
            }
        }
        Ok(())
    }

    /// A snapshot of the state to which a log leads; `None` where it has none, or where a record cannot be read.
    pub fn snapshot(&self, log: &str) -> Option<Snapshot> {
        let json = match log {
            registry::LOG => written(&self.registry, None)?,
            _ => {
                let secret = self.registry.secret();
                let tokens = secret.and_then(|secret| self.games.known_tokens(secret, log));
                written(self.games.get(log)?.with_last_past_alone(), tokens)?
            }
        };
        let records = self.played.get(log).copied()?;
        Some(Snapshot { records, json })
    }
}

/// A record of a game's log, if this version can apply it to the game.
pub(super) fn game_record(
    log: &str,
    game: Option<&Game>,
    json: &[u8],
) -> Result<Record, JudgeError> {
    let record: Record = read_record(log, json)?;
    stopped::readable(game, &record).map_err(|why| JudgeError::Unknown {
        log: log.to_owned(),
        why: why.to_string(),
    })?;
    if record.goes_back() && game.is_some_and(|game| !game.recalls_all()) {
        return Err(JudgeError::PastNeeded {
            log: log.to_owned(),
        });
    }
    Ok(record)
}

/// The game after a record.
pub(super) fn after(log: &str, game: Option<Game>, record: &Record) -> Result<Game, JudgeError> {
    apply::replay(game, record).map_err(|_| JudgeError::Beginning {
        log: log.to_owned(),
    })
}

pub(super) fn read_record<T: DeserializeOwned>(log: &str, json: &[u8]) -> Result<T, JudgeError> {
    serde_json::from_slice(json).map_err(|source| JudgeError::Record {
        log: log.to_owned(),
        source,
    })
}

fn read<T: DeserializeOwned>(json: &[u8]) -> Option<Written<T>> {
    // All of it is looked at once for what is no text, instead of each text in it.
    let json = str::from_utf8(json).ok()?;
    let written: Written<T> = serde_json::from_str(json).ok()?;
    (written.form == SNAPSHOT_FORM).then_some(written)
}

fn written<T: Serialize>(state: T, tokens: Option<KnownTokens>) -> Option<Vec<u8>> {
    let form = SNAPSHOT_FORM;
    let written = Written {
        form,
        state,
        tokens,
    };
    serde_json::to_vec(&written).ok()
}

/// Whether this version knows all that a game holds.
fn is_known(game: &Game) -> bool {
    let variant = variants::named(&game.variant);
    variant.is_some_and(|variant| {
        Map::with_places(&game.map, &game.places).is_some()
            && stored::check_game(game, variant).is_ok()
    })
}
