//! Tables and lists for readers of HTML, with the lines that mapping tools read in their place in plain text. A table states
//! the facts of its lines and no others.

use super::tables::{self, centers_by_owner, count_lines, count_mark, due_verb, ownership_lines};
use super::wording::{
    destroyed, order_cells, order_line, retreat_line, retreating, winter_line, winter_words,
};
use super::wrap::{WIDTH, count, pad, wrap_line};
use super::{Block, Document, Side, Table};
use dipjudge_view::{
    CenterCount, CenterTable, Destroyed, OrderLine, Retreating, SeenUnit, Summary, SummaryRow,
    WinterLine, columns,
};

/// Years in one HTML table: as many as fit on a phone.
const YEARS_PER_TABLE: usize = 6;
/// The columns of orders.
pub(super) const ORDERS: [(&str, Side); 3] = [
    (columns::UNIT, Side::Left),
    (columns::ORDER, Side::Left),
    (columns::RESULT, Side::Left),
];

/// Orders of a movement phase with their results, powers separated by blank lines.
pub(super) fn movement(powers: &[Vec<OrderLine>]) -> Document {
    let text = tables::blocks(powers, order_line);
    Document::fixed_lines(text, orders(powers))
}

/// Orders of a retreat phase.
pub(super) fn retreats(powers: &[Vec<OrderLine>]) -> Document {
    Document::fixed_lines(lines(powers, retreat_line), orders(powers))
}

/// Adjustments.
pub(super) fn winter(powers: &[Vec<WinterLine>]) -> Document {
    let line = |line: &WinterLine| vec![line.power.to_string(), winter_words(line)];
    let rows = powers.iter().flatten().map(line).collect();
    let columns = [(columns::POWER, Side::Left), (columns::ORDER, Side::Left)];
    Document::fixed_lines(lines(powers, winter_line), Table::new(&columns, rows))
}

fn orders(powers: &[Vec<OrderLine>]) -> Table {
    let rows = powers.iter().flat_map(|lines| {
        let head = lines.first().map(|line| vec![line.unit.power.to_string()]);
        let cells = lines.iter().map(|line| order_cells(&line.unit.power, line));
        head.into_iter().chain(cells)
    });
    Table::new(&ORDERS, rows.collect()).without_empty_columns()
}

/// Who owns which center.
pub(super) fn ownership(table: &CenterTable) -> Document {
    let rows = centers_by_owner(table)
        .map(|(owner, centers)| vec![owner.to_owned(), centers.join(", ")])
        .collect();
    let columns = [(columns::POWER, Side::Left), (columns::CENTERS, Side::Left)];
    Document::fixed_lines(
        ownership_lines(table).join("\n"),
        Table::new(&columns, rows),
    )
}

/// How many centers and units each power has, and what it builds or removes.
pub(super) fn counts(table: &CenterTable) -> Document {
    let row = |row: &CenterCount| {
        let (verb, due) = (due_verb(row), count(row.due.unsigned_abs(), "unit"));
        let mark = count_mark(row).map(|mark| format!(" ({mark})"));
        vec![
            row.power.to_string(),
            row.centers.to_string(),
            row.units.to_string(),
            format!("{verb} {due}{}", mark.unwrap_or_default()),
        ]
    };
    let columns = [
        (columns::POWER, Side::Left),
        (columns::CENTERS, Side::Right),
        (columns::UNITS, Side::Right),
        (columns::DUE, Side::Left),
    ];
    let rows = table.counts.iter().map(row).collect();
    Document::fixed_lines(count_lines(table).join("\n"), Table::new(&columns, rows))
}

/// Units by power; `text` are the lines for tools.
pub(super) fn units(text: String, powers: &[Vec<SeenUnit>]) -> Document {
    let rows = powers.iter().filter_map(|units| {
        let units_told: Vec<String> = units
            .iter()
            .map(|unit| format!("{} {}", unit.kind, unit.place))
            .collect();
        Some(vec![
            units.first()?.power.to_string(),
            units_told.join(", "),
        ])
    });
    let columns = [(columns::POWER, Side::Left), (columns::UNITS, Side::Left)];
    Document::fixed_lines(text, Table::new(&columns, rows.collect()))
}

/// Dislodged units: where each can retreat to, or that it was destroyed.
pub(super) fn dislodged(
    retreating_units: &[Retreating],
    destroyed_units: &[Destroyed],
) -> Document {
    let retreats = retreating_units.iter().map(retreating);
    let sentences = retreats.chain(destroyed_units.iter().map(destroyed));
    let sentences: Vec<String> = sentences.collect();
    let lines = sentences
        .iter()
        .flat_map(|sentence| wrap_line(sentence, WIDTH, 0));
    items(lines.collect(), sentences)
}

