//! What stands behind `OVERRULE`.

use super::names::Names;
use super::order_words::PlaceWords;
use super::parse_error::{ParseError, ParseReason, Wanted};
use super::verb_reader::{place_words, unit_words};
use dipjudge_game::overrule::{NamedUnit, Overruling};
use dipjudge_grammar::{Grammar, Line, Node, Term, Text};
use dipjudge_rules::map::Location;
use dipjudge_view::or_list;

/// What a master overrules, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct OverruleWords {
    /// What is to be otherwise.
    pub subject: OverruleSubject,
    /// The reason that was given.
    pub because: Option<String>,
}

/// What is to be otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum OverruleSubject {
    /// The board of every game.
    Board(Overruling),
    /// Something that the variant's grammar adds.
    Own(Line),
}

/// What may stand behind `OVERRULE` first: `PLACE, MOVE, REMOVE or OWNER`.
pub fn subjects(grammar: &Grammar, names: &Names) -> String {
    let failure = grammar.explain("overrule", &Text::new(""), 0, names);
    let words = failure.words.iter().map(|word| word.to_uppercase());
    or_list(words)
}

/// Reads what stands behind `OVERRULE`, by the grammar of the game's variant.
///
/// # Errors
/// If it cannot be read, or more stands behind it.
pub fn read_overrule(
    line: &str,
    grammar: &Grammar,
    names: &Names,
) -> Result<OverruleWords, ParseError> {
    let text = Text::new(line);
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
    if wanted.is_empty() {
        wanted.extend(
            failure
                .terms
                .iter()
                .map(|wanted| wanted.term.said().to_owned()),
        );
    }
    let end = text.word_end(failure.at).max(failure.at + 1);
    Err(ParseError {
        text: line.trim().into(),
        span: 0..line.len(),
        at: text.source_at(failure.at),
        reason: ParseReason::Expected {
            wanted: wanted.into_iter().map(Wanted::from).collect(),
            word: text.source(failure.at..end).to_owned(),
        },
        suggestion: None,
    })
}

fn overruled(node: Node<'_>) -> Option<OverruleWords> {
    let part = node.part("overrule-what")?.first()?;
    let unit = || named(part.part("overrule-unit")?);
    let place = || Some(location(&place_words(part.part("place")?)?));
    let subject = match part.rule() {
        "overrule-place" => {
            let new = unit_words(part)?;
            OverruleSubject::Board(Overruling::Place(
                new.nation?,
                new.kind?,
                location(&new.place),
            ))
        }
        "overrule-move" => OverruleSubject::Board(Overruling::Move(unit()?, place()?)),
        "overrule-remove" => OverruleSubject::Board(Overruling::Remove(unit()?)),
        "overrule-owner" => {
            OverruleSubject::Board(Overruling::Owner(place()?.province, part.power()))
        }
        _ => OverruleSubject::Own(part.to_line()),
    };
    let because = node.part("because").and_then(|part| part.find("reason"));
    Some(OverruleWords {
        subject,
        because: because.map(|reason| reason.text().trim().to_owned()),
    })
}

fn named(part: Node<'_>) -> Option<NamedUnit> {
    let words = unit_words(part.part("unit")?)?;
    Some(NamedUnit {
        power: words.nation,
        kind: words.kind,
        at: words.place.province,
        number: part.number(),
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
    use super::super::orders::standard;
    use super::super::testing;
    use super::*;
    use dipjudge_rules::map::{Power, UnitKind};

    fn read(line: &str) -> Result<OverruleWords, String> {
        read_overrule(line, standard(), testing::names()).map_err(|error| error.to_string())
    }

    #[test]
    fn units_and_owners_are_named_as_in_orders() {
        let words = read("PLACE French A Bur BECAUSE its build was lost").unwrap();
        assert!(
            matches!(words.subject, OverruleSubject::Board(Overruling::Place(Power(2), UnitKind::ARMY, at))
            if at.province.to_string() == "BUR")
        );
        assert_eq!(words.because.as_deref(), Some("its build was lost"));
        let words = read("move F Lon to Nth").unwrap();
        assert!(
            matches!(words.subject, OverruleSubject::Board(Overruling::Move(unit, to))
            if unit.at.to_string() == "LON" && to.province.to_string() == "NTH")
        );
        assert_eq!(words.because, None);
        assert!(matches!(
            read("REMOVE A Par").unwrap().subject,
            OverruleSubject::Board(Overruling::Remove(_))
        ));
        assert!(matches!(
            read("OWNER Bel FRANCE").unwrap().subject,
            OverruleSubject::Board(Overruling::Owner(_, Some(Power(2))))
        ));
        assert!(matches!(
            read("OWNER of Bel is nobody").unwrap().subject,
            OverruleSubject::Board(Overruling::Owner(_, None))
        ));
    }

    #[test]
    fn of_several_like_units_one_is_named_by_its_number() {
        let words = read("REMOVE French A Bur #2").unwrap();
        let OverruleSubject::Board(Overruling::Remove(unit)) = words.subject else {
            panic!("{words:?}");
        };
        assert_eq!(unit.number, Some(2));
        assert_eq!(
            subjects(standard(), testing::names()),
            "PLACE, MOVE, REMOVE or OWNER"
        );
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
            "Something is missing at the end: a power."
        );
    }
}
