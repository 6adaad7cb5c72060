//! The settings of a line: the variant's own by their names, and the common ones by their names in logs.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use dipjudge_commands::settings::SetItem;
use dipjudge_game::{BuildSites, DataError, Setting, SettingChange, Settings, Variant, unreadable};
use dipjudge_variants as variants;

/// All settings of a game, with the changes of the line; the error is a sentence.
pub(super) fn settings(
    variant: &dyn Variant,
    given: &Map<String, Value>,
) -> Result<Settings, DataError> {
    // A saved game names its coasts (DATC 6.B.1), so a missing one is not guessed as it is in a mail.
    let mut settings = Settings {
        strict_coasts: true,
        ..Settings::default()
    };
    for change in variant.card().settings_at_first() {
        settings.apply(&change);
    }
    for (name, value) in given {
        let key = SetItem::key(name);
        let own = variant
            .card()
            .settings
            .iter()
            .find(|setting| setting.name == key);
        if let Some(setting) = own {
            let value = own_value(setting, value)?;
            settings.own.insert(key, value);
            continue;
        }
        let field = key.replace('-', "_");
        if !common().any(|known| known == field) {
            return Err(unknown(variant, name, &key));
        }
        let change = serde_json::from_value(json!({"name": field, "value": value}))
            .map_err(|_| format!("The setting `{name}` cannot be {value}."))?;
        settings.apply(&change);
    }
    Ok(settings)
}

/// The settings that change only what follows a movement phase.
#[derive(Clone, Copy)]
pub(crate) struct SettingsOfCenters {
    /// The number of centers that wins, if it is not the variant's own.
    pub(crate) enough: Option<u32>,
    /// Where builds are allowed.
    pub(crate) sites: BuildSites,
}

/// These settings of a game without a variant of its own, if no others are changed.
pub(crate) fn settings_of_centers(object: &[u8]) -> Option<SettingsOfCenters> {
    let given = serde_json::from_slice(object).ok()?;
    let own = settings(variants::UNNAMED, &given).ok()?;
    let usual = settings(variants::UNNAMED, &Map::new()).ok()?;
    let told = SettingsOfCenters {
        enough: own.centers,
        sites: own.build_sites,
    };
    let same = Settings {
        centers: usual.centers,
        build_sites: usual.build_sites,
        ..own
    } == usual;
    same.then_some(told)
}

/// The value as SET would store it. A JSON number becomes its digits; `true` and `false` become the setting's words for them.
fn own_value(setting: &Setting, value: &Value) -> Result<String, DataError> {
    let text = match value {
        Value::String(text) => SetItem::key(text.trim()),
        Value::Number(number) => number.to_string(),
        Value::Bool(on) => {
            let words = if *on {
                ["on", "yes", "true"]
            } else {
                ["off", "no", "false"]
            };
            let word = words
                .into_iter()
                .find(|word| setting.words().contains(word));
            word.unwrap_or(if *on { "on" } else { "off" }).to_owned()
        }
        _ => value.to_string(),
    };
    if setting.can_be(&text) {
        Ok(text)
    } else {
        unreadable(format!(
            "The setting `{}` takes {}, not {value}.",
            setting.name,
            setting.words().join(" or ")
        ))
    }
}

/// The common settings. The variant's own are separate keys, not one value; a position has no later values.
fn common() -> impl Iterator<Item = &'static str> {
    let names = SettingChange::NAMES.iter().copied();
    names.filter(|name| !["own", "own_to_come"].contains(name))
}

fn unknown(variant: &dyn Variant, name: &str, key: &str) -> DataError {
    let own = variant.card().settings.iter().map(|setting| setting.name);
    let common: BTreeSet<&str> = common().collect();
    let nearest = own
        .map(str::to_owned)
        .chain(common.into_iter().map(SetItem::key))
        .min_by_key(|known| strsim::damerau_levenshtein(known, key));
    match nearest {
        Some(nearest) => {
            format!("No setting is called `{name}`; the nearest is `{nearest}`.").into()
        }
        None => format!("No setting is called `{name}`.").into(),
    }
}
