#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the decision records in docs/decisions and keeps their index.

  scripts/decisions.py            fails where a record breaks the form, or the index differs from the records
  scripts/decisions.py --write    writes the index

docs/decisions/0000-template.md is the form.
"""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, 'docs', 'decisions')
PAGE = os.path.join(FOLDER, 'README.md')
BEGIN, END = '<!-- decisions: written by scripts/decisions.py -->', '<!-- end of decisions -->'
TEMPLATE = '0000-template.md'
SECTIONS = ['Context', 'Decision', 'Measurement', 'Cost']
MOST_WORDS = 300

HEAD = re.compile(r'# (?P<number>\d{4})\. (?P<title>.+)\n\n- Date: (?P<date>\d{4}-\d\d-\d\d)\n- Status: (?P<status>.+)\n')
SUPERSEDED = re.compile(r'superseded by \[(?P<number>\d{4})\]\((?P<file>[^)]+)\)')


def read(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return file.read()


def slug(title):
    return re.sub(r'[^a-z0-9]+', '-', title.lower().replace("'", '')).strip('-')


def records():
    """Returns (the head of each record by file name, in the order of the numbers; complaints)."""
    heads, complaints = {}, []
    for name in sorted(os.listdir(FOLDER)):
        if name in ('README.md', TEMPLATE):
            continue
        text = read(name)
        head = HEAD.match(text)
        if head is None:
            complaints.append(f'{name}: the head must be that of {TEMPLATE}')
            continue
        heads[name] = head.groupdict()
        complaints += [f'{name}: {complaint}' for complaint in faults(name, head, text)]
    return heads, complaints


def faults(name, head, text):
    expected = f'{head["number"]}-{slug(head["title"])}.md'
    if name != expected:
        yield f'the title asks for the name {expected}'
    parts = re.split(r'^## (.+)\n', text[head.end():], flags=re.MULTILINE)
    if parts[1::2] != SECTIONS:
        yield f'the sections must be {", ".join(SECTIONS)}'
    for title, body in zip(parts[1::2], parts[2::2]):
        if not body.strip():
            yield f'the section {title} is empty'
    words = len(re.findall(r'\w\S*', text))
    if words > MOST_WORDS:
        yield f'{words} words; {MOST_WORDS} are the limit'
    if head['status'] != 'accepted':
        superseded = SUPERSEDED.fullmatch(head['status'])
        if superseded is None:
            yield 'the status must be "accepted" or "superseded by [NNNN](NNNN-title.md)"'
        elif superseded['number'] <= head['number'] or not superseded['file'].startswith(superseded['number'] + '-'):
            yield 'the status must name a later record'


def order_faults(heads):
    """Checks that numbers have no gap and dates ascend."""
    previous = ''
    for expected, (name, head) in enumerate(heads.items(), start=1):
        if int(head['number']) != expected:
            yield f'{name}: the next number is {expected:04}'
            return
        if head['date'] < previous:
            yield f'{name}: the record before it has a later date, {previous}'
        previous = head['date']


def link_faults(heads):
    for name in list(heads) + ['README.md']:
        for target in re.findall(r'\]\((\d{4}-[^)]+)\)', read(name)):
            if target not in heads and target != TEMPLATE:
                yield f'{name}: there is no {target}'


def table(heads):
    lines = [BEGIN, '| number | decision | date | status |', '|---|---|---|---|']
    for name, head in heads.items():
        lines.append(f'| [{head["number"]}]({name}) | {head["title"]} | {head["date"]} | {head["status"]} |')
    return '\n'.join(lines + [END])


def main():
    heads, complaints = records()
    page = read('README.md')
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    new = page[:begin] + table(heads) + page[end:]
    if '--write' in sys.argv[1:] and new != page:
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(new)
        page = new
    complaints += list(order_faults(heads)) + list(link_faults(heads))
    if page != new:
        complaints.append('The index in docs/decisions/README.md differs from the records: scripts/decisions.py --write')
    if complaints:
        sys.exit('\n'.join(complaints))


if __name__ == '__main__':
    main()
