//! Lines that are commands of the game's variant (`game::VariantCommand`): parsed by its grammar, decided, and told to
//! others.

use crate::orders::acceptance;
use crate::work::acting::{Acting, Refusal, refuse};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, Recipient};
use dipjudge_commands::due::Due;
use dipjudge_commands::mail_reader::TextEnd;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::Verb;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::parse_error::{ParseError, ParseReason};
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_commands::prose::sentences;
use dipjudge_game::flows::given;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::Roster;
use dipjudge_game::{
    Audience, CommandEffects, CommandInput, Event, LongLine, Notification, Role, SeatChange,
    VariantAct, VariantCommand, VariantGame,
};
use dipjudge_grammar::{Line, Value};
use dipjudge_mails::outbound::{self, Block, Document};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// The sentences that answer a command of the variant, or its refusal.
pub(crate) type LineAnswer = Result<Vec<String>, Refusal>;

/// The names that the writer may use, whether he has signed on or not.
fn names(work: &GameWork, acting: Option<Acting>) -> Names {
    let game = work.game();
    let viewer = acting.map_or(Viewer::Stranger, |acting| {
        work.reader(acting.recipient()).viewer
    });
    let roster = VariantGame::new(game, work.variant())
        .seen_by(viewer)
        .roster();
    Names::shared(game.map(), roster)
}

/// A command of the variant in a line, or the error if its words name nobody whom the sender may address.
type Read = (Result<Line, ParseError>, &'static VariantCommand);

/// The commands of the variant that a line contains; empty if it contains anything else.
fn read(work: &GameWork, acting: Option<Acting>, text: &str) -> Vec<Read> {
    let (game, variant) = (work.game(), work.variant());
    let rows = variant.card().commands;
    if rows.is_empty() {
        return Vec::new();
    }
    let names = names(work, acting);
    // A forming game is in no phase, so only lines of the variant can be parsed.
    let due = if game.begun() {
        Due::in_phase(&game.phase)
    } else {
        Due::own_lines()
    };
    let lines = read_orders_by(grammar_of(variant), text, due, &names);
    let row = |rule: &str| rows.iter().find(|row| row.rule == rule);
    let own = lines.into_iter().map(|words| match words {
        Ok(words) => match words.verb {
            Verb::Own(line) => {
                let row = row(&line.rule)?;
                Some((Ok(line), row))
            }
            _ => None,
        },
        Err(error) => match &error.reason {
            ParseReason::NoContact { own: Some(own), .. } => {
                let row = row(own)?;
                Some((Err(error), row))
            }
            _ => None,
        },
    });
    own.collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Where a text that spans several lines of a mail ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextUntil {
    /// The grammar rule of the line that ends it.
    rule: &'static str,
    /// The long order line that it belongs to, if any.
    long: Option<&'static LongLine>,
}

impl TextUntil {
    /// Whether the text ends before this line.
    pub(crate) fn ended_by(
        self,
        work: &GameWork,
        acting: Option<Acting>,
        line: &str,
    ) -> Option<TextEnd> {
        if is_read_as(work, acting, line, self.rule) {
            return Some(TextEnd::Followed);
        }
        let mut rules = self.long?.broken_by.iter();
        let broken = begins_a_field(line) || rules.any(|rule| is_read_as(work, acting, line, rule));
        broken.then_some(TextEnd::Broken)
    }
}

/// Whether a line begins like a field of a form: one to three words, then a colon and a space.
fn begins_a_field(line: &str) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '-');
    matches!(words.len(), 1..=3)
        && words.iter().all(is_word)
        && (value.is_empty() || value.starts_with(char::is_whitespace))
}

/// Where the text that a line begins ends, if it spans several lines: a command of the variant that is followed by a
/// text, or a long line.
pub(crate) fn opens_until(
    work: &GameWork,
    acting: Option<Acting>,
    text: &str,
) -> Option<TextUntil> {
    if let Some(long) = long_line(work, acting, text) {
        return Some(TextUntil {
            rule: long.until,
            long: Some(long),
        });
    }
    let commands = work.variant().card().commands;
    if !commands.iter().any(|row| row.text_until.is_some()) {
        return None;
    }
    let rows = read(work, acting, text).into_iter().map(|(_, row)| row);
    let rule = rows.filter_map(|row| row.text_until).next()?;
    Some(TextUntil { rule, long: None })
}

