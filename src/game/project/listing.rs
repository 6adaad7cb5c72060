//! LIST, to the extent of one reader's knowledge (`judge-workflow.md` 6.8).

use super::{GameView, Labels, Naming, ReaderView, index};

use crate::planted::{Leak, planted};
use crate::{
    Assignment, BuildSites, Ending, Fakes, Game, LeaderNeed, ObserverPress, PhaseClock, Role, Seat,
    SeatId, Setting, State, VariantGame, in_play, requirements,
};
use dipjudge_rules::map::Power;
use dipjudge_view::{
    ListedGame, ListedPerson, Listing, Moment, ParameterBlock, PhaseParameters, Viewer, and_list,
};

/// The register's data of the person at a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredPerson {
    /// As registered.
    pub name: String,
    /// Dedication, if this reader may know it.
    pub dedication: Option<i64>,
}

impl ReaderView<'_> {
    /// The full listing.
    pub fn listing(self, known: &dyn Fn(&Seat) -> RegisteredPerson) -> Listing {
        let visibility = self.view().visibility();
        let labels = &self.view().labels();
        let running = self.game.state == State::Running;
        // Where the board is hidden, all readers except masters get the same: settings, phase and deadline.
        let hidden = visibility.is_bounded() && self.game.begun();
        // Sign-ons would reveal how many powers there will be.
        let alone = self.view().hides_existence();
        let early = self.variant_game().pace().early;
        let (turn, phase, number) = self.game.phase_shown();
        Listing {
            name: self.game.name.clone(),
            number: format!("{number:03}"),
            phase: self.game.token(self.variant),
            state: if running {
                "running".to_owned()
            } else {
                inside_a_sentence(&match (alone, &self.game.state) {
                    (true, State::Ready) => "Forming".to_owned(),
                    (false, State::Forming) if self.variant_game().sign_up_closes().is_none() => {
                        let state = self.variant_game().state_line().unwrap_or_default();
                        // Which seats are open stands with the people.
                        let state = state.split("; open").next().unwrap_or_default();
                        state.trim_end_matches('.').to_owned()
                    }
                    _ => ending_words(self.game, labels),
                })
            },
            deadline: self
                .game
                .timing
                .times
                .map(|times| self.reader.moment(times.deadline)),
            sign_up: self
                .variant_game()
                .sign_up_closes()
                .map(|at| self.reader.moment(at)),
            start: match self.game.timing.times {
                Some(times) if running && early => Some(self.reader.moment(times.start)),
                _ => None,
            },
            all_in: (running
                && !hidden
                && (!requirements::wanting_is_untold(
                    self.game,
                    &self.variant_game().requirements(),
                ) || planted(Leak::BidsIn)))
            .then(|| self.variant_game().all_in()),
            information: self.game.settings.information.clone(),
            parameters: self.view().parameters(),
            people: if hidden || alone || self.view().hides_who_joined() {
                Vec::new()
            } else {
                self.listed_people(labels, known)
            },
            disclosed: !hidden && !alone,
            beginners: !self.variant_game().hides_leaders() && !alone,
            hides_existence: alone,
            title: (self.game.begun() && !hidden)
                .then(|| self.variant_game().phase_title(number, turn, phase)),
            units: if hidden {
                Vec::new()
            } else {
                Naming::new(self.game, labels).units_in_sight(&visibility)
            },
            centers: (self.game.begun() && !hidden && has_centers(self.game))
                .then(|| self.variant_game().center_table(labels)),
            tables: if self.game.begun() {
                self.tables()
            } else if alone {
                Vec::new()
            } else {
                self.forming_tables()
            },
        }
    }

    fn listed_people(
        self,
        labels: &Labels,
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
                called: self.called(seat, &person.name),
            }
        };
        let mut people: Vec<ListedPerson> = self
            .game
            .seated(Role::Master)
            .map(|seat| without_power("Master", seat))
            .collect();
        if self.game.begun() {
            // A power that is not played has no seat.
            let played = |power: &Power| self.variant_game().need_of(*power) != LeaderNeed::Closed;
            let mut powers: Vec<Power> = self.game.all_powers().filter(played).collect();
            if planted(Leak::NameOrder) {
                powers.sort_by_key(|power| self.game.holder(*power).map(|seat| known(seat).name));
            }
            people.extend(
                powers
                    .into_iter()
                    .map(|power| self.listed_player(labels, known, power)),
            );
            let waiting = self
                .game
                .stand_by
                .iter()
                .filter_map(|seat| self.game.seat(*seat));
            people.extend(waiting.map(|seat| without_power("Stand-by", seat)));
        } else {
            // Where leaders are hidden, nobody reads who will lead which power.
            let open = !self.variant_game().hides_leaders()
                || matches!(self.reader.viewer, Viewer::Master);
            people.extend(self.game.seated(Role::Player).map(|seat| {
                let role = match seat.chosen {
                    Some(power) if open => labels.name(power),
                    _ => "Player",
                };
                without_power(role, seat)
            }));
        }
        people.extend(
            self.game
                .seated(Role::Observer)
                .map(|seat| without_power("Observer", seat)),
        );
        people
    }

    fn listed_player(
        self,
        labels: &Labels,
        known: &dyn Fn(&Seat) -> RegisteredPerson,
        power: Power,
    ) -> ListedPerson {
        let standing = self.game.standing(power);
        let may_know = self.variant_game().shows_late()
            || matches!(self.reader.viewer, Viewer::Master)
            || self.reader.viewer == Viewer::Power(power);
        let status = if self.variant_game().stands_open(power) {
            "open"
        } else if standing.disorder {
            "CD"
        } else if standing.abandoned || standing.resigned {
            "aband"
        } else if standing.late && may_know && !self.variant_game().is_complete(power) {
            "late"
        } else {
            self.variant_game().due_word(power)
        };
        let person = self.game.holder(power).map(|seat| (seat, known(seat)));
        ListedPerson {
            role: labels.name(power).to_owned(),
            status: status.to_owned(),
            strength: strength(self.game, power),
            late: (self.game.settings.late_count && (may_know || planted(Leak::LateCount)))
                .then_some(standing.times_late),
            dedication: person.as_ref().and_then(|(_, person)| person.dedication),
            called: person.map_or_else(
                || "vacant".to_owned(),
                |(seat, person)| self.called(seat, &person.name),
            ),
        }
    }
}

