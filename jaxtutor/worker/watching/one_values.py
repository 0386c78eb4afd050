"""Finds operations that give one value for every element, although what they are given varies.

Only operations that work element by element count: a sum or a product of arrays may be the same
everywhere on purpose. A difference or a quotient of equal arrays counts if one of them is a
reduction of the other over an axis of length 1.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from jaxtutor.core.data.observations import OneValue, OneValueForm
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places
from jaxtutor.worker.watching.subprograms import called_program
from jaxtutor.worker.watching.wide_values import Value

LEAST_ELEMENTS = 8  # of a result
LEAST_DISTINCT = 8  # numbers in an operand that varies
MOST_ELEMENTS = 2_000_000  # of a result that is looked at
MOST_COMPARED = 4_096  # elements of an operand whose distinct numbers are counted
MOST_PLACES = 2_000
MOST_CALLS = 1_000  # of programs that are seen for this alone
MOST_KEPT = 500  # arrays that the program holds between its operations

_REDUCING = frozenset("reduce_sum reduce_max reduce_min reduce_prod".split())
_SHAPING = frozenset(
    "broadcast_in_dim reshape squeeze convert_element_type copy stop_gradient reduce_precision"
    " optimization_barrier transpose".split()
)
_SCALING = frozenset("mul div max min add select_n".split())
_ABSORBING = frozenset("mul div pow".split())
"""Operations that an operand of zeros, or an infinite one, makes constant on purpose."""

_FORMS: dict[str, OneValueForm] = {
    **dict.fromkeys("exp exp2 expm1 tanh logistic erf erfc".split(), "saturated"),
    **dict.fromkeys("max min clamp".split(), "bound"),
    **dict.fromkeys("floor ceil round convert_element_type".split(), "cut"),
    **dict.fromkeys(
        "add sub mul div pow integer_pow square sqrt rsqrt cbrt log log1p".split(), "lost"
    ),
}
"""The operations that count, and what one of them does to lose what it is given."""


class Site:
    """What is known of one kind of operation at one place of the program."""

    def __init__(self, place: Frame) -> None:
        self.place = place
        self.form: OneValueForm = "lost"
        self.value: Any = None
        self.elements = 0
        self.calls = 0
        self.result: Any = None  # of the learner's expression, once it is used
        self.varies = False

    def take(self, form: OneValueForm, value: Any, elements: int) -> None:
        """Record a result with one value."""
        self.form = form
        self.varies |= self.value is not None and self.value != value
        self.value = value
        self.elements += elements
        self.calls += 1

    def use(self, result: Any) -> None:
        """Record that the program uses the result at another place."""
        self.result = result.flat[0]


class Copy(Struct, frozen=True):
    """The origin of a value that an operation made equal to its operand.

    It is a reduction over axes of length 1, or what is left of a division whose quotient is 0.
    """

    form: OneValueForm


_OVER_ONE, _REMAINDER = Copy("axis"), Copy("cut")


class OneValues:
    """Follows results with one value from the operation that made them to where they are used."""

    def __init__(self) -> None:
        self._sites: dict[tuple[Frame, str], Site] = {}
        self._arrays: OrderedDict[int, tuple[Any, Site | Copy]] = OrderedDict()
        self._programs: dict[int, tuple[Any, list[tuple[int, Site]]]] = {}  # held: ids last
        self._calls = 0
        self._left_out: set[Frame] = set()  # where a program was not followed

    def forget(self) -> None:
        """Discard what was recorded."""
        self._sites.clear()
        self._arrays.clear()
        self._programs.clear()
        self._calls = 0
        self._left_out.clear()

    def recall(self, arrays: Sequence[Any], values: Sequence[Value | None]) -> None:
        """Give the values of arrays the origins that the arrays have."""
        for array, value in zip(arrays, values, strict=True):
            if value is not None:
                value.origin = self._origin_of(array)

    def keep(self, array: Any, value: Value) -> None:
        """Remember the origin of an array that the program holds.

        It counts as used, unless it may be a derivative that only a backward pass reads.
        """
        if value.origin is None:
            return
        if isinstance(value.origin, Site) and not places.is_differentiating():
            value.origin.use(value.narrow)
        try:
            reference = weakref.ref(array)
        except TypeError:  # not an array that the program could hand in again
            return
        self._arrays[id(array)] = reference, value.origin
        if len(self._arrays) > MOST_KEPT:
            self._arrays.popitem(last=False)

    def watch(self, program: Any, values: Sequence[Value | None]) -> None:
        """Compare what a program returns in later calls with results that had one value."""
        sites = [
            (n, value.origin)
            for n, value in enumerate(values)
            if value is not None and isinstance(value.origin, Site)
        ]
        if sites and len(self._programs) < MOST_PLACES:
            self._programs[id(program)] = program, sites

    @property
    def is_watching(self) -> bool:
        """Whether later calls may show that a result has other values too."""
        return bool(self._programs) and self._calls < MOST_CALLS

    def look_at_call(self, program: Any, results: Sequence[Any]) -> None:
        """Look at what a program returned in a call that is not evaluated again."""
        self._calls += 1
        for n, site in self._programs.get(id(program), (None, ()))[1]:
            if not site.varies:
                array = np.asarray(results[n])
                site.varies = not _is_flat(array)

    def holds(self, array: object) -> bool:
        """Return whether an array is a result with one value."""
        return isinstance(self._origin_of(array), Site)

    def use(self, arrays: Iterable[object], place: Frame | None = None) -> None:
        """Record that the program shows arrays, or computes with them at a place."""
        for array in arrays:
            origin = self._origin_of(array)
            if isinstance(origin, Site) and origin.place != place:
                origin.use(np.asarray(array))

    def _origin_of(self, array: object) -> Site | Copy | None:
        kept = self._arrays.get(id(array))
        return kept[1] if kept is not None and kept[0]() is array else None

    def take(
        self,
        name: str,
        params: Any,
        ins: Sequence[Value],
        outs: Sequence[Value | None],
        place: Frame | None,
        is_backward: bool,
    ) -> None:
        """Look at an operation: whose one value it uses, and whether it makes one.

        What only a backward pass uses is a derivative, such as 1 for each positive `relu(x)`.
        """
        if is_backward or place is None:
            return
        for value in ins:
            if isinstance(value.origin, Site) and value.origin.place != place:
                value.origin.use(value.narrow)
        if called_program(name, params) is not None:
            self._left_out.add(place)
        if len(outs) == 1 and outs[0] is not None and isinstance(outs[0].narrow, np.ndarray):
            outs[0].origin = self._origin(name, params, ins, outs[0].narrow, place)

    def observations(self) -> Iterator[OneValue]:
        """Yield the operations whose results are used, and were one value each time."""
        for (place, name), site in self._sites.items():
            if site.result is not None and not site.varies and place not in self._left_out:
                value = f"{float(site.result):.6g}"
                yield OneValue(name, site.form, value, site.elements, site.calls, frame=place)

    # ------------------------------------------------------------ one operation

    def _origin(
        self, name: str, params: Any, ins: Sequence[Value], out: Any, place: Frame
    ) -> Site | Copy | None:
        copy = _copy(name, params, ins, out)
        form = _FORMS.get(name)
        if not _has_one_value(out):
            if form is not None and out.size > 1 and not _is_flat(out):
                self._site(place, name).varies = True
            return copy
        for value in ins:
            if isinstance(value.origin, Site) and value.origin.place == place:
                return value.origin
        if form is None or out.dtype == bool or not any(map(_varies, ins)):
            return None
        if name in ("add", "sub", "div") and _cancels(name, *(value.narrow for value in ins)):
            known = next((v.origin for v in ins if isinstance(v.origin, Copy)), None)
            if known is None:
                return None  # a residual that has become zero
            form = known.form
        elif name in _ABSORBING and any(map(_absorbs, ins)):
            return None
        elif name == "convert_element_type" and out.dtype.kind == "f":
            form = "lost"
        site = self._site(place, name)
        site.take(form, out.flat[0], out.size)
        return site

    def _site(self, place: Frame, name: str) -> Site:
        known = self._sites.get((place, name))
        if known is None:
            known = Site(place)
            if len(self._sites) < MOST_PLACES:
                self._sites[place, name] = known
        return known


def _copy(name: str, params: Any, ins: Sequence[Value], out: Any) -> Copy | None:
    """Return the origin of a result that is equal to an operand, or to that of a copy."""
    if name in _REDUCING and _is_over_one(params["axes"], ins[0].narrow):
        return _OVER_ONE
    if name == "rem" and np.array_equal(ins[0].narrow, out):
        return _REMAINDER
    known = next((v.origin for v in ins if isinstance(v.origin, Copy)), None)
    if known is None or name in _SHAPING:
        return known
    others = (v.narrow for v in ins if not isinstance(v.origin, Copy))
    return known if name in _SCALING and all(map(_is_flat, others)) else None


def _is_over_one(axes: Sequence[int], array: Any) -> bool:
    return bool(len(axes)) and array.size > 1 and all(array.shape[n] == 1 for n in axes)


def _has_one_value(out: Any) -> bool:
    if not LEAST_ELEMENTS <= out.size <= MOST_ELEMENTS or out.dtype.kind not in "fiub":
        return False
    return _is_flat(out) and bool(np.isfinite(out.flat[0]))


def _is_flat(array: Any) -> bool:
    first = array.flat[0]
    return bool(array.flat[-1] == first) and bool((array == first).all())


def _varies(value: Value) -> bool:
    array = value.narrow
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or array.size < LEAST_DISTINCT:
        return False
    some = array.reshape(-1)[:: max(1, array.size // MOST_COMPARED)]
    some = some[np.isfinite(some)]
    return len(np.unique(some)) >= LEAST_DISTINCT


def _cancels(name: str, one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, -other if name == "add" else other))


def _absorbs(value: Value) -> bool:
    """Return whether an operand makes a product constant: zeros, or infinities."""
    array = value.narrow
    return not array.any() or bool(np.isinf(array).all())
