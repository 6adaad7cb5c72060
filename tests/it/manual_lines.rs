//! Every command in a manual is run by a test, or the reason why it cannot be stands here; and every command of the program that a
//! manual names in a sentence exists, with its options, and is run by a test too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How it is known that a block of lines works.
enum Shown {
    /// A test takes the block behind these words from the manual itself, and runs it.
    Read {
        test: &'static str,
        words: &'static str,
    },
    /// A test runs the same in another place: its source has these words.
    Alike {
        test: &'static str,
        words: &'static str,
    },
    /// No test can run it.
    Not(&'static str),
}

use Shown::{Alike, Not, Read};

/// The blocks of all manuals, by their first line.
const BLOCKS: [(&str, &str, Shown); 24] = [
    (
        ".github/CONTRIBUTING.md",
        "cargo run -- demo              # a game by mail in a temporary folder",
        Alike {
            test: "tests/it/demo.rs",
            words: "\"demo\"",
        },
    ),
    (
        ".github/CONTRIBUTING.md",
        "git apply tests/additions/command.patch",
        Alike {
            test: "tests/it/additions.rs",
            words: "\"tests/additions\"",
        },
    ),
    (
        "README.md",
        "cargo run --release -- demo",
        Alike {
            test: "tests/it/demo.rs",
            words: "\"demo\"",
        },
    ),
    ("README.md", "tests/run", Not("it runs this test")),
    (
        "deploy/KEEPER.md",
        "apt install --yes ./dipjudge.deb",
        Alike {
            test: "tests/servers/setup.rs",
            words: "\"dipjudge setup --ca-file",
        },
    ),
    (
        "deploy/KEEPER.md",
        "dipjudge setup --address judge@example.org --inbox imap.example.org \\",
        Read {
            test: "tests/servers/setup.rs",
            words: "Without a terminal the answers are options",
        },
    ),
    (
        "deploy/KEEPER.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "**A machine of its own",
        },
    ),
    (
        "deploy/KEEPER.md",
        "printf 'Subject: hello\\n\\nHELP\\n' | sendmail judge@example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "Whether it answers",
        },
    ),
    (
        "deploy/KEEPER.md",
        "tar --extract --gzip --file dipjudge-linux-x86_64.tar.gz --directory / --strip-components 1",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "**Another Linux**",
        },
    ),
    (
        "deploy/KEEPER.md",
        "dipjudge init my-judge   # writes my-judge/dipjudge.toml, and makes the empty store and the Maildirs that it names",
        Read {
            test: "tests/it/manual_lines.rs",
            words: "**On a desk**",
        },
    ),
    (
        "deploy/KEEPER.md",
        "cargo build --release --locked",
        Not(
            "a release build takes longer than all tests together; CI builds the same sources for its tests",
        ),
    ),
    (
        "deploy/KEEPER.md",
        "install -m 0755 target/release/dipjudge /usr/local/bin/",
        Read {
            test: "tests/servers/manual.rs",
            words: "As a service, with systemd:",
        },
    ),
    (
        "deploy/KEEPER.md",
        "*/5 * * * *  dipjudge  /usr/local/bin/dipjudge tick --config /etc/dipjudge/dipjudge.toml",
        Read {
            test: "tests/servers/manual.rs",
            words: "*/5 * * * *",
        },
    ),
    (
        "deploy/KEEPER.md",
        "[backup]",
        Alike {
            test: "tests/faults/lost_machine.rs",
            words: "copy_to",
        },
    ),
    (
        "deploy/KEEPER.md",
        "dipjudge restore --catch-up /mnt/elsewhere/dipjudge/dipjudge-DATE.jsonl",
        Alike {
            test: "tests/servers/lost_machine.rs",
            words: "--catch-up",
        },
    ),
    (
        "deploy/KEEPER.md",
        "systemctl enable --now dipjudge-backup.timer",
        Alike {
            test: "tests/servers/debian/mod.rs",
            words: "dipjudge-backup.service",
        },
    ),
    (
        "deploy/KEEPER.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "A judge `usxx` beside the first one",
        },
    ),
    (
        "deploy/KEEPER.md",
        "dipjudge status",
        Read {
            test: "tests/it/keeper_acts.rs",
            words: "## 13 A keeper's day",
        },
    ),
    (
        "deploy/mail/README.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "## Exim and the pipe",
        },
    ),
    (
        "deploy/mail/README.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "## Postfix and Dovecot",
        },
    ),
    (
        "deploy/mail/README.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "## .forward, with Postfix",
        },
    ),
    (
        "deploy/mail/README.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "## procmail",
        },
    ),
    (
        "deploy/mail/README.md",
        "domain=example.org",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "## Sieve, with Exim",
        },
    ),
    (
        "deploy/mail/README.md",
        "openssl genrsa -out /etc/exim4/dkim.pem 2048",
        Read {
            test: "tests/servers/debian/mod.rs",
            words: "* **DKIM**",
        },
    ),
];

/// What keepers, players and contributors read.
fn manuals() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["", ".github", "deploy", "deploy/mail"] {
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    // It is about the code, and its figures are made by the benches.
    found.retain(|path| !path.ends_with("ARCHITECTURE.md"));
    found
}

/// The blocks of a manual, each as its lines.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let parts = text.split("```");
    let inside = parts.enumerate().filter(|(place, _)| place % 2 == 1);
    inside
        .map(|(_, block)| block.lines().skip(1).collect())
        .collect()
}

