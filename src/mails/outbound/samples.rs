//! Views as `game::project` would make them, for the tests: the games of `judge-workflow.md` 6.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use serde_json::json;

use super::*;
use dipjudge_rules::orders::Action;
use dipjudge_view::*;

static BIDS: Words = Words {
    file: "bids.md",
    text: "# Bids\n\n{% for bid in bids %}\n- {{ bid }}\n{% endfor %}\n",
};

pub(super) fn moment(text: &str) -> Moment {
    Moment::new(format!("{text}Z").parse().unwrap(), &TimeZone::UTC)
}

pub(super) fn span(from: &str, to: &str) -> Span {
    Span::between(moment(from).at(), moment(to).at())
}

pub(super) fn label(power: &str) -> Label {
    Label::new(power)
}

pub(super) fn heading(phase: &str) -> Heading {
    Heading {
        reader: Viewer::Observer,
        judge: "USXX".into(),
        game: "kaiser".into(),
        title: "Kaiser".into(),
        variant: "Standard".into(),
        phase: phase.into(),
        deadline: Some(moment("2026-12-07T23:30:00")),
    }
}

pub(super) fn title(kind: &str, turn: &str, number: &str) -> PhaseTitle {
    PhaseTitle {
        kind: kind.into(),
        turn: turn.into(),
        number: number.into(),
    }
}

const POWERS: [(&str, &str); 7] = [
    ("Austria", "Austrian"),
    ("England", "English"),
    ("France", "French"),
    ("Germany", "German"),
    ("Italy", "Italian"),
    ("Russia", "Russian"),
    ("Turkey", "Turkish"),
];

const SEAS: [&str; 4] = ["North Sea", "Tyrrhenian Sea", "Aegean Sea", "Norwegian Sea"];

/// `"France Army Burgundy"`.
pub(super) fn unit(words: &str) -> SeenUnit {
    let mut words = words.splitn(3, ' ');
    let power = words.next().unwrap();
    let kind = words.next().unwrap();
    let place = words.next().unwrap();
    SeenUnit {
        power: label(power),
        adjective: POWERS
            .iter()
            .find(|(name, _)| *name == power)
            .unwrap()
            .1
            .into(),
        kind: kind.into(),
        place: place.into(),
        province: place.split(" (").next().unwrap().into(),
        at_sea: SEAS.contains(&place),
    }
}

pub(super) fn order(words: &str, ordered: UnitOrder, marks: &[Mark]) -> OrderLine {
    OrderLine {
        unit: unit(words),
        ordered,
        marks: marks.to_vec(),
        reason: None,
        warning: None,
    }
}

pub(super) fn going(path: &[&str]) -> UnitOrder {
    let mut by: Vec<String> = path.iter().map(|place| (*place).to_owned()).collect();
    let to = by.pop().unwrap_or_default();
    UnitOrder::Action(Action::Move { to, by })
}

pub(super) fn retreat(to: &str) -> UnitOrder {
    UnitOrder::Action(Action::Retreat { to: to.into() })
}

pub(super) fn other(adjective: Option<&str>, kind: &str, place: &str) -> SupportedUnit {
    SupportedUnit {
        adjective: adjective.map(Into::into),
        kind: Some(kind.into()),
        place: place.into(),
    }
}

pub(super) fn winter(power: &str, action: WinterAction) -> WinterLine {
    WinterLine {
        power: label(power),
        action,
    }
}

pub(super) fn names(list: &str) -> Vec<String> {
    list.split(", ").map(Into::into).collect()
}

pub(super) fn next(kind: &str, turn: &str, deadline: &str) -> NextPhase {
    NextPhase {
        kind: kind.into(),
        turn: turn.into(),
        deadline: Some(moment(deadline)),
        adjusted: false,
    }
}

pub(super) fn report(title: PhaseTitle, next: Option<NextPhase>) -> PhaseReport {
    PhaseReport {
        title,
        movement: vec![],
        retreats: vec![],
        winter: vec![],
        dislodged: vec![],
        destroyed: vec![],
        centers: None,
        sections: vec![],
        reasons: vec![],
        next,
    }
}

pub(super) fn count_row(power: &str, centers: usize, units: usize, due: i32) -> CenterCount {
    CenterCount {
        power: label(power),
        centers,
        units,
        due,
        disorder: false,
        victory: false,
    }
}

pub(super) fn own(power: &str, letter: &str) -> PowerOrders {
    PowerOrders {
        power: label(power),
        letter: letter.into(),
        status: String::new(),
        orders: vec![],
        winter: vec![],
        own: vec![],
        votes: Vec::new(),
        pending: vec![],
    }
}

