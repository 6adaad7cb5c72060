//! Steps 10 and 11: the question, free units, and the vote on the LINK.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::board::Board;
use super::conditions::first;
use super::{DOCTOR, JESTER, MASTERMIND, SOOTHSAYER, Turn, answers, winter};

/// A unit in the parts in which accounts are kept: every share of it is a whole number of them.
const WHOLE: u32 = 2520;

/// Who has answered rightly: the seats that are filled and not out, and the master's word above the comparison.
fn right(board: &Board, turn: &Turn) -> BTreeSet<u8> {
    let others = turn.seated.iter().copied();
    let mut right: BTreeSet<u8> = others
        .filter(|seat| *seat != MASTERMIND && !board.out.contains(seat))
        .collect();
    if board.question.is_null() {
        return right;
    }
    let exact = turn.is("answer-slack", "exact");
    right.retain(|seat| {
        let mut rulings = turn.ruled.iter().rev();
        if let Some((_, ruled)) = rulings.find(|(ruled, _)| ruled == seat) {
            return *ruled;
        }
        let answer = turn.said_by(*seat).answer.as_ref();
        let accepted = board.question["accepted"].as_array().unwrap();
        answer.is_some_and(|answer| {
            let mut accepted = accepted.iter();
            accepted.any(|accepted| answers::fits(accepted, answer, exact))
        })
    });
    right
}

/// Step 10.
pub(super) fn question(board: &mut Board, turn: &Turn) {
    let before = board.clone();
    board.right = BTreeSet::new();
    board.bonus = BTreeSet::new();
    if turn.seated.contains(&MASTERMIND) {
        let right = right(board, turn);
        let roles = [JESTER, SOOTHSAYER];
        board.bonus = right
            .iter()
            .copied()
            .filter(|seat| roles.contains(seat))
            .collect();
        let sharing = right.iter().filter(|seat| !roles.contains(seat));
        let sharing: Vec<u8> = sharing.copied().collect();
        let shares = match turn.is("share-dilute", "yes") {
            true => right.len(),
            false => sharing.len(),
        };
        for seat in sharing {
            *board.accounts.entry(seat).or_default() += WHOLE / shares as u32;
        }
        // Who has not asked has not beaten anybody, if nobody else is left either.
        if right.is_empty() && !board.question.is_null() {
            *board.accounts.entry(MASTERMIND).or_default() += WHOLE;
        }
        board.right = right;
    }
    for seat in turn.said.keys() {
        let credit = board.accounts.get(seat).copied().unwrap_or(0);
        if credit >= WHOLE && winter::build_free(board, &before, *seat, turn) {
            board.accounts.insert(*seat, credit - WHOLE);
        }
    }
    board.accounts.retain(|_, credit| *credit > 0);
    board.question = Value::Null;
    assert!(
        board
            .accounts
            .keys()
            .all(|seat| *seat < JESTER || [MASTERMIND, DOCTOR].contains(seat))
    );
}

/// Step 11.
pub(super) fn link(board: &mut Board, turn: &Turn) {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    for (seat, said) in &turn.said {
        if board.out.contains(seat) {
            continue;
        }
        let lines = said.votes.iter().map(|(condition, pair)| (condition, pair));
        if let Some(Some((one, other))) = first(board, *seat, lines) {
            *tally.entry(format!("{one}-{other}")).or_default() += 1;
        }
    }
    let most = tally.values().max().copied();
    let equal = tally.iter().filter(|(_, votes)| Some(**votes) == most);
    let drawn = turn.draw("link", equal.map(|(pair, _)| pair.clone()).collect());
    board.link = drawn.map(|pair| {
        let (one, other) = pair.split_once('-').unwrap();
        (one.to_owned(), other.to_owned())
    });
    board.check_pairs(true);
}
