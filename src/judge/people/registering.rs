//! Registration: how a person becomes known to the judge (`judge-workflow.md` 1.1).

use crate::registry::{Person, RegistryEvent};
use crate::tokens;
use crate::work::Work;
use crate::work::acting::{ActOutcome, Refusal, refuse};
use dipjudge_commands::form::{About, Form};
use dipjudge_game::Level;
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound::{self, Followed};

/// Registers the sender, or replaces the form of a registered person. Returns the sentences of the answer.
pub(crate) fn register(
    work: &mut Work,
    from: &Address,
    form: &Form,
    followed: Followed,
) -> ActOutcome {
    let Some(name) = form
        .get(&About::Name)
        .map(clean_name)
        .filter(|name| !name.is_empty())
    else {
        return refuse("Please add your name: a line Name: Anna Example between REGISTER and END.");
    };
    let key = from.key();
    let named = form.get(&About::Email).map(Address::parse);
    let written = named.iter().flatten().chain([from]);
    if let Some(own) = written
        .into_iter()
        .find(|address| work.judge.settings.is_own(address))
    {
        return refuse(format!(
            "{} is the address of this judge itself; register the one at which you read mail.",
            own.key()
        ));
    }
    if let Some(email) = form.get(&About::Email)
        && named != Some(Ok(from.clone()))
    {
        return refuse(format!(
            "The form names the address {email}, but this mail came from {key}.  Send the form from the address that \
             you want to use."
        ));
    }
    let level = match form.get(&About::Level).map(Level::named) {
        None => Level::Any,
        Some(Some(level)) => level,
        Some(None) => {
            return refuse(
                "The level is one of Novice, Amateur, Intermediate, Advanced or Expert.",
            );
        }
    };
    let zone = form.get(&About::Zone).map(str::trim);
    zone.map_or(Ok(()), check_zone)?;
    let known = work.registry.by_address(&key).map(|person| person.id);
    // Who was forgotten comes back under the number of before, by which games know who has led what.
    let secret = work.registry.secret();
    let forgotten = secret.map(|secret| tokens::of_forgotten(secret, &key));
    let before = forgotten.and_then(|key| work.registry.forgotten(&key));
    let person = match known.or(before) {
        Some(person) => person,
        None => {
            let bits = work.ids.user_id(&key);
            work.registry.free_id(bits)
        }
    };
    work.register(RegistryEvent::Registered {
        person,
        name: name.clone(),
        address: key.clone(),
        level,
        country: form.get(&About::Country).map(clean_name),
        zone: zone.map(str::to_owned),
    });
    let text = outbound::user_registered(
        &work.judge.templates,
        &name,
        &key,
        if known.is_some() {
            outbound::Registration::Replaced
        } else {
            outbound::Registration::Added
        },
        followed,
        &not_kept(form),
    );
    let mut said = text.map_err(|error| Refusal::from(error.to_string()))?;
    if let Some(zone) = zone {
        said.push(format!(
            "In the games that you join from now on dates are shown to you in the zone {zone}."
        ));
    }
    Ok(said)
}

/// The names of the fields that were parsed but are not stored.
fn not_kept(form: &Form) -> Vec<String> {
    let fields = form.fields.iter();
    fields
        .filter_map(|field| match &field.about {
            About::NotKept(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// Refuses a name that is not a time zone.
pub(crate) fn check_zone(name: &str) -> Result<(), Refusal> {
    match jiff::tz::TimeZoneDatabase::bundled().get(name) {
        Ok(_) => Ok(()),
        Err(_) => refuse(format!(
            "'{name}' is no time zone; use a name such as Europe/Berlin or UTC."
        )),
    }
}

fn clean_name(name: &str) -> String {
    dipjudge_mails::inbound::clean_header_text(name)
        .trim()
        .to_owned()
}

/// The registered person with an address. The refusal says how to register.
pub(crate) fn registered<'e>(work: &'e Work, from: &str) -> Result<&'e Person, Refusal> {
    work.registry.by_address(from).ok_or_else(|| {
        Refusal::from(format!(
            "I do not know {from} yet. Send these three lines, then repeat this mail:
    REGISTER
    Name: your name
    END"
        ))
    })
}
