//! `verify FILE`: a proof of a finished game is computed again.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::about;
use dipjudge_game::proof::{Proof, ProofFindings};
use dipjudge_variants as variants;

/// Whether a word names a file: names of games have neither dots nor slashes.
pub(super) fn is_file(word: &str) -> bool {
    word.contains(['.', '/'])
}

/// Computes the game in a file again and tells what it proves.
pub(super) fn verify(file: &Path, out: &mut dyn Write) -> Result<()> {
    let text = about(fs::read(file), "read", file)?;
    let proof: Proof = serde_json::from_slice(&text)
        .with_context(|| format!("{} is no proof of a game", file.display()))?;
    let game = &proof.game;
    let found = match proof.check(variants::of) {
        Ok(found) => found,
        Err(fault) => bail!("{game}: {fault}"),
    };
    let ProofFindings {
        phases,
        unproven,
        changes,
    } = found;
    writeln!(
        out,
        "{game} of {}: {phases} phases come out of the orders and the seed as they are told.",
        proof.judge
    )?;
    for seed in &proof.seeds {
        writeln!(out, "The seed's SHA-256: {}", seed.sha256)?;
    }
    if !unproven.is_empty() {
        writeln!(
            out,
            "Not computed, since they depend on what stays secret: {}.",
            unproven.join(", ")
        )?;
    }
    if changes > 0 {
        writeln!(
            out,
            "Between the phases masters or the keeper changed the board; such changes: {changes}."
        )?;
    }
    writeln!(out, "It does not prove:")?;
    for sentence in &proof.not_proven {
        writeln!(out, "- {sentence}")?;
    }
    Ok(())
}
