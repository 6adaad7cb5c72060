//! Lines of orders without the signs that mean nothing: bullets of lists, pictures, the bars of a table.

/// Whether a line is the row of a table: `| F Lon | Eng |`. A quotation has no bar at its end.
pub(super) fn is_table_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('|') && line.ends_with('|')
}

/// The line with `*` for bullets and blanks for pictures and for the bars of a table, as long as the line in bytes; `None` if
/// it is the same.
pub(super) fn plain_line(line: &str) -> Option<String> {
    let row = is_table_row(line);
    if line.is_ascii() && !row {
        return None;
    }
    let mut plain = String::with_capacity(line.len());
    for letter in line.chars() {
        let sign = match letter {
            '|' if row => ' ',
            '\u{2022}' | '\u{2023}' | '\u{25e6}' | '\u{25aa}' | '\u{25ab}' | '\u{25cf}'
            | '\u{25cb}' | '\u{b7}' => '*',
            '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}' => '"',
            letter if is_picture(letter) => ' ',
            letter => {
                plain.push(letter);
                continue;
            }
        };
        plain.push(sign);
        plain.extend(std::iter::repeat_n(' ', letter.len_utf8() - 1));
    }
    (plain != line).then_some(plain)
}

/// Whether a character is a picture and no part of a word. Arrows are none.
fn is_picture(letter: char) -> bool {
    let arrow = matches!(letter, '\u{2794}' | '\u{2798}'..='\u{27af}' | '\u{27b1}'..='\u{27be}');
    let picture = matches!(letter, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}');
    picture && !arrow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_mean_nothing_go() {
        for (line, plain) in [
            ("| F Lon | Eng |", "  F Lon   Eng  "),
            ("\u{2022} F Lon-Nth", "*   F Lon-Nth"),
            ("F Lon-Nth \u{1f642}", "F Lon-Nth     "),
        ] {
            let read = plain_line(line);
            assert_eq!(read.as_deref(), Some(plain));
        }
        for line in [
            "F Lon \u{2192} Nth",
            "F Lon \u{27a1} Nth",
            "| F Lon-Nth",
            "\u{d6}sterreich",
        ] {
            assert_eq!(plain_line(line), None, "{line}");
        }
    }
}
