//! Questions of where the units of powers stand and which centers belong to nobody are answered from the board as the asker sees it.

use super::places::is_there;
use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::place_question::{asks_sight, asks_units_of, asks_unowned};
use dipjudge_rules::map::{Province, UnitKindInfo};
use dipjudge_view::{Board, Owner, Viewer, and_list};

impl Session<'_, '_> {
    /// Answers a question of where the units of powers stand, if a line is one.
    pub(crate) fn answer_units_of(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        if !asks_units_of(grammar_of(edit.variant), line, names) {
            return false;
        }
        let named = self.named_in(line);
        let Some(board) = self.board_seen().filter(|_| !named.is_empty()) else {
            return false;
        };
        let told: Vec<String> = named
            .iter()
            .filter(|name| board.powers.iter().any(|one| one.label.as_str() == *name))
            .map(|name| told_units(&board, name))
            .collect();
        if told.is_empty() {
            return false;
        }
        self.reply.wanted = true;
        self.fault(line, told.join("  "));
        true
    }

    /// Answers a question of which units its sender sees where the board is hidden, if a line is one.
    pub(crate) fn answer_sight(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        if !asks_sight(grammar_of(edit.variant), line, names) {
            return false;
        }
        let own = self.sender.acting.and_then(|acting| acting.power);
        let own = own.and_then(|own| {
            let roster = edit.variant_game().seen_by(Viewer::Power(own)).roster();
            let mut found = roster.iter().filter(|(power, _)| *power == own);
            found.next().map(|(_, info)| info.name.clone())
        });
        let Some(board) = self.board_seen().filter(|board| board.in_sight.is_some()) else {
            return false;
        };
        let told = told_sight(&board, own.as_deref());
        self.reply.wanted = true;
        self.fault(line, told);
        true
    }

    /// Answers a question of which centers belong to nobody, if a line is one.
    pub(crate) fn answer_unowned(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        if !asks_unowned(grammar_of(edit.variant), line, names) {
            return false;
        }
        let Some(board) = self.board_seen() else {
            return false;
        };
        let told = told_unowned(&board);
        self.reply.wanted = true;
        self.fault(line, told);
        true
    }
}

/// Which units of others than the power of this name the board shows.
fn told_sight(board: &Board, own: Option<&str>) -> String {
    let others = (0..).zip(&board.powers);
    let others = others.filter(|(_, one)| Some(one.label.as_str()) != own);
    let seen = others.filter(|(index, _)| {
        let mut units = board.units.iter();
        units.any(|unit| is_there(unit) && unit.whose == Owner(Some(*index)))
    });
    let told: Vec<String> = seen
        .map(|(_, one)| told_units(board, one.label.as_str()))
        .collect();
    if told.is_empty() {
        return "You see no unit of anybody else.".to_owned();
    }
    told.join("  ")
}

/// Where the units of a power stand, as far as the board shows them.
fn told_units(board: &Board, name: &str) -> String {
    let map = board.map;
    let stands = board.units.iter().filter(|unit| {
        let power = board.power(unit.whose);
        is_there(unit) && power.is_some_and(|power| power.label.as_str() == name)
    });
    let told = stands.map(|unit| {
        let kind = map.kind(unit.kind).map_or(unit.kind, UnitKindInfo::code);
        format!("{kind} {}", map.full_name(unit.at))
    });
    let told: Vec<String> = told.collect();
    match (told.as_slice(), board.in_sight.is_some()) {
        ([], true) => format!("You see no unit of {name}."),
        ([], false) => format!("{name} has no unit."),
        (told, true) => format!(
            "Of the units of {name} you see {}.",
            and_list(told.to_vec())
        ),
        (told, false) => format!("{name} has {}.", and_list(told.to_vec())),
    }
}

/// Which centers belong to nobody, as far as the board shows them.
fn told_unowned(board: &Board) -> String {
    let map = board.map;
    let is_free = |center: &&Province| {
        let owner = board.owners.get(center);
        board.is_in_sight(**center) && owner.and_then(|owner| board.power(*owner)).is_none()
    };
    let free = map.centers().iter().filter(is_free);
    let free: Vec<String> = free.map(|center| map.full_name((*center).into())).collect();
    let whose = if board.in_sight.is_some() {
        "Of the centers that you see"
    } else {
        "Of the centers"
    };
    match free.as_slice() {
        [] => format!("{whose} each belongs to somebody."),
        [one] => format!("{whose} {one} belongs to nobody."),
        several => format!("{whose} {} belong to nobody.", and_list(several.to_vec())),
    }
}
