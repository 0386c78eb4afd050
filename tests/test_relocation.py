"""Tests that the learner's files are never in a checkout of jaxtutor, and are moved out of one."""

from __future__ import annotations

import errno
import io
from pathlib import Path

import pytest

from jaxtutor.app import App
from jaxtutor.options import Options
from jaxtutor.storage import relocation
from jaxtutor.storage.workspace import locate

MINE = {
    "01_arrays/01_immutable_update.py": "mine = 1\n",
    "01_arrays/notes.md": "Read again.\n",
    "drills/fish_market.py": "mine = 2\n",
    "projects/tiny_gpt.py": "mine = 3\n",
}
THEIRS = (
    "jaxtutor/storage/workspace.py",
    "jaxtutor/drills/cause.md",
    "lessons/01_arrays/chapter.md",
    "03_course/chapter.md",
    "04_course/01_lesson/lesson.toml",
    "tests/test_x.py",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home directory with a checkout in `jaxtutor`, which was the workspace."""
    monkeypatch.delenv("JAXTUTOR_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in THEIRS:
        write(tmp_path / "jaxtutor" / name, "theirs")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files_in(folder: Path) -> dict[str, str]:
    """Return every file of a folder with its text."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_the_workspace_is_not_a_checkout(home: Path) -> None:
    """`git clone` in the home directory makes `~/jaxtutor`; lessons are kept beside it."""
    assert home / "jaxtutor-lessons" == locate(None, {}).root
    (home / "jaxtutor" / "jaxtutor" / "storage" / "workspace.py").unlink()
    assert home / "jaxtutor" == locate(None, {}).root


def test_a_folder_that_was_chosen_is_kept(home: Path) -> None:
    """`--workspace` and JAXTUTOR_HOME may lead into a checkout."""
    chosen = home / "jaxtutor" / "mine"
    assert (chosen, None) == (locate(chosen, {}).root, locate(chosen, {}).left)
    assert chosen / "workspace" == locate(None, {"JAXTUTOR_HOME": str(chosen)}).root


def test_files_in_a_checkout_are_moved_with_a_word(home: Path) -> None:
    """All of the learner's files move, none of the checkout does, and one message reports it."""
    for name, text in MINE.items():
        write(home / "jaxtutor" / name, text)
    said = io.StringIO()

    assert home / "jaxtutor-lessons" == App(Options(), stderr=said).workspace.root
    assert MINE == files_in(home / "jaxtutor-lessons")
    assert sorted(THEIRS) == sorted(files_in(home / "jaxtutor"))
    assert f"All 4 of them are in {home / 'jaxtutor-lessons'} now." in " ".join(
        said.getvalue().split()
    )

    again = io.StringIO()
    _ = App(Options(), stderr=again).workspace
    assert "" == again.getvalue()


def test_a_move_that_was_interrupted_goes_on(home: Path) -> None:
    """Files that arrived stay, equal ones are one, and of two that differ both are kept."""
    old, new = home / "jaxtutor", home / "jaxtutor-lessons"
    for name, text in (("a.py", "a"), ("b.py", "b"), ("c.py", "old")):
        write(old / "01_arrays" / name, text)
    for name, text in (("b.py", "b"), ("c.py", "new"), ("c-2.py", "other")):
        write(new / "01_arrays" / name, text)

    relocation.move_out(old, new)
    assert {
        "01_arrays/a.py": "a",
        "01_arrays/b.py": "b",
        "01_arrays/c.py": "new",
        "01_arrays/c-2.py": "other",
        "01_arrays/c-3.py": "old",
    } == files_in(new)
    assert not (old / "01_arrays").exists()


def test_files_move_to_another_file_system(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a rename is not possible, a file is copied whole before the old one is deleted."""
    old, new = home / "jaxtutor", home / "jaxtutor-lessons"
    write(old / "01_arrays" / "a.py", "a")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.parent != target.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    assert 1 == relocation.move_out(old, new)
    assert {"01_arrays/a.py": "a"} == files_in(new)
    assert not (old / "01_arrays").exists()


def test_files_that_cannot_be_moved_are_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that fails loses nothing, and says where the files should be."""
    write(home / "jaxtutor" / "01_arrays" / "a.py", "a")

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    said = io.StringIO()
    _ = App(Options(), stderr=said).workspace
    assert "permission denied. Move them to" in " ".join(said.getvalue().split())
    assert "a" == (home / "jaxtutor" / "01_arrays" / "a.py").read_text()
