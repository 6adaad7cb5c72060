//! A whole real game through real mail servers: Dovecot and Exim on this machine, with the program as its user would run it. The first phase is
//! played under the daemon by the clock, all others with `dipjudge tick --at`. And the same game through Maildirs gives the same mails.

use crate::games::maildir_host::MaildirHost;
use crate::games::play::{JudgeHost, PlayEvent, play, post};
use crate::games::received::Received;
use crate::games::{PLAYERS, checks, standard, weeks_until};
use crate::servers_host::{Servers, told};
use dipjudge::shell::demo::script::{Script, Step};
use jiff::Timestamp;

/// What comes of a script through Maildirs, where all mails between two looks at the clock are taken in together.
pub(crate) fn played_through_maildirs(script: &Script) -> Vec<PlayEvent> {
    let folder = tempfile::tempdir().unwrap();
    let mut host = MaildirHost::new(folder.path(), "");
    host.together = true;
    let mut record = Vec::new();
    play(script, &script.steps, &mut host, &mut record);
    record
}

/// When the second phase of the game begins as it is written.
const BEGINS: &str = "2026-12-01T08:00:00Z";

#[test]
fn the_game_comes_through_real_servers_as_through_maildirs() {
    let script = standard(weeks_until(BEGINS));
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();

    // The first phase, by the clock.
    let first = 1 + script
        .steps
        .iter()
        .position(|step| matches!(step, Step::Position(_)))
        .unwrap();
    let mut daemon = servers.program.daemon();
    for step in &script.steps[..first] {
        let Step::Mail(mail) = step else { continue };
        post(&script, mail, &mut servers, &mut record);
        let id = format!("<kaiser-{}@mail.test>", mail.number);
        servers.await_until(&mut record, &format!("the answer to {id}"), &|record| {
            record.iter().any(|happened| matches!(happened, PlayEvent::Received(came) if came.reader() == mail.from && came.in_reply_to.as_ref() == Some(&id)))
        });
        assert!(daemon.runs(), "{}", servers.program.log());
    }
    servers.await_until(&mut record, "the first results", &|record| {
        record.iter().filter(|happened| matches!(happened, PlayEvent::Received(came) if checks::is_results(came, "S1901M"))).count() == 9
    });
    daemon.stop();
    record.extend(
        script.steps[..first]
            .iter()
            .rev()
            .find_map(|step| match step {
                Step::Position(position) => Some(PlayEvent::Expected(position.clone())),
                _ => None,
            }),
    );

    // All others, with dates.
    play(&script, &script.steps[first..], &mut servers, &mut record);
    checks::everything(&script, &record);
    servers.keeper_has_heard_nothing();

    // The same through Maildirs.
    let script = standard(0);
    let same = played_through_maildirs(&script);
    for person in &script.people {
        let (by_servers, by_maildirs) = (told(&person.name, &record), told(&person.name, &same));
        for (at, (a, b)) in by_servers.iter().zip(&by_maildirs).enumerate() {
            assert_eq!(a, b, "mail {at} to {}", person.name);
        }
        assert_eq!(
            by_servers.len(),
            by_maildirs.len(),
            "mails to {}",
            person.name
        );
    }
}

/// Seven players who do not know each other, and a letter with its answer, through two servers each way.
#[test]
fn a_letter_to_a_hidden_player_is_answered_through_real_servers() {
    let people = PLAYERS.iter().map(|(name, _)| *name);
    let Some(mut servers) = Servers::start(people) else {
        return;
    };
    let mut hour = Timestamp::now();
    let mut round = |mails: &[(&str, &str, String)]| -> Vec<Received> {
        hour += jiff::SignedDuration::from_mins(1);
        servers.expect(hour);
        for (from, to, body) in mails {
            let message = format!(
                "From: {from} Example <{from}@mail.test>\r\nTo: {to}\r\nX-Mailer: Suisen 7.2\r\n\
                 Date: Mon, 30 Nov 2026 20:47:05 +0900\r\nMessage-ID: <{}.{from}@laptop.mail.test>\r\n\r\n{}\r\n",
                hour.as_millisecond(),
                body.replace('\n', "\r\n")
            );
            servers.post(&format!("{from}@mail.test"), to, message.as_bytes(), hour);
        }
        servers.look(hour);
        servers.collect()
    };
    let judge = crate::games::JUDGE;
    let each = |words: &dyn Fn(&str, char) -> String| {
        PLAYERS.map(|(name, letter)| (name, judge, words(name, letter)))
    };
    round(&each(&|name, _| {
        format!("REGISTER\nName: {name}\nEmail: {name}@mail.test\nEND")
    }));
    let create = "CREATE ?tokyo annas-word gunboat\nSET PREFERENCE A";
    round(&[("anna", judge, create.to_owned())]);
    let joined = round(&each(&|name, letter| match letter {
        'A' => "LIST".to_owned(),
        _ => format!("SIGNON ?tokyo {name}s-word gunboat\nSET PREFERENCE {letter}"),
    }));
    let begun = |mail: &&Received| mail.subject.ends_with("Game Starting");
    assert_eq!(joined.iter().filter(begun).count(), 7);

    let press = "SIGNON Etokyo bens-word\nPRESS TO F\nShall we leave the Channel empty?\nENDPRESS";
    let sent = round(&[("ben", judge, press.to_owned())]);
    let letter = sent.iter().find(|mail| mail.reader() == "cleo").unwrap();
    let address = letter.reply_to.clone().unwrap();
    let words = "We shall.\n\nOn Mon, 30 Nov 2026 at 19:30, USXX judge <judge@mail.test> wrote:\n> Shall we leave the \
                 Channel empty?\n\n-- \nCleo Example, Osaka";
    let answered = round(&[("cleo", &address, words.to_owned())]);
    let answer = answered.iter().find(|mail| mail.reader() == "ben").unwrap();
    assert_eq!(answer.subject, "USXX:tokyo - S1901M Press from F to E");
    assert!(
        answer
            .body
            .contains("Message from France to England in 'tokyo':")
    );
    assert!(answer.body.contains("We shall.") && !answer.body.contains("Channel"));
    let header = format!("{:?}", answer).to_lowercase();
    for telling in ["cleo", "suisen", "laptop", "osaka", "+0900"] {
        assert!(!header.contains(telling), "{telling}: {header}");
    }
    let own = answered
        .iter()
        .find(|mail| mail.reader() == "cleo")
        .unwrap();
    assert!(own.body.contains("Message sent to England:"));
    assert_eq!(answered.len(), 2);
}
