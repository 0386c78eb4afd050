"""Runs mutated programs one after another and checks each diagnosis.

    python -m trials.fuzz.driver FIRST STEP COUNT

Each seed gives a program, for which two lines of JSON are printed: its start and its result.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data import wire
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Event, ObservationFacts, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.requests import CheckRequest
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.engine.propose import propose
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from trials.fuzz import laws
from trials.fuzz.mutate import Random, mutate

ROOT = Path(__file__).resolve().parents[2]
OURS = str(ROOT / "jaxtutor") + os.sep
SECONDS = 8
MEMORY = 8 << 30
CAUSES = Library()

_CALL = """

import jax as _jax
{args}
_module = globals()
_how = {{"jit": lambda g: _jax.jit(g, static_argnames=_module.get("STATIC")), "grad": _jax.grad,
        "vmap": lambda g: _jax.vmap(g, in_axes=_module.get("IN_AXES", 0))}}
_g = _how.get(_module.get("TRANSFORM", "jit"), lambda g: g)(f)
for _call in _module.get("CALLS") or [_module["ARGS"]]:
    print(_g(*_call))
"""


def programs() -> list[tuple[str, str, Path | None]]:
    """List the programs to mutate: name, source, and the lesson of a submission."""
    found: list[tuple[str, str, Path | None]] = []
    for folder in (ROOT / "tests" / "programs", ROOT / "tests" / "fixable"):
        found += [(path.stem, path.read_text(), None) for path in sorted(folder.glob("**/*.py"))]
    for case in sorted((ROOT / "tests" / "corpus").iterdir()):
        for name in ("broken.py", "fixed.py"):
            if (case / name).exists():
                called = _CALL.format(args=(case / "args.py").read_text())
                found.append((f"{case.name}/{name}", (case / name).read_text() + called, None))
    for lesson in sorted((ROOT / "lessons").glob("*/[0-9]*")):
        for path in sorted([*lesson.glob("mistakes/*.py"), *lesson.glob("also/*.py")]):
            found.append((f"{lesson.name}/{path.name}", path.read_text(), lesson))
        solution = (lesson / "solution.py").read_text()
        found += 4 * [(f"{lesson.name}/solution.py", solution, lesson)]
    return found


def program(seed: int, among: list[tuple[str, str, Path | None]]) -> tuple[str, str, Path | None]:
    """Return the program of a seed."""
    chance = Random(seed)
    scripts = [item for item in among if item[2] is None]
    name, source, lesson = chance.choice(scripts if chance.random() < 0.7 else among)
    return name, mutate(source, chance), lesson


# ---------------------------------------------------------------- running


class Ended(Exception):
    """The time limit of a program has expired."""


class Run:
    """One program, run as a worker runs it, with its reports."""

    def __init__(self, file: str, source: str, lesson: Path | None) -> None:
        self.file, self.source, self.lesson = file, source, lesson
        self.failure: Failure | None = None
        self.seen: tuple[Observation, ...] = ()
        self.own = 0.0
        self.beyond = 0.0

    def run(self) -> None:
        """Run it within its limits."""
        signal.signal(signal.SIGALRM, _over)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            if self.lesson is None:
                self._run_script()
            else:
                self._check(self.lesson)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _is_own(self, file: str) -> bool:
        return file == self.file

    def _run_script(self) -> None:
        from jaxtutor.worker import sources
        from jaxtutor.worker.failures import failure
        from jaxtutor.worker.watching import instrument

        sources.keep(self.file, self.source)
        names: dict[str, Any] = {"__name__": "__main__", "__file__": self.file}
        began = time.process_time()
        with instrument.Instrumentation(self._is_own) as seen:
            try:
                exec(compile(self.source, self.file, "exec", dont_inherit=True), names)
            except BaseException as error:  # it may raise anything
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.own, began = time.process_time() - began, time.process_time()
                self.failure = failure.describe(error, self._is_own)
            else:
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.own, began = time.process_time() - began, time.process_time()
                self.seen = seen.observations()
        self.beyond = time.process_time() - began
        self._send(ScriptFacts(1, (), (), self.failure))
        for observation in self.seen:
            self._send(ObservationFacts(observation))

    def _check(self, lesson: Path) -> None:
        from jaxtutor.content.lesson import Lesson
        from jaxtutor.worker import stages

        info = Lesson(lesson, "1.1", "lesson").info
        request = CheckRequest(str(lesson), info.function, self.file, self.source, 0)
        seen: list[Observation] = []

        def send(event: Event) -> None:
            self._send(event)
            self.failure = getattr(event, "failure", None) or self.failure
            if isinstance(event, ObservationFacts):
                seen.append(event.observation)

        stages.Check(request, send).run()
        self.seen = tuple(seen)

    @staticmethod
    def _send(event: Event) -> None:
        body = wire.encode(b"", event)[4:]
        assert type(wire.read_event(body)) is type(event)


def _over(*_: object) -> NoReturn:
    raise Ended


# ---------------------------------------------------------------- swallowed exceptions


class ExceptionMonitor:
    """Records exceptions that our own code raises and catches, since `except` may hide bugs."""

    def __init__(self) -> None:
        self.swallowed: Counter[str] = Counter()
        self._monitoring = getattr(sys, "monitoring", None)  # not before Python 3.12

    def open(self) -> None:
        """Start recording."""
        if self._monitoring is None:
            return
        tool, events = self._monitoring.DEBUGGER_ID, self._monitoring.events
        self._monitoring.use_tool_id(tool, "fuzz")
        self._monitoring.register_callback(tool, events.EXCEPTION_HANDLED, self._record)
        self._monitoring.set_events(tool, events.EXCEPTION_HANDLED)

    def _record(self, code: Any, offset: int, error: BaseException) -> None:
        if not code.co_filename.startswith(OURS) or isinstance(error, Ended | StopIteration):
            return
        level = error.__traceback__
        while level is not None and level.tb_next is not None:
            level = level.tb_next
        if level is None:
            return
        raised = level.tb_frame.f_code
        if raised.co_filename.startswith(OURS):
            at = f"{raised.co_filename.removeprefix(OURS)}:{level.tb_lineno} {raised.co_name}"
            caught = f"{code.co_filename.removeprefix(OURS)} {code.co_name}"
            self.swallowed[f"{type(error).__name__} at {at}, caught in {caught}"] += 1


# ---------------------------------------------------------------- checking


def look(run: Run) -> tuple[dict[str, Any], list[str]]:
    """Diagnose a program's result and propose fixes. Return what cannot be right."""
    sources = {run.file: run.source}
    began = time.process_time()
    found: list[Diagnosed] = []
    if run.failure is not None:
        raised = diagnose(run.failure, sources, CAUSES, run.seen)
        found += [raised] if raised is not None else []
    else:
        found += find(run.seen, sources, CAUSES)
    patches = [patch for one in found for patch in propose(one)]
    made = [one.diagnosis for one in found]
    beyond = run.beyond + time.process_time() - began
    wrong = [text for one in made for text in _wrong(one, sources)]
    wrong += [
        f"a fix of {made[0].cause}: {text}"
        for patch in patches
        for text in laws.wrong_in_patch(patch, run.source)
    ]
    if beyond > 1:
        wrong.append(f"it took {beyond:.2f} s more than the program's {run.own:.2f} s")
    said = {"causes": [one.cause for one in made], "fixes": len(patches), "beyond": beyond}
    said["class"] = run.failure.error_class if run.failure else None
    return said, wrong


