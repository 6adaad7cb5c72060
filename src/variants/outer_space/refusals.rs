//! Why orders about beaming, retreats and builds cannot be given, in the words of this variant.

use super::place_names::name;
use super::state::{OuterSpaceView, is_land};
use super::{ORBIT, winter};
use dipjudge_game::project::Sight;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::Illegal;
use dipjudge_rules::position::NamedUnit;
use dipjudge_view::or_list;

/// What an army aboard may do.
pub(super) const ABOARD: &str = "An army in orbit can only hold or beam down (A ORB - MUN). It can colonize once it \
 has landed.";
/// Who may beam.
pub(super) const FLEET: &str = "Fleets cannot beam; only armies can.";
/// Beaming needs no fleets.
pub(super) const NO_CONVOY: &str = "Nothing is convoyed to or from orbit.";
/// Nobody to order or to help.
pub(super) const NOBODY_ABOARD: &str = "There is no such army aboard.";

/// The sentence for an order that is not legal, where the common one would not tell it well.
pub(super) fn objection(illegal: &Illegal, sight: &Sight) -> Option<String> {
    let aboard = |party: &NamedUnit| party.at.province == ORBIT;
    let sentence = match illegal {
        Illegal::NothingThere(_, ORBIT) => NOBODY_ABOARD.to_owned(),
        Illegal::NotDislodged(party) if aboard(party) => {
            "An army aboard is not dislodged, so it has nothing to retreat from.".to_owned()
        }
        Illegal::CannotReach(party, to) if aboard(party) => no_landing(sight, to.province),
        Illegal::SupportedCannotReach(_, party, to) if aboard(party) => no_landing(sight, *to),
        Illegal::CannotReach(_, to) if to.province == ORBIT => FLEET.to_owned(),
        Illegal::CannotReachToSupport(party, _)
        | Illegal::SupportsItself(party)
        | Illegal::CannotConvoy(party)
        | Illegal::CannotConvoyBetween(party, ..)
            if aboard(party) =>
        {
            ABOARD.to_owned()
        }
        Illegal::CannotReachToSupport(_, ORBIT) => {
            "Beaming up and staying aboard need and take no support.".to_owned()
        }
        Illegal::CannotConvoyBetween(_, ORBIT, _) | Illegal::CannotConvoyBetween(_, _, ORBIT) => {
            NO_CONVOY.to_owned()
        }
        Illegal::CannotRetreat(party, _) => retreats(sight, party)?,
        Illegal::NoCenter(ORBIT) => "Nothing is built in orbit.".to_owned(),
        Illegal::Occupied(at)
        | Illegal::NoCenter(at)
        | Illegal::NotOwned(at, _)
        | Illegal::NotHome(at, _) => winter::no_site(sight, *at),
        Illegal::NoBuilds(_) => winter::no_builds(sight)?,
        _ => return None,
    };
    Some(sentence)
}

/// Why an army cannot beam down there.
fn no_landing(sight: &Sight, to: Province) -> String {
    let owner = OuterSpaceView::seen(sight).state.colonies.get(&to).copied();
    match owner.and_then(|owner| sight.powers.get(usize::from(owner.0))) {
        _ if to == ORBIT => ABOARD.to_owned(),
        _ if !is_land(sight.map, to) => "You can only beam down to land.".to_owned(),
        Some(owner) => format!(
            "{} is a colony of {}, which jams your beam: nobody else can land there. March in instead.",
            name(sight.map, to),
            owner.introduced()
        ),
        None => format!("No army can beam down to {}.", name(sight.map, to)),
    }
}

/// Where a dislodged unit may go.
fn retreats(sight: &Sight, party: &NamedUnit) -> Option<String> {
    let dislodged = sight.position.dislodged_from(party.at.province)?;
    let kind = sight.map.kind(party.kind)?.name.to_lowercase();
    let places: Vec<String> = dislodged
        .options
        .iter()
        .map(|place| sight.map.full_name(*place))
        .collect();
    Some(format!(
        "The {kind} in {} may retreat to {} and nowhere else, or disband.",
        sight.map.full_name(party.at),
        or_list(&places)
    ))
}
