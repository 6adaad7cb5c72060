//! CivDip as `rules/civdip.md` has it: how its tables are set, and what each civilization may know of homes, contacts and dealings.
//! What the game stores is read here anew; nothing of the variant's own code is asked.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::adjudicator::Mark;
use dipjudge::calendar::Turn;
use dipjudge::game::{Game, Outcome, Phase, Played};
use dipjudge::map::{Map, Power, Province};
use dipjudge::orders::Action;
use dipjudge::position::{Unit, UnitId};
use serde::Deserialize;

/// Its name.
pub const NAME: &str = "civdip";

// Tables ---------------------------------------------------------------------------

/// So many civilizations there are, the least that there can be.
const CIVILIZATIONS: usize = 7;
/// So many of those who sign on stand by.
const STAND_BY: usize = 2;
/// So many sign on.
pub const CANDIDATES: usize = CIVILIZATIONS + STAND_BY;

/// Starts near each other, so that they meet early and often.
const NEAR: &str = "SET START MUN VIE VEN SER WAR SEV PAR";

/// What the master sets, with as many civilizations as usual or one more.
pub fn settings(flavor: usize, one_more: bool) -> Vec<String> {
    let own: &[&str] = match flavor {
        0 => &[NEAR],
        1 => &["SET CONTACT LAPSING", "SET SIGNUP 30 Nov 20:00"],
        2 => &[
            NEAR,
            "SET ADDRESSES SHOWN",
            "SET GLIMPSE OFF",
            "SET ORDERS MOVES",
            "SET NAMES UNIQUE",
        ],
        3 => &["SET TRADES MANY", "SET FIRSTUNIT ARMY"],
        _ => &[
            NEAR,
            "SET CONTACT LAPSING",
            "SET TRADES MANY",
            "SET NAMES DEALT",
        ],
    };
    let count = CIVILIZATIONS + usize::from(one_more);
    let count = has_open_number(flavor).then(|| format!("SET CIVS {count}"));
    let own = own.iter().map(|line| (*line).to_owned());
    own.chain(count).collect()
}

/// Whether there can be one civilization more while all others start where they do.
pub fn has_open_number(flavor: usize) -> bool {
    matches!(flavor, 1 | 3)
}

/// Whether civilizations are called what their players wish.
pub fn has_chosen_names(flavor: usize) -> bool {
    flavor < 4
}

/// Whether sign-up closes at a date rather than by the master's word.
pub fn closes_at_a_date(flavor: usize) -> bool {
    flavor == 1
}

/// Settings that nobody but masters is told: they say how many civilizations there are.
pub const UNTOLD: [&str; 2] = ["civs", "start"];

// What is stored -------------------------------------------------------------------

/// What a game keeps of the variant's own.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Stored {
    pub names: Vec<String>,
    met: Vec<Contact>,
    pub glimpses: Glimpsed,
    homes: Vec<Vec<Province>>,
    open_homes: BTreeMap<Power, Vec<Province>>,
    dealings: Dealings,
}

#[derive(Clone, Debug, Deserialize)]
struct Contact {
    between: (Power, Power),
    since: (Turn, Phase),
}

/// Who sees which unit beyond his horizon.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Glimpsed {
    pub seen: BTreeSet<(Power, UnitId)>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Dealings {
    open: Vec<Dealing>,
    refusals: Vec<(Power, Power, u32)>,
    lapsed: Vec<(Power, u32)>,
}

#[derive(Clone, Debug, Deserialize)]
struct Dealing {
    what: What,
    parties: Vec<Party>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Map,
    Unit(UnitId),
    Contact(Power),
    Exchange(BTreeSet<Power>),
}

#[derive(Clone, Debug, Deserialize)]
struct Party {
    power: Power,
    number: u32,
    stand: Stand,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stand {
    Opened,
    Agreed,
    Asked,
}

impl Stored {
    pub fn of(game: &Game) -> Stored {
        game.data().stored()
    }

    /// Who has met, the lower number first.
    pub fn pairs(&self) -> impl Iterator<Item = (Power, Power)> + '_ {
        self.met.iter().map(|contact| contact.between)
    }

    fn have_met(&self, one: Power, other: Power) -> bool {
        let pair = (one.min(other), one.max(other));
        self.pairs().any(|between| between == pair)
    }

    /// Numbers of what waits for the answer of a civilization, and of what it has opened or agreed to.
    pub fn open_to(&self, power: Power) -> (Vec<u32>, Vec<u32>) {
        let parties = self.dealings.open.iter().flat_map(|one| &one.parties);
        let own: Vec<&Party> = parties.filter(|party| party.power == power).collect();
        let (asked, own): (Vec<&Party>, Vec<&Party>) =
            own.into_iter().partition(|one| one.stand == Stand::Asked);
        let numbers = |all: Vec<&Party>| all.iter().map(|one| one.number).collect();
        (numbers(asked), numbers(own))
    }

