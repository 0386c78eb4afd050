"""Tests the commands as a person types them: their output and their exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len

import command_tree
from jaxtutor.cli import DECLARED_IN, SHELLS, command_line, run
from jaxtutor.cli.declarations import GROUPS
from json_page import broken_promises
from sampling import sampled
from trials.sample_lessons import INFO, SOLUTION, STARTER, make_lesson

pytestmark = pytest.mark.usefixtures("forked_workers")

WRONG = "def double(x):\n    return 3 * x\n"
RAISING = "def double(x):\n    if x[0] > 0:\n        return 2 * x\n    return x\n"
MISTAKE = '# expects: check values\n"""Triple it."""\n\n\ndef double(x):\n    return 3 * x\n'
DRAWING = re.compile(r"[\u2500-\u259f]")
COLOUR = re.compile(r"\x1b\[[\d;]*(3[0-8]|4[0-8]|9[0-7])[\d;]*m")


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The single JSON object that was printed."""
        (line,) = self.out.splitlines()
        report: dict[str, Any] = json.loads(line)
        return report

    @property
    def error(self) -> str:
        """The message of the reported error."""
        assert broken_promises(self.report, "error") == []
        assert self.status == self.report["error"]["exit_status"]
        return str(self.report["error"]["message"])


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course of two lessons that no test writes to."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text('title = "Small"\n')
    for name in ("01_double", "02_double_again"):
        title = {"lesson.toml": INFO.replace("Double it", name), "mistakes/triple.py": MISTAKE}
        make_lesson(folder / "01_basics" / name, title)
    return folder


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that caches the solutions' answers for all tests, to save time."""
    return tmp_path_factory.mktemp("answers")


