//! Reads `SET` lines by `grammar/settings.grammar`.

use super::date_words::DateWords;
use super::set_item::{Access, Flag, PressColors, Secret, SetItem, Timing};
use crate::calendar::{PhaseKind, PhaseName};
use crate::game::{Assignment, BuildSites, Days, Level, ObserverPress, SightFrom};
use crate::grammar::{Grammar, Node, Terms, Text, files};
use std::sync::OnceLock;

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 3] = ["filler", "separator", "setting"];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::SETTINGS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// Dates and phases, the only terms that do not depend on a game.
pub(super) struct Calendar;

impl Terms for Calendar {
    fn date(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        DateWords::read(text, at).map(|(end, _)| end)
    }

    fn phase(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        PhaseName::read(text, at).map(|(end, _)| end)
    }
}

/// Reads what stands behind `SET`. The first setting that is not known is [`SetItem::Named`] with
/// the rest of the line; it may be a variant's.
pub fn read_settings(line: &str) -> Vec<SetItem> {
    let text = Text::new(line);
    let mut items = Vec::new();
    let mut at = 0;
    // Where the last setting began, if it ended with a date and nothing parts it from what follows.
    let mut open_date = None;
    loop {
        while let Some(end) = end_of("separator", &text, at) {
            at = end;
            open_date = None;
        }
        at = text.skip_blanks(at);
        if at >= text.len() {
            return items;
        }
        if has_joint(&text, at) {
            items.push(named(&text, at, Vec::new()));
            return items;
        }
        if let Some(tree) = grammar().read("setting", &text, at, &Calendar)
            && let Some(item) = tree
                .root(&text)
                .first()
                .and_then(|group| group.first())
                .and_then(item)
        {
            let dated = matches!(
                item,
                SetItem::Deadline(_)
                    | SetItem::Grace(_)
                    | SetItem::Start(_)
                    | SetItem::Absence { .. }
            );
            open_date = dated.then_some(at);
            at = tree.end;
            let ends = matches!(&item, SetItem::Timing { keys, .. } if matches!(keys.last(), Some(Timing::Bad { .. })));
            items.push(item);
            if ends {
                return items;
            }
            continue;
        }
        if let Some(end) = end_of("filler", &text, at) {
            at = end;
            continue;
        }
        // Text behind a date is a mistake in the date, not another setting.
        if let Some(start) = open_date {
            items.pop();
            items.push(named(
                &text,
                start,
                vec!["a date with nothing behind it".to_owned()],
            ));
            return items;
        }
        let failure = grammar().explain("setting", &text, at, &Calendar);
        let mut wanted = Vec::new();
        if failure.at > at {
            wanted.extend(failure.terms.iter().map(|(term, _)| term.said().to_owned()));
            wanted.extend(failure.words.iter().map(|word| word.to_ascii_uppercase()));
            wanted.dedup();
            wanted.truncate(12);
        }
        items.push(named(&text, at, wanted));
        return items;
    }
}

/// Whether the word that begins here is joined by `-` or `_`, as `births-phase`: a variant's setting,
/// whatever its first part says. None of the judge's own has such a name.
fn has_joint(text: &Text<'_>, at: usize) -> bool {
    let end = text.word_end(at);
    end > at && matches!(text.byte(end), b'-' | b'_') && text.in_word(end + 1)
}

fn end_of(rule: &str, text: &Text<'_>, at: usize) -> Option<usize> {
    grammar()
        .read(rule, text, at, &Calendar)
        .map(|tree| tree.end)
}

/// The rest of the line as a name and a value, `=` between them allowed.
fn named(text: &Text<'_>, at: usize, wanted: Vec<String>) -> SetItem {
    let rest = text.source(at..text.len());
    let length = rest
        .find(|letter: char| letter.is_whitespace() || letter == '=')
        .unwrap_or(rest.len());
    let (name, value) = rest.split_at(length);
    let value = value.trim_start().trim_start_matches('=').trim();
    SetItem::Named {
        name: name.to_owned(),
        value: value.to_owned(),
        wanted,
    }
}

