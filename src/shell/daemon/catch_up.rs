//! `restore --catch-up`: a store that was made from a backup takes again what has happened since, from the mailbox and, where there
//! is one, from the journal in the second place of the backups.
//!
//! The journal says in which order and as of which time everything was done; what no mailbox holds stands in it. Without a journal,
//! messages are taken in the order of their arrival, with the deadlines between, each as of its own time. Ids follow from the key
//! in the backup, so the store becomes what it was.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, RwLock};

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::journal::{JournalCause, JournalLine};
use super::keeper_acts::KeeperOutcome;
use super::memory::Memory;
use super::notice::Notices;
use super::once::OnceError;
use super::processor::{Circumstances, Processor};
use super::setup;
use super::source::{INBOX, Mailbox, MailboxError, SPOOL, Source};
use super::unfinished;
use crate::clock::{Clock, before_second_of};
use crate::config::Config;
use crate::inbox::{Claim, FetchedMessage, Handle, InboxError, Look};
use dipjudge_game::{Game, State, VariantGame};
use dipjudge_judge::{Judge, KeeperAct};
use dipjudge_store::{Store, StoreError, from_hex, to_hex};
use dipjudge_variants as variants;

/// What the journal names arrived no longer than this before the newest event of the backup.
const LONG_BEFORE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The stamp of a message's server may be so much behind our clock. What arrived earlier before the last complete look that the
/// backup knows of was handled before it. The store knows the words of a mail without an id for no longer than twice this.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(5);

/// What becomes of the mails that were written before the machine was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldMails {
    /// They must have been sent, so they are not sent again.
    WereSent,
    /// They are sent, with the ids of before.
    SendAgain,
}

/// What was done.
#[derive(Debug, Default)]
pub struct CaughtUp {
    /// How many messages were taken again.
    pub messages: usize,
    /// How many things that fell due were done again.
    pub due: usize,
    /// How many acts of the keeper were done again.
    pub acts: usize,
    /// Whether there was a journal.
    pub journal: bool,
    /// What could not be done again, a sentence each.
    pub missing: Vec<String>,
    /// The games that are paused until their master or the keeper has looked at them.
    pub paused: BTreeSet<String>,
    /// How many mails are taken as sent.
    pub taken_as_sent: usize,
}

/// Takes again what happened after the backup from which the store was made.
///
/// # Errors
/// If the store, the inbox or the journal cannot be used. Then the store must be restored again.
pub fn catch_up(
    config: &Config,
    clock: Clock,
    old_mails: OldMails,
) -> Result<CaughtUp, CatchUpError> {
    let store = Arc::new(Store::open(&config.judge.data)?);
    unfinished::check_finished(config, &store)?;
    unfinished::begin(&store)?;
    let memory = Memory::read(&store)?;
    let journal = setup::journal(config, &store);
    let lines = match &journal {
        Some(journal) => journal
            .lines_from(memory.rulings)
            .map_err(CatchUpError::Journal)?,
        None => BTreeMap::new(),
    };
    let mut inbox = setup::inbox(config, Claim::of(store.id()))?;
    let earlier = |time: Option<Timestamp>, span: SignedDuration| {
        let before = time.and_then(|time| time.checked_sub(span).ok());
        before.unwrap_or(Timestamp::MIN)
    };
    let since = earlier(memory.newest, LONG_BEFORE);
    let unknown_since = earlier(memory.looks.get(INBOX).copied(), CLOCKS_DIFFER);
    let put_away = inbox.put_away_since(since)?;
    let mut again = Again {
        config,
        processor: processor(config, store.clone())?,
        store,
        mails: by_digest(put_away),
        done: CaughtUp {
            journal: !lines.is_empty(),
            ..CaughtUp::default()
        },
        doubtful: BTreeSet::new(),
        all_doubtful: false,
        expected: memory.rulings,
    };
    let before: BTreeSet<String> = again.names(|_| true);
    for line in lines.into_values() {
        again.repeat(line)?;
    }
    again.take_the_rest(unknown_since)?;
    again.processor.finish()?;
    if old_mails == OldMails::WereSent {
        let waiting = again.store.waiting()?.into_iter();
        let waiting: Vec<u64> = waiting.map(|mail| mail.id).collect();
        again.store.delivered_all(&waiting)?;
        again.done.taken_as_sent = waiting.len();
    }
    if !again.done.journal {
        // Their seeds are not those of before.
        let new = again.names(|game| !before.contains(&game.name));
        again.doubtful.extend(new);
    }
    again.pause_the_doubtful(clock)?;
    unfinished::end(&again.store)?;
    Ok(again.done)
}

