//! What a picture calls the powers: their labels, in the order in which its reader first read of them, and a short mark for
//! each.

use super::{GameView, Labels};
use crate::Game;
use crate::planted::{Leak, planted};
use dipjudge_rules::map::{Power, PowerInfo};
use dipjudge_view::{Label, Owner, PowerOnBoard, Viewer};

/// The powers in a reader's words, in the order in which he first read of them.
pub(super) struct Words {
    order: Vec<Power>,
    pub(super) powers: Vec<PowerOnBoard>,
}

impl Words {
    pub(super) fn of(view: GameView<'_>) -> Words {
        let labels = &view.labels();
        Words::in_order(view.powers_met(labels), labels.words())
    }

    /// Those of a reader who was given a map: powers whom he may not address are marked.
    pub(super) fn of_given(view: GameView<'_>) -> Words {
        let mut words = Words::of(view);
        let met = view.told_in_lists();
        for (power, shown) in words.order.iter().zip(&mut words.powers) {
            if !met.contains(power) {
                shown.label = Label::new(format!("{} (not met)", shown.label));
            }
        }
        words
    }

    /// By the keys of data.
    pub(super) fn of_whole(game: &Game) -> Words {
        Words::in_order(game.all_powers().collect(), &game.powers)
    }

    fn in_order(order: Vec<Power>, words: &[PowerInfo]) -> Words {
        let infos = order
            .iter()
            .filter_map(|power| words.get(power.index()?))
            .collect::<Vec<&PowerInfo>>();
        let powers = infos
            .iter()
            .zip(marks(&infos))
            .map(|(info, mark)| PowerOnBoard {
                label: Label::new(info.introduced()),
                mark,
            })
            .collect();
        Words { order, powers }
    }

    pub(super) fn whose(&self, power: Power) -> Owner {
        Owner(self.order.iter().position(|known| *known == power))
    }
}

impl GameView<'_> {
    /// The powers that a reader has labels for. Where each reader has labels of his own, they are in the order in which he got
    /// them.
    fn powers_met(self, labels: &Labels) -> Vec<Power> {
        if self.variant.own_labels().is_none() {
            let mut known: Vec<Power> = labels.known().collect();
            if planted(Leak::ColorOrder) {
                known.sort_by_key(|power| self.game.holder(*power).map(|seat| seat.id));
            }
            return known;
        }
        let reader = match self.viewer {
            Viewer::Stranger => Viewer::Observer,
            viewer => viewer,
        };
        let given = self
            .game
            .labels
            .iter()
            .filter(|given| given.reader == reader);
        given.map(|given| given.power).collect()
    }
}

/// One to three letters for each power: its letter or short code if it has one, otherwise the first letters of its words or of
/// its name that no earlier power uses, otherwise a number.
fn marks(powers: &[&PowerInfo]) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for (number, info) in (1..).zip(powers) {
        let mut wishes: Vec<String> = Vec::new();
        wishes.extend(info.letter.map(String::from));
        if info.key.chars().count() <= 3 {
            wishes.push(info.key.clone());
        }
        let words = info.name.split_whitespace();
        let initials: String = words.filter_map(|word| word.chars().next()).collect();
        wishes.push(initials.chars().take(3).collect());
        let letters: Vec<char> = info.name.chars().filter(|c| c.is_alphanumeric()).collect();
        wishes.extend((2..=3).map(|count| letters.iter().take(count).collect()));
        let free = |wish: &String| !wish.is_empty() && !taken.contains(wish);
        let mark = wishes.into_iter().find(free);
        taken.push(mark.unwrap_or_else(|| number.to_string()));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(name: &str) -> PowerInfo {
        PowerInfo {
            name: name.to_owned(),
            adjective: name.to_owned(),
            key: name.to_owned(),
            letter: None,
        }
    }

    #[test]
    fn marks_are_letters_codes_or_beginnings_and_no_two_are_alike() {
        let names = [
            "Hittite Empire",
            "Carthage",
            "Cyprus",
            "Hatti Elam",
            "JED",
            "C",
        ];
        let infos: Vec<PowerInfo> = names.iter().map(|name| called(name)).collect();
        let infos: Vec<&PowerInfo> = infos.iter().collect();
        assert_eq!(marks(&infos), ["HE", "C", "Cy", "Ha", "JED", "6"]);
        let standard: Vec<&PowerInfo> = dipjudge_rules::map::Map::standard()
            .powers()
            .iter()
            .collect();
        assert_eq!(marks(&standard), ["A", "E", "F", "G", "I", "R", "T"]);
    }
}
