//! What orders that cannot be read were probably meant as. It is proposed; what is certain can be taken.

use std::collections::BTreeMap;

use crate::orders::acceptance::closed;
use crate::work::GameWork;
use dipjudge_commands::asides::{keeps_unit, left_as_before};
use dipjudge_commands::certain_orders::says_only;
use dipjudge_commands::consider;
use dipjudge_commands::due::Due;
use dipjudge_commands::loose_order::loose_orders;
use dipjudge_commands::mentions::{provinces_in, provinces_named};
use dipjudge_commands::names::Names;
use dipjudge_commands::order_clauses::{
    BoardInSight, Movement, Pointed, orders_of_clauses, supposed,
};
use dipjudge_commands::order_corrections::{
    Correction, Mistake, corrections, one_each, orders_in_prose, pointed_back,
};
use dipjudge_commands::order_words::{OrderWords, Verb};
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::parse_error::ParseError;
use dipjudge_game::project::Sight;
use dipjudge_game::{Phase, Variant};
use dipjudge_grammar::Grammar;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Coast, Location, Power, Province, Terrain, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::Unit;

/// The orders of a line as they can be given now, without giving any: as they stand, or as they were probably meant. `before` is the
/// order before it in the mail.
pub(crate) fn orders_meant(
    work: &mut GameWork,
    power: Power,
    line: &str,
    names: &Names,
    before: Option<&str>,
) -> Vec<String> {
    if closed(work.game(), work.variant(), power).is_some() {
        return Vec::new();
    }
    let variant = work.variant();
    let due = Due::in_phase(&work.game().phase);
    let own = work.take_sight(power, work.lines_of());
    let mut before = before.map(str::to_owned);
    let mut found = Vec::new();
    for order in read_orders_by(grammar_of(variant), line, due, names) {
        match order {
            Ok(words) => {
                let text = words.text.trim().to_owned();
                if consider::consider(&own.sight, variant, &words).is_ok() {
                    found.push(text.clone());
                }
                before = Some(text);
            }
            Err(error) => {
                let meant = meant(&own.sight, variant, names, &error, before.as_deref());
                found.extend(meant.map(|meant| meant.lines));
            }
        }
    }
    work.keep_sight(own);
    found
}

/// The order that a sentence may give to the unit in a province, if it can be given. `moves` are those of the rest of the mail.
pub(crate) fn loose_order(
    work: &mut GameWork,
    power: Power,
    sentence: &str,
    unit: Province,
    names: &Names,
    moves: &[Movement],
) -> Option<String> {
    let variant = work.variant();
    let grammar = grammar_of(variant);
    let own = work.take_sight(power, work.lines_of());
    let board = SeenBoard::new(&own.sight, Whose::Own);
    // "Rome and Naples stay as they are"
    if board.has_order(unit) && left_as_before(grammar, sentence, names).contains(&unit) {
        work.keep_sight(own);
        return None;
    }
    let found = loose_orders(grammar, sentence, unit, names, &board, moves);
    let due = || Due::in_phase(&own.sight.phase);
    let found = found.into_iter().find(|line| {
        let read = read_orders_by(grammar, line, due(), names);
        can_be_given(&own.sight, variant, &read)
    });
    work.keep_sight(own);
    found
}

/// Whether words say that units keep the orders that they have: `Rome and Naples stay as they are`.
pub(super) fn orders_stand(sight: &Sight, grammar: &Grammar, words: &str, names: &Names) -> bool {
    let board = SeenBoard::new(sight, Whose::Own);
    let named = left_as_before(grammar, words, names);
    !named.is_empty() && named.iter().all(|at| board.has_order(*at))
}

/// Whether these are orders, and each can be given.
fn can_be_given(
    sight: &Sight,
    variant: &dyn Variant,
    orders: &[Result<OrderWords, ParseError>],
) -> bool {
    let can_be_given = |words: &OrderWords| {
        let own = words.heading.is_none_or(|power| power == sight.power);
        own && consider::consider(sight, variant, words).is_ok()
    };
    let mut orders = orders.iter().map(Result::as_ref).peekable();
    orders.peek().is_some() && orders.all(|order| order.is_ok_and(can_be_given))
}

