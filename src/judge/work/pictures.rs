//! Pictures of boards for mails. Each picture is drawn once for all readers with the same view (README, Decided 14).

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use dipjudge_drawing::{self as drawing, PngSize, Svg};
use dipjudge_mails::outbound::{Image, Picture};
use dipjudge_view::Board;

/// The number of pictures that are kept: those of one mailing, and those requested again soon after.
const KEPT: usize = 64;
/// The number of boards that are kept with their pictures: all who see a whole board get the same one in one mailing, and to compare
/// it takes less time than to draw it.
const KEPT_BOARDS: usize = 2;
/// The width of a picture on a page, in CSS pixels.
const WIDTH: u32 = 640;
/// The width of one for a narrow screen.
const NEAR_WIDTH: u32 = 360;

/// Draws pictures, and keeps the last ones.
pub struct Pictures {
    /// The image may be drawn later than it is returned.
    draw: Box<dyn Fn(Svg) -> DrawnPicture + Send + Sync>,
    /// The kept pictures with what they show, the latest last.
    kept: Mutex<VecDeque<(Svg, DrawnPicture)>>,
    /// The last boards with their pictures, the latest last.
    boards: Mutex<VecDeque<(Board, Option<Picture>)>>,
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").finish_non_exhaustive()
    }
}

/// An image with its size in pixels.
#[derive(Clone, Debug)]
pub struct DrawnPicture {
    /// The image.
    pub image: Image,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

impl DrawnPicture {
    /// A picture that is drawn at once.
    pub fn of(svg: &Svg) -> DrawnPicture {
        let png = drawing::png(svg).map(|picture| picture.png);
        DrawnPicture::sized(svg, Image::png(png.unwrap_or_default()))
    }

    /// The image of a picture, which need not be drawn yet.
    pub fn sized(svg: &Svg, image: Image) -> DrawnPicture {
        let PngSize { width, height } = svg.png_size();
        DrawnPicture {
            image,
            width,
            height,
        }
    }
}

impl Default for Pictures {
    fn default() -> Pictures {
        Pictures::drawn_by(|svg| DrawnPicture::of(&svg))
    }
}

impl Pictures {
    /// Pictures drawn by the given function. It is called once for all boards that look the same.
    pub fn drawn_by(draw: impl Fn(Svg) -> DrawnPicture + Send + Sync + 'static) -> Pictures {
        Pictures {
            draw: Box::new(draw),
            kept: Mutex::default(),
            boards: Mutex::default(),
        }
    }

    /// The picture of a board; `None` if there is nothing to draw.
    pub(crate) fn of(&self, board: &Board) -> Option<Picture> {
        // What one reader has around him is nobody else's.
        if board.near.is_some() {
            return self.drawn(board);
        }
        if let Some(known) = self.known(board) {
            return known;
        }
        let picture = self.drawn(board);
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        boards.push_back((board.clone(), picture.clone()));
        if boards.len() > KEPT_BOARDS {
            boards.pop_front();
        }
        picture
    }

    /// The picture of a board that was asked for last.
    fn known(&self, board: &Board) -> Option<Option<Picture>> {
        let boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = boards.iter().filter(|(known, _)| known == board);
        known.next().map(|(_, picture)| picture.clone())
    }

    fn drawn(&self, board: &Board) -> Option<Picture> {
        let svg = drawing::svg(board);
        let (shown, alt) = if svg.is_near() {
            (
                NEAR_WIDTH,
                format!("{}, around your own units", board.title),
            )
        } else {
            (WIDTH, board.title.clone())
        };
        let DrawnPicture {
            image,
            width,
            height,
        } = self.kept(&svg).unwrap_or_else(|| self.keep(svg));
        Some(Picture {
            image,
            width: shown,
            height: (height * shown).checked_div(width)?,
            alt,
        })
    }

    fn kept(&self, svg: &Svg) -> Option<DrawnPicture> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = kept.iter().filter(|(known, _)| known == svg);
        found.next().map(|(_, picture)| picture.clone())
    }

    fn keep(&self, svg: Svg) -> DrawnPicture {
        let drawn = (self.draw)(svg.clone());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((svg, drawn.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use dipjudge_drawing::testing::{board_at_start, busy_board};

    #[test]
    fn a_picture_is_drawn_once_for_all_who_see_the_same() {
        static DRAWN: AtomicUsize = AtomicUsize::new(0);
        let pictures = Pictures::drawn_by(|svg| {
            DRAWN.fetch_add(1, Ordering::Relaxed);
            DrawnPicture {
                image: Image::png(svg.text().into_bytes()),
                width: 1200,
                height: 900,
            }
        });
        let one = pictures.of(&board_at_start("standard")).unwrap();
        assert_eq!((one.width, one.height), (640, 480));
        assert_eq!(pictures.of(&board_at_start("standard")), Some(one.clone()));
        assert_eq!(DRAWN.load(Ordering::Relaxed), 1);
        let other = pictures.of(&busy_board()).unwrap();
        assert_ne!(other.image, one.image);
        assert_eq!(pictures.of(&board_at_start("standard")), Some(one));
        assert_eq!(DRAWN.load(Ordering::Relaxed), 2);
    }
}
