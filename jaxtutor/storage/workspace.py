"""Locates the workspace, and reads and writes the learner's files without losing data."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
import time
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from jaxtutor.errors import SubmissionError, TutorError
from jaxtutor.storage import relocation

LARGEST = 1 << 20
"""Bytes. The most that is read of a text file."""
LARGEST_SUBMISSION = 1 << 18
"""Bytes. The largest submission accepted; lessons are a few kilobytes.

Python's compiler takes about 300 bytes for each byte of short lines, in the process of the session.
"""
LARGEST_KEPT = 64 << 20
"""Bytes. The largest file of the learner's that can be saved in the store."""
ABANDONED = 3600.0
"""Seconds. A temporary file older than this belongs to a writer that was killed."""

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
    errno.ELOOP: "its symbolic links form a loop",
    errno.EIO: "the disk reported an error",
}
_ELSEWHERE = "Choose another folder with --workspace DIR, or set JAXTUTOR_HOME."
_REMEDIES = {
    errno.ENOSPC: "Free some disk space and try again.",
    errno.EDQUOT: "Free some disk space and try again.",
    errno.EROFS: _ELSEWHERE,
    errno.EACCES: "Check the permissions. " + _ELSEWHERE,
    errno.EPERM: "Check the permissions. " + _ELSEWHERE,
    errno.ENOTDIR: "Move that file. " + _ELSEWHERE,
    errno.EEXIST: "Move that file. " + _ELSEWHERE,
}


def explain(error: OSError) -> str:
    """Describe in plain words why the operating system refused."""
    reason = (error.strerror or type(error).__name__).lower()
    return _WHY.get(error.errno or 0, reason)


# ---------------------------------------------------------------- locations


class Workspace(Struct, frozen=True):
    """The two folders that jaxtutor writes to: the learner's files, and its own data."""

    root: Path
    data: Path
    left: Path | None = None
    """The checkout that would be the root, and was in older versions."""

    @property
    def progress(self) -> Path:
        """The progress file."""
        return self.data / "progress.sqlite3"

    @property
    def references(self) -> Path:
        """A cache of the solutions' results; safe to delete."""
        return self.data / "references"

    @property
    def programs(self) -> Path:
        """A cache of the programs that XLA compiled; safe to delete."""
        return self.data / "programs"

    @property
    def operations(self) -> Path:
        """A cache of the operations that `diagnose` evaluates by themselves; safe to delete."""
        return self.data / "operations"

    @property
    def lints(self) -> Path:
        """A cache of what `lint` found in files; safe to delete."""
        return self.data / "lints"

    @property
    def gates(self) -> Path:
        """What `lesson test` found to pass; safe to delete."""
        return self.data / "gates"

    @property
    def pages(self) -> Path:
        """A cache of the drawn pages and of the lessons' information; safe to delete."""
        return self.data / "pages"

    @property
    def config(self) -> Path:
        """The settings file, written by the learner."""
        return self.data / "config.toml"

    @property
    def trusted(self) -> Path:
        """The folders of courses that the learner agreed to run."""
        return self.data / "trusted.json"

    @property
    def consents(self) -> Path:
        """The folders in which an editor may run programs, or may not."""
        return self.data / "editor-consents.json"

    def drill_file(self, name: str) -> Path:
        """Return the path of the program that the learner fixes in a drill."""
        return self.root / "drills" / f"{name}.py"

    def lesson_file(self, chapter: str, lesson: str) -> Path:
        """Return the path of the learner's file, from the lesson's folder names in the course."""
        for name in (chapter, lesson):
            if not _FOLDER.fullmatch(name):
                raise TutorError(
                    f"The course contains a folder named {name!r}, which is not a valid name.",
                    "Use letters, digits, hyphens and underscores in folder names.",
                )
        return self.root / chapter / f"{lesson}.py"


