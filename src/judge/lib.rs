//! The use cases: who wrote, may they, what follows, who is told. One mail or one look at the clock goes in, a
//! `Ruling` comes out; nothing here touches the world.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod acts;
mod boundary;
mod clock;
mod games;
mod known_addresses;
mod orders;
mod people;
mod proposals;
mod rates;
mod receiving;
mod redacting;
pub mod registry;
mod session;
mod stopped;
#[cfg(test)]
mod testing;
mod tokens;
mod words;
mod work;

use std::collections::{BTreeMap, BTreeSet};

pub use boundary::{
    Archived, ByName, Ids, Incoming, Library, NewRecord, Outgoing, PassedPassword, Queue,
    Readership, Ruling, Verdict,
};
pub use known_addresses::KnownAddresses;
pub use rates::{KeptCount, RateLimits};
pub use registry::{Person, Registry};
pub use stopped::Stopped;
pub use words::templates;
pub use work::pictures::Pictures;

use dipjudge_game::{Game, Record, SeatId, Variant, apply};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound::Templates;
use registry::{RegistryEvent, RegistryRecord};

/// What the keeper decided about this judge (`cli.md`).
#[derive(Clone, Debug)]
pub struct Settings {
    /// Four letters by tradition; in every subject.
    pub name: String,
    /// The judge's own address.
    pub address: String,
    /// The keeper's address.
    pub keeper: String,
    /// The zone of new games, an IANA name.
    pub timezone: String,
    /// Whoever creates a game is its master at once.
    pub auto_master: bool,
    /// Who may create games, by address as addresses are compared; every registered person if `None`.
    pub creators: Option<BTreeSet<String>>,
    /// Least dedication of those who create games.
    pub dedication_to_create: i64,
    /// Most games that may run at once; 0 for no limit.
    pub max_running: u32,
    /// Largest message in bytes.
    pub bytes: usize,
    /// How much of what is done for whom within which time.
    pub limits: RateLimits,
    /// The host whose Authentication-Results are believed.
    pub authserv_id: Option<String>,
}

impl Settings {
    /// The part of the judge's address behind `@`.
    pub fn host(&self) -> &str {
        self.address
            .rsplit_once('@')
            .map_or("localhost", |(_, host)| host)
    }

    /// Whether an address is the judge's own, with or without a token, in any case: no person's mail can go there.
    pub fn is_own(&self, address: &Address) -> bool {
        Address::parse(&self.address).is_ok_and(|own| address.detail_of(&own).is_some())
    }

    /// The judge's address with a token: `judge+TOKEN@…`.
    pub fn with_token(&self, token: &str) -> String {
        match self.address.rsplit_once('@') {
            Some((local, host)) => format!("{local}+{token}@{host}"),
            None => self.address.clone(),
        }
    }
}

/// A stored record that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Not in a form that this version knows.
    #[error("a record of the log {log} cannot be read: {source}")]
    Record {
        /// The log's name: a game's, or `@judge`.
        log: String,
        /// Where the JSON is not as expected.
        source: serde_json::Error,
    },
    /// A count of what was done lately.
    #[error("a count for the limits cannot be read: {source}")]
    Count {
        /// Where the JSON is not as expected.
        source: serde_json::Error,
    },
    /// Something in it that this version does not know.
    #[error("a record of the log {log} cannot be read: {why}")]
    Unknown {
        /// The log: a game's.
        log: String,
        /// What it is.
        why: String,
    },
    /// A log without its beginning.
    #[error("the log {log} does not begin with the creation of a game")]
    Beginning {
        /// The log.
        log: String,
    },
}

impl JudgeError {
    /// What is wrong, without naming where.
    fn cause(&self) -> String {
        match self {
            JudgeError::Record { source, .. } | JudgeError::Count { source } => source.to_string(),
            JudgeError::Unknown { why, .. } => why.clone(),
            JudgeError::Beginning { .. } => "the game is not made by it".to_owned(),
        }
    }
}

/// The judge: everything that the logs tell, in memory.
#[derive(Debug)]
pub struct Judge {
    settings: Settings,
    registry: Registry,
    games: games::Games,
    /// How many records of each log were played.
    played: BTreeMap<String, usize>,
    /// Games of which not everything can be read, by name.
    stopped: BTreeMap<String, Stopped>,
    templates: Templates,
    pictures: Pictures,
    /// What was counted lately.
    rates: rates::Rates,
    /// What somebody may answer YES to.
    proposals: proposals::Proposals,
    /// The word that passed last at each seat: the stored hash it passed for, and the word under a keyed hash.
    passed: BTreeMap<(String, SeatId), (String, [u8; 32])>,
}

impl Judge {
    /// The words of mails about games of a variant.
    fn templates_of(&self, variant: &dyn Variant) -> Templates {
        self.templates.within(variant.card().name)
    }

    /// A judge that knows nothing yet.
    pub fn new(settings: Settings, templates: Templates) -> Judge {
        Judge {
            settings,
            registry: Registry::default(),
            games: games::Games::default(),
            played: BTreeMap::new(),
            stopped: BTreeMap::new(),
            templates,
            pictures: Pictures::default(),
            rates: rates::Rates::default(),
            proposals: proposals::Proposals::default(),
            passed: BTreeMap::new(),
        }
    }

