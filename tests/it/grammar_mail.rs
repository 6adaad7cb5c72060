//! Whole mails: what is a command, what is press, what is an order.

use dipjudge::commands::form::About;
use dipjudge::commands::mail_reader::{
    Block, BodyLine, Ended, Item, ItemKind, MailReader, OwnTexts, Reading, SignOnBy, TextEnd,
    read_mail,
};

fn body(mail: &str) -> Vec<BodyLine<'_>> {
    (1..)
        .zip(mail.lines())
        .map(|(number, text)| BodyLine {
            number,
            text,
            original: text,
            quoted: text.starts_with('>'),
        })
        .collect()
}

fn read(mail: &str) -> Reading {
    read_mail(&body(mail), SignOnBy::Line)
}

/// What a mail is read as, one short line for each item.
fn items(mail: &str) -> Vec<String> {
    read(mail)
        .items
        .iter()
        .map(|Item { line, text, kind }| {
            let kind = match kind {
                ItemKind::Command(_) => "command",
                ItemKind::Order => "order",
                ItemKind::Invalid { .. } => "invalid",
                ItemKind::SecondSignOn(_) => "second sign-on",
                ItemKind::Form(_) => "form",
                ItemKind::Block(block) | ItemKind::OwnText(block) => {
                    return format!("{line} {text}: {}", block.text().replace('\n', "|"));
                }
            };
            format!("{line} {kind}: {text}")
        })
        .collect()
}

fn block(mail: &str) -> Block {
    let found = read(mail)
        .items
        .into_iter()
        .find_map(|item| match item.kind {
            ItemKind::Block(block) => Some(block),
            _ => None,
        });
    found.expect("a text")
}

#[test]
fn a_registration_ends_with_end_and_the_mail_with_signoff() {
    let reading = read(
        "REGISTER\nName: Zoe Example\nEmail: zoe@ex.org\nPhone: 123\nLevel: Novice\nSite:\nEND\nSIGNOFF\nYours, Zoe",
    );
    assert_eq!(reading.ended, Ended::SignOff);
    let [
        Item {
            line: 1,
            kind: ItemKind::Form(form),
            ..
        },
    ] = reading.items.as_slice()
    else {
        panic!("{:?}", reading.items);
    };
    assert!(form.closed && form.unread.is_empty());
    assert_eq!(form.get(&About::Name), Some("Zoe Example"));
    assert_eq!(form.get(&About::Email), Some("zoe@ex.org"));
    assert_eq!(form.get(&About::Level), Some("Novice"));
    assert_eq!(form.get(&About::Site), None);
    assert_eq!(form.fields[2].about, About::NotKept("Phone".into()));
}

#[test]
fn a_form_without_end_ends_where_the_sender_signs_on() {
    let reading = read("REGISTER\nName: Zoe\nSIGNON ?kaiser zpw\nSET PREF T");
    let [form, sign_on, set] = reading.items.as_slice() else {
        panic!("{:?}", reading.items)
    };
    assert!(matches!(&form.kind, ItemKind::Form(form) if !form.closed));
    assert!(matches!(&sign_on.kind, ItemKind::Command(line) if line.rule == "sign-on"));
    assert!(matches!(&set.kind, ItemKind::Command(line) if line.rule == "set"));
}

#[test]
fn lines_before_the_sign_on_are_ignored() {
    assert_eq!(
        items("Hello everybody,\nA Vie-Gal\nSET WAIT\n\nSIGNON Akaiser apw\nA Vie-Gal\n  SET WAIT"),
        [
            "5 command: SIGNON Akaiser apw",
            "6 order: A Vie-Gal",
            "7 command: SET WAIT"
        ]
    );
    let reading = read("Hello everybody\nA Vie-Gal");
    assert!(reading.items.is_empty());
    assert_eq!(reading.first_line.as_deref(), Some("Hello everybody"));
}

#[test]
fn creating_and_observing_sign_on_too() {
    assert_eq!(
        items("create ?kaiser mpw\nbecome master\nset list\nSET COMMENT For patient people"),
        [
            "1 command: create ?kaiser mpw",
            "2 command: become master",
            "3 command: set list",
            "4 command: SET COMMENT For patient people",
        ]
    );
    assert_eq!(items("observe kaiser opw\nSET DRAW").len(), 2);
}

