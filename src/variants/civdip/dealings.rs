//! Gifts and exchanges (rules page, section 10): what is open between civilizations, each party's own number for it, and what
//! each has said to it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use dipjudge_game::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_rules::position::UnitId;

/// After so many refusals between two phases a civilization receives no more offers of the other.
const MOST_REFUSALS: u32 = 3;

/// The gifts and exchanges of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Dealings {
    /// What is open, in the order in which it was opened.
    pub open: Vec<Dealing>,
    /// The last number that each civilization has given.
    numbers: BTreeMap<Power, u32>,
    /// How often the second has refused an offer of the first since the last phase was adjudicated.
    refusals: Vec<(Power, Power, u32)>,
    /// Numbers of what lapsed with the phase last adjudicated.
    pub lapsed: Vec<(Power, u32)>,
}

/// One gift or exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Dealing {
    #[serde(rename = "what")]
    pub subject: DealingSubject,
    /// Those who know of it, the one that opened it first.
    pub parties: Vec<Party>,
}

/// What is given or exchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DealingSubject {
    /// The giver's map.
    Map,
    /// A unit of the giver's.
    Unit(UnitId),
    /// An introduction to this one.
    Contact(Power),
    /// The maps of all these, the one that proposes it among them.
    Exchange(BTreeSet<Power>),
}

/// A civilization that knows of a gift or exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Party {
    pub power: Power,
    /// Its own number for it.
    pub number: u32,
    #[serde(rename = "stand")]
    pub state: PartyState,
}

/// What a party has said to an open gift or exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PartyState {
    /// It has opened it.
    Opened,
    /// It has agreed to it.
    Agreed,
    /// It has not answered yet.
    Asked,
}

/// An open gift or exchange as one of its parties knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OwnDealing {
    pub number: u32,
    /// What it is about.
    #[serde(rename = "what")]
    pub subject: OwnSubject,
    /// The other parties that it was told of: of a gift the one other, of an exchange all members but itself.
    pub with: Vec<Power>,
    /// What this party has said to it.
    #[serde(rename = "stand")]
    pub state: PartyState,
}

/// What is given or exchanged, as a party knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OwnSubject {
    /// The giver's map.
    Map,
    Unit(UnitId),
    /// An introduction; to whom is known to the giver alone.
    Contact(Option<Power>),
    /// The maps of all members.
    Exchange,
}

impl Dealing {
    /// Who opened it.
    pub(super) fn opener(&self) -> Option<&Party> {
        self.parties.first()
    }

    /// The party that a civilization is to it, if it knows of it.
    pub(super) fn party(&self, power: Power) -> Option<&Party> {
        self.parties.iter().find(|party| party.power == power)
    }

    /// As one of its parties knows it.
    fn as_known_to(&self, power: Power) -> Option<OwnDealing> {
        let own = self.party(power)?;
        let opened = own.state == PartyState::Opened;
        let others = self.parties.iter().map(|party| party.power);
        let (subject, with): (OwnSubject, Vec<Power>) = match &self.subject {
            DealingSubject::Map => (OwnSubject::Map, others.collect()),
            DealingSubject::Unit(unit) => (OwnSubject::Unit(*unit), others.collect()),
            DealingSubject::Contact(subject) => {
                let known = opened.then_some(*subject);
                (OwnSubject::Contact(known), others.collect())
            }
            DealingSubject::Exchange(members) => {
                (OwnSubject::Exchange, members.iter().copied().collect())
            }
        };
        Some(OwnDealing {
            number: own.number,
            subject,
            with: with.into_iter().filter(|other| *other != power).collect(),
            state: own.state,
        })
    }
}

impl Dealings {
    /// What a civilization knows to be open, by its own numbers.
    pub(super) fn known_to(&self, power: Power) -> Vec<OwnDealing> {
        let mut own: Vec<OwnDealing> = self
            .open
            .iter()
            .filter_map(|dealing| dealing.as_known_to(power))
            .collect();
        own.sort_by_key(|dealing| dealing.number);
        own
    }

