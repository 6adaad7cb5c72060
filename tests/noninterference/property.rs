//! The property, searched for what breaks it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, SeatChange, SeatId};
use dipjudge::interchange;
use dipjudge::mails::outbound::Templates;
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::Timestamp;

use super::acquaintance::hides_existence;
use super::author::{Run, Written, write};
use super::canaries;
use super::civilizations;
use super::compare::{self, difference, parting, phases_before};
use super::conditions;
use super::dice::Dice;
use super::fixture::{Casting, FLAVORS, Fixture, GAME, Options, Part};
use super::oracle::{Seen, observe};
use super::phantoms;
use super::stage::{Kept, log};
use super::strangers;
use super::twins::{Kind, Pair, applies, pair};

/// Twins of one run.
const TWINS: usize = 6;
/// Kinds that hide something in BLIND games alone, or where it is hidden who exists.
const FOGGY: [Kind; 6] = [
    Kind::FarSide,
    Kind::Phantom,
    Kind::Quiet,
    Kind::Conditions,
    Kind::Number,
    Kind::Names,
];
/// Twins that are tried until there is something to ask after.
const TRIES: usize = 3;
/// Runs of one round; rounds follow until there are pairs enough, so that chance of threads changes nothing.
const ROUND: u64 = 8;
/// What is searched, and how long.
#[derive(Clone)]
pub struct Search {
    /// The first run's seed.
    pub seed: u64,
    /// So many pairs of runs and readers at least.
    pub pairs: usize,
    /// Kinds of twins.
    pub kinds: Vec<Kind>,
    /// Tables at which it is searched, by variant and options.
    pub tables: fn(&str, Options) -> bool,
    /// Called in every thread that plays: with true before it plays, with false before it lays a table, which every search
    /// uses.
    pub prepare: Arc<dyn Fn(bool) + Send + Sync>,
    /// Trials in making a failure smaller.
    pub trials: usize,
    /// How many play at the same time.
    pub threads: usize,
}

/// A number that somebody may set in the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(usual, |given| {
        given.parse().expect("a number is wanted there")
    })
}

/// As many threads as there are cores, if no other number is set.
pub fn threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    number("THREADS", cores as u64) as usize
}

/// What breaks the property.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The run in which it was found.
    pub seed: u64,
    /// All of it, told at length.
    pub told: String,
}

/// How often what was tried.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By kind: pairs, of them less than one phase alike, three phases or more alike.
    pub kinds: BTreeMap<Kind, (usize, usize, usize)>,
    /// Pairs by class of reader.
    pub parts: BTreeMap<Part, usize>,
    /// Pairs by variant.
    pub variants: BTreeMap<&'static str, usize>,
    /// Pairs of two readers together.
    pub coalitions: usize,
    /// Exports held against each other.
    pub exports: usize,
    /// Visible differences that the mails had to show, and did.
    pub sensitive: usize,
    /// Runs.
    pub runs: usize,
}

impl Tally {
    pub fn pairs(&self) -> usize {
        self.kinds.values().map(|(pairs, ..)| pairs).sum()
    }

    fn add(&mut self, other: &Tally) {
        for (kind, (pairs, short, long)) in &other.kinds {
            let sum = self.kinds.entry(*kind).or_default();
            *sum = (sum.0 + pairs, sum.1 + short, sum.2 + long);
        }
        for (part, count) in &other.parts {
            *self.parts.entry(*part).or_default() += count;
        }
        for (variant, count) in &other.variants {
            *self.variants.entry(variant).or_default() += count;
        }
        self.coalitions += other.coalitions;
        self.exports += other.exports;
        self.sensitive += other.sensitive;
        self.runs += other.runs;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} pairs from {} runs; {} coalitions, {} exports, {} visible differences shown",
            self.pairs(),
            self.runs,
            self.coalitions,
            self.exports,
            self.sensitive
        )?;
        for (kind, (pairs, short, long)) in &self.kinds {
            writeln!(
                f,
                "  {kind:?}: {pairs} pairs, {short} of less than a phase, {long} of three or more"
            )?;
        }
        writeln!(
            f,
            "  by reader {:?}, by variant {:?}",
            self.parts, self.variants
        )
    }
}

