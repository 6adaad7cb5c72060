//! What a variant tells in sections of its own, as one reader may know it.

use serde_json::{Map, Value, json};

use super::{GameView, Labels, Naming, ReaderView};
use crate::{Audience, Fact, Section};
use dipjudge_rules::map::{Power, UnitKindInfo};
use dipjudge_view::{FilledSection, Viewer};

impl ReaderView<'_> {
    /// The sections that a reader may have, with his labels.
    pub(super) fn sections_told(self, sections: Vec<Section>) -> Vec<FilledSection> {
        let view = self.view();
        let teller = Teller {
            view: self,
            labels: view.labels(),
        };
        let own = sections
            .into_iter()
            .filter(|section| view.hears(&section.audience));
        own.map(|section| FilledSection {
            words: section.words,
            fields: teller.fields(&section.fields),
        })
        .collect()
    }

    /// The status of things of the variant's own, as far as a reader may know it.
    pub fn tables(self) -> Vec<FilledSection> {
        self.sections_told(self.variant.tables(&self.view().told()))
    }

    /// What LIST prints about a forming table.
    pub(super) fn forming_tables(self) -> Vec<FilledSection> {
        self.sections_told(self.variant.forming_tables(&self.view().told()))
    }
}

impl GameView<'_> {
    /// Whether a reader belongs to an audience.
    pub fn hears(self, audience: &Audience) -> bool {
        match audience {
            Audience::Everyone => true,
            Audience::Power(power) => self.viewer == Viewer::Power(*power),
            Audience::Masters => self.viewer == Viewer::Master,
            Audience::Watching(province) => self.visibility().watches(*province),
            Audience::Contacts(power) => match (self.viewer, self.variant.own_labels()) {
                (_, None) => true,
                (Viewer::Power(reader), Some(own)) => {
                    reader == *power || own.contacts(self.game, reader).contains(power)
                }
                _ => self.viewer == Viewer::Master || self.game.over(),
            },
        }
    }
}

/// One reader's words for facts.
struct Teller<'g> {
    view: ReaderView<'g>,
    labels: Labels<'g>,
}

impl Teller<'_> {
    fn fields<'f>(&self, fields: impl IntoIterator<Item = (&'f &'static str, &'f Fact)>) -> Value {
        let all = fields.into_iter();
        let fields = all.map(|(name, fact)| ((*name).to_owned(), self.value(fact)));
        Value::Object(fields.collect::<Map<String, Value>>())
    }

    fn value(&self, fact: &Fact) -> Value {
        match fact {
            Fact::None => Value::Null,
            Fact::Text(text) => json!(text.as_str()),
            Fact::Number(number) => json!(number),
            Fact::Flag(flag) => json!(flag),
            Fact::Power(power) => self.power(*power),
            Fact::Place(place) => json!(self.view.game.map().full_name(*place)),
            Fact::Unit(unit) => {
                let seen = Naming::new(self.view.game, &self.labels).seen_unit(unit);
                let code = self.view.game.map().kind(unit.kind);
                let code = code.map_or(unit.kind, UnitKindInfo::code);
                json!({
                    "power": self.power(unit.power),
                    "kind": seen.kind,
                    "place": seen.place,
                    "short": format!("{code} {}", unit.at),
                })
            }
            Fact::List(all) => all
                .iter()
                .filter(|fact| self.may_have(fact))
                .map(|fact| self.value(fact))
                .collect(),
            Fact::Record(fields) => self.fields(fields),
            Fact::For(_, inner) if self.may_have(fact) => self.value(inner),
            Fact::For(..) => Value::Null,
        }
    }

    fn may_have(&self, fact: &Fact) -> bool {
        match fact {
            Fact::For(audience, _) => self.view.view().hears(audience),
            _ => true,
        }
    }

    fn power(&self, power: Power) -> Value {
        json!({
            "name": self.labels.name(power),
            "adjective": self.labels.adjective(power),
            "introduced": self.labels.introduced(power).as_str(),
            // Name and address of the leader, or `no leader`; `None` if the reader may not know it.
            "leader": self.view.leader_shown(power),
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::labels::testing::{AUSTRIA, FRANCE, OwnNames, RUSSIA, TURKEY, begun, contacts};
    use crate::project::Reader;
    use crate::{Game, VariantGame, apply};
    use dipjudge_rules::map::{Location, Map, Province};
    use dipjudge_view::Words;

    static WORDS: Words = Words {
        file: "any.md",
        text: "# Any",
    };

    const MASTER: Viewer = Viewer::Master;
    const TURK: Viewer = Viewer::Power(TURKEY);
    const FRENCH: Viewer = Viewer::Power(FRANCE);
    const AUSTRIAN: Viewer = Viewer::Power(AUSTRIA);

    /// Turkey stands in Burgundy and is in contact with France in Paris; Austria is far away.
    fn game() -> Game {
        let mut game = begun(&[(TURKEY, "bur"), (FRANCE, "par"), (AUSTRIA, "vie")]);
        apply::apply(
            &mut game,
            Timestamp::UNIX_EPOCH,
            &contacts(&[(TURKEY, FRANCE)]),
        );
        game
    }

    fn province(code: &str) -> Province {
        Map::standard().find_province(code).unwrap()
    }

    fn told_to(viewer: Viewer, section: Section) -> Option<Value> {
        let game = game();
        let reader = Reader {
            viewer,
            ..Reader::observer(&game)
        };
        let told = VariantGame::new(&game, &OwnNames)
            .read_by(&reader)
            .sections_told(vec![section]);
        told.into_iter().next().map(|section| section.fields)
    }

    #[test]
    fn a_section_is_told_to_those_for_whom_it_is() {
        let readers = |audience: Audience| {
            let all = [MASTER, TURK, FRENCH, AUSTRIAN, Viewer::Observer];
            let section = || Section::new(audience.clone(), &WORDS);
            let told = all
                .into_iter()
                .filter(|viewer| told_to(*viewer, section()).is_some());
            told.collect::<Vec<_>>()
        };
        assert_eq!(readers(Audience::Everyone).len(), 5);
        assert_eq!(readers(Audience::Masters), [MASTER]);
        assert_eq!(readers(Audience::Power(FRANCE)), [FRENCH]);
        assert_eq!(readers(Audience::Contacts(TURKEY)), [MASTER, TURK, FRENCH]);
        assert_eq!(
            readers(Audience::Watching(province("bur"))),
            [MASTER, TURK, FRENCH]
        );
        assert_eq!(
            readers(Audience::Watching(province("bud"))),
            [MASTER, AUSTRIAN]
        );
    }

    #[test]
    fn a_fact_for_others_is_no_item_and_nothing_in_a_field() {
        let for_austria = |fact: Fact| Fact::For(Audience::Power(AUSTRIA), Box::new(fact));
        let section = Section::new(Audience::Everyone, &WORDS)
            .with("secret", for_austria("Vienna".into()))
            .with("all", vec![for_austria(1u32.into()), 2u32.into()]);
        assert_eq!(
            told_to(AUSTRIAN, section.clone()),
            Some(json!({ "secret": "Vienna", "all": [1, 2] }))
        );
        assert_eq!(
            told_to(TURK, section),
            Some(json!({ "secret": null, "all": [2] }))
        );
    }

    #[test]
    fn a_power_without_a_label_is_nobody_known() {
        let at = Location::from(province("mos"));
        let section = Section::new(Audience::Everyone, &WORDS)
            .with("power", RUSSIA)
            .with("at", at);
        let told = told_to(TURK, section).unwrap();
        assert_eq!(told["power"]["name"], "Unknown");
        assert_eq!(told["at"], "Moscow");
    }
}
