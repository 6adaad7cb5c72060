//! Orders as their sender meant them, held against the board as the sender sees it: no `Game` is in reach here, so no
//! answer can betray what is hidden (`visibility.md` 10.1).

use super::crowd::{self, Nobody, is_crowded};
use super::hidden;
use super::order_words::{OrderWords, PlaceWords, UnitWords, Verb, Waive};
use crate::game::project::Sight;
use crate::game::{Ask, Considered, Deed, Phase, Slip, Variant};
use crate::map::{Coast, Location, Map, Power, Province, UnitKind};
use crate::orders::{Action, Illegal, Passage, arrival, legal, legal_retreat};
use crate::position::{Unit, UnitId};

/// Holds one order against the sender's sight; the error is sentences that say why it cannot be given.
pub fn consider(
    sight: &Sight,
    variant: &dyn Variant,
    words: &OrderWords,
) -> Result<Considered, Vec<String>> {
    let mut notes: Vec<String> = words
        .remarks
        .iter()
        .map(|remark| format!("{remark} was taken for a comment."))
        .collect();
    let deed = match (&sight.phase, &words.verb) {
        (_, Verb::Own(line)) => {
            let mut considered = variant.read(line, sight)?;
            notes.append(&mut considered.notes);
            considered.notes = notes;
            return Ok(considered);
        }
        (Phase::Movement, _) => movement(sight, words, &mut notes),
        (Phase::Retreats, _) => retreat(sight, words, &mut notes).map(Told::from),
        (Phase::Adjustments, _) => adjustment(sight, words, &mut notes).map(Told::from),
        (Phase::Ownership | Phase::Own(_), _) => Err(Fault::Said(match &sight.ask {
            Some(Ask::Own(due)) => format!("In this phase only these are due from you: {due}."),
            _ => "No orders are due from you in this phase.".to_owned(),
        })),
    };
    match deed {
        Ok(Told { deed, aside }) => {
            let mut considered = variant.reconsider(deed, sight)?;
            considered.deeds.extend(aside);
            notes.append(&mut considered.notes);
            considered.notes = notes;
            Ok(considered)
        }
        Err(Fault::Said(sentence)) => Err(vec![sentence]),
        Err(Fault::Illegal(illegal)) => {
            if let Some(sentence) = variant.objection(&illegal, sight) {
                return Err(vec![sentence]);
            }
            let mut sentences = vec![illegal.sentence(sight.map, &sight.powers)];
            sentences.extend(also_meant(sight, words, &illegal));
            Err(sentences)
        }
    }
}

/// The units that a line ordered, as the lines of the same mail behind it should know (`Sight::ordered_just_now`).
pub fn ordered(sight: &Sight, words: &OrderWords, deeds: &[Deed]) -> Vec<UnitId> {
    crowd::ordered(sight, words, deeds)
}

/// The kind that a support or convoy names for its unit.
pub fn named_kind(words: &OrderWords) -> Option<UnitKind> {
    match &words.verb {
        Verb::SupportHold { unit } | Verb::SupportMove { unit, .. } | Verb::Convoy { unit, .. } => {
            unit.kind
        }
        _ => None,
    }
}

/// What an order comes to, and what goes with it.
struct Told {
    deed: Deed,
    aside: Vec<Deed>,
}

impl From<Deed> for Told {
    fn from(deed: Deed) -> Told {
        Told {
            deed,
            aside: Vec::new(),
        }
    }
}

/// Why an order cannot be given.
pub(super) enum Fault {
    Illegal(Illegal),
    Said(String),
}

impl From<Illegal> for Fault {
    fn from(illegal: Illegal) -> Fault {
        Fault::Illegal(illegal)
    }
}

pub(super) fn said<T>(sentence: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Said(sentence.into()))
}

/// A short name that was understood, but cannot be meant, may have meant a neighbour (`judge-workflow.md` 3.3 c).
fn also_meant(sight: &Sight, words: &OrderWords, illegal: &Illegal) -> Option<String> {
    let Illegal::CannotReach(party, to) = illegal else {
        return None;
    };
    let Verb::Move { route, .. } = &words.verb else {
        return None;
    };
    let word = route.last()?.word.to_lowercase();
    let travel = sight.map.travel(party.kind);
    let near = sight
        .map
        .reach(travel, party.at)
        .iter()
        .map(|place| place.province)
        .filter(|p| *p != to.province);
    let mut meant: Vec<String> = near
        .filter(|province| {
            name(sight.map, *province).to_lowercase().starts_with(&word) && word.len() >= 3
        })
        .map(|province| format!("{} ({province})", name(sight.map, province)))
        .collect();
    meant.dedup();
    (!meant.is_empty()).then(|| {
        format!(
            "\"{word}\" is read as {}; did you mean {}?",
            name(sight.map, to.province),
            meant.join(" or ")
        )
    })
}

