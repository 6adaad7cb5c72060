//! A machine of its own for a test: the lines of the manual are typed as root, and whatever they change of `/etc`,
//! `/usr/local/bin` and `/var/lib` is seen by nobody else.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};

use crate::piped::piped;
use crate::unit::{Service, Unit};

/// What a machine of its own takes.
const PROGRAMS: [&str; 8] = [
    "unshare", "nsenter", "mount", "setpriv", "useradd", "install", "runuser", "script",
];
/// The folders that are its own.
const OWN: [(&str, &str); 3] = [
    ("etc", "/etc"),
    ("bin", "/usr/local/bin"),
    ("lib", "/var/lib"),
];
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
pub(crate) struct Machine {
    folder: tempfile::TempDir,
    /// Holds the mounts, as long as its input is open.
    holder: Child,
    _input: ChildStdin,
}

impl Machine {
    /// A machine with what is needed to build and install the program, and nothing done yet; `None` where a test may not
    /// have one.
    pub(crate) fn new() -> Option<Machine> {
        if let Some(missing) = missing() {
            let required =
                std::env::var("DIPJUDGE_REQUIRE_MAIL_SERVERS").is_ok_and(|value| value == "1");
            assert!(
                !required,
                "the test of the manual is required, but {missing}"
            );
            eprintln!("SKIPPED: {missing}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        for part in ["bin", "lib", "shims", "checkout/target/release"] {
            fs::create_dir_all(path.join(part)).unwrap();
        }
        let built = path.join("checkout/target/release/dipjudge");
        fs::copy(env!("CARGO_BIN_EXE_dipjudge"), built).unwrap();
        copy(&source.join("deploy"), &path.join("checkout/deploy"));
        copy(Path::new("/etc"), &path.join("etc"));
        // A machine on which nobody has installed it.
        let _ = fs::remove_dir_all(path.join("etc/dipjudge"));
        for list in ["passwd", "group", "shadow", "gshadow"] {
            let file = path.join("etc").join(list);
            if let Ok(text) = fs::read_to_string(&file) {
                let others = text.lines().filter(|line| !line.starts_with("dipjudge:"));
                let others: Vec<String> = others.map(|line| format!("{line}\n")).collect();
                fs::write(&file, others.concat()).unwrap();
            }
        }
        let mounts: Vec<String> = OWN
            .iter()
            .map(|(own, place)| format!("mount --bind {}/{own} {place}", path.display()))
            .collect();
        let script = format!("set -e\n{}\necho ready\nread -r _", mounts.join("\n"));
        let mut holder = Command::new("unshare")
            .args(["--mount", "--propagation", "private", "sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let said = holder.stdout.take().unwrap();
        BufReader::new(said).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        let input = holder.stdin.take().unwrap();
        let machine = Machine {
            folder,
            holder,
            _input: input,
        };
        // What this machine may lack.
        machine.shim("editor", "exec sed -i -f \"${0%/*}/edits\" \"$1\"");
        fs::write(machine.folder.path().join("shims/edits"), "").unwrap();
        Some(machine)
    }

    /// A folder of the machine as the test sees it.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        for (own, place) in OWN {
            if let Some(rest) = path.strip_prefix(place) {
                return self
                    .folder
                    .path()
                    .join(own)
                    .join(rest.trim_start_matches('/'));
            }
        }
        panic!("{path} is no place of the machine's own");
    }

    /// Where the sources lie.
    pub(crate) fn checkout(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    /// What the keeper does in his editor, as lines for sed.
    pub(crate) fn will_edit(&self, edits: &str) {
        fs::write(self.folder.path().join("shims/edits"), edits).unwrap();
    }

    fn shim(&self, name: &str, script: &str) {
        let path = self.folder.path().join("shims").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A command inside the machine, with this environment and no more.
    fn inside(&self, environment: &BTreeMap<String, String>, script: &str) -> Command {
        let mut command = Command::new("nsenter");
        command
            .args(["--target", &self.holder.id().to_string(), "--mount"])
            .args(["sh", "-c", script])
            .env_clear()
            .envs(environment)
            .stdin(Stdio::null());
        command
    }

    /// What a line says that root types in the folder of the sources; it must end so.
    pub(crate) fn ends(&self, line: &str, code: i32) -> String {
        let path = format!("{}/shims:{PATH}", self.folder.path().display());
        let environment = BTreeMap::from([("PATH".to_owned(), path)]);
        let script = format!("cd {}\n{line}", self.checkout().display());
        said(
            line,
            &self.inside(&environment, &script).output().unwrap(),
            code,
        )
    }

    /// A line that root types on a terminal, which shows it what it says.
    pub(crate) fn on_a_terminal(&self, line: &str) -> Command {
        let path = format!("{}/shims:{PATH}", self.folder.path().display());
        let environment = BTreeMap::from([("PATH".to_owned(), path)]);
        let script = format!(
            "cd {} && exec script -qefc \"$LINE\" /dev/null",
            self.checkout().display()
        );
        let mut command = self.inside(&environment, &script);
        command.env("LINE", line);
        command
    }

    /// A line that root types, which must go well.
    pub(crate) fn types(&self, line: &str) -> String {
        self.ends(line, 0)
    }

    /// A line that a program of the system starts as this user: cron, or a mail server with a message on standard input.
    pub(crate) fn starts(&self, user: &str, line: &str, message: &str) -> Output {
        // The environment of cron, which is poorer than any other.
        let environment = BTreeMap::from([
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
            ("SHELL".to_owned(), "/bin/sh".to_owned()),
        ]);
        let script = format!(
            "cd / && exec setpriv --reuid={user} --regid=$(id -g {user}) --init-groups sh -c '{line}'"
        );
        piped(&mut self.inside(&environment, &script), message)
    }

    /// Starts the unit that was installed, as systemd does: its command, user, environment, folder, and what it may write.
    pub(crate) fn start_unit(&self, name: &str) -> Service {
        let unit = Unit::read(&self.place(&format!("/etc/systemd/system/{name}.service")));
        self.run_service(&unit.script())
    }

    /// Starts something that goes on until it is told to stop.
    pub(crate) fn run_service(&self, script: &str) -> Service {
        let environment = BTreeMap::from([("PATH".to_owned(), PATH.to_owned())]);
        let log = self.folder.path().join("log");
        let file = fs::File::create(&log).unwrap();
        let child = self
            .inside(&environment, script)
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        Service::running(child, log)
    }

    /// How many stores there are, anywhere on the machine.
    pub(crate) fn stores(&self) -> Vec<PathBuf> {
        self.find(self.folder.path(), &|path| path.ends_with("store.id"))
    }

    /// The files below a folder that this is true of.
    pub(crate) fn find(&self, folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                found.extend(self.find(&path, wanted));
            } else if wanted(&path) {
                found.push(path);
            }
        }
        found
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

/// What a command said, which must have ended so.
pub(crate) fn said(line: &str, output: &Output, code: i32) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {text}");
    text
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(done.unwrap().success(), "{from:?}");
}

/// What is missing for a machine of its own, if anything.
fn missing() -> Option<String> {
    if fs::metadata("/proc/self").map_or(1, |metadata| metadata.uid()) != 0 {
        return Some("a machine of its own needs root".to_owned());
    }
    let there = |program: &&&str| {
        PATH.split(':')
            .any(|folder| Path::new(folder).join(program).exists())
    };
    if let Some(program) = PROGRAMS.iter().find(|program| !there(program)) {
        return Some(format!("{program} is not installed"));
    }
    let tried = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "true"])
        .status();
    match tried {
        Ok(status) if status.success() => None,
        _ => Some("this system gives nobody mounts of his own".to_owned()),
    }
}
