# SPDX-License-Identifier: Apache-2.0
"""Chooses values by patterns, and masks parts of them."""

import re
from typing import Sequence

MASK = "*"


class Patterns:
    """Python's regular expressions, found anywhere in a value. `^` and `$` are the ends of a line."""

    def __init__(self, allow: Sequence[str] = (), deny: Sequence[str] = (), redact: Sequence[str] = ()):
        """Raises re.error for a bad pattern."""
        self.allow, self.deny, self.redact = (
            [re.compile(pattern, re.MULTILINE) for pattern in patterns] for patterns in (allow, deny, redact)
        )

    def admits(self, value: str) -> bool:
        """Whether the value contains one of `allow` (empty: any) and none of `deny`."""
        allowed = not self.allow or any(pattern.search(value) for pattern in self.allow)
        return allowed and not any(pattern.search(value) for pattern in self.deny)

    def masked(self, value: str) -> str:
        """The value, as long as before, with MASK for each character of a match of `redact`. Spaces stay."""
        characters = list(value)
        for pattern in self.redact:
            for match in pattern.finditer(value):
                for index in range(match.start(), match.end()):
                    if not characters[index].isspace():
                        characters[index] = MASK
        return "".join(characters)
