//! What LIST shows of a game beside its rules: its comment, its text, its numbers in archives.

use serde_json::json;

use super::change::setting;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said};
use crate::judge::work::authority::game_of;

/// The longest comment, in characters: one line of the brief list.
const LINE: usize = 60;
/// The longest text of the full list, in characters.
const TEXT: usize = 10_000;

/// SET COMMENT; none clears it.
pub(super) fn comment(work: &mut Work, acting: Acting, text: Option<&str>) -> Said {
    let text = text.map(|text| cut(text, LINE));
    setting(work, acting, "comment", text, "changed the comment")
}

/// SET COMMENT BEGIN … END: the text of the full listing.
pub(crate) fn information(work: &mut Work, acting: Acting, text: &str) -> Said {
    let text = cut(text, TEXT);
    setting(work, acting, "information", text, "changed the comment")
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// SET BN and its like.
pub(super) fn archive(work: &mut Work, acting: Acting, name: &str, number: &str) -> Said {
    let mut numbers = game_of(work)?.settings.numbers.clone();
    numbers.insert(name.to_uppercase(), number.to_owned());
    let done = format!("noted the number {number}");
    setting(work, acting, "numbers", json!(numbers), &done)
}
