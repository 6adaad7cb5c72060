//! Numbers to vary games by.

/// A generator good enough to vary tests: the same seed, the same game.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    pub fn from(seed: u64) -> Self {
        // Neighbouring seeds shall not begin alike, and nothing may be zero.
        let mixed = seed
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self((mixed ^ (mixed >> 31)) | 1)
    }

    /// A number below the limit; 0 where there is nothing to choose.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }

    /// Whether it happens, once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        (!all.is_empty()).then(|| &all[self.below(all.len())])
    }
}
