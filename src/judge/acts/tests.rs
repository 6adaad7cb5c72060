//! Compares the tables of commands and settings with the grammar, the pages, `visibility.md` 7 and the transcripts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::commands::commands;
use super::files::SentFile;
use super::settings::rows::settings;
use super::table::{Discloses, Page, Who};
use super::{files as sent_files, help};
use dipjudge_commands::due::Due;
use dipjudge_commands::mail_reader::{BodyLine, ItemKind, SignOnBy, read_mail};
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::Verb;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_grammar::{Grammar, files};
use dipjudge_mails::outbound::Templates;
use dipjudge_rules::map::{Map, PowerInfo};
use dipjudge_variants as variants;

/// The rules that parse the lines of a mail: those of commands, and those of the settings in SET lines.
fn rules_of(lines: &[&str], sign_on: SignOnBy) -> (BTreeSet<String>, BTreeSet<String>) {
    let lines: Vec<BodyLine> = (1..)
        .zip(lines)
        .map(|(number, text)| BodyLine::own(number, text))
        .collect();
    let (mut commands, mut settings) = (BTreeSet::new(), BTreeSet::new());
    for item in read_mail(&lines, sign_on).items {
        match item.kind {
            ItemKind::Command(line) => {
                if line.rule == "set" {
                    let items = read_settings(line.words().unwrap_or_default());
                    settings.extend(items.iter().filter_map(|item| match item {
                        SetItem::Known(line) => Some(rule_of(line).to_owned()),
                        SetItem::Named { .. } => None,
                    }));
                }
                commands.insert(line.rule);
            }
            ItemKind::Block(block) => {
                commands.insert(block.rule);
            }
            ItemKind::Form(_) => {
                commands.insert("register".to_owned());
            }
            ItemKind::Order
            | ItemKind::Invalid { .. }
            | ItemKind::OwnText(_)
            | ItemKind::SecondSignOn(_) => {}
        }
    }
    (commands, settings)
}

/// The rule that parses one line.
fn rule(line: &str) -> Option<String> {
    let before = rules_of(&[line], SignOnBy::Line).0.into_iter().next();
    before.or_else(|| {
        rules_of(&[line], SignOnBy::ReplyAddress)
            .0
            .into_iter()
            .next()
    })
}

#[test]
fn every_command_has_examples_that_are_read_as_it() {
    for command in commands() {
        let read: BTreeSet<String> = command
            .examples
            .iter()
            .filter_map(|line| rule(line))
            .collect();
        // The mail reader itself ends the mail.
        let ends = command.rules == ["sign-off"];
        for rule in command.rules {
            let is_read = read.contains(*rule) || *rule == "observe-again" || ends;
            assert!(is_read, "no example is read as {rule}: {read:?}");
        }
        for example in command.examples {
            let read = rule(example);
            let known = read
                .as_deref()
                .is_some_and(|rule| command.rules.contains(&rule));
            assert!(known || ends, "{example} is read as {read:?}");
        }
    }
}

#[test]
fn every_setting_has_examples_that_are_read_as_it() {
    for setting in settings() {
        let mut read = BTreeSet::new();
        for example in setting.examples {
            let items = read_settings(example);
            let [SetItem::Known(line)] = items.as_slice() else {
                panic!("SET {example} is read as {items:?}");
            };
            assert!(
                setting.rules.contains(&rule_of(line)),
                "SET {example}: {line:?}"
            );
            read.insert(rule_of(line).to_owned());
        }
        for rule in setting.rules {
            assert!(read.contains(*rule), "no example is read as {rule}");
        }
    }
}

#[test]
fn every_rule_belongs_to_one_row() {
    let commands: Vec<&str> = commands()
        .flat_map(|command| command.rules)
        .copied()
        .collect();
    let settings: Vec<&str> = settings()
        .flat_map(|setting| setting.rules)
        .copied()
        .collect();
    for rules in [&commands, &settings] {
        let once: BTreeSet<&&str> = rules.iter().collect();
        assert_eq!(
            once.len(),
            rules.len(),
            "a rule stands in two rows: {rules:?}"
        );
    }
    let compiled = |file| Grammar::compile(&[file]).unwrap();
    let (of_commands, of_settings) = (compiled(files::COMMANDS), compiled(files::SETTINGS));
    for rule in commands {
        assert!(
            of_commands.has(rule),
            "{rule} is no rule of commands.grammar"
        );
    }
    for rule in settings {
        assert!(
            of_settings.has(rule),
            "{rule} is no rule of settings.grammar"
        );
    }
}