def locate(explicit: Path | None, environ: Mapping[str, str]) -> Workspace:
    """Locate the workspace: `explicit` first, then JAXTUTOR_HOME, then the home directory.

    With an explicit workspace and no home directory, the data goes into its `.jaxtutor` folder.
    If the folder in the home directory is a checkout of jaxtutor, another one is used.
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
        raise TutorError("No home directory was found for your lessons.", _ELSEWHERE)
    usual = home / "jaxtutor"
    if relocation.is_inside_checkout(usual):
        return Workspace(home / "jaxtutor-lessons", data, usual)
    return Workspace(usual, data)


def _absolute(path: str | Path) -> Path:
    expanded = _expand(path)
    if expanded is None:
        raise TutorError(f"{path} cannot be resolved: there is no home directory.", _ELSEWHERE)
    try:
        return expanded.absolute()
    except OSError as error:  # the working directory was deleted
        raise TutorError(f"{path} cannot be resolved: {explain(error)}.", _ELSEWHERE) from error


def _expand(path: str | Path) -> Path | None:
    """Expand a leading `~`; return None if there is no home directory."""
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


class Submission(Struct, frozen=True):
    """The learner's file at one moment: its bytes, and the text they decode to."""

    path: Path
    data: bytes
    text: str

    def encode(self, text: str) -> bytes:
        """Encode another text in this file's encoding, with its byte order mark if it has one."""
        if self.data.startswith(codecs.BOM_UTF8):  # overrides a coding line
            return codecs.BOM_UTF8 + text.encode()
        return encode(text)


def read(path: Path, follows_link: bool = True) -> Submission:
    """Read the learner's file; raise SubmissionError if it cannot be a Python program."""
    return decode(path, read_bytes(path, follows_link))


def read_program(path: Path) -> Submission:
    """Read a program of the learner's own, which may be longer than a lesson's."""
    return decode(path, read_bytes(path), LARGEST)


def read_texts(files: Iterable[str]) -> dict[str, str]:
    """Read programs of the learner's own, by their names; leave out what cannot be read."""
    found = {}
    for name in files:
        with suppress(TutorError):
            found[name] = read_program(Path(name)).text
    return found


def read_bytes(
    path: Path, follows_link: bool = True, most: int = LARGEST, called: str = ""
) -> bytes:
    """Read at most one byte more than the limit; raise SubmissionError.

    `called` stands for the path in messages.
    """
    name = called or path
    try:
        return look(path, most, follows_link)[1]
    except FileNotFoundError:
        raise SubmissionError(
            f"{name} does not exist.",
            "Save it again from your editor, or create it from the starter: jaxtutor check",
        ) from None
    except IsADirectoryError:
        raise SubmissionError(f"{name} is not a file.", "Give a Python file.") from None
    except OSError as error:
        if error.errno == errno.ELOOP and not follows_link:
            raise SubmissionError(
                f"{name} is a symbolic link, which is not followed.", "Replace it by the file."
            ) from None
        raise SubmissionError(
            f"{name} cannot be read: {explain(error)}.", "Check the file's permissions."
        ) from error


def link_target(path: Path) -> str:
    """Return what a link leads to; empty if the path is not a link."""
    try:
        return os.readlink(path)  # noqa: PTH115
    except OSError:
        return ""


def present(path: Path) -> bytes | None:
    """Return the bytes of the learner's file, valid or not; None if it does not exist.

    The result is saved in the store before the file is replaced. Raises TutorError.
    """
    try:
        data = look(path, LARGEST_KEPT)[1]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TutorError(
            f"{path} cannot be read: {explain(error)}. It was not changed.",
            "Check what it is, or move it.",
        ) from error
    if len(data) > LARGEST_KEPT:
        raise TutorError(
            f"{path} is larger than {LARGEST_KEPT >> 20} MiB, the most that can be saved. "
            "It was not changed.",
            "Move it, then try again.",
        )
    return data


