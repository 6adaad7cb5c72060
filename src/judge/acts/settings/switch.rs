//! A setting of a game that is on or off.

use super::change::{CHANGED, announce, not_fixed};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, say};
use dipjudge_commands::settings::switched;
use dipjudge_game::{Event, SettingChange};
use dipjudge_grammar::Line;

/// A switch.
pub(crate) struct Switch {
    /// The name that players read.
    pub name: &'static str,
    /// The change that it makes to the game.
    pub change: fn(bool) -> SettingChange,
    /// Checks whether it may be turned on or off now.
    pub check: fn(&GameWork, Acting, bool) -> Result<(), Refusal>,
    /// What to do after it has changed.
    pub then: fn(&mut GameWork, bool),
}

impl Switch {
    /// The values that most switches share.
    pub(super) const PLAIN: Switch = Switch {
        name: "",
        change: SettingChange::Nmr,
        check: |_, _, _| Ok(()),
        then: |_, _| {},
    };

    /// Turns the switch on or off, as the line says.
    pub(super) fn turn(&self, work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
        let on = switched(line) == Some(true);
        let word = if on { "set" } else { "cleared" };
        let name = self.name;
        let change = (self.change)(on);
        if !work.game().settings.differs(&change) {
            return say(vec![format!("The {name} flag is already {word}.")]);
        }
        not_fixed(work, &change)?;
        (self.check)(work, acting, on)?;
        work.emit(Event::Set(change));
        let done = format!("{word} the {name} flag");
        announce(work, acting, CHANGED, &done);
        (self.then)(work, on);
        say(vec![format!("You {done}.")])
    }
}
