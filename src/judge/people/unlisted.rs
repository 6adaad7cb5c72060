//! Whom an unlisted game answers. One that is being played, or has been, is to those who are not in it a name that does not
//! exist; while it forms, and where a power is to be had in it, it answers whoever knows the name (`visibility.md` 7).

use crate::people::admission::is_named;
use crate::work::Work;
use crate::work::acting::Refusal;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, State, VariantGame, in_play};
use dipjudge_variants as variants;
use dipjudge_view::and_list;

/// Whether a sender may learn that there is this game.
pub(crate) fn answers(work: &Work, game: &Game, from: &str) -> bool {
    game.settings.list
        || matches!(game.state, State::Forming | State::Ready)
        || sits(work, game, from)
        || has_opening(game)
}

/// Whether a sender may be told anything when he asks to watch: whom the master let in is, an opening is nothing to watch.
pub(crate) fn answers_watchers(work: &Work, game: &Game, from: &str) -> bool {
    let let_in = || {
        let person = work.registry.by_address(from);
        person.is_some_and(|person| is_named(person, &game.settings.allow))
    };
    game.settings.list
        || matches!(game.state, State::Forming | State::Ready)
        || sits(work, game, from)
        || let_in()
}

/// Whether a sender has a place in a game.
pub(crate) fn sits(work: &Work, game: &Game, from: &str) -> bool {
    let person = work.registry.by_address(from).map(|person| person.id);
    let mut seats = game.seats.iter().filter(|seat| !seat.left);
    seats.any(|seat| Some(seat.person) == person)
}

/// Whether everybody may know that a place is to be had: on a list of those who stand by always, as a power's leader where
/// that is no secret. Where the board is hidden it is one: who asks learns it by leading the power, or not at all.
fn has_opening(game: &Game) -> bool {
    let variant = variants::of(&game.variant);
    if variant.has_stand_by(&game.settings) {
        return !game.over();
    }
    let hidden = VariantGame::new(game, variant).hides_board();
    let mut powers = in_play(game, variant).into_iter();
    !game.over() && !hidden && powers.any(|power| game.standing(power).vacant())
}

/// What is said of a game that stands still, to whom it answered before; where nothing of it can be read, to everybody.
fn stands_still(work: &Work, from: &str, readings: &[String]) -> Option<Refusal> {
    let stopped = readings
        .iter()
        .find_map(|name| work.judge.stopped_game(name))?;
    let knows = stopped
        .so_far()
        .is_none_or(|game| answers(work, game, from));
    let keeper = &work.judge.settings.keeper;
    knows.then(|| Refusal::from(stopped.sentence(keeper)))
}

/// What is said of a name, at a sign-on, that no game has; `readings` is what the word may mean.
pub(crate) fn no_game_to_play(work: &Work, from: &str, name: &str, readings: &[String]) -> Refusal {
    if let Some(refused) = stands_still(work, from, readings) {
        return refused;
    }
    let hint = hint(work, from, readings);
    Refusal::from(format!(
        "There is no game '{name}' here.{hint} LIST shows the games; CREATE ?{name} password starts a new one."
    ))
}

/// What is said of it to who would watch.
pub(crate) fn no_game_to_watch(
    work: &Work,
    from: &str,
    name: &str,
    readings: &[String],
) -> Refusal {
    if let Some(refused) = stands_still(work, from, readings) {
        return refused;
    }
    let hint = hint(work, from, readings);
    Refusal::from(format!("There is no game '{name}' on this judge.{hint}"))
}

/// What is said of it to who asks for something of the game.
pub(crate) fn no_game_to_look_at(work: &Work, from: &str, name: &str) -> Refusal {
    let readings = [name.to_owned()];
    if let Some(refused) = stands_still(work, from, &readings) {
        return refused;
    }
    let hint = hint(work, from, &readings);
    Refusal::from(format!(
        "There is no game '{name}' on this judge that you may look at.{hint}  Send LIST for the games there are."
    ))
}

/// How alike a name and what was written must be, from 0 to 1, for the name to be meant: one letter in four may be wrong.
pub(crate) const ALIKE: f64 = 0.74;

/// The question about the game that may have been meant.
fn hint(work: &Work, from: &str, readings: &[String]) -> String {
    let meant = meant(work, from, readings);
    let question = meant.map(|name| format!("  Did you mean '{name}'?"));
    [question, elsewhere(work)].into_iter().flatten().collect()
}

/// Which other judges there are.
fn elsewhere(work: &Work) -> Option<String> {
    let settings = &work.judge.settings;
    let (name, others) = (&settings.name, and_list(&settings.others));
    (!others.is_empty()).then(|| format!("  This judge is {name}; other games are at {others}."))
}

/// The game that may have been meant: of those that everybody can read of in LIST, and the sender's own.
pub(crate) fn meant<'w>(work: &'w Work, from: &str, readings: &[String]) -> Option<&'w str> {
    let likeness = |game: &Game| {
        let alike = |word: &String| {
            strsim::normalized_damerau_levenshtein(&game.name, &word.to_lowercase())
        };
        readings.iter().map(alike).fold(0.0, f64::max)
    };
    work.judge
        .games()
        .filter(|game| {
            let listed = game.settings.list || planted(Leak::Hint);
            (listed && !game.over()) || sits(work, game, from)
        })
        .map(|game| (likeness(game), &game.name))
        .filter(|(likeness, _)| (ALIKE..1.0).contains(likeness))
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name.as_str())
}