pub(super) fn to(powers: &[&str]) -> Vec<Addressee> {
    powers
        .iter()
        .map(|name| Addressee {
            name: (*name).into(),
            letter: name[..1].into(),
        })
        .collect()
}

/// 6.3.
pub(super) fn movement_report() -> PhaseReport {
    let mut report = report(
        title("Movement", "Spring of 1902", "kaiser.004"),
        Some(next("Retreats", "Spring of 1902", "2026-12-18T21:31:00")),
    );
    report.movement = vec![
        vec![
            order(
                "Austria Army Serbia",
                UnitOrder::Action(Action::SupportMove {
                    from: other(Some("Russian"), "Army", "Rumania"),
                    to: "Bulgaria".into(),
                }),
                &[],
            ),
            order(
                "Austria Fleet Greece",
                going(&["Aegean Sea"]),
                &[Mark::Bounce],
            ),
        ],
        vec![
            order(
                "England Army Yorkshire",
                going(&["North Sea", "Norway"]),
                &[],
            ),
            order(
                "England Fleet North Sea",
                UnitOrder::Action(Action::Convoy {
                    from: other(None, "Army", "Yorkshire"),
                    to: "Norway".into(),
                }),
                &[],
            ),
        ],
        vec![
            order(
                "France Army Burgundy",
                UnitOrder::Action(Action::SupportMove {
                    from: other(None, "Army", "Paris"),
                    to: "Picardy".into(),
                }),
                &[Mark::Cut, Mark::Dislodged],
            ),
            order("France Army Paris", going(&["Picardy"]), &[]),
            order("France Fleet Brest", UnitOrder::Nothing, &[]),
        ],
        vec![order(
            "Italy Army Tunis",
            UnitOrder::Action(Action::SupportMove {
                from: other(None, "Fleet", "Naples"),
                to: "Ionian Sea".into(),
            }),
            &[Mark::Void],
        )],
    ];
    report.dislodged = vec![Retreating {
        unit: unit("France Army Burgundy"),
        options: names("Gascony, Paris, Belgium"),
    }];
    report.destroyed = vec![Destroyed {
        unit: unit("Turkey Army Bulgaria"),
    }];
    report
}

/// 6.4.
pub(super) fn retreat_report() -> PhaseReport {
    let mut report = report(
        title("Retreat", "Fall of 1902", "kaiser.007"),
        Some(next("Adjustments", "Winter of 1902", "2026-12-19T11:31:00")),
    );
    report.retreats = vec![
        vec![order("France Army Burgundy", retreat("Gascony"), &[])],
        vec![order(
            "Italy Fleet Tyrrhenian Sea",
            retreat("Tuscany"),
            &[Mark::Bounce, Mark::Destroyed],
        )],
        vec![order(
            "Russia Army Rumania",
            UnitOrder::Action(Action::Disband),
            &[],
        )],
        vec![order("Turkey Army Bulgaria", UnitOrder::NoRetreat, &[])],
    ];
    report.centers = Some(CenterTable {
        owners: vec![(
            label("Austria"),
            names("Budapest, Greece, Serbia, Trieste, Vienna"),
        )],
        unowned: names(
            "Belgium, Bulgaria, Denmark, Holland, Norway, Portugal, Rumania, Spain, Sweden, Tunis",
        ),
        counts: vec![
            count_row("Austria", 5, 3, 2),
            count_row("France", 3, 4, -1),
            CenterCount {
                disorder: true,
                ..count_row("Turkey", 4, 3, 1)
            },
        ],
    });
    report
}

/// 6.5.
pub(super) fn winter_report() -> PhaseReport {
    let mut report = report(
        title("Adjustment", "Winter of 1902", "kaiser.008"),
        Some(next("Movement", "Spring of 1903", "2026-12-25T23:30:00")),
    );
    let army = |place: &str| WinterAction::Build {
        kind: "Army".into(),
        place: place.into(),
    };
    report.winter = vec![
        vec![
            winter("Austria", army("Trieste")),
            winter("Austria", WinterAction::Waive),
        ],
        vec![winter(
            "France",
            WinterAction::Remove {
                kind: "Army".into(),
                place: "Gascony".into(),
                at_sea: false,
            },
        )],
        vec![winter(
            "Germany",
            WinterAction::DefaultRemove {
                kind: "Fleet".into(),
                place: "Kiel".into(),
                at_sea: false,
            },
        )],
        vec![winter(
            "Russia",
            WinterAction::Build {
                kind: "Fleet".into(),
                place: "St Petersburg (north coast)".into(),
            },
        )],
        vec![winter("Turkey", WinterAction::UnusableWaived(1))],
    ];
    report
}

