"""Opens the progress file, follows it when it is moved, and sets it aside when it is damaged.

What `do` acknowledged by returning outlives every process, whenever it is killed. A machine that
loses power may lose the events of its last moments with it, never the file, and never an event
that is `lasting`: that one is on the disk, at the price of waiting for it. Any number of processes
may have the file open.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jaxtutor.errors import StoreError
from jaxtutor.storage.schema import (
    PLACE,
    TABLES,
    Damaged,
    examine,
    header_version,
    migrate,
    move_openings,
    refuse_newer,
    transaction,
)
from jaxtutor.storage.workspace import explain

if TYPE_CHECKING:  # sqlite3 costs 15 ms, which `--help` need not pay
    import sqlite3

T = TypeVar("T")
Clock = Callable[[], datetime]
Identity = tuple[int, int]

WHOLE, ALONE = "?mode=ro", "?immutable=1"
"""How a file is read without a change to it: with what was written ahead for it, or without."""
LARGEST_PAGE = 65536
"""Bytes of a page whose size SQLite's header gives as 1."""

LARGEST_GAP = 64 << 20
"""Bytes missing at the end of a file beyond which its header is not believed."""

JOURNALS = ("-journal", "-wal", "-shm")
"""How the names end of the files that SQLite keeps beside its own."""


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
        with _saying(path):
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
        with self._lock, _saying(self._path):
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
            if not _is_damage(error):
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
            if not _is_damage(error):
                raise
            self.begin_anew(error)
        if self._damaged.exists():  # the process that set it aside was killed, or had no space
            with _alone(self._path.parent, self._patience):
                self._carry_over()

    def _connect(self) -> None:
        self.db = _connect(self._path, self._patience)
        self._identity = _identity(self._path)

    def begin_anew(self, error: Exception) -> None:
        """Set the damaged file aside, and carry over what can still be read of it."""
        with _alone(self._path.parent, self._patience):
            if _identity(self._path) == self._identity:  # no other terminal did it just now
                if self._damaged.exists():
                    self._date()  # of an earlier one as much was read as could be
                _rename(self._path, self._damaged)
                missing = _count_missing_bytes(self._damaged)
                self._damage = f"its last {missing} bytes are missing" if missing else str(error)
            self._connect()
            self._carry_over()

    def _carry_over(self) -> None:
        """Copy what can be read of the file set aside, and date it; each may be interrupted."""
        if self._damaged.exists():
            saved = _salvage(self._damaged, self.db)
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
        _rename(self._damaged, aside)
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

    if _has_foreign_journal(path):
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


# ---------------------------------------------------------------- damage


