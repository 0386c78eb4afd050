"""Tests the lists to choose from: what keys do, what is visible, and what a choice does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from jaxtutor.cli import run
from jaxtutor.core.terminal.chooser import (
    Chooser,
    Item,
    choose_from,
    press,
    status_text,
    visible_range,
)
from jaxtutor.display.choosing import choose
from trials.built_in import learner_file

ITEMS = tuple(
    Item(name, f"{n} {name}", words)
    for n, (name, words) in enumerate(
        [("one", "jit"), ("two", "vmap"), ("three", "vmap jit"), ("four", ""), ("five", "")]
    )
)
KEYS = (
    "up down pageup pagedown home end enter escape backspace space / q j k g G b c-c e o x".split()
)


def after(keys: str, current: str | None = None, page: int = 3) -> Chooser:
    """Return the list after some keys."""
    chooser = choose_from(ITEMS, current)
    for key in keys.split():
        chooser = press(chooser, key, page)
    return chooser


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("", "one"),
        ("down down", "three"),
        ("j j k", "two"),
        ("up", "one"),
        ("end down", "five"),
        ("G g", "one"),
        ("pagedown", "three"),
        ("space b", "one"),
        ("/ v m a p", "two"),
        ("/ v m a p down", "three"),
        ("/ v m a p backspace backspace backspace backspace", "two"),
        ("/ j i t space v", "three"),
    ],
)
def test_the_cursor_moves(keys: str, expected: str) -> None:
    """Arrows, letters and the filter put the cursor on the entry that is named."""
    current = after(keys).current
    assert current is not None
    assert expected == current.key


def test_the_cursor_begins_where_the_learner_is() -> None:
    """The entry that is current is under the cursor; an unknown one is ignored."""
    assert [3, 0, 0] == [after("", name).cursor for name in ("four", "none", None)]


@pytest.mark.parametrize(
    ("keys", "chosen", "closed"),
    [
        ("down enter", "two", False),
        ("/ t h enter", "three", False),
        ("/ z z enter", None, False),
        ("escape", None, True),
        ("q", None, True),
        ("c-c", None, True),
        ("/ q", None, False),
        ("/ q escape", None, False),
        ("/ q escape escape", None, True),
    ],
)
def test_a_list_is_left(keys: str, chosen: str | None, closed: bool) -> None:
    """Enter chooses; Esc first removes the filter, then leaves; while filtering, q is a letter."""
    found = after(keys)
    assert (chosen, closed) == (found.chosen, found.closed)


def test_typed_letters_do_not_move() -> None:
    """While a filter is typed, letters that scroll elsewhere belong to the filter."""
    found = after("/ j k g")
    assert ("jkg", True) == (found.pattern, found.is_typing)


@given(st.lists(st.sampled_from(KEYS), max_size=40), st.integers(1, 7))
def test_the_cursor_is_always_visible(keys: list[str], rows: int) -> None:
    """Whatever is pressed, the cursor is on an entry that is shown, if any matches."""
    chooser = choose_from(ITEMS)
    for key in keys:
        if chooser.is_over:
            break
        chooser = press(chooser, key, rows)
        first, end = visible_range(chooser, rows)
        place = min(chooser.cursor, max(len(chooser.shown) - 1, 0))

        assert first <= place < end or not chooser.shown
        assert end - first <= rows
        assert (chooser.current is None) == (not chooser.shown)


def test_the_status_says_where_one_is() -> None:
    """The status line names the place and the keys, or the filter and how to remove it."""
    assert status_text(after("down")).startswith("2 of 5   arrows move")
    assert "/vmap   1 of 2, 5 in all" in status_text(after("/ v m a p"))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("\r", "one"),
        ("\x1b[B\x1b[B\r", "three"),
        ("jj\r", "three"),
        ("/thr\r", "three"),
        ("\x1b[6~\x1b[F\r", "five"),
        ("q", None),
        ("\x03", None),
        ("\x1b", None),
    ],
)
def test_keys_of_a_terminal_choose(typed: str, expected: str | None) -> None:
    """The bytes that a terminal sends reach the list under the names that it knows."""
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        keys.send_text(typed)
        assert expected == choose("Choose", choose_from(ITEMS))


@pytest.mark.parametrize(
    "words", [["list"], ["history"], ["explain"], ["search", "vmap"]], ids=" ".join
)
def test_without_a_terminal_a_list_is_printed_only(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a pipe, `--choose` is a usage error that says what to do."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))

    assert 2 == run([*words, "--choose"])
    assert "--choose needs a terminal" in capsys.readouterr().err


def test_a_choice_does_what_the_list_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Choosing an attempt restores it; choosing a page or a match shows it."""
    from jaxtutor.app import App

    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(App, "interactive", property(lambda _: True))
    for module in ("printing", "pages", "explain"):
        monkeypatch.setattr(
            f"jaxtutor.commands.{module}.print_long", lambda app, _: app.stdout.write("page")
        )
    picked: list[str] = []

    def pick(title: str, chooser: Chooser) -> str:
        picked.append(title)
        return chooser.items[0].key

    monkeypatch.setattr("jaxtutor.display.choosing.choose", pick)
    mine = tmp_path / "workspace" / learner_file("immutable-update")
    mine.parent.mkdir(parents=True)
    mine.write_text("mine = 1\n")
    assert 0 == run(["reset", "immutable-update"])
    assert 0 == run(["history", "immutable-update", "--choose"])
    assert "mine = 1\n" == mine.read_text()
    assert 0 == run(["explain", "--choose"])
    assert 0 == run(["search", "vmap", "--choose"])
    assert 2 == run(["explain", "traced-bool-in-if", "--choose"])
    assert 3 == len(picked)
