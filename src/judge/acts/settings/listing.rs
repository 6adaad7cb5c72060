//! What LIST shows of a game apart from its rules: comment, text, numbers in archives.

use super::table::{SetAct, Setting};
use crate::acts::table::{Page, Who};
use crate::work::acting::{ActOutcome, Acting};

use super::change::setting;
use crate::work::GameWork;
use dipjudge_game::SettingChange;
use dipjudge_mails::outbound::Document;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["comment"],
        examples: &["COMMENT For patient people"],
        act: SetAct::Line(|work, acting, line| comment(work, acting, line.words())),
        help: "SET COMMENT text
    One line for the list; SET COMMENT BEGIN, lines and ENDCOMMENT for the
    full one.",
        ..Setting::GAME
    },
    Setting {
        rules: &["comment-begin"],
        examples: &["COMMENT BEGIN"],
        who: Who::SignedOn,
        // The text that follows is what is set, and answered.
        act: SetAct::Line(|_, _, _| Ok(Document::default())),
        page: Page::None,
        ..Setting::GAME
    },
    Setting {
        rules: &["archive"],
        examples: &["BN 1234"],
        act: SetAct::Line(|work, acting, line| {
            let name = line.text_of("archive-name").unwrap_or_default();
            archive(work, acting, name, line.words().unwrap_or_default())
        }),
        help: "SET BN number
    The number of the game in an archive: EP, BN, BNC, MN, MNC. LIST shows it.",
        ..Setting::GAME
    },
];

/// The longest comment, in characters: one line of the brief list.
const LINE: usize = 60;
/// The longest text of the full list, in characters.
const TEXT: usize = 10_000;

/// SET COMMENT; without a text it clears the comment.
fn comment(work: &mut GameWork, acting: Acting, text: Option<&str>) -> ActOutcome {
    let change = SettingChange::Comment(text.map(|text| cut(text, LINE)));
    let said = setting(work, acting, change, "changed the comment")?;
    Ok(with_cut(said, text.unwrap_or_default(), LINE))
}

/// SET COMMENT BEGIN … END: sets the text of the full list.
pub(crate) fn information(work: &mut GameWork, acting: Acting, text: &str) -> ActOutcome {
    let change = SettingChange::Information(Some(cut(text, TEXT)));
    let said = setting(work, acting, change, "changed the comment")?;
    Ok(with_cut(said, text, TEXT))
}

/// The answer, with a sentence that says so if the text was cut.
fn with_cut(mut said: Document, text: &str, most: usize) -> Document {
    if text.chars().count() > most {
        said.push(format!("Only its first {most} characters are kept."));
    }
    said
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// SET BN and similar archive numbers.
fn archive(work: &mut GameWork, acting: Acting, name: &str, number: &str) -> ActOutcome {
    let mut numbers = work.game().settings.numbers.clone();
    numbers.insert(name.to_uppercase(), number.to_owned());
    let done = format!("noted the number {number}");
    setting(work, acting, SettingChange::Numbers(numbers), &done)
}
