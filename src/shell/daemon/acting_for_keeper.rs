//! Acts of the keeper are done by the daemon in order with everything else, or here if none runs.

use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use super::event::Event;
use super::keeper_acts::{ActMode, KeeperOrder, KeeperOutcome};
use super::keeper_queries::KeeperQueries;
use super::notice::Notices;
use super::processor::Processor;
use super::setup;
use crate::clock::Clock;
use dipjudge_judge::KeeperAct;

/// How long the daemon may take until it comes to an act.
const PATIENCE: Duration = Duration::from_secs(100);

impl KeeperQueries {
    /// Does an act of the keeper, or only says what it would do.
    pub fn act(&self, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
        match &self.acts {
            Some(daemon) => by_daemon(daemon, act, mode),
            None => self.act_here(act, mode),
        }
    }

    fn act_here(&self, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
        let notices = Notices::new(&setup::settings(&self.config), &self.templates);
        let processor = Processor::new(
            self.judge.clone(),
            self.store.clone(),
            Clock::System,
            notices,
        );
        let done = match processor {
            Ok(processor) => processor
                .with_journal(setup::journal(&self.config, &self.store))
                .do_for_keeper(act, mode),
            Err(error) => return KeeperOutcome::Refused(error.to_string()),
        };
        done.unwrap_or_else(|error| KeeperOutcome::Refused(error.to_string()))
    }
}

fn by_daemon(daemon: &Sender<Event>, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
    let (reply, outcome) = mpsc::channel();
    let order = KeeperOrder {
        act: act.clone(),
        mode,
        reply,
    };
    let sent = daemon.send(Event::ForKeeper(Box::new(order)));
    match sent {
        Ok(()) => outcome.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            let why = "the daemon has not come to it yet; look with dipjudge show, and ask again if it is not done";
            KeeperOutcome::Refused(why.to_owned())
        }),
        Err(_) => KeeperOutcome::Refused("the daemon is stopping".to_owned()),
    }
}
