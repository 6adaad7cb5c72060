//! The people whom the judge knows: registered persons, their addresses and how reliably they play. The state that the
//! log `@judge` adds up to.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};

use dipjudge_game::{Level, PersonId, Seed};
use dipjudge_grammar::Text;

/// The log's name, which no game can have.
pub const LOG: &str = "@judge";

/// Numbers of users have eight digits: they lie between these.
const LEAST_USER: u32 = 10_000_000;
const MOST_USER: u32 = 99_999_999;

/// A registered person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The number by which games refer to the person.
    pub id: PersonId,
    /// The person's name.
    pub name: String,
    /// The addresses, normalized; mail goes to the first.
    pub addresses: Vec<String>,
    /// How well the person plays, by self-assessment.
    pub level: Level,
    /// The country, if the person gave one.
    pub country: Option<String>,
    /// The time zone of dates in games that the person joins.
    pub zone: Option<String>,
    /// Dedication points.
    pub dedication: i64,
    /// Points from games that hide who plays or what happens, by the game's name. They are shown only once the game is
    /// over, since they show who was late (`visibility.md` 12, L36).
    pub withheld: BTreeMap<String, i64>,
    /// The number of turns for which orders were due.
    pub turns: u32,
    /// The number of these turns in which the orders were in time.
    pub on_time: u32,
    /// The number of games that the person played from the start.
    pub started: u32,
    /// The number of powers that the person took over.
    pub taken_over: u32,
    /// The number of games from which the person resigned.
    pub resigned: u32,
    /// The number of times that the person let a power fall into civil disorder.
    pub disorder: u32,
    /// What the keeper has denied to the person.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub denied: BTreeSet<Right>,
}

/// What the keeper may deny to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Right {
    /// To come to lead a power.
    Player,
    /// To create games and to become a master.
    Master,
}

impl Person {
    /// The dedication that the person and the judge's own rules see: it includes points that are withheld from others.
    pub fn own_dedication(&self) -> i64 {
        self.dedication + self.withheld.values().sum::<i64>()
    }
}

/// An event of the register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RegistryEvent {
    /// The judge's own secret, from which reply tokens derive.
    Secret {
        /// 32 bytes.
        secret: Seed,
    },
    /// A person registered, or sent the form again.
    Registered {
        /// A new number, or that of the person who sends the form again.
        person: PersonId,
        /// The name.
        name: String,
        /// The address that mail goes to.
        address: String,
        /// How well the person plays.
        level: Level,
        /// The country.
        country: Option<String>,
        /// The time zone of dates, an IANA name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    /// A person gets a further address.
    Linked {
        /// The person who owns it from now on.
        person: PersonId,
        /// The address, normalized.
        address: String,
    },
    /// Orders were due.
    Due {
        /// The people whose orders were due, and whether those were complete at the deadline.
        people: Vec<(PersonId, bool)>,
    },
    /// A game began, or a power was taken over.
    Joined {
        /// The people who lead a power now.
        people: Vec<PersonId>,
        /// Whether it was the start of the game.
        at_start: bool,
    },
    /// Points were lost or gained.
    Dedication {
        /// Whose points.
        person: PersonId,
        /// The amount added; negative if points are lost.
        points: i64,
        /// The reason.
        why: DedicationReason,
        /// The game whose secrets the points would show before its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        withheld_by: Option<String>,
    },
    /// A game is over: the points that it withheld become visible to everybody.
    Settled {
        /// The game's name.
        game: String,
    },
    /// Deadlines were extended for an outage of the inbox.
    Outage {
        /// The end of the outage.
        until: Timestamp,
    },
    /// The keeper has moved a person from one address to another.
    Moved {
        /// The person.
        person: PersonId,
        /// The address that is the person's no longer.
        from: String,
        /// The new one, normalized.
        to: String,
    },
    /// The keeper has denied something to a person.
    Denied {
        /// The person.
        person: PersonId,
        /// What is denied.
        right: Right,
    },
    /// The keeper allows it again.
    Allowed {
        /// The person.
        person: PersonId,
        /// What is allowed.
        right: Right,
    },
    /// Mail from an address, or from all of a domain (`@example.org`), is not read any more.
    Blocked {
        /// The address, normalized, or the domain behind an `@`.
        address: String,
    },
    /// It is read again.
    Unblocked {
        /// As it was blocked.
        address: String,
    },
    /// The keeper has removed a person's name and addresses. The number stays, so that who has led a power is known by the
    /// number if the same address registers again.
    Forgotten {
        /// The person.
        person: PersonId,
        /// Keyed hashes of the addresses.
        keys: Vec<String>,
    },
    /// Both of two people have said that they are one: the addresses and the figures of one become the other's.
    Merged {
        /// Who stays.
        person: PersonId,
        /// Who has no address any more.
        gone: PersonId,
    },
    /// The keeper has paused these games.
    Held {
        /// Their names.
        games: BTreeSet<String>,
    },
    /// The keeper has let all games go on that he had paused.
    Released,
    /// The keeper has given a game another name.
    Retitled {
        /// The name of before.
        from: String,
        /// The new one.
        to: String,
    },
}

