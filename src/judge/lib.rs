//! The use cases: who wrote, whether they may, what follows, who is told. The input is one mail or one look at the
//! clock, the output a `Ruling`; nothing here has side effects outside the program.

// No side effects outside the program: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod acts;
mod address_memos;
mod boundary;
mod clock;
mod games;
mod keeper;
mod known_addresses;
mod links;
mod log_state;
mod mail_memos;
mod memos;
mod orders;
mod people;
mod proposals;
mod proven;
mod rates;
mod receiving;
mod redacting;
pub mod registry;
mod returned;
mod sent_lines;
mod session;
mod stopped;
#[cfg(test)]
mod testing;
mod tokens;
mod words;
mod work;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

pub use acts::files::{SentFile, sent_files};
pub use acts::rows::{Row, RowKind, rows};
pub use boundary::{
    Archived, ByName, Ids, Incoming, Library, NewRecord, Outage, Outgoing, PassedPassword, Queue,
    Readership, Recalled, Ruling, SignedBy, Verdict,
};
pub use keeper::{
    Audience, Import, KeeperAct, KeeperRefusal, KeeperRuling, PersonChange, forgotten_address,
};
pub use known_addresses::KnownAddresses;
pub use log_state::{LogState, SNAPSHOT_FORM, Snapshot};
pub use memos::MemoChange;
pub use rates::RateLimits;
pub use registry::{Person, Registry, Right};
pub use returned::UnreachedAddress;
pub use stopped::Stopped;
pub use words::templates;
pub use work::pictures::{DrawnPicture, Pictures};

use dipjudge_game::{Game, SeatId, Variant};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound::Templates;
use registry::{RegistryEvent, RegistryRecord};

/// The keeper's configuration of this judge (`cli.md`).
#[derive(Clone, Debug)]
pub struct Settings {
    /// The judge's name, which is in every subject; four letters by tradition.
    pub name: String,
    /// The judge's own address.
    pub address: String,
    /// The keeper's address.
    pub keeper: String,
    /// The time zone of new games, an IANA name.
    pub timezone: String,
    /// Whether the creator of a game is its master at once.
    pub auto_master: bool,
    /// Who may create games, as normalized addresses; every registered person if `None`.
    pub creators: Option<BTreeSet<String>>,
    /// The least dedication of a person who creates games.
    pub dedication_to_create: i64,
    /// The largest number of games that run at once; 0 for no limit.
    pub max_running: u32,
    /// Largest message in bytes.
    pub bytes: usize,
    /// The limits on how often something is done for one account.
    pub limits: RateLimits,
    /// The host whose Authentication-Results headers are trusted.
    pub authserv_id: Option<String>,
    /// The addresses of other judges, told to whoever names a game that is not here.
    pub others: Vec<String>,
}

impl Settings {
    /// The part of the judge's address after `@`.
    pub fn host(&self) -> &str {
        self.address
            .rsplit_once('@')
            .map_or("localhost", |(_, host)| host)
    }

    /// Whether an address is the judge's own, with or without a token, in upper or lower case. It is never a person's
    /// address.
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
    /// The JSON does not have a form that this version knows.
    #[error("a record of the log {log} cannot be read: {source}")]
    Record {
        /// The name of the log: a game's, or `@judge`.
        log: String,
        /// What is wrong with the JSON.
        source: serde_json::Error,
    },
    /// A memo that cannot be read.
    #[error("a memo cannot be read: {source}")]
    Memo {
        /// What is wrong with the JSON.
        source: serde_json::Error,
    },
    /// The record contains something that this version does not know.
    #[error("a record of the log {log} cannot be read: {why}")]
    Unknown {
        /// The name of the log, which is a game's.
        log: String,
        /// What this version does not know.
        why: String,
    },
    /// The log does not begin with the creation of a game.
    #[error("the log {log} does not begin with the creation of a game")]
    Beginning {
        /// The name of the log.
        log: String,
    },
    /// The record goes back to a past turn whose state is not in memory.
    #[error("a record of the log {log} needs past turns that are not in memory")]
    PastNeeded {
        /// The name of the log, which is a game's.
        log: String,
    },
}

