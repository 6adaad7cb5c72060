//! A Debian on which nothing is installed, with a network, processes and a name of its own, in which root types lines.
//!
//! It is unpacked from a base that `deploy/install-test-needs.sh` makes with debootstrap; the packages that the manual names lie in its
//! cache, since its network leads nowhere.
//!
//! `DIPJUDGE_PACKAGES` names a folder with the packages as `deploy/package` makes them for keepers; without it they are made of the
//! program that is tested.

use std::fs;
use std::io::{BufRead, BufReader, Read, Seek};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};

use crate::manual::machine::said;
use crate::unit::{Service, Unit};

/// Where its base lies, and the variable that says whether a test may not do without it.
struct Base {
    file: &'static str,
    required: &'static str,
}

const DEBIAN_12: Base = Base {
    file: "/opt/dipjudge-tests/debian.tar",
    required: "DIPJUDGE_REQUIRE_DEBIAN",
};
const DEBIAN_13: Base = Base {
    file: "/opt/dipjudge-tests/debian-13.tar",
    required: "DIPJUDGE_REQUIRE_DEBIAN_13",
};
const DEBIAN_11: Base = Base {
    file: "/opt/dipjudge-tests/debian-11.tar",
    required: "DIPJUDGE_REQUIRE_DEBIAN_11",
};
/// What takes the place of systemd: mail servers start by their scripts, and what else it is told it notes.
const SYSTEMCTL: &str = r#"#!/bin/sh
[ "$1" = --no-pager ] && shift
name=${2%.service}
case "$1" in
cat) exec test -e "/usr/lib/systemd/system/$2" ;;
start | restart | stop) [ -x "/etc/init.d/$name" ] && exec env SYSTEMCTL_SKIP_REDIRECT=1 "/etc/init.d/$name" "$1" ;;
esac
echo "$*" >>/run/systemctl.log
"#;
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

pub(crate) struct FreshDebian {
    folder: tempfile::TempDir,
    /// Holds mounts, network and processes, as long as its input is open.
    holder: Child,
    _input: ChildStdin,
    /// The first process inside.
    first: String,
}

impl FreshDebian {
    /// A Debian of this domain; `None` where a test may not have one.
    pub(crate) fn new(domain: &str) -> Option<FreshDebian> {
        FreshDebian::of(&DEBIAN_12, domain)
    }

    /// One of the newest release, whose mail servers are configured otherwise.
    pub(crate) fn newest(domain: &str) -> Option<FreshDebian> {
        FreshDebian::of(&DEBIAN_13, domain)
    }

    /// The oldest Debian on which what [`FreshDebian::gets_the`] lays into it can run.
    pub(crate) fn oldest(domain: &str) -> Option<FreshDebian> {
        let base = match packages() {
            Some(_) => &DEBIAN_11,
            None => &DEBIAN_12,
        };
        FreshDebian::of(base, domain)
    }

