"""Exports the programs that gave a submission's answers, for a meter to run: see `meter`.

`jax.export` lowers a traced function to StableHLO. The pytrees of its arguments and results stay
here: a program takes and returns flat arrays, and typed keys as their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.programs import (
    CASES,
    AnswerPlace,
    ExportedPrograms,
    LoweredProgram,
    ProgramUse,
)
from jaxtutor.core.data.values import ArrayValue
from jaxtutor.core.vocabulary import Call, Property, Types
from jaxtutor.worker import checks, jaxprs
from jaxtutor.worker.internals import jaxpr_types
from jaxtutor.worker.lesson import Spec
from jaxtutor.worker.precompile import PendingProgram
from jaxtutor.worker.subject import TestedFunction

PRINTING = frozenset({"debug_callback", "debug_print"})
"""Primitives of `jax.debug`, which give no value."""

PRINT_EFFECT = "DebugEffect"
"""How the names of their effects end; JAX has no public name for them."""

LARGEST_CODE = 1 << 25
"""Bytes of a program: a larger one holds an array that the function captured."""


def export_programs(spec: Spec, tested: TestedFunction) -> ExportedPrograms:
    """Export what gives the answers of a check; never raises for what the submission does."""
    exporter = _Exporter(tested)
    for place, call, program in answer_programs(spec, tested):
        exporter.add(place, call, program)
    return exporter.exported


def answer_programs(
    spec: Spec, tested: TestedFunction
) -> Iterator[tuple[AnswerPlace, Call, PendingProgram]]:
    """Yield the programs of a check with the calls that they are run for."""
    for number, call in enumerate((*spec.examples, *spec.hidden)):
        yield AnswerPlace(CASES, number), call, tested.program(call)
    for part, wanted in enumerate(checks.in_order(spec.properties)):
        if not is_measurable(wanted):
            continue
        pairs = ((c, it) for c in checks.calls_of(wanted) for it in _programs(wanted, tested, c))
        for number, (call, program) in enumerate(pairs):
            yield AnswerPlace(part, number), call, program


def is_measurable(wanted: Property) -> bool:
    """Return whether a property is measured by what programs return."""
    return checks.has_programs(wanted) or isinstance(wanted, Types)


def _programs(wanted: Property, tested: TestedFunction, call: Call) -> tuple[PendingProgram, ...]:
    if isinstance(wanted, Types):
        return (tested.program(call),)
    return tuple(checks.programs_of(wanted, tested, call))


class _Exporter:
    """Exports programs, each of them once."""

    def __init__(self, tested: TestedFunction) -> None:
        self.tested = tested
        self._programs: list[LoweredProgram] = []
        self._uses: list[ProgramUse] = []
        self._missing: list[tuple[AnswerPlace, str]] = []
        self._known: dict[int, tuple[Any, int]] = {}

    @property
    def exported(self) -> ExportedPrograms:
        return ExportedPrograms(tuple(self._programs), tuple(self._uses), tuple(self._missing))

    def add(self, place: AnswerPlace, call: Call, program: PendingProgram) -> None:
        """Export the program of one answer, or note why that is not possible."""
        try:
            number = self._export(program)
            takes = tuple(_takes(self._inputs(call, program), call))
            self._uses.append(ProgramUse(place, number, takes))
        except BaseException as error:  # tracing runs the submission
            self._missing.append((place, f"{type(error).__name__}: {error}"[:300]))

    def _export(self, program: PendingProgram) -> int:
        compiled, args, kwargs = program.parts
        traced = compiled.trace(*args, **kwargs)  # the same for calls of the same types
        if id(traced.jaxpr) not in self._known:
            if not PRINTING.isdisjoint(jaxprs.primitives(traced.jaxpr)):
                # A program with a callback cannot be exported.
                compiled = jax.jit(jaxpr_types.jaxpr_as_fun(_without_prints(traced.jaxpr)))
                args, kwargs = tuple(traced.jaxpr.in_avals), {}
            self._programs.append(_lower(compiled, args, kwargs))
            self._known[id(traced.jaxpr)] = traced, len(self._programs) - 1
        return self._known[id(traced.jaxpr)][1]

    def _inputs(self, call: Call, program: PendingProgram) -> list[Any]:
        """Return the arrays that a program takes, in order."""
        compiled, args, kwargs = program.parts
        if compiled is not self.tested.compiled:
            return list(jax.tree.leaves((args, kwargs)))
        _, _, static = self.tested.positional(call)
        dynamic = [value for place, value in enumerate(args) if place not in static]
        named = {name: value for name, value in kwargs.items() if name not in self.tested.static}
        return list(jax.tree.leaves((dynamic, named)))


def _takes(inputs: list[Any], call: Call) -> Iterator[int]:
    """Yield the places of a program's inputs among the leaves of a call, found by identity."""
    places: dict[int, list[int]] = {}
    for place, leaf in enumerate(jax.tree.leaves((call.args, call.kwargs))):
        places.setdefault(id(leaf), []).append(place)
    for leaf in inputs:
        yield places[id(leaf)].pop(0)


def _without_prints(jaxpr: Any) -> Any:
    """Return a closed jaxpr without the equations that only print, nested ones included."""

    def strip(value: Any) -> Any:
        if (
            isinstance(value, jaxpr_types.ClosedJaxpr) and value.jaxpr is not value
        ):  # jax 0.12: one class
            return value.replace(jaxpr=strip(value.jaxpr))
        if isinstance(value, jaxpr_types.Jaxpr):
            kept = [it for it in value.eqns if it.primitive.name not in PRINTING]
            eqns = [it.replace(params=strip(it.params), effects=quiet(it.effects)) for it in kept]
            return value.replace(eqns=eqns, effects=quiet(value.effects))
        if isinstance(value, dict):
            return {name: strip(held) for name, held in value.items()}
        return tuple(map(strip, value)) if type(value) is tuple else value

    def quiet(effects: Any) -> Any:
        return frozenset(it for it in effects if not type(it).__name__.endswith(PRINT_EFFECT))

    return strip(jaxpr)


def _lower(compiled: Any, args: Any, kwargs: Any) -> LoweredProgram:
    exported = jax.export.export(compiled)(*args, **kwargs)
    if exported.nr_devices != 1:
        raise ValueError(f"it is a program for {exported.nr_devices} devices")
    if len(exported.mlir_module_serialized) > LARGEST_CODE:
        raise ValueError(f"its program has more than {LARGEST_CODE >> 20} MiB")
    return LoweredProgram(
        bytes(exported.mlir_module_serialized),
        tuple(exported.module_kept_var_idx),
        tuple(map(_physical, exported.in_avals)),
        tuple(map(_physical, exported.out_avals)),
    )


def _physical(aval: Any) -> ArrayValue:
    """Describe a type as XLA sees it: keys are numbers, and float0 is bool."""
    shape, dtype = aval.shape, aval.dtype
    if jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key):
        keys = jax.eval_shape(jax.random.key_data, jax.ShapeDtypeStruct(shape, dtype))
        shape, dtype = keys.shape, keys.dtype
    if dtype == jax.dtypes.float0:
        dtype = np.dtype(bool)
    return ArrayValue(tuple(shape), str(dtype), bool(aval.weak_type))
