"""Scores the diagnosis on the corpus: a program that prints its figures.

    python tests/score_corpus.py [--half build|held] [--verbose]

For the jax that is installed. Each program runs in a process of its own through the worker's code.
The halves are every second program: the matchers were built on `build`, and `held` was not looked
at before it was first scored.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.findings import find
from program_pool import run_programs
from program_runner import Ran

CORPUS = Path(__file__).parent / "corpus"


class Case(msgspec.Struct):
    """What a program of the corpus is known to do, and what a good diagnosis says of it."""

    cause: str
    error: str = msgspec.field(name="class")
    lines: list[int]
    accepted_fixes: list[str]

    @property
    def is_silent(self) -> bool:
        """Whether nothing is raised."""
        return self.error.startswith("none")


class Score(msgspec.Struct):
    """How one program was diagnosed."""

    name: str
    case: Case
    diagnosis: Diagnosis | None
    others: int = 0  # further findings

    def is_right(self, what: str) -> bool:
        """Judge one aspect of the diagnosis."""
        found = self.diagnosis
        if found is None:
            return False
        match what:
            case "class":
                return self.case.is_silent or found.error_class == self.case.error
            case "line":
                return found.span is not None and found.span.line in self.case.lines
            case "cause":
                return found.cause == self.case.cause
        advice = found.advice + (found.fix.diff if found.fix is not None else "")
        return any(wanted in advice for wanted in self.case.accepted_fixes)


def programs(half: str | None = None) -> list[str]:
    """List the corpus, or one half of it."""
    names = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    return names if half is None else names[0 if half == "build" else 1 :: 2]


def run_all(names: list[str], file: str) -> list[Ran]:
    """Run one file of each program; two processes at a time share the work."""
    ran = run_programs([f"{CORPUS / n / file}:{CORPUS / n / 'args.py'}" for n in names])
    return [ran[str(CORPUS / n / file)] for n in names]


def case_of(name: str) -> Case:
    """Read what a program of the corpus is known to do."""
    return msgspec.convert(json.loads((CORPUS / name / "case.json").read_text()), Case)


def judge(name: str, ran: Ran, causes: Library) -> Score:
    """Diagnose the result of a broken program."""
    case = case_of(name)
    sources = {ran.path: Path(ran.path).read_text()}
    if ran.failure is not None:
        return Score(name, case, diagnose(ran.failure, sources, causes, ran.observations))
    found = find(ran.observations, sources, causes)
    return Score(name, case, found[0] if found else None, max(len(found) - 1, 0))


def false_findings(names: list[str], causes: Library) -> dict[str, Any]:
    """Collect the reports on the correct programs: any finding is false, any failure an error."""
    said: dict[str, Any] = {}
    for name, ran in zip(names, run_all(names, "fixed.py"), strict=True):
        found = find(ran.observations, {ran.path: Path(ran.path).read_text()}, causes)
        if found or ran.failure is not None or ran.problem:
            failed = ran.failure.message[:200] if ran.failure else ran.problem
            said[name] = [item.cause for item in found] or failed
    return said


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--half", choices=("build", "held"))
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    names, causes = programs(chosen.half), Library()
    scores = [
        judge(name, ran, causes)
        for name, ran in zip(names, run_all(names, "broken.py"), strict=True)
    ]
    for kind in (False, True):
        some = [score for score in scores if score.case.is_silent is kind]
        figures = {
            w: sum(s.is_right(w) for s in some) for w in ("class", "line", "cause", "advice")
        }
        sys.stdout.write(f"{'silent' if kind else 'raising'}: {len(some)} programs, {figures}\n")
    sys.stdout.write(f"false findings on right programs: {false_findings(names, causes)}\n")
    for score in scores if chosen.verbose else ():
        wrong = [w for w in ("class", "line", "cause", "advice") if not score.is_right(w)]
        if wrong:
            found = score.diagnosis
            got = (found.cause, found.span and found.span.line, found.expression) if found else None
            sys.stdout.write(f"{score.name}: {wrong}, {score.case.cause} wanted, got {got}\n")


if __name__ == "__main__":
    main()
