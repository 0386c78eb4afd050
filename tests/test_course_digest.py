"""Tests the digest of a course, and that only what it covers is run."""

from __future__ import annotations

import errno
import io
import os
import py_compile
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from jaxtutor.cli import run
from jaxtutor.content import course_digest
from jaxtutor.content.course_digest import digest
from jaxtutor.content.trust import VARIABLE, agree
from jaxtutor.errors import CourseError, TutorError
from jaxtutor.storage import workspace
from trials.sample_lessons import CHECKS, SOLUTION, make_lesson

pytestmark = pytest.mark.usefixtures("forked_workers")

LESSON = Path("01_a", "01_double")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course with files of every kind, and a link within it."""
    folder = tmp_path / "course"
    make_lesson(folder / LESSON)
    (folder / "common").mkdir()
    (folder / "common" / "helper.py").write_text("x = 1\n")
    for name in ("native.so", "compiled.pyc", "data.bin"):
        (folder / LESSON / name).write_bytes(b"\0first")
    (folder / LESSON / "linked").symlink_to("../../common")
    return folder


def write_at(*parts: str) -> Callable[[Path], object]:
    def write(course: Path) -> None:
        place = course.joinpath(*parts)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(b"\0other")

    return write


def relink(course: Path) -> None:
    (course / "other").mkdir()
    (course / LESSON / "linked").unlink()
    (course / LESSON / "linked").symlink_to("../../other")


CHANGES: dict[str, Callable[[Path], object]] = {
    "an extension module": write_at(*LESSON.parts, "native.so"),
    "a module without a source": write_at(*LESSON.parts, "compiled.pyc"),
    "data": write_at(*LESSON.parts, "data.bin"),
    "a module in a linked folder": write_at(*LESSON.parts, "linked", "helper.py"),
    "lesson.toml": write_at(*LESSON.parts, "lesson.toml"),
    "the page": write_at(*LESSON.parts, "lesson.md"),
    "a hidden file": write_at(".hidden"),
    "an empty file": lambda course: (course / "new").touch(),
    "the target of a link": relink,
    "a module in __pycache__": write_at("__pycache__", "helper.pyc"),
    "a program in a folder .git of a lesson": write_at(*LESSON.parts, ".git", "helper.py"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_asked_about(
    course: Path, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    """Consent to a course ends with any change of its files, whatever kind of file it is."""
    place = tmp_path / "trusted.json"
    agree(course, place, {}, lambda _: True)
    change(course)

    with pytest.raises(TutorError, match="have changed since you agreed"):
        agree(course, place, {}, None)


def test_names_and_contents_are_told_apart(tmp_path: Path) -> None:
    """No other division of the same bytes among names and contents has the same digest."""
    digests = set()
    for number, files in enumerate(
        ({"ab": b"c"}, {"a": b"bc"}, {"a": b"b", "c": b""}, {"abc": b""})
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        digests.add(digest(folder))

    assert 4 == len(digests)


def unreadable(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a file also to root, who may read any."""

    def refuse(path: str, *arguments: object) -> int:
        if path.endswith("checks.py"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return os.open(path, *arguments)  # type: ignore[arg-type]

    names = {name: value for name, value in vars(os).items() if name != "open"}
    monkeypatch.setattr(course_digest, "os", SimpleNamespace(**names, open=refuse))


def leading_out(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (course.parent / "outside").mkdir()
    (course / LESSON / "away").symlink_to("../../../outside")


def dangling(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (course / LESSON / "away").symlink_to("/nowhere/at/all")


def to_git(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (course / ".git").mkdir()
    (course / LESSON / "away").symlink_to("../../.git")


def a_pipe(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(course / "queue")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (unreadable, "checks.py could not be read: permission denied"),
        (leading_out, "away is a link that leads out of it"),
        (dangling, "away is a link that leads out of it"),
        (to_git, "away is a link that leads out of it"),
        (a_pipe, "queue is neither a file nor a folder"),
    ],
)
def test_what_cannot_be_covered_is_refused(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    says: str,
) -> None:
    """A file whose changes could not be noticed is named, with what to do, and nothing is asked."""
    spoil(course, monkeypatch)
    with pytest.raises(CourseError) as refused:
        agree(course, tmp_path / "trusted.json", {}, lambda _: pytest.fail("asked"))

    assert says in refused.value.message
    assert f"{VARIABLE}={course}" in refused.value.remedy


def test_a_socket_is_refused(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket is named instead of raising an unexpected error."""
    monkeypatch.chdir(course)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("door")
        with pytest.raises(CourseError, match="door could not be read"):
            digest(course)


def test_links_in_a_circle_end(course: Path) -> None:
    """A link to a folder above it, and one to itself, are covered without being followed."""
    before = digest(course)
    (course / LESSON / "up").symlink_to("../..")
    (course / "loop").symlink_to("loop")

    assert before != digest(course)


def test_deep_folders_are_covered(tmp_path: Path) -> None:
    """A thousand nested folders are read like any others."""
    folder = tmp_path
    for _ in range(1200):
        folder = folder / "a"
        folder.mkdir()
    before = digest(tmp_path)
    (folder / "x.py").touch()

    assert before != digest(tmp_path)


def test_what_others_write_does_not_count(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git's folder, bytecode, jaxtutor's folders and its environment are not of a course."""
    environment, data = course / ".venv", course / "work"
    monkeypatch.setattr(sys, "prefix", str(environment))
    before = digest(course, [data])
    for folder in (course / ".git", course / LESSON / "__pycache__", environment / "bin", data):
        folder.mkdir(parents=True)
    (course / ".git" / "index").touch()
    (course / LESSON / "__pycache__" / "helper.cpython-313.pyc").touch()
    (environment / "bin" / "python").symlink_to(sys.executable)
    (data / "double.py").touch()

    assert before == digest(course, [data])


def test_a_course_in_jaxtutors_folder_is_covered(course: Path, tmp_path: Path) -> None:
    """A folder of jaxtutor's that the course lies in does not hide the course."""
    before = digest(course, [tmp_path, course])
    (course / "new").touch()

    assert before != digest(course, [tmp_path, course])


# ---------------------------------------------------------------- commands

HELPED = f"""import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import helper_of_checks

{CHECKS}
"""
BY_PATH = f"""from importlib import util
from pathlib import Path

place = Path(__file__).parent / "helper_of_checks.py"
spec = util.spec_from_file_location("helper_of_checks", place)
spec.loader.exec_module(util.module_from_spec(spec))

{CHECKS}
"""


@pytest.fixture
def helped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a course whose checks import a module, with a workspace in the course's folder."""
    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    folder = tmp_path / "course"
    make_lesson(folder / LESSON, {"checks.py": HELPED, "helper_of_checks.py": "x = 1\n"})
    monkeypatch.setenv("JAXTUTOR_HOME", str(folder / "home"))
    monkeypatch.chdir(tmp_path)
    consent(folder)
    return folder


def consent(course: Path) -> None:
    place = workspace.locate(None, os.environ)
    agree(course, place.trusted, {}, lambda _: True, (place.root, place.data))


def plant(source: Path, says: Path) -> None:
    """Write bytecode that Python runs in place of a source, whatever the source is."""
    other = source.with_name("other.py")
    other.write_text(f"open({str(says)!r}, 'w').close()\n")
    target = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(other), str(target), invalidation_mode=mode, doraise=True)
    other.unlink()


@pytest.mark.parametrize("checks", [HELPED, BY_PATH], ids=["import", "by its path"])
def test_planted_bytecode_is_not_run(helped: Path, tmp_path: Path, checks: str) -> None:
    """Bytecode in `__pycache__` never runs in place of the source that was agreed to."""
    (helped / LESSON / "checks.py").write_text(checks)
    consent(helped)
    pwned = tmp_path / "pwned"
    plant(helped / LESSON / "helper_of_checks.py", pwned)
    submission = tmp_path / "mine.py"
    submission.write_text(SOLUTION)
    status = run(["check", str(submission), "--lesson", "double", "--course", str(helped)])

    assert (0, False) == (status, pwned.exists())


WRITING = [
    ["check", "double"],
    ["check", "{mine}", "--lesson", "double", "--json"],
    ["diff", "double", "--jaxpr"],
    ["lesson", "test"],
    ["lesson", "test", "--mutants"],
    ["grade", "{pile}", "--lesson", "double", "--confine", "never"],
    ["start", "double"],
    ["repl", "double"],
    ["solution", "double"],
    ["reset", "double"],
]


def test_commands_leave_a_course_as_it_is(
    helped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command changes what consent is for, though each works on the course and in its folder."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("double(2.0)\n"))
    mine = tmp_path / "pile" / "ann" / "double.py"
    mine.parent.mkdir(parents=True)
    mine.write_text(SOLUTION)
    place = workspace.locate(None, os.environ)
    before = digest(helped, (place.root, place.data))
    for words in WRITING:
        filled = [word.format(pile=tmp_path / "pile", mine=mine) for word in words]
        assert 3 != run([*filled, "--course", str(helped)]), words

    assert before == digest(helped, (place.root, place.data))
    assert not list(helped.rglob("__pycache__"))
