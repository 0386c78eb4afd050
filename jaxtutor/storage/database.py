"""Opens the progress file, follows it when it is moved, and sets it aside when it is damaged.

What `do` acknowledged by returning outlives every process, whenever it is killed. A machine that
loses power may lose the events of its last moments with it, never the file, and never an event
that is `lasting`: that one is on the disk, at the price of waiting for it. Any number of processes
may have the file open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jaxtutor.storage.refusals import refusing
from jaxtutor.storage.salvage import (
    alone,
    count_missing_bytes,
    has_foreign_journal,
    is_damage,
    rename,
    salvage,
)
from jaxtutor.storage.schema import (
    Damaged,
    examine,
    header_version,
    migrate,
    refuse_newer,
    transaction,
)

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

        `notify` receives a sentence when a damaged file is set aside, now or later.
        `patience` is how many seconds to wait for another process's transaction.
        """
        self._path = path
        # A damaged file has this name until what can be read of it was carried over.
        self._damaged = path.with_name(f"{path.stem}.damaged{path.suffix}")
        self._damage = "its last rescue was interrupted"
        self._clock = clock
        self._notify = notify
        self._patience = patience
        self._lock = threading.RLock()  # `notify` may call back
        with refusing(path):
            self._open()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self.db.close()

    def ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows that answer a query."""
        return self.do(lambda db: db.execute(query, values).fetchall(), "BEGIN")

    def do(
        self,
        work: Callable[[sqlite3.Connection], T],
        begin: str = "BEGIN IMMEDIATE",
        lasting: bool = False,
    ) -> T:
        """Do one event or question in one transaction, on the file that has the name now."""
        with self._lock, refusing(self._path):
            while True:
                self._follow()
                result = self._try(work, begin, lasting)
                if _identity(self._path) == self._identity:
                    return result

    def _try(self, work: Callable[[sqlite3.Connection], T], begin: str, lasting: bool) -> T:
        """Do it, in a new file if this one turns out to be damaged."""
        import sqlite3

        try:
            return _within(self.db, begin, work, lasting)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not is_damage(error):
                raise
            _abandon(self.db)
            self.begin_anew(error)
        return _within(self.db, begin, work, lasting)

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
            if not is_damage(error):
                raise
            self.begin_anew(error)
        if self._damaged.exists():  # the process that set it aside was killed, or had no space
            with alone(self._path.parent, self._patience):
                self._carry_over()

    def _connect(self) -> None:
        self.db = _connect(self._path, self._patience)
        self._identity = _identity(self._path)

    def begin_anew(self, error: Exception) -> None:
        """Set the damaged file aside, and carry over what can still be read of it."""
        with alone(self._path.parent, self._patience):
            if _identity(self._path) == self._identity:  # no other terminal did it just now
                if self._damaged.exists():
                    self._date()  # of an earlier one as much was read as could be
                rename(self._path, self._damaged)
                missing = count_missing_bytes(self._damaged)
                self._damage = f"its last {missing} bytes are missing" if missing else str(error)
            self._connect()
            self._carry_over()

    def _carry_over(self) -> None:
        """Copy what can be read of the file set aside, and date it; each may be interrupted."""
        if self._damaged.exists():
            saved = salvage(self._damaged, self.db)
            aside = self._date()
            self._notify(
                f"{self._path} was damaged ({self._damage}). It is kept as {aside.name}. A new "
                f"file was begun. Attempts that could be read and are in it: {saved}."
            )

    def _date(self) -> Path:
        """Give the file set aside its dated name, which it keeps; return that."""
        when = f"{self._clock().astimezone(UTC):%Y-%m-%dT%H-%M-%S}"
        taken = {entry.name for entry in self._path.parent.iterdir()}
        stem, suffix = self._damaged.stem, self._damaged.suffix
        marks = ("", *(f"-{n}" for n in range(2, 1000)))
        names = (f"{stem}-{when}{mark}{suffix}" for mark in marks)
        aside = self._path.with_name(next(name for name in names if name not in taken))
        rename(self._damaged, aside)
        return aside


# ---------------------------------------------------------------- connections


def _within(
    db: sqlite3.Connection, begin: str, work: Callable[[sqlite3.Connection], T], lasting: bool
) -> T:
    import sqlite3

    if not lasting:
        with transaction(db, begin):
            return work(db)
    usual = db.execute("PRAGMA synchronous").fetchone()[0]
    db.execute("PRAGMA synchronous = FULL")
    try:
        with transaction(db, begin):
            return work(db)
    finally:
        with suppress(sqlite3.Error):
            db.execute(f"PRAGMA synchronous = {usual}")


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    import sqlite3

    try:
        return _prepare(path, patience)
    except sqlite3.OperationalError as error:
        if not _lacks_memory(error):
            raise
    _leave_wal(path, patience)  # from now on it is not a new file, and stays out of WAL mode
    return _prepare(path, patience)


def _prepare(path: Path, patience: float) -> sqlite3.Connection:
    import sqlite3

    if has_foreign_journal(path):
        raise Damaged("another file's journal is beside it")
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA foreign_keys = ON")
        _prefer_wal(db)
        _calm(db)
        migrate(db, path)
        examine(db, path)
    except BaseException:
        _abandon(db)
        raise
    return db


def _prefer_wal(db: sqlite3.Connection) -> None:
    """Let readers and a writer go together in a new file; any mode is correct.

    One that is not new has the mode that its file system can have.
    """
    import sqlite3

    if _is_wal(db) or db.execute("PRAGMA page_count").fetchone()[0]:
        return
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError:
        # No shared memory, read-only, or another process is switching at this moment.
        db.execute("SELECT COUNT(*) FROM sqlite_master")


def _is_wal(db: sqlite3.Connection) -> bool:
    mode: str = db.execute("PRAGMA journal_mode").fetchone()[0]
    return mode == "wal"


def _calm(db: sqlite3.Connection) -> None:
    """Wait for the disk no oftener than the file needs to stay whole: https://sqlite.org/wal.html.

    What is written ahead is with the system at once, so that no end of a process can lose it.
    """
    db.execute(f"PRAGMA synchronous = {'NORMAL' if _is_wal(db) else 'FULL'}")


def _lacks_memory(error: sqlite3.OperationalError) -> bool:
    """Return whether a file is written ahead where no memory can be shared between processes."""
    import sqlite3

    return getattr(error, "sqlite_errorcode", 0) in (
        sqlite3.SQLITE_IOERR_SHMMAP,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMLOCK,
    )


def _leave_wal(path: Path, patience: float) -> None:
    """Take a file out of write-ahead logging; one that is alone with it needs no shared memory."""
    import sqlite3

    with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA application_id = 0")  # which gives an empty file its first page


def _abandon(db: sqlite3.Connection) -> None:
    """Close a file that may be damaged, without writing to it if SQLite allows that."""
    import sqlite3

    with suppress(AttributeError, sqlite3.Error):  # before Python 3.12 it cannot be said
        db.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)  # type: ignore[attr-defined,unused-ignore]
    db.close()


def _identity(path: Path) -> Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
