//! The default mail templates: the files of `mailtemplates/`, as included in the program.

macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../mailtemplates/", $name)))),+]
    };
}

/// Every default template, by the file's name in `mailtemplates/`.
pub const MAIL_TEXTS: &[(&str, &str)] = built_in![
    "forming-waiting.md",
    "game-over.md",
    "history.md",
    "keeper-notice.md",
    "list-brief.md",
    "list-full.md",
    "map.txt",
    "master-receipt.md",
    "newcomer.md",
    "observer-calendar.md",
    "parameters.md",
    "player-game-start.md",
    "player-late-notice.md",
    "player-new-leader.md",
    "player-notice.md",
    "player-orders-told.md",
    "player-pending-orders.md",
    "player-press.md",
    "player-receipt.md",
    "player-reckoning.md",
    "player-reminder.md",
    "player-sight-report.md",
    "player-trial.md",
    "player-turn-report.md",
    "player-waiting.md",
    "sight-position.md",
    "stranger-notice.md",
    "summary.md",
    "user-registered.md",
    "whogame.md",
];

/// The headings of columns of tables in HTML parts, which are not in templates.
pub mod columns {
    /// A power.
    pub const POWER: &str = "Power";
    /// A unit: its kind and its place.
    pub const UNIT: &str = "Unit";
    /// What a unit was told.
    pub const ORDER: &str = "Order";
    /// What became of an order.
    pub const RESULT: &str = "Result";
    /// Supply centers, or how many.
    pub const CENTERS: &str = "Supply centers";
    /// Units, or how many.
    pub const UNITS: &str = "Units";
    /// What is to be built or removed.
    pub const DUE: &str = "Builds or removes";
    /// Who plays, or what.
    pub const PLAYER: &str = "Player";
    /// A name of a game.
    pub const GAME: &str = "Game";
    /// A phase.
    pub const PHASE: &str = "Phase";
    /// What a game is of.
    pub const VARIANT: &str = "Variant";
    /// The same with the options.
    pub const OPTIONS: &str = "Variant/Options";
    /// The judge.
    pub const JUDGE: &str = "Judge";
    /// A deadline.
    pub const DEADLINE: &str = "Deadline";
    /// How somebody stands.
    pub const STATUS: &str = "Status";
    /// How often somebody was late.
    pub const LATE: &str = "Late";
    /// A player's dedication.
    pub const DEDICATION: &str = "Dedication";
    /// Supply centers by year.
    pub const YEAR: &str = "Year";
    /// What tells how far a game has come.
    pub const INDEX: &str = "Index";
    /// All of them.
    pub const ALL: [&str; 19] = [
        POWER, UNIT, ORDER, RESULT, CENTERS, UNITS, DUE, PLAYER, GAME, PHASE, VARIANT, OPTIONS,
        JUDGE, DEADLINE, STATUS, LATE, DEDICATION, YEAR, INDEX,
    ];
}
