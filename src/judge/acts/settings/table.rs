//! A row of the table of settings: all that the judge knows of a setting, except its grammar, which is in
//! `grammar/settings.grammar`, and its effect in a game, which is in `game::Settings`.

use super::change::{before_start, while_sign_up_is_open};
use super::switch::Switch;
use crate::acts::table::{Discloses, Page, Proof, Who, everywhere};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, refuse};
use dipjudge_commands::settings::rule_of;
use dipjudge_grammar::Line;

/// A setting, or several that users regard as one.
pub(crate) struct Setting {
    /// The rules of `grammar/settings.grammar` that parse it.
    pub rules: &'static [&'static str],
    /// Examples of the words after SET, at least one for each rule.
    pub examples: &'static [&'static str],
    /// Who may set it.
    pub who: Who,
    /// Its name in a refusal: `… is for the master of 'g'`.
    pub called: &'static str,
    /// How the sender must be proven (`judge-workflow.md` 7).
    pub proof: Proof,
    /// Whether it decides who reads a seat's mail, at once or by a later sign-on.
    pub redirects: bool,
    /// Whether it can be set only before the game begins.
    pub before_start: bool,
    /// Whether it is fixed from the close of sign-up on, in a game that begins at a date.
    pub is_fixed_at_sign_up: bool,
    pub act: SetAct,
    /// The page that contains its help.
    pub page: Page,
    /// The entry of its page, which HELP quotes.
    pub help: &'static str,
    /// What an answer discloses, by the columns of `visibility.md` 7.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the acts to it"))]
    pub tells: [Discloses; 4],
}

/// What a setting does.
pub(crate) enum SetAct {
    /// A function of the line; its result is the answer.
    Line(fn(&mut GameWork, Acting, &Line) -> ActOutcome),
    /// Turns a switch of the game on or off.
    Switch(Switch),
    /// Does nothing: the setting of an earlier judge is not offered here, and this is said to everybody.
    NotOffered(fn(&Line) -> String),
}

impl Setting {
    /// The base row of what each person sets for himself.
    pub(super) const OWN: Setting = Setting {
        rules: &[],
        examples: &[],
        who: Who::SignedOn,
        called: "this setting",
        proof: Proof::SignOn,
        redirects: false,
        before_start: false,
        is_fixed_at_sign_up: false,
        act: SetAct::Line(not_offered),
        page: Page::Syntax,
        help: "",
        tells: everywhere(Discloses::OwnAct),
    };

    /// The base row of what a master sets for the game.
    pub(super) const GAME: Setting = Setting {
        who: Who::Ruler,
        is_fixed_at_sign_up: true,
        page: Page::MasterSettings,
        ..Setting::OWN
    };

    /// The base row of a setting that is parsed only so that its sender reads that it is not offered.
    pub(super) const NOT_OFFERED: Setting = Setting {
        page: Page::None,
        tells: everywhere(Discloses::Constant),
        ..Setting::OWN
    };

    /// Executes the setting, if the sender may use it.
    pub(super) fn carry_out(&self, work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
        let called = match &self.act {
            SetAct::Line(_) | SetAct::NotOffered(_) => self.called.to_owned(),
            SetAct::Switch(switch) => format!("SET {}", switch.name.to_uppercase()),
        };
        self.who.check(work, acting, &called)?;
        if self.is_fixed_at_sign_up {
            while_sign_up_is_open(work)?;
        }
        if self.before_start {
            before_start(work)?;
        }
        match &self.act {
            SetAct::Line(act) => act(work, acting, line),
            SetAct::Switch(switch) => switch.turn(work, acting, line),
            SetAct::NotOffered(why) => refuse(why(line)),
        }
    }
}

fn not_offered(_: &mut GameWork, _: Acting, line: &Line) -> ActOutcome {
    let name = rule_words(line).to_uppercase();
    refuse(format!("{name} is not offered by this judge."))
}

/// The words of a setting in a refusal: for a switch its name alone.
fn rule_words(line: &Line) -> String {
    match dipjudge_commands::settings::switched(line) {
        Some(_) => rule_of(line).replace('-', " "),
        None => line.text.clone(),
    }
}
