//! ROLLBACK as its players meet it: each phase of a played game is rolled back after it was processed, the same mails come once more,
//! and the game is the same again. In between, players send orders ahead, note absences, and then send nothing until their powers
//! fall into civil disorder.
//!
//! Of a long game every third phase is rolled back; `DIPJUDGE_ROLLBACKS=all` has all of them.

use std::collections::BTreeSet;

use dipjudge::game::{Game, SeatId, VariantGame};
use dipjudge::judge::KeeperAct;
use dipjudge::shell::demo::script::Step;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use crate::games::memory_host::MemoryHost;
use crate::games::play::{JudgeHost, game_of, play};
use crate::games::received::Received;
use crate::games::{sample, standard};

/// A message as it came.
#[derive(Clone)]
struct Posted {
    from: String,
    to: String,
    bytes: Vec<u8>,
}

/// A judge whose mails are written down on the way in.
struct Recorder {
    host: MemoryHost,
    posted: Vec<Posted>,
}

impl JudgeHost for Recorder {
    fn post(&mut self, from: &str, to: &str, bytes: &[u8], at: Timestamp) {
        self.posted.push(Posted {
            from: from.to_owned(),
            to: to.to_owned(),
            bytes: bytes.to_vec(),
        });
        self.host.post(from, to, bytes, at);
    }

    fn look(&mut self, at: Timestamp) {
        self.host.look(at);
    }

    fn give_seed(&mut self, _game: &str, _seed: &dipjudge::game::Seed) {}

    fn collect(&mut self) -> Vec<Received> {
        self.host.collect()
    }
}

/// The whole of a game but the clock, who must confirm, and its people, none of whom a rollback concerns.
fn state(game: &Game) -> Value {
    let mut game = game.clone();
    for standing in game.standings.values_mut() {
        standing.required = false;
    }
    let mut value = serde_json::to_value(&game).unwrap();
    // Whose orders had come ahead has to confirm them after a rollback, and counts as late until then.
    for standing in value["standings"].as_object_mut().unwrap().values_mut() {
        let fields = standing.as_object_mut().unwrap();
        fields.remove("times_late");
        fields.remove("at_first");
    }
    for past in value["past"].as_array_mut().unwrap() {
        for standing in past["standings"].as_object_mut().unwrap().values_mut() {
            standing.as_object_mut().unwrap().remove("conduct");
        }
    }
    let fields = value.as_object_mut().unwrap();
    for people in ["timing", "seats", "labels", "offers", "postal"] {
        fields.remove(people);
    }
    value
}

/// What was sent for a phase, and the game before and after it.
struct Phase {
    number: u32,
    mails: Vec<Posted>,
    ended_at: Timestamp,
}

/// What happens between a phase and its rollback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    Nothing,
    /// Orders ahead and absences of all powers, and then no orders for two phases.
    Much,
}

fn goes_back_and_comes_again(variant: &str) {
    let all = std::env::var("DIPJUDGE_ROLLBACKS").is_ok_and(|which| which == "all");
    let script = if variant == "standard" {
        standard(0)
    } else {
        sample(variant, 0)
    };
    let name = game_of(&script);
    let mut recorder = Recorder {
        host: MemoryHost::new(),
        posted: Vec::new(),
    };
    let mut record = Vec::new();
    let (mut number, mut compared) = (0, 0);
    let mut led = Vec::new();
    for step in &script.steps {
        play(
            &script,
            std::slice::from_ref(step),
            &mut recorder,
            &mut record,
        );
        let at = match step {
            Step::Mail(mail) => mail.at,
            Step::Clock(at) => *at,
            _ => continue,
        };
        let Some(game) = recorder.host.judge.game(&name) else {
            continue;
        };
        if game.number == number {
            continue;
        }
        // Who has come to a power since is there from the beginning when the phase comes again, since people are not taken back.
        let leaders: Vec<_> = game.standings.values().map(|one| one.held.len()).collect();
        let same_leaders = std::mem::replace(&mut led, leaders.clone()) == leaders;
        let one_phase = game.number == number + 1 && (same_leaders || number == 0);
        number = game.number;
        let phase = Phase {
            number,
            mails: std::mem::take(&mut recorder.posted),
            ended_at: at,
        };
        // What the end has opened is never hidden again, and several phases at once have no mails of their own.
        if game.over() || !one_phase {
            continue;
        }
        if all || number < 7 || number % 3 == 1 {
            again(&recorder.host, &name, &phase, Between::Nothing);
            compared += 1;
        }
        if all || number < 3 || number % 6 == 0 {
            again(&recorder.host, &name, &phase, Between::Much);
        }
    }
    assert!(compared >= 2, "{variant}: {compared} phases");
}

