"""Defines the tables of the progress file, and the migrations from each version to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

from jaxtutor.errors import StoreError
from jaxtutor.storage.workspace import look

if TYPE_CHECKING:  # sqlite3 costs 15 ms, which `--help` need not pay
    import sqlite3

SCHEMA = """
CREATE TABLE courses (
    id   INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
);
-- A lesson of which something is known. Slugs never change; numbers and titles may.
CREATE TABLE lessons (
    id     INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    slug   TEXT NOT NULL,
    UNIQUE (course, slug)
);
-- Each distinct text once: its SHA-256 and its UTF-8 bytes, deflated.
CREATE TABLE sources (
    id     INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL UNIQUE,
    body   BLOB NOT NULL
);
-- A submission and what became of it. Counted from 1 in each lesson; times are ISO 8601, UTC.
CREATE TABLE attempts (
    id      INTEGER PRIMARY KEY,
    lesson  INTEGER NOT NULL REFERENCES lessons (id),
    n       INTEGER NOT NULL,
    source  INTEGER NOT NULL REFERENCES sources (id),
    made_at TEXT NOT NULL,
    status  TEXT NOT NULL,
    verdict TEXT NOT NULL, -- JSON
    device  TEXT NOT NULL,
    jax     TEXT NOT NULL,
    python  TEXT NOT NULL,
    seconds REAL NOT NULL,
    starter TEXT NOT NULL, -- which version of the starter the lesson had
    UNIQUE (lesson, n)     -- also answers: how many attempts?
);
-- Answers: when did it first pass?
CREATE INDEX attempts_passed ON attempts (lesson, made_at) WHERE status = 'passed';
-- A learner's file that was put away before something took its place.
CREATE TABLE kept (
    id      INTEGER PRIMARY KEY,
    lesson  INTEGER NOT NULL REFERENCES lessons (id),
    n       INTEGER NOT NULL,
    source  INTEGER NOT NULL REFERENCES sources (id),
    kept_at TEXT NOT NULL,
    reason  TEXT NOT NULL,
    UNIQUE (lesson, n)
);
-- The rungs of a lesson's ladder that were shown, and when first.
CREATE TABLE hints (
    lesson   INTEGER NOT NULL REFERENCES lessons (id),
    rung     INTEGER NOT NULL,
    shown_at TEXT NOT NULL,
    PRIMARY KEY (lesson, rung)
) WITHOUT ROWID;
-- The learner's choices, such as the editor, and where in each course they are.
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
"""


def create(db: sqlite3.Connection) -> None:
    """Create all tables of schema version 1."""
    for statement in _statements(SCHEMA):
        db.execute(statement)


def _statements(script: str) -> Iterator[str]:
    """Split a script: `executescript` would commit the transaction that it is called in."""
    import sqlite3

    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


REVIEWS = """
-- A lesson done again. It is open until it ended: with a pass, or given up. Its attempts are those
-- of its lesson from its beginning to its end; `kept` is the text that was put away for it.
CREATE TABLE reviews (
    id       INTEGER PRIMARY KEY,
    lesson   INTEGER NOT NULL REFERENCES lessons (id),
    n        INTEGER NOT NULL,
    seed     INTEGER NOT NULL, -- of its hidden cases
    begun_at TEXT NOT NULL,
    kept     INTEGER,
    ended_at TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    passed   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (lesson, n)
);
-- Answers: which review of a lesson is open?
CREATE UNIQUE INDEX reviews_open ON reviews (lesson) WHERE ended_at IS NULL;
"""


def add_reviews(db: sqlite3.Connection) -> None:
    """Version 2: reviews."""
    for statement in _statements(REVIEWS):
        db.execute(statement)


PREDICTIONS = """
-- What a learner foretold, the last time they did; an empty answer passed over the question.
CREATE TABLE predictions (
    lesson  INTEGER NOT NULL REFERENCES lessons (id),
    n       INTEGER NOT NULL,
    answer  TEXT NOT NULL,
    is_right INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (lesson, n)
) WITHOUT ROWID;
"""


def add_predictions(db: sqlite3.Connection) -> None:
    """Version 3: predictions."""
    for statement in _statements(PREDICTIONS):
        db.execute(statement)


def give_number(db: sqlite3.Connection) -> None:
    """Version 4: a number of the file's own, so that what is another file's can be told."""
    db.execute("INSERT OR IGNORE INTO settings VALUES ('file', lower(hex(randomblob(8))))")


OPENINGS = """
-- An unchanged starter that versions 1 to 4 recorded as an attempt when its lesson was opened or
-- reset. Only the migration writes here; the columns are those of `attempts`.
CREATE TABLE openings (
    id      INTEGER PRIMARY KEY,
    lesson  INTEGER NOT NULL REFERENCES lessons (id),
    n       INTEGER NOT NULL,
    source  INTEGER NOT NULL REFERENCES sources (id),
    made_at TEXT NOT NULL,
    status  TEXT NOT NULL,
    verdict TEXT NOT NULL,
    device  TEXT NOT NULL,
    jax     TEXT NOT NULL,
    python  TEXT NOT NULL,
    seconds REAL NOT NULL,
    starter TEXT NOT NULL
);
"""

# `starter` is the beginning of the SHA-256 of the starter: checking.attempts.starter_version.
UNCHANGED_STARTERS = """
SELECT attempts.id, lesson, made_at FROM attempts JOIN sources ON sources.id = source
WHERE status != 'passed' AND starter = lower(hex(substr(sha256, 1, 6)))
"""
REVIEW_WITHOUT = """
UPDATE reviews SET attempts = max(0, attempts - 1)
WHERE lesson = ? AND begun_at <= ? AND (ended_at IS NULL OR ended_at >= ?)
"""


def separate_openings(db: sqlite3.Connection) -> None:
    """Version 5: an unchanged starter is not an attempt."""
    for statement in _statements(OPENINGS):
        db.execute(statement)
    move_openings(db)


def move_openings(db: sqlite3.Connection) -> None:
    """Move unchanged starters out of the attempts, and number the other attempts from 1 again."""
    found = db.execute(UNCHANGED_STARTERS).fetchall()
    rows = [(row,) for row, _, _ in found]
    columns = ", ".join(name for _, name, *_ in db.execute("PRAGMA table_info(openings)"))
    move = f"INSERT OR IGNORE INTO openings SELECT {columns} FROM attempts WHERE id = ?"
    db.executemany(move, rows)
    db.executemany("DELETE FROM attempts WHERE id = ?", rows)
    db.executemany(REVIEW_WITHOUT, [(lesson, when, when) for _, lesson, when in found])
    for lesson in {lesson for _, lesson, _ in found}:
        query = "SELECT id FROM attempts WHERE lesson = ? ORDER BY n"
        ids = [row for (row,) in db.execute(query, (lesson,))]
        # Ascending: each number is free by then. In a damaged file it may not be, and stays.
        numbered = [(n, row) for n, row in enumerate(ids, 1)]
        db.executemany("UPDATE OR IGNORE attempts SET n = ? WHERE id = ?", numbered)


DRILLS = """
-- A drill whose questions were answered, and when and after how many runs its fix was right.
-- Drills belong to no course.
CREATE TABLE drills (
    id          INTEGER PRIMARY KEY,
    program     TEXT NOT NULL,
    cause       TEXT NOT NULL,
    read_at     TEXT NOT NULL,
    line_right  INTEGER NOT NULL,
    cause_right INTEGER NOT NULL,
    tries       INTEGER NOT NULL DEFAULT 0,
    fixed_at    TEXT
);
-- The causes that `diagnose` found in the learner's own programs: their names, and nothing else.
CREATE TABLE met_causes (
    id     INTEGER PRIMARY KEY,
    cause  TEXT NOT NULL,
    met_at TEXT NOT NULL
);
"""


def add_drills(db: sqlite3.Connection) -> None:
    """Version 6: drills, and the causes in the learner's own programs."""
    for statement in _statements(DRILLS):
        db.execute(statement)


