//! Questions about another person: WHO and INFO PLAYER (`judge-workflow.md` 2.2).

use super::info;
use super::table::{Act, Command, Discloses};
use crate::Person;
use crate::session::Session;
use crate::work::reader_context::ReaderContext;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, Role, Seat, VariantGame};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound::Document;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// For answers that tell nothing in games that hide leaders or the board.
const WHERE_OPEN: [Discloses; 4] = [
    Discloses::All,
    Discloses::OwnLine,
    Discloses::OwnLine,
    Discloses::OwnLine,
];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["who"],
        examples: &["WHO anna@example.org"],
        act: Act::Line(|session, text, line| {
            for address in line.texts_of("someone") {
                // "Who is Italy?"
                if is_power(session, address) {
                    let shown = info::who_game(&session.reader_context(), None, false);
                    session.shown(text, shown);
                    return;
                }
                tell(session, text, address, Dedication::LeftOut);
            }
        }),
        help: "WHO address *
    Name, country and level of someone you play with.",
        tells: WHERE_OPEN,
        ..Command::QUESTION
    },
    Command {
        rules: &["info-player"],
        examples: &["INFO PLAYER anna@example.org"],
        act: Act::Line(|session, text, line| {
            tell(
                session,
                text,
                line.text_of("address").unwrap_or_default(),
                Dedication::Told,
            );
        }),
        help: "INFO PLAYER address *
    The same, with the dedication of that player.",
        tells: WHERE_OPEN,
        ..Command::QUESTION
    },
    Command {
        rules: &["dedication-of"],
        examples: &["DEDGAME kaiser"],
        act: Act::Line(|session, text, line| {
            let game = line.text_of("game");
            let shown = info::dedication_of_all(&session.reader_context(), game);
            match shown {
                // The names and addresses in it are those that LIST shows to this reader.
                Ok(shown) => session.show_passed(shown),
                refused => session.shown(text, refused),
            }
        }),
        help: "DEDGAME [game] *
    The dedication of all who play in it, where LIST shows who they are.",
        tells: WHERE_OPEN,
        ..Command::QUESTION
    },
];

/// Whether the answer includes the person's dedication.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dedication {
    Told,
    LeftOut,
}

/// Whether a word names a power that the sender may know.
fn is_power(session: &Session, word: &str) -> bool {
    let roster = session.roster();
    let mut known = roster.iter().map(|(_, info)| info);
    known.any(|info| {
        [&info.name, &info.adjective]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(word))
    })
}

/// Describes the person with an address. The answer is the same for an unknown person and for one whom the sender may
/// not know about.
fn tell(session: &mut Session, text: &str, address: &str, dedication: Dedication) {
    if let Some(name) = contact(&session.reader_context(), address) {
        let lines = [format!("Whois {address}"), format!("Name:      {name}")];
        return session.print(lines.join("\n"));
    }
    let context = session.reader_context();
    let known = Address::parse(address)
        .ok()
        .and_then(|address| session.work.registry.by_address(&address.key()))
        .filter(|person| may_know(&context, person));
    let Some(person) = known else {
        let why = format!(
            "You play with nobody of the address '{address}' in a game that shows who plays."
        );
        return session.fault(text, why);
    };
    let mut lines = vec![
        format!("Whois {address}"),
        format!("User:      {}", person.id.0),
        format!("Name:      {}", person.name),
    ];
    lines.extend(
        person
            .country
            .iter()
            .map(|country| format!("Country:   {country}")),
    );
    lines.push(format!("Level:     {}", person.level));
    if dedication == Dedication::Told {
        // The number of withheld points cannot be derived from any other number, so no other number is shown.
        lines.push(format!("Dedication: {}", person.dedication));
    }
    session.show_passed(Document::verbatim(lines.join("\n")));
}

/// The name of the leader of a contact with this address, in games that hide which powers exist and show contacts to
/// each other. The sender may know no more of that person.
fn contact(context: &ReaderContext, address: &str) -> Option<String> {
    let (game, power) = context.own().zip(context.acting?.power)?;
    let address = Address::parse(address).ok()?.key();
    let variant = variants::of(&game.variant);
    let mut seats = game.seats.iter().filter(|seat| !seat.left);
    let seat = seats.find(|seat| {
        seat.address == address
            && VariantGame::new(game, variant)
                .seen_by(Viewer::Power(power))
                .is_contact(seat)
    })?;
    seat.name.clone()
}

/// Whether the sender may know about a person: himself, everybody who shares a game with him that hides neither leaders
/// nor the board, and the masters of his games.
fn may_know(context: &ReaderContext, person: &Person) -> bool {
    let Some(own) = context.work.registry.by_address(&context.address) else {
        return false;
    };
    let sits = |seat: &&Seat, who: &Person| !seat.left && seat.person == who.id;
    let together = |game: &Game| {
        let variant = variants::of(&game.variant);
        let hides = VariantGame::new(game, variant).hides_leaders()
            || VariantGame::new(game, variant).hides_board() && !planted(Leak::Whois);
        let shown = |seat: &&Seat| sits(seat, person) && (!hides || seat.role == Role::Master);
        game.seats.iter().any(|seat| sits(&seat, own)) && game.seats.iter().any(|seat| shown(&seat))
    };
    own.id == person.id
        || context.own().is_some_and(together)
        || context.work.judge.games().any(together)
}
