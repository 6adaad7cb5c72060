//! What the oracle knows besides where it is hidden who exists: letters, maps and gifts among those who have met, and what each power
//! comes to know of itself and of them.

use dipjudge::game::project::Roster;
use dipjudge::game::{Cause, Event, Game, Record, Role, VariantGame};
use dipjudge::map::Power;
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::Timestamp;

use super::super::acquaintance::{self, Acquaintances};
use super::super::civilizations::{self, Stored, Told};
use super::super::fog;
use super::super::letters::{Letter, Line, Press};
use super::super::stage::name;
use super::{Oracle, Reader, Standing, leading, met_by, passed};

impl Oracle<'_> {
    /// What becomes known to whoever leads a power, and to whoever leads it later.
    pub(super) fn power(&mut self, at: Timestamp, power: Power, what: &str) {
        for reader in &mut self.readers {
            if reader.standing.powers.contains(&power) {
                reader.push(at, what);
            }
        }
        self.told.entry(power).or_default().push_str(what);
    }

    /// A letter where nobody can write but to whom he has met. Whether one went at all is told by what came: one wrong name
    /// in a list keeps all of it back.
    pub(super) fn among_strangers(&mut self, letter: &Letter, press: &Press, author: &Standing) {
        let Some(game) = &self.game else { return };
        let acquaintances = Acquaintances::of(game);
        let met = met_by(&acquaintances, author);
        let what = format!(
            "may read the word {} of letter {}, from {:?}",
            press.word, letter.id, author.powers
        );
        let sent = self.sent;
        let Lists { goes_to, heading } = Lists::of(press, game, author, &met);
        for (n, reader) in self.readers.iter_mut().enumerate() {
            let standing = &reader.standing;
            let named = |power: &Power| goes_to.as_ref().is_none_or(|list| list.contains(power));
            let of_player = !author.powers.is_empty();
            let reaches = |power: &Power| named(power) && (!of_player || met.contains(power));
            let watches = |game: &Game| {
                game.seats
                    .iter()
                    .any(|seat| seat.role == Role::Observer && standing.seats.contains(&seat.id))
            };
            // Who only watches reads what the master writes to all, and what the master lets him read.
            let watches = watches(game) && (game.settings.watch_all_press || !of_player);
            let meant = standing.master || watches || standing.powers.iter().any(reaches);
            if meant && n != letter.from && passed(sent, reader, letter.at, &press.word) {
                // Of those to whom it goes a player reads himself and whom he has met.
                let reads = |power: &Power| {
                    let mut own = standing.powers.iter();
                    standing.master
                        || own.any(|own| own == power || acquaintances.met_by(*own).contains(power))
                };
                // Who is not the one that is left out is listed; a letter to all is headed by nobody's name.
                let but = press.options.contains(" BUT ");
                let lists = match standing.master {
                    true => [&goes_to, &heading],
                    false => [&heading, &None],
                };
                let to = lists.into_iter().flatten().flatten().copied();
                let to = to.chain(met.iter().copied().filter(|_| but));
                let to: Vec<Power> = to.filter(reads).collect();
                reader.push(letter.at, &format!("{what}, to {to:?}"));
            }
        }
    }

    /// Where no two may choose one name, who asks for one is told whether it is taken (CivDip, R7: a declared leak).
    pub(super) fn hears_of_names(&mut self, letter: &Letter) {
        let names = |line: &Line| line.text().to_lowercase().contains("name");
        let unique = |game: &&Game| civilizations::is(game, "names", "unique");
        let Some(game) = self.game.as_ref().filter(unique) else {
            return;
        };
        let what = format!("hears which are taken of {:?}", Stored::of(game).names);
        if letter.lines.iter().any(names)
            && let Some(author) = self.readers.get_mut(letter.from)
        {
            author.push(letter.at, &what);
        }
    }

    /// Whom a master acts for reads what he has written.
    pub(super) fn acted_for(&mut self, letter: &Letter) {
        let acts = |line: &Line| line.text().to_uppercase().contains("BECOME");
        if !letter.lines.iter().any(acts) {
            return;
        }
        let what = format!("is acted for: {}", letter.body());
        let is_told = |(n, reader): (usize, &Reader)| {
            n != letter.from && passed(self.sent, reader, letter.at, "assuming identity")
        };
        for power in self.powers_of(is_told) {
            self.power(letter.at, power, &what);
        }
    }

    /// The powers that some of the readers lead.
    fn powers_of(&self, which: impl Fn((usize, &Reader)) -> bool) -> Vec<Power> {
        let readers = self.readers.iter().enumerate();
        let led = readers.filter(|(n, reader)| which((*n, *reader)));
        led.flat_map(|(_, reader)| reader.standing.powers.clone())
            .collect()
    }

    /// One whom its author has met is shown what the author sees at this hour.
    pub(super) fn shown_map(&mut self, letter: &Letter) {
        let show = |line: &Line| {
            // Below the heading of a phase, too.
            let shows = matches!(line, Line::Own(_) | Line::Ahead(_));
            shows && line.text().to_lowercase().contains("show map")
        };
        let author = self.readers.get(letter.from);
        let author = author.map_or(Standing::default(), |author| author.standing.clone());
        let Some(game) = self.game.as_ref().filter(|_| letter.lines.iter().any(show)) else {
            return;
        };
        let met = met_by(&Acquaintances::of(game), &author);
        let view = fog::snapshot(game, &author, self.fixture, &self.glimpses);
        let view = format!("is shown: {view}");
        let meant = |reader: &Reader| reader.standing.powers.iter().any(|one| met.contains(one));
        let is_shown = |(_, reader): (usize, &Reader)| {
            meant(reader) && passed(self.sent, reader, letter.at, "shows you its map")
        };
        for power in self.powers_of(is_shown) {
            self.power(letter.at, power, &view);
        }
    }

    /// What everybody sees after an event; unless a phase is over or begins, those whose sight has changed.
    pub(super) fn look(&mut self, at: Timestamp, game: &Game, all: bool) {
        let masters = self.readers.iter_mut().filter(|one| one.standing.master);
        for master in masters {
            let view = fog::snapshot(game, &master.standing, self.fixture, &self.glimpses);
            master.push(at, &view);
        }
        for power in game.all_powers() {
            let view = fog::snapshot(game, &leading(power), self.fixture, &self.glimpses);
            if all || self.views.get(&power) != Some(&view) {
                self.power(at, power, &view);
            }
            self.views.insert(power, view);
        }
    }

    /// What each power knows of what the variant keeps, if anything of it has changed for it.
    pub(super) fn know(&mut self, at: Timestamp, game: &Game) {
        for power in game.all_powers() {
            let registered = &self.registered;
            let form = |address: &str| registered.get(name(address)).cloned().unwrap_or_default();
            let own = acquaintance::known_to(game, power, form);
            if self.own.get(&power) != Some(&own) {
                self.power(at, power, &own);
                self.own.insert(power, own);
            }
        }
    }

    /// Which units are seen beyond the horizons from now on.
    pub(super) fn glimpse(&mut self, event: &Event, before: Option<&Game>, after: &Game) {
        self.glimpses = match (event, before) {
            (Event::Played(played), _) => self.glimpses.after(after, played),
            (Event::Board { .. }, Some(before)) => self.glimpses.after_gift(before, after),
            (Event::RolledBack { .. }, _) => Stored::of(after).glimpses,
            _ => return,
        };
    }

    /// What the parties of gifts and exchanges are told of their end.
    pub(super) fn dealings_end(
        &mut self,
        at: Timestamp,
        record: &Record,
        before: &Game,
        after: &Game,
    ) {
        let Cause::Mail(seat) = record.cause else {
            return;
        };
        let led = seat.map(|seat| before.led_by(seat)).unwrap_or_default();
        let shown = |power: Power| {
            let mut readers = self.readers.iter();
            let reader = readers.find(|one| one.standing.powers.contains(&power));
            reader.is_some_and(|one| passed(self.sent, one, record.at, "This is the map of"))
        };
        let acquaintances = Acquaintances::of(after);
        for (power, told) in civilizations::ended(before, after, led.first().copied(), shown) {
            let what = match told {
                Told::Words(words) => acquaintances.put_names_in(words),
                Told::MapOf(of) => fog::map(before, of, self.fixture, &self.glimpses),
            };
            self.power(at, power, &what);
        }
    }
}

