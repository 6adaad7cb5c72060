//! Changes of a position by the master (README, Decided 18): units that are added, removed or moved, and owners of centers. A
//! variant overrules what it keeps beside the position itself (`Adjudication::overrule`), with the same checks of places and
//! units, and reports it in the same way.

use super::{
    Audience, CommandEffects, Event, Game, GameEdit, Notification, Refusal, Sentence, VariantGame,
    in_play, refuse,
};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Location, Map, Power, Province, UnitKind};
use dipjudge_rules::orders::fights;
use dipjudge_rules::position::{Position, Unit, UnitId};

/// A unit as a master names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedUnit {
    /// Its power, if named.
    pub power: Option<Power>,
    /// Its kind, if named.
    pub kind: Option<UnitKind>,
    /// Where it stands, or is dislodged from.
    pub at: Province,
    /// The number among similar units of one power there, from 1; `None` means the first.
    pub number: Option<i64>,
}

/// A change that a master orders. Places are as he names them: a coast may be missing, or be irrelevant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overruling {
    /// A new unit stands there.
    Place(Power, UnitKind, Location),
    /// A unit stands elsewhere.
    Move(NamedUnit, Location),
    /// A unit is gone.
    Remove(NamedUnit),
    /// A center has this owner, or none.
    Owner(Province, Option<Power>),
}

/// The result of an overruling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overruled {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The text for the master, and for all others where the board is not hidden. It holds nothing that must stay hidden from
    /// anybody.
    pub done: Sentence,
    /// Texts for single powers about what only they may know.
    pub apart: Vec<(Power, Sentence)>,
}

/// Computes the result of an overruling of the board.
///
/// # Errors
/// If it cannot be done; the master reads why.
pub fn on_board(game: &Game, what: &Overruling) -> Result<Overruled, Refusal> {
    let mut board = Board {
        map: game.map(),
        position: game.position.clone(),
    };
    let done = match *what {
        Overruling::Place(power, kind, at) => board.place(power, kind, at)?,
        Overruling::Move(unit, to) => board.set_elsewhere(&unit, to)?,
        Overruling::Remove(unit) => board.remove(&unit)?,
        Overruling::Owner(center, owner) => board.own(center, owner)?,
    };
    Ok(Overruled {
        events: vec![Event::Board {
            position: board.position,
        }],
        done,
        apart: Vec::new(),
    })
}

/// Computes the result of an overruling of what the variant keeps, from a line that its grammar adds.
///
/// # Errors
/// If the variant refuses the line.
pub fn of_variant(edit: &GameEdit, line: &Line) -> Result<Overruled, Refusal> {
    edit.variant.overrule(line, &edit.game, &edit.access())
}

/// All overrulings of one mail, reported together.
#[derive(Clone, Debug)]
pub struct Overrulings {
    before: Game,
    each: Vec<(Overruled, Option<String>)>,
}

impl Overrulings {
    /// Starts without any; `before` is the game before the first.
    pub fn of(before: &Game) -> Overrulings {
        Overrulings {
            before: before.clone(),
            each: Vec::new(),
        }
    }

    /// Adds one that has been applied, with the master's reason.
    pub fn add(&mut self, overruled: Overruled, because: Option<String>) {
        self.each.push((overruled, because));
    }

    /// Events that follow at once, and the notices. In an open game everybody reads what was changed; where parts of the board
    /// are hidden, each power reads what it sees now. `now` is the game after all of them.
    pub fn follow(self, now: VariantGame<'_>) -> CommandEffects {
        let mut follows = now.variant.after_overruling(&self.before, now.game);
        let told = |to: Audience, lines: Vec<Sentence>| Notification {
            lines,
            ..Notification::new(to, Sentence::of("Overruled"))
        };
        if now.hides_board() {
            let words = "The Master has overruled something, in your sight or out of it.  This is what you see now.";
            let mut lines = vec![Sentence::of(words)];
            lines.extend(self.each.iter().filter_map(|(_, because)| reason(because)));
            follows
                .told
                .extend(
                    in_play(now.game, now.variant)
                        .into_iter()
                        .map(|power| Notification {
                            sight_of: Some(power),
                            shows_board: true,
                            ..told(Audience::Power(power), lines.clone())
                        }),
                );
        } else {
            let mut lines = vec![Sentence::of("The master has corrected the board:")];
            for (overruled, because) in &self.each {
                lines.push(overruled.done.clone());
                lines.extend(reason(because));
            }
            follows.told.push(Notification {
                shows_board: true,
                ..told(Audience::Everyone, lines)
            });
        }
        let apart = self.each.into_iter().flat_map(|(each, _)| each.apart);
        let apart = apart.map(|(power, sentence)| told(Audience::Power(power), vec![sentence]));
        follows.told.extend(apart);
        follows
    }
}

