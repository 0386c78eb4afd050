"""Runs a program as `diagnose` observes it, with one mechanism switched off: PROGRAM [MECHANISM].

Writes the processor time of the run in ms, without that of importing what observes it.
"""

import contextlib
import importlib
import io
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jaxtutor.worker.watching.instrument import Instrumentation
from jaxtutor.worker.watching.wide_values import alone


def nothing(*_: Any, **__: Any) -> None:
    """Do what a mechanism does that is switched off."""


def no(*_: Any, **__: Any) -> bool:
    """Say what a mechanism says that looks for nothing."""
    return False


def yes(*_: Any, **__: Any) -> bool:
    """Say that nothing is left to look at."""
    return True


def not_begun(*_: Any) -> Callable[[], None]:
    """Begin with nothing, and return what ends it."""
    return nothing


def as_it_is(_: Any, original: Any, *__: Any, **___: Any) -> Any:
    """Return a function unchanged."""
    return original


def without(_: Any, original: Callable[[], Any], *__: Any, **___: Any) -> Any:
    """Call a program, and look at nothing."""
    return original()


def in_one_precision(_: Any, __: Any, ___: Any, ____: Any, narrow: Any, *_____: Any) -> list[Any]:
    """Return the results of an operation without their companions."""
    return [alone(out) for out in narrow]


OFF: dict[str, tuple[tuple[str, str, Callable[..., Any]], ...]] = {
    "second evaluation": (("eval_trace.EvaluationTrace", "_evaluate_program", without),),
    "of later calls": (("eval_trace.EvaluationTrace", "_is_sampled", no),),
    "in 64 bits": (("program_walk.ProgramWalk", "_widen", in_one_precision),),
    "single operations": (("eval_trace.EvaluationTrace", "_look_at_eager", nothing),),
    "indices": (("index_watch.IndexWatch", "take", yes),),
    "origins of NaN": (("non_finite.NonFiniteOrigins", "follow", nothing),),
    "effects of branches": (("mapped_branches.MappedBranches", "look", nothing),),
    "ranks": (("ranks.RankWatch", "look", nothing),),
    "whole programs": (("eval_trace.EvaluationTrace", "_look_at_whole", nothing),),
    "keys": (
        ("key_uses.KeyUses", "note_compiled", yes),
        ("key_uses.KeyUses", "note_call", yes),
    ),
    "constant seeds": (
        ("seeded_keys.SeededKeys", "take", nothing),
        ("seeded_keys.SeededKeys", "derive", nothing),
    ),
    "ledger": (("ledger.Ledger", "recorded", as_it_is),),
    "captured values": (("retraces.Retraces", "note_call", nothing),),
    "gradients": (("eval_trace.EvaluationTrace", "look_at_gradient", nothing),),
    "copies on devices": (("eval_trace.EvaluationTrace", "_look_at_copies", nothing),),
    "trees": (
        ("tree_changes.TreeChanges", "look_at_call", nothing),
        ("tree_changes.TreeChanges", "look_at_map", nothing),
    ),
    "answers": (("dropped_answers.DroppedAnswers", "start", not_begun),),
    "eager calls": (("eager_functions.EagerFunctions", "start", not_begun),),
    "clocks": (
        ("clock_reads.ClockReads", "note_read", nothing),
        ("clock_reads.ClockReads", "note_call", nothing),
    ),
    "best values": (("contests.Contests", "take", nothing),),
    "one values": (("one_values.OneValues", "take", nothing),),
    "steps": (("gradient_steps.GradientSteps", "take", nothing),),
}
"""The mechanisms: what of the worker is replaced to switch one off."""


def class_at(path: str) -> Any:
    """Return the class of the worker that a path such as `ranks.RankWatch` names."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"jaxtutor.worker.watching.{module}"), name)


def switch_off(mechanism: str) -> None:
    """Let the methods of a mechanism do nothing, in this process."""
    for path, name, replacement in OFF[mechanism]:
        setattr(class_at(path), name, replacement)


def main(path: str, mechanism: str = "") -> None:
    """Run the program, and write how long it took."""
    if mechanism:
        switch_off(mechanism)
    file = str(Path(path).resolve())
    printed = io.StringIO()
    with Instrumentation(lambda name: name == file) as watch:
        started = time.process_time()
        with contextlib.redirect_stdout(printed):
            runpy.run_path(file, run_name="__main__")
        watch.observations()
        taken = time.process_time() - started
    sys.stdout.write(f"{taken * 1e3:.1f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