impl JudgeError {
    /// The cause, without the name of the log.
    fn cause(&self) -> String {
        match self {
            JudgeError::Record { source, .. } | JudgeError::Memo { source } => source.to_string(),
            JudgeError::Unknown { why, .. } => why.clone(),
            JudgeError::Beginning { .. } => "the game is not made by it".to_owned(),
            JudgeError::PastNeeded { .. } => {
                "it goes back to a turn that is not in memory".to_owned()
            }
        }
    }
}

/// The judge: the state that all logs add up to, in memory.
#[derive(Debug)]
pub struct Judge {
    settings: Settings,
    registry: Registry,
    games: games::Games,
    /// The number of replayed records of each log.
    played: BTreeMap<String, usize>,
    /// Games with a record that cannot be read, by name.
    stopped: BTreeMap<String, Stopped>,
    templates: Templates,
    pictures: Pictures,
    /// The recent counts for the limits.
    rates: rates::Rates,
    /// The proposals to which somebody may answer YES.
    proposals: proposals::Proposals,
    /// The addresses whose readers are known to get what is sent there.
    proven: proven::ProvenAddresses,
    returned: returned::ReturnedMail,
    links: links::LinkRequests,
    /// The lines of the mails that were sent lately.
    sent_lines: sent_lines::SentLines,
    /// The last accepted password of each seat: the stored hash that it matched, and its keyed hash.
    passed: BTreeMap<(String, SeatId), (String, [u8; 32])>,
}

impl Judge {
    /// The templates for mails about games of a variant.
    fn templates_of(&self, variant: &dyn Variant) -> Templates {
        self.templates.within(variant.card().name)
    }

