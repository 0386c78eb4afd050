"""Owns the diagnosis of a learner's own script: run, watched, and what went wrong named."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from jaxtutor import workspace
from jaxtutor.checking import jax_version, refuse_device
from jaxtutor.core.causes import Cause
from jaxtutor.core.diagnose import diagnose
from jaxtutor.core.findings import find, find_endless
from jaxtutor.core.judge import observations, pick
from jaxtutor.core.model import Diagnosis, Failure, Outcome, ScriptFacts, ScriptRequest
from jaxtutor.core.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.runner import Runner
from jaxtutor.spawn import Kind

ScriptStatus = Literal["clean", "raised", "found", "timed_out", "crashed"]


@dataclass(frozen=True)
class ScriptDiagnosis:
    """What became of a script. `end_detail` says more of one that was cut short."""

    status: ScriptStatus
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

    def with_diagnosis(self, diagnosis: Diagnosis) -> ScriptDiagnosis:
        """Return the same with another diagnosis."""
        return replace(self, diagnosis=diagnosis)

    def with_findings(self, findings: tuple[Diagnosis, ...]) -> ScriptDiagnosis:
        """Return the same with other findings."""
        return replace(self, findings=findings)


def diagnose_script(
    runner: Runner,
    causes: Mapping[str, Cause],
    file: Path,
    arguments: tuple[str, ...] = (),
    *,
    device: str | None = None,
    seconds: float = math.inf,
    captured: bool = False,
) -> ScriptDiagnosis:
    """Run the script, its output shown or captured, and name what it raised or silently did.

    Raises TutorError for a file that is no program, and where the environment is at fault.
    """
    if not file.exists():
        raise UsageError(f"{file} is not there.", "Name a script of yours.")
    source = workspace.read(file).text
    broken = find_syntax_error(source, str(file))
    if broken:
        found = diagnose_syntax(broken, source)
        return ScriptDiagnosis(
            "raised", file, "", jax_version(), 0.0, broken, found, (), {str(file): source}
        )
    request = ScriptRequest(str(file), source, arguments)
    kind = Kind(device, memory=0, shares_terminal=not captured)
    with _interrupts_left_to_the_script():
        outcome = runner.run(request, kind, seconds)
    refuse_device(outcome)
    return _describe(outcome, file, source, causes)


def _describe(
    outcome: Outcome, file: Path, source: str, causes: Mapping[str, Cause]
) -> ScriptDiagnosis:
    facts = next(iter(pick(outcome, ScriptFacts)), None)
    sources = {str(file): source, **dict(_read_others(facts, file))}
    failure = facts.failure if facts else None
    found = diagnose(failure, sources, causes) if failure else None
    findings = () if failure or facts is None else find(observations(outcome), sources, causes)
    if outcome.end == "timed_out":
        findings = find_endless(sources, causes)
    return ScriptDiagnosis(
        status=_status(outcome, failure, findings),
        file=file,
        device=outcome.device,
        jax_version=outcome.machine.jax if outcome.machine else "",
        seconds=outcome.seconds,
        failure=failure,
        diagnosis=found,
        findings=findings,
        sources=sources,
        stdout="".join(text for _, text in outcome.printed),
        end_detail=outcome.end_detail,
    )


def _status(
    outcome: Outcome, failure: Failure | None, findings: tuple[Diagnosis, ...]
) -> ScriptStatus:
    if failure is not None:
        return "raised"
    if outcome.end == "timed_out":
        return "timed_out"
    if not pick(outcome, ScriptFacts):
        return "crashed"
    return "found" if findings else "clean"


def _read_others(facts: ScriptFacts | None, file: Path) -> Iterator[tuple[str, str]]:
    """Yield the learner's other files that the script ran."""
    for name in facts.files if facts else ():
        if name != str(file):
            with suppress(TutorError):
                yield name, workspace.read(Path(name)).text


@contextmanager
def _interrupts_left_to_the_script() -> Iterator[None]:
    """Ctrl-C reaches the script, which shares our terminal; we wait for what it does with it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