/// Why a store cannot catch up.
#[derive(Debug, thiserror::Error)]
pub enum CatchUpError {
    /// The judge cannot work.
    #[error(transparent)]
    Work(#[from] OnceError),
    /// The inbox cannot be read.
    #[error("the mailbox cannot be read: {0}")]
    Inbox(#[from] InboxError),
    /// The journal cannot be read.
    #[error("the journal in [backup] copy_to cannot be read: {0}")]
    Journal(std::io::Error),
}

macro_rules! from_work {
    ($($error:ty),*) => {
        $(impl From<$error> for CatchUpError {
            fn from(error: $error) -> CatchUpError {
                CatchUpError::Work(error.into())
            }
        })*
    };
}

from_work!(StoreError, super::setup::SetupError, super::ProcessorError);

fn processor(config: &Config, store: Arc<Store>) -> Result<Processor<Judge>, CatchUpError> {
    let (settings, templates) = (setup::settings(config), setup::templates(config)?);
    let notices = Notices::new(&settings, &templates);
    let judge = setup::judge(&store, settings, templates)?;
    let judge = Arc::new(RwLock::new(judge));
    let start = Clock::At(Timestamp::MIN);
    Ok(Processor::new(judge, store, start, notices)?)
}

/// Messages by the digest of their bytes, those with the same bytes in the order of arrival.
type Mails = BTreeMap<String, VecDeque<FetchedMessage>>;

fn by_digest(mut mails: Vec<FetchedMessage>) -> Mails {
    mails.sort_by_key(|mail| mail.arrived);
    let mut found = Mails::new();
    for mail in mails {
        let digest = to_hex(&Sha256::digest(&mail.bytes));
        found.entry(digest).or_default().push_back(mail);
    }
    found
}

/// A store while it catches up.
struct Again<'a> {
    config: &'a Config,
    store: Arc<Store>,
    processor: Processor<Judge>,
    mails: Mails,
    done: CaughtUp,
    /// Games for which something is missing.
    doubtful: BTreeSet<String>,
    /// Something is missing, and nobody knows for which game.
    all_doubtful: bool,
    /// The number of the next ruling.
    expected: u64,
}

impl Again<'_> {
    /// The games of which something is true.
    fn names(&self, which: impl Fn(&Game) -> bool) -> BTreeSet<String> {
        let judge = self.processor.handler();
        let games = judge.games().filter(|game| which(game));
        games.map(|game| game.name.clone()).collect()
    }

    fn is_missing(&mut self, what: String, logs: Vec<String>) {
        if logs.is_empty() {
            self.all_doubtful = true;
        }
        self.doubtful.extend(logs);
        self.done.missing.push(what);
    }

