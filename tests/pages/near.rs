//! Mails with the part of the map that is the reader's own, for a narrow screen.

use crate::recorded;
use crate::story::{Story, of_log};
use dipjudge::drawing;
use dipjudge::game::VariantGame;
use dipjudge::mails::outbound::{HtmlPicture, Image, Text};
use dipjudge::variants;
use dipjudge::view::{Board, Viewer};

/// A mail, and the letters of the names in its map.
pub(crate) struct NearMail {
    pub(crate) name: String,
    pub(crate) html: String,
    /// The height of the smallest letters, in widths of the map.
    pub(crate) smallest: f64,
}

/// One for each power of each recorded game that has something on the board after the last movement.
pub(crate) fn mails() -> Vec<NearMail> {
    recorded::logs().flat_map(|log| of_game(&log)).collect()
}

fn of_game(log: &str) -> Vec<NearMail> {
    let Story { chronicle, phases } = of_log(log);
    let game = chronicle.now();
    let variant = variants::of(&game.variant);
    let last = *phases.last().unwrap();
    let mails = game.standings.keys().filter_map(|power| {
        let viewer = Viewer::Power(*power);
        let board = chronicle.seen_by(variant, viewer).board_as_seen(last)?;
        let near = VariantGame::new(game, variant).seen_by(viewer).near(board);
        mail(&format!("{} of power {}", game.name, power.0), &near)
    });
    mails.collect()
}

fn mail(name: &str, board: &Board) -> Option<NearMail> {
    let svg = drawing::svg(board);
    if !svg.is_near() {
        return None;
    }
    let png = drawing::png(&svg).unwrap().png;
    let base64 = String::from_utf8(Image::png(png).encoded().to_vec()).unwrap();
    let picture = HtmlPicture {
        source: format!("data:image/png;base64,{}", base64.replace("\r\n", "")),
        alt: "Map".to_owned(),
        width: 360,
        height: 360,
    };
    let text = Text::new("Results", "Movement results for Spring of 1901.\n");
    Some(NearMail {
        name: name.to_owned(),
        html: text.html(Some(&picture))?,
        smallest: smallest_letters(&svg.text()),
    })
}

/// The height of the smallest letters of names, in widths of the map.
fn smallest_letters(svg: &str) -> f64 {
    let number = |text: &str, before: &str, end: &str| -> f64 {
        let (_, behind) = text.split_once(before).unwrap();
        behind.split(end).next().unwrap().parse().unwrap()
    };
    let width = number(svg, "viewBox=\"0 0 ", " ");
    let names = svg.split("paint-order=\"stroke\">").skip(1);
    let names = names.filter_map(|rest| rest.split("</g>").next());
    let letters = names.flat_map(|names| names.lines().filter(|line| line.starts_with("<text")));
    let sizes = letters.map(|line| number(line, "font-size=\"", "\""));
    sizes.fold(f64::MAX, f64::min) / width
}
