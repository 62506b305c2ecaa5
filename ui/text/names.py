"""Names as they are shown at a table by link: a sign stands before a name that looks like an earlier one.

The sign is a part of the text, so it is wherever the name is: on the board, in the log, in sentences. It comes first
because long names are cut at their end. The second name that looks like the same one has the sign twice, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

SIGN = "\N{ALMOST EQUAL TO}"
#: it is in no name: names have plain spaces
SPACE = "\N{NO-BREAK SPACE}"


def shown_names(names: Sequence[str], alike: Mapping[int, int]) -> tuple[str, ...]:
    """Returns the names with their signs. `alike` has the index of a name, and that of the one it looks like, in the
    order in which the names came."""
    result, counts = list(names), Counter[int]()
    for index, first in alike.items():
        counts[first] += 1
        result[index] = SIGN * counts[first] + SPACE + names[index]
    return tuple(result)


def given_name(shown: str) -> str:
    """Returns a name without its sign."""
    return shown.rpartition(SPACE)[2]
