"""Runs programs as a worker would run them: a script that prints facts as JSON.

    python tests/program_runner.py PROGRAM[:ARGS] …
    python tests/program_runner.py -

With `-`, it reads the paths of programs that need no library from standard input, line by line.

Each program has a process of its own, made by one that has imported jax and the libraries that
the programs need: `# needs: flax optax` on a line of its own names them. One line a program comes
out: its path, its failure or null, and what was observed. `ARGS` is a file that says how to call
the program's `f`, as in `corpus/`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import re
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation

BROKEN = "the runner broke"
"""The problem of a program whose process ended before it could report."""

LONGEST = 60
"""Seconds after which a program that does not end is killed; most take less than one."""


class Ran(msgspec.Struct):
    """The result of one program; `problem` if its output was not what ARGS expects.

    `printed` is what Python code of it wrote to standard output.
    """

    path: str
    failure: Failure | None = None
    observations: tuple[Observation, ...] = ()
    problem: str = ""
    printed: str = ""


def run(path: str, args: str) -> Ran:
    """Run one program in this process."""
    from jaxtutor.worker import submission
    from jaxtutor.worker.failures import failure
    from jaxtutor.worker.watching import instrument

    def is_own(file: str) -> bool:
        return file == path

    seen = instrument.Instrumentation(is_own)
    outcome = Ran(path)
    with seen, contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            module = submission.load(Path(path).read_text(), path)
            if args:
                outcome.problem = call_as_told(module, args)
        except BaseException as error:  # a program may raise anything at all
            outcome.failure = failure.describe(error, is_own)
    if outcome.failure is None:
        outcome.observations = seen.observations()
    outcome.printed = printed.getvalue()
    return outcome


def call_as_told(module: ModuleType, args: str) -> str:
    """Call a program's `f` as its ARGS file says; say what is wrong with the answer."""
    import jax

    arguments = {"__name__": "args"}
    exec(compile(Path(args).read_text(), args, "exec"), arguments)
    function = transformed(module.__dict__["f"], arguments)
    calls: Any = arguments.get("CALLS") or [arguments["ARGS"]]
    answers = [jax.block_until_ready(function(*call)) for call in calls]
    answer = answers if "CALLS" in arguments else answers[0]
    return (
        ""
        if "EXPECT" not in arguments or is_as_expected(answer, arguments["EXPECT"])
        else repr(answer)
    )


def transformed(function: Any, arguments: dict[str, Any]) -> Any:
    """Apply the transformation that an ARGS file names."""
    import jax

    match arguments.get("TRANSFORM", "jit"):
        case "jit":
            return jax.jit(function, static_argnames=arguments.get("STATIC"))
        case "grad":
            return jax.grad(function)
        case "vmap":
            return jax.vmap(function, in_axes=arguments.get("IN_AXES", 0))
    return function


def is_as_expected(answer: Any, expect: Any) -> bool:
    """Compare an answer with EXPECT, or ask it."""
    import jax
    import numpy as np

    if callable(expect):
        return bool(expect(answer))
    got, wanted = jax.tree.leaves(answer), jax.tree.leaves(expect)
    return len(got) == len(wanted) and all(
        np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
        for a, b in zip(got, wanted, strict=True)
    )


NEEDS = re.compile(r"^# needs: (.*)$", re.MULTILINE)


def needs_in(source: str) -> tuple[str, ...]:
    """Return the libraries that a program says it needs in addition to jax."""
    named = NEEDS.search(source)
    return tuple(named[1].split()) if named is not None else ()


def needs_of(path: Path) -> tuple[str, ...]:
    """Return the libraries that the program in a file needs in addition to jax."""
    return needs_in(path.read_text())


def run_apart(path: str, args: str) -> bytes:
    """Run one program in a process of its own; give its outcome as JSON."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        signal.alarm(LONGEST)
        with contextlib.suppress(BaseException), Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            prepare(path)
            os.write(writer, msgspec.json.encode(run(path, args)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text or msgspec.json.encode(Ran(path, problem=BROKEN))


def prepare(path: str) -> None:
    """Set the environment that a program of the corpus asks for."""
    case = Path(path).with_name("case.json")
    if case.exists():
        os.environ.update(msgspec.json.decode(case.read_bytes()).get("env") or {})


def main() -> None:
    """Run each program of the command line."""
    # Once, before the processes part. What jax imports at its first array is imported too.
    import jax
    import jaxlib.mlir.dialects.mhlo  # noqa: F401

    import jaxtutor.worker.watching.instrument  # noqa: F401

    jax.config.update("jax_num_cpu_devices", 8)
    if sys.argv[1:] == ["-"]:
        gc.freeze()
        for line in sys.stdin:
            report(run_apart(line.removesuffix("\n"), ""))
        return
    items = [item.partition(":") for item in sys.argv[1:]]
    needs = {path: needs_of(Path(path)) for path, _, _ in items}
    # Those without libraries first: what a library does to jax must not reach them.
    for path, _, args in sorted(items, key=lambda item: needs[item[0]]):
        for name in needs[path]:
            with contextlib.suppress(ImportError):  # the program itself then says so
                importlib.import_module(name)
        gc.freeze()  # so that a program's process does not examine every object of jax
        report(run_apart(path, args))


def report(outcome: bytes) -> None:
    """Write one outcome as a line."""
    sys.stdout.buffer.write(outcome + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
