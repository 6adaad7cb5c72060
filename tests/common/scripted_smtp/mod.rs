//! An SMTP server that does what a script says.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a scripted server does with a command.
pub(crate) enum Response {
    /// Answers as a good server would.
    AsUsual,
    /// Says this.
    Says(&'static str),
    /// Says this line.
    Answers(String),
    /// Says nothing more, with the connection open.
    Sleeps,
    /// Closes the connection.
    Closes,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
    /// The texts that it has read, in the order in which they were complete.
    pub(crate) texts: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// The script is told the number of the connection, from 1, and the command. `GREETING` is none, but asked for, too, and so
    /// is `TEXT`, with the text in the lines below it.
    pub(crate) fn start(
        script: impl Fn(usize, &str) -> Response + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            port: listener.local_addr().unwrap().port(),
            connections: Arc::default(),
            texts: Arc::default(),
        };
        let (connections, texts) = (Arc::clone(&server.connections), Arc::clone(&server.texts));
        let script = Arc::new(script);
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let number = connections.fetch_add(1, Ordering::SeqCst) + 1;
                let (script, texts) = (Arc::clone(&script), Arc::clone(&texts));
                std::thread::spawn(move || {
                    serve(socket, |command| script(number, command), &texts)
                });
            }
        });
        server
    }

    /// So many connections were made.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The texts that it has read so far.
    pub(crate) fn read(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }
}

fn serve(mut socket: TcpStream, script: impl Fn(&str) -> Response, texts: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(socket.try_clone().unwrap()).lines();
    let mut command = "GREETING".to_owned();
    loop {
        let usual = match command.split([' ', ':', '\n']).next().unwrap_or_default() {
            "GREETING" => "220 scripted\r\n",
            "EHLO" => "250-scripted\r\n250 8BITMIME\r\n",
            "DATA" => "354 go on\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "250 2.0.0 ok\r\n",
        };
        let (reply, over) = match script(&command) {
            Response::AsUsual => (usual.to_owned(), command == "QUIT"),
            Response::Says(reply) => (reply.to_owned(), false),
            Response::Answers(line) => (format!("{line}\r\n"), false),
            Response::Sleeps => {
                std::thread::sleep(Duration::from_secs(30));
                return;
            }
            Response::Closes => return,
        };
        if socket.write_all(reply.as_bytes()).is_err() || over {
            return;
        }
        command = if reply.starts_with("354") {
            let text: Vec<String> = lines
                .by_ref()
                .map_while(Result::ok)
                .take_while(|line| line != ".")
                .collect();
            let text = text.join("\n");
            texts.lock().unwrap().push(text.clone());
            format!("TEXT\n{text}")
        } else {
            let Some(Ok(line)) = lines.next() else { return };
            line
        };
    }
}
