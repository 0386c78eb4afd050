"""Tests reading submissions in a process of its own: no file costs another one anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hostile_files import ENTRIES, FILES, NOTEBOOKS, PROGRAMS, nested_finally, notebook, pack
from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.grading.grades import Grade, SubmittedFile
from jaxtutor.errors import UsageError
from jaxtutor.grading import reader
from jaxtutor.grading.folder import collect
from jaxtutor.grading.reader import Reader
from trials.sample_lessons import make_lesson

HONEST = {
    "ann/double.py": b"def double(x):\n    return x + x\n",
    "bob/double.py": b"def double(x):\n    return 2 * x\n",
    "cat/double.py": b"def double(x)\n    return x\n",
    "dan/double.ipynb": notebook("%matplotlib inline\n", "def double(x):\n    return x * 2\n"),
    "eve/double.py": b"def double(x):\n    return x + x\n",
}
HOSTILE = (*PROGRAMS, *NOTEBOOKS, *FILES)
MOST_MEMORY = 400 << 20
SLOW = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course of one lesson."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text('title = "Small"\n')
    make_lesson(folder / "01_basics" / "01_double")
    return load_course(folder)


def hand_in(place: Path, name: str, kind: str) -> None:
    """Write a learner's file of a kind."""
    folder = place / name
    folder.mkdir(parents=True)
    if kind in PROGRAMS:
        (folder / "double.py").write_bytes(PROGRAMS[kind]())
    elif kind in NOTEBOOKS:
        (folder / "double.ipynb").write_bytes(NOTEBOOKS[kind]())
    else:
        FILES[kind](folder / "double.py")


def hand_in_honest(place: Path) -> None:
    for name, data in HONEST.items():
        (place / name).parent.mkdir(parents=True)
        (place / name).write_bytes(data)


def of_honest(place: Path, course: Course) -> list[SubmittedFile]:
    """Return what was read of the honest learners; assert that each other one has one row."""
    found = collect(place, course, course.find("double"))
    honest = {name.partition("/")[0] for name in HONEST}
    rows: list[SubmittedFile | Grade] = [*found.submissions, *found.settled]
    others = [it.learner for it in rows if it.learner not in honest]
    assert len(others) == len(set(others))
    assert all(it.headline for it in found.settled)
    return [it for it in found.submissions if it.learner in honest]


@pytest.fixture(scope="module")
def alone(course: Course, tmp_path_factory: pytest.TempPathFactory) -> list[SubmittedFile]:
    """What is read of the honest learners where there are no others."""
    place = tmp_path_factory.mktemp("alone")
    hand_in_honest(place)
    return of_honest(place, course)


# ---------------------------------------------------------------- hostile files


