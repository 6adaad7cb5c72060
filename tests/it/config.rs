//! The config as a keeper writes it: what it gives, and what is said when it cannot be used.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dipjudge::judge::RateLimits;
use dipjudge::shell::config::{
    BackupConfig, COMMENTED, Config, ConfigError, GameCreators, GamesConfig, InboxConfig,
    LimitsConfig, Origin, OutboxConfig, Tls, TrustConfig,
};
use dipjudge::shell::secret::SecretSource;
use proptest::prelude::*;

const JUDGE: &str =
    "[judge]\nname = \"USXX\"\naddress = \"judge@example.org\"\nkeeper = \"keeper@example.org\"\n";

fn environment(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect()
}

fn parse_with(text: &str, pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::parse(
        text,
        Path::new("/etc/dipjudge/dipjudge.toml"),
        environment(pairs),
    )
}

/// With a good `[judge]` before it.
fn parse(rest: &str) -> Result<Config, ConfigError> {
    parse_with(&format!("{JUDGE}{rest}"), &[])
}

/// The one fault of a config, with its place.
fn fault(rest: &str) -> String {
    fault_of(parse(rest))
}

fn fault_of(config: Result<Config, ConfigError>) -> String {
    match config {
        Err(ConfigError::Faulty { faults, .. }) if faults.len() == 1 => faults[0].to_string(),
        other => panic!("not one fault: {other:#?}"),
    }
}

#[test]
fn the_shortest_config_is_who_the_judge_is() {
    let config = parse("").unwrap();
    assert_eq!(config.judge.name, "USXX");
    assert_eq!(config.judge.data, Path::new("/etc/dipjudge/data"));
    assert_eq!(config.judge.timezone.iana_name(), Some("UTC"));
    assert_eq!(
        config.inbox,
        InboxConfig::Maildir {
            path: "/etc/dipjudge/mail/in".into()
        }
    );
    assert_eq!(
        config.outbox,
        OutboxConfig::Maildir {
            path: "/etc/dipjudge/mail/out".into()
        }
    );
    assert_eq!(config.trust, TrustConfig::default());
    assert_eq!(config.games, GamesConfig::default());
    assert_eq!(
        config.limits,
        LimitsConfig {
            bytes: 1_048_576,
            rates: RateLimits {
                replies_per_hour: 20,
                replies_per_day: 100,
                empty_replies_per_day: 10,
                reply_bytes: 100_000,
                reply_bytes_per_hour: 1_000_000,
                unproven_reply_bytes: 2_000,
                unproven_reply_times: 5,
                order_maps_per_minute: 300,
                mails_per_hour: 30,
                wrong_passwords_per_sender: 10,
                wrong_passwords_per_seat: 10,
                press_per_hour: 60,
                press_bytes_per_hour: 200_000,
                observer_press_per_hour: 60,
                tries_per_hour: 30,
                creates_per_day: 5,
            },
        }
    );
    assert_eq!(
        config.backup,
        Some(BackupConfig {
            path: "/etc/dipjudge/backup".into(),
            keep: 14,
            copy_to: None,
        })
    );
    assert_eq!((config.metrics, config.notes), (None, Vec::new()));
}

#[test]
fn the_commented_config_says_what_the_defaults_are() {
    assert_eq!(parse_with(COMMENTED, &[]).unwrap(), parse("").unwrap());
}

/// The settings that the commented config shows switched off, in this section.
fn switched_off(section: &str) -> Vec<&'static str> {
    let start = COMMENTED.find(&format!("\n[{section}]\n")).unwrap();
    let rest = &COMMENTED[start + 1..];
    let end = rest.find("\n[").unwrap_or(rest.len());
    rest[..end]
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

