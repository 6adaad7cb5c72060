//! What is played: variant and options, map, number of players. All of it can be set only before the start.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::switch::Switch;
use super::table::{SetAct, Setting};

use super::change::{before_start, moderator_where_hidden, setting, told};
use crate::clock::{processing, starting};
use crate::people::create_options::{may_be_blind, offer};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse};
use crate::work::authority::only_master;
use dipjudge_game::{
    Addresses, Begins, Event, Opening, PersonId, Role, Seat, SeatChange, SeatId, SettingChange,
    SightFrom, Variant, VariantGame,
};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["variant", "variant-off"],
        examples: &["VARIANT bridge", "NOT VARIANT gunboat"],
        called: "SET VARIANT",
        act: SetAct::Line(|work, acting, line| {
            let words = line.text_of("some-words").unwrap_or_default();
            set(work, acting, words, line.rule == "variant")
        }),
        help: "SET VARIANT name
    Before the start; SET NOT VARIANT option takes an option away.  GUNBOAT
    can be taken away later, by the master of a moderated game: from then on
    leaders are named.
SET VARIANT BLIND
    Before the start: each sees only his part of the board (GET BLIND).  SET
    SIGHT UNITS, CENTERS, HOMES says what sees; units and owned centers
    without that.  A blind game is processed on its deadlines; SET EARLY: as
    soon as all orders are in, which tells that they are.
SET name value [FROM phase] [BECAUSE reason]
    A setting of the variant's own, as its rules name it: GET RULES.name.
    Where the rules let masters change it later, FROM F1903 has it act from
    that turn on, FROM F1903R from that phase.",
        ..Setting::GAME
    },
    Setting {
        rules: &["map"],
        examples: &["MAP standard"],
        called: "SET MAP",
        before_start: true,
        act: SetAct::Line(|work, acting, line| {
            map(work, acting, line.text_of("map-name").unwrap_or_default())
        }),
        help: "SET MAP name
    Before the start: the map that is played on, in any variant.  GET VARIANTS
    names the maps, GET MAP.NAME brings one in words.",
        ..Setting::GAME
    },
    Setting {
        rules: &["blank-board"],
        examples: &["BLANK BOARD"],
        before_start: true,
        act: SetAct::Switch(Switch {
            name: "BlankBoard",
            change: SettingChange::BlankBoard,
            check: |work, _, on| {
                if on {
                    may_be_blank(variants::of(&work.game().variant))
                } else {
                    Ok(())
                }
            },
            ..Switch::PLAIN
        }),
        help: "SET BLANK BOARD
    Before the start: the game begins on an empty board with the Winter of
    1900, in which each power builds a unit in each of its home centers; where
    it orders none, the usual one is built.",
        ..Setting::GAME
    },
    Setting {
        rules: &["sight"],
        examples: &["SIGHT UNITS, CENTERS"],
        called: "SET SIGHT",
        before_start: true,
        act: SetAct::Line(|work, acting, line| {
            let from = SightFrom {
                units: line.has("seen-units"),
                centers: line.has("seen-centers"),
                homes: line.has("seen-homes"),
            };
            sight(work, acting, from)
        }),
        help: "SET SIGHT UNITS, CENTERS, HOMES
    Before the start of a blind game: what sees.",
        ..Setting::GAME
    },
    Setting {
        rules: &["shown-addresses"],
        examples: &["ADDRESSES SHOWN", "ADDRESSES HIDDEN"],
        called: "SET ADDRESSES",
        before_start: true,
        act: SetAct::Line(|work, acting, line| {
            let to_whom = if line.has("addresses-shown") {
                Addresses::Shown
            } else {
                Addresses::Hidden
            };
            addresses(work, acting, to_whom)
        }),
        help: "SET ADDRESSES HIDDEN|SHOWN
    Where nobody is told who plays, and before anybody but who made the game
    has signed on: whether powers in contact read each other's names and mail
    addresses.",
        ..Setting::GAME
    },
    Setting {
        rules: &["players"],
        examples: &["PLAYERS 9"],
        before_start: true,
        act: SetAct::Line(|work, acting, line| {
            players(work, acting, line.number().unwrap_or_default())
        }),
        help: "SET PLAYERS 9
    Where any number may play: so many begin the game.",
        ..Setting::GAME
    },
];

