//! Flows of what a reader may know, watched in test builds: what is written for a reader may be read from the game only as that
//! reader sees it, or as everybody does. The twins of the search compare what two readers get; this finds a text that was made
//! from what another reader knows even where the two say the same.

use dipjudge_view::Viewer;

#[cfg(feature = "planted-leaks")]
mod watched {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::Viewer;
    use crate::planted::any_open;

    thread_local! {
        /// As whom the game was read while the text in hand was made.
        static READ: RefCell<BTreeSet<Viewer>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn read_as(viewer: Viewer) {
        READ.with_borrow_mut(|read| read.insert(viewer));
    }

    pub(super) fn written_for<T>(reader: Viewer, write: impl FnOnce() -> T) -> T {
        let outside = READ.take();
        let text = write();
        let read = READ.replace(outside);
        let strange = read.iter().find(|as_whom| !is_open_to(**as_whom, reader));
        if let Some(as_whom) = strange
            && !any_open()
        {
            panic!("a text for {reader:?} is made from what {as_whom:?} knows");
        }
        text
    }

    pub(super) fn given<T>(show: impl FnOnce() -> T) -> T {
        let outside = READ.take();
        let shown = show();
        READ.set(outside);
        shown
    }

    /// Whether all that a viewer knows is known to a reader too.
    fn is_open_to(viewer: Viewer, reader: Viewer) -> bool {
        viewer == reader || matches!(viewer, Viewer::Observer | Viewer::Stranger)
    }
}

/// Notes that the game is read as by this viewer. Does nothing outside test builds.
#[cfg(feature = "planted-leaks")]
pub(crate) fn read_as(viewer: Viewer) {
    watched::read_as(viewer);
}

/// Notes that the game is read as by this viewer. Does nothing outside test builds.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub(crate) const fn read_as(_: Viewer) {}

/// Runs `write`, which makes a text for a reader.
///
/// # Panics
/// In test builds, if the text was made from what another reader knows, unless a leak is open on purpose.
#[cfg(feature = "planted-leaks")]
pub fn written_for<T>(reader: Viewer, write: impl FnOnce() -> T) -> T {
    watched::written_for(reader, write)
}

/// Runs `write`, which makes a text for a reader.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub fn written_for<T>(_: Viewer, write: impl FnOnce() -> T) -> T {
    write()
}

/// Runs `show`, which makes what another power has given to the reader: its map, for example. As whom the game is read for it does
/// not count.
#[cfg(feature = "planted-leaks")]
pub fn given<T>(show: impl FnOnce() -> T) -> T {
    watched::given(show)
}

/// Runs `show`, which makes what another power has given to the reader.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub fn given<T>(show: impl FnOnce() -> T) -> T {
    show()
}
