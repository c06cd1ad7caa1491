#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots a root's own systemd over a throw-away layer and runs a script in it; the root is only read.
#
# Usage: [STAGE=FOLDER] [LOG=FOLDER] systemd/tests/boot.sh ROOT SCRIPT [FILE...] [-- ARGUMENT...]
#            STAGE is laid over the root. LOG becomes its /var/log. The FILEs, which may be folders, are beside the
#            script, in /checks.
#        systemd/tests/boot.sh --possible      whether this machine can; says why not
#
# PID 1 has separate namespaces (pid, mount, uts, ipc, net, cgroup). It sees no process, network or disk of this
# machine, and ends with this script. The exit status is the script's. Needs root, and a cgroup v2 that is mounted
# anywhere. On a machine with cgroup v1 the group has no controllers.
set -euo pipefail

fail() {
    printf 'boot.sh: error: %s\n' "$*" >&2
    exit 1
}

groups=$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1) || true
if [[ $(id -u) != 0 ]]; then
    obstacle="a system manager needs root"
elif ! unshare --mount --pid --cgroup --fork true 2>/dev/null; then
    obstacle="namespaces cannot be made here: not in a container without CAP_SYS_ADMIN"
elif [[ -z $groups ]]; then
    obstacle="no cgroup v2 is mounted"
fi
[[ -z ${obstacle-} ]] || fail "$obstacle"
[[ ${1-} != --possible ]] || exit 0

[[ $# -ge 2 ]] || fail "usage: systemd/tests/boot.sh ROOT SCRIPT [FILE...] [-- ARGUMENT...]"
root=$(realpath "$1") script=$2 files=()
shift 2
while [[ $# -gt 0 && $1 != -- ]]; do
    files+=("$1")
    shift
done
shift $(($# > 0))
[[ -e $root/lib/systemd/systemd ]] || fail "$root has no systemd"
work=$(mktemp -d) group=$groups/glimpse-checks.$$
mkdir "$group" "$work/checks" "$work/mount"
trap 'find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; rm -rf "$work"' EXIT
cp -r "${files[@]}" "$work/checks"
install -m 755 "$script" "$work/checks/run"
cat >"$work/checks/glimpse-checks.service" <<END
[Unit]
Wants=basic.target
After=basic.target sockets.target
SuccessAction=exit
FailureAction=exit
FailureActionExitStatus=1
[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
ExecStart=/checks/run $*
StandardOutput=file:/checks/output
StandardError=inherit
TimeoutStartSec=infinity
END
: >"$work/checks/console"
: >"$work/checks/output"
export root work group STAGE="${STAGE-}" LOG="${LOG-}"

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
    [[ -z $STAGE ]] || cp -a "$STAGE/." "$top/root"
    cd "$top/root"
    mount -t proc -o nosuid,nodev,noexec proc proc
    mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
    mount -t tmpfs -o mode=755,nosuid,nodev,noexec tmpfs sys/fs/cgroup 2>/dev/null || true
    mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755,nosuid tmpfs dev
    mkdir -p dev/pts dev/shm checks mnt
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
    [[ -z $LOG ]] || mount --bind "$LOG" var/log
    mkdir -p run/systemd/system
    cp checks/glimpse-checks.service run/systemd/system/
    # The manager makes one; the machine'"'"'s own is none of its business.
    : >etc/machine-id
    hostname glimpse-checks
    pivot_root . mnt
    umount -l /mnt
    # systemd mounts credentials from outside of the namespace of the service.
    mount --make-rshared /
    exec env -i container=glimpse-checks PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        /lib/systemd/systemd --system --log-target=journal --show-status=no --unit=glimpse-checks.service </dev/null'
# shellcheck disable=SC2090
export inner

# Shows the script's output while the script runs.
tail --follow --lines=+1 --quiet "$work/checks/output" &
reader=$!
status=0
timeout --kill-after=5 "${LIMIT:-900}" bash -euc "$outer" || status=$?
sleep 0.2
kill "$reader"
((status == 0)) || [[ ! -s $work/checks/console ]] || cat "$work/checks/console" >&2
exit "$status"