/// SET VARIANT name, SET VARIANT GUNBOAT, SET NOT VARIANT option.
fn set(work: &mut GameWork, acting: Acting, words: &str, on: bool) -> ActOutcome {
    let word = words.trim().to_lowercase();
    let game = work.game();
    if word == "gunboat" && !on && game.begun() && !game.over() && game.settings.gunboat {
        return lift_gunboat(work, acting);
    }
    before_start(work)?;
    let game = work.game();
    match word.as_str() {
        "gunboat" => return option(work, acting, SettingChange::Gunboat, "Gunboat", on),
        "blind" => {
            if on {
                may_be_blind(variants::of(&game.variant))?;
            }
            return option(work, acting, SettingChange::Blind, "Blind", on);
        }
        _ => {}
    }
    let variant = match variants::named(&word) {
        Some(variant) if on => variant,
        _ => return refuse(format!("'{word}' is no variant or option.  {}", offer())),
    };
    if game.settings.blind {
        may_be_blind(variant)?;
    }
    let before = variants::of(&game.variant).card();
    let other = before.name != variant.card().name;
    if other && work.secrecy().existence {
        // Whether the other variant has room for all players would show how many there are.
        only_master(work, acting, "SET VARIANT in such a game")?;
    }
    let players = number(work);
    // A map that the master chose is kept.
    let map = if game.map == before.map {
        variant.card().map.to_owned()
    } else {
        game.map.clone()
    };
    fits(work, variant, &map)?;
    let places = if other {
        variant.card().places.to_owned()
    } else {
        variant.places(&work.game().settings)
    };
    work.emit(Event::Variant {
        variant: variant.card().name.to_owned(),
        map,
        places,
    });
    let any_number = unless_it_fits(work);
    // Settings of one variant have another meaning in the new one, or none.
    let reset = other && reset(work)?;
    if other {
        for change in variant.card().settings_after(before) {
            work.emit(Event::Set(change));
        }
    }
    // A player who joins while another variant is set is not told of this setting.
    let hidden = SettingChange::Addresses(Addresses::Hidden);
    if other && work.game().settings.differs(&hidden) {
        work.emit(Event::Set(hidden));
    }
    let unblank = work.game().settings.blank_board && variant.card().opening != Opening::Standing;
    if unblank {
        work.emit(Event::Set(SettingChange::BlankBoard(false)));
    }
    let done = format!("set the variant to {}", variant.card().title);
    let mut said = told(work, acting, &done)?;
    if reset {
        said.push("Its own settings and the number that wins are as the variant has them.");
    }
    if unblank {
        said.push("The BlankBoard flag is cleared, since how this variant begins is fixed.");
    }
    if let Some(sentence) = any_number {
        said.push(sentence);
    }
    begin_if_enough(work, players);
    Ok(said)
}

/// Refuses a variant on a map that has fewer powers than players have joined.
fn fits(work: &GameWork, variant: &dyn Variant, map: &str) -> Result<(), Refusal> {
    let laid = Map::with_places(map, variant.card().places);
    let Some(laid) = laid.filter(|laid| !variant.players(laid).is_empty()) else {
        return refuse(format!(
            "{} cannot be played on the map {map}.",
            variant.card().title
        ));
    };
    let seated = work.game().seated(Role::Player).count();
    let most = *variant.players(laid).end();
    if seated > most && variant.begins(&work.game().settings) == Begins::WhenFull {
        return refuse(format!(
            "{} on the map {map} is for {most} players, and {seated} have joined already.",
            variant.card().title
        ));
    }
    Ok(())
}

