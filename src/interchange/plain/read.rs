//! Reads a line in one pass.

use dipjudge_rules::adjudicator::plain::{
    MOST_POWERS, PlainDestination, PlainMovement, PlainSubject, Via, members,
};
use dipjudge_rules::map::{PlaceSet, Travel};

use super::cursor::{Behind, Cursor, PlaceRead};
use super::settings;
use super::tokens::Tokens;
use crate::by_engine::SettingsAfterMoves;

/// What is read beside the units and their orders.
pub(super) struct PlainLine<'a> {
    pub(super) id: Option<&'a [u8]>,
    pub(super) phase: PlainPhase,
    /// By power: the centers that it owns.
    pub(super) owned: [PlaceSet; MOST_POWERS],
    pub(super) refused: Vec<RefusedOrder<'a>>,
    pub(super) settings: SettingsAfterMoves,
    /// Whether the engine would answer the line, which tells more, and refuses orders as in a game by mail.
    pub(super) is_for_engine: bool,
}

/// An order that is illegal.
#[derive(Clone, Copy)]
pub(super) struct RefusedOrder<'a> {
    /// The number of the unit that it is for.
    pub(super) unit: u8,
    pub(super) text: &'a [u8],
}

/// A movement phase: `S1901M` or `F1901M`.
#[derive(Clone, Copy)]
pub(super) struct PlainPhase {
    pub(super) name: [u8; 6],
    pub(super) year: [u8; 4],
    pub(super) is_fall: bool,
}

impl PlainPhase {
    fn read(name: &[u8]) -> Option<PlainPhase> {
        let name: [u8; 6] = name.try_into().ok()?;
        let [season @ (b'S' | b'F'), year @ .., b'M'] = name else {
            return None;
        };
        // The year after it has four digits as well.
        let is_year = year.iter().all(u8::is_ascii_digit) && year[0] != b'0' && year != *b"9999";
        is_year.then_some(PlainPhase {
            name,
            year,
            is_fall: season == b'F',
        })
    }
}

impl<'a> PlainLine<'a> {
    /// Reads the line. The keys may have any order, but the orders come behind the state, and no key comes twice.
    pub(super) fn read(
        cursor: &mut Cursor<'a>,
        tokens: &Tokens,
        movement: &mut PlainMovement<'_>,
    ) -> Option<PlainLine<'a>> {
        let (mut id, mut phase, mut state, mut orders) = (None, None, None, None);
        let mut owned = [0; MOST_POWERS];
        let mut refused = Vec::new();
        let (mut settings, mut seed, mut variant, mut map) = (None, None, None, None);
        let mut behind = cursor.open(b'{', b'}')?;
        while behind == Behind::Another {
            match cursor.key()? {
                b"id" if id.is_none() => id = Some(cursor.string()?),
                b"name" if phase.is_none() => phase = Some(PlainPhase::read(cursor.string()?)?),
                b"settings" if settings.is_none() => settings = Some(cursor.flat_object()?),
                b"seed" if seed.is_none() => seed = Some(read_seed(cursor.string()?)?),
                b"variant" if variant.is_none() => {
                    variant = Some(tokens.takes_variant(cursor.string()?)?)
                }
                b"map" if map.is_none() => map = Some(tokens.takes_map(cursor.string()?)?),
                b"state" if state.is_none() => {
                    state = Some(read_state(cursor, tokens, movement, &mut owned)?);
                }
                b"orders" if state.is_some() && orders.is_none() => {
                    cursor.lists(tokens, |cursor, power| {
                        let (start, before) = (cursor.at(), movement.refused());
                        read_order(cursor, tokens, movement, power)?;
                        for unit in members(movement.refused() & !before) {
                            let text = cursor.text_from(start);
                            refused.push(RefusedOrder { unit, text });
                        }
                        Some(())
                    })?;
                    orders = Some(());
                }
                _ => return None,
            }
            behind = cursor.more(b'}')?;
        }
        if !cursor.is_at_end() {
            return None;
        }
        let (phase, ()) = (phase?, state?);
        let variant = match variant {
            Some(named) => named,
            None => tokens.unnamed()?,
        };
        let is_other = !variant.is_unnamed();
        // Its Fall may be followed by the Winter of a game that begins on an empty board.
        if is_other && phase.year == *b"1900" {
            return None;
        }
        let is_for_engine = is_other || settings.is_some();
        let settings = match settings {
            Some(object) => settings::read(variant.variant, object)?,
            None => variant.usual,
        };
        // Whether there can be a convoy is decided by the map alone then.
        if settings.blind && movement.convoyed_by_choice() != 0 {
            return None;
        }
        Some(PlainLine {
            id,
            phase,
            owned,
            refused,
            settings,
            is_for_engine,
        })
    }
}

