//! Maps on a page of HTML. What several of them show (the base map, regions, units, legends) is defined once for the page, so that
//! the maps of a long game make no large file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::base_map::BaseMap;
use super::legend::Legend;
use super::near::Windows;
use super::page_lines::Looks;
use super::paint::{self, Painted};
use super::pieces::{self, Sink};
use super::places::PieceLayout;
use super::spot::Spot;
use super::xml::{add, number};
use super::{FONT, arrows, legend};
use dipjudge_view::Board;
use dipjudge_view::markup::escaped;

/// The maps of one page.
#[derive(Default)]
pub struct PageMaps {
    base_maps: Vec<Arc<BaseMap>>,
    /// The numbers of contents that are defined once.
    symbols: BTreeMap<String, usize>,
    /// The names of patterns that are defined.
    patterns: Vec<String>,
    definitions: String,
    looks: Looks,
}

impl PageMaps {
    /// The element that has to stand on the page once, before the maps.
    #[must_use]
    pub fn definitions(&self) -> String {
        format!(
            "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\" font-family=\"{FONT}\"><defs>\n{}</defs></svg>\n",
            self.defined()
        )
    }

    fn defined(&self) -> String {
        format!(
            "<style>{}</style>\n{}",
            self.looks.rules(),
            self.definitions
        )
    }

    /// The picture of a board as an element of the page.
    #[must_use]
    pub fn map(&mut self, board: &Board) -> String {
        let base_map = BaseMap::of(board);
        let base = self.base(&base_map);
        let drawing = &base_map.drawing;
        let places = PieceLayout::of(board, &base_map);
        let width = drawing.width.max(legend::LEAST_WIDTH);
        let bottom = legend::TITLE + drawing.height;
        let lines = arrows::routed(board, &base_map, &places);
        let whole = Windows::default();
        let seen = whole.seen(board, &base_map, &places, &lines);
        let legend = Legend::of(&seen, &lines, width);
        let height = bottom + legend.height();
        // Owners change once a year, so several maps have the same colors and centers.
        let painted = self.painted(&Painted::of(board, &base_map), base);
        let painted = self.symbol(painted);
        let fog = self.fog(board, &base_map, base);
        let orders = arrows::orders(&lines);
        let order_lines = self.looks.shortened(&orders.lines);
        let heads = self.looks.shortened(&orders.heads);
        let mut above = Symbols {
            page: self,
            svg: String::new(),
        };
        pieces::centers(&mut above, board, drawing);
        let centers = above.page.symbol(std::mem::take(&mut above.svg));
        pieces::marks(&mut above, board, &base_map.rooms);
        pieces::pieces(&mut above, board, &places);
        above.svg.push_str(&heads);
        arrows::marks(&mut above, &lines);
        let above = above.svg;
        let mut title = String::new();
        legend::title(&mut title, board, width);
        let mut key = Symbols {
            page: self,
            svg: String::new(),
        };
        legend.draw(&mut key, bottom);
        let Symbols { svg: key, .. } = key;
        let key = self.symbol(key);
        let left = (width - drawing.width) / 2;
        let top = legend::TITLE;
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" font-family=\"{FONT}\">\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n\
             <g transform=\"translate({left} {top})\" fill-rule=\"evenodd\">\n\
             <use href=\"#below{base}\"/>\n<use href=\"#s{painted}\"/>\n{fog}<use href=\"#lines{base}\"/>\n\
             {order_lines}<use href=\"#names{base}\"/>\n<use href=\"#s{centers}\"/>\n{above}</g>\n\
             {title}<use href=\"#s{key}\"/></svg>\n",
            escaped(&board.title),
            super::colors::PAGE,
        )
    }

    /// The number of a base map, which is defined if it is new.
    fn base(&mut self, base_map: &Arc<BaseMap>) -> usize {
        let known = self
            .base_maps
            .iter()
            .position(|known| Arc::ptr_eq(known, base_map));
        known.unwrap_or_else(|| {
            let base = self.base_maps.len();
            self.base_maps.push(base_map.clone());
            for (layer, content) in [
                ("below", &base_map.below),
                ("lines", &base_map.lines),
                ("names", &base_map.names),
            ] {
                add!(
                    &mut self.definitions,
                    "<g id=\"{layer}{base}\">\n{content}</g>\n"
                );
            }
            for (region, outline) in base_map.outlines.iter().enumerate() {
                add!(
                    &mut self.definitions,
                    "<path id=\"r{base}-{region}\" d=\"{outline}\"/>\n"
                );
            }
            base
        })
    }

    /// The number of a content that is defined once.
    fn symbol(&mut self, content: String) -> usize {
        if let Some(number) = self.symbols.get(&content) {
            return *number;
        }
        let number = self.symbols.len();
        add!(
            &mut self.definitions,
            "<g id=\"s{number}\">\n{content}</g>\n"
        );
        self.symbols.insert(content, number);
        number
    }

    fn painted(&mut self, painted: &Painted, base: usize) -> String {
        let mut svg = String::new();
        for (color, regions) in &painted.colors {
            filled(&mut svg, &color.to_string(), base, regions);
        }
        for (over, regions) in &painted.patterns {
            let name = paint::name(*over);
            if !self.patterns.contains(&name) {
                self.definitions.push_str(&paint::definition(*over, &name));
                self.patterns.push(name.clone());
            }
            filled(&mut svg, &format!("url(#{name})"), base, regions);
        }
        svg
    }

    /// What lies over the regions out of sight.
    fn fog(&mut self, board: &Board, base_map: &BaseMap, base: usize) -> String {
        let [land, water] = base_map.regions_of_provinces(|province| !board.is_in_sight(province));
        let mut svg = String::new();
        if land.is_empty() && water.is_empty() {
            return svg;
        }
        if !self.patterns.iter().any(|known| known == paint::FOG) {
            self.definitions.push_str(&paint::fog_definition());
            self.patterns.push(paint::FOG.to_owned());
        }
        filled(&mut svg, &super::colors::FOG_LAND.to_string(), base, &land);
        filled(
            &mut svg,
            &super::colors::FOG_WATER.to_string(),
            base,
            &water,
        );
        let all = [land, water].concat();
        filled(&mut svg, &format!("url(#{})", paint::FOG), base, &all);
        svg
    }
}