fn reason(because: &Option<String>) -> Option<Sentence> {
    let because = because.as_ref()?;
    Some(Sentence::of(format!("Because: {because}")))
}

/// Where a unit of this kind can be put in a province.
///
/// # Errors
/// If another unit that fights stands there, or the unit cannot stand there.
pub fn vacant(
    map: &Map,
    position: &Position,
    kind: UnitKind,
    place: Location,
) -> Result<Location, Refusal> {
    let name = map.full_name(Location::from(place.province));
    let shared = map.info(place.province).is_some_and(|info| info.shared);
    let fights_there = |unit: &Unit| unit.at.province == place.province && fights(map, unit.kind);
    if !shared && fights(map, kind) && position.units.iter().any(fights_there) {
        return refuse(format!(
            "A unit stands in {name} already.  OVERRULE REMOVE or MOVE it first."
        ));
    }
    let stations = map.stations(map.travel(kind), place.province);
    let named = |at: &&Location| place.coast.is_none() || at.coast == place.coast;
    let fitting: Vec<&Location> = match stations.as_slice() {
        // A coast that is irrelevant there is not an error.
        [only] => vec![only],
        several => several.iter().filter(named).collect(),
    };
    match fitting.as_slice() {
        [at] => Ok(**at),
        [] => refuse(format!("Such a unit cannot stand in {name}.")),
        _ => refuse(format!("{name} has several coasts; say which.")),
    }
}

/// The unit that was meant.
///
/// # Errors
/// If there is no such unit, or there are several that are not alike.
pub fn named(map: &Map, position: &Position, named: &NamedUnit) -> Result<Unit, Refusal> {
    let dislodged = position.dislodged.iter().map(|one| &one.unit);
    let mut meant: Vec<&Unit> = position
        .units
        .iter()
        .chain(dislodged)
        .filter(|unit| {
            unit.at.province == named.at
                && named.power.is_none_or(|power| power == unit.power)
                && named.kind.is_none_or(|kind| kind == unit.kind)
        })
        .collect();
    meant.sort_by_key(|unit| unit.id);
    let place = map.full_name(Location::from(named.at));
    let alike = |units: &[&Unit]| {
        units.windows(2).all(|two| match two {
            [one, other] => (one.power, one.kind) == (other.power, other.kind),
            _ => true,
        })
    };
    if !alike(&meant) {
        return refuse(format!(
            "Several units in {place} are called so; name power and kind."
        ));
    }
    let number = named.number.unwrap_or(1);
    let mut numbered = (1..).zip(meant);
    let unit = numbered.find(|(at, _)| *at == number);
    match unit {
        Some((_, unit)) => Ok(*unit),
        None => refuse(format!("There is no such unit in {place}.")),
    }
}

/// `France: Army Burgundy`
pub fn described(map: &Map, unit: &Unit) -> Sentence {
    let kind = map.kind(unit.kind).map(|kind| kind.name.as_str());
    let (kind, place) = (kind.unwrap_or("Unit"), map.full_name(unit.at));
    Sentence::default()
        .power(unit.power)
        .words(format!(": {kind} {place}"))
}

/// A board that is changed.
struct Board {
    map: &'static Map,
    position: Position,
}

impl Board {
    fn place(&mut self, power: Power, kind: UnitKind, at: Location) -> Result<Sentence, Refusal> {
        let at = vacant(self.map, &self.position, kind, at)?;
        let id = self.position.free_id();
        let unit = Unit {
            id,
            power,
            kind,
            at,
        };
        self.position.units.push(unit);
        Ok(described(self.map, &unit).words(" is put on the board."))
    }

    fn set_elsewhere(&mut self, unit: &NamedUnit, to: Location) -> Result<Sentence, Refusal> {
        let unit = named(self.map, &self.position, unit)?;
        self.take_off(unit.id);
        let to = vacant(self.map, &self.position, unit.kind, to)?;
        self.position.units.push(Unit { at: to, ..unit });
        self.position.units.sort_by_key(|unit| unit.id);
        let place = self.map.full_name(to);
        let done = format!(" now stands in {place}; an order given for it is deleted.");
        Ok(described(self.map, &unit).words(done))
    }

