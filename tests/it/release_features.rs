//! With which features a release is built: leaks that are planted for tests are in no binary that anybody plays on.

use std::process::Command;

/// The features of `dipjudge-game` in a build of the workspace with these kinds of dependencies.
fn features_of_game(kinds: &str) -> Vec<String> {
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
        .args([
            "--edges",
            &format!("features,{kinds}"),
            "--invert",
            "dipjudge-game",
        ])
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .filter_map(|line| {
            line.strip_prefix("dipjudge-game feature \"")?
                .split('"')
                .next()
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn planted_leaks_are_in_test_builds_only() {
    let planted = "planted-leaks".to_owned();
    let release = features_of_game("normal,build");
    assert!(release.contains(&"default".to_owned()), "{release:?}");
    assert!(!release.contains(&planted), "{release:?}");
    let tests = features_of_game("normal,build,dev");
    assert!(tests.contains(&planted), "{tests:?}");
}
