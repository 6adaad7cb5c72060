//! Orders in the package's syntax (`A MAR S A PAR - BUR`), read by hand because this is most of what a line costs. What it
//! does not understand goes to the fallback, which reads the judge's own syntax.

use dipjudge_rules::map::{Coast, Location, Map, Province, UnitKind};
use dipjudge_rules::orders::{Action, NewUnit, Passage};

use dipjudge_rules::calendar::PhaseKind;

/// An order as it was said: which unit, by kind and place as far as they were named, and what it shall do.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The unit's kind, if it was named.
    pub kind: Option<UnitKind>,
    /// Where it is; `None` only for `WAIVE`.
    pub at: Option<Location>,
    /// What it shall do.
    pub action: Action,
    /// The kind of the supported or convoyed unit, if it was named.
    pub other_kind: Option<UnitKind>,
}

/// Why a text is no order: a whole sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread(pub String);

/// Reads an order in some other syntax. It is the one place where the judge's own order language is plugged in.
pub type Fallback = dyn Fn(&str, PhaseKind, &Map) -> Result<Spoken, Misread> + Sync;

/// Reads an order.
pub(super) fn read(
    text: &str,
    phase: PhaseKind,
    map: &Map,
    fallback: Option<&Fallback>,
) -> Result<Spoken, Misread> {
    match (package_syntax(text, phase, map), fallback) {
        (Some(spoken), _) => Ok(spoken),
        (None, Some(fallback)) => fallback(text, phase, map),
        (None, None) => Err(Misread("The order cannot be read.".to_owned())),
    }
}

/// The words of an order, one after the other.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let end = self
            .rest
            .iter()
            .position(|&byte| byte == b' ')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// `F STP/SC`
    fn unit(&mut self, map: &Map) -> Option<(UnitKind, Location)> {
        Some((kind(self.next()?)?, self.place(map)?))
    }

    fn place(&mut self, map: &Map) -> Option<Location> {
        place(self.next()?, map)
    }

    fn end(mut self) -> Option<()> {
        self.next().is_none().then_some(())
    }
}

fn kind(word: &[u8]) -> Option<UnitKind> {
    match word {
        b"A" => Some(UnitKind::ARMY),
        b"F" => Some(UnitKind::FLEET),
        _ => None,
    }
}

/// A place of the map in the package's notation.
pub(super) fn place(word: &[u8], map: &Map) -> Option<Location> {
    let (code, coast) = match word {
        [a, b, c] => ([*a, *b, *c], None),
        [a, b, c, b'/', coast @ ..] => ([*a, *b, *c], Some(coast)),
        _ => return None,
    };
    let coast = match coast {
        None => None,
        Some(b"NC") => Some(Coast::North),
        Some(b"SC") => Some(Coast::South),
        Some(b"EC") => Some(Coast::East),
        Some(b"WC") => Some(Coast::West),
        Some(_) => return None,
    };
    let province =
        Province::from_letters(code).filter(|&province| map.number(province).is_some())?;
    Some(Location { province, coast })
}

/// Reads an order in the package's syntax alone.
pub(super) fn package_syntax(text: &str, phase: PhaseKind, map: &Map) -> Option<Spoken> {
    let mut words = Words {
        rest: text.as_bytes(),
    };
    if phase == PhaseKind::Adjustments && text.trim() == "WAIVE" {
        return Some(Spoken {
            kind: None,
            at: None,
            action: Action::Waive,
            other_kind: None,
        });
    }
    let (kind, at) = words.unit(map)?;
    let verb = words.next()?;
    let mut other_kind = None;
    let action = match (phase, verb) {
        (PhaseKind::Movement, b"H") => Action::Hold,
        (PhaseKind::Movement, b"-") => {
            let to = words.place(map)?;
            match words.next() {
                None => Action::Move {
                    to,
                    by: Passage::Auto,
                },
                Some(b"VIA") => Action::Move {
                    to,
                    by: Passage::Convoy,
                },
                Some(_) => return None,
            }
        }
        (PhaseKind::Movement, b"S") => {
            let (other, from) = words.unit(map)?;
            other_kind = Some(other);
            match words.next() {
                None | Some(b"H") => Action::SupportHold { at: from.province },
                Some(b"-") => Action::SupportMove {
                    from: from.province,
                    to: words.place(map)?,
                },
                Some(_) => return None,
            }
        }
        (PhaseKind::Movement, b"C") => {
            let (other, from) = words.unit(map)?;
            other_kind = Some(other);
            (words.next()? == b"-").then_some(())?;
            Action::Convoy {
                from: from.province,
                to: words.place(map)?.province,
            }
        }
        (PhaseKind::Retreats, b"R" | b"-") => Action::Retreat {
            to: words.place(map)?,
        },
        (PhaseKind::Retreats, b"D") => Action::Disband,
        (PhaseKind::Adjustments, b"B") => Action::Build(NewUnit { kind, at }),
        (PhaseKind::Adjustments, b"D") => Action::Remove { at: at.province },
        _ => return None,
    };
    words.end()?;
    Some(Spoken {
        kind: Some(kind),
        at: Some(at),
        action,
        other_kind,
    })
}