/// 6.2, without the answers.
pub(super) fn english_orders() -> OrdersSection {
    OrdersSection {
        title: title("Movement", "Spring of 1901", "kaiser.001"),
        powers: vec![PowerOrders {
            orders: vec![
                order("England Army Liverpool", UnitOrder::Nothing, &[]),
                order("England Fleet Edinburgh", going(&["Norwegian Sea"]), &[]),
                order("England Fleet London", UnitOrder::Nothing, &[]),
            ],
            votes: vec!["DRAW YES".into()],
            pending: vec!["PHASE F1901M".into(), "F Nth-Nwy".into()],
            ..own("England", "E")
        }],
    }
}

/// 6.2.
pub(super) fn error_reply() -> Reply {
    Reply {
        heading: Some(heading("S1901M")),
        answers: vec![Answer::about(
            "E: F Lon-Nor",
            vec!["The fleet in London cannot reach Norway.".into()],
        )],
        orders: Some(english_orders()),
        errors: 1,
        flag: FlagChange::Set,
        warning: Warning::ErrorFlag {
            deadline: Some(moment("2026-12-07T23:30:00")),
            grace: Some(moment("2026-12-14T22:30:00")),
            nmr: false,
        },
        left: TimeLeft {
            deadline: Some(span("2026-12-01T09:00:00", "2026-12-07T23:30:00")),
            grace: Some(span("2026-12-01T09:00:00", "2026-12-14T22:30:00")),
        },
        error_flag_in_subject: true,
        ..Reply::new("USXX", "orders")
    }
}

pub(super) fn parameters() -> ParameterBlock {
    let phase =
        |kind: &str, clock, min: &str, next: &str, grace: &str, days: &str| PhaseParameters {
            kind: kind.into(),
            clock,
            min: min.into(),
            next: next.into(),
            grace: grace.into(),
            delay: "0.50".into(),
            days: days.into(),
        };
    ParameterBlock {
        phases: vec![
            phase("Move", 1410, "12.00", "71.00", "167.00", "-MTWTF-"),
            phase("Retreat", -1, "0.00", "23.00", "71.00", "-mTWTF-"),
            phase("Adjust", -1, "0.00", "23.00", "71.00", "-mTWTF-"),
        ],
        zone: "UTC".into(),
        access: "Any-site, Level: Any, Moderated, Dedication: -10000".into(),
        variant: "Standard".into(),
        flags: "NoNMR, NoProxy, DIAS".into(),
        xflags: "HomeCentres, Concessions, Max Absence: 15".into(),
        press: "White, Partial Allowed, No Fake".into(),
        assignment: "By Preference List Only".into(),
        winning: 18,
        winning_by: "centers".to_owned(),
        index: Some(10),
        own: vec![],
    }
}

/// 6.8, LIST kaiser.
pub(super) fn listing() -> Listing {
    let person =
        |role: &str, status: &str, strength: &str, dedication, address: &str| ListedPerson {
            role: role.into(),
            status: status.into(),
            strength: strength.into(),
            late: None,
            dedication: Some(dedication),
            called: address.into(),
        };
    Listing {
        tables: Vec::new(),
        name: "kaiser".into(),
        number: "002".into(),
        phase: "F1901M".into(),
        state: "running".into(),
        deadline: Some(moment("2026-12-07T23:30:00")),
        sign_up: None,
        start: Some(moment("2026-12-01T22:05:00")),
        all_in: Some(false),
        information: None,
        parameters: parameters(),
        people: vec![
            person("Master", "", "", 0, "gm@ex.org"),
            person("Austria", "move", "3/3", 6, "anna@ex.org"),
            person("Turkey", "late", "3/3", 2, "gwen@ex.org"),
            person("Observer", "", "", 0, "olga@ex.org"),
        ],
        disclosed: true,
        beginners: true,
        hides_existence: false,
        title: Some(title("Movement", "Fall of 1901", "kaiser.002")),
        units: vec![vec![unit("Austria Army Serbia")]],
        centers: None,
    }
}

