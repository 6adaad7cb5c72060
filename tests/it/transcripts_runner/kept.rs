//! What is kept for the HISTORY of a power is what its leader has just got. Where leaders are hidden the copy does not say
//! who he is, and its times are those of the game's zone.
use dipjudge::game::VariantGame;
use dipjudge::judge::{Archived, Judge, Readership};
use dipjudge::variants;

use super::post::Letter;
use super::script::bare;

/// The first thing kept for a power that its leader has not just got.
pub(crate) fn fault(judge: &Judge, kept: &[Archived], sent: &[Letter]) -> Option<String> {
    kept.iter().find_map(|one| {
        let Readership::Power(power) = one.readers else {
            return None;
        };
        let game = judge.game(&one.game)?;
        let leader = game.holder(power).filter(|seat| !seat.left)?;
        let hidden = VariantGame::new(game, variants::of(&game.variant)).hides_leaders();
        let nameless = |text: &str| match hidden {
            true => words(&text.replace(&leader.address, "someone@somewhere")),
            false => words(text),
        };
        let got = sent.iter().any(|letter| {
            let same = letter.subject == one.subject && nameless(&letter.body) == words(&one.body);
            // Who has just come to lead it reads it among all that his power was sent.
            let among = || nameless(&letter.body).contains(&words(&one.body));
            letter.to == leader.address && (same || among())
        });
        let zone = leader.zone.is_some();
        (!got && !zone).then(|| {
            let (subject, to) = (&one.subject, &leader.address);
            format!("'{subject}' is kept for the HISTORY of a power, but {to} did not get it")
        })
    })
}

/// The words of a text, however its lines break.
fn words(text: &str) -> String {
    bare(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
