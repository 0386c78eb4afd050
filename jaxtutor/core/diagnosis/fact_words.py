"""Describes values in a few words that can follow "is", such as "a dict with 2 keys"."""

from __future__ import annotations

from jaxtutor.core.data.failures import NameFact

_ARRAYS = ("array", "tracer", "ndarray", "typed_key")
_COUNTED = {"list": "items", "tuple": "items", "set": "items", "dict": "keys"}


def in_words(fact: NameFact) -> str:
    """Describe an array, a container or another object; empty for functions, classes, modules."""
    if fact.kind in _ARRAYS:
        return f"`{fact.detail}`"
    if fact.kind in _COUNTED:
        return f"a {fact.kind} with {fact.detail} {_COUNTED[fact.kind]}"
    name = fact.detail.rpartition(".")[2]
    return f"a `{name}`" if fact.kind == "other" and name else ""
