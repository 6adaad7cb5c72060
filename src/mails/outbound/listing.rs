//! LIST, SUMMARY, HISTORY, WHOGAME and REGISTER: texts inside a reply (`judge-workflow.md` 6.8, 6.9), for `Answer::show`.

use serde_json::{Value, json};

use super::sections::section_fields;
use super::tables::position;
use super::wrap::{WIDTH, pad, wrap_line};
use super::{
    Document, RenderError, Side, Table, Templates, clock_words, fixed_tables, player_words,
};
use dipjudge_view::{
    ListedGame, ListedPerson, Listing, Moment, ParameterBlock, Summary, and_list, columns,
};

/// LIST: public games, a few lines each.
pub fn list_brief(templates: &Templates, games: &[ListedGame]) -> Result<Document, RenderError> {
    let fields = json!({ "games": listed(games).field() });
    Ok(templates.fill("list-brief.md", fields)?.document)
}

/// Games, a line each, with comment and state of each below it.
fn listed(games: &[ListedGame]) -> Document {
    if games.is_empty() {
        return Document::default();
    }
    let mut lines = vec![
        "Name              Phase    Variant/Options".to_owned(),
        "---------------   ------   ---------------".to_owned(),
    ];
    let mut rows = Vec::new();
    for game in games {
        let comment = game.comment.as_deref().map(one_line);
        let (name, phase) = (pad(&game.name, 18), pad(&game.phase, 9));
        lines.push(format!("{name}{phase}{}", game.options));
        lines.extend(comment.iter().map(|comment| format!("{:20}{comment}", "")));
        lines.extend(game.state.iter().map(|state| format!("{:21}{state}", "")));
        let about = [Some(game.options.clone()), comment, game.state.clone()];
        let about: Vec<String> = about.into_iter().flatten().collect();
        rows.push(vec![
            game.name.clone(),
            game.phase.clone(),
            about.join("\n"),
        ]);
    }
    let columns = [
        (columns::GAME, Side::Left),
        (columns::PHASE, Side::Left),
        (columns::OPTIONS, Side::Left),
    ];
    Document::fixed_lines(lines.join("\n"), Table::new(&columns, rows))
}

/// LIST game: everything about one game that the reader may know.
pub fn list_full(templates: &Templates, listing: &Listing) -> Result<Document, RenderError> {
    let told = section_fields(templates, &listing.tables)?;
    let fields = json!({
        "name": listing.name,
        "number": listing.number,
        "phase": listing.phase,
        "state": listing.state,
        "deadline": listing.deadline.as_ref().map(ToString::to_string),
        "sign_up": listing.sign_up.as_ref().map(ToString::to_string),
        "start": listing.start.as_ref().map(ToString::to_string),
        "all_in": listing.all_in,
        "information": listing.information.as_deref().map(|text| player_words(text).field()),
        "parameters": parameter_block(templates, &listing.parameters)?.field(),
        "disclosed": listing.disclosed,
        "beginners": listing.beginners,
        "hides_existence": listing.hides_existence,
        "people": people(&listing.people).field(),
        "title": listing.title.as_ref().map(|title| json!({
            "kind": title.kind,
            "turn": title.turn,
            "number": title.number,
        })),
        "units": fixed_tables::units(position(&listing.units), &listing.units).field(),
        "owners": listing.centers.as_ref().map(|table| fixed_tables::ownership(table).field()),
        "counts": listing.centers.as_ref().map(|table| fixed_tables::counts(table).field()),
        "tables": told.fields,
    });
    Ok(templates.fill("list-full.md", fields)?.document)
}

/// The players and their standing.
fn people(people: &[ListedPerson]) -> Document {
    let lines: Vec<String> = people.iter().map(person_line).collect();
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let row = |person: &ListedPerson| {
        vec![
            person.role.clone(),
            format!("{} {}", person.status, person.strength)
                .trim()
                .to_owned(),
            number(person.late.map(i64::from)),
            number(person.dedication),
            person.called.clone(),
        ]
    };
    let columns = [
        (columns::POWER, Side::Left),
        (columns::STATUS, Side::Left),
        (columns::LATE, Side::Right),
        (columns::DEDICATION, Side::Right),
        (columns::PLAYER, Side::Left),
    ];
    let rows = people.iter().map(row).collect();
    Document::fixed_lines(
        lines.join("\n"),
        Table::new(&columns, rows).without_empty_columns(),
    )
}

/// `   Austria    move    3/3        6 anna@ex.org`: role, status, units and centers, how often late, dedication.
fn person_line(person: &ListedPerson) -> String {
    let number = |n: Option<i64>, width: usize| match n {
        Some(n) => format!("{n:>width$}"),
        None => " ".repeat(width),
    };
    let line = format!(
        "   {}{}{}{}{} {}",
        pad(&person.role, 11),
        pad(&person.status, 8),
        pad(&person.strength, 6),
        number(person.late.map(i64::from), 2),
        number(person.dedication, 4),
        person.called
    );
    line.trim_end().to_owned()
}

