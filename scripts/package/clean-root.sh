#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a bare Debian with systemd, for boot.sh, and fetches what a package wants there. Needs root, mmdebstrap and the
# network.
# Usage: scripts/package/clean-root.sh SUITE FOLDER PACKAGE.deb [NAME...]
#        keeps an existing FOLDER; fetches the packages of these names too
set -euo pipefail

suite=$1 root=$2 package=$(realpath "$3")
shift 3
mirror=${MIRROR:-http://deb.debian.org/debian}

if [[ ! -e $root/sbin/init ]]; then
    mkdir -p "$(dirname "$root")"
    mmdebstrap --variant=minbase --mode=root --quiet --include=systemd,systemd-sysv,dbus,udev,procps,jq,ca-certificates \
        --aptopt='APT::Install-Recommends "true"' "$suite" "$root.new" "$mirror"
    : >"$root.new/etc/machine-id"
    echo glimpse-checks >"$root.new/etc/hostname"
    # The system needs no login.
    ln -sf /dev/null "$root.new/etc/systemd/system/systemd-logind.service"
    mv "$root.new" "$root"
fi

# Downloads the packages, so that apt installs without a network later.
install -m 644 "$package" "$root/tmp/package.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
trap 'rm -f "$root/tmp/package.deb" "$root/etc/resolv.conf"' EXIT
# shellcheck disable=SC2016 # for the shell inside
chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get -q update && apt-get -q -y install --download-only /tmp/package.deb "$@"' sh "$@"
