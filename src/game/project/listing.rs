//! LIST as one reader may have it (`judge-workflow.md` 6.8).

use super::super::horizon::hides;
use super::super::{
    Assignment, BuildSites, Ending, Fakes, Game, Need, ObserverPress, Pace, PhaseClock, Role, Seat,
    SeatId, Setting, State, Variant, in_play,
};
use super::super::{need, requirements, sign_up};
use super::existence::hides_existence;
use super::reports::{center_table, due_word, phase_title, shows_late};
use super::sight::Visibility;
use super::{Labels, Reader, called, index, labels, units_in_sight, variant_line};
use dipjudge_rules::map::Power;
use dipjudge_view::{
    ListedGame, ListedPerson, Listing, Moment, ParameterBlock, PhaseParameters, Viewer, and_list,
};

/// What the register knows of the person at a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredPerson {
    /// As registered.
    pub name: String,
    /// Dedication, where this reader may know it.
    pub dedication: Option<i64>,
}

/// One game of the brief list, which anybody may read: its master is called by his name.
pub fn brief(game: &Game, variant: &dyn Variant, name_of: &dyn Fn(SeatId) -> String) -> ListedGame {
    let settings = &game.settings;
    let mut options = vec![variant.card().title.to_owned()];
    options.extend(another_map(game, variant).map(|map| format!("Map {map}")));
    if settings.gunboat {
        options.push("Gunboat".to_owned());
    }
    if settings.blind {
        options.push("Blind".to_owned());
    }
    options.push(format!("{} hrs", settings.moves.next / 60));
    if let Some(master) = game.seated(Role::Master).next() {
        let name = name_of(master.id);
        let name = name.split_whitespace().next().unwrap_or("somebody");
        options.push(format!("Moderated ({})", super::title_case(name)));
    }
    let letter = |on: bool, letter: char| if on { letter } else { '-' };
    options.push(format!(
        "Press:{}{}{}{}.",
        letter(settings.white, 'W'),
        letter(settings.grey, 'G'),
        letter(settings.partial, 'P'),
        letter(settings.fakes != Fakes::No, 'F'),
    ));
    ListedGame {
        name: game.name.clone(),
        phase: if game.begun() {
            game.token(variant)
        } else {
            String::new()
        },
        options: options.join(", "),
        comment: settings.comment.clone(),
        state: state_line(game, variant),
    }
}

/// `Forming: 3 players needed.`, `Openings: Italy (4/4)`, or how it ended.
fn state_line(game: &Game, variant: &dyn Variant) -> Option<String> {
    let labels = labels(game, variant, Viewer::Stranger);
    if let Some(closes) = sign_up::closes(game, variant) {
        let closes = Moment::new(closes, &game.zone());
        return Some(format!("Forming: sign-up closes {closes}."));
    }
    match game.state {
        // How many have signed on would tell how many there will be.
        State::Forming | State::Ready if hides_existence(game, variant, Viewer::Stranger) => {
            Some("Forming.".to_owned())
        }
        State::Forming if begins_by_word(game, variant) => Some(format!(
            "Forming: {} players, up to {}; the master begins it.",
            game.seated(Role::Player).count(),
            need::players(game, variant).end(),
        )),
        State::Forming => {
            let missing = missing_players(game, variant);
            Some(format!(
                "Forming: {missing} player{} needed{}.",
                if missing == 1 { "" } else { "s" },
                still_open(game, variant, &labels)
            ))
        }
        State::Ready => Some(format!(
            "Waiting for the master to start{}.",
            still_open(game, variant, &labels)
        )),
        State::Over(_) => Some(format!("{}.", ending_words(game, &labels))),
        // Who left, and how strong he was, is not for all to know.
        State::Running | State::Paused if hides(game, variant) => None,
        State::Running | State::Paused => {
            let open: Vec<String> = in_play(game, variant)
                .into_iter()
                .filter(|power| game.standing(*power).vacant() && !game.settings.quiet)
                .map(|power| {
                    let name = labels.name(power);
                    match need::of(game, variant, power) {
                        Need::Required => format!("{name} ({})", strength(game, power)),
                        _ => name.to_owned(),
                    }
                })
                .collect();
            (!open.is_empty()).then(|| format!("Openings: {}", open.join(", ")))
        }
    }
}

/// The seats that somebody may choose at a forming table: `; open: Jester, Doctor`.
fn still_open(game: &Game, variant: &dyn Variant, labels: &Labels) -> String {
    let open = need::not_chosen(game, variant);
    let names: Vec<&str> = open.iter().map(|power| labels.name(*power)).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; open: {}", names.join(", ")),
    }
}

