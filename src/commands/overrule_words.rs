//! What stands behind `OVERRULE`.

use super::misread::{Misread, Why};
use super::names::Names;
use super::order_words::PlaceWords;
use super::orders::standard;
use super::verb_reader::{place_words, unit_words};
use crate::game::overrule::{NamedUnit, Overruling};
use crate::grammar::{Node, Term, Text};
use crate::map::Location;

/// What a master overrules, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct OverruleWords {
    /// What is to be otherwise.
    pub what: Overruling,
    /// The reason that was given.
    pub because: Option<String>,
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
    let unit = |part: Node<'_>| named(part.part("unit")?);
    let place = |part: Node<'_>| Some(location(&place_words(part.part("place")?)?));
    let what = if let Some(part) = node.part("overrule-place") {
        let new = unit_words(part)?;
        Overruling::Place(new.nation?, new.kind?, location(&new.place))
    } else if let Some(part) = node.part("overrule-move") {
        Overruling::Move(unit(part)?, place(part)?)
    } else if let Some(part) = node.part("overrule-remove") {
        Overruling::Remove(unit(part)?)
    } else {
        let part = node.part("overrule-owner")?;
        Overruling::Owner(place(part)?.province, part.power())
    };
    let because = node.find("reason").map(|reason| reason.text().trim());
    Some(OverruleWords {
        what,
        because: because.map(str::to_owned),
    })
}

fn named(unit: Node<'_>) -> Option<NamedUnit> {
    let words = unit_words(unit)?;
    Some(NamedUnit {
        power: words.nation,
        kind: words.kind,
        at: words.place.province,
    })
}

fn location(words: &PlaceWords) -> Location {
    Location {
        province: words.province,
        coast: words.coast,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::map::{Power, UnitKind};

    fn read(line: &str) -> Result<OverruleWords, String> {
        read_overrule(line, testing::names()).map_err(|misread| misread.to_string())
    }

    #[test]
    fn units_and_owners_are_named_as_in_orders() {
        let words = read("PLACE French A Bur BECAUSE its build was lost").unwrap();
        assert!(
            matches!(words.what, Overruling::Place(Power(2), UnitKind::ARMY, at)
            if at.province.to_string() == "BUR")
        );
        assert_eq!(words.because.as_deref(), Some("its build was lost"));
        let words = read("move F Lon to Nth").unwrap();
        assert!(matches!(words.what, Overruling::Move(unit, to)
            if unit.at.to_string() == "LON" && to.province.to_string() == "NTH"));
        assert_eq!(words.because, None);
        assert!(matches!(
            read("REMOVE A Par").unwrap().what,
            Overruling::Remove(_)
        ));
        assert!(matches!(
            read("OWNER Bel FRANCE").unwrap().what,
            Overruling::Owner(_, Some(Power(2)))
        ));
        assert!(matches!(
            read("OWNER of Bel is nobody").unwrap().what,
            Overruling::Owner(_, None)
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
