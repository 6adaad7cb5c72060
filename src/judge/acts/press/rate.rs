//! The limits on the amount of press within an hour.

use crate::rates::CountKind;
use crate::work::GameWork;
use dipjudge_game::{Role, Seat};

/// A limit that applies to a message, and what the message adds to its count.
struct Account {
    kind: CountKind,
    name: String,
    most: u64,
    adds: u64,
}

/// The accounts of a message: the writer's in this game, and for observers, of whom anybody can add more, one that all
/// observers share. What other people write does not count for a player, since a refusal would tell him of it.
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