COUNTED = (
    # The cause of a failed attempt, from its verdict.
    """
    ALTER TABLE attempts ADD COLUMN cause TEXT GENERATED ALWAYS AS (
        CASE WHEN status = 'raised' AND json_valid(verdict)
        THEN json_extract(verdict, '$.diagnosis.cause') END
    ) VIRTUAL
    """,
    # Answers: which causes, and when?
    """
    CREATE INDEX attempts_cause ON attempts (cause, made_at, lesson) WHERE cause IS NOT NULL
    """,
    # Answers: how many attempts on each day?
    """
    CREATE INDEX attempts_made ON attempts (lesson, made_at)
    """,
    """
    DROP INDEX attempts_passed
    """,
    # Answers: when did it first pass?
    """
    CREATE INDEX attempts_passed ON attempts (lesson, n, made_at) WHERE status = 'passed'
    """,
)


def count_by_index(db: sqlite3.Connection) -> None:
    """Version 7: statistics read indexes; verdicts are large, and were read one by one."""
    for statement in COUNTED:
        db.execute(dedent(statement).strip())


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    create,
    add_reviews,
    add_predictions,
    give_number,
    separate_openings,
    add_drills,
    count_by_index,
)
"""The n-th takes the file from version n - 1 to version n, inside one transaction."""

