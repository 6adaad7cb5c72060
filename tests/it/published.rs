//! The site of the public games: what is on it, and that it holds no address, no word for signing on, and nothing of a game that
//! hides something while it is going on, or of one without SET LIST.

use std::fs;
use std::path::Path;

use super::sources::files_below;

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

    /// The files of the site, with their names.
    fn site(&self) -> Vec<(String, String)> {
        self.run(&["publish", "site"], "");
        self.site_files()
    }

    fn site_files(&self) -> Vec<(String, String)> {
        let folder = self.path().join("site");
        let mut paths = Vec::new();
        files_below(&folder, &mut paths);
        let mut files: Vec<(String, String)> = paths
            .into_iter()
            .map(|path| {
                let name = path.strip_prefix(&folder).unwrap();
                let name = name.to_str().unwrap().to_owned();
                (name, fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

/// The names of the pages of games.
fn pages(site: &[(String, String)]) -> Vec<&str> {
    let names = site.iter().map(|(name, _)| name.as_str());
    names.filter(|name| name.starts_with("games/")).collect()
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
    assert_eq!(pages(&site), ["games/tokyo.html"]);
    assert_holds_nothing(&site, &["kyoto", "osaka"]);
    let (_, page) = site
        .iter()
        .find(|(name, _)| name == "games/tokyo.html")
        .unwrap();
    assert!(
        page.contains("1901M Results") && page.contains("<svg viewBox"),
        "{page}"
    );
    judge.mail("gm", &format!("SIGNON Mkyoto {PASSWORD}\nTERMINATE"));
    judge.mail("gm", &format!("SIGNON Mosaka {PASSWORD}\nTERMINATE"));
    let site = judge.site();
    assert_eq!(pages(&site), ["games/kyoto.html", "games/tokyo.html"]);
    assert_holds_nothing(&site, &["osaka"]);
    // No hour of a game that hid who played.
    let (_, book) = &site
        .iter()
        .find(|(name, _)| name == "games/kyoto.html")
        .unwrap();
    assert!(
        book.contains("<p>2026-") && !book.contains(" UTC</p>"),
        "{book}"
    );
    // A game that is not public any more is gone.
    judge.mail("gm", &format!("SIGNON Mtokyo {PASSWORD}\nSET NO LIST"));
    assert_eq!(pages(&judge.site()), ["games/kyoto.html"]);
}

#[test]
fn the_manual_is_on_the_site_of_a_keeper_who_wants_it() {
    let judge = PlayedJudge::new();
    judge.run(&["publish", "site", "--manual"], "");
    let site = judge.site_files();
    let text_of = |wanted: &str| {
        let found = site.iter().find(|(name, _)| name == wanted);
        &found.unwrap_or_else(|| panic!("no {wanted}")).1
    };
    assert!(text_of("index.html").contains("manual/index.html"));
    assert!(text_of("manual/info.html").contains("How to begin"));
    assert!(text_of("manual/keeper.html").contains("<h2 id=\"1-install\">"));
    assert!(text_of("manual/rules.bridge.html").contains("rules.bridge.svg"));
    // Whoever does not want it any more gets a site without it.
    assert!(
        judge
            .site()
            .iter()
            .all(|(name, _)| !name.starts_with("manual/"))
    );
}
