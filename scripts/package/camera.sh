#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The packaged service and a camera that comes, is busy, is unplugged and comes back under another name. Inside of the
# machine that qemu.sh has started.
set -uo pipefail
# shellcheck source=systemd/tests/check.sh
source "$(dirname "$0")/check.sh"
cd "$(dirname "$0")" || exit

# load NUMBER: loads exactly one camera as /dev/videoNUMBER. A loaded module stays.
load() {
    local module parameters
    while read -r module; do
        parameters=()
        [[ $module != vivid.ko ]] || parameters=(n_devs=1 node_types=0x1 "vid_cap_nr=$1")
        ./busybox insmod "$module" "${parameters[@]}" 2>/dev/null
    done <modules
}

# unplug NODE: removes the camera during a read, like a pulled cable.
unplug() {
    local node=$1
    echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
    check 'unplugged: the pipeline is told' 'retrying' "$(wait_for retrying "$patience" state)"
    check 'the node is gone' 'gone' "$(wait_for gone "$patience" gone "$node")"
    check 'its module too' 'removed' "$(wait_for removed "$patience" remove)"
}

node() { echo "$((0x$(stat -c %t "$1"))) $(stat -c '%a %G' "$1")"; }
gone() { [[ -e $1 ]] || echo gone; }
remove() { ./busybox rmmod vivid && echo removed; }
# of PIPELINE FIELD
of() { glimpsed status --json | jq --raw-output --arg name "$1" ".pipelines[] | select(.name == \$name) | $2"; }
state() { of "${pipeline:-webcam}" .state; }
worker() { of "${pipeline:-webcam}" .pid; }
received() { of "${pipeline:-webcam}" '.source.received // 0'; }
# more_than COUNT: "more" once so many frames have come.
more_than() { (($(received) > $1)) && echo more; }
groups_of() { awk '/^Groups:/ { for (i = 2; i <= NF; i++) print $i }' "/proc/$1/status" | xargs -n 1 getent group | cut -d: -f1 | sort | xargs; }
# In seconds. A service takes minutes to start in emulation on a busy machine.
patience=600
by_path=/dev/v4l/by-path/platform-vivid.0-video-index0

check 'the service is ready without a camera' 'active' "$(wait_for active "$patience" systemctl is-active glimpsed)"
check 'and says that there is none' 'retrying' "$(wait_for retrying "$patience" state)"

load 0
check 'the kernel has a camera, of the group video' '81 660 video' "$(wait_for '81 660 video' "$patience" node /dev/video0)"
check 'it is opened' 'connected' "$(wait_for connected "$patience" state)"
check 'by a user of its own, who is in the group' 'glimpsed-daemon glimpsed render video' \
    "$(stat -c %U "/proc/$(worker)") $(groups_of "$(worker)")"
check 'it may open cameras and GPUs, and no other device' 'closed char-226 rw char-81 rw char-rtc r' \
    "$(property DevicePolicy) $(property DeviceAllow | sort | xargs)" # the clock's is ProtectClock's, to read
check 'it gives frames' 'more' "$(wait_for more "$patience" more_than 20)"
echo "     $(glimpsed status 2>&1 | sed -n '3,4p' | xargs)"

check 'the camera has a name that stays' "/dev/video0" "$(wait_for /dev/video0 "$patience" readlink -f "$by_path")"
printf '[source]\nkind = "v4l2"\ndevice = "%s"\nwidth = 320\nheight = 180\n[barcode]\nmax_rate = 1\n' "$by_path" \
    >/etc/glimpsed/pipelines/path.toml
systemctl reload glimpsed
check 'a second reader is told that the camera is busy' '*another program uses the device' \
    "$(wait_for '*another program*' "$patience" of path .last_error)"
check 'the first one reads on' 'connected more' "$(state) $(wait_for more "$patience" more_than $(($(received) + 5)))"
rm /etc/glimpsed/pipelines/path.toml
systemctl reload glimpsed

unplug /dev/video0
load 0
check 'plugged in again: it is opened' 'connected' "$(wait_for connected "$patience" state)"
check 'and gives frames' 'more' "$(wait_for more "$patience" more_than 10)"

sed -i "s|^device = .*|device = \"$by_path\"|" /etc/glimpsed/pipelines/webcam.toml
systemctl reload glimpsed
check 'by the name that stays: opened' 'connected more' "$(wait_for connected "$patience" state) $(wait_for more "$patience" more_than 10)"
unplug /dev/video0
load 7
check 'plugged in under another node' "/dev/video7" "$(wait_for /dev/video7 "$patience" readlink -f "$by_path")"
check 'it is opened' 'connected' "$(wait_for connected "$patience" state)"
check 'and gives frames' 'more' "$(wait_for more "$patience" more_than 10)"
check 'the daemon was the same all the time' '0' "$(property NRestarts)"
finish