/// Whether the game is about supply centers: where the map has none, nothing is said of them.
pub(super) fn has_centers(game: &Game) -> bool {
    !game.map().centers().is_empty()
}

/// Units and centers: `3/4`; units alone where there are no centers.
fn strength(game: &Game, power: Power) -> String {
    match has_centers(game) {
        true => format!("{}/{}", game.unit_count(power), game.center_count(power)),
        false => game.unit_count(power).to_string(),
    }
}

/// How many players a forming game still needs.
pub fn missing_players(game: &Game, variant: &dyn Variant) -> usize {
    if need::has_optional(game, variant) {
        return need::missing_players(game, variant, wanted_players(game));
    }
    let wanted = wanted_players(game).unwrap_or(*need::players(game, variant).start());
    wanted.saturating_sub(game.seated(Role::Player).count())
}

/// The number of players that was set to begin the game.
fn wanted_players(game: &Game) -> Option<usize> {
    game.settings
        .players
        .and_then(|players| usize::try_from(players).ok())
}

/// Whether the table is full: the game begins, or its master begins it.
pub fn begins_itself(game: &Game, variant: &dyn Variant) -> bool {
    if sign_up::begins_at_a_date(game, variant) {
        // Sign-up is over, and nothing but the master's word is missing.
        return game.state == State::Ready;
    }
    if need::has_optional(game, variant) {
        return missing_players(game, variant) == 0;
    }
    let full = wanted_players(game).unwrap_or(*need::players(game, variant).end());
    game.seated(Role::Player).count() >= full
}

/// Whether there are players enough, but more may come: somebody has to say that the game shall begin.
pub fn begins_by_word(game: &Game, variant: &dyn Variant) -> bool {
    missing_players(game, variant) == 0 && !begins_itself(game, variant)
}

/// `Won by Austria`, `Drawn between England and France`, `Terminated`.
pub fn ending_words(game: &Game, labels: &Labels) -> String {
    let names = |powers: &[Power]| and_list(powers.iter().map(|power| labels.name(*power)));
    match &game.state {
        State::Over(Ending::Won(winners)) => format!("Won by {}", names(winners)),
        State::Over(Ending::Drawn(powers)) => format!("Drawn between {}", names(powers)),
        State::Over(Ending::Conceded(winner)) => format!("Conceded to {}", names(&[*winner])),
        State::Over(Ending::Terminated) => "Terminated".to_owned(),
        State::Forming => "Forming".to_owned(),
        State::Ready => "Ready to start".to_owned(),
        State::Running => "Running".to_owned(),
        State::Paused => "Paused".to_owned(),
    }
}

/// `Won by France` as it stands inside a sentence: only the first letter is small.
fn inside_a_sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// The full listing.
pub fn listing(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    known: &dyn Fn(&Seat) -> RegisteredPerson,
) -> Listing {
    let visibility = Visibility::of(game, variant, reader.viewer);
    let labels = &labels(game, variant, reader.viewer);
    let running = game.state == State::Running;
    // Where the board is hidden, everybody but a master reads the same: settings, phase and deadline.
    let hidden = visibility.is_bounded() && game.begun();
    // Who has signed on tells how many there will be.
    let alone = hides_existence(game, variant, reader.viewer);
    let early = !hidden || Pace::of(game, variant).early;
    let (turn, phase, number) = game.phase_shown();
    Listing {
        name: game.name.clone(),
        number: format!("{number:03}"),
        phase: game.token(variant),
        state: if running {
            "running".to_owned()
        } else {
            inside_a_sentence(&match (alone, &game.state) {
                (true, State::Ready) => "Forming".to_owned(),
                _ => ending_words(game, labels),
            })
        },
        deadline: game.timing.times.map(|times| reader.moment(times.deadline)),
        sign_up: sign_up::closes(game, variant).map(|at| reader.moment(at)),
        start: game
            .timing
            .times
            .filter(|_| running && early)
            .map(|times| reader.moment(times.start)),
        all_in: (running
            && !hidden
            && !requirements::wanting_is_untold(game, &requirements::of(game, variant)))
        .then(|| requirements::all_in(game, variant)),
        information: game.settings.information.clone(),
        parameters: parameters(game, variant, reader),
        people: match hidden || alone {
            true => Vec::new(),
            false => people(game, variant, labels, reader, known),
        },
        disclosed: !hidden && !alone,
        beginners: !super::hides_leaders(game, variant) && !alone,
        hides_existence: alone,
        title: (game.begun() && !hidden).then(|| phase_title(game, variant, number, turn, phase)),
        units: match hidden {
            true => Vec::new(),
            false => units_in_sight(game, labels, &visibility),
        },
        centers: (game.begun() && !hidden && has_centers(game))
            .then(|| center_table(game, variant, labels)),
        tables: match (game.begun(), hidden) {
            (true, false) => super::sections::tables(game, variant, reader),
            (true, true) => Vec::new(),
            (false, _) if alone => Vec::new(),
            (false, _) => super::sections::forming_tables(game, variant, reader),
        },
    }
}

