//! What stands behind `OVERRULE`.

use super::misread::{Misread, Why};
use super::names::Names;
use super::order_words::{PlaceWords, UnitWords};
use super::orders::standard;
use super::verb_reader::{place_words, unit_words};
use crate::grammar::{Node, Term, Text};
use crate::map::Power;

/// What is to be otherwise, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct OverruleWords {
    /// What.
    pub what: Overruled,
    /// The reason that was given.
    pub because: Option<String>,
}

/// What is to be otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Overruled {
    /// A new unit, with its power and kind.
    Place(UnitWords),
    /// A unit elsewhere.
    Move(UnitWords, PlaceWords),
    /// A unit no longer there.
    Remove(UnitWords),
    /// A center owned by another, or by nobody.
    Owner(PlaceWords, Option<Power>),
}

/// Reads what stands behind `OVERRULE`.
///
/// # Errors
/// If it cannot be read, or more stands behind it.
pub fn read_overrule(line: &str, names: &Names) -> Result<OverruleWords, Misread> {
    let text = Text::new(line);
    let grammar = standard();
    if let Some(tree) = grammar.read("overrule", &text, 0, names)
        && text.skip_blanks(tree.end) >= text.len()
        && let Some(words) = overruled(tree.root(&text))
    {
        return Ok(words);
    }
    let failure = grammar.explain("overrule", &text, 0, names);
    let terms = [
        (Term::Power, "a power"),
        (Term::UnitKind, "a kind of unit"),
        (Term::Province, "a province"),
    ];
    let missing = terms.into_iter().filter(|(term, _)| failure.wants(*term));
    let mut wanted: Vec<String> = missing.map(|(_, words)| words.to_owned()).collect();
    if wanted.is_empty() {
        wanted.extend(failure.words.iter().map(|word| word.to_uppercase()));
    }
    let end = text.word_end(failure.at).max(failure.at + 1);
    Err(Misread {
        text: line.trim().to_owned(),
        span: 0..line.len(),
        at: text.source_at(failure.at),
        why: Why::Expected {
            wanted,
            word: text.source(failure.at..end).to_owned(),
        },
    })
}

fn overruled(node: Node<'_>) -> Option<OverruleWords> {
    let unit = |part: Node<'_>| unit_words(part.part("unit")?);
    let place = |part: Node<'_>| place_words(part.part("place")?);
    let what = if let Some(part) = node.part("overrule-place") {
        Overruled::Place(unit_words(part)?)
    } else if let Some(part) = node.part("overrule-move") {
        Overruled::Move(unit(part)?, place(part)?)
    } else if let Some(part) = node.part("overrule-remove") {
        Overruled::Remove(unit(part)?)
    } else {
        let part = node.part("overrule-owner")?;
        Overruled::Owner(place(part)?, part.power())
    };
    let because = node.find("reason").map(|reason| reason.text().trim());
    Some(OverruleWords {
        what,
        because: because.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn read(line: &str) -> Result<OverruleWords, String> {
        read_overrule(line, testing::names()).map_err(|misread| misread.to_string())
    }

    fn province(place: &PlaceWords) -> String {
        place.province.to_string()
    }

    #[test]
    fn units_and_owners_are_named_as_in_orders() {
        let words = read("PLACE French A Bur BECAUSE its build was lost").unwrap();
        assert!(matches!(&words.what, Overruled::Place(unit)
            if unit.nation == Some(Power(2)) && unit.kind.is_some() && province(&unit.place) == "BUR"));
        assert_eq!(words.because.as_deref(), Some("its build was lost"));
        let words = read("move F Lon to Nth").unwrap();
        assert!(matches!(&words.what, Overruled::Move(unit, to)
            if province(&unit.place) == "LON" && province(to) == "NTH"));
        assert_eq!(words.because, None);
        assert!(matches!(
            read("REMOVE A Par").unwrap().what,
            Overruled::Remove(_)
        ));
        assert!(matches!(
            read("OWNER Bel FRANCE").unwrap().what,
            Overruled::Owner(_, Some(Power(2)))
        ));
        assert!(matches!(
            read("OWNER of Bel is nobody").unwrap().what,
            Overruled::Owner(_, None)
        ));
    }

    #[test]
    fn what_cannot_be_read_says_what_is_missing() {
        for line in [
            "",
            "everything",
            "PLACE A Bur",
            "MOVE A Par",
            "OWNER Bel",
            "REMOVE A Par now",
        ] {
            let told = read(line).unwrap_err();
            assert!(!told.is_empty(), "{line}");
        }
        assert_eq!(
            read("OWNER Bel").unwrap_err(),
            "The line ends too early: a power is missing."
        );
    }
}
