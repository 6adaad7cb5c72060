//! Questions of who owns a province, what stands there, and how many units the asker builds next, are answered from the board as the
//! asker sees it, which is that of MAP.

use super::asked::{check_reads_before_the_end, reader};
use super::questions::show_tables;
use crate::session::Session;
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::place_question::{asked_places, asks_builds, asks_strength, supposed_gains};
use dipjudge_commands::prose::bare_words;
use dipjudge_game::horizon::homes;
use dipjudge_game::{BuildSites, GameEdit, Phase, VariantGame};
use dipjudge_grammar::Grammar;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::article;
use dipjudge_view::{Board, Owner, PowerOnBoard, UnitOnBoard, UnitState, and_list};

/// Words by which a question is about all powers.
const EACH: [&str; 8] = [
    "each",
    "every",
    "all",
    "everybody",
    "everyone",
    "others",
    "other",
    "countries",
];

/// Words by which somebody asks for himself.
const OWN: [&str; 4] = ["i", "me", "my", "mine"];
/// What is told beside the present owner of a center to who asks for himself.
const CHANGES_HANDS: &str = "A center belongs to whoever stands in it after the Fall, with its retreats, and stays his until another one stands in it then.";

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
        // Each line of orders comes here, too.
        if places.is_empty() {
            return false;
        }
        let Some(board) = self.board_seen() else {
            return false;
        };
        let mut told: Vec<String> = places.iter().map(|place| told_of(&board, *place)).collect();
        // "Does Belgium belong to me with that?"
        let is_center = |place: &Province| board.map.centers().contains(place);
        let speaks_of_himself =
            bare_words(line).any(|word| OWN.contains(&word.to_lowercase().as_str()));
        if speaks_of_himself && self.has_standard_builds() && places.iter().any(is_center) {
            told.push(CHANGES_HANDS.to_owned());
        }
        self.reply.wanted = true;
        self.fault(line, told.join("  "));
        true
    }

    /// Answers the question how many units the asker builds or removes next, and where.
    pub(crate) fn answer_builds(&mut self, line: &str) -> bool {
        self.tell_builds(line, |grammar, names| {
            asks_builds(grammar, line, names).then(Vec::new)
        })
    }

    /// Answers how many units the asker could build, and where, if he took what he supposes to take.
    pub(crate) fn answer_supposed_builds(&mut self, line: &str) -> bool {
        self.tell_builds(line, |grammar, names| {
            Some(supposed_gains(grammar, line, names)).filter(|gains| !gains.is_empty())
        })
    }

    /// Answers a line that asks for builds, with the centers that it supposes to be taken.
    fn tell_builds(
        &mut self,
        line: &str,
        asked: impl Fn(&Grammar, &Names) -> Option<Vec<Province>>,
    ) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let power = self.sender.acting.and_then(|acting| acting.power);
        let gains = asked(grammar_of(edit.variant), names);
        let (Some(power), Some(gains)) = (power.filter(|_| self.tells_builds()), gains) else {
            return false;
        };
        let told = told_builds(edit, power, &gains);
        self.reply.wanted = true;
        self.fault(line, told);
        // What a variant counts beside centers stands in its tables.
        if !self.has_standard_builds() {
            show_tables(self);
        }
        true
    }

    /// Whether builds and removals can be told: they are due, or come as in the standard game.
    fn tells_builds(&self) -> bool {
        let are_due = |edit: &GameEdit| edit.game.phase == Phase::Adjustments;
        self.edit().is_some_and(are_due) || self.has_standard_builds()
    }

    /// Whether the variant leaves adjustments as they are in the standard game, and the phase is one of its phases.
    fn has_standard_builds(&self) -> bool {
        self.edit().is_some_and(|edit| {
            let phases = [Phase::Movement, Phase::Retreats, Phase::Adjustments];
            edit.variant.card().grammar.is_empty() && phases.contains(&edit.game.phase)
        })
    }

    /// Whether a line asks how many units or centers somebody has.
    pub(crate) fn asks_strength(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        asks_strength(grammar_of(edit.variant), line, names)
    }

    /// Answers how many units and centers somebody has, from the board as the asker sees it, where that is all of it.
    pub(crate) fn answer_strength(&mut self, line: &str) -> bool {
        if !self.asks_strength(line) {
            return false;
        }
        let Some(board) = self.board_seen().filter(|board| board.in_sight.is_none()) else {
            return false;
        };
        let own = self.sender.acting.and_then(|acting| acting.power);
        let asks_all =
            bare_words(line).any(|word| EACH.iter().any(|each| word.eq_ignore_ascii_case(each)));
        let asks_own = !asks_all && bare_words(line).any(|word| word.eq_ignore_ascii_case("i"));
        let mut named = if asks_all {
            Vec::new()
        } else {
            self.named_in(line)
        };
        let own = own.and_then(|own| self.roster().info(own).map(|info| info.name.clone()));
        named.extend(own.filter(|_| asks_own));
        let rows = told_strengths(&board, &named);
        if rows.is_empty() {
            return false;
        }
        self.reply.wanted = true;
        self.fault(line, "As the board stands now:");
        self.print(rows.join("\n"));
        true
    }
}