fn people(
    game: &Game,
    variant: &dyn Variant,
    labels: &Labels,
    reader: &Reader,
    known: &dyn Fn(&Seat) -> RegisteredPerson,
) -> Vec<ListedPerson> {
    let without_power = |role: &str, seat: &Seat| {
        let person = known(seat);
        ListedPerson {
            role: role.to_owned(),
            status: String::new(),
            strength: String::new(),
            late: None,
            dedication: person.dedication,
            called: called(game, variant, reader, seat, &person.name),
        }
    };
    let mut people: Vec<ListedPerson> = game
        .seated(Role::Master)
        .map(|seat| without_power("Master", seat))
        .collect();
    if game.begun() {
        // A seat that is not played is nobody's.
        let played = |power: &Power| need::of(game, variant, *power) != Need::Closed;
        people.extend(
            game.all_powers()
                .filter(played)
                .map(|power| player(game, variant, labels, reader, known, power)),
        );
        let waiting = game.stand_by.iter().filter_map(|seat| game.seat(*seat));
        people.extend(waiting.map(|seat| without_power("Stand-by", seat)));
    } else {
        // Where leaders are hidden nobody is told who will lead what.
        let open = !super::hides_leaders(game, variant) || matches!(reader.viewer, Viewer::Master);
        people.extend(game.seated(Role::Player).map(|seat| {
            let chosen = seat.chosen.filter(|_| open);
            let role = chosen.map_or("Player", |power| labels.name(power));
            without_power(role, seat)
        }));
    }
    people.extend(
        game.seated(Role::Observer)
            .map(|seat| without_power("Observer", seat)),
    );
    people
}

fn player(
    game: &Game,
    variant: &dyn Variant,
    labels: &Labels,
    reader: &Reader,
    known: &dyn Fn(&Seat) -> RegisteredPerson,
    power: Power,
) -> ListedPerson {
    let standing = game.standing(power);
    let may_know = shows_late(game, variant)
        || matches!(reader.viewer, Viewer::Master)
        || reader.viewer == Viewer::Power(power);
    let status = if need::stands_open(game, variant, power) {
        "open"
    } else if standing.disorder {
        "CD"
    } else if standing.abandoned || standing.resigned {
        "aband"
    } else if standing.late && may_know && !requirements::complete(game, variant, power) {
        "late"
    } else {
        due_word(game, variant, power)
    };
    let person = game.holder(power).map(|seat| (seat, known(seat)));
    ListedPerson {
        role: labels.name(power).to_owned(),
        status: status.to_owned(),
        strength: strength(game, power),
        late: (game.settings.late_count && may_know).then_some(standing.times_late),
        dedication: person.as_ref().and_then(|(_, person)| person.dedication),
        called: person.map_or_else(
            || "vacant".to_owned(),
            |(seat, person)| called(game, variant, reader, seat, &person.name),
        ),
    }
}

/// The map, where it is not the one that the variant is played on.
fn another_map<'g>(game: &'g Game, variant: &dyn Variant) -> Option<&'g str> {
    (game.map != variant.card().map).then_some(game.map.as_str())
}

/// The parameters.
pub fn parameters(game: &Game, variant: &dyn Variant, reader: &Reader) -> ParameterBlock {
    let bounded = Visibility::of(game, variant, reader.viewer).is_bounded();
    let settings = &game.settings;
    let clock = |kind: &str, clock: &PhaseClock| PhaseParameters {
        kind: kind.to_owned(),
        clock: clock.clock.map_or(-1, i32::from),
        min: hours(clock.min),
        next: hours(clock.next),
        grace: hours(clock.grace),
        delay: hours(clock.delay),
        days: clock.days.to_string(),
    };
    ParameterBlock {
        phases: vec![
            clock("Move", &settings.moves),
            clock("Retreat", &settings.retreats),
            clock("Adjust", &settings.adjusts),
        ],
        access: access(game),
        variant: variant_line(game, variant),
        flags: flags(game),
        xflags: extra_flags(game),
        press: press(game),
        assignment: match settings.assignment {
            _ if variant.has_stand_by(settings) => "By Lot, and the Others Stand By",
            _ if variant.roster(game).is_some() => "Each Player's Own Power",
            Assignment::List => "By Preference List Only",
            Assignment::Random => "Randomly",
            Assignment::Both => "By Preference List, * Randomly",
        }
        .to_owned(),
        // That it rose would tell that two powers have so many.
        winning: match bounded {
            true => game.announced_number(variant.card().winning),
            false => game.winning_number(variant.card().winning),
        },
        winning_by: variant.card().winning.tally.noun().to_owned(),
        // The index is made of everybody's centers.
        index: (game.begun() && !hides(game, variant) && has_centers(game)).then(|| {
            index(
                &game
                    .all_powers()
                    .map(|power| game.center_count(power))
                    .collect::<Vec<_>>(),
            )
        }),
        own: another_map(game, variant)
            .map(|map| ("Map".to_owned(), map.to_owned()))
            .into_iter()
            .chain(
                settings
                    .players
                    .filter(|_| !hides_existence(game, variant, reader.viewer))
                    .map(|players| ("players".to_owned(), players.to_string())),
            )
            .chain(
                variant
                    .hides_existence(game)
                    .then(|| ("Addresses".to_owned(), settings.addresses.to_string())),
            )
            .chain(
                settings
                    .blind
                    .then(|| ("Sight".to_owned(), settings.sight.to_string())),
            )
            .chain(variant.card().settings.iter().filter_map(|setting| {
                let mut told = setting.told(game.map(), setting.of(game))?;
                told.extend(to_come(game, variant, setting));
                Some((setting.name.to_owned(), told))
            }))
            .collect(),
    }
}

