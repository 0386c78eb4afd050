"""Defines the vocabulary in which a lesson's `checks.py` states its requirements.

A lesson imports these, makes calls and lists properties; the worker measures each property on the
submission and on the solution, and `judge` compares. Nothing here runs anything. A function that
makes calls may stand wherever calls do, so that costly arguments are made only when needed.

    EXAMPLES    the calls a learner sees
    hidden(rng) yields the calls a learner does not see; `rng` is a numpy Generator
    PROPERTIES  requirements beyond values
    STATIC      names of arguments that `jax.jit` treats as static
    JIT         False where the submission compiles itself, or works on functions
    subject     how to get from the learner's module to the function that is called
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Call:
    """The arguments of one call. Numpy arrays in them reach the submission as jax arrays."""

    __slots__ = ("args", "kwargs", "reason", "stated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs
        self.stated: Any = None
        self.reason = ""

    def gives(self, answer: Any) -> Call:
        """State the answer, as the page does; the solution is held to it.

        A list of numbers stands for an array.
        """
        self.stated = answer
        return self

    def when(self, reason: str) -> Call:
        """Say what is special about this call, as a noun phrase: "an index below -n".

        A learner whose answer to this call is wrong reads it.
        """
        self.reason = reason
        return self


class Traces(Struct, frozen=True, tag=True):
    """The body is traced `times` times over these calls.

    Where the submission compiles itself (`JIT = False`), `probes` are the names of functions of the
    lesson's own that it compiles; functions of the submission count by themselves.
    """

    calls: Any
    times: int = 1
    probes: tuple[str, ...] = ()
    name: str = "traces-once"
    says: str = "It is traced once for repeated calls with the same shapes and dtypes."


class NoLeak(Struct, frozen=True, tag=True):
    """No tracer outlives the call, under each of these transformations."""

    calls: Any
    under: tuple[str, ...] = ("jit", "grad", "vmap")
    name: str = "leaks"
    says: str = "No tracer is left behind."


class Gradient(Struct, frozen=True, tag=True):
    """The gradient is the reference's, in value, dtype and structure.

    It is the vector-Jacobian product with a fixed cotangent of varied entries, so a function of any
    output shape has one. The answer that comes with it, which a custom rule computes, is compared
    too, unless `primal` is False: right answers may differ where an iteration ends early.
    """

    calls: Any
    argnums: int | tuple[int, ...] = 0
    finite: bool = False
    primal: bool = True
    name: str = "gradient"
    says: str = "Its gradient is right."


class Vmap(Struct, frozen=True, tag=True):
    """Under `jax.vmap` it gives what a Python loop over the batch gives."""

    calls: Any
    in_axes: Any = 0
    name: str = "vmap"
    says: str = "Under jax.vmap it returns what a Python loop returns."


class Types(Struct, frozen=True, tag=True):
    """Shape, dtype and weak type of the answer are the reference's.

    `weak=False` passes over weak type, where a right answer may be built from Python numbers.
    """

    calls: Any
    weak: bool = True
    name: str = "dtype"
    says: str = "The answer's shape and dtype are right."


class SameSize(Struct, frozen=True, tag=True):
    """The number of equations does not grow from the first call to the last.

    `factor` allows it to grow that much, for programs of logarithmic size.
    """

    calls: Any
    factor: float = 1.0
    name: str = "equations"
    says: str = "The jaxpr does not grow with the input."


class Uses(Struct, frozen=True, tag=True):
    """The jaxpr holds one of these primitives."""

    calls: Any
    primitives: tuple[str, ...]
    name: str = "primitive"
    says: str = "The jaxpr uses the expected primitive."


class Avoids(Struct, frozen=True, tag=True):
    """The jaxpr holds none of these primitives."""

    calls: Any
    primitives: tuple[str, ...]
    name: str = "no-primitive"
    says: str = "The jaxpr avoids the excluded primitives."


class LargestIntermediate(Struct, frozen=True, tag=True):
    """No value inside the jaxpr has more than `at_most` elements."""

    calls: Any
    at_most: int
    name: str = "memory"
    says: str = "No intermediate array exceeds the size limit."


class NoConstants(Struct, frozen=True, tag=True):
    """No array of more than `at_most` elements is captured as a constant."""

    calls: Any
    at_most: int = 16
    name: str = "constants"
    says: str = "No large array is captured as a constant."


class Finite(Struct, frozen=True, tag=True):
    """The answer, and with `gradient` its gradient too, is finite for these calls."""

    calls: Any
    gradient: bool = False
    argnums: int | tuple[int, ...] = 0
    name: str = "finite"
    says: str = "The answer is finite."


class KeysOnce(Struct, frozen=True, tag=True):
    """No random key is used twice."""

    calls: Any
    name: str = "keys"
    says: str = "No random key is used twice."


class Sharded(Struct, frozen=True, tag=True):
    """The answer lies on the devices as the reference's does."""

    calls: Any
    name: str = "sharding"
    says: str = "The answer is sharded as expected."


class Untouched(Struct, frozen=True, tag=True):
    """No dict or list among the arguments holds other parts after the call."""

    calls: Any
    name: str = "arguments"
    says: str = "Its arguments stay as they are."


class Custom(Struct, frozen=True, tag=True):
    """A lesson's own check: `test(subject)` returns what is wrong, in words, or nothing."""

    name: str
    says: str
    test: Any = None
    calls: Any = ()


Property = (
    Traces
    | NoLeak
    | Gradient
    | Vmap
    | Types
    | SameSize
    | Uses
    | Avoids
    | LargestIntermediate
    | NoConstants
    | Finite
    | KeysOnce
    | Sharded
    | Untouched
    | Custom
)
