//! The batch filter beside the crate `diplomacy`, in one run and one thread: movement phases as JSON Lines, read, adjudicated and
//! written. Without arguments the lines are the middle game of the folder above; an argument is the path of a file of lines, or a
//! number: so many lines are made at random then.

#[path = "../../../src/interchange/plain/generated.rs"]
mod generated;
mod plain;

use std::fmt::Write as _;
use std::time::Duration;

use dipjudge_interchange::{Options, adjudicate};
use dipjudge_rules::map::{Map, Stations};
use diplomacy::UnitPosition;
use diplomacy::geo::{RegionKey, standard_map};
use diplomacy::judge::{MappedMainOrder, OrderState, Rulebook, Submission};
use plain::PlainPhase;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

const MIDDLE_GAME: &str = include_str!("../../middle-game.json");

/// Each way is measured for about so long.
const LONG_ENOUGH: Duration = Duration::from_secs(3);

fn main() {
    let lines = match std::env::args().nth(1) {
        None => MIDDLE_GAME.to_owned(),
        Some(word) => match word.parse::<u64>() {
            Ok(count) => (0..count)
                .map(|number| generated::line(number) + "\n")
                .collect(),
            Err(_) => std::fs::read_to_string(word).expect("the file of lines"),
        },
    };
    // What the crate cannot read is left out for both.
    let lines: Vec<&str> = lines.lines().filter(|line| read(line).is_some()).collect();
    assert!(
        !lines.is_empty(),
        "no line is a movement phase that the crate can read"
    );
    let phases: Vec<Phase> = lines.iter().filter_map(|line| read(line)).collect();
    let mut answer = Vec::new();
    let ours = measured(&lines, |line| {
        answer.clear();
        adjudicate(line.as_bytes(), &Options::default(), &mut answer);
        answer.len()
    });
    let theirs = measured(&lines, |line| {
        read(line).map_or(0, |phase| phase.results().to_string().len())
    });
    let alone = measured(&phases, |phase| {
        phase.submission().adjudicate(Rulebook).all_orders().count()
    });
    println!("{} lines, processor time for each:", lines.len());
    println!("the filter, whole job:   {ours:8.2} µs");
    println!(
        "the crate, whole job:    {theirs:8.2} µs, {:.1} times as long",
        theirs / ours
    );
    let stations = Stations::of(Map::standard()).expect("stations");
    let plain: Vec<PlainPhase> = lines
        .iter()
        .filter_map(|line| PlainPhase::read(line, &stations))
        .collect();
    let without_text = measured(&plain, |phase| {
        phase
            .adjudicate(&stations)
            .map_or(0, |moved| moved as usize)
    });
    println!(
        "the filter, adjudication of {} that are plain: {without_text:8.2} µs",
        plain.len()
    );
    println!(
        "the crate, adjudication: {alone:8.2} µs, {:.1} times as long",
        alone / without_text
    );
}

/// The processor time that one thing takes, in µs; all are done again and again.
fn measured<T>(things: &[T], mut work: impl FnMut(&T) -> usize) -> f64 {
    let mut count = 0u32;
    let start = processor_time();
    while processor_time() - start < LONG_ENOUGH {
        for thing in things {
            std::hint::black_box(work(std::hint::black_box(thing)));
            count += 1;
        }
    }
    (processor_time() - start).as_secs_f64() * 1e6 / f64::from(count)
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).expect("a positive time");
    let nanoseconds = u32::try_from(time.tv_nsec).expect("less than a second");
    Duration::new(seconds, nanoseconds)
}

/// A movement phase as the crate knows it.
struct Phase {
    units: Vec<UnitPosition<'static, RegionKey>>,
    orders: Vec<MappedMainOrder>,
}

impl Phase {
    fn submission(&self) -> Submission<'static> {
        Submission::new(standard_map(), &self.units, self.orders.clone())
    }

    /// Each order with whether it succeeds. The crate has no answer as the filter has it; this is the least that one needs.
    fn results(&self) -> Value {
        let submission = self.submission();
        let outcome = submission.adjudicate(Rulebook);
        let of = |order: &MappedMainOrder| {
            let succeeds = outcome
                .get(order)
                .is_some_and(|result| OrderState::from(result) == OrderState::Succeeds);
            (order.to_string(), Value::from(succeeds))
        };
        submission.adjudicated_orders().map(of).collect()
    }
}

/// Reads a line; `None` if it is no movement phase that the crate can read.
fn read(line: &str) -> Option<Phase> {
    let line: Value = serde_json::from_str(line).ok()?;
    if !line["name"].as_str()?.ends_with('M') {
        return None;
    }
    let mut phase = Phase {
        units: Vec::new(),
        orders: Vec::new(),
    };
    for (power, units) in line["state"]["units"].as_object()? {
        for unit in units.as_array()? {
            let (kind, at) = unit.as_str()?.split_once(' ')?;
            let text = format!("{power}: {kind} {}", place(at));
            phase.units.push(text.parse().ok()?);
        }
    }
    for (power, orders) in line["orders"].as_object()? {
        for order in orders.as_array().into_iter().flatten() {
            phase
                .orders
                .push(translated(power, order.as_str()?)?.parse().ok()?);
        }
    }
    Some(phase)
}

/// An order in the crate's notation.
fn translated(power: &str, order: &str) -> Option<String> {
    let words: Vec<&str> = order.split(' ').collect();
    // The crate panics at other texts.
    let is_whole = matches!(
        words.as_slice(),
        [_, _, "H"]
            | [_, _, "-", _]
            | [_, _, "-", _, "VIA"]
            | [_, _, "S", _, _]
            | [_, _, "S", _, _, "-", _]
            | [_, _, "C", "A", _, "-", _]
    );
    if !is_whole {
        return None;
    }
    let mut text = format!("{power}:");
    for word in words {
        text.push(' ');
        match word {
            "H" => text.push_str("holds"),
            "-" => text.push_str("->"),
            "S" => text.push_str("supports"),
            "C" => text.push_str("convoys"),
            "VIA" => text.push_str("via convoy"),
            "A" | "F" => text.push_str(word),
            _ => write!(text, "{}", place(word)).ok()?,
        }
    }
    // The crate's convoys name the army's place alone.
    Some(text.replace("convoys A ", "convoys "))
}

/// `stp(sc)` for `STP/SC`.
fn place(text: &str) -> String {
    let text = text.to_lowercase();
    match text.split_once('/') {
        Some((province, coast)) => format!("{province}({coast})"),
        None => text,
    }
}
