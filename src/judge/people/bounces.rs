//! Mail that comes back: whose address failed, and who is told when it fails for good.

use crate::Judge;
use crate::tokens;
use crate::work::game_work::OpenGame;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Work};
use dipjudge_game::SeatId;
use dipjudge_mails::inbound::{Address, DsnReport, InboundMail};
use dipjudge_mails::outbound;

/// Notes the failure that a report tells of, and tells keeper and masters if it marks the address.
pub(crate) fn note(work: &mut Work, mail: &InboundMail, report: &DsnReport) {
    // A report in words alone says nothing that can be read, but it came to the return path of a mail.
    let failed = report.recipients.is_empty()
        || report
            .recipients
            .iter()
            .any(|recipient| recipient.is_failure());
    let Some(address) = failed
        .then(|| returned_from(work.judge, mail, report))
        .flatten()
    else {
        return;
    };
    let marked = work.judge.returned.is_marked_by(&address, work.now);
    work.returns.failed.insert(address.clone());
    if marked {
        tell_keeper(work, &address);
        tell_masters(work, &address);
    }
}

/// The address whose mail came back: the one to which the token of the return path belongs.
fn returned_from(judge: &Judge, mail: &InboundMail, report: &DsnReport) -> Option<String> {
    let own = Address::parse(&judge.settings.address).ok()?;
    // Where the notice came to, and what it calls the mail.
    let mut all = mail.tokens(&own);
    all.extend(report.envelope_id.iter().map(|id| id.to_lowercase()));
    let named = report.recipients.iter().flat_map(|recipient| {
        let both = [&recipient.original_recipient, &recipient.final_recipient];
        both.into_iter().flatten().map(Address::key)
    });
    sent_with(judge, &all, named)
}

/// The address to whose mail one of these tokens belongs as a return path: among those that a notice names, and all that are known.
pub(super) fn sent_with(
    judge: &Judge,
    tokens: &[String],
    named: impl Iterator<Item = String>,
) -> Option<String> {
    let secret = judge.registry().secret()?;
    let tokens: Vec<&str> = tokens
        .iter()
        .filter_map(|token| token.strip_prefix(tokens::RETURN_MARK))
        .filter(|token| token.len() == tokens::LENGTH)
        .collect();
    if tokens.is_empty() {
        return None;
    }
    let registered = judge.registry().addresses().map(str::to_owned);
    let seated = judge
        .games()
        .flat_map(|game| game.seats.iter().map(|seat| seat.address.clone()));
    // The report names the address mostly; forwarding may have changed it.
    named.chain(registered).chain(seated).find(|address| {
        tokens
            .iter()
            .any(|token| tokens::is_return_path(secret, token, address))
    })
}

fn tell_keeper(work: &mut Work, address: &str) {
    let lines = vec![format!(
        "Mail to {address} does not arrive: at least three mails came back, over two days or more. The judge uses another \
         address of this person, if it knows one, until a mail comes from there. `dipjudge status` lists such addresses."
    )];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "An address is not reached";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// Tells the masters of the running games in which somebody has this address.
fn tell_masters(work: &mut Work, address: &str) {
    let judge = work.judge;
    let games = judge.games().filter(|game| !game.over());
    for game in games {
        let seats: Vec<SeatId> = game
            .seats
            .iter()
            .filter(|seat| !seat.left && seat.address == address)
            .map(|seat| seat.id)
            .collect();
        if seats.is_empty() {
            continue;
        }
        let mut open = OpenGame::of(game, work.now);
        let mut in_game = GameWork::new(work, &mut open);
        for seat in seats {
            tell_masters_of(&mut in_game, seat);
        }
        work.close(open);
    }
}

fn tell_masters_of(work: &mut GameWork, seat: SeatId) {
    let mut masters = work.everyone();
    masters.retain(|to| work.is_master(*to) && to.seat != seat);
    work.broadcast(&masters, MailClass::Notice, |work, to| {
        let game = work.heading(to).game;
        let who = work.introduced_to(to, seat)?;
        let line = format!(
            "Mail to {who} in game '{game}' does not arrive: it has come back for two days or more.  The judge uses another \
             address of this person, if it knows one, until a mail comes from there."
        );
        work.notice(to, "Mail Comes Back", line)
    });
}
