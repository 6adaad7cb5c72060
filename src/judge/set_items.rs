//! Which setting does what: every item that a SET line may hold, given to the room that carries it out.

use serde_json::{Value, json};

use super::errand::Errand;
use super::master::{self, Which};
use super::set::{self, Clock, ClockChange};
use super::sign_on::{Acting, Refused, refuse};
use super::{absence, votes};
use crate::commands::date_words::{DateWords, Sense, resolve};
use crate::commands::phase_name::PhaseKind;
use crate::commands::set_item::{
    Allowed, BuildWhere, Flag, Level, ObserverPress, PreferenceMethod, PressColors, SetItem, Timing,
};
use crate::game::{SightFrom, Tally};
use crate::map::Power;
use crate::variants;

type Said = Result<Vec<String>, Refused>;

/// What a setting needs to be proven (`judge-workflow.md` 7): that the mail really came from the address of record.
pub(super) fn needs_home(item: &SetItem) -> bool {
    matches!(
        item,
        SetItem::Password(_)
            | SetItem::Address(_)
            | SetItem::Deadline(_)
            | SetItem::Grace(_)
            | SetItem::Start(_)
            | SetItem::Allow { .. }
            | SetItem::Deny { .. }
    )
}

/// Carries out one setting; returns what to say of it.
pub(super) fn carry_out(errand: &mut Errand, acting: Acting, from: &str, item: &SetItem) -> Said {
    match item {
        SetItem::Wait(on) => set::wait(errand, acting, *on),
        SetItem::Preference(list) => set::preference(errand, acting, list),
        SetItem::Draw(list) => votes::draw(errand, acting, list.as_deref()),
        SetItem::NoDraw | SetItem::NoConcede => votes::withdraw(errand, acting),
        SetItem::Concede(to) => {
            let to = to.as_deref().and_then(|to| one_power(errand, to));
            votes::concede(errand, acting, to)
        }
        SetItem::Password(Some(word)) => set::password(errand, acting, &word.0),
        SetItem::Password(None) => refuse("SET PASSWORD needs a word: SET PASSWORD word."),
        SetItem::Address(address) => set::address(errand, acting, from, address.as_deref()),
        SetItem::AllPress(on) => set::all_press(errand, acting, *on),
        SetItem::Zone(zone) => set::zone(errand, acting, zone.as_deref()),
        SetItem::Remind(hours) => set::remind(errand, acting, *hours),
        SetItem::Deadline(date) => timed(errand, acting, Which::Deadline, date),
        SetItem::Grace(date) => timed(errand, acting, Which::Grace, date),
        SetItem::Start(date) => timed(errand, acting, Which::Start, date),
        SetItem::Timing { phase, keys } => timing(errand, acting, *phase, keys),
        SetItem::MaxAbsence(days) => number(
            errand,
            acting,
            "max_absence",
            *days,
            0,
            31,
            "the longest absence",
            "days",
        ),
        SetItem::Centers(n) => centers(errand, acting, *n),
        SetItem::Dedication(n) => set::value(
            errand,
            acting,
            "dedication",
            json!(n),
            "Parameter Change",
            &format!("set the least dedication to {n}"),
        ),
        SetItem::OnTimeRatio(r) => ratio(errand, acting, "on_time", *r, "least on-time ratio"),
        SetItem::ResignationRatio(r) => {
            ratio(errand, acting, "resigned", *r, "highest resignation ratio")
        }
        SetItem::Level(wanted) => {
            let name = level(*wanted);
            set::value(
                errand,
                acting,
                "level",
                json!(name),
                "Parameter Change",
                &format!("set the level to {name}"),
            )
        }
        SetItem::Access(_) => Ok(vec![
            "ACCESS is read and shown, but refuses nobody: sites are anybody's word.".to_owned(),
        ]),
        SetItem::Allow { address, remove } => listed(errand, acting, "allow", address, *remove),
        SetItem::Deny { address, remove } => listed(errand, acting, "deny", address, *remove),
        SetItem::Approve(powers) => {
            let powers = powers_of(errand, powers)?;
            set::approve(errand, acting, &powers, true)
        }
        SetItem::Disapprove(powers) => {
            let powers = powers_of(errand, powers)?;
            set::approve(errand, acting, &powers, false)
        }
        SetItem::Map(name) => map(errand, acting, name),
        SetItem::PreferenceMethod(method) => {
            set::before_start(errand)?;
            let (value, words) = match method {
                PreferenceMethod::Lists => ("list", "by preference lists"),
                PreferenceMethod::Both => {
                    ("both", "by lot to those whose list is *, then by lists")
                }
                PreferenceMethod::Lot => ("random", "by lot"),
            };
            set::value(
                errand,
                acting,
                "assignment",
                json!(value),
                "Parameter Change",
                &format!("set powers to be dealt {words}"),
            )
        }
        SetItem::Variant(words) => set::variant(errand, acting, words, true),
        SetItem::NotVariant(words) => set::variant(errand, acting, words, false),
        SetItem::Archive { name, number } => archive(errand, acting, name, number),
        SetItem::Comment(text) => comment(errand, acting, "comment", text.as_deref()),
        SetItem::CommentBegins => refuse("Put the text between SET COMMENT BEGIN and END COMMENT."),
        SetItem::Flag(flag, on) => switch(errand, acting, *flag, *on),
        SetItem::Press(colors) => colors_of_press(errand, acting, *colors),
        SetItem::PartialMayBeFaked => fakes(errand, acting, "may", "let partial press be faked"),
        SetItem::PartialFakesBroadcast => fakes(
            errand,
            acting,
            "broadcast-by-default",
            "let partial press read as a broadcast",
        ),
        SetItem::NoFakeBroadcast => {
            fakes(errand, acting, "partial-only", "forbade fake broadcasts")
        }
        SetItem::NoFake => fakes(errand, acting, "no", "forbade fakes"),
        SetItem::ObserverPress(who) => {
            let (value, words) = match who {
                ObserverPress::Any => ("any", "any press"),
                ObserverPress::White => ("white", "white press only"),
                ObserverPress::None => ("none", "no press"),
            };
            set::value(
                errand,
                acting,
                "observer_press",
                json!(value),
                "Parameter Change",
                &format!("allowed observers {words}"),
            )
        }
        SetItem::BuildWhere(sites) => {
            let (value, words) = match sites {
                BuildWhere::Home => ("home", "own homes"),
                BuildWhere::Any => ("any", "any owned center"),
                BuildWhere::One => ("one", "any owned center while one home is held"),
            };
            let said = set::value(
                errand,
                acting,
                "build_sites",
                json!(value),
                "Parameter Change",
                &format!("allowed builds in {words}"),
            );
            if said.is_ok() {
                set::irregular_after_start(errand);
            }
            said
        }
        SetItem::Sight {
            units,
            centers,
            homes,
        } => set::sight(
            errand,
            acting,
            SightFrom {
                units: *units,
                centers: *centers,
                homes: *homes,
            },
        ),
        SetItem::Players(n) => players(errand, acting, *n),
        SetItem::Absence { from, to } => absence::set(errand, acting, from, to.as_ref()),
        SetItem::NoAbsence(date) => absence::cancel(errand, acting, date.as_ref()),
        SetItem::Broadcast(_) | SetItem::Pictures(_) | SetItem::Powers(_) => {
            refuse("This setting is not offered by this judge.")
        }
        SetItem::VariantOption(name, _) => refuse(format!(
            "{} is not an option of this variant.",
            name.to_uppercase()
        )),
        SetItem::NotOffered(name) => refuse(format!(
            "{} is not offered by this judge.",
            name.to_uppercase()
        )),
        SetItem::Named {
            name,
            value,
            wanted,
        } => named(errand, acting, name, value, wanted),
    }
}

