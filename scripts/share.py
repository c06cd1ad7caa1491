#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links glimpsed and glimpsed-worker of a release build again, with the code of both in one library.

  scripts/share.py FOLDER    the folder of the programs, such as .build/release

The library libglimpsed.so goes beside the programs. It exports only the symbols that they take from it.
"""
import json, os, re, shlex, subprocess, sys

LIBRARY = 'libglimpsed.so'
# Installed, the library is beside the worker.
RUN_PATH = '$ORIGIN/../libexec/glimpsed'
# The functions that the daemon runs for events lie beside each other (Benchmarks/link_order.py).
LIST = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'link-order.txt')
ORDER = ['-Xlinker', '--symbol-ordering-file=' + LIST, '-Xlinker', '--no-warn-symbol-ordering']


def links(folder):
    """Returns SwiftPM's command for linking each program, by name."""
    with open(os.path.join(folder, '../../release.yaml')) as file:
        commands = [json.loads(line) for line in re.findall(r'^ +args: (\[.*\])$', file.read(), re.M)]
    outputs = {os.path.join(folder, name): name for name in ('glimpsed', 'glimpsed-worker')}
    return {outputs[c[c.index('-o') + 1]]: c for c in commands if '-o' in c and c[c.index('-o') + 1] in outputs}


def symbols(nm, kind, objects):
    output = subprocess.run([nm, '--format=posix', kind, *objects], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[0] for line in output.splitlines() if line and not line.endswith(':')}


def write(path, lines):
    with open(path, 'w') as file:
        file.writelines(line + '\n' for line in lines)
    return '@' + path


def slim(objcopy, objects, folder):
    """Returns the objects, those of Swift as copies without tables for unwinding: no exception passes through them."""
    os.makedirs(folder, exist_ok=True)
    result = []
    for number, path in enumerate(objects):
        if path.endswith('.swift.o'):
            copy = os.path.join(folder, f'{number}.o')
            subprocess.run([objcopy, '--remove-section=.eh_frame', path, copy], check=True)
            path = copy
        result.append(path)
    return result


def main(folder):
    commands = links(folder)
    lists = {name: next(word for word in command if word.startswith('@')) for name, command in commands.items()}
    objects = {name: shlex.split(open(path[1:]).read()) for name, path in lists.items()}
    shared = [o for o in objects['glimpsed'] if o in set(objects['glimpsed-worker'])]
    own = {name: [o for o in of if o not in set(shared)] for name, of in objects.items()}

    first = commands['glimpsed']
    tools = os.path.dirname(first[0])
    runtime = os.path.join(tools, '../lib/swift_static/linux')
    target = first[first.index('-target') + 1]
    # Registers the sections of the library or program that it is in.
    start = os.path.join(runtime, target.split('-')[0], 'swiftrt.o')
    nm = os.path.join(tools, 'llvm-nm')
    wanted = symbols(nm, '--undefined-only', [start]).union(
        *(symbols(nm, '--undefined-only', of) - symbols(nm, '--defined-only', of) for of in own.values()))

    work = os.path.join(folder, 'shared.product')
    os.makedirs(work, exist_ok=True)
    quoted = lambda of: [shlex.quote(o) for o in of]
    version = write(os.path.join(work, 'version'), ['{ global:', *(f'"{s}";' for s in sorted(wanted)), 'local: *; };'])
    kept = write(os.path.join(work, 'kept'), [f'-Wl,--undefined={s}' for s in sorted(wanted)])
    objcopy = os.path.join(tools, 'llvm-objcopy')
    members = write(os.path.join(work, 'members'), quoted(slim(objcopy, shared, os.path.join(work, 'shared'))))
    libraries = os.path.join(work, 'libraries')
    subprocess.run([os.path.join(tools, 'swift-autolink-extract'), members, '-o', libraries], check=True)
    options = [word for before, word in zip(first, first[1:])
               if before == '-Xlinker' and not re.match('-rpath|--defsym|main=|--no-export', word)]
    library = os.path.join(folder, LIBRARY)
    subprocess.run(
        [os.path.join(tools, 'clang'), '-shared', '--target=' + target, '-fuse-ld=lld', '-o', library, start,
         '-Wl,--start-group', members, '@' + libraries, '-Wl,--end-group', '-L' + runtime, '-lswiftCore', '-ldispatch',
         '-lBlocksRuntime', '-lstdc++', '-lm', kept, '-Wl,--build-id,--undefined-version,--soname=' + LIBRARY,
         '-Wl,--version-script=' + version[1:], *(word for option in options for word in ('-Xlinker', option)), *ORDER],
        check=True)
    for name, command in commands.items():
        remaining = slim(objcopy, own[name], os.path.join(work, 'of-' + name))
        remaining = write(os.path.join(work, name), quoted(remaining))
        at = command.index(lists[name])
        subprocess.run(
            [*command[:at], remaining, library, '-Xlinker', '-rpath=' + RUN_PATH, *ORDER, *command[at + 1:]], check=True)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.realpath(sys.argv[1]))
