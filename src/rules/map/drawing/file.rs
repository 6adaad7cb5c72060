//! Reads drawing files. `README.md` in the folder `map` describes the notation.

use std::collections::BTreeMap;

use super::super::{Coast, Location, Map, Province, Terrain, Travel};
use super::Drawing;
use super::elements::{
    Border, Label, LetterSize, Place, Point, Region, Side, Strait, Surface, Waterway,
};
use super::outline::joined;

/// A fault of a drawing file and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}line {line}: {fault}", if *overlay { "overlay, " } else { "" })]
pub struct DrawingError {
    /// Whether the fault is in the further lines that are read after the file.
    pub overlay: bool,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: DrawingFault,
}

/// A fault of a drawing file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingFault {
    /// The line does not begin with a word of the notation.
    #[error(
        "unknown word `{0}`; a line begins with size, land, water, strait, waterway, place, border or a point"
    )]
    UnknownWord(String),
    /// Something is missing or malformed.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A word is neither a province nor a region above.
    #[error("`{0}` is no province of the map, and no line `land {0}` or `water {0}` is above")]
    NoSuchRegion(String),
    /// The map does not have the province.
    #[error("the map has no province `{0}`")]
    NoSuchProvince(String),
    /// The province does not have the coast, or it has several coasts and none is named.
    #[error("no fleet can be at {0}; a province with several coasts is told with one of them")]
    NoSuchCoast(Location),
    /// A point is outside of the picture.
    #[error("{0} is outside the picture; `size` tells how large that is")]
    Outside(Point),
    /// The borders of a region do not form closed lines.
    #[error(
        "the borders of {0} leave it open at {1}: no other of its borders begins or ends there"
    )]
    Open(String, Point),
    /// A province has borders but no line `place`.
    #[error("{0} has borders and no line `place {0}`")]
    NoPlace(Province),
}

type Read<T> = Result<T, DrawingFault>;

/// Reads a drawing file and the further lines after it.
pub(super) fn read(map: &Map, text: &str, overlay: &str) -> Result<Drawing, DrawingError> {
    let mut reader = Reader::new(map);
    let mut last_line = (false, 0);
    for (overlay, text) in [(false, text), (true, overlay)] {
        for (line, text) in (1..).zip(text.lines()) {
            last_line = (overlay, line);
            let text = text
                .split_once('#')
                .map_or(text, |(before, _)| before)
                .trim();
            reader.line(text).map_err(|fault| DrawingError {
                overlay,
                line,
                fault,
            })?;
        }
    }
    let (overlay, line) = last_line;
    reader.finish().map_err(|fault| DrawingError {
        overlay,
        line,
        fault,
    })
}

struct Reader<'m> {
    map: &'m Map,
    drawing: Drawing,
}

impl<'m> Reader<'m> {
    fn new(map: &'m Map) -> Self {
        Self {
            map,
            drawing: Drawing::default(),
        }
    }

