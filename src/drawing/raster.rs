//! Renders SVG as PNG. The layers of a base map are rendered once and cached.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::Svg;
use super::base_map::BaseMap;
use super::colors::{PAGE, Rgb};
use super::palette::{Measured, Paletted};

/// A picture as PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The contents of the PNG file.
    pub png: Vec<u8>,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// The width of a picture in pixels. It is enough to enlarge a part of the picture on a phone.
pub(super) const WIDTH: u32 = 1200;
/// The width of a picture that is too large for a mail however few colors it has.
const NARROWER: u32 = 1050;
/// The number of pixels of a picture that shows parts of its map, and its least width in pixels, which goes before.
const MAX_PIXELS: f64 = 1_500_000.0;
const LEAST_WIDTH: u32 = 400;
/// How a picture is made a file, one after the other until the file is small enough. Of the colors of a file those that are drawn come
/// first. More than 64 are hardly visible: four times as many make the file a fifth larger. Most pictures are far from too large, so
/// they are packed quickly: files are a twentieth larger than with level 4, in seven tenths of the time.
const ATTEMPTS: [Attempt; 3] = [
    Attempt {
        colors: 64,
        levels: &[2, 4],
    },
    Attempt {
        colors: 40,
        levels: &[4],
    },
    Attempt {
        colors: 24,
        levels: &[9],
    },
];
/// The size in bytes above which a picture gets fewer colors.
const MAX_FILE_SIZE: usize = 149_500;
/// The number of rendered base maps in the cache. Each takes some 6 megabytes, and twice that if boards are partly hidden.
const MAX_CACHED: usize = 4;
/// The number of lands and of legends in the cache. A land takes some 5 megabytes. The owners of centers change once a year, so
/// most pictures of a game have the land of the one before.
const MAX_CACHED_PARTS: usize = 8;

/// How a picture is made a file.
#[derive(Clone, Copy)]
struct Attempt {
    colors: u8,
    /// How much work the compression does, from 1 to 9, one after the other.
    levels: &'static [i32],
}

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PngSize {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

pub(super) fn size(svg: &Svg, width: u32) -> PngSize {
    let scale = width as f32 / svg.width as f32;
    PngSize {
        width,
        height: (svg.height as f32 * scale).ceil() as u32,
    }
}

/// The width of a picture for a mail, in pixels. One that shows parts of its map has a pixel for each unit of the drawing, and
/// fewer where the parts are many.
pub(super) fn width(svg: &Svg) -> u32 {
    if !svg.is_near() {
        return WIDTH;
    }
    let (width, height) = (f64::from(svg.width), f64::from(svg.height));
    let scale = (MAX_PIXELS / (width * height)).sqrt().min(1.0);
    ((width * scale) as u32).max(LEAST_WIDTH)
}

/// Renders a picture as PNG. `None` if it has no extent or cannot be encoded.
#[must_use]
pub fn png(svg: &Svg) -> Option<Picture> {
    let width = width(svg);
    let picture = png_of_width(svg, width)?;
    if picture.png.len() <= MAX_FILE_SIZE {
        return Some(picture);
    }
    png_of_width(svg, width * NARROWER / WIDTH)
}

/// Renders a picture as PNG with a width in pixels.
#[must_use]
pub fn png_of_width(svg: &Svg, width: u32) -> Option<Picture> {
    let PngSize { height, .. } = size(svg, width);
    let measured = Measured::of(drawn(svg, width)?.data(), &svg.colors());
    let mut picture = None;
    for Attempt { colors, levels } in ATTEMPTS {
        let reduced = measured.reduced(colors, width as usize);
        for level in levels {
            if let Some(png) = encoded(&reduced, *level, width, height, MAX_FILE_SIZE) {
                return Some(Picture { png, width, height });
            }
        }
        picture = Some((reduced, levels.last()));
    }
    // None fits, so the smallest.
    let (reduced, level) = picture?;
    let png = encoded(&reduced, *level?, width, height, usize::MAX)?;
    Some(Picture { png, width, height })
}

/// Renders a picture layer by layer.
pub(super) fn drawn(svg: &Svg, width: u32) -> Option<Pixmap> {
    let scale = width as f32 / svg.width as f32;
    let PngSize { height, .. } = size(svg, width);
    if svg.is_near() {
        return drawn_in_windows(svg, width, height);
    }
    let layers = MapLayers::of(svg, width)?;
    let land = layers.painted_land(svg, width, height)?;
    let legend = legend(svg, width, height)?;
    let mut pixmap = Pixmap::clone(&land);
    let rows_of_map = pixmap.data().len() - legend.data().len();
    if let Some(rows) = pixmap.data_mut().get_mut(rows_of_map..) {
        rows.copy_from_slice(legend.data());
    }
    render(&svg.document(&svg.orders()), scale, &mut pixmap);
    layers.names.put_on(&mut pixmap);
    render(&svg.document(&svg.pieces()), scale, &mut pixmap);
    Some(pixmap)
}

/// Renders the windows of a picture one by one, and then what is around them. What more than one of them may show
/// is parsed once.
fn drawn_in_windows(svg: &Svg, width: u32, height: u32) -> Option<Pixmap> {
    let scale = width as f32 / svg.width as f32;
    let mut pixmap = page(width, height)?;
    let orders = parsed(&svg.whole_map(&[&svg.orders]))?;
    let pieces = parsed(&svg.whole_map(&[&svg.pieces]))?;
    for (window, ground) in svg.windows.0.iter().zip(&svg.grounds) {
        let ground = parsed(&svg.whole_map(&[ground]))?;
        let names = svg.base_map.names_within(window.rect());
        let names = parsed(&svg.whole_map(&[&names]))?;
        let top = svg.top_of(window) as f32 * scale;
        let first = top.floor();
        let end = (top + window.height as f32 * scale).ceil();
        let mut part = page(width, (end as u32).min(height).checked_sub(first as u32)?)?;
        let in_part = Transform::from_translate(-window.left as f32, -window.top as f32)
            .post_scale(scale, scale)
            .post_translate(0.0, top - first);
        for layer in [&ground, &orders, &names, &pieces] {
            resvg::render(layer, in_part, &mut part.as_mut());
        }
        let begin = first as usize * width as usize * 4;
        let rows = pixmap
            .data_mut()
            .get_mut(begin..begin + part.data().len())?;
        rows.copy_from_slice(part.data());
    }
    let around = [svg.window_frames(), svg.title.clone(), svg.legend.clone()];
    render(&svg.document(&around.concat()), scale, &mut pixmap);
    Some(pixmap)
}

/// A page without anything on it.
fn page(width: u32, height: u32) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(width, height)?;
    let Rgb(red, green, blue) = PAGE;
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    Some(pixmap)
}

