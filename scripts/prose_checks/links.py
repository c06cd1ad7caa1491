# SPDX-License-Identifier: Apache-2.0
"""Relative links and anchors of Markdown, and documents that a comment names."""
import functools, os, re

from . import passages

LINK = re.compile(r'\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|\b(?:src|srcset|href)="([^"]+)"|^\[[^\]]+\]:\s*(\S+)')
DOCUMENT = re.compile(r'(?<![\w./-])docs/[\w./-]+\.(?:md|json|svg)\b|(?<![\w./-])[A-Z]{6,}\.md\b')


def slug(heading):
    """A heading's anchor, as GitHub makes it.

    >>> slug('## A pipeline, `beside` a C++ [loop](x.md)')
    'a-pipeline-beside-a-c-loop'
    """
    bare = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading.lstrip('#').strip())
    return re.sub(r'[^\w\- ]', '', bare.lower()).replace(' ', '-')


@functools.cache
def anchors(path):
    found, seen = set(), {}
    with open(path, encoding='utf-8') as file:
        text = file.read()
    for _, line in passages.markdown_lines(text):
        if re.match(r'#+ ', line):
            name = slug(line)
            seen[name] = seen.get(name, -1) + 1
            found.add(f'{name}-{seen[name]}' if seen[name] else name)
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def faults(root, path, text):
    """(line, complaint) for each link of a page that leads nowhere, and each page that a comment names in vain."""
    if not path.endswith('.md'):
        for number, line in passages.comment_lines(path, text):
            for name in DOCUMENT.findall(line):
                if not os.path.exists(os.path.join(root, name)):
                    yield number, f'{name} does not exist'
        return
    for number, line in passages.markdown_lines(text):
        for match in LINK.finditer(re.sub(r'`[^`]*`', '', line)):
            target = next(group for group in match.groups() if group)
            if re.match(r'[a-z]+:', target):
                continue
            name, _, anchor = target.partition('#')
            page = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(page):
                yield number, f'the link leads nowhere: {target}'
            elif anchor and page.endswith('.md') and anchor not in anchors(page):
                yield number, f'the page has no such heading: {target}'
