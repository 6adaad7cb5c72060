//! Games as their players have kept them: results mails of the old judges in a HISTORY, in a mailbox file, or one behind another
//! (`judge-workflow.md` 6), and saved games of the `diplomacy` package. Only the lines that tools have always parsed are read, so mails of nJudge, of DPjudge as far as its lines are
//! the same, and of this judge are read alike.
//!
//! Anybody may have written the text, so it is read within bounds, and what it says is believed by nobody: the game is played again from
//! its orders, and every report is compared.

mod lines;
mod mail;
mod saved;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use mail::KeptMail;

/// The most bytes that are read.
pub const MOST_BYTES: usize = 16 << 20;
/// The most mails.
const MOST_MAILS: usize = 20_000;
/// The most phases of a game.
const MOST_PHASES: usize = 1_000;

/// A game, as far as its mails tell of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Its name, in small letters.
    pub name: String,
    /// The words behind `Variant:`, as `Standard Gunboat`.
    pub variant: String,
    /// The last known address of each role: a power's name, or `Master`.
    pub people: BTreeMap<String, String>,
    /// The phases that were played, in order.
    pub phases: Vec<KeptPhase>,
    /// How it ended, in the words of the subject: `Draw Declared: EFT`.
    pub ending: Option<String>,
}

/// A phase that was played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPhase {
    /// As in subjects: `S1901M`.
    pub token: String,
    /// Its orders by the names of powers, in lines that can be sent.
    pub orders: BTreeMap<String, Vec<String>>,
    /// What the report says: its lines of orders with their marks, who is dislodged or destroyed, who owns what. Sorted, since judges
    /// list powers and units in different orders.
    pub said: Vec<String>,
    /// Where units stood before it, by the names of powers: `A PAR`, and `*A PAR` if dislodged. Only saved games say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, Vec<String>>,
}

/// Why a text is not taken as a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotKept(String);

fn not_kept<T>(why: impl Into<String>) -> Result<T, NotKept> {
    Err(NotKept(why.into()))
}

/// Reads a game from its mails.
///
/// # Errors
/// If the text is too large, holds no results, or holds those of several games.
pub fn read(text: &[u8]) -> Result<KeptGame, NotKept> {
    if text.len() > MOST_BYTES {
        return not_kept(format!(
            "it has more than {} MB; only the mails of one game are needed",
            MOST_BYTES >> 20
        ));
    }
    if text.trim_ascii_start().starts_with(b"{") {
        return saved::read(text);
    }
    let mails = mail::split(text, MOST_MAILS)?;
    let mut game = KeptGame::default();
    for mail in &mails {
        game.take(mail)?;
    }
    if game.phases.is_empty() {
        return not_kept(
            "no results were found in it: their subjects look like `USXX:kaiser - S1901M Results`",
        );
    }
    Ok(game)
}

/// The report of one phase, as a mail or a part of one has it.
#[must_use]
pub fn phase(token: &str, body: &str) -> KeptPhase {
    lines::phase(token, body.lines())
}

impl KeptGame {
    fn take(&mut self, mail: &KeptMail) -> Result<(), NotKept> {
        let name = mail.game.to_ascii_lowercase();
        if self.name.is_empty() {
            self.name = name;
        } else if self.name != name {
            return not_kept(format!(
                "it holds mails of several games, '{}' and '{name}'; leave those of one",
                self.name
            ));
        }
        if let Some(variant) = lines::variant(&mail.lines) {
            self.variant = variant.to_owned();
        }
        let tail = mail.tail.as_str();
        if tail.eq_ignore_ascii_case("results") {
            return self.results(mail);
        }
        if let Some(to) = tail.strip_prefix("Rollback to ") {
            let from = self
                .phases
                .iter()
                .position(|phase| phase.token == to.trim());
            self.phases.truncate(from.unwrap_or(self.phases.len()));
            self.ending = None;
        }
        let ends = [
            "Draw Declared",
            "Game Conceded",
            "Victory",
            "Game Terminated",
        ];
        if ends.iter().any(|end| tail.starts_with(end)) {
            self.ending = Some(tail.to_owned());
        }
        if tail.starts_with("Game Resumed") {
            self.ending = None;
        }
        self.people.extend(lines::people(tail, &mail.lines));
        Ok(())
    }

    fn results(&mut self, mail: &KeptMail) -> Result<(), NotKept> {
        let phase = lines::phase(&mail.phase, mail.lines.iter().map(String::as_str));
        match self.phases.iter().find(|known| known.token == phase.token) {
            Some(known) if *known == phase => Ok(()),
            Some(_) => not_kept(format!(
                "the results of {} stand in it twice, and differ: take out those that do not count",
                phase.token
            )),
            None if self.phases.len() >= MOST_PHASES => {
                not_kept(format!("it has more than {MOST_PHASES} phases"))
            }
            None => {
                self.phases.push(phase);
                Ok(())
            }
        }
    }
}
