#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stops the services and removes what `make install` brought, with the same variables. Configuration and state stay.
# Usage: make uninstall [DESTDIR=] [PREFIX=/usr/local] [UNITDIR=PREFIX/lib/systemd/system]
#     [SYSUSERSDIR=PREFIX/lib/sysusers.d] [TMPFILESDIR=PREFIX/lib/tmpfiles.d] [ZSHDIR=PREFIX/share/zsh/site-functions]
set -euo pipefail

: "${DESTDIR=}" "${PREFIX:=/usr/local}" "${UNITDIR:=$PREFIX/lib/systemd/system}"
: "${SYSUSERSDIR:=$PREFIX/lib/sysusers.d}" "${TMPFILESDIR:=$PREFIX/lib/tmpfiles.d}"
: "${ZSHDIR:=$PREFIX/share/zsh/site-functions}"
prefix=$DESTDIR$PREFIX
# The sockets come first, because a new connection would start a service again.
units=(glimpsed-web.socket glimpsed.socket glimpsed-control.socket glimpsed-web.service glimpsed-relay.service glimpsed.service)

if [[ ! -e $prefix/bin/glimpsed ]]; then
    echo "uninstall: error: there is no $prefix/bin/glimpsed: give the PREFIX or DESTDIR of make install" >&2
    exit 1
fi
if [[ -e $prefix/bin && ! -w $prefix/bin ]]; then
    echo "uninstall: error: cannot write to $prefix: run as root (sudo make uninstall)" >&2
    exit 1
fi
if [[ -z $DESTDIR && -d /run/systemd/system ]]; then
    systemctl disable --now "${units[@]}" 2>/dev/null || true
fi

rm -rf "$prefix"/bin/glimpsed{,-relay,-web} "$prefix"/{libexec,lib,share,share/doc}/glimpsed
rm -f "$prefix"/share/man/man*/glimpsed*
rm -f "$prefix"/share/{bash-completion/completions/glimpsed,fish/vendor_completions.d/glimpsed}{,-relay,-web}{,.fish}
rm -f "$DESTDIR$ZSHDIR"/_glimpsed{,-relay,-web}
rm -f "${units[@]/#/$DESTDIR$UNITDIR/}" "$DESTDIR$SYSUSERSDIR/glimpsed.conf" "$DESTDIR$TMPFILESDIR/glimpsed.conf"
if [[ -z $DESTDIR && -d /run/systemd/system ]]; then
    systemctl daemon-reload
fi
echo "uninstall: removed; /etc/glimpsed, /var/lib/glimpsed and the groups glimpsed and glimpsed-control stay"
