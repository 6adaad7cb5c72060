//! `map`: draws the position of a game of this judge, or one from standard input.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::{about, ask};
use crate::config::Config;
use crate::daemon::keeper_queries::{Answer, Question};
use dipjudge_drawing as drawing;
use dipjudge_interchange as interchange;

/// What is to be drawn, and where the picture goes.
#[derive(Debug, Args)]
pub(super) struct Map {
    /// A game of this judge [default: the `state` object, or the line of `adjudicate`, on standard input]
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// One of its phases, as S1901M, with its orders [default: the board as it stands]
    #[arg(long, value_name = "PHASE", requires = "game")]
    phase: Option<String>,
    /// Only what that power may know
    #[arg(long = "as", value_name = "POWER")]
    as_power: Option<String>,
    /// Where to: a file that ends in .svg or .png [default: SVG on standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The file format of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
}

/// Draws the position and writes the picture.
pub(super) fn map(
    config: &dyn Fn() -> Result<Config>,
    map: &Map,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<()> {
    let form = match &map.output {
        Some(file) => form_of(file)?,
        None => Form::Svg,
    };
    let bytes = match &map.game {
        Some(game) => of_game(&config()?, map, game, form)?,
        None => of_position(map, input, form)?,
    };
    match &map.output {
        Some(file) => about(std::fs::write(file, bytes), "write", file)?,
        None => {
            out.write_all(&bytes)?;
            out.flush()?;
        }
    }
    Ok(())
}

fn form_of(file: &Path) -> Result<Form> {
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_deref().and_then(|ending| ending.to_str()) {
        Some("svg") => Ok(Form::Svg),
        Some("png") => Ok(Form::Png),
        _ => bail!(
            "{} tells no kind of picture; name a file that ends in .svg or .png",
            file.display()
        ),
    }
}

fn of_game(config: &Config, map: &Map, game: &str, form: Form) -> Result<Vec<u8>> {
    let question = Question::Map {
        game: game.to_owned(),
        phase: map.phase.clone(),
        as_power: map.as_power.clone(),
        png: form == Form::Png,
    };
    match ask::answer(config, &question)? {
        Answer::Picture(bytes) => Ok(bytes),
        Answer::Failed(why) => bail!(why),
        _ => bail!("the daemon answered another question"),
    }
}

fn of_position(map: &Map, input: &mut dyn Read, form: Form) -> Result<Vec<u8>> {
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let board = match interchange::board(&text, map.as_power.as_deref()) {
        Ok(board) => board,
        Err(sentence) => bail!("{}", sentence.to_string().trim_end_matches('.')),
    };
    let svg = drawing::svg(&board);
    match form {
        Form::Svg => Ok(svg.text().into_bytes()),
        Form::Png => match drawing::png(&svg) {
            Some(picture) => Ok(picture.png),
            None => bail!("the map has no extent"),
        },
    }
}