/// Nothing is drawn in such a game.
fn read_seed(digits: &[u8]) -> Option<()> {
    let is_seed = digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit);
    is_seed.then_some(())
}

/// Units and centers; nobody has retreats.
fn read_state(
    cursor: &mut Cursor<'_>,
    tokens: &Tokens,
    movement: &mut PlainMovement<'_>,
    owned: &mut [PlaceSet; MOST_POWERS],
) -> Option<()> {
    let (mut units, mut centers, mut retreats) = (None, None, None);
    let mut behind = cursor.open(b'{', b'}')?;
    while behind == Behind::Another {
        match cursor.key()? {
            b"units" if units.is_none() => {
                cursor.lists(tokens, |cursor, power| {
                    let travel = cursor.travel()?;
                    let PlaceRead { province, coast } = cursor.place(tokens)?;
                    let station = match coast {
                        None => province,
                        Some(coast) if travel == Travel::Sea => {
                            tokens.stations.coast(province, coast)?
                        }
                        Some(_) => return None,
                    };
                    movement.add(power, travel, station)
                })?;
                units = Some(());
            }
            b"centers" if centers.is_none() => {
                centers = Some(read_centers(cursor, tokens, owned)?);
            }
            b"retreats" if retreats.is_none() => {
                if cursor.open(b'{', b'}')? == Behind::Another {
                    return None;
                }
                retreats = Some(());
            }
            _ => return None,
        }
        behind = cursor.more(b'}')?;
    }
    units?;
    centers
}

fn read_centers(
    cursor: &mut Cursor<'_>,
    tokens: &Tokens,
    owned: &mut [PlaceSet; MOST_POWERS],
) -> Option<()> {
    let mut free = tokens.centers;
    cursor.lists(tokens, |cursor, power| {
        let PlaceRead { province, coast } = cursor.place(tokens)?;
        let center: PlaceSet = 1 << province;
        if coast.is_some() || free & center == 0 {
            return None;
        }
        free &= !center;
        *owned.get_mut(usize::from(power))? |= center;
        Some(())
    })
}

fn read_order(
    cursor: &mut Cursor<'_>,
    tokens: &Tokens,
    movement: &mut PlainMovement<'_>,
    power: u8,
) -> Option<()> {
    let travel = cursor.travel()?;
    let at = cursor.place(tokens)?.province;
    let subject = PlainSubject { power, travel, at };
    cursor.exactly(b" ")?;
    if cursor.exactly(b"H").is_some() {
        return movement.hold(subject);
    }
    if cursor.exactly(b"- ").is_some() {
        let destination = read_destination(cursor, tokens)?;
        let via = if cursor.exactly(b" VIA").is_some() {
            Via::Convoy
        } else {
            Via::Any
        };
        return movement.march(subject, destination, via);
    }
    if cursor.exactly(b"S ").is_some() {
        let helped = cursor.travel()?;
        let of = cursor.place(tokens)?.province;
        if cursor.exactly(b" - ").is_none() {
            return movement.support_hold(subject, helped, of);
        }
        let destination = read_destination(cursor, tokens)?;
        return movement.support_move(subject, helped, of, destination);
    }
    cursor.exactly(b"C A ")?;
    let of = cursor.place(tokens)?.province;
    cursor.exactly(b" - ")?;
    let to = cursor.place(tokens)?.province;
    movement.convoy(subject, of, to)
}

fn read_destination(cursor: &mut Cursor<'_>, tokens: &Tokens) -> Option<PlainDestination> {
    let PlaceRead { province, coast } = cursor.place(tokens)?;
    Some(PlainDestination {
        to: province,
        coast,
    })
}