/// The parameters of a game, as LIST, SUMMARY and notices of a changed timing show them.
pub fn parameter_block(
    templates: &Templates,
    parameters: &ParameterBlock,
) -> Result<Document, RenderError> {
    let fields = json!({
        "phases": phases(parameters).field(),
        "access": parameters.access,
        "variant": parameters.variant,
        "flags": parameters.flags,
        "xflags": parameters.xflags,
        "press": parameters.press,
        "assignment": parameters.assignment,
        "winning": parameters.winning.to_string(),
        "winning_by": capitalized(&parameters.winning_by),
        "index": parameters.index.map(|index| index.to_string()),
        "own": parameters.own.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
    });
    Ok(templates.fill("parameters.md", fields)?.document)
}

/// `Centers`
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// The clocks of the phases: in words, and in plain text below them in columns, which are fixed, since tools read them.
fn phases(parameters: &ParameterBlock) -> Document {
    let words = clock_words::in_words(&parameters.phases, &parameters.zone);
    let mut lines = wrap_line(&format!("  {words}"), WIDTH, 4);
    let mut rows = Vec::new();
    for phase in &parameters.phases {
        let clock = format!(
            "clock {:>4} min {:>5} next {:>6} grace {:>6} delay {} days {}",
            phase.clock, phase.min, phase.next, phase.grace, phase.delay, phase.days
        );
        lines.push(format!("  {}{clock}", pad(&phase.kind, 8)));
        rows.push(vec![phase.kind.clone(), one_line(&clock)]);
    }
    let mut html = Document::from(words);
    html.append(fixed_tables::name_value_table(rows).into());
    Document::fixed_lines(lines.join("\n"), html)
}

/// The days and hours of deadlines, and how long phases are, in a sentence.
pub fn rhythm(parameters: &ParameterBlock) -> String {
    clock_words::in_words(&parameters.phases, &parameters.zone)
}

/// SUMMARY.
pub fn summary(templates: &Templates, summary: &Summary) -> Result<Document, RenderError> {
    let width = summary
        .players
        .iter()
        .map(|player| player.name.chars().count() + 3)
        .max()
        .unwrap_or(0);
    // `Master:        `, or as wide as `Jedi Knights (JED):` needs it.
    let roles = summary
        .players
        .iter()
        .map(|player| player.role.chars().count());
    let roles = roles.max().unwrap_or(0).max(13) + 2;
    let players = summary.players.iter().map(|player| {
        let role = if player.role.is_empty() {
            String::new()
        } else {
            format!("{}:", player.role)
        };
        let since = player
            .since
            .as_ref()
            .map(|phase| format!(" ({phase})"))
            .unwrap_or_default();
        let line = format!(
            "  {}{}{}{since}",
            pad(&role, roles),
            pad(&player.name, width),
            player.address
        );
        line.trim_end().to_owned()
    });
    let rows = summary.players.iter().map(|player| {
        let since = player.since.as_ref().map(|phase| format!(" ({phase})"));
        let address = format!("{}{}", player.address, since.unwrap_or_default());
        vec![player.role.clone(), player.name.clone(), address]
    });
    let fields = json!({
        "name": summary.name,
        "through": summary.through,
        "players": Document::fixed_lines(players.collect::<Vec<_>>().join("\n"), Table::new(&[("", Side::Left); 3], rows.collect())).field(),
        "parameters": parameter_block(templates, &summary.parameters)?.field(),
        "started": summary.started.as_ref().map(Moment::plain),
        "ended": summary.ended.as_ref().map(|(how, when)| json!({ "how": how, "when": when.plain() })),
        "ownership": if summary.ownership.is_empty() { None } else { Some(fixed_tables::ownership_history(summary).field()) },
        "indexed": !summary.index.is_empty(),
        "counts": if summary.years.is_empty() { None } else { Some(fixed_tables::count_history(summary).field()) },
    });
    Ok(templates.fill("summary.md", fields)?.document)
}

impl HistoryEntry {
    /// The fields for templates.
    pub(super) fn fields(&self) -> Value {
        self.fields_with(Document::verbatim(self.body.trim_end_matches('\n')))
    }

    /// As [`HistoryEntry::fields`], with a body that was checked when it was sent.
    pub(super) fn checked_fields(&self) -> Value {
        self.fields_with(Document::verbatim(self.body.trim_end_matches('\n')).checked())
    }

    fn fields_with(&self, body: Document) -> Value {
        json!({
            "date": format!("{} ({})", self.at.plain(), self.at.at().as_second()),
            "subject": self.subject,
            "body": body.field(),
        })
    }
}

