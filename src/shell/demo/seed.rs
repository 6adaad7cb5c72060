//! The seed of a sample game: if a variant draws at random, a script can only be written for one seed.
//!
//! A judge accepts no seed from outside. So its store is backed up, the seed of the game is replaced in the backup, and the
//! store is restored from that.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use sha2::{Digest, Sha256};

use dipjudge_game::Seed;
use dipjudge_store::{Store, restore, to_hex};

/// Gives a game that was just created another seed. No process may have the store open.
///
/// # Errors
/// If the store cannot be read or written, or holds no such game.
pub fn give(store: &Path, game: &str, seed: &Seed) -> Result<()> {
    let opened = Store::open(store)?;
    let mut copy = Vec::new();
    opened.backup(&mut copy)?;
    drop(opened);
    let copy = with_seed(&String::from_utf8(copy)?, game, seed)?;
    fs::remove_dir_all(store)?;
    restore(store, &mut copy.as_bytes())?;
    Ok(())
}

/// The backup with another seed in a game's first record. Its last line holds the checksum of all others.
fn with_seed(copy: &str, game: &str, seed: &Seed) -> Result<String> {
    let drawn = copy.lines().find_map(|line| seed_in(line, game));
    let drawn = drawn.with_context(|| format!("there is no game '{game}'"))?;
    let copy = copy.replace(&drawn, &seed.to_hex());
    let (lines, end) = copy
        .trim_end()
        .rsplit_once('\n')
        .context("a backup has an end")?;
    let lines = format!("{lines}\n");
    let mut end: Value = serde_json::from_str(end)?;
    end["end"]["sha256"] = to_hex(&Sha256::digest(&lines)).into();
    Ok(format!("{lines}{end}\n"))
}

/// The seed of a game, if this line of a backup is the record that creates it.
fn seed_in(line: &str, game: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    let record = line.get("record").filter(|record| record["log"] == game)?;
    let record: Value = serde_json::from_str(record["text"].as_str()?).ok()?;
    record["events"][0]["seed"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_bears_another_seed_and_its_checksum() {
        let drawn = "1f".repeat(32);
        let record = format!(
            r#"{{"record":{{"log":"dawn","seq":0,"text":"{{\"events\":[{{\"seed\":\"{drawn}\"}}]}}"}}}}"#
        );
        let end = r#"{"end":{"lines":2,"sha256":"00"}}"#;
        let copy = format!("{{\"backup\":{{}}}}\n{record}\n{end}\n");
        let seed = Seed::new([7; 32]);
        let other = with_seed(&copy, "dawn", &seed).unwrap();
        let (lines, end) = other.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(
            seed_in(lines.lines().last().unwrap(), "dawn"),
            Some(seed.to_hex())
        );
        let digits = to_hex(&Sha256::digest(format!("{lines}\n")));
        assert_eq!(
            end,
            format!(r#"{{"end":{{"lines":2,"sha256":"{digits}"}}}}"#)
        );
        assert!(with_seed(&copy, "dusk", &seed).is_err());
    }
}
