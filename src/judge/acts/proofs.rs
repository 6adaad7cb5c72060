//! The page `deploy/PROOFS.md`: what each command and setting needs as proof, from the tables that the judge goes by.

use std::fmt::Write;

use super::commands::commands;
use super::settings::rows::settings;
use super::table::{Page, Proof, Who};

const HEAD: &str = "\
# What each command needs as proof

Anybody can write any address as the sender of a mail. So the judge asks of each command how well it is proven who sends it. This
page is made from the tables of the program (`src/judge/acts`): change those, not this file.

| proof | what a mail has that gives it |
| --- | --- |
| nothing | any mail; what is long or has a picture goes to addresses alone that have answered the judge once |
| a sign-on | a SIGNON line with the password of a seat; or the mail answers one of the judge's to that seat, so that it comes with the seat's token |
| the player himself | the token of the seat; or the password in a mail from an address of the player's. With `authserv_id` in `[trust]` that host has to vouch for the address; where no host is trusted and `[trust] dkim` is on, a signature of the address's domain is as good as a host's word in all that counts proven mails, and without one the address is believed, as by the old judges |
| the player himself, and an answer | the same; and then somebody has to answer a mail that goes to the new address |
| both addresses answer | a mail to each of both addresses is answered, one after the other |

While a seat is closed to passwords, since somebody has been guessing, its own player still signs on by one in a mail that is proven to
be his: by the seat's token, by an answer to what went to his address alone, by the trusted host's word or by a signature.

A seat's token ends with SET TOKEN NEW, SET PASSWORD, a new address, when its player leaves the game, and 90 days after the game's end;
the addresses of letters end with it. What comes to one that has ended is told to the player's address, and its orders are done when
he answers YES there.

Orders, and the lines of a variant, need a sign-on.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let rows = commands().filter(|row| row.page != Page::None);
    let rows = rows.map(|row| (String::new(), row.examples, row.who, row.proof));
    section(&mut page, "Commands", rows);
    let rows = settings().filter(|row| row.page != Page::None);
    let rows = rows.map(|row| ("SET ".to_owned(), row.examples, row.who, row.proof));
    section(&mut page, "Settings", rows);
    page
}

fn section(
    page: &mut String,
    title: &str,
    rows: impl Iterator<Item = (String, &'static [&'static str], Who, Proof)>,
) {
    let _ = write!(
        page,
        "\n## {title}\n\n| line | who may | proof |\n| --- | --- | --- |\n"
    );
    for (begin, examples, who, proof) in rows {
        let lines = examples.iter().map(|line| {
            let line = line.replace('|', "\\|");
            format!("`{begin}{line}`")
        });
        let lines: Vec<String> = lines.collect();
        let lines = lines.join(", ");
        let _ = writeln!(page, "| {lines} | {} | {} |", may(who), needs(who, proof));
    }
}

fn may(who: Who) -> &'static str {
    match who {
        Who::Anyone => "anybody",
        Who::SignedOn => "who is in the game",
        Who::Ruler => "masters, and players of an unmoderated game",
        Who::Master => "masters",
    }
}

fn needs(who: Who, proof: Proof) -> &'static str {
    match (who, proof) {
        (Who::Anyone, Proof::SignOn) => "nothing",
        (_, Proof::SignOn) => "a sign-on",
        (_, Proof::Home) => "the player himself",
        (_, Proof::HomeAndAnswer) => "the player himself, and an answer",
        (_, Proof::BothAnswer) => "both addresses answer",
        (_, Proof::AskedByAct(words)) => words,
    }
}

#[test]
fn the_page_of_proofs_is_that_of_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/PROOFS.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    let page = page();
    if there != page {
        std::fs::write(format!("{path}.failed"), &page).unwrap();
        panic!("deploy/PROOFS.md.failed is the page as the tables have it");
    }
}