/// The builds that words mean, whether or not their writer may build now.
pub(crate) fn builds_meant(
    work: &mut GameWork,
    power: Power,
    words: &str,
    names: &Names,
) -> Vec<String> {
    with_board(work, power, Whose::Own, |grammar, board| {
        orders_of_clauses(grammar, words, PhaseKind::Adjustments, names, board, None)
    })
}

/// The movements that words order for the next phase of movement, by the units that their writer has now or may have then. `before` is
/// the order before them: in `A fleet in Smyrna. In spring that one goes to the Aegean` the one that is built goes. `proposed` are lines
/// of this phase that the mail holds or that are proposed for it: units are named where they will stand then.
pub(crate) fn movements_meant(
    work: &mut GameWork,
    power: Power,
    words: &str,
    names: &Names,
    before: Option<&str>,
    proposed: &[String],
) -> Vec<String> {
    let whose = match work.game().phase {
        Phase::Movement => Whose::OwnAfterMoves,
        _ => Whose::OwnAfterRetreats,
    };
    let due = Due::in_phase(&work.game().phase);
    with_board(work, power, whose, |grammar, board| {
        let moved = match whose {
            Whose::OwnAfterMoves => board.moved(grammar, proposed, names),
            _ => BTreeMap::new(),
        };
        let board = &SeenBoard { moved, ..*board };
        let before = before.and_then(|order| pointed(&read_orders_by(grammar, order, due, names)));
        // By then it stands where it goes now.
        let before = before.map(|pointed| match pointed {
            Pointed::Moved(moved) => Pointed::Held(moved.to),
            Pointed::Held(_) => pointed,
        });
        let read = read_orders_by(grammar, words, PhaseKind::Movement, names).into_iter();
        let in_notation: Option<Vec<String>> = read
            .map(|order| {
                let order = order.ok()?;
                let at = order.unit.as_ref()?.place.province;
                board.is_own(at).then(|| order.text.trim().to_owned())
            })
            .collect();
        let in_notation = in_notation.filter(|orders| !orders.is_empty());
        in_notation.unwrap_or_else(|| {
            orders_of_clauses(grammar, words, PhaseKind::Movement, names, board, before)
        })
    })
}

