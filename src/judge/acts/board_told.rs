//! Questions of where the units of powers stand and which centers belong to nobody are answered from the board as the asker sees it.

use super::places::is_there;
use crate::session::Session;
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::place_question::{asks_sight, asks_units_of, asks_unowned};
use dipjudge_grammar::Grammar;
use dipjudge_rules::map::{Province, UnitKindInfo};
use dipjudge_view::{Board, Owner, Viewer, and_list};

impl Session<'_, '_> {
    /// Answers a question of where the units of powers stand, if a line is one.
    pub(crate) fn answer_units_of(&mut self, line: &str) -> bool {
        let Some(board) = self.board_asked(line, asks_units_of) else {
            return false;
        };
        let named = self.named_in(line);
        let told: Vec<String> = named
            .iter()
            .filter(|name| board.powers.iter().any(|one| one.label.as_str() == *name))
            .map(|name| told_units(&board, name))
            .collect();
        if told.is_empty() {
            return false;
        }
        self.tell_of_board(line, told.join("  "))
    }

    /// Answers a question of which units its sender sees where the board is hidden, if a line is one.
    pub(crate) fn answer_sight(&mut self, line: &str) -> bool {
        let board = self.board_asked(line, asks_sight);
        let Some(board) = board.filter(|board| board.in_sight.is_some()) else {
            return false;
        };
        let own = self.sender.acting.and_then(|acting| acting.power);
        let own = own.zip(self.edit()).map(|(own, edit)| {
            let labels = edit.variant_game().seen_by(Viewer::Power(own)).labels();
            labels.name(own).to_owned()
        });
        self.tell_of_board(line, told_sight(&board, own.as_deref()))
    }

    /// Answers a question of which centers belong to nobody, if a line is one.
    pub(crate) fn answer_unowned(&mut self, line: &str) -> bool {
        let Some(board) = self.board_asked(line, asks_unowned) else {
            return false;
        };
        self.tell_of_board(line, told_unowned(&board))
    }

    /// The board as the sender sees it, if a line asks so of it.
    fn board_asked(
        &mut self,
        line: &str,
        asks: fn(&Grammar, &str, &Names) -> bool,
    ) -> Option<Board> {
        self.make_names();
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let is_asked = asks(grammar_of(edit.variant), line, names);
        is_asked.then(|| self.board_seen())?
    }

    fn tell_of_board(&mut self, line: &str, told: String) -> bool {
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