/// 6.9.
pub(super) fn kaiser_summary() -> Summary {
    let player = |role: &str, name: &str, address: &str, since: Option<&str>| SummaryPlayer {
        role: role.into(),
        name: name.into(),
        address: address.into(),
        since: since.map(Into::into),
    };
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    Summary {
        name: "kaiser".into(),
        through: "F1901M".into(),
        players: vec![
            player("Master", "Gm Example", "gm@ex.org", None),
            player("Turkey", "Gwen Example", "gwen@ex.org", None),
            player("", "Hugo Example", "hugo@ex.org", Some("F1901M")),
        ],
        parameters: parameters(),
        started: Some(moment("2026-11-30T10:05:00")),
        ended: Some(("won".into(), moment("2026-12-23T15:00:00"))),
        center_names: (
            words("Ven Nap Edi Lvp Par Por Bel Mun Ber Swe Stp Mos Con Smy Rum Ser Vie"),
            words("Rom Tun Lon Bre Mar Spa Hol Kie Den Nor War Sev Ank Bul Gre Bud Tri"),
        ),
        ownership: vec![(
            1900,
            words("I I I . E E E F F F . . . . G G G . . . R R R R T T T . . . . A A A"),
        )],
        counts: vec![
            SummaryRow {
                power: label("Austria"),
                counts: vec![(3, 0), (5, 0)],
                player: "Anna Example".into(),
            },
            SummaryRow {
                power: label("Germany"),
                counts: vec![(3, 0), (4, 1)],
                player: "Dirk Example".into(),
            },
        ],
        index: vec![10, 14],
        years: vec![1900, 1901],
    }
}

pub(super) fn bare_reply() -> Reply {
    Reply {
        heading: Some(heading("S1901M")),
        orders: Some(plain_orders()),
        ..Reply::new("USXX", "")
    }
}

fn plain_orders() -> OrdersSection {
    OrdersSection {
        title: title("Movement", "Spring of 1901", "kaiser.001"),
        powers: vec![PowerOrders {
            orders: vec![order(
                "England Army Liverpool",
                UnitOrder::Action(Action::Hold),
                &[],
            )],
            ..own("England", "E")
        }],
    }
}

/// A complete reply with notes and answers of every sort, a flag cleared.
pub(super) fn complete_reply() -> Reply {
    let check = OrderLine {
        warning: Some("check convoy".into()),
        ..order(
            "England Fleet London",
            UnitOrder::Action(Action::Convoy {
                from: other(None, "Army", "Wales"),
                to: "Belgium".into(),
            }),
            &[],
        )
    };
    let holding = UnitOrder::Action(Action::SupportHold {
        at: SupportedUnit {
            adjective: None,
            kind: None,
            place: "Wales".into(),
        },
    });
    let orders = OrdersSection {
        title: title("Movement", "Spring of 1901", "kaiser.001"),
        powers: vec![PowerOrders {
            orders: vec![order("England Army Liverpool", holding, &[]), check],
            ..own("England", "E")
        }],
    };
    Reply {
        notes: vec![
            "This mail came from ben@other.org; the answer goes to your address on file, as every answer to an \
             order does."
                .into(),
        ],
        answers: vec![
            Answer::say("WAIT set: the phase waits for its deadline. SET NOWAIT when you are ready."),
            Answer::about(
                "E: SET PREF QQ",
                vec!["Invalid character 'Q' in preference list.".into(), "Your list remains \"E\".".into()],
            ),
            Answer { lines: vec!["The public games:".into()], ..Answer::print("kaiser   S1901M\ntokyo    S1901M\n") },
        ],
        orders: Some(orders),
        flag: FlagChange::Cleared,
        left: TimeLeft { deadline: Some(span("2026-12-07T22:29:00", "2026-12-07T23:30:00")), grace: None },
        ..bare_reply()
    }
}

pub(super) fn warnings() -> Vec<(&'static str, Warning)> {
    let deadline = Some(moment("2026-12-07T23:30:00"));
    let grace = Some(moment("2026-12-14T22:30:00"));
    vec![
        (
            "warn-incomplete",
            Warning::Incomplete {
                deadline: deadline.clone(),
                grace: grace.clone(),
                nmr: false,
            },
        ),
        (
            "warn-incomplete-nmr",
            Warning::Incomplete {
                deadline: deadline.clone(),
                grace: grace.clone(),
                nmr: true,
            },
        ),
        (
            "warn-incomplete-no-grace",
            Warning::Incomplete {
                deadline: deadline.clone(),
                grace: None,
                nmr: false,
            },
        ),
        (
            "warn-incomplete-no-deadline",
            Warning::Incomplete {
                deadline: None,
                grace: None,
                nmr: false,
            },
        ),
        (
            "warn-unconfirmed",
            Warning::Unconfirmed {
                deadline: deadline.clone(),
                grace: grace.clone(),
                nmr: false,
            },
        ),
        (
            "warn-flag-nmr",
            Warning::ErrorFlag {
                deadline: deadline.clone(),
                grace: grace.clone(),
                nmr: true,
            },
        ),
        (
            "warn-flag-no-grace",
            Warning::ErrorFlag {
                deadline: deadline.clone(),
                grace: None,
                nmr: false,
            },
        ),
        (
            "warn-flag-no-deadline",
            Warning::ErrorFlag {
                deadline: None,
                grace: None,
                nmr: false,
            },
        ),
        ("warn-wait", Warning::Wait { deadline }),
        ("warn-wait-no-deadline", Warning::Wait { deadline: None }),
        (
            "warn-late",
            Warning::Late {
                grace: grace.clone(),
                nmr: false,
            },
        ),
        ("warn-late-nmr", Warning::Late { grace, nmr: true }),
        (
            "warn-late-no-grace",
            Warning::Late {
                grace: None,
                nmr: false,
            },
        ),
        (
            "warn-paused",
            Warning::Stopped {
                state: "paused".into(),
            },
        ),
    ]
}

