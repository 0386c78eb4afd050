"""Owns where things live, and the learner's files: found, read, and written without loss."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
import time
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from jaxtutor.errors import SubmissionError, TutorError

LARGEST = 1 << 20
"""Bytes that a submission may have."""
LARGEST_KEPT = 64 << 20
"""Bytes of a learner's file that can be put away."""
ABANDONED = 3600.0
"""Seconds after which an unfinished file is one whose writer was killed."""

_CODING = re.compile(rb"(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*coding[:=]")
_FOLDER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_WHY = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than this system allows",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOTDIR: "part of the path is a file, not a folder",
    errno.EEXIST: "a file is where a folder should be",
    errno.ELOOP: "its symbolic links lead round in a circle",
    errno.EIO: "the disk reported an error",
}
_PLACE = "Choose another place with --workspace DIR, or set JAXTUTOR_HOME."
_CURE = {
    errno.ENOSPC: "Free some space, then try again.",
    errno.EDQUOT: "Free some space, then try again.",
    errno.EROFS: _PLACE,
    errno.EACCES: "Check the permissions. " + _PLACE,
    errno.EPERM: "Check the permissions. " + _PLACE,
    errno.ENOTDIR: "Move that file away. " + _PLACE,
    errno.EEXIST: "Move that file away. " + _PLACE,
}


def explain(error: OSError) -> str:
    """Say in plain words why the operating system refused."""
    reason = (error.strerror or type(error).__name__).lower()
    return _WHY.get(error.errno or 0, reason)


# ---------------------------------------------------------------- places


@dataclass(frozen=True)
class Workspace:
    """The two folders that jaxtutor writes to: the learner's own files, and its data."""

    root: Path
    data: Path

    @property
    def progress(self) -> Path:
        """The store."""
        return self.data / "progress.sqlite3"

    @property
    def references(self) -> Path:
        """A cache of what the solutions computed; safe to delete."""
        return self.data / "references"

    @property
    def programs(self) -> Path:
        """A cache of what XLA compiled; safe to delete."""
        return self.data / "programs"

    @property
    def config(self) -> Path:
        """The learner's choices, written by hand."""
        return self.data / "config.toml"

    @property
    def trusted(self) -> Path:
        """The folders of the courses that the learner agreed to run."""
        return self.data / "trusted.json"

    def lesson_file(self, chapter: str, lesson: str) -> Path:
        """Name the learner's file for a lesson, from the two folder names in the course."""
        for name in (chapter, lesson):
            if not _FOLDER.fullmatch(name):
                raise TutorError(
                    f"The course has a folder named {name!r}, which cannot name a learner's file.",
                    "Use letters, digits, hyphens and underscores in the names of folders.",
                )
        return self.root / chapter / f"{lesson}.py"


def locate(explicit: Path | None, environ: Mapping[str, str]) -> Workspace:
    """Decide where files live: `explicit` first, then JAXTUTOR_HOME, then the home directory.

    With an explicit workspace and no home directory the data goes into its `.jaxtutor` folder.
    """
    moved = environ.get("JAXTUTOR_HOME")
    if moved:
        top = _absolute(moved)
        return Workspace(_absolute(explicit) if explicit else top / "workspace", top / "data")
    if explicit:
        root = _absolute(explicit)
        return Workspace(root, _platform_data() or root / ".jaxtutor")
    home, data = _expand("~"), _platform_data()
    if home is None or not home.is_absolute() or data is None:
        raise TutorError("There is no home directory to keep your lessons in.", _PLACE)
    return Workspace(home / "jaxtutor", data)


def _absolute(path: str | Path) -> Path:
    expanded = _expand(path)
    if expanded is None:
        raise TutorError(f"No home directory is known, so {path} leads nowhere.", _PLACE)
    try:
        return expanded.absolute()
    except OSError as error:  # the current folder was deleted
        raise TutorError(f"{path} leads nowhere: {explain(error)}.", _PLACE) from error


def _expand(path: str | Path) -> Path | None:
    """Expand a leading `~`, or give None where no home directory is known."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return None


def _platform_data() -> Path | None:
    from platformdirs import user_data_dir

    try:
        data = Path(user_data_dir("jaxtutor", appauthor=False))
    except RuntimeError:
        return None
    return data if data.is_absolute() else None


# ---------------------------------------------------------------- reading


@dataclass(frozen=True)
class Submission:
    """The learner's file at one moment: its bytes, and the text that they spell."""

    path: Path
    data: bytes
    text: str

    def spell(self, text: str) -> bytes:
        """Spell another text as this file is spelled, with the mark that it begins with."""
        if self.data.startswith(codecs.BOM_UTF8):  # whatever a coding line says
            return codecs.BOM_UTF8 + text.encode()
        return encode(text)


