//! A whole real game through `dipjudge tick` and two Maildirs.

use crate::games::maildir_host::MaildirHost;
use crate::games::play::play;
use crate::games::{checks, standard, transcript};

#[test]
fn seven_people_and_a_master_play_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = standard(0);
    let mut host = MaildirHost::new(folder.path(), "");
    let mut record = Vec::new();
    play(&script, &script.steps, &mut host, &mut record);
    checks::everything(&script, &record);
    transcript::compare("emma.txt", &transcript::of("emma", &record));
}
