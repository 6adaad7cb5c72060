//! Mails compared byte for byte with the files of `tests/reports/`; a mail that differs is written beside its file as
//! `NAME.failed`. The same files are read by `tests/it/reports.rs` as the old mapping tools would read them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::samples::*;
use super::samples_blind::*;
use super::*;
use dipjudge_view::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/reports");

fn mail(text: &Text) -> String {
    format!("Subject: {}\n\n{}", text.subject, text.body())
}

/// Every sample as plain text, by the name of its file.
fn mails(templates: &Templates) -> BTreeMap<&'static str, String> {
    let texts = texts(templates).into_iter();
    texts.map(|(name, text)| (name, mail(&text))).collect()
}

/// Every sample, by the name of its file.
pub(super) fn texts(templates: &Templates) -> BTreeMap<&'static str, Text> {
    let t = templates;
    let mut mails = BTreeMap::new();
    let mut add = |name, text: Result<Text, RenderError>| {
        let text = text.unwrap();
        assert_eq!(text.fault, None);
        assert!(mails.insert(name, text).is_none(), "{name} twice");
    };

    // Replies (6.2).
    add("reply-error", reply(t, &error_reply()));
    add("reply-complete", reply(t, &complete_reply()));
    for (name, warning) in warnings() {
        add(
            name,
            reply(
                t,
                &Reply {
                    warning,
                    ..Reply {
                        answers: vec![],
                        ..bare_reply()
                    }
                },
            ),
        );
    }
    add("reply-retreat", reply(t, &retreat_reply()));
    add("reply-winter", reply(t, &winter_reply()));
    add("reply-proxy", reply(t, &proxy_reply()));
    add(
        "reply-nothing-due",
        reply(
            t,
            &Reply {
                errors: 2,
                ..bare_reply()
            },
        ),
    );
    add("reply-stranger", reply(t, &stranger_reply()));
    add(
        "reply-held-back",
        reply(
            t,
            &Reply {
                proposed: vec!["GET SYNTAX".to_owned()],
                held_back: true,
                ..Reply::new("USXX", "hello")
            },
        ),
    );
    add("reply-master", reply(t, &master_reply()));
    for (name, changed) in master_replies() {
        add(name, reply(t, &changed));
    }

    // Results (6.3 to 6.5).
    let phase = |token, report: &PhaseReport| {
        let whole = Results::Whole(Box::new(report.clone()));
        results(t, &heading(token), &whole, &[])
    };
    add("results-movement", phase("S1902M", &movement_report()));
    add("results-retreat", phase("F1902R", &retreat_report()));
    add("results-adjustment", phase("F1902B", &winter_report()));
    add(
        "results-adjustment-rare",
        phase("F1902B", &rare_winter_report()),
    );
    add("results-victory", phase("F1909M", &victory_report()));
    add("results-reasons", phase("F1902M", &explained_report()));
    add(
        "results-no-deadline",
        phase("F1902R", &no_deadline_report()),
    );
    add(
        "results-postal-press",
        phase("S1902M", &movement_report())
            .map(|text| text.with_section("Postal press", "From England to France:\n\nHello.\n")),
    );
    let seen = |report: SightReport| Results::Sight(Box::new(report));
    let told = |token, report: &Results| results(t, &heading(token), report, &[]);
    add("sight-movement", told("F1902M", &seen(sight_movement())));
    add("sight-retreats", told("S1902R", &seen(sight_retreats())));
    add("sight-winter", told("F1902B", &seen(sight_winter())));
    let open = calendar(None);
    let closed = calendar(next_phase("Retreats", "Spring of 1902").deadline);
    for (name, report) in [("sight-calendar", closed), ("sight-calendar-open", open)] {
        add(name, told("S1902M", &Results::Calendar(report)));
    }
    let whole = Results::Whole(Box::new(movement_report()));
    assert_eq!(
        told("S1902M", &whole).unwrap(),
        phase("S1902M", &movement_report()).unwrap()
    );
    for (name, power) in [
        ("game-start-blind", Some("Austria")),
        ("game-start-blind-observer", None),
    ] {
        add(
            name,
            game_start(t, &heading("S1901M"), &blind_opening(power)),
        );
    }
    add(
        "pending-orders",
        pending_orders(t, &heading("F1901M"), &french_orders(), &pending_errors()),
    );

    // Start, reminders, notices (6.6, 6.7).
    add(
        "game-start",
        game_start(t, &heading("S1901M"), &opening_mail(Some("France"))),
    );
    add(
        "game-start-observer",
        game_start(
            t,
            &heading("S1901M"),
            &GameStart {
                tables: Vec::new(),
                deadline: None,
                ..opening_mail(None)
            },
        ),
    );
    add(
        "new-leader",
        new_leader(t, &heading("F1901M"), &new_leader_mail()),
    );
    add(
        "reminder",
        reminder(t, &heading("F1901M"), &turkish_reminder()),
    );
    for (name, late) in lates() {
        let heading = heading("F1901M");
        let letters = if late.powers.is_empty() { "?" } else { "FT" };
        let copy = match name {
            "late" => LateCopy::LatePower,
            _ => LateCopy::Other,
        };
        add(name, late_notice(t, &heading, &late, letters, copy));
    }
    let waiting = WaitingNotice {
        powers: vec![label("Turkey")],
    };
    add(
        "waiting",
        waiting_for_replacements(t, &heading("F1901M"), &waiting, "T"),
    );
    add(
        "forming",
        forming_waiting(
            t,
            &Heading {
                deadline: None,
                ..heading("")
            },
            3,
        ),
    );
    add(
        "takeover",
        notice(t, &heading("F1901M"), "New Player Signon: T", takeover()),
    );
    let mut timing = Document::from("gm@ex.org as Master has changed the timing:".to_owned());
    timing.append(parameter_block(t, &parameters()).unwrap());
    add(
        "notice-parameters",
        notice(t, &heading("F1901M"), "Parameter Change", timing),
    );
    add("press", press(t, &heading("S1901M"), &channel()));
    add(
        "stranger",
        stranger_notice(
            t,
            "USXX",
            "Re: hello",
            "Your mail was too large; at most 1 MiB is read.".to_owned(),
        ),
    );
    add(
        "keeper",
        keeper_notice(
            t,
            "USXX",
            "a mail was set aside",
            "It has no readable text.".to_owned(),
        ),
    );

    // Ends (6.9).
    let power = |name: &str| NamedPower {
        label: label(name),
        letter: name[..1].to_owned(),
    };
    let end = |token, ending, seed: &str| {
        let closing = EndDisclosure {
            seed: seed.to_owned(),
            ..EndDisclosure::default()
        };
        game_over(t, &heading(token), &ending, &closing)
    };
    let three = vec![power("England"), power("France"), power("Turkey")];
    add("draw", end("S1910M", Ending::Draw(three), ""));
    add(
        "victory",
        end("F1909M", Ending::Victory(vec![power("Austria")]), "00ff"),
    );
    add(
        "concession",
        end("F1909M", Ending::Concession(power("Austria")), ""),
    );
    add("terminated", end("F1909M", Ending::Terminated, ""));

    // Lists (6.8, 6.9), inside a reply.
    let mut show = |name, text: Result<Document, RenderError>| {
        let shown = Answer::show(text.unwrap());
        add(
            name,
            reply(
                t,
                &Reply {
                    answers: vec![shown],
                    ..Reply::new("USXX", "list")
                },
            ),
        );
    };
    let everything = TrialNote {
        unseen: true,
        dice: true,
    };
    show("trial", trial_section(t, &tried_report(), everything));
    show("reckoning", reckoning_section(t, &bounced_reckoning()));
    show("reckoning-success", reckoning_section(t, &easy_reckoning()));
    show("orders-told", orders_told_section(t, &told_orders()));
    show("list-brief", list_brief(t, &listed_games()));
    show("list-none", list_brief(t, &[]));
    let games = listed_games();
    let newcomer_to = |games| Newcomer {
        judge: "USXX",
        games,
        meant: None,
        others: false,
        more: false,
    };
    show(
        "newcomer",
        newcomer(
            t,
            &Newcomer {
                meant: Some("alpine"),
                others: true,
                more: true,
                ..newcomer_to(&games)
            },
        ),
    );
    show("newcomer-none", newcomer(t, &newcomer_to(&[])));
    show("list-full", list_full(t, &listing()));
    show("list-centers", list_full(t, &rich_listing()));
    show("list-forming", list_full(t, &forming_listing()));
    show(
        "list-sign-up",
        list_full(
            t,
            &Listing {
                sign_up: Some(moment("2026-12-14T10:05:00")),
                ..forming_listing()
            },
        ),
    );
    show(
        "list-no-deadline",
        list_full(
            t,
            &Listing {
                tables: Vec::new(),
                deadline: None,
                all_in: Some(true),
                ..listing()
            },
        ),
    );
    show("list-blind", list_full(t, &blind_listing()));
    show("summary", summary(t, &kaiser_summary()));
    show("summary-blind", summary(t, &blind_summary()));
    show(
        "history",
        history(t, &told_history(HistoryEnd::Information)),
    );
    show(
        "history-limit",
        history(t, &told_history(HistoryEnd::LineLimit)),
    );
    show(
        "history-range",
        history(t, &told_history(HistoryEnd::TimeRange)),
    );
    show("map", map_page(t, &small_map()));
    show("whogame", whogame(t, "kaiser", &people()));
    show(
        "registered",
        user_registered(
            t,
            "Zoe Example",
            "zoe@ex.org",
            Registration::Added,
            Followed::ByNoSignOn,
            &["Phone".into(), "Birthdate".into()],
        ),
    );
    show(
        "registered-again",
        user_registered(
            t,
            "Zoe  Example",
            "zoe@ex.org",
            Registration::Replaced,
            Followed::ByNoSignOn,
            &[],
        ),
    );
    mails
}

