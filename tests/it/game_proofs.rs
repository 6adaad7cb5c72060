//! The proof of a finished game: it holds no person, and whoever has it computes the game again.

use std::fs;
use std::process::{Command, Output};
use std::sync::Arc;

use crate::recorded;
use dipjudge::game::proof::{FalseProof, NoProof, Proof};
use dipjudge::game::verifying::LogCheck;
use dipjudge::game::{Event, Played, Record, Seed};
use dipjudge::judge::registry;
use dipjudge::variants;

fn proof_of(records: &[Record]) -> Proof {
    Proof::of("USXX", records, variants::of).unwrap()
}

fn kaiser() -> Proof {
    proof_of(&recorded::games()["kaiser"])
}

fn played(proof: &mut Proof) -> Vec<&mut Played> {
    let events = proof
        .records
        .iter_mut()
        .flat_map(|record| &mut record.events);
    let played = events.filter_map(|event| match event {
        Event::Played(played) if !played.outcomes.is_empty() => Some(Arc::make_mut(played)),
        _ => None,
    });
    played.collect()
}

/// The words of the register that name somebody.
fn persons() -> Vec<String> {
    let text = recorded::logs()[registry::LOG].join("\n");
    let words = text.split(|c: char| !c.is_alphanumeric() && !"@.".contains(c));
    let mut words: Vec<String> = words
        .filter(|word| word.contains('@') && word.contains('.'))
        .flat_map(|address| {
            [
                address.to_owned(),
                address.split('@').next().unwrap().to_owned(),
            ]
        })
        .collect();
    words.sort();
    words.dedup();
    words
}

#[test]
fn every_recorded_game_comes_out_of_its_proof_and_no_person_is_in_it() {
    let persons = persons();
    assert!(persons.len() > 10, "{persons:?}");
    for (name, records) in recorded::games() {
        let mut check = LogCheck::new(variants::of);
        for record in &records {
            check.check(record).unwrap();
        }
        let game = check.game().unwrap();
        let proof = proof_of(&records);
        let text = serde_json::to_string_pretty(&proof).unwrap();
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '@')
            .collect();
        for person in &persons {
            assert!(!words.contains(&person.as_str()), "{name}: {person}");
        }
        assert!(!text.contains('@'), "{name}");
        let read: Proof = serde_json::from_str(&text).unwrap();
        assert_eq!(read, proof, "{name}");
        let found = read.check(variants::of).unwrap();
        println!(
            "{name}: {} of {} phases, {} changes, not proven: {:?}",
            found.phases, check.phases, found.changes, found.unproven
        );
        if variants::of(&game.variant).all_is_open_after_the_end() {
            assert_eq!(
                (found.phases, found.unproven.len()),
                (check.phases, 0),
                "{name}"
            );
        } else {
            assert_eq!(found.phases + found.unproven.len(), check.phases, "{name}");
        }
        assert_eq!(proof.seeds[0].seed, game.seed, "{name}");
    }
}

#[test]
fn orders_that_were_replaced_are_in_no_proof() {
    let proof = kaiser();
    let records = &recorded::games()["kaiser"];
    let count = |events: Vec<&Event>| {
        let ordered = events
            .into_iter()
            .filter(|event| matches!(event, Event::Ordered { .. }));
        ordered.count()
    };
    let all = count(records.iter().flat_map(|record| &record.events).collect());
    let told = count(
        proof
            .records
            .iter()
            .flat_map(|record| &record.events)
            .collect(),
    );
    assert!(0 < told && told < all, "{told} of {all}");
}

#[test]
fn what_does_not_follow_is_found() {
    let mut other_results = kaiser();
    played(&mut other_results)[3].outcomes.swap(0, 1);
    let found = other_results.check(variants::of);
    assert!(matches!(found, Err(FalseProof::Log(_))), "{found:?}");

    let mut other_hash = kaiser();
    other_hash.seeds[0].sha256 = "0".repeat(64);
    let found = other_hash.check(variants::of);
    assert!(matches!(found, Err(FalseProof::OtherSeed)), "{found:?}");

    // In Life the types of births are drawn.
    let mut other_seed = proof_of(&recorded::games()["conway"]);
    let seed = Seed::new([9; 32]);
    other_seed.seeds[0].sha256 = seed.sha256();
    other_seed.seeds[0].seed = seed.clone();
    for record in &mut other_seed.records {
        for event in &mut record.events {
            if let Event::Created { seed: drawn, .. } = event {
                *drawn = seed.clone();
            }
        }
    }
    let found = other_seed.check(variants::of);
    assert!(matches!(found, Err(FalseProof::Log(_))), "{found:?}");

    let mut without_end = kaiser();
    without_end.records.pop();
    assert!(without_end.check(variants::of).is_err());

    let mut records = recorded::games().remove("kaiser").unwrap();
    records.truncate(records.len() / 2);
    let running = Proof::of("USXX", &records, variants::of);
    assert!(matches!(running, Err(NoProof::NotOver)), "{running:?}");
}

#[test]
fn the_program_computes_a_file_again_without_a_judge() {
    let folder = tempfile::tempdir().unwrap();
    let verify = |proof: &Proof| -> Output {
        let text = serde_json::to_string_pretty(proof).unwrap();
        fs::write(folder.path().join("kaiser.proof"), text).unwrap();
        Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .args(["verify", "kaiser.proof"])
            .current_dir(folder.path())
            .env_clear()
            .output()
            .unwrap()
    };
    let good = kaiser();
    let output = verify(&good);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&good.seeds[0].sha256), "{said}");
    assert!(
        said.contains("It does not prove:\n- That the seed"),
        "{said}"
    );
    let mut other = kaiser();
    played(&mut other)[0].position.units.pop();
    let output = verify(&other);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("comes out otherwise"), "{said}");
}
