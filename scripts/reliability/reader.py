#!/usr/bin/env python3
"""reader.py SOCKET GLIMPSED: a reader that keeps up, in a process of its own: hands the whole stream to `glimpsed
conform`, which proves it or finds the first line that is wrong. At the end of the stream prints one JSON object: lines,
updates that were coalesced, `gap` lines, what conform said.

A thread beside others would not do: they share an interpreter, and one that waits for its turn is a slow reader.
"""
import json
import re
import socket
import subprocess
import sys

COALESCED = re.compile(rb'"coalesced":(\d+)')


def main():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    peer.sendall(b'{"after":0}\n')
    check = subprocess.Popen(
        [sys.argv[2], "conform", "--open"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines, coalesced, gaps, rest = 0, 0, [], b""
    while chunk := peer.recv(1 << 20):
        try:
            check.stdin.write(chunk)
        except BrokenPipeError:  # It has found something, and says so at the end.
            break
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        lines += whole.count(b"\n") + len(newline)
        coalesced += sum(map(int, COALESCED.findall(whole)))
        if b'"type":"gap"' in whole:
            gaps += [line.decode() for line in whole.split(b"\n") if b'"type":"gap"' in line]
    said = check.communicate()[0].decode().strip()
    print(json.dumps({"lines": lines, "coalesced": coalesced, "gaps": gaps, "said": said, "conforms": check.returncode == 0}))


if __name__ == "__main__":
    main()
