#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each module imports only its own floor and lower ones, and keeps the table of modules in
docs/reference/modules.md.

  scripts/floors.py            fails where Package.swift breaks the order, or the table differs from it
  scripts/floors.py --write    writes the table, and keeps its column "holds"

The order of the floors is the order of the folders in Package.swift's targets.
"""
import json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'docs', 'reference', 'modules.md')
BEGIN, END = '<!-- modules: written by scripts/floors.py -->', '<!-- end of modules -->'
MOST_FLOORS = 12


def manifest():
    swift = os.environ.get('SWIFT', 'swift')
    # A separate scratch folder, because a concurrent build holds the lock of the usual one.
    with tempfile.TemporaryDirectory() as scratch:
        command = [swift, 'package', '--package-path', ROOT, '--scratch-path', scratch, 'dump-package']
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def dependencies(target):
    """Returns the names of a target's dependencies in the package, and of products of other packages."""
    names = []
    for dependency in target['dependencies']:
        for kind in ('byName', 'target', 'product'):
            if kind in dependency:
                names.append(dependency[kind][0])
    return names


def read():
    """(floors, lowest first; modules: name -> (floor, dependencies); tests likewise)."""
    floors, modules, tests = [], {}, {}
    for target in manifest()['targets']:
        folder = (target.get('path') or '').split('/')
        if folder[0] not in ('Sources', 'Tests') or len(folder) != 3:
            continue
        is_test = folder[0] == 'Tests'
        if not is_test and folder[1] not in floors:
            floors.append(folder[1])
        (tests if is_test else modules)[target['name']] = (folder[1], dependencies(target))
    return floors, modules, tests


def faults(floors, modules, tests):
    found = []
    if len(floors) > MOST_FLOORS:
        found.append(f'Sources has {len(floors)} floors; {MOST_FLOORS} are enough')
    for folder in sorted(os.listdir(os.path.join(ROOT, 'Sources'))):
        if folder not in floors:
            found.append(f'Sources/{folder} is no floor of Package.swift')
            continue
        for name in sorted(os.listdir(os.path.join(ROOT, 'Sources', folder))):
            if modules.get(name, ('',))[0] != folder:
                found.append(f'Sources/{folder}/{name} is no module of Package.swift')
    for name, (floor, imports) in modules.items():
        for other in imports:
            if other in modules and floors.index(modules[other][0]) > floors.index(floor):
                found.append(f'{name} ({floor}) imports {other}, which is on a higher floor ({modules[other][0]})')
    for name, (floor, _) in tests.items():
        module = name.removesuffix('Tests')
        if floor not in floors:
            found.append(f'Tests/{floor}/{name}: Sources has no such floor')
        elif module in modules and modules[module][0] != floor:
            found.append(f'Tests/{floor}/{name} tests a module of the floor {modules[module][0]}')
    return found


def cells(text):
    """The column "holds" of the table, by module."""
    rows = re.findall(r'^\| `([\w-]+)` \| (.*?) \| .*? \|$', text, re.MULTILINE)
    return dict(rows)


def table(floors, modules, holds):
    lines = [BEGIN]
    for floor in reversed(floors):
        lines += ['', f'## {floor}', '', '| module | holds | imports |', '|---|---|---|']
        for name, (own, imports) in modules.items():
            if own == floor:
                lines.append(f'| `{name}` | {holds[name]} | {", ".join(imports) or "nothing"} |')
    return '\n'.join(lines + ['', END])


def main():
    floors, modules, tests = read()
    found = faults(floors, modules, tests)
    with open(PAGE, encoding='utf-8') as file:
        page = file.read()
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    holds = cells(page[begin:end])
    unknown = [name for name in modules if name not in holds]
    if unknown:
        found.append(f'docs/reference/modules.md has no row for {", ".join(unknown)}: add one with the column "holds"')
    if found:
        sys.exit('\n'.join(found))
    now = table(floors, modules, holds)
    if '--write' in sys.argv[1:]:
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(page[:begin] + now + page[end:])
    elif now != page[begin:end]:
        sys.exit('The table in docs/reference/modules.md differs from Package.swift: scripts/floors.py --write')


if __name__ == '__main__':
    main()
