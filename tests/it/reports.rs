//! The mails of `tests/reports/`, which are what the judge writes (`mails::outbound` compares them byte for byte), read
//! as the old mapping tools read them.

use crate::old_tools::{Order, Parsed, Retreat, Subject, Winter, history, read};

fn sample(name: &str) -> (String, String) {
    let file = format!("{}/tests/reports/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let mail = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (subject, body) = mail.split_once("\n\n").unwrap();
    (
        subject.strip_prefix("Subject: ").unwrap().to_owned(),
        body.to_owned(),
    )
}

fn parsed(name: &str) -> Parsed {
    let (subject, body) = sample(name);
    read(&subject, &body)
}

fn order(power: &str, kind: &str, place: &str, verb: &str, rest: &[&str], marks: &[&str]) -> Order {
    let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    Order {
        power: power.into(),
        kind: kind.into(),
        place: place.into(),
        verb: verb.into(),
        rest: own(rest),
        marks: own(marks),
    }
}

fn three(power: &str, kind: &str, place: &str) -> (String, String, String) {
    (power.into(), kind.into(), place.into())
}

#[test]
fn movement_results_are_read_whole() {
    let mail = parsed("results-movement");
    let subject = Subject {
        judge: "USXX".into(),
        game: "kaiser".into(),
        phase: "S1902M".into(),
    };
    assert_eq!(mail.subject, Some(subject));
    assert_eq!(
        mail.header,
        Some(("USXX".into(), "Kaiser".into(), "Standard".into()))
    );
    assert_eq!(
        mail.deadline,
        Some(("S1902M".into(), "Mon Dec 07 2026 23:30:00 +0000".into()))
    );
    assert_eq!(
        mail.report,
        Some(("Movement".into(), "results".into(), "Spring".into(), 1902))
    );
    assert_eq!(
        mail.orders,
        [
            order(
                "Austria",
                "Army",
                "Serbia",
                "SUPPORT",
                &["Russian Army Rumania -> Bulgaria"],
                &[]
            ),
            order(
                "Austria",
                "Fleet",
                "Greece",
                "MOVE",
                &["Aegean Sea"],
                &["bounce"]
            ),
            order(
                "England",
                "Army",
                "Yorkshire",
                "MOVE",
                &["North Sea", "Norway"],
                &[]
            ),
            order(
                "England",
                "Fleet",
                "North Sea",
                "CONVOY",
                &["Army Yorkshire -> Norway"],
                &[]
            ),
            order(
                "France",
                "Army",
                "Burgundy",
                "SUPPORT",
                &["Army Paris -> Picardy"],
                &["cut", "dislodged"]
            ),
            order("France", "Army", "Paris", "MOVE", &["Picardy"], &[]),
            order("France", "Fleet", "Brest", "NONE", &[], &[]),
            order(
                "Italy",
                "Army",
                "Tunis",
                "SUPPORT",
                &["Fleet Naples -> Ionian Sea"],
                &["void"]
            ),
        ]
    );
    let options = ["Gascony", "Paris", "Belgium"].map(str::to_owned).to_vec();
    assert_eq!(
        mail.dislodged,
        [("French".into(), "Army".into(), "Burgundy".into(), options)]
    );
    assert_eq!(mail.destroyed, [three("Turkish", "Army", "Bulgaria")]);
    assert_eq!(
        mail.next,
        Some(("kaiser".into(), "Retreats".into(), "Spring".into(), 1902))
    );
    assert_eq!(
        mail.next_deadline.as_deref(),
        Some("Fri Dec 18 2026 21:31:00 +0000")
    );
}

#[test]
fn wrapped_retreats_and_explanations_do_not_confuse() {
    let mail = parsed("results-reasons");
    assert_eq!(mail.orders.len(), 8);
    let (power, kind, place, options) = &mail.dislodged[0];
    assert_eq!(
        (power.as_str(), kind.as_str(), place.as_str()),
        ("German", "Fleet", "North Sea")
    );
    assert_eq!(
        options,
        &["Norwegian Sea", "Skagerrak", "Belgium", "London"]
    );
    assert_eq!(mail.dislodged[1].2, "Spain (south coast)");
    assert_eq!(mail.destroyed.len(), 1);
    assert!(mail.next.is_some());
}

#[test]
fn retreat_results_and_both_tables_are_read_whole() {
    let mail = parsed("results-retreat");
    let retreat =
        |power: &str, kind: &str, place: &str, to: Option<&str>, marks: &[&str]| Retreat {
            power: power.into(),
            kind: kind.into(),
            place: place.into(),
            to: to.map(Into::into),
            marks: marks.iter().map(|mark| (*mark).to_owned()).collect(),
        };
    assert_eq!(
        mail.retreats,
        [
            retreat("France", "Army", "Burgundy", Some("Gascony"), &[]),
            retreat(
                "Italy",
                "Fleet",
                "Tyrrhenian Sea",
                Some("Tuscany"),
                &["bounce", "destroyed"]
            ),
            retreat("Russia", "Army", "Rumania", None, &[]),
            retreat("Turkey", "Army", "Bulgaria", None, &[]),
        ]
    );
    assert_eq!(mail.ownership.len(), 2);
    assert_eq!(
        mail.ownership[0].1,
        ["Budapest", "Greece", "Serbia", "Trieste", "Vienna"]
    );
    assert_eq!(mail.ownership[1].0, "Unowned");
    assert_eq!(mail.ownership[1].1.len(), 10);
    assert_eq!(
        mail.counts,
        [
            ("Austria".into(), 5, 3, 2),
            ("France".into(), 3, 4, -1),
            ("Turkey".into(), 4, 3, 1)
        ]
    );
    assert_eq!(
        mail.next,
        Some(("kaiser".into(), "Adjustments".into(), "Winter".into(), 1902))
    );
}

#[test]
fn adjustment_results_are_read_whole() {
    let text = |words: &str| words.to_owned();
    let mail = parsed("results-adjustment");
    assert_eq!(
        mail.winter,
        [
            Winter::Builds(text("Austria"), text("army"), text("Trieste")),
            Winter::Waived(text("Austria")),
            Winter::Removes(text("France"), text("army"), text("Gascony"), false),
            Winter::Removes(text("Germany"), text("fleet"), text("Kiel"), true),
            Winter::Builds(
                text("Russia"),
                text("fleet"),
                text("St Petersburg (north coast)")
            ),
            Winter::Counted(text("Turkey"), 1, text("unusable build waived")),
        ]
    );
    assert_eq!(
        mail.next,
        Some(("kaiser".into(), "Movement".into(), "Spring".into(), 1903))
    );
    let rare = parsed("results-adjustment-rare");
    assert_eq!(
        rare.winter[0],
        Winter::Removes(text("England"), text("fleet"), text("North Sea"), false)
    );
    let reply = parsed("reply-winter");
    assert!(
        reply
            .winter
            .contains(&Winter::Counted(text("Austria"), 2, text("builds pending")))
    );
}

#[test]
fn a_start_and_a_listing_tell_the_position() {
    let mail = parsed("game-start");
    assert_eq!(mail.selected.as_deref(), Some("France"));
    assert_eq!(mail.players[1], ("Austria".into(), "anna@ex.org".into()));
    assert_eq!(mail.players.len(), 3);
    assert_eq!(mail.position_of, Some(("Spring".into(), 1901)));
    assert_eq!(
        mail.position,
        [
            three("Austria", "Army", "Vienna"),
            three("Austria", "Army", "Budapest"),
            three("Austria", "Fleet", "Trieste"),
            three("France", "Army", "Paris"),
            three("Russia", "Fleet", "St Petersburg (south coast)"),
        ]
    );
    let listing = parsed("list-centers");
    assert_eq!(listing.position_of, Some(("Fall".into(), 1901)));
    assert_eq!(
        listing.position[1],
        three("France", "Fleet", "Spain (south coast)")
    );
    assert_eq!(listing.counts.len(), 3);
}

#[test]
fn replies_are_read_as_orders() {
    let mail = parsed("reply-error");
    assert_eq!(
        mail.report,
        Some(("Movement".into(), "orders".into(), "Spring".into(), 1901))
    );
    assert_eq!(mail.subject.unwrap().phase, "S1901M");
    assert_eq!(mail.orders.len(), 3);
    assert_eq!(
        mail.orders[1],
        order(
            "England",
            "Fleet",
            "Edinburgh",
            "MOVE",
            &["Norwegian Sea"],
            &[]
        )
    );
    let warned = parsed("reply-complete");
    assert_eq!(warned.orders[1].marks, ["WARN: check convoy"]);
    assert_eq!(parsed("reply-retreat").retreats[0].place, "Bulgaria");
}

#[test]
fn the_end_is_noticed() {
    let mail = parsed("results-victory");
    assert!(mail.over);
    assert_eq!(mail.next, None);
    assert_eq!(mail.counts[0], ("Austria".into(), 18, 17, 1));
}

#[test]
fn a_history_falls_apart_into_its_mails() {
    let (_, body) = sample("history");
    let mails = history(&body);
    assert_eq!(mails.len(), 1);
    let mail = read(&mails[0].0, &mails[0].1);
    assert_eq!(mail.subject.unwrap().phase, "S1901M");
    assert_eq!(
        mail.report,
        Some(("Movement".into(), "results".into(), "Spring".into(), 1901))
    );
}

/// The lines of 6.10 in every mail there is: a `::` block at its head where it is about a game, no order line that
/// tools would miss, no line end or blank that they do not expect.
#[test]
fn every_mail_keeps_the_lines_that_tools_know() {
    let folder = format!("{}/tests/reports", env!("CARGO_MANIFEST_DIR"));
    let names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    assert!(names.len() > 50);
    for name in names {
        let (subject, body) = sample(&name);
        let mail = read(&subject, &body);
        assert!(
            !body.contains('\r') && !body.contains('\t') && body.ends_with('\n'),
            "{name}"
        );
        if let Some(about) = &mail.subject {
            let (judge, game, _) = mail
                .header
                .as_ref()
                .unwrap_or_else(|| panic!("{name} has no header"));
            assert_eq!(
                (judge, &game.to_lowercase()),
                (&about.judge, &about.game),
                "{name}"
            );
            assert_eq!(mail.deadline.as_ref().unwrap().0, about.phase, "{name}");
            assert!(body.starts_with(":: Judge:"), "{name}");
        }
        // What is seen in a fog has lines of its own, which no old tool knew.
        if name.starts_with("sight-") || name.ends_with("-blind") {
            continue;
        }
        // What was only tried, is explained or was asked after must not be taken for results.
        if ["trial", "reckoning", "reckoning-success", "orders-told"].contains(&name.as_str()) {
            assert_eq!(mail.report, None, "{name}");
            assert!(mail.orders.is_empty(), "{name}");
            continue;
        }
        let printed = body
            .lines()
            .filter(|line| line.contains(": Army ") || line.contains(": Fleet "))
            .count();
        let read = mail.orders.len() + mail.position.len() + mail.retreats.len();
        assert!(
            read >= printed - usize::from(name == "reply-proxy"),
            "{name}: {printed} lines printed, {read} read"
        );
    }
}
