"""Tests the paths of the workspace and the data, and reading and writing the learner's files."""

from __future__ import annotations

import errno
import os
import resource
import stat
from pathlib import Path

import pytest

from jaxtutor.errors import SubmissionError, TutorError
from jaxtutor.storage import workspace
from jaxtutor.storage.workspace import (
    Workspace,
    decode,
    encode,
    ensure,
    locate,
    read,
    write_atomically,
    write_out,
)

STARTER = "def double(x):\n    # TODO: return twice x\n    return x\n"


def refuse(code: int) -> object:
    """Return a function that raises an operating system error for any arguments."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def names(folder: Path) -> list[str]:
    """Return the names in a folder, including hidden ones."""
    return sorted(entry.name for entry in folder.iterdir())


# ---------------------------------------------------------------- paths


def test_home_holds_the_workspace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By default the lessons are in ~/jaxtutor and the data where the platform keeps it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))

    found = locate(None, {})

    assert tmp_path / "jaxtutor" == found.root
    assert "jaxtutor" == found.data.name
    assert tmp_path in found.data.parents


def test_the_variable_moves_both(tmp_path: Path) -> None:
    """JAXTUTOR_HOME moves the workspace and the data."""
    found = locate(None, {"JAXTUTOR_HOME": str(tmp_path)})

    assert Workspace(tmp_path / "workspace", tmp_path / "data") == found


def test_an_explicit_workspace_wins(tmp_path: Path) -> None:
    """--workspace sets the folder of the lessons; the data stays in JAXTUTOR_HOME."""
    found = locate(tmp_path / "mine", {"JAXTUTOR_HOME": str(tmp_path / "home")})

    assert Workspace(tmp_path / "mine", tmp_path / "home" / "data") == found


def test_relative_places_become_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A relative path is resolved once, against the working directory at the start."""
    monkeypatch.chdir(tmp_path)

    assert tmp_path / "here" == locate(Path("here"), {}).root


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the home directory unknown."""
    for name in ("HOME", "XDG_DATA_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)


@pytest.mark.usefixtures("homeless")
def test_no_home_is_reported() -> None:
    """Without a home directory, the remedy names both ways to choose a folder."""
    with pytest.raises(TutorError, match="No home directory") as caught:
        locate(None, {})

    assert "--workspace" in caught.value.remedy
    assert "JAXTUTOR_HOME" in caught.value.remedy


@pytest.mark.usefixtures("homeless")
def test_an_explicit_workspace_needs_no_home(tmp_path: Path) -> None:
    """Without a home directory, the data is stored in the workspace that was given."""
    assert Workspace(tmp_path, tmp_path / ".jaxtutor") == locate(tmp_path, {})


@pytest.mark.usefixtures("homeless")
def test_a_tilde_without_home_is_reported() -> None:
    """A path that begins with ~ cannot be resolved without a home directory."""
    with pytest.raises(TutorError, match="there is no home directory"):
        locate(Path("~/lessons"), {})


def test_data_has_three_parts(tmp_path: Path) -> None:
    """The data folder holds the store, the cache of reference answers, and the configuration."""
    place = Workspace(tmp_path, tmp_path / "data")

    assert ["progress.sqlite3", "references", "config.toml"] == [
        path.relative_to(place.data).as_posix()
        for path in (place.progress, place.references, place.config)
    ]


def test_a_lesson_file_is_named_after_its_folders(tmp_path: Path) -> None:
    """The learner's file is NN_chapter/NN_lesson.py in the workspace."""
    place = Workspace(tmp_path, tmp_path)

    assert tmp_path / "02_jit" / "01_first.py" == place.lesson_file("02_jit", "01_first")


