"""Tests grading a folder: which files are found in it, and what an instructor gets."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jaxtutor.cli import run
from jaxtutor.content import course as courses
from jaxtutor.content.course import Course
from jaxtutor.core.grading.grades import GradeStatus
from jaxtutor.errors import UsageError
from jaxtutor.grading.folder import SubmissionFolder, collect
from jaxtutor.processes import sandbox
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
    return courses.load(folder)


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
    """Learners' folders and files with learners' names are told alike."""
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
def test_what_is_no_text_is_said_to_be_none(pile: Path, course: Course, data: bytes) -> None:
    """It costs nobody else anything."""
    hand_in(pile, "ann/double.py", data)
    hand_in(pile, "bob/double.py")

    found = collect(pile, course, None)

    assert ([("bob", "double")], {"ann": "unreadable"}) == (submissions(found), settled(found))


def test_a_pipe_is_not_waited_for(pile: Path, course: Course) -> None:
    """What is no regular file is not opened for reading."""
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


@pytest.mark.parametrize("made", [True, False])
def test_an_empty_folder_is_refused(pile: Path, course: Course, made: bool) -> None:
    """As is one that is not there."""
    with pytest.raises(UsageError):
        collect(pile if made else pile / "none", course, None)


# ---------------------------------------------------------------- what comes of it


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
    told = {row["learner"]: row["status"] for row in report["grades"]}

    assert (1, []) == (status, broken_promises(report, "grade"))
    assert {
        "ann": "passed",
        "bob": "failed",
        "cat": "timed_out",
        "dan": "crashed",
        "eve": "unnamed",
    } == told
    with (files / "a.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert told == {row["learner"]: row["status"] for row in rows}
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
    assert "onfined" in printed.err


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
    """Confinement is the default; without bubblewrap the exit status is 3, and why is said."""
    ran = pile.parent / "ran"
    hand_in(pile, "ann/double.py", f"open({str(ran)!r}, 'w')\n{MINE}")
    monkeypatch.setenv("JAXTUTOR_HOME", str(home))
    status = run(["grade", str(pile), "--course", str(folder), "--json", *options])
    error = json.loads(capsys.readouterr().out)["error"]

    assert (3, False) == (status, ran.exists())
    assert error["message"].startswith("Submissions cannot be confined: bubblewrap")
    assert "install bubblewrap" in error["remedy"] or "-S bubblewrap" in error["remedy"]
    assert "--confine never" in error["remedy"]


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
    """`auto` ran submissions unconfined without asking; what to choose is said."""
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
    """Its submissions are not graded, which is said; the others are."""
    mended = pile.parent / "course"
    shutil.copytree(folder, mended)
    (mended / "01_basics" / "02_double_again" / "lesson.toml").write_text("title = 1\n")
    hand_in(pile, "ann/double.py")
    hand_in(pile, "ann/double_again.py")
    status = grade(mended, home, pile, monkeypatch, "--json")
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
    """What to install is said."""
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