#[test]
fn what_the_commented_config_shows_switched_off_is_the_default_too() {
    for section in ["games", "limits", "backup"] {
        let mut shown = switched_off(section);
        assert!(!shown.is_empty(), "{section}");
        // An example for the other value of create.
        shown.retain(|line| !line.starts_with("creators"));
        // An example of a place that each keeper has elsewhere.
        shown.retain(|line| !line.starts_with("copy_to"));
        let config = parse(&format!("[{section}]\n{}", shown.join("\n"))).unwrap();
        assert_eq!(config, parse("").unwrap(), "{section}");
    }
    let one_login = |line: &&str| !line.starts_with("password_c") && !line.starts_with("oauth2");
    for (section, kind) in [("inbox", "imap"), ("outbox", "smtp")] {
        let shown: Vec<_> = switched_off(section)
            .into_iter()
            .filter(one_login)
            .collect();
        let all = parse(&format!(
            "[{section}]\nkind = {kind:?}\n{}",
            shown.join("\n")
        ))
        .unwrap();
        let needed = shown.iter().filter(|line| {
            ["host", "user", "password"]
                .iter()
                .any(|key| line.starts_with(key))
        });
        let needed: Vec<_> = needed.copied().collect();
        let least = parse(&format!(
            "[{section}]\nkind = {kind:?}\n{}",
            needed.join("\n")
        ))
        .unwrap();
        assert_eq!(all, least, "{section}");
    }
}

#[test]
fn servers_are_read_with_their_usual_ports() {
    let text = "[inbox]\nkind = \"imap\"\nhost = \"imap.example.org\"\nuser = \"judge\"\n\
        password_file = \"secret/in\"\npoll_seconds = 5\ndone = \"Done\"\n\
        [outbox]\nkind = \"smtp\"\nhost = \"smtp.example.org\"\ntls = \"starttls\"\n\
        [trust]\nauthserv_id = \"mx.example.org\"\nca_file = \"/srv/ca.pem\"\n";
    let config = parse(text).unwrap();
    let InboxConfig::Imap(imap) = config.inbox else {
        panic!("not IMAP")
    };
    assert_eq!((imap.server.port, imap.server.tls), (993, Tls::Implicit));
    assert_eq!(imap.login.user, "judge");
    assert_eq!(
        imap.login.secret,
        SecretSource::PasswordFile("/etc/dipjudge/secret/in".into())
    );
    assert_eq!(imap.poll, Duration::from_secs(5));
    assert_eq!(
        (imap.mailbox.as_str(), imap.done.as_str()),
        ("INBOX", "Done")
    );
    let OutboxConfig::Smtp(smtp) = config.outbox else {
        panic!("not SMTP")
    };
    assert_eq!((smtp.server.port, smtp.server.tls), (587, Tls::StartTls));
    assert_eq!((smtp.login, smtp.rate_per_minute), (None, 120));
    assert_eq!(
        (smtp.mails_per_connection, smtp.pictures_mb_per_hour),
        (10, None)
    );
    assert_eq!(config.trust.authserv_id.as_deref(), Some("mx.example.org"));
    assert_eq!(
        config.trust.ca_file.as_deref(),
        Some(Path::new("/srv/ca.pem"))
    );
}

#[test]
fn a_command_for_a_password_is_taken_and_its_arguments_are_never_shown() {
    let text = "[outbox]\nkind = \"smtp\"\nhost = \"smtp.example.org\"\nuser = \"judge\"\n\
        password_command = [\"pass\", \"hush\"]\n";
    let config = parse(text).unwrap();
    assert!(!format!("{config:?}").contains("hush"));
    let OutboxConfig::Smtp(smtp) = config.outbox else {
        panic!("not SMTP")
    };
    let words = vec!["pass".to_owned(), "hush".to_owned()];
    assert_eq!(
        smtp.login.unwrap().secret,
        SecretSource::PasswordCommand(words)
    );
}

