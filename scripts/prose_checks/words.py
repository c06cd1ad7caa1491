# SPDX-License-Identifier: Apache-2.0
"""Words and sentences that docs/style.md rules out, and lines that are too wide."""
import re

from . import passages

WIDTH = 120
LONGEST = 25

# A sentence that opens so hides its subject. A question may.
OPENING = re.compile(
    r"""(What(ever)?|Who(ever|m|se)?|Which(ever)?|Of|None\ of|Nothing\ of|Those\ (who|that)|The\ same|Such\ (a|an|is)|
         So\ (is|are|does|do|has|have)|Nor|Neither\ (is|are|does|do|has|have))\b(?!-)""",
    re.VERBOSE)
PHRASES = [
    (re.compile(r'\bso manieth\b', re.I), 'say "n-th"'),
    (re.compile(r'\b(is|are|was|were|be|been|being) told\b', re.I), 'say who reports or passes it'),
    (re.compile(r'\bthere (is|are|was|were) none\b', re.I), 'say "absent" or "no" with the noun'),
    (re.compile(r'\b(goes|go) by (the|its|a|what)\b', re.I), 'say "depends on"'),
    (re.compile(r'\b(and|but|or|than) (what|who) (is|are|has|have)\b', re.I), 'name the noun'),
    (re.compile(r'\b(whosoever|thereof|wherein|whereof|whence|thence)\b', re.I), 'use a plain word'),
]
# A test is named after its subject too.
TEST = re.compile(r'\bfunc (what|who|whoever|whatever|theSame)[A-Z]\w*')


def faults(path, text):
    """(line, complaint) for each passage.

    >>> list(faults('a.md', 'What is whole is kept.'))
    [(1, 'the sentence opens with "What": name its subject')]
    >>> list(faults('a.md', 'What is kept?\\n\\n# Who comes back\\n\\nThe queue keeps the frame.'))
    []
    >>> list(faults('a.swift', 'let a = "// What is this"  // Of these, the first'))
    [(1, 'the sentence opens with "Of": name its subject')]
    >>> list(faults('a.py', '# Sends every so manieth frame.'))
    [(1, '"so manieth": say "n-th"')]
    >>> list(faults('Tests/a.swift', '@Test func whatIsLostComesBack() {'))
    [(1, 'the name "whatIsLostComesBack" hides its subject')]
    """
    if path.startswith('Tests/') and path.endswith('.swift'):
        for match in TEST.finditer(text):
            name = match[0].removeprefix('func ')
            yield text.count('\n', 0, match.start()) + 1, f'the name "{name}" hides its subject'
    for number, words in passages.passages(path, text):
        for sentence in passages.sentences(words):
            opening = OPENING.match(sentence.lstrip('*_"“(['))
            if opening and not sentence.rstrip('*_"”)]').endswith('?'):
                yield number, f'the sentence opens with "{opening[0]}": name its subject'
        for phrase, advice in PHRASES:
            for match in phrase.finditer(words):
                yield number, f'"{match[0]}": {advice}'


def long_sentences(path, text):
    """(line, complaint) for each sentence of more than 25 words. A list with a comma for each three words may be long.

    >>> list(long_sentences('a.md', 'word ' * 26))
    [(1, 'the sentence has 26 words, 25 are enough: word word word word word word')]
    >>> list(long_sentences('a.md', 'word ' * 25 + '\\n\\n' + 'cell phone, ' * 13))
    []
    """
    for number, words in passages.passages(path, text):
        for sentence in passages.sentences(words):
            count = len(re.findall(r'[\w`]\S*', re.sub(r'\]\([^)]*\)', ']', sentence)))
            if count > LONGEST and 3 * sentence.count(',') < count:
                beginning = ' '.join(sentence.split()[:6])
                yield number, f'the sentence has {count} words, {LONGEST} are enough: {beginning}'


def wide_lines(path, text):
    """(line, complaint) for lines of comments and Markdown wider than 120 columns. A link's address does not count.

    >>> list(wide_lines('a.md', 'a [link](' + 'x' * 200 + ').'))
    []
    >>> list(wide_lines('a.swift', 'let a = 1  // ' + 'word ' * 22))
    [(1, 'the comment is 123 columns wide; 120 are enough')]
    """
    source = text.split('\n')
    if path.endswith('.md'):
        lines = [(number, line) for number, line in passages.markdown_lines(text) if not line.lstrip().startswith('|')]
    else:
        lines = [(number, source[number - 1]) for number, _ in passages.comment_lines(path, text)]
    for number, line in lines:
        shown = re.sub(r'\]\([^)]*\)|<?https?://\S+', ']', line).rstrip()
        if len(shown) > WIDTH and ' ' in shown.lstrip(' -*#/'):
            kind = 'line' if path.endswith('.md') else 'comment'
            yield number, f'the {kind} is {len(shown)} columns wide; {WIDTH} are enough'
