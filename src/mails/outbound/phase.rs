//! Results of a phase, and standing orders (`judge-workflow.md` 6.2 to 6.5, 3.7).

use serde_json::json;

use super::answer::Answer;
use super::sections::section_fields;
use super::templates::Filled;
use super::wording::{order_cells, order_line_of, retreat_line, winter_line, winter_words};
use super::wrap::{WIDTH, wrap_line};
use super::{Document, RenderError, Table, Templates, Text, fixed_tables};
use dipjudge_view::{Heading, OrdersSection, PhaseReport, PowerOrders};

/// The results without heading and subject, for a reply: PREDICT.
pub fn phase_section(
    templates: &Templates,
    game: &str,
    report: &PhaseReport,
) -> Result<Document, RenderError> {
    Ok(whole_report(templates, game, report)?.document)
}

/// The results where nothing is hidden. The heading's phase and deadline are those of the phase processed.
pub(super) fn whole_report(
    templates: &Templates,
    game: &str,
    report: &PhaseReport,
) -> Result<Filled, RenderError> {
    let mut orders = fixed_tables::movement(&report.movement);
    // Retreats and adjustments are few: one block, as in the old judge.
    orders.append(fixed_tables::retreats(&report.retreats));
    orders.append(fixed_tables::winter(&report.winter));
    let told = section_fields(templates, &report.sections)?;
    let fields = json!({
        "kind": report.title.kind,
        "turn": report.title.turn,
        "number": report.title.number,
        "orders": orders.field(),
        "dislodged": fixed_tables::dislodged(&report.dislodged, &report.destroyed).field(),
        "owners": report.centers.as_ref().map(|table| fixed_tables::ownership(table).field()),
        "counts": report.centers.as_ref().map(|table| fixed_tables::counts(table).field()),
        "sections": told.fields,
        "game": game,
        "next": report.next.as_ref().map(|next| json!({
            "kind": next.kind,
            "turn": next.turn,
            "deadline": next.deadline.as_ref().map(ToString::to_string),
            "adjusted": next.adjusted,
        })),
        "reasons": reasons(&report.reasons).field(),
    });
    Ok(templates
        .fill("player-turn-report.md", fields)?
        .or_fault(told.fault))
}

/// Why each order failed.
pub(super) fn reasons(reasons: &[String]) -> Document {
    let lines = reasons
        .iter()
        .flat_map(|why| wrap_line(&format!("  {why}"), WIDTH, 4));
    fixed_tables::items(lines.collect(), reasons.to_vec())
}

/// *Pending Orders*: the orders after those given ahead took effect, with the errors found in them.
pub fn pending_orders(
    templates: &Templates,
    heading: &Heading,
    orders: &OrdersSection,
    errors: &[Answer],
) -> Result<Text, RenderError> {
    let fields = json!({
        "kind": orders.title.kind,
        "turn": orders.title.turn,
        "number": orders.title.number,
        "orders": standing(orders).field(),
        "errors": errors.iter().map(|error| error.document().field()).collect::<Vec<_>>(),
    });
    Ok(Text::about(
        heading,
        "Pending Orders",
        templates.fill("player-pending-orders.md", fields)?,
    ))
}

/// Standing orders, powers separated by blank lines. In a master's mail each block begins with the status of the power and
/// all votes come last; in others the votes of a power end its block.
pub(super) fn standing(section: &OrdersSection) -> Document {
    let rows = section.powers.iter().flat_map(standing_rows).collect();
    Document::fixed_lines(
        standing_text(section),
        Table::new(&fixed_tables::ORDERS, rows).without_empty_columns(),
    )
}

/// Rows of a table: a power, and below it its orders, submissions and votes.
fn standing_rows(power: &PowerOrders) -> Vec<Vec<String>> {
    let head = if power.status.is_empty() {
        power.power.to_string()
    } else {
        format!("{}: {}.", power.power, power.status)
    };
    let orders = power.orders.iter();
    let orders = orders.map(|line| order_cells(&power.power, line));
    let winter = power.winter.iter().map(winter_words);
    let words = winter
        .chain(power.own.iter().cloned())
        .chain(power.votes.iter().cloned());
    let rows: Vec<Vec<String>> = orders
        .chain(words.map(|line| vec![String::new(), line]))
        .collect();
    if rows.is_empty() && power.status.is_empty() {
        return Vec::new();
    }
    std::iter::once(vec![head]).chain(rows).collect()
}

fn standing_text(section: &OrdersSection) -> String {
    let for_master = is_for_master(section);
    let mut blocks = Vec::new();
    let mut votes = Vec::new();
    for power in &section.powers {
        let mut lines = order_lines(section, power);
        if for_master {
            votes.extend(vote_lines(power));
        } else {
            lines.extend(vote_lines(power));
        }
        if !lines.is_empty() {
            blocks.push(lines.join("\n"));
        }
    }
    if !votes.is_empty() {
        blocks.push(votes.join("\n"));
    }
    blocks.join("\n\n")
}

/// Whether this is a master's list: only his has statuses.
pub(super) fn is_for_master(section: &OrdersSection) -> bool {
    section.powers.iter().any(|power| !power.status.is_empty())
}

fn order_lines(section: &OrdersSection, power: &PowerOrders) -> Vec<String> {
    let retreats = section.title.kind == "Retreat";
    let mut lines = Vec::new();
    if !power.status.is_empty() {
        lines.push(format!("{}: {}.", power.power, power.status));
    }
    for line in &power.orders {
        lines.push(if retreats {
            retreat_line(line)
        } else {
            order_line_of(&power.power, line)
        });
    }
    lines.extend(power.winter.iter().map(winter_line));
    for line in &power.own {
        lines.push(format!("{}: {line}", power.power));
    }
    lines
}

fn vote_lines(power: &PowerOrders) -> Vec<String> {
    let line = |vote: &String| format!("{}: {vote}", power.power);
    power.votes.iter().map(line).collect()
}

/// Lines kept for later phases, each after its power's letter: `E: F Nth-Nwy`.
pub(super) fn ahead(section: &OrdersSection) -> Document {
    let lines = section.powers.iter().flat_map(|power| {
        power
            .pending
            .iter()
            .map(move |line| format!("{}: {line}", power.letter))
    });
    Document::verbatim(lines.collect::<Vec<_>>().join("\n"))
}
