"""Records the learner's attempts, hints and settings, each event in one transaction."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec import Struct

from jaxtutor.core.learning.drills import DrillResult, Meeting
from jaxtutor.core.learning.progress import Progress
from jaxtutor.core.learning.reviews import Review
from jaxtutor.errors import StoreError
from jaxtutor.storage import clock
from jaxtutor.storage.database import Clock, ProgressFile

if TYPE_CHECKING:  # importing sqlite3 takes 15 ms, which `--help` does not need to pay
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

OTHER_LESSONS = """
SELECT DISTINCT lessons.slug FROM lessons JOIN courses ON courses.id = course
WHERE courses.slug <> ?
"""

ATTEMPTS = f"""
SELECT n, made_at, status, device, jax, python, seconds, starter, sha256
FROM attempts JOIN sources ON sources.id = source
WHERE lesson = ({LESSON})
"""

COUNTS = f"""
SELECT COUNT(*), MIN(CASE status WHEN 'passed' THEN n END) FROM attempts WHERE lesson = ({LESSON})
"""

# SQLite counts, in its indexes: a learner of years has many attempts, each with a large verdict.
DAY_COUNTS = """
SELECT date(made_at, 'localtime') AS day, COUNT(*) FROM attempts WHERE lesson IN (
    SELECT id FROM lessons WHERE course = (SELECT id FROM courses WHERE slug = ?)
    AND slug IN (SELECT value FROM json_each(?))
) GROUP BY day
"""

FIRST_PASSES = """
SELECT slug, n, made_at FROM lessons JOIN attempts ON attempts.id = (
    SELECT id FROM attempts WHERE lesson = lessons.id AND status = 'passed' ORDER BY n LIMIT 1
) WHERE course = (SELECT id FROM courses WHERE slug = ?)
"""

# `+lesson` keeps SQLite from reading whole attempts by their lesson, in place of the index.
CAUSES = """
SELECT cause, COUNT(*) AS times FROM attempts WHERE cause IS NOT NULL AND +lesson IN (
    SELECT id FROM lessons WHERE course = (SELECT id FROM courses WHERE slug = ?)
) GROUP BY cause ORDER BY times DESC, cause LIMIT ?
"""

MET_CAUSES = """
SELECT cause, MIN(made_at) FROM attempts WHERE cause IS NOT NULL
GROUP BY cause, substr(made_at, 1, length('YYYY-MM-DD'))
UNION ALL SELECT cause, met_at FROM met_causes
"""

DRILLS = """
SELECT program, cause, read_at, line_right, cause_right, tries, fixed_at FROM drills ORDER BY id
"""

LAST_DRILL = "(SELECT MAX(id) FROM drills WHERE program = ?)"

REVIEWS = """
SELECT slug, n, seed, begun_at, reviews.kept, ended_at, attempts, passed
FROM reviews JOIN lessons ON lessons.id = lesson
WHERE course = (SELECT id FROM courses WHERE slug = ?)
"""

OPEN_REVIEW = f"{REVIEWS} AND slug = ? AND ended_at IS NULL"

KEPT = f"""
SELECT n, kept_at, reason, sha256
FROM kept JOIN sources ON sources.id = source
WHERE lesson = ({LESSON}) ORDER BY n DESC LIMIT ?
"""
EVERY = -1
"""As a LIMIT of SQLite: all rows."""

RENAMED_REASONS = {"saved again before it was checked": "not checked"}
"""Until version 4 this reason was given although nobody may have saved anything."""

WELCOMED = "welcomed"
BEGUN = f"SELECT COUNT(*) FROM settings WHERE name = '{WELCOMED}' OR name GLOB 'current:*'"

SET = "INSERT OR REPLACE INTO settings VALUES (?, ?)"


class Attempt(Struct, frozen=True):
    """A submission that was checked; `n` counts from 1 within each lesson."""

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


class SavedFile(Struct, frozen=True):
    """A copy of the learner's file, saved before it was replaced; `n` counts from 1."""

    lesson: str
    n: int
    when: datetime
    reason: str
    sha256: bytes


