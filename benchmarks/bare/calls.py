"""Makes the calls of a lesson's checks as a person would write them, with jax alone.

    python calls.py LESSON_FOLDER FUNCTION FILE [--warm]

The function of FILE is traced, compiled and called on every example and hidden case, and every
property of `checks.py` is computed. Nothing is compared, reported or drawn. With --warm, jax is
first used on something else; then `ready` is printed, a line is awaited, and the ms of the calls
alone are printed.
"""

from __future__ import annotations

import functools
import inspect
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Step = tuple[str, Callable[[], Any]]

# Each word of `checks.py`, with the names of its arguments in order.
WORDS = {
    "Traces": "calls times probes name says",
    "NoLeak": "calls under name says",
    "Gradient": "calls argnums finite name says",
    "Vmap": "calls in_axes name says",
    "Types": "calls weak name says",
    "SameSize": "calls factor name says",
    "Uses": "calls primitives name says",
    "Avoids": "calls primitives name says",
    "LargestIntermediate": "calls at_most name says",
    "NoConstants": "calls at_most name says",
    "Finite": "calls gradient argnums name says",
    "KeysOnce": "calls name says",
    "Sharded": "calls name says",
    "Untouched": "calls name says",
    "Custom": "name says test calls",
}
DEFAULTS = {
    "under": ("jit", "grad", "vmap"),
    "argnums": 0,
    "in_axes": 0,
    "gradient": False,
    "calls": (),
}


class Call:
    """The arguments of one call."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs

    def gives(self, answer: Any) -> Call:
        """Ignore the stated answer."""
        del answer
        return self

    def when(self, reason: str) -> Call:
        """Ignore what is special about the call."""
        del reason
        return self


class Wanted(SimpleNamespace):
    """One property with its arguments."""

    word: str


def read(folder: Path) -> ModuleType:
    """Run a lesson's `checks.py`, with plain classes in place of jaxtutor's."""
    words = ModuleType("jaxtutor.core.vocabulary")
    words.Call = Call  # type: ignore[attr-defined]
    for name, fields in WORDS.items():
        setattr(words, name, _word(name, fields.split()))
    for name in ("jaxtutor", "jaxtutor.core"):
        sys.modules[name] = ModuleType(name)
    sys.modules[words.__name__] = words
    checks = ModuleType("checks")
    checks.__file__ = str(folder / "checks.py")
    sys.modules["checks"] = checks
    source = (folder / "checks.py").read_text(encoding="utf-8")
    exec(compile(source, checks.__file__, "exec", dont_inherit=True), checks.__dict__)
    return checks


def _word(word: str, fields: list[str]) -> Callable[..., Wanted]:
    def make(*args: Any, **kwargs: Any) -> Wanted:
        return Wanted(word=word, **{**DEFAULTS, **dict(zip(fields, args, strict=False)), **kwargs})

    return make


def load(file: Path) -> ModuleType:
    """Run a submission as a separate module."""
    module = ModuleType("submission")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), module.__dict__)
    return module


def steps(checks: ModuleType, module: Any, function: str) -> Iterator[Step]:
    """Yield the names and functions of the steps for a submission, in order."""
    subject = getattr(checks, "subject", lambda learner: getattr(learner, function))
    return Lesson(checks, subject(module)).steps()


class Lesson:
    """The calls of one function that a lesson makes."""

    def __init__(self, checks: ModuleType, function: Callable[..., Any]) -> None:
        self.checks = checks
        self.function = function
        self.static = tuple(getattr(checks, "STATIC", ()))
        self.jits = getattr(checks, "JIT", True)
        self.compiled = self.jit(function) if self.jits else function

    def jit(self, function: Callable[..., Any]) -> Any:
        """Compile with the lesson's static arguments."""
        return jax.jit(function, static_argnames=self.static or None)

    def steps(self) -> Iterator[Step]:
        """Yield the steps: the program, the calls, and each property."""
        examples = _calls(getattr(self.checks, "EXAMPLES", ()))
        hidden = getattr(self.checks, "hidden", None)
        cases = [*examples, *(map(_to_device, hidden(np.random.default_rng(0))) if hidden else ())]
        if self.jits:
            yield "jaxpr", lambda: self.jaxpr(examples[0])
        for index, case in enumerate(cases):
            yield f"case {index}", functools.partial(self.call, case)
        for index, wanted in enumerate(getattr(self.checks, "PROPERTIES", ())):
            yield f"{wanted.word} {index}", functools.partial(self.measure, wanted)

    def measure(self, wanted: Wanted) -> Any:
        """Compute one property."""
        if wanted.word == "Custom":
            return wanted.test(self.function)
        calls = _calls(wanted.calls)
        if wanted.word == "Traces" and self.jits:
            return self.traces(calls)
        return [self.measure_call(wanted, call) for call in calls]

    def measure_call(self, wanted: Wanted, call: Call) -> Any:
        """Compute one property for one call."""
        match wanted.word:
            case "Gradient":
                return self.gradient(call, wanted.argnums)
            case "Vmap":
                return self.mapped(call, wanted.in_axes)
            case "Finite":
                gradient = self.gradient(call, wanted.argnums) if wanted.gradient else None
                return self.call(call), gradient
            case "NoLeak":
                return [self.trace_under(call, name) for name in wanted.under]
            case "KeysOnce":
                return self.use_keys(call)
            case "Traces" | "Sharded":
                return self.call(call)
            case "Types" if not self.jits:
                return self.call(call)
            case _:
                return self.jaxpr(call)

    def call(self, call: Call) -> Any:
        """Call the function and wait for the result."""
        return jax.block_until_ready(self.compiled(*call.args, **call.kwargs))

    def jaxpr(self, call: Call) -> int:
        """Trace a call and return the number of equations."""
        static = tuple(i for i, name in enumerate(self._names(call)) if name in self.static)
        make = jax.make_jaxpr(self.function, static_argnums=static)
        return len(make(*self._bound(call).args, **self._bound(call).kwargs).jaxpr.eqns)

    def traces(self, calls: list[Call]) -> int:
        """Count the traces over the calls."""
        times = 0

        @functools.wraps(self.function)  # its signature defines the static arguments
        def counted(*args: Any, **kwargs: Any) -> Any:
            nonlocal times
            times += 1
            return self.function(*args, **kwargs)

        compiled = self.jit(counted)
        for call in calls:
            compiled.eval_shape(*call.args, **call.kwargs)
        return times

    def gradient(self, call: Call, argnums: int | tuple[int, ...]) -> Any:
        """Pull a cotangent back, compiled."""
        function, moving = self._of(call, (argnums,) if isinstance(argnums, int) else argnums)

        def pull_back(*values: Any) -> Any:
            answer, pull = jax.vjp(function, *values)
            return pull(jax.tree.map(_cotangent, answer))

        return jax.block_until_ready(jax.jit(pull_back)(*moving))

    def mapped(self, call: Call, in_axes: Any) -> Any:
        """Call the function batched, compiled."""
        moving = self._moving(call)
        function, values = self._of(call, moving)
        axes = tuple(in_axes[i] for i in moving) if isinstance(in_axes, tuple) else in_axes
        return jax.block_until_ready(jax.jit(jax.vmap(function, in_axes=axes))(*values))

    def trace_under(self, call: Call, name: str) -> object:
        """Trace a call under a transformation."""
        if name == "jit":
            return self.jaxpr(call)
        if name == "grad":
            args = self._bound(call).args
            function, values = self._of(
                call, tuple(i for i in self._moving(call) if _is_inexact(args[i]))
            )

            def total(*moved: Any) -> Any:
                leaves = jax.tree.leaves(function(*moved))
                return sum((jnp.sum(x) for x in leaves if _is_inexact(x)), jnp.float32(0))

            moved = tuple(range(len(values)))
            return str(jax.eval_shape(jax.grad(total, argnums=moved), *values))
        function, values = self._of(call, self._moving(call))
        double = jax.tree.map(lambda leaf: jnp.stack([leaf] * 2), values)
        return str(jax.eval_shape(jax.vmap(function), *double))

    def use_keys(self, call: Call) -> Any:
        """Call the function with jax's key-reuse checker on."""
        args, kwargs = jax.tree.map(_typed_key, (call.args, call.kwargs))

        @functools.wraps(self.function)
        def again(*values: Any, **named: Any) -> Any:
            return self.function(*values, **named)

        with jax.debug_key_reuse(True), jax.enable_custom_prng(True):
            return self.jit(again)(*args, **kwargs)

    def _bound(self, call: Call) -> Any:
        return inspect.signature(self.function).bind(*call.args, **call.kwargs)

    def _names(self, call: Call) -> list[str]:
        return list(inspect.signature(self.function).parameters)[: len(self._bound(call).args)]

    def _moving(self, call: Call) -> tuple[int, ...]:
        return tuple(i for i, name in enumerate(self._names(call)) if name not in self.static)

    def _of(self, call: Call, argnums: tuple[int, ...]) -> tuple[Callable[..., Any], list[Any]]:
        bound = self._bound(call)

        def function(*moving: Any) -> Any:
            full = list(bound.args)
            for index, value in zip(argnums, moving, strict=True):
                full[index] = value
            return self.function(*full, **bound.kwargs)

        return function, [bound.args[index] for index in argnums]


