//! The site of the public games. A game is public if it has SET LIST; other games stay off the site even when they are over. A game
//! that hides something appears when it is over. What a page tells is what HISTORY answers a stranger.

use dipjudge_game::apply::NoCreation;
use dipjudge_game::{Game, State, VariantGame};
use dipjudge_judge::{Archived, Judge, sent_files};
use dipjudge_mails::outbound::Templates;
use dipjudge_store::Store;
use dipjudge_variants as variants;

use super::query_error::QueryError;
use super::record_page::{BookReader, KeptGame, book_of, day, kept_of};
use crate::pages::manual;
use crate::pages::record::GameRecord;
use crate::pages::site::{self, GamePage, PublicGame, SiteContents, SiteFile};

/// All files of the site.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn site(
    judge: &Judge,
    store: &Store,
    templates: &Templates,
    contents: SiteContents,
) -> Result<Vec<SiteFile>, QueryError> {
    let mut files = match contents {
        SiteContents::Games => Vec::new(),
        SiteContents::GamesAndManual => manual::files(&sent_files(templates)),
    };
    files.extend(site_of(judge, contents, |game| kept_of(store, &game.name))?);
    Ok(files)
}

/// All files of the site of a judge but those of the manual, made of what is kept of its games.
///
/// # Errors
/// If what is kept cannot be read, or is not that of a game.
pub fn site_of<E: From<NoCreation>>(
    judge: &Judge,
    contents: SiteContents,
    kept: impl Fn(&Game) -> Result<KeptGame, E>,
) -> Result<Vec<SiteFile>, E> {
    let mut games = Vec::new();
    for game in judge.games().filter(|game| is_public(game)) {
        games.push(public_game(judge, kept(game)?, game)?);
    }
    Ok(site::files(&judge.settings().name, games, contents))
}

/// What the site depends on, of each public game. A site that was written from the same is the same.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SiteState(Vec<PublicState>);

#[derive(Clone, Debug, PartialEq)]
struct PublicState {
    name: String,
    state: State,
    phases: u32,
}

impl SiteState {
    pub(super) fn of(judge: &Judge) -> SiteState {
        let games = judge.games().filter(|game| is_public(game));
        let states = games.map(|game| PublicState {
            name: game.name.clone(),
            state: game.state.clone(),
            phases: game.number,
        });
        SiteState(states.collect())
    }
}

/// Whether a game is on the site.
fn is_public(game: &Game) -> bool {
    let hides = VariantGame::new(game, variants::of(&game.variant))
        .secrecy()
        .any();
    game.settings.list && (game.over() || !hides)
}

fn public_game(judge: &Judge, kept: KeptGame, game: &Game) -> Result<PublicGame, NoCreation> {
    let variant = variants::of(&game.variant);
    let played = VariantGame::new(game, variant).variant_line();
    let about = match game.state {
        State::Running => format!("{played}, {}", game.token(variant)),
        State::Forming => format!("{played}, forming"),
        _ => played,
    };
    Ok(PublicGame {
        name: game.name.clone(),
        about,
        is_over: game.over(),
        page: page(judge, kept, game)?,
    })
}

/// The book of a game that is over; of one that is going on the last report.
fn page(judge: &Judge, kept: KeptGame, game: &Game) -> Result<Option<GamePage>, NoCreation> {
    let KeptGame { mut texts, log } = kept;
    if !game.over() {
        texts.retain(Archived::is_results);
        texts = texts.split_off(texts.len().saturating_sub(1));
    }
    let last_day = texts.iter().rev().map(|text| day(text.at)).next();
    let book: GameRecord = book_of(judge, game, BookReader::Public, texts, &log)?;
    let Some(last) = book.entries.last() else {
        return Ok(None);
    };
    Ok(Some(GamePage {
        last: last.subject.clone(),
        day: last_day.unwrap_or_default(),
        html: book.page(),
    }))
}
