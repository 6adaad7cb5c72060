//! Lines that say for which of the writer's games they are: `kaiser: all hold`, `Tell all players in kaiser and reef: ...`. Read by
//! `grammar/letters.grammar`.

use super::letters::{Readers, grammar, with_colon_apart};
use dipjudge_grammar::{Text, Tree};
use std::ops::Range;

/// A line that names games, and the line without them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamesNamed {
    /// The games, each once; none, if the line is for all of the writer's.
    pub games: Vec<String>,
    /// What the line says to them.
    pub words: String,
}

/// The games for which a line and those below it are, if it begins with them (`kaiser: all hold`), has a colon behind them (`To
/// Ben in reef: hello`), or is for several (`I am away in all my games`). `known` knows the writer's games by name.
pub fn games_named(line: &str, known: &Readers) -> Option<GamesNamed> {
    let line = with_colon_apart(line.trim());
    let text = Text::new(&line);
    if let Some(tree) = grammar().read("games-heading", &text, 0, known) {
        let words = tree.root(&text).find("games-text");
        let words = words.map_or("", |node| node.text().trim());
        return Some(GamesNamed {
            words: words.to_owned(),
            games: games_of(&tree, &text, known),
        });
    }
    let (span, tree) = within(&text, known)?;
    let games = games_of(&tree, &text, known);
    let is_heading = text.source(span.end..text.len()).contains(':');
    let asks = line.trim_end().ends_with('?') && !games.is_empty();
    // "Take me out of dodo. I stay in kaiser and reef."
    let names_others = || {
        let beside = cut(&text, span.clone());
        let beside = known.named_in(&beside);
        beside.iter().any(|game| !games.contains(game))
    };
    if !is_heading && (games.len() == 1 || asks || names_others()) {
        return None;
    }
    Some(GamesNamed {
        words: cut(&text, span),
        games,
    })
}

/// The only game that a sentence names within it, and the sentence without it: `Also, in alpine, three days for moves please`.
pub fn game_within(sentence: &str, known: &Readers) -> Option<GamesNamed> {
    let parted = with_colon_apart(sentence.trim());
    let text = Text::new(&parted);
    let Some((span, tree)) = within(&text, known) else {
        // "I joined dodo by mistake"
        let games = known.named_in(sentence);
        return (games.len() == 1).then(|| GamesNamed {
            games,
            words: sentence.trim().to_owned(),
        });
    };
    let games = games_of(&tree, &text, known);
    (games.len() == 1).then(|| GamesNamed {
        games,
        words: cut(&text, span),
    })
}

/// A line without the words that say for which game it is: `Send this to Gwen, in the game Reef, please`.
pub fn without_game(line: &str, known: &Readers) -> String {
    let parted = with_colon_apart(line.trim());
    let text = Text::new(&parted);
    match within(&text, known) {
        Some((span, _)) => cut(&text, span),
        None => line.trim().to_owned(),
    }
}

/// Where a line names games, and what it says there.
fn within(text: &Text<'_>, known: &Readers) -> Option<(Range<usize>, Tree<'static>)> {
    let starts = (0..text.len()).filter(|at| {
        let before = at.checked_sub(1);
        text.in_word(*at) && before.is_none_or(|before| !text.in_word(before))
    });
    starts.into_iter().find_map(|start| {
        let tree = grammar().read("games-within", text, start, known)?;
        Some((start..tree.end, tree))
    })
}

/// A line without this part of it.
fn cut(text: &Text<'_>, span: Range<usize>) -> String {
    let before = text.source(0..span.start).trim_end();
    let behind = text.source(span.end..text.len()).trim_start();
    let words = format!("{before} {behind}");
    let words = words.trim().replace(" :", ":").replace(",,", ",");
    // "from the 5th to the 12th, in both my games."
    words
        .replace(", .", ".")
        .replace(", !", "!")
        .replace(", ?", "?")
}

fn games_of(tree: &Tree, text: &Text<'_>, known: &Readers) -> Vec<String> {
    let root = tree.root(text);
    let nodes = root.all().filter(|node| node.rule() == "game-named");
    let mut games: Vec<String> = Vec::new();
    for game in nodes.flat_map(|node| known.named_in(node.text())) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(String, String)> {
        let mut known = Readers::default();
        for game in ["kaiser", "reef", "dodo"] {
            known.add(game, [game], None);
        }
        let named = games_named(line, &known)?;
        Some((named.games.join(" "), named.words))
    }

    #[test]
    fn lines_for_games_are_known() {
        for (line, games, words) in [
            ("kaiser: all three stay", "kaiser", "all three stay"),
            ("In kaiser: F Lon - Nth", "kaiser", "F Lon - Nth"),
            ("reef:", "reef", ""),
            ("Orders for reef", "reef", ""),
            ("My orders for the game Reef:", "reef", ""),
            ("and for reef and dodo: all hold", "reef dodo", "all hold"),
            (
                "In dodo please tell Ben to wait",
                "dodo",
                "please tell Ben to wait",
            ),
            (
                "please tell all the players in kaiser, dodo and reef from me:",
                "kaiser dodo reef",
                "please tell all the players from me:",
            ),
            (
                "To all players in all my games (kaiser, dodo and reef):",
                "kaiser dodo reef",
                "To all players:",
            ),
            ("To everybody in all my games: hi", "", "To everybody: hi"),
            (
                "One for Emma, not in this game but in reef where she's Germany:",
                "reef",
                "One for Emma, where she's Germany:",
            ),
            ("All three please! SET ZONE UTC", "", "SET ZONE UTC"),
            (
                "I am away from 27 to 30 December in kaiser and reef",
                "kaiser reef",
                "I am away from 27 to 30 December",
            ),
        ] {
            let expected = Some((games.to_owned(), words.to_owned()));
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn a_game_that_is_only_spoken_of_is_none() {
        for line in [
            "LIST kaiser",
            "SIGNON Akaiser secret",
            "Is kaiser or reef the older one?",
            "I like reef more",
            "What is the deadline in reef?",
            "When does it go on in kaiser and reef?",
            "Hello all",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