/// The rows of the legend below the map.
fn legend(svg: &Svg, width: u32, height: u32) -> Option<Arc<Pixmap>> {
    static RECENT: Recent<LegendKey, Pixmap> = Recent::new(MAX_CACHED_PARTS);
    let key = LegendKey {
        legend: svg.legend.clone(),
        width,
        height,
    };
    RECENT.get_or_make(key, || {
        let scale = width as f32 / svg.width as f32;
        let above = height_of_map(svg, width).min(height);
        let mut whole = page(width, height)?;
        render(&svg.document(&svg.legend), scale, &mut whole);
        let mut rows = Pixmap::new(width, (height - above).max(1))?;
        let begin = whole.data().len().checked_sub(rows.data().len())?;
        rows.data_mut().copy_from_slice(whole.data().get(begin..)?);
        Some(rows)
    })
}

#[derive(PartialEq)]
struct LegendKey {
    legend: String,
    width: u32,
    height: u32,
}

/// Parts of pictures that were used last, the latest one last.
struct Recent<K, P> {
    parts: Mutex<Vec<(K, Arc<P>)>>,
    max: usize,
}

impl<K: PartialEq, P> Recent<K, P> {
    const fn new(max: usize) -> Recent<K, P> {
        Recent {
            parts: Mutex::new(Vec::new()),
            max,
        }
    }

    /// The part with this key, which is made if it is not cached. Others can be used meanwhile.
    fn get_or_make(&self, key: K, make: impl FnOnce() -> Option<P>) -> Option<Arc<P>> {
        let lock = || self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = {
            let mut parts = lock();
            let place = parts.iter().position(|(known, _)| *known == key);
            place.map(|place| parts.remove(place))
        };
        let (key, part) = match found {
            Some(found) => found,
            None => (key, Arc::new(make()?)),
        };
        let mut parts = lock();
        parts.push((key, part.clone()));
        if parts.len() > self.max {
            parts.remove(0);
        }
        Some(part)
    }
}

/// The parts of a picture that are the same for all boards of a map.
struct MapLayers {
    base_map: Arc<BaseMap>,
    below: Pixmap,
    /// As `below`, with nothing in sight; made for the first board of which something is hidden.
    hidden: OnceLock<Option<Pixmap>>,
    lines: SparseLayer,
    names: SparseLayer,
}

