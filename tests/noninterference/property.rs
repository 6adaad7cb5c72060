//! The property, searched for what breaks it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, Phase, Record, SeatChange, SeatId};
use dipjudge::interchange;
use dipjudge::mails::outbound::Templates;
use dipjudge::planted::{Leak, hash_quickly, plant, reached};
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};

use super::acquaintance::hides_existence;
use super::aimed;
use super::asking::{self, Asked, Hour};
use super::author::{Run, Written, write, write_quietly};
use super::canaries;
use super::compare::{self, difference, parting, phases};
use super::conditions;
use super::dice::Dice;
use super::fixture::{Casting, FLAVORS, Fixture, GAME, Options, Part};
use super::openings::Openings;
use super::oracle::{Seen, observe};
use super::phantoms;
use super::scenes::{self, Scenes};
use super::spies;
use super::stage::{Kept, Stage, log};
use super::twins::{Kind, Pair, applies, pair};

/// Twins of one run.
const TWINS: usize = 6;
/// Kinds that hide something in BLIND games alone, or where it is hidden who exists.
const FOGGY: [Kind; 9] = [
    Kind::Complete,
    Kind::Start,
    Kind::Detour,
    Kind::FarSide,
    Kind::Phantom,
    Kind::Quiet,
    Kind::Conditions,
    Kind::Number,
    Kind::Names,
];
/// Kinds that change what a variant keeps of its own.
const OWN: [Kind; 5] = [
    Kind::Own,
    Kind::Own,
    Kind::Doings,
    Kind::Lent,
    Kind::Complete,
];
/// Kinds that change who somebody is or where he lives, which is hidden where leaders or the board are.
const PERSONS: [Kind; 7] = [
    Kind::Wishes,
    Kind::People,
    Kind::Turnover,
    Kind::Turnover,
    Kind::Zones,
    Kind::Away,
    Kind::Registration,
];
/// Kinds that few runs have: the first twins of these are of them.
const RARE: [Kind; 5] = [
    Kind::Start,
    Kind::Start,
    Kind::Answers,
    Kind::Lent,
    Kind::Start,
];
/// Mails that are tried at one hour of a pair, and of a scene.
const MAILS: usize = 12;
const MAILS_OF_SCENE: usize = 3;
/// Twins that are tried until there is something to ask after.
const TRIES: usize = 3;
/// Runs of one round; rounds follow until there are pairs enough, so that chance of threads changes nothing.
const ROUND: usize = 8;
/// From one run's table to the next run's: so far that a short search meets tables from the whole list.
const STRIDE: u64 = 179;

/// What is searched, and how long.
#[derive(Clone)]
pub struct Search {
    /// The first run's seed; none begins with the corpus.
    pub seed: Option<u64>,
    /// Runs at the beginning that are left out.
    pub skipped: usize,
    /// So many pairs of runs and readers at least.
    pub pairs: usize,
    /// Kinds of twins.
    pub kinds: Vec<Kind>,
    /// Of these, those that are tried, where the others are skipped; all if there are none.
    pub tried: Vec<Kind>,
    /// Tables at which it is searched, by variant and options.
    pub tables: fn(&str, Options) -> bool,
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
    /// What was asked at hours at which twins differed in something hidden, by kind of twin.
    pub asked: BTreeMap<Kind, Asked>,
    /// Visible differences that the mails had to show, and did.
    pub sensitive: usize,
    /// Runs.
    pub runs: usize,
    /// Scenes played beside them.
    pub scenes: usize,
}

impl Tally {
    pub fn pairs(&self) -> usize {
        self.kinds.values().map(|(pairs, ..)| pairs).sum()
    }

    /// Counts these too.
    pub fn add(&mut self, other: &Tally) {
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
        for (kind, asked) in &other.asked {
            self.asked.entry(*kind).or_default().add(asked);
        }
        self.sensitive += other.sensitive;
        self.runs += other.runs;
        self.scenes += other.scenes;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} pairs from {} runs, and {} scenes; {} coalitions, {} exports, {} visible differences shown",
            self.pairs(),
            self.runs,
            self.scenes,
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

/// Every variant that is played here, those of tests and those that are being built among them.
pub fn all_variants() -> impl Iterator<Item = &'static dyn dipjudge::game::Variant> {
    variants::ALL.iter().chain(spies::add()).copied()
}

