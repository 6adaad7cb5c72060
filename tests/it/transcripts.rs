//! Whole dialogues with the judge, as files that a player could read and write: `tests/transcripts/VARIANT/*.txt`. Their
//! format is described in `tests/transcripts/README.md`.
//!
//! A transcript that does not hold writes `NAME.failed` beside it: the dialogue as it really went. Copying that file
//! over the transcript, after reading it, approves it. `TRANSCRIPT=07 cargo test --test it transcripts` plays only those
//! whose file name holds `07`; with `WHOLE=1` the `.failed` is written in any case, every mail of it whole.

use std::path::Path;

use crate::transcripts_runner::{FOLDER, Outcome, Theater, all_played, play, play_text};

#[test]
fn every_transcript_holds() {
    let wanted = std::env::var("TRANSCRIPT").unwrap_or_default();
    let whole = std::env::var("WHOLE").is_ok();
    let some;
    let played = if wanted.is_empty() && !whole {
        all_played()
    } else {
        some = play(&wanted, whole);
        &some
    };
    let scripts = &played.outcomes;
    assert!(
        !scripts.is_empty(),
        "no transcript found under {FOLDER} for '{wanted}'"
    );
    let mut faults = Vec::new();
    for (script, outcome) in scripts {
        let name = script
            .strip_prefix(FOLDER)
            .unwrap_or(script)
            .display()
            .to_string();
        match outcome {
            Ok(Outcome {
                faults: none,
                as_it_went,
            }) if none.is_empty() => {
                println!("holds  {name}");
                if !whole && filled(as_it_went) != filled(&std::fs::read_to_string(script).unwrap())
                {
                    std::fs::write(script.with_extension("failed"), as_it_went).unwrap();
                    faults.push(format!(
                        "{name}: holds, but would be written down otherwise"
                    ));
                }
            }
            Ok(outcome) => {
                println!("FAILS  {name}");
                faults.extend(
                    outcome
                        .faults
                        .iter()
                        .map(|fault| format!("{name}: {fault}")),
                );
            }
            Err(error) => {
                println!("BROKEN {name}");
                faults.push(format!("{name}: {error}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {} transcripts played:\n\n{}",
        faults.len(),
        scripts.len(),
        faults.join("\n\n")
    );
}

/// The lines that are not empty.
fn filled(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty()).collect()
}

#[test]
fn all_acceptance_transcripts_are_there() {
    let there: Vec<String> = Theater::new(Path::new(FOLDER))
        .transcripts("standard")
        .unwrap()
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.get(..2)?.to_owned()))
        .collect();
    for number in 1..=40 {
        assert!(
            there.contains(&format!("{number:02}")),
            "transcript {number} is missing"
        );
    }
}

/// Plays a transcript that is in no file: what the runner itself must find.
fn faults(text: &str) -> Vec<String> {
    let mut theater = Theater::new(Path::new(FOLDER));
    play_text(&mut theater, text).unwrap().faults
}

#[test]
fn a_runner_that_finds_nothing_wrong_in_a_wrong_transcript_would_be_worthless() {
    let form = "== at 2026-11-30 10:00 UTC, from zoe@ex.org\nREGISTER\nName: Zoe Example\nEND\n";
    let with = |expected: &str| format!("{form}{expected}");
    assert_eq!(
        faults(&with(
            "== to zoe@ex.org, in part\ncontains: Zoe Example\n== nobody else is written to\n"
        )),
        [""; 0]
    );
    assert_eq!(faults(&with("== nobody is written to\n")).len(), 1);
    assert_eq!(
        faults(&with("== to anna@ex.org, in part\ncontains: Zoe\n")).len(),
        1
    );
    assert_eq!(
        faults(&with("== to zoe@ex.org, in part\nlacks: Zoe\n")).len(),
        1
    );
    assert_eq!(
        faults(&with("== to zoe@ex.org, in part\nline: Zoe\n")).len(),
        1
    );
    assert_eq!(
        faults(&with(
            "== to zoe@ex.org, subject: Re: your mail\nanother text\n"
        ))
        .len(),
        1
    );
    let hello = "== at 2026-11-30 10:01 UTC, from zoe@ex.org\nREGISTER\nName: Zoe Other\nEND\n";
    let same = |expected: &str| {
        with(&format!(
            "{hello}== to zoe@ex.org, the same as {expected}\n"
        ))
    };
    assert_eq!(faults(&same("before")).len(), 1);
    assert_eq!(faults(&same("anna@ex.org got")).len(), 1);
    let file = |name: &str| format!("== at 2026-11-30 10:02 UTC, from zoe@ex.org\nGET {name}\n");
    let words = |swap: &str| {
        let (first, second) = (file("nowhere"), file("elsewhere"));
        with(&format!(
            "{first}{second}== to zoe@ex.org, the same as before\n{swap}"
        ))
    };
    assert_eq!(
        faults(&words("but: elsewhere instead of nowhere\n")),
        [""; 0]
    );
    assert_eq!(faults(&words("")).len(), 1);
    let again = |second: &str| {
        with(&format!(
            "== once more\n{second}== all mails to zoe@ex.org are as before\n"
        ))
    };
    assert_eq!(faults(&again(form)), [""; 0]);
    assert_eq!(
        faults(&again(hello)).len(),
        1,
        "another date and another name"
    );
    assert_eq!(
        faults(&again(&format!("{form}{hello}"))).len(),
        1,
        "one more"
    );
    let mut theater = Theater::new(Path::new(FOLDER));
    let mut broken = |text: &str| play_text(&mut theater, text).is_err();
    assert!(broken("== begin with nothing\n"));
    assert!(broken("== whenever it likes\n"));
    assert!(broken("== at 2026-11-30 UTC, the clock\n"));
    assert!(broken(&with("== at 2026-11-29 10:00 UTC, the clock\n")));
    assert!(broken(&with("== to zoe@ex.org, in part\n")));
    assert!(broken("no step at all\n"));
    assert!(broken("== once more\n"));
    assert!(broken(&same("ever")));
    assert!(broken(&again(&format!(
        "{form}== to zoe@ex.org, the same as before\nbut not\n"
    ))));
}