#[test]
fn the_environment_counts_over_the_file() {
    let pairs = [
        ("DIPJUDGE_JUDGE__NAME", "EUXX"),
        ("DIPJUDGE_INBOX__KIND", "imap"),
        ("DIPJUDGE_INBOX__HOST", "localhost"),
        ("DIPJUDGE_INBOX__TLS", "none"),
        ("DIPJUDGE_INBOX__PORT", "1143"),
        ("DIPJUDGE_INBOX__USER", "judge"),
        ("DIPJUDGE_INBOX__OAUTH2_COMMAND", "[\"token\", \"judge\"]"),
        ("DIPJUDGE_GAMES__AUTO_MASTER", "true"),
        ("DIPJUDGE_GAMES__DEDICATION_TO_CREATE", "-50"),
        ("DIPJUDGE_BACKUP__KEEP", "0"),
        ("DIPJUDGE_LOG", "debug"),
        ("PATH", "/bin"),
    ];
    let config = parse_with(COMMENTED, &pairs).unwrap();
    assert_eq!(config.judge.name, "EUXX");
    let InboxConfig::Imap(imap) = config.inbox else {
        panic!("not IMAP")
    };
    assert_eq!((imap.server.port, imap.server.tls), (1143, Tls::None));
    let words = vec!["token".to_owned(), "judge".to_owned()];
    assert_eq!(imap.login.secret, SecretSource::OAuth2Command(words));
    assert!(config.games.auto_master);
    assert_eq!(
        (config.games.dedication_to_create, config.backup),
        (-50, None)
    );
    assert_eq!(
        config.notes.len(),
        1,
        "the path of the Maildir in the file: {:?}",
        config.notes
    );
    assert!(config.notes[0].contains("path of [inbox]"));
}

#[test]
fn an_empty_variable_takes_a_key_away() {
    let text = format!("{JUDGE}[trust]\nauthserv_id = \"mx.example.org\"\n");
    let config = parse_with(&text, &[("DIPJUDGE_TRUST__AUTHSERV_ID", "")]).unwrap();
    assert_eq!(config.trust, TrustConfig::default());
}

#[test]
fn a_key_that_is_not_known_is_answered_with_the_nearest_one() {
    assert_eq!(
        fault("[inbox]\npathh = \"x\"\n"),
        "line 6: [inbox] has no key \"pathh\"; the nearest one is \"path\""
    );
    assert_eq!(
        fault("[limits]\nreplies_an_hour = 3\n"),
        "line 6: [limits] has no key \"replies_an_hour\"; the nearest one is \"replies_per_hour\""
    );
    assert_eq!(
        fault("[inbocks]\n"),
        "line 5: there is no section [inbocks]; the nearest one is [inbox]"
    );
    assert_eq!(
        fault("[games]\nauthserv_id = \"x\"\n"),
        "line 6: [games] has no key \"authserv_id\"; it belongs to [trust]"
    );
    assert_eq!(
        fault_of(parse_with(&format!("keep = 3\n{JUDGE}"), &[])),
        "line 1: \"keep\" stands outside its section [backup]"
    );
    assert_eq!(
        fault_of(parse_with(JUDGE, &[("DIPJUDGE_INBOX__HOTS", "x")])),
        "DIPJUDGE_INBOX__HOTS: [inbox] has no key \"hots\"; the nearest one is \"host\""
    );
    assert_eq!(
        fault_of(parse_with(JUDGE, &[("DIPJUDGE_INBOX_HOST", "x")])),
        "DIPJUDGE_INBOX_HOST: two underscores part section and key: DIPJUDGE_INBOX__HOST"
    );
}

