//! A certificate authority, a certificate for `localhost` signed by it, and an authority that signed nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

pub(super) fn make(folder: &Path) {
    // rustls refuses an authority's certificate used as the server's own: hence two.
    fs::write(
        folder.join("leaf.ext"),
        "basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n",
    )
    .unwrap();
    for ca in ["ca", "other-ca"] {
        let (key, certificate) = (format!("{ca}.key"), format!("{ca}.pem"));
        private_key(folder, &key);
        let subject = format!("/CN={ca} of the tests");
        let extension = "basicConstraints=critical,CA:TRUE";
        openssl(
            folder,
            &[
                "req",
                "-x509",
                "-new",
                "-key",
                &key,
                "-days",
                "3650",
                "-subj",
                &subject,
                "-addext",
                extension,
                "-out",
                &certificate,
            ],
        );
    }
    private_key(folder, "key.pem");
    openssl(
        folder,
        &[
            "req",
            "-new",
            "-key",
            "key.pem",
            "-subj",
            "/CN=localhost",
            "-out",
            "leaf.csr",
        ],
    );
    let sign = [
        "x509",
        "-req",
        "-in",
        "leaf.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "3650",
    ];
    openssl(
        folder,
        &[&sign[..], &["-extfile", "leaf.ext", "-out", "cert.pem"]].concat(),
    );
}

fn private_key(folder: &Path, file: &str) {
    let kind = ["-name", "prime256v1", "-noout"];
    openssl(
        folder,
        &[&["ecparam", "-genkey"], &kind[..], &["-out", file]].concat(),
    );
}

fn openssl(folder: &Path, arguments: &[&str]) {
    let output = Command::new("openssl")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("openssl runs");
    assert!(
        output.status.success(),
        "openssl {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
