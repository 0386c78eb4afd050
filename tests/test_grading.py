"""Tests grading a folder: which files are found in it, and what an instructor gets."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jaxtutor.cli import run
from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.grading.roster import read_roster
from jaxtutor.core.reporting.outputs.teaching import GradeStatus
from jaxtutor.errors import UsageError
from jaxtutor.grading.folder import Expectations, SubmissionFolder, collect
from jaxtutor.processes import sandbox
from jaxtutor.storage import workspace
from json_page import broken_promises
from trials.sample_lessons import INFO, SOLUTION, STARTER, make_lesson

CANNOT_CONFINE = sandbox.find_problem()
MINE = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return 3 * x\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course of two lessons."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text('title = "Small"\n')
    make_lesson(folder / "01_basics" / "01_double")
    hasty = INFO + "[needs]\nseconds = 2.0\n"
    make_lesson(folder / "01_basics" / "02_double_again", {"lesson.toml": hasty})
    return folder


@pytest.fixture(scope="module")
def course(folder: Path) -> Course:
    return load_course(folder)


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    (tmp_path / "pile").mkdir()
    return tmp_path / "pile"


def hand_in(pile: Path, name: str, text: str | bytes = MINE) -> Path:
    path = pile / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# ---------------------------------------------------------------- what is found


def submissions(found: SubmissionFolder) -> list[tuple[str, str]]:
    return [(submission.learner, submission.lesson) for submission in found.submissions]


def settled(found: SubmissionFolder) -> dict[str, GradeStatus]:
    return {grade.learner: grade.status for grade in found.settled}


def test_files_are_found_however_deep(pile: Path, course: Course) -> None:
    """Learners' folders and files with learners' names are reported alike."""
    hand_in(pile, "ann/01_basics/01_double.py")
    hand_in(pile, "bob_double_again.py")

    assert [("ann", "double"), ("bob", "double-again")] == submissions(collect(pile, course, None))


@pytest.mark.parametrize(
    "name",
    [
        "ann/.git/double.py",
        "ann/__pycache__/double.py",
        "ann/venv/double.py",
        "ann/.double.py",
        "ann/double.txt",
    ],
)
def test_what_tools_keep_is_passed_over(pile: Path, course: Course, name: str) -> None:
    """Environments, caches and hidden files are nobody's submission."""
    hand_in(pile, "bob/double.py")
    hand_in(pile, name)
    hand_in(pile, "ann/venv/pyvenv.cfg", "")

    assert [("bob", "double")] == submissions(collect(pile, course, None))


def test_a_link_is_not_followed(pile: Path, course: Course, tmp_path: Path) -> None:
    """A learner gets nobody else's file read."""
    (pile / "ann").mkdir()
    (pile / "ann" / "double.py").symlink_to(hand_in(tmp_path, "private.py"))
    (pile / "bob").symlink_to(tmp_path, target_is_directory=True)

    found = collect(pile, course, None)

    assert ([], {"ann": "unreadable"}) == (submissions(found), settled(found))


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\0", b"x" * (1 << 20 | 1), b"\xc3\x28"])
def test_a_value_that_is_not_a_text_is_reported(pile: Path, course: Course, data: bytes) -> None:
    """It costs nobody else anything."""
    hand_in(pile, "ann/double.py", data)
    hand_in(pile, "bob/double.py")

    found = collect(pile, course, None)

    assert ([("bob", "double")], {"ann": "unreadable"}) == (submissions(found), settled(found))


def test_a_pipe_is_not_waited_for(pile: Path, course: Course) -> None:
    """Only regular files are opened for reading."""
    (pile / "ann").mkdir()
    os.mkfifo(pile / "ann" / "double.py")

    assert {"ann": "unreadable"} == settled(collect(pile, course, None))


