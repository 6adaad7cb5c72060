//! The data of a variant: everything that is known without a game.

use super::{
    Event, Fakes, ObserverPress, Phase, Refusal, Seed, SettingChange, Settings, VariantCommand,
    refuse,
};
use dipjudge_rules::calendar::{PhaseKind, PhaseName, PhaseNameError, Season, Turn};
use dipjudge_rules::map::{Map, Power};
use dipjudge_view::Words;

/// A variant's data. A variant that differs from another in a few fields takes the rest from the other's card.
#[derive(Clone, Copy)]
pub struct Card {
    /// The name players type, as in `CREATE ?ur pw bridge` and `GET rules.bridge`.
    pub name: &'static str,
    /// Other names that are read as this one.
    pub aliases: &'static [&'static str],
    /// What it is called in headings: `Standard`.
    pub title: &'static str,
    /// What the opening mail says the game is played by, where that is not the title.
    pub called: Option<&'static str>,
    /// Its rules page: `rules.md` of its folder.
    pub rules: &'static str,
    /// The turn of a sample game that its rules page tells: the position and the orders as a line of `adjudicate`, and in `as` the
    /// power whose sight of it is told. The manual shows its picture.
    pub worked_turn: &'static str,
    /// Whether the opening mail names the rules page: its players must know something that is not in the rulebook.
    pub to_be_read: bool,
    /// The lines it understands beyond the common ones: its file in `grammar/`.
    pub grammar: &'static str,
    /// What the conditions of its lines may say, shown to a player whose condition cannot be read: `BORG IN Mun, EMPTY Bur`.
    /// Empty where its lines have no conditions.
    pub facts: &'static str,
    /// Lines of its grammar that continue over several lines of a mail.
    pub long_lines: &'static [LongLine],
    /// The words of the sections that its reports and lists have of their own.
    pub words: &'static [&'static Words],
    /// What its masters can OVERRULE beyond the board, as HELP prints it: its forms at the margin, what they do indented by
    /// four.
    pub overrules: &'static str,
    /// Commands that it adds to those of every game.
    pub commands: &'static [VariantCommand],
    /// Its own settings.
    pub settings: &'static [Setting],
    /// Values of the common settings in its games, where they differ from the usual defaults.
    pub usual: &'static [SettingChange],
    /// Values of the common settings that nobody can change in its games.
    pub fixed: &'static [SettingChange],
    /// Its map, unless the game names another.
    pub map: &'static str,
    /// What it lays over every map: lines of a map file (`src/rules/map/README.md`).
    pub places: &'static str,
    /// What it calls units that no power leads.
    pub nobody: Nobody,
    /// How its places are drawn over the drawing of a map: lines of a drawing (`src/rules/map/README.md`). A place that is not
    /// drawn has a panel below the picture.
    pub drawing: &'static str,
    /// How its games begin.
    pub opening: Opening,
    /// The names of its own phases that ask somebody, one entry each even if a phase occurs several times a year.
    pub phases: &'static [OwnPhase],
    /// The turn of a movement phase by what its players call it, where that is not season and year: `3750BC`.
    pub turn_called: fn(&str) -> Option<Turn>,
    /// A phase as its players may write it, in two ways, for hints.
    pub phase_examples: [&'static str; 2],
    /// What a power wins by.
    pub winning: Winning,
    /// Whether it may be played BLIND, with the fog of `game/horizon.rs` over its board. Only a variant that keeps nothing on
    /// the board but units and centers can allow it: its sections and tables do not apply the fog.
    pub blind: bool,
    /// Whether its movement phases on the board of the standard game are those of that game from 1901 on: with the same orders,
    /// results, centers and next phases. What a saved game tells of such a phase has nothing of the variant's own.
    pub standard_movement: bool,
}

/// What units that no power leads are called, in place of a power's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nobody {
    /// As players read it, before a unit too.
    pub name: &'static str,
    /// As data have it.
    pub key: &'static str,
}

