//! Reduces the colors of a picture to a palette, which makes its file small. The colors of the largest areas are kept; each of the
//! others, which occur at edges, is replaced by the nearest color of the palette.

/// The number of sorts of color. A sort is five bits each of red, green and blue.
const SORTS: usize = 1 << 15;

/// A picture with a palette.
pub(super) struct Paletted {
    /// The palette: red, green and blue of each color.
    pub(super) colors: Vec<u8>,
    /// The index in the palette for each pixel.
    pub(super) points: Vec<u8>,
}

/// The pixels of one sort: their number, and the sums of their reds, greens and blues.
#[derive(Clone, Copy, Default)]
struct ColorBucket {
    count: u64,
    sums: [u64; 3],
}

impl ColorBucket {
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

/// Reduces pixels of red, green, blue and alpha (which is ignored) to at most so many colors. Half of the colors are those of
/// the largest sorts, the others those that would be missed most.
pub(super) fn reduced(pixels: &[u8], count: u8) -> Paletted {
    let (pixels, _) = pixels.as_chunks::<4>();
    let mut left: Vec<Sort> = counted(pixels)
        .into_iter()
        .enumerate()
        .filter(|(_, bucket)| bucket.count > 0)
        .map(|(number, bucket)| Sort { number, bucket })
        .collect();
    left.sort_by_key(|sort| (std::cmp::Reverse(sort.bucket.count), sort.number));
    let rest = left.split_off(left.len().min(usize::from(count / 2)));
    let mut colors: Vec<[u8; 3]> = left.iter().map(|sort| sort.bucket.color()).collect();
    let nearest = add_missed(&mut colors, &rest, count);
    // By number of a sort: the number of its color.
    let mut index = vec![0u8; SORTS];
    for (color, sort) in (0u8..).zip(&left) {
        index[sort.number] = color;
    }
    for (sort, nearest) in rest.iter().zip(nearest) {
        index[sort.number] = nearest.color;
    }
    let mut points = Vec::with_capacity(pixels.len());
    for run in pixels.chunk_by(|one, next| one == next) {
        points.resize(points.len() + run.len(), index[sort_of(run[0])]);
    }
    Paletted {
        points,
        colors: colors.into_flattened(),
    }
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

fn counted(pixels: &[[u8; 4]]) -> Vec<ColorBucket> {
    let mut sorts = vec![ColorBucket::default(); SORTS];
    for run in pixels.chunk_by(|one, next| one == next) {
        let Some(pixel) = run.first() else { continue };
        let count = run.len() as u64;
        if let Some(sort) = sorts.get_mut(sort_of(*pixel)) {
            sort.count += count;
            for (sum, part) in sort.sums.iter_mut().zip(pixel) {
                *sum += count * u64::from(*part);
            }
        }
    }
    sorts
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

    #[test]
    fn flat_colors_stay_and_edges_become_the_nearest() {
        let red = [200, 0, 0, 255];
        let mut pixels = [[250, 250, 250, 255]; 900].concat();
        pixels.extend([red; 30].concat());
        let Paletted { colors, points } = reduced(&pixels, 64);
        assert_eq!(colors, [250, 250, 250, 200, 0, 0]);
        assert_eq!((points[0], points[929]), (0, 1));
    }

    #[test]
    fn many_colors_become_few() {
        let shade = |number: u32| [(number % 64 * 4) as u8, (number / 64 * 4) as u8, 7, 255];
        let pixels: Vec<u8> = (0..4096).flat_map(shade).collect();
        let Paletted { colors, points } = reduced(&pixels, 64);
        assert_eq!(colors.len(), 3 * 64);
        let off = pixels
            .as_chunks::<4>()
            .0
            .iter()
            .zip(&points)
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