/// The numbers of players that the game allows.
pub(super) fn number(work: &GameWork) -> RangeInclusive<usize> {
    work.variant_game().players()
}

/// Begins the game if it is full, now that the allowed number of players differs from `before`.
pub(super) fn begin_if_enough(work: &mut GameWork, before: RangeInclusive<usize>) {
    if number(work) != before {
        work.send_notices();
        starting::begin_if_full(work);
    }
}

/// Resets a number of players that the master set and that the game no longer allows. Returns a sentence about it.
pub(super) fn unless_it_fits(work: &mut GameWork) -> Option<String> {
    let game = work.game();
    let set = usize::try_from(game.settings.players?).unwrap_or(usize::MAX);
    if number(work).contains(&set) {
        return None;
    }
    work.emit(Event::Set(SettingChange::Players(None)));
    Some(format!(
        "The number of players that was set, {set}, is cleared: it is too high or too low now."
    ))
}

/// Refuses an empty board if the variant fixes how its games begin.
fn may_be_blank(variant: &dyn Variant) -> Result<(), Refusal> {
    match variant.card().opening {
        Opening::Standing => Ok(()),
        Opening::Blank => refuse(format!(
            "{} always begins on an empty board, with a Winter of builds.",
            variant.card().title
        )),
        Opening::Own | Opening::Winter => refuse(format!(
            "{} cannot begin on an empty board.",
            variant.card().title
        )),
    }
}

/// Resets the settings that only one variant has: its own, and the winning number. Returns whether any of them had been
/// set.
fn reset(work: &mut GameWork) -> Result<bool, Refusal> {
    let settings = &work.game().settings;
    let set =
        !settings.own.is_empty() || !settings.own_to_come.is_empty() || settings.centers.is_some();
    if set {
        work.emit(Event::Set(SettingChange::Own(BTreeMap::new())));
        work.emit(Event::Set(SettingChange::OwnToCome(BTreeMap::new())));
        work.emit(Event::Set(SettingChange::Centers(None)));
    }
    Ok(set)
}

fn option(
    work: &mut GameWork,
    acting: Acting,
    change: fn(bool) -> SettingChange,
    name: &str,
    on: bool,
) -> ActOutcome {
    let word = if on { "set" } else { "cleared" };
    let done = format!("{word} the {name} option");
    setting(work, acting, change(on), &done)
}

/// Stops hiding leaders; only the master of a moderated game can do it. Letters written before keep their reply
/// addresses.
fn lift_gunboat(work: &mut GameWork, acting: Acting) -> ActOutcome {
    moderator_where_hidden(work, acting, "SET NOT VARIANT GUNBOAT")?;
    work.emit(Event::Set(SettingChange::WasGunboat(true)));
    option(work, acting, SettingChange::Gunboat, "Gunboat", false)
}

/// REVEAL: tells all who leads which power, or led it.
pub(crate) fn reveal(work: &mut GameWork, acting: Acting) -> ActOutcome {
    let game = work.game();
    if !work.secrecy().leaders {
        return refuse(format!(
            "Who plays in '{}' is no secret: LIST {} tells.",
            game.name, game.name
        ));
    }
    if !game.over() {
        if !game.settings.gunboat || work.secrecy().existence {
            return refuse("In this game who plays is told when it is over.");
        }
        return lift_gunboat(work, acting);
    }
    if game.settings.reveal {
        return refuse(format!(
            "Who played was told when '{}' ended: SUMMARY {}.",
            game.name, game.name
        ));
    }
    let said = setting(
        work,
        acting,
        SettingChange::Reveal(true),
        "revealed who played",
    )?;
    work.send_notices();
    processing::tell_leaders(work);
    Ok(said)
}

