//! What ARCHITECTURE.md says of adding something is true: `tests/additions/` holds a patch for each of its lists "To add …", which
//! follows the list once. All patches together compile, and each has as many spots as its list says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::sources::files_below;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A patch of `tests/additions/`.
struct Addition {
    /// Its file, from the top folder.
    file: String,
    diff: String,
}

impl Addition {
    /// All of them, by name.
    fn all() -> Vec<Addition> {
        let folder = Path::new(ROOT).join("tests/additions");
        let entries = fs::read_dir(folder).expect("the folder of patches is there");
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|end| end == "patch"))
            .collect();
        paths.sort();
        let read = |path: PathBuf| Addition {
            diff: fs::read_to_string(&path).unwrap(),
            file: path.strip_prefix(ROOT).unwrap().display().to_string(),
        };
        paths.into_iter().map(read).collect()
    }

    /// The paths of the files that it changes or makes.
    fn touched(&self) -> impl Iterator<Item = &str> {
        let lines = self.diff.lines();
        lines.filter_map(|line| line.strip_prefix("diff --git a/")?.split(" b/").next())
    }
}

/// How much an addition changes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Extent {
    /// Groups of changed lines, in files that were there before.
    spots: usize,
    /// The files of these spots.
    files: usize,
    new_files: usize,
}

impl Extent {
    fn of(diff: &str) -> Extent {
        let mut extent = Extent::default();
        // The lines of a file before its first hunk name it and change nothing.
        let (mut is_new, mut in_hunk, mut in_spot) = (false, false, false);
        for line in diff.lines() {
            if line.starts_with("diff --git ") {
                (is_new, in_hunk) = (false, false);
                extent.files += 1;
            } else if !in_hunk && line.starts_with("new file mode ") {
                is_new = true;
                extent.files -= 1;
                extent.new_files += 1;
            } else if line.starts_with("@@") {
                (in_hunk, in_spot) = (true, false);
            } else if in_hunk && !line.starts_with('\\') {
                let changes = line.starts_with(['+', '-']);
                extent.spots += usize::from(changes && !in_spot && !is_new);
                in_spot = changes;
            }
        }
        extent
    }

    /// `5 spots in 4 files, 1 new file`, as the lists say it.
    fn words(&self) -> String {
        let counted = |number: usize, noun: &str| match number {
            1 => format!("1 {noun}"),
            _ => format!("{number} {noun}s"),
        };
        let spots = counted(self.spots, "spot");
        let mut words = format!("{spots} in {}", counted(self.files, "file"));
        if self.new_files > 0 {
            words += &format!(", {}", counted(self.new_files, "new file"));
        }
        words
    }
}

/// Whether a tool is there that this needs. In CI nothing is left out.
fn is_there(what: &str, output: &Result<Output, std::io::Error>) -> bool {
    let there = output.as_ref().is_ok_and(|output| output.status.success());
    let required = std::env::var("DIPJUDGE_REQUIRE_GIT").is_ok_and(|value| value == "1");
    assert!(there || !required, "{what}: {output:?}");
    if !there {
        eprintln!("SKIPPED: {what} is needed");
    }
    there
}

/// The contents of all files of the tree, by their paths; `None` where git cannot list them.
fn tree() -> Option<BTreeMap<PathBuf, Vec<u8>>> {
    let listed = Command::new("git")
        .current_dir(ROOT)
        .args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .output();
    if !is_there("a working tree of git", &listed) {
        return None;
    }
    let listed = String::from_utf8(listed.unwrap().stdout).expect("paths are UTF-8");
    let paths = listed.split_terminator('\0').map(PathBuf::from);
    // A file that was removed is listed until that is committed.
    let read = |path: PathBuf| Some((path.clone(), fs::read(Path::new(ROOT).join(path)).ok()?));
    Some(paths.filter_map(read).collect())
}

