//! What stands behind `PRESS` and `BROADCAST`, read by `grammar/press.grammar`.

use super::names::Names;
use super::no_contact::no_contact;
pub use super::power_list::Addressees;
use super::power_list::{Addressee, letters_or_beginning, one};
use super::power_list_error::PowerListError;
use dipjudge_game::project::Roster;
use dipjudge_grammar::{Grammar, Node, Terms, Text, files};
use dipjudge_rules::map::Power;
use std::sync::OnceLock;
use thiserror::Error;

/// The lines that send these words as press, with these options behind `PRESS`.
pub fn press_lines(options: &str, words: impl IntoIterator<Item = String>) -> Vec<String> {
    text_lines(format!("PRESS {options}"), words, "ENDPRESS")
}

/// These words between the line that opens a text and the line that ends it.
pub fn text_lines(
    opens: String,
    words: impl IntoIterator<Item = String>,
    ends: &str,
) -> Vec<String> {
    let first = std::iter::once(opens.trim_end().to_owned());
    first.chain(words).chain([ends.to_owned()]).collect()
}

/// Options of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PressOptions {
    /// To whom it goes; `None` if nothing was said.
    pub to: Option<Recipients>,
    /// The color that was asked for.
    pub color: Option<PressColor>,
    /// What recipients are to read in place of the true list.
    pub fake: Option<Fake>,
    /// `QUOTE`: quoted mails are sent too.
    pub quote: bool,
    /// `QUIET`: no copy to the sender.
    pub quiet: bool,
    /// `FROM`: another power is claimed.
    pub from: Option<Power>,
}

/// To whom a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipients {
    /// Everybody: a broadcast.
    All,
    /// Those.
    Only(Addressees),
    /// Everybody, with observers and masters, but those.
    AllBut(Addressees),
}

/// Whether the sender is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PressColor {
    /// The sender is shown.
    White,
    /// The sender is hidden.
    Grey,
}

/// What is shown in place of the true recipients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fake {
    /// `NO FAKE`: the true list, where faking is the default.
    No,
    /// A broadcast.
    Broadcast,
    /// This list.
    To(Recipients),
}

/// Why options cannot be taken; the message is then not sent. Shown, it is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PressError {
    /// Not an option.
    #[error(
        "`{0}` is not an option of PRESS. Write PRESS TO and powers: PRESS TO F or PRESS TO France, Germany."
    )]
    Unknown(String),
    /// Something in a list of recipients.
    #[error(transparent)]
    List(#[from] PowerListError),
    /// Both colors.
    #[error("A message is either white or grey.")]
    TwoColors,
    /// The same option twice, with different meanings.
    #[error("The recipients are named twice.")]
    TwoLists,
    /// `PRESS` alone.
    #[error("To whom? To send to everybody, use BROADCAST.")]
    NoRecipients,
}

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 1] = ["options"];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::PRESS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// Whole names only: `FR` is a list of letters, not the beginning of France.
struct WholeNames<'a>(&'a Names);

impl Terms for WholeNames<'_> {
    fn power(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        self.0.whole_power(text, at)
    }
}

/// Reads the options of `PRESS`. `PRESS TO ALL` is a broadcast.
///
/// # Errors
/// The first fault; also if no recipients are named.
pub fn read_press(options: &str, roster: impl Into<Roster>) -> Result<PressOptions, PressError> {
    let options = read_options(options, roster)?;
    if options.to.is_none() {
        Err(PressError::NoRecipients)
    } else {
        Ok(options)
    }
}

/// Reads the options of `BROADCAST`.
///
/// # Errors
/// The first fault.
pub fn read_broadcast(
    options: &str,
    roster: impl Into<Roster>,
) -> Result<PressOptions, PressError> {
    let mut options = read_options(options, roster)?;
    options.to.get_or_insert(Recipients::All);
    Ok(options)
}

