//! The record of a game as a page of HTML: the texts of its mails that were kept for HISTORY. No text is written again, so
//! the record of a power holds what that power was sent and nothing else. The map of a phase is drawn from the log, as its
//! reader saw the board then. People appear with their names, without addresses.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::library::{archived, game_log};
use super::query_error::QueryError;
use super::{exported, game_texts};
use crate::pages::record::{Entry, GameRecord};
use dipjudge_drawing::PageMaps;
use dipjudge_game::apply::NoCreation;
use dipjudge_game::project::Chronicle;
use dipjudge_game::{Game, Record, Variant, VariantGame};
use dipjudge_judge::{Archived, Judge, KnownAddresses, Readership};
use dipjudge_rules::map::Power;
use dipjudge_store::Store;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The record of a game that is over, or of one of its powers at any time.
///
/// # Errors
/// If there is no such game or power, the game is not over and no power is named, or the store cannot be read.
pub(super) fn record_page(
    judge: &Judge,
    store: &Store,
    name: &str,
    as_power: Option<&str>,
) -> Result<String, QueryError> {
    let Some(game) = judge.game(name) else {
        return Err(game_texts::no_game(judge, name));
    };
    let power = match as_power {
        Some(word) => Some(exported::power(game, word)?),
        None if game.over() => None,
        None => {
            return Err(QueryError::NotOver {
                game: game.name.clone(),
            });
        }
    };
    let kept = store.archive(&game.name, Timestamp::MIN, Timestamp::MAX)?;
    let kept = archived(&game.name, kept);
    let log = game_log(store, &game.name)?;
    Ok(record_of(judge, game, power, kept, &log)?.page())
}

/// What the page of a game tells, or of one of its powers.
///
/// # Errors
/// If the log is not that of a game.
pub fn record_of(
    judge: &Judge,
    game: &Game,
    power: Option<Power>,
    kept: Vec<Archived>,
    log: &[Record],
) -> Result<GameRecord, NoCreation> {
    let variant = variants::of(&game.variant);
    let known = KnownAddresses::of(judge.registry(), log);
    let own = |text: &Archived| power.map(Readership::Power) == Some(text.readers);
    // If each power has a history of its own, it begins with its first mail; earlier texts were kept for observers.
    let begins = kept.iter().position(own).unwrap_or(0);
    let entries = kept.into_iter().skip(begins);
    let entries = entries.filter(|text| is_told(text.readers, power));
    let entries = entries.map(|text| text.told_by_name(&known));
    let chronicle = Chronicle::of(log)?;
    // The record of the whole game shows what its master saw.
    let viewer = power.map_or(Viewer::Master, Viewer::Power);
    let mut maps = PageMaps::default();
    let entries = entries
        .map(|text| Entry {
            date: minute(text.at),
            map: map(&mut maps, &chronicle, variant, viewer, &text.subject),
            subject: text.subject,
            body: text.body,
        })
        .collect();
    let told = match power {
        Some(power) => {
            let labels = VariantGame::new(game, variant)
                .seen_by(Viewer::Power(power))
                .labels();
            format!(
                "The reports and notices that were mailed to {}, whoever led it.",
                labels.name(power)
            )
        }
        None => {
            "The reports and notices that were mailed to all, and what had been kept for the end."
                .to_owned()
        }
    };
    Ok(GameRecord {
        title: format!(
            "{}, {}",
            game.name,
            VariantGame::new(game, variant).variant_line()
        ),
        told,
        entries,
        definitions: maps.definitions(),
    })
}

/// Whether a text with these readers is shown: to a power what was sent to all or to that power; in the record of a whole
/// game, which is over, what was sent to all and what was kept for the end.
fn is_told(readers: Readership, power: Option<Power>) -> bool {
    match readers {
        Readership::Everyone => true,
        Readership::Power(of) => power == Some(of),
        Readership::Whole | Readership::AtTheEnd => power.is_none(),
    }
}

/// The map of the phase whose results a mail reports.
fn map(
    maps: &mut PageMaps,
    chronicle: &Chronicle,
    variant: &dyn Variant,
    viewer: Viewer,
    subject: &str,
) -> Option<String> {
    let (_, about) = subject.strip_suffix(" Results")?.split_once(" - ")?;
    let board = chronicle
        .seen_by(variant, viewer)
        .board_as_seen(about.parse().ok()?)?;
    Some(maps.map(&board))
}

fn minute(at: Timestamp) -> String {
    let utc = at.to_zoned(TimeZone::UTC);
    utc.strftime("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_told_its_own_mails_and_the_whole_belongs_to_the_end() {
        let (own, other) = (Some(Power(1)), Readership::Power(Power(2)));
        assert!(is_told(Readership::Everyone, own) && is_told(Readership::Everyone, None));
        assert!(is_told(Readership::Power(Power(1)), own));
        assert!(!is_told(other, own) && !is_told(other, None));
        assert!(is_told(Readership::Whole, None) && !is_told(Readership::Whole, own));
    }
}
