"""Calls, compiles, traces, batches and differentiates the function of a submission.

Everything that needs to know which arguments are static is in this module.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call
from jaxtutor.worker.devices import exact_products
from jaxtutor.worker.precompile import PendingProgram, Precompiler

Function = Callable[..., Any]


class Gradients(NamedTuple):
    """The gradients of one call, and the answer that came with them.

    `plain` is that of the sum of the answer: what a learner would compute. `weighted` is that of a
    sum weighted by `cotangent`, which also tells outputs apart that a plain sum mixes up; None for
    an answer of one number. `primal` is the answer: a rule of the function's own may return another
    one under differentiation.
    """

    plain: Any
    weighted: Any
    primal: Any


class TestedFunction:
    """A function with the names of its static arguments.

    `jits` is False for a function that compiles itself or is not an array function: it is then
    called as it is.
    """

    def __init__(self, function: Function, static: tuple[str, ...], jits: bool) -> None:
        self.function = function
        self.static = static
        self.jits = jits
        self.ahead = Precompiler()
        self._programs: dict[object, Any] = {}
        self.compiled = self.jit(function) if jits else function

    def jit(self, function: Function) -> Function:
        """Compile with the lesson's static arguments."""
        compiled: Function = jax.jit(function, static_argnames=self.static or None)
        return compiled

    def call(self, call: Call) -> Any:
        """Call it as a learner would, and wait for the answer."""
        return self.program(call)()

    def program(self, call: Call) -> PendingProgram:
        """Return the call, to be compiled ahead."""
        return PendingProgram(self.ahead, self.compiled, call.args, call.kwargs)

    def positional(self, call: Call) -> tuple[tuple[Any, ...], dict[str, Any], tuple[int, ...]]:
        """Return the arguments in order, those that only go by keyword, and which are static."""
        parameters = inspect.signature(self.function)
        bound = parameters.bind(*call.args, **call.kwargs)
        names = list(parameters.parameters)[: len(bound.args)]
        static = tuple(index for index, name in enumerate(names) if name in self.static)
        return bound.args, bound.kwargs, static

    def jaxpr(self, call: Call) -> tuple[Any, Any]:
        """Trace as `jax.make_jaxpr` does; return the closed jaxpr and the answer's structure.

        JAX keeps the trace, and compiles it when the call comes.
        """
        if self.jits:
            compiled: Any = self.compiled
            with exact_products():
                traced = compiled.trace(*call.args, **call.kwargs)
            return traced.jaxpr, jax.tree.structure(traced.out_info)
        return self.jaxpr_anew(call)

    def jaxpr_anew(self, call: Call) -> tuple[Any, Any]:
        """Trace although it may have been traced before."""
        args, kwargs, static = self.positional(call)
        function = TraceCounter(self.function).function
        make = jax.make_jaxpr(function, static_argnums=static, return_shape=True)
        jaxpr, shape = make(*args, **kwargs)
        return jaxpr, jax.tree.structure(shape)

    def closed(self, call: Call, argnums: tuple[int, ...]) -> tuple[Function, tuple[Any, ...]]:
        """Return the function of `argnums` alone, the other arguments fixed."""
        args, kwargs, _ = self.positional(call)

        def of_these(*moving: Any) -> Any:
            full = list(args)
            for index, value in zip(argnums, moving, strict=True):
                full[index] = value
            return self.function(*full, **kwargs)

        of_these.__name__ = getattr(self.function, "__name__", "f")
        return of_these, tuple(args[index] for index in argnums)

    def gradient(self, call: Call, argnums: int | tuple[int, ...]) -> PendingProgram:
        """Return the program of the gradient, which also returns the answer."""

        def differentiate(call: Call) -> Gradients:
            of_these, values = self.closed(call, moving)
            answer, pull = jax.vjp(of_these, *values)
            plain, weighted = pull(jax.tree.map(_ones, answer)), None
            if [jnp.shape(leaf) for leaf in jax.tree.leaves(answer)] != [()]:
                weighted = pull(jax.tree.map(cotangent, answer))
            if isinstance(argnums, int):
                plain, weighted = plain[0], weighted[0] if weighted is not None else None
            return Gradients(plain, weighted, answer)

        moving = (argnums,) if isinstance(argnums, int) else argnums
        return self._program(("gradient", argnums), call, moving, differentiate)

    def pull_back(
        self, call: Call, argnums: int | tuple[int, ...]
    ) -> tuple[Function, tuple[Any, ...]]:
        """Return the vector-Jacobian product for a fixed cotangent, and its arguments."""
        of_these, moving = self.closed(call, (argnums,) if isinstance(argnums, int) else argnums)

        def pull_back(*values: Any) -> Any:
            answer, pull = jax.vjp(of_these, *values)
            gradients = pull(jax.tree.map(cotangent, answer))
            return gradients[0] if isinstance(argnums, int) else gradients

        return pull_back, moving

    def scalar_gradient(self, call: Call) -> tuple[Function, tuple[Any, ...]]:
        """Return the gradient of the summed answer, in the arguments that have one."""
        args, _, static = self.positional(call)
        argnums = tuple(
            index for index, arg in enumerate(args) if index not in static and _is_inexact(arg)
        )
        of_these, moving = self.closed(call, argnums)

        def total(*values: Any) -> Any:
            leaves = jax.tree.leaves(of_these(*values))
            return sum((jnp.sum(leaf) for leaf in leaves if _is_inexact(leaf)), jnp.float32(0))

        return jax.grad(total, argnums=tuple(range(len(moving)))), moving

    def mapped(self, call: Call, in_axes: Any) -> PendingProgram:
        """Return the batched, compiled call.

        Static arguments are fixed outside `vmap`; in a tuple of axes theirs is passed over.
        """
        args, _, static = self.positional(call)
        argnums = tuple(index for index in range(len(args)) if index not in static)
        axes = tuple(in_axes[i] for i in argnums) if isinstance(in_axes, tuple) else in_axes

        def batch(call: Call) -> Any:
            of_these, moving = self.closed(call, argnums)
            return jax.vmap(of_these, in_axes=axes)(*moving)

        return self._program(("vmap", axes), call, argnums, batch)

    def _program(
        self, kind: object, call: Call, moving: tuple[int, ...], work: Callable[[Call], Any]
    ) -> PendingProgram:
        """Return what `work` makes of a call, compiled once for all calls of one shape.

        A function that compiles itself may need its arguments as they are: it gets all but those
        in the places of `moving` so, and such a program serves one call.
        """
        args, kwargs, static = self.positional(call)
        places = [n for n in range(len(args)) if (n not in static if self.jits else n in moving)]
        fixed = {k: v for k, v in kwargs.items() if k in self.static or not self.jits}
        given = {n: args[n] for n in places}
        named = {k: v for k, v in kwargs.items() if k not in fixed}

        def compute(given: dict[int, Any], named: dict[str, Any]) -> Any:
            full = (given.get(n, arg) for n, arg in enumerate(args))
            return work(Call(*full, **fixed, **named))

        compiled = jax.jit(compute)
        if self.jits:
            # A static argument is hashable, or the call itself has failed.
            values = (*(args[n] for n in static), *fixed.values())
            key = kind, tuple(fixed), values, tuple(map(type, values))
            compiled = self._programs.setdefault(key, compiled)
        return PendingProgram(self.ahead, compiled, (given, named))


def cotangent(leaf: Any) -> Any:
    """Return a cotangent of varied entries between -1 and 1, or the empty one of an integer."""
    if not jnp.issubdtype(jnp.result_type(leaf), jnp.inexact):
        return np.zeros(jnp.shape(leaf), jax.dtypes.float0)
    entries = np.cos(1.0 + np.arange(np.size(leaf), dtype=np.float64)).reshape(jnp.shape(leaf))
    return jnp.asarray(entries, dtype=jnp.result_type(leaf))


def _ones(leaf: Any) -> Any:
    """Return the cotangent of a sum, or the empty one of an integer."""
    dtype = jnp.result_type(leaf)
    if not jnp.issubdtype(dtype, jnp.inexact):
        return np.zeros(jnp.shape(leaf), jax.dtypes.float0)
    return jnp.ones(jnp.shape(leaf), dtype)


def _is_inexact(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(
        hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.inexact) for leaf in leaves
    )


class TraceCounter:
    """Counts how often the body of a function runs; under `jit` that is how often it is traced."""

    def __init__(self, function: Function) -> None:
        self.times = 0

        @functools.wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.times += 1
            return function(*args, **kwargs)

        self.function = counted
