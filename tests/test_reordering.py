"""Tests that the learner's files follow their lessons when the order of a course changes."""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from jaxtutor.app import App
from jaxtutor.commands.verdicts import locate
from jaxtutor.errors import UsageError
from jaxtutor.options import Options
from jaxtutor.storage import reordering
from jaxtutor.storage.reordering import held, reorder

OLD = ("01_arrays/01_update", "01_arrays/02_scatter", "02_jit/01_fast", "02_jit/02_static")
"""The places of the lessons when the files were written."""
INSERTED = ("01_arrays/01_word", "01_arrays/02_update", "01_arrays/03_scatter", *OLD[2:])
"""A lesson was inserted at the beginning."""
SHIFTED = ("01_words/01_word", "02_arrays/01_update", "02_arrays/02_scatter", "03_jit/01_fast")
"""A chapter was inserted at the beginning, so all chapters have other numbers."""


class Setting:
    """A workspace, and a course whose order changes."""

    def __init__(self, home: Path) -> None:
        self.home, self.course = home, home / "course"
        self.root = home / "workspace"
        self.root.mkdir()

    def order(self, places: Iterable[str], course: str = "course") -> None:
        """Give a course the lessons of these folders."""
        shutil.rmtree(self.home / course, ignore_errors=True)
        for place in places:
            write(self.home / course / place / "lesson.toml", "")

    def write(self, places: Iterable[str]) -> None:
        """Write the learner's file of each lesson; its text is the name."""
        for place in places:
            write(self.root / f"{place}.py", place)

    def app(self, course: str = "course") -> App:
        """Return an app as a new command has it."""
        options = Options(course=self.home / course)
        environ = {"JAXTUTOR_HOME": str(self.home)}
        return App(options, io.StringIO(), io.StringIO(), environ)

    def file(self, slug: str, course: str = "course") -> tuple[Path, list[str]]:
        """Return the file of a lesson from the workspace on, and what a command says about it."""
        app = self.app(course)
        path = app.file(app.course.find(slug))
        app.close()
        assert isinstance(app.stderr, io.StringIO)
        said = app.stderr.getvalue().replace("\n  ", " ").splitlines()
        return path.relative_to(self.root), said

    def files(self) -> dict[str, str]:
        """Return every file of the workspace with its text."""
        found = sorted(path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path.read_text() for path in found}


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def refuse_renames(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
    """Let every rename fail after the first ones."""
    rename = Path.rename
    done: list[Path] = []

    def fail(self: Path, target: Path) -> Path:
        if len(done) >= after:
            raise PermissionError(errno.EACCES, "Permission denied")
        done.append(target)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)


def test_an_inserted_lesson_orphans_no_file(setting: Setting) -> None:
    """All files of the course move with one line, and are where they were at the next command."""
    setting.write(OLD)
    setting.order(INSERTED)

    path, said = setting.file("update")

    assert Path("01_arrays/02_update.py") == path
    assert {
        "01_arrays/02_update.py": "01_arrays/01_update",
        "01_arrays/03_scatter.py": "01_arrays/02_scatter",
        "02_jit/01_fast.py": "02_jit/01_fast",
        "02_jit/02_static.py": "02_jit/02_static",
    } == setting.files()
    (line,) = said
    assert (
        "2 of your files have new names, such as 01_arrays/02_update.py for 01_arrays/01_" in line
    )
    assert (path, []) == setting.file("update")


def test_one_file_is_named_with_its_new_name(setting: Setting) -> None:
    """The line names the old file and the new one."""
    setting.write(OLD[:1])
    setting.order(INSERTED)

    assert [
        "jaxtutor: Your file 01_arrays/01_update.py is now 01_arrays/02_update.py: "
        "the course has a new order."
    ] == setting.file("word")[1]


def test_progress_stays(setting: Setting) -> None:
    """Saved copies, hints and the current lesson belong to the slug, whatever the number."""
    setting.order(OLD)
    setting.write(OLD)
    with setting.app().store as store:
        number = store.keep_source("update", b"mine", "before reset")
        store.record_hint("update", 1)
        store.set_current("update")

    setting.order(SHIFTED)
    setting.file("update")

    app = setting.app()
    with app.store as store:
        assert "2.1" == app.lesson(None).number
        assert [number] == [kept.n for kept in store.kept("update")]
        assert (1,) == store.hints("update")


def test_the_folder_of_a_chapter_moves_whole(setting: Setting) -> None:
    """The learner's own files beside the lessons' follow a chapter that has another number."""
    setting.write(OLD[:3])
    for name in ("notes.md", "helper.py", ".ruff_cache/x", "data/points.csv"):
        write(setting.root / "01_arrays" / name, name)
    setting.order(SHIFTED)

    setting.file("update")

    assert not (setting.root / "01_arrays").exists()
    names = {f"02_arrays/{it}" for it in ("notes.md", "helper.py", ".ruff_cache/x")}
    assert names <= set(setting.files())
    assert "01_arrays/01_update" == (setting.root / "02_arrays/01_update.py").read_text()


