//! A later line for the same subject replaces an earlier one, and its sender is told.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Reader, noted};
use crate::data_of;
use crate::rather_silly::conditions::Conditional;
use crate::rather_silly::line_text::Writing;
use crate::rather_silly::slots;
use dipjudge_game::{Considered, Refusal, refuse};

/// For a line with a condition that stands behind one which counts in any case.
pub(super) const BEHIND_ANY_CASE: &str = "A line above says already what is done in any case; put the line with the condition before it.";

impl Reader<'_> {
    /// Keeps something, and notes which lines it replaces.
    pub(super) fn put_in_place<T: Serialize>(&self, name: &str, what: &T) -> Considered {
        let effect = slots::put(name.to_owned(), Some(what));
        let notes = self.in_place_of(&self.kept_lines(name), &self.new_lines(name, what));
        noted(vec![effect], notes)
    }

    /// A line is added to those of its subject in the same mail, unless one of them counts in any case: that is replaced. The
    /// first of a later mail comes in place of all of an earlier's.
    pub(super) fn add<T>(&self, name: &str, line: Conditional<T>) -> Result<Considered, Refusal>
    where
        T: Serialize + DeserializeOwned,
    {
        let mut lines: Vec<Conditional<T>> = self.said(name);
        if lines.last().is_some_and(|last| last.condition.is_none()) {
            if line.condition.is_some() {
                return refuse(BEHIND_ANY_CASE);
            }
            lines.pop();
        }
        lines.push(line);
        Ok(self.put_in_place(name, &lines))
    }

    /// The lines of the mail in hand that are kept under a name.
    fn said<T: DeserializeOwned>(&self, name: &str) -> Vec<Conditional<T>> {
        if self.has_said(name) {
            self.kept(name)
        } else {
            Vec::new()
        }
    }

    /// A line is one more choice among those of the same mail; the first of a later mail comes in place of all of an earlier's.
    pub(super) fn add_choice<T>(&self, name: &str, line: Conditional<T>) -> Considered
    where
        T: Serialize + DeserializeOwned,
    {
        let mut lines: Vec<Conditional<T>> = self.said(name);
        lines.push(line);
        self.put_in_place(name, &lines)
    }

    /// The lines that are put down under a name.
    pub(super) fn kept_lines(&self, name: &str) -> Vec<String> {
        self.kept_data(name)
            .map_or_else(Vec::new, |data| self.writing().lines(name, data))
    }

    /// The lines that this would be printed as.
    pub(super) fn new_lines<T: Serialize>(&self, name: &str, what: &T) -> Vec<String> {
        let data = data_of(what);
        self.writing().lines(name, &data)
    }

    /// A sentence about the earlier lines that are not among the present ones.
    pub(super) fn in_place_of(&self, before: &[String], now: &[String]) -> Vec<String> {
        let mut left: Vec<&String> = now.iter().collect();
        let mut gone: Vec<&str> = Vec::new();
        for line in before {
            match left.iter().position(|other| *other == line) {
                Some(index) => {
                    left.remove(index);
                }
                None => gone.push(line),
            }
        }
        if gone.is_empty() {
            Vec::new()
        } else {
            vec![format!("This comes in place of: {}.", gone.join("; "))]
        }
    }

    pub(super) fn writing(&self) -> Writing<'_> {
        Writing {
            board: &self.board,
            names: self.names(),
            me: self.sight.power,
        }
    }
}
