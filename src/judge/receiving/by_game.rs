//! A mail about several of its writer's games: one part for each, which is read and answered as a mail of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::Judge;
use crate::people::sign_on::ArrivedBy;
use dipjudge_commands::command_reader::is_pleasantry;
use dipjudge_commands::games_named::{game_within, games_named};
use dipjudge_commands::letters::Readers;
use dipjudge_commands::mail_reader::{self, ItemKind, SignOnBy, read_mail};
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_game::{Game, Seat};
use dipjudge_mails::inbound::{BodyLine, InboundMail, LinePart};

/// The most games of one mail.
const MOST_GAMES: usize = 5;

/// The part of a mail that is about one game of its writer's.
pub(super) struct GamePart {
    pub mail: InboundMail,
    pub arrived_by: ArrivedBy,
    /// The game, by name.
    pub game: String,
}

/// The parts of a mail whose lines say for which of the writer's games they are; none, if it is about one game alone or holds
/// anything that is written for the judge: a sign-on, a block of press, a form.
pub(super) fn parts(judge: &Judge, mail: &InboundMail, arrived_by: &ArrivedBy) -> Vec<GamePart> {
    let address = mail.from.key();
    let arrived_at = match arrived_by {
        ArrivedBy::PlainAddress => None,
        ArrivedBy::Seat(game, seat) => {
            let seat = judge.game(game).and_then(|game| game.seat(*seat));
            if seat.is_none_or(|seat| seat.address != address) {
                return Vec::new();
            }
            Some(game.as_str())
        }
        _ => return Vec::new(),
    };
    let games = games_of(judge, &address);
    if games.len() < 2 || is_written_for_judge(mail, arrived_by) {
        return Vec::new();
    }
    let mut known = Readers::default();
    for game in &games {
        known.add(&game.name, [game.name.as_str()], None);
    }
    let enough = if arrived_at.is_some() { 1 } else { 2 };
    let are_several = |lines: &BTreeMap<String, Vec<BodyLine>>| {
        let others = lines
            .keys()
            .filter(|game| Some(game.as_str()) != arrived_at);
        others.count() >= enough && lines.len() <= MOST_GAMES
    };
    let by_line = lines_by_game(mail, &known, &games, arrived_at);
    let of_one = |lines: &BTreeMap<String, Vec<BodyLine>>| {
        arrived_at.is_none() && lines.len() == 1 && !is_of_one_game(mail, &known)
    };
    let by_sentence = || match arrived_at {
        // "You were so nice in reef" in a letter of another game is not for reef.
        Some(_) => BTreeMap::new(),
        None => sentences_by_game(mail, &known),
    };
    let mut lines = std::iter::once(by_line).chain(std::iter::once_with(by_sentence));
    let Some(lines) = lines.find(|lines| are_several(lines) || of_one(lines)) else {
        return Vec::new();
    };
    let part = |game: &&Game| {
        let mut mail = mail.clone();
        mail.lines.clone_from(lines.get(&game.name)?);
        Some(GamePart {
            mail,
            // The token of one game proves nothing in another: who was forwarded a mail of the one must not act in the other.
            arrived_by: if arrived_at == Some(game.name.as_str()) {
                arrived_by.clone()
            } else {
                ArrivedBy::PlainAddress
            },
            game: game.name.clone(),
        })
    };
    games.iter().filter_map(part).collect()
}

/// The games that go on in which somebody of this address has a place.
fn games_of<'j>(judge: &'j Judge, address: &str) -> Vec<&'j Game> {
    let going_on = judge.games().filter(|game| !game.over());
    let is_own = |seat: &Seat| !seat.left && seat.address == address;
    going_on
        .filter(|game| game.seats.iter().any(is_own))
        .collect()
}

fn is_written_for_judge(mail: &InboundMail, arrived_by: &ArrivedBy) -> bool {
    let own = mail.own_lines().map(|line| mail_reader::BodyLine {
        number: line.number,
        text: &line.text,
        original: &line.original,
        quoted: false,
    });
    let own: Vec<mail_reader::BodyLine> = own.collect();
    let sign_on = match arrived_by {
        ArrivedBy::Seat(..) => SignOnBy::ReplyAddress,
        _ => SignOnBy::Line,
    };
    let items = read_mail(&own, sign_on).items;
    items.iter().any(|item| {
        matches!(
            &item.kind,
            ItemKind::Block(_) | ItemKind::Form(_) | ItemKind::OwnText(_)
        ) || mail_reader::holds_sign_on(&item.text)
    })
}

