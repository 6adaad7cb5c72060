//! The daemon's control socket: it answers the keeper's questions while the store is in use. A question is one line of
//! JSON, an answer one or several.

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
/// The longest question, in bytes.
const MAX_QUESTION: u64 = 1 << 18;
/// How long a client may take to ask, or to read an answer.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Questions answered at a time.
const AT_ONCE: usize = 8;
/// The size of a piece of a backup.
const PIECE_BYTES: usize = 64 * 1024;

/// The socket; it is closed when this is dropped.
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ControlSocket {
    /// Listens in this data folder, for its owner only. The caller holds the lock of the store, so an existing socket is
    /// left over from a crash.
    ///
    /// # Errors
    /// If the socket cannot be made.
    pub fn listen(data: &Path, queries: KeeperQueries) -> io::Result<ControlSocket> {
        let path = data.join(NAME);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Only its owner may enter the data folder, so nobody connects before the permissions are set.
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
        // A connection without a question wakes the listener.
        let woken = through_folder(folder, |path| UnixStream::connect(path)).is_ok();
        let _ = fs::remove_file(&self.path);
        if let Some(thread) = self.thread.take()
            && woken
        {
            let _ = thread.join();
        }
    }
}

/// Calls `act` with a path of the socket. The path of a socket may have 107 bytes at most, so a longer one is named through
/// the open folder.
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
            let _ = write_answer(
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
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut line = String::new();
    BufReader::new(stream.take(MAX_QUESTION)).read_line(&mut line)?;
    if line.trim().is_empty() {
        return Ok(());
    }
    let mut out = BufWriter::new(stream);
    match serde_json::from_str::<Question>(&line) {
        Err(error) => write_answer(
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
            write_answer(&mut out, &last)
        }
        Ok(question) => write_answer(&mut out, &queries.answer(&question)),
    }?;
    out.flush()
}

fn write_answer(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Sends a backup, which is text, in pieces of whole lines.
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
        write_answer(self.out, &Answer::Part(text))
    }
}

impl Write for BackupPieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= PIECE_BYTES
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

/// Whether a daemon listens in this data folder.
pub fn is_listened_to(data: &Path) -> bool {
    through_folder(data, |path| UnixStream::connect(path)).is_ok()
}

/// Asks the daemon of this data folder a question. Each piece of the answer goes to `take`, until that breaks off.
///
/// # Errors
/// If no daemon answers.
pub fn ask(
    data: &Path,
    question: &Question,
    mut take: impl FnMut(Answer) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let stream = through_folder(data, |path| UnixStream::connect(path))?;
    stream.set_read_timeout(Some(TIMEOUT * 4))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
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