#[test]
fn nothing_below_signoff_or_a_signature_counts() {
    assert_eq!(
        items("sign on ?kaiser tpw\nset pref T\nsign off\nA Con-Bul"),
        ["1 command: sign on ?kaiser tpw", "2 command: set pref T"]
    );
    for dashes in ["--", "-- ", "—"] {
        let mail = format!("SIGNON Ekaiser epw\nF Lon-Nth\n{dashes}\nBen, Kent");
        assert_eq!(
            items(&mail),
            ["1 command: SIGNON Ekaiser epw", "2 order: F Lon-Nth"],
            "{dashes}"
        );
        assert_eq!(read(&mail).ended, Ended::Signature);
    }
    assert_eq!(items("SIGNON Ekaiser epw\n-----\nF Lon-Nth").len(), 3);
}

#[test]
fn press_swallows_lines_up_to_its_end() {
    assert_eq!(
        items(
            "SIGNON Ekaiser epw\nA Lvp-Yor\nPRESS TO F\nChannel empty?\nA Par-Bur\nENDPRESS\nF Lon-Nth"
        ),
        [
            "1 command: SIGNON Ekaiser epw",
            "2 order: A Lvp-Yor",
            "3 PRESS TO F: Channel empty?|A Par-Bur|",
            "7 order: F Lon-Nth",
        ]
    );
    let mail = "SIGNON Ekaiser epw\nPRESS\noops\nENDPRESS\nPRESS TO F, Germany\nok\nEND PRESS\nPRESS GREY TO R\nx\nENDPRESS\nF Lon-Nth\n-- \nBen, Kent";
    assert_eq!(
        items(mail),
        [
            "1 command: SIGNON Ekaiser epw",
            "2 PRESS: oops|",
            "5 PRESS TO F, Germany: ok|",
            "8 PRESS GREY TO R: x|",
            "11 order: F Lon-Nth",
        ]
    );
}

#[test]
fn press_knows_how_it_ended() {
    assert!(block("SIGNON E epw\nPRESS TO F\nhi\nENDPRESS").closed);
    assert!(block("SIGNON E epw\nBROADCAST\nhi\nend broadcast").closed);
    assert!(!block("SIGNON E epw\nPRESS TO F\nhi").closed);
    assert!(!block("SIGNON E epw\nPRESS TO F\nhi\n--\nBen").closed);
    let mail = "SIGNON E epw\nPRESS TO F\nhi\nSIGNOFF\nF Lon-Nth";
    assert!(block(mail).closed);
    assert_eq!(read(mail).ended, Ended::SignOff);
    assert_eq!(block(mail).text(), "hi\n");
}

#[test]
fn quoted_mails_stay_out_unless_asked_for() {
    let mail = "SIGNON E epw\nPRESS TO F\nhi\n> SIGNON Ekaiser epw\n> old\nENDPRESS\n> F Lon-Nth";
    assert_eq!(block(mail).text(), "hi\n");
    assert!(block(mail).holds_sign_on);
    assert_eq!(
        block(&mail.replace("TO F", "TO F QUOTE")).text(),
        "hi\n> SIGNON Ekaiser epw\n> old\n"
    );
    assert!(!block("SIGNON E epw\nPRESS TO F\nI will sign on later\nENDPRESS").holds_sign_on);
    assert_eq!(items(mail).len(), 2);
}

#[test]
fn a_long_comment_is_a_text() {
    assert_eq!(
        items(
            "SIGNON Mkaiser mpw\nSET COMMENT BEGIN\nFor patient people.\nLIST\nEND COMMENT\nSET LIST"
        ),
        [
            "1 command: SIGNON Mkaiser mpw",
            "2 command: SET COMMENT BEGIN",
            "2 SET COMMENT BEGIN: For patient people.|LIST|",
            "6 command: SET LIST",
        ]
    );
}

#[test]
fn a_second_sign_on_is_not_followed() {
    let reading = read("SIGNON Ekaiser epw\nF Lon-Nth\nSIGNON Fkaiser fpw\nA Par-Bur");
    assert_eq!(reading.ended, Ended::SecondSignOn);
    assert_eq!(reading.items.len(), 3);
    assert!(
        matches!(&reading.items[2].kind, ItemKind::SecondSignOn(sign_on) if sign_on.seat == "Fkaiser")
    );
}

#[test]
fn orders_for_later_phases_stay_in_order() {
    let mail = "SIGNON Fkaiser fpw\nA Par-Pic\nPHASE F1901M\nIF German Army Bur\nPic-Bel\nELSE\nPic-Bur\nENDIF\nPHASE Winter 1901\nBuild F Mar";
    let what: Vec<bool> = read(mail)
        .items
        .iter()
        .map(|item| item.kind == ItemKind::Order)
        .collect();
    assert_eq!(
        what,
        [
            false, true, false, false, true, false, true, false, false, true
        ]
    );
}