impl Nobody {
    /// The key in data that every variant reads.
    pub const KEY: &'static str = "NEUTRAL";
}

impl Card {
    /// The card of a variant that changes nothing, without its name.
    pub const PLAIN: Card = Card {
        name: "",
        aliases: &[],
        title: "",
        called: None,
        rules: "",
        worked_turn: "",
        to_be_read: false,
        grammar: "",
        facts: "",
        long_lines: &[],
        words: &[],
        overrules: "",
        commands: &[],
        settings: &[],
        usual: &[],
        fixed: &[],
        map: Map::DEFAULT,
        places: "",
        nobody: Nobody {
            name: "Neutral",
            key: Nobody::KEY,
        },
        drawing: "",
        opening: Opening::Standing,
        phases: &[],
        turn_called: |_| None,
        phase_examples: ["F1902M", "Fall 1902 movement"],
        winning: Winning {
            number: WinningNumber::OverHalf { more: 0 },
            tally: Tally::Centers,
        },
        blind: false,
        standard_movement: false,
    };

    /// What the opening mail says the game is played by.
    pub fn called(&self) -> &'static str {
        self.called.unwrap_or(self.title)
    }

    /// The name of a phase of a turn. A step of the variant's own that asks nobody is part of the adjustments, as ownership is.
    pub fn phase_name(&self, phase: &Phase, turn: Turn) -> PhaseName {
        let own = self.phases.iter().find(|own| own.is(phase));
        let kind = own.and_then(|own| PhaseKind::of_letter(own.letter));
        let kind = kind.or_else(|| phase.phase_kind());
        PhaseName::new(
            self.turn_told(phase, turn),
            kind.unwrap_or(PhaseKind::Adjustments),
        )
    }

    /// The turn that mails name for a phase of a turn.
    pub fn turn_told(&self, phase: &Phase, turn: Turn) -> Turn {
        let own = self.phases.iter().find(|own| own.is(phase));
        let season = own.and_then(|own| own.season).unwrap_or(turn.season);
        Turn { season, ..turn }
    }

    /// Whether a phase has a name of its own, which every phase has that may ask somebody.
    pub fn is_called(&self, phase: &Phase) -> bool {
        match phase {
            Phase::Movement | Phase::Retreats | Phase::Adjustments => true,
            Phase::Ownership => false,
            Phase::Own(_) => self.phases.iter().any(|own| own.is(phase)),
        }
    }

    /// Whether `name` is the name of a phase in a turn.
    pub fn names(&self, phase: &Phase, turn: Turn, name: PhaseName) -> bool {
        self.is_called(phase) && self.phase_name(phase, turn) == name
    }

    /// The event that makes a game of this variant on its usual map.
    pub fn created(&self, name: &str, seed: Seed) -> Event {
        Event::Created {
            name: name.to_owned(),
            variant: self.name.to_owned(),
            map: self.map.to_owned(),
            places: self.places.to_owned(),
            seed,
        }
    }

    /// The phase that words name, its own phases by their names too: `Winter 1901 Life`.
    ///
    /// # Errors
    /// If they name none.
    pub fn phase_named(&self, words: &str) -> Result<PhaseName, PhaseNameError> {
        let words = words.trim().to_lowercase();
        let of_own = self.phases.iter().find_map(|own| {
            let before = words.strip_suffix(&own.name.to_lowercase())?;
            format!("{before}{}", own.letter).parse().ok()
        });
        let own = of_own.or_else(|| self.dated(&words));
        own.map_or_else(|| words.parse(), Ok)
    }

    /// `3250BC`, `retreats of 3250BC`, `Winter before 3000BC`.
    fn dated(&self, words: &str) -> Option<PhaseName> {
        let (mut kind, mut winter, mut date) = (PhaseKind::Movement, false, Vec::new());
        for word in words.split_whitespace() {
            match word {
                "retreat" | "retreats" => kind = PhaseKind::Retreats,
                "winter" => winter = true,
                "of" | "before" | "the" | "movement" | "moves" | "(spring)" | "(fall)" => {}
                _ => date.push(word),
            }
        }
        let turn = (self.turn_called)(&date.join(" "))?;
        if !winter {
            return Some(PhaseName::new(turn, kind));
        }
        let before = Turn {
            year: turn.year.checked_sub(1)?,
            season: Season::Winter,
        };
        (turn.season == Season::Spring).then(|| PhaseName::new(before, PhaseKind::Adjustments))
    }

    /// Changes that give a new game the values of the common settings where the variant's defaults differ.
    pub fn settings_at_first(&self) -> impl Iterator<Item = SettingChange> {
        self.usual.iter().chain(self.fixed).cloned()
    }

    /// Whether a setting has the same value in all its games.
    pub fn fixes(&self, change: &SettingChange) -> bool {
        let fixed = self.fixed.iter();
        fixed
            .map(std::mem::discriminant)
            .any(|one| one == std::mem::discriminant(change))
    }

    /// The changes of settings when the variant of a forming game changes from `before` to this one.
    pub fn settings_after(&self, before: &Card) -> impl Iterator<Item = SettingChange> {
        let old = before.settings_at_first();
        let old = old.map(|change| change.taken_back());
        old.chain(self.settings_at_first())
    }
}

