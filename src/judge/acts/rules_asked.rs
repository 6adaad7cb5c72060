//! Questions about the rules of a game, answered by the passages of its rules page that they are about.

use super::files::rules_page;
use crate::session::Session;
use dipjudge_commands::passages::{PassagesFound, RulesPage, passages_about};
use dipjudge_game::Variant;
use dipjudge_mails::outbound::Document;
use dipjudge_variants as variants;

impl Session<'_, '_> {
    /// Answers a question in which a term of the variant stands by what the rules say of that; `false` if none does.
    pub(crate) fn answer_by_rules(&mut self, line: &str) -> bool {
        let found = self.rules_about(line);
        if !found.has_term {
            return false;
        }
        self.reply.wanted = true;
        self.fault(line, said_by_rules(&found));
        self.show_passages(found);
        true
    }

    /// Shows what the rules say of a question, below what else was said of it.
    pub(crate) fn add_rules(&mut self, line: &str) {
        let found = self.rules_about(line);
        if !found.passages.is_empty() {
            self.say(said_by_rules(&found));
            self.show_passages(found);
        }
    }

    fn show_passages(&mut self, found: PassagesFound) {
        for passage in found.passages {
            // The page is public, so that it names powers tells nothing of this game.
            self.show_passed(Document::verbatim(passage.text));
        }
    }

    /// The passages of the rules that a question is about.
    fn rules_about(&self, line: &str) -> PassagesFound {
        let Some(edit) = self.edit() else {
            return PassagesFound::default();
        };
        let page = |variant: &dyn Variant| RulesPage {
            name: variant.card().name,
            text: variant.card().rules,
        };
        let standard = page(variants::UNNAMED);
        let own = Some(page(edit.variant)).filter(|own| own.name != standard.name);
        passages_about(own, standard, line)
    }
}

/// The sentence above the passages, with the page of the first one.
fn said_by_rules(found: &PassagesFound) -> String {
    let page = found.passages.first().map_or("", |first| first.page);
    let page = rules_page(page).to_uppercase();
    format!("The rules say of it (GET {page} brings them all):")
}
