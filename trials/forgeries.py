"""Tries submissions that are wrong and forge their verdict on purpose.

Each file of tests/forgeries states the expected status on its first lines, by entrance:

    # check: passed             the submission's own process is believed
    # grade: failed, tampered   confined, and measured again by the meter
    # never: failed             graded without confinement

The status of `check` documents what is possible on the learner's own machine. That of `grade` is
a promise: see docs/grading-trust.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxtutor.processes import sandbox
from trials import Figure, Share
from trials.sample_lessons import CHECKS, INFO, make_lesson

FOLDER = Path(__file__).parent.parent / "tests" / "forgeries"
ENTRANCES = ("check", "grade", "never")
PROMISE = "{}: forged reports get the documented status"
SECONDS = 4.0
"""Time limit of the lesson: several of these never end by themselves."""
PATIENCE = 60.0
"""Seconds for each submission beyond its limit, on a busy machine."""

CHECKS_WITH_GRADIENT = (
    CHECKS.replace("import Call", "import Call, Gradient")
    + "\n\nPROPERTIES = [Gradient([Call(np.array([1.0, 4.0], np.float32))])]\n"
)
_EXPECTED = re.compile(r"# (check|grade|never): (.*)")


@dataclass(frozen=True)
class Forgery:
    """A submission, and the status and notes that each entrance must give it."""

    name: str
    source: str
    expected: Mapping[str, str]


def find() -> Iterator[Forgery]:
    """Yield the forgeries by name."""
    for path in sorted(FOLDER.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        found = dict(_EXPECTED.findall(source))
        yield Forgery(path.stem, source, found)


def make_course(folder: Path) -> Path:
    """Write a course of one lesson, whose answers and gradient a meter can measure."""
    course = folder / "course"
    files = {
        "checks.py": CHECKS_WITH_GRADIENT,
        "lesson.toml": f"{INFO}[needs]\nseconds = {SECONDS}\n",
    }
    make_lesson(course / "01_basics" / "01_double", files)
    (course / "course.toml").write_text('title = "Small"\n', encoding="utf-8")
    return course


class Classroom:
    """A folder in which forgeries are checked and graded, with a home and a course."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.course = make_course(folder)
        (folder / "tmp").mkdir()

    def statuses(self, entrance: str, forgeries: Sequence[Forgery]) -> dict[str, str]:
        """Submit all forgeries at one entrance, and return the status of each."""
        submissions = self.folder / entrance
        for it in forgeries:
            file = submissions / it.name / "double.py"
            file.parent.mkdir(parents=True)
            file.write_text(it.source, encoding="utf-8")
        if entrance == "check":
            return {it.name: self._check(submissions / it.name / "double.py") for it in forgeries}
        confine = "never" if entrance == "never" else "always"
        made = self._run("grade", str(submissions), "--confine", confine, "--jobs", "1", "--json")
        rows = made.get("grades", ())
        return {row["learner"]: ", ".join([row["status"], *row["notes"]]) for row in rows}

    def _check(self, file: Path) -> str:
        made = self._run("check", str(file), "--lesson", "double", "--json")
        return str(made.get("status", made))

    def _run(self, *words: str) -> dict[str, Any]:
        ran = subprocess.run(
            [
                *(sys.executable, "-P", "-m", "jaxtutor", *words),
                *("--course", str(self.course), "--device", "cpu"),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE * 40,
            check=False,
            env=self._environ(),
            cwd=self.folder,
        )
        try:
            return json.loads(ran.stdout)  # type: ignore[no-any-return]
        except ValueError:
            return {"status": f"no JSON: {ran.stderr.decode()[-300:]}"}

    def _environ(self) -> dict[str, str]:
        return os.environ | {
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "JAXTUTOR_HOME": str(self.folder / "home"),
            "JAXTUTOR_TRUST_COURSE": "yes",
            "JAXTUTOR_NO_KEEP": "yes",
            "PYTHONPATH": str(Path(__file__).parent.parent),
        }


def attempt(entrance: str, forgeries: Sequence[Forgery]) -> Figure:
    """Submit forgeries at an entrance, and compare their statuses with the expected ones."""
    folder = Path(tempfile.mkdtemp(prefix="forgeries-"))
    try:
        seen = Classroom(folder).statuses(entrance, forgeries)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    failures = tuple(
        f"{it.name}: {seen.get(it.name, 'no grade')} instead of {it.expected.get(entrance)}"
        for it in forgeries
        if seen.get(it.name) != it.expected.get(entrance)
    )
    passed = sum(status.startswith("passed") for status in seen.values())
    return Figure(
        promise=PROMISE.format(entrance),
        tried=len(forgeries),
        held=len(forgeries) - len(failures),
        detail=f"{passed} pass",
        failures=failures,
    )


def run(share: Share) -> Iterator[Figure]:
    """Submit a share of the forgeries, each of which counts once for each entrance."""
    submitted = share.of([(entrance, it) for entrance in ENTRANCES for it in find()])
    for entrance in ENTRANCES:
        forgeries = [it for where, it in submitted if where == entrance]
        if forgeries and entrance == "grade" and (problem := sandbox.find_problem()):
            yield Figure(promise=PROMISE.format(entrance), tried=0, held=0, not_tried=problem)
        elif forgeries:
            yield attempt(entrance, forgeries)
