#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each source file begins with the SPDX line of the project's licence.

  scripts/spdx.py            lists the files without the line, and fails if there are any
  scripts/spdx.py --write    adds the line to them

The line stands first, or after the lines that a tool reads at the top: `#!`, `# shellcheck`, `// swift-tools-version`.
The option --write replaces a file and never writes into it, because checkouts may share files by hard links.
"""
import os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LICENCE = 'Apache-2.0'
SLASHED = ('.swift', '.c', '.cpp', '.h', '.hpp', '.js', '.mjs')
HASHED = ('.py', '.sh', '.postinst', '.postrm', '.prerm', 'Makefile', 'ci/run', 'debian/rules', 'make-man')
TOP = re.compile(r'(#!.*|# shellcheck .*|// swift-tools-version.*)\n')


def line(name):
    return f'{"//" if name.endswith(SLASHED) else "#"} SPDX-License-Identifier: {LICENCE}\n'


def top(text):
    """Returns the number of characters of the lines that must come first."""
    end = 0
    while match := TOP.match(text, end):
        end = match.end()
    return end


def replace(path, text):
    """Puts a new file with the text and the old permissions in the place of the file."""
    new = path + '.spdx'
    with open(new, 'w', encoding='utf-8') as file:
        file.write(text)
    shutil.copymode(path, new)
    os.replace(new, path)


def main():
    with open(os.path.join(ROOT, 'LICENSE'), encoding='utf-8') as file:
        if 'Apache License\n' not in file.read(200):
            sys.exit(f'LICENSE is not {LICENCE}')
    listed = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z'], check=True, stdout=subprocess.PIPE).stdout.decode()
    without = []
    for name in filter(lambda name: name.endswith(SLASHED + HASHED), listed.split('\0')):
        path = os.path.join(ROOT, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        begin = top(text)
        if text.startswith(line(name), begin):
            continue
        without.append(name)
        if '--write' in sys.argv[1:]:
            replace(path, text[:begin] + line(name) + text[begin:])
    if without and '--write' not in sys.argv[1:]:
        sys.exit('\n'.join(f'{name}: no line "{line(name).strip()}"' for name in without))


if __name__ == '__main__':
    main()
