//! Random bytes from the system.

use dipjudge_judge::Ids;

/// Ids and seeds from the system's source.
///
/// Whoever has taken some must ask [`SystemIds::fault`] before anything that bears them is kept: a judge with guessable ids
/// would give its games away.
#[derive(Debug, Default)]
pub struct SystemIds {
    fault: Option<getrandom::Error>,
}

impl SystemIds {
    /// Ids from the system's source.
    pub fn new() -> SystemIds {
        SystemIds::default()
    }

    /// Why bytes that were handed out are not random, if so.
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

/// A number from 0 to 1, so that many who wait do not come back at once. Nothing secret hangs on it.
pub fn jitter() -> f64 {
    let mut byte = [128];
    // Without it all waits are a little more alike.
    let _ = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

/// A random number as it may be used: from 0 to 1, and 0 for what is no number.
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
