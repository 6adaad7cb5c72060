//! `tick` and `deliver`.

use std::ffi::OsString;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{TRY_AGAIN, print_error};
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::control;
use crate::daemon::once::{self, MailSources, OnceError, WorkDone};
use crate::daemon::setup;
use crate::inbox::pipe;
use dipjudge_store as store;

/// The mail server waits for `deliver`: what is not sent after this time stays in the outbox.
const SENDING: Duration = Duration::from_secs(20);

/// How long `deliver` waits for a command that has the store for a moment, such as `status`, and how often it looks.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// Handles new mail, does what is due, and sends the outbox.
pub(super) fn tick(config: &Config, clock: Clock) -> Result<()> {
    for note in &config.notes {
        tracing::warn!("{note}");
    }
    let done = match once::tick(config, clock) {
        Err(error) if error.is_busy() => {
            bail!("the daemon is running, and does all of this by itself")
        }
        other => other?,
    };
    if let Some(why) = done.step.unreached {
        bail!("{why}; nothing that is due was done, since mail may be waiting there");
    }
    if let Some(why) = done.sending.stopped {
        bail!("mail cannot be sent: {why}; it is kept");
    }
    if done.step.fault {
        bail!(
            "something that is due could not be done, which is a fault of the program; the log says where"
        );
    }
    Ok(())
}

/// Whether a command line asks for `deliver`, even if it is wrong in another way. `commands` are the names of all commands.
pub(super) fn is_delivery(words: &[OsString], commands: &[&str]) -> bool {
    let mut rest = words.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = rest.next() {
        match word {
            "--config" => drop(rest.next()),
            "deliver" => return true,
            word if commands.contains(&word) => return false,
            // An option, known or not, or its value.
            _ => {}
        }
    }
    false
}

/// The exit status of a delivery: only 0 or 75, since any other status would bounce the mail to a player, who can do
/// nothing about it.
pub(super) fn delivery_exit_code(deliver: impl FnOnce() -> Result<()>) -> ExitCode {
    match catch_unwind(AssertUnwindSafe(deliver)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            print_error(&error);
            ExitCode::from(TRY_AGAIN)
        }
        Err(_) => ExitCode::from(TRY_AGAIN),
    }
}

/// Stores one message durably, then handles it unless another process does. After an error it is not stored.
pub(super) fn deliver(config: &Config, clock: Clock, input: &mut dyn Read) -> Result<()> {
    // Without a store nobody would ever read the message.
    let owner = store::owner(&config.judge.data)?;
    let piped =
        pipe::read_message(input, config.limits.bytes).context("cannot read the message")?;
    if piped.bytes.is_empty() && !piped.oversize {
        bail!("there is no message on standard input");
    }
    let mut bytes = envelope(
        &piped.bytes,
        std::env::var_os("SENDER"),
        std::env::var_os("RECIPIENT"),
    );
    bytes.extend_from_slice(&piped.bytes);
    if piped.oversize {
        // The inbox of the spool recognizes an oversize message by its size.
        bytes.resize(
            usize::try_from(config.limits.bytes)?
                .saturating_add(1)
                .max(bytes.len()),
            b'\n',
        );
    }
    let spool = setup::spool(config);
    let name = spool
        .create_for(owner)
        .and_then(|()| spool.deliver_to(&bytes, Some(clock.now()), Some(owner)))
        .with_context(|| {
            let owner = store::user_name(owner.user);
            format!("the message is not taken: deliver must run as {owner}, the user whose store it is, or as root")
        })?;
    match work_when_free(config, clock, &spool.root().join("new").join(&name)) {
        // From here on the message is stored, so later errors do not concern the sender.
        Ok(done) => {
            if let Some(why) = done.step.unreached {
                tracing::warn!("{why}; nothing that is due was done");
            }
            Ok(())
        }
        Err(OnceError::TooEarly { at, newest }) => {
            // Nothing was handled, so the message can be refused.
            std::fs::remove_file(spool.root().join("new").join(&name))
                .context("cannot take the message back")?;
            Err(OnceError::TooEarly { at, newest }.into())
        }
        Err(error) if error.is_busy() || error.is_foreign() => Ok(()),
        Err(error) => {
            print_error(
                &anyhow::Error::new(error)
                    .context("the message is safe in the spool, but cannot be handled yet"),
            );
            Ok(())
        }
    }
}