/// HISTORY: what observers got in a span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The name of the game.
    pub game: String,
    /// The beginning of the time asked for.
    pub from: Moment,
    /// The end of the time asked for.
    pub through: Moment,
    /// The mails, in the order of time.
    pub entries: Vec<HistoryEntry>,
    /// Why it ends.
    pub end: HistoryEnd,
}

/// One mail of HISTORY.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// When it was sent.
    pub at: Moment,
    /// The subject that it had.
    pub subject: String,
    /// The body that observers got.
    pub body: String,
}

/// Why a HISTORY ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryEnd {
    /// There is no more.
    Information,
    /// The limit of lines was reached.
    LineLimit,
    /// The time asked for ends here, but more was sent since.
    TimeRange,
}

/// HISTORY: `Date:` and `Subject:` on adjoining lines before each mail.
pub fn history(templates: &Templates, history: &History) -> Result<Document, RenderError> {
    let fields = json!({
        "game": history.game,
        "from": history.from.to_string(),
        "through": history.through.to_string(),
        "entries": history.entries.iter().map(HistoryEntry::fields).collect::<Vec<_>>(),
        "end": match history.end {
            HistoryEnd::Information => "end of information",
            HistoryEnd::LineLimit => "line limit exceeded",
            HistoryEnd::TimeRange => "time range exhausted",
        },
    });
    Ok(templates.fill("history.md", fields)?.document)
}

/// One person of WHOGAME: name, country and level; without a person only the role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The power's name, or `Master`, `Player`, `Observer`.
    pub role: String,
    /// The address, or the name for readers outside the game; `None` if people are hidden from the reader, and then the other
    /// fields are `None` too.
    pub called: Option<String>,
    /// The number of the user.
    pub user: Option<u32>,
    /// As registered; `None` if nobody may be shown.
    pub name: Option<String>,
    /// As registered; `None` if not given.
    pub country: Option<String>,
    /// `Novice`, `Amateur`, `Advanced`, `Expert`.
    pub level: Option<String>,
}

/// WHOGAME.
pub fn whogame(
    templates: &Templates,
    game: &str,
    people: &[Person],
) -> Result<Document, RenderError> {
    let fields = json!({
        "game": game,
        "people": people.iter().map(|person| json!({
            "role": person.role,
            "called": person.called,
            "user": person.user.map(|user| user.to_string()),
            "name": person.name,
            "country": person.country,
            "level": person.level,
        })).collect::<Vec<Value>>(),
    });
    Ok(templates.fill("whogame.md", fields)?.document)
}

/// What a registration did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It added a person.
    Added,
    /// It replaced what was known of a person.
    Replaced,
}

/// What the mail of a registration goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Nothing that joins a game.
    ByNoSignOn,
    /// A sign-on.
    BySignOn,
}

/// The answer to REGISTER; `dropped` are the names of the lines of the form that are not kept.
pub fn user_registered(
    templates: &Templates,
    name: &str,
    address: &str,
    registration: Registration,
    followed: Followed,
    dropped: &[String],
) -> Result<Document, RenderError> {
    let fields = json!({
        "name": one_line(name),
        "address": address,
        "joins": followed == Followed::BySignOn,
        "replaced": registration == Registration::Replaced,
        "dropped": if dropped.is_empty() { None } else { Some(and_list(dropped)) },
    });
    Ok(templates.fill("user-registered.md", fields)?.document)
}

/// What a newcomer is told.
#[derive(Clone, Copy, Debug)]
pub struct Newcomer<'a> {
    /// The judge's name.
    pub judge: &'a str,
    /// Games that wait for players.
    pub games: &'a [ListedGame],
    /// The game that he is offered at the end of the answer.
    pub meant: Option<&'a str>,
    /// Whether he may choose another of these games.
    pub others: bool,
    /// Whether there are more games than these.
    pub more: bool,
}

/// The screen for somebody who is in no game and has asked for nothing that the judge knows.
///
/// # Errors
/// If neither the keeper's template nor the default can be filled.
pub fn newcomer(templates: &Templates, newcomer: &Newcomer<'_>) -> Result<Document, RenderError> {
    let state = |game: &ListedGame| game.state.clone().filter(|state| !state.is_empty());
    let variant = |game: &ListedGame| game.options.split(", ").next().map(str::to_owned);
    let lines = newcomer.games.iter().map(|game| {
        let about = [variant(game), state(game)];
        let about: Vec<String> = about.into_iter().flatten().collect();
        format!("  {}{}", pad(&game.name, 16), about.join(".  "))
    });
    let lines: Vec<String> = lines.collect();
    let fields = json!({
        "judge": newcomer.judge,
        "games": if lines.is_empty() { Document::default() } else { Document::verbatim(lines.join("\n")) }.field(),
        "meant": newcomer.meant,
        "others": newcomer.others,
        "more": newcomer.more,
    });
    Ok(templates.fill("newcomer.md", fields)?.document)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
