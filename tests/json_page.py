"""Reads docs/json.md: the keys of each object and their types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "json.md"
_ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "number": (int, float),
    "boolean": bool,
    "list": list,
    "object": dict,
    "diagnosis": dict,
}


def promised(section: str) -> dict[str, str]:
    """Return the keys of an object, as dotted paths, with their types."""
    body = PAGE.read_text(encoding="utf-8").split(f"\n## {section}\n", 1)[1].partition("\n## ")[0]
    return dict(_ROW.findall(body))


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted path and value of each key of an object, including nested objects."""
    if isinstance(value, dict):
        for key, inner in value.items():
            name = f"{path}.{key}" if path else key
            yield name, inner
            yield from walk(inner, name)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item, f"{path}[]")


def broken_promises(report: dict[str, Any], section: str, whole: bool = True) -> list[str]:
    """Return the differences between an object and the page, ignoring keys inside null or []."""
    keys = {"schema": "number"} | expand(promised(section)) if whole else expand(promised(section))
    found = list(walk(report))
    names = {name for name, _ in found}
    empty = tuple(name for name, value in found if value in (None, []))
    problems = [f"{name} is not on the page" for name in sorted(names - set(keys))]
    problems += [
        f"{name} is missing"
        for name in keys
        if name not in names and not any(name.startswith((f"{it}.", f"{it}[")) for it in empty)
    ]
    problems += [
        f"{name} is {value!r}, not {keys[name]}"
        for name, value in found
        if name in keys and not is_of(value, keys[name])
    ]
    return problems


def expand(keys: dict[str, str]) -> dict[str, str]:
    """Insert the keys of a diagnosis where the page refers to it."""
    inner = promised("diagnosis")
    found = dict(keys)
    for name, kind in keys.items():
        if "diagnosis" in kind and name not in inner:
            prefix = f"{name}[]" if kind.startswith("list") else name
            found |= {f"{prefix}.{key}": of for key, of in inner.items()}
    return found


def is_of(value: Any, kind: str) -> bool:
    """Return True if a value has a type in the page's notation."""
    if value is None:
        return kind.endswith(" or null")
    kind = kind.removesuffix(" or null").strip()
    if kind.startswith("list"):
        return isinstance(value, list)
    return isinstance(value, _TYPES[kind]) and (kind == "boolean") == isinstance(value, bool)
