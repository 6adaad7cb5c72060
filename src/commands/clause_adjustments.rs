//! Clauses that order retreats, builds and removals: `my army in Venice goes back to Tuscany`, `one army in Vienna and one in Budapest`.

use super::mentions::{Marker, Mention, words};
use super::order_clauses::{BoardInSight, ClauseReader, MOST_OF_PLACE};
use dipjudge_grammar::{Text, number_in_words};
use dipjudge_rules::map::UnitKind;

impl<B: BoardInSight> ClauseReader<'_, B> {
    pub(super) fn retreat(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        let removes = self.marker("clause-remove", &text).is_some();
        match named.as_slice() {
            [unit] if removes => {
                let name = self.name(&unit.place);
                self.orders.push(format!("{name} DISBAND"));
            }
            [] if removes => {
                if let Some(at) = self.board.only_dislodged() {
                    let name = self.names.full_name(at);
                    self.orders.push(format!("{name} DISBAND"));
                }
            }
            [to] => {
                if let Some(from) = self.board.only_dislodged()
                    && from != to.place.province
                {
                    let line = format!("{} - {}", self.names.full_name(from), self.name(&to.place));
                    self.orders.push(line);
                }
            }
            [from, to] => {
                let line = format!("{} - {}", self.name(&from.place), self.name(&to.place));
                self.orders.push(line);
            }
            _ => {}
        }
    }

    pub(super) fn adjustment(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        if named.is_empty()
            && let Some(marker) = self.marker("clause-coast", &text)
        {
            return self.add_coast(text.source(marker.start..marker.end));
        }
        if self.marker("clause-remove", &text).is_some() {
            if named.is_empty() {
                self.remove_only_of_kind(&text);
                // "It has to be the army in Gascony then, take that one off the board"
                if let Some(spoken) = self.spoken.take() {
                    let name = self.names.full_name(spoken.at);
                    self.orders.push(format!("REMOVE {name}"));
                }
            }
            for unit in &named {
                let name = self.name(&unit.place);
                self.orders.push(format!("REMOVE {name}"));
            }
            return;
        }
        if self.marker("clause-kept", &text).is_some() {
            return;
        }
        let kinds: Vec<(usize, UnitKind)> = words(&text)
            .into_iter()
            .filter_map(|at| Some((at, self.kind(&text, at)?)))
            .filter(|(at, _)| !named.iter().any(|one| (one.start..one.end).contains(at)))
            .collect();
        if self.marker("clause-empty", &text).is_some() {
            return;
        }
        self.note_unit(clause);
        // "One more fleet for His Majesty! Put her in the water at Edinburgh."
        if let (true, Some((_, kind))) = (named.is_empty(), kinds.first()) {
            self.wanted = Some(*kind);
            return self.build_at_all_sites(*kind, &text);
        }
        let carries =
            self.marker("clause-same", &text).is_some() || words(&text).len() <= MOST_OF_PLACE;
        let wanted = self.wanted.take();
        let builds = self.marker("clause-build", &text).is_some();
        // "a fleet up in St Petersburg facing Norway"
        let is_site = |one: &&Mention| self.board.sites().contains(&one.province());
        let (at_sites, others): (Vec<&Mention>, Vec<&Mention>) = named.iter().partition(is_site);
        let built_at = if at_sites.is_empty() {
            others
        } else {
            at_sites
        };
        for unit in &built_at {
            // "It has to be the army in Gascony then" builds nothing.
            if self.board.is_own(unit.province()) && !builds {
                continue;
            }
            let stands_before = kinds.iter().rev().find(|(at, _)| *at < unit.start);
            let kind = stands_before.or(kinds.first()).map(|(_, kind)| *kind);
            let kind = kind.or(wanted).or(self.built.filter(|_| carries));
            let Some(kind) = kind else {
                continue;
            };
            self.built = Some(kind);
            let kind = self.names.kind_name(kind);
            let name = self.name(&unit.place);
            self.orders.push(format!("BUILD {kind} {name}"));
        }
        // "a fleet up in St Petersburg facing Norway (north coast)"
        let coast = self.marker("clause-coast", &text);
        let is_told = |coast: &Marker| built_at.iter().any(|one| one.covers(coast.start));
        if let Some(coast) = coast.filter(|coast| !is_told(coast)) {
            self.add_coast(text.source(coast.start..coast.end));
        }
    }

    /// `Take the fleet off`: the only one.
    fn remove_only_of_kind(&mut self, text: &Text<'_>) {
        let kind = words(text).into_iter().find_map(|at| self.kind(text, at));
        let units = kind.map(|kind| self.board.all_of_kind(kind));
        if let Some([at]) = units.as_deref() {
            let name = self.names.full_name(*at);
            self.orders.push(format!("REMOVE {name}"));
        }
    }

    /// `Two armies, wherever there is room`: where there is room for just so many.
    fn build_at_all_sites(&mut self, kind: UnitKind, text: &Text<'_>) {
        let number = words(text).into_iter().find_map(|at| {
            let word = text.source(at..text.word_end(at)).to_lowercase();
            number_in_words(&word)
        });
        let sites = self.board.sites();
        if number.map(usize::from) != Some(sites.len()) {
            return;
        }
        for at in sites {
            let (kind, name) = (self.names.kind_name(kind), self.names.full_name(*at));
            self.orders.push(format!("BUILD {kind} {name}"));
        }
    }

    /// Adds the coast to the build before: `a fleet in St Petersburg, northern side`.
    fn add_coast(&mut self, words: &str) {
        let letter = words.trim().chars().next();
        let last = self.orders.last_mut().filter(|last| !last.contains('/'));
        if let (Some(letter), Some(_), Some(last)) = (letter, self.built, last) {
            *last = format!("{last}/{}c", letter.to_ascii_lowercase());
        }
    }

    /// Whether a clause says that nothing is built, and names no place.
    pub(super) fn waives(&self, clause: &str) -> bool {
        let text = Text::new(clause);
        self.mentions(&text).is_empty() && self.marker("clause-waive", &text).is_some()
    }
}