/// Every table: each variant with each way of hiding, and those that hide who exists, which hide all that can be hidden, as often
/// as half of them.
fn tables() -> Vec<(&'static dyn dipjudge::game::Variant, Options)> {
    strangers::add();
    let hiding = [strangers::NAME, civilizations::NAME];
    let hiding = hiding.map(|name| variants::named(name).expect("it is added"));
    let mut tables = Vec::new();
    for flavor in 0..FLAVORS {
        for gunboat in [false, true] {
            for blind in [false, true] {
                // Variants change quickest, so that a short search meets them all.
                let able = variants::ALL
                    .iter()
                    .filter(|one| !hides_existence(one.card().name))
                    .filter(|one| !blind || one.card().blind);
                tables.extend(able.map(|variant| {
                    let options = Options {
                        gunboat,
                        blind,
                        flavor,
                    };
                    (*variant, options)
                }));
                let options = Options {
                    gunboat: true,
                    blind: true,
                    flavor,
                };
                tables.extend(hiding.map(|variant| (variant, options)));
            }
        }
    }
    tables
}

/// Variant, options and casting.
type Key = (&'static str, Options, u8);

/// Tables that are laid already: it takes long, since every password is hashed.
struct Tables {
    templates: Templates,
    laid: Mutex<BTreeMap<Key, Arc<Fixture>>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    templates: Templates::built_in(),
    laid: Mutex::new(BTreeMap::new()),
});

impl Tables {
    fn get(
        &self,
        variant: &'static dyn dipjudge::game::Variant,
        options: Options,
        casting: Casting,
        search: &Search,
    ) -> Arc<Fixture> {
        let key = (variant.card().name, options, casting as u8);
        let found = {
            let laid = self.laid.lock().unwrap_or_else(PoisonError::into_inner);
            laid.get(&key).cloned()
        };
        found.unwrap_or_else(|| {
            let fixture = match casting {
                Casting::OtherChance => self
                    .get(variant, options, Casting::Usual, search)
                    .with_other_chance(),
                _ => {
                    (search.prepare)(false);
                    let fixture = Fixture::set_up(variant, options, casting, &self.templates);
                    (search.prepare)(true);
                    fixture
                }
            };
            let mut laid = self.laid.lock().unwrap_or_else(PoisonError::into_inner);
            laid.entry(key).or_insert(Arc::new(fixture)).clone()
        })
    }
}

/// Searches; the first failure in the order of seeds ends it.
///
/// # Errors
/// The failure.
pub fn search(search: &Search) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let mut seed = search.seed;
    while tally.pairs() < search.pairs {
        let round: Vec<u64> = (seed..seed + ROUND).collect();
        let task = |seed| one(search, &TABLES, seed).map_err(|told| Failure { seed, told });
        for result in in_threads(search, &round, task) {
            tally.add(&result?);
        }
        seed += ROUND;
    }
    Ok(tally)
}

/// One run alone.
///
/// # Errors
/// The failure.
pub fn once(search: &Search) -> Result<(), Failure> {
    let task = |seed| one(search, &TABLES, seed).map_err(|told| Failure { seed, told });
    let done = in_threads(search, &[search.seed], task);
    done.into_iter().try_for_each(|result| result.map(|_| ()))
}

