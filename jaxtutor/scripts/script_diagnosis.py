"""Holds what is known of a run of a learner's own program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jaxtutor.core.data.coverage import Coverage
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.verdicts import ScriptStatus
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.linting.directives import DirectiveFault
from jaxtutor.scripts.programs import Program


@dataclass(frozen=True)
class TestDiagnosis:
    """A failing test, or the exception that a program handled before it ended itself.

    `test` is empty for the latter. `diagnosed` is None if nothing of it is in the learner's files.
    """

    test: str
    failure: Failure
    diagnosed: Diagnosed | None

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The diagnosis, without what it was made from."""
        return self.diagnosed.diagnosis if self.diagnosed is not None else None


@dataclass(frozen=True)
class ScriptDiagnosis:
    """The result of running a program.

    `diagnosed` has the diagnosis and the findings with what they were made from.
    `exit_status` is its own, None if it has none. `end_detail` explains why it was cut short;
    `interrupted` means that Ctrl-C ended it. `caught` are
    the exceptions behind the exit status; the first is also `failure`. `facts` are those of the
    run, if what the program printed was captured. The text of `changed` files is not what ran.
    `looks` are worth a look, but need not be mistakes. `coverage` says what was looked at.
    `allowed` counts the findings that the project's settings and comments allow, which are in
    neither; `raised_anyway` are causes that they name and the program raised. `comment_faults` are
    by file.
    """

    status: ScriptStatus
    program: Program
    file: Path
    device: str
    jax_version: str
    seconds: float
    failure: Failure | None = None
    diagnosis: Diagnosis | None = None
    findings: tuple[Diagnosis, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    stdout: str = ""
    end_detail: str = ""
    interrupted: bool = False
    exit_status: int | None = None
    traceback: str = ""
    caught: tuple[TestDiagnosis, ...] = ()
    facts: ScriptFacts | None = None
    diagnosed: tuple[Diagnosed, ...] = ()
    looks: tuple[Diagnosis, ...] = ()
    coverage: Coverage | None = None
    changed: tuple[str, ...] = ()
    allowed: int = 0
    raised_anyway: tuple[str, ...] = ()
    comment_faults: Mapping[str, tuple[DirectiveFault, ...]] = field(default_factory=dict)

    def with_diagnosis(self, diagnosis: Diagnosis) -> ScriptDiagnosis:
        """Return a copy with another diagnosis."""
        return replace(self, diagnosis=diagnosis)

    def with_findings(self, findings: tuple[Diagnosis, ...]) -> ScriptDiagnosis:
        """Return a copy with other findings."""
        return replace(self, findings=findings)
