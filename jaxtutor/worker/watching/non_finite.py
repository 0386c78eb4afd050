"""Traces NaNs and infinities back to the operation that made the first one of finite values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxtutor.core.data.observations import MatrixDefect
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.matrices import MatrixDefects

if TYPE_CHECKING:
    from jaxtutor.worker.watching.lost_operands import Lost

MOST_ELEMENTS = 20_000_000  # of an array that is examined
MOST_KEPT = 1_000  # arrays whose origin is remembered, held so that no id is reused: the last
MOST_BYTES = 256 << 20  # of these arrays
_IN_TEXT = re.compile(r"\b(nan|inf)\b")
_SIGNS = {"div": "/", "mul": "*", "sub": "-", "add": "+", "pow": "**"}
_CALLS = frozenset(
    "log log1p sqrt rsqrt cbrt exp exp2 expm1 acos asin acosh atanh tan lgamma digamma".split()
)


@dataclass(frozen=True)
class Origin:
    """The operation that made a value that is not finite from values that are."""

    place: Frame | None
    detail: str
    is_backward: bool
    defect: MatrixDefect | None = None
    lost: Lost | None = None


class NonFiniteOrigins:
    """Remembers for each array that is not finite where the first such value came from."""

    def __init__(self) -> None:
        self._origins: dict[int, tuple[Any, Origin]] = {}
        self._made: list[Origin] = []
        self._bytes = 0
        self._matrices = MatrixDefects()

    def follow(
        self,
        name: str,
        ins: Sequence[Any],
        outs: Sequence[Any],
        place: Frame | None,
        is_backward: bool = False,
        since: int | None = None,
        explain: Callable[[], Lost | None] = lambda: None,
    ) -> None:
        """Record where the values of an operation that are not finite come from.

        `since` is the number of origins that were known before a loop's body was followed.
        `explain` is called for the first one.
        """
        if ins:
            self._matrices.remember(name, ins[0], place)
        wrong = [out for out in outs if not is_finite(out)]
        if not wrong:
            return
        made = self.count if since is None else since
        sources = [value for value in ins if not is_finite(value)]
        known = next((o for value in sources if (o := self.of(value)) is not None), None)
        for out in wrong:
            if self.of(out) is not None:
                continue
            if known is None and not sources:
                known = self._made[made] if self.count > made else None
                known = known or self._new(name, ins, out, place, is_backward, explain)
            if known is not None:
                self._keep(out, known)

    def _keep(self, array: Any, origin: Origin) -> None:
        size = int(getattr(array, "nbytes", 0))
        if size > MOST_BYTES:
            return
        self._origins[id(array)] = array, origin
        self._bytes += size
        while len(self._origins) > MOST_KEPT or self._bytes > MOST_BYTES:
            oldest, _ = self._origins.pop(next(iter(self._origins)))
            self._bytes -= int(getattr(oldest, "nbytes", 0))

    def settle(self, results: Sequence[Any], since: int) -> None:
        """Keep of what a program made the origins of its results.

        `since` is the number of origins that were known before. The others made since then are
        forgotten: a branch that was not chosen may be infinite.
        """
        reached = [o for value in results if (o := self.of(value)) is not None]
        self._made[since:] = [made for made in self._made[since:] if made in reached]
        kept = [(v, o) for v, o in self._origins.values() if o in self._made]
        self._origins.clear()
        self._bytes = 0
        for value, origin in kept:
            self._keep(value, origin)

    @property
    def count(self) -> int:
        """The number of operations that made values that are not finite."""
        return len(self._made)

    def _new(
        self,
        name: str,
        ins: Sequence[Any],
        out: Any,
        place: Frame | None,
        is_backward: bool,
        explain: Callable[[], Lost | None],
    ) -> Origin:
        defect = self._matrices.at(place)
        if defect is not None:
            origin = Origin(place, defect.detail, is_backward, defect.kind)
        else:
            origin = Origin(place, _detail(name, ins, out), is_backward, None, explain())
        self._made.append(origin)
        return origin

    def of(self, value: Any) -> Origin | None:
        """Return where an array's first value that is not finite came from, if that was seen."""
        found = self._origins.get(id(value))
        return found[1] if found is not None else None

    def copy_to(self, values: Sequence[Any], twins: Sequence[Any]) -> None:
        """Record that arrays have the values of others whose origins are known."""
        for value, twin in zip(values, twins, strict=False):
            origin = self.of(value)
            if origin is not None:
                self._keep(twin, origin)

    def shown(self, values: Sequence[object]) -> Iterator[Origin]:
        """Yield the origins of printed values; of a text only if there is just one origin."""
        for value in values:
            origin = self.of(value)
            if origin is not None:
                yield origin
            elif self._made and _shows_non_finite(value):
                places = {made.place for made in self._made}
                yield from self._made[:1] if len(places) == 1 else ()

    def is_unexplained(self, values: Sequence[object]) -> bool:
        """Return whether a printed value is not finite, and no operation was seen to make it so.

        A compiled program is evaluated at its first call, and a later call may overflow.
        """
        return not self._made and any(
            not is_finite(value) or _shows_non_finite(value) for value in values
        )


def is_finite(value: Any) -> bool:
    """Return False for a float array of moderate size that contains a NaN or an infinity."""
    dtype = getattr(value, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "fV":
        return True
    if not 0 < int(np.prod(np.shape(value))) <= MOST_ELEMENTS:
        return True
    array = np.asarray(value)
    return bool(np.isfinite(array.astype(np.float32) if dtype.kind == "V" else array).all())


def _shows_non_finite(value: object) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, str):
        return _IN_TEXT.search(value) is not None
    return isinstance(value, np.ndarray | np.generic) and not is_finite(value)


def _detail(name: str, ins: Sequence[Any], out: Any) -> str:
    """Write the operation with the numbers of the first wrong element: `log(0.0) is -inf`."""
    array = np.asarray(out).astype(np.float64)
    position = tuple(int(n) for n in np.argwhere(~np.isfinite(array))[0])
    numbers = [_at(value, np.shape(out), position) for value in ins]
    if any(number is None for number in numbers):
        return ""
    texts = [f"{number:.4g}" for number in numbers if number is not None]
    result = f"{array[position]:.4g}"
    if name in _SIGNS and len(texts) == 2:
        return f"{texts[0]} {_SIGNS[name]} {texts[1]} is {result}"
    return f"{name}({', '.join(texts)}) is {result}" if name in _CALLS else ""


def _at(value: Any, shape: tuple[int, ...], position: tuple[int, ...]) -> float | None:
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or array.shape not in ((), shape):
        return None
    return float(array[position] if array.shape else array)


def floats(values: Sequence[Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Yield those values that are arrays of floats."""
    for value in values:
        if np.issubdtype(getattr(value, "dtype", np.int32), np.floating):
            yield np.asarray(value)


def has_nan(values: Sequence[Any]) -> bool:
    """Return True if one of the values contains a NaN."""
    return any(bool(np.isnan(array).any()) for array in floats(values))


def has_infinity(values: Sequence[Any]) -> bool:
    """Return True if one of the values contains an infinity."""
    return any(bool(np.isinf(array).any()) for array in floats(values))
