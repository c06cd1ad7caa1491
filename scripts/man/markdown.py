# SPDX-License-Identifier: Apache-2.0
"""Converts the Markdown of docs/ to man(7). Rows of tables become definitions, because a page is too narrow for
tables."""

import re

import roff

# Headings of columns that are left out, because their cells explain themselves.
SILENT = {"", "meaning", "fields", "does", "more", "lets through"}
# A table of numbers stays a table.
WIDE = 6


def body(text):
    """Returns the text below the first heading as lines of roff."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("# ")) + 1
    return [".SH DESCRIPTION", *blocks(lines[start:])]


def section(text):
    """Returns a page as a section of another page, as lines of roff."""
    return blocks([re.sub("^##? ", lambda marks: "#" + marks[0], line) for line in text.split("\n")])


def blocks(lines):
    result, i = [], 0
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
        elif line.startswith("#"):
            marks, title = line.split(" ", 1)
            plain = title.replace("`", "").replace("*", "")
            result += [".SH " + roff.escape(plain.upper())] if marks == "##" else [".SS " + inline(title)]
            i += 1
        elif line.startswith("```"):
            end = lines.index("```", i + 1)
            result += roff.example(lines[i + 1 : end])
            i = end + 1
        elif line.startswith("|"):
            end = until(lines, i, lambda text: not text.startswith("|"))
            result += table([cells(row) for row in lines[i:end]])
            i = end
        elif line.startswith("- "):
            end = until(lines, i + 1, lambda text: not text.startswith("  "))
            item = " ".join(text.strip() for text in [line[2:], *lines[i + 1 : end]])
            result += [".IP \\(bu 2", *sentence(item)]
            i = end
        else:
            end = until(lines, i + 1, lambda text: not text.strip() or text.startswith(("|", "```", "#", "- ")))
            result += [".PP", *sentence(" ".join(text.strip() for text in lines[i:end]))]
            i = end
    return result


def until(lines, start, stop):
    return next((i for i in range(start, len(lines)) if stop(lines[i])), len(lines))


def sentence(text):
    return [roff.line(inline(text))]


def inline(text):
    """Code and strong text in bold, emphasis in italics, a link as its text, with the address when it leads out."""
    result = []
    pattern = r"(`[^`]+`|\*\*.+?\*\*|(?<![\w*])\*[^*\s][^*]*\*(?![\w*])|\[(?:[^\]`]|`[^`]*`)+\]\([^)]+\))"
    for part in re.split(pattern, text):
        if part.startswith("`") and len(part) > 1:
            result.append(roff.breakable(roff.bold(part[1:-1])))
        elif part.startswith("**") and len(part) > 4:
            result.append(f"\\fB{inline(part[2:-2])}\\fR" if "`" not in part else inline(part[2:-2]))
        elif part.startswith("*") and len(part) > 2 and part.endswith("*"):
            result.append(roff.italic(part[1:-1]))
        elif link := re.fullmatch(r"\[(.+)\]\(([^)]+)\)", part):
            words, address = link.groups()
            result.append(inline(words) + (f" <{roff.escape(address)}>" if address.startswith("http") else ""))
        else:
            result.append(roff.escape(part))
    return "".join(result)


def cells(row):
    """Returns a row's cells. A bar within code is not a border."""
    row = row.strip()
    parts, code = [""], False
    for c in row[1 : -1 if row.endswith("|") else None]:
        if c == "`":
            code = not code
        if c == "|" and not code:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def table(rows):
    head, rows = rows[0], rows[2:]
    if len(head) > WIDE:
        return numbers(head, rows)
    result = []
    for row in rows:
        notes = [f"{inline(h)}: {inline(c)}" for h, c in zip(head[1:-1], row[1:-1]) if c and h not in SILENT]
        words = [inline(c) for h, c in zip(head[1:-1], row[1:-1]) if c and h in SILENT]
        if row[-1]:
            said = head[-1] in SILENT
            words.append(inline(row[-1]) if said else f"{inline(head[-1])}: {inline(row[-1])}")
        text = ". ".join(part for part in ["; ".join(notes), *words] if part)
        result += [".TP", roff.line(inline(row[0]) or "\\&"), roff.line(text or "\\&")]
    return result


def numbers(head, rows):
    rows = [[cell.replace("`", "").replace("*", "") for cell in row] for row in [head, *rows]]
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    return roff.example(["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows])
