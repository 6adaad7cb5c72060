//! The colors of provinces: those of their owners, stripes of a variant, and the fog over provinces out of sight.

use std::collections::{BTreeMap, BTreeSet};

use super::base_map::BaseMap;
use super::colors::{
    FOG_LAND, FOG_LINE, FOG_WATER, NEUTRAL_STYLE, Pattern, PowerStyle, Rgb, SPACE, power_style,
};
use super::xml::add;
use dipjudge_rules::map::drawing::{Region, Surface};
use dipjudge_rules::map::{Province, Travel};
use dipjudge_view::{Board, Owner, SignLook, UnitState};

/// How the things of a power are colored.
pub(super) fn style_of(whose: Owner) -> PowerStyle {
    whose.0.map_or(NEUTRAL_STYLE, power_style)
}

/// What lies over the fill of a region: a power's pattern, or a variant's stripes, in this color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PatternFill(Pattern, Rgb);

/// The regions in sight that do not look as on an empty board, by their look.
pub(super) struct Painted {
    /// The numbers of the regions of each color.
    pub(super) colors: BTreeMap<Rgb, Vec<usize>>,
    /// The numbers of the regions below each pattern.
    pub(super) patterns: BTreeMap<PatternFill, Vec<usize>>,
}

impl Painted {
    pub(super) fn of(board: &Board, base_map: &BaseMap) -> Painted {
        let mut painted = Painted {
            colors: BTreeMap::new(),
            patterns: BTreeMap::new(),
        };
        for (number, region) in base_map.drawing.regions.iter().enumerate() {
            let seen = region.province.filter(|seen| board.is_in_sight(*seen));
            let Some(province) = seen else {
                continue;
            };
            let look = Look::of(board, province, region.surface);
            if let Some(color) = look.color {
                painted.colors.entry(color).or_default().push(number);
            }
            for over in look.patterns {
                painted.patterns.entry(over).or_default().push(number);
            }
        }
        painted
    }

    /// What is shown of it.
    fn shown(&self, is_shown: impl Fn(usize) -> bool) -> Painted {
        let only_shown = |regions: &[usize]| -> Option<Vec<usize>> {
            let regions = regions.iter().copied().filter(|number| is_shown(*number));
            let regions: Vec<usize> = regions.collect();
            (!regions.is_empty()).then_some(regions)
        };
        let colors = self.colors.iter();
        let patterns = self.patterns.iter();
        Painted {
            colors: colors
                .filter_map(|(color, regions)| Some((*color, only_shown(regions)?)))
                .collect(),
            patterns: patterns
                .filter_map(|(over, regions)| Some((*over, only_shown(regions)?)))
                .collect(),
        }
    }
}

/// Paints the regions in sight that do not look as on an empty board. Regions of the same look are one path, since the time to
/// render a pattern grows with the number of paths.
pub(super) fn painted(
    painted: &Painted,
    base_map: &BaseMap,
    is_shown: impl Fn(usize) -> bool,
) -> String {
    let Painted { colors, patterns } = painted.shown(is_shown);
    let outlines_of = |regions: &[usize]| -> String {
        regions
            .iter()
            .map(|region| base_map.outlines[*region].as_str())
            .collect()
    };
    let mut svg = String::new();
    if !patterns.is_empty() {
        let defined: String = patterns
            .keys()
            .map(|over| definition(*over, &name(*over)))
            .collect();
        add!(&mut svg, "<defs>\n{defined}</defs>\n");
    }
    for (color, regions) in colors {
        let outlines = outlines_of(&regions);
        add!(&mut svg, "<path d=\"{outlines}\" fill=\"{color}\"/>\n");
    }
    for (over, regions) in patterns {
        let outlines = outlines_of(&regions);
        add!(
            &mut svg,
            "<path d=\"{outlines}\" fill=\"url(#{})\"/>\n",
            name(over)
        );
    }
    svg
}

impl BaseMap {
    /// The outlines of some regions, as one path.
    fn outlined(&self, which: impl Fn(usize, &Region) -> bool) -> String {
        let regions = self.drawing.regions.iter().zip(&self.outlines).enumerate();
        regions
            .filter(|(number, (region, _))| which(*number, region))
            .map(|(_, (_, outline))| outline.as_str())
            .collect()
    }

    /// The numbers of the regions of some provinces: those of land, and those of water.
    pub(super) fn regions_of_provinces(&self, which: impl Fn(Province) -> bool) -> [Vec<usize>; 2] {
        let of = |surface| {
            let regions = self.drawing.regions.iter().enumerate();
            regions
                .filter(|(_, region)| {
                    region.surface == surface && region.province.is_some_and(&which)
                })
                .map(|(number, _)| number)
                .collect()
        };
        [of(Surface::Land), of(Surface::Water)]
    }

    /// The outlines of the regions of some provinces, as one path.
    pub(super) fn outlined_provinces(&self, which: impl Fn(Province) -> bool) -> String {
        self.outlined(|_, region| region.province.is_some_and(&which))
    }

    /// What lies over the regions of some provinces, which are out of sight, as far as these regions are shown.
    pub(super) fn fog(
        &self,
        which: impl Fn(Province) -> bool,
        is_shown: impl Fn(usize) -> bool,
    ) -> String {
        let of = |surface| {
            self.outlined(|number, region| {
                region.surface == surface && region.province.is_some_and(&which) && is_shown(number)
            })
        };
        let (land, water) = (of(Surface::Land), of(Surface::Water));
        if land.is_empty() && water.is_empty() {
            return String::new();
        }
        let definition = fog_definition();
        format!(
            "<defs>\n{definition}</defs>\n\
             <path d=\"{land}\" fill=\"{FOG_LAND}\"/>\n<path d=\"{water}\" fill=\"{FOG_WATER}\"/>\n\
             <path d=\"{land}{water}\" fill=\"url(#{FOG})\"/>\n"
        )
    }
}

