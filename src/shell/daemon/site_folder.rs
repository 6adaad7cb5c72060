//! Writes the site of the public games into a folder and those within it. Each file is replaced at once, pages before the list that names them, and what
//! is no longer public is removed after that, so that whoever reads the folder meanwhile finds no link to nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::pages::site::SiteFile;

/// The file that lists the files of the site. A folder with others and without it is somebody else's.
const LIST: &str = ".dipjudge-site";
/// The end of the names of files that are not finished.
const UNFINISHED: &str = ".new";

/// Writes the files into a folder, which is made if it is not there, and removes those of an earlier site.
///
/// # Errors
/// If the folder holds something else, or cannot be written.
pub fn write(folder: &Path, files: &[SiteFile]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let before = match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => list.lines().map(str::to_owned).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound && is_empty(folder)? => BTreeSet::new(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let why = "it holds other files; name a folder that is empty or does not exist";
            return Err(io::Error::new(ErrorKind::AlreadyExists, why));
        }
        Err(error) => return Err(error),
    };
    let now: BTreeSet<String> = files.iter().map(|file| file.name.clone()).collect();
    // The list names all that may be there, whenever this ends.
    put(folder, LIST, &listed(before.union(&now)))?;
    for file in files {
        let is_same =
            fs::read(folder.join(&file.name)).is_ok_and(|old| old == file.text.as_bytes());
        if !is_same {
            put(folder, &file.name, &file.text)?;
        }
    }
    for gone in before.difference(&now) {
        let gone = folder.join(gone);
        match fs::remove_file(&gone) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        if let Some(within) = gone.parent().filter(|within| *within != folder) {
            // It stays while it holds anything.
            let _ = fs::remove_dir(within);
        }
    }
    put(folder, LIST, &listed(now.iter()))
}

fn listed<'n>(names: impl Iterator<Item = &'n String>) -> String {
    names.map(|name| format!("{name}\n")).collect()
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

/// Replaces a file at once.
fn put(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let unfinished = folder.join(format!("{name}{UNFINISHED}"));
    if let Some(within) = unfinished.parent() {
        fs::create_dir_all(within)?;
    }
    fs::write(&unfinished, text)?;
    fs::rename(&unfinished, folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> SiteFile {
        SiteFile {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_site_replaces_the_one_before_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("site");
        write(
            &folder,
            &[file("games/a.html", "a"), file("index.html", "1")],
        )
        .unwrap();
        write(
            &folder,
            &[file("manual/b.html", "b"), file("index.html", "2")],
        )
        .unwrap();
        assert_eq!(names(&folder), [LIST, "index.html", "manual"]);
        assert_eq!(names(&folder.join("manual")), ["b.html"]);
        assert_eq!(fs::read_to_string(folder.join("index.html")).unwrap(), "2");
        let other = place.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("letter.txt"), "mine").unwrap();
        assert!(write(&other, &[]).is_err());
        assert_eq!(names(&other), ["letter.txt"]);
    }
}