def _wrong(one: Diagnosis, sources: Mapping[str, str]) -> Iterator[str]:
    for text in (*laws.wrong_in_diagnosis(one, sources), *laws.wrong_on_pages(one, sources)):
        yield f"{one.cause or one.error_class}: {text}"


def attempt(seed: int, among: list[tuple[str, str, Path | None]]) -> dict[str, Any]:
    """Run the program of a seed and check it."""
    name, source, lesson = program(seed, among)
    file = f"/tmp/fuzz_{seed}.py"
    said: dict[str, Any] = {"seed": seed, "name": name, "lesson": lesson is not None}
    broken = find_syntax_error(source, file)
    wrong: list[str] = []
    try:
        if broken is not None:
            found = diagnose_syntax(broken, source)
            wrong += laws.wrong_on_pages(found, {file: source}) if found else []
            return {**said, "class": "syntax", "wrong": wrong}
        run = Run(file, source, lesson)
        try:
            run.run()
        except Ended:
            return {**said, "class": "ended", "wrong": []}
        facts, wrong = look(run)
        return {**said, **facts, "wrong": wrong}
    except Exception:  # an exception of our own code is a result
        return {**said, "class": "escaped", "wrong": [traceback.format_exc()[-1800:]]}


def main() -> None:
    """Run the programs of some seeds."""
    first, step, count = map(int, sys.argv[1:4])
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    out = os.fdopen(os.dup(1), "w")
    with contextlib.suppress(OSError):
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
    os.environ["JAX_NUM_CPU_DEVICES"] = "8"
    import jax

    among = programs()
    monitor = ExceptionMonitor()
    monitor.open()
    for seed in range(first, first + step * count, step):
        print(json.dumps({"begins": seed}), file=out, flush=True)
        monitor.swallowed.clear()
        said = attempt(seed, among)
        said["swallowed"] = dict(monitor.swallowed)
        print(json.dumps(said), file=out, flush=True)
        if seed // step % 20 == 0:
            jax.clear_caches()
            gc.unfreeze()
            gc.collect()
        gc.freeze()  # a worker's scan for leaks searches the values of one program only
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
