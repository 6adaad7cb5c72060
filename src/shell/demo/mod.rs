//! `dipjudge demo`: sample games played through a judge of their own.

pub mod message;
pub mod script;

/// A game to show.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The variant's name.
    pub variant: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The script.
    pub text: &'static str,
}

/// One game of each variant.
pub const SAMPLES: &[Sample] = &[Sample { variant: "standard", game: "kaiser", text: include_str!("standard.game") }];