    fn of(base: &Base, domain: &str) -> Option<FreshDebian> {
        if let Some(missing) = missing(base) {
            let required = std::env::var(base.required).is_ok_and(|value| value == "1");
            assert!(
                !required,
                "the test on a fresh Debian is required, but {missing}"
            );
            eprintln!("SKIPPED: {missing} (deploy/install-test-needs.sh makes what is needed)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let unpacked = Command::new("tar")
            .args(["--extract", "--file", base.file, "--directory"])
            .arg(&root)
            .status();
        assert!(unpacked.unwrap().success(), "the base is unpacked");
        fs::write(
            root.join("etc/hosts"),
            format!("127.0.0.1 localhost {domain}\n"),
        )
        .unwrap();
        fs::write(root.join("etc/mailname"), format!("{domain}\n")).unwrap();
        let systemctl = root.join("usr/local/bin/systemctl");
        fs::write(&systemctl, SYSTEMCTL).unwrap();
        fs::set_permissions(&systemctl, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir_all(root.join("run/systemd/system")).unwrap();
        let script = format!(
            "set -e\nip link set lo up\nhostname {domain}\nmount --bind {root} {root}\nmount --rbind /dev {root}/dev\nmount -t proc proc {root}/proc\necho ready\nread -r _",
            root = root.display()
        );
        let mut holder = Command::new("unshare")
            .args(["--mount", "--propagation", "private", "--pid", "--net"])
            .args(["--uts", "--ipc", "--fork", "--kill-child"])
            .args(["sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let words = holder.stdout.take().unwrap();
        BufReader::new(words).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        let id = holder.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
        let first = children.split_whitespace().next().unwrap().to_owned();
        let input = holder.stdin.take().unwrap();
        Some(FreshDebian {
            folder,
            holder,
            _input: input,
            first,
        })
    }

    /// A file of it as the test sees it.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        let within = path.trim_start_matches('/');
        self.folder.path().join("root").join(within)
    }

    /// Lays the package or the tarball into root's home.
    pub(crate) fn gets_the(&self, what: &str) {
        if let Some(packages) = packages() {
            let name = match what {
                "deb" => "dipjudge.deb",
                _ => "dipjudge-linux-x86_64.tar.gz",
            };
            fs::copy(packages.join(name), self.place("/root").join(name)).unwrap();
            return;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        // What is stripped of its symbols is installed sooner.
        let program = self.folder.path().join("dipjudge");
        let stripped = Command::new("strip")
            .args([env!("CARGO_BIN_EXE_dipjudge"), "-o"])
            .arg(&program)
            .status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs::copy(env!("CARGO_BIN_EXE_dipjudge"), &program).unwrap();
        }
        let output = Command::new(source.join("deploy/package"))
            .arg(what)
            .arg("--binary")
            .arg(program)
            .arg("--out")
            .arg(self.place("/root"))
            .output()
            .unwrap();
        said("deploy/package", &output, 0);
    }

    fn inside(&self, script: &str) -> Command {
        let mut command = Command::new("nsenter");
        command
            .args(["--target", &self.first])
            .args(["--mount", "--pid", "--net", "--uts", "--ipc", "chroot"])
            .arg(self.place("/"))
            .args(["sh", "-c", script])
            .env_clear()
            .env("PATH", PATH)
            .env("HOME", "/root")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null());
        command
    }

    /// What lines say that root types in his home; the last one must end so, and all before it well.
    pub(crate) fn ends(&self, lines: &str, code: i32) -> String {
        let script = format!("cd /root\nset -e\n{lines}");
        // What it says goes to a file: a mail server that is started would keep a pipe open.
        let mut words = tempfile::tempfile().unwrap();
        let status = self
            .inside(&script)
            .stdout(words.try_clone().unwrap())
            .stderr(words.try_clone().unwrap())
            .status()
            .unwrap();
        let mut stdout = Vec::new();
        words.rewind().unwrap();
        words.read_to_end(&mut stdout).unwrap();
        let output = Output {
            status,
            stdout,
            stderr: Vec::new(),
        };
        said(lines, &output, code)
    }

    /// Lines that root types in his home, which must go well.
    pub(crate) fn types(&self, lines: &str) -> String {
        self.ends(lines, 0)
    }

    /// Starts what systemctl was told to enable, as the unit of the package says.
    pub(crate) fn starts_what_was_enabled(&self) -> Service {
        let told = fs::read_to_string(self.place("/run/systemctl.log")).unwrap_or_default();
        assert!(
            told.contains("enable --now dipjudge.service"),
            "nothing is enabled: {told}"
        );
        self.starts("/usr/lib/systemd/system/dipjudge.service")
    }

    /// Starts what a unit says.
    pub(crate) fn starts(&self, unit: &str) -> Service {
        let unit = Unit::read(&self.place(unit));
        let log = self.folder.path().join("log");
        let file = fs::File::create(&log).unwrap();
        let child = self
            .inside(&unit.script())
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        Service::running(child, log)
    }

    /// Tells the service to stop, as systemd does; by its number in there, which is another one out here.
    pub(crate) fn stops(&self, service: Service) {
        self.types("kill $(pidof dipjudge)");
        service.ends_well();
    }
}

impl Drop for FreshDebian {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

/// The folder of packages as keepers get them.
fn packages() -> Option<PathBuf> {
    std::env::var_os("DIPJUDGE_PACKAGES").map(PathBuf::from)
}

/// What is missing for a fresh Debian, if anything.
fn missing(base: &Base) -> Option<String> {
    if fs::metadata("/proc/self").map_or(1, |metadata| metadata.uid()) != 0 {
        return Some("a fresh Debian needs root".to_owned());
    }
    if !Path::new(base.file).exists() {
        return Some(format!("there is no {}", base.file));
    }
    if !Path::new("/usr/bin/dpkg-deb").exists() {
        return Some("dpkg-deb is not installed".to_owned());
    }
    let tried = Command::new("unshare")
        .args(["--mount", "--pid", "--net", "--uts", "--fork", "true"])
        .status();
    match tried {
        Ok(status) if status.success() => None,
        _ => Some("this system gives nobody a network of his own".to_owned()),
    }
}
