//! `dipjudge demo` as somebody runs it who has nothing but the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::worked_turns;

use dipjudge::judge::ByName;
use dipjudge::mails::outbound::split_next_step;
use dipjudge::markup::escaped;
use dipjudge::store::{Batch, NewArchived, Store};
use jiff::Timestamp;
use mail_parser::MessageParser;
use regex::Regex;

fn demo(arguments: &[&str], temporary: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
    command
        .arg("demo")
        .args(arguments)
        .env("TMPDIR", temporary)
        .current_dir(temporary)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn it_needs_nothing_and_says_where_everything_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = demo(&["--all"], folder.path());
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert_eq!(
        text(&output.stderr),
        "",
        "no bar where nobody looks, and nothing to complain of"
    );
    let made: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [dir] = made.as_slice() else {
        panic!("one folder: {made:?}")
    };
    assert!(
        said.lines()
            .next()
            .unwrap()
            .ends_with(&dir.display().to_string()),
        "{said}"
    );
    assert!(
        said.contains("Austria: Army Budapest -> Rumania.  (*bounce*)"),
        "a report to read"
    );
    assert!(said.contains("Game won:"), "and how it went");
    // Whatever place it names is there.
    let named: Vec<&str> = said
        .split_whitespace()
        .filter(|word| word.starts_with(&dir.display().to_string()))
        .collect();
    assert!(named.len() > 12, "{said}");
    for place in named {
        assert!(Path::new(place).exists(), "{place} is named and not there");
    }
    let mailbox = dir.join("mailboxes/gwen");
    let mails: Vec<String> = fs::read_dir(&mailbox)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        mails
            .iter()
            .any(|name| name.ends_with("USXX kaiser - S1901M Game Starting.eml")),
        "{mails:?}"
    );
    let summary = fs::read_to_string(dir.join("kaiser/summary.txt")).unwrap();
    assert!(summary.starts_with("Summary of game 'kaiser'"), "{summary}");
    let reports = fs::read_to_string(dir.join("kaiser/reports.txt")).unwrap();
    assert_eq!(reports.matches("Subject: USXX:kaiser - ").count(), 25);
    leaf_through(dir);
    records_hold_what_was_mailed(dir);
    what_stays_over_has_a_proof(dir);
    worked_turns::were_told(dir);
    worked_turns::were_played(dir);
    // What it tells to try works.
    let config = dir.join("dipjudge.toml");
    for question in [&["games"][..], &["show", "kaiser"], &["verify"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .arg("--config")
            .arg(&config)
            .args(question)
            .output()
            .unwrap();
        assert!(
            output.status.success() && text(&output.stdout).contains("kaiser"),
            "{question:?}: {}",
            text(&output.stderr)
        );
    }
}

/// Follows every link from the first page on, and looks at what was found: a page for each mail, and nothing from elsewhere.
fn leaf_through(dir: &Path) {
    let mut open = vec![dir.join("index.html")];
    let mut seen = BTreeSet::new();
    while let Some(page) = open.pop() {
        let page = page
            .canonicalize()
            .unwrap_or_else(|_| panic!("{page:?} is not there"));
        if !seen.insert(page.clone()) || page.extension().is_none_or(|end| end != "html") {
            continue;
        }
        let html = fs::read_to_string(&page).unwrap();
        assert!(
            !html.contains("<script") && !html.contains("cid:"),
            "{page:?}"
        );
        for attribute in ["href=\"", "src=\""] {
            for rest in html.split(attribute).skip(1) {
                let to = rest.split('"').next().unwrap();
                // An answer to the judge that the reader's mail program fills in.
                if let Some(answer) = to.strip_prefix("mailto:") {
                    let (address, _) = answer.split_once('?').unwrap();
                    let (local, host) = address.split_once('@').unwrap();
                    // The reply address of a seat: one token, at the judge's host.
                    let token = local.strip_prefix("judge%2B").unwrap_or_default();
                    assert!(
                        token.len() > 8 && token.chars().all(char::is_alphanumeric),
                        "{page:?}: {to}"
                    );
                    assert!(!host.contains(['@', '&', '%']), "{page:?}: {to}");
                    continue;
                }
                assert!(!to.contains(':'), "{page:?} leads to {to}");
                open.push(page.parent().unwrap().join(to));
            }
        }
    }
    let index = fs::read_to_string(dir.join("index.html")).unwrap();
    let mails_of = |game: &str, reader: &str| {
        let folder = dir.join("pages").join(game).join(reader);
        let pages = fs::read_dir(folder).unwrap();
        pages
            .map(|page| page.unwrap().path().canonicalize().unwrap())
            .inspect(|page| assert!(seen.contains(page), "nothing leads to {page:?}"))
            .count()
            // The list and the conversation.
            - 2
    };
    let gwens = mails_of("kaiser", "gwen");
    let link = "<a href=\"pages/kaiser/gwen/index.html\">";
    let line = index.lines().find(|line| line.contains(link)).unwrap();
    assert!(line.contains(&format!("<td>{gwens} mails</td>")), "{line}");
    // The first page begins with a report and its map; a conversation has what a player wrote above what the judge answered.
    let report = index.find("S1901M Results").unwrap();
    assert!(report < index.find("<table>").unwrap(), "{index}");
    let talk = fs::read_to_string(dir.join("pages/kaiser/gwen/conversation.html")).unwrap();
    let asked = talk.matches(", wrote:</p>").count();
    assert!(asked > 20, "{asked} questions");
    // Anna has the deadlines in her calendar.
    let annas = dir.join("pages/kaiser/anna");
    let entries = fs::read_dir(annas).unwrap().filter(|page| {
        let path = page.as_ref().unwrap().path();
        path.extension().is_some_and(|end| end == "ics")
    });
    assert!(entries.count() > 5, "deadlines that move");
    let first = fs::read_to_string(dir.join("pages/kaiser/gwen/001.html")).unwrap();
    assert!(first.contains("<a href=\"002.html\">Later</a>") && !first.contains("Earlier"));
    // Each shows what was mailed to its reader.
    for mail in 1..=gwens {
        let page = dir.join(format!("pages/kaiser/gwen/{mail:03}.html"));
        let page = fs::read_to_string(page).unwrap();
        assert!(page.contains("<p>To gwen@"), "{page}");
    }
}

