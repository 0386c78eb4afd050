"""Reads the comments that allow findings: `# jaxtutor: ignore[slug]`, `# jaxtutor: ignore-file`."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.lessons import suggest
from jaxtutor.core.data.lines import split_lines, whole_lines
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.source import read_module

_COMMENT = re.compile(r"#\s*jaxtutor:\s*(?P<word>[\w-]*)\s*(?P<rest>.*)$")
_LIST = re.compile(r"\[(?P<slugs>[^\]]*)\]")
EVERY = "*"
"""Stands for all causes, in a directive without a list."""


class Directive(Struct, frozen=True):
    """A comment that allows causes in the lines from `first` to `last`, or in the whole file.

    `causes` are slugs, or `EVERY`. `comment` is what goes if the directive goes: whole lines if
    nothing else is in its line.
    """

    line: int
    causes: tuple[str, ...]
    first: int
    last: int
    is_for_file: bool = False
    comment: Span | None = None

    def allows(self, cause: str, first: int, last: int) -> bool:
        """Return whether it allows a finding of a cause in these lines."""
        is_here = self.is_for_file or (first <= self.last and self.first <= last)
        return is_here and (cause in self.causes or EVERY in self.causes)


class DirectiveFault(Struct, frozen=True):
    """A comment that cannot be obeyed as it stands."""

    line: int
    says: str
    remedy: str


def read_directives(
    file: str, text: str, known: Collection[str]
) -> tuple[tuple[Directive, ...], tuple[DirectiveFault, ...]]:
    """Read the directives of a file, and what is wrong with them.

    A comment allows what is found in the statement that it stands in or behind, down to its own
    line. A file that Python cannot read has those that stand before the error.
    """
    if "jaxtutor:" not in text:  # as in almost every file
        return (), ()
    found: list[Directive] = []
    faults: list[DirectiveFault] = []
    firsts = _first_lines(file, text)
    lines = split_lines(text)
    for line, column, comment in _comments(text):
        said = _COMMENT.search(comment)
        if said is None:
            continue
        read = _read(line, said["word"], said["rest"], known, firsts)
        if isinstance(read, Directive):
            span = _removed(lines[line - 1], line, column + said.start(), said["rest"])
            found.append(replace(read, comment=span))
        else:
            faults.append(read)
    return tuple(found), tuple(faults)


def _removed(text: str, line: int, start: int, rest: str) -> Span:
    """Return what goes with a directive: its line, or the comment down to the next one."""
    listed = _LIST.match(rest)
    follows = rest[listed.end() :] if listed is not None else rest
    if "#" in follows:
        return Span(line, start, line, len(text) - len(follows) + follows.index("#"))
    before = text[:start].rstrip()
    if not before:
        return Span(line, 0, line + 1, 0)
    return Span(line, len(before), line, len(text))


def _comments(text: str) -> Iterator[tuple[int, int, str]]:
    with suppress(tokenize.TokenError, SyntaxError):
        lines = iter(whole_lines(text))
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            if token.type == tokenize.COMMENT:
                yield *token.start, token.string


def _first_lines(file: str, text: str) -> dict[int, int]:
    """Return the first line of the innermost statement that ends on a line, by that line."""
    module = read_module(file, text)
    if module is None:
        return {}
    firsts: dict[int, int] = {}
    for node in module.nodes:
        if isinstance(node, ast.stmt):
            end = node.end_lineno or node.lineno
            firsts[end] = max(firsts.get(end, 0), node.lineno)
    return firsts


def _read(
    line: int, word: str, rest: str, known: Collection[str], firsts: dict[int, int]
) -> Directive | DirectiveFault:
    if word not in ("ignore", "ignore-file"):
        near = "Write `ignore[CAUSE]` or `ignore-file[CAUSE]`."
        return DirectiveFault(line, f"{word or 'Nothing'} is not a directive", near)
    listed = _LIST.match(rest)
    if rest.startswith("[") and listed is None:
        return DirectiveFault(line, "The list of causes has no end", "Write `]` behind it.")
    slugs = (EVERY,) if listed is None else tuple(_words(listed["slugs"]))
    for slug in slugs:
        if slug != EVERY and slug not in known:
            return DirectiveFault(line, f"There is no cause `{slug}`", nearest(slug, known))
    if not slugs:
        return DirectiveFault(line, "The list of causes is empty", "Name one, or leave `[]` out.")
    return Directive(line, slugs, firsts.get(line, line), line, word == "ignore-file")


def nearest(slug: str, known: Collection[str]) -> str:
    """Name the causes whose slugs are the most like a misspelt one."""
    near = suggest(slug, sorted(known))
    names = " or ".join(f"`{name}`" for name in near)
    return f"Did you mean {names}?" if near else "All causes: jaxtutor explain"


def _words(text: str) -> Iterable[str]:
    return filter(None, (word.strip() for word in text.split(",")))
