//! HELP, and the pages that GET sends. The lists of commands and settings in those pages are generated from the tables.

use std::collections::BTreeSet;

use super::commands::commands;
use super::help_topics;
use super::settings::rows::settings;
use super::settings::table::Setting;
use super::table::Page;
use dipjudge_commands::passages::{RulesPage, passages_about};
use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_game::Variant;
use dipjudge_mails::outbound;
use dipjudge_variants as variants;

/// A page of the judge's documents, by its name.
pub(crate) fn page(name: &str) -> Option<String> {
    let page = outbound::page(name)?;
    let list = |page: Page| {
        let entries: Vec<&str> = entries()
            .filter(|(on, _)| *on == page)
            .map(|(_, help)| help)
            .collect();
        entries.join("\n")
    };
    let lists = [
        ("{{ syntax }}", Page::Syntax),
        ("{{ master }}", Page::Master),
        ("{{ settings }}", Page::MasterSettings),
    ];
    let filled = lists
        .into_iter()
        .filter(|(field, _)| page.contains(field))
        .fold(page.to_owned(), |text, (field, page)| {
            text.replace(field, &list(page))
        });
    Some(filled)
}

/// The pages for newcomers, with their names.
pub(crate) fn package() -> impl Iterator<Item = (&'static str, String)> {
    outbound::package().filter_map(|name| Some((name, page(name)?)))
}

/// The help texts of all commands and settings, each with the page that contains it.
fn entries() -> impl Iterator<Item = (Page, &'static str)> {
    let commands = commands().map(|command| (command.page, command.help));
    commands
        .chain(settings().map(|setting| (setting.page, setting.help)))
        .filter(|(page, _)| *page != Page::None)
}

/// The help texts of the commands that a variant adds and of what its masters can overrule; of all variants, if none is given.
/// The rules pages of the variants explain them.
fn of_variant_commands(variant: Option<&dyn Variant>) -> impl Iterator<Item = &'static str> {
    let only = variant.map(|variant| variant.card());
    let cards = variants::ALL.iter().map(|variant| variant.card());
    let cards = cards.filter(move |card| only.is_none_or(|only| only.name == card.name));
    cards.flat_map(|card| {
        let commands = card.commands.iter().map(|command| command.help);
        commands.chain(Some(card.overrules).filter(|help| !help.is_empty()))
    })
}

/// HELP about a command, a setting, a word of the game, a page, a variant or a word of a variant's lines; `None` if no help text
/// is about it. What variants add to a word that every game has is told in their own games alone.
pub(crate) fn about(words: &str, played: Option<&dyn Variant>) -> Option<String> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_uppercase).collect();
    if wanted.is_empty() {
        return page("info").map(|text| text.trim_end().to_owned());
    }
    let fit = |entry: &&str| is_about(entry, &wanted);
    let common = entries().map(|(_, help)| help).flat_map(parts).filter(fit);
    let mut found: Vec<&str> = common.collect();
    if played.is_some() || found.is_empty() {
        let own = of_variant_commands(played).flat_map(parts).filter(fit);
        found.extend(own);
    }
    let topic = help_topics::about(words.trim());
    let all: Vec<&str> = topic.into_iter().chain(found).collect();
    if !all.is_empty() {
        return Some(all.join("\n"));
    }
    of_setting(&wanted)
        .or_else(|| of_variants(words))
        .or_else(|| of_page(words))
        .or_else(|| of_rules(words, played?))
        // SET PRESS is a line of its own, and PRESS has its help.
        .or_else(|| match wanted.split_first() {
            Some((set, rest)) if set == "SET" && !rest.is_empty() => about(&rest.join(" "), played),
            _ => None,
        })
}

/// The most paragraphs of a rules page that HELP shows.
const MOST_PARAGRAPHS: usize = 4;

/// HELP about a word of the rules page of the variant that is played, such as a role: the paragraphs that it stands in.
fn of_rules(words: &str, played: &dyn Variant) -> Option<String> {
    let wanted = words.trim().to_lowercase();
    let card = played.card();
    let holds = |paragraph: &&str| {
        let words = paragraph.split(|sign: char| !sign.is_alphanumeric());
        words.into_iter().any(|word| word.to_lowercase() == wanted)
    };
    let paragraphs = card.rules.split("\n\n").flat_map(rules_of).filter(holds);
    let found: Vec<&str> = paragraphs.take(MOST_PARAGRAPHS).collect();
    let page = card.name.to_uppercase();
    (!found.is_empty()).then(|| {
        format!(
            "From the rules page, GET RULES.{page}:\n\n{}",
            found.join("\n\n")
        )
    })
}

/// The numbered rules of a paragraph, or the paragraph, where its lines have no numbers.
fn rules_of(paragraph: &str) -> Vec<&str> {
    let is_numbered = |line: &str| {
        line.trim_start()
            .starts_with(|sign: char| sign.is_ascii_digit())
    };
    let mut starts: Vec<usize> = paragraph
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .filter(|at| paragraph.get(*at..).is_some_and(is_numbered))
        .collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([paragraph.len()]);
    let rule = |(from, to): (&usize, usize)| paragraph.get(*from..to).map(str::trim_end);
    starts.iter().zip(ends).filter_map(rule).collect()
}