/// What is read by the board as a power sees it.
fn with_board<T>(
    work: &mut GameWork,
    power: Power,
    whose: Whose,
    read: impl FnOnce(&Grammar, &SeenBoard<'_>) -> T,
) -> T {
    let grammar = grammar_of(work.variant());
    let own = work.take_sight(power, work.lines_of());
    let board = SeenBoard::new(&own.sight, whose);
    let found = read(grammar, &board);
    work.keep_sight(own);
    found
}

/// What a question supposes that units do.
#[derive(Debug, Default)]
pub(crate) struct Supposed {
    /// The orders, each behind the name of its power: `England: Belgium - Holland`.
    pub lines: Vec<String>,
    /// Whether they hold all provinces that the question names.
    pub is_whole: bool,
}

/// The orders of any units in sight that a question supposes.
pub(crate) fn orders_supposed(
    work: &mut GameWork,
    power: Power,
    question: &str,
    names: &Names,
) -> Supposed {
    let variant = work.variant();
    let grammar = grammar_of(variant);
    let Some(supposed) = supposed(grammar, question, names) else {
        return Supposed::default();
    };
    let own = work.take_sight(power, work.lines_of());
    let sight = &own.sight;
    let board = SeenBoard::new(sight, Whose::Anybodys);
    let kind = sight.phase.phase_kind();
    let with_unit = with_unit_of_power(sight, grammar, supposed, names);
    let clauses = with_unit.as_deref().unwrap_or(supposed);
    let orders = kind.map_or_else(Vec::new, |kind| {
        orders_of_clauses(grammar, clauses, kind, names, &board, None)
    });
    let due = Due::in_phase(&sight.phase);
    let with_power = |order: String| {
        let read = read_orders_by(grammar, &order, due.clone(), names);
        let [Ok(words)] = read.as_slice() else {
            return None;
        };
        let at = words.unit.as_ref()?.place.province;
        let mut units = sight.position.units.iter();
        let unit = units.find(|unit| unit.at.province == at)?;
        let power = sight.powers.get(unit.power.index()?)?;
        Some(format!("{}: {order}", power.name))
    };
    let lines: Vec<String> = orders.into_iter().filter_map(with_power).collect();
    let told = provinces_in(grammar, &lines.join(", "), names);
    let is_whole = provinces_in(grammar, supposed, names)
        .iter()
        .all(|named| told.contains(named));
    work.keep_sight(own);
    Supposed { lines, is_whole }
}

/// Words that name a power and a goal, with the only unit of that power that can go there: `the russian goes to Sweden`.
fn with_unit_of_power(
    sight: &Sight,
    grammar: &Grammar,
    words: &str,
    names: &Names,
) -> Option<String> {
    let [goal] = provinces_in(grammar, words, names)[..] else {
        return None;
    };
    let named = |word: &str| {
        let word = word.to_lowercase();
        let plain = word.trim_end_matches('s');
        let mut powers = (0..).map(Power).zip(sight.powers.iter());
        let of_name = |name: &str| [word.as_str(), plain].contains(&name.to_lowercase().as_str());
        let found = powers.find(|(_, info)| of_name(&info.name) || of_name(&info.adjective));
        found.map(|(power, _)| power)
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    let (at, power) = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, named(word)?)))?;
    let reaches = |unit: &&Unit| {
        let travel = sight.map.travel(unit.kind);
        unit.power == power && sight.map.reaches(travel, unit.at, goal)
    };
    // "the German army in the Ruhr" stands there.
    let stands = |unit: &Unit| unit.power == power && unit.at.province == goal;
    let mut units = sight.position.units.iter();
    if units.any(stands) {
        return None;
    }
    let mut near = sight.position.units.iter().filter(reaches);
    let only = near.next().filter(|_| near.next().is_none())?;
    let unit = &sight.map.info(only.at.province)?.name;
    let before = words.get(..at)?.iter().filter(|word| **word != "the");
    let behind = words.get(at + 1..)?;
    // "France goes to the Channel and I go there, too"
    let is_joined = |word: &&str| ["and", "i", "we"].contains(&word.to_lowercase().as_str());
    if behind.iter().any(is_joined) {
        return None;
    }
    let before: Vec<&str> = before.copied().collect();
    Some([&before[..], &[unit.as_str()], behind].concat().join(" "))
}

/// The largest number of mistakes in one order that are corrected.
const MOST_MENDED: usize = 3;

/// What an order that cannot be read was probably meant as.
pub(super) struct OrdersMeant {
    /// The orders, with `; ` between them.
    pub lines: String,
    /// Whether they were found by the words of a sentence, not by correcting a mistake.
    pub by_clauses: bool,
    /// Whether the words say them and nothing else.
    pub is_certain: bool,
}

