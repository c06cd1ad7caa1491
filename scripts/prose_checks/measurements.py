# SPDX-License-Identifier: Apache-2.0
"""Tables of measurements name the command that makes them, the machine and the date."""
import re

FOLDER = 'docs/performance/'
# Its introduction says why its tables lack commands.
EXEMPT = FOLDER + 'unrecorded.md'
NEEDED = ('Command', 'Machine', 'Date')


def faults(name, text):
    """(line, complaint) for each section with a table that lacks one of the three, also in the sections around it.

    >>> page = '# P\\n\\n## A\\n\\n- Command: `a`\\n- Machine: b\\n\\n### B\\n\\n- Date: 2026-11-21\\n\\n| a |\\n|---|\\n'
    >>> list(faults('docs/performance/a.md', page))
    []
    >>> list(faults('docs/performance/a.md', page.replace('### B', '## B')))
    [(8, 'the tables of "B" lack Command, Machine')]
    """
    if not name.startswith(FOLDER) or not name.endswith('.md') or name == EXEMPT:
        return
    # The open sections: first line, level, title, the names that a section has, and whether it has a table.
    sections = []
    for number, line in enumerate(text.split('\n') + ['# end'], 1):
        if heading := re.match(r'(#+) (.*)', line):
            while sections and sections[-1]['level'] >= len(heading[1]):
                missing = [word for word in NEEDED if not any(word in section['names'] for section in sections)]
                section = sections.pop()
                if section['table'] and missing:
                    yield section['line'], f'the tables of "{section["title"]}" lack {", ".join(missing)}'
            sections.append(
                {'line': number, 'level': len(heading[1]), 'title': heading[2], 'names': set(), 'table': False})
        elif sections and (item := re.match(r'- (Command|Machine|Date):', line)):
            sections[-1]['names'].add(item[1])
        elif sections and line.startswith('|'):
            sections[-1]['table'] = True
