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
        act: SetAct::Line(|_, _, _| refuse("This setting is not offered by this judge.")),
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
        rules: &["keeper-lists", "not-offered-word"],
        examples: &["ALLOW MASTER anna@example.org", "FAMINE"],
        ..Setting::NOT_OFFERED
    },
];