pub(super) fn retreat_reply() -> Reply {
    Reply {
        heading: Some(heading("S1902R")),
        orders: Some(OrdersSection {
            title: title("Retreat", "Spring of 1902", "kaiser.005"),
            powers: vec![PowerOrders {
                orders: vec![order("Turkey Army Bulgaria", UnitOrder::NoRetreat, &[])],
                ..own("Turkey", "T")
            }],
        }),
        ..bare_reply()
    }
}

pub(super) fn winter_reply() -> Reply {
    let pending = vec![
        winter(
            "Austria",
            WinterAction::Build {
                kind: "Army".into(),
                place: "Trieste".into(),
            },
        ),
        winter("Austria", WinterAction::BuildsPending(2)),
        winter("Austria", WinterAction::UnusablePending(1)),
    ];
    let removal = vec![winter("France", WinterAction::RemovalsPending(1))];
    Reply {
        heading: Some(heading("F1901B")),
        orders: Some(OrdersSection {
            title: title("Adjustment", "Winter of 1901", "kaiser.003"),
            powers: vec![
                PowerOrders {
                    winter: pending,
                    ..own("Austria", "A")
                },
                PowerOrders {
                    winter: removal,
                    ..own("France", "F")
                },
            ],
        }),
        ..bare_reply()
    }
}

/// Turkey's list with an Austrian unit in it, and Austria's that gave it away.
pub(super) fn proxy_reply() -> Reply {
    let given = order(
        "Austria Army Budapest",
        UnitOrder::Action(Action::Special(SpecialInNames::Proxy {
            to: label("Turkey"),
        })),
        &[],
    );
    let taken = order("Austria Army Budapest", going(&["Serbia"]), &[]);
    let own_words = order(
        "Turkey Army Smyrna",
        UnitOrder::Action(Action::Special(SpecialInNames::Own {
            words: "COLONIZE Armenia".into(),
        })),
        &[],
    );
    Reply {
        orders: Some(OrdersSection {
            title: title("Movement", "Spring of 1901", "kaiser.001"),
            powers: vec![
                PowerOrders {
                    orders: vec![given],
                    ..own("Austria", "A")
                },
                PowerOrders {
                    orders: vec![own_words, taken],
                    ..own("Turkey", "T")
                },
            ],
        }),
        ..bare_reply()
    }
}

pub(super) fn stranger_reply() -> Reply {
    Reply {
        answers: vec![Answer::about(
            "SIGNON ?kaiser zpw",
            vec![
                "The address zoe@ex.org is not registered with this judge, so it cannot join a game.".into(),
                "Send REGISTER, then lines with Name: and Email:, then END.".into(),
            ],
        )],
        ..Reply::new("USXX", "let me in")
    }
}

pub(super) fn master_reply() -> Reply {
    let mut orders = english_orders();
    orders.powers[0].status = "Move Required, Error Flag".into();
    let taken = order("France Army Paris", going(&["Burgundy"]), &[]);
    orders.powers.push(PowerOrders {
        status: "Move Submitted, WAIT".into(),
        orders: vec![taken],
        votes: vec!["DRAW YES".into()],
        ..own("France", "F")
    });
    Reply {
        notes: vec![
            "Absence of England: Sun Dec 20 2026 00:00:00 +0000 to Thu Dec 24 2026 23:59:00 +0000."
                .into(),
        ],
        answers: vec![Answer::say("Deadline changed.")],
        orders: Some(orders),
        left: TimeLeft {
            deadline: Some(span("2026-12-01T09:00:00", "2026-12-02T09:00:00")),
            grace: Some(span("2026-12-01T09:00:00", "2026-12-09T09:00:01")),
        },
        ..bare_reply()
    }
}