/// What a mail in somebody's mailbox says, as a page writes it.
fn mailed(dir: &Path, reader: &str) -> Vec<String> {
    let files = fs::read_dir(dir.join("mailboxes").join(reader)).unwrap();
    files
        .map(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            let mail = MessageParser::default().parse(&bytes).unwrap();
            let body = mail.body_text(0).unwrap().replace("\r\n", "\n");
            escaped(body.trim_end())
        })
        .collect()
}

/// `export --html` of a game that is over, and of one of its powers where each sees only his part.
fn records_hold_what_was_mailed(dir: &Path) {
    let record = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .arg("--config")
            .arg(dir.join("dipjudge.toml"))
            .args(["export", "--html"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let bodies = |page: &str| -> Vec<String> {
        let parts = page.split("<pre>").skip(1);
        parts
            .map(|rest| rest.split("</pre>").next().unwrap().to_owned())
            .collect()
    };
    let whole = record(&["kaiser"]);
    assert!(whole.contains("<h2>USXX:kaiser - F1901M Results</h2>"));
    assert!(whole.matches("<script").count() == 1 && !whole.contains("://"));
    // Each map with what it uses of the page's definitions in its place.
    let maps = |page: &str| -> BTreeSet<String> {
        let symbol = |number: &str| {
            let begin = format!("<g id=\"s{number}\">\n");
            let (_, content) = page.split_once(&begin).unwrap();
            let end = content.find("<g id=\"s").or(content.find("</defs></svg>"));
            content[..end.unwrap()].to_owned()
        };
        let parts = page.split("<svg viewBox=").skip(1);
        parts
            .map(|rest| {
                let map = rest.split("</svg>").next().unwrap();
                let mut uses = map.split("href=\"#s");
                let mut whole = uses.next().unwrap().to_owned();
                for used in uses {
                    let (number, rest) = used.split_once('"').unwrap();
                    whole.push_str(&symbol(number));
                    whole.push_str(rest);
                }
                whole
            })
            .collect()
    };
    assert_eq!(
        maps(&whole).len(),
        26,
        "a map with the results of each phase, and a chart"
    );
    // A power's record holds the results that its leader was mailed, and nobody else's.
    let urartu = record(&["dawn", "--as", "Urartu"]);
    let urartus = bodies(&urartu);
    let mailed = mailed(dir, "ines");
    let is_results = |body: &&String| body.contains("Movement results");
    let results: Vec<&String> = urartus.iter().filter(is_results).collect();
    assert!(results.len() > 5, "{}", urartus.len());
    for body in results {
        // What could be done next when it was sent is in no record.
        let holds = |mail: &String| split_next_step(mail).0.trim_end() == body;
        assert!(mailed.iter().any(holds), "{body}");
    }
    // Whoever is shown a page reads names, and addresses nowhere.
    let nameless = |page: &str| {
        let page = page.replace("someone@somewhere", "");
        assert_eq!(page.lines().find(|line| line.contains('@')), None);
    };
    nameless(&whole);
    nameless(&urartu);
    assert!(whole.contains("     England:                  Ben Carter"));
    let dawn = record(&["dawn"]);
    nameless(&dawn);
    assert!(dawn.contains("<h2>USXX:dawn - F1901M Results</h2>"));
    // The maps of the whole show all; those of Urartu, what it saw.
    let (all, some) = (maps(&dawn), maps(&urartu));
    assert!(some.len() > 5 && all.len() > 5);
    assert!(
        all.intersection(&some).count() <= 1,
        "the end is open to all"
    );
    // Records of before names were kept tell the same, by the addresses in the game's log.
    keep_as_before_names_were(dir, "kaiser");
    let both = record(&["kaiser"]);
    nameless(&both);
    let twice: Vec<String> = bodies(&whole)
        .into_iter()
        .flat_map(|body| [body.clone(), body])
        .collect();
    // Lines were broken elsewhere where an address stood in them.
    let words = |bodies: Vec<String>| -> Vec<String> {
        let words = |body: &String| body.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut words: Vec<String> = bodies.iter().map(words).collect();
        words.sort();
        words
    };
    assert_eq!(words(bodies(&both)), words(twice));
    let output = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .arg("--config")
        .arg(dir.join("dipjudge.toml"))
        .args(["export", "--html", "kaiser", "--as", "Nowhere"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("has no power 'Nowhere'"));
}

/// `export --proof` of a game that hid something and is over, and of one that its master may still resume.
fn what_stays_over_has_a_proof(dir: &Path) {
    let program = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .arg("--config")
            .arg(dir.join("dipjudge.toml"))
            .args(arguments)
            .output()
            .unwrap()
    };
    let may_go_on = program(&["export", "--proof", "kaiser"]);
    assert_eq!(may_go_on.status.code(), Some(1));
    let said = text(&may_go_on.stderr);
    assert!(said.contains("'kaiser' may be resumed until"), "{said}");
    let proof = program(&["export", "--proof", "dawn"]);
    assert!(proof.status.success(), "{}", text(&proof.stderr));
    let file = dir.join("dawn.proof");
    fs::write(&file, &proof.stdout).unwrap();
    let verified = program(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
    let said = text(&verified.stdout);
    // The seed's hash stood in the mail with which the game began.
    let hash = said
        .lines()
        .find_map(|line| line.strip_prefix("The seed's SHA-256: "));
    let tells = |mail: &String| mail.contains("Its SHA-256 is") && mail.contains(hash.unwrap());
    assert!(mailed(dir, "ines").iter().any(tells), "{said}");
}

/// Adds each text that is kept of a game to its archive once more, as it was stored before names were kept: with addresses alone.
fn keep_as_before_names_were(dir: &Path, game: &str) {
    let named = Regex::new(r"\p{Lu}\S+\s+\p{Lu}\S+\s+\((\S+@\S+)\)").unwrap();
    let store = Store::open(&dir.join("data")).unwrap();
    let kept = store.archive(game, Timestamp::MIN, Timestamp::MAX).unwrap();
    let before = kept.into_iter().map(|text| NewArchived {
        game: game.to_owned(),
        reader: text.reader,
        at: text.at,
        subject: text.subject,
        body: named.replace_all(&text.body, "$1").into_owned(),
        by_name: ByName::NotKept,
        broadcast: text.broadcast,
    });
    let batch = Batch {
        archive: before.collect(),
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
}

#[test]
fn a_folder_in_use_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("diary.txt"), "mine").unwrap();
    let output = demo(&["."], folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("not empty"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn by_default_one_game_is_told_on_one_screen() {
    let folder = tempfile::tempdir().unwrap();
    let output = demo(&["--variant", "Winter-1900", "judge"], folder.path());
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.lines().count() <= 40, "{said}");
    assert!(
        said.contains("The winter-1900 game 'frost' is played"),
        "{said}"
    );
    let dir = folder.path().join("judge");
    assert!(!dir.join("kaiser").exists());
    // A page shows what a player wrote above what the judge answered.
    let pages = dir.join("pages/frost");
    let mut readers = fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let talks = readers.any(|reader| {
        let first = fs::read_to_string(reader.join("001.html")).unwrap_or_default();
        let (wrote, answers) = (first.find("REGISTER"), first.find("The judge answers:"));
        wrote.is_some() && wrote < answers
    });
    assert!(talks, "{pages:?}");
}

#[test]
fn a_variant_without_a_sample_is_told_with_those_that_have_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = demo(&["--variant", "chess"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("standard") && said.contains("civdip"),
        "{said}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
