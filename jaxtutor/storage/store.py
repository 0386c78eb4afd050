"""Owns what is remembered of a learner: attempts, hints and choices, one transaction an event."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from jaxtutor.core.learning.progress import Progress
from jaxtutor.core.learning.reviews import Review
from jaxtutor.errors import StoreError
from jaxtutor.storage import clock
from jaxtutor.storage.database import Clock, ProgressFile

if TYPE_CHECKING:  # sqlite3 costs 15 ms, which `--help` need not pay
    import sqlite3

PROGRESS = """
SELECT slug,
       (SELECT MAX(n) FROM attempts WHERE lesson = lessons.id),
       (SELECT COUNT(*) FROM hints WHERE lesson = lessons.id),
       (SELECT MIN(made_at) FROM attempts WHERE lesson = lessons.id AND status = 'passed')
FROM lessons
WHERE course = (SELECT id FROM courses WHERE slug = ?)
"""

LESSON = """
SELECT id FROM lessons WHERE course = (SELECT id FROM courses WHERE slug = ?) AND slug = ?
"""

ATTEMPTS = f"""
SELECT n, made_at, status, device, jax, python, seconds, starter, sha256
FROM attempts JOIN sources ON sources.id = source
WHERE lesson = ({LESSON})
"""

ACTIVITY = """
SELECT slug, made_at, status FROM attempts JOIN lessons ON lessons.id = lesson
WHERE course = (SELECT id FROM courses WHERE slug = ?) ORDER BY attempts.id
"""

FIRST_PASSES = """
SELECT slug, MIN(n), made_at FROM attempts JOIN lessons ON lessons.id = lesson
WHERE course = (SELECT id FROM courses WHERE slug = ?) AND status = 'passed' GROUP BY lesson
"""

CAUSES = """
SELECT json_extract(verdict, '$.diagnosis.cause') AS cause, COUNT(*) AS times
FROM attempts JOIN lessons ON lessons.id = lesson
WHERE course = (SELECT id FROM courses WHERE slug = ?) AND status = 'raised'
  AND json_valid(verdict) AND cause IS NOT NULL
GROUP BY cause ORDER BY times DESC, cause LIMIT ?
"""

REVIEWS = """
SELECT slug, n, seed, begun_at, reviews.kept, ended_at, attempts, passed
FROM reviews JOIN lessons ON lessons.id = lesson
WHERE course = (SELECT id FROM courses WHERE slug = ?)
"""

OPEN_REVIEW = f"{REVIEWS} AND slug = ? AND ended_at IS NULL"

KEPT = f"""
SELECT n, kept_at, reason, sha256
FROM kept JOIN sources ON sources.id = source
WHERE lesson = ({LESSON}) ORDER BY n
"""

SET = "INSERT OR REPLACE INTO settings VALUES (?, ?)"


@dataclass(frozen=True)
class Attempt:
    """A submission that was checked; `n` counts from 1 in each lesson."""

    lesson: str
    n: int
    when: datetime
    status: str
    device: str
    jax: str
    python: str
    seconds: float
    starter: str
    sha256: bytes


@dataclass(frozen=True)
class SavedFile:
    """A learner's file put away before something took its place; `n` counts from 1."""

    lesson: str
    n: int
    when: datetime
    reason: str
    sha256: bytes


