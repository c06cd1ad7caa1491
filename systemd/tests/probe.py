#!/usr/bin/python3
"""Tries, inside of the service's sandbox, what no worker has any business doing, and a few things that it has to be able to do.

One line each: "ok NAME -- what came of it", or FAIL. Exit status 1 when any was not as it should be.
"""
import ctypes
import errno
import mmap
import os
import socket
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


def probe(name, is_allowed, function):
    global failures
    try:
        function()
        done, outcome = True, "done"
    except OSError as error:
        done, outcome = False, errno.errorcode.get(error.errno, str(error.errno))
    failures += done != is_allowed
    print("ok  " if done == is_allowed else "FAIL", name, "--", outcome)


def refused(name, function):
    probe(name, False, function)


def allowed(name, function):
    probe(name, True, function)


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

for folder in ["/", "/etc", "/etc/glimpsed", "/usr", "/usr/lib/glimpsed", "/boot", "/run", "/run/glimpsed", "/var/lib", "/opt", "/srv"]:
    refused(f"write to {folder}", lambda: write(f"{folder}/glimpse-probe"))
for folder in [os.environ["STATE_DIRECTORY"], os.environ["CACHE_DIRECTORY"], "/tmp"]:
    allowed(f"write to {folder}", lambda: write(f"{folder}/glimpse-probe"))
refused("see home folders", lambda: os.listdir("/home") and os.listdir("/root"))
refused("read /etc/shadow", lambda: open("/etc/shadow").read())
refused("read the credentials' folder of the administrator", lambda: open("/etc/glimpsed/credentials/rtsp").read())
allowed("read the credentials", lambda: open(os.environ["CREDENTIALS_DIRECTORY"] + "/camera_rtsp").read())
refused("open /dev/mem", lambda: os.open("/dev/glimpse-probe-mem", os.O_RDONLY))
refused("open another device with all permissions", lambda: os.open("/dev/glimpse-probe-disk", os.O_RDONLY))
refused("make a device", lambda: os.mknod("/tmp/device", 0o600 | 0o020000, os.makedev(1, 1)))
refused("a user namespace", lambda: call(libc.unshare, CLONE_NEWUSER))
refused("a mount namespace", lambda: call(libc.unshare, CLONE_NEWNS))
refused("a network namespace", lambda: call(libc.unshare, CLONE_NEWNET))
refused("mount", lambda: call(libc.mount, b"tmpfs", b"/tmp", b"tmpfs", 0, None))
refused("a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
refused("a packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
refused("a netlink socket", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
allowed("a TCP socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
child = subprocess.Popen(["sleep", "60"])
refused("ptrace", lambda: call(libc.ptrace, PTRACE_ATTACH, child.pid, None, None))
child.kill()
child.wait()
refused("see other users' processes", lambda: open("/proc/1/status").read())
refused("set the clock", lambda: call(libc.settimeofday, ctypes.create_string_buffer(16), None))
refused("set the host's name", lambda: call(libc.sethostname, b"x", 1))
refused("write a kernel variable", lambda: open("/proc/sys/kernel/hostname", "w"))
refused("read the kernel's log", lambda: call(libc.klogctl, 3, ctypes.create_string_buffer(16), 16))
refused("a file with setuid", lambda: os.chmod(os.open("/tmp/setuid", os.O_CREAT), 0o4755))
refused("another personality", lambda: call(libc.personality, 0x0400000))
refused("real-time scheduling", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
refused("become root", lambda: os.setuid(0))
refused("bpf", system_call(321, 0, 0, 0))
refused("perf_event_open", system_call(298, 0, 0, 0, 0, 0))
refused("io_uring", system_call(425, 8, 0))
allowed("memory that is written and executed: OpenVINO's compiler", executable_memory)
sys.exit(failures > 0)
