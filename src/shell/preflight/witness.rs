//! Verifies a certificate as every connection does, and keeps it, so that it can be said what is wrong with it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use super::fault::CertificateFault;
use crate::tls::{self, TlsError};

/// A verifier that remembers the certificate it was shown.
#[derive(Debug)]
pub(super) struct Witness {
    verifier: Arc<WebPkiServerVerifier>,
    provider: Arc<CryptoProvider>,
    shown: Mutex<Option<CertificateDer<'static>>>,
}

impl Witness {
    /// A verifier with the authorities of the system and those of this file.
    pub(super) fn new(ca_file: Option<&Path>) -> Result<Arc<Witness>, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = verifier(tls::roots(ca_file)?, &provider)?;
        Ok(Arc::new(Witness {
            verifier,
            provider,
            shown: Mutex::new(None),
        }))
    }

    /// The settings of a connection that this verifier looks at.
    pub(super) fn config(self: &Arc<Witness>) -> Result<Arc<ClientConfig>, TlsError> {
        let config = ClientConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| TlsError::Setup(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(self) as Arc<dyn ServerCertVerifier>)
            .with_no_client_auth();
        Ok(Arc::new(config))
    }

    /// What is wrong with the certificate that was refused for this reason.
    pub(super) fn fault(&self, why: CertificateError, name: &ServerName<'_>) -> CertificateFault {
        match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                CertificateFault::Expired
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                CertificateFault::NotValidYet
            }
            CertificateError::NotValidForNameContext { presented, .. } => {
                CertificateFault::OtherName(presented)
            }
            CertificateError::NotValidForName => CertificateFault::OtherName(Vec::new()),
            CertificateError::UnknownIssuer if self.signed_itself(name) => {
                CertificateFault::SelfSigned
            }
            CertificateError::UnknownIssuer => CertificateFault::UnknownAuthority,
            // This error has no variant of its own.
            CertificateError::Other(other)
                if format!("{other:?}").contains("CaUsedAsEndEntity") =>
            {
                CertificateFault::AuthorityItself
            }
            other => CertificateFault::Other(other.to_string()),
        }
    }

    /// Whether the certificate vouches for itself: whether it is valid, or at least has another name only, where it is trusted.
    fn signed_itself(&self, name: &ServerName<'_>) -> bool {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(certificate) = shown.as_ref() else {
            return false;
        };
        let mut roots = RootCertStore::empty();
        if roots.add(certificate.clone()).is_err() {
            return false;
        }
        let Ok(verifier) = verifier(roots, &self.provider) else {
            return false;
        };
        let verified = verifier.verify_server_cert(certificate, &[], name, &[], UnixTime::now());
        matches!(
            verified,
            Ok(_)
                | Err(rustls::Error::InvalidCertificate(
                    CertificateError::NotValidForName
                        | CertificateError::NotValidForNameContext { .. }
                ))
        )
    }
}

fn verifier(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, TlsError> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| TlsError::Setup(error.to_string()))
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = Some(end_entity.clone().into_owned());
        self.verifier
            .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}
