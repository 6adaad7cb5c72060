//! The judge of the demo, its Maildirs, and the mailboxes of its readers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use jiff::Timestamp;
use mail_parser::{Address, Message, MessageParser, MimeHeaders};

use super::message::{AnsweredMail, message};
use super::outcome::GameOutcome;
use super::pages::{self, DeliveredMail, PlayedGame};
use super::script::{Mail, Position, Script, ScriptContext};
use super::{Sample, seed};
use crate::cli::init;
use crate::clock::Clock;
use crate::config::{Config, InboxConfig, OutboxConfig};
use crate::daemon::once::{self, OpenJudge};
use crate::maildir::Maildir;
use crate::pages::mail::{self, ShownMail};
use dipjudge_game::{Seed, VariantGame};
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The judge and the mails that it has sent.
pub(super) struct DemoJudge {
    dir: PathBuf,
    config: Config,
    /// The judge, while it is open.
    open: Option<OpenJudge>,
    inbox: Maildir,
    outbox: Maildir,
    /// The last mail to each person that can be answered.
    last_mails: BTreeMap<String, AnsweredMail>,
    /// The number of mails in each mailbox.
    mail_counts: BTreeMap<String, usize>,
    outcomes: BTreeMap<&'static str, GameOutcome>,
    /// The game that is being played.
    playing: &'static str,
    /// All mails that were delivered, in order.
    delivered_mails: Vec<DeliveredMail>,
    /// The mails to the judge, by their ids.
    questions: BTreeMap<String, ShownMail>,
    /// The games that were played.
    played: Vec<PlayedGame>,
    /// How many maps of orders a judge draws by default.
    order_maps_per_minute: u64,
}

