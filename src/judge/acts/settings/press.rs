//! Which press a game allows (`judge-workflow.md` 5.2).

use super::table::{SetAct, Setting};

use super::change::{not_fixed, setting, told};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting};
use dipjudge_game::{Event, Fakes, ObserverPress, SettingChange};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["press-none", "white", "grey", "white-grey", "grey-white"],
        examples: &["NO PRESS", "WHITE", "GREY", "WHITE/GREY", "GREY/WHITE"],
        act: SetAct::Line(|work, acting, line| {
            let colors = match line.rule.as_str() {
                "press-none" => Colors::None,
                "white" => Colors::White,
                "grey" => Colors::Grey,
                "white-grey" => Colors::WhiteGrey,
                _ => Colors::GreyWhite,
            };
            set_colors(work, acting, colors)
        }),
        help: "SET NO PRESS
    Also SET WHITE, SET GREY, SET WHITE/GREY, SET GREY/WHITE (the first is
    the color that is meant if none is said).",
        ..Setting::GAME
    },
    Setting {
        rules: &[
            "may-be-faked",
            "faked-by-default",
            "no-fake-broadcast",
            "no-fake",
        ],
        examples: &[
            "PARTIAL MAY BE FAKED",
            "PARTIAL FAKES BROADCAST",
            "NO FAKE BROADCAST",
            "NO FAKE",
        ],
        act: SetAct::Line(|work, acting, line| match line.rule.as_str() {
            "may-be-faked" => may_be_faked(work, acting),
            "faked-by-default" => faked_by_default(work, acting),
            "no-fake-broadcast" => no_fake_broadcast(work, acting),
            _ => no_fake(work, acting),
        }),
        help: "SET PARTIAL MAY BE FAKED
    Allow fakes; SET PARTIAL FAKES BROADCAST; SET NO FAKE.",
        ..Setting::GAME
    },
    Setting {
        rules: &["observer"],
        examples: &["OBSERVER WHITE"],
        act: SetAct::Line(|work, acting, line| {
            let who = if line.has("observer-any") {
                ObserverPress::Any
            } else if line.has("observer-white") {
                ObserverPress::White
            } else {
                ObserverPress::None
            };
            by_observers(work, acting, who)
        }),
        help: "SET OBSERVER ANY|WHITE|NO
    May observers write?",
        ..Setting::GAME
    },
];

/// The colors of press that a game allows; the first is the default.
enum Colors {
    /// No press except to the master.
    None,
    White,
    Grey,
    WhiteGrey,
    GreyWhite,
}

/// SET WHITE, SET GREY, and both together.
fn set_colors(work: &mut GameWork, acting: Acting, colors: Colors) -> ActOutcome {
    let (white, grey, grey_first, words) = match colors {
        Colors::None => (false, false, false, "no press"),
        Colors::White => (true, false, false, "white press"),
        Colors::Grey => (false, true, true, "grey press"),
        Colors::WhiteGrey => (true, true, false, "white and grey press"),
        Colors::GreyWhite => (true, true, true, "grey and white press"),
    };
    // The three fields have a meaning only in combination.
    let mut changes = vec![
        SettingChange::White(white),
        SettingChange::Grey(grey),
        SettingChange::GreyFirst(grey_first),
    ];
    changes.retain(|change| work.game().settings.differs(change));
    for change in &changes {
        not_fixed(work, change)?;
    }
    for change in changes {
        work.emit(Event::Set(change));
    }
    told(work, acting, &format!("set the game to {words}"))
}

/// SET OBSERVER: which press observers may write.
fn by_observers(work: &mut GameWork, acting: Acting, who: ObserverPress) -> ActOutcome {
    let words = match who {
        ObserverPress::Any => "any press",
        ObserverPress::White => "white press only",
        ObserverPress::None => "no press",
    };
    let done = format!("allowed observers {words}");
    setting(work, acting, SettingChange::ObserverPress(who), &done)
}

fn may_be_faked(work: &mut GameWork, acting: Acting) -> ActOutcome {
    fakes(work, acting, Fakes::May, "let partial press be faked")
}

fn faked_by_default(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let done = "let partial press read as a broadcast";
    fakes(work, acting, Fakes::BroadcastByDefault, done)
}

fn no_fake_broadcast(work: &mut GameWork, acting: Acting) -> ActOutcome {
    fakes(work, acting, Fakes::PartialOnly, "forbade fake broadcasts")
}

fn no_fake(work: &mut GameWork, acting: Acting) -> ActOutcome {
    fakes(work, acting, Fakes::No, "forbade fakes")
}

fn fakes(work: &mut GameWork, acting: Acting, fakes: Fakes, done: &str) -> ActOutcome {
    setting(work, acting, SettingChange::Fakes(fakes), done)
}
