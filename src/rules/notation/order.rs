//! Orders as they are written.

use std::fmt;

use super::NotationError;
use crate::calendar::PhaseKind;
use crate::map::{Coast, Location, Map, Province, UnitKind};
use crate::orders::{Action, NewUnit, Order, Passage};
use crate::position::{NamedUnit, Position, Unit};

/// An order as it is written: it names units by kind and place. An [`Order`] has their ids instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenOrder {
    /// The unit that is ordered, built or removed; `None` for `WAIVE`.
    pub unit: Option<NamedUnit>,
    /// The action that is ordered.
    pub action: Action,
    /// The unit that is supported or convoyed; `None` for other actions.
    pub helped: Option<NamedUnit>,
}

impl WrittenOrder {
    /// Reads an order of a phase.
    ///
    /// ```
    /// use dipjudge_rules::calendar::PhaseKind;
    /// use dipjudge_rules::map::Map;
    /// use dipjudge_rules::notation::WrittenOrder;
    ///
    /// let text = "F NTH C A LON - NWY";
    /// let order = WrittenOrder::read(Map::standard(), PhaseKind::Movement, text)?;
    /// assert_eq!(order.helped.unwrap().to_string(), "A LON");
    /// assert_eq!(order.to_string(), text);
    /// # Ok::<(), dipjudge_rules::notation::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the first word that cannot be read. Whether the order is legal is not checked.
    pub fn read(map: &Map, phase: PhaseKind, text: &str) -> Result<Self, NotationError> {
        if phase == PhaseKind::Adjustments && text.trim() == "WAIVE" {
            return Ok(Self {
                unit: None,
                action: Action::Waive,
                helped: None,
            });
        }
        let mut words = Words {
            rest: text.as_bytes(),
        };
        let unit = words.unit(map)?;
        let verb = words.need("an order")?;
        let mut helped = None;
        let action = match (phase, verb) {
            (PhaseKind::Movement, b"H") => Action::Hold,
            (PhaseKind::Movement, b"-") => words.destination(map)?,
            (PhaseKind::Movement, b"S") => {
                let other = words.unit(map)?;
                helped = Some(other);
                match words.next() {
                    None | Some(b"H") => Action::SupportHold {
                        at: other.at.province,
                    },
                    Some(b"-") => Action::SupportMove {
                        from: other.at.province,
                        to: words.place(map)?,
                    },
                    Some(word) => return Err(unexpected(word)),
                }
            }
            (PhaseKind::Movement, b"C") => {
                let other = words.unit(map)?;
                helped = Some(other);
                words.dash()?;
                Action::Convoy {
                    from: other.at.province,
                    to: words.place(map)?.province,
                }
            }
            (PhaseKind::Retreats, b"R" | b"-") => Action::Retreat {
                to: words.place(map)?,
            },
            (PhaseKind::Retreats, b"D") => Action::Disband,
            (PhaseKind::Adjustments, b"B") => Action::Build(NewUnit {
                kind: unit.kind,
                at: unit.at,
            }),
            (PhaseKind::Adjustments, b"D") => Action::Remove {
                at: unit.at.province,
            },
            _ => return Err(NotationError::UnknownOrder(text_of(verb))),
        };
        if let Some(word) = words.next() {
            return Err(unexpected(word));
        }
        Ok(Self {
            unit: Some(unit),
            action,
            helped,
        })
    }

    /// The written form of an order for a unit of the position. `None` if the position does not have the unit or the unit that
    /// is supported or convoyed, or if the order has no written form: [`Action::Special`] and [`Passage::Land`].
    #[must_use]
    pub fn of(order: &Order, position: &Position) -> Option<Self> {
        let helped = match &order.action {
            Action::Special(..)
            | Action::Move {
                by: Passage::Land, ..
            } => return None,
            Action::SupportHold { at: from }
            | Action::SupportMove { from, .. }
            | Action::Convoy { from, .. } => Some(position.standing(*from)?.into()),
            _ => None,
        };
        Some(Self {
            unit: Some(position.unit(order.unit)?.into()),
            action: order.action.clone(),
            helped,
        })
    }

