//! What reports and lists say of contacts, transactions, homes and names (rules page, section 6).

use std::collections::BTreeSet;

use super::homes::{self, Choosing};
use super::state::CivDipState;
use super::{CivDip, CivDipView};
use dipjudge_game::opening::WINTER as OPENING;
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{Audience, Fact, Section};
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::orders::Illegal;
use dipjudge_view::{Viewer, all_words};

all_words! {
    pub(super) static WORDS;
    /// Whom the phase has brought into contact.
    NEW_CONTACTS = "civdip/new-contacts.md";
    /// What lapsed with the phase.
    TRANSACTIONS = "civdip/transactions.md";
    /// That there is a home to choose.
    HOMES = "civdip/homes.md";
    /// That a name can still be chosen.
    NAME = "civdip/name.md";
    /// Who is in contact.
    CONTACTS = "civdip/contacts.md";
}

/// Sections for the report of the phase last adjudicated, the same to every civilization.
pub(super) fn report(game: &ToldGame<'_>) -> Vec<Section> {
    let Some(Viewer::Power(power)) = game.reader() else {
        return Vec::new();
    };
    let (before, now) = (game.state_before(&CivDip), game.state(&CivDip));
    let known: BTreeSet<Power> = contacts_of(&before, power).collect();
    let met = contacts_of(&now, power).filter(|other| !known.contains(other));
    let lapsed = now.dealings.lapsed.iter();
    let lapsed = lapsed.filter(|(party, _)| *party == power);
    let mut lapsed: Vec<u32> = lapsed.map(|(_, number)| *number).collect();
    lapsed.sort_unstable();
    let to = Audience::Power(power);
    let sections = [
        Some(Section::new(to.clone(), &NEW_CONTACTS).with("met", Fact::list(met))),
        Some(Section::new(to.clone(), &TRANSACTIONS).with("lapsed", Fact::list(lapsed))),
        choice(game, power),
    ];
    sections.into_iter().flatten().collect()
}

fn contacts_of(state: &CivDipState, power: Power) -> impl Iterator<Item = Power> {
    state.contacts(power).into_iter().map(|(other, _)| other)
}

fn choice(game: &ToldGame<'_>, power: Power) -> Option<Section> {
    let choosing = Choosing {
        turn: game.turn(),
        phase: game.phase(),
        holdings: &|| game.holdings(power),
    };
    let open = homes::to_choose(&game.state(&CivDip), power, choosing);
    let open = open.into_iter().map(Location::from);
    let centers: Vec<Fact> = open.map(Fact::from).collect();
    let section = || Section::new(Audience::Power(power), &HOMES);
    (!centers.is_empty()).then(|| section().with("centers", centers))
}

/// What a civilization may still choose, and whom it has met.
pub(super) fn tables(game: &ToldGame<'_>) -> Vec<Section> {
    let Some(Viewer::Power(power)) = game.reader() else {
        return Vec::new();
    };
    let to = Audience::Power(power);
    if game.turn() == OPENING {
        return vec![Section::new(to, &NAME).with("power", power)];
    }
    let contacts = Fact::list(contacts_of(&game.state(&CivDip), power));
    vec![Section::new(to, &CONTACTS).with("contacts", contacts)]
}

/// Why an order is not legal, in words that tell of the map and of the sender's own alone: a foreign unit, none at all and one out
/// of sight are the same.
pub(super) fn objection(illegal: &Illegal, sight: &Sight) -> Option<String> {
    let map = sight.map;
    let name = |at: Province| map.full_name(Location::from(at));
    let kind = |kind: UnitKind| {
        let info = map.kind(kind);
        info.map_or_else(|| kind.to_string(), |info| info.name.to_lowercase())
    };
    let not_in_this_phase = || "Not in this phase.".to_owned();
    Some(match illegal {
        Illegal::NothingThere(_, at) | Illegal::NoUnitToRemove(at, _) => {
            format!("You have no unit in {}.", name(*at))
        }
        Illegal::NotYours(party, _) => {
            format!("You have no unit in {}.", name(party.at.province))
        }
        Illegal::CannotReach(party, to) => {
            let (kind, from, to) = (
                kind(party.kind),
                map.full_name(party.at),
                map.full_name(*to),
            );
            format!(
                "{} cannot go from {from} to {to}.",
                capital(&with_article(&kind))
            )
        }
        Illegal::CannotRetreat(party, _) => {
            let dislodged = sight.position.dislodged_from(party.at.province)?;
            let open: Vec<String> = dislodged
                .options
                .iter()
                .map(|to| map.full_name(*to))
                .collect();
            let unit = format!("{} {}", kind(party.kind), map.full_name(party.at));
            format!("Open to {unit}: {}.", open.join(", "))
        }
        Illegal::NotOwned(at, _) | Illegal::NotHome(at, _) | Illegal::NoCenter(at) => {
            let own: CivDipView = sight.own.stored();
            if own.homes.contains(at) {
                format!("{} is not yours now.", name(*at))
            } else {
                format!("{} is not a home of yours.", name(*at))
            }
        }
        Illegal::Occupied(at) => format!("{} is occupied by your unit.", name(*at)),
        Illegal::WrongPhase(_) | Illegal::CannotWaive(_) => not_in_this_phase(),
        _ => return None,
    })
}

pub(super) fn with_article(noun: &str) -> String {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        format!("an {noun}")
    } else {
        format!("a {noun}")
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
