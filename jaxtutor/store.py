"""Owns the progress file: every attempt, hint and choice, in SQLite, one transaction an event.

What a method acknowledged by returning is on disk. Any number of processes may have it open.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from jaxtutor.core.progress import Progress
from jaxtutor.errors import StoreError
from jaxtutor.workspace import explain

if TYPE_CHECKING:  # sqlite3 costs 15 ms, which `--help` need not pay
    import sqlite3

T = TypeVar("T")
Clock = Callable[[], datetime]
Identity = tuple[int, int]

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

KEPT = f"""
SELECT n, kept_at, reason, sha256
FROM kept JOIN sources ON sources.id = source
WHERE lesson = ({LESSON}) ORDER BY n
"""


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
class Kept:
    """A learner's file put away before something took its place; `n` counts from 1."""

    lesson: str
    n: int
    when: datetime
    reason: str
    sha256: bytes


# ---------------------------------------------------------------- migrations


def create(db: sqlite3.Connection) -> None:
    """Make every table of version 1."""
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


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (create,)
"""The n-th takes the file from version n - 1 to version n, inside one transaction."""

VERSION = len(MIGRATIONS)
PLACE = "Set JAXTUTOR_HOME to keep progress elsewhere."
SMALL = 8 << 20
"""Bytes that can be examined whole in some milliseconds: about two thousand attempts."""
ABSURD = 10_000
"""A version that no release will reach: the number itself is damaged."""
TABLES = ("courses", "lessons", "sources", "attempts", "kept", "hints", "settings")
"""Those that others refer to come first."""


class Damaged(Exception):
    """The file is no progress file of ours, or no longer."""


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the file to the newest version, one transaction a step; refuse a newer file."""
    while (version := _version(db, path)) < VERSION:
        with _transaction(db):
            if _version(db, path) != version:
                continue  # another process was faster
            if version == 0 and _shape(db):
                raise Damaged("it has tables, but no version")
            MIGRATIONS[version](db)
            db.execute(f"PRAGMA user_version = {version + 1}")


def _version(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    _refuse_newer(version, path)
    return version


def _shape(db: sqlite3.Connection) -> set[str]:
    """Return the SQL of every table and index."""
    return {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


def _examine(db: sqlite3.Connection, path: Path) -> None:
    """Look for damage: that of the shape always, that of the content where it takes no time.

    In a larger file damage is found when it is met.
    """
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as model:
        for migration in MIGRATIONS:
            migration(model)
        if not _shape(db) >= _shape(model):
            raise Damaged("its tables are not as they were made")
    if path.stat().st_size <= SMALL:
        ((first, *_), *_) = db.execute("PRAGMA integrity_check(1)").fetchall()
        if first != "ok":
            raise Damaged(first)


def _refuse_newer(version: int, path: Path) -> None:
    if not 0 <= version < ABSURD:
        raise Damaged(f"its version is {version}")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer jaxtutor (format {version}, this one knows {VERSION}). "
            "It is untouched.",
            "Upgrade jaxtutor. " + PLACE,
        )


def _header_version(path: Path) -> int:
    """Read `user_version` from the header: even to open a newer file in SQLite may write to it."""
    try:
        with path.open("rb") as file:
            header = file.read(64)
    except FileNotFoundError:
        return 0
    known = len(header) == 64 and header.startswith(b"SQLite format 3\0")
    return int.from_bytes(header[60:64], "big", signed=True) if known else 0


# ---------------------------------------------------------------- connections


@contextmanager
def _transaction(db: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _within(db: sqlite3.Connection, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
    with _transaction(db, begin):
        return work(db)


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    import sqlite3

    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        _prefer_wal(db)
        _migrate(db, path)
        _examine(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _prefer_wal(db: sqlite3.Connection) -> None:
    """Let readers and a writer go together, where the file system can; any mode is correct."""
    import sqlite3

    if db.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError:
        # No shared memory, read-only, or another process is switching at this moment.
        db.execute("SELECT COUNT(*) FROM sqlite_master")


def _identity(path: Path) -> Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _set_aside(path: Path, when: datetime) -> Path:
    """Rename a damaged file and what belongs to it; return its new name.

    The journals go first: one left behind would be taken for the next file's, and deleted.
    """
    stem = f"{path.stem}.damaged-{when.astimezone(UTC):%Y-%m-%dT%H-%M-%S}"
    taken = {entry.name for entry in path.parent.iterdir()}
    names = (f"{stem}{mark}{path.suffix}" for mark in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = path.with_name(next(name for name in names if name not in taken))
    for suffix in ("-journal", "-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside


def _salvage(aside: Path, db: sqlite3.Connection) -> int:
    """Copy every row that can still be read, and return how many attempts there were."""
    import sqlite3

    uri = f"{aside.as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as old, _transaction(db):
        if db.execute("SELECT EXISTS (SELECT * FROM courses)").fetchone()[0]:
            return 0  # another process was faster, and its row numbers mean other things
        for table in TABLES:
            for row in _readable(old, table):
                marks = ", ".join("?" * len(row))
                with suppress(sqlite3.Error):  # it refers to a row that is lost, or is nonsense
                    db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        count: int = db.execute("SELECT COUNT(*) FROM attempts").fetchone()[0]
    return count


def _readable(old: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Read a table from the front as far as the damage, then from the back."""
    import sqlite3

    for order in ("ASC", "DESC"):
        try:
            yield from old.execute(f"SELECT * FROM {table} ORDER BY 1 {order}")
        except (sqlite3.Error, UnicodeDecodeError):
            continue
        return