fn read_options(options: &str, roster: impl Into<Roster>) -> Result<PressOptions, PressError> {
    let names = Names::of_powers(roster);
    // "PRESS TO F:"
    let options = options.trim_end().trim_end_matches(':');
    let text = Text::new(options);
    let terms = WholeNames(&names);
    let Some(tree) = grammar().read("options", &text, 0, &terms) else {
        let at = grammar().explain("options", &text, 0, &terms).at;
        let word = text.source(at..text.word_end(at).max(at + 1)).to_owned();
        let all = || text.source(0..text.len()).to_owned();
        return Err(PressError::Unknown(if word.is_empty() {
            all()
        } else {
            word
        }));
    };
    let mut read = PressOptions::default();
    for option in tree.root(&text).parts() {
        let Some(option) = option.first() else {
            continue;
        };
        match option.rule() {
            "no-fake" => read.fake = Some(Fake::No),
            "fake" => {
                let to = option
                    .parts()
                    .find_map(|part| recipients(part, &text, &names).transpose())
                    .transpose()?;
                read.fake = Some(to.map_or(Fake::Broadcast, |to| match to {
                    Recipients::All => Fake::Broadcast,
                    to => Fake::To(to),
                }));
            }
            "color" => {
                let grey = option.part("grey").is_some();
                let color = if grey {
                    PressColor::Grey
                } else {
                    PressColor::White
                };
                if read
                    .color
                    .replace(color)
                    .is_some_and(|before| before != color)
                {
                    return Err(PressError::TwoColors);
                }
            }
            "quote" => read.quote = true,
            "quiet" => read.quiet = true,
            "from" => read.from = claimed(option, &text, &names)?,
            _ => {
                let to = recipients(option, &text, &names)?;
                if to.is_some() && std::mem::replace(&mut read.to, to).is_some() {
                    return Err(PressError::TwoLists);
                }
            }
        }
    }
    Ok(read)
}

fn recipients(
    node: Node<'_>,
    text: &Text<'_>,
    names: &Names,
) -> Result<Option<Recipients>, PressError> {
    Ok(match (node.rule(), node.first()) {
        ("to-all", _) => Some(Recipients::All),
        ("recipients", Some(kind)) => {
            let mut found = Addressees::default();
            let within = kind.span().end;
            for part in kind.all().filter(|part| part.rule() == "someone") {
                for addressee in someone(part, text, names, within)? {
                    not_himself(addressee, names)?;
                    found.add(addressee, names)?;
                }
            }
            let but = kind.rule() == "all-but";
            Some(if but {
                Recipients::AllBut(found)
            } else {
                Recipients::Only(found)
            })
        }
        _ => None,
    })
}

/// A sender with contacts of his own writes to them and not to himself.
fn not_himself(addressee: Addressee, names: &Names) -> Result<(), PowerListError> {
    match names.own_contacts() {
        Some(own) if addressee == Addressee::Power(own.himself) => {
            Err(PowerListError::Himself(own.noun))
        }
        _ => Ok(()),
    }
}

/// Whom a word of a list stands for, which ends `within` this position. A word with signs in it, such as `E/F`, stands for
/// nobody.
fn someone(
    node: Node<'_>,
    text: &Text<'_>,
    names: &Names,
    within: usize,
) -> Result<Vec<Addressee>, PressError> {
    let span = node.span();
    let (end, found) = one(text, span.start, names, within)?;
    if end < span.end {
        let nobody = no_contact(names, node.text());
        return Err(nobody.unwrap_or_else(|| names.nobody(node.text())).into());
    }
    // "GER" may be Germany or three powers, and a message must not go astray.
    if found.len() > 2 {
        let begun = names.powers_beginning(node.folded());
        if let Some(error) = letters_or_beginning(node.text(), begun) {
            return Err(error.into());
        }
    }
    Ok(found)
}