pub(super) fn name(map: &Map, province: Province) -> String {
    map.full_name(Location::from(province))
}

// Movement ---------------------------------------------------------------------

fn movement(sight: &Sight, words: &OrderWords, notes: &mut Vec<String>) -> Result<Told, Fault> {
    let Some(named) = &words.unit else {
        return said("No builds are due in this phase, so there is nothing to waive.");
    };
    let (unit, ended) = ordered_unit(sight, named, notes)?;
    let helped = match &words.verb {
        Verb::SupportHold { unit } | Verb::SupportMove { unit, .. } | Verb::Convoy { unit, .. } => {
            Some(unit).filter(|unit| is_crowded(sight.map, unit.place.province))
        }
        _ => None,
    };
    let meant = match helped {
        Some(helped) => Some(crowd::with_meant_only(sight, helped)?),
        None => None,
    };
    // Where the board is partly hidden, an order is checked against the map and the own unit alone.
    let units = match sight.horizon {
        None => Some(meant.as_deref().unwrap_or(&sight.position.units)),
        Some(_) => None,
    };
    let check = |action: Action| -> Result<Told, Fault> {
        legal(sight.map, &sight.overlay, &unit, &action, units)?;
        let mut aside: Vec<Deed> = ended.iter().map(|other| Deed::Withdraw(*other)).collect();
        if let Some(helped) = helped {
            let whose = Some(crowd::meant(sight, helped)).filter(|whose| *whose != unit.power);
            aside.push(Deed::Slip(Slip::meaning(unit.id, whose)));
        }
        Ok(Told {
            deed: Deed::Order(unit.id, action),
            aside,
        })
    };
    match &words.verb {
        Verb::Hold => check(Action::Hold),
        Verb::Move { route, via } => go(sight, &unit, route, *via, notes).and_then(check),
        Verb::SupportHold { unit: other } => {
            other_unit(sight, other, notes)?;
            check(Action::SupportHold {
                at: other.place.province,
            })
        }
        Verb::SupportMove { unit: other, to } => {
            other_unit(sight, other, notes)?;
            let action = Action::SupportMove {
                from: other.place.province,
                to: to.province.into(),
            };
            if sight.horizon.is_some() {
                hidden::could_go(sight, &unit, other, to.province)?;
            }
            note_own_target(sight, &unit, to, notes);
            check(action)
        }
        Verb::Convoy { unit: other, to } => {
            other_unit(sight, other, notes)?;
            if other.kind.is_some_and(|kind| kind != UnitKind::ARMY) {
                return said("Only armies can be convoyed.");
            }
            check(Action::Convoy {
                from: other.place.province,
                to: to.province,
            })
        }
        Verb::Proxy { to, .. } if sight.proxy => match *to == sight.power {
            true => said("A unit cannot be lent to its own power."),
            false => Ok(Deed::Lend(unit.id, *to).into()),
        },
        Verb::Proxy { .. } => said("This game does not allow proxy orders."),
        Verb::Disband => said("This game does not allow disband orders in movement phases."),
        Verb::Retreat { .. } => said(format!(
            "The {} was not dislodged; use - or \"moves to\" for a move.",
            party(sight, &unit)
        )),
        Verb::Build | Verb::Remove | Verb::Maintain | Verb::Adjust | Verb::Waive(_) => said(
            "Builds and removals are for adjustment phases; PHASE WINTER and a year before it stores one for then.",
        ),
        Verb::Own(_) => said("This line is not an order of this variant."),
    }
}

/// The unit that an order is for, and others of its crowd whose orders of earlier mails end.
fn ordered_unit(
    sight: &Sight,
    named: &UnitWords,
    notes: &mut Vec<String>,
) -> Result<(Unit, Vec<UnitId>), Fault> {
    let province = named.place.province;
    if is_crowded(sight.map, province) {
        return crowd::next(sight, named).map_err(|nobody| nobody_left(sight, named, nobody));
    }
    let found = sight.position.standing(province);
    own_unit(sight, named, found, notes).map(|unit| (unit, Vec::new()))
}