#[test]
fn every_mail_is_as_its_file() {
    let mails = mails(&Templates::built_in());
    let mut failed = Vec::new();
    for (name, mail) in &mails {
        let file = format!("{FOLDER}/{name}.txt");
        let wanted = std::fs::read_to_string(&file).unwrap_or_default();
        let beside = format!("{FOLDER}/{name}.failed");
        if *mail == wanted {
            let _ = std::fs::remove_file(beside);
        } else {
            std::fs::write(beside, mail).unwrap();
            failed.push(*name);
        }
    }
    assert!(
        failed.is_empty(),
        "mails that differ from their file in tests/reports: {failed:?}"
    );
    let files: BTreeSet<String> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    assert_eq!(
        files,
        mails.keys().map(|name| (*name).to_owned()).collect(),
        "files that no mail belongs to"
    );
}

#[test]
fn only_lines_that_may_not_be_broken_are_longer_than_78() {
    for (name, mail) in mails(&Templates::built_in()) {
        for line in mail.lines().filter(|line| line.chars().count() > 78) {
            let unbreakable = line.starts_with("Subject: ")
                || line.starts_with(":: ")
                || line.contains("There is less than")
                || line.contains("is waiting for someone to take over")
                || line.starts_with("Game 'kaiser' order #")
                || line.contains(" clock ")
                || line.contains("  (*")
                || line.starts_with("tokyo ")
                || line.starts_with("seven ");
            assert!(unbreakable, "{name}: {line}");
        }
    }
}

