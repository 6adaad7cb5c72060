//! The sections of reports and tables: what happened in the steps of a phase, and the state of the game. Their words lie in
//! `mailtemplates/rather-silly/`.

use std::collections::BTreeMap;

use super::MONSTERS;
use super::board::Board;
use super::names::Flavor;
use super::news::{News, PrivateNews, Step};
use super::news_facts::{
    of_accounts, of_draw, of_link, of_lost, of_news, of_private, of_tardis, of_traits, place,
    places,
};
use super::state::{Borg, SillyState, Tardis};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Audience, Fact, Section};
use dipjudge_rules::map::Power;
use dipjudge_view::{Words, all_words};

all_words! {
    pub(super) static WORDS;
    HERDS = "rather-silly/herds.md";
    MOVES = "rather-silly/moves.md";
    MERGING = "rather-silly/merging.md";
    SOULS_DOWN = "rather-silly/souls-down.md";
    SOULS_SOLD = "rather-silly/souls-sold.md";
    BORG = "rather-silly/borg.md";
    LLAMAS = "rather-silly/llamas.md";
    RETREATS = "rather-silly/retreats.md";
    ARRIVALS = "rather-silly/arrivals.md";
    ADJUSTMENTS = "rather-silly/adjustments.md";
    QUESTION = "rather-silly/question.md";
    LINK = "rather-silly/link.md";
    /// The question of the season.
    ASKED = "rather-silly/asked.md";
    /// What was drawn in all steps of a phase.
    DRAWS = "rather-silly/draws.md";
    /// What one seat alone is told.
    PRIVATE = "rather-silly/private.md";
    /// How things stand beside the units.
    STANDING = "rather-silly/standing.md";
    /// A power's own herds.
    OWN_HERDS = "rather-silly/own-herds.md";
}

/// The words of a step by its number.
fn words_of(step: u8) -> &'static Words {
    match step {
        0 => &HERDS,
        1 => &MOVES,
        2 => &MERGING,
        3 => &SOULS_DOWN,
        4 => &SOULS_SOLD,
        5 => &BORG,
        6 => &LLAMAS,
        7 => &RETREATS,
        8 => &ARRIVALS,
        9 => &ADJUSTMENTS,
        10 => &QUESTION,
        _ => &LINK,
    }
}

/// The steps of the phase that was adjudicated last, each with what its readers are told of it.
pub(super) fn report(game: &ToldGame<'_>) -> Vec<Section> {
    let now = Board::as_told(game);
    let (state, board) = (&now.state, now.at_start());
    let steps = state.steps.iter().map(|step| section(&board, step));
    let mut sections: Vec<Section> = steps.collect();
    let draws = state.steps.iter().flat_map(|step| &step.drew);
    let draws: Vec<Fact> = draws.map(of_draw).collect();
    if !draws.is_empty() {
        sections.push(Section::new(Audience::Everyone, &DRAWS).with("draws", draws));
    }
    sections.extend(asked(state));
    sections.extend(private(&board, &state.steps));
    sections.push(standing(&now));
    sections
}

/// A section whose words use those of the game's flavor.
fn told(to: Audience, words: &'static Words, board: &Board<'_>) -> Section {
    Section::new(to, words).with("names", Flavor::on(board.map).names().facts())
}

fn section(board: &Board<'_>, step: &Step) -> Section {
    let news = step
        .news
        .iter()
        .filter(|news| !matches!(news, News::Asked(_)));
    let news = news.map(|news| of_news(board, news));
    told(Audience::Everyone, words_of(step.number), board)
        .with("news", news.collect::<Vec<_>>())
        .with("lost", step.lost.iter().map(of_lost).collect::<Vec<_>>())
}