fn nobody_left(sight: &Sight, named: &UnitWords, nobody: Nobody) -> Fault {
    match nobody {
        Nobody::There(illegal) => illegal.into(),
        Nobody::Left(count) => Fault::Said(format!(
            "You have only {count} {} in {}, and the lines above order {}.",
            several(sight, named, count),
            name(sight.map, named.place.province),
            if count == 1 { "it" } else { "all of them" }
        )),
    }
}

/// `armies`, where an order named the kind.
fn several(sight: &Sight, named: &UnitWords, count: usize) -> String {
    let info = named.kind.and_then(|kind| sight.map.kind(kind));
    let one = info.map_or_else(|| "unit".to_owned(), |info| info.name.to_lowercase());
    match one.strip_suffix('y') {
        _ if count == 1 => one,
        Some(stem) => format!("{stem}ies"),
        None => format!("{one}s"),
    }
}

/// The unit that an order names, if it is there and the sender's to order.
fn own_unit(
    sight: &Sight,
    named: &UnitWords,
    found: Option<&Unit>,
    notes: &mut Vec<String>,
) -> Result<Unit, Fault> {
    let province = named.place.province;
    if sight.horizon.is_some() && !found.is_some_and(|unit| hidden::own(sight, unit)) {
        return said(hidden::no_unit(sight, province));
    }
    let Some(unit) = found else {
        return Err(Illegal::NothingThere(named.kind, province).into());
    };
    if unit.power == Power::NEUTRAL {
        return said(format!(
            "The {} is neutral and takes no orders.",
            party(sight, unit)
        ));
    }
    if unit.power != sight.power && !sight.borrowed.contains(&unit.id) {
        return Err(Illegal::NotYours(unit.into(), sight.power).into());
    }
    if let Some(kind) = named.kind.filter(|kind| *kind != unit.kind) {
        return Err(Illegal::WrongKind(unit.into(), kind).into());
    }
    if let Some(nation) = named.nation.filter(|nation| *nation != unit.power) {
        return Err(Illegal::NotYours(unit.into(), nation).into());
    }
    if named.place.coast.is_some() && named.place.coast != unit.at.coast {
        notes.push(format!(
            "The {} is ordered, whatever coast was named.",
            party(sight, unit)
        ));
    }
    Ok(*unit)
}

/// The unit that is to be helped, if one is in sight: the right kind, the right nation.
fn other_unit(sight: &Sight, named: &UnitWords, notes: &mut Vec<String>) -> Result<(), Fault> {
    if is_crowded(sight.map, named.place.province) {
        // Which of those in there is meant was settled before.
        return Ok(());
    }
    if let Some(horizon) = &sight.horizon {
        notes.extend(hidden::note(sight, horizon, named));
        return Ok(());
    }
    let Some(unit) = sight.position.standing(named.place.province) else {
        return Ok(());
    };
    if let Some(kind) = named.kind.filter(|kind| *kind != unit.kind) {
        return Err(Illegal::WrongKind(unit.into(), kind).into());
    }
    if let Some(nation) = named.nation.filter(|nation| *nation != unit.power) {
        return Err(Illegal::NotYours(unit.into(), nation).into());
    }
    Ok(())
}

pub(super) fn party(sight: &Sight, unit: &Unit) -> String {
    let kind = sight
        .map
        .kind(unit.kind)
        .map_or_else(|| unit.kind.to_string(), |info| info.name.to_lowercase());
    format!("{kind} in {}", sight.map.full_name(unit.at))
}

fn go(
    sight: &Sight,
    unit: &Unit,
    route: &[PlaceWords],
    via: bool,
    notes: &mut Vec<String>,
) -> Result<Action, Fault> {
    let Some((last, seas)) = route.split_last() else {
        return said("A move needs a destination.");
    };
    let to = destination(sight, unit, last, notes)?;
    let by = if !seas.is_empty() {
        Passage::Route(seas.iter().map(|sea| sea.province).collect())
    } else if via {
        Passage::Convoy
    } else {
        Passage::Auto
    };
    Ok(Action::Move { to, by })
}

