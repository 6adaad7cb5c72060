//! The games in memory, with indexes: which is due first, which are forming, to which a token belongs. The indexes are
//! updated as games change, so that a look-up does not take longer the more games there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::people::reply_addresses::{KnownTokens, TokenIndex};
use dipjudge_game::{Game, Past, Seed, State, VariantGame};
use dipjudge_variants as variants;

/// The games by name, with their indexes.
#[derive(Debug, Default)]
pub(crate) struct Games {
    /// Boxed: a game is large, and a tree moves what it holds.
    by_name: BTreeMap<String, Box<Game>>,
    /// The index entries of each game when it was last indexed.
    entered: BTreeMap<String, Entry>,
    /// When each game is due, with its name, in order of time.
    due: BTreeSet<(Timestamp, String)>,
    /// The listed games that are forming.
    forming: BTreeSet<String>,
    /// How many games are not over.
    going_on: usize,
    tokens: TokenIndex,
}

/// The index entries of one game.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    due: Option<Timestamp>,
    forming: bool,
    going_on: bool,
}

impl Games {
    /// A game by its name in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&Game> {
        self.by_name.get(name).map(Box::as_ref)
    }

    /// All games, by name.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Game> {
        self.by_name.values().map(Box::as_ref)
    }

    /// All games, with the names of their logs.
    pub(super) fn by_log(&self) -> impl Iterator<Item = (&str, &Game)> {
        self.by_name
            .iter()
            .map(|(log, game)| (log.as_str(), &**game))
    }

    /// The earliest due time and its game; of several games at that time, the first by name.
    pub(crate) fn first_due(&self) -> Option<(Timestamp, &Game)> {
        let (at, name) = self.due.first()?;
        Some((*at, self.get(name)?))
    }

    /// The listed games that are forming, by name.
    pub(crate) fn forming(&self) -> impl Iterator<Item = &Game> {
        self.forming.iter().filter_map(|name| self.get(name))
    }

    /// The first listed game that is forming, by name.
    pub(crate) fn first_forming(&self) -> Option<&Game> {
        self.get(self.forming.first()?)
    }

    /// How many games are not over.
    pub(crate) fn going_on(&self) -> usize {
        self.going_on
    }

    /// The game to which a token may belong. The caller has to find out whose token it is in that game.
    pub(crate) fn of_token(&self, secret: &Seed, token: &str) -> Option<&Game> {
        self.get(self.tokens.game(secret, token)?)
    }

    /// The keys of a game's tokens, for a snapshot.
    pub(crate) fn known_tokens(&self, secret: &Seed, name: &str) -> Option<KnownTokens> {
        self.tokens.known(secret, name)
    }

    /// Removes a game temporarily, to be changed and put back with [`Games::put`].
    pub(crate) fn take(&mut self, name: &str) -> Option<Box<Game>> {
        self.by_name.remove(name)
    }

    /// Removes a game permanently, with its index entries.
    pub(crate) fn leave(&mut self, name: &str) -> Option<Game> {
        if let Some(old) = self.entered.remove(name) {
            if let Some(at) = old.due {
                self.due.remove(&(at, name.to_owned()));
            }
            self.going_on -= usize::from(old.going_on);
        }
        self.forming.remove(name);
        self.tokens.leave(name);
        self.by_name.remove(name).map(|game| *game)
    }

    /// Inserts a game. Until [`Games::enter`] it can be found only by its name.
    pub(crate) fn put(&mut self, name: &str, game: Box<Game>) {
        self.by_name.insert(name.to_owned(), game);
    }

    /// Takes back into memory the states before the past turns of a game, unless they are not those of its turns.
    pub(crate) fn recall(&mut self, name: &str, past: &[Arc<Past>]) {
        let game = self.by_name.get_mut(name);
        if let Some(Err(error)) = game.map(|game| game.recall(past)) {
            tracing::error!(%error, game = name, "past turns are not recalled");
        }
    }

    /// Updates the index entries of a game that has changed.
    pub(crate) fn enter(&mut self, name: &str, secret: Option<&Seed>) {
        self.enter_with(name, secret, None);
    }

    /// As [`Games::enter`], with the keys of the game's tokens that a snapshot has.
    pub(crate) fn enter_with(
        &mut self,
        name: &str,
        secret: Option<&Seed>,
        kept: Option<KnownTokens>,
    ) {
        let Some(game) = self.by_name.get(name) else {
            return;
        };
        let entry = Entry {
            due: VariantGame::new(game, variants::of(&game.variant)).next_duty_at(),
            forming: game.settings.list && game.state == State::Forming,
            going_on: !game.over(),
        };
        if let Some(secret) = secret {
            self.tokens.enter(secret, game, kept);
        }
        let old = match self.entered.get_mut(name) {
            Some(old) if *old == entry => return,
            Some(old) => std::mem::replace(old, entry.clone()),
            None => {
                self.entered.insert(name.to_owned(), entry.clone());
                Entry::default()
            }
        };
        if let Some(at) = old.due {
            self.due.remove(&(at, name.to_owned()));
        }
        if let Some(at) = entry.due {
            self.due.insert((at, name.to_owned()));
        }
        if entry.forming {
            self.forming.insert(name.to_owned())
        } else {
            self.forming.remove(name)
        };
        self.going_on -= usize::from(old.going_on);
        self.going_on += usize::from(entry.going_on);
    }

    /// Indexes the tokens of every game again, after a change of the secret from which they derive.
    pub(crate) fn enter_tokens_anew(&mut self, secret: &Seed) {
        self.tokens = TokenIndex::default();
        let games = self.by_name.values();
        games.for_each(|game| self.tokens.enter(secret, game, None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judge;
    use crate::people::reply_addresses;
    use crate::testing::judge;
    use crate::tokens;

    /// The recorded logs of the register and of games.
    const LOGS: [(&str, &str); 5] = [
        ("@judge", include_str!("../../tests/recorded/judge.log")),
        ("conway", include_str!("../../tests/recorded/conway.log")),
        ("friday", include_str!("../../tests/recorded/friday.log")),
        ("kaiser", include_str!("../../tests/recorded/kaiser.log")),
        ("space", include_str!("../../tests/recorded/space.log")),
    ];

    /// Compares each look-up with a search through all games.
    fn compare(judge: &Judge) {
        let games = || judge.games.values();
        let due = |game: &Game| VariantGame::new(game, variants::of(&game.variant)).next_duty_at();
        let dues = games().filter_map(|game| Some((due(game)?, game.name.as_str())));
        let first = judge.games.first_due();
        assert_eq!(first.map(|(at, game)| (at, game.name.as_str())), dues.min());
        let mut forming = games().filter(|game| game.settings.list && game.state == State::Forming);
        assert_eq!(judge.games.first_forming(), forming.next());
        let going_on = games().filter(|game| !game.over()).count();
        assert_eq!(judge.games.going_on(), going_on);
    }

    /// Checks that every address leads to its game, and that no address leads to any that is not given yet. Returns the
    /// number of relay addresses.
    fn compare_tokens(judge: &Judge) -> usize {
        let secret = judge.registry.secret().unwrap();
        let found = |token: &str| judge.games.of_token(secret, token);
        let mut relayed = 0;
        for game in judge.games.values() {
            for seat in &game.seats {
                let token = tokens::of_seat(secret, &game.name, seat);
                assert_eq!(found(&token), Some(game));
                assert_eq!(found(&token.to_uppercase()), Some(game));
                let mut raised = seat.clone();
                raised.token += 1;
                assert_eq!(found(&tokens::of_seat(secret, &game.name, &raised)), None);
            }
            for (reader, peer) in reply_addresses::relays(game) {
                let token = tokens::of_relay(secret, &game.name, reader, peer);
                assert_eq!(found(&token), Some(game));
                relayed += 1;
            }
        }
        relayed
    }

    #[test]
    fn what_is_found_among_games_is_what_a_look_at_each_finds() {
        let mut judge = judge();
        let mut logs = LOGS.map(|(log, text)| (log, text.lines()));
        let hidden = br#"{"v":1,"at":"2026-11-30T10:05:00Z","cause":"clock","events":[{"event":"set","name":"gunboat","value":true}]}"#;
        let mut relayed = 0;
        // Takes one record of each log in turn, so that several games exist at the same time.
        loop {
            let mut played = false;
            if judge.game("conway").is_some_and(Game::begun) {
                judge.replay("conway", hidden).unwrap();
            }
            for (log, lines) in &mut logs {
                if let Some(line) = lines.next() {
                    judge.replay(log, line.as_bytes()).unwrap();
                    played = true;
                    compare(&judge);
                }
            }
            relayed += compare_tokens(&judge);
            if !played {
                break;
            }
        }
        assert!(relayed > 0);
    }

    #[test]
    fn a_log_played_as_a_whole_leads_to_the_same_as_record_by_record() {
        let (mut whole, mut single) = (judge(), judge());
        // The games come before the secret from which their tokens derive.
        for (log, text) in LOGS.into_iter().rev() {
            let records = text.lines().map(|line| Ok(line.as_bytes().to_vec()));
            whole
                .replay_log::<crate::JudgeError, crate::JudgeError>(log, records)
                .unwrap();
            for line in text.lines() {
                single.replay(log, line.as_bytes()).unwrap();
            }
        }
        for judge in [&whole, &single] {
            compare(judge);
            compare_tokens(judge);
        }
        assert!(whole.games().eq(single.games()));
        assert_eq!(whole.registry(), single.registry());
    }
}