class Store:
    """The progress of one course's learner. Any thread may call it."""

    def __init__(
        self,
        path: Path,
        course: str,
        clock: Clock,
        notify: Callable[[str], None],
        patience: float = 5.0,
    ) -> None:
        """Open the progress file, or make it; raise StoreError. ProgressFile says the rest."""
        self._course = course
        self._place = f"current:{course}"
        self._clock = clock
        self._file = ProgressFile(path, clock, notify, patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    # Events.

    def record_attempt(
        self,
        lesson: str,
        *,
        source: str,
        status: str,
        verdict: str,
        device: str,
        jax: str,
        python: str,
        seconds: float,
        starter: str,
    ) -> int:
        """Record a checked submission and return its number, counted from 1 in the lesson.

        It counts to the review of the lesson that is open, which a pass ends; and the learner is at
        that lesson now.
        """
        when = self._now()
        facts = (status, verdict, device, jax, python, seconds, starter)
        passed = status == "passed"

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _following(db, "attempts", row)
            db.execute(
                "INSERT INTO attempts (lesson, n, source, made_at, status, verdict, device, jax,"
                " python, seconds, starter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row, n, _source(db, _spell(source)), when, *facts),
            )
            db.execute(
                "UPDATE reviews SET attempts = attempts + 1, passed = ?, ended_at = ?"
                " WHERE lesson = ? AND ended_at IS NULL",
                (passed, when if passed else None, row),
            )
            db.execute(SET, (self._place, lesson))
            return n

        return self._file.do(write)

    def keep_source(self, lesson: str, data: bytes, reason: str) -> int:
        """Put a learner's file away before something takes its place; return its number.

        Once it is overwritten the store has the only copy, so not even a power failure may cost it.
        """
        when = self._now()

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _following(db, "kept", row)
            db.execute(
                "INSERT INTO kept (lesson, n, source, kept_at, reason) VALUES (?, ?, ?, ?, ?)",
                (row, n, _source(db, data), when, reason),
            )
            return n

        return self._file.do(write, lasting=True)

    def record_hint(self, lesson: str, rung: int) -> None:
        """Record that a rung was shown; only its first showing counts."""
        when = self._now()
        self._file.do(
            lambda db: db.execute(
                "INSERT OR IGNORE INTO hints (lesson, rung, shown_at) VALUES (?, ?, ?)",
                (self._lesson(db, lesson), rung, when),
            )
        )

    def begin_review(self, lesson: str, kept: int | None) -> Review:
        """Open a review of a lesson, where the learner is now; one that is open already stays so.

        Its number is its seed too: seed 0 is that of the lesson itself.
        """
        when = self._now()

        def write(db: sqlite3.Connection) -> Review:
            row = self._lesson(db, lesson)
            n = _following(db, "reviews", row)
            db.execute(
                "INSERT OR IGNORE INTO reviews (lesson, n, seed, begun_at, kept)"
                " VALUES (?, ?, ?, ?, ?)",
                (row, n, n, when, kept),
            )
            db.execute(SET, (self._place, lesson))
            return _review(db.execute(OPEN_REVIEW, (self._course, lesson)).fetchone())

        return self._file.do(write)

    def give_up_review(self, lesson: str) -> None:
        """End the review that is open, without a pass."""
        when = self._now()
        query = f"UPDATE reviews SET ended_at = ? WHERE lesson = ({LESSON}) AND ended_at IS NULL"
        self._file.do(lambda db: db.execute(query, (when, self._course, lesson)))

    def record_prediction(self, lesson: str, n: int, answer: str, right: bool) -> None:
        """Record what a learner foretold of a lesson's n-th question."""
        when = self._now()
        self._file.do(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO predictions (lesson, n, answer, is_right, made_at)"
                " VALUES (?, ?, ?, ?, ?)",
                (self._lesson(db, lesson), n, answer, right, when),
            )
        )

    def set_current(self, lesson: str) -> None:
        """Remember which lesson the learner is at."""
        self.set_setting(self._place, lesson)

    def set_setting(self, name: str, value: str) -> None:
        """Remember a choice of the learner's, for every course."""
        self._file.do(lambda db: db.execute(SET, (name, value)))

    # Questions.

    def progress(self) -> dict[str, Progress]:
        """Tell how far each lesson has come, by slug; a lesson never touched is left out."""
        return {
            slug: Progress(attempts or 0, hints, _parse(passed) if passed else None)
            for slug, attempts, hints, passed in self._file.ask(PROGRESS, self._course)
        }

    def attempts(self, lesson: str) -> tuple[Attempt, ...]:
        """List a lesson's attempts, the first one first."""
        rows = self._file.ask(f"{ATTEMPTS} ORDER BY n", self._course, lesson)
        return tuple(_attempt(lesson, row) for row in rows)

    def attempt(self, lesson: str, n: int) -> Attempt | None:
        """Return a lesson's n-th attempt, if there is one."""
        rows = self._file.ask(f"{ATTEMPTS} AND n = ?", self._course, lesson, n)
        return _attempt(lesson, rows[0]) if rows else None

    def reviews(self) -> tuple[Review, ...]:
        """List every review of the course, in order."""
        rows = self._file.ask(f"{REVIEWS} ORDER BY reviews.id", self._course)
        return tuple(map(_review, rows))

    def predicted(self, lesson: str) -> frozenset[int]:
        """Return the numbers of the lesson's questions that were asked."""
        query = f"SELECT n FROM predictions WHERE lesson = ({LESSON})"
        return frozenset(n for (n,) in self._file.ask(query, self._course, lesson))

    def open_review(self, lesson: str) -> Review | None:
        """Return the review of a lesson that is open, if one is."""
        rows = self._file.ask(OPEN_REVIEW, self._course, lesson)
        return _review(rows[0]) if rows else None

    def activity(self) -> tuple[tuple[str, datetime, str], ...]:
        """List every attempt of the course, in order: its lesson, when, and its status."""
        rows = self._file.ask(ACTIVITY, self._course)
        return tuple((slug, _parse(when), status) for slug, when, status in rows)

    def first_passes(self) -> dict[str, tuple[int, datetime]]:
        """Tell of each lesson that was passed at which attempt it first was, and when."""
        rows = self._file.ask(FIRST_PASSES, self._course)
        return {slug: (n, _parse(when)) for slug, n, when in rows}

    def causes(self, most: int) -> tuple[tuple[str, int], ...]:
        """List the causes that were met most often, and how often."""
        return tuple(
            (str(cause), times) for cause, times in self._file.ask(CAUSES, self._course, most)
        )

    def verdict(self, attempt: Attempt) -> str:
        """Return an attempt's verdict, as the JSON that was recorded."""
        query = f"SELECT verdict FROM attempts WHERE lesson = ({LESSON}) AND n = ?"
        rows = self._file.ask(query, self._course, attempt.lesson, attempt.n)
        if not rows:
            raise _missing(attempt)
        return str(rows[0][0])

    def kept(self, lesson: str) -> tuple[SavedFile, ...]:
        """List what was put away of a lesson's file, the first one first."""
        return tuple(
            SavedFile(lesson, n, _parse(when), reason, key)
            for n, when, reason, key in self._file.ask(KEPT, self._course, lesson)
        )

    def source(self, entry: Attempt) -> str:
        """Return the text of an attempt, exactly as it was."""
        return self.data(entry).decode("utf-8", "surrogatepass")

    def data(self, entry: Attempt | SavedFile) -> bytes:
        """Return the bytes of a file put away, exactly as they were; of an attempt, its UTF-8."""
        rows = self._file.ask("SELECT body FROM sources WHERE sha256 = ?", entry.sha256)
        with suppress(IndexError, TypeError, zlib.error):
            data = zlib.decompress(rows[0][0])
            if hashlib.sha256(data).digest() == entry.sha256:
                return data
        raise _missing(entry)

    def hints(self, lesson: str) -> tuple[int, ...]:
        """List the rungs that were shown, in order."""
        query = f"SELECT rung FROM hints WHERE lesson = ({LESSON}) ORDER BY rung"
        return tuple(rung for (rung,) in self._file.ask(query, self._course, lesson))

    def current(self) -> str | None:
        """Return the lesson that the learner is at, if one was ever chosen."""
        return self.setting(self._place)

    def setting(self, name: str) -> str | None:
        """Return a choice that was remembered."""
        rows = self._file.ask("SELECT value FROM settings WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def examine(self) -> str:
        """Read the whole file, and return what is wrong with it; nothing where all is well."""
        ((first, *_), *_) = self._file.ask("PRAGMA integrity_check(1)")
        return "" if first == "ok" else str(first)

    # How both are done.

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")

    def _lesson(self, db: sqlite3.Connection, slug: str) -> int:
        """Return the lesson's row, made if it is new."""
        db.execute("INSERT OR IGNORE INTO courses (slug) VALUES (?)", (self._course,))
        db.execute(
            "INSERT OR IGNORE INTO lessons (course, slug) SELECT id, ? FROM courses WHERE slug = ?",
            (slug, self._course),
        )
        row: int = db.execute(LESSON, (self._course, slug)).fetchone()[0]
        return row


# ---------------------------------------------------------------- rows


def _spell(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _source(db: sqlite3.Connection, data: bytes) -> int:
    """Return the row of a file's content, made if it is new."""
    key = hashlib.sha256(data).digest()
    db.execute(
        # What damage made of an earlier copy is mended by the way.
        "INSERT INTO sources (sha256, body) VALUES (?, ?) ON CONFLICT (sha256)"
        " DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body",
        (key, zlib.compress(data)),
    )
    row: int = db.execute("SELECT id FROM sources WHERE sha256 = ?", (key,)).fetchone()[0]
    return row


def _following(db: sqlite3.Connection, table: str, lesson: int) -> int:
    query = f"SELECT COALESCE(MAX(n), 0) + 1 FROM {table} WHERE lesson = ?"
    n: int = db.execute(query, (lesson,)).fetchone()[0]
    return n


def _attempt(lesson: str, row: tuple[Any, ...]) -> Attempt:
    n, when, *rest = row
    return Attempt(lesson, n, _parse(when), *rest)


def _review(row: tuple[Any, ...]) -> Review:
    slug, n, seed, begun, kept, ended, attempts, passed = row
    end = _parse(ended) if ended else None
    return Review(slug, n, seed, _parse(begun), kept, end, attempts, bool(passed))


def _parse(when: str) -> datetime:
    """Read a time; one that damage made unreadable becomes the earliest there is."""
    try:
        return clock.bound(datetime.fromisoformat(when))
    except (TypeError, ValueError, OverflowError):
        return clock.EARLIEST


def _missing(entry: Attempt | SavedFile) -> StoreError:
    return StoreError(
        f"The text of number {entry.n} of {entry.lesson} is damaged or gone.",
        "Look for a file with `damaged` in its name beside the progress file.",
    )
