"""Decides for each key whether the editor or the panel below it gets it.

The panel gets the keys from the prefix key until Esc, Enter, or a key that it does not use. While
it has them, nothing that is typed reaches the editor.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from jaxtutor.core.terminal.keys import PREFIX

Owner = Literal["editor", "panel"]

SCROLLING = frozenset(
    "up down pageup pagedown home end space b j k g G left right"
    " c-b c-d c-e c-f c-n c-p c-u c-y".split()
)
"""Keys that scroll in one program or another. The panel uses all of them, so that none of them ends
the mode and the next one is typed into the learner's file."""
SIZING = {"+": 1, "=": 1, "-": -1}
"""Keys that change the height of the panel, and by how many rows."""
LEAVING = frozenset({"escape", "enter"})
EVERY_KEY = "every key"
"""In place of a key's name: the view takes text, so that all keys but Esc are for it."""


IN_A_LIST = ("enter", "/")
"""The additional keys of the panel while it shows a list that can be chosen from."""
_OPENS_LIST = ("l", "a")


def foresee(key: str, used: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the keys that the panel will use after a key; None if they stay the same.

    The session takes some time to say so, and keys typed meanwhile must not reach the editor.
    """
    if key == "/" and "/" in used:
        return (EVERY_KEY,)
    if key in _OPENS_LIST and key in used:
        return (*used, *IN_A_LIST)
    return None


class Focus(Struct, frozen=True):
    """Who gets the next key.

    `began` is True directly after the prefix key: pressed again, that key is meant for the editor.
    """

    owner: Owner = "editor"
    began: bool = False


EDITOR = Focus()


class Routed(Struct, frozen=True):
    """Who got a key, and who gets the next one."""

    to: Owner
    focus: Focus


def route(focus: Focus, key: str, used: Collection[str]) -> Routed:
    """Decide who gets a key; `used` are the keys that the panel uses, apart from scrolling."""
    if focus.owner == "editor":
        is_prefix = key == PREFIX
        return Routed("panel", Focus("panel", True)) if is_prefix else Routed("editor", EDITOR)
    if key == PREFIX:
        return Routed("editor", EDITOR) if focus.began else Routed("panel", Focus("panel", True))
    stays = key in used or key in SCROLLING or key in SIZING
    if EVERY_KEY in used:
        stays = key != "escape"
    return Routed("panel", Focus("panel") if stays else EDITOR)