@pytest.mark.parametrize(
    "name",
    ["..", ".", "", "/etc", "a/b", "a\\b", "C:", "a\0b", "a\n", "~", ".hidden", "-rf", "a b"],
)
def test_a_lesson_file_stays_inside(tmp_path: Path, name: str) -> None:
    """A course cannot name a file outside the workspace."""
    place = Workspace(tmp_path, tmp_path)

    with pytest.raises(TutorError, match="not a valid name"):
        place.lesson_file(name, "01_first")
    with pytest.raises(TutorError, match="not a valid name"):
        place.lesson_file("02_jit", name)


# ---------------------------------------------------------------- reading


def test_reading_gives_bytes_and_text(tmp_path: Path) -> None:
    """A submission has the file's bytes and the decoded text, with its line ends unchanged."""
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\r\n# \xc3\xa9\n")

    found = read(file)

    assert (file, b"x = 1\r\n# \xc3\xa9\n", "x = 1\r\n# é\n") == (
        found.path,
        found.data,
        found.text,
    )


def test_an_empty_file_is_read(tmp_path: Path) -> None:
    """An empty file is a valid submission."""
    (tmp_path / "a.py").touch()

    assert "" == read(tmp_path / "a.py").text


def test_a_coding_line_is_respected() -> None:
    """A file that declares Latin-1 is decoded as Latin-1."""
    data = b"# -*- coding: latin-1 -*-\nname = '\xe9'\n"

    assert "name = 'é'" == decode(Path("a.py"), data).text.splitlines()[1]


def test_a_byte_order_mark_is_dropped() -> None:
    """A UTF-8 byte order mark is not part of the text."""
    assert "x = 1" == decode(Path("a.py"), b"\xef\xbb\xbfx = 1").text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"x" * (workspace.LARGEST_SUBMISSION + 1), "larger than 256 KiB", id="huge"),
        pytest.param(b"x = 1\0", "null bytes", id="binary"),
        pytest.param("x = 1".encode("utf-16"), "UTF-16", id="utf-16"),
        pytest.param(b"x = 1\ny = '\xe9'\n", r"not UTF-8 text \(line 2\)", id="latin-1"),
        pytest.param(b"y = '\xe9'\n", r"not UTF-8 text \(line 1\)", id="latin-1 at once"),
        pytest.param(b"# coding: nonsense\n", "cannot be decoded", id="unknown coding"),
        pytest.param(b"# coding: rot13\nk = 1\n", "cannot be decoded", id="not a text coding"),
        pytest.param(b"# coding: utf-7\n+2AA-\n", "not UTF-", id="lone surrogate"),
        pytest.param(b"# coding: utf-7\n+AAA-\n", "null bytes", id="hidden null byte"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, words: str) -> None:
    """Bytes that cannot be decoded are refused, with the reason and a remedy."""
    with pytest.raises(SubmissionError, match=words) as caught:
        decode(Path("a.py"), data)

    assert caught.value.remedy


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    """Only the first bytes of a file of many gigabytes are read."""
    file = tmp_path / "a.py"
    with file.open("wb") as out:
        out.truncate(1 << 40)

    assert workspace.LARGEST + 1 == len(workspace.read_bytes(file))


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    """A missing file is reported, with how to create it again."""
    with pytest.raises(SubmissionError, match="does not exist") as caught:
        read(tmp_path / "a.py")

    assert "jaxtutor check" in caught.value.remedy


def test_a_folder_is_not_read(tmp_path: Path) -> None:
    """A folder in place of the file is reported."""
    with pytest.raises(SubmissionError, match="is not a file"):
        read(tmp_path)


def test_a_refused_file_is_closed(tmp_path: Path) -> None:
    """Reading a folder repeatedly leaks no file descriptors."""
    for _ in range(2):
        with pytest.raises(IsADirectoryError):
            workspace.look(tmp_path)
    first = os.open(tmp_path, os.O_RDONLY)
    os.close(first)
    with pytest.raises(IsADirectoryError):
        workspace.look(tmp_path)
    second = os.open(tmp_path, os.O_RDONLY)
    os.close(second)

    assert first == second


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """A named pipe is refused without waiting for its writer."""
    os.mkfifo(tmp_path / "a.py")

    with pytest.raises(SubmissionError, match="is not a file"):
        read(tmp_path / "a.py")