    /// A judge without any game or person.
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
            proven: proven::ProvenAddresses::default(),
            returned: returned::ReturnedMail::default(),
            links: links::LinkRequests::default(),
            sent_lines: sent_lines::SentLines::default(),
            passed: BTreeMap::new(),
        }
    }

    /// Replaces the way in which this judge makes pictures.
    #[must_use]
    pub fn with_pictures(mut self, pictures: Pictures) -> Judge {
        self.pictures = pictures;
        self
    }

    /// Replays a whole log from its first record. If a record of a game cannot be read, that game is stopped; the other
    /// games go on.
    ///
    /// # Errors
    /// The first error of `records`, or if a record of the register cannot be read.
    pub fn replay_log<E, F: From<E> + From<JudgeError>>(
        &mut self,
        log: &str,
        records: impl IntoIterator<Item = Result<Vec<u8>, E>>,
    ) -> Result<(), F> {
        let mut read = LogState::before(log);
        read.play_all(records)?;
        Ok(self.take_over(read)?)
    }

    /// Stops a game: the record after the last replayed one cannot be read.
    fn stop(&mut self, game: &str, error: &JudgeError) -> &Stopped {
        let record = self.played.get(game).copied().unwrap_or_default() + 1;
        let so_far = self.games.leave(game);
        let stopped = Stopped::new(game, record, error.cause(), so_far);
        match self.stopped.entry(game.to_owned()) {
            Entry::Vacant(place) => place.insert(stopped),
            Entry::Occupied(mut place) => {
                place.insert(stopped);
                place.into_mut()
            }
        }
    }

    /// The stopped games, by name.
    pub fn stopped(&self) -> impl Iterator<Item = &Stopped> {
        self.stopped.values()
    }

    /// The games that stand still since their results do not hold, each with the reason as a sentence part for the keeper.
    pub fn halted(&self) -> impl Iterator<Item = String> {
        self.games().filter_map(clock::halting::reason)
    }

    /// A stopped game by its name, in upper or lower case.
    pub fn stopped_game(&self, name: &str) -> Option<&Stopped> {
        self.stopped.get(&name.to_lowercase())
    }

    /// Replays one stored record; the records of a log come in their order.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn replay(&mut self, log: &str, json: &[u8]) -> Result<(), JudgeError> {
        self.play(log, json)?;
        self.enter(log);
        Ok(())
    }

    /// Updates the indexes that the records of a log affect.
    fn enter(&mut self, log: &str) {
        self.games.enter(log, self.registry.secret());
    }

    fn play(&mut self, log: &str, json: &[u8]) -> Result<(), JudgeError> {
        if log == registry::LOG {
            let record: RegistryRecord = log_state::read_record(log, json)?;
            *self.played.entry(log.to_owned()).or_default() += 1;
            for event in &record.events {
                self.registry.apply(event);
                if let RegistryEvent::Secret { secret } = event {
                    self.games.enter_tokens_anew(secret);
                }
            }
            return Ok(());
        }
        let record = log_state::game_record(log, self.games.get(log), json)?;
        let before = self.games.take(log).map(|game| *game);
        let game = log_state::after(log, before, &record)?;
        self.games.put(log, Box::new(game));
        *self.played.entry(log.to_owned()).or_default() += 1;
        Ok(())
    }

    /// Applies the changes of a ruling that the store has saved. If a record of a game cannot be read, that game is
    /// stopped; the other games go on.
    ///
    /// # Errors
    /// If a record of the register or a count cannot be read.
    pub fn absorb(&mut self, ruling: &Ruling) -> Result<(), JudgeError> {
        // Before the records: the password was accepted for the old hash, which this same mail may have changed.
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
        for Recalled { game, past } in &ruling.recalled {
            self.games.recall(game, past);
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
        let mut counts = Vec::new();
        for memo in &ruling.memos {
            let (name, content) = (memo.name.as_str(), memo.content.as_deref());
            match self.absorb_memo(name, content) {
                Some(absorbed) => absorbed?,
                None => counts.push(memo.clone()),
            }
        }
        self.rates
            .absorb(&counts, ruling.at)
            .map_err(|source| JudgeError::Memo { source })
    }

    /// Loads a memo that the store kept ([`Ruling::memos`]).
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub fn recall(&mut self, name: &str, json: &[u8]) -> Result<(), JudgeError> {
        if let Some(absorbed) = self.absorb_memo(name, Some(json)) {
            return absorbed;
        }
        self.rates
            .recall(name, json)
            .map_err(|source| JudgeError::Memo { source })
    }

    /// Takes in or forgets a proposal, the lines of a mail, a proven address or one from which mail came back; `None` if the memo
    /// is none of these.
    fn absorb_memo(
        &mut self,
        name: &str,
        content: Option<&[u8]>,
    ) -> Option<Result<(), JudgeError>> {
        let absorbed = if proposals::Proposals::is_one(name) {
            self.proposals.absorb(name, content)
        } else if sent_lines::SentLines::is_one(name) {
            self.sent_lines.absorb(name, content)
        } else if self.proven.memos.holds_name(name) {
            self.proven.memos.absorb(name, content)
        } else if self.returned.memos.holds_name(name) {
            self.returned.memos.absorb(name, content)
        } else if self.links.memos.holds_name(name) {
            self.links.memos.absorb(name, content)
        } else {
            return None;
        };
        Some(absorbed.map_err(|source| JudgeError::Memo { source }))
    }

    /// All games, in order of name.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.values()
    }

    /// A game by its name, in upper or lower case.
    pub fn game(&self, name: &str) -> Option<&Game> {
        self.games.get(&name.to_lowercase())
    }

    /// The number of records that led to a game, by its name.
    pub fn records_of(&self, name: &str) -> Option<usize> {
        self.played.get(&name.to_lowercase()).copied()
    }

    /// The games whose logs are still called by the name of before (`rename`), by the names of the logs.
    pub fn retitled(&self) -> impl Iterator<Item = (&str, &Game)> {
        self.games.by_log().filter(|(log, game)| *log != game.name)
    }

    /// The register of everybody whom the judge knows.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    fn proposals(&self) -> &proposals::Proposals {
        &self.proposals
    }

    fn sent_lines(&self) -> &sent_lines::SentLines {
        &self.sent_lines
    }

    /// The keeper's configuration.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
