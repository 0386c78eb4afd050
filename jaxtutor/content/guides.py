"""Writes the pages for people who come from NumPy or PyTorch, from the table of counterparts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxtutor.core.data.counterparts import Equivalent, Group, plain_code

GUIDES = {"numpy": "NumPy", "pytorch": "PyTorch"}
"""The names of the pages, and the libraries that they are about."""


def guide_title(name: str) -> str:
    """Return the title of a page."""
    return f"Coming from {GUIDES[name]}"


def guide_text(name: str, introduction: str, groups: Iterable[Group]) -> str:
    """Write a page: what is alike, then what is not, by subject."""
    shown: set[str] = set()
    parts = [
        f"## {group.title}\n\n" + "\n".join(_items(group.row, shown))
        for group in groups
        if group.library == GUIDES[name]
    ]
    return "\n\n".join([introduction, *parts]) + "\n"


def _items(rows: Iterable[Equivalent], shown: set[str]) -> Iterator[str]:
    """Yield an item for each row with a name that is not shown yet.

    What the row before has said too is left out.
    """
    said = ""
    for row in rows:
        codes = {code.partition("(")[0]: plain_code(code) for code in reversed(row.typed)}
        new = [code for name, code in reversed(codes.items()) if name not in shown]
        shown.update(codes)
        if new:
            typed = ", ".join(f"`{code}`" for code in new)
            says = row.says * (row.says != said)
            lesson = f"Lesson: `{row.lesson}`." * bool(row.lesson)
            verb = "becomes" if len(new) == 1 else "become"
            parts = (f"- {typed} {verb} `{plain_code(row.jax)}`.", says, lesson)
            yield " ".join(filter(None, parts))
            said = row.says
