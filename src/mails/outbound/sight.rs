//! Results for games in which powers see only part of the board (CivDip 6), and the mail that observers of such a game get.

use serde_json::{Value, json};

use super::phase::whole_report;
use super::sections::section_fields;
use super::templates::Filled;
use super::wording::{
    action_words, order_cells, order_line, order_line_marked, the, winter_line, winter_words,
};
use super::wrap::count as counted;
use super::{Block, Document, RenderError, Table, Templates, Text, fixed_tables, own_changes};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    CalendarReport, CenterChange, Destroyed, Heading, InSight, Label, NextPhase, OwnChanges,
    OwnLine, Results, SeenAction, SeenUnit, SightReport, Sighting, UnitInSight,
};

/// The result of a unit that retreated to the same place as another.
const COLLIDED: &str = "disbanded, another unit retreated there too";

/// *Results*, as one reader may have them; `changes` are those of his powers.
pub fn results(
    templates: &Templates,
    heading: &Heading,
    results: &Results,
    changes: &[OwnChanges],
) -> Result<Text, RenderError> {
    let mut filled = match results {
        Results::Whole(report) => whole_report(templates, &heading.game, report)?,
        Results::Sight(report) => sight(templates, &heading.game, report)?,
        Results::Calendar(report) => calendar(templates, &heading.game, report)?,
    };
    let sentences = own_changes::sentences(changes);
    if !sentences.is_empty() {
        filled.document.0.insert(0, Block::Paragraph(sentences));
    }
    Ok(Text::about(heading, "Results", filled))
}

fn sight(templates: &Templates, game: &str, report: &SightReport) -> Result<Filled, RenderError> {
    let dislodged = report.retreats.as_ref().map(|retreats| {
        let destroyed = report.destroyed.iter();
        let destroyed = destroyed.map(|unit| Destroyed { unit: unit.clone() });
        fixed_tables::dislodged(retreats, &destroyed.collect::<Vec<_>>()).field()
    });
    let told = section_fields(templates, &report.sections)?;
    let fields = json!({
        "kind": report.title.kind,
        "turn": report.title.turn,
        "number": report.title.number,
        "own": own(&report.own).field(),
        "saw": each(report.saw.iter().map(sighting_line)).field(),
        "counted": report.count.is_some(),
        "changes": report.count.as_ref().map(|count| {
            each(count.changes.iter().map(change_line)).field()
        }),
        "balance": report.count.as_ref().map(|count| balance(count.due)),
        "position": position_section(templates, &report.now)?.field(),
        "dislodged": dislodged,
        "sections": told.fields,
        "fallen": report.fallen,
        "game": game,
        "next": report.next.as_ref().map(next),
    });
    Ok(templates
        .fill("player-sight-report.md", fields)?
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
    templates.fill("observer-calendar.md", fields)
}

fn next(next: &NextPhase) -> Value {
    json!({
        "kind": next.kind,
        "turn": next.turn,
        "deadline": next.deadline.as_ref().map(ToString::to_string),
    })
}

/// What is in sight, section by section, as in reports, the opening and STATUS.
pub fn position_section(templates: &Templates, now: &InSight) -> Result<Document, RenderError> {
    let fields = json!({
        "whose": now.whose,
        "units": Vec::from_iter(now.units.iter().map(placed)),
        "centers": Vec::from_iter(now.centers.iter().map(|(center, home)| {
            if *home { format!("{center} (home)") } else { center.clone() }
        })),
        "lost_homes": Vec::from_iter(now.lost_homes.iter().cloned()),
        "foreign": Vec::from_iter(now.foreign.iter().map(|seen| {
            format!("{}: {}", seen.unit.power, placed(seen))
        })),
        "foreign_centers": Vec::from_iter(now.foreign_centers.iter().map(|(center, owner)| match owner {
            Some(owner) => format!("{center} owned by {owner}"),
            None => format!("{center} unowned"),
        })),
        "empty": Vec::from_iter(now.empty.iter().cloned()),
    });
    Ok(templates.fill("sight-position.md", fields)?.document)
}

/// `Army Serbia (glimpsed, dislodged)`.
fn placed(seen: &UnitInSight) -> String {
    let marks = match (seen.glimpsed, seen.dislodged) {
        (true, true) => " (glimpsed, dislodged)",
        (true, false) => " (glimpsed)",
        (false, true) => " (dislodged)",
        (false, false) => "",
    };
    format!("{} {}{marks}", seen.unit.kind, seen.unit.place)
}

/// The reader's own orders with their results.
fn own(lines: &[OwnLine]) -> Document {
    let text: Vec<String> = lines.iter().map(own_line).collect();
    let cells = |line: &OwnLine| match line {
        OwnLine::Order(line) => order_cells(&line.unit.power, line),
        OwnLine::Collided(line) => {
            let mut cells = order_cells(&line.unit.power, line);
            cells.pop();
            cells.push(COLLIDED.to_owned());
            cells
        }
        OwnLine::Winter(line) => vec![String::new(), winter_words(line)],
    };
    let power = lines.first().map(|line| match line {
        OwnLine::Order(line) | OwnLine::Collided(line) => &line.unit.power,
        OwnLine::Winter(line) => &line.power,
    });
    let head = power.map(|power| vec![power.to_string()]).into_iter();
    let rows = head.chain(lines.iter().map(cells)).collect();
    Document::fixed_lines(
        text.join("\n"),
        Table::new(&fixed_tables::ORDERS, rows).without_empty_columns(),
    )
}

/// Lines, each an item of a list in HTML.
fn each(lines: impl Iterator<Item = String>) -> Document {
    let lines: Vec<String> = lines.collect();
    fixed_tables::items(lines.clone(), lines)
}

fn own_line(line: &OwnLine) -> String {
    match line {
        OwnLine::Order(line) => order_line(line),
        OwnLine::Collided(line) => order_line_marked(line, COLLIDED),
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
        SeenAction::Action(Action::Disband) => format!("{unit} disbanded"),
        SeenAction::Action(action) => format!("{unit} {}", action_words(action)),
        SeenAction::StandOff { to } => format!("{unit} -> {to}"),
        SeenAction::Stay => format!("{unit} stays"),
        SeenAction::Leave => format!("{unit} leaves"),
        SeenAction::PassOutOfSight => format!("{unit} is no longer in sight"),
        SeenAction::Arrive => format!("{kind} arrives in {}{place}", the(*at_sea)),
        SeenAction::ComeIntoSight => format!("{unit} comes into sight"),
        SeenAction::Build => format!("builds {unit}"),
        SeenAction::Remove => format!("removes {unit}"),
    };
    let mut marks = Vec::new();
    if matches!(seen.did, SeenAction::StandOff { .. }) {
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
    let number = due.unsigned_abs();
    match due {
        0 => "nothing due".to_owned(),
        1.. => counted(number, "build"),
        _ => counted(number, "removal"),
    }
}