/// Where a unit goes, its coast settled: an army's is dropped; a fleet that has two within reach and named none gets
/// the first (`judge-workflow.md` 3.4).
fn destination(
    sight: &Sight,
    unit: &Unit,
    to: &PlaceWords,
    notes: &mut Vec<String>,
) -> Result<Location, Fault> {
    let wanted = Location {
        province: to.province,
        coast: to.coast,
    };
    if unit.kind == UnitKind::ARMY {
        if to.coast.is_some() {
            notes.push(format!(
                "An army needs no coast; it moves to {}.",
                name(sight.map, to.province)
            ));
        }
        return Ok(Location::from(to.province));
    }
    match arrival(sight.map, &sight.overlay, unit, wanted) {
        Ok(location) => Ok(location),
        Err(Illegal::CoastNeeded(..)) if !sight.strict_coasts => {
            let within = sight.map.reach(sight.map.travel(unit.kind), unit.at).iter();
            let coasts: Vec<Location> = within
                .filter(|place| place.province == to.province)
                .copied()
                .collect();
            let first = [Coast::North, Coast::South, Coast::East, Coast::West]
                .into_iter()
                .find_map(|coast| coasts.iter().find(|place| place.coast == Some(coast)));
            let Some(first) = first else {
                return Err(Illegal::CannotReach(unit.into(), wanted).into());
            };
            notes.push(format!(
                "Warning: two coasts are within reach and none was named; {} is taken.",
                sight.map.full_name(*first)
            ));
            Ok(*first)
        }
        // Not adjacent: the check of the whole order says what is wrong.
        Err(Illegal::CannotReach(..)) => Ok(wanted),
        Err(illegal) => Err(illegal.into()),
    }
}

/// A support of an attack on one's own unit counts for nothing, which is worth a word.
fn note_own_target(sight: &Sight, unit: &Unit, to: &PlaceWords, notes: &mut Vec<String>) {
    let target = sight.position.standing(to.province);
    if target.is_some_and(|target| target.power == unit.power) {
        notes.push(format!(
            "Your own unit stands in {}: no support dislodges it.",
            name(sight.map, to.province)
        ));
    }
}

// Retreats ---------------------------------------------------------------------

fn retreat(sight: &Sight, words: &OrderWords, notes: &mut Vec<String>) -> Result<Deed, Fault> {
    let Some(named) = &words.unit else {
        return said("No builds are due in this phase.");
    };
    let province = named.place.province;
    if is_crowded(sight.map, province) {
        let (unit, _) = ordered_unit(sight, named, notes)?;
        return Err(Illegal::NotDislodged((&unit).into()).into());
    }
    let dislodged = sight
        .position
        .dislodged_from(province)
        .filter(|dislodged| sight.horizon.is_none() || hidden::own(sight, &dislodged.unit));
    let found = dislodged
        .map(|dislodged| &dislodged.unit)
        .or(sight.position.standing(province));
    let unit = own_unit(sight, named, found, notes)?;
    let action = match &words.verb {
        Verb::Retreat { to } => retreat_to(dislodged, to),
        Verb::Move { route, .. } => match route.as_slice() {
            [to] => retreat_to(dislodged, to),
            _ => return said("A retreat goes to a neighbouring province, not by convoy."),
        },
        Verb::Disband | Verb::Remove => Action::Disband,
        _ => return said("A dislodged unit can only retreat (A Bur - Gas) or disband (A Bur D)."),
    };
    match legal_retreat(&unit, dislodged, &action) {
        Err(Illegal::CannotRetreat(..)) if sight.horizon.is_some() => {
            return said(hidden::open_to(sight, &unit, dislodged));
        }
        done => done?,
    }
    Ok(Deed::Order(unit.id, action))
}

/// The retreat with the coast that the list of retreats has, where only one fits.
fn retreat_to(dislodged: Option<&crate::position::Dislodged>, to: &PlaceWords) -> Action {
    let options = dislodged.map_or(&[][..], |dislodged| dislodged.options.as_slice());
    let fitting: Vec<&Location> = options
        .iter()
        .filter(|option| {
            option.province == to.province
                && (to.coast.is_none() || option.coast.is_none() || option.coast == to.coast)
        })
        .collect();
    match fitting.as_slice() {
        [only] => Action::Retreat { to: **only },
        _ => Action::Retreat {
            to: Location {
                province: to.province,
                coast: to.coast,
            },
        },
    }
}

