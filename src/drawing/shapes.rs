//! The shapes of units, which tell the kinds from one another also where there is no color: a tank for an army, a ship for a fleet,
//! and for other kinds a shield, a fish or a bird, which bear the letters of the kind too.

use super::colors::{HALO, Pattern, PowerStyle, Rgb};
use super::spot::Spot;
use super::xml::add;
use dipjudge_rules::map::{Map, Travel, UnitKind};

/// The shape of a unit, within 42 by 32 around its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An army.
    Tank,
    /// A fleet.
    Ship,
    /// Another kind that travels on land.
    Shield,
    /// Another kind that travels at sea.
    Fish,
    /// Another kind that travels everywhere.
    Bird,
}

/// The line around a unit.
#[derive(Clone, Copy)]
pub(super) struct Outline {
    pub(super) line: Rgb,
    /// The lengths of its parts and gaps; empty for an unbroken one.
    pub(super) dashes: &'static str,
}

/// Where letters stand in a shape.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) middle: Spot,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Shape {
    pub(super) fn of(map: &Map, kind: UnitKind) -> Shape {
        let info = map.kinds().iter().find(|info| info.code() == kind);
        match (kind, info.map(|info| info.travel)) {
            (UnitKind::ARMY, _) => Shape::Tank,
            (UnitKind::FLEET, _) => Shape::Ship,
            (_, Some(Travel::Sea)) => Shape::Fish,
            (_, Some(Travel::Both)) => Shape::Bird,
            _ => Shape::Shield,
        }
    }

    /// Whether the shape alone says which kind it is.
    pub(super) fn tells_kind(self) -> bool {
        matches!(self, Shape::Tank | Shape::Ship)
    }

    /// The part in the color of the power.
    fn body(self) -> &'static str {
        match self {
            Shape::Tank => {
                "M-19 9V-2q0 -3 3 -3h3l3 -9q1 -2 3 -2h10q2 0 3 2l1 1h14v5h-13l1 3h7q3 0 3 3v11z"
            }
            Shape::Ship => "M-15 -15q15 -3 30 0q4 10 0 20q-15 -3 -30 0q4 -10 0 -20z",
            Shape::Shield => "M-20 -15h40v15q-2 11 -20 16q-18 -5 -20 -16z",
            Shape::Fish => {
                "M-21 -2q8 -12 21 -13q10 1 14 7l7 -5v24l-7 -5q-5 8 -16 9q-12 -2 -19 -17z"
            }
            Shape::Bird => {
                "M-21 -13q13 -4 17 6q1 -7 4 -8q3 1 4 8q4 -10 17 -6q1 20 -15 23l-6 6l-6 -6q-16 -3 -15 -23z"
            }
        }
    }

    /// The part in the dark color of the power: the tracks of a tank, the hull of a ship.
    fn base(self) -> Option<&'static str> {
        match self {
            Shape::Tank => Some("M-16 7h31q4.5 0 4.5 4.5t-4.5 4.5h-31q-4.5 0 -4.5 -4.5t4.5 -4.5z"),
            Shape::Ship => Some("M-21 6h6q15 -3 30 0h6l-6 8q-1.5 2 -4 2h-22q-2.5 0 -4 -2z"),
            _ => None,
        }
    }

    pub(super) fn frame(self) -> Frame {
        let (y, width, height) = match self {
            Shape::Tank => (-2.5, 31.0, 18.0),
            Shape::Ship => (-5.5, 27.0, 18.0),
            Shape::Shield => (-2.0, 34.0, 25.0),
            Shape::Fish => (0.0, 28.0, 24.0),
            Shape::Bird => (-0.5, 30.0, 24.0),
        };
        Frame {
            middle: Spot { x: -0.5, y },
            width,
            height,
        }
    }

    /// Draws the shape around the middle.
    pub(super) fn draw(self, svg: &mut String, style: PowerStyle, outline: Outline) {
        let Outline { line, dashes } = outline;
        let (body, base) = (self.body(), self.base());
        let whole = base.unwrap_or("");
        add!(
            svg,
            "<path d=\"{body}{whole}\" fill=\"none\" stroke=\"{HALO}\" stroke-width=\"6\" stroke-linejoin=\"round\"/>"
        );
        let broken = if dashes.is_empty() {
            " stroke-width=\"2\"".to_owned()
        } else {
            format!(" stroke-width=\"3\" stroke-dasharray=\"{dashes}\"")
        };
        if let Some(base) = base {
            add!(
                svg,
                "<path d=\"{base}\" fill=\"{}\" stroke=\"{line}\"{broken} stroke-linejoin=\"round\"/>",
                style.line
            );
        }
        add!(
            svg,
            "<path d=\"{body}\" fill=\"{}\" stroke=\"{line}\"{broken} stroke-linejoin=\"round\"/>\n",
            style.unit
        );
        pattern(svg, style.pattern);
    }
}

/// The pattern of a power, as marks on the dark part of its units.
fn pattern(svg: &mut String, pattern: Pattern) {
    let marks = match pattern {
        Pattern::Plain => return,
        Pattern::Rising => "M-11 14l5 -5M-3 14l5 -5M5 14l5 -5",
        Pattern::Falling => "M-11 9l5 5M-3 9l5 5M5 9l5 5",
        Pattern::Dots => "M-9 11.5h.1M-.5 11.5h.1M8 11.5h.1",
        Pattern::Grid => "M-12 11.5h23M-7 9v5M-.5 9v5M6 9v5",
        Pattern::Level => "M-12 11.5h23",
    };
    let width = match pattern {
        Pattern::Dots => 4.5,
        _ => 2.2,
    };
    add!(
        svg,
        "<path d=\"{marks}\" fill=\"none\" stroke=\"{HALO}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>\n"
    );
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Pixmap;

    use super::*;
    use crate::raster::render;

    /// The points that a shape covers.
    fn covered(shape: Shape) -> Vec<bool> {
        let (body, base) = (shape.body(), shape.base().unwrap_or(""));
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-25 -20 50 40\"><path d=\"{body}{base}\"/></svg>"
        );
        let mut pixmap = Pixmap::new(50, 40).unwrap();
        render(&svg, 1.0, &mut pixmap);
        let (points, _) = pixmap.data().as_chunks::<4>();
        points.iter().map(|[_, _, _, cover]| *cover > 127).collect()
    }

    #[test]
    fn shapes_are_told_apart_without_colors_and_letters() {
        let shapes = [
            Shape::Tank,
            Shape::Ship,
            Shape::Shield,
            Shape::Fish,
            Shape::Bird,
        ];
        for (number, one) in shapes.into_iter().enumerate() {
            for other in shapes.into_iter().skip(number + 1) {
                let pairs: Vec<(bool, bool)> =
                    covered(one).into_iter().zip(covered(other)).collect();
                let either = pairs.iter().filter(|(one, other)| one | other).count();
                let differs = pairs.iter().filter(|(one, other)| one != other).count();
                assert!(
                    differs * 100 > either * 15,
                    "{one:?} {other:?}: {differs} of {either}"
                );
            }
        }
    }
}
