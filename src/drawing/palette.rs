//! Reduces the colors of a picture to a palette, which makes its file small. The colors in which something is drawn are kept exactly,
//! however small it is. Of the others, which occur at edges, those of the largest areas are kept, and each of the rest is replaced by
//! the nearest color of the palette.

use std::collections::BTreeSet;

use super::colors::Rgb;

/// The number of sorts of color. A sort is five bits each of red, green and blue.
const SORTS: usize = 1 << 15;

/// A picture with a palette.
pub(super) struct Paletted {
    /// The palette: red, green and blue of each color.
    pub(super) colors: Vec<u8>,
    /// The rows of a PNG file without filters: for each a 0, then the index in the palette of each pixel.
    pub(super) rows: Vec<u8>,
}

/// The pixels of one sort: their number, and the sums of their reds, greens and blues.
#[derive(Clone, Copy, Default)]
struct ColorBucket {
    count: u64,
    sums: [u64; 3],
}

impl ColorBucket {
    /// Adds so many points of one color.
    fn add(&mut self, pixel: [u8; 4], count: u64) {
        self.count += count;
        for (sum, part) in self.sums.iter_mut().zip(pixel) {
            *sum += count * u64::from(part);
        }
    }

    /// The mean of its points.
    fn color(self) -> [u8; 3] {
        let count = self.count.max(1);
        self.sums.map(|sum| ((sum + count / 2) / count) as u8)
    }
}

