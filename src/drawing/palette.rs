//! Few colors for a picture of many: what keeps its file small. The colors that cover most are kept as they are, and each of
//! the others, which are found at edges, becomes the nearest of those kept.

/// How many sorts of color are told apart: by five bits of red, green and blue.
const SORTS: usize = 1 << 15;

/// A picture in colors of its own.
pub(super) struct Paletted {
    /// Red, green and blue of each color.
    pub(super) colors: Vec<u8>,
    /// The color of each point.
    pub(super) points: Vec<u8>,
}

/// A sort of color: how many points, and the sum of their reds, greens and blues.
#[derive(Clone, Copy, Default)]
struct ColorBucket {
    count: u64,
    sums: [u64; 3],
}

impl ColorBucket {
    fn color(self) -> [i32; 3] {
        let count = self.count.max(1);
        self.sums.map(|sum| ((sum + count / 2) / count) as i32)
    }
}

fn sort_of(pixel: [u8; 4]) -> usize {
    let [red, green, blue, _] = pixel.map(|part| usize::from(part >> 3));
    red << 10 | green << 5 | blue
}

fn distance(one: [i32; 3], other: [i32; 3]) -> u64 {
    let [red, green, blue] = [0, 1, 2].map(|part: usize| {
        let pair = one.get(part).zip(other.get(part));
        pair.map_or(0, |(one, other)| u64::from(one.abs_diff(*other)))
    });
    // Eyes tell greens apart best.
    2 * red * red + 4 * green * green + blue * blue
}

/// Reduces points of red, green, blue and a fourth part that is not looked at, to so many colors. Half of them go to those that
/// cover most, the others to those that would be missed most.
pub(super) fn reduced(pixels: &[u8], count: usize) -> Paletted {
    let (pixels, _) = pixels.as_chunks::<4>();
    let sorts = counted(pixels);
    let mut left: Vec<(usize, ColorBucket)> = sorts
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, sort)| sort.count > 0)
        .collect();
    left.sort_by_key(|(number, sort)| (std::cmp::Reverse(sort.count), *number));
    let rest = left.split_off(left.len().min(count / 2));
    let mut colors: Vec<[i32; 3]> = left.iter().map(|(_, sort)| sort.color()).collect();
    let nearest = add_missed(&mut colors, &rest, count);
    let mut index = vec![0u8; SORTS];
    let mut put = |sort: usize, color: usize| {
        if let Some(place) = index.get_mut(sort) {
            *place = u8::try_from(color).unwrap_or(0);
        }
    };
    left.iter()
        .enumerate()
        .for_each(|(color, (sort, _))| put(*sort, color));
    rest.iter()
        .zip(nearest)
        .for_each(|((sort, _), color)| put(*sort, color));
    let points = pixels
        .iter()
        .map(|pixel| index.get(sort_of(*pixel)).copied().unwrap_or(0));
    Paletted {
        points: points.collect(),
        colors: colors
            .iter()
            .flatten()
            .map(|part| u8::try_from(*part).unwrap_or(255))
            .collect(),
    }
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

/// Adds one by one the sorts that are farthest from all colors, for the number of their points: more for how far they are, since
/// what is small and bright is looked for. Gives for each sort its nearest color.
fn add_missed(
    colors: &mut Vec<[i32; 3]>,
    rest: &[(usize, ColorBucket)],
    count: usize,
) -> Vec<usize> {
    let mut nearest: Vec<(u64, usize)> = rest
        .iter()
        .map(|(_, sort)| {
            let far = colors.iter().map(|color| distance(sort.color(), *color));
            far.zip(0..).min().unwrap_or((u64::MAX, 0))
        })
        .collect();
    while colors.len() < count {
        let missed = rest.iter().zip(&nearest);
        let missed = missed.map(|((_, sort), (far, _))| {
            far.saturating_mul(far.isqrt()).saturating_mul(sort.count)
        });
        let most = missed
            .zip(0..)
            .max_by_key(|(missed, place)| (*missed, std::cmp::Reverse(*place)));
        let Some((_, place)) = most.filter(|(missed, _)| *missed > 0) else {
            break;
        };
        let Some((_, sort)) = rest.get(place).copied() else {
            break;
        };
        let (color, number) = (sort.color(), colors.len());
        colors.push(color);
        for ((_, other), nearest) in rest.iter().zip(&mut nearest) {
            let far = distance(other.color(), color);
            if far < nearest.0 {
                *nearest = (far, number);
            }
        }
    }
    nearest.into_iter().map(|(_, number)| number).collect()
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
                let parts = colors[at..at + 3].iter().zip(pixel);
                parts
                    .map(|(one, other)| one.abs_diff(*other))
                    .max()
                    .unwrap()
            });
        assert!(off.max().unwrap() <= 48);
    }
}