/// Why dedication changed (`judge-workflow.md` 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum DedicationReason {
    InTime,
    Late,
    Abandoned,
    Disorder,
    Resigned,
    Keeper,
}

/// A record of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegistryRecord {
    /// The version of the record's form.
    pub v: u32,
    /// The actual time.
    pub at: Timestamp,
    /// The events, in the order in which they were applied.
    pub events: Vec<RegistryEvent>,
}

/// The people whom the judge knows. A copy shares unchanged data with the original, so its cost does not depend on the
/// number of people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenRegistry", into = "WrittenRegistry")]
pub struct Registry {
    people: RedBlackTreeMapSync<PersonId, Person>,
    by_address: RedBlackTreeMapSync<String, PersonId>,
    /// The people from whom each game withholds points.
    withheld: RedBlackTreeMapSync<String, BTreeSet<PersonId>>,
    secret: Option<Seed>,
    outage: Option<Timestamp>,
    /// Addresses and domains whose mail is not read.
    blocked: BTreeSet<String>,
    /// The numbers of forgotten people, by the keyed hashes of their addresses.
    forgotten: BTreeMap<String, PersonId>,
    /// The games that the keeper has paused.
    held: BTreeSet<String>,
}

/// The register as it is stored.
#[derive(Serialize, Deserialize)]
struct WrittenRegistry {
    people: Vec<Person>,
    /// The addresses that belong to others than to the people who have them in their lists.
    moved: BTreeMap<String, PersonId>,
    secret: Option<Seed>,
    outage: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    blocked: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    forgotten: BTreeMap<String, PersonId>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    held: BTreeSet<String>,
}

impl From<Registry> for WrittenRegistry {
    fn from(registry: Registry) -> WrittenRegistry {
        let owner = |address: &String| registry.by_address.get(address).copied();
        let people = registry.people.values();
        let listed = people.flat_map(|person| {
            let moved = person.addresses.iter();
            moved.filter(|address| owner(address) != Some(person.id))
        });
        let listed = listed.filter_map(|address| Some((address.clone(), owner(address)?)));
        let unlisted = registry.by_address.iter().filter(|(address, id)| {
            let person = registry.people.get(id);
            person.is_none_or(|person| !person.addresses.contains(address))
        });
        let unlisted = unlisted.map(|(address, id)| (address.clone(), *id));
        WrittenRegistry {
            moved: listed.chain(unlisted).collect(),
            people: registry.people.values().cloned().collect(),
            secret: registry.secret,
            outage: registry.outage,
            blocked: registry.blocked,
            forgotten: registry.forgotten,
            held: registry.held,
        }
    }
}

impl From<WrittenRegistry> for Registry {
    fn from(written: WrittenRegistry) -> Registry {
        let mut registry = Registry {
            secret: written.secret,
            outage: written.outage,
            blocked: written.blocked,
            forgotten: written.forgotten,
            held: written.held,
            ..Registry::default()
        };
        for person in written.people {
            for address in &person.addresses {
                registry.by_address.insert_mut(address.clone(), person.id);
            }
            for game in person.withheld.keys() {
                registry.withhold(person.id, game);
            }
            registry.people.insert_mut(person.id, person);
        }
        for (address, id) in written.moved {
            registry.by_address.insert_mut(address, id);
        }
        registry
    }
}

