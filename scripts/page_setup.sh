# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# The reader of a page: files, a camera, an editor, Ctrl-C. page_commands.py sources this in the folder of the page
# $PAGE, before its blocks. A command that differs from the text of a page does so here.
#
# $ROOT has the documents, $PROGRAMS the programs, and $RUNNER is the row of RUNNERS.
# shellcheck disable=SC2154

unset MAKEFLAGS MAKELEVEL
tools=$PWD/.build/release
mkdir -p "$tools"
PATH=$tools:$PATH
export PATH tools

# tool NAME: a program that hides the machine's; its text is the standard input.
tool() {
    { echo '#!/bin/sh -e' && cat; } >"$tools/$1"
    chmod +x "$tools/$1"
}

# The built-in scene is the camera. Ctrl-C comes after some seconds, or when the page has answered.
tool glimpsed <<'END'
glimpsed=$PROGRAMS/glimpsed
case "$RUNNER $*" in
'page pipeline pipelines/webcam.toml') exec timeout --preserve-status 8 "$glimpsed" "$@" --source test: ;;
'page demo --web')
    "$glimpsed" demo --web --listen 127.0.0.1:0 2>"$tools/demo.log" &
    trap 'kill -INT $!' EXIT
    for _ in $(seq 240); do sleep 0.5; ! grep -q http: "$tools/demo.log" || break; done
    curl --fail --silent --show-error --output /dev/null "$(grep -o 'http:.*' "$tools/demo.log")" ;;
'systemd watch'* | 'package watch'*) exec timeout --preserve-status --signal INT 5 "$glimpsed" "$@" ;;
*) exec "$glimpsed" "$@" ;;
esac
END

case $RUNNER in
page)
    # Nothing is built again.
    tool make <<'END'
exec /usr/bin/make --silent --directory "$ROOT" --old-file build RELEASE_BIN="$tools" "$@"
END
    ;;
ci)
    # make and swift accept the commands. .ci/run runs most of them.
    mkdir .ci
    cat >.ci/run <<'END'
exec bash -n "$ROOT/.ci/run"
END
    chmod +x .ci/run
    tool sudo <<'END'
exec "$@"
END
    tool make <<'END'
exec /usr/bin/make --directory "$ROOT" --dry-run "$@"
END
    # Processes that begin at the same time can find the database of the build locked.
    tool swift <<'END'
swift=$(PATH=${PATH#*:} command -v swift)
case $1 in
build) set -- "$@" --show-bin-path ;;
test) set -- "$@" --skip-build ;;
esac
for _ in 1 2 3 4 5; do
    if "$swift" "$@" --ignore-lock --package-path "$ROOT" >swift.log 2>&1; then break; fi
    sleep 1
done
cat swift.log
[ "$1" = build ] || grep -q 'Test run with [1-9].* passed' swift.log
END
    ;;
systemd | package)
    tool editor <<'END'
case $PAGE in
docs/guides/install.md) printf 'enabled = true\n[source]\nkind = "test"\n[barcode]\n' >"$1" ;;
docs/guides/relay.md) cp broker.toml "$1" ;;
# The page says what to write, as a remark on the command.
*) sed -n 's/^systemctl edit [^#]*# //p' "$ROOT/$PAGE" | sed 's/, /\n/g' >"$1" ;;
esac
END
    tool xdg-open <<'END'
exec curl --fail --silent --show-error --output /dev/null "$1"
END
    # It edits only at a terminal.
    tool systemctl <<'END'
[ "$1" != edit ] ||
    exec script --quiet --return --command "SYSTEMD_EDITOR=$tools/editor /usr/bin/systemctl $*" /dev/null </dev/null
exec /usr/bin/systemctl "$@"
END
    tool apt <<'END'
exec /usr/bin/apt --yes --quiet "$@"
END
    # Ctrl-C comes when there was a face and a code.
    tool socat <<'END'
timeout 60 /usr/bin/socat "$@" | awk '{ print }
    /"type":"detected"/ && /"raw":"4006381333931"/ { code = 1 } /"type":"detected"/ && /"kind":"face"/ { face = 1 }
    code && face { exit }'
END
    ;;
esac

# pictures COUNT FILE: JPEG pictures of the photograph of the demo; FILE has %d.
pictures() {
    photograph=/usr/share/glimpsed/demo/astronaut.png
    [ "$RUNNER" = systemd ] || photograph=$ROOT/.deps/share/glimpsed/demo/astronaut.png
    gst-launch-1.0 -q filesrc location="$photograph" ! pngdec \
        ! imagefreeze num-buffers="$1" ! videoconvert ! jpegenc ! multifilesink location="$2"
}

# A network camera with the password that the reader types, and its pipeline.
camera() {
    pictures 1 picture.jpg
    python3 "$ROOT/rtsp-server.py" 5540 digest 512x512 geheim42 "$PWD/picture.jpg" >rtsp.log 2>&1 &
    cat >/etc/glimpsed/pipelines/front-door.toml <<'END'
[source]
kind = "rtsp"
url = "rtsp://127.0.0.1:5540/test"
user = "viewer"
password_credential = "front-door"

[barcode]
END
}

# front_door: the camera accepts the password.
front_door() {
    for _ in $(seq 60); do
        ! glimpsed status 2>&1 | grep 'front-door: connected' || return 0
        sleep 0.5
    done
    return 1
}

case $RUNNER:$PAGE in
page:README.md)
    pictures 1 photo.jpg
    gst-launch-1.0 -q filesrc location=photo.jpg ! jpegdec ! imagefreeze num-buffers=30 ! jpegenc ! avimux \
        ! filesink location=clip.mp4 ;;
page:docs/reference/engines.md)
    mkdir shop
    pictures 20 shop/%d.jpg ;;
# The sandbox of a detector has the Python of the system only.
page:docs/reference/detectors.md) PATH=$tools:/usr/bin:$PATH ;;
page:docs/reference/models.md) ln -s "$ROOT/.deps/share/glimpsed/models" DIR ;;
systemd:*)
    # The files of the page are those of the system. The reader types a password.
    printf '[source]\nkind = "test"\n[face]\n[barcode]\n' >/etc/glimpsed/pipelines/door.toml
    systemctl start glimpsed
    for file in config.toml relay.toml; do [ ! -e $file ] || cp $file /etc/glimpsed; done
    echo geheim42 >password.txt
    exec <password.txt ;;
package:docs/guides/install.md) cp "$ROOT"/glimpsed_*.deb . ;;
package:docs/guides/year.md)
    apt-get --quiet --yes --allow-downgrades install "$ROOT/older.deb"
    cp "$ROOT"/glimpsed_*.deb glimpsed_NEW.deb ;;
esac

# check_page: checks what the commands of the page did.
check_page() { :; }
case $RUNNER:$PAGE in
systemd:docs/guides/operations.md)
    mkdir -p /var/lib/prometheus/node-exporter
    check_page() { grep -q '^glimpse_' glimpse.prom && front_door; }
    camera ;;
systemd:docs/guides/web.md) check_page() { curl --fail --silent --show-error "$(glimpsed web open)"; } ;;
systemd:docs/guides/relay.md | systemd:docs/reference/relay.md) check_page() { systemctl is-active glimpsed-relay; } ;;
systemd:docs/reference/systemd.md)
    check_page() { front_door; }
    camera ;;
package:docs/guides/year.md)
    check_page() { [ "$(dpkg-query -W -f '${Version}' glimpsed)" = "$(dpkg-deb -f glimpsed_NEW.deb Version)" ]; } ;;
esac
