//! The orders of a line, which are read, checked against what their power sees, and stored, as those of a mail are.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem;
use std::rc::Rc;

use dipjudge_commands::consider;
use dipjudge_commands::due::Due;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::{OrderWords, PlaceWords, UnitWords, Verb, Waive};
use dipjudge_commands::orders::{begins_own_line, grammar_of, read_orders_by};
use dipjudge_game::project::{Roster, SaidSoFar, Sight, SightsOfPhase};
use dipjudge_game::{DataError, Effect, Game, GameEdit, Phase, Variant, unreadable};
use dipjudge_grammar::Grammar;
use dipjudge_rules::map::{Location, Map, Power, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, NewUnit, Passage};
use dipjudge_rules::position::{Unit, UnitId};
use dipjudge_view::Viewer;

use super::known_texts::{KnownTexts, ReadText};
use crate::board::PowerKeys;
use crate::input::Section;
use crate::order_text::{self, Spoken};
use crate::output::OrderError;

/// Why a text is refused in which the grammar finds nothing.
const UNREADABLE: &str = "The order cannot be read.";

/// The result of the orders.
#[derive(Default)]
pub(super) struct ConsideredOrders {
    /// Refused orders, with the reasons.
    pub(super) errors: Vec<OrderError>,
    /// Units that were ordered, in the order of the orders.
    pub(super) ordered: Vec<UnitId>,
    /// Units for which an order was refused.
    pub(super) refused: BTreeSet<UnitId>,
}

/// The orders of a line, and the powers that give them.
pub(super) struct PowersOrders<'a> {
    /// By the number of the key.
    powers: Vec<Power>,
    orders: &'a Section<'a>,
}

impl<'a> PowersOrders<'a> {
    /// The error is a sentence.
    pub(super) fn of(
        orders: &'a Section<'a>,
        keys: &PowerKeys<'_>,
    ) -> Result<PowersOrders<'a>, DataError> {
        let powers = keys.powers(orders)?;
        Ok(PowersOrders { powers, orders })
    }
}

/// Gives the orders.
pub(super) fn give(edit: &mut GameEdit<'_>, orders: Option<&PowersOrders<'_>>) -> ConsideredOrders {
    let mut given = ConsideredOrders::default();
    let Some(PowersOrders { powers, orders }) = orders else {
        return given;
    };
    let language = OrderLanguage::of(edit);
    let mut sights = SightsOfPhase::of(edit.variant_game());
    edit.events.reserve(orders.entries.len());
    // The orders of one power are one mail.
    for (index, &power) in powers.iter().enumerate() {
        let mut own: Option<OwnSight> = None;
        for (_, text) in orders.entries.iter().filter(|(key, _)| *key == index) {
            let text = text.as_str();
            let considered = language.read(edit, power, text).and_then(|words| {
                let own = own.get_or_insert_with(|| OwnSight::of(&mut sights, edit, power));
                own.update(edit);
                let effects = effects(edit, &mut own.sight, &words);
                if effects.is_err() {
                    let unit = named_unit(&edit.game, power, &words);
                    given.refused.extend(unit);
                }
                effects
            });
            match considered {
                Ok(effects) => {
                    for effect in effects {
                        if let Effect::Order(unit, _) = &effect
                            && !given.ordered.contains(unit)
                        {
                            given.ordered.push(*unit);
                        }
                        edit.emit(effect.event(power));
                    }
                }
                Err(sentence) => given.errors.push(OrderError {
                    power,
                    order: text.to_owned(),
                    sentence: sentence.to_string(),
                }),
            }
        }
    }
    given
}

/// An order that is known to be refused.
pub(crate) struct RefusedText<'a> {
    /// The key of its power.
    pub(crate) power: &'a str,
    pub(crate) text: &'a str,
}

/// Why these orders are refused; `None` if one of them is not.
pub(super) fn refusals(
    game: &Game,
    variant: &dyn Variant,
    refused: &[RefusedText<'_>],
) -> Option<Vec<String>> {
    let keys = PowerKeys::in_game(game, variant.card());
    let edit = GameEdit::of(game, variant, jiff::Timestamp::UNIX_EPOCH);
    let language = OrderLanguage::of(&edit);
    let mut sights = SightsOfPhase::of(edit.variant_game());
    let mut own: Option<Sight> = None;
    let sentence = |order: &RefusedText<'_>| {
        let power = keys.power(order.power).ok()?;
        let sight = match own.take() {
            Some(sight) if sight.power == power => sight,
            _ => sights.sight_of(edit.variant_game(), power),
        };
        let sight = own.insert(sight);
        sight.said = SaidSoFar::default();
        let read = language.read(&edit, power, order.text);
        let effects = read.and_then(|words| effects(&edit, sight, &words));
        effects.err().map(|sentence| sentence.to_string())
    };
    refused.iter().map(sentence).collect()
}