/// How often a variant is played: what has lines, commands and things of its own to submit has more to hide.
fn share(variant: &dyn dipjudge::game::Variant) -> usize {
    let own = variant.card().commands.len() + variant.submissions().len();
    match own {
        0 => 1,
        1..=3 => 2,
        _ => 3,
    }
}

/// Every table: each variant with each way of hiding, and those that hide who exists, which hide all that can be hidden, as often
/// as half of them; each as often as its share.
fn tables() -> Vec<(&'static dyn dipjudge::game::Variant, Options)> {
    let played: Vec<_> = all_variants()
        .flat_map(|one| std::iter::repeat_n(one, share(one)))
        .collect();
    let all_variants = || played.iter().copied();
    let hiding: Vec<_> = all_variants()
        .filter(|one| hides_existence(one.card().name))
        .collect();
    let mut tables = Vec::new();
    for flavor in 0..FLAVORS {
        for gunboat in [false, true] {
            for blind in [false, true] {
                // Variants change quickest, so that a short search meets them all.
                let able = all_variants()
                    .filter(|one| !hides_existence(one.card().name))
                    .filter(|one| !blind || one.card().blind);
                tables.extend(able.map(|variant| {
                    let options = Options {
                        gunboat,
                        blind,
                        flavor,
                    };
                    (variant, options)
                }));
                let options = Options {
                    gunboat: true,
                    blind: true,
                    flavor,
                };
                tables.extend(hiding.iter().map(|variant| (*variant, options)));
            }
        }
    }
    tables
}

/// The table of a run.
fn table(seed: u64) -> (&'static dyn dipjudge::game::Variant, Options) {
    let all = tables();
    all[(seed.wrapping_mul(STRIDE) % all.len() as u64) as usize]
}

