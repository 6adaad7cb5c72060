//! Signed mails, with keys that no name server is asked for.

use jiff::{SignedDuration, Timestamp};
use mail_auth::arc::ArcSealer;
use mail_auth::common::crypto::Ed25519Key;
use mail_auth::common::headers::HeaderWriter;
use mail_auth::dkim::DkimSigner;
use mail_auth::hickory_resolver::config::{ResolverConfig, ResolverOpts};
use mail_auth::{AuthenticatedMessage, AuthenticationResults, MessageAuthenticator, Parameters};
use mail_parser::decoders::base64::base64_decode;

use super::*;

/// The key pair of RFC 8463 A.2.
const PRIVATE: &str = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=";
const PUBLIC: &str = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
const MAIL: &str = "\
From: Anna <anna@example.org>\r\n\
To: judge@example.net\r\n\
Date: Mon, 30 Nov 2026 10:30:00 +0000\r\n\
Subject: orders\r\n\
\r\n\
SIGNON Akaiser apw\r\n";
const ALL: [&str; 4] = ["From", "To", "Date", "Subject"];

fn arrived() -> Timestamp {
    "2026-11-30T10:31:00Z".parse().unwrap()
}

fn key() -> Ed25519Key {
    let read = |text: &str| base64_decode(text.as_bytes()).unwrap();
    Ed25519Key::from_seed_and_public_key(&read(PRIVATE), &read(PUBLIC)).unwrap()
}

fn checker(sealers: &[&str]) -> SignatureChecker {
    let keys = KeyCache::default();
    for domain in [
        "example.org",
        "evil.example",
        "sub.example.org",
        "lists.example",
    ] {
        let record = format!("v=DKIM1; k=ed25519; p={PUBLIC}");
        keys.put("s", domain, &record).unwrap();
    }
    SignatureChecker {
        judge: Address::parse("judge@example.net").unwrap(),
        sealers: sealers.iter().map(|domain| (*domain).to_owned()).collect(),
        keys,
        // It has nobody to ask.
        resolver: MessageAuthenticator::new(
            ResolverConfig::from_parts(None, Vec::new(), Vec::new()),
            ResolverOpts::default(),
        )
        .unwrap(),
    }
}

fn checks() -> SignatureChecks {
    SignatureChecks::by(checker(&[])).unwrap()
}

fn signer(domain: &str, covered: &[&str]) -> DkimSigner<Ed25519Key, mail_auth::dkim::Done> {
    let signer = DkimSigner::from_key(key()).domain(domain).selector("s");
    signer.headers(covered.iter().map(|name| (*name).to_owned()))
}

fn signed_by(domain: &str, covered: &[&str], mail: &str) -> String {
    let signature = signer(domain, covered).sign(mail.as_bytes()).unwrap();
    format!("{}{mail}", signature.to_header())
}

fn proves(mail: &str) -> bool {
    checks().proving(mail.as_bytes(), arrived()).is_some()
}

#[test]
fn a_signature_of_the_senders_domain_proves_him() {
    assert!(proves(&signed_by("example.org", &ALL, MAIL)));
    let deeper = MAIL.replace("anna@example.org", "anna@mail.example.org");
    assert!(proves(&signed_by("example.org", &ALL, &deeper)));
    let token = MAIL.replace("judge@", "friend@example.com, Judge <judge+abc@");
    let token = token.replace("example.net\r\nDate", "example.net>\r\nDate");
    assert!(proves(&signed_by("example.org", &ALL, &token)));
    // Line ends as a Maildir keeps them, and the line that a pipe puts first.
    let piped = format!(
        "From anna Mon Nov 30 10:30:00 2026\n{}",
        signed_by("example.org", &ALL, MAIL).replace("\r\n", "\n")
    );
    assert!(proves(&piped));
    let over = ["From", "From", "To", "Date", "Subject", "Subject"];
    assert!(proves(&signed_by("example.org", &over, MAIL)));
}

#[test]
fn what_is_signed_otherwise_proves_nothing() {
    let signed = signed_by("example.org", &ALL, MAIL);
    assert!(!proves(MAIL));
    assert!(!proves(&signed.replace("apw", "epw")), "another text");
    assert!(
        !proves(&signed.replace("orders", "order")),
        "another subject"
    );
    for domain in ["evil.example", "sub.example.org", "unknown.example"] {
        assert!(!proves(&signed_by(domain, &ALL, MAIL)), "{domain}");
    }
    for left_out in ALL {
        let covered: Vec<&str> = ALL.into_iter().filter(|name| *name != left_out).collect();
        let signed = signed_by("example.org", &covered, MAIL);
        assert!(!proves(&signed), "{left_out} is not signed");
    }
    let length = signer("example.org", &ALL).body_length(true);
    let length = length.sign(MAIL.as_bytes()).unwrap();
    assert!(!proves(&format!("{}{MAIL}", length.to_header())), "l=");
    let expired = signer("example.org", &ALL).expiration(1);
    let mut expired = expired.sign(MAIL.as_bytes()).unwrap();
    assert!(expired.x > expired.t);
    (expired.t, expired.x) = (1_000, 1_001);
    assert!(!proves(&format!("{}{MAIL}", expired.to_header())), "x=");
}