fn map(work: &mut GameWork, acting: Acting, name: &str) -> ActOutcome {
    let Some(map) = Map::named(name) else {
        let maps: Vec<&str> = Map::names().collect();
        return refuse(format!(
            "This judge has no map '{name}'.  Maps: {}.",
            maps.join(", ")
        ));
    };
    let game = work.game();
    fits(work, variants::of(&game.variant), map.name())?;
    let players = number(work);
    let (variant, places) = (game.variant.clone(), game.places.clone());
    let map = map.name().to_owned();
    let done = format!("set the map to {map}");
    work.emit(Event::Variant {
        variant,
        map,
        places,
    });
    let any_number = unless_it_fits(work);
    let mut said = told(work, acting, &done)?;
    if let Some(sentence) = any_number {
        said.push(sentence);
    }
    begin_if_enough(work, players);
    Ok(said)
}

/// SET SIGHT: what gives sight in a blind game; units and owned centers if the line names nothing.
fn sight(work: &mut GameWork, acting: Acting, named: SightFrom) -> ActOutcome {
    if !work.game().settings.blind {
        return refuse("SIGHT is for blind games; SET VARIANT BLIND makes this one blind.");
    }
    let nothing = SightFrom {
        units: false,
        centers: false,
        homes: false,
    };
    let from = if named == nothing {
        SightFrom::default()
    } else {
        named
    };
    let done = format!("gave sight to {from}");
    setting(work, acting, SettingChange::Sight(from), &done)
}

/// SET ADDRESSES: possible only while nobody has joined under the present value.
fn addresses(work: &mut GameWork, acting: Acting, to_whom: Addresses) -> ActOutcome {
    let game = work.game();
    if !work.secrecy().existence {
        return refuse("SET ADDRESSES is for games in which nobody is told who plays.");
    }
    let creator = game.seats.first().map(|seat| seat.person);
    let others = |seat: &Seat| Some(seat.person) != creator;
    if game.seated(Role::Player).any(others) {
        return refuse(
            "SET ADDRESSES can be changed only while nobody but who made the game has signed on.",
        );
    }
    let done = match to_whom {
        Addresses::Hidden => "hid the addresses of all players",
        Addresses::Shown => "let powers in contact read each other's names and addresses",
    };
    let said = setting(work, acting, SettingChange::Addresses(to_whom), done)?;
    name_players(work);
    Ok(said)
}

/// Notes the names of the players, if their contacts are to read them.
fn name_players(work: &mut GameWork) {
    if !work.variant_game().shows_addresses() {
        return;
    }
    let players: Vec<(SeatId, PersonId)> = work
        .game()
        .seated(Role::Player)
        .map(|seat| (seat.id, seat.person))
        .collect();
    for (seat, person) in players {
        let name = work
            .registry
            .person(person)
            .map(|person| person.name.clone());
        if let Some(name) = name {
            work.emit(Event::SeatChanged {
                seat,
                change: SeatChange::Name(name),
            });
        }
    }
}

/// SET PLAYERS: the number of players at which the game begins, if the variant leaves it open.
fn players(work: &mut GameWork, acting: Acting, n: i64) -> ActOutcome {
    let game = work.game();
    let variant = variants::of(&game.variant);
    if VariantGame::new(game, variant).begins_at_a_date() {
        return refuse("This game begins when sign-up closes; SET SIGNUP says when that is.");
    }
    if work.secrecy().existence {
        return refuse(
            "In this game nobody is told how many play; its Master begins it with FORCE BEGIN.",
        );
    }
    let (least, most) = number(work).into_inner();
    let seated = game.seated(Role::Player).count();
    if least == most {
        return refuse(format!("This variant is always for {least} players."));
    }
    let wanted = match usize::try_from(n) {
        Ok(wanted) if (least..=most).contains(&wanted) => wanted,
        _ => return refuse(format!("This variant is for {least} to {most} players.")),
    };
    if wanted < seated {
        return refuse(format!("There are {seated} players already."));
    }
    let number = u32::try_from(n).ok();
    let done = format!("set the game to begin with {n} players");
    let said = setting(work, acting, SettingChange::Players(number), &done)?;
    work.send_notices();
    starting::begin_if_full(work);
    Ok(said)
}