def test_an_unreadable_file_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file without read permission is reported."""
    monkeypatch.setattr(os, "open", refuse(errno.EACCES))

    with pytest.raises(SubmissionError, match="permission denied"):
        read(tmp_path / "a.py")


@pytest.mark.parametrize(
    "data", [b"x = 1\n", b"# coding: latin-1\nx = '\xe9'\n", b"# coding: nonsense\n", b""]
)
def test_encoding_undoes_decoding(data: bytes) -> None:
    """Text is encoded as its own coding line declares."""
    coding = "latin-1" if b"latin" in data else "utf-8"

    assert data == encode(data.decode(coding))


# ---------------------------------------------------------------- writing


def test_a_file_is_made_from_the_starter(tmp_path: Path) -> None:
    """The first visit to a lesson creates its folder and its file."""
    file = ensure(tmp_path / "02_jit" / "01_first.py", STARTER)

    assert STARTER.encode() == file.read_bytes()
    assert ["01_first.py"] == names(file.parent)


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    """The starter never replaces the learner's file."""
    file = tmp_path / "a.py"
    file.write_text("mine")

    assert "mine" == ensure(file, STARTER).read_text()


def test_a_file_made_meanwhile_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that another terminal creates at the same moment is not overwritten."""
    file = tmp_path / "a.py"
    file.write_text("mine")
    monkeypatch.setattr(os.path, "lexists", lambda path: False)

    assert "mine" == ensure(file, STARTER).read_text()
    assert ["a.py"] == names(tmp_path)


def test_a_starter_needs_no_hard_links(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Starters are also created on a file system without hard links."""
    monkeypatch.setattr(os, "link", refuse(errno.EPERM))

    assert STARTER == ensure(tmp_path / "a.py", STARTER).read_text()
    assert ["a.py"] == names(tmp_path)


def test_a_dangling_link_is_left_alone(tmp_path: Path) -> None:
    """A dangling symbolic link belongs to the learner and is not replaced."""
    (tmp_path / "a.py").symlink_to(tmp_path / "gone.py")

    assert ensure(tmp_path / "a.py", STARTER).is_symlink()


def test_a_starter_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file in place of the workspace is named as the reason."""
    (tmp_path / "jaxtutor").write_text("in the way")

    with pytest.raises(TutorError, match="could not be created from the starter") as caught:
        ensure(tmp_path / "jaxtutor" / "02_jit" / "a.py", STARTER)

    assert "--workspace" in caught.value.remedy


def test_a_file_in_the_way_of_a_folder_is_reported(tmp_path: Path) -> None:
    """A file in place of the chapter's folder is named as the reason."""
    (tmp_path / "02_jit").write_text("in the way")

    with pytest.raises(TutorError, match="a file is where a folder should be"):
        ensure(tmp_path / "02_jit" / "a.py", STARTER)


def test_writing_replaces_the_content(tmp_path: Path) -> None:
    """A write replaces the file's bytes and leaves no other file in the folder."""
    file = tmp_path / "a.py"
    file.write_bytes(b"old")

    write_atomically(file, b"new")

    assert (b"new", ["a.py"]) == (file.read_bytes(), names(tmp_path))


def test_writing_makes_a_new_inode(tmp_path: Path) -> None:
    """A process that has the old file open continues to read the old bytes."""
    file = tmp_path / "a.py"
    file.write_bytes(b"old")

    with file.open("rb") as reader:
        write_atomically(file, b"new")

        assert b"old" == reader.read()


def test_writing_keeps_the_mode(tmp_path: Path) -> None:
    """A file that only its owner may read keeps its mode."""
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    file.chmod(0o640)

    write_atomically(file, b"new")

    assert 0o640 == stat.S_IMODE(file.stat().st_mode)


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    """A new file gets the mode that the umask allows."""
    (tmp_path / "usual.py").touch()

    write_atomically(tmp_path / "a.py", b"new")

    assert (tmp_path / "usual.py").stat().st_mode == (tmp_path / "a.py").stat().st_mode


