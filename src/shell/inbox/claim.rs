//! Whose an inbox is: it bears the id of the store whose judge takes mail from it, and a judge with another store leaves it
//! alone. So a second judge, made by mistake or restored to another machine, answers nobody.

use super::InboxError;
use dipjudge_store::StoreId;

/// Begins the name of the mark: of a file in a Maildir, of an empty mailbox on a server. The id follows.
const MARK: &str = "dipjudge-store-";

/// On whose behalf mail is taken.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The judge's store.
    pub store: StoreId,
    /// Whether an inbox that bears another id is taken over, once.
    pub take: bool,
}

impl Claim {
    /// On behalf of this store, leaving alone what is another's.
    pub fn of(store: &StoreId) -> Claim {
        Claim {
            store: store.clone(),
            take: false,
        }
    }
}

/// A place that can bear marks.
pub(super) trait Marked {
    /// As it is called in the config.
    fn place(&self) -> String;
    /// The marks in it; other names are allowed among them.
    fn marks(&mut self) -> Result<Vec<String>, InboxError>;
    /// Puts a mark.
    fn put(&mut self, mark: &str) -> Result<(), InboxError>;
    /// Removes a mark.
    fn remove(&mut self, mark: &str) -> Result<(), InboxError>;
}

/// The store whose mark has this name.
pub(super) fn bearer(name: &str) -> Option<StoreId> {
    StoreId::parse(name.strip_prefix(MARK)?)
}

/// The pattern of the names of marks, for a server that lists by patterns.
pub(super) fn pattern() -> String {
    format!("{MARK}*")
}

fn mark_of(store: &StoreId) -> String {
    format!("{MARK}{store}")
}

/// The stores whose marks a place bears.
pub(super) fn bearers(place: &mut dyn Marked) -> Result<Vec<StoreId>, InboxError> {
    let marks = place.marks()?;
    Ok(marks.iter().filter_map(|name| bearer(name)).collect())
}

/// Makes sure that the place is ours: gives it our mark if it has none.
///
/// # Errors
/// [`InboxError::Foreign`] if it bears another's.
pub(super) fn settle(place: &mut dyn Marked, claim: &mut Claim) -> Result<(), InboxError> {
    let found = bearers(place)?;
    let others = || found.iter().filter(|store| **store != claim.store);
    let own = mark_of(&claim.store);
    if !found.contains(&claim.store) && (claim.take || found.is_empty()) {
        place.put(&own)?;
    }
    if claim.take {
        // Ours stands there already: whoever looks in between finds two, and leaves it alone.
        for other in others() {
            place.remove(&mark_of(other))?;
        }
        claim.take = false;
        return Ok(());
    }
    if let Some(other) = others().next() {
        return Err(foreign(place, other));
    }
    if found.is_empty() {
        // Two judges that began at one moment both gave it a mark; then neither has it.
        let now = bearers(place)?;
        if let Some(other) = now.iter().find(|store| **store != claim.store) {
            place.remove(&own)?;
            return Err(foreign(place, other));
        }
    }
    Ok(())
}

/// That a place belongs to another store.
pub(super) fn foreign(place: &dyn Marked, store: &StoreId) -> InboxError {
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
        /// Another judge's mark, put there at the same moment as ours.
        rival: Option<String>,
    }

    impl Marked for TestPlace {
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
        assert!(!claim.take);
        outcome.is_ok()
    }

    fn claim(digit: char) -> Claim {
        Claim::of(&store(digit))
    }

    fn taking(digit: char) -> Claim {
        Claim {
            take: true,
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
        assert_eq!(bearers(&mut place).unwrap(), [store('a')]);
        assert!(settles(&mut place, taking('b')));
        assert!(!settles(&mut place, claim('a')));
        assert_eq!(bearers(&mut place).unwrap(), [store('b')]);
    }

    #[test]
    fn of_two_that_come_at_one_moment_neither_has_it() {
        let mut place = TestPlace {
            rival: Some(mark_of(&store('b'))),
            ..TestPlace::default()
        };
        assert!(!settles(&mut place, claim('a')));
        assert_eq!(bearers(&mut place).unwrap(), [store('b')]);
    }
}
