//! `dipjudge demo`: sample games played through a judge of their own.
//!
//! Nothing is simulated: the judge is made as by `init`, real messages are put into its inbox, and it works as with `tick`.

mod columns;
mod demo_judge;
pub mod message;
mod outcome;
mod pages;
pub mod script;
pub mod seed;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use jiff::Timestamp;

use demo_judge::DemoJudge;
use outcome::{GameOutcome, PhaseResults};
use script::{Script, ScriptContext, Step};

/// A game to show.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The variant's name.
    pub variant: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The script.
    pub text: &'static str,
    /// The reports to show side by side, if not all readers get the same.
    pub side_by_side: Option<SideBySide>,
}

/// Two reports of one phase to be shown side by side.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide {
    /// The phase, as in subjects.
    pub phase: &'static str,
    /// The readers, by their names in the script.
    pub readers: [&'static str; 2],
}

/// One game of each variant that has a demo.
pub const SAMPLES: &[Sample] = &[
    sample("standard", "kaiser", include_str!("standard.game")),
    sample(
        "life",
        "conway",
        include_str!("../../variants/life/demo.game"),
    ),
    sample(
        "outer-space",
        "space",
        include_str!("../../variants/outer_space/demo.game"),
    ),
    sample(
        "bridge",
        "friday",
        include_str!("../../variants/bridge/demo.game"),
    ),
    sample(
        "winter-1900",
        "frost",
        include_str!("../../variants/winter_1900/demo.game"),
    ),
    sample(
        "chaos",
        "mob",
        include_str!("../../variants/chaos/demo.game"),
    ),
    Sample {
        side_by_side: Some(SideBySide {
            phase: "S1901M",
            readers: ["ines", "dirk"],
        }),
        ..sample(
            "civdip",
            "dawn",
            include_str!("../../variants/civdip/demo.game"),
        )
    },
    sample(
        "rather-silly",
        "silly",
        include_str!("../../variants/rather_silly/demo.game"),
    ),
];

const fn sample(variant: &'static str, game: &'static str, text: &'static str) -> Sample {
    Sample {
        variant,
        game,
        text,
        side_by_side: None,
    }
}

/// How many lines of the first report are printed, so that all fits on one screen.
const SHOWN_LINES: usize = 12;

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples<'a> {
    /// One of the standard game.
    First,
    /// One of each variant.
    All,
    /// One of the variant with this name.
    OfVariant(&'a str),
}

impl Samples<'_> {
    /// The games.
    ///
    /// # Errors
    /// If no variant with a sample has that name.
    fn games(self) -> Result<Vec<&'static Sample>> {
        let chosen: Vec<&Sample> = match self {
            Samples::First => SAMPLES.iter().take(1).collect(),
            Samples::All => SAMPLES.iter().collect(),
            Samples::OfVariant(name) => {
                let named = |sample: &&Sample| sample.variant.eq_ignore_ascii_case(name);
                SAMPLES.iter().filter(named).collect()
            }
        };
        if chosen.is_empty() {
            let names: Vec<&str> = SAMPLES.iter().map(|sample| sample.variant).collect();
            bail!(
                "there is no sample game of that variant; there is one of each of these: {}",
                names.join(", ")
            );
        }
        Ok(chosen)
    }
}

/// Makes a judge in a folder (a new temporary one if none is named), plays samples there and prints where everything is.
///
/// # Errors
/// If the folder is not empty or cannot be written, or if a game does not go as it should.
pub fn run(
    dir: Option<&Path>,
    samples: &Samples<'_>,
    bar: &ProgressBar,
    out: &mut dyn Write,
) -> Result<()> {
    let games = samples.games()?;
    let dir = match dir {
        Some(dir) => dir.to_owned(),
        None => fresh_folder()?,
    };
    let mut judge = DemoJudge::build(&dir)?;
    writeln!(
        out,
        "A judge that takes its mail from a folder and puts its mail into one: {}",
        dir.display()
    )?;
    let mut ended = None;
    for sample in &games {
        let script = shifted_script(&judge, sample, ended)?;
        ended = script.times().last();
        bar.set_length(script.steps.len() as u64);
        bar.set_position(0);
        judge.begin(sample, &script);
        play(&mut judge, sample, &script, bar)
            .with_context(|| format!("the game of {} did not go as it should", sample.variant))?;
        judge.write_down(sample)?;
        print_result(&judge, sample, &script, out)?;
    }
    bar.finish_and_clear();
    let first = games.first().map_or("", |sample| sample.game);
    let (pages, config) = (judge.write_pages()?, judge.config_file());
    writeln!(
        out,
        "\nLook at this first: all mails of each player, with what he wrote, in a browser:\n  {}",
        pages.display()
    )?;
    writeln!(
        out,
        "\nThe judge lives on.  To ask it:\n  dipjudge --config {config} games\n  dipjudge --config {config} show {first}",
        config = config.display(),
    )?;
    if *samples == Samples::First {
        writeln!(
            out,
            "\nA game of each variant: dipjudge demo --all.  Of one: dipjudge demo --variant civdip."
        )?;
    }
    Ok(())
}

