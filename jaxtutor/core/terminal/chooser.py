"""Decides what keys do in a list to choose from: move, filter, choose, leave."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

KEYS_HELP = "arrows move   enter chooses   / filters"
LEAVE_HELP = "   esc goes back"


class Item(Struct, frozen=True):
    """An entry of a list: what identifies it, the line that is shown, and the text to filter by."""

    key: str
    line: str
    words: str = ""

    def matches(self, pattern: str) -> bool:
        """Return whether every word of a pattern is in the entry."""
        text = f"{self.key} {self.line} {self.words}".lower()
        return all(word in text for word in pattern.lower().split())


class Chooser(Struct, frozen=True):
    """The state of a list: `cursor` is the place among the entries that match `pattern`.

    It is over when `chosen` holds the key of an entry, or when it is `closed` without a choice.
    """

    items: tuple[Item, ...]
    cursor: int = 0
    pattern: str = ""
    is_typing: bool = False  # keys are added to the pattern
    chosen: str | None = None
    closed: bool = False

    @property
    def shown(self) -> tuple[Item, ...]:
        """The entries that match the pattern."""
        return tuple(item for item in self.items if item.matches(self.pattern))

    @property
    def current(self) -> Item | None:
        """The entry under the cursor; None if nothing matches."""
        shown = self.shown
        return shown[min(self.cursor, len(shown) - 1)] if shown else None

    @property
    def is_over(self) -> bool:
        """Return whether a choice was made or refused."""
        return self.closed or self.chosen is not None


def choose_from(items: tuple[Item, ...], current: str | None = None) -> Chooser:
    """Start with the cursor on an entry, or on the first."""
    place = next((n for n, item in enumerate(items) if item.key == current), 0)
    return Chooser(items, place)


def press(chooser: Chooser, key: str, page: int) -> Chooser:
    """Return the state after a key; `page` is how many entries are visible."""
    if key in ("c-c", "c-d"):
        return replace(chooser, closed=True)
    if key == "enter":
        found = chooser.current
        return replace(chooser, chosen=found.key) if found else chooser
    if key == "escape":
        if chooser.pattern or chooser.is_typing:
            return _filter(replace(chooser, is_typing=False), "")
        return replace(chooser, closed=True)
    if key in _STEPS or (key in _LETTERS and not chooser.is_typing):
        return _move(chooser, _LETTERS.get(key, key), page)
    if chooser.is_typing:
        return _type(chooser, key)
    if key == "/":
        return replace(chooser, is_typing=True)
    return replace(chooser, closed=True) if key == "q" else chooser


_STEPS = frozenset("up down pageup pagedown home end".split())
_LETTERS = {
    "k": "up",
    "j": "down",
    "b": "pageup",
    "space": "pagedown",
    "g": "home",
    "G": "end",
    "c-p": "up",
    "c-n": "down",
}


def _move(chooser: Chooser, key: str, page: int) -> Chooser:
    last = max(len(chooser.shown) - 1, 0)
    page = max(page - 1, 1)
    steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "home": -last, "end": last}
    return replace(chooser, cursor=min(max(min(chooser.cursor, last) + steps[key], 0), last))


def _type(chooser: Chooser, key: str) -> Chooser:
    if key == "backspace":
        if not chooser.pattern:
            return replace(chooser, is_typing=False)
        return _filter(chooser, chooser.pattern[:-1])
    character = " " if key == "space" else key
    return _filter(chooser, chooser.pattern + character) if len(character) == 1 else chooser


def _filter(chooser: Chooser, pattern: str) -> Chooser:
    """Change the pattern; the cursor stays on its entry if that still matches."""
    before = chooser.current
    changed = replace(chooser, pattern=pattern)
    keys = [item.key for item in changed.shown]
    place = keys.index(before.key) if before and before.key in keys else 0
    return replace(changed, cursor=place)


def visible_range(chooser: Chooser, rows: int) -> tuple[int, int]:
    """Return the first entry to show and the one after the last; the cursor is between them."""
    count = len(chooser.shown)
    cursor = min(chooser.cursor, max(count - 1, 0))
    first = min(max(cursor - rows // 2, 0), max(count - rows, 0))
    return first, min(first + max(rows, 1), count)


def status_text(chooser: Chooser) -> str:
    """Describe the filter, the place in the list, and the keys."""
    shown, count = len(chooser.shown), len(chooser.items)
    place = f"{min(chooser.cursor + 1, shown)} of {shown}"
    if chooser.is_typing or chooser.pattern:
        return f"/{chooser.pattern}   {place}, {count} in all   esc shows all"
    return f"{place}   {KEYS_HELP}"


def uses(chooser: Chooser, key: str) -> bool:
    """Return whether a list within a session uses a key; other keys mean what they always mean."""
    if key in ("c-c", "c-d"):
        return False
    if chooser.is_typing:
        return True
    if key == "escape":
        return bool(chooser.pattern)
    return key in ("enter", "/") or key in _STEPS or key in _LETTERS


def resume(chooser: Chooser) -> Chooser:
    """Go on with a list after a choice was taken from it."""
    return replace(chooser, chosen=None, is_typing=False)


def refresh(chooser: Chooser, items: tuple[Item, ...]) -> Chooser:
    """Replace the entries, and keep the cursor on its entry if that is still there."""
    if items == chooser.items:
        return chooser
    before = chooser.current
    changed = replace(chooser, items=items)
    keys = [item.key for item in changed.shown]
    place = keys.index(before.key) if before and before.key in keys else 0
    return replace(changed, cursor=place)
