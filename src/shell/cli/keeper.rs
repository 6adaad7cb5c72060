//! What keepers do to games and people (`cli.md`): `act`, `users`, `block`, `pause`, `write`, `rename`, `purge`, `forget`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::ask;
use crate::config::Config;
use crate::daemon::erasing::{self, Erasure};
use crate::daemon::keeper_acts::{ActMode, KeeperOutcome, KeeperReport, counted};
use crate::daemon::keeper_queries::{Answer, KeeperQueries, Question};
use crate::daemon::upkeep;
use dipjudge_judge::{Audience, Import, KeeperAct, Person, PersonChange, Right};
use dipjudge_mails::kept;

/// The longest text on standard input, in bytes.
const LONGEST: u64 = 100_000;

#[derive(Debug, Subcommand)]
pub(super) enum KeeperCommand {
    /// Do lines as in a mail, as a game's master and without a password
    ///
    /// The lines are read from standard input. The answer goes to standard output; those concerned are told as usual, by a notice that
    /// names the keeper as Master.
    Act {
        /// The game's name
        game: String,
        /// As that power: its leader is told, as after BECOME
        #[arg(long = "as", value_name = "POWER")]
        as_power: Option<String>,
        #[command(flatten)]
        how: How,
    },
    /// List the people whom the judge knows, or show and change one
    Users {
        /// One of the person's addresses
        address: Option<String>,
        /// Add points of dedication, or take some: +5, -5
        #[arg(
            long,
            value_name = "POINTS",
            allow_hyphen_values = true,
            requires = "address"
        )]
        dedication: Option<i64>,
        /// Another address that is the same person's
        #[arg(long, value_name = "OTHER", requires = "address")]
        link: Option<String>,
        /// The address at which the person reads mail from now on, in all games
        #[arg(long, value_name = "NEW", requires = "address")]
        address_now: Option<String>,
        /// Allow again
        #[arg(long, value_name = "WHAT", requires = "address")]
        allow: Option<Denial>,
        /// Deny: to join games, to run games, or to be heard at all
        #[arg(long, value_name = "WHAT", requires = "address")]
        deny: Option<Denial>,
        /// Make the reply addresses in mails that were sent invalid, where somebody else may have read them
        #[arg(long, requires = "address")]
        end_tokens: bool,
        /// Write all that is kept about the person, as JSON
        #[arg(long, requires = "address")]
        data: bool,
        #[command(flatten)]
        how: How,
    },
    /// Read no mail from an address, or from a domain (@example.org)
    Block {
        /// The address or @domain
        address: String,
        /// Read it again
        #[arg(long)]
        undo: bool,
        #[command(flatten)]
        how: How,
    },
    /// Read mail from an address or domain again
    Unblock {
        /// The address or @domain
        address: String,
        #[command(flatten)]
        how: How,
    },
    /// Stop the clocks of all running games, and tell everybody in them
    PauseAll {
        #[command(flatten)]
        how: How,
    },
    /// Let the games go on that pause-all has stopped
    ResumeAll {
        #[command(flatten)]
        how: How,
    },
    /// Write a letter to many, each for himself; its text comes from standard input
    Write {
        /// To whom
        to: Readers,
        /// The subject
        #[arg(long)]
        subject: String,
        #[command(flatten)]
        how: How,
    },
    /// Take over a game that was played elsewhere: from its results mails or HISTORY, or saved-game JSON
    ///
    /// It is played again from its orders and compared with what its mails say. Then it is paused, and its places are offered by mail to
    /// who held them. What the mails do not say is asked here. A game that hides something must be over.
    Import {
        /// The mails, as a mailbox file or one behind another; `-` for standard input
        file: PathBuf,
        /// Another name for it
        #[arg(long)]
        name: Option<String>,
        /// Who leads a power, or is the master: France=cleo@example.org, Master=gm@example.org
        #[arg(long = "player", value_name = "ROLE=ADDRESS")]
        players: Vec<String>,
        /// The last phase that is taken over
        #[arg(long, value_name = "PHASE")]
        until: Option<String>,
        #[command(flatten)]
        how: How,
    },
    /// Give a game another name; not while the daemon runs
    Rename {
        /// The game's name
        game: String,
        /// The new one
        new: String,
        #[command(flatten)]
        how: How,
    },
    /// Remove a game for good; not while the daemon runs
    ///
    /// A copy of the whole store is written first, into the folder of the backups.
    Purge {
        /// The game's name
        game: String,
        /// Do it; without this it is only said what would be removed
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        how: How,
    },
    /// Remove a person's name and addresses from everything; not while the daemon runs
    ///
    /// It cannot be undone. Logs of games go on to name the person by number. A person who has a place in a game is taken out of it
    /// first.
    Forget {
        /// One of the person's addresses
        address: String,
        /// Do it; without this it is only said what would be done
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        how: How,
    },
}