pub(super) fn master_replies() -> Vec<(&'static str, Reply)> {
    vec![
        (
            "reply-master-flag",
            Reply {
                errors: 1,
                flag: FlagChange::Set,
                ..master_reply()
            },
        ),
        (
            "reply-master-cleared",
            Reply {
                flag: FlagChange::Cleared,
                ..master_reply()
            },
        ),
        (
            "reply-master-errors",
            Reply {
                errors: 2,
                ..master_reply()
            },
        ),
        (
            "reply-master-paused",
            Reply {
                warning: Warning::Stopped {
                    state: "paused".into(),
                },
                ..master_reply()
            },
        ),
    ]
}

pub(super) fn rare_winter_report() -> PhaseReport {
    let mut report = winter_report();
    report.winter = vec![
        vec![winter(
            "England",
            WinterAction::Remove {
                kind: "Fleet".into(),
                place: "North Sea".into(),
                at_sea: true,
            },
        )],
        vec![winter(
            "Germany",
            WinterAction::DefaultRemove {
                kind: "Fleet".into(),
                place: "North Sea".into(),
                at_sea: true,
            },
        )],
        vec![winter(
            "Italy",
            WinterAction::Own {
                words: "Founds a colony in Tunis".into(),
            },
        )],
        vec![winter("Turkey", WinterAction::UnusableWaived(2))],
    ];
    report.sections = vec![FilledSection {
        words: &BIDS,
        fields: json!({ "bids": ["Italy bid 7.", "Turkey bid 5."] }),
    }];
    report.next = Some(NextPhase {
        adjusted: true,
        ..next("Movement", "Spring of 1903", "2026-12-25T23:30:00")
    });
    report
}

pub(super) fn victory_report() -> PhaseReport {
    let mut report = report(title("Movement", "Fall of 1909", "kaiser.030"), None);
    report.movement = vec![vec![order(
        "Austria Army Rome",
        UnitOrder::Action(Action::Hold),
        &[],
    )]];
    report.centers = Some(CenterTable {
        owners: vec![
            (
                label("Austria"),
                names("Budapest, Greece, Serbia, Trieste, Vienna, Bulgaria, Rome"),
            ),
            (label("Turkey"), names("Smyrna")),
        ],
        unowned: vec![],
        counts: vec![
            CenterCount {
                victory: true,
                ..count_row("Austria", 18, 17, 1)
            },
            count_row("Turkey", 1, 1, 0),
        ],
    });
    report
}

pub(super) fn explained_report() -> PhaseReport {
    let mut report = movement_report();
    report.title = title("Movement", "Fall of 1902", "kaiser.006");
    report.dislodged = vec![
        Retreating {
            unit: unit("Germany Fleet North Sea"),
            options: names("Norwegian Sea, Skagerrak, Belgium, London"),
        },
        Retreating {
            unit: unit("France Fleet Spain (south coast)"),
            options: names("Western Mediterranean"),
        },
    ];
    report.reasons = vec![
        "The fleet in Greece did not reach the Aegean Sea: it bounced off the Turkish fleet of Smyrna, 1 \
         against 1."
            .into(),
        "The support of the army in Burgundy was cut from Munich.".into(),
    ];
    report
}

pub(super) fn tried_report() -> PhaseReport {
    PhaseReport {
        next: None,
        ..explained_report()
    }
}

fn reckoning_of(asked: OrderLine) -> Reckoning {
    Reckoning {
        title: title("Movement", "Fall of 1902", "kaiser.006"),
        asked,
        reason: None,
        bearing: vec![],
        change: SmallestChange::NotFound,
    }
}

pub(super) fn bounced_reckoning() -> Reckoning {
    let help = UnitOrder::Action(Action::SupportMove {
        from: other(None, "Army", "Paris"),
        to: "Burgundy".into(),
    });
    Reckoning {
        reason: Some("French Army in Paris: bounced with A Mun, strength 1 against 1.".to_owned()),
        bearing: vec![order(
            "Germany Army Munich",
            going(&["Burgundy"]),
            &[Mark::Bounce],
        )],
        change: SmallestChange::Orders(vec![order("France Army Marseilles", help, &[])]),
        ..reckoning_of(order(
            "France Army Paris",
            going(&["Burgundy"]),
            &[Mark::Bounce],
        ))
    }
}

pub(super) fn easy_reckoning() -> Reckoning {
    reckoning_of(order(
        "France Fleet Brest",
        going(&["Mid-Atlantic Ocean"]),
        &[],
    ))
}

