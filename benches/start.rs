//! How long a judge takes to begin from a store of many games, and how much memory.
//!
//! The store is made by one process and read by others, so that nothing is left in memory. One maker closes the store, another is
//! killed. `cargo bench --bench start -- 1000` names the numbers of games.

mod many_games;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use dipjudge::mails::outbound::Templates;
use dipjudge::shell::daemon::setup;
use dipjudge::store::Store;
use many_games::{fill, one_each_minute, settings};

/// So often each store is read.
const STARTS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["make", folder, games, end] => make(Path::new(folder), number(games), end),
        ["start", folder] => start(Path::new(folder)),
        _ => compare(&words),
    }
}

fn number(words: &str) -> usize {
    words.parse().expect("a number of games")
}

/// Makes stores and starts from them, each in a process of its own.
fn compare(words: &[&str]) {
    let named: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    // Without `--bench` it is only shown that it runs.
    let sizes = match words.contains(&"--bench") {
        false => vec![1],
        true if named.is_empty() => vec![1_000, 10_000],
        true => named,
    };
    for games in sizes {
        for end in ["closed", "killed"] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().to_str().expect("a name");
            let begun = Instant::now();
            run(&["make", path, &games.to_string(), end]);
            println!("{games} games, {end}: made in {:.1?}", begun.elapsed());
            for _ in 0..STARTS {
                run(&["start", path]);
            }
        }
    }
}

/// Runs this bench once more with other arguments. A process that kills itself is no fault.
fn run(arguments: &[&str]) {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let status = command.args(arguments).stderr(Stdio::inherit()).status();
    let status = status.expect("it runs");
    assert!(status.code().is_none_or(|code| code == 0), "{status}");
}

/// Makes a store and lets a judge begin from it once, as a judge does that has run.
fn make(folder: &Path, games: usize, end: &str) {
    let store = Store::create(folder).expect("a store");
    fill(&store, games, one_each_minute);
    let judge = setup::judge(&store, settings(), Templates::built_in()).expect("a judge");
    if end == "killed" {
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
            .expect("it ends");
    }
    drop(judge);
}

/// Begins from the store, and says what that took.
fn start(folder: &Path) {
    let begun = Instant::now();
    let store = Store::open(folder).expect("the store");
    let opened = begun.elapsed();
    let judge = setup::judge(&store, settings(), Templates::built_in()).expect("a judge");
    let ready = begun.elapsed();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "  {} games in {ready:.2?}, of which {opened:.2?} to open the store; at most {} of memory",
        judge.games().count(),
        most.unwrap_or_default().trim(),
    );
    // What the system does when a program ends is no part of a start.
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
        .expect("it ends");
}
