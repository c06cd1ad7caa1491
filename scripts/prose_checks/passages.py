# SPDX-License-Identifier: Apache-2.0
"""Reads the prose of a file: comments of a program, paragraphs of Markdown.

A passage is (line, text): the line where it begins, counted from 1, and its words on one line, without markers.
Code is left out: fenced and indented blocks, and `spans`, which become the one word `code`.
"""
import io, re, tokenize

SLASHED = ('.swift', '.c', '.cpp', '.h', '.hpp', '.mjs', '.js')
HASHED = ('.sh', '.toml')
MARKUP = re.compile(r'^\s*(///<|///?|/\*\*?|\*/|\*(?=\s|$)|#+!?)?')
# A string first, so that the slashes of an address are no comment.
TOKENS = re.compile(r'#+"[\s\S]*?"#+|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|(//[^\n]*|/\*[\s\S]*?\*/)')
# A tag of a comment such as @param, or a line with columns.
COLUMNS = re.compile(r'^\s*@|\S {2,}\S')
ITEM = re.compile(r'^\s*([-*+]|\d+\.)\s')


def is_prose(path):
    return path.endswith(SLASHED + HASHED + ('.py', '.md'))


def comment_lines(path, text):
    """The lines (number, text with markers) that a comment or a Python docstring takes up."""
    if path.endswith(SLASHED):
        for match in TOKENS.finditer(text):
            if match[1]:
                first = text.count('\n', 0, match.start()) + 1
                for offset, line in enumerate(match[1].split('\n')):
                    yield first + offset, line
    elif path.endswith('.py'):
        begins, depth = True, 0
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and begins and not depth:
                # The examples of a docstring are code.
                words = re.split(r'\n\s*>>>', token.string)[0]
                for offset, line in enumerate(words.split('\n')):
                    yield token.start[0] + offset, line.replace('"""', '')
            if token.type == tokenize.OP:
                depth += (token.string in '([{') - (token.string in ')]}')
            begins = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)
    else:
        for number, line in enumerate(text.split('\n'), 1):
            if re.match(r'\s*#(?!!)', line):
                yield number, line


def join(lines):
    """Passages of adjacent lines; an empty line, a list's item and `- Parameter` begin a new one.

    >>> list(join([(1, '/// One'), (2, '/// sentence.'), (3, '///'), (4, '///     offset  0'), (5, '///     length  4')]))
    [(1, 'One sentence.')]
    """
    first, words, last, code, indented = 0, [], -1, False, False
    for number, line in lines:
        bare = '' if 'SPDX-License-Identifier' in line else MARKUP.sub('', line).replace('*/', '')
        if bare.strip().startswith('```'):
            code, bare = not code, ''
        indented = bare.startswith('     ') and (indented or not words)
        if indented:
            bare = ''
        ends = code or not bare.strip() or number != last + 1 or ITEM.match(bare) or COLUMNS.search(bare)
        if ends and words:
            yield first, ' '.join(words)
            words = []
        if bare.strip() and not code:
            first = first if words else number
            words.append(ITEM.sub('', bare).strip())
        last = number
    if words:
        yield first, ' '.join(words)


def markdown_lines(text):
    """The lines (number, text) outside fenced and indented code, comments and HTML tags."""
    text = re.sub(r'<!--[\s\S]*?-->', lambda match: '\n' * match[0].count('\n'), text)
    code, before = False, ''
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            code = not code
        elif not code and not (line.startswith('    ') and not before.strip()):
            yield number, line
        if not line.startswith('    '):
            before = line


def markdown_passages(text):
    yield from tables_and_text([(number, line) for number, line in markdown_lines(text) if not re.match(r'#+ ', line)])


def comment_passages(path, text):
    """A comment behind code begins a passage, and a comment on a line of its own after `///<` does too.

    >>> list(comment_passages('a.cpp', 'int a; // pixels\\nint b; // grey levels\\n       // of the bars'))
    [(1, 'pixels'), (2, 'grey levels of the bars')]
    """
    source, lines = text.split('\n'), []
    for number, line in comment_lines(path, text):
        is_behind_code = not source[number - 1].lstrip().startswith(line.lstrip())
        if is_behind_code or lines and lines[-1][1].startswith('///<') and not line.startswith('///<'):
            yield from tables_and_text(lines)
            lines = []
        lines.append((number, line))
    yield from tables_and_text(lines)


def tables_and_text(lines):
    """Each cell of a table is a passage.

    >>> list(tables_and_text([(1, '/// | a | b |'), (2, '/// |---|---|'), (3, '/// | One. | Two. |'), (4, '/// Three.')]))
    [(3, 'One.'), (3, 'Two.'), (4, 'Three.')]
    """
    rows = [MARKUP.sub('', line).strip() for _, line in lines]
    plain = []
    for index, (number, line) in enumerate(lines):
        if rows[index].startswith('|'):
            heads = index + 1 < len(lines) and re.match(r'\|[\s:-]+\|', rows[index + 1])
            if not heads:
                yield from ((number, cell.strip()) for cell in rows[index].split('|') if cell.strip(' -:'))
        else:
            plain.append((number, line))
    yield from join(plain)


def passages(path, text):
    found = markdown_passages(text) if path.endswith('.md') else comment_passages(path, text)
    for number, words in found:
        yield number, re.sub(r'`+[^`]+`+', 'code', words)


def sentences(words):
    return re.split(r'(?<=[.!?])["”)*]*\s+(?=[A-Z"“(\[*]|\d|code|nil\b|null\b)', words)
