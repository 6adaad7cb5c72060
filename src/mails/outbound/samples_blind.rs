//! Views of a game in which each sees only his part, for the tests.

use serde_json::json;

use super::samples::*;
use dipjudge_rules::orders::Action;
use dipjudge_view::*;

static WINNING_CENTERS: Words = Words {
    file: "winning-centers.md",
    text: "# Winning centers:\n\nIt now takes {{ now }}.\n",
};

fn saw(words: &str, did: SeenAction, dislodged: bool) -> Sighting {
    Sighting {
        unit: unit(words),
        did,
        dislodged,
    }
}

fn in_sight(words: &str, dislodged: bool) -> UnitInSight {
    UnitInSight {
        unit: unit(words),
        dislodged,
        glimpsed: false,
    }
}

pub(super) fn next_phase(kind: &str, turn: &str) -> NextPhase {
    NextPhase {
        kind: kind.into(),
        turn: turn.into(),
        deadline: Some(moment("2026-12-07T23:30:00")),
        adjusted: false,
    }
}

fn all_kinds() -> Vec<Sighting> {
    let to = |place: &str| place.to_owned();
    vec![
        saw(
            "France Army Burgundy",
            SeenAction::Action(Action::Move {
                to: to("Munich"),
                by: Vec::new(),
            }),
            false,
        ),
        saw("France Army Gascony", SeenAction::PassOutOfSight, false),
        saw(
            "Italy Army Piedmont",
            SeenAction::StandOff { to: to("Tyrolia") },
            true,
        ),
        saw(
            "Italy Army Venice",
            SeenAction::Action(Action::SupportMove {
                from: other(None, "Army", "Piedmont"),
                to: to("Tyrolia"),
            }),
            false,
        ),
        saw(
            "Italy Fleet Adriatic Sea",
            SeenAction::Action(Action::Convoy {
                from: other(None, "Army", "Apulia"),
                to: to("Albania"),
            }),
            false,
        ),
        saw("Italy Fleet Tyrrhenian Sea", SeenAction::Arrive, false),
        saw("Russia Army Bohemia", SeenAction::Stay, true),
        saw(
            "Russia Army Galicia",
            SeenAction::Action(Action::SupportHold {
                at: other(None, "Army", "Bohemia"),
            }),
            false,
        ),
        saw("Russia Army Ukraine", SeenAction::Leave, false),
        saw("Turkey Army Rumania", SeenAction::ComeIntoSight, false),
        saw(
            "Turkey Army Serbia",
            SeenAction::Action(Action::Disband),
            false,
        ),
    ]
}

fn now() -> InSight {
    InSight {
        whose: None,
        units: vec![
            in_sight("Austria Army Budapest", false),
            in_sight("Austria Fleet Trieste", true),
        ],
        centers: vec![("Budapest".into(), true), ("Serbia".into(), false)],
        lost_homes: vec!["Trieste".into(), "Vienna".into()],
        foreign: vec![
            in_sight("Italy Army Tyrolia", false),
            in_sight("Russia Army Bohemia", true),
            UnitInSight {
                glimpsed: true,
                ..in_sight("Turkey Army Serbia", true)
            },
        ],
        foreign_centers: vec![
            ("Rumania".into(), None),
            ("Trieste".into(), Some(label("Italy"))),
        ],
        empty: [
            "Albania", "Bohemia", "Bulgaria", "Galicia", "Greece", "Rumania", "Serbia", "Silesia",
            "Styria", "Tyrolia",
        ]
        .map(str::to_owned)
        .into(),
    }
}

/// The last report of a Fall, with everything in it.
pub(super) fn sight_movement() -> SightReport {
    SightReport {
        title: title("Movement", "Fall of 1902", "kaiser.004"),
        own: vec![
            OwnLine::Order(order(
                "Austria Army Budapest",
                UnitOrder::Action(Action::SupportMove {
                    from: SupportedUnit {
                        adjective: None,
                        kind: None,
                        place: "Ukraine".into(),
                    },
                    to: "Rumania".into(),
                }),
                &[Mark::Cut, Mark::Void],
            )),
            OwnLine::Order(order(
                "Austria Fleet Trieste",
                UnitOrder::Action(Action::Hold),
                &[Mark::Dislodged],
            )),
        ],
        saw: all_kinds(),
        count: Some(CenterChanges {
            changes: vec![
                CenterChange {
                    center: "Serbia".into(),
                    from: None,
                    to: Some(label("Austria")),
                },
                CenterChange {
                    center: "Trieste".into(),
                    from: Some(label("Austria")),
                    to: Some(label("Italy")),
                },
            ],
            due: -1,
        }),
        now: now(),
        retreats: Some(vec![Retreating {
            unit: unit("Austria Fleet Trieste"),
            options: vec!["Albania".into(), "Venice".into()],
        }]),
        destroyed: vec![unit("Austria Army Vienna")],
        sections: vec![FilledSection {
            words: &WINNING_CENTERS,
            fields: json!({ "now": 19 }),
        }],
        fallen: false,
        next: Some(next_phase("Adjustments", "Winter of 1902")),
    }
}

/// A quiet retreat phase after which its reader is out of the game.
pub(super) fn sight_retreats() -> SightReport {
    SightReport {
        title: title("Retreat", "Spring of 1902", "kaiser.003"),
        own: vec![OwnLine::Collided(order(
            "Austria Fleet Trieste",
            retreat("Albania"),
            &[],
        ))],
        saw: vec![],
        count: None,
        now: InSight::default(),
        retreats: None,
        destroyed: vec![],
        sections: vec![],
        fallen: true,
        next: Some(NextPhase {
            deadline: None,
            ..next_phase("Movement", "Fall of 1902")
        }),
    }
}

/// A winter, and a count of Fall in which nothing changed in sight before it.
pub(super) fn sight_winter() -> SightReport {
    SightReport {
        title: title("Adjustment", "Winter of 1902", "kaiser.005"),
        own: vec![OwnLine::Winter(winter(
            "Austria",
            WinterAction::Build {
                kind: "Army".into(),
                place: "Vienna".into(),
            },
        ))],
        saw: vec![
            saw("Italy Army Venice", SeenAction::Build, false),
            saw("Russia Army Galicia", SeenAction::Remove, false),
        ],
        count: Some(CenterChanges {
            changes: vec![],
            due: 0,
        }),
        now: InSight {
            lost_homes: vec![],
            ..now()
        },
        retreats: Some(vec![]),
        destroyed: vec![],
        fallen: false,
        next: None,
        ..sight_movement()
    }
}

pub(super) fn calendar(deadline: Option<Moment>) -> CalendarReport {
    CalendarReport {
        title: title("Movement", "Spring of 1902", "kaiser.002"),
        next: Some(NextPhase {
            deadline,
            ..next_phase("Retreats", "Spring of 1902")
        }),
    }
}

pub(super) fn blind_opening(power: Option<&str>) -> GameStart {
    GameStart {
        disclosed: false,
        sight: power.map(|_| InSight {
            lost_homes: vec![],
            ..now()
        }),
        units: vec![],
        ..opening_mail(power)
    }
}

pub(super) fn blind_listing() -> Listing {
    Listing {
        disclosed: false,
        start: None,
        all_in: None,
        people: vec![],
        title: None,
        units: vec![],
        ..listing()
    }
}

/// What Turkey reads of itself.
pub(super) fn blind_summary() -> Summary {
    let mut summary = kaiser_summary();
    summary.players.retain(|line| line.role == "Turkey");
    summary.counts.retain(|row| row.power == label("Turkey"));
    summary.ownership.clear();
    summary.index.clear();
    summary
}