/// `, two from F1903M on`, where a setting is to change.
fn to_come(game: &Game, variant: &dyn Variant, setting: &Setting) -> Option<String> {
    let one = game.settings.own_to_come.get(setting.name)?;
    let value = setting.told(game.map(), &one.value)?;
    let phase = variant.card().phase_name(&one.phase, one.turn).in_mail();
    Some(format!(", {value} from {phase} on"))
}

/// Minutes as hours with two digits: `71.00`.
fn hours(minutes: u32) -> String {
    format!("{}.{:02}", minutes / 60, minutes % 60 * 100 / 60)
}

fn access(game: &Game) -> String {
    let settings = &game.settings;
    let moderated = if settings.moderated {
        "Moderated"
    } else {
        "Unmoderated"
    };
    format!(
        "Any-site, Level: {}, {moderated}, Dedication: {}",
        settings.level, settings.dedication
    )
}

fn flags(game: &Game) -> String {
    let settings = &game.settings;
    let pick = |on: bool, yes: &'static str, no: &'static str| if on { yes } else { no };
    let mut flags = vec![
        pick(settings.nmr, "NMR", "NoNMR"),
        pick(settings.proxy, "Proxy", "NoProxy"),
        pick(settings.dias, "DIAS", "NoDIAS"),
    ];
    flags.extend(settings.flags());
    flags.join(", ")
}

fn extra_flags(game: &Game) -> String {
    let settings = &game.settings;
    let mut flags = Vec::new();
    // Without homes on the map the variant itself says where to build.
    let homes = game
        .map()
        .provinces()
        .iter()
        .any(|info| info.home.is_some());
    if homes {
        let sites = match settings.build_sites {
            BuildSites::Home => "HomeCentres",
            BuildSites::Any => "AnyCentres",
            BuildSites::One => "OneCentre",
        };
        flags.push(sites.to_owned());
    }
    if settings.concessions {
        flags.push("Concessions".to_owned());
    }
    flags.push(format!("Max Absence: {}", settings.max_absence));
    flags.join(", ")
}

fn press(game: &Game) -> String {
    let settings = &game.settings;
    let colour = match (settings.white, settings.grey, settings.grey_first) {
        (true, true, false) => "White/Grey",
        (true, true, true) => "Grey/White",
        (true, false, _) => "White",
        (false, true, _) => "Grey",
        (false, false, _) => "None",
    };
    let fakes = match settings.fakes {
        Fakes::No => "No Fake",
        Fakes::May => "Partial May Be Faked",
        Fakes::PartialOnly => "Partial May Be Faked, No Fake Broadcast",
        Fakes::BroadcastByDefault => "Partial Fakes Broadcast",
    };
    let mut words = vec![
        colour,
        if settings.partial {
            "Partial Allowed"
        } else {
            "No Partial"
        },
        fakes,
    ];
    let optional = [
        (
            settings.observer_press == ObserverPress::White,
            "Observers White",
        ),
        (
            settings.observer_press == ObserverPress::None,
            "No Observer",
        ),
        (settings.watch_all_press, "Watch All Press"),
        (!settings.late_press, "No Late Press"),
        (!settings.minor_press, "No Minor Press"),
        (!settings.grace_press, "No Grace Press"),
        (settings.must_order, "Must Order"),
    ];
    words.extend(optional.iter().filter(|(on, _)| *on).map(|(_, word)| *word));
    words.join(", ")
}
