//! Somebody has told his mail provider that he does not want a mail of the judge (RFC 5965). Providers hold such reports against the whole
//! judge, so the keeper hears who it was and in which games he has a seat.

use crate::people::bounces::sent_with;
use crate::work::Work;
use crate::work::or_logged::OrLogged;
use dipjudge_game::{Game, VariantGame};
use dipjudge_mails::inbound::{AbuseReport, Address, InboundMail};
use dipjudge_mails::outbound;
use dipjudge_variants as variants;

/// Tells the keeper. A report counts only if it names the return path of a mail of the judge, which nobody knows but whoever got it.
pub(crate) fn tell_keeper(work: &mut Work, mail: &InboundMail, report: &AbuseReport) {
    let Some(address) = complains(work, mail, report) else {
        return;
    };
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let lines = vec![
        format!(
            "{} has told a mail provider that a mail of the judge is unwanted.{}",
            introduced(work, &address),
            games_of(work, &address, report.subject.as_deref().unwrap_or_default())
        ),
        "Providers hold such reports against all mails of the judge, so ask whether mails shall go on.".to_owned(),
    ];
    let subject = "A mail is unwanted";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// The address to which the unwanted mail went.
fn complains(work: &Work, mail: &InboundMail, report: &AbuseReport) -> Option<String> {
    let own = Address::parse(&work.judge.settings.address).ok()?;
    let mut tokens = mail.tokens(&own);
    let path = report.return_path.as_ref();
    let token = path.and_then(|path| path.detail_of(&own));
    tokens.extend(token.map(str::to_lowercase));
    let named = report.recipients.iter().map(Address::key);
    sent_with(work.judge, &tokens, named)
}

fn introduced(work: &Work, address: &str) -> String {
    match work.judge.registry().by_address(address) {
        Some(person) => format!("{} ({address})", person.name),
        None => address.to_owned(),
    }
}

/// The game that the subject of the mail names, or else all running games in which this address has a seat. In a game that hides who
/// plays, its name is left out.
fn games_of(work: &Work, address: &str, subject: &str) -> String {
    let games: Vec<&Game> = work
        .judge
        .games()
        .filter(|game| !game.over() && has_seat(game, address))
        .collect();
    let words: Vec<&str> = subject.split(|c: char| !c.is_alphanumeric()).collect();
    let named = |game: &&&Game| words.contains(&game.name.as_str());
    let mut meant: Vec<&Game> = games.iter().filter(named).copied().collect();
    if meant.is_empty() {
        meant = games;
    }
    let hides = |game: &Game| {
        VariantGame::new(game, variants::of(&game.variant))
            .secrecy()
            .leaders
    };
    let open = meant.iter().filter(|game| !hides(game));
    let names: Vec<String> = open.map(|game| format!("'{}'", game.name)).collect();
    match names.as_slice() {
        [] if meant.is_empty() => "  This address has no seat.".to_owned(),
        [] => "  This address has a seat in a game that hides who plays.".to_owned(),
        names => format!("  This address has a seat in {}.", names.join(", ")),
    }
}

fn has_seat(game: &Game, address: &str) -> bool {
    let mut seats = game.seats.iter();
    seats.any(|seat| !seat.left && seat.address == address)
}
