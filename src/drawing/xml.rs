//! Elements of SVG as text.

use std::fmt::Write;

use super::colors::Rgb;
use dipjudge_rules::map::drawing::Point;
use dipjudge_view::markup::escaped;

/// Adds formatted text; that cannot fail.
macro_rules! add {
    ($to:expr, $($words:tt)*) => {{
        let _ = std::fmt::Write::write_fmt($to, format_args!($($words)*));
    }};
}
pub(super) use add;

/// Writes a number with at most one decimal.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        _ => {
            let sign = if tenths < 0 { "-" } else { "" };
            format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
        }
    }
}

/// Whether the last point of a line is joined to the first.
#[derive(Clone, Copy)]
pub(super) enum Ends {
    Open,
    Joined,
}

/// The data of a path with lines through points; all but the first point of a line are relative to the point before.
pub(super) fn outline<'p>(lines: impl IntoIterator<Item = &'p [Point]>, ends: Ends) -> String {
    let mut path = String::new();
    for line in lines {
        let Some(first) = line.first() else { continue };
        add!(&mut path, "M{} {}l", first.x, first.y);
        let mut here = *first;
        for (place, point) in line.iter().skip(1).enumerate() {
            let (x, y) = (point.x - here.x, point.y - here.y);
            let blank = if place > 0 && x >= 0 { " " } else { "" };
            let between = if y >= 0 { " " } else { "" };
            add!(&mut path, "{blank}{x}{between}{y}");
            here = *point;
        }
        match ends {
            Ends::Open => {}
            Ends::Joined => path.push('z'),
        }
    }
    path
}

/// How a text is written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// The height of its letters.
    pub(super) size: f64,
    /// Its color.
    pub(super) color: Rgb,
    /// Bold, slanted or neither.
    pub(super) face: Face,
    /// The position of the text relative to its point.
    pub(super) anchor: Anchor,
}

/// The face of a font.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    /// Plain.
    Plain,
    /// Bold.
    Bold,
    /// Slanted.
    Slanted,
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// To the right of its point.
    Start,
    /// On both sides of it.
    Middle,
}

/// The widths of the letters from blank to tilde in the font of the program, in hundredths of the font size.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [29, 36, 41, 75, 57, 85, 70, 25, 35, 35, 45, 75, 29, 32, 29, 30, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 30, 30, 75, 75, 75, 48, 90, 62, 62, 63, 69, 57, 52, 70, 68, 27, 27, 59, 50, 78, 67, 71, 54, 71, 62, 57, 55, 66, 62, 89, 62, 55, 62, 35, 30, 35, 75, 45, 45, 55, 57, 49, 57, 55, 32, 57, 57, 25, 25, 52, 25, 88, 57, 55, 57, 57, 37, 47, 35, 57, 53, 74, 53, 53, 47, 57, 30, 57, 75];

/// The width of a line, in font sizes.
pub(super) fn width_of(line: &str) -> f64 {
    let of = |letter: char| {
        // Letters that are not in the table are taken to be of medium width.
        let hundredths = match (letter as usize).checked_sub(' ' as usize) {
            Some(number) => WIDTHS.get(number).copied().unwrap_or(70),
            None => 70,
        };
        f64::from(hundredths) / 100.0
    };
    line.chars().map(of).sum()
}

/// Adds a line of text. `y` is the base line.
pub(super) fn text(svg: &mut String, x: f64, y: f64, style: Style, words: &str) {
    let face = match style.face {
        Face::Plain => "",
        Face::Bold => r#" font-weight="bold""#,
        Face::Slanted => r#" font-style="oblique""#,
    };
    let anchor = match style.anchor {
        Anchor::Start => "",
        Anchor::Middle => r#" text-anchor="middle""#,
    };
    let _ = writeln!(
        svg,
        r#"<text x="{}" y="{}" font-size="{}" fill="{}"{face}{anchor}>{}</text>"#,
        number(x),
        number(y),
        number(style.size),
        style.color,
        escaped(words)
    );
}
