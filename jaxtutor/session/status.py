"""Draws the status line: the lesson, its state, and keys, as far as they fit."""

from __future__ import annotations

import time

from rich.text import Text

from jaxtutor.display.theme import Marks, visible
from jaxtutor.session.key_tables import (
    FEWER_ROWS,
    KEYS,
    MORE,
    PANEL_KEYS,
    PREVIEW_KEYS,
    READ_ON,
    SCROLL,
    Keys,
)
from jaxtutor.session.state import SessionState

ROOMY = 60
"""Columns from which whole words are used."""
ANSWERS = "y or n"
TITLE = 24
"""Characters of the title of a failed check that are shown in place of "failed"."""
PANEL = "PANEL"
"""What the status line begins with while the panel has the keys. It is a word, because reverse
video and colours alone do not say which of two states is which."""


def draw_status(
    state: SessionState,
    marks: Marks,
    prefix: str,
    hint: tuple[int, int],
    lines: tuple[int, int],
    focused: bool = False,
) -> Text:
    """Draw the line.

    `hint` is the place of the hint shown last, and how many there are; `lines` are the number of
    lines of the view, and of those that do not fit below. `focused` means that the panel has the
    keys.
    """
    columns, panel, below = state.size.columns, state.size.panel, lines[1]
    if state.asking and (focused or not panel):
        line = Text(f" {_ask(state.asking[0], columns)} ", style="mark")
    elif state.choice:
        line = Text(f" 1 to {len(state.choice)}: choose an editor  q quit  any other key: back ")
    elif state.view == "welcome":
        line = Text(" any key: the first lesson  q quit ")
    elif panel and focused:
        line = _fit_keys(state, lines)
    elif panel:
        end = Text(f"{prefix}{' keys' if columns >= ROOMY else ''} ")
        line = _fit_standing(columns - end.cell_len, state, marks, hint, below)
        line.append(" " * max(columns - line.cell_len - end.cell_len, 0)).append(end)
    else:
        room = columns - min(34, columns // 2)
        line = _fit_standing(room, state, marks, hint, below)
        keys = _keys_of_page(PREVIEW_KEYS if state.preview else KEYS, state)
        if below and not state.preview:
            first = (keys[0], SCROLL, *(it for it in keys if it == READ_ON and state.shows_text))
            keys = (*first, *(key for key in keys if key not in first))
        line = _with_keys(line, keys, columns)
    line.truncate(columns, pad=panel)
    if panel:
        line.stylize("reverse")
    return line


def _fit_keys(state: SessionState, lines: tuple[int, int]) -> Text:
    """Return the word that says who has the keys, the position in the view, and the keys."""
    total, below = lines
    first = state.offset or 0
    line = Text(f" {PANEL}", style="mark")
    if total > state.room:
        line.append(f"  {first + 1}-{total - below} of {total}", style="default")
    if state.preview:
        name = f" {state.preview.slug}" if state.size.columns >= ROOMY else ""
        line.append(f"  {state.preview.number}{name}", style="default")
    keys = _keys_of_page(PREVIEW_KEYS if state.preview else PANEL_KEYS, state)
    if state.whole:
        keys = tuple(FEWER_ROWS if key == "z" else (key, does) for key, does in keys)
    return _with_keys(line, keys, state.size.columns)


def _keys_of_page(keys: Keys, state: SessionState) -> Keys:
    """Leave out the key for a worked example where the page of the lesson has none."""
    has_example = (state.preview or state.lesson).has_example
    return keys if has_example else tuple(it for it in keys if it != READ_ON)


def _ask(question: str, columns: int) -> str:
    """Write the question in full if it fits; its warning is left out otherwise."""
    full = f"{question} {ANSWERS}"
    return full if len(full) + 2 <= columns else f"{question.partition('?')[0]}? {ANSWERS}"


def _fit_standing(
    columns: int, state: SessionState, marks: Marks, hint: tuple[int, int], below: int
) -> Text:
    """Return the lesson and its state, with as many details as fit."""
    lesson = state.preview or state.lesson
    number, name = Text(f" {lesson.number}"), Text(f" {lesson.number} {lesson.slug}")
    standing = _standing(state, marks)
    short = standing
    if standing.plain.startswith((marks.passed, marks.failed, "checking")):
        short = standing.split(" ")[0]  # the mark alone
    hints = Text("hint {} of {}".format(*hint) if hint[0] else "")
    more = Text(f"{below} more below" if below else "", style="quiet")
    choices = (
        (name, standing, hints, more),
        (name, standing, more),
        (number, standing, more),
        (number, short, more),
        (number, short),
    )
    lines = [Text("  ").join(part for part in parts if part) for parts in choices]
    return next((line for line in lines if line.cell_len + 2 <= columns), lines[-1])


def _standing(state: SessionState, marks: Marks) -> Text:
    if state.preview is not None:
        return Text("")
    if state.checking_since is not None:
        waited = f"checking {time.monotonic() - state.checking_since:.1f} s"
        return Text(f"{waited}, {state.known}" if state.known else waited, style="mark")
    if state.unread:
        return Text("not checked", style="mark")
    verdict = state.verdict
    if verdict is None:
        return Text("")
    passed = verdict.status == "passed"
    if not passed and state.given:
        return Text("to do", style="quiet")
    mark, style = (marks.passed, "passed") if passed else (marks.failed, "failed")
    summary = verdict.status.replace("_", " ")
    if verdict.failure is not None and verdict.status == "raised":
        summary = verdict.failure.error_class
    elif verdict.status == "failed" and 0 < len(title := verdict.headline.split(":")[0]) <= TITLE:
        summary = visible(title[0].lower() + title[1:])
    return Text(f"{mark} {summary}", style=style)


def _with_keys(line: Text, keys: Keys, columns: int) -> Text:
    for key, does in keys:
        if line.cell_len + len(key) + len(does) + 3 + len(MORE) > columns:
            return line.append(MORE[:2]).append(MORE[2], style="key").append(MORE[3:])
        line.append("  ").append(key, style="key").append(f" {does}")
    return line
