//! What is data of a variant: everything that can be told of it without a game.

use super::{Game, SettingChange, VariantCommand};
use crate::map::Map;
use crate::view::Words;

/// A variant's data. A variant that differs from another in some of it takes the rest from that one's card.
#[derive(Clone, Copy)]
pub struct Card {
    /// The name players type, as in `CREATE ?ur pw bridge` and `GET rules.bridge`.
    pub name: &'static str,
    /// Other names that are read as this one.
    pub aliases: &'static [&'static str],
    /// What it is called in headings: `Standard`.
    pub title: &'static str,
    /// What the opening mail says that a game is of, where that is not the title.
    pub called: Option<&'static str>,
    /// Its rules page: `rules.md` of its folder.
    pub rules: &'static str,
    /// Whether the opening mail names the rules page: who plays it must know something that is not in the rulebook.
    pub to_be_read: bool,
    /// The lines it understands beyond the common ones: its file in `grammar/`.
    pub grammar: &'static str,
    /// The words of the sections that its reports and lists have of their own.
    pub words: &'static [&'static Words],
    /// Commands that it adds to those of every game.
    pub commands: &'static [VariantCommand],
    /// Its own settings.
    pub settings: &'static [Setting],
    /// What the settings of every game are in its games, where that is not what they usually are.
    pub usual: &'static [SettingChange],
    /// Its map, unless the game names another.
    pub map: &'static str,
    /// What it lays over the map for good, whichever map that is: lines of a map file (`src/map/README.md`).
    pub places: &'static str,
    /// How its games begin.
    pub opening: Opening,
    /// What a power wins by.
    pub winning: Winning,
    /// Whether it may be played BLIND, with the fog of `game::horizon` over its board. Only a variant that keeps nothing on
    /// the board but units and centers can say yes: its sections and tables know no fog.
    pub blind: bool,
}

impl Card {
    /// The card of a variant that changes nothing, without its name.
    pub const PLAIN: Card = Card {
        name: "",
        aliases: &[],
        title: "",
        called: None,
        rules: "",
        to_be_read: false,
        grammar: "",
        words: &[],
        commands: &[],
        settings: &[],
        usual: &[],
        map: "standard",
        places: "",
        opening: Opening::Standing,
        winning: Winning {
            number: WinningNumber::OverHalf { more: 0 },
            tally: Tally::Centers,
        },
        blind: false,
    };

    /// What the opening mail says that a game is of.
    pub fn called(&self) -> &'static str {
        self.called.unwrap_or(self.title)
    }

    /// What changes in the settings of a forming game when its variant is no longer `before`, but this one.
    pub fn settings_after(&self, before: &Card) -> impl Iterator<Item = SettingChange> {
        let old = before.usual.iter().map(SettingChange::taken_back);
        old.chain(self.usual.iter().cloned())
    }
}

/// A setting that a variant registers (README, Decided 10): read by `SET name value`, shown by LIST.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// Its value where nobody set it.
    pub default: &'static str,
    /// The values it may have; any if empty.
    pub values: &'static [&'static str],
}

impl Setting {
    /// What it is in a game.
    pub fn of<'g>(&self, game: &'g Game) -> &'g str {
        let set = game.settings.own.get(self.name);
        set.map_or(self.default, String::as_str)
    }

    /// Whether it has this value in a game.
    pub fn is(&self, game: &Game, value: &str) -> bool {
        self.of(game) == value
    }
}

/// What a power wins by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winning {
    /// How many, unless the master sets another number.
    pub number: WinningNumber,
    /// Of what.
    pub tally: Tally,
}

impl Winning {
    /// How many it takes on a map.
    pub fn number_on(&self, map: &Map) -> u32 {
        match self.number {
            WinningNumber::Fixed(number) => number,
            WinningNumber::OverHalf { more } => {
                let half = map.centers().len() / 2;
                u32::try_from(half)
                    .unwrap_or(u32::MAX)
                    .saturating_add(1 + more)
            }
        }
    }
}

/// How many a variant says that it takes to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinningNumber {
    /// The first number above half of the map's centers, and so many more.
    OverHalf {
        /// How many more.
        more: u32,
    },
    /// This, whatever the map.
    Fixed(u32),
}

/// What is counted towards victory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// Centers owned. Where two powers are level at the winning number, it rises.
    Centers,
    /// Units on the board.
    Units,
}

impl Tally {
    /// `centers`, `units`.
    pub fn noun(self) -> &'static str {
        match self {
            Tally::Centers => "centers",
            Tally::Units => "units",
        }
    }
}

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// With what `set_up` puts on the board, in Spring; its master may have it begin on an empty board.
    Standing,
    /// Always on an empty board: `game::opening`.
    Blank,
    /// With what `set_up` puts on the board, and never without.
    Own,
}
