//! The regions of a drawing in a grid of small cells, to look up the region at a point.

use super::spot::Spot;
use dipjudge_rules::map::drawing::{Drawing, Point};

/// The width and height of a cell.
pub(super) const CELL: i32 = 8;

/// The number of the region in each cell.
pub(super) struct RegionGrid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Row by row; none where there is no region.
    cells: Vec<Option<u16>>,
}

impl RegionGrid {
    pub(super) fn of(drawing: &Drawing) -> RegionGrid {
        let cells = |length: i32| usize::try_from(length / CELL + 1).unwrap_or(1);
        let (columns, rows) = (cells(drawing.width), cells(drawing.height));
        let mut grid = RegionGrid {
            columns,
            rows,
            cells: vec![None; columns * rows],
        };
        for (number, region) in (0u16..).zip(&drawing.regions) {
            grid.fill(number, &region.outline);
        }
        grid
    }

    /// Fills the cells whose middle is inside the outline.
    fn fill(&mut self, number: u16, outline: &[Vec<Point>]) {
        let mut crossings = vec![Vec::new(); self.rows];
        for ring in outline {
            for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let (upper, lower) = if from.y < to.y {
                    (from, to)
                } else {
                    (to, from)
                };
                let first = (upper.y - CELL / 2).max(0) / CELL;
                for row in first.. {
                    // The middle of a row is between the whole numbers of outlines.
                    let y = f64::from(row * CELL + CELL / 2) + 0.5;
                    if y > f64::from(lower.y) {
                        break;
                    }
                    if y < f64::from(upper.y) {
                        continue;
                    }
                    let share = (y - f64::from(upper.y)) / f64::from(lower.y - upper.y);
                    let x = f64::from(upper.x) + f64::from(lower.x - upper.x) * share;
                    if let Some(crossings) = crossings.get_mut(row as usize) {
                        crossings.push(x);
                    }
                }
            }
        }
        for (row, mut crossings) in crossings.into_iter().enumerate() {
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f64| {
                    ((x - f64::from(CELL) / 2.0) / f64::from(CELL))
                        .ceil()
                        .max(0.0) as usize
                };
                let begin = row * self.columns + column(pair[0]).min(self.columns);
                let end = row * self.columns + column(pair[1]).min(self.columns);
                if let Some(cells) = self.cells.get_mut(begin..end) {
                    cells.fill(Some(number));
                }
            }
        }
    }

    /// The number of the cell at a point; `None` outside the drawing.
    pub(super) fn cell(&self, spot: Spot) -> Option<usize> {
        let part = |coordinate: f64, count: usize| {
            let number = (coordinate / f64::from(CELL)).floor();
            (number >= 0.0 && number < count as f64).then_some(number as usize)
        };
        Some(part(spot.y, self.rows)? * self.columns + part(spot.x, self.columns)?)
    }

    /// The middle of a cell.
    pub(super) fn middle(&self, cell: usize) -> Spot {
        let at = |number: usize| (number as f64 + 0.5) * f64::from(CELL);
        Spot {
            x: at(cell % self.columns),
            y: at(cell / self.columns),
        }
    }

    /// The number of the region in a cell.
    pub(super) fn region_in(&self, cell: usize) -> Option<usize> {
        self.cells.get(cell).copied().flatten().map(usize::from)
    }

    /// The number of the region at a point.
    pub(super) fn region_at(&self, spot: Spot) -> Option<usize> {
        self.region_in(self.cell(spot)?)
    }
}