@contextmanager
def _alone(folder: Path, patience: float) -> Iterator[None]:
    """Keep other processes from setting a file aside meanwhile, where the system can."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        yield
        return
    deadline = time.monotonic() + patience
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # no locks here, or one that is held by a process that stands still
            while True:
                try:
                    flock(handle, LOCK_EX | LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def _rename(path: Path, new: Path) -> None:
    """Rename a progress file and what belongs to it.

    The journals go first: one left behind would be taken for the next file's, and deleted.
    """
    for suffix in (*JOURNALS, ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(new.with_name(new.name + suffix))


def _salvage(aside: Path, db: sqlite3.Connection) -> int:
    """Copy every row that can still be read, unless that was done; return how many attempts."""
    with transaction(db):
        if not db.execute("SELECT EXISTS (SELECT * FROM courses)").fetchone()[0]:
            ways = (ALONE,) if _has_foreign_journal(aside) else (WHOLE, ALONE)
            for way in ways:  # what was written ahead may be what is damaged
                _copy_rows(aside.as_uri() + way, db)
            with _completed(aside) as whole:
                if whole is not None:
                    _copy_rows(whole.as_uri() + ALONE, db)
            move_openings(db)  # of a file that was set aside before it could be migrated
        count: int = db.execute("SELECT COUNT(*) FROM attempts").fetchone()[0]
    return count


@contextmanager
def _completed(path: Path) -> Iterator[Path | None]:
    """Yield a copy of a file whose end is missing, with zeros there; None for a complete file.

    SQLite reads nothing of a file that is shorter than its header says.
    """
    missing = _count_missing_bytes(path)
    if not 0 < missing <= LARGEST_GAP:
        yield None
        return
    whole = path.with_name(path.name + ".completed")
    try:
        with suppress(OSError):  # a full disk: what could be read without it was
            whole.write_bytes(path.read_bytes() + bytes(missing))
        yield whole if whole.exists() else None
    finally:
        whole.unlink(missing_ok=True)


def _count_missing_bytes(path: Path) -> int:
    """Return by how many bytes a file is shorter than its header says.

    See https://sqlite.org/fileformat.html, sections 1.3.2 and 1.3.7.
    """
    with suppress(OSError), path.open("rb") as file:
        header = file.read(32)
        if len(header) == 32 and header.startswith(b"SQLite format 3\0"):
            page = int.from_bytes(header[16:18], "big")
            pages = int.from_bytes(header[28:32], "big")
            size = pages * (LARGEST_PAGE if page == 1 else page)
            return max(size - path.stat().st_size, 0)
    return 0


def _has_foreign_journal(path: Path) -> bool:
    """Return whether what was written ahead was for another file; SQLite would not ask.

    This happens when only the copy of a file was restored.
    """
    try:
        if not path.with_name(path.name + "-wal").stat().st_size:
            return False
    except OSError:
        return False
    numbers = {_number(path.as_uri() + way) for way in (WHOLE, ALONE)}
    return None not in numbers and len(numbers) > 1


def _number(uri: str) -> str | None:
    """Read the number of a file, if it can be read."""
    import sqlite3

    with suppress(sqlite3.Error, UnicodeDecodeError), closing(sqlite3.connect(uri, uri=True)) as db:
        for (number,) in db.execute("SELECT value FROM settings WHERE name = 'file'"):
            return str(number)
    return None


def _copy_rows(uri: str, db: sqlite3.Connection) -> None:
    import sqlite3

    try:
        old = sqlite3.connect(uri, uri=True, isolation_level=None)
    except sqlite3.Error:
        return
    with closing(old):
        for table in TABLES:
            columns = ", ".join(name for _, name, *_ in db.execute(f"PRAGMA table_info({table})"))
            for row in _readable(old, table, columns):
                marks = ", ".join("?" * len(row))
                try:
                    db.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)
                except sqlite3.Error as error:
                    # It refers to a row that is lost, or is nonsense; or else the new file is ill.
                    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _REFUSALS:
                        raise


def _readable(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Read a table from the front as far as the damage, then from the back."""
    import sqlite3

    for order in ("ASC", "DESC"):
        try:
            yield from old.execute(f"SELECT {columns} FROM {table} ORDER BY 1 {order}")
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
    # A table of ours is gone, or a text is not valid text any more.
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


# By the code of SQLite's result: https://sqlite.org/rescode.html
_BUSY, _READONLY, _IOERR, _FULL, _CANTOPEN, _PERM, _PROTOCOL = 5, 8, 10, 13, 14, 3, 15
_REFUSALS = (_BUSY, _READONLY, _IOERR, _FULL, _CANTOPEN, _PERM, _PROTOCOL)
_REASONS = {
    _BUSY: (
        "another program has it locked",
        "Close whatever else has it open, then try again.",
    ),
    _PROTOCOL: ("too many programs open it at this moment", "Try again."),
    _FULL: ("the disk is full", "Free some space, then try again."),
    _READONLY: ("it is read-only", "Check its permissions. " + PLACE),
    _PERM: ("permission denied", "Check its permissions. " + PLACE),
    _CANTOPEN: ("it cannot be opened", "Check its permissions. " + PLACE),
    _IOERR: ("the disk reported an error", "Check the disk. " + PLACE),
}
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_LOCKLESS = ("files cannot be locked there", "Its file system knows no locks. " + PLACE)


def _explain(error: Exception, path: Path) -> StoreError:
    """Say in plain words why SQLite refused; the file is as it was before the event."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == _CANTOPEN and path.is_symlink() and not path.exists():
        return StoreError(
            f"{path} is a link to {os.readlink(path)}, which does not exist.",  # noqa: PTH115
            "Remove the link, or create what it leads to. " + PLACE,
        )
    reason, remedy = _REASONS.get(code, (str(error), PLACE))
    refused = _try_folder(path.parent) if code in (_BUSY, _IOERR, _PROTOCOL, _CANTOPEN) else None
    if refused is not None and refused.errno in _NO_LOCKS:
        reason, remedy = _LOCKLESS
    elif refused is not None and refused.errno in (errno.ENOSPC, errno.EDQUOT):
        reason, remedy = explain(refused), _REASONS[_FULL][1]
    elif refused is not None and code == _CANTOPEN:
        reason = explain(refused)
    return StoreError(f"Progress cannot be kept in {path}: {reason}.", remedy)


def _try_folder(folder: Path) -> OSError | None:
    """Make and lock a file where SQLite could not, for the system says more of what is wrong."""
    try:
        import fcntl
        import tempfile

        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return None
    except OSError as error:
        return error
    return None
