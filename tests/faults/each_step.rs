//! The program is ended at every write and every flush once, and each kind of them fails once in each of three ways.
//! `DIPJUDGE_FAULTS=all` has every single one fail too, in one of the ways by turns.

use std::collections::BTreeSet;
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

/// A step that is to be met, and the fault.
#[derive(Clone)]
struct Point {
    step: Step,
    fault: Fault,
}

/// The ways in which a step fails.
const FAILURES: [Fault; 3] = [Fault::Fail, Fault::Full, Fault::ReadOnly];

/// Each step ends the program; of the steps that do the same, the first one fails in each way.
fn points(steps: &[Step], known: &mut BTreeSet<(String, Fault)>) -> Vec<Point> {
    let all = std::env::var("DIPJUDGE_FAULTS").is_ok_and(|which| which == "all");
    let mut points = Vec::new();
    for (step, by_turns) in steps.iter().zip(FAILURES.into_iter().cycle()) {
        let fails = |fault: &Fault| {
            let is_new = known.insert((step.what.clone(), *fault));
            is_new || (all && *fault == by_turns)
        };
        let failures = FAILURES.into_iter().filter(fails);
        let faults: Vec<Fault> = [Fault::Abort].into_iter().chain(failures).collect();
        points.extend(faults.into_iter().map(|fault| Point {
            step: step.clone(),
            fault,
        }));
    }
    points
}

/// How often a point is tried: what is stored together depends on the speed of the disk, so a run may have fewer steps than the one in
/// which they were counted.
const TRIES: usize = 3;

fn meets(
    before: &Folder,
    act: &Act,
    without_fault: &Content,
    Point { step, fault }: &Point,
    copy: &Path,
) -> FaultReport {
    let about = format!("{}: {fault:?} at {step:?}", act.name);
    let mut found = FaultReport::default();
    for _ in 0..TRIES {
        let folder = before.copy(copy);
        let report = folder.path.join("steps");
        let met = met(
            &mut folder.tick(minute(act.at)),
            *fault,
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
        found.again += content.holds_what(without_fault, &about);
        if let Some(step) = met {
            found.count(*fault, &step);
            break;
        }
    }
    found
}

#[test]
fn the_program_ends_or_fails_at_every_write_and_flush_once() {
    let begun = Instant::now();
    let place = tempfile::tempdir().unwrap();
    let mut before = running_game(&place.path().join("game"), "");
    let (mut report, mut wanted) = (FaultReport::default(), 0);
    let (mut known, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for act in &ACTS {
        (act.comes)(&before);
        let after = before.copy(&place.path().join("after"));
        let all = steps(&mut after.tick(minute(act.at)), &place.path().join("steps"));
        seen.extend(all.iter().map(|step| step.what.clone()));
        let content = after.content();
        assert!(
            content.sent.len() > before.content().sent.len(),
            "{}",
            act.name
        );
        let points = points(&all, &mut known);
        let (first, second) = points.split_at(points.len() / 2);
        wanted += points.len();
        std::thread::scope(|scope| {
            let run = |points: &[Point], name: &str| {
                let mut report = FaultReport::default();
                let copy = place.path().join(name);
                for point in points {
                    report.add(meets(&before, act, &content, point, &copy));
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
    assert!(report.total() * 10 > wanted * 9);
    // Threads send side by side, so which step bears a number differs a little from run to run.
    for what in seen {
        let met = Fault::ALL.iter().any(|fault| report.has(*fault, &what));
        assert!(met, "{what}");
    }
    assert!(report.of_kind("write") > 80 && report.of_kind("flush") > 80);
}