/// The long line of the game's variant that this line begins.
pub(crate) fn long_line(
    work: &GameWork,
    acting: Option<Acting>,
    text: &str,
) -> Option<&'static LongLine> {
    let by = acting.and_then(|acting| acting.power)?;
    let mut long = work.variant().card().long_lines.iter();
    long.find(|long| long.by == by && is_read_as(work, acting, text, long.rule))
}

/// A long line that stands on one line of the mail with what follows it, parted before that: `QUESTION: What is the capital of Peru?
/// ACCEPT: Lima`.
pub(crate) fn parted_long_line<'l>(
    work: &GameWork,
    acting: Option<Acting>,
    line: &'l str,
    long: &LongLine,
) -> Option<(&'l str, &'l str)> {
    let behind = sentences(line).into_iter().skip(1);
    let starts = behind.filter_map(|sentence| line.rfind(sentence));
    let mut parts = starts.filter_map(|start| line.split_at_checked(start));
    parts.find(|(_, tail)| is_read_as(work, acting, tail, long.until))
}

/// Whether the given rule of the variant parses this line.
fn is_read_as(work: &GameWork, acting: Option<Acting>, text: &str, rule: &str) -> bool {
    let names = names(work, acting);
    let lines = read_orders_by(grammar_of(work.variant()), text, Due::own_lines(), &names);
    lines.iter().any(|words| {
        let own = words.as_ref().map(|words| &words.verb);
        matches!(own, Ok(Verb::Own(line)) if line.rule == rule)
    })
}

/// Executes a line that consists of commands of the variant, with the text after it. Returns `None` if the line is
/// something else, or contains a command that this sender cannot mean.
pub(crate) fn take(
    work: &mut GameWork,
    acting: Acting,
    line: &str,
    text: &str,
) -> Option<Vec<LineAnswer>> {
    let commands = read(work, Some(acting), line);
    let meant = |(_, row): &Read| match row.act {
        // Once the game has begun, such a line is parsed as an order and refused in the variant's words.
        VariantAct::Seat(_) => !work.game().begun() && !work.game().over(),
        VariantAct::SeatThenPower { .. } => !work.game().over(),
        VariantAct::Power { .. } | VariantAct::Master(_) => work.game().begun(),
    };
    if commands.is_empty() || !commands.iter().all(meant) {
        return None;
    }
    let said = commands.iter().map(|(line, row)| match line {
        Ok(line) => carry_out(work, acting, row, &CommandInput { line, text }),
        Err(error) => refuse(vec![error.to_string()]),
    });
    Some(said.collect())
}

/// If the sender has contacts of his own, an action on others must be for them.
fn names_himself(line: &Line, roster: &Roster) -> Option<PowerListError> {
    let own = roster.own_contacts()?;
    let named = line.values().contains(&&Value::Power(own.himself));
    named.then_some(PowerListError::Himself(own.noun))
}

fn carry_out(
    work: &mut GameWork,
    acting: Acting,
    row: &VariantCommand,
    given: &CommandInput,
) -> LineAnswer {
    let game = work.game();
    let role = game.seat(acting.seat).map(|seat| seat.role);
    let only = |who: &str| refuse(format!("{} is for {who}.", row.name()));
    match row.act {
        VariantAct::Seat(read) | VariantAct::SeatThenPower { seat: read, .. } if !game.begun() => {
            if role != Some(Role::Player) {
                return only("players");
            }
            let joining = read(given.line, game, acting.seat)?;
            work.emit(Event::SeatChanged {
                seat: acting.seat,
                change: SeatChange::Brings(joining.brings),
            });
            Ok(joining.said)
        }
        VariantAct::Seat(_) => only("players before the start"),
        VariantAct::Power { decide, carry_out }
        | VariantAct::SeatThenPower {
            decide, carry_out, ..
        } => {
            let Some(power) = acting.power else {
                return only("those who lead a power");
            };
            if let Some(why) = acceptance::closed(game, work.variant(), power) {
                return refuse(vec![why]);
            }
            let roster = work.roster(acting.recipient());
            if let Some(error) = names_himself(given.line, &roster) {
                return refuse(error.to_string());
            }
            let own = work.take_sight(power, work.lines_of());
            let decided = decide(given, &own.sight);
            work.keep_sight(own);
            let mut decided = decided?;
            let game = work.game();
            let happened = carry_out(game, power, &decided.act, game.dice());
            decided.said.extend(happen(work, acting, happened));
            Ok(decided.said)
        }
        VariantAct::Master(act) => {
            if role != Some(Role::Master) || acting.power.is_some() {
                return only(&format!("the Master of '{}'", game.name));
            }
            let mut ruled = act(given, game, game.dice())?;
            ruled.said.extend(happen(work, acting, ruled.happened));
            Ok(ruled.said)
        }
    }
}

