//! A map in words, for GET map.NAME.

use serde_json::{Value, json};

use super::wrap::{WIDTH, pad, wrap_after};
use super::{Document, RenderError, Templates};

/// A map.
pub struct MapPage {
    /// `standard`
    pub name: String,
    /// The powers.
    pub powers: Vec<MapPower>,
    /// The number of its supply centers.
    pub centers: usize,
    /// The smallest number that is more than half of them.
    pub over_half: usize,
    /// The provinces, by their codes.
    pub provinces: Vec<MapProvince>,
}

/// One power of a map.
pub struct MapPower {
    /// `Austria`
    pub name: String,
    /// `A`
    pub letter: Option<char>,
    /// The units at the start: `A Budapest`.
    pub units: Vec<String>,
}

/// One province of a map.
pub struct MapProvince {
    /// `STP`
    pub code: String,
    /// `St Petersburg`
    pub name: String,
    /// `coast`
    pub kind: &'static str,
    /// The power whose home center it is, or `neutral`; `None` if it is no supply center.
    pub center: Option<String>,
    /// Its other names.
    pub also: Vec<String>,
    /// Where units can go from it.
    pub borders: Vec<MapBorder>,
}

/// Where one kind of unit can go from a province.
pub struct MapBorder {
    /// The kind, with the coast that it leaves from: `A`, `F`, `F/nc`.
    pub unit: String,
    /// The codes of the places.
    pub places: Vec<String>,
}

/// GET map.NAME.
pub fn map_page(templates: &Templates, page: &MapPage) -> Result<Document, RenderError> {
    let width = |longest: Option<usize>| longest.unwrap_or(0) + 2;
    let power_width = width(page.powers.iter().map(|power| head(power).len()).max());
    let name_width = width(page.provinces.iter().map(|one| one.name.len()).max());
    let power = |power: &MapPower| {
        let head = format!("   {}", pad(&head(power), power_width));
        let indent = head.len();
        let lines = wrap_after(&head, &power.units.join(", "), WIDTH, indent);
        lines.join("\n").trim_end().to_owned()
    };
    let powers: Vec<String> = page.powers.iter().map(power).collect();
    let provinces = page.provinces.iter();
    let provinces: Vec<Value> = provinces.map(|one| province(one, name_width)).collect();
    let fields = json!({
        "name": page.name,
        "powers": powers,
        "centers": page.centers,
        "over_half": page.over_half,
        "provinces": provinces,
    });
    Ok(templates.fill("map.txt", fields)?.document)
}

/// `Austria (A)`
fn head(power: &MapPower) -> String {
    match power.letter {
        Some(letter) => format!("{} ({letter})", power.name),
        None => power.name.clone(),
    }
}

fn province(province: &MapProvince, name_width: usize) -> Value {
    let center = province.center.as_deref().unwrap_or_default();
    let line = format!(
        "{}  {}{}{}",
        province.code,
        pad(&province.name, name_width),
        pad(province.kind, 9),
        center
    );
    let mut also = Vec::new();
    if !province.also.is_empty() {
        also = wrap_after("     also ", &province.also.join(", "), WIDTH, 10);
    }
    let borders = province.borders.iter().flat_map(|border| {
        let head = format!("     {}", pad(&border.unit, 5));
        wrap_after(&head, &border.places.join(" "), WIDTH, 10)
    });
    json!({
        "line": line.trim_end(),
        "also": also,
        "borders": borders.collect::<Vec<_>>(),
    })
}
