//! Checks whether this version can read the variant's own data in a log. Every event is checked before it is applied to a game,
//! so later code never meets unreadable data.

use crate::data_error::{DataError, unreadable};
use serde::de::DeserializeOwned;

use super::effect::is_meaning;
use super::{Event, Game, KeptState, Orders, SeatChange, SettingChange, Submitted, Variant};
use dipjudge_rules::orders::{Action, VariantData, VariantOrder};

/// Data of a variant's own in a log.
#[derive(Clone, Copy, Debug)]
pub enum Stored<'l> {
    /// The variant's state.
    State(&'l VariantData),
    /// A submission of a power, by name.
    Submission(&'l str, &'l VariantData),
    /// An order that only the variant can interpret.
    Order(&'l VariantData),
    /// What a player brings to the game.
    Brought(&'l VariantData),
}

impl Stored<'_> {
    /// Checks that data are of a type. The error contains nothing of their content: everybody who reads a log sees it, and bids
    /// are secret.
    ///
    /// # Errors
    /// If they are of another type.
    pub fn is<T: DeserializeOwned>(data: &VariantData) -> Result<(), DataError> {
        let read: Result<T, _> = data.read();
        read.map(drop)
            .map_err(|_| "not in a form that this version knows".into())
    }
}

/// Checks that all of the variant's own data in an event can be read; the error is a clause, as in `its state: …`.
pub fn check(event: &Event, variant: &dyn Variant) -> Result<(), DataError> {
    match event {
        Event::Begun { data, .. } | Event::Data { data } => state(variant, data.data()),
        Event::Submitted {
            name,
            data: Some(data),
            ..
        } => submission(variant, name, data),
        Event::SeatChanged {
            change: SeatChange::Brings(data),
            ..
        } if !data.is_empty() => brought(variant, data),
        Event::Ordered { action, .. } => order(variant, action),
        Event::Adjusting { orders, .. } => {
            orders.iter().try_for_each(|action| order(variant, action))
        }
        Event::Set(SettingChange::Own(own)) => own
            .iter()
            .try_for_each(|(name, value)| setting(variant, name, value)),
        Event::Set(SettingChange::OwnToCome(all)) => all
            .iter()
            .try_for_each(|(name, one)| setting(variant, name, &one.value)),
        _ => Ok(()),
    }
}

/// Checks that all of the variant's own data in a game can be read, as [`check`] does for each event that led to it.
pub fn check_game(game: &Game, variant: &dyn Variant) -> Result<(), DataError> {
    let check_data = |data: &KeptState| state(variant, data.data());
    let check_submitted = |submitted: &Submitted| {
        let mut slots = submitted.slots();
        slots.try_for_each(|slot| match submitted.get(slot) {
            Some(data) => submission(variant, slot, data),
            None => Ok(()),
        })
    };
    let check_orders = |orders: &Orders| {
        let mut actions = orders.units.values().chain(&orders.winter);
        actions.try_for_each(|action| order(variant, action))?;
        check_submitted(&orders.submissions)
    };
    check_data(&game.data)?;
    for past in &game.past {
        check_data(&past.data)?;
        past.orders.values().try_for_each(check_orders)?;
        past.submissions.values().try_for_each(check_submitted)?;
    }
    for standing in game.standings.values() {
        check_orders(&standing.orders)?;
        check_submitted(&standing.submissions)?;
    }
    for seat in game.seats.iter().filter(|seat| !seat.brings.is_empty()) {
        brought(variant, &seat.brings)?;
    }
    let mut own = game.settings.own.iter();
    own.try_for_each(|(name, value)| setting(variant, name, value))?;
    let mut to_come = game.settings.own_to_come.iter();
    to_come.try_for_each(|(name, one)| setting(variant, name, &one.value))
}

fn brought(variant: &dyn Variant, data: &VariantData) -> Result<(), DataError> {
    let read = variant.can_read(Stored::Brought(data));
    read.map_err(|why| why.of("what a player brings along"))
}

fn state(variant: &dyn Variant, data: &VariantData) -> Result<(), DataError> {
    if data.is_empty() {
        return Ok(());
    }
    let read = variant.can_read(Stored::State(data));
    read.map_err(|why| why.of("the variant's state"))
}

fn submission(variant: &dyn Variant, name: &str, data: &VariantData) -> Result<(), DataError> {
    let read = if is_meaning(name) {
        Stored::is::<u8>(data)
    } else {
        variant.can_read(Stored::Submission(name, data))
    };
    read.map_err(|why| why.of(format_args!("the submission '{name}'")))
}

fn order(variant: &dyn Variant, action: &Action) -> Result<(), DataError> {
    let Action::Special(VariantOrder(words, data)) = action else {
        return Ok(());
    };
    let read = variant.can_read(Stored::Order(data));
    read.map_err(|why| why.of(format_args!("the order '{words}'")))
}

fn setting(variant: &dyn Variant, name: &str, value: &str) -> Result<(), DataError> {
    let card = variant.card();
    let Some(setting) = card.settings.iter().find(|setting| setting.name == name) else {
        return unreadable(format!("{} has no setting '{name}'", card.title));
    };
    if setting.can_be(value) {
        Ok(())
    } else {
        unreadable(format!("the setting '{name}' cannot be '{value}'"))
    }
}
