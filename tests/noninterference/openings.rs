//! Planted leaks that are open while a run is searched. One that shows a difference is closed, and the search goes on without it, so
//! that one run shows all that it can.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::planted::{Leak, plant, reached};

/// Whether a difference shows with the leaks that are planted now.
pub type Shows<'s> = &'s mut dyn FnMut() -> bool;

/// The leaks that are open in a run, and those that it has shown.
pub struct Openings {
    open: BTreeSet<Leak>,
    /// What each told that showed something alone.
    pub shown: BTreeMap<Leak, String>,
    /// Those that showed something together, and none of them alone. They are closed for the rest of the run, and not counted.
    pub together: Vec<Vec<Leak>>,
}

impl Openings {
    /// Opens these in this thread.
    pub fn of(leaks: &BTreeSet<Leak>) -> Openings {
        plant(leaks.iter().copied());
        Openings {
            open: leaks.clone(),
            shown: BTreeMap::new(),
            together: Vec::new(),
        }
    }

    /// Does something with all leaks closed.
    pub fn without<T>(&self, what: impl FnOnce() -> T) -> T {
        plant([]);
        let done = what();
        plant(self.open.iter().copied());
        done
    }

    /// How many were closed so far: what was played before one was closed is not what is played after it.
    pub fn closed(&self) -> usize {
        self.shown.len() + self.together.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether a difference comes of open leaks; those of which it comes are closed then. `past` were open on the way of what
    /// differs. It is tried in each of these `ways`, the quickest first, since what was played with leaks open may keep
    /// something of them.
    pub fn explain(&mut self, told: &str, past: &BTreeSet<Leak>, ways: &mut [Shows<'_>]) -> bool {
        if self.open.is_empty() {
            return false;
        }
        let culprits = ways.iter_mut().find_map(|shows| self.culprits(past, shows));
        let explained = culprits.is_some();
        for leak in culprits.iter().flatten() {
            self.open.remove(leak);
        }
        match culprits.as_deref() {
            Some([one]) => {
                self.shown.insert(*one, told.to_owned());
            }
            Some(several) => self.together.push(several.to_vec()),
            None => {}
        }
        plant(self.open.iter().copied());
        reached();
        explained
    }

    /// As few leaks as show a difference; none if it shows without any, or does not show at all.
    fn culprits(&self, past: &BTreeSet<Leak>, shows: &mut Shows<'_>) -> Option<Vec<Leak>> {
        let mut shows_with = |leaks: &[Leak]| {
            plant(leaks.iter().copied());
            shows()
        };
        if shows_with(&[]) {
            return None;
        }
        let near: Vec<Leak> = self.open.intersection(past).copied().collect();
        let all: Vec<Leak> = self.open.iter().copied().collect();
        let mut left = match () {
            () if !near.is_empty() && shows_with(&near) => near,
            () if shows_with(&all) => all,
            () => return None,
        };
        while left.len() > 1 {
            let half = left.len() / 2;
            if shows_with(&left[..half]) {
                left.truncate(half);
            } else if shows_with(&left[half..]) {
                left.drain(..half);
            } else {
                break;
            }
        }
        let mut place = 0;
        while left.len() > 1 && place < left.len() {
            let mut fewer = left.clone();
            fewer.remove(place);
            match shows_with(&fewer) {
                true => left = fewer,
                false => place += 1,
            }
        }
        Some(left)
    }
}
