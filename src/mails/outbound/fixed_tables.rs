//! What fixed lines tell, as tables: for readers of HTML. Every fact of the lines is in the table, and none beside.

use super::tables::{self, count_lines, count_mark, ownership_lines};
use super::wording::{
    destroyed_lines, destroyed_words, order_cells, order_line, retreat_line, retreating,
    retreating_lines, winter_line, winter_words,
};
use super::wrap::count;
use super::{Block, Document, Side, Table};
use dipjudge_view::{
    CenterCount, CenterTable, Destroyed, Heading, Label, OrderLine, Retreating, SeenUnit, Summary,
    SummaryRow, WinterLine, columns,
};

/// Years in one table: as many as fit on a phone.
const YEARS: usize = 6;
/// The columns of orders.
pub(super) const ORDERS: [(&str, Side); 3] = [
    (columns::UNIT, Side::Left),
    (columns::ORDER, Side::Left),
    (columns::RESULT, Side::Left),
];

/// Orders of a movement and what became of them, powers parted by blank lines.
pub(super) fn movement(powers: &[Vec<OrderLine>]) -> Document {
    let text = tables::blocks(powers, order_line);
    Document::fixed(text, orders(powers))
}

/// Orders of a retreat phase.
pub(super) fn retreats(powers: &[Vec<OrderLine>]) -> Document {
    Document::fixed(lines(powers, retreat_line), orders(powers))
}

/// Adjustments.
pub(super) fn winter(powers: &[Vec<WinterLine>]) -> Document {
    let line = |line: &WinterLine| vec![line.power.to_string(), winter_words(line)];
    let rows = powers.iter().flatten().map(line).collect();
    let columns = [(columns::POWER, Side::Left), (columns::ORDER, Side::Left)];
    Document::fixed(lines(powers, winter_line), Table::new(&columns, rows))
}

fn orders(powers: &[Vec<OrderLine>]) -> Table {
    let rows = powers.iter().flat_map(|lines| {
        let head = lines.first().map(|line| vec![line.unit.power.to_string()]);
        let cells = lines
            .iter()
            .map(|line| order_cells(&line.unit.power, line, None));
        head.into_iter().chain(cells)
    });
    Table::new(&ORDERS, rows.collect()).without_empty_columns()
}

/// Who owns which center.
pub(super) fn ownership(table: &CenterTable) -> Document {
    let owned = table
        .owners
        .iter()
        .filter(|(_, centers)| !centers.is_empty());
    let owned = owned.map(|(power, centers)| (power.to_string(), centers));
    let unowned = Some(("Unowned".to_owned(), &table.unowned));
    let unowned = unowned.filter(|(_, centers)| !centers.is_empty());
    let rows = owned
        .chain(unowned)
        .map(|(power, centers)| vec![power, centers.join(", ")]);
    let columns = [(columns::POWER, Side::Left), (columns::CENTERS, Side::Left)];
    let table_shown = Table::new(&columns, rows.collect());
    Document::fixed(ownership_lines(table).join("\n"), table_shown)
}

/// How many centers and units each power has, and what it builds or removes.
pub(super) fn counts(table: &CenterTable) -> Document {
    let row = |row: &CenterCount| {
        let verb = if row.due < 0 { "Removes" } else { "Builds" };
        let due = usize::try_from(row.due.unsigned_abs()).unwrap_or(usize::MAX);
        let mark = count_mark(row).map(|mark| format!(" ({mark})"));
        vec![
            row.power.to_string(),
            row.centers.to_string(),
            row.units.to_string(),
            format!("{verb} {}{}", count(due, "unit"), mark.unwrap_or_default()),
        ]
    };
    let columns = [
        (columns::POWER, Side::Left),
        (columns::CENTERS, Side::Right),
        (columns::UNITS, Side::Right),
        (columns::DUE, Side::Left),
    ];
    let rows = table.counts.iter().map(row).collect();
    Document::fixed(count_lines(table).join("\n"), Table::new(&columns, rows))
}

/// Units by power; `text` is how tools read them.
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
    Document::fixed(text, Table::new(&columns, rows.collect()))
}