/// One power by letter, name or adjective.
fn one_power(errand: &Errand, text: &str) -> Option<Power> {
    match powers_of(errand, text).ok()?.as_slice() {
        [power] => Some(*power),
        _ => None,
    }
}

fn powers_of(errand: &Errand, text: &str) -> Result<Vec<Power>, Refused> {
    let Some(game) = errand.game() else {
        return refuse("Sign on to a game first.");
    };
    let list = crate::commands::power_list::read_powers(text, &game.powers)
        .map_err(|error| Refused(error.to_string()))?;
    Ok(list.powers.into_iter().collect())
}

/// A date in the sender's zone; without a time of day the clock of the phase in hand, or 23:30.
pub(super) fn moment(
    errand: &Errand,
    acting: Acting,
    date: &DateWords,
    sense: Sense,
) -> Result<jiff::Timestamp, Refused> {
    let Some(game) = errand.game() else {
        return refuse("Sign on to a game first.");
    };
    let zone = game.zone_of(game.seat(acting.seat));
    let minute = game
        .clock(variants::of(&game.variant))
        .clock
        .unwrap_or(23 * 60 + 30);
    let time =
        jiff::civil::Time::new((minute / 60) as i8, (minute % 60) as i8, 0, 0).unwrap_or_default();
    resolve(date, errand.now, &zone, time, sense).map_err(|error| Refused(error.to_string()))
}

