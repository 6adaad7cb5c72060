//! Settings of a variant's own that change when a phase begins (`SET name value FROM F1903`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Event, GameEdit, Phase, SettingChange, order_of_play};
use dipjudge_rules::calendar::Turn;

/// A value that a setting will have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToCome {
    /// The value.
    pub value: String,
    /// When it takes effect: the year and season of its first phase.
    pub turn: Turn,
    /// That phase.
    pub phase: Phase,
}

/// Sets the values that apply from the phase on that has just begun, or from an earlier one that asked nobody.
pub(super) fn come_about(edit: &mut GameEdit) {
    let game = &edit.game;
    let now = order_of_play::place(edit.variant, game.turn, &game.phase);
    let (due, later): (BTreeMap<_, _>, BTreeMap<_, _>) = game
        .settings
        .own_to_come
        .clone()
        .into_iter()
        .partition(|(_, one)| order_of_play::place(edit.variant, one.turn, &one.phase) <= now);
    if due.is_empty() {
        return;
    }
    let mut own = game.settings.own.clone();
    own.extend(due.into_iter().map(|(name, one)| (name, one.value)));
    edit.emit(Event::Set(SettingChange::Own(own)));
    edit.emit(Event::Set(SettingChange::OwnToCome(later)));
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::super::phases;
    use super::super::testing::{Plain, created};
    use super::*;
    use dipjudge_rules::calendar::Season;

    fn to_come(turn: Turn, phase: Phase) -> Event {
        let one = ToCome {
            value: "two".to_owned(),
            turn,
            phase,
        };
        let all = BTreeMap::from([("legs".to_owned(), one)]);
        Event::Set(SettingChange::OwnToCome(all))
    }

    fn forming() -> GameEdit<'static> {
        GameEdit::of(&created("later"), &Plain, Timestamp::UNIX_EPOCH)
    }

    fn legs<'e>(edit: &'e GameEdit) -> Option<&'e String> {
        edit.game.settings.own.get("legs")
    }

    #[test]
    fn a_setting_acts_from_its_phase_on_be_it_skipped() {
        let year = 1901;
        let spring = |phase| {
            (
                Turn {
                    year,
                    season: Season::Spring,
                },
                phase,
            )
        };
        let fall = |phase| {
            (
                Turn {
                    year,
                    season: Season::Fall,
                },
                phase,
            )
        };
        for (turn, phase) in [fall(Phase::Movement), spring(Phase::Retreats)] {
            let mut edit = forming();
            phases::begin(&mut edit);
            edit.emit(to_come(turn, phase));
            assert_eq!(legs(&edit), None);
            phases::run(&mut edit).expect("the results hold");
            assert_eq!(legs(&edit).map(String::as_str), Some("two"));
            assert!(edit.game.settings.own_to_come.is_empty());
        }
    }

    #[test]
    fn what_was_to_come_before_the_first_phase_acts_in_it() {
        let mut edit = forming();
        let turn = Turn {
            year: 1900,
            season: Season::Winter,
        };
        edit.emit(to_come(turn, Phase::Adjustments));
        phases::begin(&mut edit);
        assert_eq!(legs(&edit).map(String::as_str), Some("two"));
    }
}