#[test]
fn a_line_that_only_begins_like_a_command_is_told() {
    let reading = read("SIGNON Ekaiser epw\nPROCESS when you like\nLIST kaiser tokyo");
    let ItemKind::Invalid { wanted } = &reading.items[1].kind else {
        panic!("{:?}", reading.items)
    };
    assert!(
        wanted.contains(&"the name of a phase".to_owned()),
        "{wanted:?}"
    );
    assert!(matches!(reading.items[2].kind, ItemKind::Invalid { .. }));
}

#[test]
fn a_mail_to_a_reply_address_needs_no_sign_on() {
    let line = |number, text| BodyLine::own(number, text);
    let reading = read_mail(
        &[line(1, "F Lon-Nth"), line(2, "SET WAIT")],
        SignOnBy::ReplyAddress,
    );
    assert_eq!(reading.items[0].kind, ItemKind::Order);
    assert!(matches!(
        &reading.items[1].kind,
        ItemKind::Command(line) if line.rule == "set"
    ));
    let reading = read_mail(
        &[line(1, "SIGNON Ekaiser epw"), line(2, "F Lon-Nth")],
        SignOnBy::ReplyAddress,
    );
    assert!(matches!(
        &reading.items[0].kind,
        ItemKind::Command(line) if line.rule == "sign-on"
    ));
    assert_eq!(reading.items.len(), 2);
}

/// A game in which a text stands behind `QUESTION`, up to a line that begins with `ACCEPT`.
struct Questions;

impl OwnTexts for Questions {
    fn opens(&mut self, line: &str) -> bool {
        line.starts_with("QUESTION")
    }

    fn ends(&mut self, line: &str) -> Option<TextEnd> {
        match line.split_once(' ')?.0 {
            "ACCEPT" => Some(TextEnd::Followed),
            "ANSWER:" => Some(TextEnd::Broken),
            _ => None,
        }
    }

    fn may_go_on(&mut self, line: &str, _next: &str) -> bool {
        !line.starts_with("ORDER")
    }
}

#[test]
fn a_sentence_goes_on_over_lines_that_a_mail_program_broke() {
    let mail = "Hello\nGood evening, I would like to have my fleet in the North Sea sail\nover to Norway with the\n\
                help of Skagerrak.\nORDER of which the game says that it is one whole line to itself\nand this is another";
    let lines = body(mail);
    let mut reader = MailReader::new(&lines, SignOnBy::ReplyAddress);
    let mut read = Vec::new();
    while let Some(item) = reader.next(&mut Questions) {
        read.push((item.line, item.text));
    }
    let expected = [
        (1, "Hello"),
        (
            2,
            "Good evening, I would like to have my fleet in the North Sea sail over to Norway with the help of Skagerrak.",
        ),
        (
            5,
            "ORDER of which the game says that it is one whole line to itself",
        ),
        (6, "and this is another"),
    ];
    assert_eq!(read, expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn a_game_may_have_texts_of_its_own() {
    let mail = "QUESTION before the sign-on\nSIGNON Mkaiser word\nQUESTION: How high\n\nis it?\nPRESS TO ALL\n\
                ACCEPT 8848\nQUESTION one more\nANSWER: 8848\nQUESTION two\nwhat then?\nEND\nSET WAIT\nQUESTION three\nis left open";
    let lines = body(mail);
    let mut reader = MailReader::new(&lines, SignOnBy::Line);
    let mut read = Vec::new();
    while let Some(item) = reader.next(&mut Questions) {
        read.push(match item.kind {
            ItemKind::OwnText(text) => {
                let end = [text.closed, text.followed, text.broken_at.is_some()];
                format!("{} [{}] {end:?}", item.text, text.text())
            }
            _ => item.text,
        });
    }
    assert_eq!(
        read,
        [
            "SIGNON Mkaiser word",
            "QUESTION: How high [is it?\nPRESS TO ALL\n] [true, true, false]",
            "ACCEPT 8848",
            "QUESTION one more [] [true, false, true]",
            "ANSWER: 8848",
            "QUESTION two [what then?\n] [true, false, false]",
            "SET WAIT",
            "QUESTION three [is left open\n] [false, false, false]",
        ]
    );
}
