//! Order lines of `tests/grammar/orders.txt` are read as the file says.

use dipjudge::calendar::PhaseKind;
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::OrderWords;
use dipjudge::commands::orders::read_orders;
use dipjudge::commands::parse_error::ParseError;
use dipjudge::map::Map;

#[test]
fn order_lines_are_read_as_the_file_says() {
    let names = Names::of(Map::standard(), Map::standard().powers());
    let mut phase = None;
    let (mut cases, mut faults) = (0, Vec::new());
    for (number, line) in (1..).zip(include_str!("../grammar/orders.txt").lines()) {
        if let Some(section) = line.strip_prefix('[') {
            phase = match section.trim_end_matches(']') {
                "movement" => Some(PhaseKind::Movement),
                "retreat" => Some(PhaseKind::Retreats),
                "adjustment" => Some(PhaseKind::Adjustments),
                other => panic!("line {number}: no section {other}"),
            };
            continue;
        }
        let Some((sent, expected)) = line.rsplit_once(" =>") else {
            assert!(
                line.is_empty() || line.starts_with('#'),
                "line {number} has no =>"
            );
            continue;
        };
        let phase = phase.expect("a section before the first line");
        let read: Vec<String> = read_orders(sent, phase, &names).iter().map(shown).collect();
        let read = read.join(" | ");
        if read != expected.trim() {
            faults.push(format!(
                "line {number}: {sent}\n  expected {}\n  read     {read}",
                expected.trim()
            ));
        }
        cases += 1;
    }
    assert!(cases > 100, "only {cases} cases found");
    assert!(
        faults.is_empty(),
        "{} of {cases} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn shown(read: &Result<OrderWords, ParseError>) -> String {
    match read {
        Ok(order) => {
            let remarks: Vec<String> = order
                .remarks
                .iter()
                .map(|remark| format!(" {{{remark}}}"))
                .collect();
            format!("{order}{}", remarks.concat())
        }
        Err(error) if !error.is_error() => "?".to_owned(),
        Err(error) => format!("! {error}"),
    }
}