/// The board as a power sees it, made once for its orders and updated with what they do.
struct OwnSight {
    sight: Sight,
    /// The number of events that it includes.
    events: usize,
}

impl OwnSight {
    fn of(sights: &mut SightsOfPhase, edit: &GameEdit<'_>, power: Power) -> OwnSight {
        OwnSight {
            sight: sights.sight_of(edit.variant_game(), power),
            events: edit.events.len(),
        }
    }

    fn update(&mut self, edit: &GameEdit<'_>) {
        let power = self.sight.power;
        match edit.events.get(self.events..) {
            Some([]) => {}
            Some(later) if self.sight.note_orders(later) => {}
            Some(later) if later.iter().all(|event| event.only_gives_orders_of(power)) => {
                self.sight.update_orders(edit.variant_game());
            }
            _ => {
                let said = mem::take(&mut self.sight.said);
                self.sight = edit.variant_game().sight_of(power);
                self.sight.said = said;
            }
        }
        self.events = edit.events.len();
    }
}

/// What one order does, as far as the power can know. What the sight holds of earlier orders goes on with this one. The error is
/// a sentence. A mail is read leniently, but a saved game exactly: a coast that a support names counts (DATC 6.B.9), and builds
/// or removals beyond those due do not displace earlier ones (DATC 6.I.1, 6.J.1).
fn effects(
    edit: &GameEdit<'_>,
    sight: &mut Sight,
    words: &OrderWords,
) -> Result<Vec<Effect>, DataError> {
    let (game, power) = (&edit.game, sight.power);
    let considered =
        consider::consider(sight, edit.variant, words).map_err(|sentences| sentences.join(" "))?;
    let mut effects = considered.effects;
    for effect in &mut effects {
        match (effect, &words.verb) {
            (
                Effect::Order(_, Action::SupportMove { to, .. }),
                Verb::SupportMove { to: named, .. },
            ) => {
                to.coast = to.coast.or(named.coast);
            }
            (Effect::Adjust(now), _) => {
                if let Some(pushed) = pushed_out(&sight.orders.winter, now) {
                    let illegal = match pushed {
                        Action::Remove { .. } => Illegal::NoRemovals(power),
                        _ => Illegal::NoBuilds(power),
                    };
                    return unreadable(illegal.sentence(game.map(), &sight.powers));
                }
            }
            _ => {}
        }
    }
    let mut said = mem::take(&mut sight.said);
    consider::note(&mut said, sight, words, &effects);
    sight.said = said;
    Ok(effects)
}

/// An earlier adjustment that the latest has displaced although it is for another place.
fn pushed_out<'a>(earlier: &'a [Action], now: &[Action]) -> Option<&'a Action> {
    let place = |action: &Action| match action {
        Action::Build(NewUnit { at, .. }) => Some(at.province),
        Action::Remove { at } => Some(*at),
        _ => None,
    };
    let latest = now.last().and_then(place);
    let lost = |action: &&Action| {
        let left = now.iter().filter(|other| other == action).count();
        let had = earlier.iter().filter(|other| other == action).count();
        left < had && (place(action) != latest || latest.is_none())
    };
    earlier.iter().find(lost)
}

/// What the orders of a line are read by.
struct OrderLanguage {
    map: &'static Map,
    roster: Roster,
    grammar: &'static Grammar,
    names: Names,
    known_texts: RefCell<KnownTexts>,
}

impl OrderLanguage {
    /// To make the names of a map ready takes longer than the rest of a line, and most lines of a run share them, so each thread
    /// keeps the language of its last line.
    fn of(edit: &GameEdit<'_>) -> Rc<OrderLanguage> {
        thread_local! {
            static KEPT: RefCell<Option<Rc<OrderLanguage>>> = const { RefCell::new(None) };
        }
        let map = edit.game.map();
        let view = edit.variant_game().seen_by(Viewer::Master);
        let grammar = grammar_of(edit.variant);
        KEPT.with_borrow_mut(|kept| match kept {
            Some(kept)
                if std::ptr::eq(kept.map, map)
                    && std::ptr::eq(kept.grammar, grammar)
                    && view.has_roster(&kept.roster) =>
            {
                Rc::clone(kept)
            }
            _ => {
                let roster = view.roster();
                let language = Rc::new(OrderLanguage {
                    map,
                    names: Names::of(map, &roster),
                    roster,
                    grammar,
                    known_texts: RefCell::new(KnownTexts::new()),
                });
                *kept = Some(Rc::clone(&language));
                language
            }
        })
    }

