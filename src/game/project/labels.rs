//! The only source of what powers are called: a reader's labels in what is written to him, and a sender's roster in what he
//! wrote.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::GameView;
use crate::labels::{Beginnings, GivenLabel, Newcomer, OwnContacts, OwnLabels};
use crate::planted::{Leak, planted};
use crate::{Game, Nobody, VariantGame};
use dipjudge_rules::folding::letters;
use dipjudge_rules::map::{Power, PowerInfo, Province};
use dipjudge_rules::position::{Dislodged, Position};
use dipjudge_view::{Label, Viewer};

/// What one reader calls the powers of a game.
#[derive(Clone, Debug)]
pub struct Labels<'g> {
    /// By the number of the power.
    words: Cow<'g, [PowerInfo]>,
    /// The powers that the reader has labels for.
    known: BTreeSet<Power>,
    /// The word for units without an owner.
    nobody: Nobody,
}

impl<'g> GameView<'g> {
    /// The present labels of a reader.
    pub fn labels(self) -> Labels<'g> {
        let Some(_) = self.variant.own_labels() else {
            return Labels {
                words: Cow::Borrowed(&self.game.powers),
                known: self.game.all_powers().collect(),
                nobody: self.variant.card().nobody,
            };
        };
        // Strangers read the same as observers; no event would give them labels.
        let reader = match self.viewer {
            Viewer::Stranger => Viewer::Observer,
            viewer => viewer,
        };
        let given: BTreeMap<Power, &str> = self
            .game
            .labels
            .iter()
            .filter(|given| given.reader == reader)
            .map(|given| (given.power, given.label.as_str()))
            .collect();
        let words = self
            .game
            .all_powers()
            .map(|power| called(given.get(&power).unwrap_or(&NOBODY_KNOWN)))
            .collect();
        Labels {
            words: Cow::Owned(words),
            known: given.into_keys().collect(),
            nobody: self.variant.card().nobody,
        }
    }

    /// Whether this is the roster, without making another where all readers call the powers the same.
    pub fn has_roster(self, roster: &Roster) -> bool {
        if self.variant.own_labels().is_some() {
            return self.roster() == *roster;
        }
        let own = self.game.all_powers().zip(self.game.powers.iter());
        let is_alike = roster.own_contacts.is_none() && roster.beginnings == Beginnings::default();
        is_alike && own.eq(roster.iter())
    }

    /// The powers that a sender may address. Words of his find no other power, so the name of a power that he has not met is to
    /// him a name that does not exist.
    pub fn roster(self) -> Roster {
        let labels = self.labels();
        let Some(own) = self.variant.own_labels() else {
            return Roster::from(labels.words());
        };
        let contacts: Option<BTreeSet<Power>> = match self.viewer {
            Viewer::Power(power) => {
                let contacts = own.contacts(self.game, power).into_iter();
                Some(contacts.chain([power]).collect())
            }
            _ => None,
        };
        let addressed = |power: &Power| contacts.as_ref().is_none_or(|all| all.contains(power));
        let powers = labels
            .known()
            .filter(addressed)
            .filter_map(|power| Some((power, labels.info(power)?.clone())));
        let mut powers: Vec<(Power, PowerInfo)> = powers.collect();
        if planted(Leak::Unmet) {
            let met: BTreeSet<Power> = powers.iter().map(|(power, _)| *power).collect();
            let unmet = self.game.all_powers().filter(|power| !met.contains(power));
            powers.extend(unmet.map(|power| (power, called(&own.wanted(self.game, power)))));
        }
        let own_contacts = |himself: Power| OwnContacts {
            himself,
            noun: own.noun(),
        };
        Roster {
            powers,
            beginnings: own.beginnings(),
            own_contacts: match self.viewer {
                Viewer::Power(himself) => Some(own_contacts(himself)),
                _ => None,
            },
        }
    }

    /// The labels to give to a reader before his next mail is written, for all powers that it may name. Labels that he has do
    /// not change. Empty where all readers use the same names.
    pub fn labels_to_give(self) -> Vec<GivenLabel> {
        let Some(own) = self.label_rules() else {
            return Vec::new();
        };
        let newcomers = if planted(Leak::Labels) {
            self.game.all_powers().collect()
        } else {
            self.unlabelled(own)
        };
        self.new_labels(own, &newcomers)
    }

    /// The labels to give to a reader because a mail to him introduces these powers, whether or not he sees anything of them.
    pub fn labels_to_introduce(self, powers: &[Power]) -> Vec<GivenLabel> {
        self.label_rules()
            .map_or_else(Vec::new, |own| self.new_labels(own, powers))
    }

    /// The variant's rules for labels of each reader's own. `None` before the game has begun, when nobody gets a label.
    pub(super) fn label_rules(self) -> Option<&'g dyn OwnLabels> {
        if self.game.begun() {
            self.variant.own_labels()
        } else {
            None
        }
    }

    /// Powers that one mail introduces to a reader, in the order in which he gets labels for them.
    pub fn arranged(self, powers: BTreeSet<Power>) -> Vec<Power> {
        let Some(own) = self.variant.own_labels() else {
            return powers.into_iter().collect();
        };
        let mut seen = BTreeMap::new();
        self.add_seen(&mut seen);
        let newcomer = |power| Newcomer {
            power,
            seen_at: seen.get(&power).copied(),
        };
        let mut newcomers: Vec<Newcomer> = powers.into_iter().map(newcomer).collect();
        own.arrange(self.game, &mut newcomers);
        newcomers.into_iter().map(|one| one.power).collect()
    }

    /// Labels for those newcomers that the reader has none for, in their order.
    fn new_labels(self, own: &dyn OwnLabels, newcomers: &[Power]) -> Vec<GivenLabel> {
        let mut taken: Vec<GivenLabel> = self.game.labels.clone();
        taken.retain(|given| given.reader == self.viewer);
        let before = taken.len();
        for power in newcomers.iter().copied() {
            if taken.iter().any(|given| given.power == power) {
                continue;
            }
            let wanted = own.wanted(self.game, power);
            let free = |label: &String| {
                taken.iter().all(|given| !alike(&given.label, label))
                    && !(planted(Leak::NumeralOfAll) && self.is_of_an_earlier(own, power, label))
            };
            let numbered = (2..).map(|n| format!("{wanted} {}", roman(n)));
            let label = std::iter::once(wanted.clone()).chain(numbered).find(free);
            taken.push(GivenLabel {
                reader: self.viewer,
                power,
                label: label.unwrap_or(wanted),
            });
        }
        taken.split_off(before)
    }

    /// Whether a power of a lower number wants to be called so too; for a planted leak.
    fn is_of_an_earlier(self, own: &dyn OwnLabels, power: Power, label: &str) -> bool {
        let mut earlier = self.game.all_powers().filter(|other| *other < power);
        self.viewer != Viewer::Power(power)
            && earlier.any(|other| alike(&own.wanted(self.game, other), label))
    }

    /// The powers that the next mail to a reader may name and that he has no label for, in the order of giving, beginning with
    /// his own.
    fn unlabelled(self, own: &dyn OwnLabels) -> Vec<Power> {
        let seen = self.seen_at();
        let himself = match self.viewer {
            Viewer::Power(power) => Some(power),
            _ => None,
        };
        let mut named: BTreeSet<Power> = if self.visibility().is_bounded() {
            seen.keys().copied().collect()
        } else {
            self.game.all_powers().collect()
        };
        named.extend(himself);
        named.extend(
            himself
                .map(|power| own.contacts(self.game, power))
                .into_iter()
                .flatten(),
        );
        let given = self
            .game
            .labels
            .iter()
            .filter(|given| given.reader == self.viewer);
        let given: BTreeSet<Power> = given.map(|given| given.power).collect();
        let labelled = |power: Power| given.contains(&power);
        let mut newcomers: Vec<Newcomer> = named
            .into_iter()
            .filter(|power| !labelled(*power) && Some(*power) != himself)
            .map(|power| Newcomer {
                power,
                seen_at: seen.get(&power).copied(),
            })
            .collect();
        own.arrange(self.game, &mut newcomers);
        let first = himself.filter(|power| !labelled(*power));
        let others = newcomers.into_iter().map(|one| one.power);
        first.into_iter().chain(others).collect()
    }

    /// The powers whose units and centers a reader sees at any of the moments of the last report: at the beginning of the phase,
    /// after the moves, and now. Each with the first such province by abbreviation.
    fn seen_at(self) -> BTreeMap<Power, Province> {
        let mut moments: Vec<Cow<'_, Game>> = vec![Cow::Borrowed(self.game)];
        let last = self.game.last.as_deref();
        let past = self
            .game
            .past
            .last()
            .filter(|past| past.number == self.game.number);
        if let Some((last, past)) = last.zip(past) {
            moments.push(Cow::Owned(Game {
                position: past.position.clone(),
                data: past.data.clone(),
                turn: past.turn,
                phase: past.phase.clone(),
                ..self.game.clone()
            }));
            moments.push(Cow::Owned(Game {
                position: done(last.position.clone(), &last.destroyed),
                data: past.data.clone(),
                turn: past.turn,
                phase: past.phase.clone(),
                ..self.game.clone()
            }));
        }
        let mut seen: BTreeMap<Power, Province> = BTreeMap::new();
        for moment in &moments {
            VariantGame::new(moment, self.variant)
                .seen_by(self.viewer)
                .add_seen(&mut seen);
        }
        seen
    }

    /// Adds the powers whose units and centers a reader sees in a game as it is.
    fn add_seen(self, seen: &mut BTreeMap<Power, Province>) {
        let visibility = self.visibility();
        let position = &self.game.position;
        let dislodged = position.dislodged.iter().map(|one| &one.unit);
        let units = position.units.iter().chain(dislodged);
        let units = units
            .filter(|unit| visibility.sees(unit))
            .map(|unit| (unit.power, unit.at.province));
        let owners = position.owners.iter();
        let centers = owners
            .filter(|(center, _)| visibility.watches(**center))
            .map(|(center, owner)| (*owner, *center));
        for (power, province) in units.chain(centers) {
            let first = seen.entry(power).or_insert(province);
            *first = (*first).min(province);
        }
        seen.remove(&Power::NEUTRAL);
    }
}