@pytest.fixture
def home(tmp_path: Path, answers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new home for one test."""
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "home" / "data" / "references").symlink_to(answers)
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "JAXTUTOR_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


Tutor = Callable[..., Ran]


@pytest.fixture
def tutor(home: Path, course: Path, capsys: pytest.CaptureFixture[str]) -> Tutor:
    """Run a command on the small course in this process."""

    def tutor(*arguments: str, on: Path | None = course) -> Ran:
        given = [*arguments, *(["--course", str(on)] if on else [])]
        status = run(given)
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return tutor


@pytest.fixture
def mine(home: Path) -> Path:
    """Return the learner's file for the first lesson."""
    path = home / "workspace" / "01_basics" / "01_double.py"
    path.parent.mkdir(parents=True)
    return path


def start(*arguments: str, environ: Mapping[str, str] = {}) -> subprocess.Popen[str]:
    """Start a command as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "jaxtutor", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# ---------------------------------------------------------------- check


def test_a_right_file_is_0(tutor: Tutor, mine: Path) -> None:
    """A correct file exits with 0 and prints the verdict, what was new, and the next lesson."""
    mine.write_text(SOLUTION)
    ran = tutor("check")

    assert 0 == ran.status
    assert "double passed" in ran.out
    assert "jaxtutor next (double-again)" in ran.out
    assert ran.err == ""


def test_a_lesson_that_was_never_begun_is_made_and_checked(tutor: Tutor, mine: Path) -> None:
    """Checking a lesson without a file creates the starter, which does not pass."""
    ran = tutor("check", "--json")

    assert (1, "failed") == (ran.status, ran.report["status"])
    assert STARTER == mine.read_text()


@pytest.mark.parametrize(
    ("source", "status", "headline"),
    sampled(
        [
            (WRONG, "failed", "Wrong answer"),
            (RAISING, "raised", "TracerBoolConversionError was raised"),
            ("", "failed", "`double` is not defined"),
            ("# only a comment\n", "failed", "`double` is not defined"),
            ("def doubel(x):\n    return 2 * x\n", "failed", "the file defines `doubel`"),
            ("double = 3\n", "failed", "`double` is not defined"),
            ("def double():\n    return 2\n", "failed", "too many positional arguments"),
            ("def double(x, y):\n    return x\n", "failed", "missing a required argument: 'y'"),
            ("def double(x:\n", "raised", "SyntaxError: '(' was never closed"),
            ("import no_such_thing\n", "raised", "ModuleNotFoundError was raised"),
            (
                "import os\nos._exit(0)\n",
                "crashed",
                "Its process ended: it left with exit status 0",
            ),
        ],
        2,
    ),
)
def test_a_file_that_does_not_pass_is_1(
    tutor: Tutor, mine: Path, source: str, status: str, headline: str
) -> None:
    """Each wrong file has its status and line, and every documented JSON key."""
    mine.write_text(source)
    ran = tutor("check", "double", "--json")

    assert (1, status) == (ran.status, ran.report["status"])
    assert headline in ran.report["headline"]
    assert broken_promises(ran.report, "check") == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x7fELF\0\0\0", "contains null bytes"),
        (b"x = '\xff\xfe'\n", "is not UTF-8 text (line 1)"),
        ("x = 1\n".encode("utf-16"), "was saved as UTF-16"),
        (b"#" * (2 << 20), "is larger than 256 KiB"),
        (b"# coding: klingon\n", "cannot be decoded"),
    ],
)
def test_a_file_that_is_no_program_is_1(tutor: Tutor, mine: Path, data: bytes, says: str) -> None:
    """A file with a syntax error is described in one line and stays unchanged."""
    mine.write_bytes(data)
    ran = tutor("check", "--json")

    assert 1 == ran.status
    assert says in ran.error
    assert data == mine.read_bytes()


def test_a_file_elsewhere_is_checked(tutor: Tutor, tmp_path: Path) -> None:
    """A file outside the workspace is matched to its lesson by name, or by `--lesson`."""
    (tmp_path / "01_double.py").write_text(SOLUTION)
    (tmp_path / "other.py").write_text(WRONG)

    assert 0 == tutor("check", str(tmp_path / "01_double.py")).status
    assert 1 == tutor("check", str(tmp_path / "other.py"), "--lesson", "1.1").status


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere/01_double.py"], "nowhere/01_double.py does not exist"),
        (["nowhere", "--lesson", "double"], "nowhere does not exist"),
        (["duoble"], "There is no lesson 'duoble'"),
        ([__file__], "does not have the name of a lesson's file"),
    ],
)
def test_a_check_of_nothing_is_2(tutor: Tutor, arguments: list[str], says: str) -> None:
    """A missing file or lesson is a usage error."""
    ran = tutor("check", *arguments, "--json")

    assert 2 == ran.status
    assert says in ran.error


def test_a_folder_in_place_of_the_file_is_1(tutor: Tutor, mine: Path) -> None:
    """A folder in place of the file exits with 1 and stays unchanged."""
    mine.mkdir()
    ran = tutor("check", "--json")

    assert (1, f"{mine} is not a file.") == (ran.status, ran.error)


def test_a_broken_lesson_is_3(tutor: Tutor, mine: Path, tmp_path: Path) -> None:
    """A broken lesson is reported as the course's fault."""
    broken = tmp_path / "broken"
    make_lesson(broken / "01_basics" / "01_double", {"checks.py": "1 / 0\n"})
    mine.write_text(SOLUTION)
    ran = tutor("check", on=broken)

    assert 3 == ran.status
    assert "This is the lesson's fault, not yours" in ran.out
    assert "ZeroDivisionError" in ran.out


def test_a_device_that_is_not_there_is_3(tutor: Tutor, mine: Path) -> None:
    """An unavailable device exits with 3 and lists the available ones."""
    mine.write_text(SOLUTION)
    ran = tutor("check", "--device", "tpu:7")

    assert 3 == ran.status
    assert "Device 'tpu:7' does not exist on this machine." in ran.err
    assert "cpu:0" in ran.err


def test_what_a_submission_prints_is_shown_and_not_obeyed(tutor: Tutor, mine: Path) -> None:
    """An escape sequence that a submission prints reaches the terminal as text."""
    mine.write_text("print('\\x1b[2J\\x07 gone?')\n" + SOLUTION)
    ran = tutor("check")

    assert "gone?" in ran.out
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out


# ---------------------------------------------------------------- nothing is lost


def test_every_attempt_is_kept_and_comes_back(tutor: Tutor, mine: Path) -> None:
    """Every text that was checked, reset or restored can be restored again."""
    mine.write_text(WRONG)
    assert 1 == tutor("check").status
    mine.write_text(SOLUTION)
    assert 0 == tutor("check").status
    edited = SOLUTION + "\n# not checked yet\n"
    mine.write_text(edited)

    assert 0 == tutor("reset").status
    assert STARTER == mine.read_text()
    assert 0 == tutor("restore", "k1").status
    assert edited == mine.read_text()
    assert 0 == tutor("restore", "1").status
    assert WRONG == mine.read_text()
    assert 0 == tutor("restore", "2", "double").status
    assert SOLUTION == mine.read_text()
    assert 0 == tutor("restore", "k2").status
    assert STARTER == mine.read_text()

    report = tutor("history", "--json").report
    assert broken_promises(report, "history") == []
    assert ["failed", "passed"] == [attempt["status"] for attempt in report["attempts"]]
    assert ["k1", "k2", "k3", "k4", "k5"] == [kept["n"] for kept in report["kept"]]


def test_a_text_that_is_there_already_is_not_put_away(tutor: Tutor, mine: Path) -> None:
    """Resetting an unchanged starter does nothing and reports that."""
    mine.write_text(STARTER)
    ran = tutor("reset", "--json")

    assert broken_promises(ran.report, "message") == []
    assert ran.report["message"].endswith("already contains the starter.")
    assert tutor("history", "--json").report["kept"] == []


@pytest.mark.parametrize("number", ["9", "k9", "x", "-", "²", "0", "k"])
def test_what_was_never_kept_cannot_be_restored(tutor: Tutor, mine: Path, number: str) -> None:
    """An unknown attempt number is refused, and the file stays unchanged."""
    mine.write_text(WRONG)
    ran = tutor("restore", "--json", "--", number, on=None)

    assert 2 == ran.status
    assert "See: jaxtutor history" in ran.report["error"]["remedy"]
    assert WRONG == mine.read_text()


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\0\xff",
        b"# coding: latin-1\nx = '\xc3\xa9'\r\n",
        b"\xef\xbb\xbfx = 1\n",
        b"x\n" * (1 << 20),
    ],
    ids=["no text", "latin-1", "with a mark", "too large for a lesson"],
)
def test_a_reset_keeps_every_byte(tutor: Tutor, mine: Path, data: bytes) -> None:
    """A file that is not valid Python is also kept on reset, and restored byte for byte."""
    mine.write_bytes(data)

    assert [0, 0] == [tutor("reset").status, tutor("restore", "k1").status]
    assert data == mine.read_bytes()


