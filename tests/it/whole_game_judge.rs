//! A whole real game through the judge alone.

use crate::games::memory_host::MemoryHost;
use crate::games::play::play;
use crate::games::{checks, standard, transcript};
use crate::memory::settings;
use dipjudge::judge::Judge;
use dipjudge::mails::outbound::Templates;

#[test]
fn a_whole_game_through_the_judge_alone() {
    let script = standard(0);
    let mut host = MemoryHost::new();
    let mut record = Vec::new();
    play(&script, &script.steps, &mut host, &mut record);
    if let Ok(name) = std::env::var("DIPJUDGE_TELL") {
        println!("{}", transcript::of(&name, &record));
    }
    checks::everything(&script, &record);
    transcript::compare("emma.txt", &transcript::of("emma", &record));

    // The records alone lead to the same games.
    let mut again = Judge::new(settings(crate::games::JUDGE), Templates::built_in());
    for (log, json) in &host.records {
        again.replay(log, json).unwrap();
    }
    assert!(again.games().eq(host.judge.games()));
}