/// What the land of a board looks like.
struct LandKey {
    base_map: Arc<BaseMap>,
    painted: String,
    out_of_sight: String,
    width: u32,
    height: u32,
}

impl PartialEq for LandKey {
    fn eq(&self, other: &LandKey) -> bool {
        Arc::ptr_eq(&self.base_map, &other.base_map)
            && (self.width, self.height) == (other.width, other.height)
            && self.painted == other.painted
            && self.out_of_sight == other.out_of_sight
    }
}

/// The rendered base maps that were used last, the latest one last.
static CACHED_MAPS: Mutex<Vec<Arc<MapLayers>>> = Mutex::new(Vec::new());

impl MapLayers {
    fn of(svg: &Svg, width: u32) -> Option<Arc<MapLayers>> {
        let mut maps = CACHED_MAPS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &Arc<MapLayers>| {
            Arc::ptr_eq(&kept.base_map, &svg.base_map) && kept.below.width() == width
        };
        let kept = match maps.iter().position(is_it) {
            Some(place) => maps.remove(place),
            None => Arc::new(MapLayers::new(svg, width)?),
        };
        maps.push(kept.clone());
        if maps.len() > MAX_CACHED {
            maps.remove(0);
        }
        Some(kept)
    }

    fn new(svg: &Svg, width: u32) -> Option<MapLayers> {
        let layer = |content: &str| layer(svg, content, width);
        Some(MapLayers {
            base_map: svg.base_map.clone(),
            below: layer(&format!("{}{}", svg.page(), svg.below()))?,
            hidden: OnceLock::new(),
            lines: SparseLayer::of(&layer(&svg.lines())?),
            names: SparseLayer::of(&layer(&svg.names())?),
        })
    }

    /// The board without orders, names and pieces: the land in the colors of its owners.
    fn painted_land(&self, svg: &Svg, width: u32, height: u32) -> Option<Arc<Pixmap>> {
        static RECENT: Recent<LandKey, Pixmap> = Recent::new(MAX_CACHED_PARTS);
        let key = LandKey {
            base_map: svg.base_map.clone(),
            painted: svg.painted.clone(),
            out_of_sight: svg.out_of_sight.clone(),
            width,
            height,
        };
        RECENT.get_or_make(key, || {
            let mut pixmap = page(width, height)?;
            let below = self.below.data();
            if let Some(top) = pixmap.data_mut().get_mut(..below.len()) {
                top.copy_from_slice(below);
            }
            let scale = width as f32 / svg.width as f32;
            render(&svg.document(&svg.painted()), scale, &mut pixmap);
            if !svg.out_of_sight.is_empty() {
                self.put_fog_on(&mut pixmap, svg)?;
            }
            self.lines.put_on(&mut pixmap);
            Some(pixmap)
        })
    }

    /// Covers the provinces out of sight with pixels of the hidden board. To fill them with a pattern would take longer than
    /// everything else.
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

/// The number of rows down to the lower edge of the map.
fn height_of_map(svg: &Svg, width: u32) -> u32 {
    let scale = width as f32 / svg.width as f32;
    (svg.map_bottom() as f32 * scale).ceil() as u32
}

/// Renders a part of a picture, down to the lower edge of the map.
fn layer(svg: &Svg, content: &str, width: u32) -> Option<Pixmap> {
    let scale = width as f32 / svg.width as f32;
    let mut pixmap = Pixmap::new(width, height_of_map(svg, width))?;
    render(&svg.document(content), scale, &mut pixmap);
    Some(pixmap)
}

/// A layer that is mostly transparent: runs of pixels with the index of their first pixel.
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

/// A document that is parsed. This crate makes none that cannot be.
fn parsed(svg: &str) -> Option<Tree> {
    let options = Options {
        fontdb: fonts(),
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options);
    debug_assert!(tree.is_ok(), "{:?}", tree.err());
    tree.ok()
}

/// Renders a document.
pub(super) fn render(svg: &str, scale: f32, pixmap: &mut Pixmap) {
    if let Some(tree) = parsed(svg) {
        resvg::render(
            &tree,
            Transform::from_scale(scale, scale),
            &mut pixmap.as_mut(),
        );
    }
}

/// The font that is included in the program.
pub(super) const FAMILY: &str = "DejaVu Sans Condensed";

/// The included fonts. Those of the system are not used, so that pictures are the same on every machine.
pub(super) fn fonts() -> Arc<fontdb::Database> {
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

/// The file of a picture. `None` if it has more than `most` bytes.
fn encoded(
    picture: &Paletted,
    level: i32,
    width: u32,
    height: u32,
    most: usize,
) -> Option<Vec<u8>> {
    // What is longer is given up as soon as that is known.
    let room = zlib_rs::compress_bound(picture.rows.len()).min(most);
    let mut packed = vec![0; room];
    let config = zlib_rs::DeflateConfig::new(level);
    let (packed, code) = zlib_rs::compress_slice(&mut packed, &picture.rows, config);
    if code != zlib_rs::ReturnCode::Ok {
        return None;
    }
    let mut file = Vec::with_capacity(packed.len() + 1024);
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(picture.colors.as_slice());
    let mut writer = encoder.write_header().ok()?;
    writer.write_chunk(png::chunk::IDAT, packed).ok()?;
    writer.finish().ok()?;
    (file.len() <= most).then_some(file)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
            // The last row may be a part of one.
            let rows = layered.data().len() - 600 * 4;
            let pairs = layered.data().iter().zip(whole.data()).take(rows);
            let off = pairs
                .filter(|(one, other)| one.abs_diff(**other) > 6)
                .count();
            // Where regions that are out of sight meet, edges are a little lighter, below the borders.
            let fits = if board.in_sight.is_some() { 200 } else { 2000 };
            assert!(
                off * fits < layered.data().len(),
                "{}: {off} parts differ",
                board.map.name()
            );
        }
    }