/// HELP about a setting that stands in the entry of another one: `GREY`, `GRACE`, `NORMAL DISBAND`.
fn of_setting(wanted: &[String]) -> Option<String> {
    let words = match wanted {
        [set, words @ ..] if set == "SET" => words,
        words => words,
    };
    let named = |example: &str| {
        let example = example.to_uppercase();
        let mut example = example.split_whitespace();
        words
            .iter()
            .all(|word| example.next() == Some(word.as_str()))
    };
    let read = match read_settings(&words.join(" ")).as_slice() {
        [SetItem::Known(line)] => Some(rule_of(line).to_owned()),
        _ => None,
    };
    let fits = |row: &&Setting| {
        let read = read.as_deref();
        let rules = read.is_some_and(|rule| row.rules.contains(&rule));
        rules || row.examples.iter().any(|example| named(example))
    };
    let mut rows = settings().filter(|row| !row.help.is_empty());
    rows.find(fits).map(|row| row.help.to_owned())
}

/// HELP about a page: how to get it.
fn of_page(words: &str) -> Option<String> {
    let name = words.trim();
    outbound::page(name)?;
    let name = name.to_uppercase();
    Some(format!("GET {name} sends the page {name}."))
}

/// The words nearest to one that HELP knows nothing about, at most three; fewer wrong letters first.
pub(crate) fn nearest(words: &str) -> Vec<String> {
    let wanted = words.trim().to_lowercase();
    let limit = wanted.chars().count() / 3;
    let heads = entries()
        .map(|(_, help)| help)
        .chain(of_variant_commands(None));
    let heads = heads.flat_map(parts).filter_map(|entry| {
        let mut words = entry.split(|c: char| !c.is_ascii_alphabetic());
        let first = words.next()?;
        if first == "SET" {
            words.next()
        } else {
            Some(first)
        }
    });
    let known = heads
        .chain(help_topics::words())
        .chain(outbound::page_names());
    let known: BTreeSet<String> = known.map(str::to_lowercase).collect();
    let mut near: Vec<(usize, String)> = known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&word, &wanted), word))
        .filter(|(wrong, _)| *wrong <= limit)
        .collect();
    near.sort();
    near.into_iter()
        .take(3)
        .map(|(_, word)| word.to_uppercase())
        .collect()
}

/// The parts of an entry: each form of the command, with the lines indented below it.
fn parts(help: &'static str) -> Vec<&'static str> {
    let mut starts: Vec<usize> = help
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .filter(|at| !help.get(*at..).is_some_and(|rest| rest.starts_with(' ')))
        .collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([help.len()]);
    let part = |(from, to): (&usize, usize)| help.get(*from..to).map(str::trim_end);
    starts.iter().zip(ends).filter_map(part).collect()
}

/// Whether an entry begins with the given words; a single word also matches the word after SET.
fn is_about(entry: &str, wanted: &[String]) -> bool {
    let head = entry.lines().next().unwrap_or_default();
    let words: Vec<&str> = head
        .split(|c: char| c.is_whitespace() || c == '[' || c == '|')
        .collect();
    let fits = |words: &[&str]| {
        words.len() >= wanted.len()
            && words
                .iter()
                .zip(wanted)
                .all(|(word, wanted)| word == wanted)
    };
    fits(&words) || (words.first() == Some(&"SET") && fits(words.get(1..).unwrap_or_default()))
}

/// What the rules page of a variant says of a word of its lines.
fn said_of(variant: &dyn Variant, word: &str) -> Vec<String> {
    let (own, standard) = (RulesPage::of(variant), RulesPage::of(variants::UNNAMED));
    let found = passages_about(Some(own), standard, word);
    let passages = found.passages.into_iter();
    passages.map(|passage| passage.text).collect()
}

/// HELP about a variant, or about a word of its lines: refers to the variant's rules page, and shows what that says of the word.
fn of_variants(words: &str) -> Option<String> {
    let page = |variant: &dyn Variant| format!("GET RULES.{}", variant.card().name.to_uppercase());
    if let Some(variant) = variants::named(words) {
        return Some(format!(
            "{} brings the rules of {}.",
            page(variant),
            variant.card().title
        ));
    }
    let word = words.split_whitespace().next()?.to_lowercase();
    let quoted = format!("\"{word}\"");
    let lines: Vec<String> = variants::ALL
        .iter()
        .filter(|variant| variant.card().grammar.contains(&quoted))
        .map(|variant| {
            let see = format!(
                "{} is a command of {}; see {}.",
                word.to_uppercase(),
                variant.card().title,
                page(*variant)
            );
            std::iter::once(see)
                .chain(said_of(*variant, &word))
                .collect::<Vec<_>>()
                .join("\n\n")
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
