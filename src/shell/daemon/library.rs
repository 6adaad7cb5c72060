//! Answers the look-ups of the judge from the store.

use std::cell::RefCell;

use jiff::Timestamp;

use super::pending::Pending;
use dipjudge_game::Record;
use dipjudge_judge::{Archived, Library, Readership};
use dipjudge_store::{Store, StoreError};

/// The store as the judge sees it, including what is not committed yet.
///
/// A look-up cannot fail for the judge: it gets a default. So the caller must check [`StoreLibrary::fault`] before it uses
/// what the judge returned.
#[derive(Debug)]
pub(super) struct StoreLibrary<'a> {
    store: &'a Store,
    pending: &'a Pending,
    fault: RefCell<Option<StoreError>>,
}

impl<'a> StoreLibrary<'a> {
    pub(super) fn new(store: &'a Store, pending: &'a Pending) -> StoreLibrary<'a> {
        StoreLibrary {
            store,
            pending,
            fault: RefCell::new(None),
        }
    }

    /// Whether a look-up failed.
    ///
    /// # Errors
    /// The first failed look-up.
    pub(super) fn fault(self) -> Result<(), StoreError> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }

    fn answer<T: Default>(&self, answer: Result<T, StoreError>) -> T {
        answer.unwrap_or_else(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            T::default()
        })
    }
}

/// The library for a message that is read again: it counts as never seen.
#[derive(Debug)]
pub(super) struct UnseenLibrary<'a, 'b>(pub(super) &'b StoreLibrary<'a>);

impl Library for UnseenLibrary<'_, '_> {
    fn seen(&self, _key: &[u8; 32], _since: Timestamp) -> bool {
        false
    }

    fn sent_line(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.0.sent_line(key, since)
    }

    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived> {
        self.0.archive(game, from, to)
    }

    fn log(&self, game: &str) -> Vec<Record> {
        self.0.log(game)
    }
}

impl Library for StoreLibrary<'_> {
    fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.pending.seen(key, since) || self.answer(self.store.seen(key, since))
    }

    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived> {
        let found = self.answer(self.store.archive(game, from, to));
        let mut found = archived(game, found);
        found.extend(self.pending.archive(game, from, to));
        found
    }

    fn log(&self, game: &str) -> Vec<Record> {
        let waiting = self.pending.records(game).map(|json| read(game, json));
        let log = game_log(self.store, game);
        self.answer(log.and_then(|mut log| {
            for record in waiting {
                log.push(record?);
            }
            Ok(log)
        }))
    }
}

/// The log of a game, as the store has it.
///
/// # Errors
/// If the store or a record cannot be read.
pub(super) fn game_log(store: &Store, game: &str) -> Result<Vec<Record>, StoreError> {
    read_game_log(store, game)?.collect()
}

/// The same, one after another.
pub(super) fn read_game_log<'s>(
    store: &'s Store,
    game: &'s str,
) -> Result<impl Iterator<Item = Result<Record, StoreError>> + 's, StoreError> {
    let records = store.records(game)?;
    Ok(records.map(move |json| read(game, &json?)))
}

fn read(game: &str, json: &[u8]) -> Result<Record, StoreError> {
    serde_json::from_slice(json).map_err(|error| StoreError::Damaged {
        what: format!("a record of '{game}' cannot be read: {error}"),
    })
}

/// The texts that the store keeps of a game, without those whose readers are unknown.
pub(super) fn archived(game: &str, kept: Vec<dipjudge_store::Archived>) -> Vec<Archived> {
    let named = |text: dipjudge_store::Archived| {
        Some(Archived {
            game: game.to_owned(),
            readers: Readership::of_key(text.reader.as_deref())?,
            at: text.at,
            subject: text.subject,
            body: text.body,
            by_name: text.by_name,
            broadcast: text.broadcast,
        })
    };
    kept.into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_game::{Cause, Event, SeatChange, SeatId};
    use dipjudge_store::Batch;

    #[test]
    fn records_that_wait_follow_those_that_are_stored() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path()).unwrap();
        let record = |seat: u32| {
            let change = SeatChange::Left;
            let record = Record {
                v: 1,
                at: Timestamp::UNIX_EPOCH,
                cause: Cause::Clock,
                events: vec![Event::SeatChanged {
                    seat: SeatId(seat),
                    change,
                }],
            };
            ("kaiser".to_owned(), serde_json::to_vec(&record).unwrap())
        };
        let batch = |seats: &[u32]| Batch {
            records: seats.iter().map(|seat| record(*seat)).collect(),
            ..Batch::default()
        };
        store.commit(&batch(&[1, 2])).unwrap();
        let mut pending = Pending::default();
        pending.batch = batch(&[3]);
        let other = ("other".to_owned(), record(9).1);
        pending.batch.records.push(other);
        let library = StoreLibrary::new(&store, &pending);
        let seats = library.log("kaiser").into_iter().map(|record| {
            let Some(Event::SeatChanged { seat, .. }) = record.events.first() else {
                panic!("{record:?}");
            };
            seat.0
        });
        assert_eq!(seats.collect::<Vec<_>>(), [1, 2, 3]);
        assert!(library.log("nobody's").is_empty());
        library.fault().unwrap();
    }
}