/// Press settings for a game in which every power writes to its contacts alone (CivDip 11): white press with a true sender, in
/// every phase, and none for observers. For the card of a variant that hides who exists.
pub const PRESS_AMONG_CONTACTS: &[SettingChange] = &[
    SettingChange::White(true),
    SettingChange::Grey(false),
    SettingChange::GreyFirst(false),
    SettingChange::Partial(true),
    SettingChange::Fakes(Fakes::No),
    SettingChange::ObserverPress(ObserverPress::None),
    SettingChange::WatchAllPress(false),
    SettingChange::LatePress(true),
    SettingChange::MinorPress(true),
    SettingChange::GracePress(true),
    SettingChange::MustOrder(false),
];

/// A rule of a variant's grammar whose line continues over the lines of a mail behind it, up to the first that is read by
/// another rule or that begins as a field of a form does (`Answer:...`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongLine {
    /// The rule that reads it.
    pub rule: &'static str,
    /// The power that writes such lines. From any other power it is a single line, and refused.
    pub by: Power,
    /// The rule of the line that must follow it; that line is read on its own again.
    pub until: &'static str,
    /// Rules of other lines that end it, though they need not follow it.
    pub broken_by: &'static [&'static str],
    /// A sentence for a sender whose next line is missing.
    pub missing: &'static str,
}

/// The name of a variant's own phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPhase {
    /// Its name in the order of play, also used in mails: `Life`.
    pub name: &'static str,
    /// The season that mails name for it, where that is not the turn's.
    pub season: Option<Season>,
    /// Its capital letter, as in `U1901L`: `A` where it is called an adjustment, otherwise a letter that no other phase has.
    pub letter: char,
}

impl OwnPhase {
    fn is(&self, phase: &Phase) -> bool {
        matches!(phase, Phase::Own(name) if name == self.name)
    }
}

/// A setting that a variant registers (README, Decided 10): read by `SET name value`, shown by LIST.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// Its default value.
    pub default: &'static str,
    /// Its other values.
    pub takes: Takes,
    /// Whether masters may change it once the game has begun, at once or from a named phase on.
    pub later: bool,
}

/// The values that a setting may have.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// One of these words.
    Words(&'static [&'static str]),
    /// Any value that its rule accepts.
    Checked {
        /// The value as it is stored, unless it is refused.
        check: fn(&SettingAsked<'_>) -> Result<String, Refusal>,
        /// What everybody may know of a value, both when it is set and in LIST; `None` if only masters may know that it was set.
        told: fn(&Map, &str) -> Option<String>,
    },
}