/// Orders that came in the way of one another in a past phase.
pub(super) fn told_orders() -> OrdersTold {
    OrdersTold {
        title: title("Movement", "Fall of 1902", "kaiser.006"),
        movement: vec![
            order("France Army Paris", going(&["Burgundy"]), &[Mark::Bounce]),
            order("Germany Army Munich", going(&["Burgundy"]), &[Mark::Bounce]),
        ],
        retreats: vec![],
        winter: vec![],
    }
}

pub(super) fn no_deadline_report() -> PhaseReport {
    let mut report = retreat_report();
    report.next = report.next.map(|next| NextPhase {
        deadline: None,
        ..next
    });
    report
}

pub(super) fn french_orders() -> OrdersSection {
    OrdersSection {
        title: title("Movement", "Fall of 1901", "kaiser.002"),
        powers: vec![PowerOrders {
            orders: vec![order("France Army Picardy", going(&["Burgundy"]), &[])],
            ..own("France", "F")
        }],
    }
}

pub(super) fn pending_errors() -> Vec<Answer> {
    vec![Answer::about(
        "F: F Bre-Mun",
        vec!["The fleet in Brest cannot reach Munich.".into()],
    )]
}

/// 6.7.
pub(super) fn opening_mail(selected: Option<&str>) -> GameStart {
    let player = |role: &str, called: &str| StartPlayer {
        role: role.into(),
        called: called.into(),
    };
    GameStart {
        builds: None,
        tables: Vec::new(),
        selected: selected.map(label),
        variant: "Diplomacy".into(),
        rules: None,
        map: None,
        players: vec![
            player("Master", "gm@ex.org"),
            player("Austria", "anna@ex.org"),
            player("Observer", "olga@ex.org"),
        ],
        turn: "Spring of 1901".into(),
        disclosed: true,
        sight: None,
        units: vec![
            vec![
                unit("Austria Army Vienna"),
                unit("Austria Army Budapest"),
                unit("Austria Fleet Trieste"),
            ],
            vec![unit("France Army Paris")],
            vec![unit("Russia Fleet St Petersburg (south coast)")],
        ],
        deadline: Some(moment("2026-12-07T23:30:00")),
        seed_sha256: "5e".repeat(32),
    }
}

pub(super) fn turkish_reminder() -> Reminder {
    Reminder {
        orders: OrdersSection {
            title: title("Movement", "Fall of 1901", "kaiser.002"),
            powers: vec![PowerOrders {
                orders: vec![
                    order("Turkey Army Bulgaria", UnitOrder::Nothing, &[]),
                    order("Turkey Army Constantinople", going(&["Smyrna"]), &[]),
                ],
                ..own("Turkey", "T")
            }],
        },
        hours: 8,
        flag: false,
        unconfirmed: false,
    }
}

/// LateNotice notices by the names of their files.
pub(super) fn lates() -> BTreeMap<&'static str, LateNotice> {
    let late = LateNotice {
        powers: vec![(label("France"), None), (label("Turkey"), Some(2))],
        unnamed: 0,
        grace: Some(moment("2026-12-14T22:30:00")),
        nmr: false,
        abandoned: false,
    };
    let unnamed = |n| LateNotice {
        powers: vec![],
        unnamed: n,
        ..late.clone()
    };
    BTreeMap::from([
        ("late", late.clone()),
        ("late-unnamed", unnamed(2)),
        ("late-one", unnamed(1)),
        (
            "late-nmr",
            LateNotice {
                nmr: true,
                ..late.clone()
            },
        ),
        (
            "late-nmr-one",
            LateNotice {
                nmr: true,
                ..unnamed(1)
            },
        ),
        (
            "late-nmr-abandoned",
            LateNotice {
                nmr: true,
                abandoned: true,
                ..late.clone()
            },
        ),
        (
            "late-nmr-abandoned-one",
            LateNotice {
                nmr: true,
                abandoned: true,
                grace: None,
                ..unnamed(1)
            },
        ),
        (
            "late-abandoned",
            LateNotice {
                abandoned: true,
                grace: None,
                ..late
            },
        ),
    ])
}

pub(super) fn takeover() -> Vec<String> {
    vec![
        "hugo@ex.org has taken over the abandoned Turkey in game 'kaiser'.".into(),
        "The deadline of 'kaiser' is now Fri Dec 25 2026 23:30:00 +0000.".into(),
        "Grace in 'kaiser' now ends Fri Jan 01 2027 22:30:00 +0000.".into(),
    ]
}

pub(super) fn channel() -> PressMail {
    PressMail {
        sender: Sender::Person {
            person: "ben@ex.org".into(),
            power: "England".into(),
            letter: "E".into(),
        },
        audience: Audience::Only(to(&["France"])),
        really: None,
        text: "Shall we leave the Channel empty?\n".into(),
        headline: HeadlineForm::Message,
    }
}

