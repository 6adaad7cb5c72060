//! TRY and WHY: what orders would do, and why one came out as it did. Both are worked out from what the asker's power sees or read,
//! and nothing of either is stored.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::archived::templates;
use super::table::{Act, Command, Discloses, Page, everywhere};
use crate::orders::acceptance::fallen;
use crate::orders::meant::{Supposed, orders_supposed};
use crate::rates::CountKind;
use crate::session::Session;
use crate::session::reading::ReadStory;
use crate::work::GameWork;
use crate::work::acting::{Refusal, refuse};
use crate::work::own_sight::LinesOf;
use dipjudge_commands::command_reader::{command_of, rule_of_command};
use dipjudge_commands::consider;
use dipjudge_commands::due::Due;
use dipjudge_commands::mail_reader::Block;
use dipjudge_commands::mentions::provinces_in;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_clauses::supposed;
use dipjudge_commands::order_words::OrderWords;
use dipjudge_commands::orders::{grammar_of, heading_alone, read_orders_by, unit_in_question};
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_commands::slots::phases_named;
use dipjudge_game::project::{
    AskedUnit, NoReckoning, NotTriable, SaidSoFar, Trial, TriedBy, UnitRefused,
};
use dipjudge_game::{Phase, Pictures, Seed, Variant};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{self, Document, Picture, TrialNote};
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::orders::Action;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        rules: &["try"],
        examples: &["TRY"],
        act: Act::Text(try_orders),
        help: "TRY
    Orders from here to a line END TRY are only tried: they do not count, and
    you alone read what they would do, with a map. Write your own orders as
    usual, and what you suppose for others behind the name or letter of their
    power, such as F: A Par - Bur. Your other units keep the orders that you
    have sent; units of others without an order hold. You can try orders and
    ask WHY only so often in an hour.",
        tells: everywhere(Discloses::View),
        ..Command::BASE
    },
    Command {
        rules: &["end-try"],
        examples: &["END TRY"],
        act: Act::Line(|session, text, _| {
            let why = "There is no TRY above this line, so the orders above it were given and not only tried. CLEAR ORDERS takes them back.";
            session.fault(text, why);
        }),
        page: Page::None,
        ..Command::BASE
    },
    Command {
        rules: &["why"],
        examples: &["WHY A Edi", "Why did A Edi fail?"],
        act: Act::Line(why),
        help: "WHY unit
    Tells why the order of that unit had its result in the last phase of
    moves or retreats, from what your report told you, and the smallest change
    of orders that would have altered it: WHY A Edi. Name the place where the
    unit stood before it moved.",
        tells: everywhere(Discloses::View),
        ..Command::BASE
    },
];

/// A TRY that is never closed: the lines below it may have been meant as orders or not, so none counts.
const UNCLOSED: &str = "Your mail has a line TRY and no line END TRY below it, so nothing below TRY counts and nothing was tried. Send it again with END TRY below the orders to be tried; lines below END TRY count.";
/// The answer to somebody without a power who asks what orders would do.
const ONLY_LEADERS_TRY: &str = "Orders are tried for the leaders of powers alone.  The rule is that the stronger one enters, and that equals keep each other out; GET RULES.STANDARD brings all.";
/// The largest number of lines that are tried.
const MOST_LINES: usize = 200;
/// The answer to a question that the asker's report does not decide, whatever has decided it.
const UNDECIDED: &str = "What you saw does not decide it.";

fn try_orders(session: &mut Session, line: &str, block: &Block) {
    session.reply.wanted = true;
    if !block.closed {
        session.reply.notes.push(UNCLOSED.to_owned());
        return;
    }
    for_writer(session, |session| match tried(session, block) {
        Ok(Tried { faults, shown, map }) => {
            for LineFault { text, why } in faults {
                session.fault(&text, why);
            }
            session.show(shown);
            if let Some(map) = map {
                session.reply.illustrate_for_writer(map);
            }
        }
        Err(refused) => session.fault(line, refused),
    });
}

/// The most words that ask for orders to be tried.
const MOST_OF_WISH: usize = 8;

impl Session<'_, '_> {
    /// Answers a line that begins by what somebody wants to try: `I'd like to know what would happen if: I go to Burgundy.`
    pub(crate) fn answer_wish_to_try(&mut self, line: &str) -> bool {
        let first = sentences(line).into_iter().next().unwrap_or_default();
        if first.to_lowercase().contains("what would happen") && self.answer_what_if(line) {
            return true;
        }
        match asks_to_try(line) {
            Some(behind) => {
                self.try_rest_of_mail(line, behind);
                true
            }
            None => false,
        }
    }

