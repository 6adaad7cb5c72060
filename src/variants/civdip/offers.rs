//! Lines by which civilizations deal with one another, as they come: held against what their sender knows alone (rules page,
//! sections 10 and 14).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::CivDipView;
use super::dealings::{OwnDealing, OwnSubject, PartyState};
use super::words::with_article;
use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{CommandDecision, CommandInput, Phase, Refusal, refuse};
use dipjudge_grammar::{Line, Value};
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::position::UnitId;
use dipjudge_view::and_list;

/// What a line does once it is accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OfferAct {
    /// Nothing: the line only asked.
    #[default]
    Nothing,
    /// Offers the own map.
    GiveMap(Power),
    /// Offers a unit.
    GiveUnit(UnitId, Power),
    /// Offers an introduction to the first.
    GiveContact(Power, Power),
    /// Proposes an exchange of maps, or agrees to one that is open.
    Exchange(BTreeSet<Power>),
    /// Agrees to what has this number.
    Accept(u32),
    /// Refuses it.
    Reject(u32),
    /// Takes it back; of an exchange that another has opened, refuses it.
    Cancel(u32),
}

fn decided(act: &OfferAct, said: Vec<String>) -> Result<CommandDecision, Refusal> {
    Ok(CommandDecision {
        act: data_of(act),
        said,
    })
}

/// What the sender of a line knows.
struct Sender<'s> {
    sight: &'s Sight,
    own: CivDipView,
}

impl<'s> Sender<'s> {
    fn of(sight: &'s Sight) -> Sender<'s> {
        Sender {
            own: sight.own.stored(),
            sight,
        }
    }

    fn name(&self, power: Power) -> &str {
        let info = power.index().and_then(|index| self.sight.powers.get(index));
        info.map_or("Unknown", |info| &info.name)
    }

    fn place(&self, at: Province) -> String {
        self.sight.map.full_name(Location::from(at))
    }

    fn kind(&self, kind: UnitKind) -> String {
        let info = self.sight.map.kind(kind);
        let name = info.map_or_else(|| kind.to_string(), |info| info.name.to_lowercase());
        with_article(&name)
    }

    /// Refuses a new offer or exchange with these if the sender cannot open one now.
    fn may_open(&self, with: &[Power]) -> Result<(), Refusal> {
        if with.contains(&self.sight.power) {
            return refuse("That is your own civilization.");
        }
        if !self.own.may_trade_at_once {
            let (asked, own): (Vec<_>, Vec<_>) = self
                .own
                .dealings
                .iter()
                .partition(|one| one.state == PartyState::Asked);
            if let Some(own) = own.first() {
                return refuse(format!(
                    "Your transaction {} is still open. Send CANCEL and its number first.",
                    own.number
                ));
            }
            if let Some(asked) = asked.first() {
                return refuse(format!("Answer transaction {} first.", asked.number));
            }
        }
        match with.iter().find(|other| self.own.deaf.contains(other)) {
            Some(deaf) => refuse(format!(
                "{} has refused three of your offers and takes no more this phase.",
                self.name(*deaf)
            )),
            None => Ok(()),
        }
    }

    fn recorded(&self) -> Vec<String> {
        vec![format!(
            "Recorded as your transaction {}.",
            self.own.next_number
        )]
    }

    /// The fitting transaction with the number that the line names; the only fitting one if it names no number.
    fn meant(
        &self,
        line: &Line,
        verb: &str,
        fits: impl Fn(&OwnDealing) -> bool,
    ) -> Result<&OwnDealing, Refusal> {
        let fitting: Vec<&OwnDealing> = self.own.dealings.iter().filter(|one| fits(one)).collect();
        if let Some(number) = line.number() {
            let found = fitting.iter().find(|one| i64::from(one.number) == number);
            return match found {
                Some(found) => Ok(found),
                None => refuse(format!("You have no transaction {number} open.")),
            };
        }
        match fitting.as_slice() {
            [only] => Ok(only),
            [] => refuse(format!("You have no transaction open to {verb}.")),
            several => {
                let numbers = several.iter().map(|one| one.number.to_string());
                let numbers: Vec<String> = numbers.collect();
                refuse(format!(
                    "Say which: your transactions {} are open.",
                    and_list(&numbers)
                ))
            }
        }
    }
}

/// The powers that a line names, in its order.
fn powers(line: &Line) -> Vec<Power> {
    let power = |value: &&Value| match value {
        Value::Power(power) => Some(*power),
        _ => None,
    };
    line.values().iter().filter_map(power).collect()
}

/// GIVE MAP TO Babel.
pub(super) fn give_map(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let Some(to) = powers(given.line).last().copied() else {
        return refuse("Say to whom: GIVE MAP TO name.");
    };
    sender.may_open(&[to])?;
    decided(&OfferAct::GiveMap(to), sender.recorded())
}

/// GIVE CONTACT Carthage TO Babel.
pub(super) fn give_contact(
    given: &CommandInput,
    sight: &Sight,
) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let [subject, to] = powers(given.line)[..] else {
        return refuse("Say whom and to whom: GIVE CONTACT name TO name.");
    };
    if subject == to {
        return refuse("Nobody is introduced to himself; name two civilizations.");
    }
    if subject == sight.power {
        return refuse("That is your own civilization.");
    }
    sender.may_open(&[to])?;
    decided(&OfferAct::GiveContact(subject, to), sender.recorded())
}