/// Every field of every mail is used by its template: changing it changes the text in at least one sample. Fields that
/// do not exist are errors already, for undefined names are.
#[test]
fn every_field_is_used_and_every_template_is_filled() {
    let filled = Arc::new(Mutex::new(Vec::new()));
    let mut recording = Templates::built_in();
    recording.filled = Some(filled.clone());
    mails(&recording);
    let filled = filled.lock().unwrap().clone();
    let plain = Templates::built_in();
    let mut uses: BTreeMap<(String, String), bool> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (name, fields) in &filled {
        seen.insert(name.as_str());
        let (name_static, _) = Templates::defaults()
            .iter()
            .find(|(known, _)| known == name)
            .unwrap();
        let before = plain
            .fill(name_static, fields.clone())
            .unwrap()
            .document
            .text();
        for path in leaves(fields, String::new()) {
            let mut changed = fields.clone();
            change(changed.pointer_mut(&path).unwrap());
            let after = plain.fill(name_static, changed).unwrap().document.text();
            let general: Vec<&str> = path
                .split('/')
                .map(|part| {
                    if part.parse::<usize>().is_ok() {
                        "*"
                    } else {
                        part
                    }
                })
                .collect();
            *uses.entry((name.clone(), general.join("/"))).or_default() |= after != before;
        }
    }
    let unused: Vec<_> = uses
        .iter()
        .filter(|(_, used)| !**used)
        .map(|(field, _)| field)
        .collect();
    assert!(
        unused.is_empty(),
        "fields that no template shows: {unused:?}"
    );
    let unseen: Vec<_> = Templates::defaults()
        .iter()
        .filter(|(name, _)| !seen.contains(name))
        .collect();
    assert!(
        unseen.is_empty(),
        "templates that no sample fills: {unseen:?}"
    );
    for (name, _) in Templates::defaults() {
        let asked = plain.names_asked(name);
        let given: BTreeSet<String> = filled
            .iter()
            .filter(|(filled, _)| filled == name)
            .flat_map(|(_, fields)| fields.as_object().unwrap().keys().cloned())
            .collect();
        assert_eq!(asked, given, "fields of {name}");
    }
}

#[test]
fn the_readme_of_the_templates_names_every_field() {
    let readme = include_str!("../../../mailtemplates/README.md");
    let plain = Templates::built_in();
    for (name, _) in Templates::defaults() {
        let row = readme
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("the README does not name {name}"));
        for field in plain.names_asked(name) {
            assert!(
                row.contains(&format!("`{field}`")),
                "{name}: the README does not name {field}"
            );
        }
    }
}

fn leaves(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Object(map) if map.contains_key("document") => vec![path],
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, inner)| leaves(inner, format!("{path}/{key}")))
            .collect(),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .flat_map(|(i, inner)| leaves(inner, format!("{path}/{i}")))
            .collect(),
        Value::Null => vec![],
        _ => vec![path],
    }
}

fn change(value: &mut Value) {
    match value {
        Value::String(text) => text.push('§'),
        Value::Bool(yes) => *yes = !*yes,
        Value::Number(number) => *value = Value::from(number.as_i64().unwrap() + 1),
        Value::Object(document) => {
            *document = Document::from("§".to_owned())
                .field()
                .as_object()
                .unwrap()
                .clone();
        }
        Value::Null | Value::Array(_) => unreachable!("not a leaf"),
    }
}