/// The corrected form of an order that cannot be parsed; `None` unless exactly one possible correction is an order that
/// can be given. `before` is the order before it on the line.
pub(super) fn meant(
    sight: &Sight,
    variant: &dyn Variant,
    names: &Names,
    error: &ParseError,
    before: Option<&str>,
) -> Option<OrdersMeant> {
    let read = |line: &str| {
        let due = Due::in_phase(&sight.phase);
        read_orders_by(grammar_of(variant), line, due, names)
    };
    let orders_meant = |lines: String, by_clauses: bool| {
        let unit_at = |at: Province| {
            let mut units = sight.position.units.iter();
            units
                .find(|unit| unit.at.province == at)
                .map(|unit| unit.kind)
        };
        let is_certain = says_only(grammar_of(variant), &error.text, &lines, names, unit_at);
        OrdersMeant {
            lines,
            by_clauses,
            is_certain,
        }
    };
    let can_be_given =
        |orders: &[Result<OrderWords, ParseError>]| can_be_given(sight, variant, orders);
    let suggested = error.suggestion.as_ref().map(|one| one.line.clone());
    let suggested = suggested.filter(|line| can_be_given(&read(line)));
    let given = |line: &String| can_be_given(&read(line));
    let back = before.and_then(|order| pointed_back(&error.text, order));
    if let Some(lines) = back.filter(given) {
        return Some(orders_meant(lines, true));
    }
    if let Some(line) = one_each(&error.text).filter(given) {
        return Some(orders_meant(line, false));
    }
    let mut found: Vec<String> = suggested.iter().cloned().collect();
    let mut tried = if suggested.is_some() {
        Vec::new()
    } else {
        corrections(error, names)
    };
    for _ in 0..MOST_MENDED {
        let mut next = Vec::new();
        for Correction { line, mistake } in std::mem::take(&mut tried) {
            if !mistake.is_one_of_several() {
                continue;
            }
            let orders = read(&line);
            if can_be_given(&orders) {
                found.push(line);
            } else if let [Err(error)] = orders.as_slice() {
                next.extend(corrections(error, names));
            }
        }
        tried = next;
    }
    found.dedup();
    let mended = match found.len() {
        // "I keep Gascony, so Marseilles goes": the place alone would be removed.
        0 if sight.phase == Phase::Adjustments
            && keeps_unit(grammar_of(variant), &error.text, names) =>
        {
            Vec::new()
        }
        0 => in_prose(sight, &error.text, names, &read, &can_be_given),
        1 => found,
        _ => return None,
    };
    let moved = before.and_then(|order| pointed(&read(order)));
    let clauses = in_clauses(sight, variant, names, error, moved);
    let clauses: Vec<String> = clauses
        .into_iter()
        .filter(|line| can_be_given(&read(line)))
        .collect();
    let grammar = grammar_of(variant);
    let told = |lines: &[String]| -> (usize, usize) {
        let told = lines
            .iter()
            .map(|line| provinces_named(grammar, line, names));
        (told.sum(), lines.len())
    };
    // The reading that understands more is the better one. Of builds and removals it says which they are.
    let says_which = sight.phase == Phase::Adjustments && told(&clauses) == told(&mended);
    let by_clauses =
        mended.is_empty() || told(&clauses) > told(&mended) || says_which && !clauses.is_empty();
    let lines = joined(if by_clauses { &clauses } else { &mended })?;
    Some(orders_meant(lines, by_clauses))
}

/// Why the order cannot be given that words probably mean, the first where they mean several.
pub(super) fn refusal_of_meant(
    sight: &Sight,
    variant: &dyn Variant,
    names: &Names,
    error: &ParseError,
    before: Option<&str>,
) -> Option<String> {
    let due = || Due::in_phase(&sight.phase);
    let moved =
        before.and_then(|order| pointed(&read_orders_by(grammar_of(variant), order, due(), names)));
    let back = before.and_then(|order| pointed_back(&error.text, order));
    let clauses = in_clauses(sight, variant, names, error, moved);
    let mut refused = back.iter().chain(&clauses).filter_map(|line| {
        let read = read_orders_by(grammar_of(variant), line, due(), names);
        let [Ok(words)] = read.as_slice() else {
            return None;
        };
        let sentences = consider::consider(sight, variant, words).err()?;
        Some(format!(
            "I read this as `{line}`.  {}",
            sentences.join("  ")
        ))
    });
    refused.next()
}

fn joined(orders: &[String]) -> Option<String> {
    (!orders.is_empty()).then(|| orders.join("; "))
}

fn in_clauses(
    sight: &Sight,
    variant: &dyn Variant,
    names: &Names,
    error: &ParseError,
    before: Option<Pointed>,
) -> Vec<String> {
    let kind = sight.phase.phase_kind();
    let Some(kind) = kind.filter(|_| !error.is_understood()) else {
        return Vec::new();
    };
    let board = SeenBoard::new(sight, Whose::Own);
    let grammar = grammar_of(variant);
    orders_of_clauses(grammar, &error.text, kind, names, &board, before)
}

/// What the last of these orders says of its unit, to which words behind it may point.
fn pointed(orders: &[Result<OrderWords, ParseError>]) -> Option<Pointed> {
    let last = orders.last()?.as_ref().ok()?;
    match (&last.unit, &last.verb) {
        (Some(unit), Verb::Move { route, .. }) => Some(Pointed::Moved(Movement {
            from: unit.place.province,
            to: route.last()?.province,
        })),
        (Some(unit), Verb::Retreat { to }) => Some(Pointed::Moved(Movement {
            from: unit.place.province,
            to: to.province,
        })),
        (Some(unit), Verb::Hold | Verb::Build | Verb::Adjust) => {
            Some(Pointed::Held(unit.place.province))
        }
        _ => None,
    }
}