def test_what_cannot_be_put_away_is_not_overwritten(
    tutor: Tutor, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be kept is not overwritten, and the reason is reported."""
    monkeypatch.setattr("jaxtutor.storage.workspace.LARGEST_KEPT", 2)
    mine.write_bytes(b"mine")
    ran = tutor("reset", "--json")

    assert 3 == ran.status
    assert "the most that can be saved" in ran.error
    assert b"mine" == mine.read_bytes()


def test_a_diff_is_against_what_is_asked(tutor: Tutor, mine: Path) -> None:
    """`diff` compares with the starter, the solution, or an attempt by number."""
    mine.write_text(WRONG)
    tutor("check")
    mine.write_text(SOLUTION)
    against = {
        what: tutor("diff", "--against", what, "--json").report
        for what in ("starter", "solution", "1")
    }

    assert all(broken_promises(report, "diff") == [] for report in against.values())
    assert against["solution"]["diff"] == ""
    assert "+    return 2 * x" in against["starter"]["diff"]
    assert "-    return 3 * x" in against["1"]["diff"]
    assert 2 == tutor("diff", "--against", "yesterday").status


def test_a_line_end_more_is_a_difference(tutor: Tutor, mine: Path) -> None:
    """A difference in the last byte is reported as a difference."""
    mine.write_text(SOLUTION.rstrip("\n"))
    ran = tutor("diff", "--against", "solution")

    assert "the same" not in ran.out


def test_jaxprs_are_compared(tutor: Tutor, mine: Path) -> None:
    """Jaxprs are compared with variables renamed, so that only real differences remain."""
    mine.write_text("def double(x):\n    return x + x\n")
    report = tutor("diff", "--jaxpr", "--json").report

    assert broken_promises(report, "diff-jaxpr") == []
    assert "    b:f32[2] = mul 2.0 a" in report["solution"]
    assert "    b:f32[2] = add a a" in report["yours"]


# ---------------------------------------------------------------- the course


def test_the_list_has_what_was_done(tutor: Tutor, mine: Path) -> None:
    """The list shows new, started and passed lessons, and counts attempts and hints."""
    mine.write_text(SOLUTION)
    tutor("check")
    tutor("hint", "double-again")
    report = tutor("list", "--json").report

    assert broken_promises(report, "list") == []
    assert [("double", "passed", 1, 0), ("double-again", "started", 0, 1)] == [
        (entry["slug"], entry["status"], entry["attempts"], entry["hints_shown"])
        for entry in report["lessons"]
    ]


def test_the_list_of_a_pipe_has_one_line_for_each_lesson(tutor: Tutor, tmp_path: Path) -> None:
    """A title that fits a pipe's width is not wrapped at the width of prose."""
    info = INFO.replace("Double it", "Double " + "each " * 13)
    make_lesson(tmp_path / "course" / "01_basics" / "01_double", {"lesson.toml": info})
    printed = tutor("list", on=tmp_path / "course").out

    assert 2 == len(printed.split("\n\n")[0].splitlines())


def test_hints_come_one_by_one(tutor: Tutor) -> None:
    """Each call shows the next hint, `--again` the same one, and `--all` every hint."""

    def rungs(*arguments: str) -> list[int]:
        report = tutor("hint", "--json", *arguments).report
        assert broken_promises(report, "hint") == []
        return [hint["rung"] for hint in report["hints"]]

    assert [1] == rungs("--again")
    assert [2] == rungs()
    assert [2] == rungs("--again")
    assert [3] == rungs()
    assert [1, 2, 3] == rungs("--all")
    assert [1] == rungs("double-again")


def test_next_and_prev_move_about(tutor: Tutor, home: Path) -> None:
    """`next` and `prev` create the lesson's file and show its text, up to the course's ends."""
    ran = tutor("next", "--json")
    assert broken_promises(ran.report, "show") == []
    assert "double-again" == ran.report["slug"]
    assert Path(ran.report["file"]).exists()

    assert (2, "double-again is the last lesson.") == (
        (ran := tutor("next", "--json")).status,
        ran.error,
    )
    assert "double" == tutor("prev", "--json").report["slug"]
    assert "double is the first lesson." == tutor("prev", "--json").error


def test_a_text_and_a_solution_are_shown(tutor: Tutor) -> None:
    """Without a lesson's name, the text and the solution of the current lesson are shown."""
    shown, solution = tutor("show", "--json"), tutor("solution", "--json")

    assert broken_promises(shown.report, "show") == []
    assert broken_promises(solution.report, "solution") == []
    assert SOLUTION == solution.report["source"] == tutor("solution").out


@pytest.mark.parametrize("command", ["show", "hint", "solution", "history", "reset", "diff"])
def test_a_misspelt_lesson_is_2(tutor: Tutor, command: str) -> None:
    """Every command that takes a lesson suggests a name for a misspelled one."""
    ran = tutor(command, "duoble")

    assert (2, "") == (ran.status, ran.out)
    assert "There is no lesson 'duoble'." in ran.err
    assert "Did you mean double" in ran.err
    assert not [line for line in ran.err.splitlines() if line.endswith(" ")]


@pytest.mark.parametrize("command", ["list", "show", "hint", "check", "next", "history"])
def test_a_course_that_is_not_there_is_3(tutor: Tutor, tmp_path: Path, command: str) -> None:
    """A folder without lessons exits with 3."""
    ran = tutor(command, "--json", on=tmp_path / "nowhere")

    assert 3 == ran.status
    assert "is not a folder" in ran.error


# ---------------------------------------------------------------- for authors


def test_a_new_lesson_has_only_its_sentences_left_to_write(tutor: Tutor, tmp_path: Path) -> None:
    """What `lesson new` creates fails only the gates of its sentences, and is not overwritten."""
    folder = tmp_path / "mine" / "01_first" / "01_my_own"
    assert 0 == tutor("lesson", "new", str(folder), on=None).status
    ran = tutor("lesson", "test", str(folder), "--json", on=None)

    assert broken_promises(ran.report, "lesson-test") == []
    failed = [gate for gate in ran.report["gates"] if gate["status"] == "failed"]
    assert ["placeholders", "chapter"] == [gate["gate"] for gate in failed]
    assert [5, 3] == [gate["line"] for gate in failed]
    assert 1 == ran.status
    assert 2 == tutor("lesson", "new", str(folder), on=None).status


def test_a_new_lesson_has_a_chapter_and_a_course(tutor: Tutor, tmp_path: Path) -> None:
    """The first lesson creates its chapter and course; the second leaves them unchanged."""
    course = tmp_path / "my-course"
    tutor("lesson", "new", str(course / "01_first" / "01_one"), on=None)
    (course / "course.toml").write_text('title = "Mine"\n')
    tutor("lesson", "new", str(course / "01_first" / "02_two"), on=None)

    assert 'title = "Mine"\n' == (course / "course.toml").read_text()
    assert (course / "01_first" / "chapter.md").read_text().startswith("# First\n")


def test_a_new_lesson_is_inserted_where_its_number_is_taken(tutor: Tutor, tmp_path: Path) -> None:
    """The lessons from there on get the next numbers, up to a free one; learners' files follow."""
    chapter = tmp_path / "mine" / "01_first"
    for name in ("01_one", "02_two", "03_three", "05_five", "drafts"):
        (chapter / name).mkdir(parents=True)

    ran = tutor("lesson", "new", str(chapter / "02_new"), on=None)

    assert ["01_one", "02_new", "03_two", "04_three", "05_five", "drafts"] == sorted(
        path.name for path in chapter.iterdir() if path.is_dir()
    )
    assert "The 2 lessons after it have new numbers." in " ".join(ran.out.split())


@pytest.mark.parametrize("name", ["one", "01_first/one", "first/01_one", "01_first/01_One"])
def test_a_new_lesson_has_a_name_that_is_found(tutor: Tutor, tmp_path: Path, name: str) -> None:
    """A folder name that the course would not find is refused."""
    ran = tutor("lesson", "new", str(tmp_path / name), on=None)

    assert (2, []) == (ran.status, list(tmp_path.glob("**/lesson.toml")))


def test_a_lesson_that_breaks_a_gate_is_1(tutor: Tutor, tmp_path: Path) -> None:
    """A broken gate is named, with what to change."""
    folder = tmp_path / "mine"
    lesson = folder / "01_first" / "01_double"
    make_lesson(lesson, {"mistakes/triple.py": MISTAKE, "notes.txt": "?"})
    ran = tutor("lesson", "test", str(lesson), on=None)

    assert 1 == ran.status
    assert "notes.txt does not belong here" in ran.out
    assert "1 gate failed" in ran.out


# ---------------------------------------------------------------- how it looks

SHOWN = (
    ["list"],
    ["show"],
    ["hint", "--all"],
    ["history"],
    ["diff"],
    ["diff", "--jaxpr"],
    ["solution"],
    ["check"],
    ["reset"],
)


@pytest.fixture
def tried(tutor: Tutor, mine: Path) -> Tutor:
    """Return a learner's home with a wrong attempt."""
    mine.write_text(WRONG)
    tutor("check")
    return tutor


def test_plain_is_plain(tried: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain output has no colour and no box drawing, even if colour is forced."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    printed = {" ".join(line): tried(*line, "--plain").out for line in SHOWN}

    assert all(printed.values())
    drawn = [it for it, out in printed.items() if "\x1b" in out or DRAWING.search(out)]
    assert [] == drawn


def test_no_color_is_respected(tried: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR takes precedence over variables that force colour."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")

    assert [] == [line for line in SHOWN if COLOUR.search(tried(*line).out)]


def test_colour_is_there_where_it_is_wanted(tried: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forced colour appears, which shows that the tests of its absence can fail."""
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert COLOUR.search(tried("check").out)


@pytest.mark.parametrize("source", [WRONG, RAISING, SOLUTION, "def double(x:\n"])
def test_a_verdict_fits_30_columns(
    tutor: Tutor, mine: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """No line of a verdict is wider than a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "30")
    mine.write_text(source)

    assert [] == too_wide(tutor("check").out)


def test_pages_fit_30_columns(tried: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are wrapped, including long names."""
    monkeypatch.setenv("COLUMNS", "30")

    assert [] == [it for line in SHOWN[:6] for it in too_wide(tried(*line).out)]
    assert [] == too_wide(tried("show", "--plain").out)


def too_wide(text: str) -> list[str]:
    """Return the lines that are wider than 30 columns."""
    return [line for line in text.splitlines() if cell_len(line) > 30]


# ---------------------------------------------------------------- where it may not write


def test_a_place_that_cannot_be_written_is_3(
    tutor: Tutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that cannot be written is named, with what to do."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "file" / "home"))
    ran = tutor("check", "--json")

    assert 3 == ran.status
    assert str(tmp_path / "file") in ran.error
    assert "JAXTUTOR_HOME" in ran.report["error"]["remedy"]


def test_progress_that_cannot_be_recorded_costs_no_verdict(
    tutor: Tutor, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check continues if the attempt cannot be recorded, and reports that."""
    mine.write_text(SOLUTION)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "file" / "home"))
    ran = tutor("check", str(mine), "--json")

    assert (0, "passed") == (ran.status, ran.report["status"])
    assert "part of the path is a file" in ran.err


def test_progress_of_a_newer_jaxtutor_is_left_alone(tutor: Tutor, home: Path, mine: Path) -> None:
    """A progress file of a newer jaxtutor stays unchanged, and the check reports it."""
    mine.write_text(SOLUTION)
    progress = home / "data" / "progress.sqlite3"
    with sqlite3.connect(progress) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    before = progress.read_bytes()
    ran = tutor("check", "--json")

    assert (0, "passed") == (ran.status, ran.report["status"])
    assert "newer" in ran.err
    assert before == progress.read_bytes()


def test_damaged_progress_is_set_aside(tutor: Tutor, home: Path, mine: Path) -> None:
    """A damaged progress file is renamed and reported, and a new one is started."""
    mine.write_text(SOLUTION)
    (home / "data" / "progress.sqlite3").write_bytes(b"not a database at all" * 100)
    ran = tutor("check", "--json")

    assert (0, "passed") == (ran.status, ran.report["status"])
    assert "was damaged" in ran.err
    assert 1 == len(list((home / "data").glob("*damaged*")))
    assert 1 == len(tutor("history", "--json").report["attempts"])


def test_no_home_is_3(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home directory, the error names the options and variables to use."""
    monkeypatch.delenv("JAXTUTOR_HOME")

    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", homeless)
    ran = tutor("check", "--json")

    assert 3 == ran.status
    assert "No home directory was found" in ran.error
    assert "--workspace" in ran.report["error"]["remedy"]


# ---------------------------------------------------------------- as a process


def test_a_fault_of_ours_is_3(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in jaxtutor exits with 3 and one line, and is not blamed on the learner."""
    from jaxtutor.commands import pages

    def fail(*_: object) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(pages, "list_lessons", fail)
    ran = tutor("list", "--json")

    assert (3, "Internal error in jaxtutor: ZeroDivisionError: oh") == (
        ran.status,
        ran.error,
    )


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["check", "--nonsense"], ["restore"], ["lesson", "nonsense"]]
)
def test_a_slip_of_the_command_line_is_2(home: Path, arguments: list[str]) -> None:
    """An unknown or missing argument is named, with how to get help."""
    assert 2 == run(arguments)


