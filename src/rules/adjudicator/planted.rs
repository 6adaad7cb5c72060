//! Deliberate faults that test the check of results: it must find each. The adjudicator asks `planted` wherever a fault can be
//! made; without the feature `planted-faults` it returns a constant `false`, which the compiler removes.

#[cfg(any(test, feature = "planted-faults"))]
use std::cell::Cell;

/// A fault in how movement is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Supports are given although they are cut.
    UncutSupports,
    /// Convoys stand although their fleets are dislodged.
    UnbrokenConvoys,
    /// Two units that move against each other both succeed.
    SwappedPlaces,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::UncutSupports,
        Self::UnbrokenConvoys,
        Self::SwappedPlaces,
    ];
}

#[cfg(any(test, feature = "planted-faults"))]
thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Makes one fault in this thread, or none any more.
#[cfg(any(test, feature = "planted-faults"))]
pub fn plant(fault: Option<Fault>) {
    PLANTED.set(fault);
}

/// Whether this fault is made in this thread.
#[cfg(any(test, feature = "planted-faults"))]
pub(super) fn planted(fault: Fault) -> bool {
    PLANTED.get() == Some(fault)
}

/// Whether this fault is made: always `false`.
#[cfg(not(any(test, feature = "planted-faults")))]
#[inline(always)]
pub(super) const fn planted(_: Fault) -> bool {
    false
}