/// The lists of a letter, `None` for everybody.
struct Lists {
    /// Those to whom it goes.
    goes_to: Option<Vec<Power>>,
    /// Those to whom its heading says that it goes, as far as its reader knows them.
    heading: Option<Vec<Power>>,
}

impl Lists {
    /// As the judge reads them: by what its author calls those whom he has met, when it arrives. He may have meant others when he
    /// wrote; that counts for whoever has no labels of his own.
    fn of(press: &Press, game: &Game, author: &Standing, met: &[Power]) -> Lists {
        let variant = variants::of(&game.variant);
        let words = author.powers.iter();
        let words = words.map(|own| {
            VariantGame::new(game, variant)
                .seen_by(Viewer::Power(*own))
                .roster()
        });
        let words: Vec<Roster> = words.collect();
        let called = |name: &str| {
            let mut known = words.iter().flat_map(Roster::iter);
            let known = known.find(|(_, info)| info.name.eq_ignore_ascii_case(name.trim()));
            known.map(|(power, _)| power)
        };
        let powers = |list: &str| -> Vec<Power> {
            let called = list.split(',').filter_map(called);
            called.filter(|power| met.contains(power)).collect()
        };
        let (to, fake) = match press.options.split_once(" FAKE TO ") {
            Some((to, fake)) => (to, Some(fake)),
            None => (press.options.as_str(), None),
        };
        let (_, to) = to.split_once("TO ").unwrap_or_default();
        let goes_to = press.to.as_ref().map(|meant| match powers(to) {
            none if none.is_empty() => meant.iter().map(|number| Power(*number)).collect(),
            named => named,
        });
        let heading = match fake {
            Some("ALL") => None,
            Some(list) => Some(powers(list)),
            None => goes_to.clone(),
        };
        Lists { goes_to, heading }
    }
}
