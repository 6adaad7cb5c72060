//! Games whose results do not hold against the rules: no results are sent, the game stands still, and it goes on once they hold.

use crate::games::JUDGE;
use crate::games::memory_host::MemoryHost;
use crate::games::play::JudgeHost;
use crate::games::received::Received;
use crate::stopped_games::Desk;
use dipjudge::adjudicator::planted::{Fault, plant};
use dipjudge::game::State;
use jiff::{Timestamp, ToSpan};

const ANNA: &str = "anna@ex.org";
const BEN: &str = "ben@ex.org";
const ZOE: &str = "zoe@ex.org";

/// Two games of Zoe's with Anna as Austria and Ben as Italy, whose units in alpha move against each other.
fn two_games() -> Desk {
    let mut desk = Desk::with(MemoryHost::new());
    for person in [ANNA, BEN, ZOE] {
        let form = "REGISTER\nName: Some Body\nEND";
        desk.write("2026-11-30T10:00:00Z", person, JUDGE, form);
    }
    for game in ["alpha", "beta"] {
        let create = format!("CREATE ?{game} mpw\nBECOME MASTER\nSET LIST");
        desk.write("2026-11-30T10:01:00Z", ZOE, JUDGE, &create);
        for (who, power) in [(ANNA, 'A'), (BEN, 'I')] {
            let join = format!("SIGNON ?{game} {power}pw\nSET PREFERENCE {power}");
            desk.write("2026-11-30T10:02:00Z", who, JUDGE, &join);
        }
        let begin = format!("SIGNON M{game} mpw\nFORCE BEGIN");
        desk.write("2026-11-30T10:03:00Z", ZOE, JUDGE, &begin);
    }
    let orders = [
        (ANNA, "SIGNON Aalpha Apw\nF Tri-Ven"),
        (BEN, "SIGNON Ialpha Ipw\nA Ven-Tri"),
    ];
    for (who, lines) in orders {
        let answers = desk.write("2026-11-30T10:04:00Z", who, JUDGE, lines);
        assert!(
            answers.iter().all(|mail| !mail.body.contains("not legal")),
            "{answers:?}"
        );
    }
    desk
}

fn words(mail: &Received) -> String {
    let words: Vec<&str> = mail.body.split_whitespace().collect();
    words.join(" ")
}

fn process(desk: &mut Desk, at: &str, game: &str) -> Vec<Received> {
    let lines = format!("SIGNON M{game} mpw\nPROCESS");
    desk.write(at, ZOE, JUDGE, &lines)
}

fn has_results(mails: &[Received], reader: &str) -> bool {
    let told = |mail: &&Received| mail.to == [reader];
    mails
        .iter()
        .filter(told)
        .any(|mail| words(mail).contains("Movement results"))
}

fn deadline(desk: &Desk, game: &str) -> Timestamp {
    desk.host
        .judge
        .game(game)
        .unwrap()
        .timing
        .times
        .unwrap()
        .deadline
}

#[test]
fn results_that_do_not_hold_are_sent_to_nobody_and_the_game_stands_still() {
    let mut desk = two_games();
    let before = deadline(&desk, "alpha");
    plant(Some(Fault::SwappedPlaces));
    let mails = process(&mut desk, "2026-11-30T11:00:00Z", "alpha");
    for reader in [ANNA, BEN, ZOE] {
        assert!(!has_results(&mails, reader), "{mails:?}");
        let told: Vec<String> = mails
            .iter()
            .filter(|mail| mail.to == [reader])
            .map(words)
            .filter(|words| words.contains("the game stands still until the judge's keeper"))
            .collect();
        assert_eq!(told.len(), 1, "{reader}: {mails:?}");
        assert!(!told[0].contains("Ven") && !told[0].contains("does not follow"));
    }
    let keeper: Vec<String> = mails
        .iter()
        .filter(|mail| mail.to[0].starts_with("keeper@"))
        .map(words)
        .collect();
    assert_eq!(keeper.len(), 1, "{mails:?}");
    assert!(
        keeper[0].contains("the move of F Tri does not follow"),
        "{keeper:?}"
    );
    let told: Vec<String> = desk.host.judge.halted().collect();
    assert!(
        told.len() == 1 && told[0].contains("'alpha' stands still"),
        "{told:?}"
    );

    // No orders are taken in it, and nobody resumes it; another game goes on.
    let at = "2026-11-30T11:10:00Z";
    let refused = desk.write(at, ANNA, JUDGE, "SIGNON Aalpha Apw\nF Tri-Alb");
    assert!(
        words(&refused[0]).contains("no orders are taken"),
        "{refused:?}"
    );
    let refused = desk.write(at, ZOE, JUDGE, "SIGNON Malpha mpw\nRESUME");
    assert!(
        words(&refused[0]).contains("goes on by itself"),
        "{refused:?}"
    );
    assert!(process(&mut desk, at, "alpha").len() == 1);
    assert!(has_results(&process(&mut desk, at, "beta"), ANNA));

    // Days after the deadline it still waits, and says nothing more.
    let late = before + 72.hours();
    desk.host.look(late);
    let mails = desk.host.collect();
    assert!(
        mails.iter().all(|mail| !mail.subject.contains("alpha")),
        "{mails:?}"
    );

    // With the fault gone it goes on within an hour, where its clock stopped.
    plant(None);
    let later = late + 1.hours();
    desk.host.look(later);
    let mails = desk.host.collect();
    let of_alpha =
        |mail: &&Received| mail.subject.contains("alpha") || words(mail).contains("'alpha'");
    for reader in [ANNA, BEN, ZOE] {
        let told: Vec<&Received> = mails
            .iter()
            .filter(of_alpha)
            .filter(|mail| mail.to == [reader])
            .collect();
        assert!(
            told.iter()
                .any(|mail| words(mail).contains("goes on: its results pass")),
            "{mails:?}"
        );
    }
    assert_eq!(desk.host.judge.game("alpha").unwrap().state, State::Running);
    let halted: Timestamp = "2026-11-30T11:00:00Z".parse().unwrap();
    let moved = deadline(&desk, "alpha").duration_since(before);
    assert!(
        moved <= later.duration_since(halted) && moved > late.duration_since(halted),
        "{moved}"
    );
    let at = later.to_string();
    assert!(has_results(&process(&mut desk, &at, "alpha"), BEN));
}

#[test]
fn the_clock_halts_a_game_as_a_master_does() {
    let mut desk = two_games();
    desk.write(
        "2026-11-30T10:05:00Z",
        ZOE,
        JUDGE,
        "SIGNON Malpha mpw\nSET NMR",
    );
    let end = desk
        .host
        .judge
        .game("alpha")
        .unwrap()
        .timing
        .times
        .unwrap()
        .grace;
    plant(Some(Fault::SwappedPlaces));
    desk.host.look(end + 1.hours());
    plant(None);
    let game = desk.host.judge.game("alpha").unwrap();
    assert_eq!(game.number, 0, "no phase was played");
    assert!(
        matches!(game.state, State::Halted { .. }),
        "{:?}",
        game.state
    );
    // Nobody is in civil disorder for a phase that was not played.
    assert!(game.standings.values().all(|standing| !standing.disorder));
}
