//! How many bytes of pictures may be sent in an hour. Mails beyond it go without their pictures, and none is held back.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

/// Counts the pictures of the last hour.
#[derive(Clone, Debug)]
pub struct PictureAllowance {
    per_hour: u64,
    /// When pictures were sent, with their bytes, oldest first.
    sent: VecDeque<(Timestamp, u64)>,
    /// The bytes of all of them.
    sum: u64,
}

impl PictureAllowance {
    /// An allowance of so many megabytes an hour.
    pub fn of_megabytes(per_hour: u32) -> PictureAllowance {
        PictureAllowance {
            per_hour: u64::from(per_hour) * 1_000_000,
            sent: VecDeque::new(),
            sum: 0,
        }
    }

    /// Whether a picture of so many bytes may be sent now. It is counted then.
    pub fn take(&mut self, now: Timestamp, bytes: u64) -> bool {
        while let Some((at, old)) = self.sent.front()
            && now.duration_since(*at) >= SignedDuration::from_hours(1)
        {
            self.sum -= old;
            self.sent.pop_front();
        }
        if self.sum + bytes > self.per_hour {
            return false;
        }
        self.sum += bytes;
        self.sent.push_back((now, bytes));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_allowance_waits_for_the_hour_to_pass() {
        let at = |minutes: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let mut allowance = PictureAllowance::of_megabytes(1);
        assert!(allowance.take(at(0), 600_000));
        assert!(!allowance.take(at(1), 600_000));
        assert!(allowance.take(at(2), 400_000));
        assert!(!allowance.take(at(59), 1));
        assert!(allowance.take(at(60), 600_000));
        assert!(!allowance.take(at(61), 400_000));
        assert!(allowance.take(at(62), 400_000));
        assert!(!PictureAllowance::of_megabytes(0).take(at(0), 1));
    }
}
