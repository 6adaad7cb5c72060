//! The command line (`cli.md`): the commands and the exit status.

mod adjudicate;
mod ask;
mod backup;
mod check;
mod init;
mod keeper;
mod log;
mod map;
mod once;
mod proof;
mod set_aside;
mod setup;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use jiff::Timestamp;

use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::catch_up::OldMails;
use crate::daemon::keeper_queries::Question;
use crate::daemon::service;
use crate::demo::{self, Samples};
use crate::inbox::ForeignInbox;
use crate::pages::site::SiteContents;

pub(crate) use init::init;

/// The exit status that asks the mail server to try again later (`EX_TEMPFAIL`).
const TRY_AGAIN: u8 = 75;

/// What the help and the manual page say at their end.
const AFTER_HELP: &str = "\
Exit status: 0 done; 1 the work failed, and one sentence on standard error says why and what to do; 2 the command line was wrong. \
deliver ends with 0, or with 75 if the mail server should try again.

Each key of the config can be given in the environment too, such as DIPJUDGE_INBOX__HOST. RUST_LOG=debug logs more.

The manual of keepers is KEEPER.md; the package has it in /usr/share/doc/dipjudge.";

/// A judge for the board game Diplomacy that is played by email.
#[derive(Debug, Parser)]
#[command(name = "dipjudge", version, max_term_width = 100, after_long_help = AFTER_HELP)]
struct Cli {
    /// The config [default: ./dipjudge.toml, then /etc/dipjudge/dipjudge.toml]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a sample game through a judge of its own; needs nothing
    Demo {
        /// Where: a folder that is empty or not there yet [default: a new temporary one]
        dir: Option<PathBuf>,
        /// A game of each variant, which takes a minute or two [default: one of the standard game]
        #[arg(long)]
        all: bool,
        /// A game of this variant alone
        #[arg(long, value_name = "NAME", conflicts_with = "all")]
        variant: Option<String>,
    },
    /// Ask five questions, try each answer at once, and make a judge of the answers; never overwrites
    ///
    /// Without a terminal the options are the answers. Passwords come from a file, a command or standard input alone.
    Setup(Box<setup::SetupOptions>),
    /// Write a commented config and make the empty store and the Maildirs; never overwrites
    ///
    /// Where there is a config already and no store yet, it makes the store that the config names.
    Init {
        /// Where the config goes
        #[arg(default_value = ".")]
        dir: PathBuf,
        /// The folder of the store, for the config; Maildirs and backups lie beside it [default: DIR/data]
        #[arg(long, value_name = "FOLDER")]
        data: Option<PathBuf>,
    },
    /// The daemon: take mail as it arrives, adjudicate when deadlines fall, send what is to be sent
    ///
    /// SIGTERM and SIGINT: finish the message in hand and stop. SIGHUP: read the config again.
    Run {
        /// Make an inbox that bears another store's id this judge's own, once
        #[arg(long)]
        take_inbox: bool,
    },
    /// Take one message on standard input, for .forward, aliases, procmail and Sieve
    ///
    /// Exit status 75 when it should be tried again, else 0. Beside a running daemon it only puts the message safely into
    /// the spool, and the daemon handles it.
    Deliver(At),
    /// Once: take what is in the inbox, do what is due, send what is in the outbox
    ///
    /// For cron, and for tests. Beside a running daemon: says so, exit status 1.
    Tick(At),
    /// Adjudicate positions: JSON Lines on standard input and output
    ///
    /// Exit status 1 if any line was no position; its output says why.
    Adjudicate {
        /// How many lines at once [default: all cores]
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
        /// Leave the next position out
        #[arg(long)]
        results_only: bool,
        /// Reduce every output to what that power may know
        #[arg(long = "as", value_name = "POWER")]
        as_power: Option<String>,
    },
    /// Draw a position as SVG or PNG: of a game, or a `state` object on standard input
    ///
    /// The object is that of `adjudicate`: `units` and `centers` by power, with `map`, `variant` and `name` (the phase) if it is
    /// not the standard game's. A whole line of `adjudicate` with its orders is drawn with what comes of them.
    Map(map::Map),
    /// List all games
    Games,
    /// Show one game as its master would see it
    Show {
        /// The game's name
        game: String,
    },
    /// Write one game in the saved-game JSON of the `diplomacy` package, or as a web page
    Export {
        /// The game's name
        game: String,
        /// Only what that power may know [default: as the master sees it]
        #[arg(long = "as", value_name = "POWER")]
        as_power: Option<String>,
        /// As one web page: the reports and notices of a game that is over, or with --as what that power was told
        #[arg(long)]
        html: bool,
        /// As a proof of a game that nobody can resume: its seed, what was submitted and what came of it, without persons;
        /// `verify FILE` computes it again on any machine
        #[arg(long, conflicts_with_all = ["as_power", "html"])]
        proof: bool,
    },
    /// Write the site of the public games into a folder: a list, a page for each, and a feed
    ///
    /// Public are games with SET LIST: of those that are over the reports, press and maps that HISTORY gives to everybody, of
    /// others the last report, unless they hide something. Files are replaced one by one, so that the folder can be served.
    Publish {
        /// The folder, which is empty, does not exist or was written so before
        folder: PathBuf,
        /// The manuals of players, masters and keepers too, in its folder `manual`
        #[arg(long)]
        manual: bool,
    },
    /// Read the logs of games again, adjudicate every phase anew, and compare with what is stored
    ///
    /// Exit status 1 if something differs; it says what. Files that `export --proof` wrote are computed again from what stands in
    /// them, which needs no judge.
    Verify {
        /// Names of games, or files [default: all games]
        #[arg(value_name = "GAME|FILE")]
        games: Vec<String>,
    },
    /// Show what waits, what failed, what comes next
    Status {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Try everything in the outbox at once, also what was put off, a queue that is stopped, and what was given up in the
        /// last month
        #[arg(long)]
        retry: bool,
    },
    /// Messages set aside, passwords struck out
    SetAside {
        #[command(subcommand)]
        what: Option<SetAsideCommand>,
    },
    /// Mails that wait to be sent, and those that were given up in the last month
    ///
    /// Their words are shown to nobody but their readers.
    Outbox {
        #[command(subcommand)]
        what: Option<OutboxCommand>,
    },
    #[command(flatten)]
    Keeper(keeper::KeeperCommand),
    /// Write a consistent copy of the whole store, also while the daemon runs
    Backup {
        /// The file to write; - for standard output
        file: PathBuf,
        /// Write over a file that is there
        #[arg(long)]
        overwrite: bool,
    },
    /// Make a store from a backup; the data folder must be empty
    Restore {
        /// The file that backup wrote
        file: PathBuf,
        /// Then take again the mails that were handled since, with the deadlines between, as of then; no mail is sent twice
        #[arg(long)]
        catch_up: bool,
        /// Send again what must have been sent since the backup
        #[arg(long, requires = "catch_up")]
        resend: bool,
        #[command(flatten)]
        at: At,
    },
    /// Try the configured inbox and say plainly what is wrong
    FetchCheck,
    /// Try the configured outbox with a mail to an address, and say plainly what is wrong
    SendCheck {
        /// To whom
        address: String,
    },
    /// Write completions for a shell
    Completions {
        /// Which
        shell: clap_complete::Shell,
    },
    /// Write the manual page
    Man {
        /// A page for each command, `dipjudge.1`, `dipjudge-run.1` and so on, into this folder [default: one page of all on standard
        /// output]
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
enum SetAsideCommand {
    /// List them [default]
    List,
    /// Show one
    Show {
        /// Its number
        number: u64,
    },
    /// Read one again, from where its mail came
    Retry {
        /// Its number
        number: u64,
    },
    /// Remove one, from where its mail came too
    Delete {
        /// Its number
        number: u64,
    },
}

#[derive(Debug, Subcommand)]
enum OutboxCommand {
    /// List them [default]
    List,
    /// Show one, without its words
    Show {
        /// Its number
        number: u64,
    },
    /// Try one again now
    Retry {
        /// Its number
        number: u64,
    },
    /// Remove one for good; one that waits only while no daemon runs
    Drop {
        /// Its number
        number: u64,
    },
}

impl OutboxCommand {
    fn question(&self) -> Question {
        match *self {
            OutboxCommand::List => Question::Outbox,
            OutboxCommand::Show { number } => Question::ShowOutbox { number },
            OutboxCommand::Retry { number } => Question::RetryOutbox { number },
            OutboxCommand::Drop { number } => Question::DropOutbox { number },
        }
    }
}

#[derive(Debug, Args)]
struct At {
    /// Act as if it were TIME (RFC 3339); refused if earlier than the newest event in the store
    #[arg(long, value_name = "TIME")]
    at: Option<Timestamp>,
}

impl At {
    fn clock(&self) -> Clock {
        self.at.map_or(Clock::System, Clock::At)
    }
}

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    log::log_panics();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let command = Cli::command();
    let commands: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .chain(["help"])
        .collect();
    if once::is_delivery(&arguments, &commands) {
        return once::delivery_exit_code(|| deliver(&arguments));
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are errors too for clap. If they cannot be printed, nothing can be done.
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    // The daemon logs what it does; other commands only what goes wrong.
    log::start(match cli.command {
        Command::Run { .. } => "info",
        _ => "warn",
    });
    match run(&cli) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

/// `deliver`: handles one message on standard input. After an error the mail server is asked to try again.
fn deliver(arguments: &[OsString]) -> Result<()> {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            ) =>
        {
            let _ = error.print();
            return Ok(());
        }
        Err(error) => {
            let _ = error.print();
            anyhow::bail!("the command line is wrong, so the mail server is asked to try again");
        }
    };
    // Some mail servers send the output of a delivery back to the sender of the mail; a warning may name other people.
    log::start(if io::stderr().is_terminal() {
        "warn"
    } else {
        "off"
    });
    match &cli.command {
        Command::Deliver(at) => once::deliver(&config(&cli)?, at.clock(), &mut io::stdin().lock()),
        _ => anyhow::bail!("deliver takes no other command"),
    }
}

fn run(cli: &Cli) -> Result<ExitCode> {
    match &cli.command {
        Command::Demo { dir, all, variant } => {
            let samples = match (all, variant) {
                (true, _) => Samples::All,
                (false, Some(variant)) => Samples::OfVariant(variant),
                (false, None) => Samples::First,
            };
            let bar = step_bar("mails");
            demo::run(dir.as_deref(), &samples, &bar, &mut stdout())?;
        }
        Command::Setup(options) => {
            // Questions read standard input line by line themselves, so it is not locked here.
            setup::setup(options, &mut io::stdin(), &mut stdout())?;
        }
        Command::Init { dir, data } => init::init(dir, data.as_deref(), &mut stdout())?,
        Command::Run { take_inbox } => {
            let config = config(cli)?;
            let named = cli.config.clone();
            let foreign = if *take_inbox {
                ForeignInbox::TakeOver
            } else {
                ForeignInbox::Leave
            };
            service::run(config, foreign, &|| {
                Config::load(named.as_deref(), std::env::vars_os())
            })?;
        }
        Command::Deliver(_) => anyhow::bail!("deliver takes one message on standard input"),
        Command::Tick(at) => once::tick(&config(cli)?, at.clock())?,
        Command::Adjudicate {
            jobs,
            results_only,
            as_power,
        } => {
            return adjudicate::adjudicate(*jobs, *results_only, as_power.as_deref());
        }
        Command::Map(asked) => map::map(
            &|| config(cli),
            asked,
            &mut io::stdin().lock(),
            &mut stdout(),
        )?,
        Command::Games => ask::games(&config(cli)?, &mut stdout())?,
        Command::Show { game } => ask::show(&config(cli)?, game, &mut stdout())?,
        Command::Export {
            game,
            as_power,
            html,
            proof,
        } => {
            let (game, as_power) = (game.clone(), as_power.clone());
            let question = if *proof {
                Question::Proof { game }
            } else if *html {
                Question::Record { game, as_power }
            } else {
                Question::Export { game, as_power }
            };
            ask::ask_and_print(&config(cli)?, &question, &mut stdout())?;
        }
        Command::Publish { folder, manual } => {
            let contents = if *manual {
                SiteContents::GamesAndManual
            } else {
                SiteContents::Games
            };
            ask::publish(&config(cli)?, folder, contents)?;
        }
        Command::Verify { games } => {
            let (files, games): (Vec<String>, Vec<String>) =
                games.iter().cloned().partition(|name| proof::is_file(name));
            for file in &files {
                proof::verify(file.as_ref(), &mut stdout())?;
            }
            if files.is_empty() || !games.is_empty() {
                ask::ask_and_print(&config(cli)?, &Question::Verify { games }, &mut stdout())?;
            }
        }
        Command::Status { json, retry } => {
            ask::status(&config(cli)?, *json, *retry, &mut stdout())?;
        }
        Command::SetAside { what } => set_aside(&config(cli)?, what.as_ref())?,
        Command::Outbox { what } => {
            let question = what
                .as_ref()
                .map_or(Question::Outbox, OutboxCommand::question);
            ask::ask_and_print(&config(cli)?, &question, &mut stdout())?;
        }
        Command::Keeper(command) => {
            keeper::run(
                &config(cli)?,
                command,
                &mut io::stdin().lock(),
                &mut stdout(),
            )?;
        }
        Command::Backup { file, overwrite } => backup::backup(&config(cli)?, file, *overwrite)?,
        Command::Restore {
            file,
            catch_up,
            resend,
            at,
        } => {
            let then = match (catch_up, resend) {
                (false, _) => backup::AfterRestore::Nothing,
                (true, false) => backup::AfterRestore::CatchUp(OldMails::WereSent),
                (true, true) => backup::AfterRestore::CatchUp(OldMails::SendAgain),
            };
            backup::restore(&config(cli)?, file, then, at.clock(), &mut stdout())?;
        }
        Command::FetchCheck => check::fetch(&config(cli)?, &mut stdout())?,
        Command::SendCheck { address } => check::send(&config(cli)?, address, &mut stdout())?,
        Command::Completions { shell } => {
            // It panics where it cannot write: `dipjudge completions bash | head`.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "dipjudge", &mut script);
            stdout().write_all(&script)?;
        }
        Command::Man { folder: None } => man(&mut stdout())?,
        Command::Man {
            folder: Some(folder),
        } => man_pages(folder)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn set_aside(config: &Config, what: Option<&SetAsideCommand>) -> Result<()> {
    let out = &mut stdout();
    match what {
        None | Some(SetAsideCommand::List) => set_aside::list(config, out),
        Some(SetAsideCommand::Show { number }) => set_aside::show(config, *number, out),
        Some(SetAsideCommand::Retry { number }) => set_aside::retry(config, *number, out),
        Some(SetAsideCommand::Delete { number }) => set_aside::delete(config, *number, out),
    }
}

/// The config that the command line and the environment name.
fn config(cli: &Cli) -> Result<Config> {
    Ok(Config::load(cli.config.as_deref(), std::env::vars_os())?)
}

/// The manual page, with a section for each command.
fn man(out: &mut dyn Write) -> Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    // Then each command knows how it is typed.
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    man_sections(&command, out)?;
    page.render_extra_section(out)?;
    Ok(())
}

/// The options that each command has: the manual page describes them once.
const COMMON_OPTIONS: [&str; 2] = ["config", "help"];

/// A section of the manual page for each command below this one.
fn man_sections(command: &clap::Command, out: &mut dyn Write) -> Result<()> {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let typed = sub.get_bin_name().unwrap_or_else(|| sub.get_name());
        let title = typed.trim_start_matches("dipjudge ").to_uppercase();
        let is_common = |arg: &clap::Arg| COMMON_OPTIONS.contains(&arg.get_id().as_str());
        let own = sub.clone().mut_args(|arg| {
            let common = is_common(&arg);
            arg.hide(common)
        });
        let has_options = own.get_arguments().any(|arg| !is_common(arg));
        let page = clap_mangen::Man::new(own);
        let mut text = Vec::new();
        page.render_synopsis_section(&mut text)?;
        page.render_description_section(&mut text)?;
        if has_options {
            page.render_options_section(&mut text)?;
        }
        let text = String::from_utf8_lossy(&text).replace("\n.SH ", "\n.SS ");
        writeln!(out, ".SH {title}\n{text}")?;
        man_sections(sub, out)?;
    }
    Ok(())
}

/// A manual page for each command, in a folder that is made if it is not there.
fn man_pages(folder: &Path) -> Result<()> {
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.with_context(|| {
        format!(
            "the manual pages cannot be written into {}",
            folder.display()
        )
    })
}

fn stdout() -> impl Write {
    io::stdout().lock()
}

/// Whether the reader of standard output closed the pipe, which is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error with its causes as one sentence on standard error.
fn print_error(error: &anyhow::Error) {
    let mut sentence = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        // The text of many errors contains the text of their cause.
        if !sentence.contains(&text) {
            let between = if sentence.is_empty() { "" } else { ": " };
            sentence.push_str(between);
            sentence.push_str(&text);
        }
    }
    let _ = writeln!(io::stderr(), "dipjudge: {sentence}");
}

/// A progress bar over bytes, or a spinner; hidden if standard error is no terminal.
fn byte_bar(bytes: Option<u64>, what: &'static str) -> indicatif::ProgressBar {
    if !io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let (bar, form) = match bytes {
        Some(bytes) => (
            indicatif::ProgressBar::new(bytes),
            "{msg} {wide_bar} {bytes}/{total_bytes} {eta}",
        ),
        None => (
            indicatif::ProgressBar::new_spinner(),
            "{spinner} {msg} {bytes}",
        ),
    };
    if let Ok(style) = indicatif::ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.with_message(what)
}

/// A progress bar over steps.
fn step_bar(what: &'static str) -> indicatif::ProgressBar {
    let bar = byte_bar(Some(0), what);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}

/// Adds to an error what was done and the path.
fn about<T, E: std::error::Error + Send + Sync + 'static>(
    result: std::result::Result<T, E>,
    doing: &str,
    path: &std::path::Path,
) -> Result<T> {
    result.with_context(|| format!("cannot {doing} {}", path.display()))
}
