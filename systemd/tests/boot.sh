#!/usr/bin/env bash
# Boots a systemd of its own over this machine's root, with what `make install` would install, and runs the checks in it.
# Usage: [BINARIES=.build/release] systemd/tests/boot.sh [CHECK...]   names of sections of cases.sh; all of them unless told otherwise
#
# Needs root, systemd and what scripts/setup.sh installs; changes nothing outside of .build/systemd. The root is the lower layer of an
# overlay, everything written goes to memory. PID 1 has namespaces of its own (pid, mount, uts, ipc, net, cgroup), so it sees
# no process, no network and no disk of this machine, and is gone when this script ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    printf 'boot.sh: error: %s\n' "$*" >&2
    exit 1
}

[[ $(id -u) == 0 ]] || fail "a system manager needs root: sudo make systemd-test"
[[ -x /lib/systemd/systemd ]] || fail "there is no systemd here"
unshare --mount --pid --fork true 2>/dev/null || fail "namespaces cannot be made here: not in a container without CAP_SYS_ADMIN"

work=$PWD/.build/systemd
stage=$work/stage log=$work/log
rm -rf "$work"
mkdir -p "$stage" "$log" "$work/mount"
DESTDIR=$stage PREFIX=/usr UNITDIR=/usr/lib/systemd/system scripts/install.sh "${BINARIES:-.build/release}" >/dev/null
install -D -m 755 -t "$stage/usr/libexec/glimpse-checks" systemd/tests/*.sh systemd/tests/*.py Tests/Support/rtsp-server.py
install -D -m 644 -t "$stage/usr/lib/systemd/system" systemd/tests/glimpse-checks.service
install -d "$stage/etc/systemd/system/sockets.target.wants"
for socket in glimpsed glimpsed-control; do
    ln -s "/usr/lib/systemd/system/$socket.socket" "$stage/etc/systemd/system/sockets.target.wants/"
done
printf '%s\n' "$@" >"$stage/usr/libexec/glimpse-checks/selected"

# A control group that becomes the root of what the manager sees; without controllers, where the host is not cgroup v2 alone.
groups=$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1)
[[ -n $groups ]] || fail "no cgroup v2 is mounted"
group=$groups/glimpse-checks.$$
mkdir "$group"
trap 'find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true' EXIT
export work stage log group

# shellcheck disable=SC2016,SC2089,SC2090 # expanded by the shells inside
outer='
    echo 0 >"$group/cgroup.procs"
    exec unshare --fork --kill-child=KILL --pid --mount --uts --ipc --net --cgroup --propagation private \
        bash -euc "$inner"'
# shellcheck disable=SC2016,SC2089
inner='
    top=$work/mount
    mount -t tmpfs -o mode=755 tmpfs "$top"
    mkdir "$top"/{upper,work,root}
    root=$top/root
    mount -t overlay -o "lowerdir=/,upperdir=$top/upper,workdir=$top/work" overlay "$root"
    # All but the largest folder is copied into memory.
    tar --directory "$stage" --exclude=./usr/lib/glimpsed --create . | tar --directory "$root" --extract
    mkdir -p "$root/usr/lib/glimpsed"
    mount --bind "$stage/usr/lib/glimpsed" "$root/usr/lib/glimpsed"
    mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
    mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
    mount -t tmpfs -o mode=755,nosuid,nodev,noexec tmpfs "$root/sys/fs/cgroup" 2>/dev/null || true
    mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
    mkdir "$root/dev/pts" "$root/dev/shm"
    for node in null zero full random urandom tty; do
        touch "$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    : >"$log/console"
    touch "$root/dev/console"
    mount --bind "$log/console" "$root/dev/console"
    mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root/run"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount --bind "$log" "$root/var/log"
    # The manager makes the machine id; /etc/machine-id of the host is none of its business.
    : >"$root/etc/machine-id"
    hostname glimpse-checks
    cd "$root"
    mkdir -p mnt
    pivot_root . mnt
    umount -l /mnt
    # Credentials are mounted for the service from outside of its own namespace.
    mount --make-rshared /
    exec env -i container=glimpse-checks PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        /lib/systemd/systemd --system --log-target=journal --show-status=no --unit=glimpse-checks.service </dev/null'
# shellcheck disable=SC2090
export inner

status=0
timeout --kill-after=5 "${LIMIT:-600}" bash -euc "$outer" || status=$?
cat "$log/checks.log" 2>/dev/null || cat "$log/console"
exit "$status"