def test_a_renamed_chapter_is_found(setting: Setting) -> None:
    """A chapter may have another name, whether the course or the learner changed it."""
    setting.write(("01_first_steps/01_update", "01_first_steps/07_scatter"))
    write(setting.root / "01_first_steps" / "notes.md", "notes")
    setting.order(OLD)

    setting.file("update")

    assert ["01_arrays/01_update.py", "01_arrays/02_scatter.py", "01_arrays/notes.md"] == list(
        setting.files()
    )


def test_a_lesson_moves_to_another_chapter(setting: Setting) -> None:
    """Only its file moves: the learner's other files stay, and an empty folder is deleted."""
    setting.write(OLD)
    write(setting.root / "01_arrays" / "notes.md", "notes")
    setting.order(("01_arrays/01_update", "02_jit/01_fast", "02_jit/02_scatter"))

    setting.file("scatter")

    assert "01_arrays/02_scatter" == (setting.root / "02_jit/02_scatter.py").read_text()
    assert (setting.root / "01_arrays/notes.md").exists()

    setting.order(("01_arrays/01_update", "03_more/01_fast", "03_more/02_scatter"))
    setting.file("scatter")
    assert (setting.root / "02_jit/02_static.py").exists()  # no lesson of the course any more
    (setting.root / "02_jit/02_static.py").unlink()
    setting.write(("02_jit/01_word",))
    setting.order(("01_arrays/01_update", "01_arrays/02_word"))
    setting.file("word")
    assert not (setting.root / "02_jit").exists()


def test_the_file_with_the_present_number_wins(setting: Setting) -> None:
    """Another file of the same lesson is left where it is, and named whenever it is of interest."""
    setting.write((*OLD, "01_arrays/02_update"))
    setting.order(INSERTED)

    path, said = setting.file("update")

    assert Path("01_arrays/02_update.py") == path
    assert "01_arrays/02_update" == (setting.root / path).read_text()
    assert "01_arrays/01_update" == (setting.root / "01_arrays/01_update.py").read_text()
    assert (
        "jaxtutor: The file of update is 01_arrays/02_update.py. Not used: 01_arrays/01_update.py. "
        "Delete or rename what you do not need, and open the other in your editor."
    ) in said
    assert [] == setting.file("scatter")[1]
    os.utime(setting.root / "01_arrays/01_update.py", (4e9, 4e9))
    (line,) = setting.file("update")[1]
    assert "Not used: 01_arrays/01_update.py, which was saved later. Delete" in line


def test_of_two_old_files_the_one_of_the_chapter_wins(setting: Setting) -> None:
    """A copy in another numbered folder is not the file of a lesson while there is a nearer one."""
    setting.write(("01_arrays/01_update", "09_copies/02_update"))
    setting.order(INSERTED)

    setting.file("update")

    assert {
        "01_arrays/02_update.py": "01_arrays/01_update",
        "09_copies/02_update.py": "09_copies/02_update",
    } == setting.files()


def test_other_files_are_left_alone(setting: Setting) -> None:
    """Projects, drills, folders without a number and files that merely resemble one do not move."""
    names = (
        "projects/update.py",
        "drills/update.py",
        "backup/01_update.py",
        "01_arrays/01_update copy.py",
        "01_arrays/01_update.py.bak",
        "01_arrays/update.py",
    )
    for name in names:
        write(setting.root / name, name)
    setting.order(INSERTED)

    assert (Path("01_arrays/02_update.py"), []) == setting.file("update")
    assert set(names) == set(setting.files())


# ---------------------------------------------------------------- what may go wrong