fn write(folder: &Path, path: &Path, content: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The tree with some patches applied, one after the other.
fn patched(
    tree: &BTreeMap<PathBuf, Vec<u8>>,
    additions: &[Addition],
) -> BTreeMap<PathBuf, Vec<u8>> {
    // Only what they touch has to lie on a disk for that.
    let folder = tempfile::tempdir().unwrap();
    for path in additions.iter().flat_map(Addition::touched) {
        if let Some(content) = tree.get(Path::new(path)) {
            write(folder.path(), Path::new(path), content);
        }
    }
    for addition in additions {
        let applied = Command::new("git")
            .current_dir(folder.path())
            // No repository around the folder may have a say in it.
            .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap())
            .arg("apply")
            .arg(Path::new(ROOT).join(&addition.file))
            .output()
            .expect("git runs");
        let errors = String::from_utf8_lossy(&applied.stderr);
        assert!(applied.status.success(), "{}: {errors}", addition.file);
    }
    let mut files = Vec::new();
    files_below(folder.path(), &mut files);
    let mut patched = tree.clone();
    for file in files {
        let path = file.strip_prefix(folder.path()).unwrap().to_owned();
        patched.insert(path, fs::read(file).unwrap());
    }
    patched
}

/// Makes a folder hold these files alone. A file that is already so keeps its time, so that cargo does not compile it again.
fn fill(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    fs::create_dir_all(folder).unwrap();
    let mut found = Vec::new();
    files_below(folder, &mut found);
    for file in found {
        if !files.contains_key(file.strip_prefix(folder).unwrap()) {
            fs::remove_file(file).unwrap();
        }
    }
    for (path, content) in files {
        if fs::read(folder.join(path)).ok().as_ref() != Some(content) {
            write(folder, path, content);
        }
    }
}

#[test]
fn each_applies_to_the_tree_alone() {
    let Some(tree) = tree() else { return };
    for addition in Addition::all() {
        let patched = patched(&tree, std::slice::from_ref(&addition));
        assert!(patched != tree, "{} changes nothing", addition.file);
    }
}

#[test]
fn all_together_compile() {
    let Some(tree) = tree() else { return };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = scratch.join("additions");
    fill(&folder, &patched(&tree, &Addition::all()));
    let checked = Command::new(env!("CARGO"))
        .current_dir(&folder)
        // Where this test was built, so that no dependency is compiled again.
        .env("CARGO_TARGET_DIR", scratch.parent().unwrap())
        // The crates of the copy bear the names of the tree's. Cargo takes one for the other unless they are compiled through
        // another program; this one does nothing.
        .env("RUSTC_WORKSPACE_WRAPPER", "env")
        .args(["check", "--offline", "--locked", "--package", "dipjudge"])
        .output()
        .expect("cargo runs");
    let words = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{words}");
    assert!(!words.contains("warning: "), "{words}");
}

#[test]
fn each_has_as_many_spots_as_its_list_says() {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let additions = Addition::all();
    for addition in &additions {
        let words = Extent::of(&addition.diff).words();
        let says = format!("(`{}`: {words})", addition.file);
        assert!(text.contains(&says), "ARCHITECTURE.md does not say {says}");
    }
    let named = text.matches("(`tests/additions/").count();
    assert_eq!(named, additions.len());
}

#[test]
fn a_variant_takes_less_than_150_lines() {
    let additions = Addition::all();
    let small = additions
        .iter()
        .find(|one| one.file.ends_with("small-variant.patch"));
    assert!(small.unwrap().diff.lines().count() < 150);
}

#[test]
fn spots_are_groups_of_changed_lines() {
    let diff = "\
diff --git a/src/one.rs b/src/one.rs
index 1..2 100644
--- a/src/one.rs
+++ b/src/one.rs
@@ -1,5 +1,6 @@
-one
+once
 two
+--- a line
+third
 four
@@ -9 +10 @@ fn nine
-nine
+ninth
diff --git a/src/two.rs b/src/two.rs
new file mode 100644
--- /dev/null
+++ b/src/two.rs
@@ -0,0 +1 @@
+new
";
    let extent = Extent::of(diff);
    assert_eq!(
        extent,
        Extent {
            spots: 3,
            files: 1,
            new_files: 1
        }
    );
    assert_eq!(extent.words(), "3 spots in 1 file, 1 new file");
}
