//! Writes the site of the public games whenever something on it has changed, on a thread of its own, since mail should not wait
//! while long books are written.

use std::thread::{self, JoinHandle};

use super::keeper_queries::{Answer, KeeperQueries, Question};
use super::published::SiteState;
use super::site_folder;
use crate::config::PublishConfig;

/// The site and what it was written from.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    written: Option<WrittenSite>,
    running: Option<JoinHandle<()>>,
}

/// What a site was written from. A site from the same is the same.
#[derive(Debug, PartialEq)]
struct WrittenSite {
    wanted: PublishConfig,
    state: SiteState,
}

impl Publisher {
    /// Begins to write the site if it is another than the last one. Failures are only logged: the games go on.
    pub(super) fn publish(&mut self, queries: &KeeperQueries, wanted: &PublishConfig) {
        if self
            .running
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
        {
            return;
        }
        let now = Some(WrittenSite {
            wanted: wanted.clone(),
            state: queries.site_state(),
        });
        if self.written == now {
            return;
        }
        self.written = now;
        let (queries, wanted) = (queries.clone(), wanted.clone());
        let work = move || write(&queries, &wanted);
        match thread::Builder::new()
            .name("publisher".to_owned())
            .spawn(work)
        {
            Ok(thread) => self.running = Some(thread),
            Err(error) => tracing::warn!(%error, "the site is not written"),
        }
    }
}

fn write(queries: &KeeperQueries, wanted: &PublishConfig) {
    let question = Question::Site {
        contents: wanted.contents,
    };
    match queries.answer(&question) {
        Answer::Files(files) => {
            let folder = &wanted.path;
            if let Err(error) = site_folder::write(folder, &files) {
                tracing::warn!(%error, ?folder, "the site cannot be written");
            }
        }
        Answer::Failed(why) => tracing::warn!(why, "the site is not written"),
        _ => {}
    }
}