fn timed(errand: &mut Errand, acting: Acting, which: Which, date: &DateWords) -> Said {
    let allowed = errand
        .game()
        .is_some_and(|game| master::may_rule(game, acting));
    if !allowed {
        master::only_master(errand, acting, "SET DEADLINE, SET GRACE and SET START")?;
    }
    let at = moment(errand, acting, date, Sense::Ahead)?;
    master::set_time(errand, acting, which, at)
}

fn timing(errand: &mut Errand, acting: Acting, phase: PhaseKind, keys: &[Timing]) -> Said {
    let which = match phase {
        PhaseKind::Movement => Clock::Move,
        PhaseKind::Retreats | PhaseKind::Life => Clock::Retreat,
        PhaseKind::Adjustments => Clock::Adjust,
    };
    let mut changes = Vec::new();
    for key in keys {
        changes.push(match key {
            Timing::Clock(minute) => ClockChange::Clock(*minute),
            Timing::Min(hours) => ClockChange::Min(*hours),
            Timing::Next(hours) => ClockChange::Next(*hours),
            Timing::Grace(hours) => ClockChange::Grace(*hours),
            Timing::Delay(hours) => ClockChange::Delay(*hours),
            Timing::Days(days) => ClockChange::Days(
                days.iter()
                    .zip("SMTWTFS".chars())
                    .map(|(day, letter)| match day {
                        Allowed::Always => letter,
                        Allowed::FromNoon => letter.to_ascii_lowercase(),
                        Allowed::Never => '-',
                    })
                    .collect(),
            ),
            Timing::Bad { key, value } => {
                return refuse(format!(
                    "{key} {value} cannot be read; nothing of this line was changed."
                ));
            }
        });
    }
    set::clock(errand, acting, which, &changes)
}

#[allow(clippy::too_many_arguments)] // A row of a table.
fn number(
    errand: &mut Errand,
    acting: Acting,
    field: &str,
    n: i64,
    least: i64,
    most: i64,
    what: &str,
    unit: &str,
) -> Said {
    if !(least..=most).contains(&n) {
        return refuse(format!("{what} is {least} to {most} {unit}."));
    }
    set::value(
        errand,
        acting,
        field,
        json!(n),
        "Parameter Change",
        &format!("set {what} to {n} {unit}"),
    )
}

fn centers(errand: &mut Errand, acting: Acting, n: i64) -> Said {
    let game = master::game_of(errand)?;
    let most = game.map().centers().len() as i64;
    let (noun, title) = match variants::of(&game.variant).winning().tally {
        Tally::Centers => ("centers", "Centers"),
        Tally::Units => ("units", "Units"),
    };
    if most == 0 {
        return refuse("This variant is played without supply centers, and what wins it is fixed.");
    }
    if !(1..=most).contains(&n) {
        return refuse(format!("The winning number of {noun} is 1 to {most}."));
    }
    let tail = format!("Winning {title} Changed to {n}");
    set::value(
        errand,
        acting,
        "centers",
        json!(n),
        &tail,
        &format!("changed the winning {noun} to {n}"),
    )
}

/// SET PLAYERS: the number that begins the game, where the variant leaves it open.
fn players(errand: &mut Errand, acting: Acting, n: i64) -> Said {
    set::before_start(errand)?;
    let game = master::game_of(errand)?;
    let variant = variants::of(&game.variant);
    let (least, most) = variant.players(game.map()).into_inner();
    let seated = game.seated(crate::game::Role::Player).count();
    let wanted = usize::try_from(n).unwrap_or(0);
    if least == most {
        return refuse(format!("This variant is always for {least} players."));
    }
    if !(least..=most).contains(&wanted) {
        return refuse(format!("This variant is for {least} to {most} players."));
    }
    if wanted < seated {
        return refuse(format!("There are {seated} players already."));
    }
    let said = set::value(
        errand,
        acting,
        "players",
        json!(n),
        "Parameter Change",
        &format!("set the game to begin with {n} players"),
    );
    if said.is_ok() {
        errand.send_notices();
        super::starting::begin_if_full(errand);
    }
    said
}

