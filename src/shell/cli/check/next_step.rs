//! What a keeper does about an error of the inbox or the outbox: the second half of each sentence of the checks.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::config::{Config, InboxConfig, Login, OutboxConfig};
use crate::inbox::InboxError;
use crate::secret::{SecretError, SecretSource};

/// The addresses of the sample config, which belong to nobody.
const SAMPLES: [&str; 2] = ["judge@example.org", "keeper@example.org"];

/// The address in the config that was left as in the sample, though mail goes to and comes from the world.
pub(super) fn sample_address(config: &Config) -> Option<String> {
    let embedded = matches!(config.inbox, InboxConfig::Maildir { .. })
        && matches!(config.outbox, OutboxConfig::Maildir { .. });
    let keys = [
        ("address", &config.judge.address),
        ("keeper", &config.judge.keeper),
    ];
    let (key, address) = keys
        .into_iter()
        .filter(|_| !embedded)
        .find(|(_, address)| SAMPLES.contains(&address.as_str()))?;
    Some(format!(
        "{key} in [judge] is still {address}, which the sample config has in the place of yours: put your own there"
    ))
}

/// What to do if the inbox fails so.
pub(super) fn for_inbox(error: &InboxError, login: &Login) -> String {
    match error {
        InboxError::Login { .. } => login_refused("[inbox]", &login.secret),
        InboxError::Secret(error) => for_secret(error),
        InboxError::Mailbox { name, .. } => format!(
            "look whether the server has a mailbox {name} by another name, and put that into mailbox, done or rejected of \
             [inbox]"
        ),
        InboxError::Refused { .. } => {
            "try again in a minute; if it stays so, show this to the keeper of the server".to_owned()
        }
        InboxError::Lost { .. } | InboxError::Unreachable { .. } => {
            "try again in a minute; if it stays so, look at host, port and tls of [inbox]".to_owned()
        }
        InboxError::Nonsense { .. } => {
            "look whether host and port of [inbox] are those of an IMAP server; if they are, this server is not one that \
             this program understands"
                .to_owned()
        }
        InboxError::Handshake { .. } | InboxError::Tls(_) => {
            "look at host, port and tls of [inbox], and at ca_file in [trust]".to_owned()
        }
        // This one says itself what to do.
        InboxError::Foreign { .. } => String::new(),
        InboxError::Maildir(_) => {
            "look at path of [inbox], and whether the user who runs the judge may write there".to_owned()
        }
    }
}

/// What to do if a server does not take the login of this section.
pub(super) fn login_refused(section: &str, secret: &SecretSource) -> String {
    if secret.expires() {
        return format!(
            "look whether the access token is for the user in {section} and for mail (its scope), and whether the provider \
             has withdrawn it"
        );
    }
    format!(
        "look at user and password of {section}; many providers refuse the password of the account and want one made for a \
         single program (an app password), or a token (oauth2_command)"
    )
}

/// What to do if there is no password or token.
pub(super) fn for_secret(error: &SecretError) -> String {
    match error {
        SecretError::File { source, .. } => match source.kind() {
            std::io::ErrorKind::NotFound => {
                "write the password into that file, as its first line".to_owned()
            }
            std::io::ErrorKind::PermissionDenied => {
                "make the user who runs the judge the file's owner (chown)".to_owned()
            }
            _ => "look at that file".to_owned(),
        },
        SecretError::Command { .. } => {
            "type that command as the user who runs the judge: its first line has to be the password or the token".to_owned()
        }
        SecretError::NoToken { .. } => {
            "look at oauth2_token_url, and whether this machine reaches the provider".to_owned()
        }
        SecretError::RefreshRefused { .. } => {
            "allow this program once more at the provider, write the new refresh token into that file, and look at \
             oauth2_client_id and oauth2_client_secret_file"
                .to_owned()
        }
        SecretError::Empty { .. } => "its first line has to be the password".to_owned(),
    }
}

/// A warning if others on this machine can read the password.
pub(super) fn readable_by_others(login: Option<&Login>) -> Option<String> {
    const OTHERS_READ: u32 = 0o004;
    let path: &Path = login?.secret.file()?;
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    (mode & OTHERS_READ != 0).then(|| {
        let path = path.display();
        format!("Warning: everybody on this machine can read the password in {path}. Type: chmod o= {path}")
    })
}
