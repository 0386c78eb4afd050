"""Draws the status line: the lesson, its state, and keys, as far as they fit."""

from __future__ import annotations

import time

from rich.text import Text

from jaxtutor.display.theme import Marks
from jaxtutor.session.state import KEYS, PANEL_KEYS, SessionState

ROOMY = 60
"""Columns from which whole words are used."""
MORE = "  ? more"
SCROLL = ("space", "scroll")
ANSWERS = "y or n"


def draw_status(
    state: SessionState, marks: Marks, prefix: str, hint: tuple[int, int], below: int
) -> Text:
    """Draw the line.

    `hint` is the place of the hint shown last, and how many there are; `below` counts the lines
    that do not fit.
    """
    columns, panel = state.size.columns, state.size.panel
    if state.asking:
        line = Text(f" {_ask(state.asking[0], columns)} ", style="mark")
    elif state.choice:
        line = Text(f" 1 to {len(state.choice)}: choose an editor  q quit  any other key: back ")
    elif state.commanding:
        line = _with_keys(Text(), PANEL_KEYS, columns)
    elif panel:
        keys = Text(f"{prefix}{' keys' if columns >= ROOMY else ''} ")
        line = _fit_standing(columns - keys.cell_len, state, marks, hint, below)
        line.append(" " * max(columns - line.cell_len - keys.cell_len, 0)).append(keys)
    else:
        room = columns - min(34, columns // 2)
        line = _fit_standing(room, state, marks, hint, below)
        line = _with_keys(line, KEYS if below == 0 else (KEYS[0], SCROLL, *KEYS[1:]), columns)
    line.truncate(columns, pad=panel)
    if panel:
        line.stylize("reverse")
    return line


def _ask(question: str, columns: int) -> str:
    """Write the question in full if it fits; its warning is left out otherwise."""
    full = f"{question} {ANSWERS}"
    return full if len(full) + 2 <= columns else f"{question.partition('?')[0]}? {ANSWERS}"


def _fit_standing(
    columns: int, state: SessionState, marks: Marks, hint: tuple[int, int], below: int
) -> Text:
    """Return the lesson and its state, with as many details as fit."""
    lesson = state.lesson
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
    if state.checking_since is not None:
        return Text(f"checking {time.monotonic() - state.checking_since:.1f} s", style="mark")
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
    return Text(f"{mark} {summary}", style=style)


def _with_keys(line: Text, keys: tuple[tuple[str, str], ...], columns: int) -> Text:
    for key, does in keys:
        if line.cell_len + len(key) + len(does) + 3 + len(MORE) > columns:
            return line.append(MORE[:2]).append(MORE[2], style="key").append(MORE[3:])
        line.append("  ").append(key, style="key").append(f" {does}")
    return line