impl Registry {
    /// The person with this normalized address.
    pub fn by_address(&self, address: &str) -> Option<&Person> {
        self.by_address.get(address).and_then(|id| self.person(*id))
    }

    /// Whether this is the first name of the person with this normalized address.
    pub fn is_first_name(&self, address: &str, name: &str) -> bool {
        let person = self.by_address(address);
        let first = person.and_then(|person| person.name.split_whitespace().next());
        // "Cleo" is Cléo.
        let plain = |name: &str| {
            let text = Text::new(name);
            text.folded(0..text.len()).to_owned()
        };
        first.is_some_and(|first| plain(first) == plain(name))
    }

    /// All addresses that belong to somebody, normalized.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.by_address.keys().map(String::as_str)
    }

    /// A person by number.
    pub fn person(&self, id: PersonId) -> Option<&Person> {
        self.people.get(&id)
    }

    /// The eight-digit number that these random bits map to, or the next free one above it. Numbers are random rather
    /// than consecutive, since users read theirs and must not learn how many people have registered.
    pub fn free_id(&self, bits: [u8; 16]) -> PersonId {
        let all = u128::from(MOST_USER - LEAST_USER) + 1;
        let drawn = u32::try_from(u128::from_be_bytes(bits) % all).unwrap_or_default();
        let mut numbers = (LEAST_USER + drawn..=MOST_USER).chain(LEAST_USER..=MOST_USER);
        let free = numbers.find(|number| self.person(PersonId(*number)).is_none());
        PersonId(free.unwrap_or_default())
    }

    /// The judge's secret, once it has one.
    pub fn secret(&self) -> Option<&Seed> {
        self.secret.as_ref()
    }

    /// All people, in order of their numbers.
    pub fn people(&self) -> impl Iterator<Item = &Person> {
        self.people.values()
    }

    /// The addresses and domains whose mail is not read.
    pub fn blocked(&self) -> &BTreeSet<String> {
        &self.blocked
    }

    /// Whether mail from this normalized address is not read: the keeper has blocked it, its domain, or another address of
    /// the same person.
    pub fn is_blocked(&self, address: &str) -> bool {
        if self.blocked.is_empty() {
            return false;
        }
        let person = self.by_address(address);
        let own = person.into_iter().flat_map(|person| &person.addresses);
        own.map(String::as_str).chain([address]).any(|address| {
            let domain = address.rfind('@').and_then(|at| address.get(at..));
            self.blocked.contains(address)
                || domain.is_some_and(|domain| self.blocked.contains(domain))
        })
    }

    /// The number of a forgotten person, by the keyed hash of an address.
    pub fn forgotten(&self, key: &str) -> Option<PersonId> {
        self.forgotten.get(key).copied()
    }

    /// The games that the keeper has paused.
    pub fn held(&self) -> &BTreeSet<String> {
        &self.held
    }

    /// Whether points of a game are withheld from anybody.
    pub fn withholds(&self, game: &str) -> bool {
        self.withheld.contains_key(game)
    }

    /// The end of the last outage for which deadlines were extended.
    pub fn outage(&self) -> Option<Timestamp> {
        self.outage
    }

    /// Applies one event.
    pub fn apply(&mut self, event: &RegistryEvent) {
        match event {
            RegistryEvent::Secret { secret } => self.secret = Some(secret.clone()),
            RegistryEvent::Registered {
                person,
                name,
                address,
                level,
                country,
                zone,
            } => {
                self.register(*person, name, address, *level);
                if let Some(person) = self.find(*person) {
                    (person.country, person.zone) = (country.clone(), zone.clone());
                }
            }
            RegistryEvent::Linked { person, address } => {
                self.by_address.insert_mut(address.clone(), *person);
                if let Some(person) = self.find(*person) {
                    person.addresses.push(address.clone());
                }
            }
            RegistryEvent::Due { people } => {
                for (person, in_time) in people {
                    if let Some(person) = self.find(*person) {
                        person.turns += 1;
                        person.on_time += u32::from(*in_time);
                    }
                }
            }
            RegistryEvent::Joined { people, at_start } => {
                for person in people {
                    match self.find(*person) {
                        Some(person) if *at_start => person.started += 1,
                        Some(person) => person.taken_over += 1,
                        None => {}
                    }
                }
            }
            RegistryEvent::Dedication {
                person,
                points,
                why,
                withheld_by,
            } => {
                let Some(known) = self.find(*person) else {
                    return;
                };
                known.disorder += u32::from(*why == DedicationReason::Disorder);
                known.resigned += u32::from(*why == DedicationReason::Resigned);
                match withheld_by {
                    Some(game) => {
                        *known.withheld.entry(game.clone()).or_default() += points;
                        self.withhold(*person, game);
                    }
                    None => known.dedication += points,
                }
            }
            RegistryEvent::Settled { game } => {
                let people = self.withheld.get(game).cloned().unwrap_or_default();
                self.withheld.remove_mut(game);
                for person in people {
                    if let Some(person) = self.find(person) {
                        person.dedication += person.withheld.remove(game).unwrap_or_default();
                    }
                }
            }
            RegistryEvent::Outage { until } => self.outage = Some(*until),
            RegistryEvent::Moved { person, from, to } => {
                self.by_address.remove_mut(from);
                self.by_address.insert_mut(to.clone(), *person);
                if let Some(person) = self.find(*person) {
                    person
                        .addresses
                        .retain(|other| other != from && other != to);
                    person.addresses.insert(0, to.clone());
                }
            }
            RegistryEvent::Denied { person, right } => {
                if let Some(person) = self.find(*person) {
                    person.denied.insert(*right);
                }
            }
            RegistryEvent::Allowed { person, right } => {
                if let Some(person) = self.find(*person) {
                    person.denied.remove(right);
                }
            }
            RegistryEvent::Blocked { address } => _ = self.blocked.insert(address.clone()),
            RegistryEvent::Unblocked { address } => _ = self.blocked.remove(address),
            RegistryEvent::Forgotten { person, keys } => self.forget(*person, keys),
            RegistryEvent::Merged { person, gone } => self.merge(*person, *gone),
            RegistryEvent::Held { games } => self.held.extend(games.iter().cloned()),
            RegistryEvent::Released => self.held.clear(),
            RegistryEvent::Retitled { from, to } => self.retitle(from, to),
        }
    }

    fn forget(&mut self, id: PersonId, keys: &[String]) {
        let keys = keys.iter().map(|key| (key.clone(), id));
        self.forgotten.extend(keys);
        let Some(person) = self.find(id) else {
            return;
        };
        let addresses = std::mem::take(&mut person.addresses);
        person.name = "somebody".to_owned();
        (person.country, person.zone) = (None, None);
        for address in addresses {
            self.by_address.remove_mut(&address);
        }
    }

    fn merge(&mut self, id: PersonId, gone: PersonId) {
        let Some(other) = self.find(gone) else {
            return;
        };
        let merged = other.clone();
        other.addresses.clear();
        other.withheld.clear();
        (other.dedication, other.turns, other.on_time) = (0, 0, 0);
        (
            other.started,
            other.taken_over,
            other.resigned,
            other.disorder,
        ) = (0, 0, 0, 0);
        for address in &merged.addresses {
            self.by_address.insert_mut(address.clone(), id);
        }
        for game in merged.withheld.keys() {
            if let Some(people) = self.withheld.get_mut(game) {
                people.remove(&gone);
            }
            self.withhold(id, game);
        }
        let Some(person) = self.find(id) else {
            return;
        };
        person.addresses.extend(merged.addresses);
        for (game, points) in merged.withheld {
            *person.withheld.entry(game).or_default() += points;
        }
        person.dedication += merged.dedication;
        person.turns += merged.turns;
        person.on_time += merged.on_time;
        person.started += merged.started;
        person.taken_over += merged.taken_over;
        person.resigned += merged.resigned;
        person.disorder += merged.disorder;
        person.denied.extend(merged.denied);
    }

    fn retitle(&mut self, from: &str, to: &str) {
        if self.held.remove(from) {
            self.held.insert(to.to_owned());
        }
        let people = self.withheld.get(from).cloned().unwrap_or_default();
        self.withheld.remove_mut(from);
        for id in people {
            let person = self.find(id);
            let points = person.and_then(|person| {
                let points = person.withheld.remove(from)?;
                person.withheld.insert(to.to_owned(), points)
            });
            debug_assert!(points.is_none(), "the new name was nobody's");
            self.withhold(id, to);
        }
    }

    fn find(&mut self, id: PersonId) -> Option<&mut Person> {
        self.people.get_mut(&id)
    }

    fn withhold(&mut self, person: PersonId, game: &str) {
        match self.withheld.get_mut(game) {
            Some(people) => _ = people.insert(person),
            None => self
                .withheld
                .insert_mut(game.to_owned(), BTreeSet::from([person])),
        }
    }

    fn register(&mut self, id: PersonId, name: &str, address: &str, level: Level) {
        self.by_address.insert_mut(address.to_owned(), id);
        if let Some(known) = self.find(id) {
            (known.name, known.level) = (name.to_owned(), level);
            known.addresses.retain(|other| other != address);
            known.addresses.insert(0, address.to_owned());
            return;
        }
        let person = Person {
            id,
            name: name.to_owned(),
            addresses: vec![address.to_owned()],
            level,
            country: None,
            zone: None,
            dedication: 0,
            withheld: BTreeMap::new(),
            turns: 0,
            on_time: 0,
            started: 0,
            taken_over: 0,
            resigned: 0,
            disorder: 0,
            denied: BTreeSet::new(),
        };
        self.people.insert_mut(id, person);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_that_of_the_draw_and_nobody_elses() {
        let mut registry = Registry::default();
        let bits = |number: u128| number.to_be_bytes();
        let mut register = |bits: [u8; 16]| {
            let person = registry.free_id(bits);
            registry.apply(&RegistryEvent::Registered {
                person,
                name: "Anna".to_owned(),
                address: format!("anna{}@ex.org", person.0),
                level: Level::Any,
                country: None,
                zone: None,
            });
            person.0
        };
        assert_eq!(register(bits(5)), 10_000_005);
        assert_eq!(register(bits(5)), 10_000_006, "another draw came to it");
        assert_eq!(register(bits(89_999_999)), 99_999_999);
        assert_eq!(register(bits(89_999_999)), 10_000_000);
        assert_eq!(register(bits(90_000_001)), 10_000_001);
        let last = register([0xff; 16]);
        assert!((10_000_000..=99_999_999).contains(&last));
    }

    #[test]
    fn points_of_a_game_that_hides_show_once_it_is_over() {
        let mut registry = Registry::default();
        let person = PersonId(10_000_007);
        registry.apply(&RegistryEvent::Registered {
            person,
            name: "Anna".to_owned(),
            address: "anna@ex.org".to_owned(),
            level: Level::Any,
            country: None,
            zone: None,
        });
        let late = |withheld_by: Option<&str>| RegistryEvent::Dedication {
            person,
            points: -1,
            why: DedicationReason::Late,
            withheld_by: withheld_by.map(str::to_owned),
        };
        registry.apply(&late(None));
        registry.apply(&late(Some("tokyo")));
        registry.apply(&late(Some("osaka")));
        let shown = |registry: &Registry| {
            let anna = registry.person(person).unwrap();
            (anna.dedication, anna.own_dedication())
        };
        assert_eq!(
            shown(&registry),
            (-1, -3),
            "others see what open games gave"
        );
        assert!(registry.withholds("tokyo") && !registry.withholds("kaiser"));
        registry.apply(&RegistryEvent::Settled {
            game: "tokyo".to_owned(),
        });
        assert_eq!(shown(&registry), (-2, -3));
        assert!(!registry.withholds("tokyo"));
    }
}
