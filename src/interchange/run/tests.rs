//! Order and ends of a run.

use super::*;

#[test]
fn several_jobs_answer_in_the_order_of_the_lines() {
    let mut input = String::new();
    for number in 0..4000 {
        // A line now and then is longer than what a worker is handed, or is no adjudication.
        let blanks = " ".repeat(if number % 1500 == 700 { 100_000 } else { 1 });
        let name = if number % 1000 == 999 {
            "S1901X"
        } else {
            "S1901M"
        };
        input += &format!(
            r#"{{"id":"{number}",{blanks}"name":"{name}","state":{{"units":{{"FRANCE":["A PAR"]}},"centers":{{}}}},"orders":{{}}}}"#
        );
        input.push('\n');
    }
    let answered = |jobs| {
        let mut out = Vec::new();
        let options = Options {
            jobs,
            ..Options::default()
        };
        assert!(!run(input.as_bytes(), &mut out, &options).unwrap());
        String::from_utf8(out).unwrap()
    };
    let one = answered(1);
    assert_eq!(one.lines().count(), 4000);
    assert!(one.lines().nth(3999).unwrap().contains(r#""id":"3999""#));
    for jobs in [2, 3, 8] {
        assert!(answered(jobs) == one, "{jobs} jobs");
    }
}

/// Output that nobody reads any more.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn output_that_cannot_be_written_ends_the_run() {
    let line = r#"{"name":"S1901M","state":{"units":{"FRANCE":["A PAR"]},"centers":{}}}"#;
    let input = format!("{line}\n").repeat(20_000);
    for jobs in [1, 3] {
        let options = Options {
            jobs,
            ..Options::default()
        };
        let error = run(input.as_bytes(), Closed, &options).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