/// The script of a sample, shifted by whole weeks so that it begins after the end of the game before it: the clock of the
/// judge never goes back.
fn shifted_script(judge: &DemoJudge, sample: &Sample, ended: Option<Timestamp>) -> Result<Script> {
    let context = judge.context();
    let script = Script::read(sample.text, &context)?;
    let (Some(ended), Some(begins)) = (ended, script.times().next()) else {
        return Ok(script);
    };
    const WEEK: i64 = 7 * 86_400;
    let behind = ended.as_second() - begins.as_second();
    let weeks = context.weeks + (behind.max(-WEEK) + WEEK).div_euclid(WEEK);
    Ok(Script::read(
        sample.text,
        &ScriptContext { weeks, ..context },
    )?)
}

fn play(judge: &mut DemoJudge, sample: &Sample, script: &Script, bar: &ProgressBar) -> Result<()> {
    let mut waiting = None;
    for step in &script.steps {
        bar.inc(1);
        // Mails are handed over together, but before an answer the judge must have handled the mails before it.
        let joins = matches!(step, Step::Mail(mail) if !mail.answering);
        if let Some(at) = waiting
            && !joins
        {
            judge.run_judge(at)?;
            waiting = None;
        }
        match step {
            Step::Part(part) => bar.set_message(format!("{}: {part}", sample.game)),
            Step::Mail(mail) => {
                judge.send_to_judge(script, mail, sample)?;
                waiting = Some(mail.at);
            }
            Step::Clock(at) => judge.run_judge(*at)?,
            Step::Seed(seed) => judge.give_seed(sample, seed)?,
            Step::Position(position) => judge.compare(sample, position)?,
        }
    }
    match waiting {
        Some(at) => judge.run_judge(at),
        None => Ok(()),
    }
}

/// Prints the outcome of a game, and where its files are.
fn print_result(
    judge: &DemoJudge,
    sample: &Sample,
    script: &Script,
    out: &mut dyn Write,
) -> Result<()> {
    let outcome = judge.outcome(sample);
    writeln!(
        out,
        "\nThe {} game '{}' is played: {} mails came to the judge, {} went out.",
        sample.variant,
        sample.game,
        script.mails().count(),
        outcome.mails
    )?;
    match sample.side_by_side {
        Some(side_by_side) => print_side_by_side(&side_by_side, &outcome, script, out)?,
        None => {
            let report = outcome.first_report().unwrap_or_default();
            let lines: Vec<&str> = report.lines().collect();
            let begins = lines.iter().position(|line| line.contains(" -> "));
            let lines = lines.iter().skip(begins.unwrap_or(0)).take(SHOWN_LINES);
            let lines: Vec<&str> = lines.copied().collect();
            writeln!(
                out,
                "\nFrom the first report:\n\n{}",
                indented(&lines.join("\n"))
            )?;
        }
    }
    if let Some(end) = outcome.end() {
        writeln!(out, "{end}\n")?;
    }
    writeln!(
        out,
        "  {:<34} {}",
        "all reports, one after another",
        judge.reports(sample).display()
    )?;
    writeln!(
        out,
        "  {:<34} {}",
        "the summary",
        judge.summary(sample).display()
    )?;
    if outcome.maps > 0 {
        writeln!(out, "  {:<34} {}", "the maps", judge.maps(sample).display())?;
    }
    if let Some(person) = script.people.get(1) {
        let mailbox = judge.mailbox(&person.name);
        let what = format!("the mailbox of {}", person.full_name);
        writeln!(out, "  {what:<34} {}", mailbox.display())?;
    }
    Ok(())
}

/// Prints the reports of one turn of two players.
fn print_side_by_side(
    side_by_side: &SideBySide,
    outcome: &GameOutcome,
    script: &Script,
    out: &mut dyn Write,
) -> Result<()> {
    let about = format!(" - {} Results", side_by_side.phase);
    let mut results = outcome.results.iter();
    let results = results
        .find(|results| results.subject.ends_with(&about))
        .with_context(|| format!("there are no results of {}", side_by_side.phase))?;
    let [left, right] = side_by_side
        .readers
        .map(|reader| report_of(reader, results, script));
    let (Some(left), Some(right)) = (left, right) else {
        bail!(
            "somebody did not read the results of {}",
            side_by_side.phase
        );
    };
    writeln!(
        out,
        "\nOne turn, as two of the players read it; each is told what his own units and centers see, and nothing else:\n\n{}",
        indented(&columns::columns(&left, &right))
    )?;
    Ok(())
}

/// The results of a phase as one person read them.
fn report_of(reader: &str, results: &PhaseResults, script: &Script) -> Option<String> {
    let body = results.of(reader)?;
    let person = script.person(reader)?;
    Some(format!(
        "{}, {}:\n\nSubject: {}\n\n{body}",
        person.full_name, person.role, results.subject
    ))
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("  | {line}").trim_end().to_owned() + "\n")
        .collect()
}

/// A new temporary folder that only its owner may enter.
fn fresh_folder() -> Result<PathBuf> {
    use std::os::unix::fs::DirBuilderExt;
    let mut random = [0; 4];
    getrandom::fill(&mut random)?;
    let dir =
        std::env::temp_dir().join(format!("dipjudge-demo-{:08x}", u32::from_ne_bytes(random)));
    std::fs::DirBuilder::new()
        .mode(0o700)
        .create(&dir)
        .with_context(|| format!("cannot make the folder {}", dir.display()))?;
    Ok(dir)
}
