//! What the judge calls the designers' jokes (section 9): the one table of words, by the setting FLAVOUR. What players type is read
//! by both columns.

use serde::{Deserialize, Serialize};

use super::{BIRDS, DOM, FEMALE};
use dipjudge_game::{Fact, Setting, Settings};
use dipjudge_rules::map::{Map, UnitKind};

/// `SET FLAVOUR NEUTRAL`.
pub(super) const FLAVOUR: Setting = Setting::one_of("flavour", &["classic", "neutral"]);

/// Which column of the table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Flavor {
    #[default]
    Classic,
    Neutral,
}

/// The words of a column.
pub(super) struct Names {
    /// A FEMALE ARMY, several, and the letters by which orders name one.
    pub female: &'static str,
    pub females: &'static str,
    pub female_code: &'static str,
    /// A DIRTY OLD MAN ARMY.
    pub dom: &'static str,
    pub doms: &'static str,
    pub dom_code: &'static str,
    /// What a FEMALE ARMY does, and what has happened to the unit then.
    pub distract: &'static str,
    pub distracted: &'static str,
    /// What a DIRTY OLD MAN ARMY does.
    pub expose: &'static str,
    pub gay_fleets: &'static str,
    /// `a SIAMESE army`, and the letters that stand before a unit's.
    pub siamese: &'static str,
    pub siamese_code: &'static str,
    /// What orders a sale, what can be sold, and what was done then.
    pub sell: &'static str,
    pub no_soul: &'static str,
    pub has_sold: &'static str,
    pub sells: &'static str,
    /// What stands beside a unit of which that is so, in a picture.
    pub sold_mark: &'static str,
    /// The words of reports, by the names under which `mailtemplates/rather-silly/` puts them in.
    pub told: &'static [(&'static str, &'static str)],
}

const CLASSIC: Names = Names {
    female: "FEMALE ARMY",
    females: "FEMALE ARMIES",
    female_code: "FA",
    dom: "DIRTY OLD MAN ARMY",
    doms: "DIRTY OLD MAN ARMIES",
    dom_code: "DOM",
    distract: "DISTRACT",
    distracted: "distracted",
    expose: "EXPOSE",
    gay_fleets: "gay fleets",
    siamese: "SIAMESE",
    siamese_code: "SIA",
    sell: "SELL SOUL",
    no_soul: "has no soul to sell",
    has_sold: "has sold its soul",
    sells: "sells its soul",
    sold_mark: "SOLD",
    told: &[
        ("gay", "gay"),
        ("gay_fleet", "a gay fleet"),
        ("siamese", "SIAMESE"),
        ("bigotry", "BIGOTRY"),
        ("distracted", "DISTRACTED"),
        ("distracts", "distracts"),
        ("exposed", "a DIRTY OLD MAN exposes himself next to her"),
        ("has_distracted", "that she has distracted"),
        ("dishonor", "death before dishonour"),
        ("souls_sold", "souls sold"),
        ("souls_run_down", "souls run down"),
        ("sells", "sells its soul to the DEVIL"),
        ("none_sold", "No soul is sold"),
        ("none_were_sold", "No soul was sold"),
        ("not_sold", "has not sold its soul"),
        ("sold", "its soul is sold"),
        ("soul_over", "its soul is its own again"),
        ("soul_lost", "its soul is lost"),
        ("lost_souls", "Lost souls"),
        ("exorcised", "its soul is exorcised"),
    ],
};

const NEUTRAL: Names = Names {
    female: "Decoy army",
    females: "Decoy armies",
    female_code: "DA",
    dom: "Warden army",
    doms: "Warden armies",
    dom_code: "WA",
    distract: "LURE",
    distracted: "lured",
    expose: "CHALLENGE",
    gay_fleets: "Maverick fleets",
    siamese: "Twin",
    siamese_code: "TWIN",
    sell: "PLEDGE",
    no_soul: "cannot pledge itself",
    has_sold: "has pledged itself",
    sells: "pledges itself",
    sold_mark: "PLEDGE",
    told: &[
        ("gay", "Maverick"),
        ("gay_fleet", "a Maverick fleet"),
        ("siamese", "Twin"),
        ("bigotry", "HARRIED"),
        ("distracted", "LURED"),
        ("distracts", "lures"),
        ("exposed", "a Warden army challenges it"),
        ("has_distracted", "that it has lured"),
        ("dishonor", "it is disbanded"),
        ("souls_sold", "pledges"),
        ("souls_run_down", "pledges run down"),
        ("sells", "pledges itself to the Patron"),
        ("none_sold", "No unit pledges itself"),
        ("none_were_sold", "No unit was pledged"),
        ("not_sold", "has not pledged itself"),
        ("sold", "it is pledged"),
        ("soul_over", "its pledge is over"),
        ("soul_lost", "its pledge is lost"),
        ("lost_souls", "Lost pledges"),
        ("exorcised", "it is released"),
    ],
};

impl Flavor {
    /// That of a game with these settings.
    pub(super) fn of(settings: &Settings) -> Flavor {
        match FLAVOUR.among(settings) {
            "neutral" => Flavor::Neutral,
            _ => Flavor::Classic,
        }
    }

    /// That of a game on a map as this flavor has it.
    pub(super) fn on(map: &Map) -> Flavor {
        let neutral = map.kind(FEMALE).is_some_and(|info| info.shown.is_some());
        if neutral {
            Flavor::Neutral
        } else {
            Flavor::Classic
        }
    }

    /// Its words.
    pub(super) fn names(self) -> &'static Names {
        match self {
            Flavor::Classic => &CLASSIC,
            Flavor::Neutral => &NEUTRAL,
        }
    }

    /// What is laid over the map: kinds of units are called by its words.
    pub(super) fn places(self) -> String {
        let shown = |(kind, name): (UnitKind, &str)| {
            format!("shown {kind}  {name}  {}\n", NEUTRAL.code(kind))
        };
        let own = match self {
            Flavor::Classic => String::new(),
            Flavor::Neutral => {
                let all = [(FEMALE, NEUTRAL.female), (DOM, NEUTRAL.dom)];
                all.into_iter().map(shown).collect()
            }
        };
        format!("{}{own}", super::PLACES)
    }
}

impl Names {
    /// The words of reports.
    pub(super) fn facts(&self) -> Fact {
        let words = self.told.iter();
        Fact::Record(
            words
                .map(|(name, words)| (*name, (*words).into()))
                .collect(),
        )
    }

    /// The letters by which an order names a kind.
    pub(super) fn code(&self, kind: UnitKind) -> String {
        match kind {
            FEMALE => self.female_code.to_owned(),
            DOM => self.dom_code.to_owned(),
            kind => kind.to_string(),
        }
    }

    /// A kind as a sentence calls it: `FEMALE ARMY`, `army`.
    pub(super) fn kind(&self, kind: UnitKind) -> &'static str {
        match kind {
            FEMALE => self.female,
            DOM => self.dom,
            BIRDS => "flock of BIRDS",
            UnitKind::ARMY => "army",
            UnitKind::FLEET => "fleet",
            _ => "unit",
        }
    }
}
