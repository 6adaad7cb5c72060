//! What LIST shows of a game beside its rules: its comment, its text, its numbers in archives.

use serde_json::json;

use super::change::setting;
use crate::judge::authority::game_of;
use crate::judge::errand::Errand;
use crate::judge::sign_on::{Acting, Said};

/// The longest comment, in characters: one line of the brief list.
const LINE: usize = 60;
/// The longest text of the full list, in characters.
const TEXT: usize = 10_000;

/// SET COMMENT; none clears it.
pub(super) fn comment(errand: &mut Errand, acting: Acting, text: Option<&str>) -> Said {
    let text = text.map(|text| cut(text, LINE));
    setting(errand, acting, "comment", text, "changed the comment")
}

/// SET COMMENT BEGIN … END: the text of the full listing.
pub(in crate::judge) fn information(errand: &mut Errand, acting: Acting, text: &str) -> Said {
    let text = cut(text, TEXT);
    setting(errand, acting, "information", text, "changed the comment")
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// SET BN and its like.
pub(super) fn archive(errand: &mut Errand, acting: Acting, name: &str, number: &str) -> Said {
    let mut numbers = game_of(errand)?.settings.numbers.clone();
    numbers.insert(name.to_uppercase(), number.to_owned());
    let done = format!("noted the number {number}");
    setting(errand, acting, "numbers", json!(numbers), &done)
}