fn claimed(node: Node<'_>, text: &Text<'_>, names: &Names) -> Result<Option<Power>, PressError> {
    let Some(part) = node.part("someone") else {
        return Ok(None);
    };
    match someone(part, text, names, part.span().end)?.as_slice() {
        [Addressee::Power(power)] => Ok(Some(*power)),
        _ => Err(names.nobody(part.text()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_rules::map::Map;

    fn press(options: &str) -> Result<PressOptions, String> {
        read_press(options, Map::standard().powers()).map_err(|error| error.to_string())
    }

    fn those(powers: &[u8], observers: bool, masters: bool) -> Addressees {
        Addressees {
            powers: powers.iter().copied().map(Power).collect(),
            observers,
            masters,
        }
    }

    #[test]
    fn recipients_are_letters_names_and_all() {
        let only = |powers: &[u8]| Some(Recipients::Only(those(powers, false, false)));
        for options in [
            "TO FG",
            "to f, Germany",
            "TO F G",
            "TO France and Germany",
            "+FG",
            "TO F TO G",
        ] {
            match press(options) {
                Ok(read) => assert_eq!(read.to, only(&[2, 3]), "{options}"),
                Err(error) => assert_eq!(
                    (options, error.as_str()),
                    ("TO F TO G", "The recipients are named twice.")
                ),
            }
        }
        assert_eq!(
            press("TO M").unwrap().to,
            Some(Recipients::Only(those(&[], false, true)))
        );
        assert_eq!(press("TO ALL").unwrap().to, Some(Recipients::All));
        assert_eq!(
            press("TO ALL BUT GO").unwrap().to,
            Some(Recipients::AllBut(those(&[3], true, false)))
        );
        assert_eq!(
            press("-G").unwrap().to,
            Some(Recipients::AllBut(those(&[3], false, false)))
        );
    }

    #[test]
    fn options_come_in_any_order() {
        let read = press("TO FR FAKE TO G").unwrap();
        assert_eq!(
            read.to,
            Some(Recipients::Only(those(&[2, 5], false, false)))
        );
        assert_eq!(
            read.fake,
            Some(Fake::To(Recipients::Only(those(&[3], false, false))))
        );
        let read = press("GREY, FAKE BROADCAST, TO F QUOTE").unwrap();
        assert_eq!(
            (read.color, read.fake, read.quote),
            (Some(PressColor::Grey), Some(Fake::Broadcast), true)
        );
        let read = press("TO M FAKE").unwrap();
        assert_eq!(read.fake, Some(Fake::Broadcast));
        let read = press("FAKE PARTIAL TO ALL BUT E TO G unanonymous").unwrap();
        assert_eq!(
            read.fake,
            Some(Fake::To(Recipients::AllBut(those(&[1], false, false))))
        );
        assert_eq!(read.color, Some(PressColor::White));
        let read = press("NO FAKE TO G QUIET FROM Italy").unwrap();
        assert_eq!(
            (read.fake, read.quiet, read.from),
            (Some(Fake::No), true, Some(Power(4)))
        );
        let read = press("FAKE FROM Italy TO G").unwrap();
        assert_eq!((read.fake, read.from), (None, Some(Power(4))));
        let broadcast = read_broadcast("grey", Map::standard().powers()).unwrap();
        assert_eq!(
            (broadcast.to, broadcast.color),
            (Some(Recipients::All), Some(PressColor::Grey))
        );
    }

    const INSTEAD: &str =
        "You can name Austria, England, France, Germany, Italy, Russia and Turkey.";

    #[test]
    fn one_mistake_keeps_the_message_back() {
        for (options, error) in [
            ("", "To whom? To send to everybody, use BROADCAST."),
            ("GREY", "To whom? To send to everybody, use BROADCAST."),
            ("TO FX", &*format!("`FX`: invalid power. {INSTEAD}")),
            ("TO Ger", "`Ger` can be Germany or the powers G, E, R."),
            ("TO FF", "`France` stands more than once in the list."),
            ("TO F/G", &*format!("`F/G`: invalid power. {INSTEAD}")),
            ("WHITE GREY TO F", "A message is either white or grey."),
            (
                "TO F ANONYMOUSLY",
                &*format!("`ANONYMOUSLY`: invalid power. {INSTEAD}"),
            ),
            (
                "loudly TO F",
                "`loudly` is not an option of PRESS. Write PRESS TO and powers: PRESS TO F or PRESS TO France, Germany.",
            ),
        ] {
            assert_eq!(press(options), Err(error.to_owned()), "{options}");
        }
    }
}
