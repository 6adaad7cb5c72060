//! The demo's judge, its Maildirs, and everybody's mailbox.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use jiff::Timestamp;
use mail_parser::{Address, Message, MessageParser, MimeHeaders};

use super::message::{Answered, message};
use super::outcome::GameOutcome;
use super::pages::{self, Delivered, Played};
use super::script::{Mail, Position, Script, ScriptContext};
use super::{Sample, seed};
use crate::cli::init;
use crate::clock::Clock;
use crate::config::{Config, InboxConfig, OutboxConfig};
use crate::daemon::once::{self, Reach};
use crate::daemon::setup;
use crate::maildir::Maildir;
use dipjudge_game::{Seed, VariantGame};
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The judge and all that it has sent.
pub(super) struct DemoJudge {
    dir: PathBuf,
    config: Config,
    inbox: Maildir,
    outbox: Maildir,
    /// For each person the last mail that can be answered.
    last: BTreeMap<String, Answered>,
    /// How many mails lie in each mailbox.
    delivered: BTreeMap<String, usize>,
    found: BTreeMap<&'static str, GameOutcome>,
    /// The game that is being played.
    playing: &'static str,
    /// All that was delivered, in order.
    post: Vec<Delivered>,
    /// The games that were played.
    played: Vec<Played>,
}

