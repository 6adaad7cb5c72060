//! Who may join: the limits of a game, which `people::admission` checks.

use super::approval;
use super::table::{SetAct, Setting};
use crate::acts::table::{Page, Proof, Who};
use dipjudge_grammar::Line;
use std::collections::BTreeSet;

use super::change::setting;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use dipjudge_game::{Level, SettingChange};
use dipjudge_mails::inbound::Address;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["dedication", "on-time", "resignations", "level"],
        examples: &[
            "DEDICATION 0",
            "ONTIMERAT 0.8",
            "RESRAT 0.1",
            "LEVEL Novice",
        ],
        act: SetAct::Line(|work, acting, line| match line.rule.as_str() {
            "dedication" => dedication(work, acting, line.number().unwrap_or_default()),
            "on-time" => on_time(work, acting, decimal(line)),
            "resignations" => resigned(work, acting, decimal(line)),
            _ => match line.text_of("level-name").and_then(Level::named) {
                Some(named) => level(work, acting, named),
                None => refuse("There is no such level."),
            },
        }),
        help: "SET DEDICATION n
    Who may join; also SET ONTIMERAT, SET RESRAT, SET LEVEL.",
        ..Setting::GAME
    },
    Setting {
        rules: &["access"],
        examples: &["ACCESS same-site"],
        who: Who::SignedOn,
        act: SetAct::Line(|_, _, _| {
            say(vec![
                "ACCESS is read and shown, but refuses nobody: sites are anybody's word."
                    .to_owned(),
            ])
        }),
        page: Page::None,
        ..Setting::GAME
    },
    Setting {
        rules: &["allow", "deny"],
        examples: &[
            "ALLOW PLAYER anna@example.org",
            "DENY PLAYER anna@example.org",
        ],
        proof: Proof::Home,
        act: SetAct::Line(|work, acting, line| {
            let address = line.words().unwrap_or_default();
            let change = if line.has("listed-off") {
                ListChange::Remove
            } else {
                ListChange::Add
            };
            match line.rule.as_str() {
                "allow" => allow(work, acting, address, change),
                _ => deny(work, acting, address, change),
            }
        }),
        help: "SET ALLOW PLAYER address
    Only these may join; SET DENY PLAYER address keeps one out.",
        ..Setting::GAME
    },
    Setting {
        rules: &["approve", "disapprove"],
        examples: &["APPROVE E, F", "NOT APPROVE E"],
        // For masters alone; the function checks it.
        who: Who::SignedOn,
        act: SetAct::Line(|work, acting, line| {
            let powers = line.text_of("powers").unwrap_or_default();
            approval::set(work, acting, powers, line.rule == "approve")
        }),
        page: Page::None,
        ..Setting::GAME
    },
];

/// The decimal number of a line.
fn decimal(line: &Line) -> f64 {
    let number = line.words().and_then(|words| words.parse().ok());
    number.unwrap_or(f64::NAN)
}

pub(super) fn dedication(work: &mut GameWork, acting: Acting, least: i64) -> ActOutcome {
    let done = format!("set the least dedication to {least}");
    setting(work, acting, SettingChange::Dedication(least), &done)
}

/// SET ONTIMERAT: the least on-time ratio of players.
pub(super) fn on_time(work: &mut GameWork, acting: Acting, least: f64) -> ActOutcome {
    ratio(
        work,
        acting,
        SettingChange::OnTime,
        least,
        "least on-time ratio",
    )
}

/// SET RESRAT: the greatest resignation ratio of players.
pub(super) fn resigned(work: &mut GameWork, acting: Acting, most: f64) -> ActOutcome {
    ratio(
        work,
        acting,
        SettingChange::Resigned,
        most,
        "highest resignation ratio",
    )
}

fn ratio(
    work: &mut GameWork,
    acting: Acting,
    change: fn(Option<u32>) -> SettingChange,
    ratio: f64,
    what: &str,
) -> ActOutcome {
    if !(0.0..=1.0).contains(&ratio) {
        return refuse(format!("The {what} is a number from 0 to 1."));
    }
    let hundredths = (ratio * 100.0).round() as u32;
    let done = format!("set the {what} to {ratio}");
    setting(work, acting, change(Some(hundredths)), &done)
}

pub(super) fn level(work: &mut GameWork, acting: Acting, level: Level) -> ActOutcome {
    let done = format!("set the level to {level}");
    setting(work, acting, SettingChange::Level(level), &done)
}

/// Whether an address is added to a list or removed from it.
#[derive(Clone, Copy)]
pub(super) enum ListChange {
    Add,
    Remove,
}

pub(super) fn allow(
    work: &mut GameWork,
    acting: Acting,
    address: &str,
    change: ListChange,
) -> ActOutcome {
    let list = listed(&work.game().settings.allow, address, change)?;
    setting(
        work,
        acting,
        SettingChange::Allow(list),
        "changed who may join",
    )
}

pub(super) fn deny(
    work: &mut GameWork,
    acting: Acting,
    address: &str,
    change: ListChange,
) -> ActOutcome {
    let list = listed(&work.game().settings.deny, address, change)?;
    let done = "changed who may not join";
    setting(work, acting, SettingChange::Deny(list), done)
}

/// A list with one address added or removed.
fn listed(
    list: &BTreeSet<String>,
    address: &str,
    change: ListChange,
) -> Result<BTreeSet<String>, Refusal> {
    let Ok(address) = Address::parse(address) else {
        return refuse(format!("'{address}' is not an address."));
    };
    let mut list = list.clone();
    match change {
        ListChange::Add => list.insert(address.key()),
        ListChange::Remove => list.remove(&address.key()),
    };
    Ok(list)
}
