//! The rows of all tables as plain data, for tests that send what each row reads.

use super::commands::commands;
use super::settings::rows::settings;
use super::table::Who;
use dipjudge_game::Variant;

/// What somebody may send, by the table in which it is a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    /// A row of the table of commands.
    Command,
    /// A row of the table of settings: what follows SET.
    Setting,
    /// A command that a variant adds.
    OfVariant,
    /// A setting that a variant adds: the words after SET.
    SettingOfVariant,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The table.
    pub kind: RowKind,
    /// The rules of the grammar that parse it; of a variant's setting its name.
    pub rules: Vec<&'static str>,
    /// Example lines. Those of settings are the words after SET.
    pub examples: Vec<String>,
    /// Whether it only shows something and changes nothing.
    pub question: bool,
    /// Whether everybody may use it who has signed on.
    pub everybodys: bool,
}

/// All that can be sent in a game of a variant, beside orders.
pub fn rows(variant: &dyn Variant) -> Vec<Row> {
    let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    let of_commands = commands().map(|row| Row {
        kind: RowKind::Command,
        rules: row.rules.to_vec(),
        examples: owned(row.examples),
        question: row.question,
        everybodys: matches!(row.who, Who::Anyone | Who::SignedOn),
    });
    let of_settings = settings().map(|row| Row {
        kind: RowKind::Setting,
        rules: row.rules.to_vec(),
        examples: owned(row.examples),
        question: false,
        everybodys: row.who == Who::SignedOn,
    });
    let card = variant.card();
    let of_variant = card.commands.iter().map(|row| Row {
        kind: RowKind::OfVariant,
        rules: vec![row.rule],
        examples: owned(row.examples),
        question: false,
        everybodys: true,
    });
    let own_settings = card.settings.iter().map(|row| Row {
        kind: RowKind::SettingOfVariant,
        rules: vec![row.name],
        examples: row
            .words()
            .iter()
            .map(|value| format!("{} {value}", row.name))
            .collect(),
        question: false,
        everybodys: false,
    });
    of_commands
        .chain(of_settings)
        .chain(of_variant)
        .chain(own_settings)
        .collect()
}