/// Handles what is in the spool. The daemon takes a message from there by itself, and so does a command that handles mail, but a
/// command that only reads the store does not: that one is waited for.
fn work_when_free(config: &Config, clock: Clock, message: &Path) -> Result<WorkDone, OnceError> {
    let begun = Instant::now();
    loop {
        let done = once::work(
            config,
            clock,
            MailSources::Local,
            Some(Instant::now() + SENDING),
        );
        let busy = matches!(&done, Err(error) if error.is_busy());
        let somebody_takes_it = || control::is_listened_to(&config.judge.data) || !message.exists();
        if !busy || begun.elapsed() >= PATIENCE || somebody_takes_it() {
            return done;
        }
        std::thread::sleep(PAUSE);
    }
}

/// The envelope as the mail server passes it in the environment, as header fields. A field that the message has is left out.
fn envelope(message: &[u8], sender: Option<OsString>, recipient: Option<OsString>) -> Vec<u8> {
    let mut fields = String::new();
    if let Some(sender) = sender.and_then(as_address)
        && !has_field(message, "Return-Path:")
    {
        fields += &format!("Return-Path: <{}>\n", sender.trim_matches(['<', '>']));
    }
    if let Some(recipient) = recipient.and_then(as_address)
        && !recipient.is_empty()
        && !has_field(message, "Envelope-To:")
    {
        fields += &format!("Envelope-To: {recipient}\n");
    }
    fields.into_bytes()
}

/// Whether the header of a message has a field with this name and colon.
fn has_field(message: &[u8], name: &str) -> bool {
    message
        .split(|byte| *byte == b'\n')
        .take_while(|line| !line.is_empty() && *line != b"\r")
        .any(|line| {
            line.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        })
}

/// A variable's value if it can stand in a header field: short, and without blanks and control characters.
fn as_address(value: OsString) -> Option<String> {
    let value = value.into_string().ok()?;
    let usable =
        value.len() <= 320 && !value.contains(|c: char| c.is_control() || c.is_whitespace());
    usable.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &str, sender: Option<&str>, recipient: Option<&str>) -> String {
        String::from_utf8(envelope(
            message.as_bytes(),
            sender.map(Into::into),
            recipient.map(Into::into),
        ))
        .unwrap()
    }

    #[test]
    fn the_envelope_stands_before_the_message_unless_it_does_already() {
        assert_eq!(told("A: b\n\n", None, None), "");
        assert_eq!(
            told(
                "A: b\n\nReturn-Path: <x@y>\n",
                Some("anna@example.org"),
                Some("judge+x@example.org")
            ),
            "Return-Path: <anna@example.org>\nEnvelope-To: judge+x@example.org\n"
        );
        assert_eq!(
            told(
                "return-path: <x@y>\nenvelope-to: z\n\n",
                Some("anna@example.org"),
                Some("judge@x")
            ),
            ""
        );
    }

    #[test]
    fn the_null_path_is_told_and_nonsense_is_not() {
        assert_eq!(told("A: b\n\n", Some(""), Some("")), "Return-Path: <>\n");
        assert_eq!(
            told("A: b\n\n", Some("a\nBcc: everybody"), Some("two words")),
            ""
        );
    }

    #[test]
    fn a_delivery_is_known_even_in_a_wrong_command_line() {
        let is = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            is_delivery(&words, &["deliver", "show", "tick", "help"])
        };
        assert!(is("dipjudge --config x deliver"));
        assert!(is("dipjudge --config tick deliver"));
        assert!(is("dipjudge deliver --wrong"));
        assert!(is("dipjudge --wrong --at 2026-03-02T18:00:00Z deliver"));
        assert!(!is("deliver tick"));
        assert!(!is("dipjudge show deliver"));
        assert!(!is("dipjudge help deliver"));
    }
}
