//! What players read: the bids revealed, how everybody stands, forts, and what they have submitted themselves.

use std::collections::BTreeMap;

use super::bids;
use super::state::{BridgeState, Reckoned, Revealed, count};
use super::{BID, Bridge, FORTS, OPENING, bids_are_fixed, forts, running};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{Audience, Fact, Phase, Section, SubmissionKind};
use dipjudge_rules::calendar::Season;
use dipjudge_rules::map::{Coast, Location, Map, Power, Province};
use dipjudge_rules::orders::Illegal;
use dipjudge_view::{Viewer, all_words};

all_words! {
    pub(super) static WORDS;
    LOST = "bridge/lost.md";
    FORTIFIED = "bridge/fortified.md";
    STANDING_FORTS = "bridge/forts.md";
    FIXED_BIDS = "bridge/fixed-bids.md";
    BIDS = "bridge/bids.md";
    FIRST_UNITS = "bridge/opening.md";
    STANDING = "bridge/standing.md";
    OWN_BID = "bridge/own-bid.md";
}

/// Sections for the report of the phase last adjudicated.
pub(super) fn report(game: &ToldGame<'_>) -> Vec<Section> {
    let state = game.state(&Bridge);
    let Some(played) = game.played() else {
        return Vec::new();
    };
    let mut sections = Vec::new();
    match played.phase {
        Phase::Movement => sections.extend(lost(game, &state)),
        Phase::Adjustments => {
            let built = by_owner(game, &state, |province| state.built.contains(province));
            sections.extend(
                built.map(|powers| {
                    Section::new(Audience::Everyone, &FORTIFIED).with("powers", powers)
                }),
            );
            if played.turn == OPENING {
                sections.push(fixed(game));
            }
        }
        _ => {}
    }
    let revealed = state.revealed.as_ref();
    let just_now = |revealed: &&Revealed| {
        played.turn.season == Season::Fall && revealed.year == played.turn.year
    };
    if let Some(revealed) = revealed.filter(just_now) {
        if !revealed.lines.is_empty() {
            sections.push(reckoning(game, revealed));
        }
        sections.extend(standing_forts(game, &state));
    }
    sections
}

fn lost(game: &ToldGame<'_>, state: &BridgeState) -> Option<Section> {
    let fort = |lost: &super::state::LostFort| {
        let kind = game
            .map()
            .kind(lost.kind)
            .map_or_else(|| lost.kind.to_string(), |info| info.name.clone());
        Fact::record([
            ("center", Location::from(lost.province).into()),
            ("owner", lost.owner.into()),
            ("by", lost.by.into()),
            ("kind", Fact::text(Audience::Everyone, kind)),
        ])
    };
    let forts: Vec<Fact> = state.lost.iter().map(fort).collect();
    (!forts.is_empty()).then(|| Section::new(Audience::Everyone, &LOST).with("forts", forts))
}

fn standing_forts(game: &ToldGame<'_>, state: &BridgeState) -> Option<Section> {
    let forts = by_owner(game, state, |_| true);
    forts.map(|powers| Section::new(Audience::Everyone, &STANDING_FORTS).with("powers", powers))
}

/// The powers that have such forts, each with its centers; nothing if there is none.
fn by_owner(
    game: &ToldGame<'_>,
    state: &BridgeState,
    wanted: impl Fn(&Province) -> bool,
) -> Option<Fact> {
    let mut forts: BTreeMap<Power, Vec<Location>> = BTreeMap::new();
    for (province, owner) in state.forts.iter().filter(|(province, _)| wanted(province)) {
        forts.entry(*owner).or_default().push((*province).into());
    }
    let own = |(power, mut centers): (Power, Vec<Location>)| {
        centers.sort_by_key(|center| game.map().full_name(*center));
        Fact::record([("power", power.into()), ("centers", Fact::list(centers))])
    };
    (!forts.is_empty()).then(|| Fact::list(forts.into_iter().map(own)))
}

fn fixed(game: &ToldGame<'_>) -> Section {
    let bid = |power: Power| {
        let bid = bids::fixed(game.map(), power);
        Fact::record([("power", power.into()), ("bid", bid.into())])
    };
    Section::new(Audience::Everyone, &FIXED_BIDS)
        .with("year", OPENING.year + 1)
        .with("bids", Fact::list(game.in_play().into_iter().map(bid)))
}

/// The bids of a year, each with what came of it.
fn reckoning(game: &ToldGame<'_>, revealed: &Revealed) -> Section {
    let reckoned = |line: &Reckoned| {
        Fact::record([
            ("power", line.power.into()),
            ("held", line.held.into()),
            ("bid", line.bid.into()),
            ("owns", line.centers.into()),
            ("outcome", line.outcome.word().into()),
            ("balance", line.balance.into()),
            ("allowed", line.allowed().into()),
            ("units", line.units.into()),
            ("eliminated", (line.centers == 0 && line.units == 0).into()),
            ("change", line.change().into()),
            ("forts", line.forts.into()),
        ])
    };
    // A game that is over asks nobody.
    Section::new(Audience::Everyone, &BIDS)
        .with("year", revealed.year)
        .with("over", game.over())
        .with("powers", Fact::list(revealed.lines.iter().map(reckoned)))
}

