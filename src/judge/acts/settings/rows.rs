//! The table of settings, joined from the rows of all families.

use super::table::{SetAct, Setting};
use super::{
    entry, listing, mail_form, own, press, press_switches, rules, switches, times, variant,
};
use crate::work::acting::refuse;
use dipjudge_commands::settings::rule_of;
use dipjudge_grammar::Line;

/// All settings, in the order of the pages.
pub(crate) fn settings() -> impl Iterator<Item = &'static Setting> {
    [
        own::SETTINGS,
        mail_form::SETTINGS,
        times::SETTINGS,
        entry::SETTINGS,
        variant::SETTINGS,
        rules::SETTINGS,
        press::SETTINGS,
        press_switches::SETTINGS,
        listing::SETTINGS,
        switches::SETTINGS,
        NOT_OFFERED,
    ]
    .into_iter()
    .flatten()
}

/// The setting that a line sets.
pub(super) fn setting(line: &Line) -> Option<&'static Setting> {
    let rule = rule_of(line);
    settings().find(|setting| setting.rules.contains(&rule))
}

const NOT_OFFERED: &[Setting] = &[
    Setting {
        rules: &["powers-wanted"],
        examples: &["POWERS 5"],
        act: SetAct::NotOffered(|_| {
            "POWERS is not offered: how many powers a game has is its variant's. SET PLAYERS says how many begin one that any number may play, and FORCE BEGIN begins with the players who are there; GET VARIANTS lists variants for fewer.".to_owned()
        }),
        ..Setting::NOT_OFFERED
    },
    Setting {
        rules: &["variant-option", "variant-option-off"],
        examples: &["PORTAGE", "NO PORTAGE"],
        act: SetAct::Line(|_, _, line| {
            let name = line.text_of("option-name").unwrap_or_default();
            refuse(format!(
                "{} is not an option of this variant.",
                name.to_uppercase()
            ))
        }),
        ..Setting::NOT_OFFERED
    },
    Setting {
        rules: &["keeper-lists"],
        examples: &["ALLOW MASTER anna@example.org"],
        act: SetAct::NotOffered(|_| {
            "Who may make games is for the keeper of this judge, on the command line (dipjudge users --deny). SET ALLOW PLAYER and SET DENY PLAYER say who may join yours.".to_owned()
        }),
        ..Setting::NOT_OFFERED
    },
    Setting {
        rules: &["not-offered-word"],
        examples: &["FAMINE"],
        act: SetAct::NotOffered(|line| {
            let words = line.text.trim().to_lowercase();
            let name = words.strip_prefix("no ").unwrap_or(&words);
            why_not(name)
        }),
        ..Setting::NOT_OFFERED
    },
];

/// Why a setting of an earlier judge is not carried over, and what there is instead.
fn why_not(word: &str) -> String {
    let name = word.to_uppercase();
    match word {
        "auto create" => {
            format!("{name} is not offered: CREATE makes a game whenever somebody wants one.")
        }
        "flag" | "flags" | "xflag" | "xflags" => {
            format!(
                "{name} is not offered: each setting is set by its name, and GET MASTER lists them."
            )
        }
        "listed" | "unlisted" => {
            format!(
                "{name} is not offered: this judge has no list of players. SET LIST shows a game in LIST."
            )
        }
        "intimate" | "shorthand" => {
            format!(
                "{name} is not offered: GET VARIANTS lists the variants and options that are played here."
            )
        }
        _ => format!(
            "{name} belongs to Machiavelli, which is not played here: GET VARIANTS lists what is."
        ),
    }
}