def look(
    path: Path, most: int = LARGEST, follows_link: bool = True
) -> tuple[os.stat_result, bytes]:
    """Read a file's status and its first bytes from one open file. Raises OSError.

    At most `most` + 1 bytes are returned, so that a larger file is noticed. Only regular files are
    read: opening a pipe could block until another process writes to it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    flags |= 0 if follows_link else getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is not a regular file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return status, file.read(most + 1)
    finally:
        os.close(handle)


def decode(path: Path, data: bytes, most: int = LARGEST_SUBMISSION) -> Submission:
    """Decode bytes as a Python program; raise SubmissionError if they are not one."""
    if len(data) > most:
        raise SubmissionError(
            f"{path} is larger than {most >> 10:,} KiB.",
            "Remove what the program does not need, or move data to other files.",
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SubmissionError(f"{path} was saved as UTF-16.", "Save it as UTF-8 in your editor.")
    text = None if b"\0" in data else _decode_text(path, data)
    if text is None or "\0" in text:
        raise SubmissionError(
            f"{path} contains null bytes: it is not a text file.",
            "Save Python source in it, or run `jaxtutor reset` to restore the starter.",
        )
    return Submission(path, data, text)


def _decode_text(path: Path, data: bytes) -> str:
    """Decode as Python does: UTF-8, or the encoding named by a coding line (PEP 263)."""
    try:
        text = data.decode(_encoding(path, data))
        text.encode()  # a coding line can name a codec that yields lone surrogates
    except UnicodeError as error:
        raise SubmissionError(
            f"{path} is not {_encoding_name(error)} text{_line_of(error, data)}.",
            "Save it as UTF-8 in your editor.",
        ) from error
    return text


def _encoding(path: Path, data: bytes) -> str:
    """Return a file's encoding; without a coding line, UTF-8 with or without a byte order mark."""
    if not _CODING.match(data):
        return "utf-8-sig"
    try:
        name = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        b" ".decode(name)  # raises for codecs that do not decode to text
    except (SyntaxError, LookupError) as error:
        raise SubmissionError(
            f"{path} cannot be decoded: {error.args[0]}.",
            "Remove the coding line and save the file as UTF-8.",
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
    """Encode text so that `decode` restores it: as UTF-8, or as its coding line says."""
    data = text.encode()
    with suppress(SyntaxError, LookupError, UnicodeError):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding)
    return data


# ---------------------------------------------------------------- writing


def ensure(path: Path, starter: str) -> Path:
    """Create the learner's file from the starter, unless something of that name exists."""
    if os.path.lexists(path):
        return path
    with _explaining(f"{path} could not be created from the starter"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _temporary(path, encode(starter)) as finished:
            _claim(finished, path)
    return path


def _claim(finished: Path, path: Path) -> None:
    """Move a finished file to its name, unless something took the name in the meantime."""
    try:
        path.hardlink_to(finished)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not os.path.lexists(path):
            finished.replace(path)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file's content in one step: readers see either the old bytes or the new.

    If the path is a symbolic link, its target is replaced. The file keeps its mode.
    """
    target = Path(os.path.realpath(path))
    with _explaining(f"{path} could not be written", "The file was not changed."):
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if _is_stream(target):
            raise OSError(errno.EINVAL, "it is not a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _temporary(target, data) as finished:
            with suppress(FileNotFoundError):
                finished.chmod(stat.S_IMODE(target.stat().st_mode))
            finished.replace(target)
        _sync_folder(target.parent)


def write_out(path: Path, data: bytes) -> None:
    """Write an output file: a regular file in one step, a pipe or a device directly.

    Renaming a file onto `/dev/stdout` prints nothing, and onto `/dev/null` destroys the device.
    """
    try:
        if _is_stream(path):
            with _explaining(f"{path} could not be written", "Nothing else was changed."):
                path.write_bytes(data)
        else:
            write_atomically(path, data)
    except TutorError as error:
        remedy = error.remedy.replace(_ELSEWHERE, "Choose another file.")
        raise TutorError(error.message, remedy) from error


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _temporary(path: Path, data: bytes) -> Iterator[Path]:
    """Write and sync a temporary file in the same folder; delete it on exit."""
    _delete_abandoned(path)
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666)  # reduced by the umask, as for any new file
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink()


def _delete_abandoned(path: Path) -> None:
    """Delete the temporary files of killed writers of the same file."""
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            is_ours = entry.name.startswith(f".{path.name}.") and entry.name.endswith(".tmp")
            if is_ours and time.time() - entry.stat().st_mtime > ABANDONED:
                Path(entry.path).unlink()


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power failure, on systems that can sync a folder (fsync(2))."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _explaining(doing: str, kept: str = "Nothing was changed.") -> Iterator[None]:
    """Turn an OSError into a TutorError that says what failed and what state it left behind."""
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, _ELSEWHERE)
        raise TutorError(f"{doing}: {explain(error)}. {kept}", remedy) from error
