//! A variant's own lines are read beside the orders of every game.

use dipjudge::calendar::PhaseKind;
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::{OrderWords, Verb};
use dipjudge::commands::orders::{read_orders_by, with_own_lines};
use dipjudge::commands::parse_error::{ParseError, ParseReason, Wanted};
use dipjudge::grammar::{Grammar, Line, Term};
use dipjudge::map::Map;

/// Lines as the five seeds have them.
const FILE: &str = r#"
line     = bid | fortify | birth | colonize | question | empire
bid      = "bid" <number> [ "centers" | "centres" ]
fortify  = ( "fortify" | "fort" ) ( none | place { [ "," ] place } )
none     = "none"
birth    = "birth" ( place kind | kind place | any ( kind | ask ) | none )
any      = "any"
ask      = "ask"
colonize = unit colonize-word [ place ]
colonize-word = "colonize" | "colonise" | "col" | "brainwash" | "assimilate"
question = "question:" <rest>
empire   = "empire" <rest>
arrow   |= "beams to"
"#;

fn grammar() -> Grammar {
    with_own_lines("seeds.grammar", FILE).unwrap_or_else(|error| panic!("{error}"))
}

fn read(line: &str) -> Vec<Result<OrderWords, ParseError>> {
    let names = Names::of(Map::standard(), Map::standard().powers());
    read_orders_by(&grammar(), line, PhaseKind::Movement, &names)
}

fn own(line: &str) -> Line {
    match read(line).as_slice() {
        [
            Ok(OrderWords {
                verb: Verb::Own(own),
                ..
            }),
        ] => own.clone(),
        other => panic!("{line}: {other:?}"),
    }
}

fn codes(line: &Line) -> Vec<String> {
    line.provinces().iter().map(ToString::to_string).collect()
}

#[test]
fn its_lines_come_as_trees_with_values() {
    let bid = own("BID 7 CENTERS");
    assert_eq!((bid.rule.as_str(), bid.number()), ("bid", Some(7)));
    let fort = own("Fortify MUN, Berlin");
    assert_eq!(
        (fort.rule.as_str(), codes(&fort)),
        ("fortify", vec!["MUN".to_owned(), "BER".to_owned()])
    );
    assert!(own("FORT NONE").has("none"));
    let birth = own("BIRTH STP/NC F");
    assert_eq!(
        birth.kind().map(|kind| kind.to_string()).as_deref(),
        Some("F")
    );
    assert!(birth.has("north"));
    assert_eq!(codes(&own("A MUN COL BOH")), ["MUN", "BOH"]);
    assert_eq!(codes(&own("A MUN brainwash")), ["MUN"]);
    assert_eq!(own("EMPIRE Jedi Knights").words(), Some("Jedi Knights"));
    assert_eq!(
        own("QUESTION: How high, exactly; is it?").words(),
        Some("How high, exactly; is it?")
    );
}

#[test]
fn ordinary_orders_stay_what_they_are() {
    let shown: Vec<String> = read("A Mun-Ber; BID 7; A Kie S A Mun-Ber")
        .iter()
        .map(|read| match read {
            Ok(OrderWords {
                verb: Verb::Own(line),
                ..
            }) => format!("own {}", line.rule),
            Ok(order) => order.to_string(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(shown, ["A MUN - BER", "own bid", "A KIE S A MUN - BER"]);
    assert_eq!(
        read("A Mun beams to Ber")[0]
            .as_ref()
            .map(ToString::to_string)
            .as_deref(),
        Ok("A MUN - BER")
    );
}

#[test]
fn the_reading_that_came_farther_tells_what_is_wrong() {
    let why = |line: &str| match read(line).as_slice() {
        [Err(error)] => (error.reason.clone(), error.at),
        other => panic!("{line}: {other:?}"),
    };
    let (bid, at) = why("BID six");
    assert_eq!(at, 4);
    assert_eq!(
        bid,
        ParseReason::Expected {
            wanted: vec![Wanted::Term(Term::Number)],
            word: "six".into()
        }
    );
    let (colony, _) = why("A MUN COL Foo");
    assert!(
        matches!(
            colony,
            ParseReason::TextAfter { .. } | ParseReason::UnknownProvince { .. }
        ),
        "{colony:?}"
    );
    assert_eq!(why("what is this").0, ParseReason::NotAnOrder);
}

#[test]
fn mistakes_in_a_file_are_told_with_file_and_line() {
    for (file, message) in [
        (
            "a = b",
            "x.grammar, line 1: the rule `a` asks for `b`, which does not exist",
        ),
        (
            "\n# note\na = \"x\"\na = \"y\"",
            "x.grammar, line 4: the rule `a` exists already",
        ),
        (
            "a = <planet>",
            "x.grammar, line 1: there is no term <planet>",
        ),
        ("a = ( \"x\"\n", "x.grammar, line 1: `)` is missing"),
        (
            "a = \"x\" )",
            "x.grammar, line 1: a bracket closes that was never opened",
        ),
        ("a = \"x", "x.grammar, line 1: `\"` is missing"),
        ("a \"x\"", "x.grammar, line 1: `=` is missing after `a`"),
        (
            "a = [ \"x\" ] b\nb = a",
            "x.grammar, line 1: the rule `a` calls itself before anything is read",
        ),
        (
            "a = \"\"",
            "x.grammar, line 1: a quoted word must be plain ASCII and not empty",
        ),
        (
            "a = \"x\" | ",
            "x.grammar, line 1: something is missing here; use `[ ]` for what may be left out",
        ),
        ("a = §", "x.grammar, line 1: `§` means nothing here"),
    ] {
        let source = dipjudge::grammar::Source {
            name: "x.grammar",
            text: file,
        };
        let error = Grammar::compile(&[source]).expect_err(file);
        assert_eq!(error.to_string(), message, "{file}");
    }
}