    /// Does again what a line of the journal is about.
    fn repeat(&mut self, line: JournalLine) -> Result<(), CatchUpError> {
        let JournalLine {
            store: _,
            number,
            now,
            cause,
            logs,
            seeds,
        } = line;
        if number != self.expected {
            let lacking = number.saturating_sub(self.expected);
            self.is_missing(
                format!("The journal lacks {lacking} lines before {now}."),
                Vec::new(),
            );
        }
        self.expected = number + 1;
        let seeds = seeds
            .iter()
            .filter_map(|seed| from_hex(seed)?.try_into().ok());
        let mut circumstances = Circumstances {
            number: Some(number),
            seeds: seeds.collect(),
            outages: Vec::new(),
        };
        match cause {
            JournalCause::Message {
                sha256,
                stamped,
                arrived,
            } => {
                let Some(mail) = self.mails.get_mut(&sha256).and_then(VecDeque::pop_front) else {
                    self.is_missing(
                        format!("A message of {arrived} is not in the mailbox any more."),
                        logs,
                    );
                    return Ok(());
                };
                self.processor.as_of(now, circumstances)?;
                let mail = FetchedMessage {
                    arrived: stamped,
                    ..mail
                };
                self.take(mail, arrived, INBOX)?;
            }
            JournalCause::Piped {
                message,
                stamped,
                arrived,
                oversize,
            } => {
                self.processor.as_of(now, circumstances)?;
                let mail = FetchedMessage {
                    handle: Handle::Maildir("journal".into()),
                    bytes: from_hex(&message).unwrap_or_default(),
                    arrived: stamped,
                    oversize,
                };
                self.take(mail, arrived, SPOOL)?;
            }
            JournalCause::Due { by, outages } => {
                circumstances.outages = outages;
                self.processor.as_of(now, circumstances)?;
                if self.processor.do_one_due(by)? {
                    self.done.due += 1;
                } else {
                    let what = format!("What fell due by {by} is not due now.");
                    self.is_missing(what, logs);
                }
            }
            JournalCause::Keeper { act } => {
                self.processor.as_of(now, circumstances)?;
                match self.processor.act_again(&act)? {
                    KeeperOutcome::Done(_) => self.done.acts += 1,
                    KeeperOutcome::Refused(why) => {
                        self.is_missing(format!("What you did at {now} is refused: {why}."), logs);
                    }
                }
                if matches!(act, KeeperAct::Retitle { .. }) {
                    // The log gets the new name when the judge begins.
                    self.processor.finish()?;
                    self.processor = processor(self.config, self.store.clone())?;
                }
            }
        }
        Ok(())
    }

    /// Takes what the journal does not know of and arrived since, in the order of arrival, and does what fell due between.
    fn take_the_rest(&mut self, since: Timestamp) -> Result<(), CatchUpError> {
        let mut rest: Vec<FetchedMessage> = std::mem::take(&mut self.mails)
            .into_values()
            .flatten()
            .filter(|mail| mail.arrived >= since)
            .collect();
        rest.sort_by(|a, b| (a.arrived, &a.handle).cmp(&(b.arrived, &b.handle)));
        for mail in rest {
            let at = mail.arrived;
            let by = before_second_of(at);
            while let Some(due) = self.processor.next_due()?.filter(|due| *due <= by) {
                self.processor.as_of(due, Circumstances::default())?;
                if !self.processor.do_one_due(due)? {
                    let what = format!("What fell due at {due} cannot be done.");
                    self.is_missing(what, Vec::new());
                    break;
                }
                self.done.due += 1;
            }
            self.processor.as_of(at, Circumstances::default())?;
            self.take(mail, at, INBOX)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        mail: FetchedMessage,
        at: Timestamp,
        source: &'static str,
    ) -> Result<(), CatchUpError> {
        let before = self.processor.memory().messages;
        let place = setup::place_of_rejected(self.config, source);
        let mut sources = [Source::new(source, Box::new(PastMailbox), place)];
        self.processor.handle_again(mail, at, &mut sources, 0)?;
        // What was handled before the backup is silent.
        self.done.messages += usize::from(self.processor.memory().messages > before);
        Ok(())
    }

    /// Pauses the games whose results may differ from those that were mailed, and those that hide something.
    fn pause_the_doubtful(&mut self, clock: Clock) -> Result<(), CatchUpError> {
        let (doubtful, all) = (&self.doubtful, self.all_doubtful);
        let games = self.names(|game| {
            let game_of = VariantGame::new(game, variants::of(&game.variant));
            let hides = game_of.secrecy().any();
            game.state == State::Running && (all || hides || doubtful.contains(&game.name))
        });
        if !games.is_empty() {
            self.processor
                .as_of(clock.now(), Circumstances::default())?;
            let act = KeeperAct::PauseRestored {
                games: games.clone(),
            };
            self.processor.act_again(&act)?;
        }
        self.done.paused = games;
        Ok(())
    }
}

/// Where messages came from that are put away already.
struct PastMailbox;

impl Mailbox for PastMailbox {
    fn look(&mut self) -> Result<Look, MailboxError> {
        Ok(Look::default())
    }

    fn done(&mut self, _handles: &[Handle]) -> Result<(), MailboxError> {
        Ok(())
    }

    fn reject(&mut self, _handle: &Handle) -> Result<(), MailboxError> {
        Ok(())
    }
}