/// Applies the effects of a line. Returns what the sender reads of them in the reply.
pub(crate) fn happen(
    work: &mut GameWork,
    acting: Acting,
    mut happened: CommandEffects,
) -> Vec<String> {
    for event in happened.events {
        work.emit(event);
    }
    let sender = acting.recipient();
    work.give_labels(&[sender]);
    introduce(work, acting, &happened.told);
    // A reader's mail lists them in the order of his own labels, not of the powers' numbers.
    happened
        .told
        .sort_by_cached_key(|told| in_words_of_reader(work, told));
    for told in happened.told {
        // What is for the sender's power itself goes in a mail of its own, which stays with the power when its leader
        // leaves.
        let himself = acting.power.map(Audience::Power);
        let actor = (himself.as_ref() != Some(&told.to)).then_some(acting.seat);
        let reads = |work: &GameWork, to: Recipient| {
            let viewer = work.reader(to).viewer;
            planted(Leak::Told) || work.variant_game().seen_by(viewer).hears(&told.to)
        };
        let shown = told.sight_of.into_iter();
        let shown: Vec<Power> = shown
            .flat_map(|of| work.variant_game().powers_in_sight_of(of))
            .collect();
        for to in work.everyone() {
            if Some(to.seat) != actor && reads(work, to) {
                work.introduce(to, &shown);
            }
        }
        work.tell_each(
            actor,
            |work, to| {
                let subject = work.sentence(to, &told.subject);
                reads(work, to).then_some(subject)
            },
            |work, to| {
                let line = |sentence| Block::from(work.sentence(to, sentence));
                let lines = told.lines.iter().map(line);
                reads(work, to).then(|| {
                    let shown = sight(work, to, told.sight_of);
                    Document(lines.chain(shown.unwrap_or_default().0).collect())
                })
            },
        );
        if told.shows_board {
            work.show_board(reads);
        }
        if let (Some(of), Audience::Power(to)) = (told.sight_of, &told.to)
            && of != *to
        {
            work.show_given_map(of, *to);
        }
    }
    let said = happened.said.iter();
    said.map(|sentence| work.sentence(sender, sentence))
        .collect()
}

/// The sort key of what one power is told: first the powers that it meets, by its labels; then maps, by the labels of
/// the powers that give them.
fn in_words_of_reader(work: &GameWork, told: &Notification) -> (bool, String) {
    let Audience::Power(reader) = told.to else {
        return (false, String::new());
    };
    let labels = work.variant_game().seen_by(Viewer::Power(reader)).labels();
    let whom = told.sight_of.or(told.introduces.first().copied());
    let label = whom.map(|whom| labels.name(whom).to_owned());
    (told.sight_of.is_some(), label.unwrap_or_default())
}

/// Gives each reader labels for the powers that he is told of. All powers that one mail introduces are labelled in the
/// order in which the reader sees them, not in the order of the events.
fn introduce(work: &mut GameWork, acting: Acting, all: &[Notification]) {
    for to in work.everyone() {
        let viewer = work.reader(to).viewer;
        let own = acting.power.is_some() && acting.power == to.power;
        let (game, variant) = (work.game(), work.variant());
        let read = all.iter().filter(|told| {
            let by_name = matches!(told.to, Audience::Power(_));
            (to.seat != acting.seat || (own && by_name))
                && (planted(Leak::Told)
                    || VariantGame::new(game, variant)
                        .seen_by(viewer)
                        .hears(&told.to))
        });
        let introduced = read.flat_map(|told| told.introduces.iter().copied());
        let introduced = VariantGame::new(game, variant)
            .seen_by(viewer)
            .arranged(introduced.collect());
        work.introduce(to, &introduced);
    }
}

/// What a power sees, in the labels of the reader.
fn sight(work: &GameWork, to: Recipient, of: Option<Power>) -> Option<Document> {
    let viewer = work.reader(to).viewer;
    let (game, variant) = (work.game(), work.variant());
    let seen = match of? {
        own if viewer == Viewer::Power(own) => {
            VariantGame::new(game, variant).position_in_sight(own)?
        }
        other => given(|| {
            let reader = VariantGame::new(game, variant).seen_by(viewer);
            reader.position_in_sight_of(other)
        })?,
    };
    outbound::position_section(&work.templates(), &seen).or_logged()
}
