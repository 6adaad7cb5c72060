//! The lines that a power may send for its births, ready to be sent.

use std::collections::BTreeMap;

use super::{BIRTHS, Life, generation, wishes};
use dipjudge_game::Phase;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;
use dipjudge_view::OfferedLine;

/// In a births phase a line for each birth that waits for its owner, and then, as with movements, the standing line.
pub(super) fn lines(game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
    let sent = game.lasting_submissions(power);
    if *game.phase() == Phase::Own(BIRTHS.to_owned()) {
        let open = generation::open(game.state(&Life));
        let own = open.iter().filter(|birth| birth.unit.power == power);
        let births = own.map(|birth| {
            let province = birth.unit.at.province;
            let name = game.map().full_name(province.into());
            OfferedLine {
                line: format!("BIRTH {} A", province.titled()),
                does: format!(
                    "Makes the newborn unit of {name} an army, F a fleet; a later line comes in place of it. Without one it is drawn."
                ),
                is_spent: !wishes::leaves_open(game.map(), wishes::wish(&sent, province), province),
            }
        });
        let mut lines: Vec<OfferedLine> = births.collect();
        if !lines.is_empty() {
            lines.push(standing(
                &sent,
                "Makes all your births on coasts armies, these and later ones, until you change it; a line for a province goes before it.",
            ));
        }
        return lines;
    }
    if *game.phase() != Phase::Movement {
        return Vec::new();
    }
    vec![standing(
        &sent,
        "Makes all your births on coasts armies until you change it; BIRTH PIC F is for Picardy in the next Life step alone. \
         Without a line you are asked after the birth.",
    )]
}

/// The line for all births.
fn standing(sent: &BTreeMap<&str, &VariantData>, does: &str) -> OfferedLine {
    OfferedLine {
        line: format!("BIRTH {} A", wishes::ANY),
        does: does.to_owned(),
        is_spent: sent.contains_key(wishes::ANY),
    }
}