/// How many units a power builds or removes if the Fall ends as the board stands, or with these centers more.
fn told_builds(edit: &GameEdit, power: Power, gains: &[Province]) -> String {
    let mut game = edit.game.clone();
    let map = game.map();
    let centers = map.centers();
    for gain in gains.iter().filter(|gain| centers.contains(gain)) {
        game.position.owners.insert(*gain, power);
    }
    let no_centers = gains.iter().filter(|gain| !centers.contains(gain));
    let no_centers: Vec<String> = no_centers
        .map(|gain| format!("{} is no supply center.  ", map.full_name((*gain).into())))
        .collect();
    let counts = VariantGame::new(&game, edit.variant).allowances();
    let allowance = counts.of(power);
    let owned = game.position.centers_of(power).count();
    let units = game.position.units_of(power).count();
    let change = allowance.map_or(0, |allowance| allowance.change);
    let open = allowance.map_or(&[][..], |allowance| &allowance.sites);
    let open: Vec<String> = open
        .iter()
        .map(|site| map.full_name((*site).into()))
        .collect();
    let is_due = game.phase == Phase::Adjustments;
    let due = match change {
        0 => "nothing to build or remove".to_owned(),
        more if more > 0 => format!("{more} to build"),
        less => format!("{} to remove", less.unsigned_abs()),
    };
    let places = match open.as_slice() {
        _ if change <= 0 => String::new(),
        [] => "  No center in which you may build is empty now.".to_owned(),
        open => format!(
            "  Of the centers in which you may build {} {} empty now.",
            and_list(open.to_vec()),
            if open.len() == 1 { "is" } else { "are" }
        ),
    };
    let homes = homes(&game, edit.variant, power);
    let sites = match game.settings.build_sites {
        BuildSites::Home if !homes.is_empty() => {
            let named = homes.iter().map(|home| map.full_name((*home).into()));
            format!(
                "  Units are built in home centers alone, while you own them and they are empty; yours {} {}.",
                if homes.len() == 1 { "is" } else { "are" },
                and_list(named.collect::<Vec<String>>())
            )
        }
        _ => String::new(),
    };
    let begins = if gains.is_empty() {
        format!("You own {} and have", counted(owned, "center"))
    } else {
        format!("With that you own {} and have", counted(owned, "center"))
    };
    let units = counted(units, "unit");
    if !edit.variant.card().grammar.is_empty() {
        return format!("{begins} {units}.  In this phase you have {due}.{places}");
    }
    if is_due {
        return format!("{begins} {units}, so you have {due}.{places}{sites}");
    }
    format!(
        "{}{begins} {}.  If that is so after the Fall, you have {due}.{places}{sites}  Centers change hands then, to whoever stands in them.",
        no_centers.concat(),
        units
    )
}

/// A line for each power of these names, for all if there are none: `Austria: 3 centers, 2 units`.
fn told_strengths(board: &Board, named: &[String]) -> Vec<String> {
    let row = |number: usize, power: &PowerOnBoard| {
        let is_whose = |owner: Owner| owner == Owner(Some(number));
        let centers = board.owners.values().filter(|owner| is_whose(**owner));
        let stands = |unit: &&UnitOnBoard| is_there(unit) && is_whose(unit.whose);
        let (centers, units) = (centers.count(), board.units.iter().filter(stands).count());
        let is_asked = if named.is_empty() {
            centers + units > 0
        } else {
            named.iter().any(|name| name == power.label.as_str())
        };
        is_asked.then(|| {
            format!(
                "    {}: {}, {}",
                power.label,
                counted(centers, "center"),
                counted(units, "unit")
            )
        })
    };
    let powers = board.powers.iter().enumerate();
    powers
        .filter_map(|(number, power)| row(number, power))
        .collect()
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
    let stands = |unit: &&UnitOnBoard| unit.at.province == place && is_there(unit);
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

/// Whether a unit is on the board, perhaps dislodged.
pub(super) fn is_there(unit: &UnitOnBoard) -> bool {
    matches!(
        unit.state,
        UnitState::Stands | UnitState::Built | UnitState::Dislodged
    )
}

/// `1 unit`, `3 units`.
fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}
