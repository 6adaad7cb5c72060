//! The lines that a sender is offered to join a game, and the game that he means.

use crate::people::admission::is_named;
use crate::people::create_options::words_to_name;
use crate::people::preferences::preference_line;
use crate::people::unlisted;
use crate::session::Session;
use dipjudge_commands::command_reader::introduced_name;
use dipjudge_commands::corrections::{SentenceRequest, asks_to_join, of_sentence};
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_commands::subjects::{Asker, Meant, subject_of};
use dipjudge_game::{Game, State, VariantGame};
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The longest name that a newcomer is registered by.
const LONGEST_NAME: usize = 40;

/// The lines by which the sender joins a game: with the form if he is not registered.
pub(crate) fn joining_lines(session: &Session, game: &Game) -> Vec<String> {
    let play = format!("PLAY {}{}", seat_wanted(session, game), words_to_name(game));
    let mut lines = with_form(session, play);
    lines.extend(preference(session, game));
    lines
}

/// The line with the powers that the mail asks for.
fn preference(session: &Session, game: &Game) -> Option<String> {
    let own = session.mail.own_lines();
    own.flat_map(|line| sentences(&line.text))
        .flat_map(wishes_in)
        .find_map(|wish| match of_sentence(&wish) {
            Some(SentenceRequest::Preference { first, last }) => {
                preference_line(game, &first, &last)
            }
            _ => None,
        })
}

/// A sentence, and what it may wish for in passing: "put me in as Turkey", "I want to play, Turkey if it's free".
fn wishes_in(sentence: &str) -> Vec<String> {
    let wish = |part: &str| {
        let part = part.trim();
        let part = part.strip_prefix("and ").unwrap_or(part);
        [part.to_owned(), format!("I'd like {part}")]
    };
    let behind_commas = sentence.split(',').skip(1);
    // One word alone may be a place in a signature.
    let behind_commas = behind_commas.filter(|part| part.split_whitespace().count() > 1);
    let named = sentence.rsplit_once(" as ").map(|(_, power)| power);
    let wishes = behind_commas.chain(named).flat_map(wish);
    std::iter::once(sentence.to_owned()).chain(wishes).collect()
}

/// The game, behind the power that the mail names if that can be chosen.
fn seat_wanted(session: &Session, game: &Game) -> String {
    let variant = VariantGame::new(game, variants::of(&game.variant));
    let labels = variant.seen_by(Viewer::Stranger).labels();
    let words: Vec<String> = session
        .mail
        .own_lines()
        .flat_map(|line| words_of(&line.text))
        .collect();
    let open = variant.powers_not_chosen().into_iter();
    let mut named = open.filter_map(|power| {
        let name = labels.name(power).to_owned();
        words.contains(&name.to_lowercase()).then_some(name)
    });
    match (named.next(), named.next()) {
        (Some(name), None) => format!("{}@{}", name.to_uppercase(), game.name),
        _ => game.name.clone(),
    }
}

/// A line with the form before it that registers the sender, if he is not registered.
fn with_form(session: &Session, line: String) -> Vec<String> {
    let known = session.work.registry.by_address(&session.sender.address);
    let form = || {
        let name = format!("Name: {}", newcomers_name(session));
        vec!["REGISTER".to_owned(), name, "END".to_owned()]
    };
    let mut lines = known.map_or_else(form, |_| Vec::new());
    lines.push(line);
    lines
}

/// The lines by which the sender watches a public game that his mail names, if it asks for that.
pub(crate) fn observing_lines(session: &Session) -> Option<Vec<String>> {
    let asks = |words: &str| match subject_of(words, Asker::Stranger) {
        Meant::Clear(subject) => subject.name == "watch",
        _ => false,
    };
    let may_ask = |line: &str| match subject_of(line, Asker::Stranger) {
        Meant::OneOf(subjects) => subjects.first().is_some_and(|first| first.name == "watch"),
        _ => asks(line),
    };
    let asked_in = |line: &'_ str| -> Vec<String> {
        let parts = sentences(line).into_iter().filter(|part| asks(part));
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        if parts.is_empty() && may_ask(line) {
            return vec![line.to_owned()];
        }
        parts
    };
    // "I'd like to play in kaiser. Turkey would be lovely."
    let mut own = session.mail.own_lines();
    let wants_to_play = own.any(|line| asks_to_join(&line.text) && !asks(&line.text));
    if wants_to_play {
        return None;
    }
    let own = session.mail.own_lines();
    let mut asked = own.flat_map(|line| asked_in(&line.text)).peekable();
    asked.peek()?;
    // "I watch kaiser already and would like to watch reef, too."
    let own_seat = |game: &&Game| unlisted::sits(&session.work, game, &session.sender.address);
    let named = asked
        .flat_map(|words| words_of(&words))
        .filter_map(|word| session.work.judge.game(&word));
    let mut named = named.filter(|game| game.settings.list && !game.over() && !own_seat(game));
    let game = named
        .next()
        .or_else(|| named_public_games(session).find(|game| !own_seat(game)))?;
    Some(with_form(session, format!("SPECTATE {}", game.name)))
}