/// Does a task for each of these in several threads, until one fails; results in their order.
fn in_threads<T: Send, E: Send>(
    search: &Search,
    seeds: &[u64],
    task: impl Fn(u64) -> Result<T, E> + Sync,
) -> Vec<Result<T, E>> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<T, E>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..search.threads.min(seeds.len()) {
            scope.spawn(|| {
                (search.prepare)(true);
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(seed) = seeds.get(index) else { return };
                    let result = task(*seed);
                    if result.is_err() {
                        // Those before it are in hand already.
                        next.store(seeds.len(), std::sync::atomic::Ordering::Relaxed);
                    }
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.insert(index, result);
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().collect()
}

/// One run, its twins, and all readers of them.
fn one(search: &Search, tables: &Tables, seed: u64) -> Result<Tally, String> {
    let mut dice = Dice::new(seed);
    let mut all = self::tables();
    all.retain(|(variant, options)| (search.tables)(variant.card().name, *options));
    let (variant, options) = all[(seed % all.len() as u64) as usize];
    let fixture = tables.get(variant, options, Casting::Usual, search);
    let written = write(&fixture, &tables.templates, &mut dice);
    let mut tally = Tally {
        runs: 1,
        ..Tally::default()
    };
    canaries::none_sings(&fixture, &written.run, &written.kept)
        .map_err(|why| format!("seed {seed}, {}: {why}", named(&fixture)))?;
    let observed = observe(&written.run, &written.kept, &fixture);
    let mut kinds: Vec<Kind> = search
        .kinds
        .iter()
        .copied()
        .filter(|kind| applies(*kind, &fixture))
        .collect();
    if kinds.contains(&Kind::Answers) {
        // Letters are answered at few tables, and not in every run.
        kinds.extend([Kind::Answers; 3]);
    }
    for _ in 0..TWINS {
        // What only a fog can hide is tried there more often than all else.
        let foggy = FOGGY.iter().filter(|kind| kinds.contains(kind));
        let foggy: Vec<Kind> = match dice.chance(60) {
            true => foggy.copied().collect(),
            false => Vec::new(),
        };
        let from = if foggy.is_empty() { &kinds } else { &foggy };
        let Some(kind) = dice.pick(from).copied() else {
            break;
        };
        let twins = match kind {
            Kind::Conditions => asking(&fixture, &written, &tables.templates, &mut dice),
            Kind::Phantom if dice.chance(70) => {
                phantoms::pair(&fixture, &written.run, &written.kept, &mut dice)
            }
            _ => pair(kind, &fixture, &written.run, &mut dice),
        };
        let Some(twins) = twins else { continue };
        let trial = Trial {
            seed,
            trials: search.trials,
            tables,
            variant,
            fixture: &fixture,
            other: tables.get(variant, options, twins.casting, search),
            pair: twins,
        };
        trial.hold(&written, &observed, &mut dice, &mut tally)?;
    }
    Ok(tally)
}

/// Twins in which somebody asks after something far away that differs.
fn asking(
    fixture: &Fixture,
    written: &Written,
    templates: &Templates,
    dice: &mut Dice,
) -> Option<Pair> {
    (0..TRIES).find_map(|_| {
        let mut twins = pair(Kind::Conditions, fixture, &written.run, dice)?;
        let other = written.vary(&twins.other, fixture, templates);
        let kept = (&written.kept, &other);
        let asked = conditions::question(fixture, &twins.one, kept, &twins.authors, dice)?;
        asked.ask(&mut twins.one);
        asked.ask(&mut twins.other);
        Some(twins)
    })
}

fn named(fixture: &Fixture) -> String {
    format!("{} {:?}", fixture.variant, fixture.options)
}

struct Trial<'t> {
    seed: u64,
    trials: usize,
    tables: &'t Tables,
    variant: &'static dyn dipjudge::game::Variant,
    fixture: &'t Fixture,
    other: Arc<Fixture>,
    pair: Pair,
}

/// What was seen and sent differently.
struct Fault {
    readers: Vec<usize>,
    what: String,
}

impl Trial<'_> {
    fn perform(&self, one: &Run, other: &Run) -> (Kept, Kept) {
        let templates = &self.tables.templates;
        (
            one.perform(self.fixture, templates),
            other.perform(&self.other, templates),
        )
    }

    /// Holds the pair against every reader, alone and two together.
    fn hold(
        &self,
        written: &Written,
        observed: &[Vec<Seen>],
        dice: &mut Dice,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let templates = &self.tables.templates;
        let same = self.pair.one.letters == written.run.letters;
        let varied = (!same).then(|| written.vary(&self.pair.one, self.fixture, templates));
        let one = varied.as_ref().unwrap_or(&written.kept);
        let other = match self.pair.casting {
            Casting::Usual => written.vary(&self.pair.other, self.fixture, templates),
            _ => self.pair.other.perform(&self.other, templates),
        };
        let reread = varied
            .as_ref()
            .map(|kept| observe(&self.pair.one, kept, self.fixture));
        let all_ones = reread.as_deref().unwrap_or(observed);
        let all_others = observe(&self.pair.other, &other, &self.other);
        let readers: Vec<usize> = (0..self.fixture.cast.people.len())
            .filter(|who| !self.pair.authors.contains(who))
            .collect();
        let exporter = dice.pick(&readers).copied().filter(|_| dice.chance(60));
        let mut partings = Vec::new();
        for who in &readers {
            let (ones, others) = (&all_ones[*who], &all_others[*who]);
            let parted = parting(ones, others);
            let until = parted.map(|(at, _)| at);
            let phases = phases_before(one, GAME, until);
            let counts = tally.kinds.entry(self.pair.kind).or_default();
            counts.0 += 1;
            counts.1 += usize::from(phases == 0);
            counts.2 += usize::from(phases >= 3);
            let part = self.fixture.cast.people[*who].part;
            *tally.parts.entry(part).or_default() += 1;
            *tally.variants.entry(self.fixture.variant).or_default() += 1;
            if let Some(fault) = self.fault(&[*who], (one, &other), until) {
                return Err(self.report(&fault));
            }
            if exporter == Some(*who)
                && let Some(fault) = self.export_fault(*who, (one, &other), until)
            {
                return Err(self.report(&fault));
            }
            tally.exports += usize::from(exporter == Some(*who));
            if let Some((_, index)) = parted
                && self.must_show(*who, ones, others, index)
                && stays(one, self.address(*who))
                && stays(&other, self.address(*who))
            {
                tally.sensitive += 1;
                if difference(one, &other, &[self.address(*who)], None, false).is_none() {
                    return Err(format!(
                        "seed {}, {}, {:?}: {part:?} {who} may see a difference, and no mail shows it:\n{}",
                        self.seed,
                        named(self.fixture),
                        self.pair.kind,
                        around(ones, others, index)
                    ));
                }
            }
            partings.push((*who, until));
        }
        // Two friends compare: what both may know yet, in the order in which it came to either.
        for _ in 0..3 {
            let (Some(a), Some(b)) = (dice.pick(&partings), dice.pick(&partings)) else {
                break;
            };
            if a.0 == b.0 {
                continue;
            }
            let until = [a.1, b.1].into_iter().flatten().min();
            tally.coalitions += 1;
            if let Some(fault) = self.fault(&[a.0, b.0], (one, &other), until) {
                return Err(self.report(&fault));
            }
        }
        Ok(())
    }

    fn address(&self, who: usize) -> &str {
        &self.fixture.cast.people[who].address
    }

    fn observations(
        &self,
        pair: &Pair,
        kept: (&Kept, &Kept),
        who: usize,
    ) -> (Vec<Seen>, Vec<Seen>) {
        let one = observe(&pair.one, kept.0, self.fixture).swap_remove(who);
        let other = observe(&pair.other, kept.1, &self.other).swap_remove(who);
        (one, other)
    }

    fn fault(
        &self,
        readers: &[usize],
        kept: (&Kept, &Kept),
        until: Option<Timestamp>,
    ) -> Option<Fault> {
        let addresses: Vec<&str> = readers.iter().map(|who| self.address(*who)).collect();
        // Where it is hidden who exists, the order within a mailing is drawn.
        let drawn = self.fixture.hides_existence();
        let (one, other) = difference(kept.0, kept.1, &addresses, until, drawn)?;
        Some(Fault {
            readers: readers.to_vec(),
            what: format!(
                "to {}, at {:?}:\n{}",
                one.as_ref().or(other.as_ref()).map_or("", |sent| &sent.to),
                one.as_ref().or(other.as_ref()).map(|sent| sent.at),
                compare::lines_that_differ(one.as_ref(), other.as_ref())
            ),
        })
    }

    /// `export --as` of a reader's powers at the end of what is alike.
    fn export_fault(
        &self,
        who: usize,
        kept: (&Kept, &Kept),
        until: Option<Timestamp>,
    ) -> Option<Fault> {
        let chronicle = |kept: &Kept| {
            let mut records = log(&kept.records, GAME);
            records.retain(|record| until.is_none_or(|until| record.at < until));
            Chronicle::of(&records).ok()
        };
        let (one, other) = (chronicle(kept.0)?, chronicle(kept.1)?);
        let own = one
            .now()
            .seats
            .iter()
            .filter(|seat| seat.address == self.address(who) && !seat.left)
            .flat_map(|seat| one.now().led_by(seat.id))
            .map(Viewer::Power);
        for viewer in own.chain([Viewer::Observer]) {
            let text = |chronicle: &Chronicle| {
                interchange::export(&chronicle.seen_by(self.variant, viewer).export())
            };
            let (one, other) = (text(&one), text(&other));
            if one != other {
                let differing = one
                    .lines()
                    .zip(other.lines())
                    .find(|(one, other)| one != other);
                return Some(Fault {
                    readers: vec![who],
                    what: format!("in the export as {viewer:?}: {differing:?}"),
                });
            }
        }
        None
    }

    /// Whether the first visible difference is one that a mail must show: results, to somebody who gets them.
    fn must_show(&self, who: usize, one: &[Seen], other: &[Seen], index: usize) -> bool {
        let told = |seen: Option<&Seen>| {
            // What is merely open after the end has to be asked for.
            seen.is_some_and(|seen| {
                let results =
                    seen.what.contains("\"outcomes\"") || seen.what.contains(": own unit ");
                results && !seen.what.contains(": over: ")
            })
        };
        let member = matches!(
            self.fixture.cast.people[who].part,
            Part::Master | Part::Player | Part::Observer
        );
        member && told(one.get(index)) && told(other.get(index))
    }

    // Telling ------------------------------------------------------------------------

    fn report(&self, fault: &Fault) -> String {
        let (pair, fault) = self.smaller(fault);
        let mut told = format!(
            "seed {}, {}, {:?}: readers {:?} ({:?}) get different mails though they may know of no difference\n{}\n",
            self.seed,
            named(self.fixture),
            pair.kind,
            fault.readers,
            fault
                .readers
                .iter()
                .map(|who| self.fixture.cast.people[*who].part)
                .collect::<Vec<_>>(),
            fault.what
        );
        let (one, other) = self.perform(&pair.one, &pair.other);
        if let Some(who) = fault.readers.first() {
            let (ones, others) = self.observations(&pair, (&one, &other), *who);
            let index = parting(&ones, &others).map_or(ones.len(), |(_, index)| index);
            let _ = write!(
                told,
                "what may be known:\n{}",
                around(&ones, &others, index)
            );
        }
        let _ = writeln!(told, "letters ({}):", pair.one.letters.len());
        for (one, other) in pair.one.letters.iter().zip(&pair.other.letters) {
            let mark = if one == other { ' ' } else { '*' };
            let body = one.body().replace('\n', " / ");
            let _ = writeln!(
                told,
                "{mark} {} {} from {}: {body}",
                one.id, one.at, one.from
            );
            if one != other {
                let body = other.body().replace('\n', " / ");
                let _ = writeln!(told, "  instead at {}: {body} {:?}", other.at, other.wrap);
            }
        }
        told
    }

    /// The same fault with fewer letters.
    fn smaller(&self, fault: &Fault) -> (Pair, Fault) {
        let mut pair = self.pair.clone();
        let mut found = Fault {
            readers: fault.readers.clone(),
            what: fault.what.clone(),
        };
        let mut step = (pair.one.letters.len() / 2).max(1);
        let mut trials = 0;
        loop {
            let mut start = 0;
            while start < pair.one.letters.len() && trials < self.trials {
                trials += 1;
                let mut less = pair.clone();
                let end = (start + step).min(less.one.letters.len());
                less.one.letters.drain(start..end);
                less.other.letters.drain(start..end);
                match self.fails(&less, &fault.readers) {
                    Some(same) => (pair, found) = (less, same),
                    None => start += step,
                }
            }
            if step == 1 || trials >= self.trials {
                return (pair, found);
            }
            step /= 2;
        }
    }

    fn fails(&self, pair: &Pair, readers: &[usize]) -> Option<Fault> {
        let (one, other) = self.perform(&pair.one, &pair.other);
        let ones = observe(&pair.one, &one, self.fixture);
        let others = observe(&pair.other, &other, &self.other);
        let parted = readers
            .iter()
            .filter_map(|who| parting(&ones[*who], &others[*who]));
        let until = parted.map(|(at, _)| at).min();
        self.fault(readers, (&one, &other), until).or_else(|| {
            let who = readers.first()?;
            self.export_fault(*who, (&one, &other), until)
        })
    }
}

/// Whether somebody sits at the table until the end of a run: who has left gets nothing more.
fn stays(kept: &Kept, address: &str) -> bool {
    let records = log(&kept.records, GAME);
    let events = || records.iter().flat_map(|record| &record.events);
    let own: Vec<SeatId> = events()
        .filter_map(|event| match event {
            Event::Seated {
                seat, address: at, ..
            } => (at == address).then_some(*seat),
            _ => None,
        })
        .collect();
    !events().any(|event| {
        matches!(event, Event::SeatChanged { seat, change: SeatChange::Left } if own.contains(seat))
    })
}

fn around(one: &[Seen], other: &[Seen], index: usize) -> String {
    let mut told = String::new();
    let cut = |seen: Option<&Seen>| {
        seen.map_or("(nothing more)".to_owned(), |seen| {
            seen.what.chars().take(400).collect()
        })
    };
    for place in index.saturating_sub(4)..index {
        let _ = writeln!(told, "    {}", cut(one.get(place)));
    }
    let _ = writeln!(
        told,
        "  - {}\n  + {}",
        cut(one.get(index)),
        cut(other.get(index))
    );
    told
}
