//! SVG made points, as PNG. What is the same in all pictures of a map is drawn once and kept as points.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::Svg;
use super::colors::{PAGE, Rgb};
use super::ground::Ground;
use super::palette::{Paletted, reduced};

/// A picture as PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub png: Vec<u8>,
    /// From left to right, in points.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// How many points wide a picture is: sharp on a phone, also when a part of it is enlarged.
const WIDTH: u32 = 1200;
/// How many colors a file has: eyes do not see that there are not more, and four times as many make it a fifth larger. A picture
/// that is still too large for a mail gets fewer.
const COLORS: [u8; 3] = [64, 40, 24];
/// How large the file of a picture is at most, in bytes, while fewer colors make it smaller.
const LARGEST: usize = 145_000;
/// How many maps are kept as points, at some 6 megabytes each, and as much again where boards are hidden.
const KEPT: usize = 4;

/// The picture as PNG; the same for the same SVG. `None` for one that has no extent.
#[must_use]
pub fn png(svg: &Svg) -> Option<Picture> {
    png_of_width(svg, WIDTH)
}

/// The same, so many points wide.
#[must_use]
pub fn png_of_width(svg: &Svg, width: u32) -> Option<Picture> {
    let pixmap = drawn(svg, width)?;
    let height = pixmap.height();
    let mut file = None;
    for colors in COLORS {
        let smaller = encoded(&reduced(pixmap.data(), colors), width, height)?;
        let fits = smaller.len() <= LARGEST;
        file = Some(smaller);
        if fits {
            break;
        }
    }
    Some(Picture {
        png: file?,
        width,
        height,
    })
}

