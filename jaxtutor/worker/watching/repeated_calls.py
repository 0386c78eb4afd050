"""Compares the first calls of a compiled function: which of its arrays are new each time."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.key_flow import KeyFlow, Use, is_key

ENOUGH = 3
"""The calls that are compared."""


class RepeatedCalls:
    """The first calls of a program that draws random numbers.

    Arrays are kept by weak references.
    """

    def __init__(self, jaxpr: Any, flow: KeyFlow, args: Sequence[Any]) -> None:
        self._jaxpr = jaxpr  # held, so that its id stays its own
        self._decisive, self._dropped = flow.decisive, flow.dropped
        self._captured = flow.captured
        self._last = self._remember(args)
        self._kept = set(range(len(args)))
        self._renewed = set(range(len(args)))
        self._count = 1

    def take(self, args: Sequence[Any]) -> bool:
        """Compare a call with the one before. Return whether that was the last one to compare."""
        now = self._remember(args)
        for n, (value, before) in enumerate(zip(now, self._last, strict=True)):
            is_same = value is not None and value == before
            (self._renewed if is_same else self._kept).discard(n)
        self._last = now
        self._count += 1
        return self._count >= ENOUGH

    def _remember(self, args: Sequence[Any]) -> list[object]:
        """Return the bits of each key, the identities of arrays, and None for other values."""
        pairs = zip(args, self._jaxpr.invars, strict=True)
        return [
            tracers.identity_of_key(value)[0] if is_key(v.aval) else _Reference.to(value)
            for value, v in pairs
        ]

    @property
    def is_step(self) -> bool:
        """Return whether a program returns an array like one that was new in each call.

        It computes the next state, or the next batch.
        """
        outputs = {_type(v.aval) for v in self._jaxpr.outvars}
        return any(_type(self._jaxpr.invars[n].aval) in outputs for n in self._renewed)

    def captured_draws(self) -> Sequence[Use]:
        """Return the draws that are the same in each call, because the program holds their key."""
        return self._captured if self.is_step else ()

    def kept_keys(self) -> Iterator[tuple[int, bool]]:
        """Yield the keys that decided the same draws in each call, while what it returns is new.

        A draw that a counter decides too, which the program advances and does not return, is
        yielded as such also where the program is not a step.
        """
        for decisive in self._decisive:
            is_dropped = not self._dropped.isdisjoint(decisive)
            if decisive <= self._kept and (self.is_step or is_dropped):
                keys = (n for n in decisive if is_key(self._jaxpr.invars[n].aval))
                yield from ((n, is_dropped) for n in keys)


class _Reference:
    """A weak reference that equals another one to the same array."""

    def __init__(self, value: Any) -> None:
        self._value = weakref.ref(value)

    @staticmethod
    def to(value: Any) -> _Reference | None:
        """Return a reference; None to a number of Python's, which is new in each call."""
        try:
            return _Reference(value)
        except TypeError:
            return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reference) and self._value() is other._value() is not None

    __hash__ = None  # type: ignore[assignment]


def _type(aval: Any) -> tuple[object, object]:
    return getattr(aval, "shape", None), str(getattr(aval, "dtype", ""))
