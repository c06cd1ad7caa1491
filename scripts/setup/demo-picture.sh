# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The face of the demo scene. Sourced by scripts/setup.sh.

demo_picture_sha256=88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5

# NASA's portrait of Eileen Collins, out of Debian's python3-skimage; that package itself is not installed.
install_demo_picture() {
    local directory=$deps/share/glimpsed/demo
    [[ -f $directory/astronaut.png ]] && return

    say "fetching the demo picture (out of python3-skimage, 21 MB)"
    refresh_package_lists_if_unknown python3-skimage
    (cd "$work" && logged apt-get download -q -o APT::Sandbox::User=root python3-skimage) ||
        fail "apt-get could not fetch python3-skimage" \
            "repair the error of apt-get above (apt-get update may help), then run set-up again"
    dpkg-deb --fsys-tarfile "$work"/python3-skimage_*.deb 2>>"$log" |
        tar -xO ./usr/lib/python3/dist-packages/skimage/data/astronaut.png >"$work/astronaut.png" 2>>"$log" ||
        fail "astronaut.png could not be taken out of python3-skimage" "free some disk space, then run set-up again"
    rm -f "$work"/python3-skimage_*.deb
    has_sha256 "$work/astronaut.png" "$demo_picture_sha256" ||
        fail "astronaut.png of python3-skimage is not the picture expected" \
            "report it with: apt-cache policy python3-skimage"

    { mkdir -p "$directory" && demo_picture_note >"$directory/astronaut.txt" &&
        mv "$work/astronaut.png" "$directory/astronaut.png"; } 2>>"$log" || fail_to_write "$directory"
}

demo_picture_note() {
    cat <<'END'
astronaut.png: portrait of the astronaut Eileen Collins, by NASA (Great Images in NASA, photograph GPN-2000-001177).
Public domain: NASA's images are not under copyright. Its use implies no endorsement by NASA or by the person shown.
Taken from scikit-image's sample pictures as packaged by Debian (python3-skimage).
END
}
