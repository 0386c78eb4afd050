"""Tests who gets a key: the editor, or the panel below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtutor.app import App
from jaxtutor.content.loading import load_course
from jaxtutor.core.terminal.keys import PREFIX, parse_prefix
from jaxtutor.core.terminal.routing import (
    EDITOR,
    EVERY_KEY,
    LEAVING,
    SCROLLING,
    SIZING,
    Focus,
    route,
)
from jaxtutor.display.theme import FANCY
from jaxtutor.options import Options
from jaxtutor.session import terminal_process
from jaxtutor.session.key_tables import USED
from jaxtutor.session.messages import KeysPressed, ScreenUpdate, Size
from jaxtutor.session.panel_rows import PanelLines
from jaxtutor.session.state import SessionState
from jaxtutor.session.status import draw_status
from jaxtutor.session.terminal_process import TerminalProcess

LESSON = load_course(None).find("safe-clip-positive")
ALT = {"a-x": b"\x1bx", "a-é": "\x1bé".encode(), "a-enter": b"\x1b\r"}
OTHERS = (*"wsumi:;$~é5", *"c-s backspace tab f5 delete".split(), *ALT)
NAMES = sorted({*SCROLLING, *LEAVING, *USED, *"+-=", *OTHERS})
KEYS = st.lists(st.sampled_from([PREFIX, *NAMES]) | st.sampled_from([PREFIX, "escape"]))
RAW = {
    PREFIX: b"\x1b[24~",
    "escape": b"\x1b",
    "enter": b"\r",
    "space": b" ",
    "tab": b"\t",
    "backspace": b"\x7f",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "pageup": b"\x1b[5~",
    "pagedown": b"\x1b[6~",
    **{
        name: b"\x1b[%c" % final
        for name, final in zip(("up", "down", "right", "left"), b"ABCD", strict=True)
    },
    **ALT,
    "f5": b"\x1b[15~",
    "delete": b"\x1b[3~",
    **{f"c-{letter}": bytes([ord(letter) - 96]) for letter in "bdefnpsuy"},
}


def walk(keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return who gets each key."""
    focus = EDITOR
    seen: list[tuple[str, str]] = []
    for key in keys:
        routed = route(focus, key, USED)
        focus = routed.focus
        seen.append((routed.to, key))
    return seen


# ---------------------------------------------------------------- single keys


def test_the_panel_has_the_keys_until_it_is_left() -> None:
    """After the prefix key, all keys are for the panel until Esc, and then for the editor."""
    keys = [PREFIX, "t", "down", "j", "space", "h", "escape", "j"]

    assert ["panel"] * 7 + ["editor"] == [to for to, _ in walk(keys)]


@pytest.mark.parametrize("key", ["enter", "u", "c-s", "tab"])
def test_a_key_that_the_panel_does_not_use_ends_the_mode(key: str) -> None:
    """A key without a use in the panel ends the mode and is typed nowhere."""
    assert [("panel", key), ("editor", "x")] == walk([PREFIX, key, "x"])[1:]


def test_the_prefix_begins_the_mode_again() -> None:
    """After a key of the panel, the prefix key is not the editor's."""
    assert ["panel"] * 4 == [to for to, _ in walk([PREFIX, "down", PREFIX, "c"])]


def test_the_prefix_twice_is_the_editors() -> None:
    """The prefix key directly after itself goes to the editor, which then has the keys."""
    assert ["panel", "editor", "editor"] == [to for to, _ in walk([PREFIX, PREFIX, "c"])]


def test_a_view_that_takes_text_gets_every_key() -> None:
    """A view that takes text gets all keys but Esc and the prefix key."""
    focus = Focus("panel")
    stays = [route(focus, key, (EVERY_KEY,)).focus == focus for key in ("w", "enter", "escape")]

    assert [True, True, False] == stays


