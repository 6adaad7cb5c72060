//! Joins the borders of a region into closed lines.

use super::elements::Point;

/// Joins lines into closed ones. If more than two lines end at a point, any two of them may be joined, since the result encloses
/// the same region.
///
/// # Errors
/// An end of a line at which no other line begins or ends.
pub(super) fn joined(lines: Vec<&[Point]>) -> Result<Vec<Vec<Point>>, Point> {
    let mut rings = Vec::new();
    let mut open: Vec<&[Point]> = lines.into_iter().rev().collect();
    while let Some(line) = open.pop() {
        let mut ring = line.to_vec();
        while ring.first() != ring.last() {
            let Some(&end) = ring.last() else { break };
            let next = open
                .iter()
                .rposition(|line| line.first() == Some(&end) || line.last() == Some(&end))
                .ok_or(end)?;
            let line = open.remove(next);
            if line.first() == Some(&end) {
                ring.extend(line.iter().skip(1));
            } else {
                ring.extend(line.iter().rev().skip(1));
            }
        }
        ring.pop();
        rings.push(ring);
    }
    Ok(rings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(i32, i32)]) -> Vec<Point> {
        points.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn lines_are_joined_in_whatever_direction_they_are_told() {
        let [one, other] = [
            line(&[(0, 0), (9, 0), (9, 9)]),
            line(&[(0, 0), (0, 9), (9, 9)]),
        ];
        let island = line(&[(3, 3), (5, 3), (4, 5), (3, 3)]);
        let rings = joined(vec![&one, &island, &other]).unwrap();
        assert_eq!(
            rings,
            [
                line(&[(0, 0), (9, 0), (9, 9), (0, 9)]),
                line(&[(3, 3), (5, 3), (4, 5)])
            ]
        );
        assert_eq!(joined(vec![&one]), Err(Point { x: 9, y: 9 }));
    }
}
