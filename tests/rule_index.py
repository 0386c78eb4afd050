"""Writes the index of the rules, and what follows from it (`rule_tables`): `./dev index`.

The rules of all topics, in the order of the present index. A rule that is not in it yet stands
behind the last one of its topic, or of its kind if the topic is new. A rule with `before` moves in
front of those that it names.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import guide_pages
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.observations import kind_of
from jaxtutor.core.diagnosis.engine import index
from jaxtutor.core.diagnosis.engine.index import INDEX, Entry
from jaxtutor.core.diagnosis.engine.registry import PACKAGE
from jaxtutor.core.diagnosis.engine.rules import Observed, Raised, Rule
from website import links

FILE = Path(index.__file__)
START = "INDEX: tuple[Entry, ...] = (\n"


class OrderError(ValueError):
    """The rules have no order: `before` names an unknown cause, or rules precede one another."""


def topics() -> Iterator[str]:
    """Yield the modules that may have rules."""
    root = FILE.parent.parent
    for path in sorted(root.rglob("*.py")):
        if path.name != "__init__.py" and "\nRULES" in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(root).with_suffix("").parts)


def rules() -> Iterator[tuple[str, Rule[Any]]]:
    """Yield every rule with its topic."""
    for topic in topics():
        for rule in import_module(f"{PACKAGE}.{topic}").RULES:
            yield topic, rule


def entries() -> tuple[Entry, ...]:
    """Return the index as it should be. Raises OrderError."""
    causes = Library()
    known = {(entry.slug, entry.kind): n for n, entry in enumerate(INDEX)}
    last = {name: n for n, entry in enumerate(INDEX) for name in (entry.kind, entry.topic)}

    def position(it: tuple[str, Rule[Any]]) -> tuple[int, bool]:
        topic, rule = it
        place = known.get((rule.slug, rule.kind))
        behind = last.get(topic, last.get(rule.kind, len(INDEX)))
        return (behind, True) if place is None else (place, False)

    found = sorted(rules(), key=position)
    return tuple(entry_of(topic, rule, causes) for topic, rule in in_order(found))


def in_order(found: Sequence[tuple[str, Rule[Any]]]) -> list[tuple[str, Rule[Any]]]:
    """Move each rule in front of those that it is to be asked before. Raises OrderError."""
    slugs = {rule.slug for _, rule in found}
    earlier: dict[tuple[str, str], list[tuple[str, Rule[Any]]]] = {}
    for topic, rule in found:
        if unknown := set(rule.before) - slugs:
            raise OrderError(f"{rule.slug}: before names {', '.join(sorted(unknown))}, no cause")
        for slug in rule.before:
            earlier.setdefault((slug, rule.kind), []).append((topic, rule))
    placed: dict[tuple[str, str], tuple[str, Rule[Any]]] = {}

    def place(topic: str, rule: Rule[Any], after: tuple[str, ...]) -> None:
        if rule.slug in after:
            circle = ", ".join(sorted(after))
            raise OrderError(f"these are to be asked before one another: {circle}")
        for one in earlier.get((rule.slug, rule.kind), ()):
            place(*one, (*after, rule.slug))
        placed.setdefault((rule.slug, rule.kind), (topic, rule))

    for topic, rule in found:
        place(topic, rule, ())
    return list(placed.values())


def entry_of(topic: str, rule: Rule[Any], causes: Library) -> Entry:
    """Return what the index says of a rule."""
    how, cause = rule.recognise, causes[rule.slug]
    entry = Entry(rule.slug, rule.kind, topic, rule.fix is not None)
    if isinstance(how, Raised):
        classes = () if how.of_any_class else cause.raises
        alone = cause.alone.message if cause.alone is not None else ""
        return entry._replace(
            classes=classes,
            message=cause.message,
            of_any_class=how.of_any_class,
            alone=alone,
        )
    if isinstance(how, Observed):
        return entry._replace(observations=tuple(dict.fromkeys(kind_of(it) for it, _ in how.pairs)))
    return entry


def text() -> str:
    """Return the text of the index file."""
    head = FILE.read_text(encoding="utf-8").partition(START)[0]
    return f"{head}{START}{''.join(map(_row, entries()))})\n"


def _row(entry: Entry) -> str:
    """Write an entry as ruff formats it."""
    positional = [entry.slug, entry.kind, entry.topic, entry.has_fix]
    named = {
        name: value
        for name, value in zip(Entry._fields[4:], entry[4:], strict=True)
        if value != Entry._field_defaults[name]
    }
    words = [_literal(it) for it in positional]
    words += [f"{name}={_literal(value)}" for name, value in named.items()]
    return f"    Entry({', '.join(words)}),\n"


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        inner = ", ".join(map(_literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, str):
        quoted = repr(value)
        is_single = quoted[0] == "'" and '"' not in value
        return f'"{quoted[1:-1]}"' if is_single else quoted
    return repr(value)


def main() -> int:
    """Write the index, the guides, the addresses, and the tables of what rules match and read."""
    guide_pages.write()
    links.main([])
    FILE.write_text(text(), encoding="utf-8")
    # This process has imported the index of before.
    return subprocess.call([sys.executable, str(Path(__file__).with_name("rule_tables.py"))])


if __name__ == "__main__":
    sys.exit(main())
