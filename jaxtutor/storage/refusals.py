"""Says in plain words why the progress file cannot be used, and what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jaxtutor.errors import StoreError
from jaxtutor.storage.schema import PLACE, Damaged
from jaxtutor.storage.workspace import explain


@contextmanager
def refusing(path: Path) -> Iterator[None]:
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
REFUSALS = (_BUSY, _READONLY, _IOERR, _FULL, _CANTOPEN, _PERM, _PROTOCOL)
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
