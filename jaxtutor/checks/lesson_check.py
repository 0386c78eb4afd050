"""Checks a submission against a lesson, from source text to verdict."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from jaxtutor import __version__
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data import wire
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Event, Outcome, ProgramAnswers, Started
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.requests import AnswersRequest, CheckRequest
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find, find_endless
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.diagnosis.engine.source import forget_large
from jaxtutor.core.judging.endless_loops import name_loop
from jaxtutor.core.judging.judge import Criteria, find_failed_check, find_fault, judge
from jaxtutor.core.judging.outcomes import observations, pick
from jaxtutor.core.judging.steps import join_steps
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.errors import TutorError
from jaxtutor.processes.environment import refuse_environment
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind, with_devices
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.storage import workspace
from jaxtutor.system.packages import installed_version, library_imports

REFERENCE_SECONDS = 60.0
"""Time limit of a solution, in seconds: generous, since a busy machine is not its fault. How long
it may take on a quiet one is a gate of the lesson."""

ANSWERS_SECONDS = 20.0
"""Time limit of many programs that are run one after the other, in seconds."""

LOOK_SECONDS = 0.05
"""How often a cancelled check is noticed while the solution runs, in seconds."""

OUTCOME_FORMAT = "3"
"""Part of the key of a kept outcome; raise it when what a worker reports changes."""

LARGEST_OUTCOME = 1 << 28
"""Bytes of a kept answer of a solution; a larger one is computed again."""

Wrap = Callable[[Lesson], tuple[str, ...]]
"""Returns the command prefix that confines a lesson's worker."""


def unconfined(lesson: Lesson) -> tuple[str, ...]:
    """Return no prefix: the worker has the rights of this process."""
    del lesson
    return ()


@dataclass(frozen=True)
class Trial:
    """A submission that was run, and what was measured of it and of the solution."""

    lesson: Lesson
    source: str
    file: str
    seed: int
    outcome: Outcome
    reference: Outcome


