//! The switches of a game: settings that are on or off.

use super::change::{before_start, moderator_where_hidden};
use super::switch::Switch;
use super::table::{SetAct, Setting};
use crate::clock::starting;
use crate::work::acting::refuse;
use crate::work::authority::only_master;
use dipjudge_game::{Event, Role, SettingChange, State};

/// The row of a switch without special fields.
const fn switch(
    rules: &'static [&'static str],
    examples: &'static [&'static str],
    name: &'static str,
    change: fn(bool) -> SettingChange,
    help: &'static str,
) -> Setting {
    Setting {
        rules,
        examples,
        act: SetAct::Switch(Switch {
            name,
            change,
            ..Switch::PLAIN
        }),
        help,
        ..Setting::GAME
    }
}

pub(super) const SETTINGS: &[Setting] = &[
    switch(
        &["nmr"],
        &["NMR"],
        "NMR",
        SettingChange::Nmr,
        "SET NMR
    When grace ends, go on without the missing orders. SET NO NMR: wait for a
    replacement instead.",
    ),
    switch(
        &["listed"],
        &["LIST"],
        "Listed",
        SettingChange::List,
        "SET LIST
    Show the game in LIST. SET NO LIST hides it: once it has started,
    outsiders are told it does not exist, unless it needs a player. Only
    people named by SET ALLOW PLAYER can then observe.",
    ),
    Setting {
        rules: &["moderated"],
        examples: &["MODERATED"],
        act: SetAct::Switch(Switch {
            name: "Moderated",
            change: SettingChange::Moderated,
            // Who ends a game that hides something was agreed on when the game began.
            check: |work, _, on| {
                let game = work.game();
                if on && game.seated(Role::Master).next().is_none() {
                    return refuse(format!(
                        "'{}' has no master, so nobody could run it then. Before others have joined, its creator becomes one: BECOME MASTER.",
                        game.name
                    ));
                }
                if on && work.secrecy().any() {
                    before_start(work)
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET MODERATED
    Leave these commands to you alone; SET UNMODERATED to any player.  A game
    that hides something can be made moderated only before the start.",
        ..Setting::GAME
    },
    Setting {
        rules: &["manual-start"],
        examples: &["MANUAL START"],
        act: SetAct::Switch(Switch {
            name: "ManualStart",
            change: SettingChange::ManualStart,
            // A master who turns it off when the game is full begins the game.
            then: |work, on| {
                let waits = matches!(work.game().state, State::Ready | State::Forming);
                if !on && waits {
                    work.send_notices();
                    starting::begin_if_full(work);
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET MANUAL START
    Wait for SET AUTO START when the table is full.",
        ..Setting::GAME
    },
    switch(
        &["manual-process"],
        &["MANUAL PROCESS"],
        "ManualProcess",
        SettingChange::ManualProcess,
        "SET MANUAL PROCESS
    Process only by PROCESS.",
    ),
    switch(
        &["strict-wait"],
        &["STRICT WAIT"],
        "StrictWait",
        SettingChange::StrictWait,
        "SET STRICT WAIT
    Only powers with something to order may wait.",
    ),
    switch(
        &["strict-grace"],
        &["STRICT GRACE"],
        "StrictGrace",
        SettingChange::StrictGrace,
        "SET STRICT GRACE
    Grace ends to the hour, even on a forbidden day.",
    ),
    switch(
        &["strict-coasts"],
        &["STRICT COASTS"],
        "StrictCoasts",
        SettingChange::StrictCoasts,
        "SET STRICT COASTS
    Where two coasts are within reach an order must name one.",
    ),
    switch(
        &["late-count"],
        &["LATE COUNT"],
        "LateCount",
        SettingChange::LateCount,
        "SET LATE COUNT
    Show how often each was late.",
    ),
    switch(
        &["late-list"],
        &["LATELIST"],
        "LateList",
        SettingChange::Latelist,
        "SET LATELIST
    Late notices name who is late; SET LATELIST OFF names nobody.",
    ),
    Setting {
        rules: &["dias"],
        examples: &["DIAS"],
        act: SetAct::Switch(Switch {
            name: "DIAS",
            change: SettingChange::Dias,
            // A list of powers would show whom its writer knows, or require names of powers that he does not know.
            check: |work, _, on| {
                if !on && work.secrecy().existence {
                    refuse("In this game draws are of all survivors.")
                } else {
                    Ok(())
                }
            },
            // The meaning of votes has changed.
            then: |work, _| work.emit(Event::VotesCleared),
        }),
        help: "SET DIAS *
    Draws include all survivors; SET NO DIAS: those named.",
        ..Setting::GAME
    },
    switch(
        &["concessions"],
        &["CONCESSIONS"],
        "Concessions",
        SettingChange::Concessions,
        "SET CONCESSIONS *
    Allow concessions, or SET NO CONCESSIONS.",
    ),
    switch(
        &["approval"],
        &["APPROVAL"],
        "Approval",
        SettingChange::Approval,
        "SET APPROVAL
    Orders count only of players approved: SET APPROVE EFG.",
    ),
    Setting {
        rules: &["blind-master"],
        examples: &["BLIND MASTER"],
        act: SetAct::Switch(Switch {
            name: "BlindMaster",
            change: SettingChange::BlindMaster,
            // The master may not reveal what was sealed from him.
            check: |work, _, on| {
                if !on || work.secrecy().any() {
                    before_start(work)
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET BLINDMASTER
    You cannot see orders either until they are processed. Once the game has
    begun it cannot be lifted, nor set where the game hides something.",
        ..Setting::GAME
    },
    switch(
        &["early"],
        &["EARLY"],
        "Early",
        |on| SettingChange::Early(Some(on)),
        "SET EARLY
    Process as soon as all orders are in; SET NO EARLY: at the deadline.",
    ),
    Setting {
        rules: &["reveal"],
        examples: &["REVEAL"],
        act: SetAct::Switch(Switch {
            name: "Reveal",
            change: SettingChange::Reveal,
            // In an unmoderated game no player may reveal the others' names.
            check: |work, acting, on| {
                if on && work.game().begun() {
                    only_master(work, acting, "SET REVEAL")
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET NO REVEAL
    Keep hidden players hidden after the end.",
        ..Setting::GAME
    },
    switch(
        &["quiet"],
        &["QUIET"],
        "Quiet",
        SettingChange::Quiet,
        "SET QUIET
    No notices of who was given up or taken over.",
    ),
    switch(
        &["secret"],
        &["SECRET"],
        "Secret",
        SettingChange::Secret,
        "SET SECRET
    As SET QUIET; and before the start only you are told who has joined, and
    how many have.",
    ),
    switch(
        &["show"],
        &["SHOW"],
        "Show",
        SettingChange::Show,
        "SET NO SHOW
    Notices of settings do not name who has changed them.",
    ),
    switch(
        &["rated"],
        &["RATED"],
        "Rated",
        SettingChange::Rated,
        "SET UNRATED
    The game does not count for dedication; SET RATED: it does.",
    ),
    switch(
        &["resume"],
        &["RESUME"],
        "Resume",
        |on| SettingChange::ResumeAny(Some(on)),
        "SET RESUME
    Any player may RESUME; SET NO RESUME: the master alone.",
    ),
    Setting {
        rules: &["watch-all-press"],
        examples: &["WATCH ALL PRESS"],
        act: SetAct::Switch(Switch {
            name: "WatchAllPress",
            change: SettingChange::WatchAllPress,
            check: |work, acting, _| moderator_where_hidden(work, acting, "WATCH ALL PRESS"),
            ..Switch::PLAIN
        }),
        help: "SET WATCH ALL PRESS
    May observers ask for copies of all letters?  In a game that hides
    something only before the start, or by the master of a moderated game; it
    is for what is written afterwards.",
        ..Setting::GAME
    },
    switch(
        &["partial"],
        &["PARTIAL"],
        "Partial",
        SettingChange::Partial,
        "SET NO PARTIAL
    Letters to all or to the master only.",
    ),
    switch(
        &["late-press"],
        &["LATE PRESS"],
        "LatePress",
        SettingChange::LatePress,
        "SET NO LATE PRESS
    Late powers may not write.",
    ),
    Setting {
        rules: &["minor-press"],
        examples: &["MINOR PRESS"],
        before_start: true,
        act: SetAct::Switch(Switch {
            name: "MinorPress",
            change: SettingChange::MinorPress,
            ..Switch::PLAIN
        }),
        help: "SET NO MINOR PRESS
    Before the start: no letters in retreats and winter.",
        ..Setting::GAME
    },
    switch(
        &["grace-press"],
        &["GRACE PRESS"],
        "GracePress",
        SettingChange::GracePress,
        "SET NO GRACE PRESS
    No letters while anyone is late.",
    ),
    switch(
        &["must-order"],
        &["MUST ORDER"],
        "MustOrder",
        SettingChange::MustOrder,
        "SET MUST ORDER
    Letters only with complete orders.",
    ),
    switch(
        &["position"],
        &["POSITION ON"],
        "Position",
        SettingChange::Position,
        "SET POSITION ON
    Below results all units as they stand now; SET POSITION OFF: not.",
    ),
    switch(
        &["proxy"],
        &["PROXY"],
        "Proxy",
        SettingChange::Proxy,
        "SET PROXY
    Players may let others order their units.",
    ),
];
