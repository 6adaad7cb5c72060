//! Whole mails as people write them (`tests/mails/sentences.txt`): what the judge does for each. Nothing of a mail lasts, so no
//! row depends on another.

use std::path::Path;

use super::page_mails;
use crate::transcripts_runner::Theater;

const SENTENCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mails/sentences.txt");
/// The folder whose fixtures are used.
const TRANSCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
/// Whose orders are told.
const POWERS: [&str; 7] = [
    "Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey",
];
/// What an order that stands holds.
const VERBS: [&str; 6] = [
    " -> ",
    " HOLD",
    " SUPPORT ",
    " CONVOY ",
    " Builds a",
    " Removes the",
];
/// The fewest rows.
const FEWEST: usize = 150;
/// The same of the pages.
const FEWEST_OF_PAGES: usize = 30;

/// What became of a mail, in the words of the table.
fn result(sent: &[(String, String)], writer: &str) -> String {
    let others: Vec<&str> = sent
        .iter()
        .map(|(to, _)| to.as_str())
        .filter(|to| *to != writer)
        .collect();
    let Some((_, body)) = sent.iter().find(|(to, _)| to == writer) else {
        return "no answer".to_owned();
    };
    let lines: Vec<&str> = body.lines().collect();
    let mut said = Vec::new();
    let asks = lines
        .iter()
        .position(|line| line.starts_with("Answer YES and I take"));
    if let Some(asks) = asks {
        let above: Vec<&str> = lines
            .iter()
            .take(asks)
            .rev()
            .skip_while(|line| line.trim().is_empty())
            .take_while(|line| line.starts_with("  ") || line.is_empty())
            .map(|line| line.trim())
            .filter(|line| !line.is_empty())
            .collect();
        let proposed: Vec<&str> = above.into_iter().rev().collect();
        said.push(format!("proposed: {}", proposed.join(" / ")));
    }
    let is_order = |line: &&&str| {
        let of_power = POWERS
            .iter()
            .any(|power| line.starts_with(&format!("{power}: ")));
        of_power && VERBS.iter().any(|verb| line.contains(verb))
    };
    let orders: Vec<&str> = lines.iter().filter(is_order).copied().collect();
    if !orders.is_empty() {
        let words = orders.iter().flat_map(|line| line.split_whitespace());
        said.push(words.collect::<Vec<&str>>().join(" "));
    }
    if !others.is_empty() {
        said.push(format!("sent to {}", others.join(", ")));
    }
    said.extend(answered(&lines).map(|entry| format!("answers {entry}")));
    let offers = offers(&lines);
    if !offers.is_empty() {
        said.push(format!("offers {}", offers.join(", or ")));
    }
    if said.is_empty() {
        let words = lines.iter().skip_while(|line| line.starts_with("::"));
        let mut words = words.filter(|line| !line.trim().is_empty());
        let first = words.next().copied().unwrap_or_default();
        said.push(format!("says: {first}"));
    }
    said.join("; ")
}

/// The first question of the first entry of the page of frequent questions by which a mail is answered.
fn answered(lines: &[&str]) -> Option<String> {
    let below = lines
        .iter()
        .skip_while(|line| !line.contains("GET QUESTIONS brings more"));
    let entry = below.skip(1).find(|line| !line.trim().is_empty())?;
    let end = entry.find('?').unwrap_or(entry.len());
    Some(entry.get(..end)?.to_owned())
}

/// What the writer may want, as the answer has it: single things, then those of lists with the lines to write below each.
fn offers(lines: &[&str]) -> Vec<String> {
    let text = lines.join(" ");
    let wishes = text.split("erhaps you want ").skip(1);
    let single = wishes.filter(|wish| !wish.starts_with("one of these"));
    let single = single.filter_map(|wish| wish.split('.').next());
    let single: Vec<String> = single.map(str::to_owned).collect();
    // Each thing of a list stands above the lines to write for it.
    let is_list = |line: &&str| line.contains("then write") || line.contains("the lines below it");
    let list = lines.iter().skip_while(|line| !is_list(line));
    let list: Vec<&str> = list.copied().collect();
    let listed = list.windows(2).filter_map(|pair| match pair {
        [wish, line] if line.starts_with("    ") && !wish.starts_with(' ') => {
            wish.strip_suffix(':').map(str::to_owned)
        }
        _ => None,
    });
    single.into_iter().chain(listed).collect()
}

#[test]
fn every_sentence_is_answered_as_the_table_says() {
    holds(SENTENCES, FEWEST);
}

#[test]
fn every_mail_of_a_page_is_answered_as_the_table_says() {
    holds(page_mails::MAILS, FEWEST_OF_PAGES);
}

/// Sends the mails of a table, and compares what the judge does with what it says. What went otherwise is written beside it.
fn holds(table: &str, fewest: usize) {
    let mut theater = Theater::new(Path::new(TRANSCRIPTS));
    let mut scene: Option<(&str, &str)> = None;
    let (mut rows, mut faults) = (0, Vec::new());
    let mut as_it_went = String::new();
    let sentences = std::fs::read_to_string(table).unwrap();
    for (number, line) in (1..).zip(sentences.lines()) {
        if let Some(named) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            scene = named.split_once(": ");
        }
        let row = (!line.is_empty() && !line.starts_with(['#', '[']))
            .then(|| line.rsplit_once(" => "))
            .flatten();
        let Some((sentence, expected)) = row else {
            as_it_went.push_str(line);
            as_it_went.push('\n');
            continue;
        };
        let (fixture, from) = scene.expect("a scene above the sentences");
        let body = sentence.replace(" // ", "\n").replace("{tab}", "\t");
        let script = format!("A row.\n\n== begin with {fixture}\n\n== {from}\n{body}\n");
        let (_, writer) = from.split_once(", from ").unwrap();
        let writer = writer.split(", ").next().unwrap_or_default();
        let went = match theater.last_mails(&script) {
            Ok(sent) => result(&sent, writer),
            Err(fault) => format!("fault: {fault}"),
        };
        as_it_went.push_str(&format!("{sentence} => {went}\n"));
        if went != expected {
            faults.push(format!(
                "line {number}: {sentence}\n  expected: {expected}\n  went: {went}"
            ));
        }
        rows += 1;
    }
    let failed = Path::new(table).with_extension("failed");
    if faults.is_empty() {
        let _ = std::fs::remove_file(failed);
    } else {
        std::fs::write(failed, as_it_went).unwrap();
    }
    assert!(
        faults.is_empty(),
        "{} of {rows} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(rows >= fewest, "only {rows} sentences");
}