    fn remove(&mut self, unit: &NamedUnit) -> Result<Sentence, Refusal> {
        let unit = named(self.map, &self.position, unit)?;
        self.take_off(unit.id);
        Ok(described(self.map, &unit).words(" is taken off the board."))
    }

    fn own(&mut self, center: Province, owner: Option<Power>) -> Result<Sentence, Refusal> {
        let name = self.map.full_name(Location::from(center));
        if !self.map.centers().contains(&center) {
            return refuse(format!("{name} is no supply center."));
        }
        let before = match owner {
            Some(owner) => self.position.owners.insert(center, owner),
            None => self.position.owners.remove(&center),
        };
        if before == owner {
            return refuse(format!("{name} has that owner already."));
        }
        Ok(match owner {
            Some(owner) => Sentence::of(format!("{name} is owned by "))
                .power(owner)
                .words("."),
            None => Sentence::of(format!("{name} is owned by nobody.")),
        })
    }

    fn take_off(&mut self, id: UnitId) {
        self.position.units.retain(|unit| unit.id != id);
        self.position.dislodged.retain(|one| one.unit.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map on which some kinds of units share their province with anything.
    fn map() -> &'static Map {
        let places = "kind DOM  Dirty Old Man Army  land  idle";
        Map::with_places(Map::DEFAULT, places).unwrap()
    }

    const DOM: UnitKind = UnitKind::literal("DOM");

    fn board(units: &[(u8, UnitKind, &str)]) -> Board {
        let mut board = Board {
            map: map(),
            position: Position::default(),
        };
        for (power, kind, at) in units {
            let id = board.position.free_id();
            let (power, at) = (Power(*power), at.parse().unwrap());
            let kind = *kind;
            board.position.units.push(Unit {
                id,
                power,
                kind,
                at,
            });
        }
        board
    }

    fn at(code: &str) -> Location {
        code.parse().unwrap()
    }

    fn unit(power: Option<u8>, kind: Option<UnitKind>, at: &str, number: Option<i64>) -> NamedUnit {
        NamedUnit {
            power: power.map(Power),
            kind,
            at: at.parse().unwrap(),
            number,
        }
    }

    #[test]
    fn only_what_fights_keeps_others_that_fight_away() {
        let mut board = board(&[(2, UnitKind::ARMY, "BUR"), (2, DOM, "GAS")]);
        assert!(board.place(Power(3), UnitKind::ARMY, at("BUR")).is_err());
        assert!(board.place(Power(3), DOM, at("BUR")).is_ok());
        assert!(board.place(Power(3), DOM, at("BUR")).is_ok());
        assert!(
            board
                .place(Power::NEUTRAL, UnitKind::ARMY, at("GAS"))
                .is_ok()
        );
        let moved = board.set_elsewhere(&unit(None, Some(DOM), "GAS", None), at("BUR"));
        assert!(moved.is_ok());
    }

    #[test]
    fn of_like_units_the_first_is_meant_or_the_one_that_is_numbered() {
        let units = [(2, DOM, "BUR"), (2, DOM, "BUR"), (3, DOM, "BUR")];
        let Board { map, position } = board(&units);
        let meant = |power, number| {
            let unit = named(map, &position, &unit(power, None, "BUR", number));
            unit.map(|unit| unit.id.0)
        };
        let ids: Vec<u32> = position.units.iter().map(|unit| unit.id.0).collect();
        assert_eq!(meant(Some(2), None), Ok(ids[0]));
        assert_eq!(meant(Some(2), Some(2)), Ok(ids[1]));
        assert_eq!(meant(Some(3), Some(1)), Ok(ids[2]));
        assert!(meant(Some(2), Some(3)).is_err());
        assert!(meant(Some(2), Some(0)).is_err());
        assert!(
            meant(None, None)
                .unwrap_err()
                .text()
                .contains("name power and kind")
        );
    }

    #[test]
    fn a_fleet_goes_from_one_coast_to_the_other() {
        let mut board = board(&[(5, UnitKind::FLEET, "STP/SC")]);
        let fleet = unit(None, None, "STP", None);
        assert!(board.set_elsewhere(&fleet, at("STP/NC")).is_ok());
        assert_eq!(board.position.units[0].at, at("STP/NC"));
    }
}
