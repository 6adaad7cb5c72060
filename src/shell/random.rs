//! Random bytes from the system.

use dipjudge_judge::Ids;

/// Ids and seeds from the random source of the system.
///
/// After taking ids, [`SystemIds::fault`] must be checked before anything with them is stored: a judge with guessable ids
/// would reveal its games.
#[derive(Debug, Default)]
pub struct SystemIds {
    fault: Option<getrandom::Error>,
}

impl SystemIds {
    /// A source that has not failed yet.
    pub fn new() -> SystemIds {
        SystemIds::default()
    }

    /// The first failure of the random source; then the ids are not random.
    pub fn fault(&self) -> Option<getrandom::Error> {
        self.fault
    }

    fn fill<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Err(error) = getrandom::fill(&mut bytes) {
            self.fault.get_or_insert(error);
        }
        bytes
    }
}

impl Ids for SystemIds {
    fn id(&mut self) -> [u8; 16] {
        self.fill()
    }

    fn seed(&mut self) -> [u8; 32] {
        self.fill()
    }
}

/// A number from 0 to 1 that spreads waits, so that many clients do not return at once. It need not be secret.
pub fn jitter() -> f64 {
    let mut byte = [128];
    // If it fails, the waits are just less spread.
    let _ = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

/// Limits a random number to 0 to 1; NaN and infinite values become 0.
pub fn within_unit(jitter: f64) -> f64 {
    if jitter.is_finite() {
        jitter.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_alike_and_none_is_at_fault() {
        let mut ids = SystemIds::new();
        assert_ne!(ids.id(), ids.id());
        assert_ne!(ids.seed(), ids.seed());
        assert!(ids.fault().is_none());
        assert!((0.0..=1.0).contains(&jitter()));
    }
}