    /// Tries what stands behind words that ask for it, and below them to the end of the mail, which is not read as orders: `Please try
    /// these:`
    fn try_rest_of_mail(&mut self, line: &str, behind: &str) {
        let own = self.mail.own_lines().map(|own| own.text.trim());
        let below = own.skip_while(|own| *own != line.trim()).skip(1);
        let lines = std::iter::once(behind).chain(below);
        let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
        let block = Block::of_lines("try", lines.collect());
        self.reading.stopped = true;
        try_orders(self, line, &block);
    }

    /// Answers `What would happen if Paris goes to Burgundy and Munich holds?` as TRY does, if the orders that it supposes are
    /// understood.
    pub(crate) fn answer_what_if(&mut self, question: &str) -> bool {
        self.make_names();
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(names), Some(open)) = (&self.reading.names, &mut self.open) else {
            return false;
        };
        let Some(power) = power else {
            let grammar = grammar_of(open.edit.variant);
            let named = supposed(grammar, question, names)
                .map(|supposed| provinces_in(grammar, supposed, names));
            let supposes = named.is_some_and(|named| named.len() > 1);
            if supposes {
                self.fault(question, ONLY_LEADERS_TRY);
            }
            return supposes;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let Supposed { lines, is_whole } = orders_supposed(&mut work, power, question, names);
        if lines.is_empty() {
            return false;
        }
        self.reading.helped.insert("try");
        // "What if I also attack Kiel?" supposes what was said before it, too.
        let goes_on = bare_words(question).any(|word| word.eq_ignore_ascii_case("also"));
        if !is_whole || goes_on {
            self.fault(question, "I did not understand all that you suppose, so nothing was tried.  Write all of it between these lines, with the orders of others behind the names of their powers:");
            self.print(format!("TRY\n{}\nEND TRY", lines.join("\n")));
            return true;
        }
        self.fault(
            question,
            "I tried these orders for you.  They count for nothing, and nobody else reads of them:",
        );
        self.print(lines.join("\n"));
        let block = Block::of_lines("try", lines);
        try_orders(self, question, &block);
        true
    }
}

/// What stands behind words that ask for orders to be tried: nothing, in `Please try it with these:`
fn asks_to_try(line: &str) -> Option<&str> {
    let (asks, behind) = line.split_once(':')?;
    let asks = asks.to_lowercase();
    let words: Vec<&str> = bare_words(&asks).collect();
    let leads = [
        "please", "pls", "can", "could", "you", "just", "ok", "and", "now", "then",
    ];
    let first = words.iter().find(|word| !leads.contains(word))?;
    let is_short = words.len() <= MOST_OF_WISH && *first == "try";
    is_short.then(|| behind.trim())
}

fn why(session: &mut Session, text: &str, line: &Line) {
    // "Why must I remove one? And who took Budapest?"
    let parts = sentences(text);
    if let [first, others @ ..] = parts.as_slice()
        && others.iter().any(|other| asks_anew(other))
        && parts.iter().all(|part| part.ends_with('?'))
        && let Some(asked) = command_of(first)
    {
        session.carry_out(first, &asked, &asked.rule);
        for other in others {
            // "Isn't Vienna mine?" goes on with the first.
            if asks_anew(other) && !session.answer_question(other) {
                session.leave_unread(other);
            }
        }
        return;
    }
    let words = line.text_of("asked-why").unwrap_or_default().to_owned();
    // "Why do I have three builds?" is about no unit.
    let about_centers = ["build", "remov", "center", "centre"];
    let words_of_text = text.to_lowercase();
    let about_centers = about_centers
        .iter()
        .any(|word| words_of_text.contains(word));
    if session.answer_closed_retreat(text)
        || about_centers && session.answer_builds(text)
        || session.answer_by_report(text)
    {
        return;
    }
    if (about_centers || !session.names_province(&words)) && session.answer_prose(text) {
        return;
    }
    // "Why did A Yor - Den fail in fall 1902?"
    let last = session.game().and_then(|game| {
        let last = game.last.as_ref()?;
        let card = variants::of(&game.variant).card();
        Some(card.phase_name(&last.phase, last.turn))
    });
    let mut named = phases_named(&session.with_phases_named(text));
    named.retain(|named| last.is_none_or(|last| last.in_mail() != *named));
    if !named.is_empty() {
        session.say(
            "WHY explains the last results alone; those of other phases say which orders failed.",
        );
        named
            .iter()
            .for_each(|phase| session.ask(text, &format!("HISTORY {phase}")));
        return;
    }
    for_writer(session, |session| match reckoned(session, &words) {
        Ok(said) => said.into_iter().for_each(|said| session.show(said)),
        Err(refused) => session.fault(text, refused),
    });
}