/// How something is done and told.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct How {
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl How {
    fn mode(self) -> ActMode {
        if self.dry_run {
            ActMode::DryRun
        } else {
            ActMode::Real
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Denial {
    /// To join games
    Player,
    /// To run games
    Master,
    /// To be heard: the same as block
    Mail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Readers {
    /// Who plays in a game that is not over
    Players,
    /// Masters of games that are not over
    Masters,
    /// Who is registered
    Everybody,
}

/// Runs one of these commands.
pub(super) fn run(
    config: &Config,
    command: &KeeperCommand,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<()> {
    let (act, how) = match command {
        KeeperCommand::Users { address, how, .. } => {
            let acts = changes(command);
            if acts.is_empty() {
                return users(config, command, address.as_deref(), *how, out);
            }
            for act in acts {
                do_act(config, act, *how, out)?;
            }
            return Ok(());
        }
        KeeperCommand::Act {
            game,
            as_power,
            how,
        } => {
            let act = KeeperAct::Lines {
                game: game.clone(),
                as_power: as_power.clone(),
                lines: text(input)?,
            };
            (act, how)
        }
        KeeperCommand::Block { address, undo, how } => (blocking(address, *undo), how),
        KeeperCommand::Unblock { address, how } => (blocking(address, true), how),
        KeeperCommand::PauseAll { how } => (KeeperAct::PauseAll, how),
        KeeperCommand::ResumeAll { how } => (KeeperAct::ResumeAll, how),
        KeeperCommand::Write { to, subject, how } => {
            let to = match to {
                Readers::Players => Audience::Players,
                Readers::Masters => Audience::Masters,
                Readers::Everybody => Audience::Everybody,
            };
            let act = KeeperAct::Write {
                to,
                subject: subject.clone(),
                text: text(input)?,
            };
            (act, how)
        }
        KeeperCommand::Import { how, .. } => (importing(command, input)?, how),
        KeeperCommand::Rename { game, new, how } => return rename(config, game, new, *how, out),
        KeeperCommand::Purge { game, yes, how } => return purge(config, game, *yes, *how, out),
        KeeperCommand::Forget { address, yes, how } => {
            return forget(config, address, *yes, *how, out);
        }
    };
    do_act(config, act, *how, out)
}

fn blocking(address: &str, undo: bool) -> KeeperAct {
    let address = address.to_owned();
    if undo {
        KeeperAct::Unblock { address }
    } else {
        KeeperAct::Block { address }
    }
}

/// The act that takes a game over.
fn importing(command: &KeeperCommand, input: &mut dyn Read) -> Result<KeeperAct> {
    let KeeperCommand::Import {
        file,
        name,
        players,
        until,
        ..
    } = command
    else {
        bail!("there is nothing to import");
    };
    let most = kept::MOST_BYTES as u64 + 1;
    let mut text = Vec::new();
    if file.as_os_str() == "-" {
        input.take(most).read_to_end(&mut text)
    } else {
        File::open(file).and_then(|file| file.take(most).read_to_end(&mut text))
    }
    .with_context(|| format!("cannot read {}", file.display()))?;
    let game =
        kept::read(&text).with_context(|| format!("{} cannot be taken over", file.display()))?;
    let people = players.iter().map(|one| {
        let (role, address) = one
            .split_once('=')
            .with_context(|| format!("'{one}' is no ROLE=ADDRESS"))?;
        Ok((role.trim().to_owned(), address.trim().to_owned()))
    });
    Ok(KeeperAct::Import(Import {
        game,
        name: name.clone(),
        people: people.collect::<Result<_>>()?,
        until: until.clone(),
    }))
}

fn text(input: &mut dyn Read) -> Result<String> {
    let mut text = String::new();
    input
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    if text.len() as u64 > LONGEST {
        bail!("more than {LONGEST} bytes on standard input");
    }
    Ok(text)
}

/// What `users` is to change.
fn changes(command: &KeeperCommand) -> Vec<KeeperAct> {
    let KeeperCommand::Users {
        address: Some(address),
        dedication,
        link,
        address_now,
        allow,
        deny,
        end_tokens,
        ..
    } = command
    else {
        return Vec::new();
    };
    let right = |denial: Denial| match denial {
        Denial::Player => Some(Right::Player),
        Denial::Master => Some(Right::Master),
        Denial::Mail => None,
    };
    let change = |change: PersonChange| KeeperAct::Person {
        address: address.clone(),
        change,
    };
    let rights = |denial: Denial, of: fn(Right) -> PersonChange, undo: bool| match right(denial) {
        Some(right) => change(of(right)),
        None => blocking(address, undo),
    };
    [
        dedication.map(|points| change(PersonChange::Dedication(points))),
        link.clone().map(|other| change(PersonChange::Link(other))),
        deny.map(|denial| rights(denial, PersonChange::Deny, false)),
        allow.map(|denial| rights(denial, PersonChange::Allow, true)),
        end_tokens.then(|| change(PersonChange::EndTokens)),
        // Last: what comes behind would not find the person by the address of before.
        address_now
            .clone()
            .map(|new| change(PersonChange::Address(new))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn users(
    config: &Config,
    command: &KeeperCommand,
    address: Option<&str>,
    how: How,
    out: &mut dyn Write,
) -> Result<()> {
    if let (KeeperCommand::Users { data: true, .. }, Some(address)) = (command, address) {
        let address = address.to_owned();
        return ask::ask_and_print(config, &Question::UserData { address }, out);
    }
    let address = address.map(str::to_owned);
    match ask::answer(config, &Question::Users { address })? {
        Answer::Users(users) if how.json => write_json(&users, out),
        Answer::Users(users) if users.is_empty() => {
            writeln!(out, "Nobody is registered yet.")?;
            Ok(())
        }
        other => ask::print(other, out),
    }
}

fn do_act(config: &Config, act: KeeperAct, how: How, out: &mut dyn Write) -> Result<()> {
    let mode = how.mode();
    match ask::answer(config, &Question::Act { act, mode })? {
        Answer::Done(report) => write_report(&report, how, out),
        other => ask::print(other, out),
    }
}

fn write_report(report: &KeeperReport, how: How, out: &mut dyn Write) -> Result<()> {
    if how.json {
        return write_json(report, out);
    }
    write!(out, "{report}")?;
    Ok(out.flush()?)
}

fn write_json(what: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(what)?)?;
    Ok(out.flush()?)
}

/// The store, for what cannot be done beside a daemon.
fn alone(config: &Config) -> Result<KeeperQueries> {
    let open = ask::open(config)?;
    open.context("the daemon has the store open, and this rewrites logs: stop it, do this, and start it again")
}

fn acted(queries: &KeeperQueries, act: &KeeperAct, mode: ActMode) -> Result<KeeperReport> {
    match queries.act(act, mode) {
        KeeperOutcome::Done(report) => Ok(report),
        KeeperOutcome::Refused(why) => bail!(why),
    }
}

fn rename(config: &Config, game: &str, new: &str, how: How, out: &mut dyn Write) -> Result<()> {
    let queries = alone(config)?;
    let act = KeeperAct::Retitle {
        game: game.to_owned(),
        to: new.to_owned(),
    };
    let report = acted(&queries, &act, how.mode())?;
    // The next start gives the log the name that its last record says.
    drop(queries);
    if how.mode() == ActMode::Real {
        drop(alone(config)?);
    }
    write_report(&report, how, out)
}

fn purge(config: &Config, game: &str, yes: bool, how: How, out: &mut dyn Write) -> Result<()> {
    let queries = alone(config)?;
    let (name, people) = {
        let judge = queries.read();
        match judge.game(game) {
            Some(game) => (
                game.name.clone(),
                game.seats.iter().filter(|seat| !seat.left).count(),
            ),
            None => bail!("there is no game '{game}'; `dipjudge games` lists those there are"),
        }
    };
    let real = yes && !how.dry_run;
    let mut said = format!(
        "Game '{name}' with its log, its archive and {}",
        counted(people, "place")
    );
    if real {
        let folder = match &config.backup {
            Some(backup) => backup.path.clone(),
            None => config.judge.data.with_file_name("backup"),
        };
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let copy = folder.join(format!("before-purge-of-{name}.jsonl"));
        upkeep::write(&copy, upkeep::PRIVATE, |out| {
            queries.backup(out).map_err(std::io::Error::other)
        })
        .with_context(|| format!("cannot write {}", copy.display()))?;
        queries.store.drop_log(&name)?;
        said.push_str(&format!(
            " is removed.  A copy of the store of before is {}.",
            copy.display()
        ));
    } else {
        said.push_str(" would be removed.  Nobody is told; a letter of yours may do that (act, OFFICIAL).  Add --yes to do it.");
    }
    let report = KeeperReport {
        said,
        records: 0,
        mails: 0,
        mode: if real { ActMode::Real } else { ActMode::DryRun },
    };
    if how.json {
        return write_json(&report, out);
    }
    writeln!(out, "{}", report.said)?;
    Ok(out.flush()?)
}

/// A person to be forgotten: registered, or forgotten before, of whom this address is found still.
fn forget(config: &Config, address: &str, yes: bool, how: How, out: &mut dyn Write) -> Result<()> {
    let queries = alone(config)?;
    let mode = if yes { how.mode() } else { ActMode::DryRun };
    let mut report = forget_in(config, &queries, address, mode)?;
    if mode == ActMode::Real {
        report.said.push_str(&older_copies(config));
    }
    write_report(&report, how, out)
}

fn forget_in(
    config: &Config,
    queries: &KeeperQueries,
    address: &str,
    mode: ActMode,
) -> Result<KeeperReport> {
    let address = address.trim().to_lowercase();
    let (erasure, key) = {
        let judge = queries.read();
        let keys = |addresses: &[String]| -> Vec<String> {
            let keys = addresses
                .iter()
                .filter_map(|address| judge.forgotten_key(address));
            keys.collect()
        };
        let registry = judge.registry();
        let own = keys(std::slice::from_ref(&address));
        let before = own.first().and_then(|key| registry.forgotten(key));
        match (registry.by_address(&address), before) {
            (Some(person), _) => {
                let same_name =
                    |other: &&Person| other.id != person.id && other.name == person.name;
                let name = registry.people().find(same_name).is_none();
                let erasure = Erasure {
                    person: person.id,
                    name: name.then(|| person.name.clone()),
                    addresses: person.addresses.clone(),
                };
                (erasure, Some(keys(&person.addresses)))
            }
            (None, Some(id)) => {
                let erasure = Erasure {
                    person: id,
                    name: None,
                    addresses: vec![address.clone()],
                };
                (erasure, None)
            }
            (None, None) => {
                bail!("nobody is registered with {address}; `dipjudge users` lists who is")
            }
        }
    };
    let mut report = match &key {
        Some(_) => {
            let change = PersonChange::Forget;
            acted(queries, &KeeperAct::Person { address, change }, mode)?
        }
        None => KeeperReport {
            said: format!("Number {} was forgotten before.", erasure.person.0),
            records: 0,
            mails: 0,
            mode,
        },
    };
    if mode == ActMode::Real {
        erasing::add_to_list(&config.judge.data, &key.unwrap_or_default()).with_context(|| {
            let list = erasing::list_beside(&config.judge.data);
            format!("cannot write {}", list.display())
        })?;
        let changed = erasure.carry_out(&queries.store)?;
        report.said.push_str(&format!(
            "\nRecords and texts that it was taken out of: {changed}."
        ));
    }
    Ok(report)
}

/// What copies of the store of before still hold.
fn older_copies(config: &Config) -> String {
    let list = erasing::list_beside(&config.judge.data);
    let place = match &config.backup {
        Some(backup) => format!(
            "Copies in {} of before today still hold the name and the addresses; they are removed in {} days, or by you",
            backup.path.display(),
            backup.keep
        ),
        None => "Copies of the store that you have made still hold the name and the addresses"
            .to_owned(),
    };
    format!(
        "\n{place}.  Restore forgets again whoever is in the list {}; take that file along to another machine.",
        list.display()
    )
}

/// After a restore: forgets whoever was forgotten since the copy was made.
pub(super) fn forget_again(config: &Config) -> Result<()> {
    let listed = erasing::listed(&config.judge.data)?;
    if listed.is_empty() {
        return Ok(());
    }
    loop {
        let queries = alone(config)?;
        let next = {
            let judge = queries.read();
            let people = judge.registry().people();
            let mut addresses = people.flat_map(|person| &person.addresses);
            let forgotten = |address: &&String| {
                let key = judge.forgotten_key(address);
                key.is_some_and(|key| listed.contains(&key))
            };
            addresses.find(forgotten).cloned()
        };
        let Some(address) = next else {
            return Ok(());
        };
        forget_in(config, &queries, &address, ActMode::Real)?;
    }
}
