//! Pictures of boards: [`svg`] draws what one reader sees, and [`png()`] renders it. A picture shows only what is in the
//! [`Board`], and the same board gives the same bytes on every machine.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod arrows;
mod base_map;
mod chart;
mod colors;
mod curve;
mod legend;
#[cfg(test)]
mod legibility;
mod near;
mod page_lines;
mod page_maps;
mod paint;
mod palette;
mod pieces;
mod places;
mod raster;
mod rect;
mod region_grid;
mod rooms;
mod routes;
mod shapes;
mod spot;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod xml;

use std::collections::BTreeSet;
use std::sync::Arc;

use base_map::BaseMap;
use colors::Rgb;
use dipjudge_rules::map::drawing::Drawing;
use dipjudge_view::Board;
use legend::Legend;
use near::{Window, Windows};
use paint::Painted;
use places::PieceLayout;

pub use chart::{CenterCounts, centers_chart};
pub use page_maps::PageMaps;
pub use raster::{Picture, PngSize, png, png_of_width};

/// A picture as SVG. It consists of layers: those of the base map, which is the same for all boards of a map, and between and
/// above them those of this board.
#[derive(Clone, PartialEq)]
pub struct Svg {
    width: i32,
    height: i32,
    /// The parts of the map that are shown; none if it is the whole map.
    windows: Windows,
    /// The land and water of each window, with borders.
    grounds: Vec<String>,
    base_map: Arc<BaseMap>,
    /// The colors of provinces in sight.
    painted: String,
    /// The fog over provinces out of sight.
    fog: String,
    /// The outlines of provinces out of sight, as one path.
    out_of_sight: String,
    /// Orders, below the names.
    orders: String,
    /// Centers, units and marks, above them; the heads of arrows lie above all.
    pieces: String,
    title: String,
    legend: String,
}

/// A picture of a board.
#[must_use]
pub fn svg(board: &Board) -> Svg {
    let base_map = BaseMap::of(board);
    let places = PieceLayout::of(board, &base_map);
    let mut lines = arrows::routed(board, &base_map, &places);
    let windows = Windows::of(board, &base_map, &places, &lines);
    let (width, map_height) = if windows.is_empty() {
        let Drawing { width, height, .. } = base_map.drawing;
        (width.max(legend::LEAST_WIDTH), height)
    } else {
        lines.retain(|line| windows.show_line(line));
        (near::WIDTH, windows.height())
    };
    let seen = windows.seen(board, &base_map, &places, &lines);
    let bottom = legend::TITLE + map_height;
    let key = Legend::of(&seen, &lines, width);
    let (mut pieces, mut title, mut legend) = (String::new(), String::new(), String::new());
    pieces::centers(&mut pieces, board, &base_map.drawing);
    let orders = arrows::orders(&lines);
    pieces::marks(&mut pieces, board, &base_map.rooms);
    pieces::pieces(&mut pieces, board, &places);
    pieces.push_str(&orders.heads);
    arrows::marks(&mut pieces, &lines);
    legend::title(&mut title, board, width);
    key.draw(&mut legend, bottom);
    let painted = Painted::of(board, &base_map);
    let is_hidden = |province| !board.is_in_sight(province);
    // Only what reaches into a window: to render what lies outside would take as long.
    let ground = |window: Window| {
        let part = window.rect();
        let is_shown = |region| base_map.region_reaches(region, part);
        [
            base_map.below_within(part),
            paint::painted(&painted, &base_map, is_shown),
            base_map.fog(is_hidden, is_shown),
            base_map.lines_within(part),
        ]
        .concat()
    };
    let grounds = windows.0.iter().map(|window| ground(*window)).collect();
    Svg {
        width,
        height: bottom + key.height(),
        windows,
        grounds,
        painted: paint::painted(&painted, &base_map, |_| true),
        fog: base_map.fog(is_hidden, |_| true),
        out_of_sight: base_map.outlined_provinces(is_hidden),
        orders: orders.lines,
        pieces,
        title,
        legend,
        base_map,
    }
}

/// The layers, from the lowest to the highest.
impl Svg {
    /// The size of the [`png()`] of this picture. One that would be too large for a mail is a little smaller, in the same proportion.
    #[must_use]
    pub fn png_size(&self) -> PngSize {
        raster::size(self, raster::width(self))
    }