def test_writing_follows_a_link(tmp_path: Path) -> None:
    """A write follows a symbolic link and does not replace it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "b.py").write_bytes(b"old")
    (tmp_path / "a.py").symlink_to(tmp_path / "real" / "b.py")

    write_atomically(tmp_path / "a.py", b"new")

    assert (tmp_path / "a.py").is_symlink()
    assert b"new" == (tmp_path / "real" / "b.py").read_bytes()


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A pipe or a device in place of the file is not replaced, even by root."""
    os.mkfifo(tmp_path / "a.py")

    with pytest.raises(TutorError, match="it is not a file"):
        write_atomically(tmp_path / "a.py", b"x")
    assert stat.S_ISFIFO((tmp_path / "a.py").stat().st_mode)


def test_a_table_may_go_to_a_device(tmp_path: Path) -> None:
    """A table can be written to a device, which is not replaced by a file."""
    write_out(Path(os.devnull), b"x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)

    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_out(tmp_path / "pipe", b"table")
    assert b"table" == os.read(reader, 100)
    os.close(reader)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no such device")
def test_a_table_that_does_not_fit_is_reported() -> None:
    """A table that does not fit on a full disk is reported with the reason and a remedy."""
    with pytest.raises(TutorError, match="the disk is full") as raised:
        write_out(Path("/dev/full"), b"x")
    assert "Free some disk space and try again." == raised.value.remedy


def test_a_table_has_no_workspace(tmp_path: Path) -> None:
    """The remedy for a table that cannot be written names another file, not another workspace."""
    (tmp_path / "a").write_text("")
    with pytest.raises(TutorError) as raised:
        write_out(tmp_path / "a" / "b.csv", b"x")
    assert "Move that file. Choose another file." == raised.value.remedy


def test_links_in_a_circle_are_reported(tmp_path: Path) -> None:
    """A circle of symbolic links is named as the reason and left in place."""
    (tmp_path / "a.py").symlink_to("b.py")
    (tmp_path / "b.py").symlink_to("a.py")

    with pytest.raises(TutorError, match="form a loop"):
        write_atomically(tmp_path / "a.py", b"new")

    assert ["a.py", "b.py"] == names(tmp_path)


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
@pytest.mark.parametrize(
    ("code", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only"), (errno.EACCES, "permission")],
)
def test_a_write_that_fails_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, code: int, words: str
) -> None:
    """Whichever step of a write fails, the old file stays alone, and the message says so."""
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, step, refuse(code))
        with pytest.raises(TutorError, match=words) as caught:
            write_atomically(file, b"new")

    assert "The file was not changed." in caught.value.message
    assert (b"old", ["a.py"]) == (file.read_bytes(), names(tmp_path))


def test_a_real_limit_loses_nothing(tmp_path: Path) -> None:
    """After a write that the system cuts short, only the old file exists."""
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(TutorError, match="larger than this system allows"):
            write_atomically(file, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (b"old", ["a.py"]) == (file.read_bytes(), names(tmp_path))


def test_an_interrupted_write_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After Ctrl-C during a write, only the old file exists."""

    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, b"new")

    assert (b"old", ["a.py"]) == (file.read_bytes(), names(tmp_path))


def test_a_submission_to_grade_is_not_read_through_a_link(tmp_path: Path) -> None:
    """A file that is replaced by a link before it is opened is refused, not followed."""
    (tmp_path / "private.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to(tmp_path / "private.py")

    assert "x = 1\n" == workspace.read(tmp_path / "link.py").text
    with pytest.raises(SubmissionError, match="is a symbolic link, which is not followed"):
        workspace.read(tmp_path / "link.py", follows_link=False)