/// GIVE ARMY BOHEMIA TO Babel.
pub(super) fn give_unit(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let to = powers(given.line).last().copied();
    let (Some(to), Some(at)) = (to, given.line.province()) else {
        return refuse("Say what and to whom: GIVE ARMY Bohemia TO name.");
    };
    sender.may_open(&[to])?;
    if sight.phase == Phase::Adjustments {
        return refuse("Units cannot be given in Winter.");
    }
    let own = |power: Power| power == sight.power;
    let Some(unit) = sight.position.standing(at).filter(|unit| own(unit.power)) else {
        let dislodged = sight.position.dislodged_from(at);
        return if dislodged.is_some_and(|one| own(one.unit.power)) {
            refuse("A dislodged unit cannot be given.")
        } else {
            refuse(format!("You have no unit in {}.", sender.place(at)))
        };
    };
    if given.line.kind().is_some_and(|kind| kind != unit.kind) {
        return refuse(format!(
            "Your unit in {} is not of that kind, but {}.",
            sender.place(at),
            sender.kind(unit.kind)
        ));
    }
    if sight.map.info(at).is_some_and(|info| info.center) {
        return refuse(format!(
            "{} is a supply center; units there cannot be given.",
            sender.place(at)
        ));
    }
    decided(&OfferAct::GiveUnit(unit.id, to), sender.recorded())
}

/// EXCHANGE MAPS WITH Babel, Carthage.
pub(super) fn exchange(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let mut members: BTreeSet<Power> = powers(given.line).into_iter().collect();
    members.remove(&sight.power);
    if members.is_empty() {
        return refuse("That is your own civilization.");
    }
    let others: Vec<Power> = members.iter().copied().collect();
    // Where it knows of this very exchange, it agrees to it.
    let known = sender.own.dealings.iter().find(|one| {
        let with: BTreeSet<Power> = one.with.iter().copied().collect();
        one.subject == OwnSubject::Exchange && with == members
    });
    match known {
        Some(known) if known.state == PartyState::Asked => {
            return decided(&OfferAct::Accept(known.number), Vec::new());
        }
        Some(known) => {
            return refuse(format!(
                "Your transaction {} is still open. Send CANCEL and its number first.",
                known.number
            ));
        }
        None => sender.may_open(&others)?,
    }
    members.insert(sight.power);
    decided(&OfferAct::Exchange(members), sender.recorded())
}

/// ACCEPT 3, "I take the exchange with Etruria".
pub(super) fn accept(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let named = given.line.power();
    let asked = |one: &OwnDealing| {
        one.state == PartyState::Asked && named.is_none_or(|named| one.with.contains(&named))
    };
    let meant = sender.meant(given.line, "accept", asked)?;
    decided(&OfferAct::Accept(meant.number), Vec::new())
}

/// REJECT 3.
pub(super) fn reject(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let asked = |one: &OwnDealing| one.state == PartyState::Asked;
    let meant = sender.meant(given.line, "reject", asked)?;
    decided(
        &OfferAct::Reject(meant.number),
        vec!["Rejected.".to_owned()],
    )
}

/// CANCEL 4.
pub(super) fn cancel(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let own = |one: &OwnDealing| one.state != PartyState::Asked;
    let meant = sender.meant(given.line, "cancel", own)?;
    let said = vec![format!("{}: cancelled.", meant.number)];
    decided(&OfferAct::Cancel(meant.number), said)
}

/// OFFERS.
pub(super) fn offers(_: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let lines: Vec<String> = sender
        .own
        .dealings
        .iter()
        .map(|one| told(&sender, one))
        .collect();
    let none = || vec!["You have no transaction open.".to_owned()];
    decided(
        &OfferAct::Nothing,
        if lines.is_empty() { none() } else { lines },
    )
}

fn told(sender: &Sender, one: &OwnDealing) -> String {
    let with: Vec<String> = one
        .with
        .iter()
        .map(|power| sender.name(*power).to_owned())
        .collect();
    let with = and_list(&with);
    let number = one.number;
    let unit = |id: &UnitId| {
        let units = sender.sight.position.units.iter();
        let found = units.into_iter().find(|unit| unit.id == *id);
        found.map_or_else(String::new, |unit| {
            format!(" in {}", sender.place(unit.at.province))
        })
    };
    match (&one.subject, one.state) {
        (OwnSubject::Exchange, PartyState::Asked) => format!(
            "{number}: an exchange of maps with {with} waits for your ACCEPT {number} or REJECT {number}."
        ),
        (OwnSubject::Exchange, _) => {
            format!("{number}: you have agreed to an exchange of maps with {with}.")
        }
        (OwnSubject::Map, PartyState::Asked) => {
            format!("{number}: {with} offers you its map: ACCEPT {number} or REJECT {number}.")
        }
        (OwnSubject::Map, _) => format!("{number}: you offer {with} your map."),
        (OwnSubject::Unit(id), PartyState::Asked) => format!(
            "{number}: {with} offers you a unit{}: ACCEPT {number} or REJECT {number}.",
            unit(id)
        ),
        (OwnSubject::Unit(id), _) => format!("{number}: you offer {with} your unit{}.", unit(id)),
        (OwnSubject::Contact(None), _) => format!(
            "{number}: {with} offers you an introduction to another civilization: ACCEPT {number} or REJECT {number}."
        ),
        (OwnSubject::Contact(Some(subject)), _) => format!(
            "{number}: you offer {with} an introduction to {}.",
            sender.name(*subject)
        ),
    }
}

/// CONTACTS.
pub(super) fn contacts(_: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let sender = Sender::of(sight);
    let line =
        |(power, since): &(Power, String)| format!("{}: since {since}.", sender.name(*power));
    let mut lines: Vec<String> = sender.own.contacts.iter().map(line).collect();
    lines.sort();
    if lines.is_empty() {
        lines.push("You have met nobody yet.".to_owned());
    }
    decided(&OfferAct::Nothing, lines)
}