/// The points of a picture, layer by layer.
fn drawn(svg: &Svg, width: u32) -> Option<Pixmap> {
    let scale = width as f32 / svg.width as f32;
    let height = (svg.height as f32 * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(width, height)?;
    let kept = MapLayers::of(svg, width)?;
    let Rgb(red, green, blue) = PAGE;
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    let below = kept.below.data();
    if let Some(top) = pixmap.data_mut().get_mut(..below.len()) {
        top.copy_from_slice(below);
    }
    render(&svg.document(&svg.painted()), scale, &mut pixmap);
    if !svg.out_of_sight.is_empty() {
        kept.put_fog_on(&mut pixmap, svg)?;
    }
    kept.lines.put_on(&mut pixmap);
    render(&svg.document(&svg.orders()), scale, &mut pixmap);
    kept.names.put_on(&mut pixmap);
    render(&svg.document(&svg.pieces()), scale, &mut pixmap);
    Some(pixmap)
}

/// The parts of a picture that are the same for all boards of a map.
struct MapLayers {
    ground: Arc<Ground>,
    below: Pixmap,
    /// As `below`, with nothing in sight; made for the first board of which something is hidden.
    hidden: OnceLock<Option<Pixmap>>,
    lines: SparseLayer,
    names: SparseLayer,
}

/// The last that were asked for, the latest last.
static KEPT_MAPS: Mutex<Vec<Arc<MapLayers>>> = Mutex::new(Vec::new());

impl MapLayers {
    fn of(svg: &Svg, width: u32) -> Option<Arc<MapLayers>> {
        let mut maps = KEPT_MAPS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &Arc<MapLayers>| {
            Arc::ptr_eq(&kept.ground, &svg.ground) && kept.below.width() == width
        };
        let kept = match maps.iter().position(is_it) {
            Some(place) => maps.remove(place),
            None => Arc::new(MapLayers::new(svg, width)?),
        };
        maps.push(kept.clone());
        if maps.len() > KEPT {
            maps.remove(0);
        }
        Some(kept)
    }

    fn new(svg: &Svg, width: u32) -> Option<MapLayers> {
        let layer = |content: &str| layer(svg, content, width);
        Some(MapLayers {
            ground: svg.ground.clone(),
            below: layer(&format!("{}{}", svg.page(), svg.below()))?,
            hidden: OnceLock::new(),
            lines: SparseLayer::of(&layer(&svg.lines())?),
            names: SparseLayer::of(&layer(&svg.names())?),
        })
    }

    /// Hides what is out of sight. A pattern over most of the picture would take longer than all else.
    fn put_fog_on(&self, pixmap: &mut Pixmap, svg: &Svg) -> Option<()> {
        let width = self.below.width();
        let hidden = self.hidden.get_or_init(|| layer(svg, &svg.hidden(), width));
        let cover = layer(svg, &svg.out_of_sight(), width)?;
        let (points, _) = pixmap.data_mut().as_chunks_mut::<4>();
        let (hidden, _) = hidden.as_ref()?.data().as_chunks::<4>();
        let (cover, _) = cover.data().as_chunks::<4>();
        for ((point, hidden), [_, _, _, cover]) in points.iter_mut().zip(hidden).zip(cover) {
            match u32::from(*cover) {
                0 => {}
                255 => *point = *hidden,
                part => {
                    for (one, other) in point.iter_mut().zip(hidden) {
                        // The mean of two bytes is a byte.
                        let mixed = u32::from(*one) * (255 - part) + u32::from(*other) * part;
                        *one = ((mixed + 127) / 255) as u8;
                    }
                }
            }
        }
        Some(())
    }
}

/// A part of a picture as points, as far down as the map goes.
fn layer(svg: &Svg, content: &str, width: u32) -> Option<Pixmap> {
    let scale = width as f32 / svg.width as f32;
    let height = (svg.map_bottom() as f32 * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(width, height)?;
    render(&svg.document(content), scale, &mut pixmap);
    Some(pixmap)
}

/// A layer of which little is drawn on: runs of points, each with where it begins.
struct SparseLayer(Vec<(usize, Vec<[u8; 4]>)>);

impl SparseLayer {
    fn of(pixmap: &Pixmap) -> SparseLayer {
        let (pixels, _) = pixmap.data().as_chunks::<4>();
        let mut runs = Vec::new();
        let mut begin = 0;
        for run in pixels.chunk_by(|one, next| is_drawn(*one) == is_drawn(*next)) {
            if run.first().is_some_and(|pixel| is_drawn(*pixel)) {
                runs.push((begin, run.to_vec()));
            }
            begin += run.len();
        }
        SparseLayer(runs)
    }

    fn put_on(&self, pixmap: &mut Pixmap) {
        let (pixels, _) = pixmap.data_mut().as_chunks_mut::<4>();
        for (begin, run) in &self.0 {
            let Some(below) = pixels.get_mut(*begin..*begin + run.len()) else {
                continue;
            };
            for (below, above) in below.iter_mut().zip(run) {
                let [_, _, _, cover] = *above;
                let left = 255 - u32::from(cover);
                for (below, above) in below.iter_mut().zip(above) {
                    // A part of a byte is a byte.
                    let shown = (u32::from(*below) * left + 127) / 255;
                    *below = above.saturating_add(shown as u8);
                }
            }
        }
    }
}

fn is_drawn([_, _, _, cover]: [u8; 4]) -> bool {
    cover > 0
}

/// Draws a document. What cannot be read is not drawn; but what this room writes can be.
fn render(svg: &str, scale: f32, pixmap: &mut Pixmap) {
    let options = Options {
        fontdb: fonts(),
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options);
    debug_assert!(tree.is_ok(), "{:?}", tree.err());
    if let Ok(tree) = tree {
        resvg::render(
            &tree,
            Transform::from_scale(scale, scale),
            &mut pixmap.as_mut(),
        );
    }
}

/// The font that is part of the program.
const FAMILY: &str = "DejaVu Sans Condensed";

/// No fonts of the system: pictures are the same on every machine.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        for font in [
            &include_bytes!("fonts/DejaVuSansCondensed.ttf")[..],
            include_bytes!("fonts/DejaVuSansCondensed-Bold.ttf"),
            include_bytes!("fonts/DejaVuSansCondensed-Oblique.ttf"),
        ] {
            fonts.load_font_data(font.to_vec());
        }
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

fn encoded(picture: &Paletted, width: u32, height: u32) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(picture.colors.as_slice());
    // More work makes files smaller by a hundredth; filters make them larger.
    encoder.set_deflate_compression(png::DeflateCompression::Level(4));
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&picture.points).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use resvg::usvg::Node;

    use super::super::svg;
    use super::super::testing::{board_at_start, busy_board};
    use super::*;
    use dipjudge_rules::map::Map;

    #[test]
    fn layers_that_are_kept_give_what_the_whole_gives() {
        let mut hidden = busy_board();
        hidden.in_sight = Some(hidden.units.iter().map(|unit| unit.at.province).collect());
        for board in [
            board_at_start("standard"),
            busy_board(),
            hidden,
            board_at_start("pure"),
        ] {
            let svg = svg(&board);
            let layered = drawn(&svg, 600).unwrap();
            let mut whole = Pixmap::new(600, layered.height()).unwrap();
            render(&svg.text(), 600.0 / svg.width as f32, &mut whole);
            let pairs = layered.data().iter().zip(whole.data());
            let off = pairs
                .filter(|(one, other)| one.abs_diff(**other) > 6)
                .count();
            // Where regions that are out of sight meet, edges are a little lighter, below the borders.
            let fits = if board.in_sight.is_some() { 300 } else { 2000 };
            assert!(off * fits < layered.data().len(), "{off} parts differ");
        }
    }

    /// A province may have water of its own, as Denmark has: only that is drawn as water.
    #[test]
    fn land_that_is_out_of_sight_is_land() {
        let mut board = board_at_start("standard");
        board.in_sight = Some([].into());
        let fog = svg(&board).fog;
        let ground = Ground::of(&board);
        let fills = [("DEN", "b5b1a9"), ("belts", "9da9b1"), ("NTH", "9da9b1")];
        for (name, color) in fills {
            let number = ground
                .drawing
                .regions
                .iter()
                .position(|one| one.name == name);
            let outline = &ground.outlines[number.unwrap()];
            let mut paths = fog.lines().filter(|line| line.contains(outline.as_str()));
            assert!(paths.next().unwrap().contains(color), "{name}");
        }
    }

    #[test]
    fn letters_are_drawn() {
        let board = board_at_start("pure");
        let with = drawn(&svg(&board), 600).unwrap();
        let mut nameless = board.clone();
        nameless.title.clear();
        let without = drawn(&svg(&nameless), 600).unwrap();
        assert_ne!(with.data(), without.data(), "the title is seen");
    }

    /// A name that is wider than its area could reach a unit beside it.
    #[test]
    fn names_keep_to_the_areas_that_drawings_keep_free_for_them() {
        for map in Map::names() {
            let svg = svg(&board_at_start(map));
            let options = Options {
                fontdb: fonts(),
                font_family: FAMILY.to_owned(),
                ..Options::default()
            };
            let tree = Tree::from_str(&svg.document(&svg.ground.names), &options).unwrap();
            let mut seen = 0;
            let mut groups = vec![tree.root()];
            let mut texts = Vec::new();
            while let Some(group) = groups.pop() {
                for node in group.children() {
                    match node {
                        Node::Group(group) => groups.push(group),
                        Node::Text(text) => texts.push(text.bounding_box()),
                        _ => {}
                    }
                }
            }
            for place in svg.ground.drawing.places.values() {
                let area = place.name.area();
                let [x, y, width, height] =
                    [area.middle.x, area.middle.y, area.width, area.height].map(|part| part as f32);
                let near = |one: &resvg::usvg::Rect| {
                    let (right, down) = (
                        (one.left() + one.right()) / 2.0,
                        (one.top() + one.bottom()) / 2.0,
                    );
                    (right - x).abs() < 12.0 && (down - y).abs() < height / 2.0
                };
                for text in texts.iter().filter(|text| near(text)) {
                    seen += 1;
                    assert!(text.width() <= width + 1.0, "{map}: {:?}", place.name);
                }
            }
            assert!(
                seen >= svg.ground.drawing.places.len(),
                "{map}: {seen} names"
            );
        }
    }
}
