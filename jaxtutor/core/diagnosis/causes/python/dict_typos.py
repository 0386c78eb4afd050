"""Matches and fixes keys that a dict does not have, if it has one of almost the same name."""

from __future__ import annotations

import ast
import difflib
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_ALIKE, _LONG = 0.8, 4
_PATH = re.compile(r"[/.]")


class KeyMisspelt(AtFrame, frozen=True, kw_only=True):
    """A key that is written out, and the key of the dict that is meant.

    `is_path` says that both are paths with the same last part, and no other key has it.
    """

    key: ast.Constant
    meant: str
    is_path: bool


def misspelt_key(context: FailureContext) -> KeyMisspelt | None:
    """A key is read that a dict lacks, and exactly one of its keys is like it."""
    frame, node = context.frame, context.node
    keys = [key[1:-1] for key in context.failure.keys if key[:1] in "'\""]
    if frame is None or not isinstance(node, ast.Subscript) or not keys:
        return None
    key = node.slice
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or key.value in keys:
        return None
    same_end = [k for k in keys if _is_path(k) and _last_key(k) == _last_key(key.value)]
    alike = same_end or _alike(key.value, keys)
    if len(alike) != 1:
        return None
    facts = {
        "name": frame.module.text(node.value),
        "argument": alike[0],
        "condition": key.value,
        "detail": ", ".join(f"`{k}`" for k in context.failure.keys),
    }
    return KeyMisspelt(
        None,
        facts,
        "path" if same_end else "",
        context=context,
        key=key,
        meant=alike[0],
        is_path=bool(same_end),
    )


def _alike(name: str, keys: list[str]) -> list[str]:
    """Return the keys of which a word differs in a letter or two: no number, and no short word."""
    close = difflib.get_close_matches(name, keys, 3, _ALIKE)
    return [k for k in close if _is_slip(name, k)]


def _is_slip(name: str, key: str) -> bool:
    """Return whether the words that differ are long and begin alike; `x` and `y` are meant."""
    words = list(zip(name.split("_"), key.split("_"), strict=False))
    apart = [(a, b) for a, b in words if a != b and a[:1].isalpha()]
    is_long = all(min(len(a), len(b)) >= _LONG and a[0] == b[:1] for a, b in apart)
    return bool(apart) and is_long and re.sub(r"\d", "", name) != re.sub(r"\d", "", key)


def _is_path(key: str) -> bool:
    return _PATH.search(key) is not None


def _last_key(key: str) -> str:
    return _PATH.split(key)[-1]


def write_key(found: KeyMisspelt) -> Drafts:
    """Write the key that the dict has."""
    quote = found.module.text(found.key)[0]
    if quote in "'\"" and quote not in found.meant:
        draft = Draft(found.module).replace(found.key, f"{quote}{found.meant}{quote}")
        yield draft.certain() if found.is_path else draft


RULES = (Rule("key-misspelt", raised(misspelt_key), write_key),)