impl VariantGame<'_> {
    /// The powers of which a power sees anything now, without itself, in the order of the first such provinces.
    pub(super) fn powers_seen_now(self, power: Power) -> Vec<Power> {
        let mut seen = BTreeMap::new();
        self.seen_by(Viewer::Power(power)).add_seen(&mut seen);
        seen.remove(&power);
        let mut powers: Vec<(Province, Power)> =
            seen.into_iter().map(|(one, at)| (at, one)).collect();
        powers.sort();
        powers.into_iter().map(|(_, power)| power).collect()
    }
}

/// The name of a power that its reader has no label for. It reveals nothing.
const NOBODY_KNOWN: &str = "Unknown";

/// The words for a power that has no name but its label.
fn called(label: &str) -> PowerInfo {
    PowerInfo {
        name: label.to_owned(),
        adjective: label.to_owned(),
        key: label.to_owned(),
        letter: None,
    }
}

impl Labels<'_> {
    fn info(&self, power: Power) -> Option<&PowerInfo> {
        self.words.get(power.index()?)
    }

    /// The name; for units without an owner, the variant's word.
    pub fn name(&self, power: Power) -> &str {
        self.info(power).map_or(self.nobody.name, |info| &info.name)
    }

    /// The name, for a view.
    pub fn label(&self, power: Power) -> Label {
        Label::new(self.name(power))
    }

    /// The name where it is introduced: `Jedi Knights (JED)`.
    pub fn introduced(&self, power: Power) -> Label {
        let info = self.info(power);
        Label::new(info.map_or_else(|| self.nobody.name.to_owned(), PowerInfo::introduced))
    }

    /// The name before a unit: `Austrian`.
    pub fn adjective(&self, power: Power) -> &str {
        self.info(power)
            .map_or(self.nobody.name, |info| &info.adjective)
    }

    /// The name in data.
    pub fn key(&self, power: Power) -> &str {
        self.info(power).map_or(self.nobody.key, |info| &info.key)
    }

    /// The letter or code in mails: `E`.
    pub fn letter(&self, power: Power) -> String {
        self.info(power).map_or_else(
            || "?".to_owned(),
            |info| info.letter.map_or_else(|| info.key.clone(), String::from),
        )
    }

    /// The separator of letters or codes of powers in a list: none in `EFT`, a blank in `JED ZOR`.
    pub fn between_letters(&self) -> &'static str {
        if self.words.iter().all(|info| info.letter.is_some()) {
            ""
        } else {
            " "
        }
    }

    /// The powers that the reader has labels for, by their numbers.
    pub fn known(&self) -> impl Iterator<Item = Power> + '_ {
        self.known.iter().copied()
    }

    /// The same as [`words`](Labels::words), for who keeps them.
    pub(super) fn into_words(self) -> Vec<PowerInfo> {
        self.words.into_owned()
    }

    /// The reader's words for all powers, by their numbers.
    pub fn words(&self) -> &[PowerInfo] {
        &self.words
    }
}