# ---------------------------------------------------------------- what goes wrong


@contextmanager
def _saying(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system refuse into a StoreError."""
    import sqlite3

    try:
        yield
    except (sqlite3.Error, Damaged, UnicodeDecodeError) as error:
        raise _explain(error, path) from error
    except OSError as error:
        raise StoreError(f"{path} cannot be used: {explain(error)}.", PLACE) from error


def _is_damage(error: Exception) -> bool:
    import sqlite3

    # SQLite quotes what it stumbled on, and the quotation may be no text.
    if isinstance(error, Damaged | UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT):
        return True
    # What our own SQL names is gone, or a text is no text any more.
    return str(error).startswith(("no such", "Could not decode", "unsupported file format"))


def _explain(error: Exception, path: Path) -> StoreError:
    """Say in plain words why SQLite refused; the file is as it was before the event."""
    import sqlite3

    reasons = {
        sqlite3.SQLITE_BUSY: (
            "another program has it locked",
            "Close whatever else has it open, then try again.",
        ),
        sqlite3.SQLITE_FULL: ("the disk is full", "Free some space, then try again."),
        sqlite3.SQLITE_READONLY: ("it is read-only", "Check its permissions. " + PLACE),
        sqlite3.SQLITE_PERM: ("permission denied", "Check its permissions. " + PLACE),
        sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Check its permissions. " + PLACE),
        sqlite3.SQLITE_IOERR: ("the disk reported an error", "Check the disk. " + PLACE),
    }
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    reason, remedy = reasons.get(code, (str(error), PLACE))
    return StoreError(f"Progress was not recorded in {path}: {reason}.", remedy)


# ---------------------------------------------------------------- the store


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
        """Open the file, or make it; raise StoreError.

        `notify` is told in a sentence when a damaged file was set aside, now or later.
        `patience` is how many seconds to wait for another process's transaction.
        """
        self._path = path
        self._course = course
        self._clock = clock
        self._notify = notify
        self._patience = patience
        self._lock = threading.RLock()  # `notify` may call back
        with _saying(path):
            self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

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
        """Record a checked submission and return its number, counted from 1 in the lesson."""
        when = self._now()
        facts = (status, verdict, device, jax, python, seconds, starter)

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _following(db, "attempts", row)
            db.execute(
                "INSERT INTO attempts (lesson, n, source, made_at, status, verdict, device, jax,"
                " python, seconds, starter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row, n, _source(db, source), when, *facts),
            )
            return n

        return self._do(write)

    def keep_source(self, lesson: str, text: str, reason: str) -> int:
        """Put a learner's file away before something takes its place; return its number."""
        when = self._now()

        def write(db: sqlite3.Connection) -> int:
            row = self._lesson(db, lesson)
            n = _following(db, "kept", row)
            db.execute(
                "INSERT INTO kept (lesson, n, source, kept_at, reason) VALUES (?, ?, ?, ?, ?)",
                (row, n, _source(db, text), when, reason),
            )
            return n

        return self._do(write)

    def record_hint(self, lesson: str, rung: int) -> None:
        """Record that a rung was shown; only its first showing counts."""
        when = self._now()
        self._do(
            lambda db: db.execute(
                "INSERT OR IGNORE INTO hints (lesson, rung, shown_at) VALUES (?, ?, ?)",
                (self._lesson(db, lesson), rung, when),
            )
        )

    def set_current(self, lesson: str) -> None:
        """Remember which lesson the learner is at."""
        self.set_setting(f"current:{self._course}", lesson)

    def set_setting(self, name: str, value: str) -> None:
        """Remember a choice of the learner's, for every course."""
        self._do(
            lambda db: db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))
        )

    # Questions.

    def progress(self) -> dict[str, Progress]:
        """Tell how far each lesson has come, by slug; a lesson never touched is left out."""
        return {
            slug: Progress(attempts or 0, hints, _parse(passed) if passed else None)
            for slug, attempts, hints, passed in self._ask(PROGRESS, self._course)
        }

    def attempts(self, lesson: str) -> tuple[Attempt, ...]:
        """List a lesson's attempts, the first one first."""
        rows = self._ask(f"{ATTEMPTS} ORDER BY n", self._course, lesson)
        return tuple(_attempt(lesson, row) for row in rows)

    def attempt(self, lesson: str, n: int) -> Attempt | None:
        """Return a lesson's n-th attempt, if there is one."""
        rows = self._ask(f"{ATTEMPTS} AND n = ?", self._course, lesson, n)
        return _attempt(lesson, rows[0]) if rows else None

    def verdict(self, attempt: Attempt) -> str:
        """Return an attempt's verdict, as the JSON that was recorded."""
        query = f"SELECT verdict FROM attempts WHERE lesson = ({LESSON}) AND n = ?"
        rows = self._ask(query, self._course, attempt.lesson, attempt.n)
        if not rows:
            raise _missing(attempt)
        return str(rows[0][0])

    def kept(self, lesson: str) -> tuple[Kept, ...]:
        """List what was put away of a lesson's file, the first one first."""
        return tuple(
            Kept(lesson, n, _parse(when), reason, key)
            for n, when, reason, key in self._ask(KEPT, self._course, lesson)
        )

    def source(self, entry: Attempt | Kept) -> str:
        """Return the text of an attempt or of a file put away, exactly as it was."""
        rows = self._ask("SELECT body FROM sources WHERE sha256 = ?", entry.sha256)
        with suppress(IndexError, zlib.error):
            data = zlib.decompress(rows[0][0])
            if hashlib.sha256(data).digest() == entry.sha256:
                return data.decode("utf-8", "surrogatepass")
        raise _missing(entry)

    def hints(self, lesson: str) -> tuple[int, ...]:
        """List the rungs that were shown, in order."""
        query = f"SELECT rung FROM hints WHERE lesson = ({LESSON}) ORDER BY rung"
        return tuple(rung for (rung,) in self._ask(query, self._course, lesson))

    def current(self) -> str | None:
        """Return the lesson that the learner is at, if one was ever chosen."""
        return self.setting(f"current:{self._course}")

    def setting(self, name: str) -> str | None:
        """Return a choice that was remembered."""
        rows = self._ask("SELECT value FROM settings WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    # How both are done.

    def _ask(self, query: str, *values: object) -> list[Any]:
        return self._do(lambda db: db.execute(query, values).fetchall(), "BEGIN")

    def _do(self, work: Callable[[sqlite3.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
        """Do one event or question in one transaction, on the file that has the name now."""
        with self._lock, _saying(self._path):
            while True:
                self._follow()
                result = self._try(work, begin)
                if _identity(self._path) == self._identity:
                    return result

    def _try(self, work: Callable[[sqlite3.Connection], T], begin: str) -> T:
        """Do it, in a new file if this one turns out to be damaged."""
        import sqlite3

        try:
            return _within(self._db, begin, work)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            self._db.close()
            self._begin_anew(error)
        return _within(self._db, begin, work)

    def _follow(self) -> None:
        """Go over to the file that has the name, if another terminal set ours aside."""
        if _identity(self._path) != self._identity:
            self._db.close()
            self._open()
            self._notify(f"{self._path} was moved or replaced. Recording goes on in the new file.")

    def _open(self) -> None:
        import sqlite3

        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._identity = _identity(self._path)
        try:
            _refuse_newer(_header_version(self._path), self._path)
            self._connect()
        except (sqlite3.Error, Damaged, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            self._begin_anew(error)

    def _connect(self) -> None:
        self._db = _connect(self._path, self._patience)
        self._identity = _identity(self._path)

    def _begin_anew(self, error: Exception) -> None:
        """Set the damaged file aside, and carry over what can still be read of it."""
        if _identity(self._path) != self._identity:  # another terminal did it just now
            self._connect()
            return
        aside = _set_aside(self._path, self._clock())
        self._connect()
        saved = _salvage(aside, self._db)
        self._notify(
            f"{self._path} was damaged ({error}). It is kept as {aside.name}. A new file was "
            f"begun. Attempts that could be read and are in it: {saved}."
        )

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


def _source(db: sqlite3.Connection, text: str) -> int:
    """Return the row of a text, made if it is new."""
    data = text.encode("utf-8", "surrogatepass")
    key = hashlib.sha256(data).digest()
    db.execute(
        "INSERT OR IGNORE INTO sources (sha256, body) VALUES (?, ?)", (key, zlib.compress(data))
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


def _parse(when: str) -> datetime:
    """Read a time; one that damage made unreadable becomes the beginning of 1970."""
    try:
        return datetime.fromisoformat(when)
    except (TypeError, ValueError):
        return datetime.fromtimestamp(0, UTC)


def _missing(entry: Attempt | Kept) -> StoreError:
    return StoreError(
        f"The text of number {entry.n} of {entry.lesson} is damaged or gone.",
        "Look for a file with `damaged` in its name beside the progress file.",
    )
