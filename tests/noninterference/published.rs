//! The site of the public games, which everybody reads.

use dipjudge::game::apply::NoCreation;
use dipjudge::game::{Game, VariantGame};
use dipjudge::shell::daemon::{KeptGame, site_of};
use dipjudge::shell::pages::site::{SiteContents, SiteFile};
use dipjudge::variants;

use super::fixture::Fixture;
use super::letters::JUDGE;
use super::stage::{Stage, log};

/// All files of the site as a judge would write it now.
pub fn site(stage: &Stage) -> Vec<SiteFile> {
    let kept = |game: &Game| {
        Ok::<_, NoCreation>(KeptGame {
            texts: stage.archive(&game.name),
            log: log(&stage.kept.records, &game.name),
        })
    };
    site_of(&stage.judge, SiteContents::Games, kept).expect("records of our own")
}

/// The site as one text.
pub fn text(stage: &Stage) -> String {
    let files = site(stage).into_iter();
    files
        .map(|file| format!("{}:\n{}\n", file.name, file.text))
        .collect()
}

/// An address on the site, or the name of a game that is in no list, or that hides something and goes on.
///
/// # Errors
/// The first such word.
pub fn holds_nothing_of_hidden_games(fixture: &Fixture, stage: &Stage) -> Result<(), String> {
    let text = text(stage);
    let people = fixture.cast.people.iter();
    let addresses = people.flat_map(|one| [&one.address, &one.elsewhere]);
    for address in addresses {
        if text.contains(address.as_str()) {
            return Err(format!("the address {address} is on the site:\n{text}"));
        }
    }
    let (_, host) = JUDGE.split_once('@').unwrap_or_default();
    let ends = format!("@{host}");
    let mut before = text.split(&ends).collect::<Vec<_>>();
    before.pop();
    let keys = before.into_iter().map(|text| {
        let begins = |c: char| !(c.is_ascii_alphanumeric() || c == '+' || c == '-' || c == '.');
        text.rsplit(begins).next().unwrap_or_default()
    });
    for key in keys {
        if format!("{key}{ends}") != JUDGE {
            return Err(format!("the key {key} is on the site:\n{text}"));
        }
    }
    let hidden = |game: &&Game| {
        let hides = VariantGame::new(game, variants::of(&game.variant))
            .secrecy()
            .any();
        !game.settings.list || hides && !game.over()
    };
    for game in stage.judge.games().filter(hidden) {
        let file = format!("games/{}.html", game.name);
        let entry = format!("<li>{}: ", game.name);
        if text.contains(&file) || text.contains(&entry) {
            return Err(format!("{} is on the site:\n{text}", game.name));
        }
    }
    Ok(())
}