    /// The place of something open in its party's own series: numbers follow from what it was told of before.
    fn place(&self, party: &Party) -> usize {
        let (asked, own) = self.open_to(party.power);
        let earlier = asked.iter().chain(&own);
        earlier.filter(|number| **number < party.number).count()
    }

    /// What a party is told of the end of something.
    fn told(&self, party: &Party, how: &str) -> (Power, Told) {
        let place = self.place(party);
        (party.power, Told::Words(format!("{place} {how}")))
    }

    /// What a civilization may know: since when it knows whom, its homes, and what it deals in.
    pub fn known_to(&self, game: &Game, power: Power) -> String {
        let since = self.met.iter().filter_map(|contact| {
            let (one, other) = contact.between;
            let other = [(one, other), (other, one)]
                .into_iter()
                .find_map(|(one, other)| (one == power).then_some(other))?;
            Some((other, contact.since.clone()))
        });
        let since: Vec<(Power, (Turn, Phase))> = since.collect();
        let dealings = self.dealings.open.iter();
        let dealings = dealings.filter_map(|one| self.dealing_known_to(one, game, power));
        let dealings: Vec<String> = dealings.collect();
        let lapsed = self.dealings.lapsed.iter();
        let lapsed = lapsed.filter(|(party, _)| *party == power).count();
        let refusals = self.dealings.refusals.iter();
        let refused: Vec<_> = refusals.filter(|(from, ..)| *from == power).collect();
        format!(
            "since {since:?}, homes {:?} of {:?}, deals {dealings:?}, lapsed {lapsed}, refused {refused:?}",
            self.homes.get(usize::from(power.0)),
            self.open_homes.get(&power),
        )
    }

    /// A gift is known to its two sides, an exchange to who proposes it and to those members who have met all others; to whom
    /// somebody is to be introduced the giver alone knows (10.2, 10.3, 10.6).
    fn dealing_known_to(&self, dealing: &Dealing, game: &Game, power: Power) -> Option<String> {
        let own = dealing.parties.iter().find(|one| one.power == power)?;
        let opener = dealing.parties.first()?.power;
        // That it is open follows from his own words; how it ends he is told.
        if power == opener {
            return None;
        }
        let told = match &dealing.what {
            What::Exchange(members) => {
                let others = || members.iter().filter(|other| **other != power);
                let met_all = others().all(|other| self.have_met(power, *other));
                let party = members.contains(&power) && met_all;
                party.then(|| format!("exchange among {members:?}"))?
            }
            _ if dealing.parties.iter().take(2).all(|one| one.power != power) => return None,
            What::Contact(_) => "introduction".to_owned(),
            What::Map => "map".to_owned(),
            What::Unit(id) => {
                let unit = game.position.unit(*id);
                format!("unit {:?}", unit.map(|unit| (unit.kind, unit.at)))
            }
        };
        let receiver = dealing.parties.get(1).map(|one| one.power);
        let receiver = receiver.filter(|_| !matches!(dealing.what, What::Exchange(_)));
        Some(format!(
            "{} {told} by {opener:?} to {receiver:?} {:?}",
            self.place(own),
            own.stand
        ))
    }
}

// How dealings end -----------------------------------------------------------------

/// What a party is told of the end of a dealing.
pub enum Told {
    Words(String),
    /// The map of this civilization.
    MapOf(Power),
}

/// What is told of dealings that somebody's line has ended. `before` is the game as it was, `actor` whose line it was, and
/// `shown` says whether a power was sent a map just now.
pub fn ended(
    before: &Game,
    after: &Game,
    actor: Option<Power>,
    shown: impl Fn(Power) -> bool,
) -> Vec<(Power, Told)> {
    let (was, is) = (Stored::of(before), Stored::of(after));
    let still = |one: &Dealing, party: &Party| {
        let open = is.dealings.open.iter().flat_map(|one| &one.parties);
        let lapsed = is.dealings.lapsed.contains(&(party.power, party.number));
        let same = |other: &Party| (other.power, other.number) == (party.power, party.number);
        lapsed || one.parties.is_empty() || open.into_iter().any(same)
    };
    let gone = was.dealings.open.iter().filter(|one| {
        let opener = one.parties.first();
        opener.is_some_and(|opener| !still(one, opener))
    });
    gone.flat_map(|dealing| match &dealing.what {
        What::Exchange(members) => exchange_ended(&was, dealing, members, actor, &shown),
        _ => gift_ended(dealing, before, after, actor),
    })
    .collect()
}

