#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reader.py SOCKET GLIMPSED [FILE]: a separate process that keeps up with the stream and checks it.

Passes the whole stream to `glimpsed conform`, which accepts the stream or finds the first wrong line. At the end of the
stream prints one JSON object: lines, coalesced updates, `gap` lines, and the verdict of conform. A thread would be a
slow reader, because threads of one interpreter wait for their turn. FILE gets the run and the number of each event that
a relay hands on.
"""
import json
import re
import socket
import subprocess
import sys

COALESCED = re.compile(rb'"coalesced":(\d+)')
EVENT = re.compile(rb'^\{"v":1,"seq":(\d+),"run_id":"([^"]+)","type":"(?:detected|completed)"', re.MULTILINE)


def main():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    peer.sendall(b'{"after":0}\n')
    check = subprocess.Popen(
        [sys.argv[2], "conform", "--open"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    record = open(sys.argv[3], "w") if sys.argv[3:] else None
    lines, coalesced, gaps, rest = 0, 0, [], b""
    while chunk := peer.recv(1 << 20):
        try:
            check.stdin.write(chunk)
        except BrokenPipeError:  # It has found something, and says so at the end.
            break
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        lines += whole.count(b"\n") + len(newline)
        coalesced += sum(map(int, COALESCED.findall(whole)))
        if record:
            record.writelines(f"{run.decode()} {number.decode()}\n" for number, run in EVENT.findall(whole))
            record.flush()
        if b'"type":"gap"' in whole:
            gaps += [line.decode() for line in whole.split(b"\n") if b'"type":"gap"' in line]
    said = check.communicate()[0].decode().strip()
    print(json.dumps({"lines": lines, "coalesced": coalesced, "gaps": gaps, "said": said, "conforms": check.returncode == 0}))


if __name__ == "__main__":
    main()
