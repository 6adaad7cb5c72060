//! Rather Silly as `rules/rather-silly.md` has it: what each seat may know of what the variant keeps (section 6), and lines that
//! players of it write. Random sentences of its grammar would seldom be accepted.

use dipjudge::game::{Game, Phase};
use dipjudge::map::{Map, Power, Province};
use serde_json::{Value, json};

use super::civilizations;
use super::dice::Dice;
use super::oracle::Standing;

/// The variant's name.
pub const NAME: &str = "rather-silly";

/// The roles, by their places behind the seven powers.
const ROLES: [&str; 4] = ["jester", "mastermind", "doctor", "soothsayer"];

/// What a reader may know of what the variant keeps: herds are their owner's until they explode, what single seats are told
/// theirs, who voted for which LINK is told where votes are open alone, and what is accepted as an answer is between the MASTERMIND
/// and the master until the question closes.
pub fn known(mut data: Value, standing: &Standing, game: &Game) -> Value {
    let own = |power: &Value| {
        let mut powers = standing.powers.iter();
        powers.any(|one| json!(one) == *power || json!(one.0.to_string()) == *power)
    };
    if let Some(herds) = data.get_mut("herds").and_then(Value::as_object_mut) {
        herds.retain(|power, _| own(&json!(power)));
    }
    for step in data["steps"].as_array_mut().into_iter().flatten() {
        if let Some(told) = step["private"].as_array_mut() {
            told.retain(|one| own(&one[0]));
        }
        for told in step["news"].as_array_mut().into_iter().flatten() {
            if let Some(linked) = told.get_mut("linked").and_then(Value::as_object_mut)
                && !civilizations::is(game, "votes", "open")
            {
                linked.remove("votes");
            }
        }
    }
    let asks = standing.master || own(&json!(role("mastermind")));
    if !asks && let Some(question) = data.get_mut("question").and_then(Value::as_object_mut) {
        question.remove("accepted");
    }
    data
}

fn role(name: &str) -> Power {
    let place = ROLES.iter().position(|other| *other == name);
    Power(7 + place.expect("a role") as u8)
}

/// Whether a submission is sealed from the master too: all but questions and answers, on which he rules.
pub fn seals(name: &str) -> bool {
    !["question", "answer"].contains(&name)
}

/// How lines begin that make such submissions.
pub const SEALED_LINES: &[&str] = &[
    "PLACE",
    "LLAMAS",
    "PREDICT",
    "VOTE",
    "REORDER",
    "TARDIS",
    "IF",
    "BUILD FREE",
    "BUILD SIA",
];

/// A line that fits the phase and the sender.
pub fn line(game: &Game, power: Power, dice: &mut Dice) -> String {
    match &game.phase {
        Phase::Own(name) if name == "Llamas" => {
            let spaces: Vec<String> = (0..3).map(|_| space(game, dice)).collect();
            format!("PLACE LLAMAS {}", spaces.join(", "))
        }
        Phase::Movement => movement(game, power, dice),
        _ => later(game, power, dice),
    }
}

fn space(game: &Game, dice: &mut Dice) -> String {
    any_space(game.map(), dice)
}

fn any_space(map: &Map, dice: &mut Dice) -> String {
    let all: Vec<Province> = map.provinces().iter().map(|info| info.code).collect();
    dice.pick(&all)
        .map_or_else(String::new, ToString::to_string)
}

/// The space of a unit, of the power's own or of another's.
fn unit(game: &Game, of: impl Fn(Power) -> bool, dice: &mut Dice) -> Option<(String, String)> {
    let units = game.position.units.iter().filter(|unit| of(unit.power));
    let units: Vec<(String, String)> = units
        .map(|unit| (unit.kind.to_string(), unit.at.to_string()))
        .collect();
    dice.pick(&units).cloned()
}

/// A space that a unit can come to, which more than one may want.
fn contested(game: &Game, dice: &mut Dice) -> String {
    let map = game.map();
    let near = unit(game, |_| true, dice)
        .and_then(|(_, at)| at.get(..3)?.parse::<Province>().ok())
        .map(|at| map.neighbors(at).to_vec());
    let near = near.unwrap_or_default();
    dice.pick(&near)
        .map_or_else(|| space(game, dice), ToString::to_string)
}

/// A space in which the power has a herd.
fn herd(game: &Game, power: Power, dice: &mut Dice) -> Option<String> {
    let data: Value = game.data().read().ok()?;
    let herds = data["herds"][power.0.to_string()].as_array().cloned()?;
    dice.pick(&herds)?.as_str().map(str::to_owned)
}

fn movement(game: &Game, power: Power, dice: &mut Dice) -> String {
    let condition = match dice.below(4) {
        0 => format!("IF BORG IN {} THEN ", space(game, dice)),
        1 => format!("IF EMPTY {} THEN ", space(game, dice)),
        2 => format!("IF ENEMY UNIT IN {} THEN ", contested(game, dice)),
        _ => String::new(),
    };
    match power
        .0
        .checked_sub(7)
        .and_then(|place| ROLES.get(usize::from(place)))
    {
        Some(&"jester") => match unit(game, |other| other != Power::NEUTRAL, dice) {
            Some((kind, at)) => format!("REORDER {kind}({at})-{}", contested(game, dice)),
            None => "REORDER TARDIS STAY".to_owned(),
        },
        Some(&"mastermind") => {
            let (word, answer) = (dice.word(), dice.below(4));
            format!("QUESTION: {word}?\nACCEPT NUMBER: {answer}")
        }
        Some(&"doctor") => format!("TARDIS-{}", space(game, dice)),
        Some(&"soothsayer") => {
            format!(
                "PREDICT {}, {}",
                contested(game, dice),
                contested(game, dice)
            )
        }
        _ => match (
            herd(game, power, dice),
            unit(game, |other| other == power, dice),
        ) {
            (Some(at), _) if dice.chance(60) => format!("{condition}LLAMAS({at}) EXPLODE"),
            (_, Some((kind, at))) => format!("{condition}{kind}({at}) SELL SOUL"),
            _ => format!("VOTE LINK {}-{}", space(game, dice), space(game, dice)),
        },
    }
}

fn later(game: &Game, power: Power, dice: &mut Dice) -> String {
    match dice.below(3) {
        0 if power != role("mastermind") => format!("ANSWER: {}", dice.below(4)),
        1 => {
            let homes = game.map().homes(power);
            let home = dice.pick(homes).copied();
            home.map_or_else(
                || "VOTE NONE".to_owned(),
                |home| format!("BUILD FREE A {home}"),
            )
        }
        _ => format!("VOTE LINK {}-{}", space(game, dice), space(game, dice)),
    }
}

/// The same line about other spaces.
pub fn elsewhere(text: &str, map: &Map, dice: &mut Dice) -> String {
    let mut written = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_uppercase() {
            word.push(c);
            continue;
        }
        let named = word.parse::<Province>().ok();
        let known = named.filter(|code| map.info(*code).is_some());
        match known {
            Some(_) => written.push_str(&any_space(map, dice)),
            None => written.push_str(&word),
        }
        word.clear();
        written.push(c);
    }
    written.trim_end().to_owned()
}