/// The open powers of a game that has begun, by name, and the lines by which the sender takes one over: the one that his mail names,
/// else the first. `None`, if none is open to everybody's knowledge.
pub(crate) fn openings(session: &Session, game: &Game) -> Option<(Vec<String>, Vec<String>)> {
    let view = VariantGame::new(game, variants::of(&game.variant));
    let labels = view.seen_by(Viewer::Stranger).labels();
    let open = view.openings().into_iter();
    let open: Vec<String> = open.map(|power| labels.name(power).to_owned()).collect();
    let own = session.mail.own_lines();
    let said: Vec<String> = own.flat_map(|line| words_of(&line.text)).collect();
    let is_named = |name: &&String| said.contains(&name.to_lowercase());
    let wanted = open.iter().find(is_named).or(open.first())?;
    let line = format!("SIGNON {wanted}@{} password", game.name);
    let lines = with_form(session, line);
    Some((open, lines))
}

/// The public game that has begun and is named in the mail.
pub(crate) fn named_running_game<'j>(session: &Session<'j, '_>) -> Option<&'j Game> {
    named_public_games(session).find(|game| game.begun())
}

/// The public games that go on and are named in the mail.
fn named_public_games<'j, 's>(session: &'s Session<'j, '_>) -> impl Iterator<Item = &'j Game> + 's {
    let words = session
        .mail
        .own_lines()
        .flat_map(|line| words_of(&line.text));
    let games = words.filter_map(|word| session.work.judge.game(&word));
    games.filter(|game| game.settings.list && !game.over())
}

/// The name by which a newcomer is registered: as he introduces himself, else as his mail program does, else by his address.
fn newcomers_name(session: &Session) -> String {
    let mail = session.mail;
    let introduced = mail
        .own_lines()
        .flat_map(|line| sentences(&line.text))
        .find_map(introduced_name);
    let shown = || mail.from.name().map(str::to_owned);
    let name = introduced.or_else(shown);
    let is_plain = |name: &String| session.quotable(name) == *name && !name.trim().is_empty();
    let name = name.filter(is_plain);
    let name = name.unwrap_or_else(|| mail.from.local().to_owned());
    let name = name.chars().take(LONGEST_NAME).collect::<String>();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The game that waits for players, is named in the mail or nearly so, and in which the sender has no place; `None` if several are.
pub(crate) fn named_game<'j>(session: &Session<'j, '_>) -> Option<&'j Game> {
    let work = &session.work;
    let from = &session.sender.address;
    let lines = session.mail.own_lines().map(|line| line.text.as_str());
    let texts = lines.chain(std::iter::once(session.mail.subject.as_str()));
    let words: Vec<String> = texts.flat_map(words_of).collect();
    let person = work.registry.by_address(from);
    let may_join = |game: &&Game| {
        let denied = person.is_some_and(|person| is_named(person, &game.settings.deny));
        game.state == State::Forming && !unlisted::sits(work, game, from) && !denied
    };
    // Whoever knows the name of an unlisted game that is forming may join it.
    let mut exact = words
        .iter()
        .filter_map(|word| work.judge.game(word))
        .filter(may_join);
    if let Some(first) = exact.next() {
        return exact.all(|other| other.name == first.name).then_some(first);
    }
    let alike = |game: &&Game| {
        let is_alike = |word: &String| {
            word.len() > 3
                && strsim::normalized_damerau_levenshtein(&game.name, word) >= unlisted::ALIKE
        };
        words.iter().any(is_alike)
    };
    let mut near = work.judge.games.forming().filter(may_join).filter(alike);
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

/// The words of a text, in small letters.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    bare_words(text).map(str::to_lowercase).collect()
}