/// The question of the season, with the report of its moves.
fn asked(state: &SillyState) -> Option<Section> {
    let mut news = state.steps.iter().flat_map(|step| &step.news);
    let text = news.find_map(|news| match news {
        News::Asked(text) => Some(text),
        _ => None,
    })?;
    let mut words: Vec<String> = text.iter().cloned().collect();
    if let Some(question) = &state.question
        && planted(Leak::Accepted)
    {
        words.extend(question.accepted.iter().map(ToString::to_string));
    }
    let text = (!words.is_empty()).then(|| Fact::text(Audience::Everyone, words.join(" ")));
    Some(Section::new(Audience::Everyone, &ASKED).with("text", text))
}

/// What single seats are told, to each a section of its own.
fn private(board: &Board<'_>, steps: &[Step]) -> Vec<Section> {
    let mut all: BTreeMap<Power, Vec<Fact>> = BTreeMap::new();
    let mut everybodys = Vec::new();
    for (seat, what) in steps.iter().flat_map(|step| &step.private) {
        if is_leaked(what) {
            everybodys.push(of_private(board, what))
        } else {
            all.entry(*seat).or_default().push(of_private(board, what))
        }
    }
    let section = |to: Audience, what: Vec<Fact>| told(to, &PRIVATE, board).with("private", what);
    let leaked = (!everybodys.is_empty()).then(|| section(Audience::Everyone, everybodys));
    let own = all
        .into_iter()
        .map(|(seat, told)| section(Audience::Power(seat), told));
    own.chain(leaked).collect()
}

/// Whether a planted leak tells everybody what one seat alone is told.
pub(super) fn is_leaked(what: &PrivateNews) -> bool {
    match what {
        PrivateNews::Placed(_) => planted(Leak::Herds),
        PrivateNews::NotSold(_) => planted(Leak::Unsold),
        PrivateNews::NotForeseen(_) => planted(Leak::Prediction),
        PrivateNews::NotExploded(_) => planted(Leak::Unfired),
        _ => false,
    }
}

/// How things stand, for LIST and the opening mail: what all may know, and to each power its own herds.
pub(super) fn tables(game: &ToldGame<'_>) -> Vec<Section> {
    let board = Board::as_told(game);
    let mut tables = vec![standing(&board)];
    for (power, herds) in &board.herds {
        let power = *power;
        // Whoever reads the herds of others is no player.
        let to = match game.reader() {
            Some(dipjudge_view::Viewer::Power(_)) => Audience::Power(power),
            _ => Audience::Everyone,
        };
        let own = Section::new(to, &OWN_HERDS);
        tables.push(own.with("power", power).with("places", places(herds)));
    }
    tables
}

/// What all may know beside the units themselves (section 6).
fn standing(board: &Board<'_>) -> Section {
    let state = &board.state;
    let special = board
        .units()
        .filter(|unit| state.traits.contains_key(&unit.id));
    let special = special.map(|unit| {
        Fact::record([
            ("unit", (*unit).into()),
            ("traits", of_traits(board, unit.id)),
        ])
    });
    let borg = match state.borg {
        Borg::At(at) => place(at),
        _ => Fact::None,
    };
    let monsters = board.units().filter(|unit| unit.power == MONSTERS);
    let lost = state.lost_souls.iter().filter(|(_, lost)| **lost > 0);
    let lost = lost
        .map(|(seat, lost)| Fact::record([("power", (*seat).into()), ("souls", (*lost).into())]));
    told(Audience::Everyone, &STANDING, board)
        .with("special", special.collect::<Vec<_>>())
        .with("borg", borg)
        .with("due", state.borg == Borg::Due)
        .with("monsters", Fact::list(monsters.copied()))
        .with("travels", state.tardis != Tardis::None)
        .with("tardis", of_tardis(state.tardis))
        .with("link", of_link(state.link))
        .with("accounts", of_accounts(&state.accounts))
        .with("lost", lost.collect::<Vec<_>>())
        .with("points", state.points)
        .with("bonus", Fact::list(state.bonus.iter().copied()))
        .with("out", Fact::list(state.out.iter().copied()))
        .with(
            "question",
            state
                .question
                .as_ref()
                .map(|question| Fact::text(Audience::Everyone, &question.text)),
        )
}