/// 6.8, LIST.
pub(super) fn listed_games() -> Vec<ListedGame> {
    let game =
        |name: &str, phase: &str, options: &str, comment: Option<&str>, state: Option<&str>| {
            ListedGame {
                name: name.into(),
                phase: phase.into(),
                options: options.into(),
                comment: comment.map(Into::into),
                state: state.map(Into::into),
            }
        };
    vec![
        game(
            "kaiser",
            "S1902R",
            "Standard, 71 hrs, Moderated (Gm), Press:W-P-.",
            Some("A game for patient people"),
            Some("Openings: Italy (4/4)"),
        ),
        game(
            "tokyo",
            "S1901M",
            "Standard, Gunboat, 24 hrs, Moderated (Gm), Press:-G-F.",
            None,
            Some("Forming: 3 players needed."),
        ),
        game(
            "seven",
            "",
            "Rather Silly, Blind, 24 hrs, Moderated (Somebody With A Name), Press:WGPF, NMR.",
            None,
            None,
        ),
    ]
}

pub(super) fn rich_listing() -> Listing {
    let mut listing = listing();
    listing.information =
        Some("A game for patient people.\nSubject: to the mood of the master.".into());
    listing.people[2].late = Some(3);
    listing.people[1].dedication = None;
    listing.people[1].called = "someone@somewhere".into();
    listing.parameters.own = vec![("Sight".into(), "units, centers".into())];
    listing.parameters.index = None;
    listing.parameters.flags =
        "NoNMR, Proxy, DIAS, Strict Wait, Strict Grace, Late Count, Approval, Quiet, Secret, NoReveal".into();
    listing.centers = retreat_report().centers;
    listing.units.push(vec![
        unit("France Fleet Spain (south coast)"),
        unit("France Army Paris"),
    ]);
    listing
}

pub(super) fn forming_listing() -> Listing {
    Listing {
        tables: Vec::new(),
        state: "forming".into(),
        deadline: None,
        start: None,
        all_in: None,
        people: vec![],
        title: None,
        units: vec![],
        ..listing()
    }
}

/// A power that has been led by another.
pub(super) fn new_leader_mail() -> NewLeader {
    NewLeader {
        selected: label("France"),
        variant: "Standard".into(),
        tables: opening_mail(Some("France")).tables,
        entries: told_history(HistoryEnd::Information).entries,
    }
}

pub(super) fn told_history(end: HistoryEnd) -> History {
    History {
        game: "kaiser".into(),
        from: moment("2026-11-30T00:00:00"),
        through: moment("2026-12-20T12:00:00"),
        entries: vec![HistoryEntry {
            at: moment("2026-12-01T22:06:00"),
            subject: "USXX:kaiser - S1901M Results".into(),
            body: ":: Judge: USXX  Game: Kaiser  Variant: Standard\n\nMovement results for Spring of 1901.  \
             (kaiser.001)\n".into(),
        }],
        end,
    }
}

pub(super) fn people() -> Vec<Person> {
    vec![
        Person {
            role: "France".into(),
            called: Some("cleo@ex.org".into()),
            user: Some(3),
            name: Some("Cleo Example".into()),
            country: Some("France".into()),
            level: Some("Intermediate".into()),
        },
        Person {
            role: "Italy".into(),
            ..Person::default()
        },
    ]
}

/// GET map.NAME.
fn border(unit: &str, places: &str) -> MapBorder {
    MapBorder {
        unit: unit.to_owned(),
        places: places.split_whitespace().map(str::to_owned).collect(),
    }
}

pub(super) fn small_map() -> MapPage {
    MapPage {
        name: "small".into(),
        powers: vec![
            MapPower {
                name: "Britain".into(),
                letter: Some('B'),
                units: vec!["A London".into(), "F St Ives (north coast)".into()],
            },
            MapPower {
                name: "Rome".into(),
                letter: None,
                units: vec![],
            },
        ],
        centers: 3,
        over_half: 2,
        provinces: vec![
            MapProvince {
                code: "CHA".into(),
                name: "Channel".into(),
                kind: "sea",
                center: None,
                also: vec![],
                borders: vec![border("F", "LON STI/NC STI/SC")],
            },
            MapProvince {
                code: "STI".into(),
                name: "St Ives".into(),
                kind: "coast",
                center: Some("Britain".into()),
                also: vec!["saint ives".into(), "ives".into()],
                borders: vec![
                    border("A", "LON"),
                    border("F/nc", "CHA LON"),
                    border("F/sc", "CHA"),
                ],
            },
        ],
    }
}
