//! The games in memory, with what is looked for among all of them: which is due first, which is forming, whose a token is.
//! That is kept in order as games change, so that to find it costs the same however many games there are.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::game::{Game, Seed, State, clock};
use crate::judge::people::reply_addresses::TokenIndex;
use crate::variants;

/// The games by name, and what is found among them.
#[derive(Debug, Default)]
pub(crate) struct Games {
    by_name: BTreeMap<String, Game>,
    /// What each game was when it was last entered below.
    entered: BTreeMap<String, Entry>,
    /// When a game is due, and its name: what is due first comes first.
    due: BTreeSet<(Timestamp, String)>,
    /// The listed games that are forming.
    forming: BTreeSet<String>,
    /// How many games are not over.
    going_on: usize,
    tokens: TokenIndex,
}

/// How a game stands in what is kept in order.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    due: Option<Timestamp>,
    forming: bool,
    going_on: bool,
}

impl Games {
    /// A game by its name, in small letters.
    pub(crate) fn get(&self, name: &str) -> Option<&Game> {
        self.by_name.get(name)
    }

    /// All games, by name.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Game> {
        self.by_name.values()
    }

    /// When something is due first, and in which game; of several the first by name.
    pub(crate) fn first_due(&self) -> Option<(Timestamp, &Game)> {
        let (at, name) = self.due.first()?;
        Some((*at, self.by_name.get(name)?))
    }

    /// The first listed game, by name, that is forming.
    pub(crate) fn first_forming(&self) -> Option<&Game> {
        self.by_name.get(self.forming.first()?)
    }

    /// How many games are not over.
    pub(crate) fn going_on(&self) -> usize {
        self.going_on
    }

    /// The game to which a token may belong, if it is anybody's: whose it is there is for the caller to find out.
    pub(crate) fn of_token(&self, secret: &Seed, token: &str) -> Option<&Game> {
        self.by_name.get(self.tokens.game(secret, token)?)
    }

    /// Takes a game out, to be changed and put back.
    pub(crate) fn take(&mut self, name: &str) -> Option<Game> {
        self.by_name.remove(name)
    }

    /// Puts a game in. It is found only by its name until it is entered.
    pub(crate) fn put(&mut self, name: &str, game: Game) {
        self.by_name.insert(name.to_owned(), game);
    }

    /// Enters what has changed of a game since it was last entered.
    pub(crate) fn enter(&mut self, name: &str, secret: Option<&Seed>) {
        let Some(game) = self.by_name.get(name) else {
            return;
        };
        let entry = Entry {
            due: clock::next(game, variants::of(&game.variant)),
            forming: game.settings.list && game.state == State::Forming,
            going_on: !game.over(),
        };
        if let Some(secret) = secret {
            self.tokens.enter(secret, game);
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
        match entry.forming {
            true => self.forming.insert(name.to_owned()),
            false => self.forming.remove(name),
        };
        self.going_on -= usize::from(old.going_on);
        self.going_on += usize::from(entry.going_on);
    }

    /// Enters every game anew: the secret that all tokens follow from has changed.
    pub(crate) fn enter_tokens_anew(&mut self, secret: &Seed) {
        self.tokens = TokenIndex::default();
        let games = self.by_name.values();
        games.for_each(|game| self.tokens.enter(secret, game));
    }
}