fn exchange_ended(
    was: &Stored,
    dealing: &Dealing,
    members: &BTreeSet<Power>,
    actor: Option<Power>,
    shown: &impl Fn(Power) -> bool,
) -> Vec<(Power, Told)> {
    let opener = dealing.parties.first().map(|party| party.power);
    let to_all = |how: &str| -> Vec<(Power, Told)> {
        let parties = dealing.parties.iter();
        let told = |party: &Party| was.told(party, how);
        parties.map(told).collect()
    };
    if actor == opener {
        return to_all("is withdrawn");
    }
    let agrees = |one: &Power| {
        let party = dealing.parties.iter().find(|party| party.power == *one);
        Some(*one) == actor || party.is_some_and(|party| party.stand != Stand::Asked)
    };
    if !members.iter().all(agrees) || !actor.is_none_or(shown) {
        return to_all("is rejected");
    }
    let maps = members.iter().flat_map(|reader| {
        let others = members.iter().filter(move |of| *of != reader);
        others.map(|of| (*reader, Told::MapOf(*of)))
    });
    to_all("is complete").into_iter().chain(maps).collect()
}

fn gift_ended(
    dealing: &Dealing,
    before: &Game,
    after: &Game,
    actor: Option<Power>,
) -> Vec<(Power, Told)> {
    let [giver, receiver] = dealing.parties.as_slice() else {
        return Vec::new();
    };
    let (was, is) = (Stored::of(before), Stored::of(after));
    let to_both = |how: &str| [giver, receiver].map(|party| was.told(party, how));
    if actor == Some(giver.power) {
        return to_both("is withdrawn").into();
    }
    let refusals = |of: &Stored| {
        let mut all = of.dealings.refusals.iter();
        let known = all.find(|(from, to, _)| (*from, *to) == (giver.power, receiver.power));
        known.map_or(0, |(.., times)| *times)
    };
    if refusals(&was) != refusals(&is) {
        return to_both("is rejected").into();
    }
    let met = was.have_met(giver.power, receiver.power);
    let possible = met
        && match &dealing.what {
            What::Map | What::Exchange(_) => true,
            What::Contact(subject) => was.have_met(giver.power, *subject),
            What::Unit(id) => {
                let standing = before.position.units.iter().find(|unit| unit.id == *id);
                let given = |unit: &Unit| {
                    let info = before.map().info(unit.at.province);
                    unit.power == giver.power && info.is_some_and(|info| !info.center)
                };
                before.phase != Phase::Adjustments && standing.is_some_and(given)
            }
        };
    if !possible {
        return to_both("is no longer possible").into();
    }
    let mut told = Vec::from(to_both("is accepted"));
    match &dealing.what {
        What::Map => told.push((receiver.power, Told::MapOf(giver.power))),
        What::Contact(subject) => {
            let words = format!("is introduced to {subject:?}");
            told.push((receiver.power, Told::Words(words)));
        }
        What::Unit(_) | What::Exchange(_) => {}
    }
    told
}

// Glimpses ---------------------------------------------------------------------------

impl Glimpsed {
    /// What a civilization sees by them.
    pub fn by(&self, power: Power) -> BTreeSet<UnitId> {
        let own = self.seen.iter().filter(|(reader, _)| *reader == power);
        own.map(|(_, unit)| *unit).collect()
    }

    /// What is left of them when a phase is over, or what it brings anew (5.1, 5.4).
    pub fn after(&self, game: &Game, played: &Played) -> Glimpsed {
        if game.variant != NAME || is(game, "glimpse", "off") {
            return Glimpsed::default();
        }
        if played.phase == Phase::Movement {
            return bounced(game.map(), played);
        }
        let mut left = self.clone();
        let moved = |id: &UnitId| played.outcomes.iter().any(|one| one.unit.id == *id);
        let stands = |id: &UnitId| played.position.unit(*id).is_some();
        left.seen.retain(|(_, id)| stands(id) && !moved(id));
        left
    }

    /// What is left of them when units have changed hands.
    pub fn after_gift(&self, before: &Game, after: &Game) -> Glimpsed {
        let owner = |game: &Game, id: &UnitId| game.position.unit(*id).map(|unit| unit.power);
        let mut left = self.clone();
        left.seen
            .retain(|(_, id)| owner(before, id) == owner(after, id));
        left
    }
}

/// Two that stood each other off in a province which both their places touch.
fn bounced(map: &Map, played: &Played) -> Glimpsed {
    let target = |told: &Outcome| match &told.action {
        Some(Action::Move { to, .. }) if told.marks.contains(&Mark::Bounce) => Some(to.province),
        _ => None,
    };
    let touches = |told: &Outcome, to: Province| map.neighbors(to).contains(&told.unit.at.province);
    let mut seen = BTreeSet::new();
    for one in &played.outcomes {
        let Some(to) = target(one).filter(|to| touches(one, *to)) else {
            continue;
        };
        for other in &played.outcomes {
            let same = target(other) == Some(to) && touches(other, to);
            if same && other.unit.power != one.unit.power {
                seen.insert((one.unit.power, other.unit.id));
            }
        }
    }
    Glimpsed { seen }
}

/// Whether a setting of the variant's own has this value.
pub fn is(game: &Game, setting: &str, value: &str) -> bool {
    game.settings
        .own
        .get(setting)
        .is_some_and(|set| set == value)
}
