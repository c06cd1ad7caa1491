#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From `apt install` to `apt purge` on a bare Debian, inside of the system that boot.sh has booted.
# Usage: systemd/tests/boot.sh ROOT scripts/package/life.sh systemd/tests/check.sh glimpsed{,-relay,-web}_*.deb
set -uo pipefail
# shellcheck source=systemd/tests/check.sh
source "$(dirname "$0")/check.sh"

package=(/checks/glimpsed_*.deb)
others=(/checks/glimpsed-relay_*.deb /checks/glimpsed-web_*.deb)
# shellcheck source=/dev/null
debian=$(. /etc/os-release && echo "$VERSION_ID")

# Files on the disk, except the records of apt and dpkg and the caches of other programs.
# Files of packages that stay because others recommend them are those packages' own.
files() {
    everything | grep -v -x -F -f <(sed 's|^/\(bin\|sbin\|lib\|lib64\)/|/usr/\1/|' /var/lib/dpkg/info/*.list)
}

everything() {
    find / -xdev \( -path /checks -o -path /tmp -o -path /var/tmp -o -path /var/log -o -path /var/cache/apt -o -path /var/lib/apt \
        -o -path /var/lib/dpkg -o -path /var/cache/ldconfig -o -path /var/lib/systemd/catalog \) -prune -o -print | sort
}

files >/tmp/before
getent group | sort >/tmp/groups-before

quietly apt-get -q -y install "${package[@]}"
check 'apt installs it with what it needs' 0 $?
check 'the program is that of the package' "$(dpkg-query -W -f '${Version}' glimpsed)" "$(glimpsed --version)"
check 'nothing is missing to run' '' "$(ldd /usr/bin/glimpsed /usr/libexec/glimpsed/glimpsed-worker /usr/lib/glimpsed/lib*.so* | grep 'not found')"
if [[ $debian == 12 ]]; then
    check 'nor to load' '' "$(ldd /usr/libexec/glimpsed/*.so | grep 'not found')"
fi
check 'nothing starts by itself' 'inactive disabled inactive disabled' \
    "$(for unit in glimpsed.service glimpsed.socket; do systemctl is-active "$unit"; systemctl is-enabled "$unit"; done | xargs)"
check 'its configuration is in order' 0 "$(glimpsed check >/dev/null 2>&1; echo $?)"
check 'and apt looks after it' '/etc/glimpsed/config.toml /etc/glimpsed/pipelines/webcam.toml' \
    "$(dpkg-query -W -f '${Conffiles}' glimpsed | awk '{ print $1 }' | xargs)"
check 'manual pages' '3' "$(find /usr/share/man -name 'glimpsed*' | wc -l)"

# A camera needs one file and one command.
scene 15 >/etc/glimpsed/pipelines/webcam.toml
printf '[retention]\nevents = ["7d", "64MiB"]\n' >>/etc/glimpsed/config.toml
quietly systemctl enable --now glimpsed
check 'systemctl enable --now' '0 active enabled' "$? $(systemctl is-active glimpsed) $(systemctl is-enabled glimpsed)"
check 'a face comes by OpenVINO' 'detected' \
    "$(timeout 60 glimpsed watch --json --kind face | jq --raw-output --unbuffered 'select(.type == "detected").type' 2>/dev/null | head -n 1)"
check 'its detector' 'yunet_n_640_640' \
    "$(glimpsed status --json | jq --raw-output '.pipelines[0].detectors[] | select(.name == "face").model')"
check 'a symbol comes by ZXing' '4006381333931' \
    "$(timeout 60 glimpsed watch --json --value 4006381333931 | jq --raw-output --unbuffered '.barcode.raw // empty' 2>/dev/null | head -n 1)"
check 'it may not write but where it should' 'private' \
    "$(basename "$(dirname "$(readlink -f /var/lib/glimpsed)")")"

check 'a member of the group may subscribe' '660 glimpsed' "$(stat -c '%a %G' /run/glimpsed/events.sock)"

# A camera's node of a driver that the kernel did not have when the service started: nobody answers, but nobody refuses
# either.
mknod /dev/video9 c 81 9
chgrp video /dev/video9
chmod 660 /dev/video9
printf '[source]\nkind = "v4l2"\ndevice = "/dev/video9"\n[barcode]\n' >/etc/glimpsed/pipelines/late.toml
quietly systemctl reload glimpsed
late() { glimpsed status --json | jq --raw-output '.pipelines[] | select(.name == "late").last_error'; }
check 'a camera that came later may be opened' '/dev/video9: Could not open device *' "$(wait_for '*/dev/video9*' 60 late)"
rm /etc/glimpsed/pipelines/late.toml /dev/video9

# The package's drop-in applies to systemd 253 and later.
if (($(systemctl --version | awk 'NR == 1 { print $2 }') >= 253)); then
    install -D -m 644 -t /etc/systemd/system/glimpsed.service.d /usr/share/doc/glimpsed/systemd/notify-reload.conf
    systemctl daemon-reload
    quietly systemctl restart glimpsed
    main=$(property MainPID)
    scene 5 >/etc/glimpsed/pipelines/second.toml
    quietly systemctl reload glimpsed
    status=$?
    check 'notify-reload: it waits until the reload is done' "notify-reload 0 $main webcam second" \
        "$(property Type) $status $(property MainPID) $(glimpsed status --json | jq --raw-output '.pipelines[].name' | sort -r | xargs)"
    echo 'kind = 3' >>/etc/glimpsed/pipelines/second.toml
    quietly systemctl reload glimpsed
    check 'one that is refused changes nothing' "active running $main reload: the old configuration stays" \
        "$(property ActiveState) $(property SubState) $(property MainPID) $(journalctl --unit glimpsed --priority err --output cat --no-pager | tail -n 1)"
    rm -r /etc/systemd/system/glimpsed.service.d /etc/glimpsed/pipelines/second.toml
    systemctl daemon-reload
    quietly systemctl restart glimpsed
fi
check 'exposure' '*1.[0-5] OK*' "$(systemd-analyze security --no-pager glimpsed | tail -n 1)"

quietly apt-get -q -y install "${others[@]}"
check 'relay and page are installed, and run only when they are enabled' '0 inactive inactive inactive' \
    "$? $(systemctl is-active glimpsed-relay.service glimpsed-web.socket glimpsed-web.service | xargs)"
printf '[[mqtt]]\nname = "here"\nurl = "mqtt://127.0.0.1:1883"\n' >/etc/glimpsed/relay.toml
quietly systemctl enable --now glimpsed-relay.service glimpsed-web.socket
asks_page() { (exec 3<>/dev/tcp/127.0.0.1/8420 && printf 'GET / HTTP/1.0\r\nHost: 127.0.0.1:8420\r\n\r\n' >&3 && head -n 1 <&3) | tr -d '\r'; }
check 'the page answers' 'HTTP/1.? 200 OK' "$(asks_page)"
check 'root owns the folders of passwords' 'root root root' "$(stat -c %U /etc/glimpsed/*credentials | xargs)"

units=(glimpsed glimpsed-relay glimpsed-web)
pids() { for unit in "${units[@]}"; do property MainPID "$unit.service"; done; }
pids >/tmp/pids-before
listening=$(for socket in glimpsed glimpsed-web; do property ActiveEnterTimestampMonotonic "$socket.socket"; done | xargs)
quietly apt-get -q -y install --reinstall "${package[@]}" "${others[@]}"
check 'installed once more' 0 $?
check 'the services run' 'active active active' "$(wait_for 'active active active' 30 bash -c "systemctl is-active ${units[*]} | xargs")"
pids >/tmp/pids-after
check 'as other processes' '' "$(grep -x -F -f /tmp/pids-before /tmp/pids-after | xargs)"
check 'the same sockets listen' "$listening" \
    "$(for socket in glimpsed glimpsed-web; do property ActiveEnterTimestampMonotonic "$socket.socket"; done | xargs)"
check 'the page answers still' 'HTTP/1.? 200 OK' "$(asks_page)"
check 'edited files are kept' 'kind = "test" events = *7d*64MiB*' \
    "$(grep -h -e kind -e '^events' /etc/glimpsed/pipelines/webcam.toml /etc/glimpsed/config.toml | xargs -d '\n')"

echo geheim >/etc/glimpsed/web-credentials/page
quietly apt-get -q -y remove glimpsed
check 'removed, and the page with it: stopped, and nobody listens' 'inactive inactive inactive inactive inactive' \
    "$(systemctl is-active glimpsed.service glimpsed.socket glimpsed-control.socket glimpsed-web.service glimpsed-web.socket | xargs)"
check 'the relay stays' 'active' "$(systemctl is-active glimpsed-relay.service)"
check 'configuration and journal stay' '/etc/glimpsed/pipelines/webcam.toml yes' \
    "$(ls /etc/glimpsed/pipelines/webcam.toml) $([[ -n $(find /var/lib/private/glimpsed/ -name '*.sqlite*' 2>/dev/null) ]] && echo yes)"

quietly apt-get -q -y purge glimpsed
check 'purged, and what belongs to the others stays' '0 page relay-credentials relay.toml web-credentials' \
    "$? $(find /etc/glimpsed -mindepth 1 -printf '%f\n' | sort | xargs)"
quietly apt-get -q -y purge glimpsed-relay glimpsed-web
check 'the others are purged' '0 inactive' "$? $(systemctl is-active glimpsed-relay.service)"
quietly apt-get -q -y autoremove --purge
check 'and what came with it' 0 $?
files >/tmp/after
check 'the same files as before' '' "$(diff /tmp/before /tmp/after | grep '^[<>]' | head -n 20 | xargs)"
check 'nothing in /run' '' "$(find /run -name '*glimpsed*')"
getent group | sort >/tmp/groups-after
check 'the same groups' '' "$(diff /tmp/groups-before /tmp/groups-after | grep '^[<>]' | xargs)"
check 'the manager knows it no more' 'not-found' "$(systemctl daemon-reload; property LoadState)"

finish