    /// Whether it shows only the surroundings of one power's pieces, for a narrow screen.
    #[must_use]
    pub fn is_near(&self) -> bool {
        !self.windows.is_empty()
    }

    /// The SVG document.
    #[must_use]
    pub fn text(&self) -> String {
        let map = if !self.is_near() {
            [
                self.below(),
                self.painted(),
                self.on_map(&self.fog),
                self.lines(),
                self.orders(),
                self.names(),
                self.pieces(),
            ]
            .concat()
        } else {
            let windows = self.windows.0.iter().zip(&self.grounds);
            let windows = windows.map(|(window, ground)| self.window(window, ground));
            let around = [self.window_frames(), self.title.clone()];
            windows.chain(around).collect()
        };
        self.document(&[self.page(), map, self.legend.clone()].concat())
    }

    /// A window, with the names that lie within it.
    fn window(&self, window: &Window, ground: &str) -> String {
        let Window {
            left, top, height, ..
        } = window;
        let (y, width) = (self.top_of(window), near::WIDTH);
        let Svg { orders, pieces, .. } = self;
        let names = self.base_map.names_within(window.rect());
        format!(
            "<svg y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{left} {top} {width} {height}\" fill-rule=\"evenodd\">\n\
             {ground}{orders}{names}{pieces}</svg>\n"
        )
    }

    /// The y of the upper edge of a window.
    fn top_of(&self, window: &Window) -> i32 {
        legend::TITLE + window.place
    }

    /// The lines around windows.
    fn window_frames(&self) -> String {
        let frame = |window: &Window| {
            format!(
                "<rect x=\"1\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                self.top_of(window),
                near::WIDTH - 2,
                window.height,
                colors::INK,
            )
        };
        self.windows.0.iter().map(frame).collect()
    }

    /// A document of layers in the coordinates of the map.
    fn whole_map(&self, layers: &[&str]) -> String {
        let Drawing { width, height, .. } = self.base_map.drawing;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\" fill-rule=\"evenodd\">\n{}</svg>\n",
            layers.concat()
        )
    }

    fn page(&self) -> String {
        let Svg { width, height, .. } = self;
        format!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
            colors::PAGE
        )
    }

    fn below(&self) -> String {
        self.on_map(&self.base_map.below)
    }

    fn painted(&self) -> String {
        self.on_map(&self.painted)
    }

    /// The board with no province in sight.
    fn hidden(&self) -> String {
        let fog = self.base_map.fog(|_| true, |_| true);
        [self.page(), self.below(), self.on_map(&fog)].concat()
    }

    fn out_of_sight(&self) -> String {
        self.on_map(&format!("<path d=\"{}\"/>\n", self.out_of_sight))
    }

    fn lines(&self) -> String {
        self.on_map(&self.base_map.lines)
    }

    fn orders(&self) -> String {
        self.on_map(&self.orders)
    }

    fn names(&self) -> String {
        self.on_map(&self.base_map.names)
    }

    /// The pieces and the title, which differ from board to board.
    fn pieces(&self) -> String {
        format!("{}{}", self.on_map(&self.pieces), self.title)
    }

    /// A group in the coordinates of the map, which is below the title.
    fn on_map(&self, content: &str) -> String {
        let left = (self.width - self.base_map.drawing.width) / 2;
        let top = legend::TITLE;
        format!("<g transform=\"translate({left} {top})\" fill-rule=\"evenodd\">\n{content}</g>\n")
    }

    /// The y of the lower edge of the map.
    fn map_bottom(&self) -> i32 {
        legend::TITLE + self.base_map.drawing.height
    }

    /// The colors in which something is drawn.
    fn colors(&self) -> BTreeSet<Rgb> {
        let BaseMap {
            below,
            lines,
            names,
            ..
        } = &*self.base_map;
        let parts = [
            below,
            &self.painted,
            &self.fog,
            lines,
            &self.orders,
            names,
            &self.pieces,
            &self.title,
            &self.legend,
        ];
        let drawn = parts.into_iter().flat_map(|part| part.split('#').skip(1));
        drawn.filter_map(Rgb::read).chain([colors::PAGE]).collect()
    }

    fn document(&self, content: &str) -> String {
        let Svg { width, height, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{content}</svg>\n"
        )
    }
}

/// The font of the program, and fallbacks for other programs that show the SVG.
const FONT: &str = "DejaVu Sans Condensed, DejaVu Sans, Verdana, sans-serif";
