"""Creates a learner's home for trials, runs commands in it, and compares its data."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

LESSON, PASSED, ASKING = "safe-clip-positive", "count-with-scatter", "make-it-fast"
"""Lessons: the current one, one that was passed, and one with a question."""

BROKEN = "def safe_clip_positive(x:\n    return {}\n"
"""A submission with a syntax error, which is checked quickly because it needs no worker."""

FAULTS = ("Traceback", "Internal error in jaxtutor")


@dataclass(frozen=True)
class Ran:
    """The output of a command and its exit status."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All of the output."""
        return self.out + self.err

    def problem(self) -> str:
        """Return what no command may do under any fault, or an empty string."""
        if any(mark in self.said for mark in FAULTS):
            return f"a fault: {self.said.strip()[-300:]}"
        if self.status not in (0, 1, 2, 3):
            return f"status {self.status}"
        said = self.said.strip()
        if self.status == 3 and "\n" not in said and '"remedy": "' not in said:
            return f"no remedy: {said}"
        return ""


@contextmanager
def surroundings(home: Path) -> Iterator[None]:
    """Let commands of this process work in a home, without a worker."""
    from jaxtutor.checks.predictions import PredictionResult

    environ = {
        "JAXTUTOR_HOME": str(home),
        "JAXTUTOR_TRUST_COURSE": "yes",
        "JAXTUTOR_NO_KEEP": "yes",  # a process that goes on would write to a home that is removed
        "COLUMNS": "300",
    }
    answer = partial(lambda *_: PredictionResult("1", ""))
    with (
        patch.dict(os.environ, environ),
        patch("jaxtutor.checks.predictions.find_answer", answer),
    ):
        yield


@contextmanager
def in_zone(name: str) -> Iterator[None]:
    """Set the local time zone."""
    try:
        with patch.dict(os.environ, {"TZ": name}):
            time.tzset()
            yield
    finally:
        time.tzset()


def carry_out(home: Path, *arguments: str) -> Ran:
    """Run a command in this process."""
    from jaxtutor.cli import run

    out, err = io.StringIO(), io.StringIO()
    with surroundings(home), redirect_stdout(out), redirect_stderr(err):
        status = run(list(arguments))
    return Ran(status, out.getvalue(), err.getvalue())


@contextmanager
def opened(home: Path) -> Iterator[Any]:
    """Return the app that every command gets."""
    from jaxtutor.app import App
    from jaxtutor.options import Options

    err = io.StringIO()
    with surroundings(home):
        app = App(Options(plain=True), io.StringIO(), err)
        try:
            yield app
        finally:
            app.close()


def own_file(home: Path, lesson: str = LESSON) -> Path:
    """Return the path of the learner's file of a lesson."""
    with opened(home) as app:
        return app.file(app.course.find(lesson))  # type: ignore[no-any-return]


def record(app: Any, lesson: str, source: str, status: str) -> None:
    """Record an attempt as a check does, with a verdict that needs no worker."""
    from jaxtutor.checks import attempts
    from jaxtutor.core.data.verdicts import Verdict
    from jaxtutor.storage.workspace import Submission

    found = app.course.find(lesson)
    path = app.file(found)
    verdict = Verdict(
        status=status,  # type: ignore[arg-type]
        lesson=found.slug,
        headline="",
        checks=(),
        seconds=0.5,
        device="cpu:0",
        jax_version="0.12.0",
    )
    attempts.record(app, found, Submission(path, source.encode(), source), verdict)


def furnish(home: Path) -> None:
    """Create a home in which half of a course is done."""
    mine = own_file(home)
    mine.parent.mkdir(parents=True)
    for text in ("x", "y"):
        mine.write_text(BROKEN.format(text))
        assert carry_out(home, "check", LESSON).status == 1
    for command in (["hint", LESSON], ["reset", LESSON], ["restore", "1", LESSON]):
        assert carry_out(home, *command).status == 0, command
    with opened(home) as app:
        record(app, PASSED, "x = 1\n", "passed")
        app.store.set_current(LESSON)
    passed = own_file(home, PASSED)
    passed.parent.mkdir(parents=True, exist_ok=True)
    passed.write_text("x = 1\n")
    mine.write_text(BROKEN.format("mine, and saved nowhere else"))
    submissions = (
        home / "outside" / "submissions" / "ann"
    )  # the folder for `grade` needs no worker either
    submissions.mkdir(parents=True)
    (submissions / "safe_clip_positive.py").write_text(BROKEN.format("ann"))


