//! Lines without anything unusual, which are most: movement of armies and fleets on the standard map. Such a line is read in one
//! pass over its bytes, and answered without an allocation of its own; only why an order is illegal is asked of the general rules.
//!
//! What is unusual is left to `job`, whose answers are the same byte for byte (`tests`).

mod cursor;
mod page;
mod read;
mod refusals;
mod settings;
mod tokens;
mod write;

use dipjudge_rules::adjudicator::plain::PlainMovement;

use super::Options;
use cursor::Cursor;
use page::Page;
use read::PlainLine;
use tokens::{Tokens, tokens, tokens_of, variant_named};

/// Answers the line if there is nothing unusual in it. `None` leaves `out` as it is.
pub(super) fn adjudicate(line: &[u8], options: &Options<'_>, out: &mut Vec<u8>) -> Option<()> {
    if options.as_power.is_some() {
        return None;
    }
    // Lines of other variants are not read here for nothing.
    let tokens = match variant_named(line) {
        Some(name) => tokens_of(name)?,
        None => tokens()?,
    };
    by(tokens, line, options, out)
}

fn by(tokens: &Tokens, line: &[u8], options: &Options<'_>, out: &mut Vec<u8>) -> Option<()> {
    let mut movement = PlainMovement::new(&tokens.stations);
    let text = line;
    let line = PlainLine::read(&mut Cursor::new(text), tokens, &mut movement)?;
    let refusals = refusals::refusals(tokens, text, &line, &movement)?;
    let outcome = movement.resolve()?;
    let mut page = Page::new();
    write::answer(
        &mut page, tokens, &line, &movement, &outcome, &refusals, options,
    )?;
    out.extend_from_slice(page.written()?);
    Some(())
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
