"""Runs the programs of submissions on a lesson's calls, without ever running a submission.

The programs come as StableHLO from workers that ran the submissions (see `exporting`). A program
can compute from its inputs and nothing else: one that calls out of XLA is refused. A request starts
with the programs of the lesson's solution, whose answers to the fresh calls are the expected ones.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import Event, LessonFault, Measured, Started, SubmissionDone
from jaxtutor.core.data.programs import (
    CASES,
    FRESH,
    AnswerPlace,
    ExportedPrograms,
    LoweredProgram,
    ProgramUse,
)
from jaxtutor.core.data.requests import MeterRequest
from jaxtutor.core.data.values import ArrayValue
from jaxtutor.core.vocabulary import Call, Property
from jaxtutor.worker import checks, lesson, values

Send = Callable[[Event], None]
T = TypeVar("T")

SAFE_CALLS = re.compile(
    r"Sharding|annotate_device_placement|TopK|ApproxTopK|mhlo\.\w+|chlo\.\w+|stablehlo\.\w+"
    r"|lapack_[a-z]+_ffi|cu_threefry2x32_ffi|cusolver\w+_ffi|cublas\w+_ffi|LuDecomposition"
    r"|Qr|Eigh|Cholesky|ProductOfElementaryHouseholderReflectors"
)
"""Targets of custom calls that JAX itself lowers to and that only compute. Others may call Python
objects by their address, which a program from elsewhere must not."""

BYTECODE = b"ML\xefR"
"""The first bytes of MLIR bytecode, in which names stand as they are. Modules in text form are read
as well, and there an escape can hide the name of a custom call."""

_CALL_NAME = b"custom_call"
_CUSTOM_CALL = re.compile(r'custom_call\s+@"?([\w.$-]+)|call_target_name = "([^"]*)"')


def run(request: MeterRequest, send: Send) -> None:
    """Run all programs of all submissions; what goes wrong with one is reported in its place."""
    try:
        calls = _Calls(request)
    except Exception as error:
        send(LessonFault(f"checks.py: {type(error).__name__}: {error}"[:500]))
        return
    compiled: dict[LoweredProgram, Callable[..., Any]] = {}
    for number, exported in enumerate(request.submissions):
        send(Started(f"submission {number}"))
        submission = _SubmittedPrograms(number, exported, send, compiled)
        if number:
            submission.run_own(calls)
        submission.run_fresh(calls, request.submissions[0])
        send(SubmissionDone(number))


class _Calls:
    """The calls of a lesson by their place in a check, and fresh hidden ones."""

    def __init__(self, request: MeterRequest) -> None:
        spec = lesson.load(request.lesson_dir, request.function, request.seed)
        self.cases = (*spec.examples, *spec.hidden)
        self.fresh = lesson.load(request.lesson_dir, request.function, request.fresh_seed).hidden
        self._properties = checks.in_order(spec.properties)
        self._made: dict[int, tuple[Call, ...]] = {}

    def at(self, place: AnswerPlace) -> Call:
        """Return the call of an answer. Raises LookupError for a place that no check has."""
        if place.part == CASES:
            return self.cases[place.number]
        wanted = self._properties[place.part]
        if place.part not in self._made:
            self._made[place.part] = checks.calls_of(wanted)
        return self._made[place.part][place.number // _programs_per_call(wanted)]


def _programs_per_call(wanted: Property) -> int:
    return 2 if isinstance(wanted, words.Finite) and wanted.gradient else 1


class _SubmittedPrograms:
    """The programs of one submission. Equal programs of several are compiled once."""

    def __init__(
        self,
        number: int,
        exported: ExportedPrograms,
        send: Send,
        compiled: dict[LoweredProgram, Callable[..., Any]],
    ) -> None:
        self.number = number
        self.exported = exported
        self.send = send
        self._compiled = compiled

    def run_own(self, calls: _Calls) -> None:
        """Run the programs on the calls that the submission was measured with."""
        for use in self.exported.uses:
            leaves, problem = self._run(use, calls.at, use.place)
            self.send(Measured(self.number, use.place, leaves, problem))

    def run_fresh(self, calls: _Calls, solution: ExportedPrograms) -> None:
        """Run the programs on fresh calls, each by the program of a call of the same types.

        Which call that is, and which of its leaves are traced, is decided by the solution's.
        """
        own = {use.place: use for use in self.exported.uses}
        for number, fresh in enumerate(calls.fresh):
            model = _find_alike(fresh, calls.cases, solution.uses)
            if model is None:
                continue
            use = own.get(model.place)
            leaves: tuple[ArrayValue, ...] = ()
            problem = "it has no program for such a call"
            if use is not None and use.takes == model.takes:
                leaves, problem = self._run(use, calls.fresh.__getitem__, number)
            inputs = values.describe_arguments(fresh.args, fresh.kwargs)
            place = AnswerPlace(FRESH, number)
            like = model.place.number
            self.send(Measured(self.number, place, leaves, problem, inputs, like, fresh.reason))

    def _run(
        self, use: ProgramUse, find_call: Callable[[T], Call], place: T
    ) -> tuple[tuple[ArrayValue, ...], str]:
        try:
            call = find_call(place)
            arguments, _ = _flatten(call)
            answer = self._program(use.program)(*(_numbers(arguments[n]) for n in use.takes))
            return tuple(values.to_array(np.asarray(it), weak=False) for it in answer), ""
        except Exception as error:  # a program from elsewhere may be anything
            return (), f"{type(error).__name__}: {error}"[:300]

    def _program(self, number: int) -> Callable[..., Any]:
        program = self.exported.programs[number]
        if program not in self._compiled:
            self._compiled[program] = load(program)
        return self._compiled[program]


def load(program: LoweredProgram) -> Callable[..., Any]:
    """Return a compiled function of flat arrays. Raises ValueError if it may call out of XLA.

    `jax.export.deserialize` needs flatbuffers, and pytrees that the submission defines. Here the
    code takes the place of that of a function with the same types.
    """
    if not program.code.startswith(BYTECODE):
        raise ValueError("its program is not MLIR bytecode")
    inputs = [jax.ShapeDtypeStruct(it.shape, jnp.dtype(it.dtype)) for it in program.ins]

    def alike(*_: Any) -> list[Any]:
        return [jnp.zeros(it.shape, jnp.dtype(it.dtype)) for it in program.outs]

    model = jax.export.export(jax.jit(alike))(*inputs)
    exported = dataclasses.replace(
        model, mlir_module_serialized=program.code, module_kept_var_idx=program.kept
    )
    # Printing a module takes time; the name of the operation is in its code as it is.
    has_calls = _CALL_NAME in program.code
    for target in find_calls(exported.mlir_module()) if has_calls else ():
        if not SAFE_CALLS.fullmatch(target):
            raise ValueError(f"its program calls {target}, which is not part of XLA")
    return jax.jit(exported.call)


def find_calls(module: str) -> set[str]:
    """Return the targets of the custom calls in the text of a module."""
    return {first or second for first, second in _CUSTOM_CALL.findall(module)}


def _numbers(leaf: Any) -> Any:
    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return jax.random.key_data(leaf)
    return leaf


def _find_alike(
    fresh: Call, cases: Sequence[Call], uses: Sequence[ProgramUse]
) -> ProgramUse | None:
    """Return the use whose call has the types of a fresh call and the same static arguments."""
    by_number = {use.place.number: use for use in uses if use.place.part == CASES}
    leaves, structure = _flatten(fresh)
    for number, use in by_number.items():
        others, other_structure = _flatten(cases[number])
        if structure == other_structure and all(
            _is_alike(leaf, other, place in use.takes)
            for place, (leaf, other) in enumerate(zip(leaves, others, strict=True))
        ):
            return use
    return None


def _flatten(call: Call) -> tuple[list[Any], Any]:
    return jax.tree.flatten((call.args, call.kwargs))


def _is_alike(leaf: Any, other: Any, is_traced: bool) -> bool:
    if not is_traced:
        return type(leaf) is type(other) and bool(leaf == other)
    return str(jax.typeof(leaf)) == str(jax.typeof(other))
