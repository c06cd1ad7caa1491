# SPDX-License-Identifier: Apache-2.0
"""Spelling: Debian's codespell over prose, and typos over identifiers too."""
import os, shutil, subprocess

IGNORED = 'scripts/prose_checks/codespell.ignore'
# These suites misspell keys on purpose. _typos.toml says it to typos.
MISSPELT = 'Tests/Configuration/SettingsTests/*,*.bin,*.jsonl,*.base64,*.svg,LICENSE,_typos.toml,' + IGNORED


def tools(root):
    """Both commands; typos is where scripts/setup.sh puts it, or on PATH."""
    typos = os.path.join(root, '.deps/typos/typos')
    yield ['codespell', '--ignore-words', IGNORED, '--skip', MISSPELT]
    yield [typos if os.path.exists(typos) else 'typos', '--force-exclude', '--format', 'brief']


def faults(root, paths):
    """The complaints of both, one line each."""
    for command in tools(root):
        if not shutil.which(command[0]):
            yield f'{command[0]} is not installed: run scripts/setup.sh'
            continue
        result = subprocess.run(command + paths, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        yield from result.stdout.splitlines()
        if result.returncode and not result.stdout:
            yield f'{command[0]} ended with {result.returncode}'
