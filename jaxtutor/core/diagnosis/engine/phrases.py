"""Describes values in a few words that can follow "is", such as "a dict with 2 keys"."""

from __future__ import annotations

from collections.abc import Iterable

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.reading.names import last_part

_ARRAYS = ("array", "tracer", "ndarray", "typed_key")
_COUNTED = {"list": "items", "tuple": "items", "set": "items", "dict": "keys"}


def in_words(fact: NameFact) -> str:
    """Describe an array, a container or another object; empty for functions, classes, modules."""
    if fact.kind in _ARRAYS:
        return f"`{fact.detail}`"
    if fact.kind in _COUNTED:
        items = _COUNTED[fact.kind]
        own_class = f"a `{last_part(fact.bases[0])}`, " if fact.bases else ""
        number = f"{fact.detail} {items[:-1] if fact.detail == '1' else items}"
        return f"{own_class}a {fact.kind} with {number}"
    name = last_part(fact.detail)
    return f"a `{name}`" if fact.kind == "other" and name else ""


def listed(names: Iterable[str]) -> str:
    """Write names as code, as a sentence lists them: "`a`, `b` and `c`"."""
    return joined(f"`{name}`" for name in names)


def joined(words: Iterable[str]) -> str:
    """Join the parts of a list by commas, and the last two by "and"."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, noun: str) -> str:
    """Write a number and what it counts: "one device", "2 devices"."""
    return f"one {noun}" if count == 1 else f"{count} {noun}s"
