#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of Markdown pages, and checks their event lines.

Usage: scripts/page_commands.py [--bin FOLDER] [PAGE ...]

Without pages: README.md, CONTRIBUTING.md, SECURITY.md, docs/embedding.md, and docs/tutorials, docs/guides,
docs/reference and docs/explanation. Their blocks change nothing outside their folder. Each page runs in a temporary
folder of its own, which has links to examples, models, pipelines and scripts. The fence of a block says what happens to
it:

    sh                    runs after the blocks before it, in one shell that stops at the first error
    console               the lines that begin with "$ " run so; the other lines show an output
    sh needs=REASON       does not run here; the summary counts and lists it; so does console
    LANGUAGE file=NAME    is written to the file NAME
    json                  each line that begins with {"v": must match docs/events.schema.json
    json of=NAME          lines that are no events, such as replies of the control socket

REASON is one of REASONS. ELSEWHERE names the pages that a Swift test runs. A fence without a language may not hold
commands.

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
FENCE = re.compile(r'^( *)```(\w*)((?: \w+=\S+)*)$')
COMMAND = re.compile(r'\$ |(sudo|glimpsed|make|apt|apt-get|systemctl|journalctl) ')
REASONS = {
    'browser': 'runs until somebody ends it',
    'build': 'builds the sources, for minutes',
    'camera': 'needs a camera or a film of the reader',
    'network': 'downloads',
    'daemon': 'needs the installed daemon with pipelines of its own',
    'models': 'needs a model, or pictures of the reader',
    'program': 'needs a detector of the reader',
    'release': 'runs for hours, for a release',
    'root': 'changes the system',
}
# A test of their own runs the commands of these pages.
ELSEWHERE = {'docs/reference/control.md': 'Tests/Supervision/DaemonTests/ControlPageTests.swift'}
PAGES = ('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/embedding.md')
FOLDERS = ('tutorials', 'guides', 'reference', 'explanation')
SHELLS = ('sh', 'console')
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
        elif language in SHELLS and 'needs' not in options:
            if language == 'console':
                content = [line[2:] for line in content if line.startswith('$ ')]
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
    return [line for _, language, options, content in found if language == 'json' and 'of' not in options
            for line in content if line.startswith('{"v":')]


def marks(page, found):
    """Returns a complaint for each fence that hides commands from this script.

    >>> marks('a.md', [(1, '', {}, ['make all']), (5, 'sh', {'needs': 'rest'}, []), (9, 'sh', {'needs': 'root'}, [])])
    ['a.md:1: commands need a fence with "sh" or "console"', 'a.md:5: unknown reason "rest"']
    """
    complaints = []
    for number, language, options, content in found:
        hidden = language in ('', 'bash', 'shell', 'text') and 'file' not in options
        if hidden and any(map(COMMAND.match, content)):
            complaints.append(f'{page}:{number}: commands need a fence with "sh" or "console"')
        if 'needs' in options and options['needs'] not in REASONS:
            complaints.append(f'{page}:{number}: unknown reason "{options["needs"]}"')
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, '.build/debug'), metavar='FOLDER')
    parser.add_argument('pages', nargs='*', metavar='PAGE')
    arguments = parser.parse_args()
    pages = arguments.pages or [f'{ROOT}/{page}' for page in PAGES] + sorted(
        page for folder in FOLDERS for page in glob.glob(f'{ROOT}/docs/{folder}/*.md'))
    complaints, skipped, ran, checked = [], [], 0, 0
    for path in pages:
        page = os.path.relpath(path, ROOT) if os.path.abspath(path).startswith(ROOT + os.sep) else path
        with open(path, encoding='utf-8') as text:
            found = list(blocks(text.read()))
        complaints += marks(page, found)
        if page in ELSEWHERE:
            if page not in open(os.path.join(ROOT, ELSEWHERE[page]), encoding='utf-8').read():
                complaints.append(f'{page}: {ELSEWHERE[page]} does not run this page')
            continue
        commands = [block for block in found if block[1] in SHELLS and 'file' not in block[2]]
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
