"""Finds the part of an argument that an exception is about, where its message names no path.

`Argument '<function f at 0x…>' … is not a valid JAX type` is about a leaf of some tree, and
`unsupported operand type(s) for *: 'float' and 'NoneType'` under `jax.tree.map` about the leaf by
which two trees differ. `Attempt to donate the same buffer twice` is about an array with two paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from jaxtutor.core.data.failures import PassedPart
from jaxtutor.core.diagnosis.engine.phrases import in_words
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.worker.failures.frame_values import in_classes, instance_dict, mro
from jaxtutor.worker.failures.name_facts import class_path, fact_of, innermost
from jaxtutor.worker.failures.passed_values import is_composite
from jaxtutor.worker.internals.places import IsOwn

MOST_PARTS = 2_000
_REFUSED = re.compile(r"not a valid JAX type|requires ndarray or scalar|as an abstract array")
_TYPE = re.compile(r"<class '([\w.<>]+)'>")
_ADDRESS = re.compile(r" at (0x[0-9a-f]+)>")
_DIFFER = re.compile(
    r"NoneType|Expected (?:None|tuple|list|dict|named tuple)|pytree structure error"
    r"|key mismatch|arity mismatch|node type mismatch"
)
_KINDS_SAID = {"none": "None", "str": "a text", "number": "a number", "class": "a class"}


def refused_part(message: str, arguments: Mapping[str, object], is_own: IsOwn) -> PassedPart | None:
    """Return the part of some arguments whose value a message refuses.

    `arguments` maps the texts of arguments to their values. A function is known by its address.
    """
    if _REFUSED.search(message) is None:
        return None
    address, types = _ADDRESS.search(message), _TYPE.findall(message)
    for path, text, value in _all_parts(arguments):
        if address is not None:
            is_it = hex(id(innermost(value))) == address[1]
        else:
            is_it = class_path(type(value)) in types[-1:]
        if is_it:
            is_inner = path != text
            shown = path.removeprefix(text) if is_inner and is_composite(text) else path
            return PassedPart(shown, described(value, is_own), is_inner)
    return None


def differing_part(
    message: str, trees: Sequence[object], arguments: Mapping[str, object], is_own: IsOwn
) -> PassedPart | None:
    """Return the first part by which the trees differ that were mapped together.

    Asked of a message about the structure of trees, or about None. The trees are named by the parts
    of the learner's arguments that they are.
    """
    if _DIFFER.search(message) is None:
        return None
    known = _paths(arguments)
    named = [(known[id(tree)], tree) for tree in trees if id(tree) in known]
    for (path, value), (other_path, other) in combinations(named, 2):
        found = _difference(path, value, other_path, other, is_own)
        if found is not None:
            return found
    return None


def unlike_leaves(
    message: str,
    trees: Sequence[object],
    leaves: Sequence[object],
    arguments: Mapping[str, object],
    is_own: IsOwn,
) -> PassedPart | None:
    """Return the leaves of two trees that a mapped function could not combine.

    Asked of a message about dtypes or shapes. `leaves` has one leaf of each of the trees.
    """
    if _COMBINED.search(message) is None:
        return None
    known = _paths(arguments)
    pairs = zip(trees, leaves, strict=False)
    named = [(known[id(tree)], tree, leaf) for tree, leaf in pairs if id(tree) in known]
    for (path, tree, leaf), (other_path, other_tree, other) in combinations(named, 2):
        said, other_said = described(leaf, is_own), described(other, is_own)
        elsewhere = set(_keys_of(other, other_tree))
        keys = next((keys for keys in _keys_of(leaf, tree) if keys in elsewhere), "")
        if said != other_said and keys:
            return PassedPart(path + keys, said, True, other_path + keys, other_said)
    return None


_COMBINED = re.compile(r"dtype|shape|broadcast")


def _paths(arguments: Mapping[str, object]) -> dict[int, str]:
    """Map the identities of some arguments and of their parts to paths, the first of each."""
    return {id(value): path for path, _, value in reversed(list(_all_parts(arguments)))}


def _keys_of(leaf: object, tree: object) -> Iterator[str]:
    """Yield what follows a tree in the paths to a leaf of it."""
    return (path for path, _, value in _all_parts({"": tree}) if value is leaf)


def shared_part(message: str, arguments: Mapping[str, object], is_own: IsOwn) -> PassedPart | None:
    """Return the first array that two arguments share, of a message about a shared buffer."""
    if _SHARED.search(message) is None:
        return None
    first: dict[int, tuple[str, str]] = {}
    for path, text, value in _all_parts(arguments):
        fact = fact_of("", [value], is_own)
        if fact.kind not in ("array", "typed_key"):
            continue
        other, owner = first.setdefault(id(value), (path, text))
        if owner != text:
            said = described(value, is_own)
            return PassedPart(path, said, path != text, other, said)
    return None


_SHARED = re.compile(r"same buffer twice|previously donated in the same call")


def _difference(
    path: str, value: object, other_path: str, other: object, is_own: IsOwn
) -> PassedPart | None:
    ours, theirs = children(value), children(other)
    if ours is None and theirs is None and (value is None) == (other is None):
        return None  # two leaves
    if ours is None or theirs is None or type(value) is not type(other):
        said, other_said = described(value, is_own), described(other, is_own)
        return PassedPart(path, said, True, other_path, other_said)
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        if key not in theirs:
            return PassedPart(path + key, described(ours[key], is_own), True, other_path)
        if key not in ours:
            there = other_path + key
            return PassedPart(there, described(theirs[key], is_own), True, path)
        found = _difference(path + key, ours[key], other_path + key, theirs[key], is_own)
        if found is not None:
            return found
    return None


def _all_parts(arguments: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """Yield the arguments and the parts of the trees among them: the path, the argument, the value.

    A part comes before its own parts.
    """
    waiting = [(text, text, value) for text, value in arguments.items()]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        path, text, value = waiting.pop(0)
        yield path, text, value
        found = children(value) or {}
        waiting[:0] = [(path + key, text, part) for key, part in found.items()]


def children(value: object) -> dict[str, object] | None:
    """Map what follows a path, `[0]` or `.field`, to the parts of a container; None for a leaf."""
    cls = type(value)
    if issubclass(cls, dict):
        items: list[tuple[object, object]] = list(dict.items(value))  # type: ignore[arg-type]
        return {f"[{key!r}]": part for key, part in items if type(key) in (str, int, tuple)}
    if issubclass(cls, tuple):
        parts: list[object] = list(tuple.__iter__(value))  # type: ignore[arg-type]
        fields = in_classes(mro(cls), "_fields")
        if type(fields) is tuple:
            return {f".{name}": part for name, part in zip(fields, parts, strict=False)}
        return {f"[{n}]": part for n, part in enumerate(parts)}
    if issubclass(cls, list):
        items_of_list: list[object] = list(list.__iter__(value))  # type: ignore[arg-type]
        return {f"[{n}]": part for n, part in enumerate(items_of_list)}
    declared = in_classes(mro(cls), "__dataclass_fields__")
    if type(declared) is dict:
        held = instance_dict(value)
        return {f".{name}": held[name] for name in declared if name in held}
    return None


def described(value: object, is_own: IsOwn) -> str:
    """Describe a value in words that can follow "is"."""
    fact = fact_of("", [value], is_own)
    if fact.kind == "function":
        return f"the function `{last_part(fact.detail)}`"
    return in_words(fact) or _KINDS_SAID.get(fact.kind, f"a {fact.kind}")
