//! How much press may be written within an hour.

use crate::rates::CountKind;
use crate::work::GameWork;
use dipjudge_game::{Role, Seat};

/// A limit that counts for a message, and what the message adds to it.
struct Account {
    kind: CountKind,
    name: String,
    most: u64,
    adds: u64,
}

/// The accounts of a message: its writer's in this game, and for observers, whom anybody can add to, one that all of them
/// share. What others write is no account of a player's: a refusal would tell him of it.
fn accounts(work: &GameWork, writer: &Seat, text: &str) -> Vec<Account> {
    let game = &work.game().name;
    let limits = &work.judge.settings.limits;
    let person = format!("{game} person {}", writer.person.0);
    let mut accounts = vec![
        Account {
            kind: CountKind::Press,
            name: person.clone(),
            most: limits.press_per_hour,
            adds: 1,
        },
        Account {
            kind: CountKind::PressBytes,
            name: person,
            most: limits.press_bytes_per_hour,
            adds: text.len() as u64,
        },
    ];
    if writer.role == Role::Observer {
        accounts.push(Account {
            kind: CountKind::Press,
            name: format!("{game} observers"),
            most: limits.observer_press_per_hour,
            adds: 1,
        });
    }
    accounts
}

/// Whether this message would exceed a limit.
pub(super) fn is_reached(work: &GameWork, writer: &Seat, text: &str) -> bool {
    accounts(work, writer, text).iter().any(|account| {
        let before = work.counted(account.kind, &account.name);
        before.saturating_add(account.adds) > account.most
    })
}

pub(super) fn count(work: &mut GameWork, writer: &Seat, text: &str) {
    for account in accounts(work, writer, text) {
        work.count(account.kind, account.name, account.adds);
    }
}
