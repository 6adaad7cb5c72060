//! Questions answered by pages: by the pages of frequent questions, and by the passages of a game's rules page that they are about.

use std::sync::LazyLock;

use super::files::rules_page;
use crate::session::Session;
use dipjudge_commands::frequent::{AskedBy, FrequentFound, FrequentPage, FrequentQuestions};
use dipjudge_commands::passages::{PassagesFound, RulesPage, passages_about};
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_commands::subjects::asks;
use dipjudge_mails::outbound::{self, Document};
use dipjudge_variants as variants;

/// The pages of frequent questions.
const QUESTIONS: [(&str, AskedBy); 4] = [
    ("questions", AskedBy::Anybody),
    ("questions.rules", AskedBy::Anybody),
    ("questions.variants", AskedBy::PlayersOfVariant),
    ("questions.master", AskedBy::Masters),
];

static FREQUENT: LazyLock<FrequentQuestions> = LazyLock::new(|| {
    let pages = QUESTIONS.map(|(name, asked_by)| FrequentPage {
        text: outbound::page(name).unwrap_or_default(),
        asked_by,
    });
    FrequentQuestions::read(&pages)
});

/// The most words of a sentence that tells of what the question behind it is.
const MOST_OF_CONTEXT: usize = 25;

/// Whether a question speaks of something that was named before it: `Can I see if others want it?`
fn points_back(question: &str) -> bool {
    let words = [
        "it", "they", "them", "this", "that", "those", "these", "mine",
    ];
    bare_words(question).any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// What stands above the entries of the pages of frequent questions.
const BY_FREQUENT: &str = "This may answer it; GET QUESTIONS brings more.";

/// What is said where all of them were shown for another question of the mail.
const ABOVE: &str = "What stands above may answer this, too.";

/// The entries of the pages of frequent questions that a question is about.
pub(crate) struct FrequentAnswer {
    /// Whether the question is about one of them more likely than about a subject that only may be meant.
    pub likely: bool,
    /// Whether the question can hardly be about anything else.
    pub sure: bool,
    texts: Vec<String>,
}

impl Session<'_, '_> {
    /// The entries of the pages of frequent questions that a question is about, as they are shown.
    pub(crate) fn frequent_about(&self, line: &str) -> FrequentAnswer {
        let own = self.edit().map(|edit| edit.variant.card().title);
        let titles = variants::ALL.iter().map(|variant| variant.card().title);
        let others: Vec<&str> = titles.filter(|title| Some(*title) != own).collect();
        let asker = self.asker();
        // What stands beside a question explains it.
        let parts = sentences(line);
        let is_marked = |part: &&str| part.ends_with('?');
        let any_marked = parts.iter().any(is_marked);
        let asked = parts.into_iter().filter(|part| {
            if any_marked {
                is_marked(part)
            } else {
                asks(part)
            }
        });
        let kind = self.kind_of_game();
        let about = |part: &str| {
            let part = part.replace("this game", &kind);
            FREQUENT.about(&part, asker, &others)
        };
        let with_context = |part: &str| {
            let alone = about(part);
            let before = self.sentence_before(part).filter(|_| points_back(part));
            match before {
                Some(before) if !alone.likely => {
                    let both = about(&format!("{before} {part}"));
                    if both.likely { both } else { alone }
                }
                _ => alone,
            }
        };
        let mut found: Vec<FrequentFound> = asked
            .map(with_context)
            .filter(|found| !found.entries.is_empty())
            .collect();
        found.sort_by_key(|found| !found.sure);
        let found = found.into_iter().next().unwrap_or_default();
        let texts = found
            .entries
            .iter()
            .map(|one| format!("{}\n{}", one.asked, one.answer));
        FrequentAnswer {
            likely: found.likely,
            sure: found.sure,
            texts: texts.collect(),
        }
    }

    /// What the pages call a game such as the one in hand: `How far can I see in this game?` is a question about blind games in one of
    /// them.
    fn kind_of_game(&self) -> String {
        let settings = self.game().map(|game| &game.settings);
        match settings {
            Some(settings) if settings.blind => "a blind game".to_owned(),
            Some(settings) if settings.gunboat => "a gunboat game".to_owned(),
            _ => "this game".to_owned(),
        }
    }

    /// What the mail says before a sentence of it.
    fn sentence_before(&self, sentence: &str) -> Option<String> {
        let own = self.mail.own_lines().map(|line| line.text.trim());
        let own: Vec<&str> = own.filter(|line| !line.is_empty()).collect();
        let whole = own.join(" ");
        let (before, _) = whole.split_once(sentence.trim())?;
        let before = sentences(before).pop()?;
        (before.split_whitespace().count() <= MOST_OF_CONTEXT).then(|| before.to_owned())
    }

    /// Answers a question by entries of the pages of frequent questions; `false` if there are none.
    pub(crate) fn answer_by_frequent(&mut self, line: &str, found: FrequentAnswer) -> bool {
        if found.texts.is_empty() {
            return false;
        }
        self.reply.wanted = true;
        let shown = &self.reading.entries_shown;
        let is_known = found.texts.iter().all(|text| shown.contains(text));
        self.fault(line, if is_known { ABOVE } else { BY_FREQUENT });
        self.show_frequent(found);
        true
    }

    /// Shows entries of the pages of frequent questions below what else was said of a question.
    pub(crate) fn add_frequent(&mut self, found: FrequentAnswer) {
        if !found.texts.is_empty() {
            self.say(BY_FREQUENT);
            self.show_frequent(found);
        }
    }

    fn show_frequent(&mut self, found: FrequentAnswer) {
        for text in found.texts {
            if !self.reading.entries_shown.insert(text.clone()) {
                continue;
            }
            // The page is public, and the same for all.
            self.show_passed(Document::verbatim(text));
        }
    }

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
        let standard = RulesPage::of(variants::UNNAMED);
        let own = Some(RulesPage::of(edit.variant)).filter(|own| own.name != standard.name);
        passages_about(own, standard, line)
    }
}

/// The sentence above the passages, with the page of the first one.
fn said_by_rules(found: &PassagesFound) -> String {
    let page = found.passages.first().map_or("", |first| first.page);
    let page = rules_page(page).to_uppercase();
    format!("The rules say of it (GET {page} brings them all):")
}
