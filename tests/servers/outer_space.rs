//! The sample game of ...It Came from Outer Space! through real mail servers: nine empires, played with `dipjudge tick
//! --at` until one has won.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::checks::answers::every_mail_has_its_answer;
use crate::games::checks::{positions, printed};
use crate::games::play::{PlayEvent, came, play};
use crate::games::received::{Received, what_all_read};
use crate::servers_host::Servers;

#[test]
fn nine_empires_play_to_a_victory() {
    let script = crate::games::sample("outer-space", 0);
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();
    play(&script, &script.steps, &mut servers, &mut record);

    let sent = every_mail_has_its_answer("space", &record);
    assert!(sent > 150, "{sent} mails were sent");
    names_and_press_are_as_written(&record);
    let last = results_come_once_to_all(&record);
    it_was_won(&record, &last);
    servers.keeper_has_heard_nothing();
}

fn names_and_press_are_as_written(record: &[PlayEvent]) {
    assert!(
        came(record).any(|came| came.body.contains("Norway cannot be the name or code")),
        "a name that is a province's is refused"
    );
    let press = came(record).filter(|came| came.subject.ends_with("Press from KLA to ZOR CYL"));
    assert_eq!(press.count(), 2);
}

/// The last report.
fn results_come_once_to_all(record: &[PlayEvent]) -> String {
    let mut phases = vec!["S1901M".to_owned()];
    phases.extend(positions(record).map(|position| printed(&position.phase)));
    assert_eq!(phases.pop().as_deref(), Some("the end"));
    assert_eq!(phases.len(), 23);
    let mut reports: BTreeMap<&str, (BTreeSet<&str>, Vec<&str>)> = BTreeMap::new();
    let results =
        |mail: &&Received| mail.subject.ends_with(" Results") && !mail.subject.starts_with("Re: ");
    for mail in came(record).filter(results) {
        let (readers, texts) = reports.entry(&mail.subject).or_default();
        assert!(
            readers.insert(mail.reader()),
            "{} twice to {}",
            mail.subject,
            mail.reader()
        );
        texts.push(what_all_read(&mail.body));
    }
    let mut last = "";
    for phase in &phases {
        let subject = format!("USXX:space - {phase} Results");
        let (readers, texts) = reports
            .remove(subject.as_str())
            .unwrap_or_else(|| panic!("{subject}"));
        assert_eq!(
            readers.len(),
            11,
            "{subject}: all players, the master, the observer"
        );
        assert!(
            texts.iter().all(|text| *text == texts[0]),
            "{subject} reads alike for all"
        );
        last = texts[0];
    }
    assert!(reports.is_empty(), "{:?}", reports.keys());
    last.to_owned()
}

fn it_was_won(record: &[PlayEvent], last: &str) {
    let row = "JED:      18 Supply centers, 15 Units:  Builds   3 units.  (* VICTORY!! *)";
    assert!(last.lines().any(|line| line == row), "{last}");
    let victory: Vec<&Received> = came(record)
        .filter(|mail| mail.subject == "USXX:space - F1906R Victory: JED")
        .collect();
    assert_eq!(victory.len(), 11);
    assert!(
        victory[0].body.contains("Jedi Knights (JED)"),
        "{}",
        victory[0].body
    );
}
