# shellcheck shell=bash
# Debian packages. Sourced by scripts/setup.sh.

cascade=/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml

# listed_packages: the names in the list file, one a line.
listed_packages() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$root/scripts/apt-packages.txt"; }

# missing_packages: those of the list that are not installed, one a line.
missing_packages() {
    local name status listed
    declare -A installed
    mapfile -t listed < <(listed_packages)
    # dpkg-query fails when there is a name it does not know at all; that package is missing like any other.
    while read -r status name; do
        [[ $status != ii ]] || installed[$name]=1
    done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${listed[@]}" 2>/dev/null)
    for name in "${listed[@]}"; do
        [[ -n ${installed[$name]-} ]] || echo "$name"
    done
}

install_packages() {
    { command -v apt-get && command -v dpkg-query; } >/dev/null ||
        fail "this is not a Debian system: no apt-get" "install the equivalents of: $(listed_packages | paste -sd ' ')"

    local missing
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} > 0)); then
        say "installing ${#missing[@]} Debian packages and what they need (minutes, the first time): ${missing[*]}"
        refresh_package_lists_if_unknown "${missing[@]}"
        apt_install "${missing[@]}" ||
            { refresh_package_lists && apt_install "${missing[@]}"; } ||
            fail "apt-get could not install the packages" \
                "check the network, then try: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    fi
    [[ -f $cascade ]] || fail "opencv-data is installed, but $cascade is missing" "apt-get install --reinstall opencv-data"
}

apt_install() { as_root apt-get install -y --no-install-recommends "$@"; }

# Images of machines come without package lists, and apt then knows no package at all.
refresh_package_lists_if_unknown() {
    apt-cache show "$@" >/dev/null 2>&1 || refresh_package_lists ||
        fail "apt-get update failed" "check the network and the sources in /etc/apt, then run set-up again"
}

refresh_package_lists() { as_root apt-get update; }

# as_root apt-get ARGUMENT...: logged, asking nothing; waits for another apt instead of failing.
as_root() {
    local command=(env DEBIAN_FRONTEND=noninteractive "$@" -q -o DPkg::Lock::Timeout=300)
    if [[ $(id -u) == 0 ]]; then
        logged "${command[@]}"
    elif command -v sudo >/dev/null; then
        sudo -v || return 1
        logged sudo "${command[@]}"
    else
        fail "installing packages needs root, and sudo is not installed" \
            "as root: apt-get update && apt-get install --no-install-recommends $(missing_packages | paste -sd ' ')"
    fi
}
