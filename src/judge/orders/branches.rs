//! IF, ELSE IF, ELSE, ENDIF around orders (`judge-workflow.md` 3.7). A condition is tested against what the owner of
//! the orders sees when they are parsed; what the owner does not see is false.

use crate::work::acting::{Refusal, refuse};
use dipjudge_commands::condition_words::{Standing, read_condition};
use dipjudge_commands::due::Due;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::Verb;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::parse_error::{ParseError, ParseReason};
use dipjudge_game::Variant;
use dipjudge_game::project::Sight;
use dipjudge_grammar::Line;

/// The open blocks, outermost first. The end of the orders closes all of them.
#[derive(Debug, Default)]
pub(crate) struct Branches(Vec<Block>);

#[derive(Debug)]
struct Block {
    /// Whether the current lines take effect.
    open: bool,
    /// Whether a branch of the block has already taken effect.
    taken: bool,
}

impl Branches {
    /// Whether the current lines take effect.
    pub(crate) fn open(&self) -> bool {
        self.0.iter().all(|block| block.open)
    }

    /// Whether no block is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// IF.
    pub(crate) fn begin(&mut self, holds: bool) {
        self.0.push(Block {
            open: holds,
            taken: holds,
        });
    }

    /// ELSE IF; ELSE is the same with a condition that always holds. Returns false if there is no IF before it.
    pub(crate) fn otherwise(&mut self, holds: bool) -> bool {
        let Some(block) = self.0.last_mut() else {
            return false;
        };
        block.open = holds && !block.taken;
        block.taken |= holds;
        true
    }

    /// An IF whose condition cannot be read: whether it or its ELSE is meant, nobody can say, so no branch takes effect.
    pub(crate) fn begin_unread(&mut self) {
        self.0.push(Block {
            open: false,
            taken: true,
        });
    }

    /// How many blocks are open at this place.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// An ELSE IF whose condition cannot be read. The branches behind it do not take effect either.
    pub(crate) fn otherwise_unread(&mut self) {
        if let Some(block) = self.0.last_mut() {
            block.open = false;
            block.taken = true;
        }
    }

    /// ENDIF. Returns false if there is no IF before it.
    pub(crate) fn end(&mut self) -> bool {
        self.0.pop().is_some()
    }
}

/// A line that begins, divides or ends a block, as sent and as parsed.
pub(crate) struct BlockLine<'l> {
    text: &'l str,
    line: &'l Line,
}

impl<'l> BlockLine<'l> {
    /// The block command of a line, if there is one. A line that the variant parses as its own, with a condition of its
    /// own, has none.
    pub(crate) fn of(
        text: &'l str,
        line: &'l Line,
        variant: &dyn Variant,
        names: &Names,
    ) -> Option<BlockLine<'l>> {
        let own = || line.rule == "if" && is_own(variant, text, names);
        (is_condition(line) && !own()).then_some(BlockLine { text, line })
    }
}

/// Handles one line of a block. Returns the order after THEN on the same line, if it takes effect.
pub(crate) fn step(
    branches: &mut Branches,
    BlockLine { text: whole, line }: &BlockLine<'_>,
    variant: &dyn Variant,
    names: &Names,
    sight: &Sight,
) -> Result<Option<String>, Refusal> {
    let without_if = || refuse("There is no IF before this line.");
    let text = line.words().unwrap_or_default();
    let first = match line.rule.as_str() {
        "if" => true,
        "else-if" => false,
        "else" if branches.otherwise(true) => return Ok(None),
        "end-if" if branches.end() => return Ok(None),
        _ => return without_if(),
    };
    let (condition, then) = match read_condition(text, names) {
        Ok(read) => read,
        Err(error) => {
            if first && let Some(why) = own_fault(variant, whole, names) {
                return refuse(why);
            }
            // Orders must not take effect against the player's intention.
            if first {
                branches.begin_unread();
            } else {
                branches.otherwise_unread();
            }
            return refuse(error.to_string());
        }
    };
    let holds = condition.holds(&|standing| stands(standing, sight));
    if first {
        branches.begin(holds);
    } else if !branches.otherwise(holds) {
        return without_if();
    }
    Ok(Some(then.trim().to_owned()).filter(|then| !then.is_empty() && branches.open()))
}

/// Whether a line begins with an order of the variant's own.
fn is_own(variant: &dyn Variant, text: &str, names: &Names) -> bool {
    let read = read_orders_by(grammar_of(variant), text, Due::own_lines(), names);
    let first = read.into_iter().next();
    first.is_some_and(|order| order.is_ok_and(|words| matches!(words.verb, Verb::Own(_))))
}

/// What is wrong with a line that was meant as a complete order of the variant with a condition of its own; `None` if
/// it was not.
fn own_fault(variant: &dyn Variant, text: &str, names: &Names) -> Option<String> {
    let facts = variant.card().facts;
    let then = text.to_ascii_lowercase().find(" then ")?;
    let complete = text.get(then..)?.split_whitespace().nth(1).is_some();
    if facts.is_empty() || !complete {
        return None;
    }
    let read = read_orders_by(grammar_of(variant), text, Due::own_lines(), names);
    let error: ParseError = read.into_iter().find_map(Result::err)?;
    let first = |word: &str| {
        word.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    Some(match error.reason {
        ParseReason::Expected { word, .. } if error.at < then => {
            let word = first(&word);
            format!("`{word}` is no part of a condition here.  A condition says one of: {facts}.")
        }
        ParseReason::UnknownProvince {
            role,
            word,
            nearest,
        } => ParseError {
            reason: ParseReason::UnknownProvince {
                role,
                word: first(&word),
                nearest,
            },
            ..error
        }
        .to_string(),
        _ => error.to_string(),
    })
}

/// Whether a command begins, divides or ends a block.
fn is_condition(line: &Line) -> bool {
    matches!(line.rule.as_str(), "if" | "else-if" | "else" | "end-if")
}

/// Whether the power sees a unit that matches the condition.
fn stands(standing: &Standing, sight: &Sight) -> bool {
    let Standing {
        power,
        kind,
        province,
        coast,
    } = standing;
    // A unit in a shared province is the power's own, unless the condition names another power: `IF A ORB`, `IF ZOR A
    // ORB`.
    let info = sight.map.info(*province);
    let own = info.is_some_and(|info| info.shared).then_some(sight.power);
    sight.position.units.iter().any(|unit| {
        unit.at.province == *province
            && power.or(own).is_none_or(|power| unit.power == power)
            && kind.is_none_or(|kind| unit.kind == kind)
            && coast.is_none_or(|coast| unit.at.coast == Some(coast))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_branch_that_holds_counts() {
        let mut branches = Branches::default();
        branches.begin(false);
        assert!(!branches.open());
        assert!(branches.otherwise(true));
        assert!(branches.open());
        assert!(branches.otherwise(true));
        assert!(!branches.open(), "an ELSE behind a branch that held");
        branches.begin(true);
        assert!(
            !branches.open(),
            "a block within a branch that does not count"
        );
        assert!(branches.end() && branches.end());
        assert!(branches.open() && !branches.end());
    }

    #[test]
    fn behind_a_condition_that_cannot_be_read_nothing_counts() {
        let mut branches = Branches::default();
        branches.begin_unread();
        assert!(!branches.open());
        assert!(branches.otherwise(true) && !branches.open());
        assert!(branches.end() && branches.open());
        branches.begin(false);
        branches.otherwise_unread();
        assert!(branches.otherwise(true) && !branches.open());
    }
}