/// Whose units a text orders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    /// The writer's, with those that he has dislodged where they may retreat to, and those that he may build.
    OwnAfterRetreats,
    /// The writer's, where they stand or may move to.
    OwnAfterMoves,
    /// Those of all powers: a question supposes what they do.
    Anybodys,
}

/// The board as the writer of an order sees it.
struct SeenBoard<'a> {
    sight: &'a Sight,
    whose: Whose,
    /// Where units will be that move away, by where they are. Empty but for `OwnAfterMoves`.
    moved: BTreeMap<Province, Province>,
}

impl SeenBoard<'_> {
    fn new(sight: &Sight, whose: Whose) -> SeenBoard<'_> {
        SeenBoard {
            sight,
            whose,
            moved: BTreeMap::new(),
        }
    }

    /// Whether the text orders a unit.
    fn is_meant(&self, unit: &Unit) -> bool {
        self.whose == Whose::Anybodys || unit.power == self.sight.power
    }

    /// Whether one of the writer's dislodged units may retreat to a province.
    fn may_retreat_to(&self, province: Province) -> bool {
        let dislodged = self.sight.position.dislodged.iter();
        let mut own = dislodged.filter(|one| one.unit.power == self.sight.power);
        own.any(|one| one.options.iter().any(|to| to.province == province))
    }

    /// Whether one of the writer's units may move to a province.
    fn may_move_to(&self, province: Province) -> bool {
        let Sight { map, position, .. } = self.sight;
        let mut own = position.units_of(self.sight.power);
        own.any(|unit| map.reaches(map.travel(unit.kind), unit.at, province))
    }

    /// The movements of the writer's units that were taken, or that these lines order.
    fn moved(
        &self,
        grammar: &Grammar,
        proposed: &[String],
        names: &Names,
    ) -> BTreeMap<Province, Province> {
        let Sight { orders, .. } = self.sight;
        let taken = self.own_units(None).into_iter().filter_map(|unit| {
            match orders.units.get(&unit.id)? {
                Action::Move { to, .. } => Some((unit.at.province, to.province)),
                _ => None,
            }
        });
        let lines = proposed.iter();
        let read = lines.flat_map(|line| read_orders_by(grammar, line, PhaseKind::Movement, names));
        let proposed = read.filter_map(|order| match pointed(&[order])? {
            Pointed::Moved(moved) => Some((moved.from, moved.to)),
            Pointed::Held(_) => None,
        });
        taken.chain(proposed).collect()
    }

    /// Where a unit will stand.
    fn then_at(&self, unit: &Unit) -> Province {
        let at = unit.at.province;
        self.moved.get(&at).copied().unwrap_or(at)
    }

    /// The units that the text orders, of one kind or of all.
    fn own_units(&self, kind: Option<UnitKind>) -> Vec<&Unit> {
        let own = self.sight.position.units.iter();
        let own = own.filter(|unit| self.is_meant(unit));
        own.filter(|unit| kind.is_none_or(|kind| unit.kind == kind))
            .collect()
    }
}