    /// Removes all of which a civilization knows nothing.
    pub(super) fn keep_those_of(&mut self, power: Power) {
        self.open
            .retain(|dealing| dealing.as_known_to(power).is_some());
        self.numbers.retain(|of, _| *of == power);
        self.refusals.retain(|(from, ..)| *from == power);
        self.lapsed.retain(|(of, _)| *of == power);
    }

    /// The number that a civilization will give next.
    pub(super) fn next_number(&self, power: Power) -> u32 {
        if planted(Leak::Numbers) {
            return self.numbers.values().max().copied().unwrap_or_default() + 1;
        }
        self.numbers.get(&power).copied().unwrap_or_default() + 1
    }

    /// Those who have refused so often that no more offers of this civilization reach them before the next phase.
    pub(super) fn deaf_to(&self, power: Power) -> BTreeSet<Power> {
        let often = self.refusals.iter().filter(|(from, _, times)| {
            let own = *from == power || planted(Leak::RefusedOthers);
            own && *times >= MOST_REFUSALS
        });
        often.map(|(_, to, _)| *to).collect()
    }

    fn party(&mut self, power: Power, state: PartyState) -> Party {
        let number = self.next_number(power);
        self.numbers.insert(power, number);
        Party {
            power,
            number,
            state,
        }
    }

    /// Opens a gift or exchange and tells it to these.
    pub(super) fn open(
        &mut self,
        subject: DealingSubject,
        opener: Power,
        told: &[Power],
    ) -> Dealing {
        let mut parties = vec![self.party(opener, PartyState::Opened)];
        parties.extend(
            told.iter()
                .map(|power| self.party(*power, PartyState::Asked)),
        );
        let dealing = Dealing { subject, parties };
        self.open.push(dealing.clone());
        dealing
    }

    /// Removes and returns what a civilization knows by this number.
    pub(super) fn take(&mut self, power: Power, number: u32) -> Option<Dealing> {
        let known = |dealing: &Dealing| {
            let own = dealing.party(power);
            own.is_some_and(|own| own.number == number)
        };
        let place = self.open.iter().position(known)?;
        Some(self.open.remove(place))
    }

    /// Removes and returns the open exchange among exactly these.
    pub(super) fn take_exchange(&mut self, members: &BTreeSet<Power>) -> Option<Dealing> {
        let exchange = |dealing: &Dealing| matches!(&dealing.subject, DealingSubject::Exchange(of) if of == members);
        let place = self.open.iter().position(exchange)?;
        Some(self.open.remove(place))
    }

    /// Notes that a party agrees, whether or not it was told of the exchange.
    pub(super) fn agree(&mut self, dealing: &mut Dealing, power: Power) {
        match dealing
            .parties
            .iter_mut()
            .find(|party| party.power == power)
        {
            Some(party) if party.state == PartyState::Asked => party.state = PartyState::Agreed,
            Some(_) => {}
            None => {
                let party = self.party(power, PartyState::Agreed);
                dealing.parties.push(party);
            }
        }
    }

    /// Notes that an offer was refused.
    pub(super) fn refused(&mut self, from: Power, to: Power) {
        let known = self
            .refusals
            .iter_mut()
            .find(|(one, other, _)| (*one, *other) == (from, to));
        match known {
            Some((.., times)) => *times += 1,
            None => self.refusals.push((from, to, 1)),
        }
    }

    /// Lets everything lapse that is open, as the adjudication of each phase does.
    pub(super) fn lapse(&mut self) {
        let parties = std::mem::take(&mut self.open).into_iter();
        let parties = parties.flat_map(|dealing| dealing.parties);
        self.lapsed = parties.map(|party| (party.power, party.number)).collect();
        self.refusals.clear();
    }
}
