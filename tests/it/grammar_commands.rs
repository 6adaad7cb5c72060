//! Command lines of `tests/grammar/commands.txt` and `SET` lines of `tests/grammar/settings.txt` are
//! read as the files say.

use dipjudge::commands::mail_reader::{BodyLine, ItemKind, Reading, SignOnBy, read_mail};
use dipjudge::commands::settings::{SetItem, read_settings};
use dipjudge::grammar::Line;

#[test]
fn command_lines_are_read_as_the_file_says() {
    let mut signed_on = false;
    check(
        include_str!("../grammar/commands.txt"),
        |section| signed_on = section == "after",
        |sent, section| {
            let after = section == "after";
            let lines = if after {
                vec!["SIGNON Akaiser apw", sent]
            } else {
                vec![sent]
            };
            let reading = read(&lines);
            let items: Vec<String> = reading
                .items
                .iter()
                .skip(usize::from(after))
                .map(|item| shown(&item.kind))
                .collect();
            items.join(" | ")
        },
    );
    assert!(
        signed_on,
        "the file has a section for lines after the sign-on"
    );
}

#[test]
fn set_lines_are_read_as_the_file_says() {
    check(
        include_str!("../grammar/settings.txt"),
        |_| {},
        |sent, _| {
            let items: Vec<String> = read_settings(sent)
                .iter()
                .map(|item| match item {
                    SetItem::Known(line) => tree(line),
                    SetItem::Named {
                        name,
                        value,
                        wanted,
                    } => format!("unknown {name:?} {value:?}, wanted {wanted:?}"),
                })
                .collect();
            items.join(" | ")
        },
    );
}

fn check(file: &str, mut section_begins: impl FnMut(&str), read: impl Fn(&str, &str) -> String) {
    let (mut cases, mut faults, mut section) = (0, Vec::new(), "");
    for (number, line) in (1..).zip(file.lines()) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
            section_begins(section);
            continue;
        }
        let Some((sent, expected)) = line.split_once(" =>") else {
            assert!(
                line.is_empty() || line.starts_with('#'),
                "line {number} has no =>"
            );
            continue;
        };
        let (expected, read) = (expected.trim(), read(sent, section));
        if read != expected {
            faults.push(format!(
                "line {number}: {sent}\n  expected {expected}\n  read     {read}"
            ));
        }
        cases += 1;
    }
    assert!(cases > 80, "only {cases} cases found");
    assert!(
        faults.is_empty(),
        "{} of {cases} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn read(lines: &[&str]) -> Reading {
    let lines: Vec<BodyLine<'_>> = (1..)
        .zip(lines)
        .map(|(number, text)| BodyLine {
            number,
            text,
            original: text,
            quoted: text.starts_with('>'),
        })
        .collect();
    read_mail(&lines, SignOnBy::Line)
}

fn shown(what: &ItemKind) -> String {
    match what {
        ItemKind::Command(line) => tree(line),
        ItemKind::Block(block) => format!(
            "text of {} {:?}: {:?}",
            block.rule,
            block.options,
            block.text()
        ),
        ItemKind::OwnText(text) => format!("text of the game's own: {:?}", text.text()),
        ItemKind::Form(form) => format!("form of {} fields", form.fields.len()),
        ItemKind::Order => "order".to_owned(),
        ItemKind::Invalid { .. } => "invalid".to_owned(),
        ItemKind::SecondSignOn(_) => "second sign-on".to_owned(),
    }
}

/// A line by its rules, and the words that are names, numbers or text: `list(game "kaiser")`.
fn tree(line: &Line) -> String {
    if line.rule.is_empty() {
        return format!("{:?}", line.text);
    }
    let told = line.parts.iter().filter(|part| part.rule != "ending");
    let parts: Vec<String> = told.map(tree).collect();
    match parts.is_empty() {
        true => line.rule.clone(),
        false => format!("{}({})", line.rule, parts.join(" ")),
    }
}
