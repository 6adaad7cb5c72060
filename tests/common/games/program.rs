//! The program as its keeper runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// A judge's folder and the program working in it.
pub struct Program {
    pub folder: PathBuf,
}

impl Program {
    /// Writes the config and makes the store. `ends` holds the tables `[inbox]` and `[outbox]`, and what else a test wants.
    pub fn new(folder: &Path, ends: &str) -> Program {
        let judge = "[judge]\nname = \"USXX\"\naddress = \"judge@mail.test\"\nkeeper = \"keeper@mail.test\"\ndata = \"data\"\ntimezone = \"UTC\"\n";
        fs::write(folder.join("dipjudge.toml"), format!("{judge}\n{ends}")).unwrap();
        let program = Program {
            folder: folder.to_owned(),
        };
        program.run(&["init", "."]);
        program
    }

    /// A command of the program in its folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end, which must be good.
    pub fn run(&self, arguments: &[&str]) -> String {
        self.try_run(arguments)
            .unwrap_or_else(|why| panic!("{why}"))
    }

    /// What a command prints, or how it ended and what it said.
    fn try_run(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        Err(format!(
            "dipjudge {arguments:?}: {}\n{}{}",
            output.status,
            text(&output.stdout),
            text(&output.stderr)
        ))
    }

    /// `dipjudge tick --at TIME`.
    pub fn tick(&self, at: Timestamp) {
        self.run(&["tick", "--at", &at.to_string()]);
    }

    /// As [`Program::tick`], which a server that cannot be reached may make fail: why it did.
    pub fn try_tick(&self, at: Timestamp) -> Result<(), String> {
        self.try_run(&["tick", "--at", &at.to_string()]).map(drop)
    }

    /// Starts the daemon; what it says goes to `daemon.log`.
    pub fn daemon(&self) -> Daemon {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join("daemon.log"))
            .unwrap();
        let child = self
            .command(&["run"])
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        Daemon { child }
    }

    /// The end of the daemon's log, for a test that fails.
    pub fn log(&self) -> String {
        let log = fs::read_to_string(self.folder.join("daemon.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }
}

/// A daemon that runs.
pub struct Daemon {
    child: Child,
}

impl Daemon {
    /// SIGKILL, at once.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// SIGTERM, and its end, which must be good.
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "the daemon ended with {status}");
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "the daemon does not stop"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
