#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the packages of `make deb` in a virtual machine with Debian 12 and its kernel, with a camera (vivid) and control
# groups with controllers. It takes minutes without KVM.
# Usage: scripts/package/qemu.sh      ACCEL=kvm where there is one
# Needs root, mmdebstrap, qemu-system-x86, kmod, cpio, e2fsprogs, and the network for Debian and the kernel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    printf 'qemu-test: error: %s\n' "$*" >&2
    exit 1
}

package=$(compgen -G '.build/package/glimpsed_*_amd64.deb') || fail "there is no package in .build/package: run make deb first"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=${ROOT:-$PWD/.build/roots/bookworm}
scripts/package/clean-root.sh bookworm "$root" "$package" >"$work/log" 2>&1 || { tail "$work/log" >&2; fail "no bare Debian"; }
kernel=$work/kernel guest=$work/root initrd=$work/initrd.d
mkdir "$kernel" "$initrd" "$initrd"/{bin,modules,proc,dev,root}

image=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
(cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$image" busybox-static >/dev/null) || fail "no kernel"
for file in "$work"/*.deb; do dpkg-deb -x "$file" "$kernel"; done
version=$(basename "$kernel"/lib/modules/*)
depmod -b "$kernel" "$version"

# needed MODULE...: prints the files of the modules in the order of loading.
needed() {
    local module
    for module in "$@"; do modprobe -d "$kernel" -S "$version" --show-depends "$module"; done |
        awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# The machine: the bare Debian, the package, a camera in a pipeline.
cp -a "$root" "$guest"
cp "$package" "$guest/tmp/glimpsed.deb"
chroot "$guest" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends /tmp/glimpsed.deb >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log"; exit 1; }
printf '[source]\nkind = "v4l2"\ndevice = "/dev/video0"\nwidth = 320\nheight = 180\n[barcode]\nmax_rate = 1\n' \
    >"$guest/etc/glimpsed/pipelines/webcam.toml"
# Emulation takes ten times as long.
printf '[daemon]\ntrial = "5m"\n[workers]\nstall_limit = "5m"\nrestart_backoff = ["1s", "5s"]\n' >>"$guest/etc/glimpsed/config.toml"
chroot "$guest" systemctl enable --quiet glimpsed
rm -rf "$guest"/var/cache/apt/archives/*.deb "$guest"/var/lib/apt/lists/*
install -D -m 755 -t "$guest/checks" scripts/package/camera.sh systemd/tests/check{s,}.sh systemd/tests/cases.sh
install -m 755 "$kernel/bin/busybox" "$guest/checks"
needed vivid | while read -r file; do
    cp "$file" "$guest/checks"
    basename "$file"
done >"$guest/checks/modules"
cat >"$guest/etc/systemd/system/glimpse-checks.service" <<'END'
[Unit]
Wants=basic.target glimpsed.service
After=basic.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
Environment=LANG=C.UTF-8
ExecStart=-/checks/camera.sh
ExecStart=-/checks/checks.sh shares
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
TimeoutStartSec=infinity
END
# The serial line belongs to the checks.
ln -s /dev/null "$guest/etc/systemd/system/serial-getty@.service"
truncate -s "$(($(du -sm "$guest" | cut -f 1) * 3 / 2 + 256))M" "$work/disk"
mkfs.ext4 -q -O ^has_journal -d "$guest" "$work/disk"

cp "$kernel/bin/busybox" "$initrd/bin"
{
    echo '#!/bin/busybox sh'
    echo '/bin/busybox --install /bin; export PATH=/bin; mount -t devtmpfs d /dev; mount -t proc p /proc'
    needed virtio_pci virtio_blk ext4 crc32c_generic autofs4 | while read -r file; do
        cp "$file" "$initrd/modules"
        echo "insmod /modules/$(basename "$file")"
    done
    # shellcheck disable=SC2016 # for the machine's shell
    echo 'n=0; while [ ! -b /dev/vda ] && [ $n -lt 300 ]; do sleep .1; n=$((n+1)); done; mount -t ext4 /dev/vda /root'
    echo 'umount /proc; mount --move /dev /root/dev; exec switch_root /root /sbin/init'
} >"$initrd/init"
chmod +x "$initrd/init"
(cd "$initrd" && find . | cpio --create --format newc --quiet) >"$work/initrd"

timeout --kill-after=5 "${LIMIT:-1500}" qemu-system-x86_64 -accel "${ACCEL:-tcg,thread=multi}" -cpu max -smp 2 -m 2048 -no-reboot \
    -display none -nodefaults -nic none -kernel "$kernel/boot/vmlinuz-$version" -initrd "$work/initrd" \
    -drive "file=$work/disk,format=raw,if=virtio,cache=unsafe" -device virtio-rng-pci -serial stdio -monitor none \
    -append "console=ttyS0 quiet panic=-1 mitigations=off systemd.unit=glimpse-checks.service systemd.show_status=no" \
    </dev/null 2>"$work/qemu.log" | sed --unbuffered 's/\r$//' | tee "$work/console" || cat "$work/qemu.log" >&2
(($(grep -c '^[0-9]* checks, 0 failed' "$work/console") == 2))
