#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tries forbidden calls inside of the service's sandbox, and a few calls that a worker needs.

Prints one line each: "ok NAME -- result", or FAIL. The exit status is 1 after any unexpected result.
"""
import ctypes
import errno
import mmap
import os
import socket
import stat
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
failures = 0


def call(function, *arguments):
    """The result of a function of the C library; an OSError where it is negative."""
    ctypes.set_errno(0)
    if (result := function(*arguments)) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def refused(name, code, function):
    """Checks the reason of a refusal, because a refusal by file permissions would not prove a sandbox."""
    global failures
    try:
        function()
        outcome = "done"
    except OSError as error:
        outcome = errno.errorcode.get(error.errno, str(error.errno))
    failures += outcome != code
    print(f"ok   no {name} -- {outcome}" if outcome == code else f"FAIL no {name} -- {outcome}, want {code}")


def allowed(name, function):
    global failures
    try:
        function()
        print("ok  ", name, "-- done")
    except OSError as error:
        failures += 1
        print("FAIL", name, "--", error)


def write(path):
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)


def executable_memory():
    pages = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    pages.close()


def system_call(number, *arguments):
    return lambda: call(libc.syscall, ctypes.c_long(number), *map(ctypes.c_long, arguments))


CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET = 0x10000000, 0x00020000, 0x40000000
PTRACE_ATTACH = 16

for folder in ["/", "/etc", "/etc/glimpsed", "/usr", "/usr/lib/glimpsed", "/run", "/run/glimpsed", "/var/lib", "/srv", "/sys/fs/cgroup"]:
    refused(f"writing to {folder}", "EROFS", lambda: write(f"{folder}/glimpse-probe"))
for folder in [os.environ["STATE_DIRECTORY"], os.environ["CACHE_DIRECTORY"], "/tmp"]:
    allowed(f"write to {folder}", lambda: write(f"{folder}/glimpse-probe"))
own = "/sys/fs/cgroup/system.slice/glimpse-probe.service/worker"
allowed("divide its own control group", lambda: (os.mkdir(own), os.rmdir(own)))
refused("home folders", "EACCES", lambda: os.listdir("/home"))
refused("root's home", "EACCES", lambda: os.listdir("/root"))
refused("reading the administrator's copy of a password", "EACCES", lambda: open("/etc/glimpsed/credentials/rtsp").read())
allowed("read the credential", lambda: open(os.environ["CREDENTIALS_DIRECTORY"] + "/camera_rtsp").read())
# All users may open both nodes.
refused("memory of the kernel", "EPERM", lambda: os.open("/dev/glimpse-probe-mem", os.O_RDONLY))
refused("disks", "EPERM", lambda: os.open("/dev/glimpse-probe-disk", os.O_RDONLY))
refused("new devices", "EPERM", lambda: os.mknod("/tmp/device", 0o600 | stat.S_IFCHR, os.makedev(1, 1)))
refused("user namespaces", "EPERM", lambda: call(libc.unshare, CLONE_NEWUSER))
refused("mount namespaces", "EPERM", lambda: call(libc.unshare, CLONE_NEWNS))
refused("network namespaces", "EPERM", lambda: call(libc.unshare, CLONE_NEWNET))
refused("mounts", "EPERM", lambda: call(libc.mount, b"tmpfs", b"/tmp", b"tmpfs", 0, None))
refused("raw sockets", "EPERM", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
refused("packet sockets", "EAFNOSUPPORT", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
refused("netlink sockets", "EAFNOSUPPORT", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
allowed("TCP sockets", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close())
child = subprocess.Popen(["sleep", "60"])
refused("ptrace, of its own child", "EPERM", lambda: call(libc.ptrace, PTRACE_ATTACH, child.pid, None, None))
child.kill()
child.wait()
refused("processes of other users", "ENOENT", lambda: open("/proc/1/status").read())
refused("setting the clock", "EPERM", lambda: call(libc.settimeofday, ctypes.create_string_buffer(16), None))
refused("setting the host's name", "EPERM", lambda: call(libc.sethostname, b"x", 1))
refused("writing variables of the kernel", "EROFS", lambda: open("/proc/sys/kernel/hostname", "w"))
refused("the kernel's log", "EPERM", lambda: call(libc.klogctl, 3, ctypes.create_string_buffer(16), 16))
refused("setuid files", "EPERM", lambda: os.chmod(os.open("/tmp/setuid", os.O_CREAT), 0o4755))
refused("other personalities", "EPERM", lambda: call(libc.personality, 0x0400000))
refused("real-time scheduling", "EPERM", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
refused("nicer priorities", "EPERM", lambda: os.setpriority(os.PRIO_PROCESS, 0, 5))
refused("becoming root", "EPERM", lambda: os.setuid(0))
# By their numbers on x86-64 and arm64, which differ for those that are older than 2019.
is_arm = os.uname().machine == "aarch64"
refused("bpf", "EPERM", system_call(280 if is_arm else 321, 0, 0, 0))
refused("perf_event_open", "EPERM", system_call(241 if is_arm else 298, 0, 0, 0, 0, 0))
refused("io_uring", "EPERM", system_call(425, 8, ctypes.addressof(ctypes.create_string_buffer(120))))
allowed("memory that is written and executed, for OpenVINO's compiler", executable_memory)
sys.exit(failures > 0)