/// Lines, and the same as items of a list.
pub(super) fn items(lines: Vec<String>, items: Vec<String>) -> Document {
    Document::fixed_lines(lines.join("\n"), vec![Block::List(items)])
}

/// A table whose lines are its rows: `lead`, then each cell padded to its width; a cell without a width is not padded.
pub(super) fn aligned(lead: &str, widths: &[usize], table: Table) -> Document {
    let line = |row: &Vec<String>| {
        let mut line = lead.to_owned();
        for (column, cell) in row.iter().enumerate() {
            match widths.get(column) {
                Some(width) => line.push_str(&pad(cell, *width)),
                None => line.push_str(cell),
            }
        }
        line.trim_end().to_owned()
    };
    let lines: Vec<String> = table.rows.iter().map(line).collect();
    Document::fixed_lines(lines.join("\n"), table)
}

/// The owner of each center by year: a row for each center.
pub(super) fn ownership_history(summary: &Summary) -> Document {
    let centers = tables::centers_in_order(summary);
    let tables = summary.ownership.chunks(YEARS_PER_TABLE).map(|years| {
        let head = years.iter().map(|(year, _)| format!("{year:04}"));
        let rows = centers.iter().enumerate().map(|(index, center)| {
            let owners = years.iter().map(|(_, owners)| owners.get(index).cloned());
            let owners = owners.map(Option::unwrap_or_default);
            std::iter::once((*center).to_owned())
                .chain(owners)
                .collect()
        });
        Block::Table(by_year(columns::YEAR, head, rows.collect()))
    });
    let mut shown = vec![Block::Heading(
        "Historical Supply Center Summary".to_owned(),
    )];
    shown.extend(tables);
    Document::fixed_lines(tables::ownership_history(summary), shown)
}

/// The number of centers of each power by year.
pub(super) fn count_history(summary: &Summary) -> Document {
    let mut shown = vec![Block::Heading("History of Supply Center Counts".to_owned())];
    for (chunk, years) in summary.years.chunks(YEARS_PER_TABLE).enumerate() {
        let from = chunk * YEARS_PER_TABLE;
        let played = summary.counts.iter().filter(|row| row.counts.len() > from);
        let row = |row: &SummaryRow| {
            let power = if row.player.is_empty() {
                row.power.to_string()
            } else {
                format!("{}\n{}", row.power, row.player)
            };
            let counts = row.counts.iter().skip(from).take(years.len());
            let counts = counts.map(|(centers, unused)| {
                format!("{centers}{}", tables::unused_mark(*unused))
                    .trim_end()
                    .to_owned()
            });
            let mut cells: Vec<String> = std::iter::once(power).chain(counts).collect();
            cells.resize(years.len() + 1, String::new());
            cells
        };
        let mut rows: Vec<Vec<String>> = played.map(row).collect();
        let index = summary.index.iter().skip(from).take(years.len());
        let index: Vec<String> = index.map(ToString::to_string).collect();
        if !index.is_empty() {
            rows.push(
                std::iter::once(columns::INDEX.to_owned())
                    .chain(index)
                    .collect(),
            );
        }
        let head = years.iter().enumerate();
        let head = head.map(|(index, year)| tables::year_of_counts(from + index, *year));
        let names = format!("{}/{}", columns::POWER, columns::PLAYER);
        shown.push(Block::Table(by_year(&names, head, rows)));
    }
    let legend = tables::legend(&summary.counts);
    if !legend.is_empty() {
        shown.push(Block::Paragraph(legend));
    }
    Document::fixed_lines(tables::count_history(summary), shown)
}

fn by_year(name: &str, years: impl Iterator<Item = String>, rows: Vec<Vec<String>>) -> Table {
    let head: Vec<String> = std::iter::once(name.to_owned()).chain(years).collect();
    let sides = std::iter::once(Side::Left).chain(std::iter::repeat(Side::Right));
    Table {
        sides: sides.take(head.len()).collect(),
        head,
        rows,
    }
}

/// Names and their values, in columns without a head.
pub(super) fn name_value_table(rows: Vec<Vec<String>>) -> Table {
    Table::new(&[("", Side::Left), ("", Side::Left)], rows)
}

fn lines<T>(powers: &[Vec<T>], line: impl Fn(&T) -> String) -> String {
    powers
        .iter()
        .flatten()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
