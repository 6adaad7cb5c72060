//! Faults on purpose: at a step with a certain number the program ends, or the step fails.
//!
//! A step is one touch of the world that may fail: a file is written, flushed or moved, a server is told something. Each asks
//! [`step`] first. Only in test builds (feature `planted-faults`) can a fault be planted, by the environment of the process:
//! `DIPJUDGE_FAULT="KIND NUMBER FILE"`. In any other build a step costs nothing and nothing can be planted
//! (`tests/it/release_features.rs`).

#[cfg(not(feature = "planted-faults"))]
use std::io;

/// What a step touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A file is made, written, moved or removed.
    Write,
    /// What was written is made durable.
    Flush,
    /// Something goes to the IMAP server, or an answer is read.
    Imap,
    /// Something goes to the SMTP server, or an answer is read.
    Smtp,
}

impl StepKind {
    /// As the report of a test shows it.
    #[cfg(feature = "planted-faults")]
    fn name(self) -> &'static str {
        match self {
            StepKind::Write => "write",
            StepKind::Flush => "flush",
            StepKind::Imap => "imap",
            StepKind::Smtp => "smtp",
        }
    }
}

/// A step of this kind follows; `what` says which.
///
/// # Errors
/// What was planted for this step.
#[cfg(not(feature = "planted-faults"))]
#[inline]
pub fn step(_kind: StepKind, _what: &'static str) -> io::Result<()> {
    Ok(())
}

#[cfg(feature = "planted-faults")]
pub use planted::step;

#[cfg(feature = "planted-faults")]
mod planted {
    use std::fs::File;
    use std::io::{self, ErrorKind, Write};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::StepKind;

    /// What is planted.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Fault {
        /// Nothing: the steps are listed.
        Count,
        /// The process ends before the step.
        Abort,
        /// This one step fails.
        Fail,
        /// From this step on nothing can be written, since the disk is full.
        Full,
        /// From this step on nothing can be written, since the file system is read-only.
        ReadOnly,
    }

    struct Plan {
        fault: Fault,
        number: u64,
        /// Where the steps are listed that the fault meets.
        report: File,
    }

    impl Plan {
        fn read() -> Option<Plan> {
            let text = std::env::var("DIPJUDGE_FAULT").ok()?;
            let mut words = text.splitn(3, ' ');
            let fault = match words.next()? {
                "count" => Fault::Count,
                "abort" => Fault::Abort,
                "fail" => Fault::Fail,
                "full" => Fault::Full,
                "read-only" => Fault::ReadOnly,
                _ => return None,
            };
            let number = words.next()?.parse().ok()?;
            let report = File::options()
                .create(true)
                .append(true)
                .open(words.next()?);
            Some(Plan {
                fault,
                number,
                report: report.ok()?,
            })
        }

        fn note(&self, number: u64, kind: StepKind, what: &str) {
            let line = format!("{number} {} {what}\n", kind.name());
            let _ = (&self.report).write_all(line.as_bytes());
        }
    }

    static PLAN: LazyLock<Option<Plan>> = LazyLock::new(Plan::read);
    static STEPS: AtomicU64 = AtomicU64::new(0);

    /// As the function of other builds.
    ///
    /// # Errors
    /// What was planted for this step.
    pub fn step(kind: StepKind, what: &'static str) -> io::Result<()> {
        let Some(plan) = &*PLAN else { return Ok(()) };
        let number = STEPS.fetch_add(1, Ordering::Relaxed) + 1;
        let of_disk = matches!(kind, StepKind::Write | StepKind::Flush);
        match plan.fault {
            Fault::Count => plan.note(number, kind, what),
            Fault::Abort if number == plan.number => {
                plan.note(number, kind, what);
                std::process::abort();
            }
            Fault::Fail if number == plan.number => {
                plan.note(number, kind, what);
                return Err(if of_disk {
                    io::Error::other("planted: the device answers with an error")
                } else {
                    ErrorKind::ConnectionReset.into()
                });
            }
            Fault::Full if number >= plan.number && of_disk => {
                plan.note(number, kind, what);
                return Err(ErrorKind::StorageFull.into());
            }
            Fault::ReadOnly if number >= plan.number && of_disk => {
                plan.note(number, kind, what);
                return Err(ErrorKind::ReadOnlyFilesystem.into());
            }
            Fault::Abort | Fault::Fail | Fault::Full | Fault::ReadOnly => {}
        }
        Ok(())
    }
}
