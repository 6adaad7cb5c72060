//! `adjudicate`: the filter of `adjudicate-json.md` between standard input and standard output.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::thread::available_parallelism;

use anyhow::Result;
use indicatif::ProgressBar;

use super::byte_bar;
use dipjudge_interchange::{self as interchange, Options};

/// Answers every line of standard input; exit status 1 if a line could not be adjudicated.
pub(super) fn adjudicate(
    jobs: Option<usize>,
    results_only: bool,
    as_power: Option<&str>,
) -> Result<ExitCode> {
    let cores = || available_parallelism().map_or(1, |cores| cores.get());
    let options = Options {
        jobs: jobs.unwrap_or_else(cores),
        results_only,
        as_power,
        fallback: Some(&interchange::judge_syntax),
    };
    // Answers on a terminal are seen themselves.
    let bar = if io::stdin().is_terminal() || io::stdout().is_terminal() {
        ProgressBar::hidden()
    } else {
        byte_bar(input_length(), "adjudicate")
    };
    let input = BufReader::with_capacity(1 << 18, bar.wrap_read(io::stdin()));
    let mut output = BufWriter::new(io::stdout());
    let all = interchange::run(input, &mut output, &options)?;
    output.flush()?;
    bar.finish_and_clear();
    Ok(if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The length of standard input, if it is a file.
fn input_length() -> Option<u64> {
    let input = io::stdin().as_fd().try_clone_to_owned().ok()?;
    let about = File::from(input).metadata().ok()?;
    about.is_file().then_some(about.len())
}
