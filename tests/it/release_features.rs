//! With which features a release is built: leaks and faults that are planted for tests are in no binary that anybody plays on.

use std::process::Command;

/// The features of a crate in a build of the workspace with these kinds of dependencies.
fn features(of: &str, kinds: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--workspace",
            "--prefix",
            "none",
        ])
        .args(["--edges", &format!("features,{kinds}"), "--invert", of])
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .filter_map(|line| {
            line.strip_prefix(&format!("{of} feature \""))?
                .split('"')
                .next()
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_is_planted_is_in_test_builds_only() {
    for (of, planted) in [
        ("dipjudge-game", "planted-leaks"),
        ("dipjudge-rules", "planted-faults"),
        ("dipjudge-store", "planted-faults"),
    ] {
        let planted = planted.to_owned();
        let release = features(of, "normal,build");
        assert!(release.contains(&"default".to_owned()), "{release:?}");
        assert!(!release.contains(&planted), "{release:?}");
        let tests = features(of, "normal,build,dev");
        assert!(tests.contains(&planted), "{tests:?}");
    }
}
