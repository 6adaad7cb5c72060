//! A master's last word on a position (README, Decided 18): units put on the board, taken off or set elsewhere, and owners of
//! centers. What a variant keeps beside the position is its own to overrule.

use super::{Audience, Event, Game, Happened, Sentence, Told, Variant, horizon, in_play};
use crate::map::{Location, Power, Province, UnitKind};
use crate::position::{Position, Unit, UnitId};

/// A unit as a master names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedUnit {
    /// Its power, if named.
    pub power: Option<Power>,
    /// Its kind, if named.
    pub kind: Option<UnitKind>,
    /// Where it stands, or is dislodged from.
    pub at: Province,
}

/// What a master says is otherwise than the board has it. Places are as he names them: a coast may be missing, or mean nothing.
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

/// What comes of it: the board as it is from now on, and who is told what. In an open game all read what was changed; where
/// parts of the board are hidden each power reads what it sees now.
///
/// # Errors
/// A sentence for the master.
pub fn overrule(
    game: &Game,
    variant: &dyn Variant,
    what: &Overruling,
    because: Option<&str>,
) -> Result<Happened, String> {
    let mut board = Board {
        game,
        position: game.position.clone(),
    };
    let done = match *what {
        Overruling::Place(power, kind, at) => board.place(power, kind, at)?,
        Overruling::Move(unit, to) => board.set_elsewhere(&unit, to)?,
        Overruling::Remove(unit) => board.remove(&unit)?,
        Overruling::Owner(center, owner) => board.own(center, owner)?,
    };
    let reason = because.map(|because| Sentence::of(format!("Because: {because}")));
    let told = |to: Audience, lines: Vec<Sentence>, sight_of: Option<Power>| Told {
        to,
        subject: Sentence::of("Overruled"),
        lines: lines.into_iter().chain(reason.clone()).collect(),
        sight_of,
        ..Told::default()
    };
    let told = if horizon::hides(game, variant) {
        let seen = |power| {
            let words = "The Master has overruled something, be it in your sight or not.  This is what you see now.";
            told(
                Audience::Power(power),
                vec![Sentence::of(words)],
                Some(power),
            )
        };
        in_play(game, variant).into_iter().map(seen).collect()
    } else {
        let first = Sentence::of("The Master has overruled:");
        vec![told(Audience::Everyone, vec![first, done.clone()], None)]
    };
    Ok(Happened {
        events: vec![Event::Board {
            position: board.position,
        }],
        said: vec![done],
        told,
    })
}

/// A board that is changed.
struct Board<'g> {
    game: &'g Game,
    position: Position,
}

impl Board<'_> {
    fn place(&mut self, power: Power, kind: UnitKind, at: Location) -> Result<Sentence, String> {
        let at = self.vacant(kind, at)?;
        let id = self.position.free_id();
        let unit = Unit {
            id,
            power,
            kind,
            at,
        };
        self.position.units.push(unit);
        Ok(self.unit(&unit).words(" is put on the board."))
    }

    fn set_elsewhere(&mut self, named: &NamedUnit, to: Location) -> Result<Sentence, String> {
        let unit = self.named(named)?;
        let to = self.vacant(unit.kind, to)?;
        self.take_off(unit.id);
        self.position.units.push(Unit { at: to, ..unit });
        self.position.units.sort_by_key(|unit| unit.id);
        let place = self.game.map().full_name(to);
        let done = format!(" now stands in {place}; an order given for it is deleted.");
        Ok(self.unit(&unit).words(done))
    }

    fn remove(&mut self, named: &NamedUnit) -> Result<Sentence, String> {
        let unit = self.named(named)?;
        self.take_off(unit.id);
        Ok(self.unit(&unit).words(" is taken off the board."))
    }

    fn own(&mut self, center: Province, owner: Option<Power>) -> Result<Sentence, String> {
        let map = self.game.map();
        let name = map.full_name(Location::from(center));
        if !map.centers().contains(&center) {
            return Err(format!("{name} is no supply center."));
        }
        let before = match owner {
            Some(owner) => self.position.owners.insert(center, owner),
            None => self.position.owners.remove(&center),
        };
        if before == owner {
            return Err(format!("{name} has that owner already."));
        }
        Ok(match owner {
            Some(owner) => Sentence::of(format!("{name} is owned by "))
                .power(owner)
                .words("."),
            None => Sentence::of(format!("{name} is owned by nobody.")),
        })
    }

    /// Where a unit of this kind can be put in a province.
    fn vacant(&self, kind: UnitKind, place: Location) -> Result<Location, String> {
        let map = self.game.map();
        let name = map.full_name(Location::from(place.province));
        let shared = map.info(place.province).is_some_and(|info| info.shared);
        if !shared && self.position.standing(place.province).is_some() {
            return Err(format!(
                "A unit stands in {name} already.  OVERRULE REMOVE or MOVE it first."
            ));
        }
        let stations = map.stations(map.travel(kind), place.province);
        let named = |at: &&Location| place.coast.is_none() || at.coast == place.coast;
        let fitting: Vec<&Location> = match stations.as_slice() {
            // A coast that means nothing there is no mistake.
            [only] => vec![only],
            several => several.iter().filter(named).collect(),
        };
        match fitting.as_slice() {
            [at] => Ok(**at),
            [] => Err(format!("Such a unit cannot stand in {name}.")),
            _ => Err(format!("{name} has several coasts; say which.")),
        }
    }

    /// The unit that was meant.
    fn named(&self, named: &NamedUnit) -> Result<Unit, String> {
        let dislodged = self.position.dislodged.iter().map(|one| &one.unit);
        let mut meant = self.position.units.iter().chain(dislodged).filter(|unit| {
            unit.at.province == named.at
                && named.power.is_none_or(|power| power == unit.power)
                && named.kind.is_none_or(|kind| kind == unit.kind)
        });
        let place = || {
            let at = Location::from(named.at);
            self.game.map().full_name(at)
        };
        match (meant.next(), meant.next()) {
            (Some(unit), None) => Ok(*unit),
            (None, _) => Err(format!("There is no such unit in {}.", place())),
            (Some(_), Some(_)) => Err(format!(
                "Several units in {} are called so; name power and kind.",
                place()
            )),
        }
    }

    fn take_off(&mut self, id: UnitId) {
        self.position.units.retain(|unit| unit.id != id);
        self.position.dislodged.retain(|one| one.unit.id != id);
    }

    /// `France: Army Burgundy`
    fn unit(&self, unit: &Unit) -> Sentence {
        let map = self.game.map();
        let kind = map.kind(unit.kind).map(|kind| kind.name.as_str());
        let (kind, place) = (kind.unwrap_or("Unit"), map.full_name(unit.at));
        Sentence::default()
            .power(unit.power)
            .words(format!(": {kind} {place}"))
    }
}