impl BoardInSight for SeenBoard<'_> {
    fn is_own(&self, province: Province) -> bool {
        let mut units = self.sight.position.units.iter();
        let is_own = units.any(|unit| unit.at.province == province && self.is_meant(unit));
        is_own
            || match self.whose {
                Whose::OwnAfterRetreats => {
                    self.may_retreat_to(province) || self.sites().contains(&province)
                }
                Whose::OwnAfterMoves => self.may_move_to(province),
                Whose::Own | Whose::Anybodys => false,
            }
    }

    fn is_occupied(&self, province: Province) -> bool {
        let mut units = self.sight.position.units.iter();
        units.any(|unit| unit.at.province == province)
    }

    fn is_sea(&self, province: Province) -> bool {
        let info = self.sight.map.info(province);
        info.is_some_and(|info| info.terrain == Terrain::Sea)
    }

    fn has_coast(&self, province: Province, coast: Coast) -> bool {
        let info = self.sight.map.info(province);
        info.is_some_and(|info| info.coasts.contains(&coast))
    }

    fn all_of_kind(&self, kind: UnitKind) -> Vec<Province> {
        let units = self.own_units(Some(kind));
        units.iter().map(|unit| self.then_at(unit)).collect()
    }

    fn all(&self) -> Vec<Province> {
        // Nobody knows where they will be.
        if self.whose == Whose::OwnAfterMoves {
            return Vec::new();
        }
        let units = self.own_units(None);
        units.iter().map(|unit| unit.at.province).collect()
    }

    fn place_of_all(&self) -> Option<Province> {
        let own = self.own_units(None);
        let at = own.first()?.at.province;
        let together = own.len() > 1 && own.iter().all(|unit| unit.at.province == at);
        together.then_some(at)
    }

    fn shared_place(&self) -> Option<Province> {
        let own = self.own_units(None);
        let mut places = own.iter().map(|unit| unit.at.province);
        places.find(|at| self.sight.map.info(*at).is_some_and(|info| info.shared))
    }

    fn only_that_reaches(&self, kind: UnitKind, to: Province) -> Option<Province> {
        let Self { sight, .. } = self;
        let travel = sight.map.travel(kind);
        let own = self.own_units(Some(kind));
        let reaches = |unit: &&&Unit| {
            let at = match self.moved.get(&unit.at.province) {
                Some(moved) => Location::from(*moved),
                None => unit.at,
            };
            sight.map.reaches(travel, at, to)
        };
        let mut near = own.iter().filter(reaches);
        match (own.as_slice(), near.next(), near.next()) {
            ([only], _, _) => Some(self.then_at(only)),
            (_, Some(only), None) => Some(self.then_at(only)),
            _ => None,
        }
    }

    fn sites(&self) -> &[Province] {
        &self.sight.sites
    }

    fn has_order(&self, province: Province) -> bool {
        let own = self.own_units(None).into_iter();
        let mut there = own.filter(|unit| unit.at.province == province);
        there.any(|unit| self.sight.orders.units.contains_key(&unit.id))
    }

    fn only_dislodged(&self) -> Option<Province> {
        let Self { sight, .. } = self;
        let dislodged = sight.position.dislodged.iter();
        let mut own = dislodged.filter(|one| one.unit.power == sight.power);
        let only = own.next().filter(|_| own.next().is_none())?;
        Some(only.unit.at.province)
    }
}

/// The orders that stand in words around them, one at most in each sentence: `I think I'll go with Trieste to Albania. Not
/// sure.` Where just one unit must retreat, or all stand in one place, it need not be named.
fn in_prose(
    sight: &Sight,
    text: &str,
    names: &Names,
    read: &impl Fn(&str) -> Vec<Result<OrderWords, ParseError>>,
    can_be_given: &impl Fn(&[Result<OrderWords, ParseError>]) -> bool,
) -> Vec<String> {
    let dislodged = sight.position.dislodged.iter();
    let mut due = dislodged.filter(|one| one.unit.power == sight.power && !one.options.is_empty());
    let only_one = due.next().filter(|_| due.next().is_none());
    // A unit alone is named by who means it.
    let board = SeenBoard::new(sight, Whose::Own);
    let place = board.place_of_all();
    let at = match sight.phase {
        Phase::Movement => place,
        _ => only_one.map(|one| one.unit.at.province),
    };
    let unit = at.and_then(|at| Some(sight.map.info(at)?.name.clone()));
    let given = |line: &str| {
        let orders = read(line);
        if can_be_given(&orders) {
            return Some(line.trim().trim_end_matches(['?', '!', '.']).to_owned());
        }
        let [Err(error)] = orders.as_slice() else {
            return None;
        };
        let cut = |found: &Correction| found.mistake == Mistake::TextAfter;
        let line = corrections(error, names).into_iter().find(cut)?.line;
        can_be_given(&read(&line)).then_some(line)
    };
    let found = orders_in_prose(text).filter_map(|sentence| {
        sentence.into_iter().find_map(|words| {
            let clause = || given(words.split_once(", ")?.0);
            let with_unit = || given(&format!("{} {words}", unit.as_deref()?));
            let with_arrow = || given(&format!("{} - {words}", unit.as_deref()?));
            given(words)
                .or_else(clause)
                .or_else(with_unit)
                .or_else(with_arrow)
        })
    });
    found.collect()
}