@pytest.mark.parametrize("done", range(4))
def test_an_interrupted_move_goes_on(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """After any of the renames the power may fail: every file is whole, and found the next time."""
    setting.write(OLD)
    setting.order(
        ("01_words/01_word", "02_arrays/02_update", "02_arrays/03_scatter", "03_jit/01_fast")
    )
    with monkeypatch.context() as patch:
        refuse_renames(patch, after=done)
        path, _ = setting.file("update")
        assert "01_arrays/01_update" == (setting.root / path).read_text()

    path, _ = setting.file("update")

    assert Path("02_arrays/02_update.py") == path
    files = setting.files()
    assert "01_arrays/01_update" == files["02_arrays/02_update.py"]
    assert "01_arrays/02_scatter" == files["02_arrays/03_scatter.py"]
    assert "02_jit/01_fast" == files["03_jit/01_fast.py"]
    assert 4 == len(files)


def test_a_file_that_cannot_be_moved_is_used(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that cannot be written to, a file is found under its old name."""
    setting.write(OLD)
    setting.order(INSERTED)
    refuse_renames(monkeypatch)

    path, said = setting.file("update")

    assert Path("01_arrays/01_update.py") == path
    (line,) = said
    assert "keeps its name, which would be" in line
    assert "permission denied. 1 more keeps its own." in line


def test_nothing_moves_during_a_session(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a session has files open, other commands use them where they are."""
    monkeypatch.setattr(reordering, "PATIENCE", 0.01)
    setting.write(OLD)
    setting.order(INSERTED)
    with held(setting.root):
        path, (line,) = setting.file("update")
        assert Path("01_arrays/01_update.py") == path
        assert "a session or an editor has files open" in line

    assert Path("01_arrays/02_update.py") == setting.file("update")[0]


def test_a_session_begins_whatever_the_workspace_is(setting: Setting) -> None:
    """A workspace that cannot be locked is used without a lock."""
    ran = []
    with held(setting.root / "missing"):
        ran.append(1)
    assert [1] == ran


@pytest.mark.parametrize("name", [".01_update.py.swp", ".#01_update.py"])
def test_a_file_in_an_editor_stays(setting: Setting, name: str) -> None:
    """An editor would write the old file again, so its file moves once it was closed."""
    setting.write(OLD[:1])
    (setting.root / "01_arrays" / name).symlink_to("user@host.1")
    setting.order(SHIFTED)

    path, (line,) = setting.file("update")
    assert Path("01_arrays/01_update.py") == path
    assert "it is open in an editor" in line

    (setting.root / "01_arrays" / name).unlink()
    assert Path("02_arrays/01_update.py") == setting.file("update")[0]


def test_links_move_as_links(setting: Setting) -> None:
    """A link is renamed, not its target; one that would lead nowhere stays where it is."""
    write(setting.home / "elsewhere.py", "mine")
    (setting.root / "01_arrays").mkdir()
    (setting.root / "01_arrays/01_update.py").symlink_to("../../elsewhere.py")
    write(setting.root / "01_arrays/mine.py", "mine too")
    (setting.root / "01_arrays/02_scatter.py").symlink_to("mine.py")
    setting.order(("01_arrays/02_update", "02_jit/01_scatter"))

    assert Path("01_arrays/02_update.py") == setting.file("update")[0]
    assert (setting.root / "01_arrays/02_update.py").is_symlink()
    path, (line,) = setting.file("scatter")
    assert Path("01_arrays/02_scatter.py") == path
    assert "as a link it leads nowhere from there" in line


def test_a_chapter_may_be_a_link(setting: Setting) -> None:
    """The folder of a chapter that lies elsewhere keeps its files, under the chapter's new name."""
    write(setting.home / "disk" / "01_update.py", "mine")
    (setting.root / "01_arrays").symlink_to(setting.home / "disk")
    setting.order(("02_arrays/02_update",))

    path, _ = setting.file("update")

    assert "mine" == (setting.root / path).read_text()
    assert (setting.home / "disk" / "02_update.py").exists()
    (setting.root / "05_again").symlink_to(setting.home / "disk")  # the same file once more
    assert [] == setting.file("update")[1]


def test_a_file_of_another_course_is_not_taken(setting: Setting) -> None:
    """Courses share a workspace: a lesson of the same name that was begun in another is its own."""
    setting.order(("01_loops/01_update",), "other")
    setting.write(("01_loops/01_update",))
    with setting.app("other").store as store:
        store.record_hint("update", 1)
    setting.order(INSERTED)

    assert (Path("01_arrays/02_update.py"), []) == setting.file("update")
    assert (Path("01_loops/01_update.py"), []) == setting.file("update", "other")


def test_names_that_occur_twice_are_not_looked_for(setting: Setting) -> None:
    """Where two chapters have a lesson of one name, each file is that of its place only."""
    places = ("01_arrays/01_first", "02_jit/01_first")
    setting.write(("01_arrays/02_first",))
    found = reorder(
        setting.root, [(a, b) for a, _, b in (it.partition("/") for it in places)], bool
    )
    assert (found.moved, found.kept, found.others) == ((), {}, {})


def test_a_file_with_an_old_number_is_recognized(setting: Setting) -> None:
    """`check FILE` finds the lesson by the name, also of a file that is not in the workspace."""
    setting.order(SHIFTED)
    app = setting.app()
    assert "update" == app.lesson_of(Path("17_update.py")).slug
    assert "update" == app.lesson_of(Path("update.py")).slug


def test_a_path_of_yesterday_is_answered_with_that_of_today(setting: Setting) -> None:
    """`check FILE` of a file that was moved names the file of its lesson."""
    setting.write(OLD)
    setting.order(INSERTED)
    app = setting.app()
    app.file(app.course.find("update"))
    with pytest.raises(UsageError) as raised:
        locate(app, str(setting.root / "01_arrays" / "01_update.py"), None)
    new = setting.root / "01_arrays" / "02_update.py"
    assert f"The file of update is {new}." == raised.value.remedy


def test_a_missing_workspace_is_empty(setting: Setting) -> None:
    """Nothing is created or said where nothing is."""
    setting.root.rmdir()
    setting.order(INSERTED)
    assert (Path("01_arrays/02_update.py"), []) == setting.file("update")
    assert not os.path.lexists(setting.root)
