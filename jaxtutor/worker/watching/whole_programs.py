"""Inspects programs as a whole: their length, their largest value, and patterns of equations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from jaxtutor.core.data.observations import (
    CallbackUnread,
    HalfPromoted,
    HalfSum,
    LargeResult,
    Overwritten,
    SoftmaxAxis,
    SoftmaxUse,
    StackForLast,
    StateLost,
    Unrolled,
    Unwritten,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.half_sums import half_sums
from jaxtutor.worker.watching.liveness import Liveness, stacks_for_last
from jaxtutor.worker.watching.lost_states import LostState, common_path, lost_states
from jaxtutor.worker.watching.moved_axes import axes_mixed, sideways
from jaxtutor.worker.watching.normalised_axes import NormalisedAxes
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.pallas_blocks import (
    OverwrittenOutput,
    UnwrittenOutput,
    kernel_calls,
    look_at_outputs,
)
from jaxtutor.worker.watching.promotions import Promotions
from jaxtutor.worker.watching.subprograms import count_elements, element_bytes
from jaxtutor.worker.watching.unread_values import UnreadValues

UNROLLED = 60  # equations of one expression in one program
ROUNDS = 32  # of a loop; the layers of a model are fewer, and compile in less than a second or two
LARGE_BYTES = 16_000_000  # less is usual for pairs of a few hundred points, and harmless
LARGE_RATIO = 32


class WholePrograms:
    """Records what is wrong with a program, whatever its inputs are."""

    def __init__(self, is_own: IsOwn, note: Note) -> None:
        self._is_own = is_own
        self._note = note
        self.unread = UnreadValues(is_own)

    def look(self, jaxpr: Any, least: int = UNROLLED, rounds: int = ROUNDS) -> None:
        """Inspect the program as a whole: its length and its largest value.

        If one expression makes `least` equations or more, in `rounds` rounds or more, its Python
        loop counts as unrolled.
        """
        made_at = [places.place_of(e, self._is_own) for e in jaxpr.eqns]
        made = defaultdict[Frame, Counter[str]](Counter)
        for place, equation in zip(made_at, jaxpr.eqns, strict=True):
            if place is not None:
                made[place][equation.primitive.name] += 1
        for place, counts in made.items():
            if counts.total() >= least and _rounds(counts) >= rounds:
                self._note(Unrolled(counts.total()), place)
        with suppress(Exception):  # a program of a form not met yet has only less to say
            NormalisedAxes(self._note_softmax).read(jaxpr)
        with suppress(Exception):
            for addition in half_sums(jaxpr):
                where = self._find_place(addition)
                if where is not None:
                    self._note(HalfSum(str(addition.outvars[0].aval.dtype)), where)
        outer = sum(
            count_elements(v.aval) for v in (*jaxpr.invars, *jaxpr.outvars, *jaxpr.constvars)
        )
        for equation, where in zip(jaxpr.eqns, made_at, strict=True):
            aval = max((v.aval for v in equation.outvars), key=count_elements, default=None)
            size = count_elements(aval)
            is_large = size * element_bytes(aval) >= LARGE_BYTES
            if where is not None and is_large and size >= LARGE_RATIO * max(outer, 1):
                self._note(LargeResult(str(aval)), where)
                return

    def look_at_axes(self, jaxpr: Any) -> None:
        """Record reshapes that exchange axes, and convolutions of images with channels first."""
        for equation, seen in chain(axes_mixed(jaxpr), sideways(jaxpr)):
            where = self._find_place(equation)
            if where is not None:
                self._note(seen, where)

    def _note_softmax(self, equations: Sequence[Any], form: SoftmaxUse) -> None:
        found = (places.place_of(equation, self._is_own) for equation in equations)
        place = next((place for place in found if place is not None), None)
        if place is not None:
            self._note(SoftmaxAxis(form), place)

    def look_at_promotions(self, jaxpr: Any) -> None:
        """Record which float32 operand turns a half-precision computation into float32."""
        promotions = Promotions(lambda e: places.is_promotion(e.source_info, self._is_own))
        for found in promotions.read(jaxpr):
            where = self._find_place(found.equation)
            if where is not None:
                origin = found.origin
                argument = tracers.argument_name(jaxpr, origin) if origin is not None else ""
                self._note(HalfPromoted(str(found.half), found.converted, argument), where)

    def look_at_unread(self, jaxpr: Any) -> None:
        """Record what a program computes and does not read."""
        liveness = Liveness(jaxpr)
        self.unread.look(jaxpr, liveness)
        for equation, outer in liveness.unread_callbacks():
            where = self._find_place(equation) or self._find_place(outer)
            if where is not None:
                self._note(CallbackUnread(), where)
        for stack in stacks_for_last(jaxpr):
            where = self._find_place(stack.scan)
            if where is not None:
                size, rounds = f"{stack.bytes / 1e6:.0f} MB", stack.scan.params["length"]
                seen = StackForLast(size, str(stack.aval), rounds, stack.is_returned)
                self._note(seen, where)
        for state in lost_states(jaxpr):
            if self._note_lost(state):
                return

    def _note_lost(self, state: LostState) -> bool:
        """Record a new value that nothing reads; return whether its place and name are known."""
        names = [tracers.argument_name(state.program, n) for n in state.arguments]
        function = tracers.program_place(state.program)
        name = function[0].rpartition(".")[2] if function is not None and state.form else ""
        own = places.frames_of(state.operation.outer.source_info, self._is_own) if name else []
        where = next((frame for frame in own if frame.function == name), None)
        where = where or self._find_place(state.operation.equation)
        argument = common_path(names)
        if where is None or not argument:
            return False
        aval = str(state.program.invars[state.arguments[0]].aval)
        self._note(StateLost(argument, aval, name, state.form), where)
        return True

    def look_at_kernels(self, jaxpr: Any, place: Frame | None) -> None:
        """Record what the grids of Pallas kernels leave unwritten, and what they write in vain.

        `place` is where the program is called.
        """
        for call in kernel_calls(jaxpr):
            where = self._find_place(call) or place
            if where is None:
                continue
            for seen in look_at_outputs(call):
                written_at = self._find_place(seen.writer) if seen.writer is not None else None
                if isinstance(seen, OverwrittenOutput):
                    times = f"{seen.times} of {seen.steps}"
                    self._note(Overwritten(times), written_at or where)
                elif seen.step is not None:
                    self._note(_unwritten(seen), self._index_map_place(seen.mapping) or where)
                else:
                    is_partly = written_at is not None
                    self._note(_unwritten(seen, is_partly), written_at or where)

    def _index_map_place(self, mapping: Any) -> Frame | None:
        """Return the line of the learner's index map of a block."""
        found = tracers.program_place(mapping.index_map_jaxpr.jaxpr)
        if found is None or not self._is_own(found[1]):
            return None
        return Frame(found[1], found[0], positions.whole_line(found[1], found[2]))

    def _find_place(self, equation: Any) -> Frame | None:
        return places.place_of(equation, self._is_own)


def _unwritten(seen: UnwrittenOutput, is_partly: bool = False) -> Unwritten:
    aval = seen.mapping.array_aval
    return Unwritten(
        f"{seen.count} of {count_elements(aval)}",
        str(list(seen.first)),
        str(aval),
        "" if seen.step is None else str(seen.step),
        str(seen.block) if seen.block else "",
        is_partly,
    )


def _rounds(counts: Counter[str]) -> int:
    """Return how often an expression was traced, by its operations and how many there are of each.

    Each round has every operation once or more. Some are there in the first round only, such as
    the conversion of a number that the loop starts from.
    """
    return min(n for n in counts.values() if n * _MOST_IN_ONE_ROUND >= max(counts.values()))


_MOST_IN_ONE_ROUND = 16
