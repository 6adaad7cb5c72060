//! Writes the site of the public games whenever something on it has changed, on a thread of its own, since mail should not wait
//! while long books are written.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use super::keeper_queries::{Answer, KeeperQueries, Question};
use super::published::SiteState;
use super::site_folder;

/// The site and what it was written from.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    written: Option<(PathBuf, SiteState)>,
    running: Option<JoinHandle<()>>,
}

impl Publisher {
    /// Begins to write the site into a folder if it is another than the last one. Failures are only logged: the games go on.
    pub(super) fn publish(&mut self, queries: &KeeperQueries, folder: &Path) {
        if self
            .running
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
        {
            return;
        }
        let now = Some((folder.to_owned(), queries.site_state()));
        if self.written == now {
            return;
        }
        self.written = now;
        let (queries, folder) = (queries.clone(), folder.to_owned());
        let work = move || write(&queries, &folder);
        match thread::Builder::new()
            .name("publisher".to_owned())
            .spawn(work)
        {
            Ok(thread) => self.running = Some(thread),
            Err(error) => tracing::warn!(%error, "the site is not written"),
        }
    }
}

fn write(queries: &KeeperQueries, folder: &Path) {
    match queries.answer(&Question::Site) {
        Answer::Files(files) => {
            if let Err(error) = site_folder::write(folder, &files) {
                tracing::warn!(%error, ?folder, "the site cannot be written");
            }
        }
        Answer::Failed(why) => tracing::warn!(why, "the site is not written"),
        _ => {}
    }
}
