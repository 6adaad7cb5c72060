//! The templates of all mails: those of every game, and those that the variants have for sections of their own.

use std::collections::BTreeMap;

use dipjudge_game::project;
use dipjudge_mails::outbound::{TemplateError, Templates};
use dipjudge_variants as variants;

/// The templates of all mails, replaced by those that the keeper has edited, which are given by file name relative to
/// the template folder.
///
/// # Errors
/// If an edited file is not a valid template, or is not the name of any mail.
pub fn templates(edited: &BTreeMap<String, String>) -> Result<Templates, TemplateError> {
    let built = variants::ALL.iter().chain(variants::NOT_OFFERED);
    let own = built.map(|variant| variant.card().words);
    let sections = own.chain([project::WORDS]).flatten().copied();
    Templates::new(&sections.collect::<Vec<_>>(), edited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judge;
    use dipjudge_mails::outbound::{notice, sections};
    use dipjudge_view::{FilledSection, Heading, Viewer, Words};
    use minijinja::Environment;
    use serde_json::json;
    use std::path::Path;

    fn all() -> Vec<&'static Words> {
        let built = variants::ALL.iter().chain(variants::NOT_OFFERED);
        let own = built.map(|variant| variant.card().words);
        let all = own.chain([project::WORDS]).flatten();
        all.copied().collect()
    }

    #[test]
    fn every_file_belongs_to_a_mail_or_a_section_and_the_readme_names_it_and_its_fields() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mailtemplates");
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        let mut files: Vec<String> = Vec::new();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            // Pages are no templates.
            if path.ends_with("pages") {
                continue;
            }
            let inside = if path.is_dir() {
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path())
                    .collect()
            } else {
                vec![path]
            };
            files.extend(inside.iter().map(|path| {
                path.strip_prefix(&folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            }));
        }
        // The texts of whole mails are in the same folder.
        let mail = |file: &String| Templates::defaults().iter().any(|(name, _)| name == file);
        files.retain(|file| file != "README.md" && !mail(file));
        files.sort();
        let mut known: Vec<&str> = all().iter().map(|words| words.file).collect();
        known.sort_unstable();
        known.dedup();
        assert_eq!(files, known);
        for words in all() {
            let row = readme
                .lines()
                .find(|line| line.starts_with(&format!("| `{}` |", words.file)));
            let row = row.unwrap_or_else(|| panic!("the README does not name {}", words.file));
            let mut environment = Environment::new();
            environment.add_template(words.file, words.text).unwrap();
            let asked = environment
                .get_template(words.file)
                .unwrap()
                .undeclared_variables(false);
            for field in asked {
                assert!(
                    row.contains(&format!("`{field}`")),
                    "{}: {field}",
                    words.file
                );
            }
        }
    }

    #[test]
    fn a_keepers_words_are_used_and_the_default_stands_in_where_they_fail() {
        let units_now = project::WORDS
            .iter()
            .find(|words| words.file == "units-now.md")
            .unwrap();
        let section = [FilledSection {
            words: units_now,
            fields: json!({ "powers": [{ "power": "*Austria*", "units": ["Army Vienna"] }] }),
        }];
        let text = |edited: &str| {
            let edited = BTreeMap::from([(units_now.file.to_owned(), edited.to_owned())]);
            templates(&edited).map(|templates| sections(&templates, &section).unwrap().text())
        };
        let usual = "Units now:\n\n*Austria*: Army Vienna.";
        assert_eq!(text(units_now.text).unwrap(), usual);
        let own = "# Now\n\n{% for own in powers %}{{ own.power }} has {{ own.units | length }}.{% endfor %}";
        assert_eq!(text(own).unwrap(), "Now\n\n*Austria* has 1.");
        assert_eq!(
            text("{% for own in powers %}{{ own.strength }}{% endfor %}").unwrap(),
            usual
        );
        let refused = text("{{ strength }}").unwrap_err().to_string();
        assert!(refused.contains("asks for \"strength\""), "{refused}");
    }

    #[test]
    fn a_file_in_a_variants_folder_is_for_its_games_alone() {
        let own = (
            "bridge/player-notice.md".to_owned(),
            "At the bridge table.".to_owned(),
        );
        let judge = Judge {
            templates: templates(&BTreeMap::from([own])).unwrap(),
            ..crate::testing::judge()
        };
        let notice = |variant: &str| {
            let heading = Heading {
                reader: Viewer::Observer,
                judge: "USXX".to_owned(),
                game: "kaiser".to_owned(),
                title: "Kaiser".to_owned(),
                variant: variant.to_owned(),
                phase: "S1901M".to_owned(),
                deadline: None,
            };
            let templates = judge.templates_of(variants::of(variant));
            let text = notice(&templates, &heading, "Notice", "Hello.".to_owned()).unwrap();
            text.body().contains("At the bridge table.")
        };
        assert!(notice("bridge"));
        assert!(!notice("standard"));
    }
}
