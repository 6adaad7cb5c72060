//! What mails say of themselves: the texts of `mailtemplates/`, as the program has them.

macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../mailtemplates/", $name)))),+]
    };
}

/// Every default template, by the file's name in `mailtemplates/`.
pub const MAIL_TEXTS: &[(&str, &str)] = built_in![
    "forming-waiting.txt",
    "game-over.txt",
    "history.txt",
    "keeper-notice.txt",
    "list-brief.txt",
    "list-full.txt",
    "map.txt",
    "master-receipt.txt",
    "observer-calendar.txt",
    "parameters.txt",
    "player-game-start.txt",
    "player-late-notice.txt",
    "player-new-leader.txt",
    "player-notice.txt",
    "player-pending-orders.txt",
    "player-press.txt",
    "player-receipt.txt",
    "player-reminder.txt",
    "player-sight-report.txt",
    "player-turn-report.txt",
    "player-waiting.txt",
    "sight-position.txt",
    "stranger-notice.txt",
    "summary.txt",
    "user-registered.txt",
    "whogame.txt",
];
