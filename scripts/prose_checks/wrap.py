# SPDX-License-Identifier: Apache-2.0
"""Wraps the paragraphs that are wider than 120 columns, and leaves all others as they are."""
import re, textwrap

from . import passages

WIDTH = 120
# Indentation, a comment's marker, a list's bullet, and words.
MARKED_COMMENT = re.compile(r'(\s*)((?:///?|#)(?=\s|$))?( *)((?:[-*+]|\d+\.) +)?(.*)')
MARKED_LINE = re.compile(r'(\s*)()()((?:[-*+]|\d+\.) +)?(.*)')
# Not prose: headings, tables, tags, quotations, definitions of links, rulers, directives of tools, columns, usage.
WORDS = re.compile(
    r'(?!\s*$|"""$|[|#<>]|\[[^\]]+\]:|---|```|(swift-tools-version|swift-format|shellcheck|SPDX)|.*(\S {3,}\S|\[--))')
# A line must not begin with a word that Markdown takes for a list, a heading, a quotation or a table.
GLUED = re.compile(r' (?=(?:[-+*>|]|#+|\d+[.)]) )')


def wrapped(path, text):
    """The text with its wide paragraphs wrapped.

    >>> print(wrapped('a.swift', '    /// - Parameter name: ' + 'word ' * 22 + '\\n    let name: String'))
        /// - Parameter name: word word word word word word word word word word word word word word word word word word word
        ///   word word word
        let name: String
    >>> wrapped('a.md', '| ' + 'word ' * 40 + '|')[-6:]
    'word |'
    """
    is_page, out, paragraph, fenced = path.endswith('.md'), [], [], False
    lines = passages.markdown_lines(text) if is_page else passages.comment_lines(path, text)
    candidates = dict(lines)
    for number, line in enumerate(text.split('\n') + [''], 1):
        is_docstring = path.endswith('.py') and not candidates.get(number, '#').startswith('#')
        form = MARKED_LINE if is_page or is_docstring else MARKED_COMMENT
        indent, marker, gap, bullet, words = form.match(line).groups(default='')
        if words.startswith('```'):
            fenced = not fenced
        is_prose = number in candidates and not fenced and WORDS.match(words) and (is_page or is_docstring or marker)
        is_code = len(gap if marker else indent) >= 4 and not bullet and not paragraph
        if paragraph and (not is_prose or bullet or not is_page and paragraph[0][:2] != (indent, marker)):
            out += flushed(paragraph)
            paragraph = []
        if is_prose and not is_code:
            paragraph.append((indent, marker, gap, bullet, words, line))
        else:
            out.append(line)
    return '\n'.join(out[:-1])


def flushed(paragraph):
    lines = [entry[5] for entry in paragraph]
    if all(len(re.sub(r'\]\([^)]*\)', ']', line)) <= WIDTH for line in lines):
        return lines
    indent, marker, gap, bullet = paragraph[0][:4]
    head = indent + marker + gap
    words = GLUED.sub('\0', ' '.join(entry[4].strip() for entry in paragraph))
    return [line.replace('\0', ' ') for line in textwrap.wrap(
        words, WIDTH, initial_indent=head + bullet, subsequent_indent=head + ' ' * len(bullet),
        break_long_words=False, break_on_hyphens=False)]