@SLOW
@given(
    kinds=st.lists(
        st.tuples(st.sampled_from(HOSTILE), st.sampled_from(["aaa", "bab", "zed"])), max_size=5
    )
)
def test_a_hostile_file_costs_no_other(
    kinds: list[tuple[str, str]],
    course: Course,
    alone: list[SubmittedFile],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Wherever it is among the others, they are read as they are without it."""
    place = tmp_path_factory.mktemp("pile")
    hand_in_honest(place)
    for number, (kind, before) in enumerate(kinds):
        hand_in(place, f"{before}{number}", kind)

    assert alone == of_honest(place, course)


@SLOW
@given(kinds=st.lists(st.sampled_from(ENTRIES), max_size=5))
def test_a_hostile_entry_costs_no_other(
    kinds: list[str],
    course: Course,
    alone: list[SubmittedFile],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """An archive's other files are read as they are without it."""
    place = tmp_path_factory.mktemp("packed") / "alone.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for name, data in HONEST.items():
            archive.writestr(name, data)
        for number, kind in enumerate(kinds):
            pack(archive, f"zed{number}/double.py", kind)

    assert alone == of_honest(place, course)


MEASURE = """
import json, sys
from pathlib import Path
from jaxtutor.content.loading import load_course
from jaxtutor.grading.folder import collect
course = load_course(Path(sys.argv[2]))
found = collect(Path(sys.argv[1]), course, course.find("double"))
# Not the maximum of getrusage: that of the parent counts there, too.
status = Path("/proc/self/status").read_text().splitlines()
peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
rows = {it.learner: it.headline for it in found.settled}
print(json.dumps([peak << 10, rows, len(found.submissions)]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is counted in KiB there")
def test_every_hostile_file_leaves_the_tutor_small(course: Course, tmp_path: Path) -> None:
    """All kinds together take a process with limits, not the one that grades."""
    place = tmp_path / "pile"
    for number, kind in enumerate(HOSTILE):
        hand_in(place, f"l{number}", kind)
    command = [sys.executable, "-c", MEASURE, str(place), str(course.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak, rows, read = json.loads(done.stdout)

    assert peak < MOST_MEMORY
    assert len(HOSTILE) == len(rows) + read
    assert all(row.startswith("It") for row in rows.values())


def test_what_the_compiler_doubles_is_not_compiled_in_this_process(
    course: Course, tmp_path: Path
) -> None:
    """A kilobyte of nested statements becomes a gigabyte; it is a submission that is not valid."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "double.py").write_bytes(nested_finally(19))
    (found,) = collect(tmp_path, course, course.find("double")).submissions

    assert found.broken is not None


@pytest.mark.parametrize("bytes_too_many", [0, 1])
def test_a_notebooks_code_has_the_limit_of_a_program(
    course: Course, tmp_path: Path, bytes_too_many: int
) -> None:
    """Its outputs may have more."""
    code = "#" * ((256 << 10) - 1 + bytes_too_many)
    (tmp_path / "double.ipynb").write_bytes(notebook(code, extra=json.dumps(["output"] * 100_000)))
    found = collect(tmp_path, course, course.find("double"))

    says = ["Its code is larger than 256 KiB."] * bytes_too_many
    assert says == [it.headline for it in found.settled]


# ---------------------------------------------------------------- a process that ends

SABOTAGED = """
import os, signal, sys, time
from jaxtutor.grading import reading_process, readings

fingerprint = reading_process.fingerprint
read_before = [0]

def sabotaged(text):
    read_before[0] += 1
    if "spin" in text:
        while True: pass
    if "hang" in text:
        time.sleep(60)
    if "crash" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "eat" in text:
        return [bytearray(1 << 20) for _ in range(1 << 20)]
    if "leave" in text:
        os._exit(7)
    if "raise" in text:
        raise LookupError("odd")
    if "garble" in text:
        os.write(1, b"\\0\\0\\0\\4oops")
    if "flood" in text:
        os.write(1, b"\\xff" * 4)
    if "only first" in text and read_before[0] > 1:
        raise MemoryError
    return fingerprint(text)

reading_process.fingerprint = sabotaged
readings.SECONDS = 1
reading_process.limit_memory()
reading_process.serve(sys.stdin.buffer, sys.stdout.buffer)
"""


@pytest.fixture
def sabotaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let words in a submission make the process fail."""
    monkeypatch.setattr(reader, "PROGRAM", ("-c", SABOTAGED))


SAYS = {
    "spin": "It takes too long to read.",
    "crash": "ended with SIGSEGV",
    "eat": "It needs more than 1,024 MiB of memory to be read.",
    "leave": "ended with status 7",
    "raise": "It could not be read (LookupError: odd).",
    "garble": "gave an answer that is not valid",
    "flood": "gave an answer that is too long",
}


@pytest.mark.parametrize("kind", SAYS)
@pytest.mark.usefixtures("sabotaged")
def test_a_file_that_ends_the_process_has_a_row(course: Course, tmp_path: Path, kind: str) -> None:
    """The row says why, and those before and after it are read."""
    for name, word in (("ann", ""), ("bob", kind), ("cat", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "double.py").write_text(f"# {word}\ndef double(x):\n    return x\n")
    found = collect(tmp_path, course, course.find("double"))

    assert ["ann", "cat"] == [it.learner for it in found.submissions]
    assert ["bob"] == [it.learner for it in found.settled]
    assert SAYS[kind] in found.settled[0].headline


@pytest.mark.usefixtures("sabotaged")
def test_a_file_that_is_waited_for_has_a_row(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does nothing uses no CPU time."""
    monkeypatch.setattr(reader, "WAITING", 0.2)
    (tmp_path / "double.py").write_text("# hang\n")
    (found,) = collect(tmp_path, course, course.find("double")).settled

    assert found.headline == "It took more than 2 seconds to read."


@pytest.mark.usefixtures("sabotaged")
def test_a_file_does_not_suffer_from_those_before_it(course: Course, tmp_path: Path) -> None:
    """What fails in a process that has read other files is read again in a new one."""
    for name, word in (("ann", ""), ("bob", "only first")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "double.py").write_text(f"# {word}\ndef double(x):\n    return x\n")

    found = collect(tmp_path, course, course.find("double"))
    assert ["ann", "bob"] == [it.learner for it in found.submissions]


def test_the_process_ends_with_the_reader(tmp_path: Path) -> None:
    """Nothing is left of it."""
    (tmp_path / "double.py").write_text("x = 1\n")
    with Reader(tmp_path) as opened:
        process = opened._process
    assert process is not None
    assert process._popen.poll() is not None


# ---------------------------------------------------------------- folders that change


def test_a_file_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """It was a file when the list was made."""
    path = tmp_path / "double.py"
    path.write_text("x = 1\n")
    with Reader(tmp_path) as opened:
        path.unlink()
        os.mkfifo(path)
        assert opened.read(("double.py",), "double.py").problem == "It is not a file."


def test_a_folder_that_becomes_a_file_is_reported(tmp_path: Path) -> None:
    """Its files are gone."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "double.py").write_text("x = 1\n")
    with Reader(tmp_path) as opened:
        (tmp_path / "ann" / "double.py").unlink()
        (tmp_path / "ann").rmdir()
        (tmp_path / "ann").write_text("")
        says = opened.read(("ann", "double.py"), "double.py").problem

    assert says == "It cannot be read: part of the path is a file, not a folder."


def test_a_place_that_is_gone_is_a_row(tmp_path: Path) -> None:
    """Also where the process has to be started again."""
    place = tmp_path / "pile"
    place.mkdir()
    (place / "double.py").write_text("x = 1\n")
    with Reader(place) as opened:
        (place / "double.py").unlink()
        place.rmdir()
        opened.close()
        assert "could not be read" in opened.read(("double.py",), "double.py").problem


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_may_not_be_read_is_a_row(course: Course, tmp_path: Path) -> None:
    """Its learner did hand in something."""
    (tmp_path / "ann").mkdir(mode=0o000)
    (found,) = collect(tmp_path, course, course.find("double")).settled

    assert ("ann", "unreadable") == (found.learner, found.status)
    assert found.headline == "It could not be read: permission denied."


@pytest.mark.slow
def test_a_folder_thousands_of_levels_deep_is_a_row(course: Course, tmp_path: Path) -> None:
    """A path may be longer than the system takes at once."""
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "double.py").write_text("x = 1\n")
    (tmp_path / "ann").mkdir()
    here = os.open(tmp_path / "ann", os.O_RDONLY)
    for _ in range(2100):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    found = collect(tmp_path, course, course.find("double"))
    subprocess.run(["rm", "-r", str(tmp_path / "ann")], check=True)  # pytest cannot

    assert ["bob"] == [it.learner for it in found.submissions]
    assert [("ann", "unreadable")] == [(it.learner, it.status) for it in found.settled]


def test_a_learner_with_too_many_files_costs_no_other(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are one row."""
    for number in range(10_001):
        path = tmp_path / "ann" / f"{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "double.py").write_text("x = 1\n")
    found = collect(tmp_path, course, course.find("double"))

    assert ["bob"] == [it.learner for it in found.submissions]
    assert ["It has more than 10,000 Python files and notebooks."] == [
        it.headline for it in found.settled
    ]


@pytest.mark.parametrize("name", ["roster.csv", "roster.py", "submission_metadata.yml"])
def test_a_roster_may_be_called_as_a_submission(course: Course, tmp_path: Path, name: str) -> None:
    """A folder of a learner may have any name, and a table among the submissions is nobody's."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "double.py").write_text("x = 1\n")
    (tmp_path / "roster.tsv").write_text("Student\nann\n")
    found = collect(tmp_path, course, course.find("double"))

    assert [name] == [it.learner for it in found.submissions]


def test_two_runs_may_write_into_one_folder(course: Course, tmp_path: Path) -> None:
    """Each file is that of one of them, as a whole."""
    for name in ("ann", "bob"):
        hand_in(tmp_path / "pile", name, "null bytes")
    made = tmp_path / "made"
    words = [sys.executable, "-m", "jaxtutor", "grade", str(tmp_path / "pile"), "--lesson=double"]
    words += [f"--course={course.folder}", "--confine=never", f"--feedback={made}"]
    words += [f"--csv={made / 'grades.csv'}", f"--resume={made / 'run.jsonl'}"]
    environ = {**os.environ, "JAXTUTOR_HOME": str(tmp_path), "JAXTUTOR_TRUST_COURSE": "yes"}
    runs = [subprocess.Popen(words, stdout=subprocess.DEVNULL, env=environ) for _ in range(3)]

    assert [1, 1, 1] == [it.wait(timeout=300) for it in runs]
    assert ["ann.html", "bob.html", "grades.csv"] == sorted(it.name for it in made.iterdir())
    assert 3 == len((made / "grades.csv").read_text().splitlines())


def test_an_archive_that_lists_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its names are held in memory."""
    less = SABOTAGED.replace("SECONDS = 1", "LONGEST_MESSAGE = 1 << 16")
    monkeypatch.setattr(reader, "PROGRAM", ("-c", less))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as archive:
        for number in range(20):
            archive.writestr(f"{number}{'x' * 4000}.py", "")
    with pytest.raises(UsageError, match="more than 64 KiB of names"):
        Reader(tmp_path / "a.zip")