@dataclass(frozen=True)
class Checker:
    """Checks submissions on one device; caches the solutions' answers in `references`.

    Programs that XLA compiled are cached in `programs`, if given. `behind` is for background
    checks: they take no spare worker and run at a low priority. The person's own settings can
    raise a lesson's limits, and cannot lower them: `time_factor` and `least_memory`, in MiB. With
    `export`, workers also send the programs that gave the answers, so that another process can
    run them. With `stops_early`, a run ends with its first check that fails: its verdict has the
    same checks, but no findings of what comes after, and does not say whether it works without jit.
    """

    runner: Runner
    causes: Mapping[str, Cause]
    references: Path
    device: str | None = None
    wrap: Wrap = unconfined
    programs: Path | None = None
    behind: bool = False
    time_factor: float = 1.0
    least_memory: int = 0
    export: bool = False
    stops_early: bool = False
    turns: defaultdict[Path, threading.Lock] = field(
        default_factory=lambda: defaultdict(threading.Lock)
    )

    def kind(self, lesson: Lesson) -> Kind:
        """Return the kind of worker that a lesson needs. Raises MissingPackages."""
        lesson.require_packages()
        needs = lesson.info.needs
        return Kind(
            with_devices(self.device, needs.devices),
            needs.devices,
            max(needs.memory, self.least_memory),
            behind=self.behind,
            wrap=self.wrap(lesson),
            imports=library_imports(lesson.solution) if needs.packages else (),
        )

    def prepare(self, lesson: Lesson) -> None:
        """Start a worker for the lesson's next check."""
        self.runner.prepare(self.kind(lesson))

    def check(
        self,
        lesson: Lesson,
        source: str,
        file: Path,
        cancel: Cancel | None = None,
        seed: int = 0,
        listen: Listen | None = None,
    ) -> Verdict | None:
        """Check one submission; return None if it was cancelled.

        `listen` gets each event of the submission's run at once.

        A step of a project that passes is also checked for all earlier steps, until one fails.
        Raises TutorError if the environment or the device is at fault.
        """
        tried = self.run(lesson, source, file, cancel, seed, listen)
        verdict = self.judge(tried) if isinstance(tried, Trial) else tried
        if verdict is None or verdict.status != "passed" or not lesson.earlier:
            return verdict
        return self._check_earlier(lesson, verdict, source, file, cancel)

    def _check_earlier(
        self, lesson: Lesson, own: Verdict, source: str, file: Path, cancel: Cancel | None
    ) -> Verdict | None:
        """Check that a step's file still passes all earlier steps."""
        verdicts: list[Verdict] = []
        for step in lesson.earlier:
            tried = self.run(step, source, file, cancel)
            verdict = self.judge(tried) if isinstance(tried, Trial) else tried
            if verdict is None:
                return None
            verdicts.append(verdict)
            if verdict.status != "passed":
                break
        return join_steps(own, [step.info.title for step in lesson.earlier], verdicts)

    def run(
        self,
        lesson: Lesson,
        source: str,
        file: Path,
        cancel: Cancel | None = None,
        seed: int = 0,
        listen: Listen | None = None,
    ) -> Trial | Verdict | None:
        """Run one submission and the solution; return the verdict at once for a syntax error.

        Returns None if it was cancelled. Raises TutorError as `check` does.
        """
        broken = find_syntax_error(source, str(file))
        if broken:
            return syntax_verdict(lesson, broken, source)
        return self.measure(lesson, source, file, cancel, seed, listen)

    def measure(
        self,
        lesson: Lesson,
        source: str,
        file: Path,
        cancel: Cancel | None = None,
        seed: int = 0,
        listen: Listen | None = None,
    ) -> Trial | None:
        """Run a submission that is valid Python, and the solution; return None if cancelled.

        Raises TutorError as `check` does.
        """
        if self.stops_early:
            return self._measure_until_failed(lesson, source, file, seed)
        answer = _Deferred(lambda: self.reference(lesson, seed))
        request = self._request(lesson, source, file, seed)
        seconds = self._criteria(lesson).seconds
        outcome = self.runner.run(request, self.kind(lesson), seconds, cancel, listen)
        refuse_environment(outcome)
        while not answer.wait(LOOK_SECONDS) and not (cancel and cancel.asked):
            pass
        if outcome.end == "cancelled" or (cancel and cancel.asked):
            return None  # the solution's answer is cached for the next check
        return Trial(lesson, source, request.file, seed, outcome, answer.get())

    def _measure_until_failed(self, lesson: Lesson, source: str, file: Path, seed: int) -> Trial:
        """Run the solution, and then a submission as far as the first check that fails."""
        reference, criteria = self.reference(lesson, seed), self._criteria(lesson)
        request = self._request(lesson, source, file, seed)
        with closing(_EndAtFailure(criteria, reference)) as watch:
            outcome = self.runner.run(
                request, self.kind(lesson), criteria.seconds, watch.cancel, watch.listen
            )
        refuse_environment(outcome)
        if outcome.end == "cancelled":
            outcome = replace(outcome, end="finished")
        return Trial(lesson, source, request.file, seed, outcome, reference)

    def judge(self, trial: Trial) -> Verdict:
        """Return the verdict on what was measured, with its diagnosis."""
        verdict = judge(self._criteria(trial.lesson), trial.outcome, trial.reference)
        try:
            seen, sources = observations(trial.outcome), {trial.file: trial.source}
            explained = explain(verdict, seen, sources, self.causes)
        finally:
            forget_large()
        if explained.status == "timed_out" and not explained.findings:
            return name_loop(explained, trial.source, trial.lesson.info.function)
        return explained

    def reference(self, lesson: Lesson, seed: int = 0) -> Outcome:
        """Return the solution's answers, cached or computed now."""
        place = self.references / f"{lesson.slug}-{self.digest(lesson, seed)}.bin"
        with self.turns[place]:  # a second caller waits, then finds the cached answer
            return _kept(place) or self._find_out(lesson, seed, place)

    def renew_reference(self, lesson: Lesson, seed: int = 0) -> Outcome:
        """Compute the solution's answers again, with the time that they take now."""
        place = self.references / f"{lesson.slug}-{self.digest(lesson, seed)}.bin"
        with self.turns[place]:
            return self._find_out(lesson, seed, place)

    def _find_out(self, lesson: Lesson, seed: int, place: Path) -> Outcome:
        """Run the solution, and cache its answers if the lesson is sound."""
        request = self._request(lesson, lesson.solution, lesson.folder / "solution.py", seed)
        outcome = self.runner.run(request, self.kind(lesson), REFERENCE_SECONDS)
        refuse_environment(outcome)
        if not find_fault(self._criteria(lesson), outcome, outcome):
            with suppress(TutorError):  # a full or read-only disk costs only time
                workspace.write_atomically(place, wire.pack_outcome(outcome))
        return outcome

    def answers(
        self, lesson: Lesson, sources: tuple[str, ...], seed: int
    ) -> tuple[tuple[Tree | None, ...], ...]:
        """Return what each of several programs answers to the calls of a lesson.

        Those after one that does not end have no answers.
        """
        file = str(lesson.folder / "solution.py")
        request = AnswersRequest(str(lesson.folder), lesson.info.function, file, sources, seed)
        outcome = self.runner.run(request, self.kind(lesson), ANSWERS_SECONDS)
        return tuple(facts.answers for facts in pick(outcome, ProgramAnswers))

    def _criteria(self, lesson: Lesson) -> Criteria:
        info = lesson.info
        seconds, memory = info.needs.seconds * self.time_factor, self.kind(lesson).memory
        return Criteria(lesson.slug, info.function, info.tolerance, seconds, memory)

    def _request(self, lesson: Lesson, source: str, file: Path, seed: int) -> CheckRequest:
        # Reading it first refuses a FIFO, on which the worker would wait forever.
        lesson.read("checks.py")
        function, programs = lesson.info.function, str(self.programs or "")
        label = wire.spell(str(file))  # a name on disk need not be text
        return CheckRequest(
            str(lesson.folder), function, label, source, seed, programs, self.export
        )

    def digest(self, lesson: Lesson, seed: int) -> str:
        """Return the key of what is measured for a lesson: its files, the seed, jax, the device."""
        parts = [lesson.solution, lesson.read("checks.py"), lesson.read("lesson.toml")]
        parts += [
            str(seed),
            self.device or "",
            __version__,
            OUTCOME_FORMAT,
            installed_version("jax"),
        ]
        parts += ["exported"] if self.export else []
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def explain(
    verdict: Verdict,
    seen: tuple[Observation, ...],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
) -> Verdict:
    """Add a diagnosis of the failure, or findings, and what the source shows beside them."""
    if verdict.failure is not None:
        raised = diagnose(verdict.failure, sources, causes)
        verdict = replace(verdict, diagnosis=raised.diagnosis if raised is not None else None)
    elif verdict.status in ("passed", "failed"):
        failed = {check.name for check in verdict.checks if check.status == "failed"}
        seen = tuple(s for s in seen if s.check in ("", *failed))
        found = find(seen, sources, causes)
        return _with_findings(replace(verdict, observations=seen), found)
    elif verdict.status == "timed_out":
        verdict = replace(verdict, findings=_diagnoses(find_endless(sources, causes)))
    if verdict.status == "lesson_at_fault":
        return verdict
    return _with_beside(verdict, _diagnoses(find((), sources, causes)))


