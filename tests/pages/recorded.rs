//! The logs of the recorded games of every variant (`tests/recorded/`).

use std::fs;
use std::path::Path;

/// The text of each log but the judge's.
pub(crate) fn logs() -> impl Iterator<Item = String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let logs = files.filter(|path| path.extension().is_some_and(|end| end == "log"));
    let logs = logs.filter(|path| path.file_stem().is_some_and(|name| name != "judge"));
    logs.map(|path| fs::read_to_string(path).unwrap())
}
