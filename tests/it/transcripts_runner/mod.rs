//! Plays transcripts: reads the file (`script`), drives the judge (`stage`), compares what came with what was to come
//! (`compare`), and looks at every mail for what none may hold (`manners`).

mod compare;
mod kept;
mod manners;
mod post;
mod script;
mod stage;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::thread;

use compare::Plays;
use script::{Cue, Script};
use stage::Stage;

pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");

/// Transcripts that were played.
pub(crate) struct Played {
    /// Each by its path, in their order.
    pub outcomes: Vec<(PathBuf, Result<Outcome, String>)>,
    /// Every mail that came in, with what its sender was answered.
    pub dialogue: Vec<Exchange>,
}

/// All transcripts, which several tests look at, so that they are played once.
pub(crate) fn all_played() -> &'static Played {
    static PLAYED: OnceLock<Played> = OnceLock::new();
    PLAYED.get_or_init(|| play("", false))
}

/// Plays the transcripts whose path holds `wanted`, side by side.
pub(crate) fn play(wanted: &str, whole: bool) -> Played {
    let scripts = Theater::new(Path::new(FOLDER)).transcripts(wanted).unwrap();
    let left = Mutex::new(scripts.into_iter());
    let next = || left.lock().unwrap().next();
    let player = || {
        let mut theater = Theater::new(Path::new(FOLDER));
        theater.whole = whole;
        let mut outcomes = Vec::new();
        while let Some(script) = next() {
            let outcome = theater.play_file(&script);
            outcomes.push((script, outcome));
        }
        (outcomes, theater.dialogue)
    };
    let mut played = Played {
        outcomes: Vec::new(),
        dialogue: Vec::new(),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let players: Vec<_> = (0..threads).map(|_| scope.spawn(player)).collect();
        for player in players {
            let (outcomes, dialogue) = player.join().unwrap();
            played.outcomes.extend(outcomes);
            played.dialogue.extend(dialogue);
        }
    });
    played
        .outcomes
        .sort_by(|(one, _), (other, _)| one.cmp(other));
    played
}

/// The folder of transcripts, and the fixtures played so far.
pub(crate) struct Theater {
    folder: PathBuf,
    /// Write down every mail whole, whatever the transcript asks for.
    pub whole: bool,
    fixtures: BTreeMap<PathBuf, Stage>,
    /// Every mail that came in, with what its sender was answered.
    pub dialogue: Vec<Exchange>,
}

/// A mail that came in, and what its sender was answered.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub sent: String,
    /// Answers by which the judge reads the mail as signed on before its first line.
    pub by_token: bool,
    pub answers: Vec<String>,
}

/// How a play went.
pub(crate) struct Outcome {
    /// What did not hold.
    pub faults: Vec<String>,
    /// The transcript as it really went.
    pub as_it_went: String,
}

impl Theater {
    pub(crate) fn new(folder: &Path) -> Theater {
        crate::strangers_variant::add();
        Theater {
            folder: folder.to_owned(),
            whole: false,
            fixtures: BTreeMap::new(),
            dialogue: Vec::new(),
        }
    }

    /// All transcripts whose path holds `wanted`, sorted; fixtures are none.
    pub(crate) fn transcripts(&self, wanted: &str) -> Result<Vec<PathBuf>, String> {
        let mut found = Vec::new();
        for variant in entries(&self.folder)?
            .iter()
            .filter(|path| path.is_dir() && !path.ends_with("fixtures"))
        {
            let texts = entries(variant)?
                .into_iter()
                .filter(|path| path.extension().is_some_and(|end| end == "txt"));
            found.extend(texts.filter(|path| {
                path.strip_prefix(&self.folder)
                    .is_ok_and(|path| path.to_string_lossy().contains(wanted))
            }));
        }
        found.sort();
        Ok(found)
    }

    /// Plays one file; writes or clears its `.failed`.
    pub(crate) fn play_file(&mut self, path: &Path) -> Result<Outcome, String> {
        let text = read(path)?;
        let folder = path.parent().unwrap_or(&self.folder).to_owned();
        let outcome = self.play(&text, &folder)?;
        let failed = path.with_extension("failed");
        if outcome.faults.is_empty() && !self.whole {
            let _ = fs::remove_file(&failed);
        } else {
            fs::write(&failed, &outcome.as_it_went)
                .map_err(|error| format!("{}: {error}", failed.display()))?;
        }
        Ok(outcome)
    }

    fn play(&mut self, text: &str, folder: &Path) -> Result<Outcome, String> {
        let script = Script::read(text)?;
        let (stage, outcome) = self.perform(&script, folder)?;
        let mut faults = outcome.faults;
        faults.extend(stage.replay_faults());
        Ok(Outcome { faults, ..outcome })
    }

