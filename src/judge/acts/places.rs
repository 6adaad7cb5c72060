//! Questions of who owns a province, what stands there, and how many units the asker builds next, are answered from the board as the
//! asker sees it, which is that of MAP.

use super::asked::{check_reads_before_the_end, reader};
use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::place_question::{asked_places, asks_builds};
use dipjudge_game::Phase;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::article;
use dipjudge_view::{Board, UnitOnBoard, UnitState, and_list};

impl Session<'_, '_> {
    /// The board of the game in hand as the sender sees it, once the game has begun.
    pub(super) fn board_seen(&self) -> Option<Board> {
        let edit = self.edit().filter(|edit| edit.game.begun())?;
        let context = self.reader_context();
        let reader = reader(&context, &edit.game);
        check_reads_before_the_end(&edit.game, &reader).ok()?;
        edit.variant_game().seen_by(reader.viewer).board()
    }

    /// Answers a question of who owns a province or what stands there, if a line is one.
    pub(crate) fn answer_places(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let places = asked_places(grammar_of(edit.variant), line, names);
        let Some(board) = self.board_seen().filter(|_| !places.is_empty()) else {
            return false;
        };
        let told: Vec<String> = places.iter().map(|place| told_of(&board, *place)).collect();
        self.reply.wanted = true;
        self.fault(line, told.join("  "));
        true
    }

    /// Answers the question how many units the asker builds or removes next, where the moves of the year are not played yet and the
    /// variant leaves adjustments as they are.
    pub(crate) fn answer_builds(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let power = self.sender.acting.and_then(|acting| acting.power);
        let Some(power) = power.filter(|_| asks_builds(grammar_of(edit.variant), line, names))
        else {
            return false;
        };
        let is_usual = edit.variant.card().grammar.is_empty();
        if !is_usual || !matches!(edit.game.phase, Phase::Movement | Phase::Retreats) {
            return false;
        }
        let position = &edit.game.position;
        let centers = position
            .owners
            .values()
            .filter(|owner| **owner == power)
            .count();
        let units = position.units_of(power).count();
        let due = match (centers, units) {
            (more, less) if more > less => format!("{} to build", more - less),
            (less, more) if more > less => format!("{} to remove", more - less),
            _ => "nothing to build or remove".to_owned(),
        };
        self.reply.wanted = true;
        self.fault(
            line,
            format!("You own {} and have {}.  If that is still so after the Fall, you have {due}.  Centers change hands then, to whoever stands in them.", counted(centers, "center"), counted(units, "unit")),
        );
        true
    }
}

/// Who owns a province and what stands there, as far as the board shows it.
fn told_of(board: &Board, place: Province) -> String {
    let name = board.map.full_name(place.into());
    if board
        .in_sight
        .as_ref()
        .is_some_and(|seen| !seen.contains(&place))
    {
        return format!("You do not see {name}.");
    }
    let stands = |unit: &&UnitOnBoard| {
        unit.at.province == place
            && matches!(
                unit.state,
                UnitState::Stands | UnitState::Built | UnitState::Dislodged
            )
    };
    let units: Vec<String> = board
        .units
        .iter()
        .filter(stands)
        .map(|unit| told_unit(board, unit))
        .collect();
    let units = match units.as_slice() {
        [] => "nothing stands there".to_owned(),
        [one] => format!("{one} stands there"),
        several => format!("{} stand there", and_list(several.to_vec())),
    };
    let owner = board
        .owners
        .get(&place)
        .and_then(|owner| board.power(*owner));
    let is_center = board.map.centers().contains(&place);
    match owner {
        Some(owner) => format!("{name} belongs to {}, and {units}.", owner.label),
        None if is_center => format!("{name} belongs to nobody, and {units}."),
        None => format!("{name} is no supply center, and {units}."),
    }
}

/// `an army of France`.
fn told_unit(board: &Board, unit: &UnitOnBoard) -> String {
    let kind = board
        .map
        .kind(unit.kind)
        .map_or_else(|| "unit".to_owned(), |info| info.name.to_lowercase());
    let dislodged = if unit.state == UnitState::Dislodged {
        "dislodged "
    } else {
        ""
    };
    let what = format!("{dislodged}{kind}");
    match board.power(unit.whose) {
        Some(power) => format!("{} {what} of {}", article(&what), power.label),
        None => format!("{} {what}", article(&what)),
    }
}

/// `1 unit`, `3 units`.
fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}
