//! Movement phases as the filter's adjudicator takes them, without text.

use dipjudge_rules::adjudicator::plain::{PlainDestination, PlainMovement, PlainSubject, Via};
use dipjudge_rules::map::{Coast, Map, Province, Stations, Travel};
use serde_json::Value;

/// The units and the orders of a line.
pub(crate) struct PlainPhase {
    units: Vec<PlainPiece>,
    orders: Vec<PlainOrder>,
}

struct PlainPiece {
    power: u8,
    travel: Travel,
    station: u8,
}

struct PlainOrder {
    subject: PlainSubject,
    task: PlainTask,
}

enum PlainTask {
    Hold,
    March(PlainDestination, Via),
    SupportHold(Travel, u8),
    SupportMove(Travel, u8, PlainDestination),
    Convoy(u8, u8),
}

impl PlainPhase {
    /// Reads a line; `None` if there is anything unusual in it.
    pub(crate) fn read(line: &str, stations: &Stations) -> Option<PlainPhase> {
        let line: Value = serde_json::from_str(line).ok()?;
        let mut phase = PlainPhase {
            units: Vec::new(),
            orders: Vec::new(),
        };
        let powers = Map::standard().powers();
        let texts = |lists: &Value| -> Option<Vec<(u8, String)>> {
            let mut texts = Vec::new();
            for (key, list) in lists.as_object()? {
                let power = powers.iter().position(|info| info.key == *key)?;
                for text in list.as_array()? {
                    texts.push((u8::try_from(power).ok()?, text.as_str()?.to_owned()));
                }
            }
            Some(texts)
        };
        for (power, text) in texts(&line["state"]["units"])? {
            let (travel, at) = unit(&text)?;
            let PlainDestination { to, coast } = place(at)?;
            let station = coast.map_or(Some(to), |coast| stations.coast(to, coast))?;
            phase.units.push(PlainPiece {
                power,
                travel,
                station,
            });
        }
        for (power, text) in texts(&line["orders"])? {
            let words: Vec<&str> = text.split(' ').collect();
            let (subject, words) = words.split_at_checked(2)?;
            let subject = subject.join(" ");
            let (travel, at) = unit(&subject)?;
            let at = place(at)?.to;
            let task = match words {
                ["H"] => PlainTask::Hold,
                ["-", to] => PlainTask::March(place(to)?, Via::Any),
                ["-", to, "VIA"] => PlainTask::March(place(to)?, Via::Convoy),
                ["S", kind, at] => PlainTask::SupportHold(by(kind)?, place(at)?.to),
                ["S", kind, at, "-", to] => {
                    PlainTask::SupportMove(by(kind)?, place(at)?.to, place(to)?)
                }
                ["C", "A", at, "-", to] => PlainTask::Convoy(place(at)?.to, place(to)?.to),
                _ => return None,
            };
            let subject = PlainSubject { power, travel, at };
            phase.orders.push(PlainOrder { subject, task });
        }
        phase.adjudicate(stations).is_some().then_some(phase)
    }

    /// How many moves succeed; the checks of orders and results are made.
    pub(crate) fn adjudicate(&self, stations: &Stations) -> Option<u32> {
        let mut movement = PlainMovement::new(stations);
        for piece in &self.units {
            movement.add(piece.power, piece.travel, piece.station)?;
        }
        for PlainOrder { subject, task } in &self.orders {
            match *task {
                PlainTask::Hold => movement.hold(*subject)?,
                PlainTask::March(to, via) => movement.march(*subject, to, via)?,
                PlainTask::SupportHold(helped, of) => {
                    movement.support_hold(*subject, helped, of)?
                }
                PlainTask::SupportMove(helped, of, to) => {
                    movement.support_move(*subject, helped, of, to)?;
                }
                PlainTask::Convoy(of, to) => movement.convoy(*subject, of, to)?,
            }
        }
        Some(movement.resolve()?.moved.count_ones())
    }
}

fn unit(text: &str) -> Option<(Travel, &str)> {
    let (kind, at) = text.split_once(' ')?;
    Some((by(kind)?, at))
}

fn by(kind: &str) -> Option<Travel> {
    match kind {
        "A" => Some(Travel::Land),
        "F" => Some(Travel::Sea),
        _ => None,
    }
}

fn place(text: &str) -> Option<PlainDestination> {
    let (province, coast) = text
        .split_once('/')
        .map_or((text, None), |(province, coast)| (province, Some(coast)));
    let province: Province = province.parse().ok()?;
    let coast = match coast {
        None => None,
        Some("EC") => Some(Coast::East),
        Some("NC") => Some(Coast::North),
        Some("SC") => Some(Coast::South),
        Some("WC") => Some(Coast::West),
        Some(_) => return None,
    };
    Some(PlainDestination {
        to: Map::standard().number(province)?,
        coast,
    })
}
