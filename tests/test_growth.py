"""Tests that commands read as many rows as they show, however many were recorded."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.storage.database import ProgressFile
from jaxtutor.storage.store import Store

MANY = 2_000
START = datetime(2026, 3, 28, 12, tzinfo=UTC)

GROW = """
WITH RECURSIVE later(n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM later WHERE n < ?)
INSERT INTO attempts (lesson, n, source, made_at, status, verdict, device, jax, python, seconds,
                      starter)
SELECT lesson, later.n, source, made_at, status, verdict, device, jax, python, seconds, starter
FROM attempts, later WHERE attempts.n = 1
"""


def record(path: Path, lesson: str) -> None:
    """Record three attempts at a lesson, of which the second passes."""
    times = iter(range(3))
    with Store(path, "jaxtutor", lambda: START + timedelta(next(times)), print) as store:
        for status in ("failed", "passed", "failed"):
            store.record_attempt(
                lesson,
                source="x = 1\n",
                status=status,
                verdict="{}",
                device="cpu:0",
                jax="0.12.0",
                python="3.13.1",
                seconds=0.25,
                starter="v1",
            )


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the progress file of a learner with three attempts."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    found = tmp_path / "data" / "progress.sqlite3"
    record(found, "safe-clip-positive")
    return found


def count_rows(line: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command and return how many rows it read."""
    rows: list[int] = []
    ask = ProgressFile.ask

    def counted(self: ProgressFile, query: str, *values: object) -> list[object]:
        found = ask(self, query, *values)
        rows.append(len(found))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(ProgressFile, "ask", counted)
        assert 0 == run(line)
    return sum(rows)


@pytest.mark.parametrize(
    ("line", "shown"),
    [(["stats"], 0), (["list"], 0), (["hint"], 3), (["history"], 201), (["review"], 0)],
    ids=lambda it: it[0] if isinstance(it, list) else "",
)
def test_the_rows_read_do_not_grow(
    path: Path,
    line: list[str],
    shown: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With 2,000 attempts a command reads the rows that it shows, not every attempt."""
    few = count_rows(line, monkeypatch)
    with sqlite3.connect(path) as db:
        db.execute(GROW, (MANY,))
    db.close()

    assert count_rows(line, monkeypatch) <= few + shown
    capsys.readouterr()


def test_history_says_where_the_earlier_ones_are(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The newest 200 entries are shown, with the count of all; `--all` shows every one."""
    with sqlite3.connect(path) as db:
        db.execute(GROW, (300,))
    db.close()
    assert 0 == run(["history", "--plain"])
    newest = capsys.readouterr().out
    assert 0 == run(["history", "--plain", "--all"])
    every = capsys.readouterr().out

    assert newest.startswith("300 attempts, passed at attempt 2.\n")
    assert "Earlier ones: jaxtutor history safe-clip-positive --all" in newest
    assert every.startswith("300 attempts, passed at attempt 2.\n")
    assert "Earlier ones" not in every
    assert (203, 302) == (newest.count("\n"), every.count("\n"))


@pytest.mark.parametrize(
    ("zone", "days"),
    [("UTC", [28, 29, 30]), ("Pacific/Auckland", [29, 30, 31]), ("Asia/Kathmandu", [28, 29, 30])],
)
def test_days_are_those_of_the_local_calendar(
    path: Path, zone: str, days: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite counts the same days as Python's local time, also when the clock is changed."""
    import time

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        with Store(path, "jaxtutor", lambda: START, print) as store:
            (lesson,) = store.progress()
            found = store.count_by_day([lesson, "no-such-lesson"])
            local = [entry.when.astimezone().date() for entry in store.attempts(lesson)]
    finally:
        monkeypatch.undo()
        time.tzset()

    assert "safe-clip-positive" == lesson
    assert {date(2026, 3, day): 1 for day in days} == found
    assert [date(2026, 3, day) for day in days] == local


def test_a_damaged_time_counts_as_the_earliest_day(path: Path) -> None:
    """A time that cannot be read does not stop the statistics."""
    with sqlite3.connect(path) as db:
        db.execute("UPDATE attempts SET made_at = 'soon' WHERE n = 3")
    db.close()
    with Store(path, "jaxtutor", lambda: START, print) as store:
        found = store.count_by_day(store.progress())
        assert [date(1970, 1, 2), date(2026, 3, 28), date(2026, 3, 29)] == sorted(found)