#[test]
fn every_row_that_is_offered_has_a_help_text_on_its_page() {
    let rows = commands()
        .map(|row| (row.page, row.help, row.rules))
        .chain(settings().map(|row| (row.page, row.help, row.rules)));
    for (page, help, rules) in rows {
        assert_eq!(page == Page::None, help.is_empty(), "{rules:?}");
        for line in help.lines() {
            assert!(
                line.len() <= 78 && line.is_ascii() && line.trim_end() == line,
                "{line}"
            );
        }
        let name = match page {
            Page::Syntax => "syntax",
            Page::Master | Page::MasterSettings => "master",
            Page::None => continue,
        };
        let text = help::page(name).unwrap();
        assert!(
            text.contains(help),
            "{rules:?} does not stand on the page {name}"
        );
        let word = help.split_whitespace().next().unwrap();
        assert!(help::about(word, None).is_some(), "HELP {word}");
    }
}

#[test]
fn help_tells_of_every_setting_by_the_words_that_set_it() {
    let offered = settings().filter(|row| row.page != Page::None);
    for example in offered.flat_map(|row| row.examples) {
        let word = example.split_whitespace().next().unwrap();
        for asked in [
            word.to_owned(),
            format!("SET {word}"),
            (*example).to_owned(),
        ] {
            assert!(help::about(&asked, None).is_some(), "HELP {asked}");
        }
    }
}

#[test]
fn commands_that_need_no_sign_on_are_marked() {
    for command in commands().filter(|command| command.page == Page::Syntax) {
        let marked = command.help.lines().any(|line| line.ends_with(" *"));
        // STATUS shows another game as SUMMARY does, but its main purpose needs a sign-on.
        let open = command.who == Who::Anyone && command.rules != ["status"];
        assert_eq!(marked, open, "{:?}", command.rules);
    }
}

#[test]
fn pages_hold_no_field_that_nothing_fills() {
    for name in ["syntax", "master"] {
        let text = help::page(name).unwrap();
        assert!(!text.contains("{{"), "{name}");
        assert!(text.lines().all(|line| line.len() <= 78), "{name}");
    }
}

#[test]
fn every_map_can_be_got_in_words() {
    let templates = Templates::built_in();
    let list = sent_files::file(&templates, "flist").unwrap().text;
    for map in Map::names() {
        let asked = format!(" MAP.{}", map.to_uppercase());
        let SentFile { name, text } = sent_files::file(&templates, &asked).unwrap();
        assert_eq!(name, format!("map.{map}"));
        assert!(list.lines().any(|line| line == name), "{name}");
        let drawn = Map::named(map).unwrap();
        for info in drawn.provinces() {
            let head = format!("{}  {} ", info.code, info.name);
            assert!(text.lines().any(|line| line.starts_with(&head)), "{head}");
        }
        for line in text.lines() {
            assert!(
                line.len() <= 78 && line.trim_end() == line,
                "{name}: {line}"
            );
        }
        assert!(
            help::page("variants")
                .unwrap()
                .contains(&format!("   {map} ")),
            "{map}"
        );
    }
}

#[test]
fn help_quotes_a_command() {
    let text = help::about("signon", None).unwrap();
    assert!(text.starts_with("SIGNON Xgame password *\n    Play. X is your power"));
    assert!(text.contains("SIGNON ?game"));
    assert!(help::about("wait", None).unwrap().contains("SET WAIT"));
    assert!(
        help::about("set deadline", None)
            .unwrap()
            .starts_with("SET DEADLINE date")
    );
    assert!(help::about("", None).unwrap().contains("REGISTER"));
    assert_eq!(help::about("frobnicate", None), None);
}

#[test]
fn help_tells_of_the_words_of_the_game() {
    assert!(help::about("hold", None).unwrap().starts_with("F Bre H"));
    assert!(help::about("late", None).unwrap().starts_with("Deadlines"));
    assert!(help::about("map", None).unwrap().contains("SET MAP OFF"));
    assert!(help::about("guide", None).unwrap().contains("GET GUIDE"));
    assert!(
        help::about("calendar", None)
            .unwrap()
            .contains("SET CALENDAR")
    );
    assert!(
        help::about("dedsystems", None)
            .unwrap()
            .contains("GET DEDSYSTEMS")
    );
    assert_eq!(help::nearest("retreet").first().unwrap(), "RETREAT");
    assert_eq!(help::nearest("absense").first().unwrap(), "ABSENCE");
    assert!(help::nearest("zzzzzz").is_empty());
}

#[test]
fn the_index_names_every_page_of_rules() {
    let index = help::page("index").unwrap();
    for variant in variants::ALL {
        let name = format!("rules.{}", variant.card().name);
        assert!(index.contains(&name), "{name}");
    }
}

