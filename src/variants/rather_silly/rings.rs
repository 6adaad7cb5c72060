//! Spaces compared by the units around them, ring by ring (3.3), and how they were told apart.

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::Province;

/// One ring, as it told spaces apart: of each that was still as good as any other, how many units stand on it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Round {
    /// Steps from the space.
    pub ring: usize,
    pub counts: Vec<(Province, usize)>,
}

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Compared {
    /// The best; several if no ring tells them apart.
    pub best: Vec<Province>,
    pub rounds: Vec<Round>,
}

/// Which number of units on a ring is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Better {
    More,
    Fewer,
}

/// Compares spaces by their rings, each a list of counts that begins with ring `first`.
pub(super) fn compare(
    spaces: Vec<(Province, Vec<usize>)>,
    first: usize,
    better: Better,
) -> Compared {
    let longest = spaces.iter().map(|(_, rings)| rings.len()).max();
    let mut left = spaces;
    let mut rounds = Vec::new();
    for index in 0..longest.unwrap_or(0) {
        if left.len() < 2 {
            break;
        }
        let count = |rings: &[usize]| rings.get(index).copied().unwrap_or(0);
        let counts: Vec<(Province, usize)> = left
            .iter()
            .map(|(space, rings)| (*space, count(rings)))
            .collect();
        let numbers = counts.iter().map(|(_, count)| *count);
        let best = match better {
            Better::More => numbers.max(),
            Better::Fewer => numbers.min(),
        };
        left.retain(|(_, rings)| Some(count(rings)) == best);
        rounds.push(Round {
            ring: first + index,
            counts,
        });
    }
    Compared {
        best: left.into_iter().map(|(space, _)| space).collect(),
        rounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(code: &str) -> Province {
        code.parse().unwrap()
    }

    /// Worked case T1: Munich, Trieste and Moscow are equal in ring 1, Munich has most in ring 2.
    #[test]
    fn the_first_ring_that_differs_decides() {
        let spaces = || {
            vec![
                (place("MUN"), vec![3, 5]),
                (place("TRI"), vec![3, 3]),
                (place("MOS"), vec![3]),
                (place("ANK"), vec![1, 9]),
            ]
        };
        let most = compare(spaces(), 1, Better::More);
        assert_eq!(most.best, [place("MUN")]);
        assert_eq!(most.rounds.len(), 2);
        assert_eq!(most.rounds[1].ring, 2);
        let second = [(place("MUN"), 5), (place("TRI"), 3), (place("MOS"), 0)];
        assert_eq!(most.rounds[1].counts, second);
        let fewest = compare(spaces(), 1, Better::Fewer);
        assert_eq!(fewest.best, [place("ANK")]);
        assert_eq!(fewest.rounds.len(), 1);
    }

    #[test]
    fn spaces_that_no_ring_tells_apart_are_all_best() {
        let equal = compare(
            vec![(place("PIE"), vec![0, 1]), (place("TYR"), vec![0, 1])],
            0,
            Better::More,
        );
        assert_eq!(equal.best.len(), 2);
    }
}
