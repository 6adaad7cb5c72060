//! Results of a phase, and standing orders (`judge-workflow.md` 6.2 to 6.5, 3.7).

use serde_json::json;

use super::receipt::Answer;
use super::sections::section_texts;
use super::tables::{blocks, count_lines, ownership_lines};
use super::templates::Filled;
use super::wording::{
    destroyed_lines, order_line, order_line_of, retreat_line, retreating_lines, winter_line,
};
use super::wrap::{WIDTH, wrap_line};
use super::{RenderError, Templates, Text};
use crate::view::{Heading, OrdersSection, OwnPower, PhaseReport};

/// *Results*: `USXX:kaiser - S1901M Results`. The heading's phase and deadline are those of the phase processed.
pub fn phase_report(
    templates: &Templates,
    heading: &Heading,
    report: &PhaseReport,
) -> Result<Text, RenderError> {
    Ok(Text::about(
        heading,
        "Results",
        filled(templates, &heading.game, report)?,
    ))
}

/// The results alone, without heading and subject, to be shown in a reply: PREDICT.
pub fn phase_section(
    templates: &Templates,
    game: &str,
    report: &PhaseReport,
) -> Result<String, RenderError> {
    Ok(filled(templates, game, report)?.text)
}

fn filled(templates: &Templates, game: &str, report: &PhaseReport) -> Result<Filled, RenderError> {
    let orders: Vec<String> = [
        blocks(&report.movement, order_line),
        // Retreats and adjustments are few: one block, as the old judge has it.
        lines(&report.retreats, retreat_line),
        lines(&report.winter, winter_line),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect();
    let dislodged: Vec<String> = report
        .dislodged
        .iter()
        .flat_map(retreating_lines)
        .chain(report.destroyed.iter().flat_map(destroyed_lines))
        .collect();
    let told = section_texts(templates, &report.sections)?;
    let fields = json!({
        "kind": report.title.kind,
        "turn": report.title.turn,
        "number": report.title.number,
        "orders": orders.join("\n\n"),
        "dislodged": dislodged.join("\n"),
        "owners": report.centers.as_ref().map(|table| ownership_lines(table).join("\n")),
        "counts": report.centers.as_ref().map(|table| count_lines(table).join("\n")),
        "sections": told.texts,
        "game": game,
        "next": report.next.as_ref().map(|next| json!({
            "kind": next.kind,
            "turn": next.turn,
            "deadline": next.deadline.as_ref().map(ToString::to_string),
            "adjusted": next.adjusted,
        })),
        "reasons": report.reasons.iter().map(|why| wrap_line(&format!("  {why}"), WIDTH, 4).join("\n")).collect::<Vec<_>>(),
    });
    Ok(templates
        .fill("player-turn-report.txt", fields)?
        .or_fault(told.fault))
}

/// *Pending Orders*: what stands after orders given ahead came into force, with the errors found in them.
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
        "orders": standing(orders),
        "errors": errors.iter().map(Answer::text).collect::<Vec<_>>(),
    });
    Ok(Text::about(
        heading,
        "Pending Orders",
        templates.fill("player-pending-orders.txt", fields)?,
    ))
}

/// Standing orders, powers parted by blank lines. Where statuses are given (a master's mail) each block begins with its
/// own and the votes come last; else a vote ends its block.
pub(super) fn standing(section: &OrdersSection) -> String {
    let for_master = is_for_master(section);
    let mut parts: Vec<String> = section
        .powers
        .iter()
        .map(|power| block(section, power, for_master))
        .filter(|part| !part.is_empty())
        .collect();
    if for_master {
        let votes: Vec<String> = section.powers.iter().flat_map(vote_lines).collect();
        if !votes.is_empty() {
            parts.push(votes.join("\n"));
        }
    }
    parts.join("\n\n")
}

/// Whether this is a master's list: his alone tells statuses.
pub(super) fn is_for_master(section: &OrdersSection) -> bool {
    section.powers.iter().any(|power| !power.status.is_empty())
}

fn block(section: &OrdersSection, power: &OwnPower, for_master: bool) -> String {
    let retreats = section.title.kind == "Retreat";
    let mut lines = Vec::new();
    if !power.status.is_empty() {
        lines.push(format!("{}: {}.", power.power, power.status));
    }
    lines.extend(power.orders.iter().map(|line| {
        if retreats {
            retreat_line(line)
        } else {
            order_line_of(&power.power, line)
        }
    }));
    lines.extend(power.winter.iter().map(winter_line));
    lines.extend(
        power
            .own
            .iter()
            .map(|line| format!("{}: {line}", power.power)),
    );
    if !for_master {
        lines.extend(vote_lines(power));
    }
    lines.join("\n")
}

fn vote_lines(power: &OwnPower) -> Vec<String> {
    let line = |vote: &String| format!("{}: {vote}", power.power);
    power.votes.iter().map(line).collect()
}

/// Lines kept for later phases, each behind its power's letter: `E: F Nth-Nwy`.
pub(super) fn ahead(section: &OrdersSection) -> String {
    let lines = section.powers.iter().flat_map(|power| {
        power
            .pending
            .iter()
            .map(move |line| format!("{}: {line}", power.letter))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn lines<T>(powers: &[Vec<T>], line: impl Fn(&T) -> String) -> String {
    powers
        .iter()
        .flatten()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
