"""Tests the documentation: its commands run, its links work, and its numbers are right."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest

import command_tree
from jaxtutor.cli import run
from jaxtutor.content.loading import load_course
from jaxtutor.processes import sandbox
from trials.built_in import learner_file, lesson_folder

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]

# Run by other tests, or by other programs. All other commands run below.
ELSEWHERE = {
    "pip install": "noxfile.py",
    "pipx install": "noxfile.py",
    "uv tool install": "noxfile.py",
    "dask ": "tests/test_cluster.py",
    "./dev ": "tests/test_dev.py",
    "nox": "noxfile.py itself",
    "pytest --jaxtutor": "tests/test_pytest_plugin.py",
    "jaxtutor course add": "tests/test_added_courses.py; examples/signals stands in for it",
    "python tests/pictures.py": "the test of the pictures",
    "jaxtutor grade submissions --scheduler": "tests/test_cluster.py",
    "jaxtutor grade submissions --confine always": "tests/test_confine.py, where it can be had",
}
SLOW = ("api.md", "authoring.md", "lms.md", "teaching.md")
"""The pages whose commands run for longest."""
SCRIPT = """import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def decay(t, tau):
    return np.exp(-t / tau)


print(decay(jnp.linspace(0.0, 1.0, 3), 0.5))
"""


def commands(page: Path) -> list[str]:
    """Return the lines after a prompt in the page's console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line[2:].partition("  #")[0].strip() for line in lines if line.startswith("$ ")]


def is_elsewhere(command: str) -> bool:
    return command.startswith(tuple(ELSEWHERE))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that caches the solutions' answers for all pages."""
    return tmp_path_factory.mktemp("answers")


