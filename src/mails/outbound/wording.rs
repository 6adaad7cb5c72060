//! The words of a line about one unit: orders, results, retreats, builds, positions (`judge-workflow.md` 6.2 to 6.7).
//!
//! Mapping tools read these lines, so code makes them, not a template that a keeper could break by accident.

use std::fmt::Write as _;

use super::wrap::{count, pad};
use dipjudge_rules::orders::{Action, Notation, article};
use dipjudge_view::{
    Destroyed, InNames, Label, OrderLine, Retreating, SeenUnit, UnitOrder, WinterAction, WinterLine,
};

/// Width of power and colon in retreat and adjustment lines.
const WIDE_POWER: usize = 26;
/// Replaces `->` where no tool reads.
const ARROW: &str = "→";
/// Width of a unit's kind where places are aligned.
const KIND: usize = 6;

/// A line of movement orders or results: `Austria: Fleet Greece -> Aegean Sea.  (*bounce*)`.
/// Never wrapped. Exactly one blank follows the colon.
pub(super) fn order_line(line: &OrderLine) -> String {
    order_line_of(&line.unit.power, line)
}

/// As [`order_line`], in the list of `power`; a unit of another power (given by proxy) is named with its nation:
/// `Turkey: Austrian Army Budapest -> Serbia.`
pub(super) fn order_line_of(power: &Label, line: &OrderLine) -> String {
    let (unit, order) = (unit_of(power, &line.unit), order_words(&line.ordered));
    format!("{power}: {unit}{order}.{}", marks(line))
}

/// As [`order_line`], with this mark instead of those of the line.
pub(super) fn order_line_marked(line: &OrderLine, mark: &str) -> String {
    let power = &line.unit.power;
    let (unit, order) = (unit_of(power, &line.unit), order_words(&line.ordered));
    format!("{power}: {unit}{order}.  (*{mark}*)")
}

/// The line of [`order_line_of`] as cells of a table: the unit, its order, the result.
pub(super) fn order_cells(power: &Label, line: &OrderLine) -> Vec<String> {
    let order = order_words(&line.ordered).replace("->", ARROW);
    vec![
        unit_of(power, &line.unit),
        order.trim_start_matches([',', ' ']).to_owned(),
        results(line),
    ]
}

/// `Army Budapest`, and in the list of another power `Austrian Army Budapest`.
fn unit_of(power: &Label, unit: &SeenUnit) -> String {
    if *power == unit.power {
        format!("{} {}", unit.kind, unit.place)
    } else {
        format!("{} {} {}", unit.adjective, unit.kind, unit.place)
    }
}

/// `cut, dislodged`, and a reply's `WARN: check convoy`.
fn results(line: &OrderLine) -> String {
    let marks = line.marks.iter().map(|mark| mark.as_str().to_owned());
    let warning = line
        .warning
        .as_ref()
        .map(|warning| format!("WARN: {warning}"));
    marks.chain(warning).collect::<Vec<_>>().join(", ")
}

/// A line of retreat orders or results: `France:                   Army  Burgundy -> Gascony.`
pub(super) fn retreat_line(line: &OrderLine) -> String {
    let unit = &line.unit;
    let head = pad(&format!("{}:", unit.power), WIDE_POWER);
    format!(
        "{head}{}{}{}.{}",
        pad(&unit.kind, KIND),
        unit.place,
        order_words(&line.ordered),
        marks(line)
    )
}

/// A line of an adjustment phase: `Austria:                  Builds an army in Trieste.`
pub(super) fn winter_line(line: &WinterLine) -> String {
    let head = pad(&format!("{}:", line.power), WIDE_POWER);
    format!("{head}{}", winter_words(line))
}

