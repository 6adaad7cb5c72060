//! The daemon's socket: the keeper's questions while the store is in use. One line of JSON asks, lines of JSON answer.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::keeper_queries::{Answer, KeeperQueries, Question};

/// The socket's name in the data folder.
const NAME: &str = "control.sock";
/// No question is longer.
const LONGEST: u64 = 4096;
/// How long one may take to ask, or to read an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Questions answered at a time.
const AT_ONCE: usize = 8;
/// A piece of a backup.
const PIECE: usize = 64 * 1024;

/// The socket, as long as it is listened to.
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ControlSocket {
    /// Listens in this data folder, for its owner only. Whoever calls holds the store's lock, so a socket that is there
    /// is left over.
    ///
    /// # Errors
    /// If there can be no socket.
    pub fn listen(data: &Path, queries: KeeperQueries) -> io::Result<ControlSocket> {
        let path = data.join(NAME);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // The data folder is its owner's only, so nobody comes in between.
        let listener = through_folder(data, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = thread::Builder::new()
            .name("control".to_owned())
            .spawn(move || serve(&listener, &queries, &stopped))?;
        Ok(ControlSocket {
            path,
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        // The listener wakes up by one who comes and says nothing.
        let woken = through_folder(folder, |path| UnixStream::connect(path)).is_ok();
        let _ = fs::remove_file(&self.path);
        if let Some(thread) = self.thread.take()
            && woken
        {
            let _ = thread.join();
        }
    }
}

/// The path of a socket must not be longer than 107 bytes, so it is named through its open folder.
fn through_folder<T>(folder: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let direct = folder.join(NAME);
    if direct.as_os_str().len() < 100 {
        return act(&direct);
    }
    let open = File::open(folder)?;
    act(&PathBuf::from(format!(
        "/proc/self/fd/{}/{NAME}",
        open.as_raw_fd()
    )))
}

fn serve(listener: &UnixListener, queries: &KeeperQueries, stop: &AtomicBool) {
    let busy = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if stop.load(Ordering::Acquire) {
            return;
        }
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                tracing::warn!(%error, "the control socket");
                thread::sleep(Duration::from_millis(100));
                continue;
            }
        };
        if busy.fetch_add(1, Ordering::AcqRel) >= AT_ONCE {
            busy.fetch_sub(1, Ordering::AcqRel);
            let _ = put(
                &mut &stream,
                &Answer::Failed("too many questions at a time; ask again".to_owned()),
            );
            continue;
        }
        let (queries, done) = (queries.clone(), busy.clone());
        let answering = thread::Builder::new()
            .name("answer".to_owned())
            .spawn(move || {
                if let Err(error) = answer(&stream, &queries) {
                    tracing::debug!(%error, "a question was not answered");
                }
                done.fetch_sub(1, Ordering::AcqRel);
            });
        if answering.is_err() {
            busy.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn answer(stream: &UnixStream, queries: &KeeperQueries) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    if line.trim().is_empty() {
        return Ok(());
    }
    let mut out = BufWriter::new(stream);
    match serde_json::from_str::<Question>(&line) {
        Err(error) => put(
            &mut out,
            &Answer::Failed(format!("this daemon does not know that question: {error}")),
        ),
        Ok(Question::Backup) => {
            let mut pieces = BackupPieces {
                out: &mut out,
                text: Vec::new(),
            };
            let written = queries
                .backup(&mut pieces)
                .map_err(|error| error.to_string());
            let last = match written.and_then(|()| pieces.send().map_err(|error| error.to_string()))
            {
                Ok(()) => Answer::End,
                Err(why) => Answer::Failed(why),
            };
            put(&mut out, &last)
        }
        Ok(question) => put(&mut out, &queries.answer(&question)),
    }?;
    out.flush()
}

fn put(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Sends a backup, which is text, in pieces that end with a line.
struct BackupPieces<'a> {
    out: &'a mut dyn Write,
    text: Vec<u8>,
}

impl BackupPieces<'_> {
    fn send(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8(std::mem::take(&mut self.text)).map_err(io::Error::other)?;
        put(self.out, &Answer::Part(text))
    }
}

impl Write for BackupPieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= PIECE
            && let Some(end) = self.text.iter().rposition(|byte| *byte == b'\n')
        {
            let rest = self.text.split_off(end + 1);
            self.send()?;
            self.text = rest;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a daemon of this data folder can be asked.
pub fn is_listened_to(data: &Path) -> bool {
    through_folder(data, |path| UnixStream::connect(path)).is_ok()
}

/// Asks the daemon of this data folder a question. Each piece of the answer goes to `take`, until that breaks off.
///
/// # Errors
/// If there is no daemon that answers.
pub fn ask(
    data: &Path,
    question: &Question,
    mut take: impl FnMut(Answer) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let stream = through_folder(data, |path| UnixStream::connect(path))?;
    stream.set_read_timeout(Some(PATIENCE * 4))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = serde_json::to_vec(question)?;
    line.push(b'\n');
    (&stream).write_all(&line)?;
    for line in BufReader::new(&stream).lines() {
        if take(serde_json::from_str(&line?)?)?.is_break() {
            return Ok(());
        }
    }
    Err(io::Error::new(
        ErrorKind::UnexpectedEof,
        "the daemon ended in the middle of its answer",
    ))
}