/// Whether a question begins with a word that asks.
fn asks_anew(question: &str) -> bool {
    const ASKS: [&str; 9] = [
        "who", "whom", "whose", "what", "when", "where", "which", "why", "how",
    ];
    let mut words = bare_words(question).map(str::to_lowercase);
    let first = words.find(|word| !["and", "but", "also", "so"].contains(&word.as_str()));
    first.is_some_and(|word| ASKS.contains(&word.as_str()))
}

/// Answers that only the writer of the mail reads, even if he acts as another's power.
fn for_writer(session: &mut Session, answer: impl FnOnce(&mut Session)) {
    let before = session.reply.answers.len();
    answer(session);
    let answers = before..session.reply.answers.len();
    session.reply.for_writer.extend(answers);
}

/// A line of a trial that was not taken as it stands.
struct LineFault {
    text: String,
    why: Vec<String>,
}

/// What is told of a trial.
struct Tried {
    faults: Vec<LineFault>,
    shown: Document,
    map: Option<Picture>,
}

/// Who asks: the leader of a power, or a master who acts as it.
struct TrySender {
    power: Power,
    by: TriedBy,
}

/// The asker, if he may ask and has not asked too often. It counts as one question.
fn sender_of_try(session: &mut Session) -> Result<TrySender, Refusal> {
    let acting = session.sender.acting;
    let Some(mut work) = session.in_game() else {
        return refuse("Sign on to a game first.");
    };
    let power = acting.and_then(|acting| acting.power).ok_or_else(|| {
        Refusal::from("Only the leader of a power can try its orders or ask WHY.")
    })?;
    let name = work.game().name.clone();
    if !work.game().begun() {
        return refuse(format!(
            "Game '{name}' has not begun, so it has no orders yet."
        ));
    }
    if let Some(why) = fallen(work.game(), work.variant(), power) {
        return refuse(why);
    }
    let by = match work.lines_of() {
        LinesOf::Leader => TriedBy::Leader,
        LinesOf::Master => TriedBy::Master,
    };
    let seat = acting.and_then(|acting| work.game().seat(acting.seat));
    let person = seat.map_or(0, |seat| seat.person.0);
    let account = format!("{name} person {person}");
    let most = work.judge.settings.limits.tries_per_hour;
    if work.counted(CountKind::Try, &account) >= most {
        return refuse(format!(
            "You have tried orders or asked WHY {most} times in this game within an hour, and that is the most. Try again later."
        ));
    }
    work.count(CountKind::Try, account, 1);
    work.give_labels_to(&[Viewer::Power(power)]);
    Ok(TrySender { power, by })
}

impl Session<'_, '_> {
    /// A seed of this mail's own; the seed of a game decides nothing that is only tried.
    fn seed_of_mail(&self) -> Seed {
        let mut hash = Sha256::new();
        hash.update(b"dipjudge try\n");
        hash.update(self.mail.content_key);
        Seed::new(hash.finalize().into())
    }
}

fn tried(session: &mut Session, block: &Block) -> Result<Tried, Refusal> {
    let asker = sender_of_try(session)?;
    if block.lines.len() > MOST_LINES {
        return refuse(format!("At most {MOST_LINES} lines are tried at once."));
    }
    session.make_names();
    let seed = session.seed_of_mail();
    let (Some(names), Some(edit)) = (&session.reading.names, session.edit()) else {
        return refuse("Sign on to a game first.");
    };
    if edit.game.over() {
        return refuse("The game is over, so there is nothing to try.");
    }
    let game = edit.variant_game();
    let trial = game
        .trial_for(asker.power, asker.by, seed)
        .map_err(|why| Refusal::from(not_triable(why)))?;
    let mut table = TrialTable {
        trial,
        variant: edit.variant,
        names,
        said: BTreeMap::new(),
        heading: None,
        faults: Vec::new(),
    };
    for line in &block.lines {
        table.take(line.trim());
    }
    let TrialTable { trial, faults, .. } = table;
    let result = trial.play().ok_or_else(|| {
        Refusal::from("These orders cannot be adjudicated, so they cannot be tried.")
    })?;
    let note = TrialNote {
        unseen: trial.is_bounded(),
        dice: result.used_dice(),
    };
    let texts = templates(&session.work, &edit.game);
    let shown = outbound::trial_section(&texts, &result.report(), note)
        .map_err(|error| Refusal::from(error.to_string()))?;
    let acting = session.sender.master.or(session.sender.acting);
    let seat = acting.and_then(|acting| edit.game.seat(acting.seat));
    let wanted = seat.is_some_and(|seat| seat.form.pictures != Pictures::Off);
    let board = if wanted { result.board() } else { None };
    let map = board.and_then(|board| session.work.judge.pictures.of(&board));
    Ok(Tried { faults, shown, map })
}

