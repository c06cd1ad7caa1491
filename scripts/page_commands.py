#!/usr/bin/env python3
"""Runs the commands of Markdown pages, and checks their event lines.

Usage: scripts/page_commands.py [--bin FOLDER] [PAGE ...]

Without pages: docs/tutorials, whose blocks change nothing outside their folder. Each page runs in a temporary folder
of its own, which has links to examples, models, pipelines and scripts. The fence of a block says what happens to it:

    sh                    runs after the blocks before it, in one shell that stops at the first error
    sh needs=REASON       does not run here; the summary counts and lists it
    LANGUAGE file=NAME    is written to the file NAME
    json                  each line that begins with {"v": must match docs/events.schema.json

FOLDER has glimpsed and glimpsed-worker; the default is .build/debug. The status is 1 if a page fails.
"""

import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r'^( *)```(\w+)((?: \w+=\S+)*)$')
LIMIT = 300  # Seconds for one page.


def blocks(text):
    """Yields line number, language, options and lines of each fenced block.

    >>> list(blocks('a\\n```sh needs=root\\nid\\n```\\n'))
    [(2, 'sh', {'needs': 'root'}, ['id'])]
    >>> list(blocks('1. Do:\\n\\n   ```sh\\n   id\\n   ```\\n'))
    [(3, 'sh', {}, ['id'])]
    """
    opening, content = None, []
    for number, line in enumerate(text.split('\n'), 1):
        if opening:
            if line.strip() == '```':
                yield (*opening[:3], content)
                opening = None
            else:
                content.append(line.removeprefix(opening[3]))
        elif match := FENCE.match(line):
            options = dict(option.split('=', 1) for option in match[3].split())
            opening, content = (number, match[2], options, match[1]), []


def script(found):
    """Returns the shell script of a page. Before each block it writes the block's line number to the file `.line`."""
    lines = ['set -e']
    for number, language, options, content in found:
        if 'file' in options:
            name = options['file']
            lines += [f"mkdir -p \"$(dirname '{name}')\"", f"cat >'{name}' <<'END-OF-BLOCK'", *content, 'END-OF-BLOCK']
        elif language == 'sh' and 'needs' not in options:
            lines += [f'echo {number} >.line', *content]
    return '\n'.join(lines) + '\n'


def run(page, found, programs):
    """Runs the blocks of a page. Returns a complaint, or None."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ('examples', 'models', 'pipelines', 'scripts'):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        environment = {**os.environ, 'PATH': f'{programs}:{os.environ["PATH"]}', 'HOME': folder}
        output = open(os.path.join(folder, '.output'), 'w+', errors='replace')
        process = subprocess.Popen(
            ['/bin/sh', '-c', script(found)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            status = f'no end after {LIMIT} s'
        finally:
            try:
                # The group holds the programs that the page started in the background.
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        if status == 0:
            return None
        output.seek(0)
        last = open(os.path.join(folder, '.line')).read().strip()
        return f'{page}:{last}: the block failed ({status})\n{output.read()[-2000:]}'


def event_lines(found):
    return [line for _, language, _, content in found if language == 'json'
            for line in content if line.startswith('{"v":')]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, '.build/debug'), metavar='FOLDER')
    parser.add_argument('pages', nargs='*', metavar='PAGE')
    arguments = parser.parse_args()
    pages = arguments.pages or sorted(glob.glob(f'{ROOT}/docs/tutorials/*.md'))
    complaints, skipped, ran, checked = [], [], 0, 0
    for path in pages:
        page = os.path.relpath(path, ROOT) if os.path.abspath(path).startswith(ROOT + os.sep) else path
        with open(path, encoding='utf-8') as text:
            found = list(blocks(text.read()))
        commands = [block for block in found if block[1] == 'sh' and 'file' not in block[2]]
        skipped += [f'{page}:{number}: needs {options["needs"]}' for number, _, options, _ in commands
                    if 'needs' in options]
        todo = sum('needs' not in options for _, _, options, _ in commands)
        ran += todo
        if todo and (complaint := run(page, found, os.path.abspath(arguments.bin))):
            complaints.append(complaint)
        lines = event_lines(found)
        checked += len(lines)
        if lines:
            result = subprocess.run(
                [sys.executable, os.path.join(ROOT, 'scripts/validate-events.py')], input='\n'.join(lines) + '\n',
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode:
                complaints.append(f'{page}: event lines\n{result.stdout}')
    print('\n'.join(skipped + complaints))
    print(f'{len(pages)} pages: {ran} blocks ran, {len(skipped)} did not, {checked} event lines checked, '
          f'{len(complaints)} complaints')
    sys.exit(1 if complaints else 0)


if __name__ == '__main__':
    main()
