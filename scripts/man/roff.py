# SPDX-License-Identifier: Apache-2.0
"""Text in the form of man(7): groff_char(7), groff_man(7)."""

import re


def escape(text):
    """Escapes plain text for a formatter: portable, one byte a character."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def bold(text):
    return f"\\fB{escape(text)}\\fR"


def italic(text):
    return f"\\fI{escape(text)}\\fR"


def breakable(text):
    """Lines may end after a comma, a semicolon or a line feed within it."""
    return text.replace(",", ",\\:").replace(";", ";\\:").replace("\\en", "\\en\\:")


def line(text):
    """Makes one line of input that is not a request, whatever its first character."""
    return f"\\&{text}" if text[:1] in (".", "'") else text


def example(lines):
    """Indented lines without filling."""
    return [".PP", ".RS 4", ".nf", *(line(escape(text)) or "\\&" for text in lines), ".fi", ".RE"]


def page(name, section, date, version, summary, body):
    """Makes a complete page. mandoc(1) warns about a paragraph macro directly after a heading, so it is left out."""
    lines = [
        f'.\\" Made by scripts/man/make-man of glimpsed {version}.',
        f'.TH {name.upper()} {section} {date} "glimpsed {version}"',
        # Keys and paths are long words, so lines are ragged on the right.
        ".ad l",
        ".nh",
        ".SH NAME",
        f"{escape(name)} \\- {escape(summary)}",
        *body,
    ]
    kept = []
    for text in lines:
        if text == ".PP" and kept and re.match(r"\.(SH|SS|PP)\b", kept[-1]):
            continue
        kept.append(text)
    return "\n".join(kept) + "\n"
