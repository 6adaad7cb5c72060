//! SET: what players set for themselves, and masters for their games (`judge-workflow.md` 2.6 to 2.8). [`rows`] is the
//! table of settings; each of the other files of this folder contains a family of them.

mod address;
mod approval;
mod change;
mod entry;
mod listing;
mod mail_form;
mod of_variant;
mod own;
mod places;
mod preference;
mod press;
mod press_switches;
pub(crate) mod rows;
mod rules;
mod switch;
mod switches;
pub(crate) mod table;
pub(super) mod times;
mod variant;

pub(crate) use address::confirm as confirm_address;
pub(crate) use listing::information;
pub(crate) use variant::reveal;

use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::acting::{ActOutcome, Refusal, refuse};
use dipjudge_commands::corrections::of_setting;
use dipjudge_commands::settings::{SetItem, puts_off, read_settings, rule_of};
use dipjudge_grammar::Line;
use table::SetAct;

/// SET and the settings after it, one by one; the first that is unknown or forbidden ends the line.
pub(crate) fn set(session: &mut Session, text: &str, behind: &str) {
    let Some(acting) = session.sender.acting else {
        return;
    };
    let items = read_settings(behind);
    if let (OrdersFor::Later(phase), Some(power)) = (session.reading.orders_for, acting.power) {
        // WAIT is stored with the orders of a later phase; other settings take effect now.
        if items.iter().all(is_kept_ahead) {
            return session.store_ahead(power, phase, text);
        }
    }
    if items.is_empty() {
        let why = "Invalid command: SET needs a setting.";
        return session.fault(text, why);
    }
    if items.len() > 1 && items.iter().any(puts_off) {
        let why = "Only settings of the game's variant can be put off to a later phase: leave FROM away, and send the line when it is to act.";
        return session.fault(text, why);
    }
    // The words behind the first one are probably meant as part of the password.
    let unread = |item: &SetItem| matches!(item, SetItem::Named { .. });
    if let Some(word) = items.iter().find_map(new_password)
        && items.iter().any(unread)
    {
        session.reading.secrets.add(word);
        let why =
            "A password is one word without blanks, so this line was not done: SET PASSWORD word.";
        return session.fault(text, why);
    }
    for item in &items {
        let said = match item {
            SetItem::Known(line) => known(session, line),
            SetItem::Named {
                name,
                value,
                wanted,
            } => session.try_act(|work, acting| of_variant::set(work, acting, name, value, wanted)),
        };
        let failed = said.is_err();
        session.outcome(text, said);
        if failed {
            if let SetItem::Named { .. } = item
                && let Some(meant) = of_setting(behind)
            {
                session.propose(&meant);
            }
            return;
        }
    }
}

/// The word of a SET PASSWORD.
fn new_password(item: &SetItem) -> Option<&str> {
    match item {
        SetItem::Known(line) => line.text_of("new-password"),
        SetItem::Named { .. } => None,
    }
}

/// What is said of a line whose first setting is not offered here.
pub(crate) fn why_not_offered(line: &Line) -> Option<Refusal> {
    let items = read_settings(line.words().filter(|_| line.rule == "set")?);
    let SetItem::Known(item) = items.into_iter().next()? else {
        return None;
    };
    match &rows::setting(&item)?.act {
        SetAct::NotOffered(why) => Some(Refusal::from(why(&item))),
        _ => None,
    }
}

fn known(session: &mut Session, line: &Line) -> ActOutcome {
    if let Some(word) = line.text_of("new-password") {
        session.reading.secrets.add(word);
    }
    let Some(setting) = rows::setting(line) else {
        return refuse("This setting is not offered by this judge.");
    };
    if setting.proof.asks_for_home() {
        session.proven()?;
    }
    session.try_act(|work, acting| {
        // Mails to the power contain what is sealed from masters.
        if setting.redirects && work.open.acts_as_power && work.keeps_from_masters() {
            return refuse(
                "In this game something is sealed from its masters, so only a player himself sets where his mail goes, and his password.",
            );
        }
        setting.carry_out(work, acting, line)
    })
}

fn is_kept_ahead(item: &SetItem) -> bool {
    matches!(item, SetItem::Known(line) if matches!(rule_of(line), "wait" | "no-wait"))
}