@pytest.mark.parametrize("arguments", [["nonsense"], ["check", "--nonsense"], ["restore"]])
def test_a_slip_is_json_where_json_was_wanted(
    home: Path, arguments: list[str], capsys: Any
) -> None:
    """A usage error of the command line is an object with `error`, as documented, and status 2."""
    status = run([*arguments, "--json"])
    ran = Ran(status, *capsys.readouterr())

    assert (2, "") == (status, ran.err)
    assert ran.error
    assert "--help" in ran.report["error"]["remedy"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_error_does_not_repeat_a_long_argument(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It says how long the argument is."""
    assert 2 == run(["drill", f"--line={'9' * 5000}", *more])
    said = capsys.readouterr()

    assert "5,007 characters" in (said.out if more else said.err)
    assert 200 > len(said.out + said.err)


def test_no_other_shells_completion_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    """A shell that is named may not be the one whose files would be changed."""
    assert 2 == run(["--install-completion", "powershell"])
    assert "--show-completion bash|zsh|" in capsys.readouterr().err


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_of_any_shell_is_printed(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script is the same in whatever shell it is printed."""
    monkeypatch.setenv("SHELL", "/bin/nothing")
    assert 0 == run(["--show-completion", shell])
    assert "_JAXTUTOR_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize("shells", [["tcsh"], ["bash", "zsh"]])
def test_a_shell_without_completion_is_refused(
    shells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Only one shell is printed for, and only those that have completion."""
    assert 2 == run(["--show-completion", *shells])
    assert "one of bash, zsh, fish" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("group", [[], ["lesson"], ["config"]], ids=["all", "lesson", "config"])
def test_no_summary_of_a_command_is_cut(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    group: list[str],
    columns: int,
) -> None:
    """Every command is summarised in whole sentences, and at 80 columns in one line."""
    monkeypatch.setenv("COLUMNS", str(columns))
    assert 0 == run([*group, "--help"])
    printed = capsys.readouterr().out
    words = " ".join(printed.split())
    program = command_tree.program()
    commands = program.commands[group[0]] if group else program

    assert "..." not in printed.replace("[ARGS]...", "")
    for name, command in commands.commands.items():
        if columns == 80:
            assert re.search(rf"^  {name} +{re.escape(command.help)}$", printed, re.MULTILINE)
        assert " ".join([name, *command.help.split()]) in words


def test_the_help_has_every_group_and_where_to_read_on(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` lists the commands by purpose, and names statuses, variables and the manual."""
    assert 0 == run(["--help"])
    printed = capsys.readouterr().out

    headings = re.findall(r"^(\w[\w ]*):$", printed, re.MULTILINE)
    assert ["Options", *GROUPS] == headings
    for word in ("Exit status", "JAXTUTOR_HOME", "NO_COLOR", "man jaxtutor", "130"):
        assert word in printed


@pytest.mark.parametrize("module", sorted(DECLARED_IN))
def test_each_command_is_declared_in_the_module_of_the_table(module: str) -> None:
    """`DECLARED_IN` names the commands of each module, and so every command."""
    declared = import_module(f"jaxtutor.cli.{module}").commands

    assert {*DECLARED_IN[module].split()} == {*declared.commands, *declared.groups}


def test_only_the_command_that_is_called_is_built() -> None:
    """A line that typer reads has one command; without a known name it has all of them."""
    every = " ".join(DECLARED_IN.values()).split()

    assert ["hint"] == list(typer.main.get_command(command_line("hint")).commands)  # type: ignore[attr-defined]
    assert every == list(typer.main.get_command(command_line("x")).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("arguments", [["hint", "--again"], ["stats"], ["show"]], ids=" ".join)
def test_a_plain_line_imports_little(home: Path, arguments: list[str]) -> None:
    """A plain line imports no typer and judges nothing; a page is drawn without its parser."""
    program = (
        "import sys\nfrom jaxtutor.cli import run\n"
        f"status = run({arguments!r})\n"
        "heavy = {'typer', 'tomlkit', 'markdown_it', 'pygments', 'rich.table'}\n"
        "heavy = (heavy | {'jaxtutor.core.judging'}) & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else status)"
    )
    run(arguments)
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (ran.returncode, ran.stderr)


def test_without_a_command_it_says_what_comes_next(tutor: Tutor, mine: Path) -> None:
    """`jaxtutor` alone names the lesson and the next command, and exits with 0."""
    fresh = tutor(on=None)
    assert (0, "") == (fresh.status, fresh.err)
    assert "Lesson 1.1, 1 of 1" in fresh.out
    assert "jaxtutor start" in fresh.out

    tutor("check", "--json", on=None)
    assert "Not started." in tutor(on=None).out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["check", "--help"],
        ["list"],
        ["hint"],
        ["show"],
        ["solution"],
        ["history"],
        ["next"],
        ["diff"],
        ["reset"],
        [],
        ["search", "vmap"],
        ["list", "--todo"],
        ["config"],
        ["config", "set", "layout", "rows"],
    ],
    ids=" ".join,
)
def test_what_needs_no_jax_imports_none(home: Path, arguments: list[str]) -> None:
    """Commands that need no worker do not import jax."""
    program = (
        "import sys\nfrom jaxtutor.cli import run\n"
        f"status = run({arguments!r})\n"
        "heavy = {'jax', 'jaxlib', 'numpy', 'jaxtutor.processes.runner'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else status)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (ran.returncode, ran.stderr)


def test_the_module_is_the_command(home: Path, course: Path, mine: Path) -> None:
    """`python -m jaxtutor check` prints one object and returns the status to the shell."""
    mine.write_text(WRONG)
    process = start("check", "--json", "--course", str(course), environ={"JAX_ENABLE_X64": "1"})
    out, err = process.communicate()

    assert (1, "") == (process.returncode, err)
    assert ("failed", "cpu:0") == (json.loads(out)["status"], json.loads(out)["device"])


def test_devices_are_listed(home: Path) -> None:
    """`devices` lists the devices JAX can use and marks one as the default."""
    process = start("devices", "--json")
    out, _ = process.communicate()
    report = json.loads(out)

    assert 0 == process.returncode
    assert broken_promises(report, "devices") == []
    assert [True] == [device["default"] for device in report["devices"] if device["default"]]


def test_a_schema_is_printed_as_json(tutor: Tutor) -> None:
    """`schema` prints a schema, lists all without a name, and names the nearest of a wrong one."""
    printed = json.loads(tutor("schema", "history", on=None).out)
    listed = tutor("schema", "--json", on=None).report
    unknown = tutor("schema", "histroy", "--json", on=None)

    assert {"lesson", "attempts", "kept", "schema"} == printed["properties"].keys()
    assert broken_promises(listed, "schema") == []
    assert "history" in [entry["name"] for entry in listed["schemas"]]
    assert re.search(r"^history +The attempts at a lesson", tutor("schema", on=None).out, re.M)
    assert "No schema is named 'histroy'." == unknown.error
    assert "Did you mean history" in unknown.report["error"]["remedy"]


def test_an_interrupt_is_130(home: Path, course: Path, mine: Path) -> None:
    """Ctrl-C during a check ends the check and its worker, and prints only a newline."""
    started = home / "started"
    mine.write_text(f"open({str(started)!r}, 'w').close()\nwhile True: pass\n")
    process = start("check", "--course", str(course))
    end = time.monotonic() + 60
    while not started.exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()

    assert 130 == process.returncode
    assert "Traceback" not in err
    assert out == ""


SWALLOWS = """
import signal, time, weakref
from jaxtutor import __main__

class Referred: pass

def run():
    referred = Referred()
    watching = weakref.ref(referred, lambda _: signal.raise_signal(signal.SIGINT))
    del referred  # Python calls the callback, and prints what it raises
    time.sleep(60)
    return 0

__main__._run = run
__main__.main()
"""


def test_an_interrupt_that_python_swallows_is_130() -> None:
    """Ctrl-C ends a command also if it comes in a callback, in which no exception is raised."""
    command = [sys.executable, "-c", SWALLOWS]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (130, "") == (ran.returncode, ran.stderr)


def test_a_reader_that_leaves_early_is_no_fault(home: Path) -> None:
    """`jaxtutor show | head -1` ends without a traceback."""
    process = start("show")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    process.wait()

    assert "Traceback" not in err
    assert "Internal error" not in err
