#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks comments and Markdown against docs/style.md: words, length, width, links, spelling, commands of measurements.

  scripts/prose.py                 checks every file that git knows
  scripts/prose.py PATH...         checks these files and folders
  scripts/prose.py --long PATH...  lists only the sentences of more than 25 words
  scripts/prose.py --wrap PATH...  wraps the comments and paragraphs that are wider than 120 columns
  scripts/prose.py --test          runs the examples in the checks' own documentation
"""
import doctest, os, subprocess, sys

from prose_checks import links, measurements, passages, spelling, words, wrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def files(paths):
    """The files below the paths that git has or would add, relative to the checkout."""
    command = ['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
    listed = subprocess.run(command + [os.path.abspath(path) for path in paths], check=True, stdout=subprocess.PIPE)
    return sorted(name for name in set(listed.stdout.decode().split('\0')) if os.path.isfile(os.path.join(ROOT, name)))


def main():
    arguments = sys.argv[1:]
    if arguments == ['--test']:
        sys.exit(any(doctest.testmod(module).failed for module in (links, measurements, passages, spelling, words, wrap)))
    only_long, wraps = '--long' in arguments, '--wrap' in arguments
    paths = [argument for argument in arguments if argument not in ('--long', '--wrap')]
    absent = [path for path in paths if not os.path.exists(path)]
    if absent:
        sys.exit(f'scripts/prose.py: no such file: {absent[0]}')
    names, found = files(paths or [ROOT]), []
    for name in filter(passages.is_prose, names):
        path = os.path.join(ROOT, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        if wraps:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(wrap.wrapped(name, text))
            continue
        if only_long:
            complaints = words.long_sentences(name, text)
        else:
            complaints = [
                *words.faults(name, text), *words.long_sentences(name, text), *words.wide_lines(name, text),
                *links.faults(ROOT, path, text), *measurements.faults(name, text)]
        found += [f'{name}:{line}: {complaint}' for line, complaint in sorted(complaints)]
    if not only_long and not wraps and names:
        found += spelling.faults(ROOT, names)
    print('\n'.join(found), end='\n' if found else '')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
