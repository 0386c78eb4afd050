"""Owns a learner's home for trials: a course half done, commands carried out in it, and what is
there afterwards of what was there before."""

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
"""One that is being worked at, one that was passed, and one with a question to predict."""

BROKEN = "def safe_clip_positive(x:\n    return {}\n"
"""A submission that is no Python: to check it takes no worker, so a trial may do it often."""

FAULTS = ("Traceback", "Internal error in jaxtutor")


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All that was printed."""
        return self.out + self.err

    def problem(self) -> str:
        """Say what no command may do, whatever goes wrong; nothing where all is well."""
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
    """Have commands of this process work in a home, without the answers of a worker."""
    from jaxtutor.checking.predictions import PredictionResult

    environ = {"JAXTUTOR_HOME": str(home), "JAXTUTOR_TRUST_COURSE": "yes", "COLUMNS": "300"}
    answer = partial(lambda *_: PredictionResult("1", ""))
    with (
        patch.dict(os.environ, environ),
        patch("jaxtutor.checking.predictions.find_answer", answer),
    ):
        yield


@contextmanager
def in_zone(name: str) -> Iterator[None]:
    """Let local time be that of a zone."""
    try:
        with patch.dict(os.environ, {"TZ": name}):
            time.tzset()
            yield
    finally:
        time.tzset()


def carry_out(home: Path, *arguments: str) -> Ran:
    """Carry out a command in this process."""
    from jaxtutor.cli import run

    out, err = io.StringIO(), io.StringIO()
    with surroundings(home), redirect_stdout(out), redirect_stderr(err):
        status = run(list(arguments))
    return Ran(status, out.getvalue(), err.getvalue())


@contextmanager
def opened(home: Path) -> Iterator[Any]:
    """Give what every command is given."""
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
    """Name the learner's file of a lesson."""
    with opened(home) as app:
        return app.file(app.course.find(lesson))  # type: ignore[no-any-return]


def record(app: Any, lesson: str, source: str, status: str) -> None:
    """Record an attempt as a check does, of a verdict that no worker was asked for."""
    from jaxtutor.checking import attempts
    from jaxtutor.core.data.model import Verdict
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
    """Make a home in which a course is half done."""
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
    papers = home / "outside" / "papers" / "ann"  # what `grade` is given takes no worker either
    papers.mkdir(parents=True)
    (papers / "safe_clip_positive.py").write_text(BROKEN.format("ann"))


def commands(home: Path) -> Mapping[str, tuple[str, ...]]:
    """Return a command of each kind that writes, and some that read."""
    outside = home / "outside"
    papers = outside / "papers"
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
            *("grade", str(papers), "--confine", "never", "--jobs", "1"),
            *("--csv", str(outside / "grades.csv"), "--junit", str(outside / "grades.xml")),
        ),
    }


# ---------------------------------------------------------------- what is there

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
    """All that a home holds: rows of the store, texts in it, and files by their path in it."""

    rows: Rows
    texts: frozenset[bytes]
    files: Mapping[str, bytes]


def look(home: Path, without: frozenset[str] = frozenset()) -> Held:
    """Read all that a home holds; raise where the progress file is not whole.

    An older file may be `without` some tables.
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
    """Read every file of a home but those of SQLite, and those that hold what is cached."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and "sqlite3" not in path.name and not _PASSING.intersection(path.parts)
    }


def losses(before: Held, home: Path) -> list[str]:
    """Say what was there and is there no more: no row may go, and no text that was in a file."""
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
    """Tell whether a learner's file is one of those that a command may leave."""
    return data in before.files.values() or data in before.texts or data in starters()


def starters() -> frozenset[bytes]:
    """Return the starter of every lesson."""
    from jaxtutor.content.course import built_in

    if not _STARTERS:
        _STARTERS.update(path.read_bytes() for path in built_in().glob("*/*/starter.py"))
    return frozenset(_STARTERS)


_STARTERS: set[bytes] = set()
