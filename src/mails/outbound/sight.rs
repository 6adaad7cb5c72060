//! Results where each sees only his part of the board (CivDip 6), and the line that observers of such a game get.

use serde_json::{Value, json};

use super::sections::section_texts;
use super::templates::Filled;
use super::wording::{
    destroyed_lines, order_line, order_line_with, retreating_lines, support_words, winter_line,
};
use super::wrap::count as counted;
use super::{RenderError, Templates, Text, phase_report};
use crate::view::{
    CalendarReport, CenterChange, Destroyed, Heading, InSight, Label, NextPhase, OwnLine, Results,
    SeenToDo, SeenUnit, SightReport, Sighting,
};

/// *Results*, as one reader may have them.
pub fn results(
    templates: &Templates,
    heading: &Heading,
    results: &Results,
) -> Result<Text, RenderError> {
    let filled = match results {
        Results::Whole(report) => return phase_report(templates, heading, report),
        Results::Sight(report) => sight(templates, &heading.game, report)?,
        Results::Calendar(report) => calendar(templates, &heading.game, report)?,
    };
    Ok(Text::about(heading, "Results", filled))
}

fn sight(templates: &Templates, game: &str, report: &SightReport) -> Result<Filled, RenderError> {
    let own = report.own.iter().map(own_line).collect::<Vec<_>>();
    let saw = report.saw.iter().map(sighting_line).collect::<Vec<_>>();
    let dislodged = report.retreats.as_ref().map(|retreats| {
        let destroyed = report
            .destroyed
            .iter()
            .flat_map(|unit| destroyed_lines(&Destroyed { unit: unit.clone() }));
        let lines: Vec<String> = retreats
            .iter()
            .flat_map(retreating_lines)
            .chain(destroyed)
            .collect();
        lines.join("\n")
    });
    let told = section_texts(templates, &report.sections)?;
    let fields = json!({
        "kind": report.title.kind,
        "turn": report.title.turn,
        "number": report.title.number,
        "own": own.join("\n"),
        "saw": saw.join("\n"),
        "counted": report.count.is_some(),
        "changes": report.count.as_ref().map(|count| {
            count.changes.iter().map(change_line).collect::<Vec<_>>().join("\n")
        }),
        "balance": report.count.as_ref().map(|count| balance(count.due)),
        "position": position_section(templates, &report.now)?,
        "dislodged": dislodged,
        "sections": told.texts,
        "fallen": report.fallen,
        "game": game,
        "next": report.next.as_ref().map(next),
    });
    Ok(templates
        .fill("player-sight-report.txt", fields)?
        .or_fault(told.fault))
}

fn calendar(
    templates: &Templates,
    game: &str,
    report: &CalendarReport,
) -> Result<Filled, RenderError> {
    let fields = json!({
        "kind": report.title.kind,
        "turn": report.title.turn,
        "number": report.title.number,
        "game": game,
        "next": report.next.as_ref().map(next),
    });
    templates.fill("observer-calendar.txt", fields)
}

fn next(next: &NextPhase) -> Value {
    json!({
        "kind": next.kind,
        "turn": next.turn,
        "deadline": next.deadline.as_ref().map(ToString::to_string),
    })
}

/// What is in sight, section by section, as reports, the opening and STATUS show it; without a line end behind it.
pub fn position_section(templates: &Templates, now: &InSight) -> Result<String, RenderError> {
    let fields = json!({
        "whose": now.whose,
        "units": Vec::from_iter(now.units.iter().map(|(unit, dislodged)| placed(unit, *dislodged))),
        "centers": Vec::from_iter(now.centers.iter().map(|(center, home)| {
            if *home { format!("{center} (home)") } else { center.clone() }
        })),
        "lost_homes": Vec::from_iter(now.lost_homes.iter().cloned()),
        "foreign": Vec::from_iter(now.foreign.iter().map(|(unit, dislodged)| {
            format!("{}: {}", unit.power, placed(unit, *dislodged))
        })),
        "foreign_centers": Vec::from_iter(now.foreign_centers.iter().map(|(center, owner)| match owner {
            Some(owner) => format!("{center} owned by {owner}"),
            None => format!("{center} unowned"),
        })),
        "empty": Vec::from_iter(now.empty.iter().cloned()),
    });
    Ok(templates.fill("sight-position.txt", fields)?.text)
}

fn placed(unit: &SeenUnit, dislodged: bool) -> String {
    let mark = if dislodged { " (dislodged)" } else { "" };
    format!("{} {}{mark}", unit.kind, unit.place)
}

fn own_line(line: &OwnLine) -> String {
    match line {
        OwnLine::Order(line) => order_line(line),
        OwnLine::Collided(line) => {
            order_line_with(line, "disbanded, another unit retreated there too")
        }
        OwnLine::Winter(line) => winter_line(line),
    }
}

/// `Turkey: Army Serbia -> Budapest.  (*bounce*)`.
fn sighting_line(seen: &Sighting) -> String {
    let SeenUnit {
        power,
        kind,
        place,
        at_sea,
        ..
    } = &seen.unit;
    let unit = format!("{kind} {place}");
    let said = match &seen.did {
        SeenToDo::Move { to } | SeenToDo::StandOff { to } => format!("{unit} -> {to}"),
        SeenToDo::Support { unit: other, to } => {
            format!("{unit} {}", support_words(other, to.as_deref()))
        }
        SeenToDo::Convoy { unit: other, to } => {
            let kind = other.kind.as_deref().unwrap_or("Army");
            format!("{unit} CONVOY {kind} {} -> {to}", other.place)
        }
        SeenToDo::Stay => format!("{unit} stays"),
        SeenToDo::Leave => format!("{unit} leaves"),
        SeenToDo::PassOutOfSight => format!("{unit} is no longer in sight"),
        SeenToDo::Arrive => {
            format!(
                "{kind} arrives in {}{place}",
                if *at_sea { "the " } else { "" }
            )
        }
        SeenToDo::ComeIntoSight => format!("{unit} comes into sight"),
        SeenToDo::Disband => format!("{unit} disbanded"),
        SeenToDo::Build => format!("builds {unit}"),
        SeenToDo::Remove => format!("removes {unit}"),
    };
    let mut marks = Vec::new();
    if matches!(seen.did, SeenToDo::StandOff { .. }) {
        marks.push("bounce");
    }
    if seen.dislodged {
        marks.push("dislodged");
    }
    let marks = match marks.as_slice() {
        [] => String::new(),
        marks => format!("  (*{}*)", marks.join(", ")),
    };
    format!("{power}: {said}.{marks}")
}

/// `Trieste: Austria -> Italy.`
fn change_line(change: &CenterChange) -> String {
    let name = |owner: &Option<Label>| {
        owner
            .as_ref()
            .map_or_else(|| "unowned".to_owned(), ToString::to_string)
    };
    format!(
        "{}: {} -> {}.",
        change.center,
        name(&change.from),
        name(&change.to)
    )
}

/// `2 builds`, `1 removal`, `nothing due`.
fn balance(due: i32) -> String {
    let number = usize::try_from(due.unsigned_abs()).unwrap_or(usize::MAX);
    match due {
        0 => "nothing due".to_owned(),
        1.. => counted(number, "build"),
        _ => counted(number, "removal"),
    }
}
