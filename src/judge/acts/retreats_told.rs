//! Questions about retreats that are due: who has to retreat, and why a place is closed to a unit of the asker's.

use crate::session::Session;
use dipjudge_commands::mentions::provinces_in;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::prose::bare_words;
use dipjudge_commands::subjects::asks;
use dipjudge_game::Phase;
use dipjudge_rules::map::Province;
use dipjudge_rules::position::Dislodged;
use dipjudge_view::{UnitState, and_list};

/// Words by which a question in a phase of retreats is about where a unit may go.
const GOING: [&str; 6] = ["go", "retreat", "back", "move", "get", "withdraw"];

impl Session<'_, '_> {
    /// Whose units have to retreat, as far as the asker sees them.
    pub(super) fn dislodged_told(&self) -> Option<String> {
        let edit = self.edit()?;
        let board = self.board_seen()?;
        let dislodged = board
            .units
            .iter()
            .filter(|unit| unit.state == UnitState::Dislodged);
        let told: Vec<String> = dislodged
            .map(|unit| {
                let at = board.map.full_name(unit.at);
                match board.power(unit.whose) {
                    Some(power) => format!("{at} ({})", power.label),
                    None => at,
                }
            })
            .collect();
        Some(
            match (told.as_slice(), edit.game.phase == Phase::Retreats) {
                (_, false) => "No retreats are due in this phase.".to_owned(),
                ([], true) => "You see no unit that has to retreat.".to_owned(),
                (told, true) => format!("These units have to retreat: {}.", and_list(told)),
            },
        )
    }

    /// Answers why a dislodged unit of the asker's cannot retreat to a place, or that it can.
    pub(super) fn answer_closed_retreat(&mut self, line: &str) -> bool {
        self.make_names();
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(names), Some(edit), Some(power)) = (&self.reading.names, self.edit(), power)
        else {
            return false;
        };
        let speaks_of_going =
            bare_words(line).any(|word| GOING.iter().any(|going| word.eq_ignore_ascii_case(going)));
        if edit.game.phase != Phase::Retreats || !asks(line) || !speaks_of_going {
            return false;
        }
        let dislodged = edit.game.position.dislodged.iter();
        let own: Vec<&Dislodged> = dislodged.filter(|one| one.unit.power == power).collect();
        let places: Vec<Province> = own.iter().map(|one| one.unit.at.province).collect();
        let mut named = provinces_in(grammar_of(edit.variant), line, names);
        named.retain(|place| !places.contains(place));
        let ([unit], [to]) = (own.as_slice(), named.as_slice()) else {
            return false;
        };
        let told = self.told_of_retreat(unit, *to);
        self.reply.wanted = true;
        self.fault(line, told);
        true
    }

    fn told_of_retreat(&self, dislodged: &Dislodged, to: Province) -> String {
        let Some(edit) = self.edit() else {
            return String::new();
        };
        let map = edit.game.map();
        let unit = &dislodged.unit;
        let (from, goal) = (map.full_name(unit.at), map.full_name(to.into()));
        if dislodged.options.iter().any(|place| place.province == to) {
            return format!("Your unit in {from} can retreat to {goal}.");
        }
        if !map.reaches(map.travel(unit.kind), unit.at, to) {
            return format!("Your unit in {from} cannot go from there to {goal} in one move.");
        }
        let whole = self.board_seen().filter(|board| board.in_sight.is_none());
        let is_held = whole.as_ref().map(|board| {
            let mut there = board.units.iter().filter(|other| other.at.province == to);
            there.any(|other| matches!(other.state, UnitState::Stands | UnitState::Built))
        });
        let why = match is_held {
            None => {
                "a unit stands there, two units stood each other off there, or its attacker came from there"
            }
            Some(true) => "a unit stands there",
            Some(false) if dislodged.attacker == Some(to) => "its attacker came from there",
            Some(false) => "two units stood each other off there in the moves of this turn",
        };
        format!("Your unit in {from} cannot retreat to {goal}: {why}.")
    }
}
