# SPDX-License-Identifier: Apache-2.0
"""Makes glimpsed(1) from the output of `glimpsed --experimental-dump-help`, the description behind --help."""

import re

import roff

# Every command has these options.
COMMON = {"help", "version"}


def body(command, worker):
    """
    - command: what glimpsed says of itself.
    - worker: what glimpsed-worker does; glimpsed hands it the arguments of its commands.
    """
    theirs = {sub["commandName"]: sub for sub in worker["subcommands"]}
    result = [".SH SYNOPSIS", roff.bold("glimpsed") + " " + roff.italic("command") + " [" + roff.italic("argument") + " ...]"]
    introduction, *examples, last = paragraphs(command)
    result += [".SH DESCRIPTION", roff.escape(command["abstract"]), *discussion(introduction)]
    for text in [*examples, last]:
        result += [".SH EXIT STATUS", *statuses(text)] if text.startswith("Exit status:") else discussion(text)
    result += [".SH COMMANDS"]
    for sub in visible(command):
        result += section(theirs.get(sub["commandName"], sub) if passes(sub) else sub, "glimpsed")
    return result


def section(command, path):
    """A command, and those below it."""
    name = f"{path} {command['commandName']}"
    arguments = [a for a in command.get("arguments", []) if a["shouldDisplay"] and long_name(a) not in COMMON]
    result = [".SS " + roff.bold(name) + "".join(" " + usage(a) for a in arguments), roff.escape(command["abstract"])]
    for argument in arguments:
        result += [".TP", label(argument), roff.line(roff.escape(explained(argument)))]
    for text in paragraphs(command):
        result += discussion(text)
    for sub in visible(command):
        result += section(sub, name)
    return result


def visible(command):
    return [sub for sub in command.get("subcommands", []) if sub["shouldDisplay"] and sub["commandName"] != "help"]


def passes(command):
    """Whether the command only passes its arguments on."""
    return any(a["parsingStrategy"] == "allRemainingInput" for a in command.get("arguments", []))


def paragraphs(command):
    return [text for text in re.split(r"\n\s*\n", command.get("discussion") or "") if text.strip()]


def discussion(text):
    """A paragraph of --help. An indented paragraph is unchanged."""
    lines = text.split("\n")
    if not any(line.startswith("  ") for line in lines):
        return [".PP", roff.line(roff.escape(" ".join(lines)))]
    start = next(i for i, line in enumerate(lines) if line.startswith("  "))
    head = [".PP", roff.line(roff.escape(" ".join(lines[:start])))] if start else []
    return head + roff.example([line.removeprefix("  ") for line in lines[start:]])


def statuses(text):
    """`Exit status: 0 success, 1 failed.` as a list."""
    result = []
    for part in re.split(r", (?=\d)", text.removeprefix("Exit status:").strip().rstrip(".")):
        number, meaning = part.split(" ", 1)
        result += [".TP", roff.bold(number), roff.escape(meaning)]
    return result


def long_name(argument):
    return next((n["name"] for n in argument.get("names", []) if n["kind"] == "long"), argument.get("valueName"))


def usage(argument):
    text = label(argument) + (" ..." if argument["isRepeating"] else "")
    return f"[{text}]" if argument["isOptional"] else text


def label(argument):
    names = [("\\-\\-" if n["kind"] == "long" else "\\-") + roff.escape(n["name"]) for n in argument.get("names", [])]
    value = f"\\fI{roff.escape(argument['valueName'])}\\fR"
    if argument["kind"] == "positional":
        return value
    joined = ", ".join(f"\\fB{name}\\fR" for name in names)
    return f"{joined} {value}" if argument["kind"] == "option" else joined


def explained(argument):
    text = argument.get("abstract", "")
    if default := argument.get("defaultValue"):
        if "efault" not in text:
            text += f" Default: {default}."
    return text or "\\&"
