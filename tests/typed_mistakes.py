"""Reads the mistakes that users of NumPy and PyTorch type in lessons, and what they met.

A file of `mistakes/` has one paragraph for each: the lesson's slug, and `starter` where the mistake
begins with that and not with the solution; the edit; what the first screen has to name.

    immutable-update
    - return x.at[i].set(v)
    + x[i] = v
    ? x[i] || x
    ! .at[i].set

`-` and `+` are lines, `~ old => new` replaces a part of one. `?` lists expressions and `!` actions,
of which one each has to be in the text of the screen. A module that the edit uses is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

MISTAKES = Path(__file__).with_name("mistakes")

IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "lax": "from jax import lax",
    "math": "import math",
    "np": "import numpy as np",
    "partial": "from functools import partial",
    "scipy": "import scipy.special",
}
"""What a learner imports with a name; other names stay undefined."""


class Mistake(msgspec.Struct, frozen=True):
    """A mistake in a lesson's file, and what the first screen has to name of it."""

    name: str
    lesson: str
    source: str
    expressions: tuple[str, ...]
    actions: tuple[str, ...]


@cache
def course() -> Course:
    """Return the course that comes with the project."""
    return load_course(None)


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by their slugs."""
    return {lesson.slug: lesson for lesson in course().lessons}


@cache
def typed_mistakes() -> tuple[Mistake, ...]:
    """Return all mistakes, in the order of the files."""
    return tuple(it for path in sorted(MISTAKES.glob("*.txt")) for it in _of_file(path))


def _of_file(path: Path) -> Iterator[Mistake]:
    count: dict[str, int] = {}
    for paragraph in path.read_text(encoding="utf-8").strip().split("\n\n"):
        head, *lines = paragraph.splitlines()
        slug, *words = head.split()
        count[slug] = count.get(slug, 0) + 1
        lesson = lessons()[slug]
        source = lesson.starter if "starter" in words else lesson.solution
        yield Mistake(
            f"{slug}-{count[slug]}",
            slug,
            import_used(edit(source, [it for it in lines if it[:1] in "-+~"])),
            alternatives(lines, "?"),
            alternatives(lines, "!"),
        )


def alternatives(lines: list[str], mark: str) -> tuple[str, ...]:
    """Return the texts of the line with a mark, of which a screen has to have one."""
    (line,) = (it[2:] for it in lines if it.startswith(mark))
    return tuple(line.split(" || "))


def edit(source: str, changes: list[str]) -> str:
    """Return a source after the changes of a paragraph."""
    for change in changes:
        if change.startswith("~"):
            old, new = change[2:].split(" => ")
            in_body = source.find(old, source.index("def "))
            place = in_body if in_body >= 0 else source.index(old)
            source = source[:place] + new + source[place + len(old) :]
    removed = [it[2:].strip() for it in changes if it.startswith("-")]
    added = [it[2:] for it in changes if it.startswith("+")]
    return _replace_lines(source, removed, added) if removed else source


def _replace_lines(source: str, removed: list[str], added: list[str]) -> str:
    """Return a source with other lines in place of those removed, with the indent of the first."""
    lines = source.split("\n")
    stripped = [line.strip() for line in lines]
    places = range(len(lines))
    first = next(i for i in places if stripped[i : i + len(removed)] == removed)
    indent = re.match(" *", lines[first])[0]
    lines[first : first + len(removed)] = [indent + line for line in added]
    return "\n".join(lines)


def import_used(source: str) -> str:
    """Return a source that imports the modules which it uses, below its docstring."""
    used = set(re.findall(r"(?<![\w.])(\w+)(?=[.(])", source))
    missing = [
        line
        for name, line in IMPORTS.items()
        if name in used and not re.search(rf"import.*\b{name}$", source, re.MULTILINE)
    ]
    if not missing:
        return source
    docstring, _, rest = source.partition('"""\n')
    return f'{docstring}"""\n\n' + "\n".join(missing) + rest


def is_python(source: str) -> bool:
    """Return whether a source can be parsed."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
