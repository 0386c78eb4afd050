"""Tests lessons that need other packages: what is missing is named, and nothing is run without."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.loading import load_course
from jaxtutor.errors import TutorError
from jaxtutor.system import packages
from json_page import broken_promises
from trials.sample_lessons import INFO, SOLUTION, STARTER, make_checker, make_lesson

ROOT = Path(__file__).parent.parent
ABSENT = "jaxtutor-absent>=1.0"
MISTAKE = '# expects: check values\n"""Triple it."""\n\n\ndef double(x):\n    return 3 * x\n'

Tutor = Callable[..., tuple[int, str, str]]


def needing(*requirements: str) -> dict[str, str]:
    """Return the files of a lesson that needs packages."""
    return {
        "lesson.toml": f"{INFO}needs.packages = {json.dumps(requirements)}\n",
        "mistakes/triple.py": MISTAKE,
    }


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course whose second and third lessons need a package that does not exist."""
    folder = tmp_path / "course" / "01_basics"
    for name, files in (
        ("01_first", {}),
        ("02_double", needing(ABSENT)),
        ("03_again", needing(ABSENT)),
        ("04_last", {}),
    ):
        make_lesson(folder / name, files)
    return folder.parent


@pytest.fixture
def tutor(
    tmp_path: Path,
    course: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Tutor:
    """Run a command on the course; return its status and what it printed."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))

    def tutor(*arguments: str) -> tuple[int, str, str]:
        status = run([*arguments, "--course", str(course)])
        return status, *capsys.readouterr()

    return tutor


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install a package of one module, for this process and for workers."""
    folder = tmp_path / "site"

    def install(name: str, version: str, source: str = "") -> None:
        metadata = folder / f"{name}-{version}.dist-info" / "METADATA"
        metadata.parent.mkdir(parents=True)
        metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (folder / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        _forget_versions()

    yield install
    _forget_versions()


def _forget_versions() -> None:
    packages.installed_version.cache_clear()
    packages._listed_versions.cache_clear()


def test_the_extra_is_what_the_command_installs() -> None:
    """The libraries that one command installs are those of the extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert list(packages.LIBRARIES) == project["optional-dependencies"]["libraries"]


@pytest.mark.parametrize(
    ("installed", "missing"),
    [("1.9", True), ("1.10", False), ("2.0rc1", False), ("1.10.0.dev1", False)],
)
def test_a_package_may_be_too_old(
    install: Callable[..., None], installed: str, missing: bool
) -> None:
    """Versions are compared number by number."""
    install("jaxtutor_old", installed)

    assert missing == bool(packages.find_missing(["jaxtutor_old>=1.10"]))
    assert () == packages.find_missing(["jaxtutor_old"])


def test_a_version_that_is_too_old_is_named(install: Callable[..., None]) -> None:
    """The message names the installed version and the one that is needed."""
    install("jaxtutor_old", "1.9")

    with pytest.raises(packages.MissingPackages) as raised:
        packages.refuse_missing("double", ("jaxtutor_old>=1.10",))
    assert "jaxtutor_old>=1.10 (version 1.9 is installed)" in raised.value.message
    assert "Install what is missing: pip install 'jaxtutor_old>=1.10'" == raised.value.remedy


def test_one_command_installs_all_libraries() -> None:
    """Where the extra has all that is missing, the command names the extra."""
    assert packages.INSTALL_LIBRARIES == packages.install_command(["optax>=0.2.8", "flax"])
    assert "pip install 'optax' 'other>=1'" == packages.install_command(["optax", "other>=1"])


def test_the_libraries_of_a_program_are_found() -> None:
    """Imports of libraries are found, apart from those of Python, of jax and in functions."""
    source = (
        '"""A."""\nfrom __future__ import annotations\nimport os, jax.numpy as jnp\nimport optax\n'
        "from flax import nnx\nimport orbax.checkpoint as ocp\ndef f():\n    import late\n"
    )

    wanted = ("import optax", "from flax import nnx", "import orbax.checkpoint as ocp")
    assert wanted == packages.library_imports(source)
    assert () == packages.library_imports("def")


@pytest.mark.parametrize(
    "command",
    [
        ["start"],
        ["check"],
        ["check", "--watch"],
        ["predict"],
        ["predict", "--answer", "2"],
        ["review"],
        ["repl"],
    ],
    ids=" ".join,
)
def test_a_command_that_would_run_the_lesson_says_what_is_missing(
    tutor: Tutor, tmp_path: Path, command: list[str]
) -> None:
    """It ends with status 3 and two lines: what is missing, and the command that installs it."""
    status, out, err = tutor(command[0], "double", *command[1:])

    assert (3, "") == (status, out)
    assert [
        f"jaxtutor: The lesson double needs {ABSENT} (not installed).",
        f"Install what is missing: pip install '{ABSENT}'",
    ] == [line.strip() for line in err.splitlines()]


def test_grading_says_what_is_missing_before_it_runs_anything(tutor: Tutor, tmp_path: Path) -> None:
    """A package that is missing on the instructor's machine is not counted against a learner."""
    pile = tmp_path / "pile" / "ada"
    pile.mkdir(parents=True)
    (pile / "02_double.py").write_text(SOLUTION)

    status, _, err = tutor("grade", str(pile.parent), "--confine", "never")
    assert (3, True) == (status, f"needs {ABSENT} (not installed)" in err)


def test_a_computed_fix_says_what_is_missing(tutor: Tutor) -> None:
    """Hints that the author wrote need no package; the fix that is tried does."""
    for _ in range(3):
        assert 0 == tutor("hint", "double")[0]

    status, _, err = tutor("hint", "double")
    assert (3, True) == (status, f"needs {ABSENT} (not installed)" in err)


def test_the_list_marks_what_is_missing(tutor: Tutor) -> None:
    """The list marks such lessons in every form, and the page of the lesson names the packages."""
    lines = tutor("list")[1].splitlines()
    marked = [line for line in lines if line.endswith("needs jaxtutor-absent")]
    assert 2 == len(marked)
    assert 2 == tutor("list", "--plain")[1].count("needs jaxtutor-absent")

    report = json.loads(tutor("list", "--json")[1])
    assert [] == broken_promises(report, "list")
    assert [[], [ABSENT], [ABSENT], []] == [it["missing"] for it in report["lessons"]]
    shown = json.loads(tutor("show", "double", "--json")[1])
    assert [] == broken_promises(shown, "show")
    assert [ABSENT] == shown["packages"]


def test_next_goes_past_them_and_says_so(tutor: Tutor, course: Path) -> None:
    """`next` skips such lessons in both directions, and says why and what would help."""
    status, out, err = tutor("next", "--json")

    assert (0, "last") == (status, json.loads(out)["slug"])
    assert "2 lessons were skipped, because jaxtutor-absent would be needed." in err
    assert f"Install what is missing: pip install '{ABSENT}'" in err
    assert "first" == json.loads(tutor("prev", "--json")[1])["slug"]

    (course / "01_basics" / "04_last" / "lesson.md").unlink()
    assert (3, "") == tutor("next")[:2]


def test_a_course_begins_with_a_lesson_that_runs(course: Path) -> None:
    """The first lesson is one whose packages are installed."""
    make_lesson(course / "00_before" / "01_needing", needing(ABSENT))

    assert "first" == load_course(course).first().slug


def test_the_gates_of_such_a_lesson_are_skipped(tutor: Tutor) -> None:
    """A gate that cannot run is skipped, not passed, and says which package it needs."""
    for only in ([], ["--only", "mistakes/"]):
        status, out, _ = tutor("lesson", "test", "double", "--json", *only)
        gates = {it["gate"]: it for it in json.loads(out)["gates"]}

        assert "skipped" == gates["other gates"]["status"]
        assert ABSENT in gates["other gates"]["reason"]
        assert not {"solution", "starter", "prose", "mistakes/triple.py"} & set(gates)
        assert only == [] or status == 0


def test_a_library_that_breaks_when_imported_is_at_fault(
    install: Callable[..., None], tmp_path: Path
) -> None:
    """The library's own exception is named, and neither the submission nor jax is blamed."""
    install("jaxtutor_broken", "1.0", "raise AttributeError('module jax has no attribute core')\n")
    source = f"import jaxtutor_broken\n{SOLUTION}"
    files = {**needing("jaxtutor_broken"), "solution.py": source}
    lesson = make_lesson(tmp_path / "01_double", files)
    checker = make_checker(tmp_path / "references")

    try:
        with pytest.raises(TutorError) as raised:
            checker.check(lesson, source, tmp_path / "mine.py")
    finally:
        checker.runner.close()
    assert (
        "`import jaxtutor_broken` fails here: AttributeError: module jax has no attribute core"
    ) == raised.value.message
    assert "The library is at fault, not your file." in raised.value.remedy


def test_the_import_of_a_library_is_not_in_the_submissions_time(
    install: Callable[..., None], tmp_path: Path
) -> None:
    """A library that takes longer to import than the time limit leaves all of it to the file."""
    install("jaxtutor_slow", "1.0", "import time\ntime.sleep(2.2)\n")
    info = needing("jaxtutor_slow")["lesson.toml"] + "needs.seconds = 2.0\n"
    source = f"import jaxtutor_slow\n{SOLUTION}"
    lesson = make_lesson(tmp_path / "01_double", {"lesson.toml": info, "solution.py": source})
    checker = make_checker(tmp_path / "references")

    try:
        verdict = checker.check(lesson, f"import jaxtutor_slow\n{STARTER}", tmp_path / "mine.py")
    finally:
        checker.runner.close()
    assert verdict is not None
    assert ("failed", True) == (verdict.status, verdict.seconds < 2)