@pytest.mark.parametrize(
    "name", ["\x1b[31mann", "a\nnn", "\u202eann", b"\xff".decode(errors="surrogateescape")]
)
def test_a_name_is_shown_and_not_obeyed(pile: Path, course: Course, name: str) -> None:
    """Control characters, overrides of direction and broken bytes become visible signs."""
    hand_in(pile, f"{name}/double.py")
    (submission,) = collect(pile, course, None).submissions

    assert (True, True) == (submission.learner.isprintable(), submission.file.isprintable())
    submission.file.encode()


def test_names_of_broken_bytes_stay_apart(pile: Path, course: Course) -> None:
    """Two learners do not become one."""
    for name in (b"\xff", b"\xfe", "\ufffd".encode()):
        hand_in(pile, f"{os.fsdecode(name)}/double.py")

    assert {"\\xff", "\\xfe", "\ufffd"} == {
        it.learner for it in collect(pile, course, None).submissions
    }


def notes(pile: Path, course: Course) -> dict[str, tuple[str, ...]]:
    return {
        submission.file: submission.notes for submission in collect(pile, course, None).submissions
    }


def test_doubles_are_noted(pile: Path, course: Course) -> None:
    """Both files are graded, and each says that it is not the only one."""
    hand_in(pile, "ann/double.py")
    hand_in(pile, "ann/double (1).py", WRONG)

    note = ("one of several files for this lesson",)
    assert {"ann/double.py": note, "ann/double (1).py": note} == notes(pile, course)


def test_texts_alike_are_noted(pile: Path, course: Course) -> None:
    """The starter, the solution, and a text that another learner handed in for the lesson."""
    hand_in(pile, "ann/double.py")
    hand_in(pile, "bob/double.py")
    hand_in(pile, "cat/double_again.py")
    hand_in(pile, "dan/double.py", STARTER)
    hand_in(pile, "eve/double.py", SOLUTION)

    assert {
        "ann/double.py": ("the same text as bob",),
        "bob/double.py": ("the same text as ann",),
        "cat/double_again.py": (),
        "dan/double.py": ("the starter, unchanged",),
        "eve/double.py": ("the solution's text",),
    } == notes(pile, course)


LONG = """
def double(x):
    parts = []
    for index in range(3):
        scale = 2.0 if index == 0 else 1.0
        offset = 0.0 if index == 0 else 0.0
        parts.append(x * scale + offset * (index + 1))
    first, second, third = parts
    total = first + second + third
    return total - second - third
"""


def test_a_disguised_copy_is_noted(pile: Path, course: Course) -> None:
    """Comments, names and layout do not hide another learner's program, if it is long enough."""
    disguised = LONG.replace("parts", "pieces").replace("offset", "o") + "\n# all mine\n"
    hand_in(pile, "ann/double.py", LONG)
    hand_in(pile, "bob/double.py", disguised)
    hand_in(pile, "cat/double.py", MINE)
    hand_in(pile, "dan/double.py", MINE.replace("x", "y"))

    assert {
        "ann/double.py": ("the same program as bob, but for names and comments",),
        "bob/double.py": ("the same program as ann, but for names and comments",),
        "cat/double.py": (),
        "dan/double.py": (),
    } == notes(pile, course)


def test_a_program_of_the_course_is_not_a_copy(
    pile: Path, course: Course, folder: Path, tmp_path: Path
) -> None:
    """Two learners may find the same alternative that the course knows."""
    known = tmp_path / "course"
    shutil.copytree(folder, known)
    (known / "01_basics" / "01_double" / "also").mkdir()
    (known / "01_basics" / "01_double" / "also" / "long.py").write_text(LONG)
    hand_in(pile, "ann/double.py", LONG + "# a\n")
    hand_in(pile, "bob/double.py", LONG + "# b\n")

    assert {(), ()} == set(notes(pile, load_course(known)).values())