    /// Plays a script on the stage that it begins with.
    fn perform(&mut self, script: &Script, folder: &Path) -> Result<(Stage, Outcome), String> {
        let whole = self.whole;
        let mut begin = || match &script.begin {
            Some(name) => self.fixture(name, folder),
            None => Ok(Stage::new()),
        };
        let mut stage = begin()?;
        let mut dialogue = Vec::new();
        let mut plays = Plays::default();
        let mut entries = Vec::new();
        let mut outcome = Outcome {
            faults: Vec::new(),
            as_it_went: script.opening(),
        };
        for step in &script.steps {
            if step.once_more {
                outcome.faults.extend(stage.replay_faults());
                stage = begin()?;
                plays.once_more();
                outcome.faults.extend(manners::broken_series(&entries));
                entries.clear();
            }
            let sent = match &step.cue {
                Cue::Mail(mail) => stage.mail(step.at, mail, folder),
                Cue::Clock => stage.clock(step.at),
                Cue::LateClock => stage.late_clock(step.at),
            };
            let sent = sent.map_err(|error| format!("{}: {error}", step.heading))?;
            if let Cue::Mail(mail) = &step.cue {
                let answers = sent
                    .iter()
                    .filter(|letter| letter.subject.starts_with("Re:"));
                dialogue.push(Exchange {
                    sent: mail.body.clone(),
                    by_token: mail.answering.is_some(),
                    answers: answers.map(|letter| letter.body.clone()).collect(),
                });
            }
            let mut faults = manners::faults(&sent, &stage.words);
            let (more, mut parts) =
                compare::compare(&step.expected, &sent, step.nobody_else, &plays);
            plays.add(&sent);
            let of_calendars = sent.iter().filter(|letter| !letter.calendar.is_empty());
            entries.extend(of_calendars.cloned());
            if whole {
                parts = sent.iter().map(compare::whole).collect();
            }
            faults.extend(more);
            let different = step.as_before.iter().flat_map(|one| plays.differences(one));
            faults.extend(different);
            outcome.faults.extend(
                faults
                    .into_iter()
                    .map(|fault| format!("{}\n  {fault}", step.heading)),
            );
            outcome.as_it_went.push_str(&step.as_it_went(&parts));
        }
        outcome.faults.extend(manners::broken_series(&entries));
        self.dialogue.extend(dialogue);
        Ok((stage, outcome))
    }

    /// The mails that the last step of a script brings: to whom, and the text.
    pub(crate) fn last_mails(&mut self, text: &str) -> Result<Vec<(String, String)>, String> {
        let script = Script::read(text)?;
        let folder = self.folder.clone();
        let mut stage = match &script.begin {
            Some(name) => self.fixture(name, &folder)?,
            None => Stage::new(),
        };
        let mut sent = Vec::new();
        for step in &script.steps {
            sent = match &step.cue {
                Cue::Mail(mail) => stage.mail(step.at, mail, &folder)?,
                Cue::Clock => stage.clock(step.at)?,
                Cue::LateClock => stage.late_clock(step.at)?,
            };
        }
        let read = |letter: post::Letter| (letter.to, letter.body);
        Ok(sent.into_iter().map(read).collect())
    }

    /// A fixture's stage: played once, then copied. A variant's own fixtures come before the common ones.
    fn fixture(&mut self, name: &str, folder: &Path) -> Result<Stage, String> {
        let file = format!("{name}.txt");
        let places = [
            folder.join("fixtures").join(&file),
            folder.join(&file),
            self.folder.join("fixtures").join(&file),
        ];
        let path = places
            .into_iter()
            .find(|path| path.is_file())
            .ok_or(format!("there is no fixture {name}"))?;
        if !self.fixtures.contains_key(&path) {
            let script =
                Script::read(&read(&path)?).map_err(|error| format!("fixture {name}: {error}"))?;
            let folder = path.parent().unwrap_or(folder).to_owned();
            let (stage, outcome) = self.perform(&script, &folder)?;
            if !outcome.faults.is_empty() {
                return Err(format!(
                    "fixture {name} does not hold:\n{}",
                    outcome.faults.join("\n")
                ));
            }
            self.fixtures.insert(path.clone(), stage);
        }
        self.fixtures
            .get(&path)
            .ok_or("a fixture is lost".to_owned())?
            .copy()
    }
}

/// Plays a text that is no file.
pub(crate) fn play_text(theater: &mut Theater, text: &str) -> Result<Outcome, String> {
    let folder = theater.folder.clone();
    theater.play(text, &folder)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
