"""Tests the courses that a learner adds: pinned copies of repositories, and folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from jaxtutor.cli import run
from jaxtutor.content import added_courses
from jaxtutor.content.added_courses import AddedCourses, hide_password
from jaxtutor.errors import CourseError, TutorError, UsageError
from json_page import broken_promises
from trials.sample_lessons import make_lesson

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    command = ["git", *identity, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, name: str = "double") -> str:
    """Add a lesson to the course, commit it, and return the commit."""
    make_lesson(folder / "01_basics" / f"0{len(name)}_{name}")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", name)
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Return a repository with a course of one lesson."""
    folder = tmp_path / "elsewhere" / "signals"
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder)
    return folder


@pytest.fixture
def added(tmp_path: Path) -> AddedCourses:
    return AddedCourses(tmp_path / "data" / "courses")


def test_a_repository_is_copied_at_its_commit(published: Path, added: AddedCourses) -> None:
    """Later commits do not change the copy; an update replaces it."""
    first = git(published, "rev-parse", "HEAD").strip()
    course = added.add(published.as_uri())
    second = commit(published, "halve")

    assert ("signals", first, "sound") == (course.name, course.commit, course.state)
    assert not (Path(course.folder) / ".git").exists()
    assert [course] == added.all()
    after = added.update(course)
    assert (second, "sound") == (after.commit, after.state)
    assert (Path(after.folder) / "01_basics" / "05_halve").is_dir()


def test_a_course_can_be_pinned(published: Path, added: AddedCourses) -> None:
    """A commit or a tag is followed; an update of a pinned course stays there."""
    first = git(published, "rev-parse", "HEAD").strip()
    git(published, "tag", "v1")
    commit(published, "halve")

    course = added.add(str(published), "old", first)
    assert first == course.commit == added.update(course).commit
    assert first == added.add(str(published), "tagged", "v1").commit


def test_a_folder_is_used_in_its_place(tmp_path: Path, added: AddedCourses) -> None:
    """A folder without git is not copied, and removing it from the list leaves it there."""
    make_lesson(tmp_path / "mine" / "01_basics" / "01_double")
    course = added.add(str(tmp_path / "mine"))

    assert (str(tmp_path / "mine"), "") == (course.folder, course.commit)
    added.remove(course)
    assert [] == added.all()
    assert (tmp_path / "mine").is_dir()


def test_a_change_of_the_copy_is_noticed(published: Path, added: AddedCourses) -> None:
    """A file that somebody changed under the pinned commit is reported, and an update mends it."""
    course = added.add(str(published))
    page = next(Path(course.folder).rglob("lesson.md"))
    page.write_text("# Something else\n", encoding="utf-8")

    assert "changed" == course.state
    assert "sound" == added.update(course).state
    shutil.rmtree(course.folder)
    assert "missing" == course.state


@pytest.mark.parametrize(
    ("source", "ref", "says"),
    [
        ("{}/gone.git", "", "does not appear to be a git repository"),
        ("{}/signals", "nowhere", "couldn't find remote ref nowhere"),
        ("{}/signals", "0" * 40, "0000"),
        ("ext::sh -c touch% {}/pwned", "", "neither a folder nor an address"),
        ("https://localhost:1/x.git", "", "could not be read"),
        ("https://ann:secret@no-such-host.invalid/x.git", "", "could not be read"),
    ],
)
def test_an_address_that_cannot_be_read_changes_nothing(
    published: Path, added: AddedCourses, source: str, ref: str, says: str
) -> None:
    """The error has git's reason and no password, and nothing is left behind."""
    place = source.format(published.parent)
    source = f"file://{place}" if place.startswith("/") else place
    with pytest.raises(TutorError) as raised:
        added.add(source, "x", ref)

    assert says in raised.value.message
    assert "secret" not in raised.value.message
    assert [] == added.all()
    assert [] == (list(added.home.iterdir()) if added.home.exists() else [])
    assert not list(published.parent.glob("pwned"))


def test_an_update_that_fails_keeps_the_copy(published: Path, added: AddedCourses) -> None:
    """If the address is gone, or holds no lessons any more, the copy stays as it is."""
    course = added.add(published.as_uri())
    shutil.rmtree(published / "01_basics")
    git(published, "commit", "--quiet", "--all", "--message", "empty")
    with pytest.raises(CourseError, match="holds no lessons"):
        added.update(course)
    shutil.rmtree(published)
    with pytest.raises(CourseError, match="could not be read"):
        added.update(course)

    assert ("sound", [course]) == (course.state, added.all())