    /// Finds the unit in the position: among the dislodged units for a retreat or disband, otherwise among the others. The coast
    /// may differ (DATC 6.B.10).
    ///
    /// # Errors
    /// [`NotationError::NoSuchUnit`]; for builds, removals and waivers, which are orders of a power and not of a unit,
    /// [`NotationError::UnknownOrder`].
    pub fn in_position(self, position: &Position) -> Result<Order, NotationError> {
        let Some(named) = self.unit else {
            return Err(NotationError::UnknownOrder(self.to_string()));
        };
        let is_named =
            |unit: &&Unit| unit.kind == named.kind && unit.at.province == named.at.province;
        let found = match self.action {
            Action::Build(_) | Action::Remove { .. } | Action::Waive => {
                return Err(NotationError::UnknownOrder(self.to_string()));
            }
            Action::Retreat { .. } | Action::Disband => {
                let mut dislodged = position.dislodged.iter().map(|dislodged| &dislodged.unit);
                dislodged.find(is_named)
            }
            _ => position.units.iter().find(is_named),
        };
        match found {
            Some(unit) => Ok(Order {
                unit: unit.id,
                action: self.action,
            }),
            None => Err(NotationError::NoSuchUnit(named)),
        }
    }
}

impl fmt::Display for WrittenOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(unit) = &self.unit else {
            return f.write_str("WAIVE");
        };
        match (&self.action, &self.helped) {
            (Action::SupportHold { .. }, Some(helped)) => write!(f, "{unit} S {helped}"),
            (Action::SupportMove { to, .. }, Some(helped)) => {
                write!(f, "{unit} S {helped} - {to}")
            }
            (Action::Convoy { to, .. }, Some(helped)) => write!(f, "{unit} C {helped} - {to}"),
            (action, _) => f.write_str(&action.order_text(unit.kind, unit.at)),
        }
    }
}

/// Reads a place: `STP`, `STP/SC`.
///
/// # Errors
/// [`NotationError::UnknownPlace`] if it is not a place of the map. Whether the province has the coast is not checked.
pub fn place(map: &Map, text: &str) -> Result<Location, NotationError> {
    location(map, text.as_bytes())
}

/// The words of an order that are not read yet.
pub(super) struct Words<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Words<'a> {
    #[inline]
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let blank = self.rest.iter().position(|&byte| byte == b' ');
        let (word, rest) = self
            .rest
            .split_at_checked(blank.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn need(&mut self, what: &'static str) -> Result<&'a [u8], NotationError> {
        self.next().ok_or(NotationError::Missing(what))
    }

    pub(super) fn unit(&mut self, map: &Map) -> Result<NamedUnit, NotationError> {
        Ok(NamedUnit {
            kind: kind(map, self.need("a unit")?)?,
            at: self.place(map)?,
        })
    }

    fn place(&mut self, map: &Map) -> Result<Location, NotationError> {
        location(map, self.need("a place")?)
    }

    fn dash(&mut self) -> Result<(), NotationError> {
        match self.need("`-`")? {
            b"-" => Ok(()),
            word => Err(unexpected(word)),
        }
    }

    /// Reads the part of a move after the first `-`.
    fn destination(&mut self, map: &Map) -> Result<Action, NotationError> {
        let mut to = self.place(map)?;
        let mut seas = Vec::new();
        loop {
            let by = match self.next() {
                None if seas.is_empty() => Passage::Auto,
                None => Passage::Route(seas),
                Some(b"VIA") if seas.is_empty() => Passage::Convoy,
                Some(b"-") => {
                    seas.push(to.province);
                    to = self.place(map)?;
                    continue;
                }
                Some(word) => return Err(unexpected(word)),
            };
            return Ok(Action::Move { to, by });
        }
    }
}

#[inline]
fn kind(map: &Map, word: &[u8]) -> Result<UnitKind, NotationError> {
    match word {
        b"A" => Ok(UnitKind::ARMY),
        b"F" => Ok(UnitKind::FLEET),
        _ => {
            let letters = text_of(word);
            let mut known = map.kinds().iter().map(|info| info.kind);
            match known.find(|kind| kind.as_str() == letters) {
                Some(kind) => Ok(kind),
                None => Err(NotationError::UnknownKind(letters)),
            }
        }
    }
}

#[inline]
fn location(map: &Map, word: &[u8]) -> Result<Location, NotationError> {
    let unknown = || NotationError::UnknownPlace(text_of(word));
    let (code, coast) = match word {
        [a, b, c] => ([*a, *b, *c], None),
        [a, b, c, b'/', coast @ ..] => {
            let coast = match coast {
                b"NC" => Coast::North,
                b"SC" => Coast::South,
                b"EC" => Coast::East,
                b"WC" => Coast::West,
                _ => return Err(unknown()),
            };
            ([*a, *b, *c], Some(coast))
        }
        _ => return Err(unknown()),
    };
    match Province::from_letters(code) {
        Some(province) if map.number(province).is_some() => Ok(Location { province, coast }),
        _ => Err(unknown()),
    }
}

#[cold]
pub(super) fn unexpected(word: &[u8]) -> NotationError {
    NotationError::Unexpected(text_of(word))
}

#[cold]
fn text_of(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}
