//! The files that GET sends: pages about the judge, variants and maps.

use super::archived::failed;
use super::help;
use super::map_page;
use crate::work::acting::{Refusal, refuse};
use dipjudge_mails::outbound::{self, Templates};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;

/// A file that is sent as a mail of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentFile {
    /// Its name behind GET.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// All files that GET sends, but for their list without words (`flist`).
pub fn sent_files(templates: &Templates) -> Vec<SentFile> {
    file_names()
        .into_iter()
        .filter(|name| name != "flist")
        .filter_map(|name| file(templates, &name).ok())
        .collect()
}

/// The name of the page with a variant's rules.
pub(super) fn rules_page(variant: &str) -> String {
    format!("rules.{variant}")
}

/// The names of all files, in alphabetical order.
fn file_names() -> Vec<String> {
    let mut names: Vec<String> = outbound::page_names().map(str::to_owned).collect();
    names.extend(Map::names().map(|map| format!("map.{map}")));
    let variants = variants::ALL.iter();
    names.extend(variants.map(|variant| rules_page(variant.card().name)));
    names.sort();
    names
}

/// GET file: a page of a fixed list, of a variant or of a map, else the names most similar to it.
pub(super) fn file(templates: &Templates, name: &str) -> Result<SentFile, Refusal> {
    let name = name.trim().to_lowercase();
    if let Some(map) = name.strip_prefix("map.").and_then(Map::named) {
        let text = map_page::text(templates, map).map_err(failed)?;
        return Ok(SentFile { name, text });
    }
    if let Some(variant) = name
        .strip_prefix("rules.")
        .or(name.strip_prefix("info."))
        .and_then(variants::named)
    {
        let text = variant.card().rules.to_owned();
        return Ok(SentFile { name, text });
    }
    if name == "flist" {
        let text = format!("Files that GET sends:\n\n{}\n", file_names().join("\n"));
        return Ok(SentFile { name, text });
    }
    if let Some(text) = help::page(&name) {
        return Ok(SentFile { name, text });
    }
    let near = outbound::near_pages(&name);
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("  Did you mean {}?", near.join(" or "))
    };
    refuse(format!(
        "There is no file '{name}'.{hint} GET INDEX lists them all."
    ))
}
