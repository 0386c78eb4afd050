"""Sets a damaged progress file aside, and copies what can still be read of it.

Nothing here changes the damaged file but its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxtutor.storage.locks import locked
from jaxtutor.storage.refusals import REFUSALS
from jaxtutor.storage.schema import TABLES, Damaged, move_openings, transaction

if TYPE_CHECKING:
    import sqlite3

WHOLE, ALONE = "?mode=ro", "?immutable=1"
"""How a file is read without a change to it: with what was written ahead for it, or without."""
LARGEST_PAGE = 65536
"""Bytes of a page whose size SQLite's header gives as 1."""

LARGEST_GAP = 64 << 20
"""Bytes missing at the end of a file beyond which its header is not believed."""

JOURNALS = ("-journal", "-wal", "-shm")
"""How the names end of the files that SQLite keeps beside its own."""


@contextmanager
def alone(folder: Path, patience: float) -> Iterator[None]:
    """Keep other processes from setting a file aside meanwhile, where the system can."""
    with ExitStack() as stack:
        with suppress(OSError):  # no locks here, or one that is held by a process that stands still
            stack.enter_context(locked(folder, patience))
        yield


def rename(path: Path, new: Path) -> None:
    """Rename a progress file and what belongs to it.

    The journals go first: one left behind would be taken for the next file's, and deleted.
    """
    for suffix in (*JOURNALS, ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(new.with_name(new.name + suffix))


def salvage(aside: Path, db: sqlite3.Connection) -> int:
    """Copy every row that can still be read, unless that was done; return how many attempts."""
    with transaction(db):
        if not db.execute("SELECT EXISTS (SELECT * FROM courses)").fetchone()[0]:
            ways = (ALONE,) if has_foreign_journal(aside) else (WHOLE, ALONE)
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
    missing = count_missing_bytes(path)
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


def count_missing_bytes(path: Path) -> int:
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


def has_foreign_journal(path: Path) -> bool:
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
                    if getattr(error, "sqlite_errorcode", 0) & 0xFF in REFUSALS:
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


def is_damage(error: Exception) -> bool:
    """Return whether an error shows that the file is damaged, and not that it cannot be used."""
    import sqlite3

    # SQLite quotes what it stumbled on, and the quotation may be no text.
    if isinstance(error, Damaged | UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT):
        return True
    # A table of ours is gone, or a text is not valid text any more.
    return str(error).startswith(("no such", "Could not decode", "unsupported file format"))
