//! Lines of orders as a page of many maps has them: points relative to the point before, and what lines have in common in one place.

use std::collections::BTreeMap;

use super::xml::add;

/// The looks of lines, each with its number.
#[derive(Default)]
pub(super) struct Looks(BTreeMap<String, usize>);

impl Looks {
    /// The rules of the style element of the page.
    pub(super) fn rules(&self) -> String {
        let mut rules = String::new();
        for (look, number) in &self.0 {
            add!(&mut rules, ".o{number}{{{look}}}");
        }
        rules
    }

    /// These elements, each on a line of its own, in fewer words: of paths the points and what they look like.
    pub(super) fn shortened(&mut self, svg: &str) -> String {
        let mut short = String::with_capacity(svg.len() / 2);
        for line in svg.lines() {
            match self.path(line) {
                Some(path) => short.push_str(&path),
                None => {
                    short.push_str(line);
                    short.push('\n');
                }
            }
        }
        short
    }

    fn path(&mut self, line: &str) -> Option<String> {
        let rest = line.strip_prefix("<path d=\"")?;
        let (points, rest) = rest.split_once("\" ")?;
        let look = look(rest.strip_suffix("/>")?)?;
        let points = relative(points)?;
        let count = self.0.len();
        let number = *self.0.entry(look).or_insert(count);
        Some(format!("<path d=\"{points}\" class=\"o{number}\"/>"))
    }
}

/// Attributes as declarations of a style.
fn look(attributes: &str) -> Option<String> {
    let mut look = String::new();
    let mut rest = attributes;
    while let Some((name, behind)) = rest.split_once("=\"") {
        let (value, behind) = behind.split_once('"')?;
        let name = name.trim();
        if !(name == "fill" || name.starts_with("stroke")) {
            return None;
        }
        let comma = if look.is_empty() { "" } else { ";" };
        add!(&mut look, "{comma}{name}:{value}");
        rest = behind;
    }
    rest.trim().is_empty().then_some(look)
}

/// The data of a path of absolute moves and lines with all but its first point relative, in tenths as before.
fn relative(data: &str) -> Option<String> {
    let mut short = String::with_capacity(data.len());
    let (mut here, mut start) = ([0, 0], [0, 0]);
    let mut last = 'z';
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        rest = rest.get(1..)?;
        if command == 'z' {
            short.push('z');
            (here, last) = (start, 'z');
            continue;
        }
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic());
        let (point, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        let (x, y) = point.split_once(' ')?;
        let there = [tenths(x)?, tenths(y)?];
        let by = [there[0] - here[0], there[1] - here[1]];
        match command {
            'M' if short.is_empty() => {
                add!(&mut short, "M{}", pair(there));
                last = 'M';
            }
            'M' => {
                add!(&mut short, "m{}", pair(by));
                last = 'm';
            }
            'L' => {
                let pair = pair(by);
                match last {
                    'l' if pair.starts_with('-') => {}
                    'l' => short.push(' '),
                    _ => short.push('l'),
                }
                short.push_str(&pair);
                last = 'l';
            }
            _ => return None,
        }
        if command == 'M' {
            start = there;
        }
        here = there;
    }
    Some(short)
}

fn pair([x, y]: [i64; 2]) -> String {
    let (x, y) = (decimal(x), decimal(y));
    let between = if y.starts_with('-') { "" } else { " " };
    format!("{x}{between}{y}")
}

fn decimal(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, part) = (tenths.abs() / 10, tenths.abs() % 10);
    match (whole, part) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

fn tenths(number: &str) -> Option<i64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let size =
        whole.trim_start_matches('-').parse::<i64>().ok()? * 10 + part.parse::<i64>().ok()?;
    Some(if number.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_relative_to_the_point_before() {
        assert_eq!(
            relative("M1236 1311.9L1316.9 1203.7M1327.7 1189.3L1310.3 1197.5L1324.8 1208.3z")
                .unwrap(),
            "M1236 1311.9l80.9-108.2m10.8-14.4l-17.4 8.2 14.5 10.8z"
        );
        assert_eq!(
            relative("M-0.5 3L0 2.5zM1 1L1 2").unwrap(),
            "M-.5 3l.5-.5zm1.5-2l0 1"
        );
        assert_eq!(relative("M1 1Q2 2 3 3"), None);
    }

    #[test]
    fn lines_of_one_look_have_one_rule() {
        let mut looks = Looks::default();
        let line = "<path d=\"M1 1L2 3\" stroke=\"#ffffff\" stroke-width=\"9\"/>\n";
        let short = looks.shortened(&format!("<g>\n{line}{line}</g>\n"));
        let path = "<path d=\"M1 1l1 2\" class=\"o0\"/>";
        assert_eq!(short, format!("<g>\n{path}{path}</g>\n"));
        assert_eq!(looks.rules(), ".o0{stroke:#ffffff;stroke-width:9}");
        let other = "<path transform=\"translate(1 2)\" d=\"M0 0L1 1\" fill=\"#ffffff\"/>\n";
        assert_eq!(looks.shortened(other), other);
    }
}
