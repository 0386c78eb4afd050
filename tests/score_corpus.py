"""Scores the diagnosis on the corpus: a program that prints its figures.

    python tests/score_corpus.py

For the jax that is installed. Each program runs in a process of its own through the worker's code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import msgspec

from catalogue import CORPUS, catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from recordings import diagnoses, run

ASPECTS = ("class", "line", "cause", "advice")


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


def case_of(name: str) -> Case:
    """Read what a program of the corpus is known to do."""
    return msgspec.convert(json.loads((CORPUS / name / "case.json").read_text()), Case)


def judge(name: str, found: Sequence[Diagnosis | None]) -> Score:
    """Score the diagnosis of a broken program: the diagnosis, or the findings."""
    return Score(name, case_of(name), found[0] if found else None, max(len(found) - 1, 0))


def main() -> None:
    """Print the figures."""
    causes = Library()
    corpus = [program for program in catalogue().values() if program.folder is not None]
    found = {
        program.name: (program, record, diagnoses(record, program, causes))
        for program, record in zip(corpus, run(corpus), strict=True)
    }
    scores = [
        judge(program.name.split("/")[1], said)
        for program, _, said in found.values()
        if not program.is_right
    ]
    for kind in (False, True):
        some = [score for score in scores if score.case.is_silent is kind]
        figures = {w: sum(s.is_right(w) for s in some) for w in ASPECTS}
        sys.stdout.write(f"{'silent' if kind else 'raising'}: {len(some)} programs, {figures}\n")
    false = [name for name, (program, _, said) in found.items() if program.is_right and said]
    sys.stdout.write(f"right programs with a finding: {false}\n")
    for score in scores:
        wrong = [w for w in ASPECTS if not score.is_right(w)]
        if wrong:
            said = score.diagnosis
            got = (said.cause, said.span and said.span.line, said.expression) if said else None
            sys.stdout.write(f"{score.name}: {wrong}, {score.case.cause} wanted, got {got}\n")


if __name__ == "__main__":
    main()
