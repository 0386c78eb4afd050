"""Owns the care of the progress file: opened, followed when moved, set aside when damaged.

What `do` acknowledged by returning is on disk. Any number of processes may have the file open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jaxtutor.errors import StoreError
from jaxtutor.schema import (
    PLACE,
    TABLES,
    Damaged,
    examine,
    header_version,
    migrate,
    refuse_newer,
    transaction,
)
from jaxtutor.workspace import explain

if TYPE_CHECKING:  # sqlite3 costs 15 ms, which `--help` need not pay
    import sqlite3

T = TypeVar("T")
Clock = Callable[[], datetime]
Identity = tuple[int, int]


class ProgressFile:
    """A progress file that stays usable. Any thread may call it."""

    def __init__(
        self, path: Path, clock: Clock, notify: Callable[[str], None], patience: float
    ) -> None:
        """Open the file, or make it; raise StoreError.

        `notify` is told in a sentence when a damaged file was set aside, now or later.
        `patience` is how many seconds to wait for another process's transaction.
        """
        self._path = path
        self._clock = clock
        self._notify = notify
        self._patience = patience
        self._lock = threading.RLock()  # `notify` may call back
        with _saying(path):
            self._open()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self.db.close()

    def ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows that answer a query."""
        return self.do(lambda db: db.execute(query, values).fetchall(), "BEGIN")

    def do(self, work: Callable[[sqlite3.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
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
            return _within(self.db, begin, work)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            self.db.close()
            self.begin_anew(error)
        return _within(self.db, begin, work)

    def _follow(self) -> None:
        """Go over to the file that has the name, if another terminal set ours aside."""
        if _identity(self._path) != self._identity:
            self.db.close()
            self._open()
            self._notify(f"{self._path} was moved or replaced. Recording goes on in the new file.")

    def _open(self) -> None:
        import sqlite3

        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._identity = _identity(self._path)
        try:
            refuse_newer(header_version(self._path), self._path)
            self._connect()
        except (sqlite3.Error, Damaged, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            self.begin_anew(error)

    def _connect(self) -> None:
        self.db = _connect(self._path, self._patience)
        self._identity = _identity(self._path)

    def begin_anew(self, error: Exception) -> None:
        """Set the damaged file aside, and carry over what can still be read of it."""
        if _identity(self._path) != self._identity:  # another terminal did it just now
            self._connect()
            return
        aside = _set_aside(self._path, self._clock())
        self._connect()
        saved = _salvage(aside, self.db)
        self._notify(
            f"{self._path} was damaged ({error}). It is kept as {aside.name}. A new file was "
            f"begun. Attempts that could be read and are in it: {saved}."
        )


# ---------------------------------------------------------------- connections


def _within(db: sqlite3.Connection, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
    with transaction(db, begin):
        return work(db)


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    import sqlite3

    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        _prefer_wal(db)
        migrate(db, path)
        examine(db, path)
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


# ---------------------------------------------------------------- damage


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
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as old, transaction(db):
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