    #[test]
    fn windows_that_are_drawn_one_by_one_give_what_the_whole_gives() {
        let mut hidden = busy_board();
        hidden.in_sight = Some(hidden.units.iter().map(|unit| unit.at.province).collect());
        let boards = [board_at_start("standard"), busy_board(), hidden];
        // The last of the powers has several windows at the start.
        for (board, own) in boards.iter().flat_map(|board| [(board, 1), (board, 5)]) {
            let near = Some(dipjudge_view::Owner(Some(own)));
            let svg = svg(&dipjudge_view::Board {
                near,
                ..board.clone()
            });
            for width in [690, 480] {
                let windows = drawn(&svg, width).unwrap();
                let mut whole = Pixmap::new(width, windows.height()).unwrap();
                render(&svg.text(), width as f32 / svg.width as f32, &mut whole);
                // The last row may be a part of one.
                let rows = windows.data().len() - width as usize * 4;
                let pairs = windows.data().iter().zip(whole.data()).take(rows);
                let off = pairs.filter(|(one, other)| one.abs_diff(**other) > 6);
                let off = off.count();
                assert!(
                    off * 500 < windows.data().len(),
                    "{own}: {off} parts differ"
                );
            }
        }
    }

    /// Units of two powers are never of one color in the file, however small they are.
    #[test]
    fn what_is_drawn_has_exactly_its_color_in_the_file() {
        for board in [
            busy_board(),
            board_at_start("modern"),
            board_at_start("hundred"),
        ] {
            let svg = svg(&board);
            let exact = svg.colors();
            let pixmap = drawn(&svg, WIDTH).unwrap();
            let file = png(&svg).unwrap().png;
            let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
            decoder.set_transformations(png::Transformations::EXPAND);
            let mut reader = decoder.read_info().unwrap();
            let mut points = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut points).unwrap();
            let (before, _) = pixmap.data().as_chunks::<4>();
            let (after, _) = points.as_chunks::<3>();
            let mut seen = BTreeSet::new();
            for ([red, green, blue, _], point) in before.iter().zip(after) {
                let color = Rgb(*red, *green, *blue);
                if exact.contains(&color) {
                    assert_eq!(*point, [*red, *green, *blue]);
                    seen.insert(color);
                }
            }
            assert!(seen.len() > 10, "{} colors", seen.len());
        }
    }

    /// A province may have water of its own, as Denmark has: only that is drawn as water.
    #[test]
    fn land_that_is_out_of_sight_is_land() {
        let mut board = board_at_start("standard");
        board.in_sight = Some([].into());
        let fog = svg(&board).fog;
        let base_map = BaseMap::of(&board);
        let fills = [("DEN", "8d8983"), ("belts", "7e8a92"), ("NTH", "7e8a92")];
        for (name, color) in fills {
            let number = base_map
                .drawing
                .regions
                .iter()
                .position(|one| one.name == name);
            let outline = &base_map.outlines[number.unwrap()];
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
            let tree = Tree::from_str(&svg.document(&svg.base_map.names), &options).unwrap();
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
            for place in svg.base_map.drawing.places.values() {
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
                seen >= svg.base_map.drawing.places.len(),
                "{map}: {seen} names"
            );
        }
    }
}
