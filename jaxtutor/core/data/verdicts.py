"""Defines the verdict on a submission."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Cost
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.values import Tree

VerdictStatus = Literal["passed", "failed", "raised", "timed_out", "crashed", "lesson_at_fault"]
CheckStatus = Literal["passed", "failed", "skipped"]
ScriptStatus = Literal["clean", "raised", "found", "exited", "timed_out", "crashed"]
"""How a program of the learner's own ended."""


class Difference(Struct, frozen=True):
    """How two trees differ, at the leaf `path`.

    `says` describes it in words. `places` are the first thousand flat indices that differ, of
    `count`.
    """

    path: str
    says: str
    places: tuple[int, ...] = ()
    count: int = 0


class CaseResult(Struct, frozen=True):
    """The verdict on one call. `what` names the compared result: the answer, its gradient, …"""

    inputs: str
    expected: Tree | None
    actual: Tree | None
    passed: bool
    visible: bool
    problem: str = ""
    difference: Difference | None = None
    what: str = "answer"
    reason: str = ""
    arguments: Tree | None = None


class CheckResult(Struct, frozen=True):
    """The verdict on one check: its name, its sentence, and what is wrong if it failed.

    `title` heads the failure in a few words, `detail` has all of it. `case` is the call that shows
    the problem best, if any; `answers` are those of all calls of a failed property.
    """

    name: str
    says: str
    status: CheckStatus
    seconds: float = 0.0
    detail: str = ""
    case: CaseResult | None = None
    title: str = ""
    answers: tuple[Tree, ...] = ()


class Verdict(Struct, frozen=True):
    """The result of checking one submission.

    For a wrong answer, `relation` says what it is instead of the expected one, and `misconception`
    is the sentence of the known mistake that gives the same answers; both are empty where nothing
    is certain. `kinds` are words for how the answer is wrong, the most telling first. `hint` is the
    hint for this failure, where nothing more exact is known.
    `failed_call` has the arguments of the call that raised. `observations` are what `findings` were
    made from. `beside` are the mistakes that the source shows by itself, and that are not the
    reason for the verdict.
    """

    status: VerdictStatus
    lesson: str
    headline: str
    checks: tuple[CheckResult, ...]
    seconds: float
    device: str
    jax_version: str
    cases: tuple[CaseResult, ...] = ()
    jaxpr: Jaxpr | None = None
    reference_jaxpr: Jaxpr | None = None
    failure: Failure | None = None
    diagnosis: Diagnosis | None = None
    findings: tuple[Diagnosis, ...] = ()
    beside: tuple[Diagnosis, ...] = ()
    observations: tuple[Observation, ...] = ()
    relation: str = ""
    kinds: tuple[str, ...] = ()
    misconception: str = ""
    hint: str = ""
    failed_call: str = ""
    works_without_jit: bool = False
    cost: Cost | None = None
    reference_cost: Cost | None = None
    stdout: str = ""
    stderr: str = ""

    @property
    def failed_reason(self) -> str:
        """What is special about the call that raised, in the lesson's words; mostly nothing."""
        called = (case.reason for case in self.cases if case.inputs == self.failed_call)
        return next(called, "") if self.failed_call else ""
