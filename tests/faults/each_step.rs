//! The program is ended at every write and every flush once, and each of them fails once, in one of three ways by turns.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::folder::{Content, Folder, minute};
use crate::planted_faults::{Fault, FaultReport, Step, met, steps};

/// What comes in, and the time at which the program then looks at everything.
pub(crate) struct Act {
    pub(crate) name: &'static str,
    /// In minutes.
    pub(crate) at: i64,
    pub(crate) comes: fn(&Folder),
}

/// Anna and ben lead two powers of a running game, gm is its master.
pub(crate) fn running_game(path: &Path, more: &str) -> Folder {
    let folder = Folder::new(path, more);
    for (number, who) in ["gm", "anna", "ben"].into_iter().enumerate() {
        let registration = format!("REGISTER\nName: {who}\nLevel: Novice\nEND");
        folder.writes(who, 1, &registration, minute(number as i64));
    }
    folder.writes(
        "gm",
        2,
        "CREATE ?kaiser mpw\nBECOME MASTER\nSET LIST",
        minute(3),
    );
    folder.writes("anna", 2, "SIGNON ?kaiser apw", minute(4));
    folder.writes("ben", 2, "SIGNON ?kaiser bpw", minute(5));
    folder.writes(
        "gm",
        3,
        "SIGNON Mkaiser mpw\nFORCE BEGIN\nSET NMR",
        minute(6),
    );
    let begun = folder.tick(minute(7)).output().unwrap();
    assert!(begun.status.success(), "{begun:?}");
    folder
}

/// A message with two senders, which only a keeper can make sense of.
const RIDDLE: &str = "From: anna@players.test, ben@players.test\nTo: judge@mail.test\nSubject: SIGNON Ekaiser apw\n\
    Message-ID: <9.riddle@players.test>\n\nA Par-Bur\n";

pub(crate) const ACTS: [Act; 3] = [
    Act {
        name: "people write",
        at: 60,
        comes: |folder| {
            let letter = |who| folder.power_of(who).chars().next().unwrap();
            let (anna, ben) = (letter("anna"), letter("ben"));
            folder.writes(
                "anna",
                3,
                &format!("SIGNON {anna}kaiser apw\nPRESS TO ALL\nPeace?\nENDPRESS"),
                minute(20),
            );
            folder.comes(RIDDLE, minute(21));
            folder.writes(
                "ben",
                3,
                &format!("SIGNON {ben}kaiser bpw\nSET ABSENCE from Apr 3 to Apr 5\nA Vie-Bud"),
                minute(22),
            );
            folder.writes("carl", 1, "LIST\nWHO", minute(23));
        },
    },
    Act {
        name: "a deadline passes",
        at: 24_240,
        comes: |folder| {
            let anna = folder.power_of("anna").chars().next().unwrap();
            folder.writes(
                "anna",
                4,
                &format!("SIGNON {anna}kaiser apw\nSET WAIT"),
                minute(60),
            );
        },
    },
    Act {
        name: "a master writes when the clocks have changed",
        at: 39_240,
        comes: |folder| {
            folder.writes(
                "gm",
                4,
                "SIGNON Mkaiser mpw\nPROCESS\nSET TIMEZONE Europe/Berlin",
                minute(39_100),
            )
        },
    },
];

fn meets(
    before: &Folder,
    act: &Act,
    without_fault: &Content,
    step: &Step,
    fault: Fault,
    copy: &Path,
) -> FaultReport {
    let folder = before.copy(copy);
    let report = folder.path.join("steps");
    let about = format!("{}: {fault:?} at {step:?}", act.name);
    let met = met(
        &mut folder.tick(minute(act.at)),
        fault,
        step.number,
        &report,
    );
    let recovered = folder.tick(minute(act.at)).output().unwrap();
    assert!(recovered.status.success(), "{about}: {recovered:?}");
    let mut content = folder.content();
    if content.mails_wait() {
        // A mail that could not be sent is tried again a little later.
        let later = act.at + 25;
        assert!(
            folder.tick(minute(later)).status().unwrap().success(),
            "{about}"
        );
        content = folder.content();
    }
    let mut found = FaultReport::default();
    found.again = content.holds_what(without_fault, &about);
    // What is stored together depends on the speed of the disk, so a run may have fewer steps than the one in which they were counted.
    if let Some(step) = met {
        found.count(fault, &step);
    }
    found
}

#[test]
fn the_program_ends_or_fails_at_every_write_and_flush_once() {
    let begun = Instant::now();
    let place = tempfile::tempdir().unwrap();
    let mut before = running_game(&place.path().join("game"), "");
    let (mut report, mut wanted) = (FaultReport::default(), 0);
    for act in &ACTS {
        (act.comes)(&before);
        let after = before.copy(&place.path().join("after"));
        let all = steps(&mut after.tick(minute(act.at)), &place.path().join("steps"));
        let content = after.content();
        assert!(
            content.sent.len() > before.content().sent.len(),
            "{}",
            act.name
        );
        let ends = all.iter().map(|step| (step, Fault::Abort));
        let fails = all.iter().zip(
            [Fault::Fail, Fault::Full, Fault::ReadOnly]
                .into_iter()
                .cycle(),
        );
        let points: Vec<(&Step, Fault)> = ends.chain(fails).collect();
        let (first, second) = points.split_at(points.len() / 2);
        wanted += points.len();
        std::thread::scope(|scope| {
            let run = |points: &[(&Step, Fault)], name: &str| {
                let mut report = FaultReport::default();
                let copy = place.path().join(name);
                for (step, fault) in points {
                    report.add(meets(&before, act, &content, step, *fault, &copy));
                }
                report
            };
            let beside = scope.spawn(move || run(second, "second"));
            report.add(run(first, "first"));
            report.add(beside.join().unwrap());
        });
        println!("{}: {} steps, {} points", act.name, all.len(), points.len());
        // The next act begins where this one ended.
        let _ = fs::remove_dir_all(&before.path);
        before = after.copy(&place.path().join("game"));
        let verified = before.run(&["verify"]);
        assert!(verified.contains("kaiser"), "{verified}");
    }
    report.print();
    println!("{} s", begun.elapsed().as_secs());
    println!("{} of {wanted} points were met", report.total());
    assert!(report.total() * 20 > wanted * 19);
    assert!(report.of_kind("write") > 80 && report.of_kind("flush") > 80);
}