def test_a_notebook_is_a_submission(pile: Path, course: Course) -> None:
    """Its code cells are joined, and lines that are not Python are left out."""
    cells = [
        {"cell_type": "markdown", "source": "# Hello"},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import jax\n"]},
        {"cell_type": "code", "source": MINE},
    ]
    hand_in(pile, "ann/double.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    hand_in(pile, "bob/double.ipynb", "{}")
    found = collect(pile, course, None)
    (submission,) = found.submissions

    assert MINE in submission.source
    assert (1, 3) == submission.cells
    assert "1 line that is not Python was left out" in submission.notes
    assert {"bob": "unreadable"} == settled(found)


ROSTER = read_roster(b"name,id,alias,deadline\nAnn Lee,7,gh-ann,\nBob,8,,2000-01-01\nCat,9,,\n")


def test_a_roster_names_learners_and_finds_who_is_missing(pile: Path, course: Course) -> None:
    """An alias and a number stand for a learner; a stranger is graded with a note."""
    hand_in(pile, "gh-ann/double.py")
    hand_in(pile, "bob_8_99_double.py", WRONG)
    hand_in(pile, "eve/double_again.py")
    (pile / "docs").mkdir()
    found = collect(pile, course, expected=Expectations(students=ROSTER))

    assert {
        "Ann Lee": ("7", ()),
        "Bob": ("8", ()),
        "eve": ("", ("not on the roster",)),
    } == {it.learner: (it.id, it.notes) for it in found.submissions}
    assert [
        ("Ann Lee", "double-again"),
        ("Bob", "double-again"),
        ("Cat", "double"),
        ("Cat", "double-again"),
    ] == [(it.learner, it.lesson) for it in found.settled if it.status == "missing"]


def test_an_empty_folder_is_a_learner_without_a_file(pile: Path, course: Course) -> None:
    """Without a roster, too: nbgrader and cloned repositories have a folder for everybody."""
    hand_in(pile, "ann/double.py")
    hand_in(pile, "bob/notes.txt")
    (pile / "cat").mkdir()
    (pile / "01_basics").mkdir()

    assert {"bob": "missing", "cat": "missing"} == settled(collect(pile, course, None))


def late(pile: Path, course: Course, expected: Expectations) -> dict[str, bool]:
    found = collect(pile, course, expected=expected)
    assert all(("late" in it.notes) == it.late for it in found.submissions)
    return {it.learner: it.late for it in found.submissions}


def test_what_came_late_is_marked(pile: Path, course: Course) -> None:
    """By the time of the file; an extension on the roster goes before the deadline."""
    for name in ("gh-ann", "Bob", "Cat"):
        path = hand_in(pile, f"{name}/double.py")
        os.utime(path, (1_000_000_000, 1_000_000_000))  # 9 September 2001
    before, after = datetime(2001, 9, 1), datetime(2001, 10, 1)

    assert {"Ann Lee": True, "Bob": True, "Cat": True} == late(
        pile, course, Expectations(students=ROSTER, deadline=before)
    )
    assert {"Ann Lee": False, "Bob": True, "Cat": False} == late(
        pile, course, Expectations(students=ROSTER, deadline=after)
    )


def test_the_mark_of_canvas_counts(pile: Path, course: Course) -> None:
    """The files of its download have the time of the download."""
    hand_in(pile, "doe_LATE_1_2_double.py")
    hand_in(pile, "roe_3_4_double.py")

    expected = Expectations(deadline=datetime(2001, 9, 1))
    assert {"doe": True, "roe": False} == late(pile, course, expected)


@pytest.mark.parametrize("made", [True, False])
def test_an_empty_folder_is_refused(pile: Path, course: Course, made: bool) -> None:
    """A missing folder is a usage error too."""
    with pytest.raises(UsageError):
        collect(pile if made else pile / "none", course, None)


# ---------------------------------------------------------------- results


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all, for the solutions' answers are slow to find out."""
    return tmp_path_factory.mktemp("home")


def grade(
    folder: Path, home: Path, pile: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> int:
    monkeypatch.setenv("JAXTUTOR_HOME", str(home))
    if "--confine" not in options and CANNOT_CONFINE:
        options = (*options, "--confine", "never")
    return run(["grade", str(pile), "--course", str(folder), *options])


def test_a_folder_is_graded(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each file gets its own verdict, the hostile ones too, and every table says the same."""
    hand_in(pile, "ann/double.py")
    hand_in(pile, "bob/double.py", WRONG)
    hand_in(pile, "cat/double_again.py", "while True:\n    pass\n")
    hand_in(pile, "dan/double.py", "import os\nos._exit(0)\n")
    hand_in(pile, "eve/mine.py")
    files = pile.parent / "made"

    status = grade(
        folder, home, pile, monkeypatch,
        "--json", "--csv", f"{files}/a.csv", "--junit", f"{files}/a.xml",
    )  # fmt: skip
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    statuses = {row["learner"]: row["status"] for row in report["grades"]}

    assert (1, []) == (status, broken_promises(report, "grade"))
    assert {
        "ann": "passed",
        "bob": "failed",
        "cat": "timed_out",
        "dan": "crashed",
        "eve": "unnamed",
    } == statuses
    with (files / "a.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert statuses == {row["learner"]: row["status"] for row in rows}
    assert {"no" if CANNOT_CONFINE else "yes"} == {row["confined"] for row in rows}
    suites = ElementTree.parse(files / "a.xml").getroot()
    said = [(it.attrib["name"], it.attrib["value"]) for it in suites.iter("property")]
    assert {report["confinement"]} == {value for name, value in said if name == "confinement"}
    assert [("measured", "outside"), ("measured outside", "values")] == [
        (name, value) for name, value in said if name.startswith("measured")
    ]
    assert {"ann": "outside", "bob": "", "cat": "", "dan": "", "eve": ""} == {
        row["learner"]: row["measured"] for row in report["grades"]
    }
    failing = [suite.attrib["name"] for suite in suites if suite.attrib["failures"] != "0"]
    assert ["bob double", "cat double-again", "dan double", "eve eve/mine.py"] == failing


def test_all_passed_is_status_0(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And the table says how many, with no colour and no drawing when asked."""
    hand_in(pile, "ann.py")
    status = grade(folder, home, pile, monkeypatch, "--lesson", "1.1", "--plain")
    printed = capsys.readouterr()

    assert (0, "1 of 1 file passed.") == (status, printed.out.splitlines()[-1])
    assert "onfined" in " ".join((printed.out + printed.err).split())


POINTS = """
total = 5
late = 0.5
[lessons.double]
points = 4
checks = { import = 1, values = 3 }
[lessons.double-again]
points = 1
"""


def test_a_course_is_graded_from_its_archive(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the zip of an LMS to tables, points and pages, and again without running anything."""
    archive = pile.parent / "submissions.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("doejane_1_11_double.py", MINE)
        zipped.writestr("doejane_1_12_double_again.py", MINE)
        zipped.writestr("roejohn_LATE_2_13_01_double-1.py", MINE)
        zipped.writestr("łuczakewa_3_14_double.py", WRONG)
    roster, points = pile / "roster.csv", pile / "points.toml"
    roster.write_text(
        'Student;ID;SIS User ID;SIS Login ID;Section\n"Doe, Jane";1;;;\n"Roe, John";2;;;\n'
        '"Łuczak, Ewa";3;;;\n"Poe, Ann";4;;;\n',
        encoding="utf-8-sig",
    )
    points.write_text(POINTS)
    made = pile / "made"
    options = (
        "--roster", str(roster), "--points", str(points), "--resume", str(pile / "run.jsonl"),
        "--canvas", str(made / "canvas.csv"), "--moodle", str(made / "moodle.csv"),
        "--feedback", str(made / "pages"), "--json",
    )  # fmt: skip
    status = grade(folder, home, archive, monkeypatch, *options)
    report = json.loads(capsys.readouterr().out)

    assert (1, []) == (status, broken_promises(report, "grade"))
    assert {
        ("Doe, Jane", "double"): ("passed", 4, False),
        ("Doe, Jane", "double-again"): ("passed", 1, False),
        ("Roe, John", "double"): ("passed", 2, True),
        ("Roe, John", "double-again"): ("missing", 0, False),
        ("Łuczak, Ewa", "double"): ("failed", 1, False),
        ("Łuczak, Ewa", "double-again"): ("missing", 0, False),
        ("Poe, Ann", "double"): ("missing", 0, False),
        ("Poe, Ann", "double-again"): ("missing", 0, False),
    } == {
        (it["learner"], it["lesson"]): (it["status"], it["points"], it["late"])
        for it in report["grades"]
    }
    with (made / "canvas.csv").open(newline="", encoding="utf-8") as lines:
        rows = {row["ID"]: row["jaxtutor"] for row in csv.DictReader(lines)}
    assert {"": "5", "1": "5", "2": "2", "3": "1", "4": "0"} == rows
    pages = {path.name: path.read_text(encoding="utf-8") for path in (made / "pages").iterdir()}
    assert {
        "doejane_1_11_feedback.html",
        "roejohn_LATE_2_13_feedback.html",
        "łuczakewa_3_14_feedback.html",
        "Poe, Ann.html",
    } == set(pages)
    assert "- [1.0]  float32[1]\n+ [1.5]  float32[1]" in pages["łuczakewa_3_14_feedback.html"]
    assert "It was handed in late." in pages["roejohn_LATE_2_13_feedback.html"]

    monkeypatch.setattr("jaxtutor.grading.run.attempt", None)  # nothing is left to run
    assert 1 == grade(folder, home, archive, monkeypatch, *options)
    again = json.loads(capsys.readouterr().out)
    different = [
        (name, one[name], two[name])
        for one, two in zip(report["grades"], again["grades"], strict=True)
        for name in one
        if one[name] != two[name] and name != "seconds"  # two texts are the same: one was kept
    ]
    assert (4, []) == (again["resumed"], different)


@pytest.mark.slow
def test_a_run_that_was_ended_goes_on(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was graded before an interrupt is not graded again; a changed file is."""
    from jaxtutor.grading.journal import Journal

    for name in ("ann", "bob", "cat"):
        hand_in(pile, f"{name}/double.py", f"{MINE}# {name}\n")
    kept = pile.parent / "run.jsonl"
    add = Journal.add

    def interrupted(journal: Journal, *args: Any) -> None:
        add(journal, *args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", interrupted)
        options = ("--lesson", "double", "--resume", str(kept), "--jobs", "1")
        assert 130 == grade(folder, home, pile, monkeypatch, *options)
    assert "Run the same command to go on." in capsys.readouterr().err
    hand_in(pile, "cat/double.py", WRONG)
    grade(folder, home, pile, monkeypatch, *options, "--json")
    report = json.loads(capsys.readouterr().out)

    assert 1 <= report["resumed"] <= 2
    assert {"ann": "passed", "bob": "passed", "cat": "failed"} == {
        row["learner"]: row["status"] for row in report["grades"]
    }


def test_points_for_a_check_that_is_not_there_are_refused(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The names of the lesson's checks are listed."""
    hand_in(pile, "ann/double.py")
    table = pile.parent / "points.toml"
    table.write_text(
        "total = 1\n[lessons.double]\npoints = 1\nchecks = { value = 1 }\n", encoding="utf-8"
    )
    status = grade(folder, home, pile, monkeypatch, "--points", str(table))
    printed = capsys.readouterr().err

    assert 2 == status
    assert "a check 'value', which double does not have" in printed
    assert "values" in printed


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        ("--roster", "name\nAnn\nAnn\n", "Row 3 has the name 'Ann', as row 2 has."),
        ("--points", "total = 3\n[lessons.double]\npoints = 2\n", "the lessons add up to 2."),
        ("--resume", "a,b\n", "is not a file that --resume wrote"),
    ],
)
def test_a_file_that_is_wrong_is_refused_before_anything_runs(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    text: str,
    says: str,
) -> None:
    """The message names the file, and the exit status is 2."""
    hand_in(pile, "ann/double.py")
    path = pile.parent / "given"
    path.write_text(text)
    monkeypatch.setattr("jaxtutor.grading.run.attempt", None)
    status = grade(folder, home, pile, monkeypatch, option, str(path))
    printed = " ".join(capsys.readouterr().err.split())

    assert (2, True) == (status, says in printed)


@pytest.mark.parametrize("text", ["tomorrow", "2026-13-01"])
def test_a_deadline_is_a_time(
    folder: Path, home: Path, pile: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Another text is refused."""
    hand_in(pile, "ann/double.py")
    assert 2 == grade(folder, home, pile, monkeypatch, "--deadline", text)


def test_gradescope_gets_one_submission(
    folder: Path, home: Path, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All files are of one learner, whatever folders they are in."""
    hand_in(pile, "01_double.py")
    hand_in(pile, "src/more/double_again.py", WRONG)
    results = pile.parent / "results.json"
    status = grade(folder, home, pile, monkeypatch, "--gradescope", str(results))
    found = json.loads(results.read_text(encoding="utf-8"))

    assert (1, 1.0) == (status, found["score"])
    assert [("double", "passed"), ("double-again", "failed")] == [
        (it["name"], it["status"]) for it in found["tests"]
    ]


def test_a_full_disk_leaves_the_old_export_whole(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A table is replaced in one step; one that fails does not prevent the next."""
    hand_in(pile, "ann/double.py")
    old, other = pile.parent / "a.csv", pile.parent / "b.csv"
    old.write_text("the grades of last week\n")
    write = workspace.write_atomically

    def full(path: Path, data: bytes) -> None:
        if path == old:
            with monkeypatch.context() as patch:
                patch.setattr(os, "fsync", _no_space)
                write(path, data)
        else:
            write(path, data)

    monkeypatch.setattr(workspace, "write_atomically", full)
    status = grade(folder, home, pile, monkeypatch, "--csv", str(old), "--canvas", str(other))

    assert (3, "the grades of last week\n") == (status, old.read_text())
    assert "the disk is full" in capsys.readouterr().err
    assert "Points Possible" in other.read_text(encoding="utf-8")
    assert [] == [it for it in pile.parent.iterdir() if it.name.endswith(".tmp")]


def _no_space(handle: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_files_beside_a_submission_are_not_there(
    folder: Path, home: Path, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner cannot import another's file, confined or not."""
    hand_in(pile, "ann_double.py")
    hand_in(pile, "bob_double.py", "from ann_double import double\n")
    monkeypatch.chdir(pile)

    status = grade(folder, home, pile, monkeypatch, "--confine", "never", "--json")
    assert 1 == status


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which bubblewrap is not installed."""
    sandbox.probe.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    yield
    sandbox.probe.cache_clear()


@pytest.mark.usefixtures("no_bubblewrap")
@pytest.mark.parametrize("options", [(), ("--confine", "always")])
def test_nothing_runs_where_submissions_cannot_be_confined(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
) -> None:
    """Confinement is the default; without bubblewrap the exit status is 3, with the reason."""
    ran = pile.parent / "ran"
    hand_in(pile, "ann/double.py", f"open({str(ran)!r}, 'w')\n{MINE}")
    monkeypatch.setenv("JAXTUTOR_HOME", str(home))
    status = run(["grade", str(pile), "--course", str(folder), "--json", *options])
    error = json.loads(capsys.readouterr().out)["error"]

    assert (3, False) == (status, ran.exists())
    assert error["message"].startswith("Submissions cannot be confined: bubblewrap")
    assert "install bubblewrap" in error["remedy"] or "-S bubblewrap" in error["remedy"]
    assert "--confine never" in error["remedy"]


@pytest.mark.skipif(bool(CANNOT_CONFINE), reason=CANNOT_CONFINE or "-")
def test_nothing_runs_where_private_files_lie_in_a_folder_that_python_needs(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The message names the folder that can neither be hidden nor shown: here, a roster's."""
    lists = pile.parent / "lists"
    lists.mkdir()
    (lists / "roster.csv").write_text("name\nann\n")
    hand_in(pile, "ann/double.py", MINE)
    monkeypatch.setattr(sandbox, "SYSTEM", (*sandbox.SYSTEM, str(lists)))
    options = ("--roster", str(lists / "roster.csv"), "--json")
    status = grade(folder, home, pile, monkeypatch, *options)
    error = json.loads(capsys.readouterr().out)["error"]

    assert 3 == status
    assert f"Python needs {lists}, which has to be hidden" in error["message"]
    assert "in another folder" in error["remedy"]


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_table_of_unconfined_submissions_says_so(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The table itself says that submissions were not confined, and the CSV has a column."""
    hand_in(pile, "ann/double.py")
    csv_file = pile.parent / "a.csv"
    options = ("--confine", "never", "--plain", "--csv", str(csv_file))
    status = grade(folder, home, pile, monkeypatch, *options)

    assert (0, True) == (status, "Not confined (--confine never)" in capsys.readouterr().out)
    assert csv_file.read_text(encoding="utf-8").splitlines()[1].endswith(",no")


def test_the_former_default_is_refused(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`auto` ran submissions unconfined without asking; the error says what to choose instead."""
    hand_in(pile, "ann/double.py")
    status = grade(folder, home, pile, monkeypatch, "--confine", "auto")

    assert (2, True) == (status, "Choose always" in capsys.readouterr().err)


def test_a_broken_lesson_costs_no_other(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its submissions are not graded, which is reported; the others are."""
    damaged = pile.parent / "course"
    shutil.copytree(folder, damaged)
    (damaged / "01_basics" / "02_double_again" / "lesson.toml").write_text("title = 1\n")
    hand_in(pile, "ann/double.py")
    hand_in(pile, "ann/double_again.py")
    status = grade(damaged, home, pile, monkeypatch, "--json")
    rows = json.loads(capsys.readouterr().out)["grades"]

    assert (3, ["passed", "not_graded"]) == (status, [row["status"] for row in rows])
    assert "double-again is broken" in rows[1]["headline"]


def test_a_table_that_cannot_be_written_is_shown_all_the_same(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Minutes of grading are not lost to a wrong path."""
    hand_in(pile, "ann/double.py")
    status = grade(folder, home, pile, monkeypatch, "--csv", "/dev/null/a.csv")
    printed = capsys.readouterr()

    assert (3, "1 of 1 file passed.") == (status, printed.out.splitlines()[-1])
    assert "/dev/null/a.csv could not be written" in printed.err


def test_a_wish_that_is_none_is_refused(
    folder: Path, home: Path, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are two words for confinement, and a seed has 64 bits."""
    hand_in(pile, "ann/double.py")
    assert 2 == grade(folder, home, pile, monkeypatch, "--confine", "perhaps")
    assert 2 == grade(folder, home, pile, monkeypatch, "--seed", "9" * 30)


def test_without_dask_a_cluster_is_refused(
    folder: Path,
    home: Path,
    pile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The error says what to install."""
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    hand_in(pile, "ann/double.py")
    status = grade(folder, home, pile, monkeypatch, "--scheduler", "tcp://nowhere:1")

    assert (2, True) == (status, "jaxtutor[dask]" in capsys.readouterr().err)


def test_a_submission_that_becomes_a_link_is_reported(
    folder: Path,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The next check would read the link's target and keep its text as an attempt."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(home))
    file = hand_in(
        tmp_path,
        "double.py",
        "import os\nos.remove(__file__)\nos.symlink('/etc/hosts', __file__)\n",
    )
    run(["check", str(file), "--course", str(folder), "--lesson", "double"])

    assert "was replaced by a link to /etc/hosts while it ran" in capsys.readouterr().err
