//! Rules of play that every variant has: how powers are assigned, what wins, where units are built.

use super::switch::Switch;
use super::table::{SetAct, Setting};

use super::change::{irregular_after_start, setting, setting_under};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, refuse};
use dipjudge_game::{Assignment, BuildSites, SettingChange, Tally};
use dipjudge_variants as variants;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["preference-method"],
        examples: &["PRFLIST"],
        before_start: true,
        act: SetAct::Line(|work, acting, line| {
            let method = if line.has("by-list") {
                Assignment::List
            } else if line.has("by-both") {
                Assignment::Both
            } else {
                Assignment::Random
            };
            assignment(work, acting, method)
        }),
        help: "SET PRFLIST
    Deal powers by preference list. SET PRFRAND: at random. SET PRFBOTH: first
    at random to those who sent SET PREFERENCE *, then by lists.",
        ..Setting::GAME
    },
    Setting {
        rules: &["centers"],
        examples: &["CENTERS 15"],
        act: SetAct::Line(|work, acting, line| {
            centers(work, acting, line.number().unwrap_or_default())
        }),
        help: "SET CENTERS n *
    How many centers win.",
        ..Setting::GAME
    },
    Setting {
        rules: &["build-anywhere", "build-home", "build-one-home"],
        examples: &["ANY CENTER", "HOME CENTER", "ONE CENTER"],
        act: SetAct::Line(|work, acting, line| {
            let sites = match line.rule.as_str() {
                "build-anywhere" => BuildSites::Any,
                "build-home" => BuildSites::Home,
                _ => BuildSites::One,
            };
            build_sites(work, acting, sites)
        }),
        help: "SET ANY CENTER *
    Build in any center; SET ONE CENTER: if one home is held; SET HOME
    CENTER: at home only.",
        ..Setting::GAME
    },
    Setting {
        rules: &["auto-disband"],
        examples: &["AUTO DISBAND"],
        act: SetAct::Switch(Switch {
            name: "AutoDisband",
            change: SettingChange::AutoDisband,
            then: |work, _| irregular_after_start(work),
            ..Switch::PLAIN
        }),
        help: "SET AUTO DISBAND *
    Dislodged units are destroyed; there are no retreats.",
        ..Setting::GAME
    },
    Setting {
        rules: &["any-disband"],
        examples: &["ANY DISBAND"],
        act: SetAct::Switch(Switch {
            name: "AnyDisband",
            change: SettingChange::AnyDisband,
            then: |work, _| irregular_after_start(work),
            ..Switch::PLAIN
        }),
        help: "SET ANY DISBAND *
    In Winter every power may remove units that it could keep, so each Winter
    is held, until its deadline. SET NORMAL DISBAND: only those that it must.",
        ..Setting::GAME
    },
    Setting {
        rules: &["disband"],
        examples: &["DISBAND"],
        act: SetAct::NotOffered(|_| {
            "Units disband in retreats and in Winter only. SET ANY DISBAND lets powers remove units in any Winter; SET AUTO DISBAND leaves the retreats out.".to_owned()
        }),
        ..Setting::NOT_OFFERED
    },
    Setting {
        rules: &["strict-convoy"],
        examples: &["STRICT CONVOY"],
        act: SetAct::NotOffered(|_| {
            "Every game here refuses convoys whose ends touch no sea, so STRICT CONVOY is always on and needs no setting.".to_owned()
        }),
        ..Setting::NOT_OFFERED
    },
];

/// SET PRFLIST, SET PRFBOTH, SET PRFRAND.
fn assignment(work: &mut GameWork, acting: Acting, method: Assignment) -> ActOutcome {
    let words = match method {
        Assignment::List => "by preference lists",
        Assignment::Both => "by lot to those whose list is *, then by lists",
        Assignment::Random => "by lot",
    };
    let done = format!("set powers to be dealt {words}");
    setting(work, acting, SettingChange::Assignment(method), &done)
}

/// SET CENTERS: the number of centers, or of whatever the variant counts, that wins.
fn centers(work: &mut GameWork, acting: Acting, n: i64) -> ActOutcome {
    let game = work.game();
    let most = game.map().centers().len() as i64;
    let (noun, title) = match variants::of(&game.variant).card().winning.tally {
        Tally::Centers => ("centers", "Centers"),
        Tally::Units => ("units", "Units"),
    };
    if most == 0 {
        return refuse("This variant is played without supply centers, and what wins it is fixed.");
    }
    if !(1..=most).contains(&n) {
        return refuse(format!("The winning number of {noun} is 1 to {most}."));
    }
    let subject = format!("Winning {title} Changed to {n}");
    let done = format!("changed the winning {noun} to {n}");
    let change = SettingChange::Centers(u32::try_from(n).ok());
    setting_under(work, acting, change, &subject, &done)
}

/// SET ANY CENTRES, SET HOME CENTRES, SET ONE CENTRE.
fn build_sites(work: &mut GameWork, acting: Acting, sites: BuildSites) -> ActOutcome {
    let words = match sites {
        BuildSites::Home => "own homes",
        BuildSites::Any => "any owned center",
        BuildSites::One => "any owned center while one home is held",
    };
    let done = format!("allowed builds in {words}");
    let said = setting(work, acting, SettingChange::BuildSites(sites), &done)?;
    irregular_after_start(work);
    Ok(said)
}