    /// Reads one order: first by the variant's own lines, as in mails, then in the package's syntax, then in the judge's.
    fn read(
        &self,
        edit: &GameEdit<'_>,
        power: Power,
        text: &str,
    ) -> Result<Rc<OrderWords>, DataError> {
        if power == Power::NEUTRAL {
            return unreadable("Nobody gives orders to neutral units.");
        }
        let phase = &edit.game.phase;
        let mut known = self.known_texts.borrow_mut();
        let ReadText {
            in_package,
            by_grammar,
        } = known.read(phase, text, || self.read_anew(phase, text));
        match (in_package, by_grammar) {
            (Some(words), None) => Ok(words),
            (in_package, Some(Ok(words))) if !matches!(words.verb, Verb::Own(_)) => {
                if words.heading.is_some_and(|heading| heading != power) {
                    return unreadable("This order is headed by another power's name.");
                }
                Ok(in_package.unwrap_or(words))
            }
            (_, Some(Ok(words))) => Ok(words),
            (Some(words), Some(Err(_))) => Ok(words),
            (None, Some(Err(sentence))) => Err(sentence),
            (None, None) => unreadable(UNREADABLE),
        }
    }

    fn read_anew(&self, phase: &Phase, text: &str) -> ReadText {
        let in_package = phase
            .phase_kind()
            .and_then(|kind| order_text::package_syntax(text, kind, self.map))
            .and_then(|spoken| in_words(text, &spoken));
        // The package's syntax has no headings. To ask for the variant's lines alone takes much less time than to read by the
        // whole grammar.
        let is_enough = in_package.is_some() && !begins_own_line(self.grammar, text, &self.names);
        ReadText {
            in_package: in_package.map(Rc::new),
            by_grammar: (!is_enough).then(|| self.read_by_grammar(phase, text)),
        }
    }

    fn read_by_grammar(&self, phase: &Phase, text: &str) -> Result<Rc<OrderWords>, DataError> {
        let due = Due::in_phase(phase);
        let mut read = read_orders_by(self.grammar, text, due, &self.names);
        match (read.pop(), read.is_empty()) {
            (Some(words), true) => words
                .map(Rc::new)
                .map_err(|misread| misread.to_string().into()),
            (Some(_), false) => unreadable("Each order must be a text of its own."),
            (None, _) => unreadable(UNREADABLE),
        }
    }
}

/// Converts an order of the package's syntax to the form of orders in mails.
fn in_words(text: &str, spoken: &Spoken) -> Option<OrderWords> {
    let other = |at: Location| unit_words(spoken.other_kind, at);
    let verb = match &spoken.action {
        Action::Hold => Verb::Hold,
        Action::Move { to, by } => Verb::Move {
            route: vec![place_words(*to)],
            via: *by == Passage::Convoy,
        },
        Action::SupportHold { at } => Verb::SupportHold {
            unit: other((*at).into()),
        },
        Action::SupportMove { from, to } => Verb::SupportMove {
            unit: other((*from).into()),
            to: place_words(*to),
        },
        Action::Convoy { from, to } => Verb::Convoy {
            unit: other((*from).into()),
            to: place_words((*to).into()),
        },
        Action::Retreat { to } => Verb::Retreat {
            to: place_words(*to),
        },
        Action::Disband => Verb::Disband,
        Action::Build(_) => Verb::Build,
        Action::Remove { .. } => Verb::Remove,
        Action::Waive => Verb::Waive(Waive::One),
        Action::Special(_) => return None,
    };
    Some(OrderWords {
        text: text.to_owned(),
        span: 0..text.len(),
        heading: None,
        unit: spoken.at.map(|at| unit_words(spoken.kind, at)),
        verb,
        remarks: Vec::new(),
    })
}

fn unit_words(kind: Option<UnitKind>, at: Location) -> UnitWords {
    UnitWords {
        nation: None,
        kind,
        place: place_words(at),
        number: None,
    }
}

fn place_words(at: Location) -> PlaceWords {
    PlaceWords {
        province: at.province,
        coast: at.coast,
        word: at.province.as_str().to_owned(),
    }
}

/// The power's own unit that a refused order was for.
fn named_unit(game: &Game, power: Power, words: &OrderWords) -> Option<UnitId> {
    let named = words.unit.as_ref()?;
    let is_meant = |unit: &&Unit| {
        unit.power == power
            && unit.at.province == named.place.province
            && named.kind.is_none_or(|kind| kind == unit.kind)
    };
    let position = &game.position;
    let unit = match game.phase {
        Phase::Movement => position.units.iter().find(is_meant),
        Phase::Retreats => position
            .dislodged
            .iter()
            .map(|one| &one.unit)
            .find(is_meant),
        _ => None,
    };
    unit.map(|unit| unit.id)
}
