//! The lines that a power may send for its births, ready to be sent.

use super::{BIRTHS, Life, generation, wishes};
use dipjudge_game::Phase;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::Power;
use dipjudge_view::OfferedLine;

/// In a births phase a line for each birth that waits for its owner; with movements the standing line.
pub(super) fn lines(game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
    let sent = game.lasting_submissions(power);
    if *game.phase() == Phase::Own(BIRTHS.to_owned()) {
        let open = generation::open(game.state(&Life));
        let own = open.iter().filter(|birth| birth.unit.power == power);
        return own
            .map(|birth| {
                let province = birth.unit.at.province;
                let name = game.map().full_name(province.into());
                OfferedLine {
                    line: format!("BIRTH {} A", province.titled()),
                    does: format!(
                        "Makes the unit born in {name} an army, F a fleet; a later line comes in place of it. Without one it is drawn."
                    ),
                    is_spent: !wishes::leaves_open(game.map(), wishes::wish(&sent, province), province),
                }
            })
            .collect();
    }
    if *game.phase() != Phase::Movement {
        return Vec::new();
    }
    vec![OfferedLine {
        line: "BIRTH ANY A".to_owned(),
        does: "Makes all your births on coasts armies until you change it; BIRTH PIC F is for Picardy in the next Life step alone. \
               Without a line you are asked after the birth."
            .to_owned(),
        is_spent: !sent.is_empty(),
    }]
}