@pytest.fixture
def pages_home(tmp_path: Path, answers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that the pages mention, and its own home."""
    pages_home = tmp_path / "pages_home"
    clip = lesson_folder("safe-clip-positive")
    for place in (
        "submissions/ann/safe_clip_positive.py",
        learner_file("safe-clip-positive"),
    ):
        (pages_home / place).parent.mkdir(parents=True)
        shutil.copy(clip / "solution.py", pages_home / place)
    (pages_home / "scan.py").write_text(SCRIPT)
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "home" / "data" / "references").symlink_to(answers)
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(pages_home)
    return pages_home


def hand_in_a_course(page: Path, folder: Path) -> None:
    """Write the roster and the points of a page, and an archive with the names of Canvas."""
    text = page.read_text(encoding="utf-8")
    for language, name in (("csv", "roster.csv"), ("toml", "points.toml")):
        (block,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
        (folder / name).write_text(block, encoding="utf-8")
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        for name in re.findall(r"Canvas: `([^`]+\.py)`", text):
            archive.write(folder / "submissions" / "ann" / "safe_clip_positive.py", name)


def do(command: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run one line in this process, with the variables before the command."""
    words = shlex.split(command)
    while "=" in words[0]:
        name, _, text = words.pop(0).partition("=")
        monkeypatch.setenv(name, text)
    assert "jaxtutor" == words.pop(0), f"nobody runs `{command}`"
    if words[:1] == ["grade"] and sandbox.find_problem():
        words += ["--confine", "never"]
    return run(words)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] * (page.name in SLOW)) for page in PAGES],
    ids=lambda page: page.name,
)
def test_what_a_page_shows_runs(
    page: Path,
    pages_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The commands of a page run in order and exit with 0 or 1."""
    if page.name == "learning.md":
        shutil.copytree(ROOT / "examples" / "signals", pages_home / "signals")
        mine = tmp_path / "home" / "workspace" / learner_file("immutable-update")
        mine.parent.mkdir(parents=True)
        mine.write_text("# what the reader wrote: without it there would be no attempt\n")
    if page.name == "lms.md":
        hand_in_a_course(page, pages_home)
    ran = {}
    for command in commands(page):
        if not is_elsewhere(command):
            ran[command] = do(command, monkeypatch)
            printed = capsys.readouterr()
            assert ran[command] in (0, 1), f"{command}\n{printed.out}{printed.err}"


def test_the_workflow_for_a_classroom_runs(
    pages_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The classroom workflow checks a learner's files, also after one that did not pass."""
    workflow = (DOCS / "classroom.yml").read_text(encoding="utf-8")
    condition = r"if: \${{ !cancelled\(\) && steps\.install\.outcome == 'success' }}"
    steps = re.findall(rf"^ +{condition}\n +run: (jaxtutor .*)$", workflow, re.MULTILINE)
    shutil.copy(
        lesson_folder("traced-axis") / "solution.py", pages_home / learner_file("traced-axis")
    )

    assert [0, 0] == [do(step, monkeypatch) for step in steps]
    assert 2 == workflow.count("run: jaxtutor ")
    assert {"clip.xml", "axis.xml"} == {it.name for it in (pages_home / "results").iterdir()}


def test_the_classroom_workflow_installs_from_a_given_address() -> None:
    """The classroom workflow installs from a variable or the checkout, not from an index."""
    workflow = (DOCS / "classroom.yml").read_text(encoding="utf-8")
    assert ['"$JAXTUTOR"'] == re.findall(r"run: .*pip install (.*)$", workflow, re.MULTILINE)
    assert "JAXTUTOR: ${{ vars.JAXTUTOR || './jaxtutor' }}" in workflow


def test_what_runs_elsewhere_is_still_shown() -> None:
    """Every command that is not run here still appears on some page."""
    shown = [command for page in PAGES for command in commands(page)]
    idle = [start for start in ELSEWHERE if not any(it.startswith(start) for it in shown)]
    assert [] == idle


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_that_a_page_names_is_one(page: Path) -> None:
    """Every `jaxtutor WORD` in the text is a command."""
    known = {name.partition(" ")[0] for name in command_tree.commands()}
    named = re.findall(r"`jaxtutor ([a-z]+)", page.read_text(encoding="utf-8"))
    assert set() == set(named) - known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_somewhere(page: Path) -> None:
    """Every file and heading that a page links to exists."""
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    assert [] == [link for link in links if not is_there(page, link)]


def is_there(page: Path, link: str) -> bool:
    if re.match(r"https?:", link):
        return True  # the tests open no network connection
    place, _, heading = link.partition("#")
    target = page.parent / place if place else page
    if not target.exists():
        return False
    return not heading or heading in anchors(target)


def anchors(page: Path) -> list[str]:
    """Return a page's headings in the form that links use."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", it.lower()).replace(" ", "-") for it in headings]


def test_the_sample_course_is_the_one_of_the_page() -> None:
    """The code that authoring.md quotes is the code in examples/signals."""
    page = (DOCS / "authoring.md").read_text(encoding="utf-8")
    lesson = ROOT / "examples" / "signals" / "01_first_steps" / "01_difference"
    quoted = [
        (lesson / "checks.py").read_text(encoding="utf-8").partition("\n\n")[2],
        (lesson / "mistakes" / "wraps_around.py").read_text(encoding="utf-8"),
        (lesson / "solution.py").read_text(encoding="utf-8").partition("\n\n\n")[2],
    ]
    rows = ROOT / "examples" / "signals" / "02_many_at_once" / "01_row_energy" / "lesson.toml"
    quoted.append("[[predict]]" + rows.read_text(encoding="utf-8").partition("[[predict]]")[2])
    assert [True] * 4 == [text in page for text in quoted]


@pytest.mark.slow
def test_the_sample_course_keeps_its_gates(
    pages_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The three lessons of the sample course pass every gate."""
    monkeypatch.setenv("JAXTUTOR_HOME", os.fspath(pages_home / "home"))
    status = run(["lesson", "test", str(ROOT / "examples" / "signals"), "--plain"])

    assert (0, "3 lessons tested, all gates hold.") == (
        status,
        capsys.readouterr().out.splitlines()[-1],
    )


def test_the_course_is_as_large_as_the_readme_says() -> None:
    """The numbers of lessons and chapters in README.md are those of the course."""
    course = load_course(None)
    size = f"{len(course.lessons)} lessons in {len(course.chapters)} chapters"
    assert size in (ROOT / "README.md").read_text()