/// Orders ahead and absences come, and then nothing until two phases have been played without orders, or none more can be.
fn passes(host: &mut MemoryHost, name: &str, phase: &Phase) -> Timestamp {
    let game = host.judge.game(name).unwrap();
    let variant = dipjudge::variants::of(&game.variant);
    let labels = VariantGame::new(game, variant)
        .seen_by(Viewer::Master)
        .labels();
    let led = game
        .all_powers()
        .filter(|power| !game.standing(*power).vacant());
    let led: Vec<String> = led.map(|power| labels.name(power).to_owned()).collect();
    let next_year = game.turn.year + 1;
    let away = (phase.ended_at + SignedDuration::from_hours(30)).strftime("%d %b %Y");
    let lines = format!("PHASE S{next_year}M\nALL HOLD\nENDPHASE\nSET ABSENCE {away}");
    for power in led {
        let act = KeeperAct::Lines {
            game: name.to_owned(),
            as_power: Some(power),
            lines: lines.clone(),
        };
        host.keeper(&act, phase.ended_at).unwrap();
    }
    let mut now = phase.ended_at;
    for _ in 0..30 {
        let game = host.judge.game(name).unwrap();
        if game.over() || game.number >= phase.number + 2 {
            break;
        }
        let Some(due) = host.judge.next_due() else {
            break;
        };
        now = now.max(due);
        host.look(now);
    }
    now
}

fn again(host: &MemoryHost, name: &str, phase: &Phase, between: Between) {
    let place = format!("{name}, phase {}", phase.number);
    let expected = state(host.judge.game(name).unwrap());
    let mut host = host.once_more();
    let mut now = phase.ended_at;
    if between == Between::Much {
        let leaders = |host: &MemoryHost| -> Vec<Option<SeatId>> {
            let standings = host.judge.game(name).unwrap().standings.values();
            standings.map(|one| one.holder).collect()
        };
        let before = leaders(&host);
        now = passes(&mut host, name, phase);
        // Who has taken over a silent power stays, so its orders of then are nobody's any more; and what an end has opened stays open.
        if leaders(&host) != before || host.judge.game(name).unwrap().over() {
            return;
        }
    }
    let lines = format!("ROLLBACK {}", phase.number);
    let act = KeeperAct::Lines {
        game: name.to_owned(),
        as_power: None,
        lines,
    };
    let said = host.keeper(&act, now).unwrap();
    let game = host.judge.game(name).unwrap();
    assert_eq!(game.number, phase.number - 1, "{place}: {said}");
    for mail in &phase.mails {
        if host.judge.game(name).unwrap().number >= phase.number {
            break;
        }
        host.post(&mail.from, &mail.to, &mail.bytes, now);
        host.look(now);
    }
    // What the clock did then, it does again.
    for _ in 0..40 {
        if host.judge.game(name).unwrap().number >= phase.number {
            break;
        }
        let due = host.judge.next_due().expect("something is due");
        host.look(due.max(now));
    }
    let game = host.judge.game(name).unwrap();
    assert_eq!(game.number, phase.number, "{place}");
    if let Some(at) = difference("", &state(game), &expected) {
        panic!("{place}, {between:?}: {at}");
    }
}

/// Where two states first differ, and how.
fn difference(at: &str, found: &Value, expected: &Value) -> Option<String> {
    match (found, expected) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let of = |fields: &Map<String, Value>, key: &str| {
                fields.get(key).cloned().unwrap_or_default()
            };
            keys.into_iter()
                .find_map(|key| difference(&format!("{at}.{key}"), &of(one, key), &of(other, key)))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs
                .map(|(number, (one, other))| difference(&format!("{at}[{number}]"), one, other))
                .find_map(|differs| differs)
        }
        _ if found == expected => None,
        _ => Some(format!("{at} is {found}, was {expected}")),
    }
}

#[test]
fn each_phase_of_the_standard_game_comes_again_by_the_same_mails() {
    goes_back_and_comes_again("standard");
}

#[test]
fn each_phase_of_the_games_of_more_variants_comes_again_by_the_same_mails() {
    for variant in ["bridge", "civdip", "outer-space", "rather-silly"] {
        goes_back_and_comes_again(variant);
    }
}

#[test]
fn each_phase_of_the_other_games_comes_again_by_the_same_mails() {
    for variant in ["life", "winter-1900", "chaos"] {
        goes_back_and_comes_again(variant);
    }
}