def _calls(calls: Any) -> list[Call]:
    return [_to_device(call) for call in (calls() if callable(calls) else calls)]


def _to_device(call: Call) -> Call:
    args, kwargs = jax.tree.map(
        lambda leaf: jax.device_put(leaf) if isinstance(leaf, np.ndarray) else leaf,
        (call.args, call.kwargs),
        is_leaf=lambda leaf: leaf is None,
    )
    return Call(*args, **kwargs)


def _is_inexact(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(
        hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.inexact) for leaf in leaves
    )


def _cotangent(leaf: Any) -> Any:
    if not jnp.issubdtype(jnp.result_type(leaf), jnp.inexact):
        return np.zeros(jnp.shape(leaf), jax.dtypes.float0)
    return jnp.ones(jnp.shape(leaf), jnp.result_type(leaf))


def _typed_key(leaf: Any) -> Any:
    """Return a new typed key for a key, because the checker remembers which were used."""
    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        data = jax.random.key_data(leaf)
        return jax.random.wrap_key_data(data, impl=jax.random.key_impl(leaf))
    is_raw = isinstance(leaf, jax.Array) and leaf.dtype == jnp.uint32 and leaf.shape[-1:] == (2,)
    return jax.random.wrap_key_data(leaf) if is_raw else leaf


def warm_up() -> None:
    """Use jax once, so that its lazy imports and initialisation are done."""
    x = jnp.asarray(np.ones((3, 7), np.float32))

    def small(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, jnp.sin(x), 0.0).sum()

    jax.make_jaxpr(small)(x)
    jax.jit(jax.grad(small))(x).block_until_ready()
    jax.jit(jax.vmap(small))(x).block_until_ready()


def main() -> None:
    """Make the calls once."""
    folder, function, file = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    if "--warm" in sys.argv:
        warm_up()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
    started = time.perf_counter()
    with suppress(Exception) if "--warm" in sys.argv else nullcontext():  # a mistake may raise
        for _, step in steps(read(folder), load(file), function):
            step()
    sys.stdout.write(f"{(time.perf_counter() - started) * 1e3:.3f}\n")


if __name__ == "__main__":
    main()