/// A value that somebody wants to give to a setting of the variant's own.
#[derive(Clone, Copy, Debug)]
pub struct SettingAsked<'a> {
    /// The value in the form in which it would be stored: in small letters, with hyphens between its words.
    pub value: &'a str,
    /// The map of the game.
    pub map: &'static Map,
    /// Whether the one who asks is a master, who does not play.
    pub by_master: bool,
}

impl Setting {
    /// A setting that takes these words. The first one is the default.
    pub const fn one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
        Setting {
            name,
            default: words[0],
            takes: Takes::Words(words),
            later: false,
        }
    }

    /// The same, which masters may change once the game has begun.
    pub const fn at_any_time(self) -> Setting {
        Setting {
            later: true,
            ..self
        }
    }

    /// The words that it takes; empty where a rule of its own decides.
    pub fn words(&self) -> &'static [&'static str] {
        match self.takes {
            Takes::Words(words) => words,
            Takes::Checked { .. } => &[],
        }
    }

    /// Whether a log may hold this value. A value that the rule accepted once stays valid.
    pub fn can_be(&self, value: &str) -> bool {
        match self.takes {
            Takes::Words(words) => words.contains(&value),
            Takes::Checked { .. } => true,
        }
    }

    /// The value to store for what somebody wants.
    ///
    /// # Errors
    /// If the setting does not take it.
    pub fn check(&self, asked: &SettingAsked<'_>) -> Result<String, Refusal> {
        match self.takes {
            Takes::Words(words) if words.contains(&asked.value) => Ok(asked.value.to_owned()),
            Takes::Words(words) => {
                let name = self.name.to_uppercase();
                refuse(format!("{name} takes {}.", words.join(" or ")))
            }
            Takes::Checked { check, .. } => check(asked),
        }
    }

    /// What everybody may know of a value.
    pub fn told(&self, map: &Map, value: &str) -> Option<String> {
        match self.takes {
            Takes::Words(_) => Some(value.to_owned()),
            Takes::Checked { told, .. } => told(map, value),
        }
    }

    /// Its value in a game.
    pub fn of<'g>(&self, game: &'g impl AsRef<Settings>) -> &'g str {
        self.among(game.as_ref())
    }

    /// Its value among a game's settings.
    pub fn among<'s>(&self, settings: &'s Settings) -> &'s str {
        let set = settings.own.get(self.name);
        set.map_or(self.default, String::as_str)
    }

    /// Whether it has this value in a game.
    pub fn is(&self, game: &impl AsRef<Settings>, value: &str) -> bool {
        self.of(game) == value
    }
}

/// What a power wins by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winning {
    /// How many are needed, unless the master sets another number.
    pub number: WinningNumber,
    /// What is counted.
    pub tally: Tally,
}

impl Winning {
    /// How many are needed on a map.
    pub fn number_on(&self, map: &Map) -> u32 {
        match self.number {
            WinningNumber::Fixed(number) => number,
            WinningNumber::OverHalf { more } => {
                let half = map.full_center_count() / 2;
                u32::try_from(half)
                    .unwrap_or(u32::MAX)
                    .saturating_add(1 + more)
            }
        }
    }
}

