//! The program: see `dipjudge --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dipjudge::shell::cli::main()
}