    fn line(&mut self, text: &str) -> Read<()> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Ok(()),
            "size" => self.size(rest),
            "land" => self.part(Surface::Land, rest),
            "water" => self.part(Surface::Water, rest),
            "strait" => self.strait(rest),
            "waterway" => self.waterway(rest),
            "place" => self.place(rest),
            "border" => self.border(rest),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.more_points(text),
            _ => Err(DrawingFault::UnknownWord(word.to_owned())),
        }
    }

    fn size(&mut self, text: &str) -> Read<()> {
        let mut numbers = text.split_whitespace().map(str::parse);
        let (Some(Ok(width)), Some(Ok(height)), None) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return Err(DrawingFault::Expected("two numbers, as `size 2000 1800`"));
        };
        (self.drawing.width, self.drawing.height) = (width, height);
        Ok(())
    }

    /// A region that is not a whole province. A later line for the same region replaces the province to which it belongs: a
    /// variant can so make a province of an island that no unit could enter.
    fn part(&mut self, surface: Surface, text: &str) -> Read<()> {
        let mut words = text.split_whitespace();
        let name = words
            .next()
            .filter(|name| name.chars().all(|c| c.is_ascii_lowercase()))
            .ok_or(DrawingFault::Expected(
                "a name in small letters, and the province that it is a part of, if any",
            ))?;
        let province = words.next().map(|code| self.province(code)).transpose()?;
        let regions = &mut self.drawing.regions;
        match regions.iter_mut().find(|region| region.name == name) {
            Some(region) => (region.surface, region.province) = (surface, province),
            None => regions.push(Region {
                name: name.to_owned(),
                surface,
                province,
                outline: Vec::new(),
            }),
        }
        Ok(())
    }

    fn strait(&mut self, text: &str) -> Read<()> {
        let NamesAndPoints { names, points } = NamesAndPoints::of(text);
        let [one, other] = names.as_slice() else {
            return Err(DrawingFault::Expected(
                "two provinces and points, as `strait DEN SWE  909,705 920,703`",
            ));
        };
        let between = [self.province(one)?, self.province(other)?];
        let line = self.points(&points)?;
        self.drawing.straits.push(Strait { between, line });
        Ok(())
    }

    fn waterway(&mut self, text: &str) -> Read<()> {
        let NamesAndPoints { names, points } = NamesAndPoints::of(text);
        let [name] = names.as_slice() else {
            return Err(DrawingFault::Expected(
                "a province and points, as `waterway KIE  789,814 802,802`",
            ));
        };
        let within = self.province(name)?;
        let line = self.points(&points)?;
        self.drawing.waterways.push(Waterway { within, line });
        Ok(())
    }

    fn border(&mut self, text: &str) -> Read<()> {
        let NamesAndPoints { names, points } = NamesAndPoints::of(text);
        let [one, other] = names.as_slice() else {
            return Err(DrawingFault::Expected(
                "two sides and points, as `border ADR ALB  1174,1480 1177,1480`",
            ));
        };
        let sides = [self.side(one)?, self.side(other)?];
        let line = self.points(&points)?;
        self.drawing.borders.push(Border { sides, line });
        Ok(())
    }

    /// Adds points to the line of the last border.
    fn more_points(&mut self, text: &str) -> Read<()> {
        let more = self.points(&text.split_whitespace().collect::<Vec<_>>())?;
        match self.drawing.borders.last_mut() {
            Some(last) => {
                last.line.extend(more);
                Ok(())
            }
            None => Err(DrawingFault::Expected("`border` before its points")),
        }
    }

    fn place(&mut self, text: &str) -> Read<()> {
        let mut fields = text
            .split("  ")
            .map(str::trim)
            .filter(|field| !field.is_empty());
        let province = self.province(fields.next().unwrap_or(""))?;
        let (mut unit, mut dislodged, mut center, mut name) = (None, None, None, None);
        let mut coasts = BTreeMap::new();
        for field in fields {
            let (word, rest) = field.split_once(' ').unwrap_or((field, ""));
            match (word, word.split_once('/')) {
                ("unit", _) => unit = Some(self.point(rest)?),
                ("dislodged", _) => dislodged = Some(self.point(rest)?),
                ("center", _) => center = Some(self.point(rest)?),
                ("name", _) => name = Some(self.label(rest)?),
                (_, Some(("unit", coast))) => {
                    let coast = coast
                        .parse::<Coast>()
                        .map_err(|_| DrawingFault::Expected("a coast as nc, sc, ec, wc"))?;
                    self.can_stand(Location::on(province, coast))?;
                    coasts.insert(coast, self.point(rest)?);
                }
                _ => {
                    return Err(DrawingFault::Expected(
                        "fields parted by two blanks that begin with unit, unit/nc, dislodged, center or name",
                    ));
                }
            }
        }
        let (Some(unit), Some(dislodged), Some(name)) = (unit, dislodged, name) else {
            return Err(DrawingFault::Expected(
                "the fields unit, dislodged and name, as `unit 1012,1448`",
            ));
        };
        let place = Place {
            unit,
            coasts,
            dislodged,
            center,
            name,
        };
        self.drawing.places.insert(province, place);
        Ok(())
    }

    /// `1012,1448 medium Gulf of|Bothnia`
    fn label(&self, text: &str) -> Read<Label> {
        let mut words = text.splitn(3, ' ');
        let at = self.point(words.next().unwrap_or(""))?;
        let size = match words.next() {
            Some("small") => LetterSize::Small,
            Some("medium") => LetterSize::Medium,
            Some("large") => LetterSize::Large,
            _ => {
                return Err(DrawingFault::Expected(
                    "small, medium or large behind the name's point",
                ));
            }
        };
        let lines = words
            .next()
            .ok_or(DrawingFault::Expected(
                "the name behind its size, lines parted by `|`",
            ))?
            .split('|')
            .map(str::to_owned)
            .collect();
        Ok(Label { at, size, lines })
    }

    fn province(&self, code: &str) -> Read<Province> {
        match code.parse() {
            Ok(province) if self.map.number(province).is_some() => Ok(province),
            _ => Err(DrawingFault::NoSuchProvince(code.to_owned())),
        }
    }

    fn can_stand(&self, at: Location) -> Read<()> {
        if self.map.can_stand(Travel::Sea, at) {
            Ok(())
        } else {
            Err(DrawingFault::NoSuchCoast(at))
        }
    }

    /// A side of a border: `edge`, the name of a region, a province, or one of its coasts. The region of a province is made when
    /// the province is first named.
    fn side(&mut self, name: &str) -> Read<Option<Side>> {
        if name == "edge" {
            return Ok(None);
        }
        let regions = &self.drawing.regions;
        if let Some(region) = regions.iter().position(|region| region.name == name) {
            let coast = None;
            return Ok(Some(Side { region, coast }));
        }
        let at = match name.parse::<Location>() {
            Ok(at) if self.map.number(at.province).is_some() => at,
            _ => return Err(DrawingFault::NoSuchRegion(name.to_owned())),
        };
        if at.coast.is_some() {
            self.can_stand(at)?;
        }
        let code = at.province.as_str();
        let found = regions.iter().position(|region| region.name == code);
        let region = found.unwrap_or(regions.len());
        if found.is_none() {
            self.drawing.regions.push(Region {
                name: code.to_owned(),
                surface: surface_of(self.map, at.province),
                province: Some(at.province),
                outline: Vec::new(),
            });
        }
        Ok(Some(Side {
            region,
            coast: at.coast,
        }))
    }

    fn points(&self, texts: &[&str]) -> Read<Vec<Point>> {
        texts.iter().map(|text| self.point(text)).collect()
    }

    fn point(&self, text: &str) -> Read<Point> {
        let (x, y) = text
            .split_once(',')
            .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
            .ok_or(DrawingFault::Expected("a point as `1012,1448`"))?;
        let inside =
            (0..=self.drawing.width).contains(&x) && (0..=self.drawing.height).contains(&y);
        let point = Point { x, y };
        if inside {
            Ok(point)
        } else {
            Err(DrawingFault::Outside(point))
        }
    }

    /// Makes the outline of each region from its borders.
    fn finish(mut self) -> Read<Drawing> {
        let borders = &self.drawing.borders;
        for (number, region) in self.drawing.regions.iter_mut().enumerate() {
            let lines = borders.iter().filter(|border| {
                let mut sides = border.sides.iter().flatten();
                sides.any(|side| side.region == number)
            });
            region.outline = joined(lines.map(|border| border.line.as_slice()).collect())
                .map_err(|end| DrawingFault::Open(region.name.clone(), end))?;
            if let Some(province) = region.province
                && !self.drawing.places.contains_key(&province)
            {
                return Err(DrawingFault::NoPlace(province));
            }
        }
        Ok(self.drawing)
    }
}

/// The surface of a province's own region.
pub(super) fn surface_of(map: &Map, province: Province) -> Surface {
    match map.info(province).map(|info| info.terrain) {
        Some(Terrain::Sea) => Surface::Water,
        _ => Surface::Land,
    }
}

/// The words of a line before its points, and its points.
struct NamesAndPoints<'t> {
    names: Vec<&'t str>,
    points: Vec<&'t str>,
}

impl<'t> NamesAndPoints<'t> {
    fn of(text: &'t str) -> Self {
        let (points, names) = text
            .split_whitespace()
            .partition(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        Self { names, points }
    }
}
