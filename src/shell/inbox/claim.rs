//! The claim of a judge to an inbox: the inbox bears the id of the store whose judge takes its mail, and a judge with
//! another store leaves it alone. So a second judge, made by mistake or restored on another machine, answers nobody.

use super::InboxError;
use dipjudge_store::StoreId;

/// The start of the name of the mark, which is a file in a Maildir or an empty mailbox on a server. The id follows.
const MARK: &str = "dipjudge-store-";

/// What a judge does with an inbox that bears the id of another store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForeignInbox {
    /// Leaves it alone.
    #[default]
    Leave,
    /// Takes it over, once.
    TakeOver,
}

/// The claim of a store to an inbox.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The judge's store.
    pub store: StoreId,
    /// What to do if the inbox bears another id.
    pub foreign: ForeignInbox,
}

impl Claim {
    /// A claim that leaves the inboxes of other stores alone.
    pub fn of(store: &StoreId) -> Claim {
        Claim {
            store: store.clone(),
            foreign: ForeignInbox::Leave,
        }
    }
}

/// A Maildir or mailbox that can bear marks.
pub(super) trait MarkedPlace {
    /// Its name in the config.
    fn place(&self) -> String;
    /// The names of the marks; other names may be among them.
    fn marks(&mut self) -> Result<Vec<String>, InboxError>;
    /// Puts a mark.
    fn put(&mut self, mark: &str) -> Result<(), InboxError>;
    /// Removes a mark.
    fn remove(&mut self, mark: &str) -> Result<(), InboxError>;
}

/// The store whose mark has this name; `None` if it is no mark.
pub(super) fn owner_of_mark(name: &str) -> Option<StoreId> {
    StoreId::parse(name.strip_prefix(MARK)?)
}

/// The pattern of the names of marks, for LIST.
pub(super) fn pattern() -> String {
    format!("{MARK}*")
}

fn mark_of(store: &StoreId) -> String {
    format!("{MARK}{store}")
}

/// The stores whose marks are in a place.
pub(super) fn owners(place: &mut dyn MarkedPlace) -> Result<Vec<StoreId>, InboxError> {
    let marks = place.marks()?;
    Ok(marks
        .iter()
        .filter_map(|name| owner_of_mark(name))
        .collect())
}

/// Makes sure that a place belongs to the store of the claim: adds the mark if there is none.
///
/// # Errors
/// [`InboxError::Foreign`] if it has the mark of another store.
pub(super) fn settle(place: &mut dyn MarkedPlace, claim: &mut Claim) -> Result<(), InboxError> {
    let found = owners(place)?;
    let others = || found.iter().filter(|store| **store != claim.store);
    let own = mark_of(&claim.store);
    if !found.contains(&claim.store)
        && (claim.foreign == ForeignInbox::TakeOver || found.is_empty())
    {
        place.put(&own)?;
    }
    if claim.foreign == ForeignInbox::TakeOver {
        // The own mark is there already: another judge that looks in between finds two marks and leaves the inbox alone.
        for other in others() {
            place.remove(&mark_of(other))?;
        }
        claim.foreign = ForeignInbox::Leave;
        return Ok(());
    }
    if let Some(other) = others().next() {
        return Err(foreign(place, other));
    }
    if found.is_empty() {
        // Two judges that start at the same time both add a mark; then both withdraw.
        let now = owners(place)?;
        if let Some(other) = now.iter().find(|store| **store != claim.store) {
            place.remove(&own)?;
            return Err(foreign(place, other));
        }
    }
    Ok(())
}

/// The error that a place belongs to another store.
pub(super) fn foreign(place: &dyn MarkedPlace, store: &StoreId) -> InboxError {
    InboxError::Foreign {
        place: place.place(),
        store: store.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct TestPlace {
        marks: Vec<String>,
        /// The mark of another judge, added at the same time.
        rival: Option<String>,
    }

    impl MarkedPlace for TestPlace {
        fn place(&self) -> String {
            "the test".to_owned()
        }

        fn marks(&mut self) -> Result<Vec<String>, InboxError> {
            Ok(self.marks.clone())
        }

        fn put(&mut self, mark: &str) -> Result<(), InboxError> {
            self.marks.push(mark.to_owned());
            self.marks.extend(self.rival.take());
            Ok(())
        }

        fn remove(&mut self, mark: &str) -> Result<(), InboxError> {
            self.marks.retain(|known| known != mark);
            Ok(())
        }
    }

    fn store(digit: char) -> StoreId {
        StoreId::parse(&digit.to_string().repeat(32)).unwrap()
    }

    fn settles(place: &mut TestPlace, mut claim: Claim) -> bool {
        let outcome = settle(place, &mut claim);
        assert_eq!(claim.foreign, ForeignInbox::Leave);
        outcome.is_ok()
    }

    fn claim(digit: char) -> Claim {
        Claim::of(&store(digit))
    }

    fn taking(digit: char) -> Claim {
        Claim {
            foreign: ForeignInbox::TakeOver,
            ..claim(digit)
        }
    }

    #[test]
    fn the_first_store_has_it_until_another_takes_it() {
        let mut place = TestPlace::default();
        place.marks.push("cur".to_owned());
        assert!(settles(&mut place, claim('a')));
        assert!(settles(&mut place, claim('a')));
        assert!(!settles(&mut place, claim('b')));
        assert_eq!(owners(&mut place).unwrap(), [store('a')]);
        assert!(settles(&mut place, taking('b')));
        assert!(!settles(&mut place, claim('a')));
        assert_eq!(owners(&mut place).unwrap(), [store('b')]);
    }

    #[test]
    fn of_two_that_come_at_one_moment_neither_has_it() {
        let mut place = TestPlace {
            rival: Some(mark_of(&store('b'))),
            ..TestPlace::default()
        };
        assert!(!settles(&mut place, claim('a')));
        assert_eq!(owners(&mut place).unwrap(), [store('b')]);
    }
}
