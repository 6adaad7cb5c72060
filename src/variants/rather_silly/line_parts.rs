//! The named parts of a line that the grammar has read, for lines of players and of masters.

use dipjudge_game::Refusal;
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Coast, Location};

/// The direct parts of a line that were read by a rule.
pub(super) fn parts<'l>(line: &'l Line, rule: &'l str) -> impl Iterator<Item = &'l Line> {
    line.parts.iter().filter(move |part| part.rule == rule)
}

/// The first such part.
pub(super) fn part<'l>(line: &'l Line, rule: &'l str) -> Option<&'l Line> {
    parts(line, rule).next()
}

/// The place that a line names, itself or in a part of it.
pub(super) fn location(line: &Line) -> Result<Location, Refusal> {
    let place = part(line, "place").unwrap_or(line);
    let province = place.province().ok_or("A space is missing.")?;
    let coasts = [
        ("north", "short-north", Coast::North),
        ("south", "short-south", Coast::South),
        ("east", "short-east", Coast::East),
        ("west", "short-west", Coast::West),
    ];
    let is = |(long, short, _): &(&str, &str, Coast)| place.has(long) || place.has(short);
    let coast = coasts.into_iter().find(is).map(|(_, _, coast)| coast);
    Ok(Location { province, coast })
}
