"""Text as man(7) wants it: groff_char(7), groff_man(7)."""

import re


def escape(text):
    """Plain text in which nothing means anything to a formatter: portable, one byte a character."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def bold(text):
    return f"\\fB{escape(text)}\\fR"


def italic(text):
    return f"\\fI{escape(text)}\\fR"


def breakable(text):
    """Lines may end after a comma or a semicolon within it."""
    return text.replace(",", ",\\:").replace(";", ";\\:")


def line(text):
    """One line of input that is no request, whatever it begins with."""
    return f"\\&{text}" if text[:1] in (".", "'") else text


def example(lines):
    """Lines that stay as they are, set in."""
    return [".PP", ".RS 4", ".nf", *(line(escape(text)) or "\\&" for text in lines), ".fi", ".RE"]


def page(name, section, date, version, summary, body):
    """A whole page. A macro that begins a paragraph says nothing right after a heading, and mandoc(1) says so."""
    lines = [
        f'.\\" Made by scripts/man/make-man of glimpsed {version}.',
        f'.TH {name.upper()} {section} {date} "glimpsed {version}"',
        # Keys and paths are long words: lines end where words do.
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
