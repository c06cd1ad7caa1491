#!/usr/bin/env bash
# Boots a root's own systemd over a throw-away layer and runs a script in it; the root is only read.
# Usage: scripts/package/boot.sh ROOT SCRIPT [FILE...]      ROOT from clean-root.sh; FILEs are beside the script, in /checks
#
# PID 1 has namespaces of its own (pid, mount, uts, ipc, net, cgroup): it sees no process, network or disk of this machine, and is gone
# when this ends. The exit status is the script's. Needs root, and a cgroup v2 that is mounted anywhere.
set -euo pipefail

fail() {
    printf 'boot.sh: error: %s\n' "$*" >&2
    exit 1
}

[[ $# -ge 2 ]] || fail "usage: scripts/package/boot.sh ROOT SCRIPT [FILE...]"
[[ $(id -u) == 0 ]] || fail "a system manager needs root"
root=$(realpath "$1")
[[ -e $root/sbin/init ]] || fail "$root has no systemd: scripts/package/clean-root.sh makes one"
work=$(mktemp -d)
group=$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1)/glimpse-package.$$
mkdir "$group" "$work/checks" "$work/mount"
trap 'find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; rm -rf "$work"' EXIT
cp "${@:2}" "$work/checks"
mv "$work/checks/$(basename "$2")" "$work/checks/run"
chmod 755 "$work/checks/run"
cat >"$work/checks/glimpse-checks.service" <<'END'
[Unit]
Wants=basic.target
After=basic.target sockets.target
SuccessAction=exit
FailureAction=exit
FailureActionExitStatus=1
[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
ExecStart=/checks/run
StandardOutput=file:/checks/output
StandardError=inherit
TimeoutStartSec=infinity
END
export root work group

# shellcheck disable=SC2016 # expanded by the shells inside
outer='
    echo 0 >"$group/cgroup.procs"
    exec unshare --fork --kill-child=KILL --pid --mount --uts --ipc --net --cgroup --propagation private bash -euc "$inner"'
# shellcheck disable=SC2016,SC2089
inner='
    top=$work/mount
    mount -t tmpfs -o mode=755 tmpfs "$top"
    mkdir "$top"/{upper,work,root}
    mount -t overlay -o "lowerdir=$root,upperdir=$top/upper,workdir=$top/work" overlay "$top/root"
    cd "$top/root"
    mount -t proc -o nosuid,nodev,noexec proc proc
    mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
    mount -t tmpfs -o mode=755,nosuid,nodev,noexec tmpfs sys/fs/cgroup 2>/dev/null || true
    mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755,nosuid tmpfs dev
    mkdir dev/pts dev/shm checks
    for node in null zero full random urandom tty; do
        touch "dev/$node"
        mount --bind "/dev/$node" "dev/$node"
    done
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    touch dev/console
    mount --bind "$work/checks/console" dev/console
    mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
    mount --bind "$work/checks" checks
    cp checks/glimpse-checks.service run/
    mkdir -p run/systemd/system
    mv run/glimpse-checks.service run/systemd/system/
    hostname glimpse-checks
    ip link set lo up 2>/dev/null || true
    mkdir -p mnt
    pivot_root . mnt
    umount -l /mnt
    mount --make-rshared /
    unset root work group outer inner
    export container=glimpse-checks PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    exec /lib/systemd/systemd --system --log-target=journal --show-status=no --unit=glimpse-checks.service </dev/null'
# shellcheck disable=SC2090
export inner

: >"$work/checks/console"
: >"$work/checks/output"
# What the script says, as it says it.
tail --follow --lines=+1 --quiet "$work/checks/output" &
reader=$!
status=0
timeout --kill-after=5 "${LIMIT:-900}" bash -euc "$outer" || status=$?
sleep 0.2
kill "$reader"
((status == 0)) || [[ ! -s $work/checks/console ]] || cat "$work/checks/console" >&2
exit "$status"
