//! Why a question of the keeper cannot be answered.

use std::error::Error;

use dipjudge_game::apply::NoCreation;
use dipjudge_game::proof::NoProof;
use dipjudge_mails::outbound::RenderError;
use dipjudge_store::StoreError;

/// Why a question of the keeper cannot be answered; the text is a sentence part.
#[derive(Debug, thiserror::Error)]
pub(super) enum QueryError {
    #[error("there is no game '{name}', and no other yet")]
    NoGameYet { name: String },
    #[error("there is no game '{name}'; did you mean '{nearest}'?")]
    NoGameButSimilar { name: String, nearest: String },
    #[error("there is no game '{name}'; `dipjudge games` lists those there are")]
    NoGame { name: String },
    /// A line for each game that was asked after.
    #[error("not all is as it should be:\n{0}")]
    NotVerified(String),
    /// The game's records cannot be replayed; the text says why.
    #[error("{0}")]
    GameStopped(String),
    #[error("'{game}' has not begun, so its board is empty")]
    NotBegun { game: String },
    #[error("'{game}' is not over; name a power with --as for what that power was told so far")]
    NotOver { game: String },
    #[error("'{game}' {why}")]
    NoProof { game: String, why: NoProof },
    #[error("'{game}' may be resumed until {until}, so there is no proof of it yet")]
    MayGoOn { game: String, until: String },
    #[error("'{game}' has had no phase {phase} of which anything can be seen; name one as S1901M")]
    NoPhase { game: String, phase: String },
    #[error("'{game}' has no power '{word}'; its powers are {powers}")]
    NoPower {
        game: String,
        word: String,
        powers: String,
    },
    #[error("nothing of the board can be seen by that power")]
    NothingSeen,
    #[error("the map has no extent")]
    NoExtent,
    #[error("no message {number} is set aside; dipjudge set-aside lists those that are")]
    NotSetAside { number: u64 },
    #[error("the original of message {number} is no longer in {place}")]
    OriginalGone { number: u64, place: String },
    #[error("{place} cannot be looked into: {source}")]
    Place {
        place: String,
        source: Box<dyn Error + Send + Sync>,
    },
    #[error("there is no mail {number} in the outbox; dipjudge outbox lists those that are")]
    NoMail { number: u64 },
    #[error(
        "mail {number} waits and may be on its way; stop the daemon to drop it, or wait until it is given up"
    )]
    OnItsWay { number: u64 },
    #[error("nobody is registered with {address}; `dipjudge users` lists who is")]
    NoUser { address: String },
    #[error("what is kept cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// A backup is too long for one answer.
    #[error("a backup is asked for in its own way")]
    Backup,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Template(#[from] RenderError),
    #[error(transparent)]
    Log(#[from] NoCreation),
}