def commands(home: Path) -> Mapping[str, tuple[str, ...]]:
    """Return one command of each kind that writes, and some that read."""
    outside = home / "outside"
    submissions = outside / "submissions"
    return {
        "start": ("start", ASKING),
        "check": ("check", LESSON),
        "check --junit": ("check", LESSON, "--junit", str(outside / "one.xml")),
        "hint": ("hint", LESSON),
        "predict": ("predict", ASKING, "--answer", "1"),
        "reset": ("reset", LESSON),
        "restore": ("restore", "2", LESSON),
        "restore kept": ("restore", "k1", LESSON),
        "next": ("next",),
        "prev": ("prev",),
        "review": ("review", PASSED),
        "review --give-up": ("review", PASSED, "--give-up"),
        "review due": ("review",),
        "stats": ("stats",),
        "history": ("history", LESSON),
        "diff": ("diff", LESSON, "--against", "2"),
        "list": ("list",),
        "show": ("show", LESSON),
        "solution": ("solution", LESSON),
        "lesson new": ("lesson", "new", str(outside / "course" / "01_one" / "01_mine")),
        "grade": (
            *("grade", str(submissions), "--confine", "never", "--jobs", "1"),
            *("--csv", str(outside / "grades.csv"), "--junit", str(outside / "grades.xml")),
        ),
    }


# ---------------------------------------------------------------- stored data

Rows = dict[str, frozenset[tuple[object, ...]]]

_LASTING = {
    "attempt": "SELECT slug, n, hex(sha256), status, verdict FROM attempts"
    " JOIN lessons ON lessons.id = lesson JOIN sources ON sources.id = source",
    "kept": "SELECT slug, n, hex(sha256), reason FROM kept"
    " JOIN lessons ON lessons.id = lesson JOIN sources ON sources.id = source",
    "hint": "SELECT slug, rung FROM hints JOIN lessons ON lessons.id = lesson",
    "review": "SELECT slug, n, seed FROM reviews JOIN lessons ON lessons.id = lesson",
    "prediction": "SELECT slug, n FROM predictions JOIN lessons ON lessons.id = lesson",
    "setting": "SELECT name FROM settings",
}


@dataclass(frozen=True)
class Held:
    """All data of a home: rows of the store, its texts, and files by relative path."""

    rows: Rows
    texts: frozenset[bytes]
    files: Mapping[str, bytes]


def look(home: Path, without: frozenset[str] = frozenset()) -> Held:
    """Read all data of a home. Raise if the progress file is not valid.

    `without` names tables that an older file does not have.
    """
    progress = home / "data" / "progress.sqlite3"
    rows: Rows = {}
    texts = set()
    if progress.exists():
        with closing(sqlite3.connect(progress)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert db.execute("PRAGMA foreign_key_check").fetchall() == []
            rows = {
                name: frozenset(db.execute(query))
                for name, query in _LASTING.items()
                if f"{name}s" not in without
            }
            for key, body in db.execute("SELECT sha256, body FROM sources"):
                text = zlib.decompress(body)
                assert hashlib.sha256(text).digest() == key
                texts.add(text)
            for (verdict,) in db.execute("SELECT verdict FROM attempts"):
                json.loads(verdict)
    return Held(rows, frozenset(texts), own_files(home))


_PASSING = frozenset({"references", "outside"})


def own_files(home: Path) -> dict[str, bytes]:
    """Read every file of a home, except SQLite's files and the caches."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and "sqlite3" not in path.name and not _PASSING.intersection(path.parts)
    }


def losses(before: Held, home: Path) -> list[str]:
    """Return what was there before and is missing: rows, and texts of files."""
    try:
        after = look(home)
    except (AssertionError, ValueError, sqlite3.Error, zlib.error) as error:
        return [f"the store is not whole: {error!r}"]
    lost = [
        f"{name} {row[:2]} is gone"
        for name, rows in before.rows.items()
        for row in rows - after.rows.get(name, frozenset())
    ]
    for name, data in before.files.items():
        now = after.files.get(name)
        if now != data and data not in after.texts:
            lost.append(f"the text of {name} is gone" if now else f"{name} is gone")
    lost += [
        f"{name} is half written"
        for name, data in after.files.items()
        if name.endswith(".py") and not _is_whole(data, before)
    ]
    return lost


def _is_whole(data: bytes, before: Held) -> bool:
    """Return True if a learner's file is one that a command may leave."""
    return data in before.files.values() or data in before.texts or data in starters()


def starters() -> frozenset[bytes]:
    """Return the starter of every lesson."""
    from jaxtutor.content.loading import built_in

    if not _STARTERS:
        _STARTERS.update(path.read_bytes() for path in built_in().glob("*/*/starter.py"))
    return frozenset(_STARTERS)


_STARTERS: set[bytes] = set()