/// The lines of a mail for each game, by name. Those before the first game that is named are for the game at whose address the mail
/// arrived, or if it arrived at none, for those that are named first.
fn lines_by_game(
    mail: &InboundMail,
    known: &Readers,
    games: &[&Game],
    arrived_at: Option<&str>,
) -> BTreeMap<String, Vec<BodyLine>> {
    let mut found: BTreeMap<String, Vec<BodyLine>> = BTreeMap::new();
    let mut current: Vec<String> = arrived_at.map(str::to_owned).into_iter().collect();
    // "SET ABSENCE 24 Dec TO 2 Jan", and below it "for all of my games"
    let mut before: Vec<BodyLine> = Vec::new();
    for line in &mail.lines {
        let named = Some(line).filter(|line| line.part == LinePart::Own);
        let named = named.and_then(|line| games_named(&line.text, known));
        let mut kept = line.clone();
        if let Some(named) = named {
            current = named.games;
            if current.is_empty() {
                current = games.iter().map(|game| game.name.clone()).collect();
            }
            kept.text.clone_from(&named.words);
            kept.original = named.words;
            for game in &current {
                found
                    .entry(game.clone())
                    .or_default()
                    .extend(before.clone());
            }
            before.clear();
        }
        if current.is_empty() {
            before.push(kept.clone());
        }
        for game in &current {
            found.entry(game.clone()).or_default().push(kept.clone());
        }
    }
    found.retain(|_, lines| lines.iter().any(says_something));
    found
}

/// The sentences of a mail for each game, by the games that they name: `Who is late in kaiser? Also, in alpine, three days for moves
/// please.` A sentence that names none is for the game of the one before it.
fn sentences_by_game(mail: &InboundMail, known: &Readers) -> BTreeMap<String, Vec<BodyLine>> {
    let mut found: BTreeMap<String, Vec<BodyLine>> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in mail.own_lines() {
        for sentence in sentences(&line.text)
            .into_iter()
            .flat_map(|sentence| about_one_game(sentence, known))
        {
            let named = game_within(sentence, known);
            let words = named
                .as_ref()
                .map_or(sentence, |named| named.words.as_str());
            let words = words.to_owned();
            current = named
                .and_then(|named| named.games.into_iter().next())
                .or(current);
            if let Some(game) = &current {
                found.entry(game.clone()).or_default().push(BodyLine {
                    text: words.clone(),
                    original: words,
                    ..line.clone()
                });
            } else if !is_pleasantry(sentence) && !speaks_of_oneself(sentence) {
                return BTreeMap::new();
            }
        }
    }
    found.retain(|_, lines| lines.iter().any(says_something));
    found
}

/// A sentence that names one game at most, or the clauses of one that names several in turn: `Take me out of tokyo, kaiser I'll keep
/// playing.` What names several at once, "I stay in kaiser and reef", and what says that its writer stays, asks for nothing.
fn about_one_game<'s>(sentence: &'s str, known: &Readers) -> Vec<&'s str> {
    if known.named_in(sentence).len() < 2 {
        return vec![sentence];
    }
    let stays = |clause: &str| {
        let mut words = bare_words(clause);
        words.any(|word| ["keep", "stay", "continue"].contains(&word.to_lowercase().as_str()))
    };
    let clauses = sentence.split(", ").map(str::trim);
    clauses
        .filter(|clause| known.named_in(clause).len() == 1 && !stays(clause))
        .collect()
}

/// Whether a sentence before all games that are named tells of its writer, as reasons do: `I haven't got the time for two games.`
fn speaks_of_oneself(sentence: &str) -> bool {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    ["I", "I'm", "I've", "I'd", "We", "Sorry", "Sorry,"].contains(&first)
}

/// Whether the mail names no more than one of the games.
fn is_of_one_game(mail: &InboundMail, known: &Readers) -> bool {
    let named = mail.own_lines().flat_map(|line| known.named_in(&line.text));
    named.collect::<BTreeSet<String>>().len() < 2
}

/// Whether a line is something to answer: "Hello, orders for both my games" is no mail of its own.
fn says_something(line: &BodyLine) -> bool {
    let text = line.text.trim();
    line.part == LinePart::Own && !text.is_empty() && !text.ends_with(',') && !is_pleasantry(text)
}