#[test]
fn each_block_of_lines_in_a_manual_is_run_by_a_test_or_has_a_reason() {
    let mut faults = Vec::new();
    let mut known = vec![false; BLOCKS.len()];
    for path in manuals() {
        let name = path.strip_prefix(ROOT).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        for block in blocks(&text) {
            let first = block.first().copied().unwrap_or_default();
            let row = BLOCKS
                .iter()
                .enumerate()
                .find(|(place, (manual, line, _))| {
                    !known[*place] && *manual == name && *line == first
                });
            match row {
                Some((place, _)) => known[place] = true,
                None => faults.push(format!("{name}: no test runs the block {first:?}")),
            }
        }
    }
    for ((manual, first, shown), known) in BLOCKS.iter().zip(known) {
        if !known {
            faults.push(format!("{manual} has no block {first:?}"));
        }
        let (test, words) = match shown {
            Read { test, words } => {
                let text = fs::read_to_string(Path::new(ROOT).join(manual)).unwrap();
                if !text.contains(words) {
                    faults.push(format!("{manual} does not have {words:?}"));
                }
                (test, words)
            }
            Alike { test, words } => (test, words),
            Not(reason) => {
                assert!(!reason.is_empty());
                continue;
            }
        };
        let source = fs::read_to_string(Path::new(ROOT).join(test)).unwrap_or_default();
        if !source.contains(words) {
            faults.push(format!("{test} does not have {words:?}, for {first:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_lines_for_a_desk_make_a_judge() {
    let text = fs::read_to_string(Path::new(ROOT).join("deploy/KEEPER.md")).unwrap();
    let (_, rest) = text.split_once("**On a desk**").unwrap();
    let block = blocks(rest).remove(0).join("\n");
    let folder = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_dipjudge")).parent().unwrap();
    let output = Command::new("sh")
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", programs.display()))
        .current_dir(folder.path())
        .args(["-ec", &block])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path().join("my-judge/data/store.id").exists());
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains("There is no public game"), "{answer}");
}

/// What the program says of a command.
fn help(words: &[&str]) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .args(words)
        .arg("--help")
        .env_clear()
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    output.status.success().then_some(text)
}

/// What a manual names as a command of the program, as it stands there.
fn named_commands(text: &str) -> impl Iterator<Item = &str> {
    let typed = text.split('`').filter(|span| span.starts_with("dipjudge "));
    typed.filter(|span| !span.contains('\n'))
}

/// The words of a line that may be commands, and its options.
fn parted(line: &str) -> (Vec<&str>, Vec<&str>) {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let commands = words
        .iter()
        .copied()
        .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .filter(|word| !word.starts_with('-'))
        .collect();
    let options = words
        .iter()
        .copied()
        .filter(|word| word.starts_with("--"))
        .map(|word| word.trim_end_matches([',', ';', '.']))
        .collect();
    (commands, options)
}

#[test]
fn every_command_that_a_manual_names_exists_with_its_options() {
    let mut faults = Vec::new();
    for path in manuals() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for line in named_commands(&text) {
            let (mut commands, options) = parted(line);
            // A word behind a command may be a value, such as a game's name or a shell's.
            let mut told = help(&commands);
            while told.is_none() && commands.len() > 1 {
                commands.pop();
                told = help(&commands);
            }
            match told.filter(|_| !commands.is_empty()) {
                None => faults.push(format!("{name}: there is no command {line:?}")),
                Some(told) => {
                    for option in options {
                        if !told.contains(option) {
                            faults.push(format!("{name}: {line:?} has no {option}"));
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The sources of the tests that run the program.
fn tests_of_the_program() -> Vec<String> {
    let mut sources = Vec::new();
    let folders = ["tests/common", "tests/faults", "tests/it", "tests/servers"];
    let mut left: Vec<PathBuf> = folders.map(|folder| Path::new(ROOT).join(folder)).to_vec();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with(file!())
        {
            sources.push(fs::read_to_string(path).unwrap());
        }
    }
    sources
}

/// Whether one of the lines in a source is this command with these options: as one text, or as a list of texts.
fn runs(source: &str, command: &[&str], options: &[&str]) -> bool {
    let text = format!("\"{}", command.join(" "));
    let list = format!("\"{}\"", command.join("\", \""));
    let begins = |begin: &str| {
        source.match_indices(begin).any(|(at, _)| {
            let rest = &source[at + begin.len()..];
            let statement = rest.split(';').next().unwrap_or_default();
            let ends_there = begin.ends_with('"') || rest.starts_with([' ', '"']);
            ends_there && options.iter().all(|option| statement.contains(option))
        })
    };
    begins(&text) || begins(&list)
}

#[test]
fn every_command_that_a_manual_names_is_run_by_a_test() {
    let sources = tests_of_the_program();
    let mut faults = Vec::new();
    for path in manuals() {
        let text = fs::read_to_string(&path).unwrap();
        for line in named_commands(&text) {
            let (mut commands, options) = parted(line);
            let is_run = |commands: &[&str]| {
                let mut sources = sources.iter();
                sources.any(|source| runs(source, commands, &options))
            };
            // A word behind a command may be a value, such as a shell's.
            while commands.len() > 1 && !is_run(&commands) {
                commands.pop();
            }
            if !is_run(&commands) {
                faults.push(format!("{}: no test runs {line:?}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
