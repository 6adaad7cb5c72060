//! The record of a game as a page of HTML: the texts of its mails that were kept for HISTORY. No text is written again, so
//! the record of a power holds what that power was sent and nothing else. The map of a phase is drawn from the log, as its
//! reader saw the board then. People appear with their names, without addresses.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::library::{archived, game_log};
use super::query_error::QueryError;
use super::{exported, game_texts};
use crate::pages::record::{Entry, GameRecord};
use dipjudge_drawing::{CenterCounts, PageMaps, centers_chart};
use dipjudge_game::apply::NoCreation;
use dipjudge_game::project::Chronicle;
use dipjudge_game::{Game, Record, Variant, VariantGame};
use dipjudge_judge::{Archived, Judge, KnownAddresses, Readership};
use dipjudge_rules::map::Power;
use dipjudge_store::Store;
use dipjudge_variants as variants;
use dipjudge_view::{Board, Viewer};

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
    let KeptGame { texts, log } = kept_of(store, &game.name)?;
    let reader = power.map_or(BookReader::Keeper, BookReader::Power);
    Ok(book_of(judge, game, reader, texts, &log)?.page())
}

/// What is kept of a game.
#[derive(Clone, Debug)]
pub struct KeptGame {
    /// The texts of its mails, for HISTORY.
    pub texts: Vec<Archived>,
    /// Its log.
    pub log: Vec<Record>,
}

/// What the store keeps of a game.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn kept_of(store: &Store, name: &str) -> Result<KeptGame, QueryError> {
    let kept = store.archive(name, Timestamp::MIN, Timestamp::MAX)?;
    Ok(KeptGame {
        texts: archived(name, kept),
        log: game_log(store, name)?,
    })
}

/// Whose book it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookReader {
    /// The keeper, for a game that is over.
    Keeper,
    /// A power of the game.
    Power(Power),
    /// Everybody: what HISTORY answers a stranger.
    Public,
}

impl BookReader {
    /// Who saw the boards of its maps.
    fn viewer(self) -> Viewer {
        match self {
            // The record of the whole game shows what its master saw.
            BookReader::Keeper => Viewer::Master,
            BookReader::Power(power) => Viewer::Power(power),
            BookReader::Public => Viewer::Stranger,
        }
    }

    /// Whether a text with these readers is shown.
    fn is_told(self, readers: Readership, is_over: bool) -> bool {
        match self {
            BookReader::Keeper => is_told(readers, None),
            BookReader::Power(power) => is_told(readers, Some(power)),
            BookReader::Public if is_over => is_told(readers, None),
            BookReader::Public => readers == Readership::Everyone,
        }
    }
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
    let reader = power.map_or(BookReader::Keeper, BookReader::Power);
    book_of(judge, game, reader, kept, log)
}

/// What the book of a game tells this reader.
///
/// # Errors
/// If the log is not that of a game.
pub(super) fn book_of(
    judge: &Judge,
    game: &Game,
    reader: BookReader,
    kept: Vec<Archived>,
    log: &[Record],
) -> Result<GameRecord, NoCreation> {
    let variant = variants::of(&game.variant);
    let shown = VariantGame::new(game, variant);
    let known = KnownAddresses::of(judge.registry(), log);
    let own = |text: &Archived| match reader {
        BookReader::Power(power) => text.readers == Readership::Power(power),
        _ => false,
    };
    // If each power has a history of its own, it begins with its first mail; earlier texts were kept for observers.
    let begins = kept.iter().position(own).unwrap_or(0);
    let entries = kept.into_iter().skip(begins);
    let entries = entries.filter(|text| reader.is_told(text.readers, game.over()));
    let entries = entries.map(|text| text.told_by_name(&known));
    let chronicle = Chronicle::of(log)?;
    let mut plates = Plates {
        maps: PageMaps::default(),
        counts: Vec::new(),
        chronicle: &chronicle,
        variant,
        reader,
    };
    // The hours at which a game that hides something was played can tell who played it.
    let hides_hours = reader == BookReader::Public && shown.secrecy().any();
    let entries = entries
        .map(|text| Entry {
            date: if hides_hours {
                day(text.at)
            } else {
                minute(text.at)
            },
            map: plates.map(&text.subject),
            subject: text.subject,
            body: text.body,
        })
        .collect();
    let told = match reader {
        BookReader::Power(power) => {
            let labels = shown.seen_by(Viewer::Power(power)).labels();
            format!(
                "The reports and notices that were mailed to {}, whoever led it.",
                labels.name(power)
            )
        }
        BookReader::Public if !game.over() => {
            "The last report of a game that is going on.".to_owned()
        }
        BookReader::Keeper | BookReader::Public => {
            "The reports and notices that were mailed to all, and what had been kept for the end."
                .to_owned()
        }
    };
    Ok(GameRecord {
        title: format!("{}, {}", game.name, shown.variant_line()),
        told,
        entries,
        chart: centers_chart(&plates.counts),
        definitions: plates.maps.definitions(),
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

/// The maps of a book, and the counts of centers on them.
struct Plates<'c> {
    maps: PageMaps,
    counts: Vec<CenterCounts>,
    chronicle: &'c Chronicle,
    variant: &'static dyn Variant,
    reader: BookReader,
}

impl Plates<'_> {
    /// The map of the phase whose results a mail reports.
    fn map(&mut self, subject: &str) -> Option<String> {
        let (_, about) = subject.strip_suffix(" Results")?.split_once(" - ")?;
        let phase = about.parse().ok()?;
        let seen = self.chronicle.seen_by(self.variant, self.reader.viewer());
        let board = match self.reader {
            // Strangers saw nothing of a hidden board before the end.
            BookReader::Public => seen.board_of_phase(phase)?,
            BookReader::Keeper | BookReader::Power(_) => seen.board_as_seen(phase)?,
        };
        self.count(&board, about);
        Some(self.maps.map(&board))
    }

    /// Centers change hands once a year, so the last phase of a year counts.
    fn count(&mut self, board: &Board, phase: &str) {
        let year: String = phase.chars().filter(char::is_ascii_digit).collect();
        if let Some(counts) = CenterCounts::of(board, &year) {
            self.counts.retain(|other| !other.is_of(&year));
            self.counts.push(counts);
        }
    }
}

pub(super) fn day(at: Timestamp) -> String {
    at.to_zoned_datetime(TimeZone::UTC)
        .strftime("%Y-%m-%d")
        .to_string()
}

fn minute(at: Timestamp) -> String {
    let utc = at.to_zoned_datetime(TimeZone::UTC);
    utc.strftime("%Y-%m-%d %H:%M UTC").to_string()
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