/// The name of the pattern over provinces out of sight.
pub(super) const FOG: &str = "fog";

pub(super) fn fog_definition() -> String {
    // Level lines make small files.
    let line = stripe(FOG_LINE, 3, "M0 6H12");
    format!(
        "<pattern id=\"{FOG}\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\">{line}</pattern>\n"
    )
}

/// How a region in sight is painted.
#[derive(Default)]
struct Look {
    /// None for the color of an empty board.
    color: Option<Rgb>,
    /// The patterns over the color, from the lowest to the highest.
    patterns: Vec<PatternFill>,
}

impl Look {
    fn of(board: &Board, province: Province, surface: Surface) -> Look {
        // Water of a province that is land has the color of water, whatever its land has.
        let is_sea = || board.map.stations(Travel::Land, province).is_empty();
        if surface == Surface::Water && !is_sea() {
            return Look::default();
        }
        let mut look = Look::default();
        if board.map.info(province).is_some_and(|info| info.shared) {
            look.color = Some(SPACE);
            return look;
        }
        if surface == Surface::Land {
            if let Some(owner) = board.owners.get(&province) {
                let style = style_of(*owner);
                look.color = Some(style.land);
                look.patterns = pattern(style.pattern, style.line);
            } else if let Some(holder) = holder(board, province) {
                look.color = Some(style_of(holder).held);
            }
        }
        for sign in &board.signs {
            if sign.at == province && sign.look == SignLook::Stripes {
                let PowerStyle { line, .. } = style_of(sign.whose);
                look.patterns.extend(pattern(Pattern::Rising, line));
            }
        }
        look
    }
}

/// The powers whose color any of these provinces has because a unit of theirs is there.
pub(super) fn holders(
    board: &Board,
    base_map: &BaseMap,
    shown: impl Fn(Province) -> bool,
) -> BTreeSet<Owner> {
    let regions = base_map.drawing.regions.iter();
    let land = regions.filter(|region| region.surface == Surface::Land);
    let provinces = land.filter_map(|region| region.province);
    provinces
        .filter(|province| {
            shown(*province) && board.is_in_sight(*province) && !board.owners.contains_key(province)
        })
        .filter_map(|province| holder(board, province))
        .collect()
}

/// The power whose unit is in a province that is not a center.
fn holder(board: &Board, province: Province) -> Option<Owner> {
    let info = board.map.info(province)?;
    if info.center || info.shared {
        return None;
    }
    let stands = |state| matches!(state, UnitState::Stands | UnitState::Built);
    let unit = board
        .units
        .iter()
        .find(|unit| unit.at.province == province && stands(unit.state))?;
    (unit.whose != Owner::NOBODY).then_some(unit.whose)
}

fn pattern(pattern: Pattern, line: Rgb) -> Vec<PatternFill> {
    match pattern {
        Pattern::Plain => Vec::new(),
        pattern => vec![PatternFill(pattern, line)],
    }
}

pub(super) fn name(PatternFill(pattern, Rgb(red, green, blue)): PatternFill) -> String {
    let word = match pattern {
        Pattern::Plain => "plain",
        Pattern::Rising => "rising",
        Pattern::Dots => "dots",
        Pattern::Falling => "falling",
        Pattern::Grid => "grid",
        Pattern::Level => "level",
    };
    format!("{word}-{red:02x}{green:02x}{blue:02x}")
}

/// A sample of a power's land, around the middle, where a pattern tells it from another's; else nothing.
pub(super) fn sample(whose: Owner) -> String {
    let PowerStyle {
        land,
        line,
        pattern: look,
        ..
    } = style_of(whose);
    let Some(over) = pattern(look, line).pop() else {
        return String::new();
    };
    let id = format!("sample-{}", name(over));
    let area = "x=\"-27\" y=\"-20\" width=\"54\" height=\"40\"";
    format!(
        "<defs>{}</defs><rect {area} fill=\"{land}\"/><rect {area} fill=\"url(#{id})\"/>\n",
        definition(over, &id)
    )
}

/// Patterns repeat every 24 units.
pub(super) fn definition(over: PatternFill, id: &str) -> String {
    let PatternFill(pattern, line) = over;
    let shape = match pattern {
        Pattern::Plain => String::new(),
        Pattern::Dots => format!("<circle cx=\"12\" cy=\"12\" r=\"4\" fill=\"{line}\"/>"),
        Pattern::Rising => stripe(line, 5, "M-6 6L6 -6M-6 30L30 -6M18 30L30 18"),
        Pattern::Falling => stripe(line, 5, "M-6 18L6 30M-6 -6L30 30M18 -6L30 6"),
        Pattern::Grid => stripe(line, 3, "M0 12H24M12 0V24"),
        Pattern::Level => stripe(line, 5, "M0 12H24"),
    };
    format!(
        "<pattern id=\"{id}\" width=\"24\" height=\"24\" patternUnits=\"userSpaceOnUse\">{shape}</pattern>\n"
    )
}

fn stripe(color: Rgb, width: u32, path: &str) -> String {
    format!(
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-opacity=\"0.45\"/>"
    )
}
