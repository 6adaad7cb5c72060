//! The site of the public games: what is on it, and that it holds no address, no word for signing on, and nothing of a game that
//! hides something while it is going on, or of one without SET LIST.

use std::fs;
use std::path::Path;

/// A judge in a folder, played with by mails.
struct PlayedJudge {
    folder: tempfile::TempDir,
    mails: u32,
    /// The hour in which mails come.
    hour: &'static str,
}

const PLAYERS: [&str; 7] = ["anna", "ben", "cleo", "dirk", "emma", "finn", "gwen"];
/// What nobody but its players and masters may read.
const PASSWORD: &str = "rosebud";

impl PlayedJudge {
    fn new() -> PlayedJudge {
        let judge = PlayedJudge {
            folder: tempfile::tempdir().unwrap(),
            mails: 0,
            hour: "2026-03-02T12",
        };
        judge.run(&["init", "."], "");
        judge
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, arguments: &[&str], input: &str) -> String {
        let done = assert_cmd::Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .current_dir(self.path())
            .args(arguments)
            .write_stdin(input)
            .output()
            .unwrap();
        let told = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success(), "{arguments:?}: {told}");
        String::from_utf8(done.stdout).unwrap()
    }

    fn mail(&mut self, from: &str, text: &str) {
        self.mails += 1;
        let number = self.mails;
        let message = format!(
            "From: {from}@example.org\nTo: judge@example.org\nSubject: mail\n\
             Message-ID: <{number}@example.org>\nDate: Mon, 02 Mar 2026 12:00:00 +0000\n\n{text}\n"
        );
        let at = format!("{}:{:02}:{:02}Z", self.hour, number / 60, number % 60);
        self.run(&["deliver", "--at", &at], &message);
    }

    /// A game of all players that begins at once.
    fn begin(&mut self, name: &str, settings: &str) {
        let create = format!(
            "CREATE ?{name} {PASSWORD}\nBECOME MASTER\nSET MODERATED\nSET NMR\n{settings}\nSET AUTO START"
        );
        self.mail("gm", &create);
        for player in PLAYERS {
            self.mail(player, &format!("SIGNON ?{name} {PASSWORD}"));
        }
    }

    /// The site, as one text of all files with their names.
    fn site(&self) -> Vec<(String, String)> {
        self.run(&["publish", "site"], "");
        let files = fs::read_dir(self.path().join("site")).unwrap();
        let mut files: Vec<(String, String)> = files
            .map(|file| {
                let file = file.unwrap();
                let name = file.file_name().into_string().unwrap();
                (name, fs::read_to_string(file.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

/// The names of the pages of games.
fn pages(site: &[(String, String)]) -> Vec<&str> {
    let names = site.iter().map(|(name, _)| name.as_str());
    names.filter(|name| name.starts_with("game-")).collect()
}

fn assert_holds_nothing(site: &[(String, String)], kept: &[&str]) {
    for (name, text) in site {
        let lower = text.to_lowercase();
        for word in kept.iter().chain(&["@", "example.org", PASSWORD]) {
            // The style sheet has no other use for the sign of addresses.
            assert!(!lower.contains(word), "{word} in {name}");
        }
    }
}

#[test]
fn the_site_holds_public_games_and_hidden_ones_when_they_are_over() {
    let mut judge = PlayedJudge::new();
    for person in PLAYERS.iter().chain(&["gm"]) {
        let name = format!("{}{} Surname", person[..1].to_uppercase(), &person[1..]);
        judge.mail(
            person,
            &format!("REGISTER\nName: {name}\nLevel: Novice\nEND"),
        );
    }
    judge.begin("tokyo", "SET LIST");
    judge.begin("kyoto", "SET LIST\nSET VARIANT BLIND\nSET VARIANT GUNBOAT");
    judge.begin("osaka", "SET NO LIST");
    judge.run(&["tick", "--at", "2026-04-20T12:00:00Z"], "");
    judge.hour = "2026-04-20T13";
    let site = judge.site();
    assert_eq!(pages(&site), ["game-tokyo.html"]);
    assert_holds_nothing(&site, &["kyoto", "osaka"]);
    let (_, page) = site
        .iter()
        .find(|(name, _)| name == "game-tokyo.html")
        .unwrap();
    assert!(
        page.contains("1901M Results") && page.contains("<svg viewBox"),
        "{page}"
    );
    judge.mail("gm", &format!("SIGNON Mkyoto {PASSWORD}\nTERMINATE"));
    judge.mail("gm", &format!("SIGNON Mosaka {PASSWORD}\nTERMINATE"));
    let site = judge.site();
    assert_eq!(pages(&site), ["game-kyoto.html", "game-tokyo.html"]);
    assert_holds_nothing(&site, &["osaka"]);
    // No hour of a game that hid who played.
    let (_, book) = &site
        .iter()
        .find(|(name, _)| name == "game-kyoto.html")
        .unwrap();
    assert!(
        book.contains("<p>2026-") && !book.contains(" UTC</p>"),
        "{book}"
    );
    // A game that is not public any more is gone.
    judge.mail("gm", &format!("SIGNON Mtokyo {PASSWORD}\nSET NO LIST"));
    assert_eq!(pages(&judge.site()), ["game-kyoto.html"]);
}
