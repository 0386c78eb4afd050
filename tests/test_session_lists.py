"""Tests the lists of a session that can be chosen from: lessons, and attempts at a lesson."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jaxtutor.app import App
from jaxtutor.core.debounce import InitialContent, Saved
from jaxtutor.core.terminal.keys import PREFIX
from jaxtutor.core.terminal.routing import EVERY_KEY, Focus, foresee, route
from jaxtutor.session.key_tables import USED
from jaxtutor.session.messages import Begin, KeysPressed, Size
from jaxtutor.session.session import Session
from jaxtutor.system.editor import Editor
from pictures import LESSON, Outbox, a_place, add_past, an_app, read_records


@pytest.fixture
def app() -> Iterator[App]:
    """Return an app with a course of four lessons and three attempts at the first."""
    with a_place(), an_app() as app:
        add_past(app, read_records())
        yield app


@pytest.fixture
def session(app: App, tmp_path: Path) -> Iterator[Session]:
    """Return a session with an editor above its panel; it checks nothing."""
    made = Session(app, app.course.find(LESSON), Outbox(), Begin(LESSON, "utf-8", "auto", "F12"))
    made._state.size = Size(80, 8, 24, True)
    made._state.running = "rows"
    made._state.path = tmp_path / "mine.py"
    made._file._watch = cast(Any, SimpleNamespace(retarget=lambda _: None))
    yield made
    with suppress(OSError):  # a session that ran has closed it
        made._wake.close()


def press(session: Session, keys: str) -> None:
    """Press keys of the panel, and draw."""
    session.handle(KeysPressed(("prefix", *keys.split())))
    session._lines = None
    session._draw()


def screen(session: Session) -> Any:
    """Return what was drawn last."""
    outbox = session._channel
    assert isinstance(outbox, Outbox)
    return outbox.frames[-1]


def under_cursor(session: Session) -> str:
    """Return the line that has the cursor."""
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in screen(session).lines]
    (line,) = [line for line in plain if line.startswith(">")]
    return line


def test_the_cursor_begins_at_this_lesson(session: Session) -> None:
    """The list opens at the lesson that is open, and the arrows move from there."""
    press(session, "l")
    assert LESSON in under_cursor(session)
    press(session, "down")
    assert "row-sums" in under_cursor(session)


def test_a_lesson_is_chosen_by_its_name(session: Session) -> None:
    """A filter and Enter show the page of a lesson; its file is opened with the next Enter."""
    press(session, "l / r o w")
    assert "/row" in screen(session).focused
    assert "row-sums" in under_cursor(session)
    press(session, "enter")

    preview = session._state.preview
    assert preview is not None
    assert "row-sums" == preview.slug


def test_leaving_the_panel_forgets_the_filter(session: Session) -> None:
    """After Esc the list is whole again."""
    press(session, "l / r o w")
    session.handle(KeysPressed(("leave",)))

    assert session._state.chooser is None


def test_an_attempt_is_restored_after_a_question(session: Session, app: App) -> None:
    """The chosen attempt replaces the file, of which a copy is kept."""
    session._state.path.write_text("mine = 1\n")
    kept = len(app.store.kept(LESSON))
    press(session, "a down enter")
    assert session._state.asking is not None
    assert session._state.asking[0].startswith("Restore attempt 2?")
    press(session, "y")  # the prefix withdraws the question
    assert "mine = 1\n" == session._state.path.read_text()

    press(session, "enter")
    session.handle(KeysPressed(("y",)))
    attempt = app.store.attempt(LESSON, 2)
    assert attempt is not None
    assert app.store.source(attempt) == session._state.path.read_text()
    assert kept + 1 == len(app.store.kept(LESSON))


def test_after_a_restore_the_panel_says_how_to_reload(session: Session) -> None:
    """What an editor with the old text has to do stays until the next save, with the verdict."""
    submitted: list[Any] = []
    session._file._background = cast(Any, SimpleNamespace(submit=lambda *it: submitted.append(it)))
    press(session, "a down enter")
    session.handle(KeysPressed(("y",)))
    said = list(session._state.notices)
    assert any(one.startswith("Attempt 2 was restored.") for one in said)

    restored = session._state.path.read_bytes()
    session._file.handle(InitialContent(restored))
    assert said == session._state.notices
    session._file.handle(Saved(restored))
    assert ([], 2) == (session._state.notices, len(submitted))


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("emacs-nox", "Press Alt-X, and type revert-buffer."),
        ("vim.tiny", "Type :e!"),
        ("mg", "Read it again in mg, or leave it without saving."),
    ],
)
def test_each_editor_reloads_in_its_own_way(session: Session, name: str, how: str) -> None:
    """The panel says how to reload in the editor that runs, whichever build of it that is."""
    session._editor_control._editor = Editor(name, (name,), "terminal", "EDITOR")

    assert f"{name} still shows the old text. {how}" == session._editor_control.reload()


def test_a_lesson_to_open_later_is_announced_above_the_verdict(session: Session) -> None:
    """A lesson chosen for an editor that cannot be controlled closes the list."""
    press(session, "l down enter")
    session.handle(KeysPressed(("enter",)))

    assert "text" == session._state.view
    assert session._state.notices[0].startswith("Save and leave the editor.")


def test_the_panel_uses_the_keys_of_its_list(session: Session) -> None:
    """A list uses Enter and `/`; while a filter is typed, every key is text."""
    press(session, "v")
    assert USED == screen(session).keys
    press(session, "l")
    assert (*USED, "enter", "/") == screen(session).keys
    press(session, "/")
    assert (EVERY_KEY,) == screen(session).keys


@pytest.mark.parametrize(
    "typed", ["l / s o f t enter", "a / 2 enter", "l enter", "l / - + q w / j"]
)
def test_keys_typed_at_once_stay_in_the_panel(typed: str) -> None:
    """No key of a filter reaches the editor, however late the session says which keys it uses."""
    used, focus = USED, route(Focus(), PREFIX, USED).focus
    for key in typed.split():
        routed = route(focus, key, used)
        assert "panel" == routed.to == routed.focus.owner
        focus, used = routed.focus, foresee(key, used) or used


def test_a_key_before_the_session_is_ready_is_not_lost(
    session: Session, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that was pressed while the session process started works, and ends nothing."""
    from jaxtutor.checks.lesson_check import Checker

    monkeypatch.setattr(Checker, "prepare", lambda *_: None)
    monkeypatch.setattr(Session, "_loop", lambda _: None)
    session._state.running = ""
    session.run([Size(80, 24, 24), KeysPressed(("n",))])

    assert "row-sums" == session._state.lesson.slug
