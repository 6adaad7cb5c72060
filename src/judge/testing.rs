//! A judge for unit tests.

use jiff::Timestamp;

use crate::work::game_work::OpenGame;
use crate::work::{GameWork, Work};
use crate::{Archived, Ids, Judge, Library, RateLimits, Settings};
use dipjudge_game::labels::testing::OwnNames;
use dipjudge_game::{Game, Record};
use dipjudge_mails::outbound::Templates;

/// Ids that are consecutive numbers.
struct Counter(u8);

impl Ids for Counter {
    fn id(&mut self) -> [u8; 16] {
        self.0 += 1;
        [self.0; 16]
    }

    fn seed(&mut self) -> [u8; 32] {
        [7; 32]
    }
}

/// An empty store.
struct Empty;

impl Library for Empty {
    fn seen(&self, _: &[u8; 32], _: Timestamp) -> bool {
        false
    }

    fn archive(&self, _: &str, _: Timestamp, _: Timestamp) -> Vec<Archived> {
        Vec::new()
    }

    fn log(&self, _: &str) -> Vec<Record> {
        Vec::new()
    }
}

/// Executes `act` in a unit of work that has a game of the test variant in hand.
pub(crate) fn with_game(game: &Game, act: impl FnOnce(&mut GameWork)) {
    let (judge, mut ids) = (judge(), Counter(0));
    let mut work = Work::new(&judge, Timestamp::UNIX_EPOCH, &mut ids, &Empty);
    let mut open = OpenGame::of(game, work.now);
    open.edit.variant = &OwnNames;
    act(&mut GameWork::new(&mut work, &mut open));
}

/// A judge without any game, with the default limits.
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
        others: Vec::new(),
    };
    Judge::new(settings, Templates::built_in())
}
