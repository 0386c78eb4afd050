"""Lists the keys of a session: on pages, in the panel below an editor, and what they do.

A new key goes into `KEYS` (pages and panel) or `PANEL_KEYS` (the panel's line) and, if it opens a
view, into `VIEWS`. `USED` follows from them.
"""

from __future__ import annotations

import re

from jaxtutor.core.terminal.keys import PREFIX

Keys = tuple[tuple[str, str], ...]
READ_ON = ("w", "example")
"""Shows what follows the task on a lesson's page: why, the worked example, pitfalls."""
KEYS: Keys = (
    ("enter", "edit"),
    ("v", "verdict"),
    ("t", "text"),
    READ_ON,
    ("h", "hint"),
    ("e", "explain"),
    ("f", "fix"),
    ("x", "jaxpr"),
    ("d", "diff"),
    ("a", "attempts"),
    ("n", "next"),
    ("p", "previous"),
    ("l", "list"),
    ("c", "check again"),
    ("r", "reset"),
    ("q", "quit"),
)
PANEL_KEYS: Keys = (
    ("esc", "back"),
    ("space", "scroll"),
    ("h", "hint"),
    ("z", "whole screen"),
    ("e", "explain"),
    ("n", "next"),
    ("v", "verdict"),
    ("t", "text"),
    READ_ON,
    ("f", "fix"),
    ("d", "diff"),
    ("a", "attempts"),
    ("l", "list"),
    ("+ -", "size"),
    ("q", "quit"),
)
SCROLL = ("space", "scroll")
PREVIEW_KEYS: Keys = (("enter", "edit"), ("esc", "back"), SCROLL, READ_ON, ("n", "next"))
USED = (*(key for key, _ in KEYS if len(key) == 1), "?", "z", "y")
"""The keys that the panel uses, apart from those that scroll it; `y` answers a question."""
VIEWS = {
    "v": "verdict",
    "t": "text",
    "e": "cause",
    "f": "fix",
    "x": "jaxpr",
    "d": "diff",
    "a": "attempts",
    "l": "list",
    "?": "keys",
}
"""The views that keys open."""
MORE = "  ? more"
FEWER_ROWS = ("z", "fewer rows")
_NAMES = {"esc": "escape"}
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def find_key(line: str, column: int, prefix: str) -> str:
    """Return the key for which a click on this column of the status line stands, or nothing.

    Columns count from 1. All characters before the keys are one column wide.
    """
    plain = _COLOUR.sub("", line)
    keys = {f"  {key} {does}": _NAMES.get(key, key) for key, does in _LISTED}
    keys |= {MORE: "?", f" {prefix} keys": PREFIX}
    for words, key in keys.items():
        start = plain.find(words)
        if 0 <= start < column <= start + len(words):
            return key
    return ""


_LISTED = (*(one for one in PANEL_KEYS if " " not in one[0]), *PREVIEW_KEYS, FEWER_ROWS)
