//! Threads that draw pictures while the judge goes on: a picture takes many times as long as all the rest of a mail.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use dipjudge_drawing::{Svg, png};
use dipjudge_judge::{DrawnPicture, Pictures};
use dipjudge_mails::outbound::{Image, UndrawnImage};

/// A picture to be drawn.
struct Order {
    svg: Svg,
    place: UndrawnImage,
}

/// Pictures that are drawn by threads of their own, as many as there are processors. They end with the judge that has these.
/// Where the system has no threads, a picture is drawn at once.
pub(crate) fn pictures() -> Pictures {
    let (orders, taken) = mpsc::channel();
    let taken = Arc::new(Mutex::new(taken));
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let painters = (0..processors).filter(|_| begin_painter(taken.clone()));
    match painters.count() {
        0 => Pictures::default(),
        _ => Pictures::drawn_by(move |svg| ordered(&orders, svg)),
    }
}

/// Whether a thread that draws has begun.
fn begin_painter(orders: Arc<Mutex<Receiver<Order>>>) -> bool {
    let next = move || {
        let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders.recv()
    };
    let work = move || {
        while let Ok(Order { svg, place }) = next() {
            draw(&svg, place);
        }
    };
    let begun = thread::Builder::new()
        .name("painter".to_owned())
        .spawn(work);
    begun.is_ok()
}

fn ordered(orders: &Sender<Order>, svg: Svg) -> DrawnPicture {
    let (image, place) = Image::to_be_drawn();
    let picture = DrawnPicture::sized(&svg, image);
    // It fails if all painters have ended, which they do not while this sender lives; then the picture is empty.
    let sent = orders.send(Order { svg, place });
    if sent.is_err() {
        tracing::error!("no thread draws pictures any more, so one is missing");
    }
    picture
}

/// Draws a picture. Where that fails, which is a fault of the program, the mail has an empty picture.
fn draw(svg: &Svg, place: UndrawnImage) {
    let drawn = std::panic::catch_unwind(|| png(svg));
    match drawn {
        Ok(Some(picture)) => place.drawn(picture.png),
        _ => tracing::error!("a picture cannot be drawn, which is a fault of the program"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_drawing::svg;
    use dipjudge_drawing::testing::{board_at_start, busy_board};

    #[test]
    fn what_painters_draw_is_what_is_drawn_at_once() {
        let (orders, taken) = mpsc::channel();
        let taken = Arc::new(Mutex::new(taken));
        assert!(begin_painter(taken.clone()));
        assert!(begin_painter(taken));
        let boards = [board_at_start("standard"), busy_board()];
        let drawn: Vec<DrawnPicture> = boards
            .iter()
            .map(|board| ordered(&orders, svg(board)))
            .collect();
        for (board, drawn) in boards.iter().zip(drawn) {
            let at_once = DrawnPicture::of(&svg(board));
            assert_eq!(drawn.image, at_once.image);
            assert_eq!((drawn.width, drawn.height), (at_once.width, at_once.height));
        }
    }
}
