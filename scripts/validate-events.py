#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates lines of the event stream, from standard input, against docs/events.schema.json.

Prints one line for each violation and ends with status 1 when there was one. Needs Debian's python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema

schema = json.loads((pathlib.Path(__file__).parent.parent / "docs/events.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


violations = 0
for number, line in enumerate(sys.stdin.buffer.read().splitlines(), 1):
    try:
        event = json.loads(line, parse_constant=no_constant)
        problems = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(event)]
    except ValueError as error:
        problems = [str(error)]
    for problem in problems:
        print(f"line {number}: {problem}")
    violations += len(problems)
sys.exit(1 if violations else 0)
