//! Signatures of mails (DKIM, RFC 6376, and the chains of ARC, RFC 8617), for judges that trust no host to check them. A signature
//! only makes it surer who wrote a mail: without one everything is as before (README, Decided 11 and 44).

mod check;
mod keys;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use mail_auth::MessageAuthenticator;
use tokio::runtime::{self, Runtime};

pub use check::SignatureChecker;
pub use keys::{BadKey, KeyCache};

use crate::config::Config;
use dipjudge_judge::SignedBy;
use dipjudge_mails::inbound::Address;

/// How long a check may take, the questions to name servers included.
const PATIENCE: Duration = Duration::from_secs(8);

/// Checks signatures on a thread of its own, since keys are asked of name servers, which take their time.
#[derive(Clone, Debug)]
pub struct SignatureChecks {
    questions: Sender<SignatureQuestion>,
}

/// A message whose signatures are to be checked.
#[derive(Debug)]
struct SignatureQuestion {
    message: Vec<u8>,
    arrived: Timestamp,
    answer: Sender<Option<SignedBy>>,
}

impl SignatureChecks {
    /// The checks that a judge with this config makes: none where a host is trusted, or where they are turned off.
    pub fn of(config: &Config) -> Option<SignatureChecks> {
        if config.trust.authserv_id.is_some() || !config.trust.dkim {
            return None;
        }
        let judge = Address::parse(&config.judge.address).ok()?;
        let resolver = MessageAuthenticator::new_system_conf();
        let resolver = resolver
            .inspect_err(|error| {
                let why = error.to_string();
                tracing::warn!(
                    why,
                    "signatures of mails are not checked: this machine names no name servers"
                );
            })
            .ok()?;
        let checker = SignatureChecker {
            judge,
            sealers: config.trust.arc_sealers.clone(),
            keys: KeyCache::default(),
            resolver,
        };
        SignatureChecks::by(checker)
    }

    /// Checks by this checker.
    pub fn by(checker: SignatureChecker) -> Option<SignatureChecks> {
        let (questions, asked) = mpsc::channel();
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.ok()?;
        let thread = thread::Builder::new().name("signatures".to_owned());
        thread
            .spawn(move || answer_all(&checker, &runtime, &asked))
            .ok()?;
        Some(SignatureChecks { questions })
    }

    /// The signature of a message that proves its sender, if it has one.
    pub fn proving(&self, message: &[u8], arrived: Timestamp) -> Option<SignedBy> {
        if !rules::may_be_signed(message) {
            return None;
        }
        let (answer, answered) = mpsc::channel();
        let question = SignatureQuestion {
            message: message.to_vec(),
            arrived,
            answer,
        };
        self.questions.send(question).ok()?;
        answered.recv_timeout(PATIENCE + PATIENCE).ok().flatten()
    }
}

/// Answers one question after the other, until nobody can ask any more.
fn answer_all(checker: &SignatureChecker, runtime: &Runtime, asked: &Receiver<SignatureQuestion>) {
    while let Ok(SignatureQuestion {
        message,
        arrived,
        answer,
    }) = asked.recv()
    {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let check = checker.proving(&message, arrived);
            runtime.block_on(async { tokio::time::timeout(PATIENCE, check).await })
        }));
        let signed = match checked {
            Ok(Ok(signed)) => signed,
            Ok(Err(_)) => {
                tracing::debug!("a signature was not checked in time");
                None
            }
            Err(_) => {
                tracing::error!("the check of a signature failed, which is a fault of the program");
                None
            }
        };
        // Whoever asked may not wait any more.
        _ = answer.send(signed);
    }
}

/// The domains of sealers, in lower case.
pub type Sealers = BTreeSet<String>;
