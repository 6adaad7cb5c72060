//! I AM ALSO: two addresses of one person. The address that asks is written to first, and the further one only when it has
//! answered, so that nobody learns by a forged mail who is known here. When both have answered, they are one person's, unless
//! both have a place in one game.

use crate::links::{LinkChange, LinkEnd, LinkRequest};
use crate::registry::RegistryEvent;
use crate::work::MailClass;
use crate::work::Work;
use crate::work::acting::{ActOutcome, refuse, say};
use crate::work::game_work::{GameWork, OpenGame};
use crate::work::or_logged::OrLogged;
use dipjudge_game::{Event, Game, PersonId, SeatChange, SeatId};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound;

/// The subject of the mails that are to be answered, and of what follows.
const SUBJECT: &str = "Your addresses";

/// Notes the request, and writes to the address that asks.
pub(crate) fn ask(work: &mut Work, from: &str, named: &str) -> ActOutcome {
    let Ok(new) = Address::parse(named) else {
        return refuse(format!("'{named}' is not an address."));
    };
    if work.judge.settings.is_own(&new) {
        return refuse(
            "That is the address of this judge itself; name one at which you read mail.",
        );
    }
    let new = new.key();
    let Some(person) = work.registry.by_address(from) else {
        return refuse(format!(
            "I do not know {from} yet, so no other address can be added to it.  Send REGISTER first; GET FORM shows how."
        ));
    };
    if person.addresses.contains(&new) {
        return say(vec![format!("{new} is an address of yours already.")]);
    }
    let request = LinkRequest {
        person: person.id,
        old: from.to_owned(),
        new: new.clone(),
        agreed: false,
        at: work.now,
    };
    let lines = vec![
        format!("Someone asked from {from} that {new} be an address of yours too."),
        "If that is you, answer this mail; what you write does not matter.  Then a mail goes there, which is to be answered too.  If not, do nothing.".to_owned(),
    ];
    write(work, &request, LinkEnd::Old, lines);
    work.links.push(LinkChange::Asked(request));
    say(vec![format!(
        "I wrote to {from}.  Answer that mail, and then the one that I send to {new}: from then on both are yours."
    )])
}

/// Handles an answer from one of the two addresses.
pub(crate) fn answered(work: &mut Work, request: LinkRequest, end: LinkEnd) {
    match end {
        LinkEnd::Old if request.agreed => {}
        LinkEnd::Old => {
            let lines = vec![
                format!(
                    "Whoever reads {} says that he reads {} too.",
                    request.old, request.new
                ),
                "If that is so, answer this mail; what you write does not matter.  From then on the judge takes both addresses for yours.  If not, do nothing.".to_owned(),
            ];
            write(work, &request, LinkEnd::New, lines);
            work.links.push(LinkChange::Agreed(request));
        }
        LinkEnd::New if !request.agreed => {}
        LinkEnd::New => {
            let line = join(work, &request);
            tell(work, &request.old, &line);
            tell(work, &request.new, &line);
            work.links.push(LinkChange::Ended(request));
        }
    }
}

/// Makes both addresses one person's. Returns what both are told.
fn join(work: &mut Work, request: &LinkRequest) -> String {
    let LinkRequest {
        person, old, new, ..
    } = request;
    let other = work.registry.by_address(new).map(|other| other.id);
    let own = work.registry.by_address(old).map(|own| own.id);
    if own != Some(*person) {
        return "The two addresses could not be joined; ask once more.".to_owned();
    }
    match other {
        Some(other) if other == *person => {}
        // Whoever reads both mailboxes knows which game it is; nobody else is to learn it.
        Some(other) if share_a_game(work, *person, other) => {
            return "Both addresses have answered, and still they cannot be one person's here: both have a place in the same game.  Ask again when that is over.".to_owned();
        }
        Some(other) => {
            move_seats(work, other, *person);
            work.register(RegistryEvent::Merged {
                person: *person,
                gone: other,
            });
        }
        None => work.register(RegistryEvent::Linked {
            person: *person,
            address: new.clone(),
        }),
    }
    format!(
        "{old} and {new} are addresses of one person from now on: mail from either counts as yours, and where one cannot be reached the other is used.  SET ADDRESS chooses where the mail of a game goes."
    )
}

/// Whether two people have, or have had, a place in one game that goes on.
fn share_a_game(work: &Work, one: PersonId, other: PersonId) -> bool {
    let has_place = |game: &Game, who| game.seats.iter().any(|seat| seat.person == who);
    let mut going_on = work.judge.games().filter(|game| !game.over());
    going_on.any(|game| has_place(game, one) && has_place(game, other))
}

/// Gives the places of a person in all games to another.
fn move_seats(work: &mut Work, from: PersonId, to: PersonId) {
    let judge = work.judge;
    for game in judge.games() {
        let his = game.seats.iter().filter(|seat| seat.person == from);
        let his: Vec<SeatId> = his.map(|seat| seat.id).collect();
        if his.is_empty() {
            continue;
        }
        let mut open = OpenGame::of(game, work.now);
        let mut of_game = GameWork::new(work, &mut open);
        for seat in his {
            of_game.emit(Event::SeatChanged {
                seat,
                change: SeatChange::Person(to),
            });
        }
        work.close(open);
    }
}

/// Writes to one of the two addresses; an answer comes to the token in this mail.
fn write(work: &mut Work, request: &LinkRequest, end: LinkEnd, lines: Vec<String>) {
    let Some(secret) = work.registry.secret() else {
        return;
    };
    let to = match end {
        LinkEnd::Old => &request.old,
        LinkEnd::New => &request.new,
    };
    let reply_to = work.judge.settings.with_token(&request.token(secret, end));
    let judge = work.judge;
    let text = outbound::stranger_notice(&judge.templates, &judge.settings.name, SUBJECT, lines);
    if let Some(text) = text.or_logged() {
        work.send_to_be_answered(to, text, reply_to);
    }
}

fn tell(work: &mut Work, to: &str, line: &str) {
    let judge = work.judge;
    let lines = vec![line.to_owned()];
    let text = outbound::stranger_notice(&judge.templates, &judge.settings.name, SUBJECT, lines);
    if let Some(text) = text.or_logged() {
        work.send_without_game(to, text, MailClass::Notice);
    }
}