def read(path: Path) -> Submission:
    """Read the learner's file; raise SubmissionError where it cannot be a program."""
    return decode(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Read at most one byte more than a submission may have; raise SubmissionError."""
    try:
        return look(path)[1]
    except FileNotFoundError:
        raise SubmissionError(
            f"{path} is not there.",
            "Save it again from your editor, or run `jaxtutor check` to begin from the starter.",
        ) from None
    except IsADirectoryError:
        raise SubmissionError(f"{path} is not a file.", "Name a Python file.") from None
    except OSError as error:
        raise SubmissionError(
            f"{path} could not be read: {explain(error)}.", "Check the file's permissions."
        ) from error


def present(path: Path) -> bytes | None:
    """Return all that is in the learner's file, be it a program or not; None where there is none.

    This is what is put away before something takes its place. Raises TutorError.
    """
    try:
        data = look(path, LARGEST_KEPT)[1]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TutorError(
            f"{path} could not be read: {explain(error)}. It was left as it is.",
            "Check what it is, or move it away.",
        ) from error
    if len(data) > LARGEST_KEPT:
        raise TutorError(
            f"{path} is larger than {LARGEST_KEPT >> 20} MiB, too large to be kept. "
            "It was left as it is.",
            "Move it away, then try again.",
        )
    return data


def look(path: Path, most: int = LARGEST) -> tuple[os.stat_result, bytes]:
    """Read the file's status and its first bytes together, raising plain OSError.

    There is one byte more than `most` where the file is larger. Only a regular file is read, so
    nothing here waits for another process.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is not a regular file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return status, file.read(most + 1)
    finally:
        os.close(handle)


def decode(path: Path, data: bytes) -> Submission:
    """Take bytes as a Python program's text; raise SubmissionError where they are not."""
    if len(data) > LARGEST:
        raise SubmissionError(
            f"{path} is larger than {LARGEST >> 20} MiB, too large for a lesson.",
            "Take out what the lesson does not need.",
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SubmissionError(f"{path} was saved as UTF-16.", "Save it as UTF-8 in your editor.")
    text = None if b"\0" in data else _spell(path, data)
    if text is None or "\0" in text:
        raise SubmissionError(
            f"{path} holds zero bytes: it is not a text file.",
            "Save Python source there, or run `jaxtutor reset` for the starter.",
        )
    return Submission(path, data, text)


def _spell(path: Path, data: bytes) -> str:
    """Decode as Python would: UTF-8, or what the file's own coding line names (PEP 263)."""
    try:
        text = data.decode(_encoding(path, data))
        text.encode()  # a coding line can name an encoding that spells lone surrogates
    except UnicodeError as error:
        raise SubmissionError(
            f"{path} is not {_encoding_name(error)} text{_line_of(error, data)}.",
            "Save it as UTF-8 in your editor.",
        ) from error
    return text


def _encoding(path: Path, data: bytes) -> str:
    """Name a file's encoding; without a coding line it is UTF-8, with or without its mark."""
    if not _CODING.match(data):
        return "utf-8-sig"
    try:
        name = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        b" ".decode(name)  # some codecs are for other things than text
    except (SyntaxError, LookupError) as error:
        raise SubmissionError(
            f"{path} cannot be decoded: {error.args[0]}.",
            "Take out the coding line and save it as UTF-8.",
        ) from error
    return name


def _encoding_name(error: UnicodeError) -> str:
    name = error.encoding if isinstance(error, UnicodeDecodeError) else "utf-8"
    return name.upper()


def _line_of(error: UnicodeError, data: bytes) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return ""
    line = data.count(b"\n", 0, error.start) + 1
    return f" (line {line})"


def encode(text: str) -> bytes:
    """Spell text as bytes that `decode` gives back: UTF-8, or what its coding line names."""
    data = text.encode()
    with suppress(SyntaxError, LookupError, UnicodeError):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding)
    return data


# ---------------------------------------------------------------- writing


def ensure(path: Path, starter: str) -> Path:
    """Make the learner's file from the starter if nothing has that name; overwrite nothing."""
    if os.path.lexists(path):
        return path
    with _saying(f"{path} could not be made from the starter"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _beside(path, encode(starter)) as finished:
            _claim(finished, path)
    return path


def _claim(finished: Path, path: Path) -> None:
    """Give a finished file its name unless something took that name meanwhile."""
    try:
        path.hardlink_to(finished)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not os.path.lexists(path):
            finished.replace(path)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file's content in one step: whoever looks sees the old bytes or the new.

    A symbolic link stays one, and its target is replaced. The file keeps its mode.
    """
    target = Path(os.path.realpath(path))
    with _saying(f"{path} could not be written", "The file is as it was."):
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if _is_stream(target):
            raise OSError(errno.EINVAL, "it is not a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _beside(target, data) as finished:
            with suppress(FileNotFoundError):
                finished.chmod(stat.S_IMODE(target.stat().st_mode))
            finished.replace(target)
        _sync_folder(target.parent)


def write_out(path: Path, data: bytes) -> None:
    """Write a table that was asked for: a file in one step, a pipe or a device as it stands.

    Replacing `/dev/stdout` would not print anything, and replacing `/dev/null` would undo it.
    """
    try:
        if _is_stream(path):
            with _saying(f"{path} could not be written", "Nothing else was changed."):
                path.write_bytes(data)
        else:
            write_atomically(path, data)
    except TutorError as error:
        cure = error.remedy.replace(_PLACE, "Name another file.")
        raise TutorError(error.message, cure) from error


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _beside(path: Path, data: bytes) -> Iterator[Path]:
    """Write a temporary file in the same folder, safe on disk; afterwards it is gone."""
    _sweep(path)
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666)  # the umask decides the rest
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink()


def _sweep(path: Path) -> None:
    """Remove what writers of the same file left when they were killed."""
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            is_ours = entry.name.startswith(f".{path.name}.") and entry.name.endswith(".tmp")
            if is_ours and time.time() - entry.stat().st_mtime > ABANDONED:
                Path(entry.path).unlink()


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _saying(doing: str, kept: str = "Nothing was changed.") -> Iterator[None]:
    """Turn an OSError into a TutorError that says what was being done and what became of it."""
    try:
        yield
    except OSError as error:
        cure = _CURE.get(error.errno or 0, _PLACE)
        raise TutorError(f"{doing}: {explain(error)}. {kept}", cure) from error
