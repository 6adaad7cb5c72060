//! GET map.NAME: a map in words, generated from the map itself.

use dipjudge_mails::outbound::{
    self, MapBorder, MapPage, MapPower, MapProvince, RenderError, Templates,
};
use dipjudge_rules::map::{Location, Map, Power, ProvinceInfo, Terrain, Travel};

/// The text of a map's page.
pub(super) fn text(templates: &Templates, map: &Map) -> Result<String, RenderError> {
    let centers = map.centers().len();
    let page = MapPage {
        name: map.name().to_owned(),
        powers: (0..)
            .map(Power)
            .zip(map.powers())
            .map(|(power, info)| MapPower {
                name: info.name.clone(),
                letter: info.letter,
                units: units(map, power),
            })
            .collect(),
        centers,
        over_half: centers / 2 + 1,
        provinces: map
            .provinces()
            .iter()
            .map(|info| province(map, info))
            .collect(),
    };
    Ok(outbound::map_page(templates, &page)?.text())
}

fn units(map: &Map, power: Power) -> Vec<String> {
    map.start()
        .iter()
        .filter(|unit| unit.power == power)
        .map(|unit| format!("{} {}", unit.kind, map.full_name(unit.at)))
        .collect()
}

fn province(map: &Map, info: &ProvinceInfo) -> MapProvince {
    let home = info.home.and_then(|power| map.powers().get(power.index()?));
    let neutral = || info.center.then(|| "neutral".to_owned());
    MapProvince {
        code: info.code.to_string(),
        name: info.name.clone(),
        kind: match info.terrain {
            Terrain::Sea => "sea",
            Terrain::Inland => "land",
            Terrain::Coast => "coast",
            Terrain::Islands => "islands",
        },
        center: home.map(|power| power.name.clone()).or_else(neutral),
        also: info.aliases.clone(),
        borders: borders(map, info),
    }
}

fn borders(map: &Map, info: &ProvinceInfo) -> Vec<MapBorder> {
    let mut borders = Vec::new();
    for (kind, travel) in [("A", Travel::Land), ("F", Travel::Sea)] {
        for from in map.stations(travel, info.code) {
            let unit = match from.coast {
                Some(coast) => format!("{kind}/{}", coast.as_str().to_lowercase()),
                None => kind.to_owned(),
            };
            let places: Vec<String> = map
                .reach(travel, from)
                .iter()
                .map(Location::to_string)
                .collect();
            if !places.is_empty() {
                borders.push(MapBorder { unit, places });
            }
        }
    }
    borders
}
