//! Who has met whom, and what they are called, in the variants that hide who exists: read from what their games store, by the rules
//! files alone.

use std::collections::BTreeSet;

use dipjudge::game::{Addresses, Game};
use dipjudge::map::Power;
use serde_json::json;

use super::civilizations::{self, Stored};
use super::strangers;

/// Whether a variant hides who exists.
pub fn hides_existence(variant: &str) -> bool {
    [strangers::NAME, civilizations::NAME].contains(&variant)
}

/// Who has met whom in one game.
pub struct Acquaintances {
    names: Vec<String>,
    /// Pairs, either way round.
    met: BTreeSet<(Power, Power)>,
}

impl Acquaintances {
    pub fn of(game: &Game) -> Acquaintances {
        let (names, met): (Vec<String>, Vec<(Power, Power)>) = match game.variant.as_str() {
            strangers::NAME => {
                let state: strangers::State = game.data().stored();
                (state.names, state.met.into_iter().collect())
            }
            civilizations::NAME => {
                let stored = Stored::of(game);
                (stored.names.clone(), stored.pairs().collect())
            }
            _ => Default::default(),
        };
        let both = |(one, other): (Power, Power)| [(one, other), (other, one)];
        Acquaintances {
            names,
            met: met.into_iter().flat_map(both).collect(),
        }
    }

    /// Those whom a power has met.
    pub fn met_by(&self, power: Power) -> Vec<Power> {
        let own = self.met.iter().filter(|(one, _)| *one == power);
        own.map(|(_, other)| *other).collect()
    }

    /// What a power wants to be called; powers of one name are told apart by their numbers.
    pub fn name(&self, power: Power) -> String {
        let name = self.names.get(usize::from(power.0));
        format!("{} {}", name.map_or("", String::as_str), power.0)
    }

    /// Text about powers by their numbers, with their names in it.
    pub fn put_names_in(&self, mut told: String) -> String {
        for number in (0..self.names.len()).rev() {
            let power = Power(number as u8);
            told = told.replace(&format!("{power:?}"), &self.name(power));
        }
        told
    }
}

/// What whoever leads a power may know at a moment of what the variant keeps: of itself, of those whom it has met, and of nobody
/// else. `form` says as what the reader of an address has registered.
pub fn known_to(game: &Game, power: Power, form: impl Fn(&str) -> String) -> String {
    let acquaintances = Acquaintances::of(game);
    let met = acquaintances.met_by(power).into_iter().map(|other| {
        let name = acquaintances.name(other);
        match game.settings.addresses {
            Addresses::Shown => format!("{name}, led by {}", leader(game, other, &form)),
            Addresses::Hidden => name,
        }
    });
    let met: Vec<String> = met.collect();
    let own = match game.variant == civilizations::NAME {
        true => Stored::of(game).known_to(game, power),
        false => String::new(),
    };
    let own = acquaintances.put_names_in(own);
    format!("{} has met {} {own}", acquaintances.name(power), json!(met))
}

fn leader(game: &Game, power: Power, form: impl Fn(&str) -> String) -> String {
    let holder = game.holder(power).filter(|seat| !seat.left);
    match holder.filter(|_| !game.standing(power).resigned) {
        Some(seat) => format!("{} {}", seat.address, form(&seat.address)),
        None => "nobody".to_owned(),
    }
}