fn ratio(errand: &mut Errand, acting: Acting, field: &str, r: f64, what: &str) -> Said {
    if !(0.0..=1.0).contains(&r) {
        return refuse(format!("The {what} is a number from 0 to 1."));
    }
    let hundredths = (r * 100.0).round() as u32;
    set::value(
        errand,
        acting,
        field,
        json!(hundredths),
        "Parameter Change",
        &format!("set the {what} to {r}"),
    )
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Any => "Any",
        Level::Novice => "Novice",
        Level::Amateur => "Amateur",
        Level::Intermediate => "Intermediate",
        Level::Advanced => "Advanced",
        Level::Expert => "Expert",
    }
}

fn listed(errand: &mut Errand, acting: Acting, field: &str, address: &str, remove: bool) -> Said {
    let Ok(address) = crate::mails::inbound::Address::parse(address) else {
        return refuse(format!("'{address}' is not an address."));
    };
    let game = errand
        .game()
        .map(|game| game.settings.value(field).unwrap_or(Value::Null));
    let mut list: std::collections::BTreeSet<String> = game
        .and_then(|value| serde_json::from_value(value).ok())
        .unwrap_or_default();
    if remove {
        list.remove(&address.key());
    } else {
        list.insert(address.key());
    }
    let words = if field == "allow" {
        "changed who may join"
    } else {
        "changed who may not join"
    };
    set::value(
        errand,
        acting,
        field,
        json!(list),
        "Parameter Change",
        words,
    )
}

fn map(errand: &mut Errand, acting: Acting, name: &str) -> Said {
    set::before_start(errand)?;
    match crate::map::Map::named(name) {
        None => refuse(format!("This judge has no map '{name}'.  Maps: standard.")),
        Some(map) => set::map(errand, acting, map.name()),
    }
}

fn archive(errand: &mut Errand, acting: Acting, name: &str, number: &str) -> Said {
    let Some(mut numbers) = errand.game().map(|game| game.settings.numbers.clone()) else {
        return refuse("Sign on to a game first.");
    };
    numbers.insert(name.to_uppercase(), number.to_owned());
    set::value(
        errand,
        acting,
        "numbers",
        json!(numbers),
        "Parameter Change",
        &format!("noted the number {number}"),
    )
}

fn comment(errand: &mut Errand, acting: Acting, field: &str, text: Option<&str>) -> Said {
    let text = text.map(|text| {
        text.chars()
            .take(if field == "comment" { 60 } else { 10_000 })
            .collect::<String>()
    });
    set::value(
        errand,
        acting,
        field,
        json!(text),
        "Parameter Change",
        "changed the comment",
    )
}

/// SET COMMENT BEGIN … END: the text of the full listing.
pub(super) fn information(errand: &mut Errand, acting: Acting, text: &str) -> Said {
    comment(errand, acting, "information", Some(text))
}

