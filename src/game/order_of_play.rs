//! The order of phases, and the phase that words name.

use super::{Phase, Refusal, Variant, phases_named, refuse};
use dipjudge_rules::calendar::Turn;

/// The position of a phase in a variant's order of play: a later phase compares greater. A phase that its turn does not have
/// follows all others.
pub fn place(variant: &dyn Variant, turn: Turn, phase: &Phase) -> (Turn, usize) {
    let order = variant.order_of_play(turn);
    let here = order.iter().position(|step| step == phase);
    (turn, here.unwrap_or(order.len()))
}

/// The phase that words name: `F1903M`, `Winter 1903`. A turn alone, `F1903`, means its first phase.
///
/// # Errors
/// If the words name no phase, or one that the variant's games do not have.
pub fn named(variant: &dyn Variant, words: &str) -> Result<(Turn, Phase), Refusal> {
    let card = variant.card();
    let words = words.trim();
    // "movement" can be appended only to the name of a turn.
    let of_turn = card.phase_named(&format!("{words} movement"));
    let first = of_turn.ok().and_then(|name| {
        let phases = variant.order_of_play(name.turn);
        Some((name.turn, phases.into_iter().next()?))
    });
    if let Some(first) = first {
        return Ok(first);
    }
    let name = card.phase_named(words).map_err(|_| {
        let [example, _] = card.phase_examples;
        format!("'{words}' is not the name of a phase, such as {example}.")
    })?;
    let phases = phases_named(variant, name);
    match phases.into_iter().next() {
        Some(first) => Ok(first),
        None => refuse(format!(
            "A game of {} has no phase {}; GET RULES.{} tells its year.",
            card.title,
            name.in_mail(),
            card.name.to_uppercase()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Plain;
    use super::*;
    use dipjudge_rules::calendar::Season;

    fn turn(season: Season) -> Turn {
        Turn { year: 1903, season }
    }

    #[test]
    fn a_turn_alone_is_its_first_phase() {
        let fall = turn(Season::Fall);
        for (words, phase) in [
            ("F1903", (fall, Phase::Movement)),
            ("F1903M", (fall, Phase::Movement)),
            ("fall 1903 retreats", (fall, Phase::Retreats)),
            ("W1903", (turn(Season::Winter), Phase::Adjustments)),
            ("F1903B", (turn(Season::Winter), Phase::Adjustments)),
        ] {
            assert_eq!(named(&Plain, words), Ok(phase), "{words}");
        }
        assert!(named(&Plain, "some day").is_err());
        assert_eq!(
            named(&Plain, "S1903A").unwrap_err().text(),
            "A game of  has no phase S1903B; GET RULES. tells its year."
        );
    }

    #[test]
    fn what_is_played_later_has_the_greater_place() {
        let order = [
            (turn(Season::Spring), Phase::Movement),
            (turn(Season::Spring), Phase::Retreats),
            (turn(Season::Fall), Phase::Movement),
            (turn(Season::Winter), Phase::Adjustments),
        ];
        let places = order.map(|(turn, phase)| place(&Plain, turn, &phase));
        assert!(places.is_sorted_by(|one, other| one < other), "{places:?}");
    }
}