fn not_triable(why: NotTriable) -> &'static str {
    match why {
        NotTriable::OwnPhase => {
            "TRY works only in phases in which units move, retreat, are built or are removed."
        }
        NotTriable::OutOfSight => {
            "You do not see what others may build or remove, so this phase cannot be tried."
        }
        NotTriable::State => {
            "Too much of what decides this phase is hidden from you, so it cannot be tried."
        }
    }
}

/// A trial while its lines are read.
struct TrialTable<'t> {
    trial: Trial<'t>,
    variant: &'t dyn Variant,
    names: &'t Names,
    /// What the lines for each power have said so far.
    said: BTreeMap<Power, SaidSoFar>,
    /// The power of the last line that named one and nothing else.
    heading: Option<Power>,
    faults: Vec<LineFault>,
}

impl TrialTable<'_> {
    fn take(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        let grammar = grammar_of(self.variant);
        if let Some(power) = heading_alone(grammar, line, self.names) {
            self.heading = Some(power);
            return;
        }
        let due = Due::in_phase(self.trial.phase());
        let read = read_orders_by(grammar, line, due, self.names);
        if read.iter().any(Result::is_err)
            && let Some(rule) = rule_of_command(line)
        {
            let why = match rule.as_str() {
                "phase" | "end-phase" => {
                    "TRY is for the present phase only. Leave this line out, and what is for later phases."
                }
                _ => "Only orders can be tried, and this is none. Send it below END TRY.",
            };
            return self.fault(line, vec![why.to_owned()]);
        }
        for order in read {
            match order {
                Ok(words) => self.suppose(&words),
                Err(error) if error.is_error() => {
                    self.fault(&error.text, vec![error.to_string()]);
                }
                Err(_) => {}
            }
        }
    }

    fn fault(&mut self, text: &str, why: Vec<String>) {
        self.faults.push(LineFault {
            text: text.to_owned(),
            why,
        });
    }

    /// Takes an order, of the one who tries or of the power that it is headed by.
    fn suppose(&mut self, words: &OrderWords) {
        let own = self.trial.power();
        // "ITALIAN F Tun H" says whose the unit is, as a heading does.
        let nation = words.unit.as_ref().and_then(|unit| unit.nation);
        let named = words.heading.or(nation).or(self.heading);
        let power = named.or_else(|| self.other_owner(words)).unwrap_or(own);
        if let Err(why) = self.suppose_unit(power, words) {
            return self.fault(&words.text, vec![why]);
        }
        let mut sight = self.trial.sight_of(power);
        let said = self.said.entry(power).or_default();
        sight.said.clone_from(said);
        match consider::consider(&sight, self.variant, words) {
            Ok(considered) => {
                consider::note(said, &sight, words, &considered.effects);
                self.trial.give(power, considered.effects);
                if !considered.notes.is_empty() {
                    self.fault(&words.text, considered.notes);
                }
            }
            Err(why) => self.fault(&words.text, why),
        }
    }

    /// The other power whose unit an order without a name of a power is for, by the board: `A Mun H`, where only France has a unit.
    fn other_owner(&self, words: &OrderWords) -> Option<Power> {
        let place = words.unit.as_ref()?.place.province;
        if self.trial.has_unit(self.trial.power(), place) {
            return None;
        }
        let mut powers = self.names.known_powers();
        powers.find(|power| self.trial.has_unit(*power, place))
    }

    /// Puts the unit on the board that another power's order supposes.
    fn suppose_unit(&mut self, power: Power, words: &OrderWords) -> Result<(), String> {
        let own = self.trial.power();
        let Some(unit) = &words.unit else {
            return Ok(());
        };
        let place = unit.place.province;
        if power == own
            || *self.trial.phase() == Phase::Adjustments
            || self.trial.has_unit(power, place)
        {
            return Ok(());
        }
        let at = Location {
            province: place,
            coast: unit.place.coast,
        };
        let name = self.names.full_name(place);
        let label = self.names.power_info(power).map_or("", |info| &info.name);
        let supposed = if *self.trial.phase() == Phase::Movement {
            self.trial.suppose_unit(power, unit.kind, at)
        } else {
            Err(UnitRefused::InSight)
        };
        supposed.map_err(|why| match why {
            UnitRefused::InSight => format!("You see no unit of {label} in {name}."),
            UnitRefused::NoKind => {
                format!("You do not see {name}: say whether an army or a fleet is there.")
            }
            UnitRefused::CannotStand => format!("Such a unit cannot stand in {name}."),
            UnitRefused::NoCoast => {
                format!("You do not see {name}: say on which coast the fleet is.")
            }
        })
    }
}

