//! TLS settings: which certificate authorities are trusted, those of the system and one of the keeper.
//!
//! The crypto provider is named explicitly, since a process-wide default fails if the dependencies contain a second one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::transport::smtp::client::{Certificate, TlsParameters};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};

use super::protection::{Tls, is_loopback};

/// Why TLS cannot be used. All of these are found before a connection is made.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The `ca_file` cannot be read.
    #[error("cannot read the certificate authority's file {path}: {why}")]
    CaFile {
        /// `ca_file` of the config.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There are no certificate authorities.
    #[error(
        "this machine has no certificate authorities: install the package ca-certificates, or name a ca_file"
    )]
    NoRoots,
    /// The host name cannot be in a certificate.
    #[error("\"{0}\" is not a host name that a certificate could bear")]
    HostName(String),
    /// A connection without TLS to another machine.
    #[error("tls = \"none\" is allowed only for a server on this machine, not for {0}")]
    NotLoopback(String),
    /// The TLS library failed.
    #[error("cannot set up TLS: {0}")]
    Setup(String),
}

/// Checks that a connection without TLS stays on this machine.
pub fn permitted(tls: Tls, host: &str) -> Result<(), TlsError> {
    if tls == Tls::None && !is_loopback(host) {
        return Err(TlsError::NotLoopback(host.to_owned()));
    }
    Ok(())
}

/// The certificates in a PEM file; at least one.
fn read_ca_file(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let wrong = |why: String| TlsError::CaFile {
        path: path.to_owned(),
        why,
    };
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(|found| found.collect::<Result<Vec<_>, _>>())
        .map_err(|e| wrong(e.to_string()))?;
    if certificates.is_empty() {
        return Err(wrong("there is no certificate in it".to_owned()));
    }
    Ok(certificates)
}

/// The authorities of the system.
pub(super) fn system_roots() -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_native_certs().certs
}

/// The trusted authorities: those of the system and those in `ca_file`.
pub(super) fn roots(ca_file: Option<&Path>) -> Result<RootCertStore, TlsError> {
    let mut store = RootCertStore::empty();
    // Certificates of the system that cannot be read are ignored.
    store.add_parsable_certificates(system_roots());
    if let Some(path) = ca_file {
        for certificate in read_ca_file(path)? {
            let wrong = |e: rustls::Error| TlsError::CaFile {
                path: path.to_owned(),
                why: e.to_string(),
            };
            store.add(certificate).map_err(wrong)?;
        }
    }
    if store.is_empty() {
        Err(TlsError::NoRoots)
    } else {
        Ok(store)
    }
}

/// The TLS settings of the inbox.
pub fn client_config(ca_file: Option<&Path>) -> Result<Arc<ClientConfig>, TlsError> {
    let config =
        ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|e| TlsError::Setup(e.to_string()))?
            .with_root_certificates(roots(ca_file)?)
            .with_no_client_auth();
    Ok(Arc::new(config))
}

/// The name that the certificate of the server must bear.
pub fn server_name(host: &str) -> Result<ServerName<'static>, TlsError> {
    ServerName::try_from(host.to_owned()).map_err(|_| TlsError::HostName(host.to_owned()))
}

/// The TLS settings of the outbox, with the same authorities.
pub fn smtp_parameters(host: &str, ca_file: Option<&Path>) -> Result<TlsParameters, TlsError> {
    roots(ca_file)?;
    server_name(host)?;
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(path) = ca_file {
        for certificate in read_ca_file(path)? {
            let wrong = |e: lettre::transport::smtp::Error| TlsError::CaFile {
                path: path.to_owned(),
                why: e.to_string(),
            };
            builder = builder
                .add_root_certificate(Certificate::from_der(certificate.to_vec()).map_err(wrong)?);
        }
    }
    builder
        .build_rustls()
        .map_err(|e| TlsError::Setup(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tls_only_this_machine_is_reached() {
        for host in [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "127.8.9.10",
            "::1",
            "[::1]",
        ] {
            assert!(permitted(Tls::None, host).is_ok(), "{host}");
        }
        for host in [
            "mail.example.org",
            "10.0.0.1",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "",
            "0.0.0.0",
        ] {
            assert!(permitted(Tls::None, host).is_err(), "{host}");
            assert!(permitted(Tls::StartTls, host).is_ok(), "{host}");
        }
    }

    #[test]
    fn a_ca_file_without_a_certificate_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        assert!(matches!(
            client_config(Some(&path)),
            Err(TlsError::CaFile { .. })
        ));
        std::fs::write(&path, "no certificate\n").unwrap();
        let why = client_config(Some(&path)).unwrap_err().to_string();
        assert!(
            why.contains("ca.pem: there is no certificate in it"),
            "{why}"
        );
        assert!(smtp_parameters("localhost", Some(&path)).is_err());
    }

    #[test]
    fn a_host_name_must_be_one() {
        assert!(server_name("imap.example.org").is_ok());
        assert!(server_name("127.0.0.1").is_ok());
        assert!(server_name("not a host").is_err());
    }
}