class Store:
    """The progress of the learner of one course. It may be used from any thread."""

    def __init__(
        self,
        path: Path,
        course: str,
        clock: Clock,
        notify: Callable[[str], None],
        patience: float = 5.0,
    ) -> None:
        """Open or create the progress file; raise StoreError. The arguments are ProgressFile's."""
        self._course = course
        self._current_key = f"current:{course}"
        self._clock = clock
        self._file = ProgressFile(path, clock, notify, patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    # Events

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
        """Record a checked submission and return its number in the lesson, counted from 1.

        It also makes the lesson the current one. If a review of the lesson is open, the attempt
        counts towards it, and a pass ends it.
        """
        when = self._now()
        facts = (status, verdict, device, jax, python, seconds, starter)
        passed = status == "passed"

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _next_number(db, "attempts", row)
            db.execute(
                "INSERT INTO attempts (lesson, n, source, made_at, status, verdict, device, jax,"
                " python, seconds, starter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row, n, _source(db, _encode(source)), when, *facts),
            )
            db.execute(
                "UPDATE reviews SET attempts = attempts + 1, passed = ?, ended_at = ?"
                " WHERE lesson = ? AND ended_at IS NULL",
                (passed, when if passed else None, row),
            )
            db.execute(SET, (self._current_key, lesson))
            return n

        return self._file.do(write)

    def keep_source(self, lesson: str, data: bytes, reason: str) -> int:
        """Save a copy of the learner's file before it is replaced; return the copy's number.

        Afterwards the store has the only copy, so the transaction is also safe against power loss.
        """
        when = self._now()

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _next_number(db, "kept", row)
            db.execute(
                "INSERT INTO kept (lesson, n, source, kept_at, reason) VALUES (?, ?, ?, ?, ?)",
                (row, n, _source(db, data), when, reason),
            )
            return n

        return self._file.do(write, lasting=True)

    def record_hint(self, lesson: str, rung: int) -> None:
        """Record that a rung was shown; showing it again changes nothing."""
        when = self._now()
        self._file.do(
            lambda db: db.execute(
                "INSERT OR IGNORE INTO hints (lesson, rung, shown_at) VALUES (?, ?, ?)",
                (self._lesson(db, lesson), rung, when),
            )
        )

    def start_review(self, lesson: str, kept: int | None) -> Review:
        """Open a review and make its lesson the current one; an open review is returned unchanged.

        Its number is also the seed of its hidden cases; the lesson itself has seed 0.
        """
        when = self._now()

        def write(db: sqlite3.Connection) -> Review:
            row = self._lesson(db, lesson)
            n = _next_number(db, "reviews", row)
            db.execute(
                "INSERT OR IGNORE INTO reviews (lesson, n, seed, begun_at, kept)"
                " VALUES (?, ?, ?, ?, ?)",
                (row, n, n, when, kept),
            )
            db.execute(SET, (self._current_key, lesson))
            return _review(db.execute(OPEN_REVIEW, (self._course, lesson)).fetchone())

        return self._file.do(write)

    def cancel_review(self, lesson: str) -> None:
        """End the open review of a lesson without a pass."""
        when = self._now()
        query = f"UPDATE reviews SET ended_at = ? WHERE lesson = ({LESSON}) AND ended_at IS NULL"
        self._file.do(lambda db: db.execute(query, (when, self._course, lesson)))

    def record_prediction(self, lesson: str, n: int, answer: str, right: bool) -> None:
        """Record the learner's prediction for question `n` of a lesson."""
        when = self._now()
        self._file.do(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO predictions (lesson, n, answer, is_right, made_at)"
                " VALUES (?, ?, ?, ?, ?)",
                (self._lesson(db, lesson), n, answer, right, when),
            )
        )

    def record_drill(
        self, program: str, cause: str, line_right: bool = False, cause_right: bool = False
    ) -> None:
        """Record the answers to a drill's questions; without an answer, neither was right."""
        facts = (program, cause, self._now(), line_right, cause_right)
        query = (
            "INSERT INTO drills (program, cause, read_at, line_right, cause_right)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        self._file.do(lambda db: db.execute(query, facts))

    def record_fix(self, program: str, right: bool) -> None:
        """Record one run of a fix of the drill that was answered last with this program."""
        when = self._now() if right else None
        query = f"UPDATE drills SET tries = tries + 1, fixed_at = ? WHERE id = {LAST_DRILL}"
        self._file.do(lambda db: db.execute(query, (when, program)))

    def record_met_causes(self, causes: Iterable[str]) -> None:
        """Record the causes that a program of the learner's own had."""
        rows = [(cause, self._now()) for cause in causes]
        query = "INSERT INTO met_causes (cause, met_at) VALUES (?, ?)"
        self._file.do(lambda db: db.executemany(query, rows))

    def set_current(self, lesson: str) -> None:
        """Make a lesson the current one."""
        self.set_setting(self._current_key, lesson)

    def set_setting(self, name: str, value: str) -> None:
        """Record a setting; it applies to every course."""
        self._file.do(lambda db: db.execute(SET, (name, value)))

    def record_welcome(self) -> None:
        """Record that the learner was welcomed."""
        self.set_setting(WELCOMED, "yes")

    # Queries

    def is_new(self) -> bool:
        """Return whether nobody was welcomed, and no lesson of any course was opened."""
        ((known,),) = self._file.ask(BEGUN)
        return not known

    def progress(self) -> dict[str, Progress]:
        """Return the progress of each lesson by slug, without lessons never started."""
        return {
            slug: Progress(attempts or 0, hints, _parse(passed) if passed else None)
            for slug, attempts, hints, passed in self._file.ask(PROGRESS, self._course)
        }

    def lessons_of_other_courses(self) -> frozenset[str]:
        """Return the slugs of the lessons of which something is known in other courses."""
        return frozenset(slug for (slug,) in self._file.ask(OTHER_LESSONS, self._course))

    def attempts(self, lesson: str, most: int = EVERY) -> tuple[Attempt, ...]:
        """List the newest attempts at a lesson, at most `most` of them, the oldest first."""
        rows = self._file.ask(f"{ATTEMPTS} ORDER BY n DESC LIMIT ?", self._course, lesson, most)
        return tuple(_attempt(lesson, row) for row in reversed(rows))

    def attempt(self, lesson: str, n: int) -> Attempt | None:
        """Return attempt `n` at a lesson, or None."""
        rows = self._file.ask(f"{ATTEMPTS} AND n = ?", self._course, lesson, n)
        return _attempt(lesson, rows[0]) if rows else None

    def count_attempts(self, lesson: str) -> tuple[int, int]:
        """Count the attempts at a lesson; also return the number of the first pass, or 0."""
        ((count, first),) = self._file.ask(COUNTS, self._course, lesson)
        return int(count), int(first or 0)

    def count_passes(self, lesson: str) -> int:
        """Count the attempts at a lesson that passed."""
        query = f"SELECT COUNT(*) FROM attempts WHERE lesson = ({LESSON}) AND status = 'passed'"
        ((count,),) = self._file.ask(query, self._course, lesson)
        return int(count)

    def find_attempt(self, lesson: str, sha256: bytes, status: str) -> Attempt | None:
        """Return the newest attempt at a lesson with this text and this status, or None."""
        query = f"{ATTEMPTS} AND sha256 = ? AND status = ? ORDER BY n DESC LIMIT 1"
        rows = self._file.ask(query, self._course, lesson, sha256, status)
        return _attempt(lesson, rows[0]) if rows else None

    def reviews(self) -> tuple[Review, ...]:
        """List the reviews of the course, the oldest first."""
        rows = self._file.ask(f"{REVIEWS} ORDER BY reviews.id", self._course)
        return tuple(map(_review, rows))

    def predicted(self, lesson: str) -> frozenset[int]:
        """Return the numbers of the lesson's questions that were asked before."""
        query = f"SELECT n FROM predictions WHERE lesson = ({LESSON})"
        return frozenset(n for (n,) in self._file.ask(query, self._course, lesson))

    def open_review(self, lesson: str) -> Review | None:
        """Return the open review of a lesson, or None."""
        rows = self._file.ask(OPEN_REVIEW, self._course, lesson)
        return _review(rows[0]) if rows else None

    def count_by_day(self, lessons: Iterable[str]) -> dict[date, int]:
        """Count the attempts at these lessons by day of the local calendar."""
        counts: dict[date, int] = {}
        slugs = msgspec.json.encode([*lessons]).decode()
        for day, count in self._file.ask(DAY_COUNTS, self._course, slugs):
            when = _parse(day).date()  # damaged ones share a day
            counts[when] = counts.get(when, 0) + count
        return counts

    def first_passes(self) -> dict[str, tuple[int, datetime]]:
        """Return for each passed lesson the number and time of its first passing attempt."""
        rows = self._file.ask(FIRST_PASSES, self._course)
        return {slug: (n, _parse(when)) for slug, n, when in rows}

    def causes(self, most: int) -> tuple[tuple[str, int], ...]:
        """List the most frequent causes with their counts."""
        return tuple(
            (str(cause), times) for cause, times in self._file.ask(CAUSES, self._course, most)
        )

    def drills(self) -> tuple[DrillResult, ...]:
        """List the drills that were answered, in any course, the oldest first."""
        return tuple(map(_drill, self._file.ask(DRILLS)))

    def met_causes(self) -> tuple[Meeting, ...]:
        """List the causes of attempts in any course, and of the learner's own programs.

        Of the attempts of one day (UTC) with one cause, the first is listed.
        """
        return tuple(
            Meeting(str(cause), _parse(when)) for cause, when in self._file.ask(MET_CAUSES)
        )

    def verdict(self, attempt: Attempt) -> str:
        """Return the verdict of an attempt, as the JSON that was recorded."""
        query = f"SELECT verdict FROM attempts WHERE lesson = ({LESSON}) AND n = ?"
        rows = self._file.ask(query, self._course, attempt.lesson, attempt.n)
        if not rows:
            raise _missing(attempt)
        return str(rows[0][0])

    def kept(self, lesson: str, most: int = EVERY) -> tuple[SavedFile, ...]:
        """List the newest saved copies of a lesson's file, at most `most`, the oldest first."""
        rows = self._file.ask(KEPT, self._course, lesson, most)
        return tuple(
            SavedFile(lesson, n, _parse(when), RENAMED_REASONS.get(reason, reason), key)
            for n, when, reason, key in reversed(rows)
        )

    def source(self, entry: Attempt) -> str:
        """Return the source of an attempt, unchanged."""
        return self.data(entry).decode("utf-8", "surrogatepass")

    def data(self, entry: Attempt | SavedFile) -> bytes:
        """Return the bytes of a saved copy, unchanged, or the UTF-8 of an attempt."""
        rows = self._file.ask("SELECT body FROM sources WHERE sha256 = ?", entry.sha256)
        from hashlib import sha256

        with suppress(IndexError, TypeError, zlib.error):
            data = zlib.decompress(rows[0][0])
            if sha256(data).digest() == entry.sha256:
                return data
        raise _missing(entry)

    def hints(self, lesson: str) -> tuple[int, ...]:
        """List the rungs in the order in which they were shown."""
        query = f"SELECT rung FROM hints WHERE lesson = ({LESSON}) ORDER BY shown_at, rung"
        return tuple(rung for (rung,) in self._file.ask(query, self._course, lesson))

    def current(self) -> str | None:
        """Return the slug of the current lesson, or None."""
        return self.setting(self._current_key)

    def setting(self, name: str) -> str | None:
        """Return the value of a setting, or None."""
        rows = self._file.ask("SELECT value FROM settings WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def examine(self) -> str:
        """Check the integrity of the whole file; return the first problem, or an empty string."""
        ((first, *_), *_) = self._file.ask("PRAGMA integrity_check(1)")
        return "" if first == "ok" else str(first)

    # Implementation

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")

    def _lesson(self, db: sqlite3.Connection, slug: str) -> int:
        """Return the row id of a lesson, inserting it if it is new."""
        db.execute("INSERT OR IGNORE INTO courses (slug) VALUES (?)", (self._course,))
        db.execute(
            "INSERT OR IGNORE INTO lessons (course, slug) SELECT id, ? FROM courses WHERE slug = ?",
            (slug, self._course),
        )
        row: int = db.execute(LESSON, (self._course, slug)).fetchone()[0]
        return row


# ---------------------------------------------------------------- rows


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _source(db: sqlite3.Connection, data: bytes) -> int:
    """Return the row id of a file's content, inserting it if it is new."""
    from hashlib import sha256  # loads OpenSSL, which takes 2 ms

    key = sha256(data).digest()
    db.execute(
        # Replace a body that no longer matches its digest because the file was damaged.
        "INSERT INTO sources (sha256, body) VALUES (?, ?) ON CONFLICT (sha256)"
        " DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body",
        (key, zlib.compress(data)),
    )
    row: int = db.execute("SELECT id FROM sources WHERE sha256 = ?", (key,)).fetchone()[0]
    return row


def _next_number(db: sqlite3.Connection, table: str, lesson: int) -> int:
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


def _drill(row: tuple[Any, ...]) -> DrillResult:
    program, cause, read, line_right, cause_right, tries, fixed = row
    end = _parse(fixed) if fixed else None
    return DrillResult(
        program, cause, _parse(read), bool(line_right), bool(cause_right), tries, end
    )


def _parse(when: str) -> datetime:
    """Parse a time; one that damage made unreadable becomes the earliest supported."""
    try:
        return clock.bound(datetime.fromisoformat(when))
    except (TypeError, ValueError, OverflowError):
        return clock.EARLIEST


def _missing(entry: Attempt | SavedFile) -> StoreError:
    return StoreError(
        f"The text of number {entry.n} of {entry.lesson} is damaged or missing.",
        "Look for a file with `damaged` in its name next to the progress file.",
    )
