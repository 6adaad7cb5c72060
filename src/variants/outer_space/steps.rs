//! What an end of turn brought, for `events` of the saved-game format.

use serde_json::{Value, json};

use super::OuterSpace;
use super::state::Colonized;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::{Power, Province};

/// `colonized` with the empire whose colony it was before, `not colonized` with the reason (`occupied`, `contested`,
/// `dislodged`) and the others, `eliminated` with the colonies that are free now.
pub(super) fn steps(before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<Value> {
    let news = after.state(&OuterSpace).news;
    if news.number != after.number() || after.number() <= before.number() {
        return Vec::new();
    }
    let key = |power: &Power| after.key(*power);
    let codes = |provinces: &[Province]| -> Vec<String> {
        provinces.iter().map(Province::to_string).collect()
    };
    let attempts = news.attempts.iter().map(|attempt| {
        let (power, province) = (key(&attempt.power), attempt.province.to_string());
        let failed = |why: &str, by: &[Power]| {
            json!({
                "step": "not colonized",
                "power": power,
                "province": province,
                "why": why,
                "by": by.iter().map(key).collect::<Vec<_>>(),
            })
        };
        match &attempt.result {
            Colonized::Done(old) => json!({
                "step": "colonized",
                "power": power,
                "province": province,
                "from": old.as_ref().map(key),
            }),
            Colonized::Occupied(by) => failed("occupied", &[*by]),
            Colonized::Contested(rivals) => failed("contested", rivals),
            Colonized::Dislodged => failed("dislodged", &[]),
        }
    });
    let eliminated = news.eliminated.iter().map(|(power, freed)| {
        json!({ "step": "eliminated", "power": key(power), "freed": codes(freed) })
    });
    attempts.chain(eliminated).collect()
}
