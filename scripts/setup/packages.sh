# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Debian packages. Sourced by scripts/setup.sh.

cascade=/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml

install_packages() {
    { command -v apt-get && command -v dpkg-query; } >/dev/null ||
        fail "this is not a Debian system: no apt-get" "install the equivalents of: $(listed_packages | paste -sd ' ')"

    local missing
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} > 0)); then
        say "installing ${#missing[@]} Debian packages and what they need (minutes, the first time)"
        refresh_package_lists_if_unknown "${missing[@]}"
        apt_install "${missing[@]}" ||
            { refresh_package_lists && apt_install "${missing[@]}"; } ||
            fail "apt-get could not install: ${missing[*]}" "repair the error of apt-get above, then run set-up again"
    fi
    [[ -f $cascade ]] ||
        fail "opencv-data is installed, but $cascade is missing" "apt-get install --reinstall opencv-data"
}

# listed_packages: prints the names in the list files, one a line.
listed_packages() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "${package_lists[@]:?}"; }

# missing_packages: prints the listed packages that are not installed, one a line.
missing_packages() {
    local name status listed
    declare -A installed
    mapfile -t listed < <(listed_packages)
    # dpkg-query fails on an unknown name. That package is missing like any other.
    while read -r status name; do
        [[ $status != ii ]] || installed[$name]=1
    done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${listed[@]}" 2>/dev/null)
    for name in "${listed[@]}"; do
        [[ -n ${installed[$name]-} ]] || echo "$name"
    done
}

# Machine images come without package lists, and apt then knows no packages.
refresh_package_lists_if_unknown() {
    knows_packages "$@" || { refresh_package_lists && knows_packages "$@"; } ||
        fail "apt-get has no package lists, and could not fetch them" \
            "check the network and the sources in /etc/apt, then run set-up again"
}

knows_packages() { apt-cache show "$@" >/dev/null 2>&1; }

refresh_package_lists() { as_root update; }

apt_install() { as_root install --yes --no-install-recommends "$@"; }

# as_root ARGUMENT...: runs apt-get as root without questions. Waits for another apt instead of failing.
as_root() {
    local apt_get=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@")
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null ||
            fail "installing packages needs root, and sudo is not installed" \
                "as root: apt-get update && apt-get install --no-install-recommends $(missing_packages | paste -sd ' ')"
        apt_get=(sudo "${apt_get[@]}")
    fi
    if [[ -t 1 ]]; then
        "${apt_get[@]}" -q -o APT::Status-Fd=1 2>&1 </dev/null 9>&- | tee -a "$log" | show_progress
    else
        logged "${apt_get[@]}" -q
    fi
}

# show_progress: apt's status lines (kind:package:percent:text) as one line that rewrites itself.
show_progress() {
    local kind percent text
    while IFS=: read -r kind _ percent text; do
        [[ $kind == dlstatus || $kind == pmstatus ]] || continue
        printf '\rsetup: %3.0f %% %-60.60s' "$percent" "$text"
    done
    printf '\r%78s\r' ''
}
