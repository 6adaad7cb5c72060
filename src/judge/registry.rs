//! Who the judge knows: registered persons, their addresses and how reliably they play. The fold of the log `@judge`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::game::{Level, PersonId, Seed};

/// The log's name; no game can bear it.
pub const LOG: &str = "@judge";

/// A registered person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The number by which games know him.
    pub id: PersonId,
    /// His name.
    pub name: String,
    /// His addresses, normalised; mail goes to the first.
    pub addresses: Vec<String>,
    /// How well he plays, by his own word.
    pub level: Level,
    /// Where he lives, if he said so.
    pub country: Option<String>,
    /// Dedication points.
    pub dedication: i64,
    /// Turns for which his orders were due.
    pub turns: u32,
    /// Of these, in time.
    pub on_time: u32,
    /// Games he began.
    pub started: u32,
    /// Powers he took over.
    pub taken_over: u32,
    /// Games he resigned from.
    pub resigned: u32,
    /// Times he let a power fall into civil disorder.
    pub disorder: u32,
}

/// What can happen to the register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RegistryEvent {
    /// The judge's own secret, from which reply tokens follow.
    Secret {
        /// 32 bytes.
        secret: Seed,
    },
    /// Somebody registered, or sent his form anew.
    Registered {
        /// Who.
        person: PersonId,
        /// The name.
        name: String,
        /// The address that mail goes to.
        address: String,
        /// How well he plays.
        level: Level,
        /// Where he lives.
        country: Option<String>,
    },
    /// A person has another address beside those known.
    Linked {
        /// Who.
        person: PersonId,
        /// The address.
        address: String,
    },
    /// Orders were due.
    Due {
        /// From whom, and whether they were complete at the deadline.
        people: Vec<(PersonId, bool)>,
    },
    /// A game began, or a power was taken over.
    Joined {
        /// Who.
        people: Vec<PersonId>,
        /// At the start of the game.
        at_start: bool,
    },
    /// Points were lost or given.
    Dedication {
        /// Whose.
        person: PersonId,
        /// How many.
        points: i64,
        /// Why.
        why: Why,
    },
    /// An outage of the inbox was made good.
    Outage {
        /// Its end.
        until: Timestamp,
    },
}

/// Why dedication changed (`judge-workflow.md` 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Why {
    InTime,
    Late,
    Abandoned,
    Disorder,
    Resigned,
    Keeper,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegistryRecord {
    /// Version of this form.
    pub v: u32,
    /// When.
    pub at: Timestamp,
    /// What.
    pub events: Vec<RegistryEvent>,
}

/// Everybody the judge knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registry {
    people: Vec<Person>,
    by_address: BTreeMap<String, PersonId>,
    secret: Option<Seed>,
    outage: Option<Timestamp>,
}

impl Registry {
    /// The person with this normalised address.
    pub fn by_address(&self, address: &str) -> Option<&Person> {
        self.by_address.get(address).and_then(|id| self.person(*id))
    }

    /// A person by number.
    pub fn person(&self, id: PersonId) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    /// Everybody.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// A number that nobody has yet.
    pub fn next_id(&self) -> PersonId {
        PersonId(
            self.people
                .iter()
                .map(|person| person.id.0)
                .max()
                .map_or(1, |most| most + 1),
        )
    }

    /// The judge's secret, once it has one.
    pub fn secret(&self) -> Option<&Seed> {
        self.secret.as_ref()
    }

    /// The end of the last outage that was made good.
    pub fn outage(&self) -> Option<Timestamp> {
        self.outage
    }

    /// Changes the register by one event.
    pub fn apply(&mut self, event: &RegistryEvent) {
        match event {
            RegistryEvent::Secret { secret } => self.secret = Some(secret.clone()),
            RegistryEvent::Registered {
                person,
                name,
                address,
                level,
                country,
            } => {
                self.register(*person, name, address, *level, country.clone());
            }
            RegistryEvent::Linked { person, address } => {
                self.by_address.insert(address.clone(), *person);
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
            } => {
                if let Some(person) = self.find(*person) {
                    person.dedication += points;
                    person.disorder += u32::from(*why == Why::Disorder);
                    person.resigned += u32::from(*why == Why::Resigned);
                }
            }
            RegistryEvent::Outage { until } => self.outage = Some(*until),
        }
    }

    fn find(&mut self, id: PersonId) -> Option<&mut Person> {
        self.people.iter_mut().find(|person| person.id == id)
    }

    fn register(
        &mut self,
        id: PersonId,
        name: &str,
        address: &str,
        level: Level,
        country: Option<String>,
    ) {
        self.by_address.insert(address.to_owned(), id);
        if let Some(known) = self.find(id) {
            (known.name, known.level, known.country) = (name.to_owned(), level, country);
            known.addresses.retain(|other| other != address);
            known.addresses.insert(0, address.to_owned());
            return;
        }
        self.people.push(Person {
            id,
            name: name.to_owned(),
            addresses: vec![address.to_owned()],
            level,
            country,
            dedication: 0,
            turns: 0,
            on_time: 0,
            started: 0,
            taken_over: 0,
            resigned: 0,
            disorder: 0,
        });
    }
}