fn item(node: Node<'_>) -> Option<SetItem> {
    let words = || node.words().map(str::to_owned);
    let part = |rule: &str| node.find(rule).map(|part| part.text().to_owned());
    let date = |rule: &str| {
        node.part(rule)
            .and_then(|part| DateWords::parse(part.text()))
    };
    let own_date = || node.words().and_then(DateWords::parse);
    Some(match node.rule() {
        "no-wait" => SetItem::Wait(false),
        "wait" => SetItem::Wait(true),
        "preference" => SetItem::Preference(part("preference-list").unwrap_or_default()),
        "no-draw" => SetItem::NoDraw,
        "draw" => SetItem::Draw(part("voted")),
        "no-concede" => SetItem::NoConcede,
        "concede" => SetItem::Concede(part("voted")),
        "password" => SetItem::Password(part("new-password").map(Secret)),
        "address" => SetItem::Address(part("addresses")),
        "no-absence" => SetItem::NoAbsence(own_date()),
        "absence" => SetItem::Absence {
            from: date("from")?,
            to: date("to"),
        },
        "normal-press" => SetItem::AllPress(false),
        "all-press" => SetItem::AllPress(true),
        "no-broadcast" => SetItem::Broadcast(false),
        "broadcast" => SetItem::Broadcast(true),
        "no-zone" => SetItem::Zone(None),
        "zone" => SetItem::Zone(Some(words()?)),
        "remind" => SetItem::Remind(node.number()?),
        "pictures-on" => SetItem::Pictures(true),
        "pictures-off" => SetItem::Pictures(false),
        "deadline" => SetItem::Deadline(own_date()?),
        "grace" => SetItem::Grace(own_date()?),
        "start" => SetItem::Start(own_date()?),
        "timing" => timing(node)?,
        "max-absence" => SetItem::MaxAbsence(node.number()?),
        "centers" => SetItem::Centers(node.number()?),
        "dedication" => SetItem::Dedication(node.number()?),
        "on-time" => SetItem::OnTimeRatio(node.words()?.parse().ok()?),
        "resignations" => SetItem::ResignationRatio(node.words()?.parse().ok()?),
        "level" => SetItem::Level(Level::named(node.part("level-name")?.folded())?),
        "access" => SetItem::Access(match node.first()?.rule() {
            "access-any" => Access::Any,
            "access-same" => Access::Same,
            _ => Access::Different,
        }),
        "allow" | "deny" => {
            let remove = node.find("listed-off").is_some();
            let address = words()?;
            if node.rule() == "allow" {
                SetItem::Allow { address, remove }
            } else {
                SetItem::Deny { address, remove }
            }
        }
        "approve" => SetItem::Approve(part("powers")?),
        "disapprove" => SetItem::Disapprove(part("powers")?),
        "map" => SetItem::Map(part("map-name")?),
        "sight" => {
            let gives = |rule: &str| node.find(rule).is_some();
            SetItem::Sight(SightFrom {
                units: gives("seen-units"),
                centers: gives("seen-centers"),
                homes: gives("seen-homes"),
            })
        }
        "preference-method" => SetItem::Assignment(match node.first()?.rule() {
            "by-list" => Assignment::List,
            "by-both" => Assignment::Both,
            _ => Assignment::Random,
        }),
        "variant" => SetItem::Variant(part("some-words")?),
        "variant-off" => SetItem::NotVariant(part("some-words")?),
        "players" => SetItem::Players(node.number()?),
        "powers-wanted" => SetItem::Powers(node.number()?),
        "archive" => SetItem::Archive {
            name: part("archive-name")?.to_ascii_uppercase(),
            number: words()?,
        },
        "comment-begin" => SetItem::CommentBegins,
        "comment" => SetItem::Comment(words()),
        "flag-on" => SetItem::Flag(flag(node)?, true),
        "flag-off" => SetItem::Flag(flag(node)?, false),
        "observer" => SetItem::ObserverPress(match node.part("observer-may")?.first()?.rule() {
            "observer-any" => ObserverPress::Any,
            "observer-white" => ObserverPress::White,
            _ => ObserverPress::None,
        }),
        "press-none" => SetItem::Press(PressColors::None),
        "white" => SetItem::Press(PressColors::White),
        "grey" => SetItem::Press(PressColors::Grey),
        "white-grey" => SetItem::Press(PressColors::WhiteGrey),
        "grey-white" => SetItem::Press(PressColors::GreyWhite),
        "may-be-faked" => SetItem::PartialMayBeFaked,
        "faked-by-default" => SetItem::PartialFakesBroadcast,
        "no-fake-broadcast" => SetItem::NoFakeBroadcast,
        "no-fake" => SetItem::NoFake,
        "build-anywhere" => SetItem::BuildSites(BuildSites::Any),
        "build-home" => SetItem::BuildSites(BuildSites::Home),
        "build-one-home" => SetItem::BuildSites(BuildSites::One),
        "variant-option" => {
            SetItem::VariantOption(node.part("option-name")?.folded().to_owned(), true)
        }
        "variant-option-off" => {
            SetItem::VariantOption(node.part("option-name")?.folded().to_owned(), false)
        }
        "keeper-lists" | "not-offered-word" => {
            SetItem::NotOffered(node.text().to_ascii_uppercase())
        }
        _ => return None,
    })
}

