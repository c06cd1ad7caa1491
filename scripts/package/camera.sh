#!/usr/bin/env bash
# The packaged service and a camera that comes, is unplugged and comes back. Inside of the machine that qemu.sh has started.
set -uo pipefail
# shellcheck source=scripts/package/check.sh
source "$(dirname "$0")/check.sh"
cd "$(dirname "$0")" || exit

# One camera and nothing else. What is loaded already stays.
load() {
    local module parameters
    while read -r module; do
        parameters=()
        [[ $module != vivid.ko ]] || parameters=(n_devs=1 node_types=0x1)
        ./busybox insmod "$module" "${parameters[@]}" 2>/dev/null
    done <modules
}
node() { echo "$((0x$(stat -c %t /dev/video0))) $(stat -c %G /dev/video0)"; }
gone() { [[ -e /dev/video0 ]] || echo gone; }
remove() { ./busybox rmmod vivid && echo removed; }
state() { glimpsed status --json | jq --raw-output '.pipelines[0].state'; }
received() { glimpsed status --json | jq --raw-output '.pipelines[0].source.received // 0'; }
# more_than COUNT: "more" once so many frames have come.
more_than() { (($(received) > $1)) && echo more; }

check 'the service is ready without a camera' 'active' "$(wait_for active 240 systemctl is-active glimpsed)"
check 'and says that there is none' 'retrying' "$(wait_for retrying 120 state)"

load
check 'the kernel has a camera, of the group video' '81 video' \
    "$(wait_for '81 video' 60 node)"
check 'it is opened' 'connected' "$(wait_for connected 240 state)"
check 'by a user of its own' 'glimpsed-daemon video' \
    "$(stat -c %U "/proc/$(pgrep -f 'glimpsed-worker serve' | head -n 1)") $(id -nG glimpsed-daemon 2>/dev/null | xargs -n 1 | grep -x video ||
        awk '/^Groups:/ { for (i = 2; i <= NF; i++) print $i }' "/proc/$(pgrep -f 'glimpsed-worker serve' | head -n 1)/status" |
        xargs -n 1 getent group | cut -d: -f1 | grep -x video)"
check 'it may open cameras and no other device' 'char-81 closed' "$(property DeviceAllow | grep -o char-81) $(property DevicePolicy)"
check 'it gives frames' 'more' "$(wait_for more 240 more_than 20)"
echo "     $(glimpsed status 2>&1 | sed -n '3,4p' | xargs)"

echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
check 'unplugged' 'lost|retrying' "$(s=$(wait_for retrying 120 state); [[ $s == lost || $s == retrying ]] && echo 'lost|retrying' || echo "$s")"
check 'the node is gone' 'gone' "$(wait_for gone 30 gone)"
check 'its module too' 'removed' "$(wait_for removed 60 remove)"
load
check 'plugged in again: it is opened' 'connected' "$(wait_for connected 240 state)"
check 'and gives frames' 'more' "$(wait_for more 240 more_than $(($(received) + 20)))"
check 'the daemon was the same all the time' '0' "$(property NRestarts)"
finish