/// The powers that a sender's words may mean, by the names that he knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    powers: Vec<(Power, PowerInfo)>,
    beginnings: Beginnings,
    own_contacts: Option<OwnContacts>,
}

impl Roster {
    /// The powers, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Power, &PowerInfo)> {
        self.powers.iter().map(|(power, info)| (*power, info))
    }

    /// The name of a power that can be addressed.
    pub fn info(&self, power: Power) -> Option<&PowerInfo> {
        let mut all = self.iter();
        all.find(|(other, _)| *other == power).map(|(_, info)| info)
    }

    /// The rule for abbreviations of a name.
    pub fn beginnings(&self) -> Beginnings {
        self.beginnings
    }

    /// The sender, if he has contacts of his own; `None` where all may address the same powers.
    pub fn own_contacts(&self) -> Option<OwnContacts> {
        self.own_contacts
    }

    /// Whether nobody can be addressed.
    pub fn is_empty(&self) -> bool {
        self.powers.is_empty()
    }
}

/// Powers that everybody may address, by their numbers: those of a map, or of a position that is read from a file.
impl From<&[PowerInfo]> for Roster {
    fn from(powers: &[PowerInfo]) -> Roster {
        Roster {
            powers: (0..).map(Power).zip(powers.iter().cloned()).collect(),
            beginnings: Beginnings::default(),
            own_contacts: None,
        }
    }
}

impl From<&Roster> for Roster {
    fn from(roster: &Roster) -> Roster {
        roster.clone()
    }
}

/// The position after the moves: units that could not retreat are still on the board.
fn done(mut position: Position, destroyed: &[dipjudge_rules::position::Unit]) -> Position {
    let destroyed = destroyed.iter().map(|unit| Dislodged {
        unit: *unit,
        attacker: None,
        options: Vec::new(),
    });
    position.dislodged.extend(destroyed);
    position
}

/// Whether a reader cannot distinguish two labels: only their letters count, in either case.
fn alike(one: &str, other: &str) -> bool {
    letters(one) == letters(other)
}

/// `II`, `III`, `IV`: there are fewer than 256 powers.
fn roman(number: usize) -> String {
    const PARTS: [(usize, &str); 9] = [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = number;
    let mut numeral = String::new();
    for (value, letters) in PARTS {
        while rest >= value {
            numeral.push_str(letters);
            rest -= value;
        }
    }
    numeral
}

#[cfg(test)]
mod tests;