VERSION = len(MIGRATIONS)
PLACE = "Set JAXTUTOR_HOME to keep progress elsewhere."
SMALL = 8 << 20
"""Bytes that can be examined whole in some milliseconds: about two thousand attempts."""
HEADER = 64
"""Bytes at the beginning of a file of SQLite's up to where its version ends."""
SMALLEST = 512
"""Bytes of the smallest file that SQLite makes."""
FRESH = 10.0
"""Seconds for which an empty file may be one that is only just being made."""
ABSURD = 10_000
"""A version that no release will reach: the number itself is damaged."""
TABLES = (
    "courses",
    "lessons",
    "sources",
    "attempts",
    "kept",
    "hints",
    "settings",
    "reviews",
    "predictions",
    "openings",
    "drills",
    "met_causes",
)
"""Those that others refer to come first."""


class Damaged(Exception):
    """The file is not a progress file of jaxtutor, or not any more."""


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the file to the newest version, one transaction a step; refuse a newer file."""
    while (version := _version(db, path)) < VERSION:
        with transaction(db):
            if _version(db, path) != version:
                continue  # another process was faster
            if version == 0 and _shape(db):
                raise Damaged("it has tables, but no version")
            if _shape(db) != _shape_of(version):
                raise Damaged(f"its tables are not those of its version, {version}")
            MIGRATIONS[version](db)
            db.execute(f"PRAGMA user_version = {version + 1}")


def _version(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    refuse_newer(version, path)
    return version


def refuse_newer(version: int, path: Path) -> None:
    """Raise StoreError for a version of a later release, Damaged for one that none has."""
    if not 0 <= version < ABSURD:
        raise Damaged(f"its version is {version}")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer jaxtutor (format {version}, this one knows {VERSION}). "
            "It is untouched.",
            "Upgrade jaxtutor. " + PLACE,
        )


def header_version(path: Path) -> int:
    """Read `user_version` from the header: even to open a newer file in SQLite may write to it."""
    try:
        status, header = look(path, HEADER)  # it refuses a folder, and a pipe that would block
    except FileNotFoundError:
        return 0
    if not header and time.time() - status.st_mtime > FRESH:
        raise Damaged("it is empty")
    if 0 < status.st_size < SMALLEST:  # which SQLite would take for an empty one, and overwrite
        raise Damaged("it is cut short")
    known = len(header) >= HEADER and header.startswith(b"SQLite format 3\0")
    return int.from_bytes(header[60:64], "big", signed=True) if known else 0


def _shape(db: sqlite3.Connection) -> set[str]:
    """Return the SQL of every table and index."""
    return {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


def _shape_of(version: int) -> set[str]:
    """Return the SQL of every table and index of a version."""
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as model:
        for migration in MIGRATIONS[:version]:
            migration(model)
        return _shape(model)


def examine(db: sqlite3.Connection, path: Path) -> None:
    """Look for damage: that of the shape always, that of the content where it takes no time.

    In a larger file damage is found when it is met.
    """
    if not _shape(db) >= _shape_of(VERSION):
        raise Damaged("its tables are not as they were made")
    if path.stat().st_size <= SMALL:
        ((first, *_), *_) = db.execute("PRAGMA integrity_check(1)").fetchall()
        if first != "ok":
            raise Damaged(first)


@contextmanager
def transaction(db: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Do what follows as one transaction, undone where it raises."""
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
