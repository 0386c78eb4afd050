"""Says in a line what of a run was looked at, and what was not."""

from __future__ import annotations

from jaxtutor.core.data.coverage import Coverage

MOST_NAMED = 4
_PLAIN = (
    "a callback",
    "rounds of a loop",
    "what came after the limit",
    "a program of another form",
)


def coverage_line(coverage: Coverage) -> str:
    """Return what was looked at, and what was not followed.

    >>> coverage_line(Coverage(4, 312, 298, 3, (("a callback", 1),)))
    'Looked at: 4 functions, 312 operations (298 in 64 bits too), 3 keys. Not followed: a callback.'
    >>> coverage_line(Coverage())
    'Looked at: the source, and no operation of JAX.'
    """
    if not coverage.operations and not coverage.keys:
        return "Looked at: the source, and no operation of JAX." + _not_followed(coverage)
    parts = [
        counted(coverage.functions, "function"),
        f"{counted(coverage.operations, 'operation')} ({coverage.widened} in 64 bits too)",
        counted(coverage.keys, "key"),
    ]
    seen = ", ".join(part for part in parts if not part.startswith("0 "))
    return f"Looked at: {seen}." + _not_followed(coverage)


def counted(number: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "key"), counted(2, "key")
    ('1 key', '2 keys')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _not_followed(coverage: Coverage) -> str:
    if not coverage.left_out:
        return ""
    names = [what if what in _PLAIN else f"`{what}`" for what, _ in coverage.left_out]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f" Not followed: {', '.join(names[:MOST_NAMED])}{more}."
