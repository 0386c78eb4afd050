"""Shows what `jax.tree.map` was given and what it returned, where it is called."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from types import FrameType
from typing import Any

import jax

from jaxtutor.worker.watching.replacements import Replacements

MOST_CALLS = 64  # at one place


@dataclass(frozen=True)
class MappedTree:
    """A call of `jax.tree.map`: its arguments, its result, and how often its place has called."""

    caller: FrameType
    function: Any
    tree: Any
    rest: tuple[Any, ...]
    result: Any
    is_leaf: Any
    calls: int


class TreeMaps:
    """Shows the first calls at each place to each of some functions."""

    def __init__(self, *looks: Callable[[MappedTree], None]) -> None:
        self._looks = looks
        self._calls: Counter[tuple[int, int]] = Counter()

    def start(self, replacements: Replacements) -> None:
        """Start to look."""
        for name in ("map", "map_with_path"):
            replacements.replace(jax.tree, name, self._mapping)
            replacements.replace(jax.tree_util, f"tree_{name}", self._mapping)

    def _mapping(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def tree_map(function: Any, tree: Any, *rest: Any, **options: Any) -> Any:
            made = original(function, tree, *rest, **options)
            caller = sys._getframe(1)
            place = (id(caller.f_code), caller.f_lasti)
            self._calls[place] += 1
            calls = self._calls[place]
            if calls <= MOST_CALLS:
                is_leaf = options.get("is_leaf")
                call = MappedTree(caller, function, tree, rest, made, is_leaf, calls)
                for look in self._looks:
                    with suppress(Exception):  # this must never change what the learner sees
                        look(call)
            return made

        return tree_map
