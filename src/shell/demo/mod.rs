//! `dipjudge demo`: sample games played through a judge of their own.
//!
//! Nothing is pretended: a judge is made as `init` makes one, real messages are put into its inbox, and it works as with `tick`.

mod found;
mod house;
pub mod message;
pub mod script;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use jiff::Timestamp;

use house::House;
use script::{Script, Stage, Step};

/// A game to show.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The variant's name.
    pub variant: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The script.
    pub text: &'static str,
}

/// One game of each variant.
pub const SAMPLES: &[Sample] = &[
    Sample {
        variant: "standard",
        game: "kaiser",
        text: include_str!("standard.game"),
    },
    Sample {
        variant: "life",
        game: "conway",
        text: include_str!("../../variants/life/demo.game"),
    },
    Sample {
        variant: "outer-space",
        game: "space",
        text: include_str!("../../variants/outer_space/demo.game"),
    },
    Sample {
        variant: "bridge",
        game: "friday",
        text: include_str!("../../variants/bridge/demo.game"),
    },
    Sample {
        variant: "winter-1900",
        game: "frost",
        text: include_str!("../../variants/winter_1900/demo.game"),
    },
    Sample {
        variant: "chaos",
        game: "mob",
        text: include_str!("../../variants/chaos/demo.game"),
    },
];

/// Makes a judge in a folder (a new temporary one if none is named), plays every sample there and tells where everything is.
///
/// # Errors
/// If the folder is not empty or cannot be written, or if a game does not go as it should.
pub fn run(dir: Option<&Path>, bar: &ProgressBar, out: &mut dyn Write) -> Result<()> {
    let dir = match dir {
        Some(dir) => dir.to_owned(),
        None => fresh_folder()?,
    };
    let mut house = House::build(&dir)?;
    writeln!(
        out,
        "A judge that takes its mail from a folder and puts its mail into one: {}",
        dir.display()
    )?;
    let mut ended = None;
    for sample in SAMPLES {
        let script = after(&house, sample, ended)?;
        ended = script.times().last();
        bar.set_length(script.steps.len() as u64);
        bar.set_position(0);
        play(&mut house, sample, &script, bar)
            .with_context(|| format!("the game of {} did not go as it should", sample.variant))?;
        house.write_down(sample)?;
        tell(&house, sample, &script, out)?;
    }
    bar.finish_and_clear();
    writeln!(
        out,
        "\nThe judge lives on.  To ask it:\n  dipjudge --config {} games",
        house.config_file().display()
    )?;
    writeln!(
        out,
        "  dipjudge --config {} show {}",
        house.config_file().display(),
        SAMPLES[0].game
    )?;
    Ok(())
}

/// A sample's script, so many weeks later than written that it begins after the game before it has ended: the judge's
/// clock never goes back.
fn after(house: &House, sample: &Sample, ended: Option<Timestamp>) -> Result<Script> {
    let stage = house.stage();
    let script = Script::read(sample.text, &stage)?;
    let (Some(ended), Some(begins)) = (ended, script.times().next()) else {
        return Ok(script);
    };
    const WEEK: i64 = 7 * 86_400;
    let behind = ended.as_second() - begins.as_second();
    let weeks = stage.weeks + (behind.max(-WEEK) + WEEK).div_euclid(WEEK);
    Ok(Script::read(sample.text, &Stage { weeks, ..stage })?)
}

fn play(house: &mut House, sample: &Sample, script: &Script, bar: &ProgressBar) -> Result<()> {
    let mut waiting = None;
    for step in &script.steps {
        bar.inc(1);
        // Mails are handed over together, unless one answers what came of those before it.
        if let Some(at) = waiting.filter(|_| !matches!(step, Step::Mail(mail) if !mail.answering)) {
            house.look(at)?;
            waiting = None;
        }
        match step {
            Step::Part(part) => bar.set_message(format!("{}: {part}", sample.game)),
            Step::Mail(mail) => {
                house.post(script, mail, sample)?;
                waiting = Some(mail.at);
            }
            Step::Clock(at) => house.look(*at)?,
            Step::Position(position) => house.compare(sample, position)?,
        }
    }
    waiting.map_or(Ok(()), |at| house.look(at))
}

/// What came out, and where it lies.
fn tell(house: &House, sample: &Sample, script: &Script, out: &mut dyn Write) -> Result<()> {
    let found = house.found(sample);
    writeln!(
        out,
        "\nThe {} game '{}' is played: {} mails came to the judge, {} went out.",
        sample.variant,
        sample.game,
        script.mails().count(),
        found.mails
    )?;
    if let Some(report) = &found.first_report {
        writeln!(
            out,
            "\nThe first report, as everybody read it:\n\n{}",
            indented(report)
        )?;
    }
    if let Some(summary) = &found.summary {
        writeln!(out, "How it went:\n\n{}", indented(summary))?;
    }
    writeln!(
        out,
        "Each mailbox is a folder of messages; a mail program or an editor opens them:\n"
    )?;
    for person in &script.people {
        let mailbox = house.mailbox(&person.name);
        let count = found.read_by.get(&person.name).copied().unwrap_or(0);
        writeln!(
            out,
            "  {:<22} {:<16} {count:>4} mails  {}",
            person.full_name,
            person.role,
            mailbox.display()
        )?;
    }
    if found.maps > 0 {
        writeln!(
            out,
            "\nThe maps that came with them:  {}",
            house.maps(sample).display()
        )?;
    }
    writeln!(
        out,
        "\nAll reports, one after another:  {}",
        house.reports(sample).display()
    )?;
    writeln!(
        out,
        "The summary:                     {}",
        house.summary(sample).display()
    )?;
    Ok(())
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("  | {line}").trim_end().to_owned() + "\n")
        .collect()
}

/// A new folder among the temporary ones, for nobody else to look into.
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
