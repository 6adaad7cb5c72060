//! A whole real game through `dipjudge tick` and two Maildirs.

use crate::games::maildir_office::MaildirOffice;
use crate::games::play::play;
use crate::games::{checks, standard, transcript};

#[test]
fn seven_people_and_a_master_play_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = standard(0);
    let mut office = MaildirOffice::new(folder.path(), "");
    let mut record = Vec::new();
    play(&script, &script.steps, &mut office, &mut record);
    checks::everything(&script, &record);
    transcript::compare("emma.txt", &transcript::of("emma", &record));
}