@pytest.mark.parametrize("key", sorted(SCROLLING))
def test_no_scrolling_key_is_typed(key: str) -> None:
    """However often a scrolling key is pressed in the panel, none reaches the editor."""
    assert {"panel"} == {to for to, _ in walk([PREFIX, *[key] * 5])}


# ---------------------------------------------------------------- random keys


@given(KEYS)
def test_only_the_prefix_moves_the_keys_to_the_panel(keys: list[str]) -> None:
    """A key reaches the editor if and only if no prefix key has taken the keys before it."""
    inside = began = False
    for to, key in walk(keys):
        if not inside:
            assert ("panel" if key == PREFIX else "editor") == to
            inside = began = key == PREFIX
        elif key == PREFIX:
            assert ("editor" if began else "panel") == to
            inside = began = not began
        else:
            assert to == "panel"
            began, inside = False, key in {*USED, *SCROLLING, *SIZING}


# ---------------------------------------------------------------- the process at the terminal


class Terminal:
    """Stands in for the terminal: returns one chunk of input for each key."""

    encoding = "utf-8"
    name = ""
    keys = -1

    def __init__(self, *_: object) -> None:
        self.typed = b""

    def read(self) -> bytes:
        return self.typed

    def size(self) -> tuple[int, int]:
        return 80, 24


class Channel:
    """Stands in for the connection to the session, and keeps the keys that it gets."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def send(self, message: object) -> None:
        self.keys += message.keys if isinstance(message, KeysPressed) else ()


def draw(focused: bool) -> str:
    """Return the status line of the panel."""
    state = SessionState(LESSON, Path("f.py"))
    state.size = Size(80, 7, 24, panel=True)
    return draw_status(state, FANCY, "F12", (0, 3), (9, 3), focused).plain


UPDATE = ScreenUpdate((), draw(focused=False), draw(focused=True))


class Rows:
    """Stands in for the editor, and keeps what it gets."""

    rows = rows_for_mouse = 17
    has_mouse = True

    def __init__(self) -> None:
        self.got = b""
        self.resized = False
        self.panel = PanelLines([""] * 7)
        self.panel.show(UPDATE, 0)

    def send(self, data: bytes) -> None:
        self.got += data

    def focus(self, is_panel: bool) -> None:
        self.panel.focus(is_panel, 0)

    @property
    def names_the_panel(self) -> bool:
        """Whether the status line says that the panel has the keys."""
        return self.panel.lines[0].startswith(" PANEL ")

    def resize(self, panel: int, by_terminal: bool) -> None:
        """Record that `+` or `-` took effect."""
        self.resized = True


def press(process: TerminalProcess, key: str) -> None:
    """Type a key, and let the time pass after which an ESC is the Escape key."""
    cast(Any, process._terminal).typed = RAW.get(key, key.encode())
    process._take_input()
    process._keys._take_keys(process._keys._keyboard.settle())


@given(KEYS)
def test_a_key_goes_where_the_status_line_says(keys: list[str]) -> None:
    """While the status line names the panel, the editor gets nothing; otherwise it gets all."""
    channel, rows = Channel(), Rows()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal_process, "Terminal", Terminal)
        prefix = parse_prefix("f12")
        assert prefix is not None
        process = TerminalProcess(App(Options()), LESSON, "auto", prefix)
    process._channel, process._rows = cast(Any, channel), cast(Any, rows)
    process._keys.use(cast(Any, rows))
    process._keys._used = USED
    was_prefix = False  # directly after the prefix key, which began the mode
    for key in keys:
        is_panels = rows.names_the_panel
        rows.got, rows.resized, channel.keys = b"", False, []
        press(process, key)
        if key == PREFIX:
            assert (RAW[PREFIX] if was_prefix else b"") == rows.got
            was_prefix = not was_prefix
        else:
            assert (b"" if is_panels else RAW.get(key, key.encode())) == rows.got
            assert is_panels == bool(channel.keys or rows.resized)
            was_prefix = False
    process._wake.close()