fn sort_of(pixel: [u8; 4]) -> usize {
    let [red, green, blue, _] = pixel.map(|part| usize::from(part >> 3));
    red << 10 | green << 5 | blue
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u64 {
    let [red, green, blue] = [0, 1, 2].map(|part| u64::from(one[part].abs_diff(other[part])));
    // Eyes tell greens apart best.
    2 * red * red + 4 * green * green + blue * blue
}

/// The most colors of a palette that are kept exactly; more are not drawn in one picture.
const MOST_EXACT: usize = 128;

/// The colors that are kept exactly, found by their sorts.
struct Exact {
    colors: Vec<[u8; 3]>,
    /// By number of a sort: the first of its colors, counted from 1; 0 if it has none.
    first: Vec<u8>,
    /// By number of a color: the next one of the same sort, counted from 1; 0 if it is the last.
    next: Vec<u8>,
}

impl Exact {
    fn of(drawn: &BTreeSet<Rgb>) -> Exact {
        let colors = drawn.iter().take(MOST_EXACT);
        let colors = colors.map(|Rgb(red, green, blue)| [*red, *green, *blue]);
        let mut exact = Exact {
            colors: colors.collect(),
            first: vec![0; SORTS],
            next: Vec::new(),
        };
        for (number, [red, green, blue]) in (1u8..).zip(&exact.colors) {
            let first = &mut exact.first[sort_of([*red, *green, *blue, 255])];
            exact.next.push(std::mem::replace(first, number));
        }
        exact
    }

    /// The number of a pixel's color, if that is one of these.
    fn number(&self, pixel: [u8; 4]) -> Option<u8> {
        let [red, green, blue, _] = pixel;
        let mut next = self.first[sort_of(pixel)];
        while let Some(number) = next.checked_sub(1) {
            if self.colors[usize::from(number)] == [red, green, blue] {
                return Some(number);
            }
            next = self.next[usize::from(number)];
        }
        None
    }
}

/// Pixels of one color that follow one another. A picture has some hundred thousand.
struct Run {
    length: u16,
    /// The number of the sort, or, of a color that is kept exactly, that of the color behind all sorts.
    color: u16,
}

/// The most pixels of a run.
const LONGEST: usize = u16::MAX as usize;

/// The colors of a picture, before it is decided which of them are kept.
pub(super) struct Measured {
    exact: Vec<[u8; 3]>,
    /// By exact color: whether it occurs.
    drawn: Vec<bool>,
    /// By sort, without those of exact colors.
    sorts: Vec<ColorBucket>,
    runs: Vec<Run>,
}

impl Measured {
    /// Those of pixels of red, green, blue and alpha (which is ignored), of which these colors are drawn.
    pub(super) fn of(pixels: &[u8], drawn: &BTreeSet<Rgb>) -> Measured {
        let (mut pixels, _) = pixels.as_chunks::<4>();
        let exact = Exact::of(drawn);
        let mut measured = Measured {
            drawn: vec![false; exact.colors.len()],
            sorts: vec![ColorBucket::default(); SORTS],
            runs: Vec::with_capacity(pixels.len() / 8),
            exact: Vec::new(),
        };
        while let Some(pixel) = pixels.first() {
            let length = run_length(pixels, *pixel).min(LONGEST);
            let color = match exact.number(*pixel) {
                Some(number) => {
                    measured.drawn[usize::from(number)] = true;
                    SORTS + usize::from(number)
                }
                None => {
                    let sort = sort_of(*pixel);
                    measured.sorts[sort].add(*pixel, length as u64);
                    sort
                }
            };
            measured.runs.push(Run {
                length: length as u16,
                color: color as u16,
            });
            pixels = &pixels[length..];
        }
        measured.exact = exact.colors;
        measured
    }

    /// The picture, so many pixels across, in a palette of `count` colors, or of more if many are drawn: those that are drawn and
    /// occur; then, of the colors at edges, half of what is left for the largest sorts, and half for those that would be missed most.
    pub(super) fn reduced(&self, count: u8, width: usize) -> Paletted {
        let mut colors = Vec::new();
        // By number of a color of a run: its index in the palette.
        let mut index = vec![0u8; SORTS + self.exact.len()];
        // Colors that do not occur are not in the palette.
        let exact = self.exact.iter().zip(&self.drawn);
        for ((color, occurs), index) in exact.zip(index.iter_mut().skip(SORTS)) {
            if *occurs {
                *index = colors.len() as u8;
                colors.push(*color);
            }
        }
        let count = count.max(colors.len() as u8 + count / 4);
        let mut left: Vec<Sort> = self
            .sorts
            .iter()
            .enumerate()
            .filter(|(_, bucket)| bucket.count > 0)
            .map(|(number, bucket)| Sort {
                number,
                bucket: *bucket,
            })
            .collect();
        left.sort_by_key(|sort| (std::cmp::Reverse(sort.bucket.count), sort.number));
        let largest = usize::from(count).saturating_sub(colors.len()) / 2;
        let rest = left.split_off(left.len().min(largest));
        for sort in &left {
            index[sort.number] = colors.len() as u8;
            colors.push(sort.bucket.color());
        }
        let nearest = add_missed(&mut colors, &rest, count);
        for (sort, nearest) in rest.iter().zip(nearest) {
            index[sort.number] = nearest.color;
        }
        Paletted {
            rows: self.rows(&index, width),
            colors: colors.into_flattened(),
        }
    }

    /// The rows of a file, by the index in the palette of each color of a run.
    fn rows(&self, index: &[u8], width: usize) -> Vec<u8> {
        let lengths = self.runs.iter().map(|run| usize::from(run.length));
        let pixels: usize = lengths.sum();
        let mut rows = Vec::with_capacity(pixels + pixels.div_ceil(width));
        // The length of the rows when the one in hand is full.
        let mut full = 0;
        for Run { length, color } in &self.runs {
            let color = index[usize::from(*color)];
            let mut left = usize::from(*length);
            while left > 0 {
                if rows.len() == full {
                    rows.push(0);
                    full += 1 + width;
                }
                let part = left.min(full - rows.len());
                match part {
                    1 => rows.push(color),
                    _ => rows.resize(rows.len() + part, color),
                }
                left -= part;
            }
        }
        rows
    }
}

/// How many pixels from the first on have this color.
fn run_length(pixels: &[[u8; 4]], color: [u8; 4]) -> usize {
    /// Most runs at edges are shorter.
    const FEW: usize = 4;
    const AT_ONCE: usize = 8;
    let length = |pixels: &[[u8; 4]]| pixels.iter().take_while(|pixel| **pixel == color).count();
    let few = length(&pixels[..pixels.len().min(FEW)]);
    if few < FEW {
        return few;
    }
    let (blocks, _) = pixels[FEW..].as_chunks::<AT_ONCE>();
    let same = blocks
        .iter()
        .take_while(|block| **block == [color; AT_ONCE]);
    let begun = FEW + same.count() * AT_ONCE;
    begun + length(&pixels[begun..])
}

/// A sort of which there are points.
#[derive(Clone, Copy)]
struct Sort {
    number: usize,
    bucket: ColorBucket,
}

/// The color of the palette that is nearest to a sort.
struct Nearest {
    distance: u64,
    color: u8,
}

/// How much a sort would be missed. A sort counts for the number of its points, and more than in proportion for its distance,
/// since a reader looks for what is small and bright.
fn missed(distance: u64, points: u64) -> u64 {
    distance
        .saturating_mul(distance.isqrt())
        .saturating_mul(points)
}

/// Adds the sorts that would be missed most, one by one, until there are so many colors. Returns the nearest color of each
/// sort.
fn add_missed(colors: &mut Vec<[u8; 3]>, rest: &[Sort], count: u8) -> Vec<Nearest> {
    let means: Vec<[u8; 3]> = rest.iter().map(|sort| sort.bucket.color()).collect();
    let mut nearest: Vec<Nearest> = means
        .iter()
        .map(|&color| {
            (0u8..)
                .zip(colors.iter())
                .map(|(number, other)| Nearest {
                    distance: distance(color, *other),
                    color: number,
                })
                .min_by_key(|nearest| nearest.distance)
                .unwrap_or(Nearest {
                    distance: u64::MAX,
                    color: 0,
                })
        })
        .collect();
    let mut weights: Vec<u64> = nearest
        .iter()
        .zip(rest)
        .map(|(nearest, sort)| missed(nearest.distance, sort.bucket.count))
        .collect();
    let first = colors.len();
    for number in (0..count).skip(first) {
        // Of several, the first.
        let most = weights
            .iter()
            .zip(&means)
            .rev()
            .max_by_key(|(weight, _)| **weight);
        let Some((1.., &color)) = most else {
            break;
        };
        colors.push(color);
        let sorts = rest
            .iter()
            .zip(&means)
            .zip(nearest.iter_mut().zip(&mut weights));
        for ((sort, mean), (nearest, weight)) in sorts {
            let distance = distance(*mean, color);
            if distance < nearest.distance {
                *nearest = Nearest {
                    distance,
                    color: number,
                };
                *weight = missed(distance, sort.bucket.count);
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two colors that are alike, and one that only a single pixel has.
    #[test]
    fn what_is_drawn_keeps_its_color_and_edges_become_the_nearest() {
        let drawn = [Rgb(200, 0, 0), Rgb(201, 1, 1), Rgb(7, 7, 7), Rgb(9, 99, 9)];
        let mut pixels = [[250, 250, 250, 255]; 900].concat();
        pixels.extend([[200, 0, 0, 255]; 30].concat());
        pixels.extend([201, 1, 1, 255, 7, 7, 7, 255]);
        let width = pixels.len() / 4;
        let Paletted { colors, rows } = Measured::of(&pixels, &drawn.into()).reduced(64, width);
        let color = |at: usize| &colors[usize::from(rows[1 + at]) * 3..][..3];
        assert_eq!(color(0), [250, 250, 250]);
        assert_eq!(color(929), [200, 0, 0]);
        assert_eq!(color(930), [201, 1, 1]);
        assert_eq!(color(931), [7, 7, 7]);
        assert_eq!(colors.len(), 3 * 4, "what does not occur is left out");
    }

    #[test]
    fn however_many_are_drawn_there_are_others_for_edges() {
        let drawn: BTreeSet<Rgb> = (0..100).map(|part| Rgb(part, part, part)).collect();
        let gray = (0..100u8).flat_map(|part| [part, part, part, 255]);
        let edges = (0..100u8).flat_map(|part| [255, part, 0, 255]);
        let pixels: Vec<u8> = gray.chain(edges).collect();
        let Paletted { colors, rows } = Measured::of(&pixels, &drawn).reduced(24, 200);
        assert_eq!(colors.len(), 3 * 106);
        for (gray, point) in (0u8..100).zip(&rows[1..]) {
            let at = usize::from(*point) * 3;
            assert_eq!(colors[at..at + 3], [gray, gray, gray]);
        }
    }

    #[test]
    fn a_run_goes_on_in_the_rows_below() {
        let drawn = [Rgb(1, 1, 1), Rgb(9, 9, 9)];
        let mut pixels = [[9, 9, 9, 255]; 7].concat();
        pixels.extend([[1, 1, 1, 255]; 2].concat());
        let Paletted { rows, .. } = Measured::of(&pixels, &drawn.into()).reduced(24, 3);
        assert_eq!(rows, [0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn many_colors_become_few() {
        let shade = |number: u32| [(number % 64 * 4) as u8, (number / 64 * 4) as u8, 7, 255];
        let pixels: Vec<u8> = (0..4096).flat_map(shade).collect();
        let Paletted { colors, rows } = Measured::of(&pixels, &BTreeSet::new()).reduced(64, 64);
        assert_eq!(colors.len(), 3 * 64);
        assert_eq!(rows.len(), 64 * 65);
        assert!(rows.iter().step_by(65).all(|filter| *filter == 0));
        let points = rows.chunks(65).flat_map(|row| &row[1..]);
        let off = pixels
            .as_chunks::<4>()
            .0
            .iter()
            .zip(points)
            .map(|(pixel, point)| {
                let at = usize::from(*point) * 3;
                colors[at..at + 3]
                    .iter()
                    .zip(pixel)
                    .map(|(one, other)| one.abs_diff(*other))
                    .max()
                    .unwrap()
            });
        assert!(off.max().unwrap() <= 48);
    }
}
