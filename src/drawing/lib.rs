//! Pictures of boards: [`svg`] makes a picture of what one reader sees, [`png()`] makes points of it. Nothing is in a picture
//! that is not in the [`Board`], and the same board gives the same bytes everywhere and at any time.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod arrows;
mod colors;
mod curve;
mod ground;
mod legend;
mod paint;
mod palette;
mod pieces;
mod places;
mod raster;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod xml;

use std::sync::Arc;

use dipjudge_view::Board;
use ground::Ground;
use places::PieceLayout;

pub use raster::{Picture, png, png_of_width};

/// A picture as SVG. It consists of layers that lie on one another: what is the same for all boards of a map, and between and
/// above that what this board shows.
#[derive(Clone)]
pub struct Svg {
    width: i32,
    height: i32,
    ground: Arc<Ground>,
    /// The colors of provinces in sight.
    painted: String,
    /// The fog over provinces out of sight.
    fog: String,
    /// The outlines of provinces out of sight, as one path.
    out_of_sight: String,
    /// Orders, below the names.
    orders: String,
    /// Centers, units and marks, above them.
    pieces: String,
    /// What stands around the map.
    around: String,
}

/// A picture of a board.
#[must_use]
pub fn svg(board: &Board) -> Svg {
    let ground = Ground::of(board);
    let drawing = &ground.drawing;
    let places = PieceLayout::of(board, drawing);
    let bottom = legend::TITLE + drawing.height;
    let width = drawing.width.max(legend::LEAST_WIDTH);
    let (mut pieces, mut around) = (String::new(), String::new());
    pieces::centers(&mut pieces, board, drawing);
    let orders = arrows::orders(board, &places);
    pieces.push_str(&orders.marks);
    pieces::marks(&mut pieces, board, drawing);
    pieces::pieces(&mut pieces, board, &places);
    legend::title(&mut around, board);
    legend::legend(&mut around, board, width, bottom);
    Svg {
        width,
        height: bottom + legend::height(board, width),
        painted: paint::painted(board, &ground),
        fog: ground.fog(|province| !board.is_in_sight(province)),
        out_of_sight: ground.outlined_provinces(|province| !board.is_in_sight(province)),
        orders: orders.lines,
        pieces,
        around,
        ground,
    }
}

/// The layers, from the lowest to the highest.
impl Svg {
    /// The whole as a document.
    #[must_use]
    pub fn text(&self) -> String {
        self.document(
            &[
                self.page(),
                self.below(),
                self.painted(),
                self.on_map(&self.fog),
                self.lines(),
                self.orders(),
                self.names(),
                self.pieces(),
            ]
            .concat(),
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
        self.on_map(&self.ground.below)
    }

    fn painted(&self) -> String {
        self.on_map(&self.painted)
    }

    /// The board as it would be with nothing in sight.
    fn hidden(&self) -> String {
        let fog = self.ground.fog(|_| true);
        [self.page(), self.below(), self.on_map(&fog)].concat()
    }

    fn out_of_sight(&self) -> String {
        self.on_map(&format!("<path d=\"{}\"/>\n", self.out_of_sight))
    }

    fn lines(&self) -> String {
        self.on_map(&self.ground.lines)
    }

    fn orders(&self) -> String {
        self.on_map(&self.orders)
    }

    fn names(&self) -> String {
        self.on_map(&self.ground.names)
    }

    fn pieces(&self) -> String {
        format!("{}{}", self.on_map(&self.pieces), self.around)
    }

    /// What is drawn in the units of the map, which lies below the title.
    fn on_map(&self, content: &str) -> String {
        let left = (self.width - self.ground.drawing.width) / 2;
        let top = legend::TITLE;
        format!("<g transform=\"translate({left} {top})\" fill-rule=\"evenodd\">\n{content}</g>\n")
    }

    /// Where the map ends.
    fn map_bottom(&self) -> i32 {
        legend::TITLE + self.ground.drawing.height
    }

    fn document(&self, content: &str) -> String {
        let Svg { width, height, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{content}</svg>\n"
        )
    }
}

/// The font that is part of the program; another program that shows the SVG may have it, or takes one that is like it.
const FONT: &str = "DejaVu Sans Condensed, DejaVu Sans, Verdana, sans-serif";