/// Units that were dislodged: where they can go, or that they were destroyed.
pub(super) fn dislodged(retreating_units: &[Retreating], destroyed: &[Destroyed]) -> Document {
    let retreats = retreating_units.iter().flat_map(retreating_lines);
    let lines = retreats.chain(destroyed.iter().flat_map(destroyed_lines));
    let sentences = retreating_units.iter().map(retreating);
    let sentences = sentences.chain(destroyed.iter().map(destroyed_words));
    items(lines.collect::<Vec<_>>().join("\n"), sentences.collect())
}

/// Lines, and the same as items of a list.
pub(super) fn items(text: String, items: Vec<String>) -> Document {
    Document::fixed(text, vec![Block::List(items)])
}

/// The head of a mail about a game.
pub(super) fn heading(heading: &Heading) -> Document {
    let deadline = match &heading.deadline {
        Some(moment) => moment.to_string(),
        None => "not set".to_owned(),
    };
    let phase = match heading.phase.is_empty() {
        true => String::new(),
        false => format!("{} ", heading.phase),
    };
    let row = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
    let rows = vec![
        row(columns::JUDGE, &heading.judge),
        row(columns::GAME, &heading.title),
        row(columns::VARIANT, &heading.variant),
        row(columns::DEADLINE, &format!("{phase}{deadline}")),
    ];
    let block = super::heading::block(heading);
    Document::fixed(block.trim_end_matches('\n').to_owned(), facts(rows))
}

/// The head of a mail that concerns no game.
pub(super) fn bare_heading(judge: &str) -> Document {
    let block = super::heading::bare_block(judge);
    let rows = vec![vec![columns::JUDGE.to_owned(), judge.to_owned()]];
    Document::fixed(block.trim_end_matches('\n').to_owned(), facts(rows))
}

/// Who owned which center, year by year: a row for each center.
pub(super) fn ownership_history(summary: &Summary) -> Document {
    let (upper, lower) = &summary.center_names;
    let mut centers = Vec::new();
    for (index, name) in upper.iter().enumerate() {
        centers.push(name);
        centers.extend(lower.get(index));
    }
    let tables = summary.ownership.chunks(YEARS).map(|years| {
        let head = years.iter().map(|(year, _)| format!("{year:04}"));
        let rows = centers.iter().enumerate().map(|(index, center)| {
            let owners = years.iter().map(|(_, owners)| owners.get(index).cloned());
            let owners = owners.map(Option::unwrap_or_default);
            std::iter::once((*center).clone()).chain(owners).collect()
        });
        Block::Table(by_year(columns::YEAR, head, rows.collect()))
    });
    let mut shown = vec![Block::Heading(
        "Historical Supply Center Summary".to_owned(),
    )];
    shown.extend(tables);
    Document::fixed(tables::ownership_history(summary), shown)
}

/// How many centers each power had, year by year.
pub(super) fn count_history(summary: &Summary) -> Document {
    let mut shown = vec![Block::Heading("History of Supply Center Counts".to_owned())];
    for (chunk, years) in summary.years.chunks(YEARS).enumerate() {
        let from = chunk * YEARS;
        let played = summary.counts.iter().filter(|row| row.counts.len() > from);
        let row = |row: &SummaryRow| {
            let power = match row.player.is_empty() {
                true => row.power.to_string(),
                false => format!("{}\n{}", row.power, row.player),
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
    Document::fixed(tables::count_history(summary), shown)
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

/// Names and what belongs to each, without a head.
pub(super) fn facts(rows: Vec<Vec<String>>) -> Table {
    Table::new(&[("", Side::Left), ("", Side::Left)], rows)
}

/// Standing orders of one power as rows of the columns [`ORDERS`].
pub(super) fn order_rows(power: &Label, orders: &[OrderLine]) -> Vec<Vec<String>> {
    orders
        .iter()
        .map(|line| order_cells(power, line, None))
        .collect()
}

pub(super) fn lines<T>(powers: &[Vec<T>], line: impl Fn(&T) -> String) -> String {
    powers
        .iter()
        .flatten()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