fn switch(errand: &mut Errand, acting: Acting, flag: Flag, on: bool) -> Said {
    let field = match flag {
        Flag::Nmr => "nmr",
        Flag::Listed => "list",
        Flag::Moderated => "moderated",
        Flag::ManualProcess => "manual_process",
        Flag::ManualStart => "manual_start",
        Flag::StrictWait => "strict_wait",
        Flag::StrictGrace => "strict_grace",
        Flag::StrictCoasts => "strict_coasts",
        Flag::LateList => "latelist",
        Flag::LateCount => "late_count",
        Flag::Dias => "dias",
        Flag::Concessions => "concessions",
        Flag::Approval => "approval",
        Flag::BlindMaster => "blind_master",
        Flag::Reveal => "reveal",
        Flag::Quiet => "quiet",
        Flag::Rated => "rated",
        Flag::Resume => "resume_any",
        Flag::WatchAllPress => "watch_all_press",
        Flag::LatePress => "late_press",
        Flag::MinorPress => "minor_press",
        Flag::GracePress => "grace_press",
        Flag::MustOrder => "must_order",
        Flag::Early => "early",
        Flag::Partial => "partial",
        Flag::Proxy => "proxy",
        // A switch that changes nothing would deceive: what has no effect yet is not offered.
        Flag::StrictConvoy
        | Flag::RevealPress
        | Flag::Secret
        | Flag::Show
        | Flag::TouchPress
        | Flag::PostalPress
        | Flag::BlankPress
        | Flag::AutoDisband
        | Flag::AnyDisband
        | Flag::Disband
        | Flag::BlankBoard => {
            return refuse(format!(
                "{} is not offered by this judge.",
                flag.name().replace('-', " ").to_uppercase()
            ));
        }
    };
    let game = master::game_of(errand)?;
    let changes = game.settings.value(field) != Some(json!(on));
    match (flag, on) {
        (Flag::MinorPress, _) => set::before_start(errand)?,
        // What was sealed from the master is not for him to open.
        (Flag::BlindMaster, false) if changes => set::before_start(errand)?,
        // Where nobody moderates, no player names the others.
        (Flag::Reveal, true) if changes && game.begun() => {
            master::only_master(errand, acting, "SET REVEAL")?;
        }
        _ => {}
    }
    set::switch(errand, acting, &camel(flag.name()), field, on)
}

/// `strict-wait` as players read it: `StrictWait`; short words wholly in capitals.
fn camel(name: &str) -> String {
    if matches!(name, "nmr" | "dias") {
        return name.to_uppercase();
    }
    name.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}

fn colors_of_press(errand: &mut Errand, acting: Acting, colors: PressColors) -> Said {
    let (white, grey, grey_first, words) = match colors {
        PressColors::None => (false, false, false, "no press"),
        PressColors::White => (true, false, false, "white press"),
        PressColors::Grey => (false, true, true, "grey press"),
        PressColors::WhiteGrey => (true, true, false, "white and grey press"),
        PressColors::GreyWhite => (true, true, true, "grey and white press"),
    };
    // Three fields that only together mean something: the last of them tells.
    for (field, on) in [("white", white), ("grey", grey)] {
        if errand.game().is_some_and(|game| {
            master::may_rule(game, acting) && game.settings.value(field) != Some(json!(on))
        }) {
            errand.emit(crate::game::Event::Set {
                name: field.to_owned(),
                value: json!(on),
            });
        }
    }
    let changed = errand
        .game()
        .is_some_and(|game| game.settings.grey_first != grey_first);
    let done = format!("set the game to {words}");
    if changed {
        set::value(
            errand,
            acting,
            "grey_first",
            json!(grey_first),
            "Parameter Change",
            &done,
        )
    } else {
        set::told(errand, acting, "Parameter Change", &done)
    }
}

fn fakes(errand: &mut Errand, acting: Acting, value: &str, words: &str) -> Said {
    set::value(
        errand,
        acting,
        "fakes",
        json!(value),
        "Parameter Change",
        words,
    )
}

/// A setting of the variant, or none at all.
fn named(errand: &mut Errand, acting: Acting, name: &str, value: &str, wanted: &[String]) -> Said {
    let Some(game) = errand.game() else {
        return refuse("Sign on to a game first.");
    };
    let key = SetItem::key(name);
    let setting = variants::of(&game.variant)
        .settings()
        .iter()
        .find(|setting| setting.name == key);
    let Some(setting) = setting else {
        let hint = match wanted {
            [] => String::new(),
            wanted => format!("  {} takes {}.", name.to_uppercase(), wanted.join(" or ")),
        };
        return refuse(format!(
            "Invalid command: there is no such setting.{hint}  The rest of the line was not read."
        ));
    };
    set::before_start(errand)?;
    let value = SetItem::key(value.trim());
    if !setting.values.is_empty() && !setting.values.contains(&value.as_str()) {
        return refuse(format!(
            "{} takes {}.",
            name.to_uppercase(),
            setting.values.join(" or ")
        ));
    }
    let mut own = game.settings.own.clone();
    own.insert(key.clone(), value.clone());
    set::value(
        errand,
        acting,
        "own",
        json!(own),
        "Parameter Change",
        &format!("set {key} to {value}"),
    )
}