/// Regions of a base map in one color or pattern.
fn filled(svg: &mut String, fill: &str, base: usize, regions: &[usize]) {
    if regions.is_empty() {
        return;
    }
    add!(svg, "<g fill=\"{fill}\">");
    for region in regions {
        add!(svg, "<use href=\"#r{base}-{region}\"/>");
    }
    svg.push_str("</g>\n");
}

/// Pieces of which each kind is defined once.
struct Symbols<'p> {
    page: &'p mut PageMaps,
    svg: String,
}

impl Sink for Symbols<'_> {
    fn place(&mut self, at: Spot, draw: &dyn Fn(&mut String, Spot)) {
        let mut content = String::new();
        draw(&mut content, Spot { x: 0.0, y: 0.0 });
        self.group(at, 1.0, &content);
    }

    fn group(&mut self, at: Spot, scale: f64, content: &str) {
        let symbol = self.page.symbol(content.to_owned());
        let (x, y) = (number(at.x), number(at.y));
        if scale != 1.0 {
            add!(
                &mut self.svg,
                "<use href=\"#s{symbol}\" transform=\"translate({x} {y}) scale({scale:.3})\"/>\n"
            );
        } else {
            add!(
                &mut self.svg,
                "<use href=\"#s{symbol}\" x=\"{x}\" y=\"{y}\"/>\n"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    use super::*;
    use crate::raster::{FAMILY, fonts};
    use crate::svg;
    use crate::testing::{board_at_start, busy_board};

    fn rendered(document: &str, width: u32, height: u32) -> Pixmap {
        let options = Options {
            fontdb: fonts(),
            font_family: FAMILY.to_owned(),
            ..Options::default()
        };
        let tree = Tree::from_str(document, &options).unwrap();
        let mut pixmap = Pixmap::new(width, height).unwrap();
        let scale = width as f32 / tree.size().width();
        resvg::render(
            &tree,
            Transform::from_scale(scale, scale),
            &mut pixmap.as_mut(),
        );
        pixmap
    }

    /// A map of a page, with the definitions, as a document of its own.
    fn alone(map: &str, page: &PageMaps) -> String {
        let opened = map.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
        let end = opened.find('>').unwrap() + 1;
        let (head, rest) = opened.split_at(end);
        format!("{head}<defs>{}</defs>{rest}", page.defined())
    }

    #[test]
    fn a_map_of_a_page_looks_as_its_picture() {
        let mut hidden = busy_board();
        hidden.in_sight = Some(
            hidden
                .units
                .iter()
                .take(5)
                .map(|unit| unit.at.province)
                .collect(),
        );
        let boards = [
            board_at_start("standard"),
            busy_board(),
            hidden,
            board_at_start("pure"),
        ];
        let mut page = PageMaps::default();
        let maps: Vec<String> = boards.iter().map(|board| page.map(board)).collect();
        for (board, map) in boards.iter().zip(&maps) {
            let picture = svg(board);
            let height = (600.0 * picture.height as f32 / picture.width as f32).ceil() as u32;
            let one = rendered(&picture.text(), 600, height);
            let other = rendered(&alone(map, &page), 600, height);
            let off = one
                .data()
                .iter()
                .zip(other.data())
                .filter(|(one, other)| one.abs_diff(**other) > 24)
                .count();
            assert!(
                off * 500 < one.data().len(),
                "{}: {off} parts differ",
                board.title
            );
        }
    }

    #[test]
    fn what_maps_have_in_common_stands_on_the_page_once() {
        let mut page = PageMaps::default();
        let board = busy_board();
        let first = page.map(&board);
        let defined = page.definitions().len();
        assert_eq!(page.map(&board), first);
        assert_eq!(page.definitions().len(), defined);
        assert!(first.len() < 9_000, "{}", first.len());
        assert!(page.definitions().matches("id=\"below0\"").count() == 1);
    }
}
