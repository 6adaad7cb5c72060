//! Switches for press: who may be written to, what is kept, and what comes with results.

use super::change::moderator_where_hidden;
use super::switch::Switch;
use super::table::{SetAct, Setting};
use crate::work::acting::refuse;
use dipjudge_game::SettingChange;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["reveal-press"],
        examples: &["REVEAL PRESS"],
        act: SetAct::Switch(Switch {
            name: "RevealPress",
            change: SettingChange::RevealPress,
            check: |work, acting, on| {
                if on && work.secrecy().existence {
                    return refuse(
                        "In this game letters belong to those who wrote and got them, and are never shown to others.",
                    );
                }
                moderator_where_hidden(work, acting, "REVEAL PRESS")
            },
            ..Switch::PLAIN
        }),
        help: "SET REVEALPRESS
    Letters to some that are written from now on are kept, and everybody can
    read them in HISTORY once the game is over, as their readers got them.",
        ..Setting::GAME
    },
    Setting {
        rules: &["touch-press"],
        examples: &["TOUCH PRESS"],
        act: SetAct::Switch(Switch {
            name: "TouchPress",
            change: SettingChange::TouchPress,
            // Whether a letter is refused would show where units stand that its writer does not see.
            check: |work, _, on| {
                if on && work.secrecy().board {
                    refuse("TOUCH PRESS is for games in which everybody sees the whole board.")
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET TOUCH PRESS
    Letters to some go to neighbors only: powers whose units or centers are
    next to one's own. Everybody broadcasts once a turn at most.",
        ..Setting::GAME
    },
    Setting {
        rules: &["postal-press"],
        examples: &["POSTAL PRESS"],
        act: SetAct::Switch(Switch {
            name: "PostalPress",
            change: SettingChange::PostalPress,
            check: |work, _, on| {
                if on && work.secrecy().existence {
                    refuse(
                        "This game has no postal press, since players write to their contacts only.",
                    )
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET POSTAL PRESS
    Players may write POSTAL PRESS: it comes to all with the next results.",
        ..Setting::GAME
    },
    Setting {
        rules: &["blank-press"],
        examples: &["BLANK PRESS"],
        act: SetAct::Switch(Switch {
            name: "BlankPress",
            change: SettingChange::BlankPress,
            ..Switch::PLAIN
        }),
        help: "SET BLANK PRESS
    Press may be without text; without this setting it is not sent then.",
        ..Setting::GAME
    },
];
