//! Answers to TRY and WHY: orders that were tried, and the reckoning of one order.

use serde_json::json;

use super::phase::reasons;
use super::sections::section_fields;
use super::{Document, RenderError, Templates, fixed_tables};
use dipjudge_view::{OrderLine, OrdersTold, PhaseReport, Reckoning, SmallestChange, UnitOrder};

/// What is told with a trial beside its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialNote {
    /// Whether parts of the board are out of the reader's sight.
    pub unseen: bool,
    /// Whether anything was drawn by lot.
    pub dice: bool,
}

/// The results of orders that were tried: TRY.
pub fn trial_section(
    templates: &Templates,
    report: &PhaseReport,
    note: TrialNote,
) -> Result<Document, RenderError> {
    let mut orders = fixed_tables::movement(&decisive(&report.movement));
    orders.append(fixed_tables::retreats(&report.retreats));
    orders.append(fixed_tables::winter(&report.winter));
    let told = section_fields(templates, &report.sections)?;
    let fields = json!({
        "holds": !report.movement.is_empty(),
        "unseen": note.unseen,
        "dice": note.dice,
        "kind": report.title.kind,
        "turn": report.title.turn,
        "orders": orders.field(),
        "dislodged": fixed_tables::dislodged(&report.dislodged, &report.destroyed).field(),
        "sections": told.fields,
        "reasons": reasons(&report.reasons).field(),
    });
    let filled = templates.fill("player-trial.md", fields)?;
    Ok(filled.or_fault(told.fault).document)
}

/// The orders that were tried, and what became of other units: those that hold by themselves, and that nobody attacks, are left out.
fn decisive(movement: &[Vec<OrderLine>]) -> Vec<Vec<OrderLine>> {
    let is_told = |line: &&OrderLine| line.ordered != UnitOrder::Nothing || !line.marks.is_empty();
    let of_power = |power: &Vec<OrderLine>| power.iter().filter(is_told).cloned().collect();
    let powers = movement.iter().map(of_power);
    powers
        .filter(|power: &Vec<OrderLine>| !power.is_empty())
        .collect()
}

/// Why an order came out as it did: WHY.
pub fn reckoning_section(
    templates: &Templates,
    reckoning: &Reckoning,
) -> Result<Document, RenderError> {
    let change = match &reckoning.change {
        SmallestChange::Orders(orders) => each(orders),
        SmallestChange::NotFound => Document::default(),
    };
    let fields = json!({
        "kind": reckoning.title.kind,
        "turn": reckoning.title.turn,
        "asked": each(std::slice::from_ref(&reckoning.asked)).field(),
        "ordered": reckoning.asked.ordered != UnitOrder::Nothing,
        "failed": !reckoning.asked.marks.is_empty(),
        "reason": reckoning.reason,
        "bearing": each(&reckoning.bearing).field(),
        "change": change.field(),
    });
    Ok(templates.fill("player-reckoning.md", fields)?.document)
}

/// Orders of a past phase that were asked after.
pub fn orders_told_section(
    templates: &Templates,
    told: &OrdersTold,
) -> Result<Document, RenderError> {
    let mut orders = each(&told.movement);
    orders.append(fixed_tables::retreats(&by_power(&told.retreats)));
    orders.append(fixed_tables::winter(std::slice::from_ref(&told.winter)));
    let fields = json!({
        "kind": told.title.kind,
        "turn": told.title.turn,
        "orders": orders.field(),
    });
    Ok(templates.fill("player-orders-told.md", fields)?.document)
}

/// Lines of several powers, each power's in a group.
fn each(lines: &[OrderLine]) -> Document {
    fixed_tables::movement(&by_power(lines))
}

fn by_power(lines: &[OrderLine]) -> Vec<Vec<OrderLine>> {
    let of_one_power = |one: &OrderLine, other: &OrderLine| one.unit.power == other.unit.power;
    lines
        .chunk_by(of_one_power)
        .map(<[OrderLine]>::to_vec)
        .collect()
}
