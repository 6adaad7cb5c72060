//! The tables of the rules page: each case is set up, its orders are written as players write them, and what is listed
//! must happen, and nothing else.

use std::collections::BTreeSet;

use dipjudge::calendar::Season;
use dipjudge::game::{Adjustment, Phase, VariantGame};
use dipjudge::map::{Location, Map};
use dipjudge::orders::Action;

use super::table::Table;

/// One case of a file.
struct Case<'a> {
    title: &'a str,
    lines: Vec<(&'a str, &'a str)>,
}

impl<'a> Case<'a> {
    fn all(text: &'a str) -> Vec<Case<'a>> {
        text.split("\n== ")
            .skip(1)
            .map(|case| {
                let mut lines = case.lines();
                Case {
                    title: lines.next().unwrap(),
                    lines: lines.filter_map(|line| line.split_once(": ")).collect(),
                }
            })
            .collect()
    }

    fn line(&self, key: &str) -> &'a str {
        let found = self.lines.iter().find(|(name, _)| *name == key);
        found.map_or("", |(_, text)| *text)
    }

    /// What a line lists, each with its power where one is named.
    fn listed(&self, key: &str) -> BTreeSet<String> {
        let parts = self.line(key).split(", ").map(spaced);
        parts.filter(|part| !part.is_empty()).collect()
    }

    fn empires(&self) -> Vec<&'a str> {
        let mut empires: Vec<&str> = Vec::new();
        for key in ["position", "colonies", "units", "centers"] {
            for side in self.line(key).split(';') {
                let name = side.split_once(':').map(|(name, _)| name.trim());
                if let Some(name) = name.filter(|name| !empires.contains(name)) {
                    empires.push(name);
                }
            }
        }
        empires
    }
}