#[test]
fn a_signed_mail_to_somebody_else_cannot_be_sent_on() {
    for (from, to) in [
        ("judge@example.net", "ally@example.com"),
        (
            "To: judge@example.net",
            "To: ally@example.com\r\nCc: judge@example.net",
        ),
        ("judge@example.net", "other@example.net"),
        ("judge@example.net", "judge@example.net.evil.example"),
    ] {
        let mail = MAIL.replace(from, to);
        assert!(!proves(&signed_by("example.org", &ALL, &mail)), "{to}");
    }
    // A second field that is not signed stands above the signed one.
    let to_ally = MAIL.replace("judge@example.net", "ally@example.com");
    let signed = signed_by("example.org", &ALL, &to_ally);
    assert!(!proves(&format!("To: judge@example.net\r\n{signed}")));
}

#[test]
fn an_old_mail_proves_nothing() {
    let signed = signed_by("example.org", &ALL, MAIL);
    let at = |hours| {
        let later = arrived() + SignedDuration::from_hours(hours);
        checks().proving(signed.as_bytes(), later).is_some()
    };
    assert!(at(0) && at(13 * 24));
    assert!(!at(15 * 24) && !at(-2));
}

#[test]
fn the_same_signature_has_the_same_key() {
    let checks = checks();
    let once = signed_by("example.org", &ALL, MAIL);
    let key_of = |mail: &str| checks.proving(mail.as_bytes(), arrived()).unwrap().key;
    let again = format!("Received: by mx.example.net\r\nX-Other: 1\r\n{once}");
    assert_eq!(key_of(&once), key_of(&again));
    let other = MAIL.replace("apw", "epw");
    assert_ne!(
        key_of(&once),
        key_of(&signed_by("example.org", &ALL, &other))
    );
}

#[test]
fn a_chain_counts_where_all_its_sealers_are_named() {
    let checker = checker(&["lists.example"]);
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.unwrap();
    let sealed = |from: &str, covered: &[&str]| {
        let mail = signed_by("example.org", &ALL, &MAIL.replace("anna@example.org", from));
        let read = AuthenticatedMessage::parse(mail.as_bytes()).unwrap();
        let parameters = || Parameters::new(&read).with_txt_cache(&checker.keys);
        let dkim = runtime.block_on(checker.resolver.verify_dkim(parameters()));
        let before = runtime.block_on(checker.resolver.verify_arc(parameters()));
        let results = AuthenticationResults::new("mx.lists.example").with_dkim_results(&dkim, from);
        let sealer = ArcSealer::from_key(key())
            .domain("lists.example")
            .selector("s");
        let sealer = sealer.headers(covered.iter().map(|name| (*name).to_owned()));
        let set = sealer.seal(&read, &results, &before).unwrap();
        // A list has changed the text behind the signature of the sender's domain, which it takes away.
        let (_, plain) = mail.split_once("From:").unwrap();
        format!("{}From:{plain}", set.to_header())
    };
    let proven = |checker: &SignatureChecker, mail: &str| {
        let check = checker.proving(mail.as_bytes(), arrived());
        runtime.block_on(check).is_some()
    };
    let good = sealed("anna@example.org", &ALL);
    assert!(proven(&checker, &good), "{good}");
    assert!(!proven(&self::checker(&[]), &good), "nobody is named");
    assert!(!proven(&self::checker(&["other.example"]), &good));
    assert!(!proven(&checker, &good.replace("apw", "epw")));
    assert!(
        !proven(&checker, &sealed("anna@other.example", &ALL)),
        "it saw no proof"
    );
    assert!(!proven(
        &checker,
        &sealed("anna@example.org", &["From", "To"])
    ));
}

#[test]
fn nonsense_in_fields_of_signatures_ends() {
    let checks = checks();
    for field in [
        "DKIM-Signature: ",
        "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s; h=From:To:Date:Subject; bh=; b=",
        "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=example.org; s=s; h=from:to:date:subject; l=0; bh=AAAA; b=AAAA",
        "ARC-Seal: i=1; a=ed25519-sha256; cv=none; d=lists.example; s=s; b=AAAA",
        "dkim-signature: v=1; b=\u{fffd}; h=:::::; d=.; s=",
    ] {
        let mail = format!("{}\r\n{MAIL}", [field; 50].join("\r\n"));
        assert_eq!(checks.proving(mail.as_bytes(), arrived()), None, "{field}");
    }
}
