//! Who may come in: the limits of a game, checked by `judge::admission`.

use std::collections::BTreeSet;

use serde_json::json;

use super::change::setting;
use crate::game::Level;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Refused, Said, refuse};
use crate::judge::work::authority::game_of;
use crate::mails::inbound::Address;

/// SET DEDICATION.
pub(super) fn dedication(work: &mut Work, acting: Acting, least: i64) -> Said {
    let done = format!("set the least dedication to {least}");
    setting(work, acting, "dedication", least, &done)
}

/// SET ONTIMERAT.
pub(super) fn on_time(work: &mut Work, acting: Acting, least: f64) -> Said {
    ratio(work, acting, "on_time", least, "least on-time ratio")
}

/// SET RESRAT.
pub(super) fn resigned(work: &mut Work, acting: Acting, most: f64) -> Said {
    ratio(work, acting, "resigned", most, "highest resignation ratio")
}

fn ratio(work: &mut Work, acting: Acting, field: &str, ratio: f64, what: &str) -> Said {
    if !(0.0..=1.0).contains(&ratio) {
        return refuse(format!("The {what} is a number from 0 to 1."));
    }
    let hundredths = (ratio * 100.0).round() as u32;
    let done = format!("set the {what} to {ratio}");
    setting(work, acting, field, hundredths, &done)
}

/// SET LEVEL.
pub(super) fn level(work: &mut Work, acting: Acting, level: Level) -> Said {
    let done = format!("set the level to {level}");
    setting(work, acting, "level", json!(level), &done)
}

/// SET ALLOW PLAYER.
pub(super) fn allow(work: &mut Work, acting: Acting, address: &str, remove: bool) -> Said {
    let list = listed(&game_of(work)?.settings.allow, address, remove)?;
    setting(work, acting, "allow", json!(list), "changed who may join")
}

/// SET DENY PLAYER.
pub(super) fn deny(work: &mut Work, acting: Acting, address: &str, remove: bool) -> Said {
    let list = listed(&game_of(work)?.settings.deny, address, remove)?;
    let done = "changed who may not join";
    setting(work, acting, "deny", json!(list), done)
}

/// A list with one address more or less.
fn listed(
    list: &BTreeSet<String>,
    address: &str,
    remove: bool,
) -> Result<BTreeSet<String>, Refused> {
    let Ok(address) = Address::parse(address) else {
        return refuse(format!("'{address}' is not an address."));
    };
    let mut list = list.clone();
    if remove {
        list.remove(&address.key());
    } else {
        list.insert(address.key());
    }
    Ok(list)
}
