"""Owns the floor that a check is measured against: jax doing the same calls, and nothing else.

    python benchmarks/floor.py LESSON_FOLDER FUNCTION [--warm]

Runs the lesson's solution: traces it, compiles it, calls it on every case, and makes the calls that
each property asks for. Nothing is compared, reported or drawn. With --warm jax is used once before,
and the seconds of the calls alone are printed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import jax

from jaxtutor.core import vocabulary as words
from jaxtutor.worker import lesson, submission
from jaxtutor.worker.bench import Bench, Counter


def main() -> None:
    """Do the calls once."""
    folder, function = Path(sys.argv[1]), sys.argv[2]
    if "--warm" in sys.argv:
        from jaxtutor.worker import warm

        warm.up()
    started = time.perf_counter()
    spec = lesson.load(str(folder), function, 0)
    file = folder / "solution.py"
    module = submission.load(file.read_text(), str(file))
    bench = Bench(spec.subject(module), spec.static, spec.jit)
    if spec.jit:
        bench.jaxpr(spec.examples[0])
    for call in (*spec.examples, *spec.hidden):
        bench.call(call)
    for wanted in spec.properties:
        make_calls(wanted, bench)
    sys.stdout.write(f"{time.perf_counter() - started:.4f}\n")


def make_calls(wanted: words.Property, bench: Bench) -> None:
    """Make the calls of one property."""
    calls = lesson.make_calls(wanted.calls)
    if isinstance(wanted, words.Custom):
        wanted.test(bench.function)
        return
    if isinstance(wanted, words.Traces) and bench.jits:
        compiled = bench.jit(Counter(bench.function).function)
        for call in calls:
            compiled.eval_shape(*call.args, **call.kwargs)
        return
    for call in calls:
        match wanted:
            case words.Gradient(argnums=argnums):
                jax.block_until_ready(bench.gradient(call, argnums)())
            case words.Vmap(in_axes=in_axes):
                jax.block_until_ready(bench.mapped(call, in_axes)())
            case words.Traces() | words.Finite() | words.Sharded() | words.KeysOnce():
                bench.call(call)
            case words.NoLeak():
                gradient, moving = bench.scalar_gradient(call)
                gradient(*moving)
            case _:
                bench.jaxpr(call)


main()