/// Where the unit of the asker's stood that attacked a province in the last phase, if he asks of that: `Why did my attack on Denmark
/// fail?`
fn own_attack(session: &Session, power: Power, words: &str, on: Province) -> Option<Province> {
    let speaks_of_own = ["my", "i", "me", "mine"];
    let is_own = bare_words(words).any(|word| {
        speaks_of_own
            .iter()
            .any(|own| word.eq_ignore_ascii_case(own))
    });
    let last = session.game()?.last.as_ref().filter(|_| is_own)?;
    let own = last
        .outcomes
        .iter()
        .filter(|outcome| outcome.unit.power == power);
    if own.clone().any(|outcome| outcome.unit.at.province == on) {
        return None;
    }
    let mut goers = own.filter(
        |outcome| matches!(outcome.action, Some(Action::Move { to, .. }) if to.province == on),
    );
    let only = goers.next().filter(|_| goers.next().is_none())?;
    Some(only.unit.at.province)
}

fn reckoned(session: &mut Session, words: &str) -> Result<Vec<Document>, Refusal> {
    session.make_names();
    let asked = {
        let (Some(names), Some(edit)) = (&session.reading.names, session.edit()) else {
            return refuse("Sign on to a game first.");
        };
        unit_in_question(grammar_of(edit.variant), words, names)
    };
    let asked = asked.ok_or_else(|| {
        Refusal::from("Name the unit by its kind and the place where it stood, such as WHY A Edi.")
    })?;
    let TrySender { power, by } = sender_of_try(session)?;
    let at = asked.place.province;
    let own = own_attack(session, power, words, at);
    // "WHY A Orb": units of all powers are there.
    let map = session.game().map(|game| game.map());
    let is_shared = map.is_some_and(|map| map.info(at).is_some_and(|info| info.shared));
    let is_own = own.is_some() || is_shared && asked.nation.is_none();
    let asked = AskedUnit {
        nation: if is_own { Some(power) } else { asked.nation },
        kind: asked.kind.filter(|_| own.is_none()),
        at: own.unwrap_or(at),
        to: own.map(|_| at),
    };
    let seed = session.seed_of_mail();
    let Some(edit) = session.edit() else {
        return refuse("Sign on to a game first.");
    };
    if by == TriedBy::Master && edit.variant_game().keeps_from_masters() {
        return refuse(
            "Orders in this game are secret from the master, so only the leader of a power can ask WHY.",
        );
    }
    session.read_story()?;
    let (Some(ReadStory { story, .. }), Some(edit)) = (&session.reading.story, session.edit())
    else {
        return refuse("Sign on to a game first.");
    };
    let view = story.seen_by(edit.variant, Viewer::Power(power));
    let reckonings = view.why(power, &asked, seed).map_err(|why| {
        Refusal::from(match why {
            NoReckoning::NoResults => "No orders have been adjudicated yet.".to_owned(),
            NoReckoning::NoSuchOrder => {
                "Your last results tell of no order of such a unit.".to_owned()
            }
            NoReckoning::Undecided => UNDECIDED.to_owned(),
        })
    })?;
    let texts = templates(&session.work, &edit.game);
    let sections = reckonings
        .iter()
        .map(|reckoning| outbound::reckoning_section(&texts, reckoning));
    sections
        .collect::<Result<Vec<Document>, _>>()
        .map_err(|error| Refusal::from(error.to_string()))
}
