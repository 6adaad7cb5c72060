//! Runs the program with a fault planted at one of its steps (`dipjudge_store::faults`).
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What happens at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The process ends.
    Abort,
    /// The step fails.
    Fail,
    /// From this step on the disk is full.
    Full,
    /// From this step on nothing can be written.
    ReadOnly,
}

impl Fault {
    pub(crate) const ALL: [Fault; 4] = [Fault::Abort, Fault::Fail, Fault::Full, Fault::ReadOnly];

    fn word(self) -> &'static str {
        match self {
            Fault::Abort => "abort",
            Fault::Fail => "fail",
            Fault::Full => "full",
            Fault::ReadOnly => "read-only",
        }
    }

    /// Whether it befalls steps of this kind.
    pub(crate) fn befalls(self, step: &Step) -> bool {
        match self {
            Fault::Abort | Fault::Fail => true,
            Fault::Full | Fault::ReadOnly => matches!(step.kind.as_str(), "write" | "flush"),
        }
    }
}

/// A step of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its place among the steps of one run, from 1.
    pub(crate) number: u64,
    /// What it touches.
    pub(crate) kind: String,
    /// What it does.
    pub(crate) what: String,
}

fn steps_of(report: &Path) -> Vec<Step> {
    let text = fs::read_to_string(report).unwrap_or_default();
    let _ = fs::remove_file(report);
    text.lines()
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().expect("three words").to_owned();
            Step {
                number: word().parse().expect("a number"),
                kind: word(),
                what: word(),
            }
        })
        .collect()
}

/// Runs a command that must succeed, and lists its steps.
pub(crate) fn steps(command: &mut Command, report: &Path) -> Vec<Step> {
    let plan = format!("count 0 {}", report.display());
    let output = command.env("DIPJUDGE_FAULT", plan).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    steps_of(report)
}

/// Runs a command with a fault at a step; the first step that met it, if the run came so far.
pub(crate) fn met(command: &mut Command, fault: Fault, number: u64, report: &Path) -> Option<Step> {
    let plan = format!("{} {number} {}", fault.word(), report.display());
    let output = command.env("DIPJUDGE_FAULT", plan).output().unwrap();
    let met = steps_of(report).into_iter().next();
    if met.is_none() {
        assert!(output.status.success(), "{output:?}");
    }
    met
}

/// How many steps of each kind met each fault.
#[derive(Debug, Default)]
pub(crate) struct FaultReport {
    counts: BTreeMap<(String, String, Fault), usize>,
    /// How often a mail came again, with the id of before.
    pub(crate) again: usize,
}

impl FaultReport {
    pub(crate) fn count(&mut self, fault: Fault, step: &Step) {
        let key = (step.kind.clone(), step.what.clone(), fault);
        *self.counts.entry(key).or_default() += 1;
    }

    pub(crate) fn total(&self) -> usize {
        self.counts.values().sum()
    }

    pub(crate) fn of_kind(&self, kind: &str) -> usize {
        let of_kind = self.counts.iter().filter(|((of, ..), _)| of == kind);
        of_kind.map(|(_, count)| count).sum()
    }

    /// Whether a step that does this met the fault.
    pub(crate) fn has(&self, fault: Fault, what: &str) -> bool {
        let mut met = self.counts.keys();
        met.any(|(_, of, by)| of == what && *by == fault)
    }

    pub(crate) fn add(&mut self, other: FaultReport) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.again += other.again;
    }

    pub(crate) fn print(&self) {
        for ((kind, what, fault), count) in &self.counts {
            println!("{count:5} {fault:?} at {kind}: {what}");
        }
        println!(
            "{:5} in all: {} writes, {} flushes, {} steps of IMAP, {} of SMTP; {} mails came again with the same id",
            self.total(),
            self.of_kind("write"),
            self.of_kind("flush"),
            self.of_kind("imap"),
            self.of_kind("smtp"),
            self.again
        );
    }
}