def test_a_rewritten_history_is_followed_by_an_update_only(
    published: Path, added: AddedCourses
) -> None:
    """A forced push does not change the copy; an update of a commit that is gone is refused."""
    first = git(published, "rev-parse", "HEAD").strip()
    followed, pinned = added.add(published.as_uri()), added.add(published.as_uri(), "pinned", first)
    git(published, "commit", "--quiet", "--amend", "--message", "other")
    git(published, "reflog", "expire", "--expire=now", "--all")
    git(published, "gc", "--quiet", "--prune=now")
    with pytest.raises(CourseError):
        added.update(pinned)

    assert "sound" == pinned.state
    assert first != added.update(followed).commit


def test_a_full_disk_changes_nothing(
    published: Path, added: AddedCourses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If there is no space, the error says so and the copy stays."""
    course = added.add(str(published))
    commit(published, "halve")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(added_courses, "_replace", full)
    with pytest.raises(TutorError, match="the disk is full"):
        added.update(course)
    assert ("sound", [course]) == (course.state, added.all())
    assert ["signals", "signals.json"] == sorted(path.name for path in added.home.iterdir())


def test_without_git_the_remedy_is_a_folder(
    published: Path, added: AddedCourses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine without git, a repository cannot be read, and the message says what helps."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(TutorError, match="git is not installed"):
        added.add(str(published))


def test_hooks_and_filters_of_a_repository_do_not_run(
    published: Path, added: AddedCourses, tmp_path: Path
) -> None:
    """Neither hooks nor filters that the repository names run, and a link out of it is kept."""
    (published / ".gitattributes").write_text("*.md filter=evil\n")
    hook = published / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n")
    hook.chmod(0o755)
    commit(published, "halve")
    added.add(str(published))

    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("name", ["../out", "", "a b", ".hidden"])
def test_a_name_cannot_leave_the_folder(published: Path, added: AddedCourses, name: str) -> None:
    """A name is letters, digits, dots and hyphens; an empty one is derived from the address."""
    if name:
        with pytest.raises(UsageError, match="cannot be a course's name"):
            added.add(str(published), name)
    else:
        assert "signals" == added.add(str(published), name).name
    with pytest.raises(UsageError, match="No course"):
        added.find("../out")


def test_a_password_is_not_shown() -> None:
    """The user and the password of an address are removed from messages."""
    assert "https://host/x and git@host:x" == hide_password("https://a:b@host/x and git@host:x")


def test_the_commands(
    published: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An added course is used by its name, listed, updated and removed; JSON is as documented."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def report(*words: str) -> dict[str, object]:
        assert 0 == run([*words, "--json"])
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        return found

    for words in (
        ("course", "add", published.as_uri()),
        ("course", "list"),
        ("course", "update"),
        ("course", "update", "signals"),
    ):
        assert [] == broken_promises(report(*words), "course")
    lessons = report("list", "--course", "signals")["lessons"]
    assert isinstance(lessons, list)
    assert ["double"] == [lesson["slug"] for lesson in lessons]
    assert 2 == run(["course", "add", str(published)])
    assert "course update signals" in capsys.readouterr().err
    assert 0 == run(["course", "remove", "signals"])
    assert 2 == run(["course", "update", "signals"])
    assert 3 == run(["list", "--course", "signals"])


def test_consent_is_for_the_content(
    published: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """An added course runs nothing without consent, and asks again after an update."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("JAXTUTOR_TRUST_COURSE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert 0 == run(["course", "add", str(published)])
    assert 3 == run(["check", "double", "--course", "signals", "--json"])
    assert "A course is code" in capfd.readouterr().out
    trusted = tmp_path / "home" / "data" / "trusted.json"
    folder = tmp_path / "home" / "data" / "courses" / "signals"
    trusted.write_text(json.dumps({str(folder): "another digest"}))
    assert 3 == run(["check", "double", "--course", "signals", "--json"])
    assert "have changed since you agreed" in capfd.readouterr().out
    assert os.path.realpath(folder) == str(folder)


def test_a_digest_of_an_earlier_form_is_not_compared(published: Path, added: AddedCourses) -> None:
    """A course that an earlier version added is not called changed for how it was digested."""
    course = msgspec.structs.replace(added.add(str(published)), digest="0" * 64)

    assert "sound" == course.state


def test_a_copy_that_cannot_be_read_is_called_changed(published: Path, added: AddedCourses) -> None:
    """A link that somebody put into the copy does not end the list of courses."""
    course = added.add(str(published))
    (Path(course.folder) / "away").symlink_to("/nowhere")

    assert "changed" == course.state


def test_a_repository_with_a_link_that_leads_out_is_refused(
    published: Path, added: AddedCourses
) -> None:
    """A course is not added if what a file of it holds is not in the repository."""
    (published / "away").symlink_to("/nowhere")
    git(published, "add", ".")
    git(published, "commit", "--quiet", "--message", "link")
    with pytest.raises(CourseError, match="away is a link that leads out of it"):
        added.add(published.as_uri())

    assert not added.all()
