"""Finds the trees that `jax.tree.map` was mapping over together when an exception was raised."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import NamedTuple

_HOME = ("jax._src.tree_util", "tree_map")


class RunningMap(NamedTuple):
    """A `tree_map` among some frames: its position, its trees, and their leaves at that moment.

    There are no leaves before the function is called for the first of them.
    """

    position: int
    trees: list[object]
    leaves: tuple[object, ...]


def last_map(frames: Sequence[FrameType]) -> RunningMap | None:
    """Return the innermost `tree_map` among some frames."""
    for position in reversed(range(len(frames))):
        frame = frames[position]
        if (frame.f_globals.get("__name__"), frame.f_code.co_name) == _HOME:
            held, rest = frame.f_locals, frame.f_locals.get("rest")
            trees = [held.get("tree"), *(rest if type(rest) is tuple else ())]
            return RunningMap(position, trees, _leaves(frames[position + 1 :]))
    return None


def _leaves(inner: Sequence[FrameType]) -> tuple[object, ...]:
    """Return what the generator of `tree_map` passes to the function."""
    for frame in inner:
        if frame.f_code.co_name == "<genexpr>":
            passed = frame.f_locals.get("xs")
            return passed if type(passed) is tuple else ()
    return ()