impl GameView<'_> {
    /// Whether it is hidden from this reader who has joined a forming game, and how many have.
    pub fn hides_who_joined(self) -> bool {
        let master = self.viewer == Viewer::Master;
        self.game.settings.secret && !self.game.begun() && !master
    }

    /// The parameters.
    pub fn parameters(self) -> ParameterBlock {
        let bounded = self.visibility().is_bounded();
        let settings = &self.game.settings;
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
            zone: settings.timezone.clone(),
            access: access(self.game),
            variant: self.variant_game().variant_line(),
            flags: flags(self.game),
            xflags: extra_flags(self.game),
            press: press(self.game),
            assignment: match settings.assignment {
                _ if self.variant.has_stand_by(settings) => "By Lot, and the Others Stand By",
                _ if self.variant.roster(self.game).is_some() => "Each Player's Own Power",
                Assignment::List => "By Preference List Only",
                Assignment::Random => "Randomly",
                Assignment::Both => "By Preference List, * Randomly",
            }
            .to_owned(),
            // A raised number would reveal that two powers have so many.
            winning: if bounded && !planted(Leak::RaisedNumber) {
                self.game.announced_number(self.variant.card().winning)
            } else {
                self.game.winning_number(self.variant.card().winning)
            },
            winning_by: self.variant.card().winning.tally.noun().to_owned(),
            // The index is computed from all powers' centers.
            index: (self.game.begun()
                && !self.variant_game().hides_board()
                && has_centers(self.game))
            .then(|| {
                index(
                    &self
                        .game
                        .all_powers()
                        .map(|power| self.game.center_count(power))
                        .collect::<Vec<_>>(),
                )
            }),
            own: self
                .variant_game()
                .another_map()
                .map(|map| ("Map".to_owned(), map.to_owned()))
                .into_iter()
                .chain(match settings.players {
                    Some(players) if !self.hides_existence() => {
                        Some(("players".to_owned(), players.to_string()))
                    }
                    _ => None,
                })
                .chain(
                    self.variant
                        .hides_existence(self.game)
                        .then(|| ("Addresses".to_owned(), settings.addresses.to_string())),
                )
                .chain(
                    settings
                        .blind
                        .then(|| ("Sight".to_owned(), settings.sight.to_string())),
                )
                .chain(self.variant.card().settings.iter().filter_map(|setting| {
                    let mut told = setting.told(self.game.map(), setting.of(self.game))?;
                    told.extend(self.variant_game().setting_to_come(setting));
                    Some((setting.name.to_owned(), told))
                }))
                .chain(
                    settings.numbers.iter().map(|(archive, number)| {
                        (archive_title(archive).to_owned(), number.clone())
                    }),
                )
                .collect(),
        }
    }
}

impl<'g> VariantGame<'g> {
    /// One game of the brief list, which is public: its master is called by name.
    pub fn brief(self, name_of: &dyn Fn(SeatId) -> String) -> ListedGame {
        let settings = &self.game.settings;
        let mut options = vec![self.variant.card().title.to_owned()];
        options.extend(self.another_map().map(|map| format!("Map {map}")));
        if settings.gunboat {
            options.push("Gunboat".to_owned());
        }
        if settings.blind {
            options.push("Blind".to_owned());
        }
        options.push(format!("{} hrs", settings.moves.next / 60));
        if let Some(master) = self.game.seated(Role::Master).next() {
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
            name: self.game.name.clone(),
            phase: if self.game.begun() {
                self.game.token(self.variant)
            } else {
                String::new()
            },
            options: options.join(", "),
            comment: settings.comment.clone(),
            state: self.state_line(),
        }
    }

