//! `adjudicate`: the filter of `adjudicate-json.md` between standard input and standard output.

use std::io::{self, BufReader, BufWriter, Write};
use std::process::ExitCode;
use std::thread::available_parallelism;

use anyhow::Result;

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
    let input = BufReader::with_capacity(1 << 18, io::stdin());
    let mut output = BufWriter::new(io::stdout().lock());
    let all = interchange::run(input, &mut output, &options)?;
    output.flush()?;
    Ok(if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