/// How everybody stands, and the reader's own bid.
pub(super) fn tables(game: &ToldGame<'_>) -> Vec<Section> {
    if game.turn() == OPENING && !game.over() {
        return vec![opening(game), fixed(game)];
    }
    let state = game.state(&Bridge);
    let mut sections = vec![standing(game, &state)];
    sections.extend(standing_forts(game, &state));
    if game.over() {
        return sections;
    }
    if bids_are_fixed(game.turn()) {
        sections.push(fixed(game));
    } else if let Some(Viewer::Power(power)) = game.reader()
        && game.in_play().contains(&power)
    {
        sections.push(own_bid(game, &state, power));
    }
    sections
}

fn opening(game: &ToldGame<'_>) -> Section {
    let own = |power: Power| {
        let units = game.map().start().iter();
        let units = units.filter(|unit| unit.power == power);
        let units = units.map(|unit| format!("{} {}", unit.kind, unit.at));
        let units = units.map(|unit| Fact::text(Audience::Everyone, unit));
        Fact::record([("power", power.into()), ("units", Fact::list(units))])
    };
    Section::new(Audience::Everyone, &FIRST_UNITS).with(
        "powers",
        Fact::list(game.known_powers().into_iter().map(own)),
    )
}

fn standing(game: &ToldGame<'_>, state: &BridgeState) -> Section {
    let position = game.position();
    let own = |power: Power| {
        let owns = position.centers_of(power).count();
        let balance = state.balance(power);
        Fact::record([
            ("power", power.into()),
            (
                "held",
                state.bids.get(&power).map_or(owns, |bid| bid.held).into(),
            ),
            ("owns", owns.into()),
            ("balance", balance.into()),
            ("allowed", (count(owns) + balance).into()),
            ("units", position.units_of(power).count().into()),
            ("forts", state.due(power).into()),
        ])
    };
    Section::new(Audience::Everyone, &STANDING)
        .with("winter", *game.phase() == Phase::Adjustments)
        .with("powers", Fact::list(game.in_play().into_iter().map(own)))
}

fn own_bid(game: &ToldGame<'_>, state: &BridgeState, power: Power) -> Section {
    let winter = *game.phase() == Phase::Adjustments;
    let bid = if winter {
        submission::<usize>(game, power, bids::SUBMISSION)
    } else {
        let bids = state.opened_bids(running(game.turn()), game.access());
        bids.get(&power).and_then(|bid| bid.bid)
    };
    Section::new(Audience::Power(power), &OWN_BID)
        .with("year", game.turn().year + i32::from(winter))
        .with("open", winter)
        .with("bid", bid)
}

/// A power's own bid and forts as it sent them, or what is still wanted.
pub(super) fn submitted(
    game: &ToldGame<'_>,
    power: Power,
) -> Vec<(&'static SubmissionKind, String)> {
    let asked = *game.phase() == Phase::Adjustments && game.turn() != OPENING;
    if !asked || !game.in_play().contains(&power) {
        return Vec::new();
    }
    let position = game.position();
    let (held, most) = (
        position.centers_of(power).count(),
        game.map().centers().len(),
    );
    let bid = match submission::<usize>(game, power, bids::SUBMISSION) {
        Some(bid) => format!("BID {bid}"),
        None => format!("(no bid yet: BID {held} to BID {most})"),
    };
    let mut lines = vec![(&BID, bid)];
    let due = game.state(&Bridge).due(power);
    let forts = if due == 1 { "fort is" } else { "forts are" };
    let forts = match submission::<Vec<Province>>(game, power, forts::SUBMISSION) {
        _ if due == 0 => return lines,
        None => format!("(no centers named yet: {due} {forts} due)"),
        Some(named) if named.is_empty() => "FORTIFY NONE".to_owned(),
        Some(named) => {
            let named: Vec<&str> = named.iter().map(Province::as_str).collect();
            format!("FORTIFY {}", named.join(", "))
        }
    };
    lines.push((&FORTS, forts));
    lines
}

fn submission<T: serde::de::DeserializeOwned>(
    game: &ToldGame<'_>,
    power: Power,
    name: &str,
) -> Option<T> {
    game.submissions(power).get(name)?.stored()
}

/// A build for which the coast is missing or wrong.
pub(super) fn objection(illegal: &Illegal, sight: &Sight) -> Option<String> {
    let Illegal::CannotStand(_, at) = illegal else {
        return None;
    };
    let name = name(sight.map, at.province);
    let stands = if sight.turn == OPENING {
        "  As long as no valid order comes, the traditional unit is built there."
    } else {
        ""
    };
    let coasts = [Coast::North, Coast::South, Coast::East, Coast::West];
    let info = sight.map.info(at.province)?;
    let own: Vec<String> = coasts
        .into_iter()
        .filter(|coast| info.coasts.contains(coast))
        .map(|coast| format!("{}/{}", at.province, coast.as_str()))
        .collect();
    Some(if own.is_empty() {
        format!("{name} has no coast, so no fleet can be built there.{stands}")
    } else {
        format!("Name the coast: {}.{stands}", own.join(" or "))
    })
}

fn name(map: &Map, province: Province) -> String {
    map.full_name(province.into())
}
