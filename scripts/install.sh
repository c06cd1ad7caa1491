#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the files that `make build` made. Usage: make install [DESTDIR=] [PREFIX=/usr/local] [SYSCONFDIR=/etc]
#     [UNITDIR=PREFIX/lib/systemd/system] [SYSUSERSDIR=PREFIX/lib/sysusers.d] [TMPFILESDIR=PREFIX/lib/tmpfiles.d]
#     [ZSHDIR=PREFIX/share/zsh/site-functions]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

: "${DESTDIR=}" "${PREFIX:=/usr/local}" "${SYSCONFDIR:=/etc}" "${UNITDIR:=$PREFIX/lib/systemd/system}"
: "${SYSUSERSDIR:=$PREFIX/lib/sysusers.d}" "${TMPFILESDIR:=$PREFIX/lib/tmpfiles.d}"
: "${ZSHDIR:=$PREFIX/share/zsh/site-functions}"
binaries=${1:-.build/release}
prefix=$DESTDIR$PREFIX

fail() {
    printf 'install: error: %s\n' "$*" >&2
    exit 1
}

# copy_files DIRECTORY FILE...: readable by all, writable by their owner; links stay links.
copy_files() {
    local directory=$1
    shift
    install -d "$directory"
    cp --no-dereference --preserve=timestamps,links "$@" "$directory"
    chmod -R u=rwX,go=rX "$directory"
}

[[ -x $binaries/glimpsed && -x $binaries/glimpsed-worker && -x $binaries/glimpsed-relay && -x $binaries/glimpsed-web ]] || fail "$binaries has no glimpsed: run make build first"
[[ -e .build/share/glimpsed.fish ]] || fail ".build/share has no manual pages: run make build first"
[[ -e .deps/openvino/lib/libopenvino.so ]] || fail ".deps has no OpenVINO: run make setup first"
{ install -d "$prefix" 2>/dev/null && [[ -w $prefix ]]; } ||
    fail "cannot write to $prefix: run as root (sudo make install), or give PREFIX or DESTDIR"

install -D -m 755 "$binaries/glimpsed" "$prefix/bin/glimpsed"
install -D -m 755 "$binaries/glimpsed-relay" "$prefix/bin/glimpsed-relay"
install -D -m 755 "$binaries/glimpsed-web" "$prefix/bin/glimpsed-web"
copy_files "$prefix/share/glimpsed/web" web/*.*
copy_files "$prefix/share/glimpsed/web/modules" web/modules/*.js
install -D -m 755 "$binaries/glimpsed-worker" "$prefix/libexec/glimpsed/glimpsed-worker"
for library in libglimpsed libGlimpseCascade libGlimpseMotion; do
    install -D -m 644 "$binaries/$library.so" "$prefix/libexec/glimpsed/$library.so"
done

# The worker looks for OpenVINO in lib/glimpsed: the wheel's libraries, or a link to the system-wide ones.
rm -rf "$prefix/lib/glimpsed"
if [[ -L .deps/openvino/lib ]]; then
    install -d "$prefix/lib"
    ln -s "$(readlink .deps/openvino/lib)" "$prefix/lib/glimpsed"
else
    copy_files "$prefix/lib/glimpsed" .deps/openvino/lib/*
    copy_files "$prefix/share/doc/glimpsed/openvino" .deps/openvino/licenses/LICENSE .deps/openvino/licenses/licensing/*
fi

if [[ -f .deps/zxing/licenses/LICENSE ]]; then # linked in
    copy_files "$prefix/share/doc/glimpsed/zxing" .deps/zxing/licenses/LICENSE
fi

copy_files "$prefix/share/glimpsed/demo" .deps/share/glimpsed/demo/*
install -d "$prefix/share/glimpsed/models"
copy_files "$prefix/share/glimpsed/models" models/catalog.toml
if compgen -G '.deps/share/glimpsed/models/*' >/dev/null; then
    copy_files "$prefix/share/glimpsed/models" .deps/share/glimpsed/models/*
fi
# Detectors as programs. Tests and bytecode of the checkout stay behind.
copy_files "$prefix/share/glimpsed/detectors" detectors/*.py
copy_files "$prefix/share/glimpsed/detectors/text_reader" detectors/text_reader/*.py
copy_files "$prefix/share/doc/glimpsed" LICENSE
copy_files "$prefix/share/doc/glimpsed/pipelines" pipelines/*.toml
copy_files "$prefix/share/doc/glimpsed/prometheus" docs/prometheus/alerts.yml
copy_files "$prefix/share/doc/glimpsed/grafana" docs/grafana/glimpse.json

for page in .build/share/man/*/*; do
    copy_files "$prefix/share/man/$(basename "$(dirname "$page")")" "$page"
done
for program in glimpsed glimpsed-relay glimpsed-web; do
    install -D -m 644 ".build/share/$program.bash" "$prefix/share/bash-completion/completions/$program"
    install -D -m 644 ".build/share/$program.zsh" "$DESTDIR$ZSHDIR/_$program"
    install -D -m 644 ".build/share/$program.fish" "$prefix/share/fish/vendor_completions.d/$program.fish"
done

# The daemon runs every pipeline in this folder, so the examples stay in share/doc.
install -d "$DESTDIR$SYSCONFDIR/glimpsed/pipelines"
# A folder that systemd would make at a unit's start belongs to the unit's dynamic user.
for unit in '' relay- web-; do install -d "$DESTDIR$SYSCONFDIR/glimpsed/${unit}credentials"; done
if [[ -e $DESTDIR$SYSCONFDIR/glimpsed/config.toml ]]; then
    echo "install: kept $SYSCONFDIR/glimpsed/config.toml; the current defaults are in $PREFIX/share/doc/glimpsed"
else
    install -m 644 config.example.toml "$DESTDIR$SYSCONFDIR/glimpsed/config.toml"
fi
copy_files "$prefix/share/doc/glimpsed" config.example.toml

# The units are written for /usr/local.
install -d "$DESTDIR$UNITDIR" "$DESTDIR$SYSUSERSDIR" "$DESTDIR$TMPFILESDIR"
for unit in glimpsed.service glimpsed-relay.service glimpsed-web.service; do
    sed "s|/usr/local/|$PREFIX/|g" "systemd/$unit" >"$DESTDIR$UNITDIR/$unit"
done
install -m 644 systemd/glimpsed.socket systemd/glimpsed-control.socket systemd/glimpsed-web.socket "$DESTDIR$UNITDIR"
install -m 644 systemd/glimpsed.sysusers "$DESTDIR$SYSUSERSDIR/glimpsed.conf"
install -m 644 systemd/glimpsed.tmpfiles "$DESTDIR$TMPFILESDIR/glimpsed.conf"
copy_files "$prefix/share/doc/glimpsed/systemd" systemd/notify-reload.conf

echo "install: glimpsed is in $PREFIX, its configuration in $SYSCONFDIR/glimpsed," \
    "pipeline examples in $PREFIX/share/doc/glimpsed/pipelines"
# Maintainer scripts of the packages do this too. A staging folder has no service manager.
if [[ -z $DESTDIR && -d /run/systemd/system ]]; then
    systemd-sysusers "$SYSUSERSDIR/glimpsed.conf"
    systemd-tmpfiles --create "$TMPFILESDIR/glimpsed.conf"
    systemctl daemon-reload
fi
