//! A unit that is started without systemd, as systemd starts it, and the service that it becomes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::mail_system::until;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
/// Where a service may not write (`ProtectSystem=strict`): everywhere but here, and in its state folder.
const STRICT: &str = r#"mount --bind "$STATE" "$STATE"
mount -t tmpfs tmpfs /tmp
while read -r _ place _; do
    case "$place" in
    /dev|/dev/*|/proc|/proc/*|/sys|/sys/*|/tmp|"$STATE") ;;
    *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
    esac
done </proc/self/mounts
touch /etc/written 2>/dev/null && { echo "/etc can be written" >&2; exit 1; }
"#;

/// A unit's settings.
pub(crate) struct Unit(Vec<(String, String)>);

impl Unit {
    pub(crate) fn read(path: &Path) -> Unit {
        let text = fs::read_to_string(path).unwrap();
        let settings = text.lines().filter(|line| !line.starts_with('#'));
        let settings = settings.filter_map(|line| line.split_once('='));
        Unit(
            settings
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
        )
    }

    fn all(&self, key: &str) -> Vec<&str> {
        let named = self.0.iter().filter(|(have, _)| have == key);
        named.map(|(_, value)| value.as_str()).collect()
    }

    pub(crate) fn the(&self, key: &str) -> &str {
        self.all(key).pop().unwrap_or_else(|| panic!("no {key}="))
    }

    /// What root types to start it as systemd does: its command, user, environment, folder, and what it may write.
    pub(crate) fn script(&self) -> String {
        let state = format!("/var/lib/{}", self.the("StateDirectory"));
        assert_eq!(self.the("ProtectSystem"), "strict");
        let assignments = self.all("Environment").join(" ");
        let script = format!(
            "set -e\nSTATE={state}\n{STRICT}umask {}\ncd {}\n\
             exec setpriv --reuid={} --regid={} --init-groups env -i PATH={PATH} {assignments} {}",
            self.the("UMask"),
            self.the("WorkingDirectory"),
            self.the("User"),
            self.the("Group"),
            self.the("ExecStart"),
        );
        format!("exec unshare --mount --propagation private sh -c '{script}'")
    }
}

/// A service at work, killed when a test is done with it.
pub(crate) struct Service {
    child: Child,
    log: PathBuf,
}

impl Service {
    /// One that has been started, once it runs.
    pub(crate) fn running(child: Child, log: PathBuf) -> Service {
        let service = Service { child, log };
        service.waits_for("running");
        service
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    pub(crate) fn waits_for(&self, text: &str) {
        until(
            &format!("{text:?} in the log"),
            || self.log().contains(text),
            || self.log(),
        );
    }

    /// SIGTERM, and its end, which must be good.
    pub(crate) fn stop(self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        self.ends_well();
    }

    /// Waits for its end, which must be good.
    pub(crate) fn ends_well(mut self) {
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}\n{}", self.log());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