/// `Builds an army in Trieste.`
pub(super) fn winter_words(line: &WinterLine) -> String {
    let said = match &line.action {
        WinterAction::Build { kind, place } => {
            let kind = kind.to_lowercase();
            format!("Builds {} {kind} in {place}", article(&kind))
        }
        WinterAction::Remove {
            kind,
            place,
            at_sea,
        } => {
            format!(
                "Removes the {} in {}{place}",
                kind.to_lowercase(),
                the(*at_sea)
            )
        }
        WinterAction::DefaultRemove {
            kind,
            place,
            at_sea,
        } => {
            format!(
                "Defaults, removing the {} in {}{place}",
                kind.to_lowercase(),
                the(*at_sea)
            )
        }
        WinterAction::Waive => "Build waived".to_owned(),
        WinterAction::BuildsPending(n) => format!("{} pending", count(*n, "build")),
        WinterAction::RemovalsPending(n) => format!("{} pending", count(*n, "removal")),
        WinterAction::UnusablePending(n) => format!("{} pending", count(*n, "unusable build")),
        WinterAction::UnusableWaived(n) => format!("{} waived", count(*n, "unusable build")),
        WinterAction::Saved(n) => format!("{} saved for later", count(*n, "build")),
        WinterAction::Own { words } => words.clone(),
    };
    format!("{said}.")
}

/// `The French Army in Burgundy can retreat to Gascony or Paris or Belgium.`
pub(super) fn retreating(dislodged: &Retreating) -> String {
    let unit = whereabouts(&dislodged.unit);
    if dislodged.options.is_empty() {
        return format!("The {unit} has nowhere to retreat to.");
    }
    let options = dislodged.options.join(" or ");
    format!("The {unit} can retreat to {options}.")
}

/// `The Turkish Army in Bulgaria with no valid retreats was destroyed.`
pub(super) fn destroyed(destroyed: &Destroyed) -> String {
    let unit = whereabouts(&destroyed.unit);
    format!("The {unit} with no valid retreats was destroyed.")
}

/// A unit in a position that shows no orders: `Austria: Army Serbia.`
pub(super) fn position_line(unit: &SeenUnit) -> String {
    format!("{}: {} {}.", unit.power, unit.kind, unit.place)
}

/// A unit of an opening position: `France:  Army  Paris.`, the power padded to `width`.
pub(super) fn opening_line(unit: &SeenUnit, width: usize) -> String {
    format!(
        "{}{}{}.",
        pad(&format!("{}:", unit.power), width),
        pad(&unit.kind, KIND),
        unit.place
    )
}

/// `French Army in Burgundy`, `German Fleet in the North Sea`.
fn whereabouts(unit: &SeenUnit) -> String {
    format!(
        "{} {} in {}{}",
        unit.adjective,
        unit.kind,
        the(unit.at_sea),
        unit.place
    )
}

/// The article before the name of a place: seas have one.
pub(super) fn the(at_sea: bool) -> &'static str {
    if at_sea { "the " } else { "" }
}

/// What follows the unit's place, beginning with a blank or comma, without the full stop.
fn order_words(ordered: &UnitOrder) -> String {
    match ordered {
        UnitOrder::Nothing => ", No Order Processed".to_owned(),
        UnitOrder::NoRetreat => ", No Order Processed (DISBAND)".to_owned(),
        UnitOrder::Action(action) => format!(" {}", action_words(action)),
    }
}

/// `SUPPORT Army Bulgaria -> Rumania`.
pub(super) fn action_words(action: &Action<InNames>) -> String {
    let mut words = String::new();
    // Writing to a String cannot fail.
    let _ = action.write(&mut words, &Notation::LONG, |words, special| {
        write!(words, "{special}")
    });
    words
}

/// `  (*cut, dislodged*)`, then the warning of a reply: `  (*WARN: check convoy*)`.
fn marks(line: &OrderLine) -> String {
    let mut text = String::new();
    if !line.marks.is_empty() {
        let names: Vec<&str> = line.marks.iter().map(|mark| mark.as_str()).collect();
        text.push_str(&format!("  (*{}*)", names.join(", ")));
    }
    if let Some(warning) = &line.warning {
        text.push_str(&format!("  (*WARN: {warning}*)"));
    }
    text
}
