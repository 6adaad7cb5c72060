//! The settings of a line: the variant's own by their names, and the common ones by their names in logs.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use dipjudge_commands::settings::SetItem;
use dipjudge_game::{BuildSites, DataError, Setting, SettingChange, Settings, Variant, unreadable};

/// All settings of a game, with the changes of the line; the error is a sentence. Most lines of a run have the same ones, so each
/// thread keeps those of its last line.
pub(super) fn settings_of_line(
    variant: &dyn Variant,
    given: &Map<String, Value>,
) -> Result<Settings, DataError> {
    struct KeptSettings {
        variant: &'static str,
        given: Map<String, Value>,
        settings: Settings,
    }
    thread_local! {
        static KEPT: RefCell<Option<KeptSettings>> = const { RefCell::new(None) };
    }
    let name = variant.card().name;
    KEPT.with_borrow_mut(|kept| match kept {
        Some(kept) if kept.variant == name && kept.given == *given => Ok(kept.settings.clone()),
        _ => {
            let settings = settings(variant, given)?;
            *kept = Some(KeptSettings {
                variant: name,
                given: given.clone(),
                settings: settings.clone(),
            });
            Ok(settings)
        }
    })
}

/// All settings of a game, with these changes; the error is a sentence.
fn settings(variant: &dyn Variant, given: &Map<String, Value>) -> Result<Settings, DataError> {
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
        let field = field_of(name);
        if !common().any(|known| known == field) {
            return Err(unknown(variant, name, &key));
        }
        let change = serde_json::from_value(json!({"name": field, "value": value}))
            .map_err(|_| format!("The setting `{name}` cannot be {value}."))?;
        settings.apply(&change);
    }
    Ok(settings)
}

/// The settings that change only what follows the moves of a phase, and which orders are refused before them.
#[derive(Clone, Copy)]
pub(crate) struct SettingsAfterMoves {
    /// The number of centers that wins, if it is not the variant's own.
    pub(crate) enough: Option<u32>,
    /// Where builds are allowed.
    pub(crate) sites: BuildSites,
    /// Dislodged units are destroyed.
    pub(crate) auto_disband: bool,
    /// Every power with units is asked in Winter.
    pub(crate) any_disband: bool,
    /// Each power sees only a part of the board, so orders are refused for what the map says alone. What is legal on the whole board is
    /// legal then too, except for armies that could go by land and ask for a convoy where the map has none.
    pub(crate) blind: bool,
}

/// Settings that change nothing in a movement phase whose orders are those of the package: what they are about is people, times,
/// press, reports and orders that lend units.
pub(crate) const WITHOUT_EFFECT_ON_MOVES: &[&str] = &[
    "moves",
    "retreats",
    "adjusts",
    "timezone",
    "nmr",
    "list",
    "moderated",
    "max_absence",
    "latelist",
    "dias",
    "concessions",
    "dedication",
    "on_time",
    "resigned",
    "level",
    "allow",
    "deny",
    "reveal",
    "resume_any",
    "assignment",
    "was_gunboat",
    "addresses",
    "white",
    "grey",
    "grey_first",
    "partial",
    "fakes",
    "observer_press",
    "watch_all_press",
    "late_press",
    "minor_press",
    "grace_press",
    "must_order",
    "sign_up",
    "proxy",
    "comment",
    "information",
    "numbers",
    "gunboat",
    "early",
    "strict_wait",
    "strict_grace",
    "manual_process",
    "manual_start",
    "approval",
    "late_count",
    "quiet",
    "rated",
    "irregular",
    "blind_master",
    "position",
    "show",
    "secret",
    "reveal_press",
    "touch_press",
    "postal_press",
    "blank_press",
];

/// These settings of a game by the rules of a variant, if none but them have an effect on a movement phase.
pub(crate) fn settings_after_moves(
    variant: &dyn Variant,
    object: &[u8],
) -> Option<SettingsAfterMoves> {
    let mut given: Map<String, Value> = serde_json::from_slice(object).ok()?;
    // One that has no effect must be a setting as well.
    settings(variant, &given).ok()?;
    let has_effect = |name: &str| !WITHOUT_EFFECT_ON_MOVES.contains(&&*field_of(name));
    given.retain(|name, _| has_effect(name));
    let own = settings(variant, &given).ok()?;
    let usual = settings(variant, &Map::new()).ok()?;
    let told = SettingsAfterMoves {
        enough: own.centers,
        sites: own.build_sites,
        auto_disband: own.auto_disband,
        any_disband: own.any_disband,
        blind: own.blind,
    };
    let same = Settings {
        centers: usual.centers,
        build_sites: usual.build_sites,
        auto_disband: usual.auto_disband,
        any_disband: usual.any_disband,
        blind: usual.blind,
        ..own
    } == usual;
    same.then_some(told)
}

/// The field of the common settings that a name in a line is for.
fn field_of(name: &str) -> String {
    SetItem::key(name).replace('-', "_")
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
