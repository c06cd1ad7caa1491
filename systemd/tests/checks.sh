#!/usr/bin/env bash
exec >/var/log/checks.log 2>&1
mkdir -p /etc/glimpsed/pipelines
printf '[source]\nkind = "test"\n[face]\n[barcode]\n' > /etc/glimpsed/pipelines/scene.toml
systemctl is-active glimpsed.socket glimpsed-control.socket glimpsed.service
id glimpsed-daemon; getent group glimpsed render video
ls -la /run/glimpsed
python3 -c 'import socket;s=socket.socket(socket.AF_UNIX);s.connect("/run/glimpsed/events.sock");s.settimeout(20);print(s.recv(300))'
systemctl status glimpsed --no-pager -l
sleep 6
systemctl status glimpsed --no-pager -l
journalctl -u glimpsed -o verbose --no-pager
glimpsed status
time systemctl reload glimpsed; echo rc=$?
ls -la /run/glimpsed /var/lib/private/glimpsed /var/cache/private/glimpsed /run/credentials /etc/glimpsed
find /sys/fs/cgroup -type d; cat /sys/fs/cgroup/cgroup.controllers
journalctl -b --no-pager | tail -50
