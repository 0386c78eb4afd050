"""Runs the stages of a check in order, and reports the facts of each.

import → function → jaxpr → jit → values → leaks → properties. A stage that fails ends the check:
what depends on it would only repeat it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from time import perf_counter
from types import CodeType, ModuleType
from typing import Any

from jaxtutor.core.data.facts import (
    CaseFacts,
    Cost,
    EagerFacts,
    Event,
    FunctionProblem,
    LessonFault,
    MissingFunction,
    NotCallable,
    ObservationFacts,
    Peeked,
    Replaced,
    StageFacts,
    Started,
    TraceFacts,
    WrongSignature,
)
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import LeakedTracer, NoneReturned
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.data.requests import CheckRequest
from jaxtutor.core.vocabulary import Call
from jaxtutor.worker import (
    checks,
    compilation_cache,
    exporting,
    jaxprs,
    leaks,
    lesson,
    positions,
    submission,
    values,
)
from jaxtutor.worker.failures import failure
from jaxtutor.worker.precompile import begin_all
from jaxtutor.worker.solution_audit import SolutionAudit
from jaxtutor.worker.subject import TestedFunction
from jaxtutor.worker.tamper_check import OriginalNames
from jaxtutor.worker.watching.effects_watch import EffectsWatch

Send = Callable[[Event], None]


class StageFailed(Exception):
    """A stage failed and was reported; there is nothing further to do."""


class Check:
    """One check of one submission, reporting as it goes."""

    def __init__(self, request: CheckRequest, send: Send) -> None:
        self.request = request
        self.send = send
        self.intact = OriginalNames()
        self.intact.guard("jaxtutor.worker.stages.Check()", self)

    def run(self) -> None:
        """Carry out all stages, or those up to the first that fails."""
        if self.request.programs:
            compilation_cache.keep_in(self.request.programs)
        spec = self._load_lesson()
        if spec is None:
            return
        peeking = SolutionAudit(self.request.lesson_dir, self.request.file)
        try:
            self._run_stages(spec)
        except StageFailed:
            return
        finally:
            self._restore()
            if peeking.seen:
                self.send(Peeked())

    def _run_stages(self, spec: lesson.Spec) -> None:
        with self.stage("import"):
            module = self._load()
        tested = self._find_function(spec, module)
        with EffectsWatch(self.is_own) as watch:
            self._call(spec, tested)
        for seen in watch.seen:
            self.send(ObservationFacts(seen))
        self._look_for_leaks()
        self._measure_properties(spec, tested)
        if spec.jit:
            self._estimate_cost(tested, spec.examples[0])
        if spec.jit and self.request.export:
            self.send(exporting.export_programs(spec, tested))

    def _call(self, spec: lesson.Spec, tested: TestedFunction) -> None:
        """Trace the first example, then call them all, and the hidden cases."""
        first = spec.examples[0]
        if spec.jit:
            with self.stage("jaxpr", tested, first):
                jaxpr, _ = tested.jaxpr(first)
            self.send(TraceFacts(jaxprs.convert(jaxpr, self.request.file)))
        with self.stage("jit", tested, first):
            answer = tested.call(first)
            self._report_case(tested, first, True, answer)
        if answer is None and first.stated is not None:
            self._note_missing_answer(tested)
        self._run_cases(spec, tested)

    def _load(self) -> ModuleType:
        """Run the submission's file; names that it replaced are restored before anything else."""
        request = self.request
        is_intact = False
        try:
            module = submission.load(request.source, request.file)
        finally:
            is_intact = self._restore()
        if not is_intact:
            raise StageFailed
        return module

    def _restore(self) -> bool:
        """Restore and report what the submission replaced. Return whether nothing was."""
        names = self.intact.restore()
        if names:
            self.send(Replaced(names))
        return not names

    def _load_lesson(self) -> lesson.Spec | None:
        request = self.request
        try:
            return lesson.load(request.lesson_dir, request.function, request.seed)
        except BaseException as error:  # a broken lesson must not look like the learner's fault
            fault = failure.describe(error, lambda file: file.startswith(request.lesson_dir))
            self.send(LessonFault(f"checks.py: {type(error).__name__}: {error}"[:500], fault))
            return None

    def describe(self, error: BaseException) -> Failure:
        """Describe what the submission raised."""
        return failure.describe(error, self.is_own)

    def is_own(self, file: str) -> bool:
        """Return whether a file is the submission's: itself, or one in its folder."""
        folder = str(Path(self.request.file).parent)
        return file == self.request.file or file.startswith(folder + "/")

    @contextmanager
    def stage(
        self, name: str, tested: TestedFunction | None = None, call: Call | None = None
    ) -> Iterator[None]:
        """Report one stage; what the submission raises ends the check.

        With a function and a call, a failure under `jit` is followed by a run without it.
        """
        self.send(Started(name))
        started = perf_counter()
        try:
            yield
        except StageFailed:
            raise
        except BaseException as error:  # around the submission: it may raise anything at all
            described = self.describe(error)
            self.send(StageFacts(name, perf_counter() - started, described))
            if tested is not None and call is not None:
                self._try_eagerly(tested, call)
            raise StageFailed from None
        self.send(StageFacts(name, perf_counter() - started))

    def _try_eagerly(self, tested: TestedFunction, call: Call) -> None:
        if not tested.jits:  # it was not compiled
            return
        self.send(Started("eager"))
        try:
            tested.function(*call.args, **call.kwargs)
        except BaseException:  # it fails without jit too, and that is the answer
            self.send(EagerFacts(works=False))
        else:
            self.send(EagerFacts(works=True))

    def _find_function(self, spec: lesson.Spec, module: ModuleType) -> TestedFunction:
        name = self.request.function
        started = perf_counter()
        with self.stage("function"):
            found = getattr(module, name, None)
            if not callable(found):
                self._reject(MissingFunction(name, tuple(_own_callables(module))), started)
            function = spec.subject(module)
            if not callable(function):
                self._reject(NotCallable(name, values.to_atom(function).text), started)
            misfit = _misfit(function, spec.examples[0])
            if misfit:
                self._reject(WrongSignature(f"{name}{misfit[0]}", misfit[1]), started)
            return TestedFunction(function, spec.static, spec.jit)

    def _reject(self, problem: FunctionProblem, started: float) -> None:
        self.send(StageFacts("function", perf_counter() - started, problem=problem))
        raise StageFailed

    def _run_cases(self, spec: lesson.Spec, tested: TestedFunction) -> None:
        started = perf_counter()
        self.send(Started("values"))
        visible = len(spec.examples)
        others = (*spec.examples[1:], *spec.hidden)
        programs = [tested.program(call) for call in others]
        if tested.jits:
            begin_all(programs)
        for index, (call, program) in enumerate(zip(others, programs, strict=True), 1):
            inputs = values.describe_call(tested.function, call.args, call.kwargs)
            self.send(Started("values", inputs))  # names the call, if it never ends
            try:
                self._report_case(tested, call, index < visible, program())
            except BaseException as error:  # the submission runs in here
                described = self.describe(error)
                facts = CaseFacts(inputs, index < visible, None, None, described, call.reason)
                self.send(facts)
                self.send(StageFacts("values", perf_counter() - started, described))
                self._try_eagerly(tested, call)
                raise StageFailed from None
        self.send(StageFacts("values", perf_counter() - started))

    def _report_case(self, tested: TestedFunction, call: Call, visible: bool, answer: Any) -> None:
        inputs = values.describe_call(tested.function, call.args, call.kwargs)
        stated = None if call.stated is None else values.to_tree(lesson.to_answer(call.stated))
        arguments = values.small_arguments(tested.function, call.args, call.kwargs)
        answered = values.to_tree(answer)
        self.send(CaseFacts(inputs, visible, answered, stated, None, call.reason, arguments))

    def _note_missing_answer(self, tested: TestedFunction) -> None:
        """Say which function gave None where the example states an answer."""
        code = None
        with suppress(ValueError):  # it says that it wraps itself
            code = getattr(inspect.unwrap(tested.function), "__code__", None)
        if code is not None and code.co_filename == self.request.file:
            span = positions.whole_line(code.co_filename, code.co_firstlineno)
            frame = Frame(code.co_filename, code.co_name, span)
            self.send(ObservationFacts(NoneReturned(frame=frame)))

    def _look_for_leaks(self) -> None:
        self.send(Started("leaks"))
        started = perf_counter()
        for leak in leaks.live_leaks():
            self.send(ObservationFacts(LeakedTracer(leak, frame=leak.created)))
        self.send(StageFacts("leaks", perf_counter() - started))

    def _measure_properties(self, spec: lesson.Spec, tested: TestedFunction) -> None:
        self.send(Started("properties"))
        names = frozenset(_code_names(self.request.source, self.request.file))
        try:
            # Side by side are only neighbours: what a slow one keeps waiting would go unsaid.
            for _, neighbours in groupby(checks.in_order(spec.properties), key=checks.has_programs):
                for prepared in [checks.prepare(wanted, tested) for wanted in neighbours]:
                    facts = checks.measure(
                        prepared, tested, names, self.describe, self.request.file
                    )
                    self.send(facts)
                    for seen in checks.look_closer(prepared.wanted, facts, tested, self.is_own):
                        self.send(ObservationFacts(seen))
                    self.send(Started("properties"))  # the tutor may end the check here
        except checks.BrokenCheck as fault:
            self.send(LessonFault(f"checks.py: {fault}"))
            raise StageFailed from None

    def _estimate_cost(self, tested: TestedFunction, call: Call) -> None:
        try:
            compiled: Any = tested.compiled
            analysis = compiled.lower(*call.args, **call.kwargs).cost_analysis() or {}
        except BaseException:  # an estimate is a courtesy; some backends have none
            return
        self.send(Cost(analysis.get("flops", 0.0), analysis.get("bytes accessed", 0.0)))


def _misfit(function: Callable[..., Any], call: Call) -> tuple[str, str] | None:
    """Return the signature and why the arguments do not fit it, if they do not."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None  # no signature to be had: the call itself will tell
    try:
        signature.bind(*call.args, **call.kwargs)
    except TypeError as error:
        return str(signature), str(error)
    return None


def _own_callables(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    ]


def _code_names(source: str, file: str) -> Iterator[str]:
    """Yield the names of every function in the source, as jax reports them when it traces."""
    waiting = [compile(source, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        yield code.co_name
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