    /// The same judge, whose pictures are made in another way.
    #[must_use]
    pub fn with_pictures(mut self, pictures: Pictures) -> Judge {
        self.pictures = pictures;
        self
    }

    /// Plays a whole log from its first record. A game of which a record cannot be read stands still, and no other.
    ///
    /// # Errors
    /// The first of `records`, or if one of the register cannot be read.
    pub fn replay_log<E, F: From<E> + From<JudgeError>>(
        &mut self,
        log: &str,
        records: impl IntoIterator<Item = Result<Vec<u8>, E>>,
    ) -> Result<(), F> {
        for record in records {
            match self.play(log, &record?) {
                Err(error) if log != registry::LOG => {
                    self.stop(log, &error);
                    return Ok(());
                }
                played => played?,
            }
        }
        self.enter(log);
        Ok(())
    }

    /// From now on a game stands still: the record behind those that were played cannot be read.
    fn stop(&mut self, game: &str, error: &JudgeError) -> &Stopped {
        let record = self.played.get(game).copied().unwrap_or_default() + 1;
        let so_far = self.games.leave(game);
        let stopped = Stopped::new(game, record, error.cause(), so_far);
        self.stopped
            .entry(game.to_owned())
            .insert_entry(stopped)
            .into_mut()
    }

    /// The games that stand still, by name.
    pub fn stopped(&self) -> impl Iterator<Item = &Stopped> {
        self.stopped.values()
    }

    /// Such a game by its name, in any case.
    pub fn stopped_game(&self, name: &str) -> Option<&Stopped> {
        self.stopped.get(&name.to_lowercase())
    }

    /// Plays one stored record, in the order of its log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn replay(&mut self, log: &str, json: &[u8]) -> Result<(), JudgeError> {
        self.play(log, json)?;
        self.enter(log);
        Ok(())
    }

    /// Enters what the records of a log have changed, where it is looked for.
    fn enter(&mut self, log: &str) {
        self.games.enter(log, self.registry.secret());
    }

    fn play(&mut self, log: &str, json: &[u8]) -> Result<(), JudgeError> {
        let unreadable = |source| JudgeError::Record {
            log: log.to_owned(),
            source,
        };
        if log == registry::LOG {
            let record: RegistryRecord = serde_json::from_slice(json).map_err(unreadable)?;
            *self.played.entry(log.to_owned()).or_default() += 1;
            for event in &record.events {
                self.registry.apply(event);
                if let RegistryEvent::Secret { secret } = event {
                    self.games.enter_tokens_anew(secret);
                }
            }
            return Ok(());
        }
        let record: Record = serde_json::from_slice(json).map_err(unreadable)?;
        stopped::readable(self.games.get(log), &record).map_err(|why| JudgeError::Unknown {
            log: log.to_owned(),
            why,
        })?;
        let game =
            apply::replay(self.games.take(log), &record).map_err(|_| JudgeError::Beginning {
                log: log.to_owned(),
            })?;
        self.games.put(log, game);
        *self.played.entry(log.to_owned()).or_default() += 1;
        Ok(())
    }

    /// Takes over what a ruling changed, once the store has it. A game of which a record cannot be read stands still from
    /// then on, and no other.
    ///
    /// # Errors
    /// If a record of the register or a count cannot be read.
    pub fn absorb(&mut self, ruling: &Ruling) -> Result<(), JudgeError> {
        // Before the records: the word passed for the password of then, which this very mail may have changed.
        for PassedPassword { game, seat, keyed } in &ruling.passed {
            if let Some(password) = self
                .games
                .get(game)
                .and_then(|game| game.seat(*seat))
                .map(|s| s.password.clone())
            {
                self.passed
                    .insert((game.clone(), *seat), (password, *keyed));
            }
        }
        for record in &ruling.records {
            if self.stopped.contains_key(&record.log) {
                continue;
            }
            match self.replay(&record.log, &record.json) {
                Err(error) if record.log != registry::LOG => {
                    let stopped = self.stop(&record.log, &error);
                    tracing::error!("{stopped}");
                }
                replayed => replayed?,
            }
        }
        let (proposals, counts): (Vec<_>, Vec<_>) = ruling
            .counts
            .iter()
            .cloned()
            .partition(|(name, _)| proposals::Proposals::is_one(name));
        for (name, json) in proposals {
            self.proposals
                .absorb(&name, json.as_deref())
                .map_err(|source| JudgeError::Count { source })?;
        }
        self.rates
            .absorb(&counts, ruling.at)
            .map_err(|source| JudgeError::Count { source })
    }

    /// Takes in a count or a proposal that the store kept beside the logs ([`Ruling::counts`]).
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub fn recall(&mut self, name: &str, json: &[u8]) -> Result<(), JudgeError> {
        if proposals::Proposals::is_one(name) {
            let absorbed = self.proposals.absorb(name, Some(json));
            return absorbed.map_err(|source| JudgeError::Count { source });
        }
        self.rates
            .recall(name, json)
            .map_err(|source| JudgeError::Count { source })
    }

    /// The games, by name.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.values()
    }

    /// A game by its name, in any case.
    pub fn game(&self, name: &str) -> Option<&Game> {
        self.games.get(&name.to_lowercase())
    }

    /// Everybody the judge knows.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// What somebody may answer YES to.
    fn proposals(&self) -> &proposals::Proposals {
        &self.proposals
    }

    /// What the keeper decided.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
