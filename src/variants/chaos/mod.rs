//! Chaos: every center of the map is a power of its own.

use super::standard;
use dipjudge_game::{
    Adjudication, BuildSites, Card, Course, Described, Game, Hidden, Opening, SettingChange,
    Submissions, Views,
};

/// The variant.
pub(super) struct Chaos;

/// Its card.
const CARD: Card = Card {
    name: "chaos",
    aliases: &["chaos-1900"],
    title: "Chaos",
    called: Some("Chaos"),
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    usual: &[SettingChange::BuildSites(BuildSites::Any)],
    places: "no powers\npowers of centers\n",
    opening: Opening::Blank,
    standard_movement: true,
    ..standard::CARD
};

impl Described for Chaos {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl Course for Chaos {}

impl Submissions for Chaos {}

impl Adjudication for Chaos {}

impl Views for Chaos {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }
}