/// Variant, options and casting.
type Key = (&'static str, Options, Casting);

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
        openings: &Openings,
    ) -> Arc<Fixture> {
        let key = (variant.card().name, options, casting);
        let found = {
            let laid = self.laid.lock().unwrap_or_else(PoisonError::into_inner);
            laid.get(&key).cloned()
        };
        found.unwrap_or_else(|| {
            let fixture = match casting {
                Casting::OtherChance => self
                    .get(variant, options, Casting::Usual, openings)
                    .with_other_chance(),
                Casting::OtherStart(power, way) => self
                    .get(variant, options, Casting::Usual, openings)
                    .with_other_start(power, way),
                _ => {
                    // Every search uses the table.
                    openings.without(|| Fixture::set_up(variant, options, casting, &self.templates))
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
    let mut seeds = search.seeds().skip(search.skipped);
    while tally.pairs() < search.pairs {
        let round: Vec<u64> = seeds.by_ref().take(ROUND).collect();
        for result in in_threads(search.threads, &round, |seed| run(search, seed)) {
            tally.add(&result?);
        }
    }
    Ok(tally)
}

/// One run alone, in this thread.
///
/// # Errors
/// The failure.
pub fn run(search: &Search, seed: u64) -> Result<Tally, Failure> {
    run_with(search, seed, &mut Openings::of(&BTreeSet::new()))
}

/// One run alone, in this thread, with planted leaks open.
///
/// # Errors
/// The failure that comes of none of them.
pub fn run_with(search: &Search, seed: u64, openings: &mut Openings) -> Result<Tally, Failure> {
    hash_quickly();
    let ran = one(search, &TABLES, seed, openings);
    plant([]);
    ran.map_err(|told| Failure { told })
}

/// Seeds that met something new once, the default run's first.
const CORPUS: &str = include_str!("corpus.txt");

fn corpus() -> impl Iterator<Item = u64> {
    let lines = CORPUS.lines().filter(|line| !line.starts_with('#'));
    let words = lines.filter_map(|line| line.split_whitespace().next());
    words.map(|seed| seed.parse().expect("a seed begins the line"))
}

/// Whether a run has scenes: all of the corpus, and of the others, which mostly look alike, every third.
fn has_scenes(seed: u64) -> bool {
    seed.is_multiple_of(3) || corpus().any(|known| known == seed)
}

impl Search {
    /// The seeds of its runs: those of the corpus, then all others, or all from one on; of them those of its tables.
    pub fn seeds(&self) -> Box<dyn Iterator<Item = u64> + Send> {
        let tables = self.tables;
        let fits = move |seed: &u64| {
            let (variant, options) = table(*seed);
            tables(variant.card().name, options)
        };
        let mut all = self::tables().into_iter();
        let any = all.any(|(variant, options)| tables(variant.card().name, options));
        assert!(any, "no table is of that kind");
        match self.seed {
            Some(first) => Box::new((first..).filter(fits)),
            None => {
                let known: BTreeSet<u64> = corpus().collect();
                let all = corpus().chain((1..).filter(move |seed| !known.contains(seed)));
                Box::new(all.filter(fits))
            }
        }
    }
}

/// The failures of so many runs, each by its first lines, for who mends the search.
pub fn failures(search: &Search, runs: u64) -> Vec<String> {
    let seeds: Vec<u64> = search.seeds().take(runs as usize).collect();
    let found: Mutex<Vec<String>> = Mutex::default();
    let task = |seed| {
        if let Err(failure) = run(search, seed) {
            let lines: Vec<&str> = failure.told.lines().take(24).collect();
            println!("{}", lines.join("\n"));
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push(lines.join("\n"));
        }
        Ok::<(), ()>(())
    };
    in_threads(search.threads, &seeds, task);
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does a task for each of these in several threads, until one fails; results in their order.
pub fn in_threads<T: Send, E: Send>(
    threads: usize,
    seeds: &[u64],
    task: impl Fn(u64) -> Result<T, E> + Sync,
) -> Vec<Result<T, E>> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<T, E>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(seeds.len()) {
            scope.spawn(|| {
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
fn one(
    search: &Search,
    tables: &Tables,
    seed: u64,
    openings: &mut Openings,
) -> Result<Tally, String> {
    let mut dice = Dice::new(seed);
    let (variant, options) = table(seed);
    let fixture = tables.get(variant, options, Casting::Usual, openings);
    let mut written = write(&fixture, &tables.templates, &mut dice);
    let mut tally = Tally {
        runs: 1,
        ..Tally::default()
    };
    let templates = &tables.templates;
    let sings = |run: &Run, kept: &Kept| {
        canaries::none_sings(&fixture, run, kept)?;
        canaries::none_is_published(&fixture, run, &Stage::again(kept, templates))
    };
    while let Err(why) = sings(&written.run, &written.kept) {
        let again = || written.run.perform(&fixture, &tables.templates);
        let mut shows = || sings(&written.run, &again().kept).is_err();
        if !openings.explain(&why.told, &why.past, &mut [&mut shows]) {
            return Err(format!("seed {seed}, {}: {}", named(&fixture), why.told));
        }
        written = again();
    }
    let mut played = Playing::of(written, &fixture, openings);
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
    // What can be said is manifold.
    kinds.extend([Kind::Doings; 3]);
    if !fixture.options.blind {
        // Results that differ, and are told to all, show that the comparison sees them.
        kinds.extend([Kind::Orders; 3]);
    }
    let has_own = !variant.card().grammar.is_empty() && !fixture.hides_existence();
    let trial = |pair: Pair, mails: usize, openings: &Openings| Trial {
        seed,
        trials: search.trials,
        tables,
        variant,
        fixture: &fixture,
        other: tables.get(variant, options, pair.casting, openings),
        pair,
        mails,
    };
    for twin in 0..TWINS as u64 {
        // Each has dice of its own, so that what one twin draws changes nothing in the others.
        let mut dice = Dice::new(seed.wrapping_mul(1009).wrapping_add(twin));
        // What only a fog can hide is tried there more often than all else.
        let foggy = FOGGY.iter().filter(|kind| kinds.contains(kind));
        let foggy: Vec<Kind> = match dice.chance(60) {
            true => foggy.copied().collect(),
            false => Vec::new(),
        };
        // And what a variant keeps of its own is secret there alone.
        let own: Vec<Kind> = match foggy.is_empty() && has_own && dice.chance(40) {
            true => OWN.to_vec(),
            false => foggy,
        };
        let hidden = fixture.options.gunboat || fixture.options.blind;
        let own: Vec<Kind> = match hidden && dice.chance(20) {
            true => PERSONS.to_vec(),
            false => own,
        };
        let own: Vec<Kind> = own
            .into_iter()
            .filter(|kind| kinds.contains(kind))
            .collect();
        let from = if own.is_empty() { &kinds } else { &own };
        let Some(drawn) = dice.pick(from).copied() else {
            break;
        };
        let rare = RARE.iter().filter(|kind| kinds.contains(kind));
        let rare = rare.copied().nth(twin as usize);
        // Each twin has dice of its own, so skipping some changes nothing in the others.
        let tried = |kind: Kind| search.tried.is_empty() || search.tried.contains(&kind);
        if !tried(drawn) && !rare.is_some_and(tried) {
            continue;
        }
        let written = &played.written;
        let twins = rare.and_then(|kind| pair(kind, &fixture, written, &mut dice));
        let twins = twins.or_else(|| match drawn {
            Kind::Conditions => asking(&fixture, written, &tables.templates, &mut dice),
            Kind::Doings if dice.chance(70) => {
                aimed::pair(&fixture, written, &tables.templates, &mut dice)
            }
            Kind::Phantom if dice.chance(70) => {
                phantoms::pair(&fixture, &written.run, &written.kept, &mut dice)
            }
            _ => pair(drawn, &fixture, written, &mut dice),
        });
        let Some(twins) = twins.filter(|twins| tried(twins.kind)) else {
            continue;
        };
        let trial = trial(twins, MAILS, openings);
        trial.hold_until_all_is_closed(&mut played, &dice, &mut tally, openings)?;
    }
    let mut dice = Dice::new(seed.wrapping_mul(2003));
    let scenes = (search.tried.is_empty() && has_scenes(seed)).then(|| {
        let count = scenes::phases(&fixture);
        let quiet = write_quietly(&fixture, templates, count, &mut dice);
        let scenes = Scenes {
            fixture: &fixture,
            templates,
            quiet: &quiet,
            written: &played.written,
        };
        let mut all = scenes.all(seed, &mut dice);
        all.extend(openings.without(|| scenes.still(seed)));
        (Playing::of(quiet, &fixture, openings), all)
    });
    if let Some((mut quiet, all)) = scenes {
        let mut apart = Tally::default();
        for scene in all {
            let trial = trial(scene.pair, MAILS_OF_SCENE, openings);
            let of = if scene.quiet { &mut quiet } else { &mut played };
            trial.hold_until_all_is_closed(of, &dice, &mut apart, openings)?;
            tally.scenes += 1;
        }
        for (kind, asked) in &apart.asked {
            tally.asked.entry(*kind).or_default().add(asked);
        }
    }
    Ok(tally)
}

/// A run as it was played, and what everybody may know of it.
struct Playing {
    written: Written,
    observed: Vec<Vec<Seen>>,
    /// How many planted leaks were closed when it was played.
    closed: usize,
}

impl Playing {
    fn of(written: Written, fixture: &Fixture, openings: &Openings) -> Playing {
        Playing {
            observed: observe(&written.run, &written.kept, fixture),
            closed: openings.closed(),
            written,
        }
    }

    /// What was played with a leak open is played again without it.
    fn renew(&mut self, fixture: &Fixture, templates: &Templates, openings: &Openings) {
        if self.closed != openings.closed() {
            let again = self.written.run.perform(fixture, templates);
            *self = Playing::of(again, fixture, openings);
        }
    }
}

/// Twins in which somebody asks after something far away that differs.
fn asking(
    fixture: &Fixture,
    written: &Written,
    templates: &Templates,
    dice: &mut Dice,
) -> Option<Pair> {
    (0..TRIES).find_map(|_| {
        let mut twins = pair(Kind::Conditions, fixture, written, dice)?;
        let other = written.vary(&twins.other, fixture, templates);
        let kept = (&written.kept, &other.kept);
        let asked = conditions::question(fixture, &twins.one, kept, &twins.authors, dice)?;
        asked.ask(&mut twins.one);
        asked.ask(&mut twins.other);
        Some(twins)
    })
}

/// How far a pair was held against its readers.
enum Held {
    All,
    /// Until a planted leak showed itself, which is closed now.
    UntilALeak,
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
    /// Mails with questions that are put to it.
    mails: usize,
}

/// What was seen and sent differently.
struct Fault {
    readers: Vec<usize>,
    what: String,
    /// Planted leaks that were open on the way.
    past: BTreeSet<Leak>,
    /// When it was told, where it is a mail.
    at: Option<Timestamp>,
    /// Whether fewer letters may show it as well.
    shrinks: Shrinks,
}

/// What can be made smaller of a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shrinks {
    Letters,
    Nothing,
}

impl Trial<'_> {
    /// Holds the pair against its readers, until no planted leak shows any more.
    fn hold_until_all_is_closed(
        &self,
        played: &mut Playing,
        dice: &Dice,
        tally: &mut Tally,
        openings: &mut Openings,
    ) -> Result<(), String> {
        loop {
            played.renew(self.fixture, &self.tables.templates, openings);
            let mut dice = dice.clone();
            let mut counted = Tally::default();
            let ran = (&played.written, played.observed.as_slice());
            let held = self.hold(ran, &mut dice, &mut counted, openings);
            match held.map_err(|fault| self.report(&fault))? {
                Held::All => {
                    tally.add(&counted);
                    return Ok(());
                }
                Held::UntilALeak => {}
            }
        }
    }

    fn perform(&self, one: &Run, other: &Run) -> (Kept, Kept) {
        let templates = &self.tables.templates;
        (
            one.perform(self.fixture, templates).kept,
            other.perform(&self.other, templates).kept,
        )
    }

    /// Puts questions to both runs at an hour at which they look the same.
    fn ask(
        &self,
        ran: (&Written, &Written),
        partings: &[(usize, Option<Timestamp>)],
        dice: &mut Dice,
        tally: &mut Tally,
        openings: &mut Openings,
    ) -> Result<(), Fault> {
        let (one, other) = (&self.pair.one, &self.pair.other);
        let end = one.until.min(other.until);
        let partings: Vec<(usize, Timestamp)> = partings
            .iter()
            .map(|(who, until)| (*who, until.unwrap_or(end)))
            .collect();
        let opened = |record: &Record| {
            let retreats = |event: &Event| {
                matches!(
                    event,
                    Event::Opened {
                        phase: Phase::Retreats,
                        ..
                    }
                )
            };
            record.events.iter().any(retreats).then_some(record.at)
        };
        let retreats: Vec<Timestamp> = log(&ran.0.kept.records, GAME)
            .iter()
            .filter_map(opened)
            .collect();
        let Some((at, readers)) = asking::hour(self.changed(), &partings, &retreats, dice) else {
            return Ok(());
        };
        let templates = &self.tables.templates;
        let stages = |station: Option<Timestamp>| {
            let mut one = ran.0.stage_from(station, at, self.fixture, templates);
            let mut other = ran.1.stage_from(station, at, &self.other, templates);
            one.draw_alike(&mut other);
            (one, other)
        };
        let anew = || stages(None);
        let hour = Hour {
            at,
            variant: self.variant,
            fixtures: (self.fixture, &self.other),
            runs: (one, other),
            stages: RefCell::new(Rc::new(stages(Some(at)))),
            anew: &anew,
            readers,
            first_row: dice.below(1 << 20),
            mails: self.mails,
        };
        let asked = tally.asked.entry(self.pair.kind).or_default();
        hour.ask(dice, asked, openings).map_err(|told| Fault {
            readers: vec![told.reader],
            what: told.what,
            past: told.past,
            at: None,
            shrinks: Shrinks::Nothing,
        })
    }

    /// Since when the runs of the pair are not the same.
    fn changed(&self) -> Timestamp {
        let letters = self.pair.one.letters.iter().zip(&self.pair.other.letters);
        let mut changed = letters.filter(|(one, other)| one != other);
        let begins = self.fixture.kept.now;
        match self.pair.casting {
            Casting::Usual => changed
                .next()
                .map_or(begins, |(one, other)| one.at.min(other.at)),
            _ => begins,
        }
    }

    /// Holds the pair against every reader, alone and two together.
    fn hold(
        &self,
        (written, observed): (&Written, &[Vec<Seen>]),
        dice: &mut Dice,
        tally: &mut Tally,
        openings: &mut Openings,
    ) -> Result<Held, Fault> {
        let templates = &self.tables.templates;
        let same = self.pair.one.letters == written.run.letters;
        let varied = (!same).then(|| written.vary(&self.pair.one, self.fixture, templates));
        let reread = varied
            .as_ref()
            .map(|ran| observe(&self.pair.one, &ran.kept, self.fixture));
        let (ran, all_ones) = match (&varied, &reread) {
            (Some(ran), Some(seen)) => (ran, seen.as_slice()),
            _ => (written, observed),
        };
        let other_ran = match self.pair.casting {
            Casting::Usual => ran.vary(&self.pair.other, self.fixture, templates),
            _ => self.pair.other.perform(&self.other, templates),
        };
        let runs = (ran, &other_ran);
        let (one, other) = (&ran.kept, &other_ran.kept);
        let all_others = observe(&self.pair.other, other, &self.other);
        let readers: Vec<usize> = (0..self.fixture.cast.people.len())
            .filter(|who| !self.pair.authors.contains(who))
            .collect();
        let exporter = dice.pick(&readers).copied().filter(|_| dice.chance(60));
        let played = phases(one, GAME);
        let mut partings = Vec::new();
        for who in &readers {
            let (ones, others) = (&all_ones[*who], &all_others[*who]);
            let parted = parting(ones, others);
            let until = parted.map(|(at, _)| at);
            let phases = played
                .iter()
                .filter(|at| until.is_none_or(|until| **at < until));
            let phases = phases.count();
            let counts = tally.kinds.entry(self.pair.kind).or_default();
            counts.0 += 1;
            counts.1 += usize::from(phases == 0);
            counts.2 += usize::from(phases >= 3);
            let part = self.fixture.cast.people[*who].part;
            *tally.parts.entry(part).or_default() += 1;
            *tally.variants.entry(self.fixture.variant).or_default() += 1;
            let shows = |one: &Kept, other: &Kept| self.fault(&[*who], (one, other), until);
            if let Some(fault) = shows(one, other) {
                return self.explained(fault, runs, &shows, openings);
            }
            let shows = |one: &Kept, other: &Kept| self.export_fault(*who, (one, other), until);
            if exporter == Some(*who)
                && let Some(fault) = shows(one, other)
            {
                return self.explained(fault, runs, &shows, openings);
            }
            tally.exports += usize::from(exporter == Some(*who));
            if let Some((_, index)) = parted
                && self.must_show(*who, ones, others, index)
                && stays(one, self.address(*who))
                && stays(other, self.address(*who))
            {
                tally.sensitive += 1;
                if difference(one, other, &[(self.address(*who), None)], false).is_none() {
                    return Err(Fault {
                        readers: vec![*who],
                        what: format!(
                            "a difference that is open is shown by no mail:\n{}",
                            around(ones, others, index)
                        ),
                        past: BTreeSet::new(),
                        at: None,
                        shrinks: Shrinks::Nothing,
                    });
                }
            }
            partings.push((*who, until));
        }
        self.ask(runs, &partings, dice, tally, openings)?;
        // All of them compare: what each may know yet, in the order in which it came to any of them. In the game that is in no list
        // that order is drawn.
        let elsewhere = self.fixture.of(Part::Elsewhere);
        partings.retain(|(who, _)| !elsewhere.contains(who));
        tally.coalitions += 1;
        let shows = |one: &Kept, other: &Kept| self.fault_among(&partings, (one, other));
        if let Some(fault) = shows(one, other) {
            return self.explained(fault, runs, &shows, openings);
        }
        Ok(Held::All)
    }

    /// Closes the planted leaks of which a fault comes, if it comes of any.
    fn explained(
        &self,
        fault: Fault,
        (one, other): (&Written, &Written),
        shows: &dyn Fn(&Kept, &Kept) -> Option<Fault>,
        openings: &mut Openings,
    ) -> Result<Held, Fault> {
        let templates = &self.tables.templates;
        let soon = fault.at.map(|at| at + SignedDuration::from_secs(1));
        let until = |soon: Timestamp| {
            let one = one.stage_from(fault.at, soon, self.fixture, templates);
            let other = other.stage_from(fault.at, soon, &self.other, templates);
            (one.kept, other.kept)
        };
        let mut quickly = || {
            soon.is_some_and(|soon| {
                let (one, other) = until(soon);
                shows(&one, &other).is_some()
            })
        };
        let mut anew = || {
            let (one, other) = self.perform(&one.run, &other.run);
            shows(&one, &other).is_some()
        };
        let told = format!(
            "{}, {:?}: {}",
            named(self.fixture),
            self.pair.kind,
            fault.what
        );
        match openings.explain(&told, &fault.past, &mut [&mut quickly, &mut anew]) {
            true => Ok(Held::UntilALeak),
            false => Err(fault),
        }
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
        let partings: Vec<(usize, Option<Timestamp>)> =
            readers.iter().map(|who| (*who, until)).collect();
        self.fault_among(&partings, kept)
    }

    /// The first mail that differs of those that each of several may read before he may know of a difference.
    fn fault_among(
        &self,
        partings: &[(usize, Option<Timestamp>)],
        kept: (&Kept, &Kept),
    ) -> Option<Fault> {
        let until: Vec<(&str, Option<Timestamp>)> = partings
            .iter()
            .map(|(who, until)| (self.address(*who), *until))
            .collect();
        // Where it is hidden who exists, the order within a mailing is drawn.
        let drawn = self.fixture.hides_existence();
        let (one, other) = difference(kept.0, kept.1, &until, drawn)?;
        let both = [&one, &other].into_iter().flatten();
        Some(Fault {
            readers: partings.iter().map(|(who, _)| *who).collect(),
            at: both.clone().map(|sent| sent.at).min(),
            past: both.flat_map(|sent| sent.past.iter().copied()).collect(),
            shrinks: match partings.len() {
                1 => Shrinks::Letters,
                _ => Shrinks::Nothing,
            },
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
        reached();
        let chronicle = |kept: &Kept, until: Option<Timestamp>| {
            let mut records = log(&kept.records, GAME);
            records.retain(|record| until.is_none_or(|until| record.at < until));
            Chronicle::of(&records).ok()
        };
        let (mut one, mut other) = (chronicle(kept.0, until)?, chronicle(kept.1, until)?);
        if !self.is_member(who) {
            // Nobody tells him of the end, at which much is opened to observers.
            let ends = [&one, &other].map(|game| game.now().timing.ended);
            let end = ends.into_iter().flatten().min();
            if end.is_some() {
                (one, other) = (chronicle(kept.0, end)?, chronicle(kept.1, end)?);
            }
        }
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
                    past: reached(),
                    at: None,
                    shrinks: Shrinks::Letters,
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
        self.is_member(who) && told(one.get(index)) && told(other.get(index))
    }

    /// Whether somebody is told what happens in the game.
    fn is_member(&self, who: usize) -> bool {
        matches!(
            self.fixture.cast.people[who].part,
            Part::Master | Part::Player | Part::Observer
        )
    }

    // Telling ------------------------------------------------------------------------

    fn report(&self, fault: &Fault) -> String {
        if self.trials == 0 {
            return format!(
                "seed {}, {}, {:?}: {:?} {}",
                self.seed,
                named(self.fixture),
                self.pair.kind,
                fault.readers,
                fault.what
            );
        }
        match fault.shrinks {
            Shrinks::Letters => {
                let (pair, fault) = self.smaller(fault);
                self.report_of(&fault, &pair)
            }
            Shrinks::Nothing => self.report_of(fault, &self.pair),
        }
    }

    fn report_of(&self, fault: &Fault, pair: &Pair) -> String {
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
            let (ones, others) = self.observations(pair, (&one, &other), *who);
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
            past: BTreeSet::new(),
            at: None,
            shrinks: fault.shrinks,
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