/// The switch of `flag-on` or `flag-off`: the innermost rule's name says which.
fn flag(node: Node<'_>) -> Option<Flag> {
    node.all()
        .filter_map(|part| {
            let name = part.rule();
            Flag::named(name).or_else(|| Flag::named(name.strip_prefix("off-")?))
        })
        .last()
}

fn timing(node: Node<'_>) -> Option<SetItem> {
    let phase = match node.part("timing-phase")?.first()?.rule() {
        "timing-move" => PhaseKind::Movement,
        "timing-retreat" => PhaseKind::Retreats,
        _ => PhaseKind::Adjustments,
    };
    let mut keys = Vec::new();
    for part in node.parts().filter(|part| part.rule() == "timing-key") {
        let key = part.first()?;
        let kind = key.first().map_or("timing-days", |kind| kind.rule());
        let value = part.part("timing-value")?.text();
        match timing_value(kind, value) {
            Some(read) => keys.push(read),
            None => {
                keys.push(Timing::Bad {
                    key: key.text().to_owned(),
                    value: value.to_owned(),
                });
                break;
            }
        }
    }
    Some(SetItem::Timing { phase, keys })
}

fn timing_value(kind: &str, value: &str) -> Option<Timing> {
    let hours = || value.parse::<f64>().ok().filter(|hours| hours.is_finite());
    Some(match kind {
        "clock" => Timing::Clock(match value.split_once(':') {
            None => value.parse().ok()?,
            Some((hours, minutes)) => {
                let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
                if hours > 23 || minutes > 59 {
                    return None;
                }
                i64::from(hours) * 60 + i64::from(minutes)
            }
        }),
        "minimum" => Timing::Min(hours()?),
        "next" => Timing::Next(hours()?),
        "grace-hours" => Timing::Grace(hours()?),
        "delay" => Timing::Delay(hours()?),
        _ => Timing::Days(days(value)?),
    })
}

/// Seven signs, Sunday to Saturday: the day's letter or `-`, which mailers may have made a longer dash.
fn days(value: &str) -> Option<Days> {
    let text = Text::new(value);
    let written: Vec<char> = text.whole().chars().collect();
    let signs = text.rest(0).iter().zip(&written);
    let signs = signs.map(|(folded, sign)| if *folded == b'-' { '-' } else { *sign });
    let days = Days::try_from(signs.collect::<String>()).ok()?;
    (text.len() == written.len()).then_some(days)
}