#[test]
fn a_password_in_the_config_is_refused_and_not_repeated() {
    let said = fault("[inbox]\npassword = \"hush\"\n");
    assert!(
        said.contains("never stands in the config") && !said.contains("hush"),
        "{said}"
    );
    let said = fault_of(parse_with(JUDGE, &[("DIPJUDGE_OUTBOX__PASSWORD", "hush")]));
    assert!(
        said.contains("password_file") && !said.contains("hush"),
        "{said}"
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_answered_with_the_right_one() {
    let cases = [
        (
            "[inbox]\nport = \"993\"\n",
            "port of [inbox] must be a whole number from 1 to 65535",
        ),
        (
            "[inbox]\nport = 70000\n",
            "port of [inbox] must be a whole number from 1 to 65535",
        ),
        (
            "[games]\nauto_master = 1\n",
            "auto_master of [games] must be true or false",
        ),
        (
            "[games]\ncreate = \"registred\"\n",
            "create of [games] must be \"registered\" or \"allowed\"; the nearest to \"registred\" is \"registered\"",
        ),
        (
            "[inbox]\npath = \"\"\n",
            "path of [inbox] must not be empty",
        ),
        (
            "[inbox]\npath = 3\n",
            "path of [inbox] must be the name of a file or folder in quotes",
        ),
        (
            "[inbox]\npassword_command = \"pass judge\"\n",
            "password_command of [inbox] must be a program and its arguments, such as [\"pass\", \"judge\"]",
        ),
        (
            "[inbox]\npassword_command = []\n",
            "password_command of [inbox] must be a program and its arguments, such as [\"pass\", \"judge\"]",
        ),
    ];
    for (rest, what) in cases {
        assert_eq!(fault(rest), format!("line 6: {what}"));
    }
    let said = fault_of(parse_with(JUDGE, &[("DIPJUDGE_LIMITS__BYTES", "1 MiB")]));
    assert!(
        said.starts_with("DIPJUDGE_LIMITS__BYTES: bytes of [limits] must be"),
        "{said}"
    );
    let said = fault("[backup]\nkeep = \n");
    assert!(said.starts_with("line 6: this is not TOML: "), "{said}");
}

#[test]
fn what_does_not_fit_together_is_said() {
    let imap = "[inbox]\nkind = \"imap\"\nhost = \"imap.example.org\"\n";
    let cases = [
        (
            "[games]\ncreate = \"allowed\"\n".to_owned(),
            "line 6: [games] lets those create games who are allowed to, but creators names nobody",
        ),
        (
            "[games]\ncreators = \"anna@example.org\"\n".to_owned(),
            "line 6: creators of [games] has a meaning only with create = \"allowed\"",
        ),
        (
            "[games]\ncreate = \"allowed\"\ncreators = \"anna@example.org, ben\"\n".to_owned(),
            "line 7: creators of [games]: \"ben\" is no address",
        ),
        (
            imap.to_owned(),
            "[inbox] lacks user and password_file: IMAP needs a login",
        ),
        (
            format!("{imap}user = \"judge\"\n"),
            "line 8: [inbox] has a user but none of password_file, password_command, oauth2_command and oauth2_token_file",
        ),
        (
            format!("{imap}password_file = \"p\"\n"),
            "line 8: [inbox] has a password but no user",
        ),
        (
            format!("{imap}user = \"judge\"\npassword_file = \"p\"\noauth2_command = [\"t\"]\n"),
            "line 10: [inbox] names several of password_file, password_command, oauth2_command and oauth2_token_file: one is enough",
        ),
        (
            format!("{imap}user = \"judge\"\npassword_file = \"p\"\ndone = \"INBOX\"\n"),
            "done and rejected of [inbox] must not be the mailbox in which mail arrives",
        ),
        (
            "[outbox]\nkind = \"smtp\"\n".to_owned(),
            "[outbox] lacks host, such as host = \"smtp.example.org\"",
        ),
        (
            "[outbox]\nkind = \"smtp\"\nhost = \"mx.example.org\"\ntls = \"none\"\n".to_owned(),
            "line 7: tls = \"none\" of [outbox] is allowed only for a server on this machine, not for \"mx.example.org\"",
        ),
    ];
    for (rest, what) in cases {
        assert_eq!(fault(&rest), what);
    }
    let here = "[outbox]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\ntls = \"none\"\n";
    assert!(parse(here).is_ok());
}

#[test]
fn the_judge_must_have_a_name_and_addresses_that_can_be_used() {
    let with = |from: &str, to: &str| fault_of(parse_with(&JUDGE.replace(from, to), &[]));
    assert_eq!(
        with("name = \"USXX\"\n", ""),
        "[judge] lacks name, such as name = \"USXX\""
    );
    let name = "line 2: name of [judge] may have letters, digits and hyphens, 20 at most";
    assert_eq!(with("USXX", "US XX"), name);
    assert_eq!(with("USXX", "USXXUSXXUSXXUSXXUSXXUSXX"), name);
    assert_eq!(
        with("keeper@example.org", "keeper"),
        "line 4: keeper of [judge] must be an address such as keeper@example.org"
    );
    assert_eq!(
        with("judge@", "judge+x@"),
        "line 3: address of [judge] must be without a plus: the judge adds its own for replies"
    );
    assert_eq!(
        with("judge@", "Keeper@"),
        "line 3: the judge needs an address of its own, not its keeper's"
    );
    assert_eq!(
        fault_of(parse_with(
            JUDGE,
            &[("DIPJUDGE_JUDGE__TIMEZONE", "Europe/Berlijn")]
        )),
        "DIPJUDGE_JUDGE__TIMEZONE: there is no time zone \"Europe/Berlijn\"; the nearest one is \"Europe/Berlin\""
    );
    let config = parse_with(JUDGE, &[("DIPJUDGE_JUDGE__TIMEZONE", "Asia/Tokyo")]).unwrap();
    assert_eq!(config.judge.timezone.iana_name(), Some("Asia/Tokyo"));
}

#[test]
fn all_faults_are_said_at_once() {
    let error = parse_with("[judge]\nnam = \"USXX\"\n[inbox]\nport = 0\n", &[]).unwrap_err();
    let ConfigError::Faulty { faults, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(faults.len(), 5, "{error}");
    assert_eq!(faults[0].origin, Some(Origin::Line(2)));
    let said = error.to_string();
    assert!(
        said.starts_with("the config \"/etc/dipjudge/dipjudge.toml\" cannot be used:\n  line 2")
    );
}

#[test]
fn a_named_file_is_read_with_its_folder_as_base_and_must_be_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("my.toml");
    let error = Config::load(Some(&path), environment(&[])).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
    fs::write(
        &path,
        format!("{JUDGE}data = \"store\"\n[games]\ncreate = \"allowed\"\ncreators = \"Anna@example.org\"\n"),
    )
    .unwrap();
    let config = Config::load(Some(&path), environment(&[])).unwrap();
    assert_eq!(config.judge.data, dir.path().join("store"));
    let creators = ["anna@example.org".to_owned()].into();
    assert_eq!(config.games.create, GameCreators::Allowed(creators));
    assert_eq!(config.file, Some(path));
}

#[test]
fn without_a_file_the_environment_is_enough_and_nothing_at_all_is_said_so() {
    // The folder in which tests run holds no config, and machines that build hold none in /etc.
    let error = Config::load(None, environment(&[("PATH", "/bin")])).unwrap_err();
    assert!(matches!(error, ConfigError::NotFound { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("neither ./dipjudge.toml nor /etc/dipjudge/dipjudge.toml")
    );
    let pairs = environment(&[
        ("DIPJUDGE_JUDGE__NAME", "USXX"),
        ("DIPJUDGE_JUDGE__ADDRESS", "judge@example.org"),
        ("DIPJUDGE_JUDGE__KEEPER", "keeper@example.org"),
        ("DIPJUDGE_JUDGE__DATA", "/var/lib/dipjudge"),
    ]);
    let config = Config::load(None, pairs).unwrap();
    assert_eq!(
        (config.file, config.judge.data),
        (None, PathBuf::from("/var/lib/dipjudge"))
    );
    assert_eq!(
        config.inbox,
        InboxConfig::Maildir {
            path: "mail/in".into()
        }
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_brings_the_reader_down(text in "\\PC*", junk in prop::collection::vec(
        prop::sample::select(vec!["[", "]", "judge", "inbox", "\n", " = ", "\"", "port", "1", "{", "}", ".", "é", "#"]),
        0..40,
    )) {
        let _ = parse_with(&text, &[("DIPJUDGE_INBOX__PASSWORD_COMMAND", &text)]);
        let junk = junk.concat();
        if let Err(error) = parse_with(&junk, &[("DIPJUDGE_INBOX__PORT", &junk)]) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
