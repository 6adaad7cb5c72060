//! What is played: variant and options, map, number of players, and the variant's own settings. All of it before the
//! start alone.

use serde_json::json;

use super::change::{before_start, moderator_where_hidden, ruler, setting, told};
use crate::commands::set_item::SetItem;
use crate::game::{Event, Role, SightFrom};
use crate::judge::clock::starting;
use crate::judge::people::wishes::{may_be_blind, offer};
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Refused, Said, refuse};
use crate::judge::work::authority::game_of;
use crate::map::Map;
use crate::variants;

/// SET VARIANT name, SET VARIANT GUNBOAT, SET NOT VARIANT option.
pub(super) fn set(work: &mut Work, acting: Acting, words: &str, on: bool) -> Said {
    ruler(work, acting, "SET VARIANT")?;
    let word = words.trim().to_lowercase();
    let game = game_of(work)?;
    if word == "gunboat" && !on && game.begun() && !game.over() && game.settings.gunboat {
        return lift_gunboat(work, acting);
    }
    before_start(work)?;
    let game = game_of(work)?;
    match word.as_str() {
        "gunboat" => return option(work, acting, "gunboat", "Gunboat", on),
        "blind" => {
            if on {
                may_be_blind(variants::of(&game.variant))?;
            }
            return option(work, acting, "blind", "Blind", on);
        }
        _ => {}
    }
    let Some(variant) = variants::named(&word).filter(|_| on) else {
        return refuse(format!("'{word}' is no variant or option.  {}", offer()));
    };
    if game.settings.blind {
        may_be_blind(variant)?;
    }
    let other = game.variant != variant.name();
    work.emit(Event::Variant {
        variant: variant.name().to_owned(),
        map: variant.map().to_owned(),
        places: variant.places().to_owned(),
    });
    // What was set for one variant means something else in another, or nothing.
    let reset = other && reset(work)?;
    let done = format!("set the variant to {}", variant.title());
    let mut said = told(work, acting, &done)?;
    if reset {
        said.push(
            "Its own settings and the number that wins are as the variant has them.".to_owned(),
        );
    }
    Ok(said)
}

/// Takes back what only one variant knows: its own settings, and what wins. Whether anything had been set.
fn reset(work: &mut Work) -> Result<bool, Refused> {
    let settings = &game_of(work)?.settings;
    let set = !settings.own.is_empty() || settings.centers.is_some();
    if set {
        for (name, value) in [("own", json!({})), ("centers", json!(null))] {
            work.emit(Event::Set {
                name: name.to_owned(),
                value,
            });
        }
    }
    Ok(set)
}

fn option(work: &mut Work, acting: Acting, field: &str, name: &str, on: bool) -> Said {
    let word = if on { "set" } else { "cleared" };
    let done = format!("{word} the {name} option");
    setting(work, acting, field, on, &done)
}

/// Leaders are named from now on, by the master of a moderated game. Letters written before keep their reply addresses.
fn lift_gunboat(work: &mut Work, acting: Acting) -> Said {
    moderator_where_hidden(work, acting, "SET NOT VARIANT GUNBOAT")?;
    work.emit(Event::Set {
        name: "was_gunboat".to_owned(),
        value: json!(true),
    });
    option(work, acting, "gunboat", "Gunboat", false)
}

/// SET MAP.
pub(super) fn map(work: &mut Work, acting: Acting, name: &str) -> Said {
    before_start(work)?;
    let Some(map) = Map::named(name) else {
        return refuse(format!("This judge has no map '{name}'.  Maps: standard."));
    };
    ruler(work, acting, "SET MAP")?;
    let game = game_of(work)?;
    let (variant, places) = (game.variant.clone(), game.places.clone());
    let map = map.name().to_owned();
    let done = format!("set the map to {map}");
    work.emit(Event::Variant {
        variant,
        map,
        places,
    });
    told(work, acting, &done)
}

/// SET SIGHT: what gives sight in a blind game; units and owned centers where nothing is named.
pub(super) fn sight(work: &mut Work, acting: Acting, named: SightFrom) -> Said {
    ruler(work, acting, "SET SIGHT")?;
    before_start(work)?;
    if !game_of(work)?.settings.blind {
        return refuse("SIGHT is for blind games; SET VARIANT BLIND makes this one blind.");
    }
    let nothing = SightFrom {
        units: false,
        centers: false,
        homes: false,
    };
    let from = match named == nothing {
        true => SightFrom::default(),
        false => named,
    };
    let done = format!("gave sight to {from}");
    setting(work, acting, "sight", json!(from), &done)
}

/// SET PLAYERS: the number that begins the game, where the variant leaves it open.
pub(super) fn players(work: &mut Work, acting: Acting, n: i64) -> Said {
    before_start(work)?;
    let game = game_of(work)?;
    let variant = variants::of(&game.variant);
    let (least, most) = variant.players(game.map()).into_inner();
    let seated = game.seated(Role::Player).count();
    let wanted = usize::try_from(n).unwrap_or(0);
    if least == most {
        return refuse(format!("This variant is always for {least} players."));
    }
    if !(least..=most).contains(&wanted) {
        return refuse(format!("This variant is for {least} to {most} players."));
    }
    if wanted < seated {
        return refuse(format!("There are {seated} players already."));
    }
    let done = format!("set the game to begin with {n} players");
    let said = setting(work, acting, "players", n, &done)?;
    work.send_notices();
    starting::begin_if_full(work);
    Ok(said)
}

/// A setting of the variant, or none at all: `wanted` is what would have fitted a setting of the judge of this name.
pub(super) fn own(
    work: &mut Work,
    acting: Acting,
    name: &str,
    value: &str,
    wanted: &[String],
) -> Said {
    let game = game_of(work)?;
    let key = SetItem::key(name);
    let known = variants::of(&game.variant).settings();
    let Some(own) = known.iter().find(|own| own.name == key) else {
        let hint = match wanted {
            [] => String::new(),
            wanted => format!("  {} takes {}.", name.to_uppercase(), wanted.join(" or ")),
        };
        return refuse(format!(
            "Invalid command: there is no such setting.{hint}  The rest of the line was not read."
        ));
    };
    before_start(work)?;
    let value = SetItem::key(value.trim());
    if !own.values.is_empty() && !own.values.contains(&value.as_str()) {
        return refuse(format!(
            "{} takes {}.",
            name.to_uppercase(),
            own.values.join(" or ")
        ));
    }
    let done = format!("set {key} to {value}");
    let mut all = game.settings.own.clone();
    all.insert(key, value);
    setting(work, acting, "own", json!(all), &done)
}
