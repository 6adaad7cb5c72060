//! A judge for unit tests.

use crate::{Judge, RateLimits, Settings};
use dipjudge_mails::outbound::Templates;

/// A judge without any game, with the limits that hold where nothing is set.
pub(crate) fn judge() -> Judge {
    let settings = Settings {
        name: "USXX".to_owned(),
        address: "judge@example.org".to_owned(),
        keeper: "keeper@example.org".to_owned(),
        timezone: "UTC".to_owned(),
        auto_master: false,
        creators: None,
        dedication_to_create: 0,
        max_running: 0,
        bytes: 1 << 20,
        limits: RateLimits::default(),
        authserv_id: None,
    };
    Judge::new(settings, Templates::built_in())
}