def _diagnoses(found: Iterable[Diagnosed]) -> tuple[Diagnosis, ...]:
    return tuple(it.diagnosis for it in found)


def _with_findings(verdict: Verdict, found: Iterable[Diagnosed]) -> Verdict:
    """Add findings: those that the source shows by itself are not why a submission passes."""
    if verdict.status == "failed":
        return replace(verdict, findings=_diagnoses(found))
    read = [it for it in found if it.rule is not None and it.rule.kind == "read"]
    observed = _diagnoses(it for it in found if it not in read)
    return _with_beside(replace(verdict, findings=observed), _diagnoses(read))


def _with_beside(verdict: Verdict, read: Iterable[Diagnosis]) -> Verdict:
    """Add what the source shows by itself at other lines than those of what is shown already."""
    shown = [it.span.line for it in (verdict.diagnosis, *verdict.findings) if it and it.span]
    beside = tuple(it for it in read if it.span is None or it.span.line not in shown)
    return replace(verdict, beside=beside)


def _kept(place: Path) -> Outcome | None:
    """Return a cached outcome, or None if the file is missing or damaged."""
    try:
        return wire.unpack_outcome(workspace.look(place, LARGEST_OUTCOME)[1])
    except OSError:
        return None


def syntax_verdict(lesson: Lesson, failure: Failure, source: str) -> Verdict:
    """Return the verdict on a submission that is not valid Python."""
    says = f"{failure.error_class}: {failure.message}"
    return Verdict(
        status="raised",
        lesson=lesson.slug,
        headline=says,
        checks=(CheckResult("syntax", "The file is Python.", "failed", 0.0, says),),
        seconds=0.0,
        device="",
        jax_version=installed_version("jax"),
        failure=failure,
        diagnosis=diagnose_syntax(failure, source),
    )


BOUNDARIES = (Started("eager"), Started("properties"))
"""What a worker reports when all that belongs to the check before has been sent."""


class _EndAtFailure:
    """Ends a run after the first check that fails, once all that belongs to it has arrived."""

    def __init__(self, criteria: Criteria, reference: Outcome) -> None:
        self.cancel = Cancel()
        self._criteria = criteria
        self._reference = reference
        self._events: list[Event] = []

    def listen(self, event: Event) -> None:
        """Take an event; where something else begins, look whether a check has failed."""
        self._events.append(event)
        if event in BOUNDARIES and find_failed_check(
            self._criteria, tuple(self._events), self._reference
        ):
            self.cancel()

    def close(self) -> None:
        """Close the pipe of the run that has ended."""
        self.cancel.close()


class _Deferred:
    """A value computed in a thread; an error is raised again by `get`."""

    def __init__(self, work: Callable[[], Outcome]) -> None:
        self._work = work
        self._value: Outcome | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._value = self._work()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that asks
            self._error = error

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`. Return whether the value is ready."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def get(self) -> Outcome:
        """Wait for the value, or raise the error that computing it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._value is not None
        return self._value
