//! Sets of provinces.

/// A set of provinces of one map, by their numbers ([`Map::number`](super::Map::number)). It is a bit set of 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProvinceSet([u64; 4]);

impl ProvinceSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 4]);

    /// Whether the province is in the set.
    #[must_use]
    #[inline]
    pub fn has(&self, number: u8) -> bool {
        self.0[usize::from(number >> 6)] >> (number & 63) & 1 != 0
    }

    /// Adds the province.
    #[inline]
    pub fn add(&mut self, number: u8) {
        self.0[usize::from(number >> 6)] |= 1 << (number & 63);
    }

    /// Removes the province.
    #[inline]
    pub fn remove(&mut self, number: u8) {
        self.0[usize::from(number >> 6)] &= !(1 << (number & 63));
    }

    /// The provinces that are in at least one of the sets.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The provinces that are in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The provinces that are in this set and not in the other.
    #[must_use]
    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The numbers in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0u8..4).zip(self.0).flat_map(|(word, bits)| {
            std::iter::successors((bits != 0).then_some(bits), |bits| {
                let rest = bits & (bits - 1);
                (rest != 0).then_some(rest)
            })
            // A word that is not 0 has at most 63 trailing zeros.
            .map(move |bits| word * 64 + bits.trailing_zeros() as u8)
        })
    }
}

impl FromIterator<u8> for ProvinceSet {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        let mut set = Self::EMPTY;
        for number in numbers {
            set.add(number);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let numbers = [0u8, 1, 63, 64, 74, 128, 255];
        let mut set: ProvinceSet = numbers.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), numbers);
        set.remove(64);
        assert!(!set.has(64) && set.has(63));
        assert!(ProvinceSet::EMPTY.iter().next().is_none());
    }
}