impl DemoJudge {
    /// Makes a judge in a folder that is empty or not there yet.
    pub(super) fn build(dir: &Path) -> Result<DemoJudge> {
        if fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
            bail!("{} is not empty; name a new folder", dir.display());
        }
        init(dir, None, &mut std::io::sink())?;
        let file = dir.join("dipjudge.toml");
        let text = fs::read_to_string(&file)?;
        let config = Config::parse(&text, &file, [])?;
        let (InboxConfig::Maildir { path: inbox }, OutboxConfig::Maildir { path: outbox }) =
            (&config.inbox, &config.outbox)
        else {
            bail!("a new judge has Maildirs");
        };
        let (inbox, outbox) = (Maildir::at(inbox), Maildir::at(outbox));
        Ok(DemoJudge {
            dir: dir.to_owned(),
            inbox,
            outbox,
            config,
            last: BTreeMap::new(),
            delivered: BTreeMap::new(),
            found: BTreeMap::new(),
            playing: "",
            post: Vec::new(),
            played: Vec::new(),
        })
    }

    /// From now on this game is played.
    pub(super) fn begin(&mut self, sample: &Sample, script: &Script) {
        self.playing = sample.game;
        self.played.push(Played {
            game: sample.game,
            variant: sample.variant,
            people: script.people.clone(),
        });
    }

    /// Everybody lives where the judge does.
    pub(super) fn stage(&self) -> ScriptContext {
        let judge = self.config.judge.address.clone();
        let domain = judge
            .rsplit_once('@')
            .map_or("localhost", |(_, domain)| domain)
            .to_owned();
        ScriptContext {
            judge,
            domain,
            weeks: 0,
        }
    }

    /// Puts a mail into the judge's inbox, once: that a mail may come twice is for tests.
    pub(super) fn post(&mut self, script: &Script, mail: &Mail, sample: &Sample) -> Result<()> {
        let writer = script
            .person(&mail.from)
            .with_context(|| format!("nobody is called {}", mail.from))?;
        let bytes = message(
            mail,
            sample.game,
            writer,
            &self.config.judge.address,
            self.last.get(&mail.from),
        );
        self.inbox.deliver(&bytes, Some(mail.at))?;
        Ok(())
    }

    /// Has the judge work as at an hour, and delivers what it sends.
    pub(super) fn look(&mut self, at: Timestamp) -> Result<()> {
        let done = once::work(&self.config, Clock::At(at), Reach::Everywhere, None)?;
        ensure!(
            !done.stepped.fault,
            "something that is due could not be done"
        );
        if let Some(why) = done.stepped.unreached.or(done.posted.stopped) {
            bail!("{why}");
        }
        for waiting in self.outbox.waiting()? {
            let Some(mail) = self.outbox.read(&waiting.name, u64::MAX)? else {
                continue;
            };
            self.deliver(&mail.bytes)?;
            self.outbox.finish(&waiting.name)?;
        }
        Ok(())
    }

    /// Gives a game that was just created the seed for which its script is written.
    pub(super) fn give_seed(&self, sample: &Sample, seed: &Seed) -> Result<()> {
        seed::give(&self.config.judge.data, sample.game, seed)
    }

    /// Puts a mail of the judge into its reader's mailbox.
    fn deliver(&mut self, bytes: &[u8]) -> Result<()> {
        let mail = MessageParser::default()
            .parse(bytes)
            .context("the judge sent what is no message")?;
        let to = first_address(mail.to()).context("the judge sent a mail to nobody")?;
        let reader = to.split_once('@').map_or(to, |(name, _)| name).to_owned();
        let subject = mail.subject().unwrap_or_default().to_owned();
        let count = self.delivered.entry(reader.clone()).or_default();
        *count += 1;
        let number = *count;
        let mailbox = self.mailbox(&reader);
        fs::create_dir_all(&mailbox)?;
        let file = mailbox.join(format!("{number:03} {}.eml", plain(&subject)));
        fs::write(&file, bytes)?;
        let mut samples = super::SAMPLES.iter().map(|sample| sample.game);
        let game = samples.find(|game| subject.contains(&format!(":{game} ")));
        self.post.push(Delivered {
            game: game.unwrap_or(self.playing),
            reader: reader.clone(),
            file,
        });
        if let (Some(reply_to), Some(id)) = (first_address(mail.reply_to()), mail.message_id()) {
            self.last.insert(
                reader.clone(),
                Answered {
                    reply_to: reply_to.to_owned(),
                    message_id: format!("<{id}>"),
                    subject: subject.clone(),
                },
            );
        }
        let body = mail.body_text(0).unwrap_or_default().replace("\r\n", "\n");
        for sample in super::SAMPLES {
            if subject.contains(&format!(":{}", sample.game)) {
                self.found.entry(sample.game).or_default().read(
                    &reader,
                    &subject,
                    &body,
                    images(&mail),
                );
            }
        }
        Ok(())
    }

    /// Fails unless the game stands as the record of the real game says.
    pub(super) fn compare(&self, sample: &Sample, position: &Position) -> Result<()> {
        let store = once::open(&self.config, Clock::System)?;
        let judge = setup::judge(
            &store,
            setup::settings(&self.config),
            setup::templates(&self.config)?,
        )?;
        let game = judge
            .game(sample.game)
            .with_context(|| format!("there is no game '{}'", sample.game))?;
        let phase = if game.over() {
            "the end".to_owned()
        } else {
            game.phase_name(variants::of(&game.variant)).to_string()
        };
        ensure!(
            phase == position.phase,
            "it is {phase}, and should be {}",
            position.phase
        );
        let labels = VariantGame::new(game, variants::of(&game.variant))
            .seen_by(Viewer::Master)
            .labels();
        for power in game.all_powers() {
            let name = labels.name(power);
            let expected = position.powers.get(name).map_or(0, |holdings| {
                holdings.units.len() + holdings.dislodged.len()
            });
            let units = game.unit_count(power);
            ensure!(
                units == expected,
                "{name} has {units} units at the beginning of {phase}, and should have {expected}"
            );
        }
        Ok(())
    }

    /// Writes the reports, the summary and the maps of a game into files.
    pub(super) fn write_down(&self, sample: &Sample) -> Result<()> {
        let found = self.found(sample);
        fs::create_dir_all(self.dir.join(sample.game))?;
        fs::write(self.reports(sample), found.reports().join("\n\n"))?;
        fs::write(
            self.summary(sample),
            found.summary.clone().unwrap_or_default(),
        )?;
        for (number, map) in found.map_images.iter().enumerate() {
            fs::create_dir_all(self.maps(sample))?;
            fs::write(
                self.maps(sample).join(format!("{:03}.png", number + 1)),
                map,
            )?;
        }
        Ok(())
    }

    /// Writes pages of all mails, and says where to begin.
    pub(super) fn write_pages(&self) -> Result<PathBuf> {
        pages::write(&self.dir, &self.played, &self.post)?;
        Ok(pages::index(&self.dir))
    }

    /// What came of a game.
    pub(super) fn found(&self, sample: &Sample) -> GameOutcome {
        self.found.get(sample.game).cloned().unwrap_or_default()
    }

    /// The config.
    pub(super) fn config_file(&self) -> PathBuf {
        self.dir.join("dipjudge.toml")
    }

    /// Somebody's mailbox.
    pub(super) fn mailbox(&self, name: &str) -> PathBuf {
        self.dir.join("mailboxes").join(name)
    }

    /// All reports of a game.
    pub(super) fn reports(&self, sample: &Sample) -> PathBuf {
        self.dir.join(sample.game).join("reports.txt")
    }

    /// The summary of a game.
    pub(super) fn summary(&self, sample: &Sample) -> PathBuf {
        self.dir.join(sample.game).join("summary.txt")
    }

    /// The maps of a game.
    pub(super) fn maps(&self, sample: &Sample) -> PathBuf {
        self.dir.join(sample.game).join("maps")
    }
}

fn first_address<'a>(field: Option<&'a Address<'_>>) -> Option<&'a str> {
    field?.first()?.address()
}

/// The images attached to a mail.
fn images(mail: &Message<'_>) -> Vec<Vec<u8>> {
    mail.attachments()
        .filter(|part| {
            part.content_type()
                .is_some_and(|kind| kind.ctype() == "image")
        })
        .map(|part| part.contents().to_vec())
        .collect()
}

/// A subject as part of a file's name.
fn plain(subject: &str) -> String {
    let kept: String = subject
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_.[] ".contains(c) {
                c
            } else {
                ' '
            }
        })
        .collect();
    kept.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(80)
        .collect()
}