/// How many a variant requires for victory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinningNumber {
    /// The first number above half of the centers that the map was drawn with, plus `more`.
    OverHalf {
        /// How many above that number.
        more: u32,
    },
    /// This number on every map.
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
    /// With the position of `set_up`, in Spring; its master may choose an empty board instead.
    Standing,
    /// Always on an empty board: `game::opening`.
    Blank,
    /// Always with the position of `set_up`.
    Own,
    /// As `Own`, but in the Winter before, which the variant's order of play defines.
    Winter,
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Plain, created};
    use super::super::{
        Adjudication, Course, Described, Game, Hidden, Submissions, Views, phases_named,
    };
    use super::*;

    /// A variant whose Spring ends with builds, and whose Fall with a phase of its own.
    struct Asking;

    const ASKING: Card = Card {
        phases: &[
            OwnPhase {
                name: "Summer",
                season: Some(Season::Summer),
                letter: 'A',
            },
            OwnPhase {
                name: "Questions",
                season: None,
                letter: 'Q',
            },
        ],
        ..Card::PLAIN
    };

    impl Described for Asking {
        fn card(&self) -> &'static Card {
            &ASKING
        }
    }

    impl Course for Asking {
        fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
            let mut phases = Phase::standard(turn).to_vec();
            match turn.season {
                Season::Spring => phases.push(own("Summer")),
                Season::Fall => phases.extend(["Reckoning", "Questions"].map(own)),
                Season::Summer | Season::Winter => {}
            }
            phases
        }
    }

    impl Submissions for Asking {}

    impl Adjudication for Asking {}

    impl Views for Asking {
        fn hides(&self, _: &Game) -> &'static [Hidden] {
            &[]
        }
    }

    fn own(name: &str) -> Phase {
        Phase::Own(name.to_owned())
    }

    fn turn(season: Season) -> Turn {
        Turn { year: 1901, season }
    }

    #[test]
    fn what_a_card_fixes_is_so_at_first_and_taken_back_with_the_variant() {
        let card = Card {
            usual: &[SettingChange::Gunboat(true)],
            fixed: &[SettingChange::ObserverPress(ObserverPress::None)],
            ..Card::PLAIN
        };
        let press = SettingChange::ObserverPress(ObserverPress::White);
        assert!(card.fixes(&press) && !card.fixes(&SettingChange::Gunboat(false)));
        let at_first: Vec<SettingChange> = card.settings_after(&Card::PLAIN).collect();
        let both = [
            SettingChange::Gunboat(true),
            SettingChange::ObserverPress(ObserverPress::None),
        ];
        assert_eq!(at_first, both);
        let back: Vec<SettingChange> = Card::PLAIN.settings_after(&card).collect();
        let both = [
            SettingChange::Gunboat(false),
            SettingChange::ObserverPress(ObserverPress::Any),
        ];
        assert_eq!(back, both);
    }

    #[test]
    fn every_phase_that_asks_is_found_again_by_each_of_its_names() {
        for (of, phase, token, mail, words) in [
            (
                Season::Spring,
                Phase::Movement,
                "S1901M",
                "S1901M",
                "Spring 1901",
            ),
            (
                Season::Spring,
                own("Summer"),
                "S1901A",
                "S1901B",
                "Summer 1901",
            ),
            (
                Season::Fall,
                own("Questions"),
                "F1901Q",
                "F1901Q",
                "fall 1901 QUESTIONS",
            ),
            (
                Season::Winter,
                Phase::Adjustments,
                "W1901A",
                "F1901B",
                "Winter 1901",
            ),
        ] {
            let named = ASKING.phase_name(&phase, turn(of));
            assert_eq!(
                (named.to_string(), named.in_mail()),
                (token.to_owned(), mail.to_owned())
            );
            for name in [token, mail, words] {
                assert_eq!(ASKING.phase_named(name), Ok(named), "{name}");
            }
            assert_eq!(
                phases_named(&Asking, named),
                [(turn(of), phase.clone())],
                "{token}"
            );
            let mut game = game();
            (game.turn, game.phase) = (turn(of), phase);
            assert_eq!(game.token(&Asking), mail);
        }
        assert!(Card::PLAIN.phase_named("Fall 1901 Questions").is_err());
        let other: PhaseName = "S1901Q".parse().unwrap();
        assert!(phases_named(&Asking, other).is_empty());
        assert!(phases_named(&Plain, "F1901Q".parse().unwrap()).is_empty());
    }

    fn game() -> Game {
        created("names")
    }
}