    /// `Forming: 3 players needed.`, `Openings: Italy (4/4)`, or how it ended.
    fn state_line(self) -> Option<String> {
        let labels = self.seen_by(Viewer::Stranger).labels();
        if let Some(closes) = self.sign_up_closes() {
            let closes = Moment::new(closes, &self.game.zone());
            return Some(format!("Forming: sign-up closes {closes}."));
        }
        match self.game.state {
            // The number of sign-ons would reveal how many powers there will be.
            State::Forming | State::Ready if self.seen_by(Viewer::Stranger).hides_existence() => {
                Some("Forming.".to_owned())
            }
            State::Forming if self.seen_by(Viewer::Stranger).hides_who_joined() => {
                Some("Forming.".to_owned())
            }
            State::Forming if self.begins_by_word() => Some(format!(
                "Forming: {} players, up to {}; the master begins it.",
                self.game.seated(Role::Player).count(),
                self.players().end(),
            )),
            State::Forming => {
                let missing = self.missing_players();
                Some(format!(
                    "Forming: {missing} player{} needed{}.",
                    if missing == 1 { "" } else { "s" },
                    self.still_open(&labels)
                ))
            }
            State::Ready => Some(format!(
                "Waiting for the master to start{}.",
                self.still_open(&labels)
            )),
            State::Over(_) => Some(format!("{}.", ending_words(self.game, &labels))),
            State::Running | State::Paused | State::Halted { .. } => {
                let open: Vec<String> = self
                    .openings()
                    .into_iter()
                    .map(|power| {
                        let name = labels.name(power);
                        match self.need_of(power) {
                            LeaderNeed::Required => {
                                format!("{name} ({})", strength(self.game, power))
                            }
                            _ => name.to_owned(),
                        }
                    })
                    .collect();
                (!open.is_empty()).then(|| format!("Openings: {}", open.join(", ")))
            }
        }
    }

    /// The powers of a running game that somebody may take over, as far as everybody may know them.
    pub fn openings(self) -> Vec<Power> {
        // Who left, and how strong the power was, is not public.
        if !self.game.begun() || self.hides_board() || self.game.settings.is_quiet() {
            return Vec::new();
        }
        let in_play = in_play(self.game, self.variant).into_iter();
        in_play
            .filter(|power| self.game.standing(*power).vacant())
            .collect()
    }

    /// The seats that somebody may choose at a forming table: `; open: Jester, Doctor`.
    fn still_open(self, labels: &Labels) -> String {
        let open = self.powers_not_chosen();
        let names: Vec<&str> = open.iter().map(|power| labels.name(*power)).collect();
        if names.is_empty() {
            String::new()
        } else {
            format!("; open: {}", names.join(", "))
        }
    }

    /// How many players a forming game still needs.
    pub fn missing_players(self) -> usize {
        if self.has_optional_powers() {
            return self.players_missing_for_powers(wanted_players(self.game));
        }
        let wanted = wanted_players(self.game).unwrap_or(*self.players().start());
        wanted.saturating_sub(self.game.seated(Role::Player).count())
    }

    /// Whether the table is full: the game begins by itself or by its master's command.
    pub fn begins_itself(self) -> bool {
        if self.begins_at_a_date() {
            // Sign-up is over, and only the master's command is missing.
            return self.game.state == State::Ready;
        }
        if self.has_optional_powers() {
            return self.missing_players() == 0;
        }
        let full = wanted_players(self.game).unwrap_or(*self.players().end());
        self.game.seated(Role::Player).count() >= full
    }

    /// Whether there are enough players but more may join, so that somebody must command the start.
    pub fn begins_by_word(self) -> bool {
        self.missing_players() == 0 && !self.begins_itself()
    }

    /// The map, if it is not the variant's usual one.
    fn another_map(self) -> Option<&'g str> {
        (self.game.map != self.variant.card().map).then_some(self.game.map.as_str())
    }

    /// `, two from F1903M on`, where a setting is to change.
    fn setting_to_come(self, setting: &Setting) -> Option<String> {
        let one = self.game.settings.own_to_come.get(setting.name)?;
        let value = setting.told(self.game.map(), &one.value)?;
        let phase = self
            .variant
            .card()
            .phase_name(&one.phase, one.turn)
            .in_mail();
        Some(format!(", {value} from {phase} on"))
    }
}

/// Whether supply centers matter in the game: a map without any is described without them.
pub(super) fn has_centers(game: &Game) -> bool {
    !game.map().centers().is_empty()
}

/// Units and centers: `3/4`; only units where there are no centers.
fn strength(game: &Game, power: Power) -> String {
    if has_centers(game) {
        format!("{}/{}", game.unit_count(power), game.center_count(power))
    } else {
        game.unit_count(power).to_string()
    }
}

/// The number of players that was set to begin the game.
fn wanted_players(game: &Game) -> Option<usize> {
    game.settings.players.map(|players| players as usize)
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
        State::Halted { .. } => "Stands still".to_owned(),
    }
}

/// `Won by France` for use inside a sentence, with a small first letter.
fn inside_a_sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
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
    // Where the map has no homes, the variant lists the building sites.
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

/// What the number of an archive is called.
fn archive_title(letters: &str) -> &str {
    match letters {
        "BN" | "BNC" => "Boardman",
        "MN" | "MNC" => "Miller",
        other => other,
    }
}
