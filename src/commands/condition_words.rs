//! Conditions of `IF` and `ELSE IF`, as the old judge had them.

use super::names::Names;
use super::no_contact::meant;
use super::orders::standard;
use super::parse_error::{ParseError, ParseReason, Wanted};
use dipjudge_grammar::{Node, Term, Text, Tree};
use dipjudge_rules::conditions::Condition;
use dipjudge_rules::map::{Coast, Power, Province, UnitKind};

/// A condition. `AND` and `OR` bind alike, so what is written first lies deepest.
pub type ConditionWords = Condition<Standing>;

/// Such a unit stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Of that power, if named.
    pub power: Option<Power>,
    /// Of that kind, if named.
    pub kind: Option<UnitKind>,
    /// Where.
    pub province: Province,
    /// On that coast, if named.
    pub coast: Option<Coast>,
}

/// Reads what stands behind `IF` or `ELSE IF`; also gives what stands behind a `THEN`, which may be
/// an order or nothing.
///
/// # Errors
/// If it is no condition, or names no province.
pub fn read_condition<'a>(
    line: &'a str,
    names: &Names,
) -> Result<(ConditionWords, &'a str), ParseError> {
    let text = Text::new(line);
    let error_at = |at: usize, reason: ParseReason| ParseError {
        text: line.trim().into(),
        span: 0..line.len(),
        at: text.source_at(at),
        reason,
        suggestion: None,
    };
    let grammar = standard();
    if let Some(tree) = grammar.read("condition", &text, 0, names) {
        let root = tree.root(&text);
        let condition = root
            .part("condition-part")
            .and_then(|first| chain(root, first));
        let rest = text.skip_blanks(tree.end);
        let then = root.part("condition-then").is_some();
        match condition {
            Some(condition) if then || rest >= text.len() => {
                return Ok((condition, text.source(rest..text.len())));
            }
            Some(_) => {}
            None => {
                let wanted = vec![Wanted::Term(Term::Province)];
                return Err(error_at(
                    rest,
                    ParseReason::Expected {
                        wanted,
                        word: text.source(rest..text.len()).to_owned(),
                    },
                ));
            }
        }
    }
    let failure = grammar.explain("condition", &text, 0, names);
    let whole = |tree: &Tree<'_>| {
        let then = tree.root(&text).part("condition-then").is_some();
        then || text.skip_blanks(tree.end) >= text.len()
    };
    if failure.wants(Term::Power)
        && let Some((error, _)) = meant(grammar, "condition", &text, (0, failure.at), names, &whole)
    {
        return Err(error_at(
            failure.at,
            ParseReason::NoContact { error, own: None },
        ));
    }
    let word = text
        .source(failure.at..text.word_end(failure.at).max(failure.at + 1))
        .to_owned();
    let mut wanted: Vec<String> = Vec::new();
    if failure.wants(Term::Province) {
        wanted.extend(["a power", "a kind of unit", "a province"].map(str::to_owned));
    }
    let words = failure
        .words
        .iter()
        .filter(|word| matches!(word.as_str(), "and" | "or" | "then" | ")"));
    wanted.extend(words.map(|word| word.to_ascii_uppercase()));
    if wanted.is_empty() {
        wanted.push("AND, OR or the end of the line".to_owned());
    }
    if let Some(stem) = names
        .stem(&text, failure.at)
        .filter(|stem| stem.candidates.len() > 1)
    {
        wanted = stem
            .candidates
            .iter()
            .map(|province| names.full_name(*province).to_owned())
            .collect();
    }
    let wanted = wanted.into_iter().map(Wanted::from).collect();
    Err(error_at(failure.at, ParseReason::Expected { wanted, word }))
}

/// A part and all that AND and OR put behind it, from left to right.
fn chain(node: Node<'_>, first: Node<'_>) -> Option<ConditionWords> {
    let mut whole = part(first)?;
    for more in node.parts().filter(|part| part.rule() == "condition-more") {
        let next = Box::new(part(more.part("condition-part")?)?);
        let before = Box::new(whole);
        whole = match more.part("condition-and") {
            Some(_) => Condition::And(before, next),
            None => Condition::Or(before, next),
        };
    }
    Some(whole)
}

fn part(node: Node<'_>) -> Option<ConditionWords> {
    let inner = match (node.part("condition-inner"), node.part("standing")) {
        (Some(inner), _) => chain(inner, inner.part("condition-part")?)?,
        (None, standing) => {
            let standing = standing?;
            Condition::Fact(Standing {
                power: standing.find("nation").and_then(super::verb_reader::nation),
                kind: standing.find("kind").and_then(|kind| kind.kind()),
                province: standing.province()?,
                coast: standing.find("coast").and_then(super::verb_reader::coast),
            })
        }
    };
    Some(match node.part("condition-not") {
        Some(_) => Condition::Not(Box::new(inner)),
        None => inner,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn shown(condition: &ConditionWords) -> String {
        match condition {
            Condition::Fact(Standing {
                power,
                kind,
                province,
                coast,
            }) => {
                let power = power.map_or(String::new(), |power| format!("{} ", power.0));
                let kind = kind.map_or(String::new(), |kind| format!("{kind} "));
                let coast = coast.map_or(String::new(), |coast| format!("/{coast}"));
                format!("{power}{kind}{province}{coast}")
            }
            Condition::Not(inner) => format!("not {}", shown(inner)),
            Condition::And(one, two) => format!("({} and {})", shown(one), shown(two)),
            Condition::Or(one, two) => format!("({} or {})", shown(one), shown(two)),
        }
    }

    fn read(line: &str) -> Result<String, String> {
        match read_condition(line, testing::names()) {
            Ok((condition, then)) => Ok(format!("{} {then}", shown(&condition)).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn words_come_in_any_order() {
        for (line, tree) in [
            ("German Army Bur", "3 A BUR"),
            ("Bur German Army", "3 A BUR"),
            ("Bur", "BUR"),
            ("not Ge Bur", "not 3 BUR"),
            ("Army Bur THEN", "A BUR"),
            ("English Channel", "ENG"),
            ("English Fleet Nth", "1 F NTH"),
            ("F Spa/sc", "F SPA/SC"),
            ("Bur or Mun and Par", "((BUR or MUN) and PAR)"),
            ("not (Bur or Mun) and Par", "(not (BUR or MUN) and PAR)"),
            ("NOT NOT Bur", "! Expected"),
            ("Bur then A Par H", "BUR A Par H"),
        ] {
            match read(line) {
                Ok(read) => assert_eq!(read, tree, "{line}"),
                Err(error) => assert!(tree.starts_with('!'), "{line}: {error}"),
            }
        }
    }

    #[test]
    fn what_is_no_condition_is_told() {
        assert_eq!(
            read("German Foo").unwrap_err(),
            "I expected a province instead of `Foo`."
        );
        assert_eq!(
            read("German Army").unwrap_err(),
            "Something is missing at the end: a province."
        );
        assert!(read("").is_err());
        assert!(read("Bur and").is_err());
        assert!(read("(Bur").is_err());
        assert!(read(&"(".repeat(500)).is_err());
    }
}
