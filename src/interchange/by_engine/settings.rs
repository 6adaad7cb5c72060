//! The settings of a line: the variant's own by their names, and those of every game by the names that the log has.

use serde_json::{Map, Value};

use crate::commands::set_item::SetItem;
use crate::game::{Setting, Settings, Variant};

/// All settings of a game, those that the line names changed; the error is a sentence.
pub(super) fn settings(
    variant: &dyn Variant,
    given: &Map<String, Value>,
) -> Result<Settings, String> {
    // A saved game names its coasts (DATC 6.B.1); a mail that forgets one is helped.
    let mut settings = Settings {
        strict_coasts: true,
        ..Settings::default()
    };
    for (name, value) in given {
        let key = SetItem::key(name);
        let own = variant
            .settings()
            .iter()
            .find(|setting| setting.name == key);
        if let Some(setting) = own {
            let value = own_value(setting, value)?;
            settings.own.insert(key, value);
            continue;
        }
        let field = key.replace('-', "_");
        // The variant's own stand by themselves, not in one lump.
        if field == "own" || settings.value(&field).is_none() {
            return Err(unknown(variant, name, &key));
        }
        settings = settings
            .with(&field, value)
            .map_err(|_| format!("The setting `{name}` cannot be {value}."))?;
    }
    Ok(settings)
}

/// The value as SET would store it. A JSON number is the text of its digits, `true` and `false` the words that the setting
/// has for them.
fn own_value(setting: &Setting, value: &Value) -> Result<String, String> {
    let text = match value {
        Value::String(text) => SetItem::key(text.trim()),
        Value::Number(number) => number.to_string(),
        Value::Bool(on) => {
            let words = if *on {
                ["on", "yes", "true"]
            } else {
                ["off", "no", "false"]
            };
            let word = words.into_iter().find(|word| setting.values.contains(word));
            word.unwrap_or(if *on { "on" } else { "off" }).to_owned()
        }
        _ => value.to_string(),
    };
    if setting.values.is_empty() || setting.values.contains(&text.as_str()) {
        Ok(text)
    } else {
        Err(format!(
            "The setting `{}` takes {}, not {value}.",
            setting.name,
            setting.values.join(" or ")
        ))
    }
}

fn unknown(variant: &dyn Variant, name: &str, key: &str) -> String {
    let common = serde_json::to_value(Settings::default()).unwrap_or_default();
    let own = variant.settings().iter().map(|setting| setting.name);
    let common = common.as_object().into_iter().flat_map(Map::keys);
    let nearest = own
        .map(str::to_owned)
        .chain(
            common
                .filter(|field| *field != "own")
                .map(|field| SetItem::key(field)),
        )
        .min_by_key(|known| strsim::damerau_levenshtein(known, key));
    match nearest {
        Some(nearest) => format!("No setting is called `{name}`; the nearest is `{nearest}`."),
        None => format!("No setting is called `{name}`."),
    }
}
