"""Finds the trees that `jax.tree.map` was mapping over together when an exception was raised."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType

_HOME = ("jax._src.tree_util", "tree_map")


def last_map(frames: Sequence[FrameType]) -> tuple[int, list[object]] | None:
    """Return the position of the innermost `tree_map` among some frames, and its trees."""
    for position in reversed(range(len(frames))):
        frame = frames[position]
        if (frame.f_globals.get("__name__"), frame.f_code.co_name) == _HOME:
            held, rest = frame.f_locals, frame.f_locals.get("rest")
            return position, [held.get("tree"), *(rest if type(rest) is tuple else ())]
    return None