// Adjustments ------------------------------------------------------------------

fn adjustment(sight: &Sight, words: &OrderWords, notes: &mut Vec<String>) -> Result<Deed, Fault> {
    let (builds, removals) = match sight.ask {
        Some(Ask::Adjust {
            builds, removals, ..
        }) => (builds, removals),
        _ => (0, 0),
    };
    let mut winter = sight.orders.winter.clone();
    match &words.verb {
        Verb::Build => build(sight, words, builds, &mut winter)?,
        Verb::Remove | Verb::Disband => remove(sight, words, removals, &mut winter, notes)?,
        Verb::Adjust if removals > 0 => remove(sight, words, removals, &mut winter, notes)?,
        Verb::Adjust => build(sight, words, builds, &mut winter)?,
        Verb::Waive(count) => {
            if builds == 0 {
                return Err(Illegal::NoBuilds(sight.power).into());
            }
            let given = winter.len();
            let more = match count {
                Waive::One => 1,
                Waive::Number(n) => usize::try_from(*n).unwrap_or(usize::MAX).min(builds),
                Waive::All => builds.saturating_sub(given),
            };
            winter.extend((0..more).map(|_| Action::Waive));
        }
        Verb::Maintain => return said("Units need no order to stay in this game."),
        _ => {
            return said(
                "This phase takes builds (Build A Par), removals (Remove A Par) and waivers (Waive).",
            );
        }
    }
    // The earliest are pushed out by those that came last (`judge-workflow.md` 3.8).
    let most = builds.max(removals);
    let surplus = winter.len().saturating_sub(most);
    winter.drain(..surplus);
    Ok(Deed::Adjust(winter))
}

fn build(
    sight: &Sight,
    words: &OrderWords,
    builds: usize,
    winter: &mut Vec<Action>,
) -> Result<(), Fault> {
    let Some(named) = &words.unit else {
        return said("Say what to build and where: Build A Par.");
    };
    if builds == 0 {
        return Err(Illegal::NoBuilds(sight.power).into());
    }
    let Some(kind) = named.kind else {
        return said("Unit type must be specified for build: Build A or Build F, then the place.");
    };
    let province = named.place.province;
    let Some(info) = sight.map.info(province).filter(|info| info.center) else {
        return Err(Illegal::NoCenter(province).into());
    };
    let owned = sight.position.owners.get(&province) == Some(&sight.power);
    // Whether a foreign center is occupied is not for everybody to know.
    if !owned && sight.horizon.is_some() {
        return Err(Illegal::NotOwned(province, sight.power).into());
    }
    if sight.position.standing(province).is_some() {
        return Err(Illegal::Occupied(province).into());
    }
    if !owned {
        return Err(Illegal::NotOwned(province, sight.power).into());
    }
    if !sight.sites.contains(&province) {
        return Err(Illegal::NotHome(province, sight.power).into());
    }
    // A coast where the province has but one, or for an army, is dropped.
    let coast = named
        .place
        .coast
        .filter(|_| kind != UnitKind::ARMY && !info.coasts.is_empty());
    let at = Location { province, coast };
    if !sight.map.can_stand(sight.map.travel(kind), at) {
        return Err(Illegal::CannotStand(kind, at).into());
    }
    // The last order for a place counts.
    winter.retain(
        |action| !matches!(action, Action::Build { at: other, .. } if other.province == province),
    );
    winter.push(Action::Build { kind, at });
    Ok(())
}

fn remove(
    sight: &Sight,
    words: &OrderWords,
    removals: usize,
    winter: &mut Vec<Action>,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let Some(named) = &words.unit else {
        return said("Say which unit to remove: Remove A Par.");
    };
    if removals == 0 {
        return Err(Illegal::NoRemovals(sight.power).into());
    }
    let province = named.place.province;
    if is_crowded(sight.map, province) {
        return crowd::remove(sight, named, winter)
            .map_err(|nobody| nobody_left(sight, named, nobody));
    }
    let unit = own_unit(sight, named, sight.position.standing(province), notes)?;
    let action = Action::Remove {
        at: unit.at.province,
    };
    winter.retain(|other| *other != action);
    winter.push(action);
    Ok(())
}
