//! What each variant adds to the oracle, from its rules file and not from what it declares. Of a variant that is not named here
//! everything is secret until the end: what it keeps and what is submitted by lines of its own, from all but masters and their
//! power. What it writes on the board is public, unless the game hides that.

use std::collections::BTreeMap;

use dipjudge::game::{Game, Phase};
use dipjudge::orders::VariantData;
use dipjudge::variants;
use serde_json::{Value, json};

use super::civilizations;
use super::letters::Line;
use super::oracle::Standing;
use super::silly;
use super::strangers;

/// How the oracle reads one variant's own state.
struct Own {
    variant: &'static str,
    /// What a reader may know of it.
    data: fn(Value, &Standing, &Game) -> Value,
    /// Whether a submission of this name is sealed from the master as well.
    sealed: fn(&str) -> bool,
    /// How lines begin that make such submissions.
    lines: &'static [&'static str],
    /// Whether it is as secret that one has come, until the deadline.
    unseen: bool,
}

/// The variants that hide something of their own state.
const TABLE: &[Own] = &[
    Own {
        variant: "bridge",
        data: bids,
        sealed: |name| ["bid", "forts"].contains(&name),
        lines: &["BID", "FORT"],
        unseen: true,
    },
    Own {
        variant: strangers::NAME,
        // To players it is told apart (`acquaintance::known_to`).
        data: |data, standing, _| if standing.master { data } else { Value::Null },
        sealed: |name| name == "oath",
        lines: &["OATH"],
        unseen: true,
    },
    Own {
        variant: silly::NAME,
        data: silly::known,
        sealed: silly::seals,
        lines: silly::SEALED_LINES,
        unseen: false,
    },
    Own {
        variant: "life",
        data: |data, _, _| data,
        sealed: |_| true,
        lines: &["BIRTH", "BUILD"],
        unseen: false,
    },
    PUBLIC,
    Own {
        variant: "winter-1900",
        ..PUBLIC
    },
    Own {
        variant: "chaos",
        ..PUBLIC
    },
    Own {
        variant: "outer-space",
        ..PUBLIC
    },
    Own {
        variant: civilizations::NAME,
        // To players it is told apart (`acquaintance::known_to`).
        data: |data, standing, _| if standing.master { data } else { Value::Null },
        ..PUBLIC
    },
];

/// A variant that keeps nothing of its own secret.
const PUBLIC: Own = Own {
    variant: "standard",
    data: |data, _, _| data,
    sealed: |_| false,
    lines: &[],
    unseen: false,
};

/// Whether a variant of which the table tells nothing says itself that it keeps something from masters: then it keeps all.
fn seals_some(variant: &str) -> bool {
    let kinds = variants::of(variant).submissions();
    kinds.iter().any(|kind| !kind.masters)
}

/// What is true of a variant, by the table. One that is not in it has secret state.
fn row(variant: &str) -> Option<&'static Own> {
    TABLE.iter().find(|own| own.variant == variant)
}

/// What a reader may know of a variant's own state.
pub fn data(game: &Game, data: &VariantData, standing: &Standing) -> String {
    let data = json!(data);
    let known = match row(&game.variant) {
        Some(own) => (own.data)(data, standing, game),
        None if standing.master => data,
        None => Value::Null,
    };
    format!("own state {known}")
}

/// What whoever comes to lead a power may read of a variant's own state. Of a variant that is not in the table nothing says which part
/// of it is that power's, so he may know all.
pub fn left_to(game: &Game, standing: &Standing) -> String {
    match row(&game.variant) {
        Some(_) => data(game, game.data(), standing),
        None => format!("own state {}", json!(game.data())),
    }
}

/// What of a variant's own state is shown after the end as it was behind a turn: all of a variant that is not in the table.
pub fn opened_in_the_end(game: &Game) -> String {
    match row(&game.variant) {
        Some(_) => String::new(),
        None => json!(game.data()).to_string(),
    }
}

/// What of a variant's own state is open once the game is over, that was not before.
pub fn opened_by_the_end(game: &Game) -> Value {
    match game.variant.as_str() {
        // Herds that never exploded.
        silly::NAME => json!(game.data())["herds"].clone(),
        // Oaths, in the tables of whoever asks.
        strangers::NAME => {
            let standings = game.standings.iter();
            let oaths = standings.map(|(power, standing)| (power, &standing.submissions));
            json!(oaths.collect::<BTreeMap<_, _>>())
        }
        variant if row(variant).is_none() => json!([game.data(), game.standings]),
        _ => Value::Null,
    }
}

/// Whether a submission is sealed from everybody but its power.
pub fn seals(variant: &str, submission: &str) -> bool {
    match row(variant) {
        Some(own) => (own.sealed)(submission),
        None => seals_some(variant),
    }
}

/// Whether a line for a later phase is sealed from everybody but its power.
pub fn seals_line(variant: &str, line: &str) -> bool {
    let line = line.to_uppercase();
    let begins = |own: &Own| own.lines.iter().any(|begin| line.starts_with(begin));
    let order = ["A ", "F ", "BUILD", "REMOVE", "WAIVE", "DISBAND"];
    let orders = order.iter().any(|begin| line.starts_with(begin));
    match row(variant) {
        Some(own) => begins(own),
        None => !orders && seals_some(variant),
    }
}

/// Whether a line of the variant's own makes a submission that is sealed from everybody but its power, in whatever words: where all
/// such lines do, or by the word with which it begins.
pub fn seals_own_line(variant: &str, line: &Line) -> bool {
    let of = variants::of(variant);
    let mut kinds = of
        .submissions()
        .iter()
        .filter(|kind| !kind.lines.is_empty());
    let all = of.card().commands.is_empty() && kinds.all(|kind| seals(variant, kind.name));
    match line {
        Line::Own(text) => all || seals_line(variant, text),
        _ => false,
    }
}

/// Whether until the deadline it is as secret that a submission has come as what it says.
pub fn is_unseen(variant: &str) -> bool {
    match row(variant) {
        Some(own) => own.unseen,
        None => seals_some(variant),
    }
}

/// Whether nobody may know before the deadline that everything has come: in a phase in which such submissions are due, which a
/// game that opens has not yet.
pub fn is_completed_unseen(game: &Game) -> bool {
    let unseen = row(&game.variant).is_some_and(|own| own.unseen);
    let due = game.phase == Phase::Adjustments && game.number > 0;
    unseen && due && game.timing.late_notice.is_none()
}

/// Bridge (`rules/bridge.md` 8): a running bid is its power's alone until the next Winter opens, the centers held when it
/// was made are public. Those of 1901 are the same in every game.
fn bids(mut data: Value, standing: &Standing, _: &Game) -> Value {
    let own: Vec<String> = standing
        .powers
        .iter()
        .map(|power| power.0.to_string())
        .collect();
    let bids = data.get_mut("bids").and_then(Value::as_object_mut);
    for (power, bid) in bids.into_iter().flatten() {
        if !own.contains(power) {
            *bid = bid.get(0).cloned().unwrap_or_default();
        }
    }
    data
}
