//! Chance for tests: a small generator, so that a seed alone names a run.

/// Splitmix64.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `m`; 0 if there is none.
    pub fn below(&mut self, m: usize) -> usize {
        if m == 0 {
            0
        } else {
            (self.next() % m as u64) as usize
        }
    }

    /// Whether something with so many chances in a hundred happens.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = self.below(from.len());
        from.get(index)
    }

    /// A word that stands in no text by accident.
    pub fn word(&mut self) -> String {
        let letter = |from: &[u8], dice: &mut Dice| char::from(from[dice.below(from.len())]);
        (0..6)
            .flat_map(|_| {
                [
                    letter(b"bcdfghjkmnpqrstvwxz", self),
                    letter(b"aeiouy", self),
                ]
            })
            .collect()
    }
}