impl DemoJudge {
    /// Makes a judge in a folder that is empty or missing.
    pub(super) fn build(dir: &Path) -> Result<DemoJudge> {
        if fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
            bail!("{} is not empty; name a new folder", dir.display());
        }
        init(dir, None, &mut std::io::sink())?;
        let file = dir.join("dipjudge.toml");
        let text = fs::read_to_string(&file)?;
        let mut config = Config::parse(&text, &file, [])?;
        // Its people are made up by the demo, and nobody else writes to it.
        config.limits.rates.unproven_reply_bytes = 0;
        let order_maps_per_minute = config.limits.rates.order_maps_per_minute;
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
            open: None,
            last_mails: BTreeMap::new(),
            mail_counts: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            playing: "",
            delivered_mails: Vec::new(),
            questions: BTreeMap::new(),
            played: Vec::new(),
            order_maps_per_minute,
        })
    }

    /// Starts playing a game.
    pub(super) fn begin(&mut self, sample: &Sample, script: &Script) {
        self.playing = sample.game;
        self.played.push(PlayedGame {
            game: sample.game,
            variant: sample.variant,
            people: script.people.clone(),
        });
    }

    /// The context of a script: all addresses have the domain of the judge.
    pub(super) fn context(&self) -> ScriptContext {
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

    /// Puts a mail into the inbox of the judge, once; `twice` is for tests.
    pub(super) fn send_to_judge(
        &mut self,
        script: &Script,
        mail: &Mail,
        sample: &Sample,
    ) -> Result<()> {
        let writer = script
            .person(&mail.from)
            .with_context(|| format!("nobody is called {}", mail.from))?;
        let bytes = message(
            mail,
            sample.game,
            writer,
            &self.config.judge.address,
            self.last_mails.get(&mail.from),
        );
        self.inbox.deliver(&bytes, Some(mail.at))?;
        if let Some(question) = mail::read(&bytes)
            && let Some(id) = question.id.clone()
        {
            self.questions.insert(id, question);
        }
        Ok(())
    }

    /// Runs the judge as of a time, and delivers what it sends.
    pub(super) fn run_judge(&mut self, at: Timestamp) -> Result<()> {
        // Maps of orders come until the first results of a game: all of them would take up half of the folder.
        let mut outcomes = self.outcomes.get(self.playing).into_iter();
        let order_maps = if outcomes.any(|outcome| !outcome.results.is_empty()) {
            0
        } else {
            self.order_maps_per_minute
        };
        let rates = &mut self.config.limits.rates;
        if rates.order_maps_per_minute != order_maps {
            rates.order_maps_per_minute = order_maps;
            // A judge has the limits with which it was opened.
            self.open = None;
        }
        let clock = Clock::At(at);
        let config = self.config.clone();
        let done = self.open(clock)?.work(&config, clock)?;
        ensure!(!done.step.fault, "something that is due could not be done");
        if let Some(why) = done.step.unreached.or(done.sending.stopped) {
            bail!("{why}");
        }
        let sent = self.outbox.waiting()?;
        for mail in &sent {
            let Some(text) = self.outbox.read(&mail.name, u64::MAX)? else {
                continue;
            };
            let file = self.outbox.root().join("new").join(&mail.name);
            self.deliver(&text.bytes, &file)?;
        }
        // At once, since each call waits for the disk.
        let delivered = sent.iter().map(|mail| mail.name.as_os_str());
        Ok(self.outbox.finish_all(delivered)?)
    }

    /// The judge, which is opened unless it is open.
    fn open(&mut self, clock: Clock) -> Result<&OpenJudge> {
        let open = match self.open.take() {
            Some(open) => open,
            None => OpenJudge::of(&self.config, once::open(&self.config, clock)?)?,
        };
        Ok(self.open.insert(open))
    }

    /// Gives a game that was just created the seed for which its script is written.
    pub(super) fn give_seed(&mut self, sample: &Sample, seed: &Seed) -> Result<()> {
        self.open = None;
        seed::give(&self.config.judge.data, sample.game, seed)
    }

    /// Puts a mail of the judge, which lies in the file `sent`, into its reader's mailbox.
    fn deliver(&mut self, bytes: &[u8], sent: &Path) -> Result<()> {
        let mail = MessageParser::default()
            .parse(bytes)
            .context("the judge sent what is no message")?;
        let to = first_address(mail.to()).context("the judge sent a mail to nobody")?;
        let reader = to.split_once('@').map_or(to, |(name, _)| name).to_owned();
        let subject = mail.subject().unwrap_or_default().to_owned();
        let count = self.mail_counts.entry(reader.clone()).or_default();
        *count += 1;
        let number = *count;
        let mailbox = self.mailbox(&reader);
        fs::create_dir_all(&mailbox)?;
        let file = mailbox.join(format!("{number:03} {}.eml", file_name_part(&subject)));
        // The same file under two names takes half the space; not all file systems know that.
        fs::hard_link(sent, &file).or_else(|_| fs::write(&file, bytes))?;
        let mut samples = super::SAMPLES.iter().map(|sample| sample.game);
        let game = samples.find(|game| subject.contains(&format!(":{game} ")));
        self.delivered_mails.push(DeliveredMail {
            game: game.unwrap_or(self.playing),
            reader: reader.clone(),
            file,
        });
        if let (Some(reply_to), Some(id)) = (first_address(mail.reply_to()), mail.message_id()) {
            self.last_mails.insert(
                reader.clone(),
                AnsweredMail {
                    reply_to: reply_to.to_owned(),
                    message_id: format!("<{id}>"),
                    subject: subject.clone(),
                },
            );
        }
        let body = mail.body_text(0).unwrap_or_default().replace("\r\n", "\n");
        for sample in super::SAMPLES {
            if subject.contains(&format!(":{}", sample.game)) {
                self.outcomes.entry(sample.game).or_default().read(
                    &reader,
                    &subject,
                    &body,
                    images(&mail),
                );
            }
        }
        Ok(())
    }

    /// Fails unless the position is that of the script.
    pub(super) fn compare(&mut self, sample: &Sample, position: &Position) -> Result<()> {
        let judge = self.open(Clock::System)?.judge();
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
        let outcome = self.outcome(sample);
        fs::create_dir_all(self.dir.join(sample.game))?;
        fs::write(self.reports(sample), outcome.reports().join("\n\n"))?;
        fs::write(
            self.summary(sample),
            outcome.summary.clone().unwrap_or_default(),
        )?;
        for (number, map) in outcome.map_images.iter().enumerate() {
            fs::create_dir_all(self.maps(sample))?;
            fs::write(
                self.maps(sample).join(format!("{:03}.png", number + 1)),
                map,
            )?;
        }
        Ok(())
    }

    /// Writes pages of all mails, and returns the first page.
    pub(super) fn write_pages(&self) -> Result<PathBuf> {
        let (games, delivered) = (&self.played, &self.delivered_mails);
        pages::write(&self.dir, games, delivered, &self.questions)?;
        Ok(pages::index(&self.dir))
    }

    /// The outcome of a game.
    pub(super) fn outcome(&self, sample: &Sample) -> GameOutcome {
        self.outcomes.get(sample.game).cloned().unwrap_or_default()
    }

    /// The path of the config.
    pub(super) fn config_file(&self) -> PathBuf {
        self.dir.join("dipjudge.toml")
    }

    /// The path of a mailbox.
    pub(super) fn mailbox(&self, name: &str) -> PathBuf {
        self.dir.join("mailboxes").join(name)
    }

    /// The path of the reports of a game.
    pub(super) fn reports(&self, sample: &Sample) -> PathBuf {
        self.dir.join(sample.game).join("reports.txt")
    }

    /// The path of the summary of a game.
    pub(super) fn summary(&self, sample: &Sample) -> PathBuf {
        self.dir.join(sample.game).join("summary.txt")
    }

    /// The folder of the maps of a game.
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

/// A subject as a part of a file name.
fn file_name_part(subject: &str) -> String {
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
