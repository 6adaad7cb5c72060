//! Questions on a terminal, and passwords that it does not show.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result, bail};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Standard input, if a person sits there.
#[derive(Debug)]
pub(super) struct Terminal(());

impl Terminal {
    pub(super) fn find() -> Option<Terminal> {
        io::stdin().is_terminal().then_some(Terminal(()))
    }

    /// The answer to a question; what stands in brackets is taken for an empty one.
    pub(super) fn asks(
        &self,
        out: &mut dyn Write,
        question: &str,
        usual: Option<&str>,
    ) -> Result<String> {
        match usual {
            Some(usual) => write!(out, "{question} [{usual}]: ")?,
            None => write!(out, "{question}: ")?,
        }
        out.flush()?;
        let answer = line()?;
        Ok(match usual {
            Some(usual) if answer.is_empty() => usual.to_owned(),
            _ => answer,
        })
    }

    /// The answer to a question that is not shown while it is typed.
    pub(super) fn asks_unseen(&self, out: &mut dyn Write, question: &str) -> Result<String> {
        write!(out, "{question}: ")?;
        out.flush()?;
        let unseen = Unseen::begin().context("cannot keep the terminal from showing a password")?;
        let answer = line();
        drop(unseen);
        writeln!(out)?;
        answer
    }
}

fn line() -> Result<String> {
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        bail!("there are no more answers, so nothing was made");
    }
    Ok(line.trim().to_owned())
}

/// While it lives, the terminal shows nothing that is typed.
struct Unseen(Termios);

impl Unseen {
    fn begin() -> rustix::io::Result<Unseen> {
        let before = tcgetattr(io::stdin())?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Now, &hidden)?;
        Ok(Unseen(before))
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // If this fails, the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}
