//! Rules of play that every variant has: how powers are dealt, what wins, where is built.

use serde_json::json;

use super::change::{before_start, irregular_after_start, setting, setting_under};
use crate::game::{Assignment, BuildSites, Tally};
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said, refuse};
use crate::judge::work::authority::game_of;
use crate::variants;

/// SET PRFLIST, SET PRFBOTH, SET PRFRAND.
pub(super) fn assignment(work: &mut Work, acting: Acting, method: Assignment) -> Said {
    before_start(work)?;
    let words = match method {
        Assignment::List => "by preference lists",
        Assignment::Both => "by lot to those whose list is *, then by lists",
        Assignment::Random => "by lot",
    };
    let done = format!("set powers to be dealt {words}");
    setting(work, acting, "assignment", json!(method), &done)
}

/// SET CENTERS: how many of what the variant counts win.
pub(super) fn centers(work: &mut Work, acting: Acting, n: i64) -> Said {
    let game = game_of(work)?;
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
    let subject = format!("Winning {title} Changed to {n}");
    let done = format!("changed the winning {noun} to {n}");
    setting_under(work, acting, "centers", n, &subject, &done)
}

/// SET ANY CENTRES, SET HOME CENTRES, SET ONE CENTRE.
pub(super) fn build_sites(work: &mut Work, acting: Acting, sites: BuildSites) -> Said {
    let words = match sites {
        BuildSites::Home => "own homes",
        BuildSites::Any => "any owned center",
        BuildSites::One => "any owned center while one home is held",
    };
    let done = format!("allowed builds in {words}");
    let said = setting(work, acting, "build_sites", json!(sites), &done)?;
    irregular_after_start(work);
    Ok(said)
}
