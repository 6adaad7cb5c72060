//! The words of a line about one unit: orders, results, retreats, builds, positions (`judge-workflow.md` 6.2 to 6.7).
//!
//! Mapping tools read these lines, so they are made here and not by a template: no keeper can break them by accident.

use super::wrap::{self, WIDTH, count, pad};
use crate::view::{
    Destroyed, Label, OrderLine, Retreating, SeenAction, SeenUnit, SupportedUnit, WinterAction,
    WinterLine,
};

/// Columns of power and colon in retreat and adjustment lines.
const WIDE_POWER: usize = 26;
/// Columns of a unit's kind where places are aligned.
const KIND: usize = 6;

/// A line of movement orders or results: `Austria: Fleet Greece -> Aegean Sea.  (*bounce*)`.
/// Never wrapped. Exactly one blank follows the colon.
pub fn order_line(line: &OrderLine) -> String {
    order_line_of(&line.unit.power, line)
}

/// As [`order_line`], with this mark behind it instead of its own.
pub(super) fn order_line_with(line: &OrderLine, mark: &str) -> String {
    let unit = &line.unit;
    format!(
        "{}: {} {}{}.  (*{mark}*)",
        unit.power,
        unit.kind,
        unit.place,
        told(&line.action)
    )
}

/// `SUPPORT Army Bulgaria -> Rumania`.
pub(super) fn support_words(unit: &SupportedUnit, to: Option<&str>) -> String {
    let to = to.map(|to| format!(" -> {to}")).unwrap_or_default();
    format!("SUPPORT {}{to}", other(unit))
}

/// As [`order_line`], in the list of `power`; a unit that is another's (given by proxy) is named with its nation:
/// `Turkey: Austrian Army Budapest -> Serbia.`
pub fn order_line_of(power: &Label, line: &OrderLine) -> String {
    let unit = &line.unit;
    let nation = if *power == unit.power {
        String::new()
    } else {
        format!("{} ", unit.adjective)
    };
    format!(
        "{power}: {nation}{} {}{}.{}",
        unit.kind,
        unit.place,
        told(&line.action),
        marks(line)
    )
}

/// A line of retreat orders or results: `France:                   Army  Burgundy -> Gascony.`
pub fn retreat_line(line: &OrderLine) -> String {
    let unit = &line.unit;
    let head = pad(&format!("{}:", unit.power), WIDE_POWER);
    format!(
        "{head}{}{}{}.{}",
        pad(&unit.kind, KIND),
        unit.place,
        told(&line.action),
        marks(line)
    )
}

/// A line of an adjustment phase: `Austria:                  Builds an army in Trieste.`
pub fn winter_line(line: &WinterLine) -> String {
    let head = pad(&format!("{}:", line.power), WIDE_POWER);
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
    format!("{head}{said}.")
}

/// `The French Army in Burgundy can retreat to Gascony or Paris or Belgium.`, wrapped at 78.
pub fn retreating_lines(dislodged: &Retreating) -> Vec<String> {
    let unit = whereabouts(&dislodged.unit);
    let sentence = match dislodged.options.is_empty() {
        true => format!("The {unit} has nowhere to retreat to."),
        false => format!(
            "The {unit} can retreat to {}.",
            dislodged.options.join(" or ")
        ),
    };
    wrap::wrap_line(&sentence, WIDTH, 0)
}

/// `The Turkish Army in Bulgaria with no valid retreats was destroyed.`, wrapped at 78.
pub fn destroyed_lines(destroyed: &Destroyed) -> Vec<String> {
    let sentence = format!(
        "The {} with no valid retreats was destroyed.",
        whereabouts(&destroyed.unit)
    );
    wrap::wrap_line(&sentence, WIDTH, 0)
}

/// A unit in a position that shows no orders: `Austria: Army Serbia.`
pub fn position_line(unit: &SeenUnit) -> String {
    format!("{}: {} {}.", unit.power, unit.kind, unit.place)
}

/// A unit of an opening position: `France:  Army  Paris.` with the power padded to `width` columns.
pub fn opening_line(unit: &SeenUnit, width: usize) -> String {
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

fn the(at_sea: bool) -> &'static str {
    if at_sea { "the " } else { "" }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

/// What follows the unit's place, with its leading blank or comma and without the full stop.
fn told(action: &SeenAction) -> String {
    match action {
        SeenAction::NoOrder => ", No Order Processed".to_owned(),
        SeenAction::Hold => " HOLD".to_owned(),
        SeenAction::Move { path } => path.iter().map(|place| format!(" -> {place}")).collect(),
        SeenAction::SupportHold { unit } => format!(" SUPPORT {}", other(unit)),
        SeenAction::SupportMove { unit, to } => format!(" SUPPORT {} -> {to}", other(unit)),
        SeenAction::Convoy { unit, to } => format!(" CONVOY {} -> {to}", other(unit)),
        SeenAction::Retreat { to } => format!(" -> {to}"),
        SeenAction::Disband => " DISBAND".to_owned(),
        SeenAction::DisbandUnordered => ", No Order Processed (DISBAND)".to_owned(),
        SeenAction::Proxy { to } => format!(" PROXY TO {to}"),
        SeenAction::Own { words } => format!(" {words}"),
    }
}

fn other(unit: &SupportedUnit) -> String {
    let mut words: Vec<&str> = Vec::new();
    words.extend(unit.adjective.as_deref());
    words.extend(unit.kind.as_deref());
    words.push(&unit.place);
    words.join(" ")
}

/// `  (*cut, dislodged*)`, then a reply's `  (*WARN: check convoy*)`.
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