#[test]
fn help_tells_of_variants() {
    assert!(
        help::about("bridge", None)
            .unwrap()
            .contains("RULES.BRIDGE")
    );
    let silly = variants::named("rather-silly");
    let overrule = |played| help::about("overrule", played).unwrap();
    assert!(!overrule(None).contains("BORG"));
    assert!(!overrule(variants::named("standard")).contains("BORG"));
    assert!(overrule(silly).contains("BORG") && overrule(silly).contains("OWNER Bel"));
    assert!(
        help::about("fortify", None)
            .unwrap()
            .contains("RULES.BRIDGE")
    );
}

/// The columns of `visibility.md` 7. Every new row must state what it discloses in each kind of game; a kind that hides
/// more never discloses more than one that hides less.
#[test]
fn what_a_row_tells_shrinks_with_what_a_game_hides() {
    let openness = |tells: Discloses| match tells {
        Discloses::All => 4,
        Discloses::WithoutLeaders => 3,
        Discloses::View | Discloses::OwnMails => 2,
        Discloses::OwnLine => 1,
        Discloses::Documents | Discloses::OwnAct | Discloses::Constant => 0,
    };
    let rows = commands()
        .map(|row| (row.tells, row.rules))
        .chain(settings().map(|row| (row.tells, row.rules)));
    for (tells, rules) in rows {
        let rank = tells.map(openness);
        assert!(
            rank.is_sorted_by(|open, hidden| open >= hidden),
            "{rules:?}: {tells:?}"
        );
    }
}

#[test]
fn every_row_is_met_in_a_transcript() {
    let (mut met, mut set) = (BTreeSet::new(), BTreeSet::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/transcripts");
    gather(&folder, &mut met, &mut set);
    let missing: Vec<&str> = commands()
        .filter(|row| {
            row.rules != ["sign-off"] && !row.rules.iter().any(|rule| met.contains(*rule))
        })
        .flat_map(|row| row.rules)
        .chain(
            settings()
                .filter(|row| !row.rules.iter().any(|rule| set.contains(*rule)))
                .flat_map(|row| row.rules),
        )
        .copied()
        .collect();
    assert!(missing.is_empty(), "in no transcript: {missing:?}");
}

/// The rules that parse the lines of all transcripts below a folder, each line parsed alone.
fn gather(folder: &Path, met: &mut BTreeSet<String>, set: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, met, set);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for line in text.lines().map(str::trim) {
            // Lines that the judge sent are quoted after the letter of a power.
            for sign_on in [SignOnBy::Line, SignOnBy::ReplyAddress] {
                let (commands, settings) = rules_of(&[line], sign_on);
                met.extend(commands);
                set.extend(settings);
            }
        }
    }
}

#[test]
fn every_command_of_a_variant_has_examples_that_are_read_as_it_and_a_help_text() {
    for variant in variants::ALL {
        let map = Map::named(variant.card().map).unwrap_or_else(Map::standard);
        // For games in which each power has labels of its own for the others; the examples use these.
        let labels = ["Thule", "Avalon"].map(|label| PowerInfo {
            name: label.to_owned(),
            adjective: label.to_owned(),
            key: label.to_owned(),
            letter: None,
        });
        let powers = match variant.own_labels() {
            Some(_) => &labels[..],
            None => map.powers(),
        };
        let names = Names::of(map, powers);
        for command in variant.card().commands {
            for example in command.examples {
                let read = read_orders_by(grammar_of(*variant), example, Due::own_lines(), &names);
                let own = read.iter().all(|words| {
                    let verb = words.as_ref().map(|words| &words.verb);
                    matches!(verb, Ok(Verb::Own(line)) if line.rule == command.rule)
                });
                assert!(own && !read.is_empty(), "{example}: {read:?}");
            }
            let name = command.name();
            assert!(
                help::about(&name, Some(*variant)).is_some_and(|text| text.contains(command.help)),
                "{name}"
            );
        }
    }
}

#[test]
fn what_masters_of_a_variant_overrule_is_told_by_help_as_commands_are() {
    let all = variants::ALL.iter().chain(variants::NOT_OFFERED);
    let helps = all.map(|variant| variant.card().overrules);
    let helps: Vec<&str> = helps.filter(|help| !help.is_empty()).collect();
    assert!(!helps.is_empty());
    for line in helps.iter().flat_map(|help| help.lines()) {
        assert!(
            line.len() <= 78 && line.is_ascii() && line.trim_end() == line,
            "{line}"
        );
        assert!(
            line.starts_with("OVERRULE ") || line.starts_with("    "),
            "{line}"
        );
    }
}