fn spaced(text: &str) -> String {
    let text = text.replace('-', " - ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// With the power's name before it, if that stands there in the list.
fn as_listed(list: &BTreeSet<String>, power: &str, text: &str) -> String {
    let named = format!("{power} {text}");
    let unnamed = list.contains(text) && !list.contains(&named);
    if unnamed { text.to_owned() } else { named }
}

fn play(case: &Case) {
    let settings: &[(&str, &str)] = if case.title.contains("listed setting") {
        &[("overbooked", "listed")]
    } else {
        &[]
    };
    let mut table = Table::of(&case.empires(), settings);
    table.place(case.line("position"), "", case.line("colonies"));
    let mut refused = BTreeSet::new();
    for side in case.line("orders").split(';') {
        let (name, orders) = side.split_once(':').unwrap();
        let power = table.power(name.trim());
        table.mail();
        for order in orders.split(',') {
            if table.write(power, order.trim()).is_err() {
                refused.insert(format!("{} {}", name.trim(), spaced(order)));
            }
        }
    }
    let title = case.title;
    assert_eq!(refused, case.listed("refused"), "refused, {title}");
    table.run();
    let game = table.game();
    let movement = game.last.clone().unwrap();
    let (ok, fail) = (case.listed("ok"), case.listed("fail"));
    let (mut went, mut stayed) = (Vec::new(), Vec::new());
    for outcome in &movement.outcomes {
        let Some(Action::Move { to, .. }) = &outcome.action else {
            continue;
        };
        let text = format!(
            "{} {} - {}",
            outcome.unit.kind, outcome.unit.at, to.province
        );
        let stands = movement
            .position
            .units
            .iter()
            .find(|unit| unit.id == outcome.unit.id);
        let power = game.key(outcome.unit.power);
        match stands.is_some_and(|unit| unit.at.province == to.province) {
            true => went.push(as_listed(&ok, power, &text)),
            false => stayed.push(as_listed(&fail, power, &text)),
        }
    }
    assert_eq!(went.into_iter().collect::<BTreeSet<_>>(), ok, "{title}");
    assert_eq!(stayed.into_iter().collect::<BTreeSet<_>>(), fail, "{title}");
    let mut out: Vec<String> = movement
        .position
        .dislodged
        .iter()
        .map(|dislodged| {
            let mut places: Vec<String> = dislodged
                .options
                .iter()
                .map(|place| place.province.to_string())
                .collect();
            // The page names the orbit last.
            places.sort_by_key(|place| (place == "ORB", place.clone()));
            let unit = dislodged.unit;
            let power = game.key(unit.power);
            format!("{power} {} {} > {}", unit.kind, unit.at, places.join(" "))
        })
        .collect();
    out.extend(movement.destroyed.iter().map(|unit| {
        let power = game.key(unit.power);
        format!("{power} {} {} > none", unit.kind, unit.at)
    }));
    assert_eq!(out.join(", "), case.line("out"), "dislodged, {title}");
    if game.phase == Phase::Retreats {
        for retreat in case.line("retreats").split(", ").filter(|r| !r.is_empty()) {
            let (name, order) = retreat.split_once(' ').unwrap();
            let power = table.power(name);
            let written = table.write(power, &order.replace('>', "-"));
            assert!(written.is_ok(), "{title}: {written:?}");
        }
        table.run();
    }
    let gained: BTreeSet<String> = table
        .report()
        .iter()
        .filter_map(|line| line.split_once(" has colonized "))
        .map(|(power, rest)| format!("{power} {}", code_of(rest)))
        .collect();
    assert_eq!(gained, case.listed("col"), "colonized, {title}");
}

/// The code of the province whose name a text begins with.
fn code_of(text: &str) -> String {
    let map = Map::standard();
    let found = map
        .provinces()
        .iter()
        .find(|info| text.starts_with(&info.name));
    found.unwrap().code.to_string()
}

#[test]
fn beaming_comes_out_as_the_rules_page_says() {
    let cases = Case::all(include_str!("../../outer_space/beaming.txt"));
    assert_eq!(cases.len(), 31);
    cases.iter().for_each(play);
}

#[test]
fn retreats_come_out_as_the_rules_page_says() {
    let cases = Case::all(include_str!("../../outer_space/retreats.txt"));
    assert_eq!(cases.len(), 6);
    cases.iter().for_each(play);
}

#[test]
fn colonization_comes_out_as_the_rules_page_says() {
    let cases = Case::all(include_str!("../../outer_space/colonization.txt"));
    assert_eq!(cases.len(), 20);
    cases.iter().for_each(play);
}

/// A board in Winter 1901.
fn winter(case: &Case) -> Table {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place(
        case.line("units"),
        case.line("centers"),
        case.line("colonies"),
    );
    table.open(Season::Winter, 1901, Phase::Adjustments);
    table
}

#[test]
fn builds_and_removals_are_due_as_the_rules_page_says() {
    let cases = Case::all(include_str!("../../outer_space/winter.txt"));
    assert_eq!(cases.len(), 7);
    for case in cases {
        let table = winter(&case);
        let power = table.power("JED");
        let allowances = VariantGame::new(table.game(), table.variant()).allowances();
        let counts = allowances.counts(power);
        let mut sites = allowances.sites(power);
        sites.sort_unstable();
        let sites: Vec<String> = sites.iter().map(ToString::to_string).collect();
        let due = match (counts.builds, counts.removals) {
            (0, 0) if allowances.due(power) > 0 => "build 0".to_owned(),
            (0, 0) => "nothing".to_owned(),
            (0, removals) => format!("remove {removals}"),
            (builds, _) => format!("build {builds}: {}", sites.join(" ")),
        };
        assert_eq!(due, case.line("due"), "{}", case.title);
    }
}

#[test]
fn what_nobody_removes_goes_as_the_rules_page_says() {
    let cases = Case::all(include_str!("../../outer_space/removals.txt"));
    assert_eq!(cases.len(), 4);
    for case in cases {
        let mut table = winter(&case);
        table.run();
        let played = table.game().last.clone().unwrap();
        let removed: Vec<String> = played
            .adjusted
            .iter()
            .filter_map(|adjusted| match &adjusted.what {
                Adjustment::Defaulted(unit) => Some(format!("{} {}", unit.kind, unit.at)),
                _ => None,
            })
            .collect();
        assert_eq!(removed.join(", "), case.line("removed"), "{}", case.title);
    }
}

#[test]
fn a_colonization_may_need_a_unit_that_stays() {
    let mut table = Table::of(&["JED", "ZOR"], &[("dislodged-colonizer", "fails")]);
    table.place("JED: A MUN, A LON; ZOR: A BER, A KIE", "", "");
    let (jed, zor) = (table.power("JED"), table.power("ZOR"));
    table.write(jed, "A MUN COL BOH").unwrap();
    table.write(zor, "A BER-MUN; A KIE S A BER-MUN").unwrap();
    table.run();
    table.run();
    assert_eq!(table.colony("BOH"), None);
    let report = table.report();
    assert!(
        report.contains(&"JED has not colonized Bohemia, since its unit was dislodged.".to_owned()),
        "{report:?}"
    );
}

#[test]
fn places_have_names_that_reports_print() {
    let table = Table::of(&["JED", "ZOR"], &[]);
    let orbit: Location = super::table::province("ORB").into();
    assert_eq!(table.game().map().full_name(orbit), "Orbit");
}
