#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of Markdown pages, and checks their event lines.

Usage: scripts/page_commands.py [--bin FOLDER] [--runner RUNNER] [PAGE ...]

Without pages: those of PAGES. A block changes nothing outside its folder unless its runner has a system of its own.
Each page runs in a temporary folder, which has links to examples, models, pipelines and scripts. The fence of a block
says what happens to it:

    sh                    runs after the blocks before it, in one shell that stops at the first error
    console               the lines that begin with "$ " run so; the other lines must be in the output of their command
    sh run=RUNNER         runs at another place: a row of RUNNERS; so does console
    LANGUAGE file=NAME    is written to the file NAME, at each runner
    json                  each line that begins with {"v": must match docs/events.schema.json
    json of=NAME          lines that are no events, such as replies of the control socket

A fence without a language may not hold commands. scripts/page_setup.sh has what a page expects of its reader: files,
a camera, an editor, Ctrl-C.

FOLDER has glimpsed and glimpsed-worker; the default is .build/debug. RUNNER is the runner whose blocks run; the default
is page. The status is 1 if a page fails.
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
# Each runner, and the file that starts it. A file of `TAKEN` runs the blocks without this script.
RUNNERS = {
    'page': 'Tests/Products/ManualTests/PageCommandTests.swift',
    'ci': 'Tests/Products/ManualTests/PageCommandTests.swift',  # Proves that make and swift accept the commands.
    'systemd': 'systemd/tests/cases.sh',
    'package': 'scripts/package/pages.sh',
    'control': 'Tests/Supervision/DaemonTests/ControlPageTests.swift',
    'outside': 'Tests/Products/GlimpseVisionTests/OutsideBuildTests.swift',
}
TAKEN = ('control', 'outside')
PAGES = ('*.md', 'docs/**/*.md', 'examples/**/*.md', 'clients/**/*.md')
OPTIONS = {'file', 'of', 'run'}
SHELLS = ('sh', 'console')
LIMIT = 300  # Seconds for one page.


def blocks(text):
    """Yields line number, language, options and lines of each fenced block. The language of an odd fence is "?".

    >>> list(blocks('a\\n```sh run=ci\\nid\\n```\\n'))
    [(2, 'sh', {'run': 'ci'}, ['id'])]
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
        elif line.lstrip().startswith('```'):
            opening, content = (number, '?', {}, ''), []


def commands(found):
    """Yields line number, runner, language and lines of each block with commands."""
    for number, language, options, content in found:
        if language in SHELLS and 'file' not in options:
            yield number, options.get('run', 'page'), language, content


def shell(language, content):
    """Returns the lines of a block as lines of a shell.

    >>> shell('console', ['$ echo a', 'a'])
    ['{ echo a', "} >.shown 2>&1; cat .shown; grep -qxF -e 'a' .shown"]
    """
    if language == 'sh':
        return content
    lines = []
    for line in content:
        if line.startswith('$ '):
            lines += ['{ ' + line[2:], '} >.shown 2>&1; cat .shown']
        elif line:
            lines[-1] += "; grep -qxF -e '{}' .shown".format(line.replace("'", "'\\''"))
    return lines


def script(found, runner):
    """Returns the shell script of a page. Before each block it writes the block's line number to the file `.line`."""
    lines = ['set -e', '. "$ROOT/scripts/page_setup.sh"']
    for number, place, language, content in commands(found):
        if place == runner:
            lines += [f'echo {number} >"$HOME/.line"', *shell(language, content)]
    lines.append('check_page')
    return '\n'.join(lines) + '\n'


def prepare(folder, found):
    for name in ('examples', 'models', 'pipelines', 'scripts'):
        if os.path.exists(os.path.join(ROOT, name)):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    for _, _, options, content in found:
        if 'file' in options:
            path = os.path.join(folder, options['file'])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write('\n'.join(content) + '\n')


def run(page, found, runner, programs):
    """Runs the blocks of a page. Returns a complaint, or None."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, found)
        environment = {
            **os.environ, 'PATH': f'{programs}:{os.environ["PATH"]}', 'HOME': folder, 'ROOT': ROOT,
            'PROGRAMS': programs, 'RUNNER': runner, 'PAGE': page}
        output = open(os.path.join(folder, '.output'), 'w+', errors='replace')
        process = subprocess.Popen(
            ['/bin/sh', '-c', script(found, runner)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
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
        line = os.path.join(folder, '.line')
        last = open(line).read().strip() if os.path.exists(line) else 'set-up'
        return f'{page}:{last}: the block failed ({status})\n{output.read()[-2000:]}'


def event_lines(found):
    return [line for _, language, options, content in found if language == 'json' and 'of' not in options
            for line in content if line.startswith('{"v":')]


def invalid_lines(page, lines):
    result = subprocess.run(
        [sys.executable, os.path.join(ROOT, 'scripts/validate-events.py')], input='\n'.join(lines) + '\n',
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [f'{page}: event lines\n{result.stdout}'] if result.returncode else []


def marks(page, found):
    """Returns a complaint for each fence that hides commands from this script.

    >>> marks('a.md', [(1, '', {}, ['make all']), (5, 'sh', {'run': 'rest'}, []), (9, 'sh', {'needs': 'root'}, [])])
    ['a.md:1: commands need a fence with "sh" or "console"', 'a.md:5: unknown runner "rest"', 'a.md:9: unknown fence']
    """
    complaints = []
    for number, language, options, content in found:
        hidden = language in ('', 'bash', 'shell', 'text') and 'file' not in options
        if hidden and any(map(COMMAND.match, content)):
            complaints.append(f'{page}:{number}: commands need a fence with "sh" or "console"')
        if language == '?' or not OPTIONS.issuperset(options):
            complaints.append(f'{page}:{number}: unknown fence')
        elif options.get('run', 'page') not in RUNNERS:
            complaints.append(f'{page}:{number}: unknown runner "{options["run"]}"')
    return complaints


def idle_runners(taken):
    """Returns a complaint for each runner without blocks, and for each one whose file does not run its blocks.

    `taken` has the pages of each runner.
    """
    complaints = []
    for runner, file in RUNNERS.items():
        with open(os.path.join(ROOT, file), encoding='utf-8') as text:
            source = text.read()
        mentions = [f'run={runner}', *taken[runner]] if runner in TAKEN else [f'--runner {runner}']
        complaints += [f'{file}: no "{mention}"' for mention in mentions if mention not in source]
        if not taken[runner]:
            complaints.append(f'runner {runner}: no block')
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, '.build/debug'), metavar='FOLDER')
    parser.add_argument('--runner', default='page', choices=[runner for runner in RUNNERS if runner not in TAKEN])
    parser.add_argument('pages', nargs='*', metavar='PAGE')
    arguments = parser.parse_args()
    pages = arguments.pages or sorted(
        page for pattern in PAGES for page in glob.glob(f'{ROOT}/{pattern}', recursive=True))
    complaints, elsewhere, ran, checked = [], [], 0, 0
    taken = {runner: set() for runner in RUNNERS}
    for path in pages:
        page = os.path.relpath(path, ROOT) if os.path.abspath(path).startswith(ROOT + os.sep) else path
        with open(path, encoding='utf-8') as text:
            found = list(blocks(text.read()))
        complaints += marks(page, found)
        places = [(number, runner) for number, runner, _, _ in commands(found)]
        for number, runner in places:
            taken.setdefault(runner, set()).add(page)
            if arguments.runner == 'page' != runner:
                elsewhere.append(f'{page}:{number}: runs in {runner}')
        todo = sum(runner == arguments.runner for _, runner in places)
        ran += todo
        if todo and (complaint := run(page, found, arguments.runner, os.path.abspath(arguments.bin))):
            complaints.append(complaint)
        if arguments.runner == 'page' and (lines := event_lines(found)):
            checked += len(lines)
            complaints += invalid_lines(page, lines)
    if arguments.runner == 'page' and not arguments.pages:
        complaints += idle_runners(taken)
    if not arguments.pages and not ran:
        complaints.append(f'{ROOT}: no block of the runner {arguments.runner}')
    summary = f'{ran} blocks of the runner {arguments.runner} ran, {len(elsewhere)} run elsewhere, '
    summary += f'{checked} event lines checked, {len(complaints)} complaints'
    print(*elsewhere, *complaints, summary, sep='\n')
    sys.exit(1 if complaints else 0)


if __name__ == '__main__':
    main()
